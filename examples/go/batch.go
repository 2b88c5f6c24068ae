package dualseal

// #include <dualseal.h>
import "C"

// Item is one record of many: whose it must be, the hash of its content for that signer, and the place of its entry,
// or nil.
type Item struct {
	Signer, Hash ID
	Record       string
	Place        *Place
}

// VerifyMany verifies many records on so many threads; 0 are as many as the machine runs at once. Each item has its
// verdict in its place of the list: nil is Valid, and nothing else is. A record that cannot be read, and a place that
// was closed, have their own errors there. The last error says that nothing was verified; each place has it, too.
func (v *Verifier) VerifyMany(items []Item, threads int) ([]error, error) {
	return v.all(items, threads, nil)
}

// ExplainMany is [Verifier.VerifyMany], and says why: of each verdict, of Valid too, there is a finding in its place of
// the first list, and nil of what has no verdict.
func (v *Verifier) ExplainMany(items []Item, threads int) ([]*Finding, []error, error) {
	findings := make([]*Finding, len(items))
	verdicts, err := v.all(items, threads, findings)
	return findings, verdicts, err
}

// all asks for findings where there is a list for them.
func (v *Verifier) all(items []Item, threads int, findings []*Finding) ([]error, error) {
	verdicts := make([]error, len(items))
	err := v.verifyMany(items, threads, findings, verdicts)
	if err != nil {
		for i := range verdicts {
			verdicts[i] = err
		}
	}
	return verdicts, err
}

func (v *Verifier) verifyMany(items []Item, threads int, findings []*Finding, verdicts []error) error {
	var l lent
	defer l.back()
	domain, ring, cache := use(&l, v.Domain), use(&l, v.Ring), use(&l, v.Cache)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	var batch *C.dualseal_signature_batch
	if err := check(C.dualseal_signature_batch_new(domain, ring, cache, &batch, &e), &e); err != nil {
		return err
	}
	defer C.dualseal_signature_batch_free(batch)
	pushed := make([]int, 0, len(items))
	for i, item := range items {
		if verdicts[i] = push(batch, item); verdicts[i] == nil {
			pushed = append(pushed, i)
		}
	}
	if err := check(C.dualseal_signature_batch_run(batch, C.size_t(threads), nil, nil, &e), &e); err != nil {
		return err
	}
	for at, i := range pushed {
		var e *C.dualseal_error
		if findings == nil {
			verdicts[i] = check(C.dualseal_signature_batch_verdict(batch, C.size_t(at), nil, &e), &e)
			continue
		}
		var verdict *C.dualseal_verdict
		err := check(C.dualseal_signature_batch_verdict(batch, C.size_t(at), &verdict, &e), &e)
		findings[i], verdicts[i] = concluded(err, verdict)
	}
	return nil
}

func push(batch *C.dualseal_signature_batch, item Item) error {
	var l lent
	defer l.back()
	place := use(&l, item.Place)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	text, n := sized(item.Record)
	status := C.dualseal_signature_batch_push(batch, item.Signer.c(), item.Hash.c(), text, n, place, &e)
	return check(status, &e)
}
