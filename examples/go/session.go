package dualseal

// #include <dualseal_sharing.h>
import "C"

import (
	"encoding/json"
	"time"
)

// Founded is a new threshold session. Record, entry and head are stored together, or none of them; the entry's short
// handle ([EntryLine]) is pinned, and each share goes to its custodian alone.
type Founded struct {
	Record, Entry string
	Shares        []Secret
}

// Wipe overwrites the shares, which their custodians have by then.
func (f *Founded) Wipe() { wipe(f.Shares) }

// FoundSession founds one whose results anybody verifies, by the quorum's own key (ML-DSA-65), which is in the record
// and is added to a ring for identity. Owners are the custodians, in the order of their shares; any k of them sign.
func FoundSession(
	domain *Domain, founder ID, owners []ID, k uint8, identity ID, head *Head, at time.Time,
) (*Founded, error) {
	return found(domain, owners, head, func(f founding) C.dualseal_status {
		return C.dualseal_session_found_mldsa(f.domain, founder.c(), f.owners, f.n, C.uint32_t(k), identity.c(), f.head,
			millis(at), f.record, f.shares, f.entry, f.e)
	})
}

// FoundInnerSession founds one whose results k shares confirm and nobody else can (HMAC-SHA3-512).
func FoundInnerSession(
	domain *Domain, founder ID, owners []ID, k uint8, head *Head, at time.Time,
) (*Founded, error) {
	return found(domain, owners, head, func(f founding) C.dualseal_status {
		return C.dualseal_session_found_hmac(f.domain, founder.c(), f.owners, f.n, C.uint32_t(k), f.head, millis(at),
			f.record, f.shares, f.entry, f.e)
	})
}

// A founding is the arguments that both have.
type founding struct {
	domain                *C.dualseal_domain
	owners                **C.char
	n                     C.uint32_t
	head                  *C.dualseal_head
	record, shares, entry **C.char
	e                     **C.dualseal_error
}

func found(domain *Domain, owners []ID, head *Head, work func(founding) C.dualseal_status) (*Founded, error) {
	list, free, err := ids(owners)
	if err != nil {
		return nil, err
	}
	defer free()
	var l lent
	defer l.back()
	f := founding{domain: use(&l, domain), head: change(&l, head), owners: list, n: C.uint32_t(len(owners))}
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var record, shares, entry *C.char
	f.record, f.shares, f.entry, f.e = &record, &shares, &entry, &e
	if err := check(work(f), &e); err != nil {
		return nil, err
	}
	made := &Founded{Record: taken(record), Entry: taken(entry)}
	made.Shares, err = split(takenSecret(shares))
	return made, err
}

// Session is a threshold session as its chain says: in force.
type Session struct {
	*handle[*C.dualseal_session_in_force]
}

// WatchSession watches for a session's entries. Founder is the short handle of the founding's entry, as it was pinned.
func (r *Reader) WatchSession(session, founder ID) (Watched, error) {
	return r.watch(func(reader *C.dualseal_chain_reader, w *C.dualseal_watched, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_chain_reader_watch_session(reader, session.c(), founder.c(), nil, w, e)
	})
}

