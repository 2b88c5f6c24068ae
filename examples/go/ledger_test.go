package dualseal

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

// An archive is a register with a vault, and what was sealed in its ledger.
type archive struct {
	*register
	vault  *Vault
	ledger *Ledger
	name   ID
	sealed []*Sealed
	stored [][]byte
}

func openArchive(t testing.TB) *archive {
	t.Helper()
	a := &archive{register: openRegister(t)}
	a.vault = must[*Vault](t)(NewVault(a.signer, bytes.Repeat([]byte{3}, 32)))
	a.ledger = must[*Ledger](t)(GenerateLedger())
	a.name = must[LedgerParts](t)(a.ledger.Parts()).Ledger
	return a
}

func (a *archive) seals(t testing.TB, content string) *Sealed {
	t.Helper()
	var stored bytes.Buffer
	one := must[*Sealed](t)(a.vault.Seal("DEED", &stored, strings.NewReader(content), a.ledger, a.head, noon))
	a.stores(t, one, stored.Bytes())
	return one
}

func (a *archive) stores(t testing.TB, one *Sealed, stored []byte) {
	t.Helper()
	if err := a.ring.AddDecoy(one.Decoy, one.Entry); err != nil {
		t.Fatal(err)
	}
	a.keep(t, one.Entry)
	a.sealed, a.stored = append(a.sealed, one), append(a.stored, stored)
}

// places is where the records stand below a checkpoint over all that was appended.
func (a *archive) places(t testing.TB, watch func(*Reader) (Watched, error)) *LedgerPlaces {
	t.Helper()
	checkpoint, _ := a.checkpoint(t)
	var watched Watched
	proofs := a.walk(t, Walk{Under: checkpoint, Own: a.head}, func(reader *Reader) {
		watched = must[Watched](t)(watch(reader))
	})
	return must[*LedgerPlaces](t)(proofs.Ledger(watched))
}

func (a *archive) verifier() *Verifier { return &Verifier{Domain: a.domain, Ring: a.ring} }

func (a *archive) hash(t testing.TB, stored []byte) *StoredHash {
	t.Helper()
	return must[*StoredHash](t)(HashStored(a.domain, iotest.HalfReader(bytes.NewReader(stored))))
}

