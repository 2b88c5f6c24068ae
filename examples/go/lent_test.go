package dualseal

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// within fails where work does not end: a call that waits for itself, or two for each other.
func within(t *testing.T, work func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); work() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a call waits for ever")
	}
}

// waited ends once somebody waits to have a handle alone.
func waited(h *Head) {
	for h.lock.TryRLock() {
		h.lock.RUnlock()
		time.Sleep(time.Millisecond)
	}
}

// A call that names one handle twice locks it once: between two locks of a reader's somebody may wait who wants to
// change it, and whom the second then waits for.
func TestACallTakesOneHandleTwice(t *testing.T) {
	head := must[*Head](t)(NewHead())
	within(t, func() {
		var l lent
		first := use(&l, head)
		closed := make(chan struct{})
		go func() { defer close(closed); _ = head.Close() }()
		waited(head)
		second, third := both(&l, head, head)
		if use(&l, head) != first || second != first || third != first || l.err != nil {
			t.Error("another pointer")
		}
		l.back()
		<-closed
	})
	var l lent
	defer l.back()
	if use(&l, head); l.err != ErrClosed {
		t.Errorf("a closed head: %v", l.err)
	}
}

// Two calls that take the same two handles take them in one order, whichever each names first.
func TestTwoCallsDoNotWaitForEachOther(t *testing.T) {
	one, other := must[*Head](t)(NewHead()), must[*Head](t)(NewHead())
	taken := func(first, second *Head) []any {
		var l lent
		defer l.back()
		both(&l, first, second)
		return l.taken
	}
	if there, back := taken(one, other), taken(other, one); len(there) != 2 || !slices.Equal(there, back) {
		t.Errorf("%v, %v", there, back)
	}
}

// A reader closes what its caller lent a call, once the call reads.
type closes struct {
	io.Reader
	lent []io.Closer
}

func (c *closes) Read(part []byte) (n int, err error) {
	for _, one := range c.lent {
		err = errors.Join(err, one.Close())
	}
	if err != nil {
		return 0, err
	}
	return c.Reader.Read(part)
}

// Nothing that a call was lent is held while the caller's reader and sink run: one that is slow would keep everybody
// waiting behind whoever closes it, and one that closes it itself would wait for ever.
func TestNothingIsHeldWhileTheCallerReads(t *testing.T) {
	a := openArchive(t)
	domain := func() *Domain { return must[*Domain](t)(NewDomain("DUALSEAL")) }
	reads := func(text string, lent ...io.Closer) io.Reader { return &closes{strings.NewReader(text), lent} }
	within(t, func() {
		given := domain()
		hash, err := given.HashContent(a.ana, reads("deed", given))
		if expected, _ := a.domain.HashContent(a.ana, strings.NewReader("deed")); err != nil || hash != expected {
			t.Errorf("hashed: %v", err)
		}
		given = domain()
		if _, err := HashStored(given, reads("stored", given)); err != nil {
			t.Errorf("stored: %v", err)
		}
	})
	within(t, func() {
		given, secret := domain(), must[*SharedSecret](t)(GenerateSecret())
		again := must[*SharedSecret](t)(copyOf(t, secret))
		var stream, plain bytes.Buffer
		if err := secret.Encrypt(given, a.ana, "DEED", &stream, reads("deed", secret, given)); err != nil {
			t.Errorf("encrypted: %v", err)
		}
		given = domain()
		err := again.Decrypt(given, a.ana, "DEED", &plain, reads(stream.String(), again, given))
		if err != nil || plain.String() != "deed" {
			t.Errorf("decrypted: %v", err)
		}
	})
	within(t, func() {
		var stored, plain bytes.Buffer
		one, err := a.vault.Seal("DEED", &stored, reads("House 7", a.vault), a.ledger, a.head, noon)
		if err != nil {
			t.Fatalf("sealed: %v", err)
		}
		a.stores(t, one, stored.Bytes())
		a.vault = must[*Vault](t)(NewVault(a.signer, bytes.Repeat([]byte{3}, 32)))
		places := a.places(t, func(r *Reader) (Watched, error) { return r.WatchLedger(a.name, a.vault) })
		operator, hash := must[*VaultPolicy](t)(a.vault.Policy(TierPublic)), a.hash(t, stored.Bytes())
		place := must[*Place](t)(places.Place(one.Stored))
		report := must[*VaultReport](t)(a.verifier().VerifyVault(operator, one.Stored, hash, a.ana, place, nil))
		err = report.Unseal(one.Secret, &plain, reads(stored.String(), report, one.Secret))
		if err != nil || plain.String() != "House 7" {
			t.Errorf("unsealed: %v", err)
		}
	})
}

// copyOf is the same secret under another handle.
func copyOf(t *testing.T, secret *SharedSecret) (*SharedSecret, error) {
	t.Helper()
	domain := must[*Domain](t)(NewDomain("DUALSEAL"))
	dealing, shares, err := secret.Deal(domain, 2, 2)
	if err != nil {
		return nil, err
	}
	same, _, err := Reconstruct(domain, dealing, shares)
	return same, err
}
