package dualseal

// #include <dualseal_vault.h>
import "C"

import (
	"encoding/json"
	"time"
)

// ShardName is what a shard says of itself: of which record and splitting it is, its own identifier, and its number.
type ShardName struct {
	Vault ID    `json:"vault_id"`
	Split ID    `json:"split_id"`
	Shard ID    `json:"shard_id"`
	Index uint8 `json:"indeks"`
}

// Splitting is one that was prepared and does not count yet. Each node pulls its own shard, and keeps the one that it
// had beside it; when they hold theirs, it is committed. One that is lost is prepared again.
type Splitting struct {
	private[*C.dualseal_preparation]
	Shards []Secret
	Names  []ShardName
}

// Close gives the preparation back, after which it cannot be committed, and overwrites the shards, which their nodes
// have by then.
func (s *Splitting) Close() error {
	wipe(s.Shards)
	return s.private.Close()
}

// Split prepares shards of a record's secret, of which any m rebuild it behind proofs of presence, for nodes of these
// labels. Previous is the splitting in force, and the zero ID for a record's first.
func (v *Vault) Split(sealed *Sealed, previous ID, m uint8, nodes []string) (*Splitting, error) {
	if sealed == nil {
		return nil, leftOut("sealed")
	}
	var l lent
	defer l.back()
	master, secret := masterOf(&l, v), use(&l, sealed.Secret)
	if l.err != nil {
		return nil, l.err
	}
	labels, free, err := names("nodes", nodes)
	if err != nil {
		return nil, err
	}
	defer free()
	record, n := sizedBytes(sealed.Stored)
	var e *C.dualseal_error
	var dealt *C.char
	var made *C.dualseal_preparation
	status := C.dualseal_shard_prepare(master, record, n, orNil(previous), C.uint32_t(m), labels,
		C.uint32_t(len(nodes)), secret, &dealt, &made, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return ownSplitting(made, dealt)
}

func ownSplitting(made *C.dualseal_preparation, dealt *C.char) (*Splitting, error) {
	free := func(p *C.dualseal_preparation) { C.dualseal_preparation_free(p) }
	s := &Splitting{private: private[*C.dualseal_preparation]{own(made, free)}}
	var err error
	if s.Shards, err = split(takenSecret(dealt)); err != nil {
		return nil, err
	}
	s.Names = make([]ShardName, len(s.Shards))
	for i, shard := range s.Shards {
		if err := unread(json.Unmarshal(shard, &s.Names[i])); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Commit brings a splitting into force, by its entry at the head of the caller's own chain, which it returns: before it
// is stored the old shards rebuild, after that the new ones do. Held are the shards of which a node, which the caller
// authenticated, said that it holds them: all of them, or least, at least m, where that is not 0. Watched is what
// [Reader.WatchOwnSplits] watched for, by a reader that read up to that head and gave the proofs. [StaleSplit] says
// that another was committed since.
func (s *Splitting) Commit(
	held []ID, least uint8, proofs *Proofs, watched Watched, head *Head, at time.Time,
) (string, error) {
	shards, free, err := ids(held)
	if err != nil {
		return "", err
	}
	defer free()
	var l lent
	defer l.back()
	prepared, read, end := change(&l, s), use(&l, proofs), change(&l, head)
	if l.err != nil {
		return "", l.err
	}
	var e *C.dualseal_error
	var entry *C.char
	status := C.dualseal_preparation_commit(prepared, shards, C.uint32_t(len(held)), C.uint32_t(least), read,
		C.dualseal_watched(watched), end, millis(at), &entry, &e)
	err = check(status, &e)
	return taken(entry), err
}

// WatchSplits watches for the splittings of a record's secret below the checkpoint: what rebuilding and letting shards
// go are by. Record is its vault_id ([ShardName]), and identity whose it is.
func (r *Reader) WatchSplits(vault *Vault, record, identity ID) (Watched, error) {
	var l lent
	defer l.back()
	master := masterOf(&l, vault)
	if l.err != nil {
		return 0, l.err
	}
	return r.watch(func(reader *C.dualseal_chain_reader, w *C.dualseal_watched, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_chain_reader_watch_splits(reader, master, record.c(), identity.c(), nil, w, e)
	})
}

// WatchOwnSplits does the same up to the caller's own head, by which a splitting is committed.
func (r *Reader) WatchOwnSplits(vault *Vault, record, identity ID) (Watched, error) {
	var l lent
	defer l.back()
	master := masterOf(&l, vault)
	if l.err != nil {
		return 0, l.err
	}
	return r.watch(func(reader *C.dualseal_chain_reader, w *C.dualseal_watched, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_chain_reader_watch_own_splits(reader, master, record.c(), identity.c(), w, e)
	})
}

// SplitInForce is the splitting in force below a checkpoint.
type SplitInForce struct {
	*handle[*C.dualseal_split_in_force]
}

// Splits is the splitting in force, and what the chain tells of all of them, as JSON, which it also tells where none
// is.
func (p *Proofs) Splits(watched Watched) (*SplitInForce, json.RawMessage, error) {
	var l lent
	defer l.back()
	proofs := use(&l, p)
	if l.err != nil {
		return nil, nil, l.err
	}
	var e *C.dualseal_error
	var found *C.dualseal_split_in_force
	var told *C.char
	err := check(C.dualseal_proofs_splits(proofs, C.dualseal_watched(watched), &found, &told, &e), &e)
	all := json.RawMessage(taken(told))
	if err != nil {
		return nil, all, err
	}
	free := func(f *C.dualseal_split_in_force) { C.dualseal_split_in_force_free(f) }
	return &SplitInForce{own(found, free)}, all, nil
}
