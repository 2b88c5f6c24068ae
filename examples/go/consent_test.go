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
	checkpoint, text := q.checkpoint(t)
	proofs, mark := q.walk(t, Walk{Under: checkpoint}, func(*Reader) {}), must[Mark](t)(checkpoint.Mark())
	pins := q.pins
	pins.NoRing = false
	line, _, err := EntryLine(must[string](t)(q.head.Append(q.domain, q.ana, "a message", noon)))
	if err != nil {
		t.Fatal(err)
	}
	size := must[uint64](t)(q.head.Size())
	sign := func(q *quorum) error {
		_, err := q.session.Sign(nil, []byte("resolution"), q.ana, q.founded.Shares, q.head, noon)
		return err
	}
	reader := must[*Reader](t)(NewReader(q.domain, Walk{NoCheckpoint: true, Own: q.head}))
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
		"a domain": {"domain", func() error { _, err := NewReader(nil, Walk{NoCheckpoint: true, Own: q.head}); return err }},
		"a chain's checkpoint": {"checkpoint", func() error {
			_, err := NewReader(q.domain, Walk{Own: q.head})
			return err
		}},
		"a checkpoint's ring": {"ring", func() error { _, err := pins.Verify(q.domain, text); return err }},
		"a first mark's ring": {"ring", func() error { _, err := FirstMark(origin, q.head, nil); return err }},
		"a next mark's ring":  {"ring", func() error { _, err := mark.Next(proofs, nil); return err }},
	} {
		var told *Error
		if err := one.call(); !errors.As(err, &told) || told.Family != Call || told.Field != one.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ResumeHead(nil); !errors.Is(err, Malformed) {
		t.Errorf("a stored head that is not there: %v", err)
	}
	// Nor is it said beside what is there.
	if _, err := NewReader(q.domain, Walk{Under: checkpoint, NoCheckpoint: true}); !errors.Is(err, Malformed) {
		t.Errorf("a checkpoint, and none: %v", err)
	}
	pins.Ring, pins.NoRing = q.ring, true
	if _, err := pins.Verify(q.domain, text); !errors.Is(err, Malformed) {
		t.Errorf("a ring, and none: %v", err)
	}
	// What was said passes.
	must[Mark](t)(FirstMarkWithoutRing(origin, q.head))
	if _, err := mark.NextWithoutRing(proofs); err == nil {
		t.Error("a log that had a ring has none")
	}
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

// What was left out where nothing may be is an error that names it, and no panic.
func TestWhatWasLeftOutIsNamed(t *testing.T) {
	a := openArchive(t)
	one := a.seals(t, "House 7")
	split := must[*Splitting](t)(a.vault.Split(one, ID{}, 2, []string{"a", "b"}))
	rebuilding := must[*Rebuilding](t)(a.vault.RebuildingWithoutChain(split.Names[0].Vault, a.ana, []byte("me")))
	request := must[Request](t)(rebuilding.Request(split.Names[0].Split, idsOf(split)))
	board := PinnedSession{Domain: a.domain, Session: ID{1}, Identity: a.ana}
	everybody := must[*VaultPolicy](t)(PublicPolicy(TierPublic))
	checkpoint, _ := a.checkpoint(t)
	var nobody *Vault
	for name, one := range map[string]struct {
		family Family
		field  string
		call   func() error
	}{
		"a pinned ring's key": {Call, "public_key", func() error { _, err := PinnedRing(a.ana, nil); return err }},
		"a first key": {Call, "public_key", func() error {
			_, err := a.ring.Add(a.ana, nil, a.head, noon)
			return err
		}},
		"a next key": {Call, "public_key", func() error {
			_, err := a.ring.Rotate(a.ana, nil, a.head, noon)
			return err
		}},
		"a decoy":           {Call, "public_key", func() error { return a.ring.AddDecoy(nil, one.Entry) }},
		"a key to hash":     {Call, "public_key", func() error { _, err := KeyHash(nil); return err }},
		"a key to write":    {Call, "public_key", func() error { _, err := PublicPEM(nil); return err }},
		"a pinned key":      {Call, "public_key", func() error { return board.Verify(a.ring, nil, "{}", nil) }},
		"a key of Go's":     {Call, "key", func() error { _, err := FromMLDSA(nil); return err }},
		"a record to split": {Call, "sealed", func() error { _, err := a.vault.Split(nil, ID{}, 1, nil); return err }},
		"a vault's signer":  {Call, "signer", func() error { _, err := NewVault(nil, make(Secret, 32)); return err }},
		"a vault that splits": {Call, "master", func() error {
			_, err := nobody.Split(one, ID{}, 1, []string{"a"})
			return err
		}},
		"a vault that seals": {Call, "sealer", func() error {
			_, err := nobody.Seal("DEED", new(bytes.Buffer), strings.NewReader(""), a.ledger, a.head, noon)
			return err
		}},
		"a vault that erases": {Call, "sealer", func() error {
			_, err := nobody.EraseWithoutChain(nil, nil, a.ledger, a.head, noon)
			return err
		}},
		"a vault's policy": {Call, "master", func() error { _, err := nobody.Policy(TierPublic); return err }},
		"a vault that rebuilds": {Call, "master", func() error {
			_, err := nobody.RebuildingWithoutChain(ID{}, a.ana, nil)
			return err
		}},
		"who tells of a nonce": {Call, "consume", func() error {
			held := Held{Shard: split.Shards[0], NoChain: true}
			return ReleaseShard(a.domain, held, request, []byte("me"), Presence{Gate: Gate{Identity: a.ana}})
		}},
		"a ledger's vault": {Call, "vault", func() error {
			_, err := must[*Reader](t)(NewReader(a.domain, Walk{Under: checkpoint})).WatchLedger(a.name, nil)
			return err
		}},
		"a ledger's places": {Call, "places", func() error {
			_, err := a.verifier().CheckLedger(everybody, a.name, nil)
			return err
		}},
		"a ledger's name": {Malformed, "ledger_id", func() error { _, err := LedgerParts{}.Resume(); return err }},
		"too many needed": {Malformed, "needed", func() error {
			_, err := OpenEvidence("", Policy{Needed: 1})
			return err
		}},
		"a name with a NUL": {Malformed, "name", func() error { _, err := NewDomain("A\x00B"); return err }},
		"a node with a NUL": {Malformed, "nodes", func() error {
			_, err := a.vault.Split(one, ID{}, 1, []string{"\x00"})
			return err
		}},
		"half a name": {Malformed, "text", func() error { _, err := ParseID("00"); return err }},
		"a name in capitals": {Malformed, "text", func() error {
			_, err := ParseID(strings.Repeat("A", 64))
			return err
		}},
	} {
		var told *Error
		if err := one.call(); !errors.As(err, &told) || told.Family != one.family || told.Field != one.field {
			t.Errorf("%s: %v", name, err)
		} else if told.Status == 0 || !errors.Is(err, told.Status) || !strings.HasPrefix(err.Error(), "dualseal: ") {
			t.Errorf("%s: %d, %v", name, told.Status, err)
		}
	}
	_ = a.vault.Close()
	var told *Error
	if _, err := a.vault.Policy(TierPublic); err != ErrClosed || !errors.As(err, &told) || !errors.Is(err, Call) {
		t.Errorf("closed: %v", err)
	}
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