// Session is the session of these records: the founder's and those of the generations since. The ring is one that the
// caller trusts, and has the quorum's key. An inner session has no key, and needs no ring.
func (p *Proofs) Session(watched Watched, records []string, ring *Ring) (*Session, error) {
	var l lent
	defer l.back()
	r, proofs := use(&l, ring), use(&l, p)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var session *C.dualseal_session_in_force
	text, n := sizedBytes(list(records))
	status := C.dualseal_proofs_session(proofs, C.dualseal_watched(watched), text, n, r, &session, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return &Session{own(session, func(s *C.dualseal_session_in_force) { C.dualseal_session_in_force_free(s) })}, nil
}

// Result is what a quorum signed. Result, entry and head are stored together, or none of them. Misdealt are the indices
// of shares that hold and do not fit.
type Result struct {
	JSON, Entry string
	Misdealt    []int
}

// Sign signs a message with k shares or more. The ring says whether the quorum's key is the current one. Where too few
// shares are good, the error is an [*Error] with the Culprits, and nothing was appended.
func (s *Session) Sign(
	ring *Ring, message []byte, requester ID, shares []Secret, head *Head, at time.Time,
) (*Result, error) {
	return s.sign(ring, 0, message, requester, shares, head, at)
}

// SignWithoutRing asks no ring: what a key signs that was rotated or revoked is invalid for good. It is for an inner
// session, which has no key, and for whoever has no ring.
func (s *Session) SignWithoutRing(
	message []byte, requester ID, shares []Secret, head *Head, at time.Time,
) (*Result, error) {
	return s.sign(nil, 1, message, requester, shares, head, at)
}

func (s *Session) sign(
	ring *Ring, noRing C.int32_t, message []byte, requester ID, shares []Secret, head *Head, at time.Time,
) (*Result, error) {
	given := list(shares)
	defer clear(given)
	var l lent
	defer l.back()
	session, r, end := use(&l, s), use(&l, ring), change(&l, head)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var result, entry, misdealt *C.char
	bytes, n := raw(message)
	text, length := sizedBytes(given)
	status := C.dualseal_session_sign(session, r, noRing, bytes, n, requester.c(), text, length, end,
		millis(at), &result, &entry, &misdealt, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	made := &Result{JSON: taken(result), Entry: taken(entry)}
	return made, unread(json.Unmarshal([]byte(taken(misdealt)), &made.Misdealt))
}

// Verify verifies a result by the quorum's key in the ring, without any share: nil is Valid, and nothing else is. Place
// may be nil.
func (s *Session) Verify(ring *Ring, message []byte, result string, place *Place) error {
	var l lent
	defer l.back()
	session, r, at := use(&l, s), use(&l, ring), use(&l, place)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	bytes, n := raw(message)
	text, length := sized(result)
	return check(C.dualseal_session_verify(session, bytes, n, text, length, r, nil, at, nil, &e), &e)
}

// Confirm confirms a result of an inner session with k shares. That somebody made it who had k of them, who may be the
// caller, is all that its nil says: it is not Valid.
func (s *Session) Confirm(message []byte, result string, shares []Secret) error {
	given := list(shares)
	defer clear(given)
	var l lent
	defer l.back()
	session := use(&l, s)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	var faults *C.char
	bytes, n := raw(message)
	text, length := sized(result)
	these, theseLen := sizedBytes(given)
	status := C.dualseal_session_authenticate(session, bytes, n, text, length, these, theseLen, &faults, &e)
	_ = taken(faults)
	return confirmed(status, &e)
}

// confirmed is check of what gives no verdict, and so is never Valid.
func confirmed(status C.dualseal_status, e **C.dualseal_error) error {
	if status == C.DUALSEAL_STATUS_AUTHENTICATED {
		return nil
	}
	return check(status, e)
}

// Reached tells whether these shares are enough to sign, and how many it takes.
func (s *Session) Reached(shares []Secret) (enough bool, needed int, err error) {
	given := list(shares)
	defer clear(given)
	var l lent
	defer l.back()
	session := use(&l, s)
	if l.err != nil {
		return false, 0, l.err
	}
	var e *C.dualseal_error
	var quorum *C.char
	var n C.uint32_t
	var reached C.int32_t
	text, length := sizedBytes(given)
	err = check(C.dualseal_session_quorum(session, text, length, &n, &quorum, &reached, &e), &e)
	_ = taken(quorum)
	return reached == 1, int(n), err
}

// ShareFromAnswer makes a share of what a custodian answered who was asked for his, in any bytes: one that does not
// hold names him among the culprits.
func ShareFromAnswer(session, split, owner ID, index uint8, answer Secret) (Secret, error) {
	var e *C.dualseal_error
	var share *C.char
	bytes, n := raw(answer)
	status := C.dualseal_session_share_from_answer(session.c(), split.c(), owner.c(), C.uint32_t(index), bytes, n,
		&share, &e)
	err := check(status, &e)
	return takenSecret(share), err
}
