package dualseal

// #include <dualseal.h>
import "C"

import (
	"cmp"
	"crypto/mldsa"
	"io"
	"time"
)

// Signer signs for one identity. The ring says whether the key is the identity's current one; a program that has no
// ring says so, since what a rotated or revoked key signs is invalid for good.
type Signer struct {
	Domain   *Domain
	Identity ID
	Key      *SigningKey
	Ring     *Ring
	// NoRing goes with a nil Ring, and is refused beside one.
	NoRing bool
}

// Signed is what a signature makes. Record, entry and head are stored together, or none of them.
type Signed struct {
	Record, Entry string
}

// Sign reads content to its end, signs it at a time, and moves the head over the entry.
func (s *Signer) Sign(content io.Reader, head *Head, at time.Time) (*Signed, error) {
	hash, err := s.Domain.HashContent(s.Identity, content)
	if err != nil {
		return nil, err
	}
	return s.SignHash(hash, head, at)
}

// SignHash signs content that was hashed for this identity before.
func (s *Signer) SignHash(hash ID, head *Head, at time.Time) (*Signed, error) {
	var l lent
	defer l.back()
	domain, key := use(&l, s.Domain), use(&l, s.Key)
	ring, end := use(&l, s.Ring), change(&l, head)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var record, entry *C.char
	status := C.dualseal_signature_sign(domain, s.Identity.c(), key, ring, flag(s.NoRing), hash.c(), end, millis(at),
		&record, &entry, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return &Signed{Record: taken(record), Entry: taken(entry)}, nil
}

// Record is what a signature record says. Nothing of it is verified.
type Record struct {
	Identity, ContentHash, KrunicaHash ID
	PublicKey                          *mldsa.PublicKey
	Time                               time.Time
}

// ParseRecord reads what a record says of itself, so that its signer can be looked up. It verifies nothing.
func ParseRecord(record string) (*Record, error) {
	var e *C.dualseal_error
	var identity, content, krunica idText
	var public [C.DUALSEAL_PUBLIC_KEY_BYTES]byte
	var at C.int64_t
	text, n := sized(record)
	bytes, length := raw(public[:])
	status := C.dualseal_signature_record_parts(text, n, identity.c(), C.size_t(len(identity)), content.c(),
		C.size_t(len(content)), krunica.c(), C.size_t(len(krunica)), bytes, length, &at, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	key, err := publicKey(public[:])
	made := &Record{PublicKey: key, Time: time.UnixMilli(int64(at)).UTC()}
	var failures [3]error
	made.Identity, failures[0] = identity.id()
	made.ContentHash, failures[1] = content.id()
	made.KrunicaHash, failures[2] = krunica.id()
	return made, cmp.Or(err, failures[0], failures[1], failures[2])
}

// KeyCache keeps prepared keys, which makes more verifications with the same ones faster.
type KeyCache struct{ *handle[*C.dualseal_key_cache] }

// NewKeyCache takes at most so many bytes of memory.
func NewKeyCache(bytes int) (*KeyCache, error) {
	var cache *C.dualseal_key_cache
	var e *C.dualseal_error
	if err := check(C.dualseal_key_cache_new(C.size_t(max(bytes, 0)), &cache, &e), &e); err != nil {
		return nil, err
	}
	return &KeyCache{own(cache, func(c *C.dualseal_key_cache) { C.dualseal_key_cache_free(c) })}, nil
}

// Verifier verifies signatures by the keys of a ring. Cache may be nil.
type Verifier struct {
	Domain *Domain
	Ring   *Ring
	Cache  *KeyCache
}

// Verify reads content to its end and verifies a record of it by the signer who is expected: nil is Valid, and nothing
// else is. Why it is not, [Verifier.Explain] tells.
func (v *Verifier) Verify(signer ID, content io.Reader, record string) error {
	hash, err := v.Domain.HashContent(signer, content)
	if err != nil {
		return err
	}
	return v.VerifyHash(signer, hash, record)
}

// VerifyHash does the same with content that was hashed for this signer.
func (v *Verifier) VerifyHash(signer, hash ID, record string) error {
	return v.VerifyAt(signer, hash, record, nil)
}

// VerifyAt does the same with the place of the record's entry in the chain: a record by a key that was retired since is
// Valid when that place is before the retirement. A proof of another record's place makes it [Invalid].
func (v *Verifier) VerifyAt(signer, hash ID, record string, place *Place) error {
	return v.verifyAt(signer, hash, record, place, nil)
}

func (v *Verifier) verifyAt(signer, hash ID, record string, place *Place, verdict **C.dualseal_verdict) error {
	var l lent
	defer l.back()
	domain, ring := use(&l, v.Domain), use(&l, v.Ring)
	cache, at := use(&l, v.Cache), use(&l, place)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	text, n := sized(record)
	return check(C.dualseal_signature_verify(domain, ring, cache, signer.c(), hash.c(), text, n, at, verdict, &e), &e)
}
