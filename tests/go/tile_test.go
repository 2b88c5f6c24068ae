package oracles

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// height is that of C2SP's tiles. Go's program writes it into a tile's path, before the level; C2SP does not.
const height = 8

func pathOf(tile tlog.Tile) string {
	return "tile/" + strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/", height))
}

// tiles are those of a log as files, by their paths.
type tiles map[string][]byte

func (tiles) Height() int { return height }

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (files tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	found := make([][]byte, len(wanted))
	for i, tile := range wanted {
		bytes, is := files[pathOf(tile)]
		if !is {
			return nil, fmt.Errorf("there is no %s", pathOf(tile))
		}
		found[i] = bytes
	}
	return found, nil
}

func (files tiles) add(t *testing.T, line string) {
	t.Helper()
	for _, tile := range strings.Split(line, ",") {
		path, bytes, is := strings.Cut(tile, "=")
		if !is {
			t.Fatalf("%q is no tile", tile)
		}
		files[path] = bytesOf(t, bytes)
	}
}

// What the library writes as a log grows by one leaf at a time, and by leaps, is what Go's program reads.
func TestTilesOfTheLibraryAreReadByGo(t *testing.T) {
	l := newLog(t, 70_000)
	sizes := []int64{}
	for size := int64(1); size <= largest; size++ {
		sizes = append(sizes, size)
	}
	sizes = append(sizes, 511, 512, 513, 1000, 65_535, 65_536, 65_537, 66_000, 70_000)
	commands, before := []string{}, int64(0)
	for _, size := range sizes {
		commands = append(commands, fmt.Sprintf("tiles %d %d", before, size))
		before = size
	}
	files := tiles{}
	for i, line := range ask(t, commands) {
		files.add(t, line)
		size := sizes[i]
		tree := tlog.Tree{N: size, Hash: l.roots[size]}
		reader := tlog.TileHashReader(tree, files)
		for _, index := range []int64{0, size / 2, size - 1} {
			path, err := tlog.ProveRecord(size, index, reader)
			if err != nil {
				t.Fatalf("leaf %d of %d: %v", index, size, err)
			}
			if err := tlog.CheckRecord(path, size, tree.Hash, index, tlog.RecordHash(leaf(index))); err != nil {
				t.Fatalf("leaf %d of %d: %v", index, size, err)
			}
			growth, err := tlog.ProveTree(size, index+1, reader)
			if err != nil {
				t.Fatalf("from %d to %d: %v", index+1, size, err)
			}
			if err := tlog.CheckTree(growth, size, tree.Hash, index+1, l.roots[index+1]); err != nil {
				t.Fatalf("from %d to %d: %v", index+1, size, err)
			}
		}
	}
	// Each file has the bytes that Go's program writes under its path, which writes narrower ones in between as well.
	wanted := tiles{}
	before = 0
	for _, size := range sizes {
		for _, tile := range tlog.NewTiles(height, before, size) {
			data, err := tlog.ReadTileData(tile, l)
			if err != nil {
				t.Fatal(err)
			}
			wanted[pathOf(tile)] = data
		}
		before = size
	}
	for path, bytes := range wanted {
		if _, is := files[path]; !is && !strings.Contains(path, ".p/") {
			t.Fatalf("the library has no %s", path)
		}
		if mine, is := files[path]; is && string(mine) != string(bytes) {
			t.Fatalf("%s differs", path)
		}
	}
	for path := range files {
		if _, is := wanted[path]; !is {
			t.Fatalf("%s is of the library alone", path)
		}
	}
	t.Logf("%d tiles", len(files))
}

func TestTilesOfGoAreReadByTheLibrary(t *testing.T) {
	l := newLog(t, 66_000)
	var commands []string
	var wanted []string
	for _, size := range append([]int64{1000, 65_536, 66_000}, altered...) {
		var files []string
		for _, tile := range tlog.NewTiles(height, 0, size) {
			data, err := tlog.ReadTileData(tile, l)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, fmt.Sprintf("%s=%x", pathOf(tile), data))
		}
		for _, index := range []int64{0, size / 2, size - 1} {
			path, err := tlog.ProveRecord(size, index, l)
			if err != nil {
				t.Fatal(err)
			}
			growth, err := tlog.ProveTree(size, index+1, l)
			if err != nil {
				t.Fatal(err)
			}
			commands = append(commands, fmt.Sprintf("tiled %d %d %d %s", size, index, index+1, strings.Join(files, ",")))
			wanted = append(wanted, fmt.Sprintf("%s %s %s", hexOf(l.roots[size]), listOf(path), listOf(growth)))
		}
	}
	same(t, commands, wanted)
}

// Of a tile that is altered in a byte, cut or lengthened, neither makes a proof that the other, or itself, would take.
// Where Go's program says so is its own affair: this version reads the first full tile of 259 leaves without a look at
// the one above.
func TestAlteredTilesProveNothing(t *testing.T) {
	const size = 259
	l := newLog(t, size)
	root := l.roots[size]
	files := tiles{}
	files.add(t, askOne(t, "tiles 0 %d", size))
	if len(files) != 3 {
		t.Fatalf("%d files", len(files))
	}
	if at := firstRefused(files, l); at != size {
		t.Fatalf("leaf %d is not proved from what is right", at)
	}
	var commands []string
	var of []int64
	for path, whole := range files {
		others := [][]byte{whole[:len(whole)-tlog.HashSize], append(append([]byte(nil), whole...), whole...)}
		for place := range whole {
			changed := append([]byte(nil), whole...)
			changed[place] ^= 0x10
			others = append(others, changed)
		}
		for number, other := range others {
			altered := tiles{}
			var given []string
			for each, bytes := range files {
				if each == path {
					bytes = other
				}
				altered[each] = bytes
				given = append(given, fmt.Sprintf("%s=%x", each, bytes))
			}
			at := firstRefused(altered, l)
			if at == size {
				t.Fatalf("Go's program proves every leaf with %s altered", path)
			}
			// The library is asked for each length, and for some of the bytes.
			if number < 2 || number%31 == 0 || len(whole) < 256 {
				commands = append(commands, fmt.Sprintf("tiled %d %d %d %s", size, at, at+1, strings.Join(given, ",")))
				of = append(of, at)
			}
		}
	}
	for i, said := range ask(t, commands) {
		words := strings.Split(said, " ")
		if len(words) != 3 {
			t.Fatal(said)
		}
		if words[0] == "none" || words[1] == "none" || words[0] != hexOf(root) {
			continue
		}
		path := hashesOf(t, words[1])
		if tlog.CheckRecord(path, size, root, of[i], tlog.RecordHash(leaf(of[i]))) == nil {
			t.Fatalf("the library proves leaf %d with a tile altered", of[i])
		}
	}
	t.Logf("%d altered sets of tiles", len(commands))
}

// firstRefused is the first leaf that Go's program cannot prove from tiles, or their size.
func firstRefused(files tiles, l *log) int64 {
	size := int64(len(l.roots) - 1)
	reader := tlog.TileHashReader(tlog.Tree{N: size, Hash: l.roots[size]}, files)
	for n := int64(0); n < size; n++ {
		path, err := tlog.ProveRecord(size, n, reader)
		if err != nil || tlog.CheckRecord(path, size, l.roots[size], n, tlog.RecordHash(leaf(n))) != nil {
			return n
		}
	}
	return size
}
