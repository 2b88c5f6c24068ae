package dualseal

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// What was left out, by somebody who dropped an error or forgot to fill it, is an error that names it.
func TestANilThatWasForgottenIsNoConsent(t *testing.T) {
	q := convene(t, false)
	inner := convene(t, true)
	file, published := must[Secret](t)(q.ring.Stored(q.head)), must[string](t)(q.ring.Published())
	line, _, err := EntryLine(must[string](t)(q.head.Append(q.domain, q.ana, "a message", noon)))
	if err != nil {
		t.Fatal(err)
	}
	size := must[uint64](t)(q.head.Size())
	sign := func(q *quorum) error {
		_, err := q.session.Sign(nil, []byte("resolution"), q.ana, q.founded.Shares, q.head, noon)
		return err
	}
	reader := must[*Reader](t)(NewReader(q.domain, Walk{Own: q.head}))
	for name, one := range map[string]struct {
		field string
		call  func() error
	}{
		"a quorum's ring":         {"ring", func() error { return sign(q) }},
		"an inner session's ring": {"ring", func() error { return sign(inner) }},
		"a ring's checkpoint":     {"checkpoint", func() error { _, err := PublicRing(published, nil); return err }},
		"the vaults of a chain":   {"masters", func() error { _, err := reader.WatchRing(file, q.ringKey, nil); return err }},
		"the vaults of an entry":  {"masters", func() error { return q.ring.Follow(line, nil) }},
		"one vault of a list":     {"masters", func() error { return q.ring.Follow(line, []*Vault{nil}) }},
		"the vault of a record": {"master", func() error {
			_, err := reader.WatchOwnSplits(nil, ID{1}, q.ana)
			return err
		}},
		"a domain": {"domain", func() error { _, err := NewReader(nil, Walk{Own: q.head}); return err }},
	} {
		var told *Error
		if err := one.call(); !errors.As(err, &told) || told.Family != Call || told.Field != one.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ResumeHead(nil); !errors.Is(err, Malformed) {
		t.Errorf("a stored head that is not there: %v", err)
	}
	// What was said passes.
	if err := q.ring.Follow(line, NoVaults); err != nil {
		t.Error(err)
	}
	// Nobody's key is not the current one.
	if _, err := q.ring.SetState(q.ana, ID{}, KeyRevoked, q.head, noon); err == nil {
		t.Error("the state of no key was set")
	}
	if _, err := q.ring.RevokeFrom(q.ana, ID{}, 0, q.head, noon); err == nil {
		t.Error("no key was revoked")
	}
	if must[uint64](t)(q.head.Size()) != size {
		t.Error("a refusal moved the head")
	}
	must[*Ring](t)(UnattestedRing(published))
	must[Watched](t)(reader.WatchRing(file, q.ringKey, NoVaults))
}

// The ring is asked before a quorum signs, and says what its results are worth since.
func TestAQuorumGoesByTheStateOfItsKey(t *testing.T) {
	q := convene(t, false)
	message, board := []byte("resolution 7"), must[ID](t)(q.domain.IdentityID(nil, "board", ""))
	result := must[*Result](t)(q.session.Sign(q.ring, message, q.ana, q.founded.Shares, q.head, noon))
	if err := q.ring.Follow(q.keep(t, result.Entry), NoVaults); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		state   KeyState
		verdict error
	}{{KeySuspended, Suspended}, {KeyDecoy, Decoy}, {KeyRevoked, Revoked}} {
		q.keep(t, must[string](t)(q.ring.SetCurrentState(board, step.state, q.head, noon)))
		if err := q.session.Verify(q.ring, message, result.JSON, nil); err != step.verdict {
			t.Errorf("%v: %v", step.state, err)
		}
		size := must[uint64](t)(q.head.Size())
		_, err := q.session.Sign(q.ring, message, q.ana, q.founded.Shares, q.head, noon)
		if !errors.Is(err, NotCurrent) || must[uint64](t)(q.head.Size()) != size {
			t.Errorf("%v: signed, %v", step.state, err)
		}
	}
	must[*Result](t)(q.session.SignWithoutRing(message, q.ana, q.founded.Shares, q.head, noon))
}

// A ring that lacks the decoy of a vault's record is an old one, as only whoever names the vault is told.
func TestAVaultsRecordWithoutItsDecoyIsFound(t *testing.T) {
	r := openRegister(t)
	other := must[*Vault](t)(NewVault(r.signer, bytes.Repeat([]byte{4}, 32)))
	vault := must[*Vault](t)(NewVault(r.signer, bytes.Repeat([]byte{3}, 32)))
	old := must[Secret](t)(r.ring.Stored(r.head))
	var stored bytes.Buffer
	sealed := must[*Sealed](t)(
		vault.Seal("DEED", &stored, strings.NewReader("House 7"), must[*Ledger](t)(GenerateLedger()), r.head, noon))
	line := r.keep(t, sealed.Entry)
	ringOf := func(file Secret, vaults []*Vault) error {
		reader := must[*Reader](t)(NewRingReader(r.domain, file, r.head))
		watched := must[Watched](t)(reader.WatchRing(file, r.ringKey, vaults))
		if bytes.Equal(file, old) {
			if err := reader.Push(line); err != nil {
				t.Fatal(err)
			}
		}
		_, err := must[*Proofs](t)(reader.Finish()).Ring(watched)
		return err
	}
	for _, vaults := range [][]*Vault{{vault}, {other, vault}, {vault, other, vault}} {
		if err := r.ring.Follow(line, vaults); !errors.Is(err, RingRollback) {
			t.Errorf("followed: %v", err)
		}
		if err := ringOf(old, vaults); !errors.Is(err, RingRollback) {
			t.Errorf("read again: %v", err)
		}
	}
	if err := ringOf(old, []*Vault{other}); err != nil {
		t.Errorf("of another vault: %v", err)
	}
	if err := r.ring.AddDecoy(sealed.Decoy, sealed.Entry); err != nil {
		t.Fatal(err)
	}
	if err := ringOf(must[Secret](t)(r.ring.Stored(r.head)), []*Vault{other, vault}); err != nil {
		t.Error(err)
	}
	_ = vault.Close()
	if err := r.ring.Follow(line, []*Vault{other, vault}); !errors.Is(err, ErrClosed) {
		t.Errorf("a vault that was closed: %v", err)
	}
}
