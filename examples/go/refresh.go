package dualseal

// #include <dualseal_sharing.h>
import "C"

import (
	"encoding/json"
	"time"
)

// Prepared is a generation of a session that does not count yet. Each share goes to its custodian with the record; he
// keeps the one that he had until the new one is in force. Bad are the indices of the old shares that did not hold.
type Prepared struct {
	Record string
	Shares []Secret
	Bad    []int
}

// Wipe overwrites the shares, which their custodians have by then.
func (p *Prepared) Wipe() { wipe(p.Shares) }

// Prepare deals the session's secret anew, by k old shares or more, to these custodians, in the order of their shares.
// With 0 for k both k and n stay what they are, so that no slip lowers them. What it prepared stays in the session, in
// memory, until it is committed; one that is lost is prepared again. It protects only while fewer than k shares of
// every earlier set survive.
func (s *Session) Prepare(shares []Secret, owners []ID, k uint8, at time.Time) (*Prepared, error) {
	given := list(shares)
	defer clear(given)
	named, free, err := ids(owners)
	if err != nil {
		return nil, err
	}
	defer free()
	var l lent
	defer l.back()
	session := use(&l, s)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var record, dealt, faults *C.char
	text, n := sizedBytes(given)
	status := C.dualseal_session_prepare(session, text, n, named, C.uint32_t(len(owners)), C.uint32_t(k), millis(at),
		&record, &dealt, &faults, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	made := &Prepared{Record: taken(record)}
	if made.Shares, err = split(takenSecret(dealt)); err != nil {
		return nil, err
	}
	made.Bad, err = bad(faults)
	return made, err
}

// Acknowledgement is what a custodian said whose new share arrived and holds: whom the channel authenticated, by the
// index of the share that was sent to him, and the split and the commitment to his share, as he found them.
type Acknowledgement struct {
	Index      uint8
	Split      ID
	Commitment string
}

// MarshalJSON is the pair that the library reads.
func (a Acknowledgement) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{a.Index, map[string]any{"split_id": a.Split, "udio_sidra": a.Commitment}})
}

// Continued is a generation that came into force. Record, entry and head are stored together, or none of them.
type Continued struct{ Record, Entry string }

// Commit brings what was prepared into force, by its entry at the head of the caller's own chain. Watched is of this
// session, by a reader that read up to that head and gave the proofs; the records and the ring are those of
// [Proofs.Session]. Needed is how many custodians must have acknowledged, at least k; 0 stands for all. [TooFewSaid]
// says that too few did, and [StaleGeneration] that another generation is in force by now.
func (s *Session) Commit(
	proofs *Proofs, watched Watched, records []string, ring *Ring, said []Acknowledgement, needed uint8, requester ID,
	head *Head,
) (*Continued, error) {
	told, err := json.Marshal(append([]Acknowledgement{}, said...))
	if err != nil {
		return nil, err
	}
	var l lent
	defer l.back()
	session, r, read, end := use(&l, s), use(&l, ring), use(&l, proofs), change(&l, head)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var record, entry *C.char
	before, beforeLen := sizedBytes(list(records))
	text, n := sizedBytes(told)
	status := C.dualseal_session_commit(session, read, C.dualseal_watched(watched), before, beforeLen, r, text, n,
		C.uint32_t(needed), requester.c(), end, &record, &entry, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return &Continued{Record: taken(record), Entry: taken(entry)}, nil
}

// Repair makes the lost share of this index again from k others, for its custodian, and gives the indices of those that
// did not hold.
func (s *Session) Repair(shares []Secret, lost uint8, owner ID) (Secret, []int, error) {
	given := list(shares)
	defer clear(given)
	var l lent
	defer l.back()
	session := use(&l, s)
	if l.err != nil {
		return nil, nil, l.err
	}
	var e *C.dualseal_error
	var share, faults *C.char
	text, n := sizedBytes(given)
	status := C.dualseal_session_repair(session, text, n, C.uint32_t(lost), owner.c(), &share, &faults, &e)
	if err := check(status, &e); err != nil {
		return nil, nil, err
	}
	made := takenSecret(share)
	wrong, err := bad(faults)
	return made, wrong, err
}

// Record is the record in force and the position of its entry. Of an inner session that was continued the chain alone
// does not tell it, and ok is false.
func (s *Session) Record() (record string, seq uint64, ok bool, err error) {
	var l lent
	defer l.back()
	session := use(&l, s)
	if l.err != nil {
		return "", 0, false, l.err
	}
	var e *C.dualseal_error
	var text *C.char
	var at C.uint64_t
	if err := check(C.dualseal_session_in_force_record(session, &text, &at, nil, nil, &e), &e); err != nil {
		return "", 0, false, err
	}
	ok = text != nil
	return taken(text), uint64(at), ok, nil
}
