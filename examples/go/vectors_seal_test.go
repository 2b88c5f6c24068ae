package dualseal

import (
	"crypto/mldsa"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"dualseal.example/dualseal/internal/known"
)

// Legacy seals and keys, which the file has too, this package does not read.
type knownSeals struct {
	DerivedKeys []struct {
		Domain     string
		MasterHex  string `json:"master_hex"`
		IdentityID ID     `json:"identity_id"`
		SealKeyHex string `json:"seal_key_hex"`
	} `json:"derived_keys"`
	Seals, Reserved []knownSeal
	NearReserved    []knownSeal `json:"near_reserved"`
	Outlived        struct {
		Domain     string
		SealKeyHex string `json:"seal_key_hex"`
		IdentityID ID     `json:"identity_id"`
		PayloadHex string `json:"payload_hex"`
		Seal       string
		Chain      []known.Entry
		Ring       json.RawMessage
		Checkpoint json.RawMessage
		Expected   map[string]*string
	}
}

type knownSeal struct {
	Domain     string
	SealKeyHex string `json:"seal_key_hex"`
	SeedHex    string `json:"seed_hex"`
	IdentityID ID     `json:"identity_id"`
	PayloadHex string `json:"payload_hex"`
	Legacy     string
	Poruka     string
	Seal       *string
}

func (one knownSeal) made(t *testing.T) (*Domain, *Verifier, *Signer, *SealKey) {
	t.Helper()
	domain, key := must[*Domain](t)(NewDomain(one.Domain)), must[*SealKey](t)(NewSealKey(unhex(t, one.SealKeyHex)))
	signs := must[*SigningKey](t)(NewSigningKey(unhex(t, one.SeedHex)))
	ring := must[*Ring](t)(PinnedRing(one.IdentityID, must[*mldsa.PublicKey](t)(signs.PublicKey())))
	signer := &Signer{Domain: domain, Identity: one.IdentityID, Key: signs, NoRing: true}
	return domain, &Verifier{Domain: domain, Ring: ring}, signer, key
}

// The seals that everybody's implementation is held against.
func TestKnownSeals(t *testing.T) {
	var all knownSeals
	vectors(t, "known_answers_seal.json", &all)
	signs, whole := must[*SigningKey](t)(GenerateKey()), 0
	for _, one := range all.DerivedKeys {
		domain := must[*Domain](t)(NewDomain(one.Domain))
		derived := must[*SealKey](t)(DeriveSealKey(domain, unhex(t, one.MasterHex), one.IdentityID))
		signer := &Signer{Domain: domain, Identity: one.IdentityID, Key: signs, NoRing: true}
		seal := must[string](t)(signer.Seal([]byte("payload"), derived))
		key := must[*SealKey](t)(NewSealKey(unhex(t, one.SealKeyHex)))
		if err := key.Confirm(domain, one.IdentityID, []byte("payload"), seal); err != nil {
			t.Errorf("%s: %v", one.Domain, err)
		}
	}
	for i, one := range append(all.Seals, all.NearReserved...) {
		domain, v, signer, key := one.made(t)
		payload := unhex(t, one.PayloadHex)
		// The HMAC is the same one each time, and a signature another: few are in the file.
		seal, mac := must[string](t)(signer.Seal(payload, key)), strings.TrimPrefix(one.Legacy, "SEAL-L5::")
		if !strings.HasPrefix(seal, "SEAL-DUAL::"+mac+"::") || len(mac) != 128 {
			t.Errorf("seal %d: %.160s, expected %s", i, seal, mac)
		}
		if one.Seal != nil {
			whole++
			seal = *one.Seal
			entry := must[string](t)(must[*Head](t)(NewHead()).AppendSeal(domain, one.IdentityID, seal, noon))
			if !strings.Contains(entry, `"poruka":"`+one.Poruka+`"`) {
				t.Errorf("seal %d: %s", i, entry)
			}
		}
		if err := v.VerifySeal(one.IdentityID, payload, seal, key, nil); err != nil {
			t.Errorf("seal %d: %v", i, err)
		}
		if err := v.VerifySeal(one.IdentityID, append(payload, 0), seal, key, nil); err != Invalid {
			t.Errorf("seal %d over another payload: %v", i, err)
		}
	}
	if len(all.DerivedKeys) != 4 || len(all.Seals) != 24 || len(all.NearReserved) != 8 || whole != 3 {
		t.Errorf("%d derived keys, %d and %d seals, %d of them whole", len(all.DerivedKeys), len(all.Seals),
			len(all.NearReserved), whole)
	}
}

// What begins as the records of a vault or of shards do is never sealed, and no such seal is good.
func TestKnownReservedPayloads(t *testing.T) {
	var all knownSeals
	vectors(t, "known_answers_seal.json", &all)
	whole := 0
	for i, one := range all.Reserved {
		_, v, signer, key := one.made(t)
		payload := unhex(t, one.PayloadHex)
		if _, err := signer.Seal(payload, key); !errors.Is(err, Misuse) {
			t.Errorf("%d was sealed: %v", i, err)
		}
		if one.Seal == nil {
			continue
		}
		whole++
		if err := v.VerifySeal(one.IdentityID, payload, *one.Seal, key, nil); err != Invalid {
			t.Errorf("%d: %v", i, err)
		}
	}
	if len(all.Reserved) != 6 || whole != 2 {
		t.Errorf("%d reserved payloads, %d whole seals", len(all.Reserved), whole)
	}
}

// A seal by a retired key, with all that a stranger gets: it is good at its place alone.
func TestAKnownSealOutlivesItsKey(t *testing.T) {
	var all knownSeals
	vectors(t, "known_answers_seal.json", &all)
	one := all.Outlived
	domain, key := must[*Domain](t)(NewDomain(one.Domain)), must[*SealKey](t)(NewSealKey(unhex(t, one.SealKeyHex)))
	var log struct {
		Origin   string
		Identity ID     `json:"identity_id"`
		Key      string `json:"javni_kljuc"`
	}
	if err := json.Unmarshal(one.Checkpoint, &log); err != nil {
		t.Fatal(err)
	}
	public := must[*mldsa.PublicKey](t)(mldsa.NewPublicKey(mldsa.MLDSA65(), unhex(t, log.Key)))
	pins := Pins{Origin: log.Origin, Identity: log.Identity, Key: must[ID](t)(KeyHash(public)), LeastSize: 3, NoRing: true}
	under := must[*Checkpoint](t)(pins.Verify(domain, string(one.Checkpoint)))
	chain := chainOf(t, domain, log.Origin, one.Chain)
	var watched Watched
	proofs := walked(t, domain, Walk{Under: under}, chain.lines, func(reader *Reader) {
		watched = must[Watched](t)(reader.WatchPlaces(chain.handles...))
	})
	v := &Verifier{Domain: domain, Ring: must[*Ring](t)(UnattestedRing(string(one.Ring)))}
	for name, reason := range one.Expected {
		var place *Place
		if at := strings.Index("012", name); at >= 0 {
			place = must[*Place](t)(proofs.Place(watched, chain.handles[at]))
		}
		err := v.VerifySeal(one.IdentityID, unhex(t, one.PayloadHex), one.Seal, key, place)
		if err != map[bool]error{true: nil, false: Invalid}[reason == nil] {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(one.Expected) != 4 || len(chain.lines) != 3 {
		t.Errorf("%d places of %d entries", len(one.Expected), len(chain.lines))
	}
}
