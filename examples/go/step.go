package dualseal

// #include <string.h>
// #include <dualseal_vault.h>
import "C"

// step has a ledger's head and a chain's alone, and work move copies of both on. These take their place once work was
// done, whatever that is beside the library's call; else neither has moved, and what work made is worth nothing.
func step(ledger *Ledger, head *Head, work func(*C.dualseal_ledger_head, *C.dualseal_head) error) error {
	var l lent
	defer l.back()
	ends, end := change(&l, ledger), change(&l, head)
	if l.err != nil {
		return l.err
	}
	nextEnds, err := copiedLedger(ends)
	if err != nil {
		return err
	}
	defer func() { _ = nextEnds.Close() }()
	next, err := copiedHead(end)
	if err != nil {
		return err
	}
	defer func() { _ = next.Close() }()
	if err := work(nextEnds.pointer, next.pointer); err != nil {
		return err
	}
	ledger.takeOver(nextEnds.handle)
	head.takeOver(next.handle)
	return nil
}

func copiedLedger(ends *C.dualseal_ledger_head) (*Ledger, error) {
	parts, err := partsOf(ends)
	if err != nil {
		return nil, err
	}
	return parts.Resume()
}

func copiedHead(end *C.dualseal_head) (*Head, error) {
	var e *C.dualseal_error
	var text *C.char
	if err := check(C.dualseal_head_parts(end, nil, nil, 0, nil, 0, &text, &e), &e); err != nil {
		return nil, err
	}
	defer C.dualseal_string_free(text)
	return newHead(text, C.strlen(text))
}
