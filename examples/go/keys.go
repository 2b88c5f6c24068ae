package dualseal

// #include <dualseal.h>
import "C"

import (
	"crypto/mldsa"
	"fmt"
	"io"
	"log/slog"
)

// Secret is bytes that nobody else may read. By itself, in a slice or in an exported field fmt, log, slog and json
// print nothing of them. In an unexported field of your own fmt asks no method and prints them: keep a pointer to it
// there. [Secret.Wipe] overwrites them.
type Secret []byte

const hidden = "dualseal: a secret"

// Format prints that it is a secret, for every verb.
func (Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, hidden) }

// MarshalText is an error: a secret is stored on purpose or not at all.
func (Secret) MarshalText() ([]byte, error) { return nil, fmt.Errorf("%s is not marshalled", hidden) }

// MarshalJSON is an error, as MarshalText.
func (s Secret) MarshalJSON() ([]byte, error) { return s.MarshalText() }

// GobEncode is an error, as MarshalText.
func (s Secret) GobEncode() ([]byte, error) { return s.MarshalText() }

// LogValue is what a structured log gets.
func (Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// Wipe overwrites the bytes.
func (s Secret) Wipe() { clear(s) }

func wipe(secrets []Secret) {
	for _, secret := range secrets {
		secret.Wipe()
	}
}

// A private handle is one on a secret, of which it prints nothing.
type private[P comparable] struct{ *handle[P] }

func (private[P]) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, hidden) }

// MarshalJSON is an error.
func (private[P]) MarshalJSON() ([]byte, error) { return Secret(nil).MarshalText() }

// LogValue is what a structured log gets.
func (private[P]) LogValue() slog.Value { return slog.StringValue(hidden) }

// SigningKey is an ML-DSA-65 signing key.
type SigningKey struct {
	private[*C.dualseal_signing_key]
}

func ownKey(key *C.dualseal_signing_key) *SigningKey {
	free := func(k *C.dualseal_signing_key) { C.dualseal_signing_key_free(k) }
	return &SigningKey{private[*C.dualseal_signing_key]{own(key, free)}}
}

// GenerateKey draws a key with the system's generator.
func GenerateKey() (*SigningKey, error) {
	var key *C.dualseal_signing_key
	var e *C.dualseal_error
	if err := check(C.dualseal_signing_key_generate(&key, &e), &e); err != nil {
		return nil, err
	}
	return ownKey(key), nil
}

// NewSigningKey makes the key of a seed of 32 bytes, which the caller overwrites.
func NewSigningKey(seed Secret) (*SigningKey, error) {
	var key *C.dualseal_signing_key
	var e *C.dualseal_error
	bytes, n := raw(seed)
	if err := check(C.dualseal_signing_key_from_seed(bytes, n, &key, &e), &e); err != nil {
		return nil, err
	}
	return ownKey(key), nil
}

// FromMLDSA takes a key of Go's standard library, of ML-DSA-65.
func FromMLDSA(key *mldsa.PrivateKey) (*SigningKey, error) {
	if key == nil {
		return nil, leftOut("key")
	}
	if of := key.PublicKey().Parameters(); of != mldsa.MLDSA65() {
		return nil, told(C.DUALSEAL_STATUS_UNKNOWN_VALUE, "key", fmt.Sprintf("a key of %v, not of ML-DSA-65", of))
	}
	seed := Secret(key.Bytes())
	defer seed.Wipe()
	return NewSigningKey(seed)
}

// ParsePEM reads PKCS#8 in PEM in the seed form of RFC 9881.
func ParsePEM(pem Secret) (*SigningKey, error) {
	var key *C.dualseal_signing_key
	var e *C.dualseal_error
	text, n := sizedBytes(pem)
	if err := check(C.dualseal_signing_key_from_pkcs8_pem(text, n, &key, &e), &e); err != nil {
		return nil, err
	}
	return ownKey(key), nil
}

// PEM is the key as PKCS#8 in PEM, in the seed form of RFC 9881, to be stored and wiped.
func (k *SigningKey) PEM() (Secret, error) {
	var l lent
	defer l.back()
	key := use(&l, k)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var out *C.char
	err := check(C.dualseal_signing_key_to_pkcs8_pem(key, &out, &e), &e)
	return takenSecret(out), err
}

// Seed is the key itself, 32 bytes.
func (k *SigningKey) Seed() (Secret, error) {
	var l lent
	defer l.back()
	key := use(&l, k)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	seed := make(Secret, C.DUALSEAL_SEED_BYTES)
	bytes, n := raw(seed)
	if err := check(C.dualseal_signing_key_seed(key, bytes, n, &e), &e); err != nil {
		return nil, err
	}
	return seed, nil
}

// MLDSA is the key as Go's standard library has it.
func (k *SigningKey) MLDSA() (*mldsa.PrivateKey, error) {
	seed, err := k.Seed()
	if err != nil {
		return nil, err
	}
	defer seed.Wipe()
	made, err := mldsa.NewPrivateKey(mldsa.MLDSA65(), seed)
	return made, unread(err)
}

// publicKey is one that the library gave.
func publicKey(bytes []byte) (*mldsa.PublicKey, error) {
	key, err := mldsa.NewPublicKey(mldsa.MLDSA65(), bytes)
	return key, unread(err)
}

// given is a public key that goes in. Of nil it is NULL with a length, which the library refuses by its name.
func given(key *mldsa.PublicKey) (*C.uint8_t, C.size_t) {
	if key == nil {
		return nil, C.DUALSEAL_PUBLIC_KEY_BYTES
	}
	return raw(key.Bytes())
}

// perhaps is one that may be left out.
func perhaps(key *mldsa.PublicKey) (*C.uint8_t, C.size_t) {
	if key == nil {
		return nil, 0
	}
	return raw(key.Bytes())
}

// PublicKey is the public half, of Go's standard library.
func (k *SigningKey) PublicKey() (*mldsa.PublicKey, error) {
	var l lent
	defer l.back()
	key := use(&l, k)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var public [C.DUALSEAL_PUBLIC_KEY_BYTES]byte
	bytes, n := raw(public[:])
	if err := check(C.dualseal_signing_key_public_key(key, bytes, n, &e), &e); err != nil {
		return nil, err
	}
	return publicKey(public[:])
}

// KeyHash is the name of a public key in a ring, and its fingerprint.
func KeyHash(key *mldsa.PublicKey) (ID, error) {
	var e *C.dualseal_error
	var out idText
	bytes, n := given(key)
	if err := check(C.dualseal_public_key_hash(bytes, n, out.c(), C.size_t(len(out)), &e), &e); err != nil {
		return ID{}, err
	}
	return out.id()
}

// ParsePublicPEM reads a SubjectPublicKeyInfo in PEM.
func ParsePublicPEM(pem string) (*mldsa.PublicKey, error) {
	var e *C.dualseal_error
	var public [C.DUALSEAL_PUBLIC_KEY_BYTES]byte
	text, n := sized(pem)
	bytes, length := raw(public[:])
	if err := check(C.dualseal_public_key_from_spki_pem(text, n, bytes, length, &e), &e); err != nil {
		return nil, err
	}
	return publicKey(public[:])
}

// PublicPEM writes a SubjectPublicKeyInfo in PEM.
func PublicPEM(key *mldsa.PublicKey) (string, error) {
	var e *C.dualseal_error
	var out *C.char
	bytes, n := given(key)
	err := check(C.dualseal_public_key_to_spki_pem(bytes, n, &out, &e), &e)
	return taken(out), err
}