func TestADocumentIsSealedVerifiedAndUnsealed(t *testing.T) {
	a := openArchive(t)
	content := strings.Repeat("House 7. ", 20_000)
	one, stored := a.seals(t, content), a.stored[0]
	record, redacted := []byte(one.Stored), []byte(one.Redacted)
	places := a.places(t, func(r *Reader) (Watched, error) { return r.WatchLedger(a.name, a.vault) })
	place, v := must[*Place](t)(places.Place(record)), a.verifier()
	everybody := must[*VaultPolicy](t)(PublicPolicy(TierPublic))
	operator := must[*VaultPolicy](t)(a.vault.Policy(TierPublic))
	altered := bytes.Clone(stored)
	altered[len(altered)/2] ^= 1
	whole, other := a.hash(t, stored), a.hash(t, altered)
	for name, given := range map[string]struct {
		policy   *VaultPolicy
		record   []byte
		hash     *StoredHash
		identity ID
		place    *Place
		expected error
	}{
		"everybody":                     {everybody, redacted, whole, a.ana, nil, nil},
		"everybody, at its place":       {everybody, redacted, whole, a.ana, place, nil},
		"the operator":                  {operator, record, whole, a.ana, place, nil},
		"the operator, without a place": {operator, record, whole, a.ana, nil, Invalid},
		"other bytes":                   {everybody, redacted, other, a.ana, nil, Invalid},
		"another's":                     {everybody, redacted, whole, a.log.Identity, nil, Invalid},
	} {
		report, err := v.VerifyVault(given.policy, given.record, given.hash, given.identity, given.place, nil)
		if err != given.expected || report == nil {
			t.Fatalf("%s: %v", name, err)
		}
		told := [2][]byte{must[json.RawMessage](t)(report.Layers()), must[json.RawMessage](t)(report.Public())}
		if !bytes.Contains(told[0], []byte("outcome")) || bytes.Contains(told[1], []byte("outcome")) != (err == nil) {
			t.Errorf("%s: %s, %s", name, told[0], told[1])
		}
		var out bytes.Buffer
		switch err := report.Unseal(one.Secret, &out, bytes.NewReader(stored)); {
		case name != "the operator":
			if !errors.Is(err, NotVerified) || out.Len() != 0 {
				t.Errorf("%s unsealed it: %v", name, err)
			}
		case err != nil || out.String() != content:
			t.Errorf("another document, %v", err)
		default:
			if err := report.Unseal(one.Secret, &out, bytes.NewReader(altered)); !errors.Is(err, Rejected) {
				t.Errorf("other bytes than were verified: %v", err)
			}
			if err := report.Unseal(one.Secret, &out, bytes.NewReader(stored[:len(stored)-1])); !errors.Is(err, Rejected) {
				t.Errorf("bytes that were cut: %v", err)
			}
			stranger := must[*SharedSecret](t)(GenerateSecret())
			if err := report.Unseal(stranger, &out, bytes.NewReader(stored)); !errors.Is(err, Rejected) {
				t.Errorf("another secret: %v", err)
			}
			if err := report.Unseal(nil, &out, bytes.NewReader(stored)); err == nil {
				t.Error("without the secret")
			}
		}
	}
	// A tier above public is shown by an enrolled key, and this record shows none.
	phone := must[string](t)(must[*PresenceKey](t)(GeneratePresenceKey()).PublicKey())
	noble := must[*VaultPolicy](t)(PublicPolicy(TierNoble))
	if _, err := v.VerifyVault(noble, redacted, whole, a.ana, nil, nil); !errors.Is(err, Misuse) {
		t.Errorf("no key is enrolled: %v", err)
	}
	if err := noble.Enrol(a.ana, TierNoble, phone); err != nil {
		t.Fatal(err)
	}
	if _, err := v.VerifyVault(noble, redacted, whole, a.ana, nil, nil); err != Invalid {
		t.Errorf("a public record as a noble one: %v", err)
	}
	if _, err := PublicPolicy(0); !errors.Is(err, Malformed) {
		t.Errorf("no tier: %v", err)
	}
}

