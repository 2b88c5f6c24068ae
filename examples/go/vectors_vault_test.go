package dualseal

import (
	"bytes"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"dualseal.example/dualseal/internal/known"
)

type vaults struct {
	Ledgers []struct {
		Domain     string
		Identity   ID                `json:"identity_id"`
		Ledger     ID                `json:"ledger"`
		TierSeeds  map[string]string `json:"tier_seeds_hex"`
		MasterHex  string            `json:"master_hex"`
		SeedHex    string            `json:"seed_hex"`
		RingKeyHex string            `json:"ring_key_hex"`
		Ring       json.RawMessage
		Chain      []known.Entry
		Splits     []ID
		Dealing    json.RawMessage   `json:"first_dealing"`
		Shares     []json.RawMessage `json:"first_shares"`
		Records    []struct {
			Type       string
			SecretHex  string `json:"secret_hex"`
			SaltHex    string `json:"salt_hex"`
			StoredHex  string `json:"stored_hex"`
			StoredSHA3 string `json:"stored_sha3_256"`
			Record     json.RawMessage
		}
	}
}

// A ledger that another implementation made: its ring is read with its key and its vault, its first record and its
// record of an erasure are valid under either policy at their places, the first one opens, and the other covers it and
// nothing else.
func TestKnownLedgers(t *testing.T) {
	var all vaults
	vectors(t, "known_answers_vault.json", &all)
	verified := 0
	for _, one := range all.Ledgers {
		domain := must[*Domain](t)(NewDomain(one.Domain))
		signer := &Signer{Domain: domain, Identity: one.Identity, NoRing: true}
		signer.Key = must[*SigningKey](t)(NewSigningKey(unhex(t, one.SeedHex)))
		vault := must[*Vault](t)(NewVault(signer, unhex(t, one.MasterHex)))
		ringKey := must[*RingKey](t)(NewRingKey(domain, unhex(t, one.RingKeyHex)))
		chain := chainOf(t, domain, "log.example/vault", one.Chain)
		var ofRing, ofLedger Watched
		proofs := walked(t, domain, Walk{NoCheckpoint: true, Own: chain.head}, chain.lines, func(r *Reader) {
			ofRing = must[Watched](t)(r.WatchRing(Secret(one.Ring), ringKey, []*Vault{vault}))
		})
		ring := must[*Ring](t)(proofs.Ring(ofRing))
		proofs = walked(t, domain, Walk{Under: chain.checkpoint}, chain.lines, func(r *Reader) {
			ofLedger = must[Watched](t)(r.WatchLedger(one.Ledger, vault))
		})
		places := must[*LedgerPlaces](t)(proofs.Ledger(ofLedger))

		first, last := one.Records[0].Record, one.Records[4].Record
		var header struct {
			Sealed struct {
				Header struct {
					Vault ID `json:"vault_id"`
				}
			}
		}
		if err := json.Unmarshal(first, &header); err != nil {
			t.Fatal(err)
		}
		splits := slices.SortedFunc(slices.Values(one.Splits), func(a, b ID) int { return bytes.Compare(a[:], b[:]) })
		erased := must[[]byte](t)(json.Marshal(map[string]any{"splits": splits, "vault_id": header.Sealed.Header.Vault}))
		if hash := sha3.Sum256(erased); hex.EncodeToString(hash[:]) != one.Records[4].StoredSHA3 {
			t.Fatalf("other bytes: %s", erased)
		}
		stored := must[*StoredHash](t)(HashStored(domain, bytes.NewReader(erased)))
		other := must[*StoredHash](t)(HashStored(domain, bytes.NewReader(append(erased, ' '))))
		everybody := must[*VaultPolicy](t)(PublicPolicy(TierNative))
		operator := must[*VaultPolicy](t)(vault.Policy(TierNative))
		shown := must[*PresenceKey](t)(NewPresenceKey(unhex(t, one.TierSeeds["native"])))
		for _, policy := range []*VaultPolicy{everybody, operator} {
			err := policy.Enrol(one.Identity, TierNative, must[string](t)(shown.PublicKey()))
			if err != nil {
				t.Fatal(err)
			}
		}
		verifier, place := &Verifier{Domain: domain, Ring: ring}, must[*Place](t)(places.Place(last))
		for _, policy := range []*VaultPolicy{everybody, operator} {
			report, err := verifier.VerifyVault(policy, last, stored, one.Identity, place, nil)
			if err != nil {
				t.Errorf("%s: %v", one.Domain, err)
				continue
			}
			if covers, err := report.Covers(place, erased, first); !covers || err != nil {
				t.Errorf("does not cover what was erased: %v", err)
			}
			if covers, _ := report.Covers(place, erased, last); covers {
				t.Error("covers itself")
			}
			if _, err := verifier.VerifyVault(policy, last, other, one.Identity, place, nil); err != Invalid {
				t.Errorf("other bytes: %v", err)
			}
			if _, err := verifier.VerifyVault(policy, last, stored, ID{1}, place, nil); err != Invalid {
				t.Errorf("another's: %v", err)
			}
			verified++
		}
		if _, err := verifier.VerifyVault(everybody, first, stored, one.Identity, nil, nil); err != Invalid {
			t.Errorf("another record's bytes: %v", err)
		}

		// The first record's bytes are those that Go computes, and open for the operator alone.
		began := one.Records[0]
		document := must[[]byte](t)(known.Stream(one.Domain, one.Identity.String(), began.Type, unhex(t, began.SecretHex),
			unhex(t, began.SaltHex), nil))
		if hex.EncodeToString(document) != began.StoredHex {
			t.Fatalf("other bytes: %x", document)
		}
		stored = must[*StoredHash](t)(HashStored(domain, bytes.NewReader(document)))
		place = must[*Place](t)(places.Place(first))
		secret, bad, err := Reconstruct(domain, string(one.Dealing), secrets(one.Shares[:2]))
		if err != nil || len(bad) != 0 || hex.EncodeToString(must[Secret](t)(secret.Bytes())) != began.SecretHex {
			t.Fatal(err, bad)
		}
		for policy, expected := range map[*VaultPolicy]error{everybody: NotVerified, operator: nil} {
			report := must[*VaultReport](t)(verifier.VerifyVault(policy, first, stored, one.Identity, place, nil))
			var opened bytes.Buffer
			err := report.Unseal(secret, &opened, bytes.NewReader(document))
			if !errors.Is(err, expected) || opened.Len() != 0 {
				t.Errorf("unsealed: %v, expected %v", err, expected)
			}
			verified++
		}
	}
	if verified != 8 {
		t.Errorf("%d records verified", verified)
	}
}
