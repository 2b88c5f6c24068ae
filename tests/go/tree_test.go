package oracles

import (
	"fmt"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// largest is the size up to which every tree, leaf and pair of sizes is looked at. Go's program has no tree of size 0.
const largest = 300

// altered is where proofs are altered in every way: powers of two, what is beside them, and what is not.
var altered = []int64{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100, 127, 128, 129, 255, 256, 257, 300}

// question is one that both sides are asked: the library as a command, Go's program by a function.
type question struct {
	command string
	check   func() error
	// must is true where both have to say yes, no where both have to refuse; agree asks for one answer alone.
	must answer
}

type answer int

const (
	yes answer = iota
	no
	agree
)

// judge asks both sides. So many questions there are, and so many have to be accepted.
func judge(t *testing.T, questions []question, asked, taken int) {
	t.Helper()
	commands := make([]string, len(questions))
	for i, question := range questions {
		commands[i] = question.command
	}
	accepted := 0
	for i, said := range ask(t, commands) {
		question := questions[i]
		if said != "yes" && said != "no" {
			t.Fatalf("%s: %s", question.command, said)
		}
		ours, theirs := said == "yes", question.check() == nil
		if ours != theirs {
			t.Fatalf("the library says %v, Go's program says %v: %s", ours, theirs, question.command)
		}
		if question.must != agree && ours != (question.must == yes) {
			t.Fatalf("both say %v: %s", ours, question.command)
		}
		if ours {
			accepted++
		}
	}
	if len(questions) != asked || accepted != taken {
		t.Fatalf("%d questions and %d accepted, not %d and %d", len(questions), accepted, asked, taken)
	}
	t.Logf("%d questions, %d accepted", asked, taken)
}

func ofLeaf(root tlog.Hash, size, index int64, leaf tlog.Hash, path []tlog.Hash, must answer) question {
	path = append([]tlog.Hash(nil), path...)
	return question{
		fmt.Sprintf("holds-leaf %s %d %d %s %s", hexOf(root), size, index, hexOf(leaf), listOf(path)),
		func() error { return tlog.CheckRecord(path, size, root, index, leaf) },
		must,
	}
}

func ofGrowth(old tlog.Hash, before int64, root tlog.Hash, size int64, path []tlog.Hash, must answer) question {
	path = append([]tlog.Hash(nil), path...)
	return question{
		fmt.Sprintf("holds-growth %s %d %s %d %s", hexOf(old), before, hexOf(root), size, listOf(path)),
		func() error { return tlog.CheckTree(path, size, root, before, old) },
		must,
	}
}

func TestEveryRoot(t *testing.T) {
	l := newLog(t, largest)
	var commands []string
	for size := 0; size <= largest; size++ {
		commands = append(commands, fmt.Sprintf("root %d", size))
	}
	for size, root := range ask(t, commands)[1:] {
		if root != hexOf(l.roots[size+1]) {
			t.Fatalf("size %d: the library has %s, Go's program %s", size+1, root, hexOf(l.roots[size+1]))
		}
	}
}

// Every proof of either is that of the other, and both take it.
func TestEveryLeafOfEverySize(t *testing.T) {
	l := newLog(t, largest)
	var commands []string
	var theirs []string
	var questions []question
	for size := int64(1); size <= largest; size++ {
		for index := int64(0); index < size; index++ {
			path, err := tlog.ProveRecord(size, index, l)
			if err != nil {
				t.Fatal(err)
			}
			commands = append(commands, fmt.Sprintf("path %d %d", size, index))
			theirs = append(theirs, listOf(path))
			questions = append(questions, ofLeaf(l.roots[size], size, index, tlog.RecordHash(leaf(index)), path, yes))
		}
	}
	same(t, commands, theirs)
	judge(t, questions, everyProof, everyProof)
}

func TestEveryGrowth(t *testing.T) {
	l := newLog(t, largest)
	var commands []string
	var theirs []string
	var questions []question
	for size := int64(1); size <= largest; size++ {
		for before := int64(1); before <= size; before++ {
			path, err := tlog.ProveTree(size, before, l)
			if err != nil {
				t.Fatal(err)
			}
			commands = append(commands, fmt.Sprintf("growth %d %d", before, size))
			theirs = append(theirs, listOf(path))
			questions = append(questions, ofGrowth(l.roots[before], before, l.roots[size], size, path, yes))
		}
	}
	same(t, commands, theirs)
	judge(t, questions, everyProof, everyProof)
}

// same wants the same proofs from both, so that what one takes of the other it takes of its own.
func same(t *testing.T, commands, theirs []string) {
	t.Helper()
	for i, ours := range ask(t, commands) {
		if ours != theirs[i] {
			t.Fatalf("%s: the library has %s, Go's program %s", commands[i], ours, theirs[i])
		}
	}
}

func TestAlteredPlacesAreRefusedByBoth(t *testing.T) {
	l := newLog(t, largest)
	var questions []question
	for _, size := range altered {
		root := l.roots[size]
		for _, index := range []int64{0, size / 3, size / 2, size - 1} {
			path, err := tlog.ProveRecord(size, index, l)
			if err != nil {
				t.Fatal(err)
			}
			of := tlog.RecordHash(leaf(index))
			eachPath(path, l.roots[2], func(path []tlog.Hash) {
				questions = append(questions, ofLeaf(root, size, index, of, path, no))
			})
			for place := range root {
				root, of := root, of
				root[place] ^= 0x80
				questions = append(questions, ofLeaf(root, size, index, tlog.RecordHash(leaf(index)), path, no))
				of[place] ^= 1
				questions = append(questions, ofLeaf(l.roots[size], size, index, of, path, no))
			}
			for other := int64(0); other < size; other++ {
				if other != index {
					questions = append(questions, ofLeaf(root, size, other, of, path, no))
				}
			}
			// A path may fit under another size, which is why the size is signed with the root.
			for other := int64(1); other <= largest; other++ {
				if index < other && other != size {
					questions = append(questions, ofLeaf(root, other, index, of, path, agree))
				}
			}
		}
	}
	judge(t, questions, 47_912, 2_144)
}

func TestAlteredGrowthIsRefusedByBoth(t *testing.T) {
	l := newLog(t, largest)
	var questions []question
	for _, size := range altered {
		root := l.roots[size]
		for _, before := range append([]int64{size/3 + 1, size/2 + 1, size - 1}, altered...) {
			if before < 1 || before > size {
				continue
			}
			old := l.roots[before]
			path, err := tlog.ProveTree(size, before, l)
			if err != nil {
				t.Fatal(err)
			}
			eachPath(path, l.roots[2], func(path []tlog.Hash) {
				questions = append(questions, ofGrowth(old, before, root, size, path, no))
			})
			for place := range root {
				root, old := root, old
				root[place] ^= 0x80
				questions = append(questions, ofGrowth(l.roots[before], before, root, size, path, no))
				old[place] ^= 1
				questions = append(questions, ofGrowth(old, before, l.roots[size], size, path, no))
			}
			for other := int64(1); other < size; other++ {
				if other != before {
					questions = append(questions, ofGrowth(old, other, root, size, path, no))
					questions = append(questions, ofGrowth(l.roots[other], other, root, size, path, agree))
				}
			}
			for other := before; other <= largest; other++ {
				questions = append(questions, ofGrowth(old, before, root, other, path, agree))
			}
		}
	}
	judge(t, questions, 222_451, 13_148)
}
