package dualseal

// #include <dualseal_vault.h>
import "C"

import (
	"crypto/mldsa"
	"io"
	"time"
)

// Vault is what seals and splits for one identity: the operator's master and a sealer. Its ledger and the chain's head
// are given to each call, and stored with what it makes, or none of them.
type Vault struct {
	master private[*C.dualseal_vault_master]
	sealer private[*C.dualseal_vault_sealer]
}

// GenerateMaster draws a vault's master, 32 bytes, to be stored where neither records nor backups are, and wiped.
func GenerateMaster(domain *Domain) (Secret, error) {
	var l lent
	defer l.back()
	d := use(&l, domain)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var drawn *C.dualseal_vault_master
	if err := check(C.dualseal_vault_master_generate(d, &drawn, &e), &e); err != nil {
		return nil, err
	}
	defer C.dualseal_vault_master_free(drawn)
	master := make(Secret, C.DUALSEAL_SEED_BYTES)
	bytes, n := raw(master)
	if err := check(C.dualseal_vault_master_secret(drawn, bytes, n, &e), &e); err != nil {
		return nil, err
	}
	return master, nil
}

// NewVault takes the master's 32 bytes, which the caller overwrites, and seals at [TierPublic]. The signer's ring is
// asked now: no vault is kept past a change of it.
func NewVault(signer *Signer, master Secret) (*Vault, error) {
	return newVault(signer, master, TierPublic, nil)
}

// NewTierVault does the same at a tier above public, which the key shows: records of it pass under a policy that
// enrolled its public half ([VaultPolicy.Enrol]).
func NewTierVault(signer *Signer, master Secret, tier Tier, shows *PresenceKey) (*Vault, error) {
	if shows == nil {
		return nil, leftOut("tier_key")
	}
	return newVault(signer, master, tier, shows)
}

func newVault(signer *Signer, master Secret, tier Tier, shows *PresenceKey) (*Vault, error) {
	var l lent
	defer l.back()
	if signer == nil {
		return nil, leftOut("signer")
	}
	domain, key, ring, tierKey := use(&l, signer.Domain), use(&l, signer.Key), use(&l, signer.Ring), use(&l, shows)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var m *C.dualseal_vault_master
	var s *C.dualseal_vault_sealer
	bytes, n := raw(master)
	if err := check(C.dualseal_vault_master_from_secret(domain, bytes, n, &m, &e), &e); err != nil {
		return nil, err
	}
	made := own(m, func(m *C.dualseal_vault_master) { C.dualseal_vault_master_free(m) })
	status := C.dualseal_vault_sealer_new(m, signer.Identity.c(), key, ring, flag(signer.NoRing), C.dualseal_tier(tier),
		tierKey, &s, &e)
	if err := check(status, &e); err != nil {
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

// Sealed is a new record. Stored is for the store alone, since it has the record's fragment; Redacted is what leaves
// it. The log's ring takes Decoy and Entry ([Ring.AddDecoy]). Secret is nil of what is not encrypted.
type Sealed struct {
	Stored   Secret
	Redacted string
	Entry    string
	Secret   *SharedSecret
	Decoy    *mldsa.PublicKey
}

// Seal encrypts and seals what source gives, of any size, as a record of this kind, and writes the bytes to be stored
// to sink. They are worth nothing unless it returns nil, and ledger and head are where they were. Both wait for sink's
// last write, which must not ask for either.
func (v *Vault) Seal(
	kind string, sink io.Writer, source io.Reader, ledger *Ledger, head *Head, at time.Time,
) (*Sealed, error) {
	sealing, header, err := v.sealing(kind)
	if err != nil {
		return nil, err
	}
	defer C.dualseal_sealing_free(sealing)
	if _, err := sink.Write(header); err != nil {
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
	var made *Sealed
	err = step(ledger, head, func(ends *C.dualseal_ledger_head, end *C.dualseal_head) error {
		var sealed *C.dualseal_sealed
		err := written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
			note, noteLen := sized("")
			return C.dualseal_sealing_finish(sealing, ends, end, note, noteLen, millis(at), &sealed, out, n, e)
		})
		defer func() { C.dualseal_sealed_free(sealed) }()
		if err != nil {
			return err
		}
		made, err = sealedParts(sealed)
		return err
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

func (v *Vault) sealing(kind string) (*C.dualseal_sealing, []byte, error) {
	var l lent
	defer l.back()
	sealer := sealerOf(&l, v)
	if l.err != nil {
		return nil, nil, l.err
	}
	text, err := named("kind", kind)
	if err != nil {
		return nil, nil, err
	}
	var e *C.dualseal_error
	var sealing *C.dualseal_sealing
	var out *C.uint8_t
	var n C.size_t
	status := C.dualseal_sealing_new(sealer, text, C.DUALSEAL_ENCRYPTION_STREAM, &sealing, &out, &n, &e)
	if err := check(status, &e); err != nil {
		return nil, nil, err
	}
	return sealing, takenBytes(out, n), nil
}

func sealedParts(sealed *C.dualseal_sealed) (*Sealed, error) {
	var e *C.dualseal_error
	var record, entry, redacted *C.char
	var secret *C.dualseal_secret
	var public [C.DUALSEAL_PUBLIC_KEY_BYTES]byte
	bytes, length := raw(public[:])
	status := C.dualseal_sealed_parts(sealed, &record, &entry, &secret, bytes, length, &e)
	if err := check(status, &e); err != nil {
		return nil, err
	}
	made := &Sealed{Stored: takenSecret(record), Entry: taken(entry)}
	if secret != nil {
		made.Secret = ownSecret(secret)
	}
	text, n := sizedBytes(made.Stored)
	err := check(C.dualseal_vault_record_redact(text, n, &redacted, &e), &e)
	made.Redacted = taken(redacted)
	if err != nil {
		return nil, err
	}
	made.Decoy, err = publicKey(public[:])
	return made, err
}
