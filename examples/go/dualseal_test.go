package dualseal

import (
	"bytes"
	"crypto/mldsa"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"dualseal.example/dualseal/internal/known"
)

var noon = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// vectors is a file of the known answers.
func vectors(t testing.TB, name string, into any) {
	t.Helper()
	if err := known.Read(name, into); err != nil {
		t.Fatal(err)
	}
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	return must[[]byte](t)(hex.DecodeString(text))
}

// bench is a signer who signed, and a verifier who pinned her key.
type bench struct {
	domain   *Domain
	ana      ID
	key      *SigningKey
	head     *Head
	signer   *Signer
	verifier *Verifier
}

func setUp(t testing.TB) *bench {
	t.Helper()
	b := &bench{domain: must[*Domain](t)(NewDomain("DUALSEAL"))}
	b.ana = must[ID](t)(b.domain.IdentityID(nil, "ana", ""))
	b.key = must[*SigningKey](t)(NewSigningKey(bytes.Repeat([]byte{7}, 32)))
	b.head = must[*Head](t)(NewHead())
	b.signer = &Signer{Domain: b.domain, Identity: b.ana, Key: b.key, NoRing: true}
	public := must[*mldsa.PublicKey](t)(b.key.PublicKey())
	b.verifier = &Verifier{Domain: b.domain, Ring: must[*Ring](t)(PinnedRing(b.ana, public))}
	return b
}

func TestSignatureIsByWhomeverItIs(t *testing.T) {
	b := setUp(t)
	signed := must[*Signed](t)(b.signer.Sign(iotest.OneByteReader(strings.NewReader("one contract")), b.head, noon))
	if err := b.verifier.Verify(b.ana, strings.NewReader("one contract"), signed.Record); err != nil {
		t.Fatal(err)
	}
	if size := must[uint64](t)(b.head.Size()); size != 1 {
		t.Errorf("the head has %d entries", size)
	}
	err := b.verifier.Verify(b.ana, strings.NewReader("two contract"), signed.Record)
	if !errors.Is(err, Invalid) || errors.Is(err, Revoked) || errors.Is(err, Rejected) {
		t.Errorf("another content: %v", err)
	}
	record := must[*Record](t)(ParseRecord(signed.Record))
	public := must[*mldsa.PublicKey](t)(b.key.PublicKey())
	if record.Identity != b.ana || !record.Time.Equal(noon) || !record.PublicKey.Equal(public) {
		t.Errorf("%+v", record)
	}
	if _, krunica, err := EntryLine(signed.Entry); err != nil || krunica != record.KrunicaHash {
		t.Errorf("%v, %v", krunica, err)
	}
	// A head that was stored goes on where it was.
	stored := must[[]byte](t)(json.Marshal(b.head))
	if resumed := must[*Head](t)(ResumeHead(stored)); must[uint64](t)(resumed.Size()) != 1 {
		t.Error("a stored head starts anew")
	}
	broken := errors.New("broken")
	if _, err := b.signer.Sign(iotest.ErrReader(broken), b.head, noon); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	if _, err := b.signer.Sign(givesNothing{}, b.head, noon); err != io.ErrNoProgress {
		t.Errorf("a reader that gives nothing: %v", err)
	}
	if size := must[uint64](t)(b.head.Size()); size != 1 {
		t.Errorf("a signature that failed moved the head to %d", size)
	}
}

type givesNothing struct{}

func (givesNothing) Read([]byte) (int, error) { return 0, nil }

func TestSignerWithoutARingSaysSo(t *testing.T) {
	b := setUp(t)
	forgot := &Signer{Domain: b.domain, Identity: b.ana, Key: b.key}
	both := &Signer{Domain: b.domain, Identity: b.ana, Key: b.key, Ring: b.verifier.Ring, NoRing: true}
	for _, signer := range []*Signer{forgot, both} {
		if _, err := signer.Sign(strings.NewReader("x"), b.head, noon); err == nil {
			t.Error("signed")
		}
	}
	other := must[*SigningKey](t)(GenerateKey())
	retired := &Signer{Domain: b.domain, Identity: b.ana, Key: other, Ring: b.verifier.Ring}
	_, err := retired.Sign(strings.NewReader("x"), b.head, noon)
	if !errors.Is(err, NotCurrent) || !errors.Is(err, Misuse) {
		t.Errorf("a key that is not in the ring: %v", err)
	}
}