func TestALedgerIsCheckedToItsEnd(t *testing.T) {
	a := openArchive(t)
	for _, content := range []string{"House 7", "House 8", "House 9"} {
		a.seals(t, content)
	}
	places := a.places(t, func(r *Reader) (Watched, error) { return r.WatchLedger(a.name, a.vault) })
	everybody := must[*VaultPolicy](t)(PublicPolicy(TierPublic))
	operator := must[*VaultPolicy](t)(a.vault.Policy(TierPublic))
	v := a.verifier()
	check := func(begin func() (*LedgerCheck, error), records ...int) (*LedgerSummary, error) {
		running := must[*LedgerCheck](t)(begin())
		for _, i := range records {
			if err := running.Push(a.sealed[i].Stored, a.hash(t, a.stored[i])); err != nil {
				return nil, err
			}
		}
		return running.Finish()
	}
	asOperator := func() (*LedgerCheck, error) { return v.CheckLedger(operator, a.name, places) }
	asAnybody := func() (*LedgerCheck, error) { return v.CheckLedgerAlone(everybody, a.name) }
	ends := must[LedgerParts](t)(a.ledger.Parts())
	for _, begin := range []func() (*LedgerCheck, error){asOperator, asAnybody} {
		summary := must[*LedgerSummary](t)(check(begin, 0, 1, 2))
		if summary.Valid != 3 || summary.Revoked+summary.Suspended+summary.Decoys != 0 || !json.Valid(summary.Unverified) {
			t.Errorf("%+v", summary)
		}
		if must[LedgerParts](t)(summary.Head.Parts()) != ends || ends.Size != 3 {
			t.Errorf("%+v", ends)
		}
		// One that is missing in between, and two that are in another order.
		for _, records := range [][]int{{0, 2}, {1, 0, 2}, {0, 0}} {
			if _, err := check(begin, records...); !errors.Is(err, Rejected) {
				t.Errorf("%v: %v", records, err)
			}
		}
	}
	// What is missing at the end the chain alone tells.
	if _, err := check(asOperator, 0, 1); !errors.Is(err, LedgerTruncated) {
		t.Errorf("without the last: %v", err)
	}
	if summary := must[*LedgerSummary](t)(check(asAnybody, 0, 1)); summary.Valid != 2 {
		t.Errorf("%+v", summary)
	}
	var told *Error
	running := must[*LedgerCheck](t)(asOperator())
	if err := running.Push(a.sealed[0].Stored, a.hash(t, a.stored[1])); !errors.As(err, &told) || told.Index != 0 {
		t.Errorf("another's bytes: %v", err)
	}
	// The key of records in order may have been called back since.
	a.keep(t, must[string](t)(a.ring.SetCurrentState(a.ana, KeySuspended, a.head, noon)))
	if err := must[*LedgerCheck](t)(asOperator()).Push(a.sealed[0].Stored, a.hash(t, a.stored[0])); err != Suspended {
		t.Errorf("by a key that is suspended: %v", err)
	}
	// Neither a forgotten vault nor forgotten places are read as that there are none.
	checkpoint, _ := a.checkpoint(t)
	reader := must[*Reader](t)(NewReader(a.domain, Walk{Under: checkpoint, Own: a.head}))
	if _, err := reader.WatchLedger(a.name, nil); err == nil {
		t.Error("watched without a vault")
	}
	must[Watched](t)(reader.WatchLedgerUnverified(a.name))
	if _, err := v.CheckLedger(everybody, a.name, nil); err == nil {
		t.Error("checked without the places")
	}
}

func TestALedgerGoesOnFromItsParts(t *testing.T) {
	a := openArchive(t)
	first := a.seals(t, "House 7")
	var parts LedgerParts
	if err := json.Unmarshal(must[[]byte](t)(json.Marshal(must[LedgerParts](t)(a.ledger.Parts()))), &parts); err != nil {
		t.Fatal(err)
	}
	after := must[*Ledger](t)(LedgerAfter(first.Stored))
	if must[LedgerParts](t)(after.Parts()) != parts || parts.Size != 1 {
		t.Errorf("%+v", parts)
	}
	a.ledger = must[*Ledger](t)(parts.Resume())
	second := a.seals(t, "House 8")
	everybody := must[*VaultPolicy](t)(PublicPolicy(TierPublic))
	verify := func(after *Ledger) error {
		_, err := a.verifier().VerifyVault(everybody, []byte(second.Redacted), a.hash(t, a.stored[1]), a.ana, nil, after)
		return err
	}
	if err := verify(after); err != nil {
		t.Error(err)
	}
	if err := verify(must[*Ledger](t)(LedgerAfter(second.Stored))); err != Invalid {
		t.Errorf("after itself: %v", err)
	}
	if _, err := (LedgerParts{}).Resume(); err == nil {
		t.Error("a ledger of nothing")
	}
	// Whoever has no vault finds the entries all the same, and cannot tell whose they are.
	places := a.places(t, func(r *Reader) (Watched, error) { return r.WatchLedgerUnverified(a.name) })
	if _, err := places.Place(second.Stored); err != nil {
		t.Error(err)
	}
	other := openArchive(t)
	if _, err := places.Place(other.seals(t, "House 7").Stored); !errors.Is(err, NotLocated) {
		t.Errorf("the place of a record of another ledger: %v", err)
	}
}
