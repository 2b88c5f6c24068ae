package dualseal

// #include <dualseal_vault.h>
//
// extern int dualsealConsume(char *nonce, void *user);
import "C"

import "unsafe"

// Rebuilding rebuilds the secret of one record from m of its shards.
type Rebuilding struct {
	private[*C.dualseal_rebuilding]
}

// Rebuilding is of a record by its vault_id ([ShardName]), and of whose it is. Only the splitting in force rebuilds it.
// Recipient is the caller's public key, by which the nodes know him.
func (v *Vault) Rebuilding(record, identity ID, split *SplitInForce, recipient []byte) (*Rebuilding, error) {
	return v.rebuilding(record, identity, split, 0, recipient)
}

// RebuildingWithoutChain is one where no chain tells which splitting is in force: any rebuilds.
func (v *Vault) RebuildingWithoutChain(record, identity ID, recipient []byte) (*Rebuilding, error) {
	return v.rebuilding(record, identity, nil, 1, recipient)
}

func (v *Vault) rebuilding(
	record, identity ID, split *SplitInForce, noChain C.int32_t, recipient []byte,
) (*Rebuilding, error) {
	var l lent
	defer l.back()
	master, inForce := masterOf(&l, v), use(&l, split)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var made *C.dualseal_rebuilding
	key, n := raw(recipient)
	status := C.dualseal_rebuilding_new(master, record.c(), identity.c(), inForce, noChain, key, n, &made, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	free := func(r *C.dualseal_rebuilding) { C.dualseal_rebuilding_free(r) }
	return &Rebuilding{private[*C.dualseal_rebuilding]{own(made, free)}}, nil
}

// Request is what the nodes and the gate are asked, and the nonce of its challenge. A proof is made for one request,
// and fits no other.
type Request struct {
	JSON  string
	Nonce ID
}

// Request asks for these shards of a splitting, of which any m will do, to rebuild the secret.
func (r *Rebuilding) Request(split ID, shards []ID) (Request, error) {
	return r.request(C.DUALSEAL_OPERATION_REBUILD, split, shards, 0, 0, nil)
}

func (r *Rebuilding) request(
	operation C.dualseal_operation, split ID, shards []ID, lost, m uint8, nodes []string,
) (Request, error) {
	wanted, free, err := ids(shards)
	if err != nil {
		return Request{}, err
	}
	defer free()
	labels, freeLabels, err := names("nodes", nodes)
	if err != nil {
		return Request{}, err
	}
	defer freeLabels()
	var l lent
	defer l.back()
	rebuilding := use(&l, r)
	if l.err != nil {
		return Request{}, l.err
	}
	var e *C.dualseal_error
	var out *C.char
	var nonce idText
	status := C.dualseal_rebuilding_request(rebuilding, operation, split.c(), wanted, C.uint32_t(len(shards)),
		C.uint32_t(lost), C.uint32_t(m), labels, C.uint32_t(len(nodes)), &out, nonce.c(), C.size_t(len(nonce)), &e)
	if err := check(status, &e); err != nil {
		return Request{}, err
	}
	id, err := nonce.id()
	return Request{JSON: taken(out), Nonce: id}, err
}

// Rebuild rebuilds the secret from m or more of the shards that the request names, as [Vault.ShardFromAnswer] made them
// of what nodes answered, and gives the numbers of those that were bad. Where there are too few good ones, the error is
// an [*Error] with the Culprits. The gate is asked as a node's is ([ReleaseShard]).
func (r *Rebuilding) Rebuild(request Request, shards []Secret, by Presence) (*SharedSecret, []int, error) {
	var secret *C.dualseal_secret
	var faults *C.char
	err := r.behind(request, shards, by, func(b behind, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_rebuilding_rebuild(b.rebuilding, b.request, b.requestLen, b.shards, b.shardsLen, b.gate,
			C.dualseal_consume(C.dualsealConsume), b.user, millis(by.Now), &secret, &faults, e)
	})
	if err != nil {
		return nil, nil, err
	}
	wrong, err := bad(faults)
	return ownSecret(secret), wrong, err
}

// What the operations behind a gate have in common.
type behind struct {
	rebuilding            *C.dualseal_rebuilding
	request, shards       *C.char
	requestLen, shardsLen C.size_t
	gate                  *C.dualseal_presence
	user                  unsafe.Pointer
}

func (r *Rebuilding) behind(
	request Request, shards []Secret, by Presence, work func(behind, **C.dualseal_error) C.dualseal_status,
) error {
	given := list(shards)
	defer clear(given)
	var l lent
	defer l.back()
	b := behind{rebuilding: use(&l, r)}
	if l.err != nil {
		return l.err
	}
	b.request, b.requestLen = sized(request.JSON)
	b.shards, b.shardsLen = sizedBytes(given)
	return by.opens(request, func(gate *C.dualseal_presence, user unsafe.Pointer, e **C.dualseal_error) C.dualseal_status {
		b.gate, b.user = gate, user
		return work(b, e)
	})
}

// ShardFromAnswer makes a shard of what a node answered that was asked for its, in any bytes: one that does not hold
// names that node among the culprits, and blocks none of the others.
func (v *Vault) ShardFromAnswer(identity ID, asked ShardName, answer Secret) (Secret, error) {
	var l lent
	defer l.back()
	master := masterOf(&l, v)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var shard *C.char
	bytes, n := raw(answer)
	status := C.dualseal_shard_from_answer(master, identity.c(), asked.Shard.c(), C.uint32_t(asked.Index), bytes, n,
		&shard, nil, &e)
	err := check(status, &e)
	return takenSecret(shard), err
}