func TestErrorsNameWhatWasWrong(t *testing.T) {
	b := setUp(t)
	_, err := b.domain.IdentityID(nil, "a::b", "")
	var told *Error
	if !errors.As(err, &told) || told.Field != "creator" || told.Status != 103 || !errors.Is(err, Malformed) {
		t.Errorf("%v (%+v)", err, told)
	}
	if _, err := ParseRecord(""); !errors.Is(err, Malformed) {
		t.Errorf("an empty record: %v", err)
	}
	if _, err := NewDomain("a\x00b"); err == nil {
		t.Error("a name with a NUL in it")
	}
	if _, err := ParseID(strings.Repeat("A", 64)); err == nil {
		t.Error("an identifier in capitals")
	}
	if _, err := b.signer.Sign(strings.NewReader("x"), b.head, time.Unix(1, 0)); !errors.Is(err, Status(106)) {
		t.Errorf("a time in seconds: %v", err)
	}
	for _, family := range []Family{Malformed, Rejected, Misuse, Randomness, Call} {
		if errors.Is(Invalid, family) {
			t.Errorf("a verdict is of the family %v", family)
		}
	}
}

func TestSecretsPrintNothing(t *testing.T) {
	key := must[*SigningKey](t)(NewSigningKey(bytes.Repeat([]byte{0x5a}, 32)))
	seed := must[Secret](t)(key.Seed())
	secret := must[*SharedSecret](t)(GenerateSecret())
	var out bytes.Buffer
	log := slog.New(slog.NewJSONHandler(&out, nil))
	for _, value := range []any{seed, key, *key, secret, struct{ Inner Secret }{seed}, []Secret{seed}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
			fmt.Fprintf(&out, verb+"\n", value)
		}
		log.Info("told", "value", value)
		if encoded, err := json.Marshal(value); err == nil {
			out.Write(encoded)
		}
	}
	if err := gob.NewEncoder(&out).Encode(seed); err == nil {
		t.Error("gob encodes a secret")
	}
	for _, part := range []string{"5a5a", "5A5A", "90 90", "ZZZ", "WlpaWlpa", "0x5a"} {
		if strings.Contains(out.String(), part) {
			t.Errorf("%q is told: %.300s", part, out.String())
		}
	}
	seed.Wipe()
	if !bytes.Equal(seed, make([]byte, 32)) {
		t.Error("a wiped secret is still there")
	}
}

func TestWhatIsClosedIsClosed(t *testing.T) {
	b := setUp(t)
	for range 2 {
		if err := b.key.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.signer.Sign(strings.NewReader("x"), b.head, noon); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed key: %v", err)
	}
	if _, err := b.key.Seed(); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed key: %v", err)
	}
}

// What nobody closes is given back, so that a program that forgot does not grow for ever.
func TestWhatIsForgottenIsGivenBack(t *testing.T) {
	freed := make(chan int, 1)
	func() {
		h := own(new(int), func(*int) { freed <- 1 })
		if _, done, err := h.borrow(); err != nil {
			t.Fatal(err)
		} else {
			done()
		}
	}()
	for range 100 {
		runtime.GC()
		select {
		case <-freed:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("never freed")
}

func TestManyGoroutinesShareARingAndAHead(t *testing.T) {
	b := setUp(t)
	b.verifier.Cache = must[*KeyCache](t)(NewKeyCache(1 << 20))
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			content := fmt.Sprintf("contract %d", i)
			signed, err := b.signer.Sign(strings.NewReader(content), b.head, noon)
			if err == nil {
				err = b.verifier.Verify(b.ana, strings.NewReader(content), signed.Record)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if size := must[uint64](t)(b.head.Size()); size != 8 {
		t.Errorf("the head has %d entries", size)
	}
	// One that is closed while others use it is closed after them.
	var closing sync.WaitGroup
	for range 4 {
		closing.Go(func() {
			if _, err := b.domain.HashContent(b.ana, io.LimitReader(zeros{}, 1<<20)); err != nil && !errors.Is(err, ErrClosed) {
				t.Error(err)
			}
		})
	}
	_ = b.domain.Close()
	closing.Wait()
}

type zeros struct{}

func (zeros) Read(part []byte) (int, error) { clear(part); return len(part), nil }
