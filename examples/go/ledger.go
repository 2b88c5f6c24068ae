package dualseal

// #include <dualseal_vault.h>
import "C"

import (
	"encoding/json"
	"io"
)

// Ledger is where a ledger of vault records ends. What seals moves it on: its holder stores it with the record, or
// neither.
type Ledger struct {
	*handle[*C.dualseal_ledger_head]
}

// GenerateLedger is the head of a new ledger, whose name is drawn.
func GenerateLedger() (*Ledger, error) {
	return ledger(func(made **C.dualseal_ledger_head, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_ledger_head_generate(made, e)
	})
}

// LedgerAfter is the head after a record: what the next one is verified with, or sealed at.
func LedgerAfter(record []byte) (*Ledger, error) {
	text, n := sizedBytes(record)
	return ledger(func(made **C.dualseal_ledger_head, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_vault_record_ledger_head(text, n, made, e)
	})
}

func ledger(work func(**C.dualseal_ledger_head, **C.dualseal_error) C.dualseal_status) (*Ledger, error) {
	var made *C.dualseal_ledger_head
	var e *C.dualseal_error
	if err := check(work(&made, &e), &e); err != nil {
		return nil, err
	}
	return &Ledger{own(made, func(l *C.dualseal_ledger_head) { C.dualseal_ledger_head_free(l) })}, nil
}

// LedgerParts are what a ledger's head consists of: the ledger's name, the number of its records, and L0 of the last
// one.
type LedgerParts struct {
	Ledger ID     `json:"ledger_id"`
	Size   uint64 `json:"size"`
	Top    ID     `json:"top"`
}

// Resume is the head of these parts, which were stored. Nothing is checked: a wrong head forks the ledger.
func (p LedgerParts) Resume() (*Ledger, error) {
	if p.Ledger == (ID{}) {
		return nil, told(C.DUALSEAL_STATUS_ALL_ZERO, "ledger_id", "a ledger without a name")
	}
	return ledger(func(made **C.dualseal_ledger_head, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_ledger_head_new(p.Ledger.c(), C.uint64_t(p.Size), p.Top.c(), made, e)
	})
}

// Parts are what is stored of a head.
func (h *Ledger) Parts() (parts LedgerParts, err error) {
	var l lent
	defer l.back()
	head := use(&l, h)
	if l.err != nil {
		return LedgerParts{}, l.err
	}
	return partsOf(head)
}

func partsOf(head *C.dualseal_ledger_head) (parts LedgerParts, err error) {
	var e *C.dualseal_error
	var name, top idText
	var size C.uint64_t
	status := C.dualseal_ledger_head_parts(head, name.c(), C.size_t(len(name)), &size, top.c(), C.size_t(len(top)), &e)
	if err := check(status, &e); err != nil {
		return LedgerParts{}, err
	}
	parts.Size = uint64(size)
	if parts.Ledger, err = name.id(); err != nil {
		return LedgerParts{}, err
	}
	parts.Top, err = top.id()
	return parts, err
}

// WatchLedger watches for where the records of a ledger stand. Only entries count whose tag the vault made for their
// place: anybody who may write to the log can write others.
func (r *Reader) WatchLedger(ledger ID, vault *Vault) (Watched, error) {
	if vault == nil {
		return 0, leftOut("vault")
	}
	var l lent
	defer l.back()
	master := masterOf(&l, vault)
	if l.err != nil {
		return 0, l.err
	}
	return r.watchLedger(ledger, master)
}

// WatchLedgerUnverified does the same for whoever is not the operator, and cannot tell the records' entries from what
// others wrote.
func (r *Reader) WatchLedgerUnverified(ledger ID) (Watched, error) { return r.watchLedger(ledger, nil) }

func (r *Reader) watchLedger(ledger ID, master *C.dualseal_vault_master) (Watched, error) {
	return r.watch(func(reader *C.dualseal_chain_reader, w *C.dualseal_watched, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_chain_reader_watch_ledger(reader, ledger.c(), master, nil, w, e)
	})
}

// LedgerPlaces are where the records of a ledger stand in a chain.
type LedgerPlaces struct {
	*handle[*C.dualseal_located_ledger]
}

// Ledger is where the records stand that were watched for. Two entries for one place of the ledger are a
// [LedgerFork].
func (p *Proofs) Ledger(watched Watched) (*LedgerPlaces, error) {
	var l lent
	defer l.back()
	proofs := use(&l, p)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var found *C.dualseal_located_ledger
	if err := check(C.dualseal_proofs_ledger(proofs, C.dualseal_watched(watched), &found, nil, &e), &e); err != nil {
		return nil, err
	}
	return &LedgerPlaces{own(found, func(f *C.dualseal_located_ledger) { C.dualseal_located_ledger_free(f) })}, nil
}

