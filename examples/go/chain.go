package dualseal

// #include <dualseal.h>
import "C"

// A Reader walks past a chain once: it is told what to watch for, is given the lines, and ends in [Proofs]. What it
// watches for has a number, which is worth nothing with the proofs of another reader.
type Reader struct {
	*handle[*C.dualseal_chain_reader]
}

func ownReader(reader *C.dualseal_chain_reader) *Reader {
	return &Reader{own(reader, func(r *C.dualseal_chain_reader) { C.dualseal_chain_reader_free(r) })}
}

// Watched is what a reader watches for.
type Watched uint64

// Walk says where a reader begins and what must hold of the chain.
type Walk struct {
	// Begin is a head that the caller stored where nobody else writes; of nil a reader begins at the first entry.
	Begin *Head
	// Under is a checkpoint that the chain must agree with. Nothing beyond it is proven to others.
	Under *Checkpoint
	// NoCheckpoint goes with a nil Under, and is refused beside one: it is for whoever appends to the chain. A ring that
	// is read so no checkpoint was held against.
	NoCheckpoint bool
	// Own is the head that the caller appends to, where the chain must end. It may be nil: then the chain may go on
	// beyond what was read.
	Own *Head
}

// NewReader begins a walk.
func NewReader(domain *Domain, walk Walk) (*Reader, error) {
	var l lent
	defer l.back()
	d, under := use(&l, domain), use(&l, walk.Under)
	begin, ends := both(&l, walk.Begin, walk.Own)
	if l.err != nil {
		return nil, l.err
	}
	var reader *C.dualseal_chain_reader
	var e *C.dualseal_error
	status := C.dualseal_chain_reader_new(d, begin, under, flag(walk.NoCheckpoint), ends, &reader, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return ownReader(reader), nil
}

// NewRingReader begins where the chain ended when a ring file was written, and ends at the own head: what a change of
// the ring needs.
func NewRingReader(domain *Domain, file Secret, ends *Head) (*Reader, error) {
	var l lent
	defer l.back()
	d, end := use(&l, domain), use(&l, ends)
	if l.err != nil {
		return nil, l.err
	}
	var reader *C.dualseal_chain_reader
	var e *C.dualseal_error
	text, n := sizedBytes(file)
	if err := check(C.dualseal_chain_reader_from_ring_file(d, text, n, end, &reader, &e), &e); err != nil {
		return nil, err
	}
	return ownReader(reader), nil
}

// Push takes the chain's next line. Of a broken chain the error's Index is the first bad entry.
func (r *Reader) Push(line string) error {
	var l lent
	defer l.back()
	reader := change(&l, r)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	text, n := sized(line)
	return check(C.dualseal_chain_reader_push(reader, text, n, &e), &e)
}

// WatchPlaces watches for the entries with these short handles, and for the one by which the log's ring became what the
// checkpoint states.
func (r *Reader) WatchPlaces(handles ...ID) (Watched, error) {
	list, free, err := ids(handles)
	if err != nil {
		return 0, err
	}
	defer free()
	return r.watch(func(reader *C.dualseal_chain_reader, w *C.dualseal_watched, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_chain_reader_watch_places(reader, list, C.size_t(len(handles)), w, e)
	})
}

// WatchRing watches for the changes of a ring file's ring. Vaults are all that have records in the log, or [NoVaults]:
// without one of them a file that lacks a decoy of its records passes.
func (r *Reader) WatchRing(file Secret, key *RingKey, vaults []*Vault) (Watched, error) {
	var l lent
	defer l.back()
	vouches := use(&l, key)
	all, count := masters(&l, vaults)
	if l.err != nil {
		return 0, l.err
	}
	text, n := sizedBytes(file)
	return r.watch(func(reader *C.dualseal_chain_reader, w *C.dualseal_watched, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_chain_reader_watch_ring(reader, text, n, vouches, all, count, w, e)
	})
}

// WatchConsistency watches for what two checkpoints of one log say of each other, with the chain of the larger one.
func (r *Reader) WatchConsistency(first, second *Checkpoint) (Watched, error) {
	var l lent
	defer l.back()
	one, other := both(&l, first, second)
	if l.err != nil {
		return 0, l.err
	}
	return r.watch(func(reader *C.dualseal_chain_reader, w *C.dualseal_watched, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_chain_reader_watch_consistency(reader, one, other, w, e)
	})
}

func (r *Reader) watch(
	work func(*C.dualseal_chain_reader, *C.dualseal_watched, **C.dualseal_error) C.dualseal_status,
) (Watched, error) {
	var l lent
	defer l.back()
	reader := change(&l, r)
	if l.err != nil {
		return 0, l.err
	}
	var e *C.dualseal_error
	var watched C.dualseal_watched
	err := check(work(reader, &watched, &e), &e)
	return Watched(watched), err
}

// Proofs is what a reader proved.
type Proofs struct {
	*handle[*C.dualseal_proofs]
	// Head is where all that was read ended, nil of a reader that began at a ring file, and Signed where the checkpoint
	// did, nil without one. A later reader begins there.
	Head, Signed *Head
}

// Finish ends the chain, and the reader whatever comes of it. A fault of the chain is told here; that of what one thing
// was watched for, where its proof is asked for.
func (r *Reader) Finish() (*Proofs, error) {
	var l lent
	defer l.back()
	reader := change(&l, r)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var proofs *C.dualseal_proofs
	var signed, end *C.dualseal_head
	if err := check(C.dualseal_chain_reader_finish(reader, &proofs, &signed, &end, &e), &e); err != nil {
		return nil, err
	}
	made := &Proofs{handle: own(proofs, func(p *C.dualseal_proofs) { C.dualseal_proofs_free(p) })}
	if end != nil {
		made.Head = ownHead(end)
	}
	if signed != nil {
		made.Signed = ownHead(signed)
	}
	return made, nil
}

// Place shows that an entry stands in a log. Proof is the same for others, who do not have the chain.
type Place struct {
	*handle[*C.dualseal_located]
	Proof string
}

func ownPlace(place *C.dualseal_located, proof string) *Place {
	return &Place{own(place, func(p *C.dualseal_located) { C.dualseal_located_free(p) }), proof}
}

// proof is NULL of nil, as [use] has it.
func (p *Place) proof() (*C.char, C.size_t) {
	if p == nil {
		return nil, 0
	}
	return sized(p.Proof)
}

// Place is the proof of the entry with this short handle, below the size of the checkpoint.
func (p *Proofs) Place(watched Watched, krunica ID) (*Place, error) {
	return p.place(watched, krunica.c(), 0)
}

// RingPlace is that of the entry by which the ring became what the checkpoint states.
func (p *Proofs) RingPlace(watched Watched) (*Place, error) { return p.place(watched, nil, 1) }

func (p *Proofs) place(watched Watched, krunica *C.char, ofRing C.int32_t) (*Place, error) {
	var l lent
	defer l.back()
	proofs := use(&l, p)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var place *C.dualseal_located
	var proof *C.char
	status := C.dualseal_proofs_place(proofs, C.dualseal_watched(watched), krunica, ofRing, &place, &proof, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return ownPlace(place, taken(proof)), nil
}

// VerifyPlace verifies a proof that somebody else made, under the checkpoint that came with it.
func VerifyPlace(under *Checkpoint, proof string) (*Place, error) {
	var l lent
	defer l.back()
	checkpoint := use(&l, under)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var place *C.dualseal_located
	text, n := sized(proof)
	if err := check(C.dualseal_place_proof_verify(checkpoint, text, n, &place, &e), &e); err != nil {
		return nil, err
	}
	return ownPlace(place, proof), nil
}

// Ring is the ring of a file, compared with what the chain says, once: it is the caller's to change. [RingRollback] is
// a file that is old.
func (p *Proofs) Ring(watched Watched) (*Ring, error) {
	var l lent
	defer l.back()
	proofs := change(&l, p)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var ring *C.dualseal_ring
	if err := check(C.dualseal_proofs_ring(proofs, C.dualseal_watched(watched), &ring, nil, &e), &e); err != nil {
		return nil, err
	}
	return ownRing(ring), nil
}
