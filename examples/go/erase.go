package dualseal

// #include <dualseal_vault.h>
import "C"

import "time"

// Erased is the record of an erasure, in the place of a record's next one: it is stored as every record is, with Bytes
// beside it, which say what was erased. End is the entry after the record's, to be stored with it, after which nothing
// continues the erased record's splittings; it is empty where no chain tells of them, and where one ended them before.
type Erased struct {
	*Sealed
	Bytes []byte
	End   string
}

// Erase records that an encrypted record of this vault was erased. The report on it is Valid under the vault's own
// policy, or Revoked or Suspended with no layer that fails: whoever put another record in its place would choose what
// is destroyed. Watched is what [Reader.WatchOwnSplits] watched for, by a reader that read up to this head and gave the
// proofs; never are the splittings that were prepared and never committed. Ledger and head move on; the caller destroys
// the secret and the shards.
func (v *Vault) Erase(
	report *VaultReport, proofs *Proofs, watched Watched, never []ID, ledger *Ledger, head *Head, at time.Time,
) (*Erased, error) {
	return v.erase(report, proofs, watched, 0, never, ledger, head, at)
}

// EraseWithoutChain does the same where no splitting of the record was ever committed to a chain: all are all that
// there are.
func (v *Vault) EraseWithoutChain(
	report *VaultReport, all []ID, ledger *Ledger, head *Head, at time.Time,
) (*Erased, error) {
	return v.erase(report, nil, 0, 1, all, ledger, head, at)
}

func (v *Vault) erase(
	report *VaultReport, proofs *Proofs, watched Watched, noChain C.int32_t, splits []ID, ledger *Ledger, head *Head,
	at time.Time,
) (*Erased, error) {
	named, free, err := ids(splits)
	if err != nil {
		return nil, err
	}
	defer free()
	var l lent
	defer l.back()
	sealer, on, read := sealerOf(&l, v), use(&l, report), use(&l, proofs)
	if l.err != nil {
		return nil, l.err
	}
	made := new(Erased)
	err = step(ledger, head, func(ends *C.dualseal_ledger_head, end *C.dualseal_head) error {
		var e *C.dualseal_error
		var sealed *C.dualseal_sealed
		var stored *C.uint8_t
		var storedLen C.size_t
		var last *C.char
		note, noteLen := sized("")
		status := C.dualseal_vault_sealer_erase(sealer, on, read, C.dualseal_watched(watched), noChain, named,
			C.size_t(len(splits)), ends, end, note, noteLen, millis(at), &sealed, &stored, &storedLen, &last, &e)
		if err := check(status, &e); err != nil {
			return err
		}
		defer C.dualseal_sealed_free(sealed)
		made.Bytes, made.End = takenBytes(stored, storedLen), taken(last)
		made.Sealed, err = sealedParts(sealed)
		return err
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// Covers tells whether an erasure counts for a record, which is an encrypted one of the same ledger and identity. The
// report is one on the erasure's record that is Valid, under either policy, place the proven one of its entry, and
// erased its stored bytes.
func (r *VaultReport) Covers(place *Place, erased []byte, record []byte) (bool, error) {
	var l lent
	defer l.back()
	at, report := use(&l, place), use(&l, r)
	if l.err != nil {
		return false, l.err
	}
	var e *C.dualseal_error
	var covers C.int32_t
	bytes, length := raw(erased)
	text, n := sizedBytes(record)
	err := check(C.dualseal_vault_erasure_covers(report, at, bytes, length, text, n, &covers, &e), &e)
	return covers == 1, err
}
