package dualseal

// #include <dualseal_vault.h>
import "C"

import (
	"io"
	"time"
)

// Vault is what seals and splits for one identity: the operator's master and a sealer. Its ledger and the chain's head
// are given to each call, and stored with what it makes, or none of them.
type Vault struct {
	master private[*C.dualseal_vault_master]
	sealer private[*C.dualseal_vault_sealer]
}

// NewVault takes the master's 32 bytes, which the caller overwrites. The signer's ring is asked now: no vault is kept
// past a change of it.
func NewVault(signer *Signer, master Secret) (*Vault, error) {
	domain, doneDomain, err := signer.Domain.borrow()
	if err != nil {
		return nil, err
	}
	defer doneDomain()
	key, doneKey, err := signer.Key.borrow()
	if err != nil {
		return nil, err
	}
	defer doneKey()
	ring, noRing, doneRing, err := signer.ring()
	if err != nil {
		return nil, err
	}
	defer doneRing()
	var e *C.dualseal_error
	var m *C.dualseal_vault_master
	var s *C.dualseal_vault_sealer
	bytes, n := raw(master)
	if err := check(C.dualseal_vault_master_from_secret(domain, bytes, n, &m, &e), e); err != nil {
		return nil, err
	}
	made := own(m, func(m *C.dualseal_vault_master) { C.dualseal_vault_master_free(m) })
	status := C.dualseal_vault_sealer_new(m, signer.Identity.c(), key, ring, noRing, C.DUALSEAL_TIER_PUBLIC, nil, &s, &e)
	if err := check(status, e); err != nil {
		_ = made.Close()
		return nil, err
	}
	sealer := own(s, func(s *C.dualseal_vault_sealer) { C.dualseal_vault_sealer_free(s) })
	return &Vault{private[*C.dualseal_vault_master]{made}, private[*C.dualseal_vault_sealer]{sealer}}, nil
}

// Close overwrites the master and the keys.
func (v *Vault) Close() error {
	_ = v.sealer.Close()
	return v.master.Close()
}

// Ledger is where a ledger ends.
type Ledger struct {
	*handle[*C.dualseal_ledger_head]
}

// GenerateLedger is the head of a new ledger.
func GenerateLedger() (*Ledger, error) {
	var ledger *C.dualseal_ledger_head
	var e *C.dualseal_error
	if err := check(C.dualseal_ledger_head_generate(&ledger, &e), e); err != nil {
		return nil, err
	}
	return &Ledger{own(ledger, func(l *C.dualseal_ledger_head) { C.dualseal_ledger_head_free(l) })}, nil
}

// Sealed is a new record. Stored is for the store alone, since it has the record's fragment; Redacted is what leaves
// it.
type Sealed struct {
	Stored   Secret
	Redacted string
	Entry    string
	Secret   *SharedSecret
}

// Seal encrypts and seals what source gives, of any size, as a record of this kind, and writes the bytes to be stored
// to sink. They are worth nothing unless it returns nil.
func (v *Vault) Seal(
	kind string, sink io.Writer, source io.Reader, ledger *Ledger, head *Head, at time.Time,
) (*Sealed, error) {
	sealer, done, err := v.sealer.borrow()
	if err != nil {
		return nil, err
	}
	defer done()
	text, err := named(kind)
	if err != nil {
		return nil, err
	}
	var sealing *C.dualseal_sealing
	err = written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_sealing_new(sealer, text, C.DUALSEAL_ENCRYPTION_STREAM, &sealing, out, n, e)
	})
	defer func() { C.dualseal_sealing_free(sealing) }()
	if err != nil {
		return nil, err
	}
	err = parts(source, func(part []byte) error {
		bytes, length := raw(part)
		return written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
			return C.dualseal_sealing_update(sealing, bytes, length, out, n, e)
		})
	})
	if err != nil {
		return nil, err
	}
	l, doneLedger, err := ledger.alone()
	if err != nil {
		return nil, err
	}
	defer doneLedger()
	h, doneHead, err := head.alone()
	if err != nil {
		return nil, err
	}
	defer doneHead()
	var sealed *C.dualseal_sealed
	err = written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
		note, noteLen := sized("")
		return C.dualseal_sealing_finish(sealing, l, h, note, noteLen, millis(at), &sealed, out, n, e)
	})
	defer C.dualseal_sealed_free(sealed)
	if err != nil {
		return nil, err
	}
	return sealedParts(sealed)
}

func sealedParts(sealed *C.dualseal_sealed) (*Sealed, error) {
	var e *C.dualseal_error
	var record, entry, redacted *C.char
	var secret *C.dualseal_secret
	if err := check(C.dualseal_sealed_parts(sealed, &record, &entry, &secret, nil, 0, &e), e); err != nil {
		return nil, err
	}
	made := &Sealed{Stored: Secret(taken(record)), Entry: taken(entry), Secret: ownSecret(secret)}
	text, n := sizedSecret(made.Stored)
	err := check(C.dualseal_vault_record_redact(text, n, &redacted, &e), e)
	made.Redacted = taken(redacted)
	return made, err
}

// Split prepares the shards of a record's secret, of which any m rebuild it behind proofs of presence, for nodes of
// these labels. Each shard goes to its node.
func (v *Vault) Split(sealed *Sealed, m uint8, nodes []string) ([]Secret, error) {
	master, done, err := v.master.borrow()
	if err != nil {
		return nil, err
	}
	defer done()
	secret, doneSecret, err := sealed.Secret.borrow()
	if err != nil {
		return nil, err
	}
	defer doneSecret()
	labels, free, err := names(nodes)
	if err != nil {
		return nil, err
	}
	defer free()
	var e *C.dualseal_error
	var list *C.char
	var preparation *C.dualseal_preparation
	record, n := sizedSecret(sealed.Stored)
	status := C.dualseal_shard_prepare(master, record, n, nil, C.uint32_t(m), labels, C.uint32_t(len(nodes)), secret,
		&list, &preparation, &e)
	defer C.dualseal_preparation_free(preparation)
	if err := check(status, e); err != nil {
		return nil, err
	}
	return split(taken(list))
}
