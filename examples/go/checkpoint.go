package dualseal

// #include <dualseal.h>
import "C"

import "time"

// A Mark is what a log signs of itself: its size, root and ring. It is written where a restored backup does not take it
// back, before the checkpoint is signed.
type Mark string

// FirstMark is that of a log that never had a checkpoint. The ring is the log's own. Nothing is compared with anything:
// whoever makes a first mark twice can sign a fork.
func FirstMark(origin string, head *Head, ring *Ring) (Mark, error) {
	return firstMark(origin, head, ring, false)
}

// FirstMarkWithoutRing is that of a log that has no ring.
func FirstMarkWithoutRing(origin string, head *Head) (Mark, error) {
	return firstMark(origin, head, nil, true)
}

func firstMark(origin string, head *Head, ring *Ring, noRing bool) (Mark, error) {
	name, err := named("origin", origin)
	if err != nil {
		return "", err
	}
	var l lent
	defer l.back()
	r, end := use(&l, ring), use(&l, head)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var out *C.char
	err = check(C.dualseal_mark_first(name, end, r, flag(noRing), &out, &e), &e)
	return Mark(taken(out)), err
}

// Next is the mark of a chain that goes on from this one, as the proofs of a reader under its checkpoint show.
func (m Mark) Next(proofs *Proofs, ring *Ring) (Mark, error) {
	return m.next(proofs, ring, false)
}

// NextWithoutRing is that of a log that has no ring.
func (m Mark) NextWithoutRing(proofs *Proofs) (Mark, error) { return m.next(proofs, nil, true) }

func (m Mark) next(proofs *Proofs, ring *Ring, noRing bool) (Mark, error) {
	var l lent
	defer l.back()
	r, proven := use(&l, ring), use(&l, proofs)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var out *C.char
	text, n := sized(string(m))
	err := check(C.dualseal_mark_next(text, n, proven, r, flag(noRing), &out, &e), &e)
	return Mark(taken(out)), err
}

// SignCheckpoint signs what a mark says, for the log whose signer this is. NoteKey is the Ed25519 public key of the
// log's notes, in hexadecimal, or empty.
func (s *Signer) SignCheckpoint(mark Mark, noteKey string, at time.Time) (string, error) {
	var note *C.char
	if noteKey != "" {
		var err error
		if note, err = named("note_key", noteKey); err != nil {
			return "", err
		}
	}
	var l lent
	defer l.back()
	domain, key, ring := use(&l, s.Domain), use(&l, s.Key), use(&l, s.Ring)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var out *C.char
	text, n := sized(string(mark))
	status := C.dualseal_checkpoint_sign(domain, s.Identity.c(), key, ring, flag(s.NoRing), note, text, n, millis(at),
		&out, &e)
	err := check(status, &e)
	return taken(out), err
}

// Checkpoint is one that was verified.
type Checkpoint struct {
	*handle[*C.dualseal_checkpoint]
}

// Pins is what is known of a log beforehand.
type Pins struct {
	Origin   string
	Identity ID
	// Key is the hash of its key.
	Key ID
	// LeastSize is that of the last checkpoint that was seen: a smaller one is an old one.
	LeastSize uint64
	// Ring has the state of the log's key.
	Ring *Ring
	// NoRing goes with a nil Ring, and is refused beside one: whether the key was called back nobody asks then.
	NoRing bool
}

// Verify verifies a checkpoint by what is pinned: the error is nil for Valid alone.
func (p Pins) Verify(domain *Domain, checkpoint string) (*Checkpoint, error) {
	origin, err := named("origin", p.Origin)
	if err != nil {
		return nil, err
	}
	var l lent
	defer l.back()
	d, ring := use(&l, domain), use(&l, p.Ring)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var verified *C.dualseal_checkpoint
	text, n := sized(checkpoint)
	status := C.dualseal_checkpoint_verify(d, origin, p.Identity.c(), p.Key.c(), C.uint64_t(p.LeastSize), ring,
		flag(p.NoRing), nil, text, n, &verified, nil, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return &Checkpoint{own(verified, func(c *C.dualseal_checkpoint) { C.dualseal_checkpoint_free(c) })}, nil
}

// Mark is what was signed: the mark of a log whose last checkpoint this is.
func (c *Checkpoint) Mark() (Mark, error) {
	var l lent
	defer l.back()
	checkpoint := use(&l, c)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var out *C.char
	err := check(C.dualseal_checkpoint_mark(checkpoint, &out, &e), &e)
	return Mark(taken(out)), err
}

// LogFingerprint is what people compare: of the log that a checkpoint says it is of. It verifies nothing.
func LogFingerprint(domain *Domain, checkpoint string) (ID, error) {
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return ID{}, l.err
	}
	var e *C.dualseal_error
	var out idText
	text, n := sized(checkpoint)
	if err := check(C.dualseal_checkpoint_fingerprint(d, text, n, out.c(), C.size_t(len(out)), &e), &e); err != nil {
		return ID{}, err
	}
	return out.id()
}

// Consistency is what two checkpoints of one log say of each other.
type Consistency int32

// What they may say.
const (
	Equal Consistency = C.DUALSEAL_CONSISTENCY_EQUAL
	// Grown is a chain that went on, as only the chain shows.
	Grown Consistency = C.DUALSEAL_CONSISTENCY_GROWN
	// Fork is proof that the log signed two chains.
	Fork Consistency = C.DUALSEAL_CONSISTENCY_FORK
	// SizesDiffer says nothing without the chain.
	SizesDiffer Consistency = C.DUALSEAL_CONSISTENCY_SIZES_DIFFER
	// Contradiction is one chain of which the log states two things.
	Contradiction Consistency = C.DUALSEAL_CONSISTENCY_CONTRADICTION
)

// Compare compares two checkpoints without the chain.
func (c *Checkpoint) Compare(other *Checkpoint) (Consistency, error) {
	var l lent
	defer l.back()
	first, second := both(&l, c, other)
	if l.err != nil {
		return 0, l.err
	}
	var e *C.dualseal_error
	var found C.dualseal_consistency
	err := check(C.dualseal_checkpoint_compare(first, second, &found, &e), &e)
	return Consistency(found), err
}

// Consistency is what two checkpoints say that were watched for.
func (p *Proofs) Consistency(watched Watched) (Consistency, error) {
	var l lent
	defer l.back()
	proofs := use(&l, p)
	if l.err != nil {
		return 0, l.err
	}
	var e *C.dualseal_error
	var found C.dualseal_consistency
	err := check(C.dualseal_proofs_consistency(proofs, C.dualseal_watched(watched), &found, &e), &e)
	return Consistency(found), err
}
