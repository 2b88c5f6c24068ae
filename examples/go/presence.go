package dualseal

// #include <dualseal_vault.h>
//
// extern int dualsealConsume(char *nonce, void *user);
import "C"

import (
	"encoding/json"
	"runtime/cgo"
	"time"
	"unsafe"
)

// PresenceKey is an Ed25519 key that proves presence.
type PresenceKey struct {
	private[*C.dualseal_ed25519_key]
}

// GeneratePresenceKey draws one.
func GeneratePresenceKey() (*PresenceKey, error) {
	var key *C.dualseal_ed25519_key
	var e *C.dualseal_error
	if err := check(C.dualseal_ed25519_key_generate(&key, &e), &e); err != nil {
		return nil, err
	}
	free := func(k *C.dualseal_ed25519_key) { C.dualseal_ed25519_key_free(k) }
	return &PresenceKey{private[*C.dualseal_ed25519_key]{own(key, free)}}, nil
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

// Request is what the nodes and the gate are asked, and the nonce of its challenge.
type Request struct {
	JSON  string
	Nonce ID
}

// RequestRebuild asks for the shards of a record, of a splitting that no chain tells of, for a recipient by the key
// that the nodes pinned.
func (v *Vault) RequestRebuild(identity ID, shards []Secret, recipient []byte) (Request, error) {
	var l lent
	defer l.back()
	master := use(&l, &v.master)
	if l.err != nil {
		return Request{}, l.err
	}
	var one struct {
		VaultID ID `json:"vault_id"`
		SplitID ID `json:"split_id"`
		ShardID ID `json:"shard_id"`
	}
	var of []ID
	for _, shard := range shards {
		if err := json.Unmarshal(shard, &one); err != nil {
			return Request{}, err
		}
		of = append(of, one.ShardID)
	}
	wanted, free, err := ids(of)
	if err != nil {
		return Request{}, err
	}
	defer free()
	var e *C.dualseal_error
	var rebuilding *C.dualseal_rebuilding
	key, n := raw(recipient)
	status := C.dualseal_rebuilding_new(master, one.VaultID.c(), identity.c(), nil, 1, key, n, &rebuilding, &e)
	if err := check(status, &e); err != nil {
		return Request{}, err
	}
	defer C.dualseal_rebuilding_free(rebuilding)
	var out *C.char
	var nonce idText
	status = C.dualseal_rebuilding_request(rebuilding, C.DUALSEAL_OPERATION_REBUILD, one.SplitID.c(), wanted,
		C.uint32_t(len(of)), 0, 0, nil, 0, &out, nonce.c(), C.size_t(len(nonce)), &e)
	if err := check(status, &e); err != nil {
		return Request{}, err
	}
	id, err := nonce.id()
	return Request{JSON: taken(out), Nonce: id}, err
}

// Gate asks for so many good proofs of presence, by different keys of those that are enrolled for the identity.
type Gate struct {
	Identity ID
	Enrolled []string
	Needed   uint8
	Expiry   time.Time
}

// ReleaseShard says whether a node lets its shard go: the one call that it makes before it answers a request. Consume
// marks the nonce as used, in one step that nobody can come between, and returns whether it was unused until then; one
// that always returns true lets every proof be used again. It is called last, once, and only when all else is good. A
// panic in it keeps the gate shut, and goes on once the library has returned.
func ReleaseShard(
	domain *Domain, shard Secret, request Request, recipient []byte, gate Gate, proofs []string,
	consume func(nonce string) bool, now time.Time,
) error {
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return l.err
	}
	keys, free, err := names(gate.Enrolled)
	if err != nil {
		return err
	}
	defer free()
	var e *C.dualseal_error
	var presence *C.dualseal_presence
	text, n := sizedBytes(list(proofs))
	status := C.dualseal_presence_new(gate.Identity.c(), keys, C.size_t(len(gate.Enrolled)), text, n, request.Nonce.c(),
		millis(gate.Expiry), C.uint32_t(gate.Needed), &presence, &e)
	if err := check(status, &e); err != nil {
		return err
	}
	defer C.dualseal_presence_free(presence)
	asked := &consumer{consume: consume}
	// The library is given the place of the handle, since a handle is a number and no pointer.
	handle := cgo.NewHandle(asked)
	defer handle.Delete()
	held, heldLen := sizedBytes(shard)
	question, questionLen := sized(request.JSON)
	key, keyLen := raw(recipient)
	status = C.dualseal_shard_release(d, held, heldLen, question, questionLen, key, keyLen, nil, 1, presence,
		C.dualseal_consume(C.dualsealConsume), unsafe.Pointer(&handle), millis(now), &e)
	if asked.panicked != nil {
		C.dualseal_error_free(e)
		panic(asked.panicked)
	}
	return check(status, &e)
}

type consumer struct {
	consume  func(nonce string) bool
	panicked any
}
