package oracles

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A key of C2SP's tlog-cosignature, type 04, which Go's note does not know.
type witness struct {
	name string
	key  ed25519.PrivateKey
}

func newWitness(name string, seed byte) witness {
	return witness{name, ed25519.NewKeyFromSeed(seedOf(seed))}
}

func seedOf(seed byte) []byte {
	return []byte(strings.Repeat(string(rune(seed&0x7f)), ed25519.SeedSize))
}

func (w witness) typed() []byte {
	return append([]byte{4}, w.key.Public().(ed25519.PublicKey)...)
}

func (w witness) Name() string { return w.name }

func (w witness) KeyHash() uint32 { return keyHash(w.name, w.typed()) }

func (w witness) text() string {
	return fmt.Sprintf("%s+%08x+%s", w.name, w.KeyHash(), base64.StdEncoding.EncodeToString(w.typed()))
}

func (w witness) at(seconds uint64) stamper { return stamper{w, seconds} }

// cosigner is what a verifier knows of a witness.
type cosigner struct {
	name  string
	typed []byte
}

func (c cosigner) Name() string { return c.name }

func (c cosigner) KeyHash() uint32 { return keyHash(c.name, c.typed) }

// Verify makes it what Go's note opens with.
func (c cosigner) Verify(message, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	seconds := binary.BigEndian.Uint64(signature)
	return seconds > 0 && ed25519.Verify(c.typed[1:], statement(seconds, message), signature[8:])
}

func (w witness) Verify(message, signature []byte) bool {
	return cosigner{w.name, w.typed()}.Verify(message, signature)
}

// stamper is a witness at a time.
type stamper struct {
	witness
	seconds uint64
}

// Sign makes it what Go's note signs with.
func (s stamper) Sign(message []byte) ([]byte, error) {
	signature := ed25519.Sign(s.key, statement(s.seconds, message))
	return append(binary.BigEndian.AppendUint64(nil, s.seconds), signature...), nil
}

func statement(seconds uint64, message []byte) []byte {
	return []byte(fmt.Sprintf("cosignature/v1\ntime %d\n%s", seconds, message))
}

func base64Of(text string) ([]byte, error) {
	return base64.StdEncoding.Strict().DecodeString(text)
}

func keyHash(name string, typed []byte) uint32 {
	hash := sha256.Sum256(append([]byte(name+"\n"), typed...))
	return binary.BigEndian.Uint32(hash[:])
}

// logKeys are a log's key in Go's two spellings.
func logKeys(t *testing.T, name string, seed byte) (note.Signer, note.Verifier, string) {
	t.Helper()
	key := ed25519.NewKeyFromSeed(seedOf(seed))
	public := key.Public().(ed25519.PublicKey)
	text, err := note.NewEd25519VerifierKey(name, public)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(text)
	if err != nil {
		t.Fatal(err)
	}
	private := base64.StdEncoding.EncodeToString(append([]byte{1}, key.Seed()...))
	signer, err := note.NewSigner(fmt.Sprintf("PRIVATE+KEY+%s+%08x+%s", name, verifier.KeyHash(), private))
	if err != nil {
		t.Fatal(err)
	}
	return signer, verifier, text
}

