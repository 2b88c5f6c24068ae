package dualseal

// #include <dualseal.h>
import "C"

import (
	"crypto/mldsa"
	"time"
)

// Ring holds the keys that a verification goes by: one that was pinned, one that was published, or the log's own,
// which a [RingKey] vouches for and which can be changed.
type Ring struct{ *handle[*C.dualseal_ring] }

func ownRing(ring *C.dualseal_ring) *Ring {
	return &Ring{own(ring, func(r *C.dualseal_ring) { C.dualseal_ring_free(r) })}
}

// PinnedRing is the ring of one key, which its owner handed over and the caller trusts.
func PinnedRing(identity ID, key *mldsa.PublicKey) (*Ring, error) {
	var ring *C.dualseal_ring
	var e *C.dualseal_error
	bytes, n := given(key)
	if err := check(C.dualseal_ring_new_pinned(identity.c(), bytes, n, &ring, &e), &e); err != nil {
		return nil, err
	}
	return ownRing(ring), nil
}

// RingKey is the secret that vouches for the rings of a log, where their file is kept.
type RingKey struct {
	private[*C.dualseal_ring_key]
}

// GenerateRingKey draws one.
func GenerateRingKey(domain *Domain) (*RingKey, error) {
	return ringKey(domain, func(d *C.dualseal_domain, k **C.dualseal_ring_key, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_ring_key_generate(d, k, e)
	})
}

// NewRingKey makes one of 32 bytes, which the caller overwrites.
func NewRingKey(domain *Domain, secret Secret) (*RingKey, error) {
	bytes, n := raw(secret)
	return ringKey(domain, func(d *C.dualseal_domain, k **C.dualseal_ring_key, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_ring_key_from_secret(d, bytes, n, k, e)
	})
}

func ringKey(
	domain *Domain, work func(*C.dualseal_domain, **C.dualseal_ring_key, **C.dualseal_error) C.dualseal_status,
) (*RingKey, error) {
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return nil, l.err
	}
	var key *C.dualseal_ring_key
	var e *C.dualseal_error
	if err := check(work(d, &key, &e), &e); err != nil {
		return nil, err
	}
	free := func(k *C.dualseal_ring_key) { C.dualseal_ring_key_free(k) }
	return &RingKey{private[*C.dualseal_ring_key]{own(key, free)}}, nil
}

// Secret is the key itself, 32 bytes, to be stored where rings are not, and wiped.
func (k *RingKey) Secret() (Secret, error) {
	var l lent
	defer l.back()
	key := use(&l, k)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	secret := make(Secret, C.DUALSEAL_RING_KEY_BYTES)
	bytes, n := raw(secret)
	if err := check(C.dualseal_ring_key_secret(key, bytes, n, &e), &e); err != nil {
		return nil, err
	}
	return secret, nil
}

// NewRing is the empty ring of a log of this name.
func NewRing(origin string, key *RingKey) (*Ring, error) {
	name, err := named("origin", origin)
	if err != nil {
		return nil, err
	}
	var l lent
	defer l.back()
	vouches := use(&l, key)
	if l.err != nil {
		return nil, l.err
	}
	var ring *C.dualseal_ring
	var e *C.dualseal_error
	if err := check(C.dualseal_ring_new(name, vouches, &ring, &e), &e); err != nil {
		return nil, err
	}
	return ownRing(ring), nil
}

// PublicRing reads the form in which a ring leaves its operator, and which the checkpoint states.
func PublicRing(published string, under *Checkpoint) (*Ring, error) {
	return publicRing(published, under, 0)
}

// UnattestedRing takes one that no checkpoint states: whoever handed it over can have written in it what he likes.
func UnattestedRing(published string) (*Ring, error) { return publicRing(published, nil, 1) }

