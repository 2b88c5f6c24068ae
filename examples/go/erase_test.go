package dualseal

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

func TestAnErasureIsOfTheRecordThatWasVerified(t *testing.T) {
	a := openArchive(t)
	a.seals(t, "House 7")
	other := a.seals(t, "House 8")
	one, nodes := a.sealed[0], []string{"https://a.example", "https://b.example"}
	split := must[*Splitting](t)(a.vault.Split(one, ID{}, 2, nodes))
	never := must[*Splitting](t)(a.vault.Split(one, ID{}, 2, nodes))
	record, name := split.Names[0].Vault, split.Names[0].Split
	proofs, watched := a.ownSplits(t, record)
	line := a.keep(t, must[string](t)(split.Commit(idsOf(split), 0, proofs, watched, a.head, noon)))
	if err := a.ring.Follow(line, NoVaults); err != nil {
		t.Fatal(err)
	}
	locate := func() *LedgerPlaces {
		return a.places(t, func(r *Reader) (Watched, error) { return r.WatchLedger(a.name, a.vault) })
	}
	v, places := a.verifier(), locate()
	everybody := must[*VaultPolicy](t)(PublicPolicy(TierPublic))
	operator := must[*VaultPolicy](t)(a.vault.Policy(TierPublic))
	hash, place := a.hash(t, a.stored[0]), must[*Place](t)(places.Place(one.Stored))
	report := must[*VaultReport](t)(v.VerifyVault(operator, one.Stored, hash, a.ana, place, nil))
	public := must[*VaultReport](t)(v.VerifyVault(everybody, one.Stored, hash, a.ana, place, nil))

	proofs, watched = a.ownSplits(t, record)
	size := must[uint64](t)(a.head.Size())
	prepared := []ID{never.Names[0].Split}
	for name, refused := range map[string]func() (*Erased, error){
		"by everybody's policy": func() (*Erased, error) {
			return a.vault.Erase(public, proofs, watched, prepared, a.ledger, a.head, noon)
		},
		"without a report": func() (*Erased, error) {
			return a.vault.Erase(nil, proofs, watched, prepared, a.ledger, a.head, noon)
		},
		"without the proofs": func() (*Erased, error) {
			return a.vault.Erase(report, nil, 0, prepared, a.ledger, a.head, noon)
		},
		"by another vault": func() (*Erased, error) {
			another := must[*Vault](t)(NewVault(a.signer, bytes.Repeat([]byte{4}, 32)))
			return another.Erase(report, proofs, watched, prepared, a.ledger, a.head, noon)
		},
	} {
		if _, err := refused(); err == nil || must[uint64](t)(a.head.Size()) != size {
			t.Errorf("%s: %v", name, err)
		}
	}
	erased := must[*Erased](t)(a.vault.Erase(report, proofs, watched, prepared, a.ledger, a.head, noon))
	if erased.Secret != nil || erased.End == "" {
		t.Errorf("%+v", erased)
	}
	for _, split := range []ID{name, prepared[0]} {
		if !bytes.Contains(erased.Bytes, []byte(split.String())) {
			t.Errorf("%v was left out: %s", split, erased.Bytes)
		}
	}
	if err := a.ring.AddDecoy(erased.Decoy, erased.Entry); err != nil {
		t.Fatal(err)
	}
	a.keep(t, erased.Entry)
	if err := a.ring.Follow(a.keep(t, erased.End), NoVaults); err != nil {
		t.Fatal(err)
	}

	// Everybody who has the record of the erasure can tell what it is of.
	places = locate()
	at := must[*Place](t)(places.Place(erased.Stored))
	found := must[*VaultReport](t)(
		v.VerifyVault(everybody, []byte(erased.Redacted), a.hash(t, erased.Bytes), a.ana, at, nil))
	for i, expected := range []bool{true, false} {
		if covers, err := found.Covers(at, erased.Bytes, a.sealed[i].Stored); covers != expected || err != nil {
			t.Errorf("record %d: %v, %v", i, covers, err)
		}
	}
	if covers, _ := found.Covers(nil, erased.Bytes, one.Stored); covers {
		t.Error("without its place")
	}
	if covers, _ := found.Covers(at, append(erased.Bytes, ' '), one.Stored); covers {
		t.Error("with other bytes")
	}
	// Nothing continues the splittings, and the ledger goes on.
	inForce, told, err := a.splitInForce(t, record)
	if inForce != nil || err == nil || !bytes.Contains(told, fmt.Appendf(nil, `"erased":%d,`, size+1)) {
		t.Errorf("%s, %v", told, err)
	}
	proofs, watched = a.ownSplits(t, record)
	if _, err := never.Commit(idsOf(never), 0, proofs, watched, a.head, noon); !errors.Is(err, Rejected) {
		t.Errorf("split after the erasure: %v", err)
	}
	ends := must[LedgerParts](t)(a.ledger.Parts())
	after := must[LedgerParts](t)(must[*Ledger](t)(LedgerAfter(erased.Stored)).Parts())
	if after != ends || ends.Size != 3 {
		t.Errorf("%+v, %+v", after, ends)
	}

	// Without a chain of splittings the caller names them.
	place, hash = must[*Place](t)(places.Place(other.Stored)), a.hash(t, a.stored[1])
	report = must[*VaultReport](t)(v.VerifyVault(operator, other.Stored, hash, a.ana, place, nil))
	alone := must[*Erased](t)(a.vault.EraseWithoutChain(report, nil, a.ledger, a.head, noon))
	if alone.End != "" || must[LedgerParts](t)(a.ledger.Parts()).Size != 4 {
		t.Errorf("%+v", alone)
	}
}
