package oracles

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// proof is C2SP's tlog-proof, read and written anew from its text.
type proof struct {
	extra string
	index int64
	path  []tlog.Hash
	note  string
}

const header = "c2sp.org/tlog-proof@v1\n"

func (p proof) text() string {
	lines := []string{header}
	if p.extra != "none" {
		lines = append(lines, "extra ", base64.StdEncoding.EncodeToString([]byte(p.extra)), "\n")
	}
	lines = append(lines, fmt.Sprintf("index %d\n", p.index))
	for _, hash := range p.path {
		lines = append(lines, hash.String(), "\n")
	}
	return strings.Join(append(lines, "\n", p.note), "")
}

func readProof(text string) (p proof, err error) {
	rest, is := strings.CutPrefix(text, header)
	head, note, parts := strings.Cut(rest, "\n\n")
	if !is || !parts {
		return p, errors.New("no proof")
	}
	lines := strings.Split(head, "\n")
	p.extra, p.note = "none", note
	if encoded, is := strings.CutPrefix(lines[0], "extra "); is {
		extra, err := base64.StdEncoding.Strict().DecodeString(encoded)
		if err != nil || strings.ContainsAny(encoded, "\r\n") {
			return p, errors.New("no base64")
		}
		p.extra, lines = string(extra), lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return p, errors.New("no index")
	}
	digits := strings.TrimPrefix(lines[0], "index ")
	if p.index, err = strconv.ParseInt(digits, 10, 64); err != nil || strconv.FormatInt(p.index, 10) != digits {
		return p, errors.New("no index")
	}
	for _, line := range lines[1:] {
		hash, err := tlog.ParseHash(line)
		if err != nil || hash.String() != line {
			return p, errors.New("no hash")
		}
		p.path = append(p.path, hash)
	}
	return p, nil
}

// holds verifies a proof with Go's programs alone.
func holds(text string, known note.Verifier, leaf tlog.Hash) error {
	p, err := readProof(text)
	if err != nil {
		return err
	}
	opened, err := note.Open([]byte(p.note), note.VerifierList(known))
	if err != nil {
		return err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != known.Name() {
		return errors.New("no checkpoint of this log")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return err
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return err
	}
	// Go's program panics where an index is none of the tree.
	if p.index < 0 || p.index >= size {
		return errors.New("no such leaf")
	}
	return tlog.CheckRecord(p.path, size, root, p.index, leaf)
}

func TestProofsOfEither(t *testing.T) {
	l := newLog(t, largest)
	signer, verifier, key := logKeys(t, "example.org/log", 'a')
	var ours, theirs, wanted []string
	var proofs []proof
	for _, size := range altered {
		root := l.roots[size]
		signed, err := note.Sign(&note.Note{Text: body("example.org/log", uint64(size), root)}, signer)
		if err != nil {
			t.Fatal(err)
		}
		for number, index := range []int64{0, size / 2, size - 1} {
			path, err := tlog.ProveRecord(size, index, l)
			if err != nil {
				t.Fatal(err)
			}
			p := proof{[]string{"none", "", "entry \x00"}[number], index, path, string(signed)}
			extra := p.extra
			if extra != "none" {
				extra = fmt.Sprintf("%x", extra)
			}
			proofs = append(proofs, p)
			ours = append(ours, fmt.Sprintf("prove %x example.org/log %d %d %s", seedOf('a'), size, index, extra))
			theirs = append(theirs, fmt.Sprintf("place %s %s %x", key, hexOf(tlog.RecordHash(leaf(index))), p.text()))
			wanted = append(wanted, fmt.Sprintf("%d %s", index, extra))
		}
	}
	for i, said := range ask(t, ours) {
		text := string(bytesOf(t, said))
		if text != proofs[i].text() {
			t.Fatalf("%s: the library writes %q, the specification is %q", ours[i], text, proofs[i].text())
		}
		if err := holds(text, verifier, tlog.RecordHash(leaf(proofs[i].index))); err != nil {
			t.Fatalf("%s: %v", ours[i], err)
		}
	}
	same(t, theirs, wanted)
}

func TestAlteredProofsAreRefusedByBoth(t *testing.T) {
	_, verifier, key := logKeys(t, "example.org/log", 'a')
	of := tlog.RecordHash(leaf(5))
	whole := bytesOf(t, askOne(t, "prove %x example.org/log 9 5 %x", seedOf('a'), "7"))
	var commands []string
	var changed [][]byte
	for _, mutation := range mutationsOf(whole) {
		commands = append(commands, fmt.Sprintf("place %s %s %x", key, hexOf(of), mutation))
		changed = append(changed, mutation)
	}
	accepted := 0
	for i, said := range ask(t, commands) {
		theirs := holds(string(changed[i]), verifier, of) == nil
		if isError(said) == theirs && !(theirs && sameSignatures(noteOf(t, changed[i]), noteOf(t, whole))) {
			t.Fatalf("the library says %s, Go's programs take it: %v: %q", said, theirs, changed[i])
		}
		if !isError(said) {
			// What is extra is anybody's, and nothing else is.
			p, err := readProof(string(changed[i]))
			q, _ := readProof(string(whole))
			if err != nil || p.extra == q.extra || p.note != q.note || p.index != q.index {
				t.Fatalf("both take %q", changed[i])
			}
			accepted++
		}
	}
	t.Logf("%d altered proofs, of which %d say something else in what is extra", len(changed), accepted)
}

func noteOf(t *testing.T, text []byte) []byte {
	t.Helper()
	p, err := readProof(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return []byte(p.note)
}

// The leaves in a bundle are those whose hashes are in the tile beside it.
func TestBundlesHoldTheLeavesOfTheirTiles(t *testing.T) {
	l := newLog(t, 1000)
	before := int64(0)
	var commands []string
	sizes := []int64{1, 2, 255, 256, 257, 300, 512, 1000}
	for _, size := range sizes {
		commands = append(commands, fmt.Sprintf("bundles %d %d", before, size))
		before = size
	}
	files, read := tiles{}, 0
	for i, line := range ask(t, commands) {
		files.add(t, line)
		for n := int64(0); n<<height < sizes[i]; n++ {
			tile := tlog.Tile{H: height, L: 0, N: n, W: int(min(sizes[i]-n<<height, 1<<height))}
			bytes, is := files[strings.Replace(pathOf(tile), "tile/0/", "tile/entries/", 1)]
			if !is {
				t.Fatalf("there is no bundle beside %s", pathOf(tile))
			}
			hashes, err := tlog.ReadTileData(tile, l)
			if err != nil {
				t.Fatal(err)
			}
			for place := 0; place < tile.W; place++ {
				length := int(binary.BigEndian.Uint16(bytes))
				hash := tlog.RecordHash(bytes[2 : 2+length])
				if string(hash[:]) != string(hashes[place*tlog.HashSize:(place+1)*tlog.HashSize]) {
					t.Fatalf("leaf %d of %s", place, pathOf(tile))
				}
				bytes = bytes[2+length:]
				read++
			}
			if len(bytes) != 0 {
				t.Fatalf("%d bytes more in %s", len(bytes), pathOf(tile))
			}
		}
	}
	t.Logf("%d leaves", read)
}
