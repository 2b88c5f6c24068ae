package dualseal

// #include <dualseal_vault.h>
//
// extern int dualsealConsume(char *nonce, void *user);
import "C"

import (
	"runtime"
	"runtime/cgo"
	"time"
	"unsafe"
)

// PresenceKey is an Ed25519 key that proves presence, or shows a tier ([NewTierVault]).
type PresenceKey struct {
	private[*C.dualseal_ed25519_key]
}

// GeneratePresenceKey draws one.
func GeneratePresenceKey() (*PresenceKey, error) {
	return presenceKey(func(key **C.dualseal_ed25519_key, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_ed25519_key_generate(key, e)
	})
}

// NewPresenceKey makes the key of a seed of 32 bytes, which the caller overwrites.
func NewPresenceKey(seed Secret) (*PresenceKey, error) {
	bytes, n := raw(seed)
	return presenceKey(func(key **C.dualseal_ed25519_key, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_ed25519_key_from_seed(bytes, n, key, e)
	})
}

func presenceKey(work func(**C.dualseal_ed25519_key, **C.dualseal_error) C.dualseal_status) (*PresenceKey, error) {
	var key *C.dualseal_ed25519_key
	var e *C.dualseal_error
	if err := check(work(&key, &e), &e); err != nil {
		return nil, err
	}
	free := func(k *C.dualseal_ed25519_key) { C.dualseal_ed25519_key_free(k) }
	return &PresenceKey{private[*C.dualseal_ed25519_key]{own(key, free)}}, nil
}

// Seed is the key itself, 32 bytes, to be stored and wiped.
func (k *PresenceKey) Seed() (Secret, error) {
	var l lent
	defer l.back()
	key := use(&l, k)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	seed := make(Secret, C.DUALSEAL_SEED_BYTES)
	bytes, n := raw(seed)
	if err := check(C.dualseal_ed25519_key_seed(key, bytes, n, &e), &e); err != nil {
		return nil, err
	}
	return seed, nil
}

// PublicKey is the public half in hexadecimal, as it is enrolled.
func (k *PresenceKey) PublicKey() (string, error) {
	var l lent
	defer l.back()
	key := use(&l, k)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var out idText
	if err := check(C.dualseal_ed25519_key_public_key(key, out.c(), C.size_t(len(out)), &e), &e); err != nil {
		return "", err
	}
	id, err := out.id()
	return id.String(), err
}

// Prove answers the challenge of a request with this key.
func (k *PresenceKey) Prove(domain *Domain, request Request, expiry time.Time) (string, error) {
	var l lent
	defer l.back()
	d, key := use(&l, domain), use(&l, k)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var proof *C.char
	text, n := sized(request.JSON)
	err := check(C.dualseal_presence_proof_sign(d, text, n, request.Nonce.c(), millis(expiry), key, &proof, &e), &e)
	return taken(proof), err
}

// Gate asks for so many good proofs of presence, by different keys of those that are enrolled for the identity.
type Gate struct {
	Identity ID
	Enrolled []string
	Needed   uint8
	Expiry   time.Time
}

// Consume marks a nonce as used, in one step that nobody can come between, and returns whether it was unused until
// then; one that always returns true lets every proof be used again. It is called last, once, and only when all else is
// good, on a goroutine of its own. A panic in it keeps the gate shut, and goes on once the library has returned.
type Consume func(nonce string) (unused bool)

// Presence is a gate, what was brought to open it, and when.
type Presence struct {
	Gate
	Proofs  []string
	Consume Consume
	Now     time.Time
}

// Held is what a node has.
type Held struct {
	Shard Secret
	// InForce is the splitting in force, as the operator told the node.
	InForce ID
	// NoChain goes without InForce, where no chain tells of splittings.
	NoChain bool
}

// ReleaseShard says whether a node lets its shard go: the one call that it makes before it answers a request. Recipient
// is the public key of who asks, as the node pinned it and the channel authenticated it, never what the request says of
// itself.
func ReleaseShard(domain *Domain, held Held, request Request, recipient []byte, by Presence) error {
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return l.err
	}
	shard, shardLen := sizedBytes(held.Shard)
	question, questionLen := sized(request.JSON)
	key, keyLen := raw(recipient)
	return by.opens(request, func(gate *C.dualseal_presence, user unsafe.Pointer, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_shard_release(d, shard, shardLen, question, questionLen, key, keyLen, orNil(held.InForce),
			flag(held.NoChain), gate, C.dualseal_consume(C.dualsealConsume), user, millis(by.Now), e)
	})
}

// opens has work ask the gate, with the proofs that were brought.
func (p Presence) opens(
	request Request, work func(*C.dualseal_presence, unsafe.Pointer, **C.dualseal_error) C.dualseal_status,
) error {
	if p.Consume == nil {
		return leftOut("consume")
	}
	keys, free, err := names("public_keys", p.Enrolled)
	if err != nil {
		return err
	}
	defer free()
	var e *C.dualseal_error
	var presence *C.dualseal_presence
	text, n := sizedBytes(list(p.Proofs))
	status := C.dualseal_presence_new(p.Identity.c(), keys, C.size_t(len(p.Enrolled)), text, n, request.Nonce.c(),
		millis(p.Expiry), C.uint32_t(p.Needed), &presence, &e)
	if err := check(status, &e); err != nil {
		return err
	}
	defer C.dualseal_presence_free(presence)
	asked := &consumer{consume: p.Consume}
	// The library is given the place of the handle, since a handle is a number and no pointer.
	handle := cgo.NewHandle(asked)
	defer handle.Delete()
	err = check(work(presence, unsafe.Pointer(&handle), &e), &e)
	switch {
	case asked.panicked != nil:
		panic(asked.panicked)
	case asked.ended:
		runtime.Goexit()
	}
	return err
}

type consumer struct {
	consume  Consume
	panicked any
	// It ended its goroutine, as t.Fatal does.
	ended bool
}
