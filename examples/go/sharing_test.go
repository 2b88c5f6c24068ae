package dualseal

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
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

// A node asks for presence before it lets its shard go, and a nonce opens the gate once.
func TestPresenceOpensTheGateOnce(t *testing.T) {
	b := setUp(t)
	vault := must[*Vault](t)(NewVault(b.signer, bytes.Repeat([]byte{3}, 32)))
	ledger := must[*Ledger](t)(GenerateLedger())
	var stored bytes.Buffer
	sealed := must[*Sealed](t)(vault.Seal("DEED", &stored, strings.NewReader("House 7"), ledger, b.head, noon))
	if stored.Len() == 0 || strings.Contains(sealed.Redacted, "fragment\":\"") || must[uint64](t)(b.head.Size()) != 1 {
		t.Error("not sealed")
	}
	nodes := []string{"https://a.example", "https://b.example", "https://c.example"}
	shards := must[[]Secret](t)(vault.Split(sealed, 2, nodes))
	recipient := []byte("the service that rebuilds")
	request := must[Request](t)(vault.RequestRebuild(b.ana, shards, recipient))
	phone := must[*PresenceKey](t)(GeneratePresenceKey())
	enrolled := []string{must[string](t)(phone.PublicKey())}
	gate := Gate{Identity: b.ana, Enrolled: enrolled, Needed: 1, Expiry: noon.Add(time.Minute)}
	proofs := []string{must[string](t)(phone.Prove(b.domain, request, gate.Expiry))}
	used := map[string]bool{}
	consume := func(nonce string) bool {
		fresh := !used[nonce]
		used[nonce] = true
		return fresh
	}
	release := func(proofs []string, recipient []byte, consume func(string) bool, now time.Time) error {
		return ReleaseShard(b.domain, shards[0], request, recipient, gate, proofs, consume, now)
	}
	if err := release(nil, recipient, consume, noon); !errors.Is(err, Rejected) {
		t.Errorf("without a proof: %v", err)
	}
	if err := release(proofs, []byte("somebody else"), consume, noon); !errors.Is(err, Rejected) {
		t.Errorf("for somebody else: %v", err)
	}
	if err := release(proofs, recipient, consume, noon.Add(time.Hour)); !errors.Is(err, Rejected) {
		t.Errorf("an hour later: %v", err)
	}
	if len(used) != 0 {
		t.Error("a refusal spent the nonce")
	}
	func() {
		defer func() {
			if told := recover(); told != "no database" {
				t.Errorf("the panic is lost: %v", told)
			}
		}()
		err := release(proofs, recipient, func(string) bool { panic("no database") }, noon)
		t.Errorf("went on: %v", err)
	}()
	if err := release(proofs, recipient, consume, noon); err != nil {
		t.Fatal(err)
	}
	if err := release(proofs, recipient, consume, noon); !errors.Is(err, NonceUsed) {
		t.Errorf("again: %v", err)
	}
	if !used[request.Nonce.String()] || len(used) != 1 {
		t.Errorf("%v", used)
	}
	if err := vault.Close(); err != nil {
		t.Error(err)
	}
	if _, err := vault.Split(sealed, 2, []string{"a"}); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed vault: %v", err)
	}
}
