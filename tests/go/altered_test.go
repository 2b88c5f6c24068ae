package oracles

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// What there is to refuse in the trees of 1 to 300 leaves: every leaf of each, and every smaller or equal size, has one
// proof. The library refuses as many in tests/tests/primitives/merkle_altered.rs.
const (
	everyProof     = 45_150
	alteredPlaces  = 12_822_673
	alteredGrowths = 12_744_168
)

// claim is a proof, and what it is said to show.
type claim struct {
	// number is the leaf's, or the size of the smaller tree.
	size, number int64
	// of is the leaf's hash, or the root of the smaller tree.
	root, of tlog.Hash
	path     []tlog.Hash
}

// kind is what claims are about: leaves in their trees, or trees in greater ones.
type kind struct {
	// proof asks the library for a path.
	proof   func(claim) string
	check   func(claim) error
	altered int64
}

var places = kind{
	func(c claim) string { return fmt.Sprintf("path %d %d", c.size, c.number) },
	func(c claim) error { return tlog.CheckRecord(c.path, c.size, c.root, c.number, c.of) },
	alteredPlaces,
}

var growths = kind{
	func(c claim) string { return fmt.Sprintf("growth %d %d", c.number, c.size) },
	func(c claim) error { return tlog.CheckTree(c.path, c.size, c.root, c.number, c.of) },
	alteredGrowths,
}

func everyPlace(l *log) (claims []claim) {
	for size := int64(1); size <= largest; size++ {
		for index := int64(0); index < size; index++ {
			claims = append(claims, claim{size, index, l.roots[size], tlog.RecordHash(leaf(index)), nil})
		}
	}
	return claims
}

func everyGrowth(l *log) (claims []claim) {
	for size := int64(1); size <= largest; size++ {
		for before := int64(1); before <= size; before++ {
			claims = append(claims, claim{size, before, l.roots[size], l.roots[before], nil})
		}
	}
	return claims
}

// more is in no path of these trees: the leaf behind the last one.
var more = tlog.RecordHash(leaf(largest))

// eachPath hands out the paths that differ from one in a byte or in their length. They are good for the call alone.
func eachPath(path []tlog.Hash, more tlog.Hash, each func([]tlog.Hash)) {
	joined := func(parts ...[]tlog.Hash) {
		var whole []tlog.Hash
		for _, part := range parts {
			whole = append(whole, part...)
		}
		each(whole)
	}
	changed := append([]tlog.Hash(nil), path...)
	for at := range path {
		for place := range path[at] {
			changed[at][place] ^= 1 << (place % 8)
			each(changed)
			changed[at] = path[at]
		}
		each(path[:at])
		joined(path[:at], path[at+1:])
		joined(path[:at+1], path[at:])
		if at > 0 {
			changed[at], changed[at-1] = path[at-1], path[at]
			each(changed)
			changed[at], changed[at-1] = path[at], path[at-1]
		}
	}
	one := []tlog.Hash{more}
	joined(path, one)
	joined(one, path)
	longer := append([]tlog.Hash(nil), path...)
	for len(longer) < len(path)+71 {
		longer = append(longer, more)
	}
	each(longer)
}

func TestEveryAlteredPlaceIsRefusedByGo(t *testing.T) {
	goRefuses(t, places, everyPlace(newLog(t, largest)))
}

func TestEveryAlteredGrowthIsRefusedByGo(t *testing.T) {
	goRefuses(t, growths, everyGrowth(newLog(t, largest)))
}

// goRefuses alters the path of what the library proves, for Go's program.
func goRefuses(t *testing.T, k kind, claims []claim) {
	t.Helper()
	commands := make([]string, len(claims))
	for i, c := range claims {
		commands[i] = k.proof(c)
	}
	for i, said := range ask(t, commands) {
		claims[i].path = hashesOf(t, said)
	}
	workers := runtime.GOMAXPROCS(0)
	var all sync.WaitGroup
	var altered atomic.Int64
	for worker := 0; worker < workers; worker++ {
		all.Add(1)
		go func(worker int) {
			defer all.Done()
			for i := worker; i < len(claims); i += workers {
				if err := k.check(claims[i]); err != nil {
					t.Errorf("%s: %v", commands[i], err)
				}
				tried := 0
				changed := claims[i]
				eachPath(claims[i].path, more, func(path []tlog.Hash) {
					tried++
					changed.path = path
					if k.check(changed) == nil {
						t.Errorf("%s: Go's program takes %v", commands[i], path)
					}
				})
				altered.Add(int64(tried))
			}
		}(worker)
	}
	all.Wait()
	if len(commands) != everyProof || altered.Load() != k.altered {
		t.Fatalf("%d proofs and %d altered ones, not %d and %d", len(commands), altered.Load(), everyProof, k.altered)
	}
	t.Logf("%d proofs, %d altered ones refused", len(commands), altered.Load())
}
