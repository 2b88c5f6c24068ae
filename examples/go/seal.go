package dualseal

// #include <dualseal.h>
import "C"

import "time"

// SealKey is the secret of a seal's layer A (HMAC-SHA3-512), of one identity. Whoever has it makes such layers: the
// signature beside it says who did.
type SealKey struct {
	private[*C.dualseal_seal_key]
}

// GenerateSealKey draws one, and gives its bytes, to be stored and wiped.
func GenerateSealKey() (*SealKey, Secret, error) {
	drawn := make(Secret, C.DUALSEAL_SEAL_KEY_BYTES)
	bytes, n := raw(drawn)
	key, err := sealKey(func(key **C.dualseal_seal_key, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_seal_key_generate(bytes, n, key, e)
	})
	if err != nil {
		return nil, nil, err
	}
	return key, drawn, nil
}

// NewSealKey makes one of 32 or 64 bytes that were drawn before, which the caller overwrites.
func NewSealKey(drawn Secret) (*SealKey, error) {
	bytes, n := raw(drawn)
	return sealKey(func(key **C.dualseal_seal_key, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_seal_key_from_bytes(bytes, n, key, e)
	})
}

// DeriveSealKey makes an identity's key of a master of 32 drawn bytes, which the caller overwrites.
func DeriveSealKey(domain *Domain, master Secret, identity ID) (*SealKey, error) {
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return nil, l.err
	}
	bytes, n := raw(master)
	return sealKey(func(key **C.dualseal_seal_key, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_seal_key_derive(d, bytes, n, identity.c(), key, e)
	})
}

func sealKey(work func(**C.dualseal_seal_key, **C.dualseal_error) C.dualseal_status) (*SealKey, error) {
	var key *C.dualseal_seal_key
	var e *C.dualseal_error
	if err := check(work(&key, &e), &e); err != nil {
		return nil, err
	}
	free := func(k *C.dualseal_seal_key) { C.dualseal_seal_key_free(k) }
	return &SealKey{private[*C.dualseal_seal_key]{own(key, free)}}, nil
}

// Seal makes a dual seal over a payload: its HMAC under the identity's seal key, and the signer's signature, which
// covers both. It is a text of its own, and no chain is needed; [Head.AppendSeal] has it outlive its key.
func (s *Signer) Seal(payload []byte, key *SealKey) (string, error) {
	var l lent
	defer l.back()
	domain, seals, signs, ring := use(&l, s.Domain), use(&l, key), use(&l, s.Key), use(&l, s.Ring)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var seal *C.char
	bytes, n := raw(payload)
	status := C.dualseal_payload_seal(domain, s.Identity.c(), seals, signs, ring, flag(s.NoRing), bytes, n, &seal, &e)
	err := check(status, &e)
	return taken(seal), err
}

// AppendSeal appends the entry of an identity's dual seal, which is its place, and returns it as JSON. A message that
// [Head.Append] appends is no seal's entry, whatever it says.
func (h *Head) AppendSeal(domain *Domain, identity ID, seal string, at time.Time) (string, error) {
	var l lent
	defer l.back()
	d, head := use(&l, domain), change(&l, h)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var entry *C.char
	text, n := sized(seal)
	err := check(C.dualseal_seal_append(text, n, head, d, identity.c(), millis(at), &entry, &e), &e)
	return taken(entry), err
}

// VerifySeal verifies both layers of a seal over a payload, by the signer who is expected and with the seal key: nil is
// Valid, and nothing else is. Place is that of the seal's entry, or nil: a seal by a key that was retired since is
// Valid only with it.
func (v *Verifier) VerifySeal(signer ID, payload []byte, seal string, key *SealKey, place *Place) error {
	return v.verifySeal(signer, payload, seal, C.DUALSEAL_SEAL_POLICY_BOTH, key, place, nil)
}

// VerifySealSignature does the same without the seal key, by the signature alone.
func (v *Verifier) VerifySealSignature(signer ID, payload []byte, seal string, place *Place) error {
	return v.verifySeal(signer, payload, seal, C.DUALSEAL_SEAL_POLICY_LAYER_B, nil, place, nil)
}

func (v *Verifier) verifySeal(
	signer ID, payload []byte, seal string, policy C.dualseal_seal_policy, key *SealKey, place *Place,
	report **C.dualseal_seal_report,
) error {
	var l lent
	defer l.back()
	domain, seals, ring := use(&l, v.Domain), use(&l, key), use(&l, v.Ring)
	cache, at := use(&l, v.Cache), use(&l, place)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	text, length := sized(seal)
	bytes, n := raw(payload)
	return check(C.dualseal_seal_verify(domain, ring, cache, text, length, bytes, n, signer.c(), policy, seals, at,
		report, &e), &e)
}

// Confirm checks the HMAC of a seal alone. That somebody made it who has the key, who may be the caller, is all that
// its nil says: no signature was checked and no ring asked, and it is not Valid. [Invalid] says that it does not hold.
func (k *SealKey) Confirm(domain *Domain, identity ID, payload []byte, seal string) error {
	var l lent
	defer l.back()
	d, key := use(&l, domain), use(&l, k)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	text, length := sized(seal)
	bytes, n := raw(payload)
	status := C.dualseal_seal_authenticate(d, text, length, bytes, n, identity.c(), key, nil, &e)
	return confirmed(status, &e)
}
