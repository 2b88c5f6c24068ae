package dualseal

// #include <dualseal_vault.h>
import "C"

import (
	"encoding/json"
	"io"
)

// Tier is that of whoever seals.
type Tier int32

// The tiers, from the lowest. Those above TierPublic are shown by an Ed25519 key that a policy enrolled.
const (
	TierPublic Tier = C.DUALSEAL_TIER_PUBLIC
	TierNoble  Tier = C.DUALSEAL_TIER_NOBLE
	TierNative Tier = C.DUALSEAL_TIER_NATIVE
)

// VaultPolicy is what is asked of vault records.
type VaultPolicy struct {
	*handle[*C.dualseal_vault_policy]
}

// PublicPolicy is for everybody, and needs no secret. A record under it says nothing of its place in the chain unless
// that is given.
func PublicPolicy(least Tier) (*VaultPolicy, error) {
	return policy(func(made **C.dualseal_vault_policy, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_vault_policy_new_public(C.dualseal_tier(least), made, e)
	})
}

// Policy is for the operator, who has the vault: every layer must pass, and the record's place in the chain with them.
// What is unsealed was verified under it.
func (v *Vault) Policy(least Tier) (*VaultPolicy, error) {
	var l lent
	defer l.back()
	master := masterOf(&l, v)
	if l.err != nil {
		return nil, l.err
	}
	return policy(func(made **C.dualseal_vault_policy, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_vault_policy_new_operator(master, C.dualseal_tier(least), made, e)
	})
}

func policy(work func(**C.dualseal_vault_policy, **C.dualseal_error) C.dualseal_status) (*VaultPolicy, error) {
	var made *C.dualseal_vault_policy
	var e *C.dualseal_error
	if err := check(work(&made, &e), &e); err != nil {
		return nil, err
	}
	return &VaultPolicy{own(made, func(p *C.dualseal_vault_policy) { C.dualseal_vault_policy_free(p) })}, nil
}

// Enrol enrols an Ed25519 public key, in hexadecimal, that shows a tier above public for an identity: a key that only a
// record names shows nothing.
func (p *VaultPolicy) Enrol(identity ID, tier Tier, key string) error {
	text, err := named("public_key", key)
	if err != nil {
		return err
	}
	var l lent
	defer l.back()
	asked := change(&l, p)
	if l.err != nil {
		return l.err
	}
	var e *C.dualseal_error
	return check(C.dualseal_vault_policy_enrol(asked, identity.c(), C.dualseal_tier(tier), text, &e), &e)
}

// VaultReport is what a verification says of a vault record.
type VaultReport struct {
	*handle[*C.dualseal_vault_report]
}

// VerifyVault verifies a vault record of an identity against the hash of its stored bytes, which are not decrypted. The
// error is nil for Valid alone; of every verdict there is a report as well. Place is that of the record's entry
// ([LedgerPlaces.Place]); under a vault's own policy it must be given. After is the ledger's head before the record, or
// nil.
func (v *Verifier) VerifyVault(
	policy *VaultPolicy, record []byte, stored *StoredHash, identity ID, place *Place, after *Ledger,
) (*VaultReport, error) {
	var l lent
	defer l.back()
	domain, asked, ring, cache := use(&l, v.Domain), use(&l, policy), use(&l, v.Ring), use(&l, v.Cache)
	at, hash, before := use(&l, place), use(&l, stored), use(&l, after)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var report *C.dualseal_vault_report
	text, n := sizedBytes(record)
	verdict := check(C.dualseal_vault_record_verify(domain, ring, cache, asked, text, n, hash, identity.c(), at, before,
		&report, &e), &e)
	if report == nil {
		return nil, verdict
	}
	return &VaultReport{own(report, func(r *C.dualseal_vault_report) { C.dualseal_vault_report_free(r) })}, verdict
}

// Layers is what the operator is told: every layer with its reason, and decoys unmasked.
func (r *VaultReport) Layers() (json.RawMessage, error) { return r.told(C.DUALSEAL_AUDIENCE_OPERATOR) }

// Public is what everybody else is told: a decoy as valid, and of a refusal neither layers nor reason. It is a
// courtesy, and no evidence.
func (r *VaultReport) Public() (json.RawMessage, error) { return r.told(C.DUALSEAL_AUDIENCE_EVERYBODY) }

func (r *VaultReport) told(audience C.dualseal_audience) (json.RawMessage, error) {
	var l lent
	defer l.back()
	report := use(&l, r)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var out *C.char
	err := check(C.dualseal_vault_report_to_json(report, audience, &out, &e), &e)
	return json.RawMessage(taken(out)), err
}

// Unseal decrypts the stored bytes of a record that is Valid under its vault's own policy, with the record's secret.
// What is written to sink is provisional until it returns nil, which alone says that it was the whole document,
// unchanged since it was verified.
func (r *VaultReport) Unseal(secret *SharedSecret, sink io.Writer, stored io.Reader) error {
	unsealer, err := r.unsealer(secret)
	if err != nil {
		return err
	}
	defer C.dualseal_unsealer_free(unsealer)
	err = parts(stored, func(part []byte) error {
		bytes, length := raw(part)
		return written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
			return C.dualseal_unsealer_update(unsealer, bytes, length, out, n, e)
		})
	})
	if err != nil {
		return err
	}
	return written(sink, func(out **C.uint8_t, n *C.size_t, e **C.dualseal_error) C.dualseal_status {
		return C.dualseal_unsealer_finish(unsealer, out, n, e)
	})
}

func (r *VaultReport) unsealer(secret *SharedSecret) (*C.dualseal_unsealer, error) {
	var l lent
	defer l.back()
	report, with := use(&l, r), use(&l, secret)
	if l.err != nil {
		return nil, l.err
	}
	var e *C.dualseal_error
	var unsealer *C.dualseal_unsealer
	err := check(C.dualseal_unsealer_new(report, with, &unsealer, &e), &e)
	return unsealer, err
}
