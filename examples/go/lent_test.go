package dualseal

import (
	"slices"
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
