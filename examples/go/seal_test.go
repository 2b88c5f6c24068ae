package dualseal

import (
	"bytes"
	"crypto/mldsa"
	"errors"
	"testing"
)

func TestADualSealHasBothLayers(t *testing.T) {
	r := openRegister(t)
	payload, altered := []byte("one contract"), []byte("two contract")
	key := must[*SealKey](t)(DeriveSealKey(r.domain, bytes.Repeat([]byte{8}, 32), r.ana))
	other, drawn, err := GenerateSealKey()
	if err != nil || len(drawn) != 64 {
		t.Fatal(err, len(drawn))
	}
	seal := must[string](t)((&Signer{Domain: r.domain, Identity: r.ana, Key: r.key, Ring: r.ring}).Seal(payload, key))
	v := &Verifier{Domain: r.domain, Ring: r.ring}
	for name, one := range map[string]struct{ found, expected error }{
		"both":                      {v.VerifySeal(r.ana, payload, seal, key, nil), nil},
		"another payload":           {v.VerifySeal(r.ana, altered, seal, key, nil), Invalid},
		"another key":               {v.VerifySeal(r.ana, payload, seal, other, nil), Invalid},
		"another signer":            {v.VerifySeal(r.log.Identity, payload, seal, key, nil), Invalid},
		"the signature":             {v.VerifySealSignature(r.ana, payload, seal, nil), nil},
		"the signature of another":  {v.VerifySealSignature(r.ana, altered, seal, nil), Invalid},
		"the HMAC":                  {key.Confirm(r.domain, r.ana, payload, seal), nil},
		"the HMAC of another":       {key.Confirm(r.domain, r.ana, altered, seal), Invalid},
		"the HMAC under another":    {other.Confirm(r.domain, r.ana, payload, seal), Invalid},
		"the HMAC under its bytes":  {must[*SealKey](t)(NewSealKey(drawn)).Confirm(r.domain, r.ana, payload, seal), Invalid},
		"what another key has made": {other.Confirm(r.domain, r.ana, payload, sealed(t, r, payload, drawn)), nil},
	} {
		if one.found != one.expected {
			t.Errorf("%s: %v", name, one.found)
		}
	}
	// A key that was forgotten is not the signature alone, and a seal that was cut is none.
	var told *Error
	if err := v.VerifySeal(r.ana, payload, seal, nil, nil); !errors.As(err, &told) || told.Field != "seal_key" {
		t.Errorf("without the key: %v", err)
	}
	if err := v.VerifySeal(r.ana, payload, seal[:len(seal)-1], key, nil); !errors.Is(err, Malformed) {
		t.Errorf("a seal that was cut: %v", err)
	}
	if _, err := (&Signer{Domain: r.domain, Identity: r.ana, Key: r.key}).Seal(payload, key); !errors.Is(err, Call) {
		t.Errorf("a signer who forgot the ring: %v", err)
	}
	_ = key.Close()
	if err := key.Confirm(r.domain, r.ana, payload, seal); err != ErrClosed {
		t.Errorf("a closed key: %v", err)
	}
}

// sealed is a seal by Ana under the key of these bytes.
func sealed(t *testing.T, r *register, payload []byte, drawn Secret) string {
	t.Helper()
	key := must[*SealKey](t)(NewSealKey(drawn))
	return must[string](t)((&Signer{Domain: r.domain, Identity: r.ana, Key: r.key, Ring: r.ring}).Seal(payload, key))
}

func TestASealOutlivesItsKeyByItsPlace(t *testing.T) {
	r := openRegister(t)
	payload, drawn := []byte("one contract"), bytes.Repeat([]byte{8}, 64)
	seal, key := sealed(t, r, payload, drawn), must[*SealKey](t)(NewSealKey(drawn))
	line := r.keep(t, must[string](t)(r.head.AppendSeal(r.domain, r.ana, seal, noon)))
	if err := r.ring.Follow(line, NoVaults); err != nil {
		t.Fatal(err)
	}
	next := must[*SigningKey](t)(GenerateKey())
	r.keep(t, must[string](t)(r.ring.Rotate(r.ana, must[*mldsa.PublicKey](t)(next.PublicKey()), r.head, noon)))
	checkpoint, _ := r.checkpoint(t)
	var watched Watched
	proofs := r.walk(t, Walk{Under: checkpoint, Own: r.head}, func(reader *Reader) {
		watched = must[Watched](t)(reader.WatchPlaces(r.handles...))
	})
	v := &Verifier{Domain: r.domain, Ring: r.ring}
	for i, expected := range map[int]error{0: Invalid, 1: nil, 2: Invalid} {
		place := must[*Place](t)(proofs.Place(watched, r.handles[i]))
		if err := v.VerifySeal(r.ana, payload, seal, key, place); err != expected {
			t.Errorf("at the place of entry %d: %v", i, err)
		}
	}
	if err := v.VerifySeal(r.ana, payload, seal, key, nil); err != Invalid {
		t.Errorf("without a place: %v", err)
	}
	place := must[*Place](t)(proofs.Place(watched, r.handles[1]))
	if err := v.VerifySealSignature(r.ana, payload, seal, place); err != nil {
		t.Error(err)
	}
}
