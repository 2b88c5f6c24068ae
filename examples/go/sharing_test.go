package dualseal

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"testing/iotest"
)

func TestSharesNameWhoSentABadOne(t *testing.T) {
	b := setUp(t)
	secret := must[*SharedSecret](t)(GenerateSecret())
	dealing, shares, err := secret.Deal(b.domain, 3, 5)
	if err != nil || len(shares) != 5 {
		t.Fatal(err, len(shares))
	}
	again, bad, err := Reconstruct(b.domain, dealing, shares[1:4])
	if err != nil || len(bad) != 0 || !bytes.Equal(must[Secret](t)(again.Bytes()), must[Secret](t)(secret.Bytes())) {
		t.Error(err, bad)
	}
	forged := slices.Clone(shares[1])
	at := bytes.IndexByte(forged, '"') + 1
	forged[at] = map[bool]byte{true: '1', false: '0'}[forged[at] == '0']
	_, bad, err = Reconstruct(b.domain, dealing, []Share{shares[0], forged, shares[2], shares[3]})
	if err != nil || !slices.Equal(bad, []int{2}) {
		t.Error(err, bad)
	}
	_, _, err = Reconstruct(b.domain, dealing, []Share{shares[0], forged, shares[2]})
	var told *Error
	if !errors.As(err, &told) || !slices.Equal(told.Culprits, []int{2}) {
		t.Errorf("%v %+v", err, told)
	}
	if !errors.Is(err, TooFewShares) || !errors.Is(err, Rejected) {
		t.Error(err)
	}
	if _, _, err := secret.Deal(b.domain, 6, 5); !errors.As(err, &told) || told.Field != "k" {
		t.Errorf("6 of 5: %v", err)
	}
}

func TestStreamsAreWholeOrNothing(t *testing.T) {
	b := setUp(t)
	secret := must[*SharedSecret](t)(GenerateSecret())
	plain := bytes.Repeat([]byte("0123456789abcdef"), 20_000)
	var stored, found bytes.Buffer
	if err := secret.Encrypt(b.domain, b.ana, "SCAN", &stored, bytes.NewReader(plain)); err != nil {
		t.Fatal(err)
	}
	halves := iotest.HalfReader(bytes.NewReader(stored.Bytes()))
	if err := secret.Decrypt(b.domain, b.ana, "SCAN", &found, halves); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(found.Bytes(), plain) {
		t.Error("another plaintext")
	}
	cut := stored.Bytes()[:stored.Len()-1]
	if err := secret.Decrypt(b.domain, b.ana, "SCAN", &found, bytes.NewReader(cut)); !errors.Is(err, StreamChunk) {
		t.Errorf("a stream that was cut: %v", err)
	}
	if err := secret.Decrypt(b.domain, b.ana, "OTHER", &found, &stored); !errors.Is(err, StreamKey) {
		t.Errorf("another use: %v", err)
	}
	broken := errors.New("broken")
	if err := secret.Encrypt(b.domain, b.ana, "SCAN", &stored, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}
