package oracles

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// dualseal runs the command line in a folder, and gives what it prints.
func dualseal(t *testing.T, folder string, arguments ...string) string {
	t.Helper()
	command := exec.Command(filepath.Join(os.Getenv("DUALSEAL_PROGRAMS"), "dualseal"), arguments...)
	command.Dir = folder
	command.Env = append(os.Environ(), "DUALSEAL_HOME="+filepath.Join(folder, "home"))
	var said strings.Builder
	command.Stderr = &said
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v: %s%s", arguments, err, out, said.String())
	}
	return string(out)
}

func member(t *testing.T, answer, name string) string {
	t.Helper()
	_, rest, is := strings.Cut(answer, `"`+name+`":"`)
	value, _, ends := strings.Cut(rest, `"`)
	if !is || !ends {
		t.Fatalf("no %s in %s", name, answer)
	}
	return value
}

func files(t *testing.T, folder string) tiles {
	t.Helper()
	found := tiles{}
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		found[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A witness's text key, which Go's note has no verifier for.
func witnessOf(t *testing.T, text string) cosigner {
	t.Helper()
	name, rest, _ := strings.Cut(text, "+")
	_, encoded, _ := strings.Cut(rest, "+")
	typed, err := base64Of(encoded)
	if err != nil || len(typed) != 33 || typed[0] != 4 {
		t.Fatalf("%q is no key of a witness", text)
	}
	return cosigner{name, typed}
}

// The folder that the command line writes, its proofs and its witness's cosignatures, with Go's programs alone.
func TestTheFolderOfALog(t *testing.T) {
	folder := t.TempDir()
	run := func(arguments ...string) string { return dualseal(t, folder, arguments...) }
	run("key", "new", "ana", "--origin", "example.org/log")
	witnessKey := member(t, run("witness", "new", "watch", "--name", "w.example", "--json"), "key")
	entries := 1
	var old tlog.Tree
	for round, more := range []int{0, 5, 260} {
		for n := 0; n < more; n++ {
			run("chain", "append", fmt.Sprintf("message %d", n))
		}
		entries += more
		if more > 0 {
			run("checkpoint", "sign", "-o", "checkpoint.json", "--force")
		}
		logKey := member(t, run("chain", "export", "--tiles", "public", "--json"), "note_key")
		run("witness", "follow", "public", "--in", "watch", "--log", logKey, "-o", "cosigned", "--force")
		found := files(t, filepath.Join(folder, "public"))
		verifier, err := note.NewVerifier(logKey)
		if err != nil {
			t.Fatal(err)
		}
		cosigned := files(t, folder)["cosigned"]
		for _, text := range [][]byte{found["checkpoint"], cosigned} {
			opened, err := note.Open(text, note.VerifierList(verifier, witnessOf(t, witnessKey)))
			if err != nil || string(text[:len(opened.Text)]) != opened.Text {
				t.Fatalf("%q: %v", text, err)
			}
			if string(text) == string(cosigned) && len(opened.Sigs) != 2 {
				t.Fatalf("%d signatures hold", len(opened.Sigs))
			}
		}
		tree := treeOf(t, string(cosigned))
		if tree.N != int64(entries) {
			t.Fatalf("round %d: %d entries, %d in the note", round, entries, tree.N)
		}
		reader := tlog.TileHashReader(tree, found)
		if root, err := tlog.TreeHash(tree.N, reader); err != nil || root != tree.Hash {
			t.Fatalf("%v %v", root, err)
		}
		if old.N > 0 {
			growth, err := tlog.ProveTree(tree.N, old.N, reader)
			if err != nil {
				t.Fatal(err)
			}
			if err := tlog.CheckTree(growth, tree.N, tree.Hash, old.N, old.Hash); err != nil {
				t.Fatal(err)
			}
		}
		old = tree
		leaves := leavesOf(t, found, tree.N)
		lines := strings.Split(strings.TrimSpace(string(found["chain.jsonl"])), "\n")
		if len(leaves) != entries || len(lines) != entries {
			t.Fatalf("%d leaves, %d lines", len(leaves), len(lines))
		}
		for n, leaf := range leaves {
			// The leaf is what a monitor computes of a line.
			of := fmt.Sprintf(`{"h":"%s","seq":%d,"t":"%s"}`, member(t, lines[n], "h"), n, member(t, lines[n], "t"))
			if string(leaf) != of {
				t.Fatalf("leaf %d is %s, line %s", n, leaf, lines[n])
			}
			if round == 2 && n%64 != 0 && n < 256 {
				continue
			}
			proved := run("chain", "prove", fmt.Sprint(n), "--note", "cosigned")
			if err := holds(proved, verifier, tlog.RecordHash(leaf)); err != nil {
				t.Fatalf("entry %d: %v: %s", n, err, proved)
			}
			if p, _ := readProof(proved); p.extra != lines[n] || p.note != string(cosigned) {
				t.Fatalf("entry %d: %s", n, proved)
			}
		}
	}
}

func treeOf(t *testing.T, text string) (tree tlog.Tree) {
	t.Helper()
	lines := strings.Split(text, "\n")
	if _, err := fmt.Sscan(lines[1], &tree.N); err != nil {
		t.Fatal(err)
	}
	var err error
	if tree.Hash, err = tlog.ParseHash(lines[2]); err != nil {
		t.Fatal(err)
	}
	return tree
}

// leavesOf reads the bundles, and holds them against the tiles.
func leavesOf(t *testing.T, found tiles, size int64) (leaves [][]byte) {
	t.Helper()
	for n := int64(0); n<<height < size; n++ {
		tile := tlog.Tile{H: height, L: 0, N: n, W: int(min(size-n<<height, 1<<height))}
		bytes := found[strings.Replace(pathOf(tile), "tile/0/", "tile/entries/", 1)]
		for place := 0; place < tile.W; place++ {
			length := int(binary.BigEndian.Uint16(bytes))
			leaves = append(leaves, bytes[2:2+length])
			hash := tlog.RecordHash(bytes[2 : 2+length])
			if string(hash[:]) != string(found[pathOf(tile)][place*tlog.HashSize:(place+1)*tlog.HashSize]) {
				t.Fatalf("leaf %d of %s", place, pathOf(tile))
			}
			bytes = bytes[2+length:]
		}
		if len(bytes) != 0 {
			t.Fatalf("%d bytes more beside %s", len(bytes), pathOf(tile))
		}
	}
	return leaves
}