func publicRing(published string, under *Checkpoint, unattested C.int32_t) (*Ring, error) {
	var l lent
	defer l.back()
	checkpoint := use(&l, under)
	if l.err != nil {
		return nil, l.err
	}
	var ring *C.dualseal_ring
	var e *C.dualseal_error
	text, n := sized(published)
	status := C.dualseal_ring_from_public_json(text, n, checkpoint, unattested, &ring, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return ownRing(ring), nil
}

// KeyState is what a ring says of a key.
type KeyState int32

// The states of a key.
const (
	KeyValid   KeyState = C.DUALSEAL_KEY_STATE_VALID
	KeyRevoked KeyState = C.DUALSEAL_KEY_STATE_REVOKED
	// KeyDecoy authorises nothing, and who signs with it gets the verdict [Decoy].
	KeyDecoy     KeyState = C.DUALSEAL_KEY_STATE_DECOY
	KeySuspended KeyState = C.DUALSEAL_KEY_STATE_SUSPENDED
)

// changed is one change of the ring, with its entry at the head. Ring, head and entry are stored together, or none.
func (r *Ring) changed(
	head *Head, work func(*C.dualseal_ring, *C.dualseal_head, **C.char, **C.dualseal_error) C.dualseal_status,
) (string, error) {
	var l lent
	defer l.back()
	ring, end := change(&l, r), change(&l, head)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var entry *C.char
	err := check(work(ring, end, &entry, &e), &e)
	return taken(entry), err
}

// Add gives an identity its first key, which is valid, and returns the entry that says so. As with every change, ring,
// head and entry are stored together, or none of them; a ring that was not followed to the head is refused.
func (r *Ring) Add(identity ID, key *mldsa.PublicKey, head *Head, at time.Time) (string, error) {
	bytes, n := given(key)
	return r.changed(head, func(
		ring *C.dualseal_ring, end *C.dualseal_head, entry **C.char, e **C.dualseal_error,
	) C.dualseal_status {
		return C.dualseal_ring_add(ring, identity.c(), bytes, n, end, millis(at), entry, e)
	})
}

// Rotate puts a new key in place of the identity's current one, which is retired and keeps its state.
func (r *Ring) Rotate(identity ID, key *mldsa.PublicKey, head *Head, at time.Time) (string, error) {
	bytes, n := given(key)
	return r.changed(head, func(
		ring *C.dualseal_ring, end *C.dualseal_head, entry **C.char, e **C.dualseal_error,
	) C.dualseal_status {
		return C.dualseal_ring_rotate(ring, identity.c(), bytes, n, end, millis(at), entry, e)
	})
}

// SetState sets the state of the one of the identity's keys that has this hash ([KeyHash]).
func (r *Ring) SetState(identity, key ID, state KeyState, head *Head, at time.Time) (string, error) {
	return r.setState(identity, key.c(), state, nil, head, at)
}

// SetCurrentState sets the state of the identity's current key, whichever that is.
func (r *Ring) SetCurrentState(identity ID, state KeyState, head *Head, at time.Time) (string, error) {
	return r.setState(identity, nil, state, nil, head, at)
}

// RevokeFrom revokes the key of this hash, which counts as compromised from this position of the chain on.
func (r *Ring) RevokeFrom(identity, key ID, from uint64, head *Head, at time.Time) (string, error) {
	compromised := C.uint64_t(from)
	return r.setState(identity, key.c(), KeyRevoked, &compromised, head, at)
}

func (r *Ring) setState(
	identity ID, key *C.char, state KeyState, from *C.uint64_t, head *Head, at time.Time,
) (string, error) {
	return r.changed(head, func(
		ring *C.dualseal_ring, end *C.dualseal_head, entry **C.char, e **C.dualseal_error,
	) C.dualseal_status {
		return C.dualseal_ring_set_state(ring, identity.c(), key, C.dualseal_key_state(state), from, end, millis(at), entry,
			e)
	})
}

// AddDecoy adds the trap of a vault record, by the record's own entry, which is the chain's next one.
func (r *Ring) AddDecoy(key *mldsa.PublicKey, entry string) error {
	var l lent
	defer l.back()
	ring := change(&l, r)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	bytes, n := given(key)
	text, length := sized(entry)
	return check(C.dualseal_ring_add_decoy(ring, bytes, n, text, length, &e), &e)
}

// Follow takes the ring past the chain's next entry, a line ([EntryLine]), which is no change of its own. Vaults are
// all that have records in the log, or [NoVaults]. [RingRollback] says that the ring was changed elsewhere, or lacks a
// vault record's decoy, and is to be read again.
func (r *Ring) Follow(line string, vaults []*Vault) error {
	var l lent
	defer l.back()
	ring := change(&l, r)
	all, count := masters(&l, vaults)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	text, n := sized(line)
	return check(C.dualseal_ring_follow(ring, text, n, all, count, &e), &e)
}

// Stored is the ring's file, for the operator alone, at a head that it was followed to. [Reader.WatchRing] reads it.
func (r *Ring) Stored(head *Head) (Secret, error) {
	var l lent
	defer l.back()
	ring, end := use(&l, r), use(&l, head)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var out *C.char
	err := check(C.dualseal_ring_to_stored_json(ring, end, &out, &e), &e)
	return takenSecret(out), err
}

// Published is the only form in which a ring leaves its operator: without its decoys.
func (r *Ring) Published() (string, error) {
	var l lent
	defer l.back()
	ring := use(&l, r)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var out *C.char
	err := check(C.dualseal_ring_to_public_json(ring, &out, &e), &e)
	return taken(out), err
}
