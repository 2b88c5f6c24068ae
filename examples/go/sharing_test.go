package dualseal

import (
	"bytes"
	"errors"
	"slices"
	"strings"
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

func TestSharesAreDealtAnewAndMadeAgain(t *testing.T) {
	b := setUp(t)
	secret := must[*SharedSecret](t)(GenerateSecret())
	dealing, shares, err := secret.Deal(b.domain, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	junk := Share(`[1,"` + strings.Repeat("0", 64) + `"]`)
	again, wrong, err := Repair(b.domain, dealing, []Share{junk, shares[1], shares[2]}, 1)
	if err != nil || !slices.Equal(wrong, []int{1}) || !bytes.Equal(again, shares[0]) {
		t.Errorf("another share: %v, %v", wrong, err)
	}
	if _, _, err := Repair(b.domain, dealing, shares[2:], 1); !errors.Is(err, TooFewShares) {
		t.Errorf("of one share: %v", err)
	}
	renewed := must[*Renewed](t)(Renew(b.domain, dealing, []Share{junk, shares[1], shares[2]}, 3, 4))
	if len(renewed.Shares) != 4 || !slices.Equal(renewed.Bad, []int{1}) {
		t.Errorf("%d shares, %v", len(renewed.Shares), renewed.Bad)
	}
	if kept := must[*Renewed](t)(Renew(b.domain, dealing, shares, 0, 0)); len(kept.Shares) != 3 || len(kept.Bad) != 0 {
		t.Errorf("%d shares, %v", len(kept.Shares), kept.Bad)
	}
	rebuilt, _, err := Reconstruct(b.domain, renewed.Dealing, renewed.Shares[1:])
	if err != nil || !bytes.Equal(must[Secret](t)(rebuilt.Bytes()), must[Secret](t)(secret.Bytes())) {
		t.Errorf("another secret: %v", err)
	}
	if _, _, err := Reconstruct(b.domain, renewed.Dealing, renewed.Shares[2:]); !errors.Is(err, TooFewShares) {
		t.Errorf("of two where it takes three: %v", err)
	}
	if _, _, err := Reconstruct(b.domain, renewed.Dealing, shares); !errors.Is(err, TooFewShares) {
		t.Errorf("of the old ones: %v", err)
	}
	health := must[*Health](t)(CheckShares(b.domain, dealing, []Share{junk, shares[1]}))
	for name, one := range map[string]struct{ found, expected []int }{
		"present": {health.Present, []int{2}}, "missing": {health.Missing, []int{1, 3}},
		"invalid": {health.Invalid, []int{1}}, "foreign": {health.Foreign, nil},
	} {
		if !slices.Equal(one.found, one.expected) {
			t.Errorf("%s: %v", name, one.found)
		}
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
