package dualseal

// #include <dualseal.h>
import "C"

import "fmt"

// Item is one record of many: whose it must be, the hash of its content for that signer, and the place of its entry,
// or nil.
type Item struct {
	Signer, Hash ID
	Record       string
	Place        *Place
}

// VerifyMany verifies many records on so many threads; 0 are as many as the machine runs at once. Each item has its
// verdict in its place of the list: nil is Valid, and nothing else is. A record that cannot be read, and a place that
// was closed, have their own errors there. The last error says that nothing was verified.
func (v *Verifier) VerifyMany(items []Item, threads int) ([]error, error) {
	if threads < 0 {
		return nil, fmt.Errorf("dualseal: %d threads", threads)
	}
	var l lent
	defer l.back()
	domain, ring, cache := use(&l, v.Domain.handle), use(&l, v.Ring.handle), maybe(&l, v.Cache.orNone())
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var batch *C.dualseal_signature_batch
	if err := check(C.dualseal_signature_batch_new(domain, ring, cache, &batch, &e), e); err != nil {
		return nil, err
	}
	defer C.dualseal_signature_batch_free(batch)
	verdicts := make([]error, len(items))
	pushed := make([]int, 0, len(items))
	for i, item := range items {
		if verdicts[i] = push(batch, item); verdicts[i] == nil {
			pushed = append(pushed, i)
		}
	}
	if err := check(C.dualseal_signature_batch_run(batch, C.size_t(threads), nil, nil, &e), e); err != nil {
		return nil, err
	}
	for at, i := range pushed {
		var e *C.dualseal_error
		verdicts[i] = check(C.dualseal_signature_batch_verdict(batch, C.size_t(at), nil, &e), e)
	}
	return verdicts, nil
}

func push(batch *C.dualseal_signature_batch, item Item) error {
	var l lent
	defer l.back()
	place := maybe(&l, item.Place.orNone())
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	text, n := sized(item.Record)
	status := C.dualseal_signature_batch_push(batch, item.Signer.c(), item.Hash.c(), text, n, place, &e)
	return check(status, e)
}
