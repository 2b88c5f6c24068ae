package dualseal

// #include <dualseal_sharing.h>
import "C"

import "crypto/mldsa"

// PinnedSession is a session that was pinned by hand, where no chain is at hand. Its key is never that of a record
// which came with a result: a member of the ring could name himself there, and sign alone.
type PinnedSession struct {
	Domain *Domain
	// Session is its identifier, and Identity whose key the quorum's is in a ring.
	Session, Identity ID
	Key               *mldsa.PublicKey
}

// Verify verifies a result by the quorum's key in the ring, without any share: nil is Valid, and nothing else is. Place
// may be nil.
func (s PinnedSession) Verify(ring *Ring, message []byte, result string, place *Place) error {
	key, keyLen := given(s.Key)
	var l lent
	defer l.back()
	domain, r, at := use(&l, s.Domain), use(&l, ring), use(&l, place)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	bytes, n := raw(message)
	text, length := sized(result)
	return check(C.dualseal_session_verify_pinned(domain, s.Session.c(), s.Identity.c(), key, keyLen, bytes, n, text,
		length, r, nil, at, nil, &e), &e)
}