func body(origin string, size uint64, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

var origins = []string{"example.org/log", "l", "dnevnik-čćžšđ.hr/2026", "log::no", strings.Repeat("x", 255)}

func TestNotesOfEither(t *testing.T) {
	l := newLog(t, largest)
	opened := 0
	for number, origin := range origins {
		seed := byte('a' + number)
		if strings.Contains(origin, "::") {
			// What is ambiguous in the library's other statements is no origin there.
			if said := askOne(t, "sign %x %s 1 %s", seedOf(seed), origin, hexOf(l.roots[1])); !isError(said) {
				t.Fatalf("%s: %s", origin, said)
			}
			continue
		}
		signer, verifier, text := logKeys(t, origin, seed)
		for _, size := range []uint64{1, 2, 256, 300, 1<<64 - 1} {
			root := l.roots[size%largest+1]
			theirs, err := note.Sign(&note.Note{Text: body(origin, size, root)}, signer)
			if err != nil {
				t.Fatal(err)
			}
			// Ed25519 draws nothing, so that both write the same bytes.
			said := askOne(t, "sign %x %s %d %s", seedOf(seed), origin, size, hexOf(root))
			if said != fmt.Sprintf("%s %x", text, theirs) {
				t.Fatalf("%s %d: the library writes %s, Go's program %s %x", origin, size, said, text, theirs)
			}
			found, err := note.Open(bytesOf(t, strings.Split(said, " ")[1]), note.VerifierList(verifier))
			if err != nil || found.Text != body(origin, size, root) || len(found.Sigs) != 1 {
				t.Fatalf("%s %d: %v %v", origin, size, found, err)
			}
			said = askOne(t, "open %s %x", text, theirs)
			if said != fmt.Sprintf("%s %d %s", origin, size, hexOf(root)) {
				t.Fatalf("%s %d: %s", origin, size, said)
			}
			opened++
		}
	}
	if opened != 20 {
		t.Fatalf("%d notes", opened)
	}
}

// mutationsOf are a text with each bit of each byte turned, each byte left out or doubled, and each end cut off.
func mutationsOf(whole []byte) [][]byte {
	var all [][]byte
	for place := range whole {
		for bit := 0; bit < 8; bit++ {
			changed := append([]byte(nil), whole...)
			changed[place] ^= 1 << bit
			all = append(all, changed)
		}
		all = append(all, whole[:place], append(append([]byte(nil), whole[:place]...), whole[place+1:]...))
		all = append(all, append(append([]byte(nil), whole[:place+1]...), whole[place:]...))
	}
	return all
}

// Both refuse; but Go's program takes a signature in more than one spelling, of which the library takes one.
func refusedByBoth(t *testing.T, whole []byte, known note.Verifiers, command string) {
	t.Helper()
	var commands []string
	var changed [][]byte
	for _, mutation := range mutationsOf(whole) {
		commands, changed = append(commands, fmt.Sprintf("%s %x", command, mutation)), append(changed, mutation)
	}
	lax := 0
	for i, said := range ask(t, commands) {
		if !isError(said) {
			t.Fatalf("the library takes %q: %s", changed[i], said)
		}
		if _, err := note.Open(changed[i], known); err == nil {
			// The bits that are left over in the last digit of base64 may be any.
			if !sameSignatures(changed[i], whole) {
				t.Fatalf("Go's program takes %q", changed[i])
			}
			lax++
		}
	}
	t.Logf("%d altered notes, of which %d are other spellings that Go's program takes", len(changed), lax)
}

func sameSignatures(one, other []byte) bool {
	return decoded(one) == decoded(other)
}

// decoded is a note with the bytes of its signatures in place of their base64.
func decoded(text []byte) string {
	before, after, _ := strings.Cut(string(text), "\n\n")
	lines := []string{before}
	for _, line := range strings.Split(after, "\n") {
		name, encoded, _ := strings.Cut(strings.TrimPrefix(line, "— "), " ")
		bytes, err := base64.StdEncoding.DecodeString(encoded)
		lines = append(lines, fmt.Sprintf("%s %x %v", name, bytes, err))
	}
	return strings.Join(lines, "\n")
}

func isError(said string) bool {
	return strings.HasPrefix(said, "error ")
}

func TestAlteredNotesAreRefusedByBoth(t *testing.T) {
	l := newLog(t, 7)
	for number, origin := range []string{"example.org/log", "dnevnik-č"} {
		signer, verifier, text := logKeys(t, origin, byte('a'+number))
		whole, err := note.Sign(&note.Note{Text: body(origin, 7, l.roots[7])}, signer)
		if err != nil {
			t.Fatal(err)
		}
		refusedByBoth(t, whole, note.VerifierList(verifier), "open "+text)

		_, otherKey, otherText := logKeys(t, origin, 'z')
		_, otherName, named := logKeys(t, origin+"2", byte('a'+number))
		for text, verifier := range map[string]note.Verifier{otherText: otherKey, named: otherName} {
			if _, err := note.Open(whole, note.VerifierList(verifier)); err == nil {
				t.Fatalf("Go's program opens it with %s", text)
			}
			if said := askOne(t, "open %s %x", text, whole); !isError(said) {
				t.Fatalf("the library opens it with %s: %s", text, said)
			}
		}
	}
}

func TestCosignaturesOfEither(t *testing.T) {
	l := newLog(t, 9)
	signer, verifier, _ := logKeys(t, "example.org/log", 'a')
	witnesses := []witness{newWitness("w1.example", 1), newWitness("w2.example", 2), newWitness("świadek.example", 3)}
	keys := make([]string, len(witnesses))
	for i, witness := range witnesses {
		keys[i] = witness.text()
	}
	signed, err := note.Sign(&note.Note{Text: body("example.org/log", 9, l.roots[9])}, signer)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := signed, signed
	for i, witness := range witnesses {
		seconds := uint64(1_700_000_000 + 100*i)
		said := askOne(t, "cosign %x %s %d %x", seedOf(byte(i+1)), witness.name, seconds, ours)
		key, text, _ := strings.Cut(said, " ")
		if key != witness.text() {
			t.Fatalf("the library has the key %s, Go's %s", key, witness.text())
		}
		ours = bytesOf(t, text)

		opened, err := note.Open(theirs, note.VerifierList(verifier))
		if err != nil {
			t.Fatal(err)
		}
		if theirs, err = note.Sign(opened, witness.at(seconds)); err != nil {
			t.Fatal(err)
		}
		// Go's program orders the lines by itself; each signature is the same.
		known := note.VerifierList(verifier, witnesses[0], witnesses[1], witnesses[2])
		for whose, text := range map[string][]byte{"the library's": ours, "Go's": theirs} {
			found, err := note.Open(text, known)
			if err != nil || len(found.Sigs) != i+2 {
				t.Fatalf("Go's program on %s: %v %v", whose, found, err)
			}
			for needed := 0; needed <= len(witnesses); needed++ {
				said := askOne(t, "judge %d %s %x", needed, strings.Join(keys, ","), text)
				time := 1_700_000_000 + 100*(needed-1)
				// Whoever names witnesses needs some of them.
				if needed == 0 || needed > i+1 {
					if !isError(said) {
						t.Fatalf("%d of %d: %s", needed, i+1, said)
					}
				} else if said != fmt.Sprintf("%d %d", i+1, time) {
					t.Fatalf("%d of %d, %s: %s", needed, i+1, whose, said)
				}
			}
		}
	}
}

func TestAlteredCosignaturesAreRefusedByBoth(t *testing.T) {
	l := newLog(t, 9)
	signer, verifier, _ := logKeys(t, "example.org/log", 'a')
	witness := newWitness("w.example", 7)
	signed, err := note.Sign(&note.Note{Text: body("example.org/log", 9, l.roots[9])}, signer)
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(askOne(t, "cosign %x w.example 1700000000 %x", seedOf(7), signed), " ")
	whole := bytesOf(t, text)
	// The body and the witness's own line: of the log's, a witness's verifier knows nothing.
	alone := strings.Join([]string{body("example.org/log", 9, l.roots[9]), lineOf(string(whole), "w.example")}, "\n")
	refusedByBoth(t, []byte(alone), note.VerifierList(witness), "judge 1 "+witness.text())

	// Another log's name over the same tree, and a log's key where a witness's is asked for.
	moved := strings.Replace(alone, "example.org/log", "example.org/lag", 1)
	if said := askOne(t, "judge 1 %s %x", witness.text(), moved); !isError(said) {
		t.Fatal(said)
	}
	if _, err := note.Open([]byte(moved), note.VerifierList(witness)); err == nil {
		t.Fatal("Go's program takes a cosignature under another origin")
	}
	_, _, logText := logKeys(t, "w.example", 7)
	if said := askOne(t, "judge 1 %s %x", logText, alone); !isError(said) {
		t.Fatal(said)
	}
	if _, err := note.Open([]byte(alone), note.VerifierList(verifier)); err == nil {
		t.Fatal("Go's program takes a cosignature for the log's signature")
	}
	// A time of nothing, which both refuse.
	zero, err := note.Sign(&note.Note{Text: body("example.org/log", 9, l.roots[9])}, witness.at(0))
	if err != nil {
		t.Fatal(err)
	}
	if said := askOne(t, "judge 1 %s %x", witness.text(), zero); !isError(said) {
		t.Fatal(said)
	}
	// One key under two names is one witness, whatever the lines say.
	again := newWitness("other.example", 7)
	both := []note.Signer{witness.at(1_700_000_005), again.at(1_700_000_006)}
	twice, err := note.Sign(&note.Note{Text: body("example.org/log", 9, l.roots[9])}, both...)
	if err != nil {
		t.Fatal(err)
	}
	third := newWitness("third.example", 8)
	keys := strings.Join([]string{witness.text(), again.text(), third.text()}, ",")
	if said := askOne(t, "judge 1 %s %x", keys, twice); said != "1 1700000005" {
		t.Fatal(said)
	}
	if said := askOne(t, "judge 2 %s %x", keys, twice); !isError(said) {
		t.Fatal(said)
	}
}

func lineOf(text, name string) string {
	for _, line := range strings.SplitAfter(text, "\n") {
		if strings.HasPrefix(line, "— "+name+" ") {
			return line
		}
	}
	return ""
}
