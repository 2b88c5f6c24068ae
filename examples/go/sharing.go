package dualseal

// #include <dualseal_sharing.h>
import "C"

import (
	"encoding/json"
	"io"
)

// SharedSecret is a secret that the library drew: the only kind that is shared. A password could be found by trying; it
// is encrypted under a drawn secret, and that is shared.
type SharedSecret struct {
	private[*C.dualseal_secret]
}

func ownSecret(secret *C.dualseal_secret) *SharedSecret {
	free := func(s *C.dualseal_secret) { C.dualseal_secret_free(s) }
	return &SharedSecret{private[*C.dualseal_secret]{own(secret, free)}}
}

// GenerateSecret draws 32 bytes, of GF(2^256).
func GenerateSecret() (*SharedSecret, error) {
	var secret *C.dualseal_secret
	var e *C.dualseal_error
	if err := check(C.dualseal_secret_generate(C.DUALSEAL_FIELD_GF2_256, &secret, &e), &e); err != nil {
		return nil, err
	}
	return ownSecret(secret), nil
}

// Bytes are the secret's own, to be wiped.
func (s *SharedSecret) Bytes() (Secret, error) {
	var l lent
	defer l.back()
	secret := use(&l, s)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var bytes *C.uint8_t
	var n C.size_t
	err := check(C.dualseal_secret_bytes(secret, &bytes, &n, &e), &e)
	return takenBytes(bytes, n), err
}

// Share is what one holder has, and a secret: the pair [index, value in hexadecimal], as JSON.
type Share = Secret

// Deal deals n shares of which any k give the secret back. The dealing is published; each share goes to its holder.
func (s *SharedSecret) Deal(domain *Domain, k, n uint8) (dealing string, shares []Share, err error) {
	var l lent
	defer l.back()
	d, secret := use(&l, domain), use(&l, s)
	if l.err != nil {
		return "", nil, l.err
	}
	var e *C.dualseal_error
	var record, dealt *C.char
	status := C.dualseal_dealing_deal(d, secret, C.uint32_t(k), C.uint32_t(n), &record, &dealt, &e)
	if err := check(status, &e); err != nil {
		return "", nil, err
	}
	dealing = taken(record)
	shares, err = split(takenSecret(dealt))
	return dealing, shares, err
}

// Reconstruct gives the secret of k good shares, and the indices of those that were bad. Where there are too few, the
// error is an [*Error] with the Culprits.
func Reconstruct(domain *Domain, dealing string, shares []Share) (*SharedSecret, []int, error) {
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return nil, nil, l.err
	}
	var e *C.dualseal_error
	var secret *C.dualseal_secret
	var faults *C.char
	record, recordLen := sized(dealing)
	given := list(shares)
	defer clear(given)
	text, n := sizedBytes(given)
	status := C.dualseal_dealing_reconstruct(d, fieldOf(dealing), record, recordLen, text, n, &secret,
		&faults, &e)
	if err := check(status, &e); err != nil {
		return nil, nil, err
	}
	wrong, err := bad(faults)
	return ownSecret(secret), wrong, err
}

// fieldOf is the field that a dealing names. Of one that names no field the library says what is wrong with it.
func fieldOf(dealing string) C.dualseal_field {
	var named struct{ Algoritam string }
	if json.Unmarshal([]byte(dealing), &named) == nil && named.Algoritam == "SHAMIR-2^521-1" {
		return C.DUALSEAL_FIELD_FP521
	}
	return C.DUALSEAL_FIELD_GF2_256
}

// bad are the indices of the shares that took no part, whoever is to blame.
func bad(faults *C.char) ([]int, error) {
	var told struct{ Culprits, Misdealt []int }
	err := unread(json.Unmarshal([]byte(taken(faults)), &told))
	return append(told.Culprits, told.Misdealt...), err
}

// Encrypt encrypts what source gives, of any size, under a secret, for an identity and a kind, and writes the stream to
// sink.
func (s *SharedSecret) Encrypt(domain *Domain, identity ID, kind string, sink io.Writer, source io.Reader) error {
	var stream *C.dualseal_encryptor
	var header []byte
	err := s.begin(domain, kind, func(secret *C.dualseal_secret, d *C.dualseal_domain, text *C.char) error {
		var e *C.dualseal_error
		var out *C.uint8_t
		var n C.size_t
		err := check(C.dualseal_encryptor_new(secret, d, identity.c(), text, &stream, &out, &n, &e), &e)
		header = takenBytes(out, n)
		return err
	})
	defer func() { C.dualseal_encryptor_free(stream) }()
	if err != nil {
		return err
	}
	if _, err := sink.Write(header); err != nil {
		return err
	}
	err = parts(source, func(part []byte) error {
		bytes, length := raw(part)
		return written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
			return C.dualseal_encryptor_update(stream, bytes, length, out, n, e)
		})
	})
	if err != nil {
		return err
	}
	return written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_encryptor_finish(stream, out, n, e)
	})
}

// Decrypt decrypts a stream. What is written to sink is provisional until it returns nil, which alone says that nothing
// is missing.
func (s *SharedSecret) Decrypt(domain *Domain, identity ID, kind string, sink io.Writer, source io.Reader) error {
	var stream *C.dualseal_decryptor
	err := s.begin(domain, kind, func(secret *C.dualseal_secret, d *C.dualseal_domain, text *C.char) error {
		var e *C.dualseal_error
		return check(C.dualseal_decryptor_new(secret, d, identity.c(), text, &stream, &e), &e)
	})
	defer func() { C.dualseal_decryptor_free(stream) }()
	if err != nil {
		return err
	}
	err = parts(source, func(part []byte) error {
		bytes, length := raw(part)
		return written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
			return C.dualseal_decryptor_update(stream, bytes, length, out, n, e)
		})
	})
	if err != nil {
		return err
	}
	return written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_decryptor_finish(stream, out, n, e)
	})
}

func (s *SharedSecret) begin(
	domain *Domain, kind string, work func(*C.dualseal_secret, *C.dualseal_domain, *C.char) error,
) error {
	var l lent
	defer l.back()
	d, secret := use(&l, domain), use(&l, s)
	if l.err != nil {
		return l.err
	}
	text, err := named("kind", kind)
	if err != nil {
		return err
	}
	return work(secret, d, text)
}

// written writes the bytes that a step of a stream gave.
func written(sink io.Writer, step func(**C.uint8_t, *C.size_t, **C.dualseal_error) C.dualseal_status) error {
	var e *C.dualseal_error
	var out *C.uint8_t
	var n C.size_t
	if err := check(step(&out, &n, &e), &e); err != nil {
		return err
	}
	plain := takenBytes(out, n)
	defer clear(plain)
	_, err := sink.Write(plain)
	return err
}