// Place is that of a record's entry, without a proof that travels.
func (p *LedgerPlaces) Place(record []byte) (*Place, error) {
	var l lent
	defer l.back()
	places := use(&l, p)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var place *C.dualseal_located
	text, n := sizedBytes(record)
	if err := check(C.dualseal_located_ledger_locate(places, text, n, &place, &e), &e); err != nil {
		return nil, err
	}
	return ownPlace(place, ""), nil
}

// LedgerCheck checks the records of a ledger, one after another.
type LedgerCheck struct {
	*handle[*C.dualseal_ledger_check]
}

// CheckLedger begins before the first record of a ledger whose records stand at these places.
func (v *Verifier) CheckLedger(policy *VaultPolicy, ledger ID, places *LedgerPlaces) (*LedgerCheck, error) {
	if places == nil {
		return nil, leftOut("places")
	}
	return v.checkLedger(policy, ledger, places)
}

// CheckLedgerAlone does the same without a chain: nothing tells of records that are missing at the end. A vault's own
// policy takes no record so.
func (v *Verifier) CheckLedgerAlone(policy *VaultPolicy, ledger ID) (*LedgerCheck, error) {
	return v.checkLedger(policy, ledger, nil)
}

func (v *Verifier) checkLedger(policy *VaultPolicy, ledger ID, places *LedgerPlaces) (*LedgerCheck, error) {
	var l lent
	defer l.back()
	domain, asked, ring := use(&l, v.Domain), use(&l, policy), use(&l, v.Ring)
	cache, located := use(&l, v.Cache), use(&l, places)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var made *C.dualseal_ledger_check
	status := C.dualseal_ledger_check_new(domain, ring, cache, asked, ledger.c(), located, &made, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	return &LedgerCheck{own(made, func(c *C.dualseal_ledger_check) { C.dualseal_ledger_check_free(c) })}, nil
}

// Push takes the next record with the hash of its stored bytes. An [*Error] says that the ledger does not hold, with
// the place as its Index and the layer, where one caught it, as its Field; the check then takes nothing more. Else the
// record holds at its place, and the error is its verdict: its key may have been revoked since.
func (c *LedgerCheck) Push(record []byte, stored *StoredHash) error {
	var l lent
	defer l.back()
	hash, running := use(&l, stored), change(&l, c)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	text, n := sizedBytes(record)
	return check(C.dualseal_ledger_check_push(running, text, n, hash, nil, &e), &e)
}

// LedgerSummary is what a ledger consists of that was checked to its end. Unverified is of entries of the chain that
// name it and are of none of its records: without the master nobody can tell whether a record is missing.
type LedgerSummary struct {
	Head                              *Ledger
	Valid, Revoked, Suspended, Decoys uint64
	Unverified                        json.RawMessage
}

// Finish ends the ledger, and the check, whatever comes of it.
func (c *LedgerCheck) Finish() (*LedgerSummary, error) {
	var l lent
	defer l.back()
	running := change(&l, c)
	if l.err != nil {
		return nil, l.err
	}
	var valid, revoked, suspended, decoys C.uint64_t
	var unverified *C.char
	head, err := ledger(func(made **C.dualseal_ledger_head, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_ledger_check_finish(running, made, &valid, &revoked, &suspended, &decoys, &unverified, e)
	})
	if err != nil {
		return nil, err
	}
	return &LedgerSummary{head, uint64(valid), uint64(revoked), uint64(suspended), uint64(decoys),
		json.RawMessage(taken(unverified))}, nil
}

// StoredHash is the hash of a vault record's stored bytes.
type StoredHash struct {
	*handle[*C.dualseal_stored_hash]
}

// HashStored reads stored bytes to their end.
func HashStored(domain *Domain, stored io.Reader) (*StoredHash, error) {
	made, err := storedHash(domain)
	if err != nil {
		return nil, err
	}
	err = parts(stored, func(part []byte) error {
		var e *C.dualseal_error
		bytes, n := raw(part)
		return check(C.dualseal_stored_hash_update(made.pointer, bytes, n, &e), &e)
	})
	if err != nil {
		_ = made.Close()
		return nil, err
	}
	return made, nil
}

func storedHash(domain *Domain) (*StoredHash, error) {
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var hash *C.dualseal_stored_hash
	if err := check(C.dualseal_stored_hash_new(d, nil, &hash, &e), &e); err != nil {
		return nil, err
	}
	return &StoredHash{own(hash, func(h *C.dualseal_stored_hash) { C.dualseal_stored_hash_free(h) })}, nil
}
