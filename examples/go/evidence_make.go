package dualseal

// #include <dualseal.h>
import "C"

import "crypto/mldsa"

// Exhibit is what evidence is made of, by whoever has the log: a record, and where its entry and the ring's stand.
type Exhibit struct {
	Domain *Domain
	// Name is what the domain was made of. Where its constants were set by hand it is empty, and the verifier has to know
	// the domain.
	Name string
	// Record is a signature record, a redacted vault record ([Sealed.Redacted]), or what docs/FORMAT.md says of a dual
	// seal and of a quorum.
	Record string
	// Key is that of a vault record, which lacks it, and else nil.
	Key *mldsa.PublicKey
	// Ring is the log's, as the checkpoint states it.
	Ring *Ring
	// Place is that of the record's entry, and RingPlace that of the ring's ([Proofs.RingPlace]).
	Place, RingPlace *Place
	// Note is the log's signed note with what its witnesses added, or empty.
	Note string
}

// Evidence makes the file. What nobody could verify is not given out; whether the record holds over its document the
// verifier says ([OpenEvidence]).
func (x *Exhibit) Evidence() (string, error) {
	var name, note *C.char
	var noteLen C.size_t
	if x.Name != "" {
		var err error
		if name, err = named("domain_name", x.Name); err != nil {
			return "", err
		}
	}
	if x.Note != "" {
		note, noteLen = sized(x.Note)
	}
	key, keyLen := perhaps(x.Key)
	var l lent
	defer l.back()
	domain, ring := use(&l, x.Domain), use(&l, x.Ring)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var out *C.char
	record, n := sized(x.Record)
	place, placeLen := x.Place.proof()
	ringPlace, ringLen := x.RingPlace.proof()
	status := C.dualseal_evidence_make(domain, name, record, n, key, keyLen, ring, place, placeLen, ringPlace, ringLen,
		note, noteLen, &out, &e)
	err := check(status, &e)
	return taken(out), err
}
