//! Whole ledgers, streamed record by record under a checkpoint.

use crate::args::{Out, optional, required, text};
use crate::cache::{KeyCache, keys};
use crate::call_error::CallError;
use crate::domain::Domain;
use crate::guard::{guard, guard_verdict, release};
use crate::handle::give_back;
use crate::progress::{ending, running};
use crate::ring::Ring;
use crate::status::StatusValue;
use crate::vault::ledger_head::LedgerHead;
use crate::vault::ledger_walk::LocatedLedger;
use crate::vault::policy::{Asked, Policy, VaultPolicy};
use crate::vault::record::record;
use crate::vault::report::{Reported, VaultReport, conclude};
use crate::vault::stored_hash::StoredHash;
use dualseal_core::vault::{self, LedgerId, LedgerSummary, Operator, Public, VaultVerifier};
use dualseal_core::{Error, KeyRing};
use self_cell::self_cell;
use std::ffi::c_char;
use std::sync::Arc;

struct Begun {
    domain: dualseal_core::Domain,
    ring: KeyRing,
    cache: Option<KeyCache>,
    policy: Arc<Asked>,
    located: Option<Arc<vault::LocatedLedger>>,
}

/// What a check borrows, beside the places.
struct Asking<'a> {
    verifier: VaultVerifier<'a>,
    policy: Policy<'a>,
    located: Option<&'a vault::LocatedLedger>,
}

self_cell! {
    struct Prepared {
        owner: Begun,
        #[covariant]
        dependent: Asking,
    }
}

enum Check<'a> {
    Public(vault::LedgerCheck<'a, Public<'a>>),
    Operator(vault::LedgerCheck<'a, Operator<'a>>),
}

impl Check<'_> {
    fn push(&mut self, record: vault::VaultRecord, stored: &vault::StoredHash) -> Result<Reported, Error> {
        match self {
            Self::Public(check) => check.push(record, stored).map(Reported::Public),
            Self::Operator(check) => check.push(record, stored).map(Reported::Operator),
        }
    }

    fn finish(self) -> Result<LedgerSummary, Error> {
        match self {
            Self::Public(check) => check.finish(),
            Self::Operator(check) => check.finish(),
        }
    }
}

type Running<'a> = Option<Check<'a>>;

self_cell! {
    struct Progress {
        owner: Prepared,
        #[not_covariant]
        dependent: Running,
    }
}

/// Checks the records of a ledger one after another. For one thread at a time.
#[allow(missing_debug_implementations, reason = "C prints no handle")]
pub struct LedgerCheck(Progress);

/// Begins before the first record. `cache` may be NULL. Without a `located_ledger`, which may be NULL, nothing tells of
/// records that are missing at the end. Under the operator's policy every record must be located, and the decoy key of
/// its fragment must stand in the ring.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_check_new(
    domain: *const Domain,
    ring: *const Ring,
    cache: *const KeyCache,
    policy: *const VaultPolicy,
    ledger_id: *const c_char,
    located_ledger: *const LocatedLedger,
    check: *mut *mut LedgerCheck,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (domain, ring) = (required("domain", domain)?.0.clone(), KeyRing::clone(&required("ring", ring)?.0));
        let cache = optional("cache", cache)?.map(|cache| KeyCache(Arc::clone(&cache.0)));
        let policy = Arc::clone(&required("policy", policy)?.0);
        let ledger: LedgerId = text("ledger_id", ledger_id)?.parse()?;
        let located = optional("located_ledger", located_ledger)?.map(|located| Arc::clone(&located.0));
        let out = Out::new("check", check)?;
        let prepared = Prepared::try_new(Begun { domain, ring, cache, policy, located }, |begun| {
            Ok::<_, CallError>(Asking {
                verifier: VaultVerifier::new(&begun.domain, &begun.ring, keys(begun.cache.as_ref())),
                policy: begun.policy.policy()?,
                located: begun.located.as_deref(),
            })
        })?;
        out.handle(LedgerCheck(Progress::new(prepared, |prepared| {
            let Asking { verifier, policy, located } = prepared.borrow_dependent();
            Some(match policy {
                Policy::Public(policy) => Check::Public(vault::LedgerCheck::new(verifier, &ledger, policy, *located)),
                Policy::Operator(policy) => {
                    Check::Operator(vault::LedgerCheck::new(verifier, &ledger, policy, *located))
                }
            })
        })));
        Ok(())
    })
}

/// Takes the next record with the hash of its stored bytes. A status from 100 on says that the ledger does not hold,
/// with the place as the error's index and the layer, if one caught it, as its field; the check then takes nothing
/// more. Else the record holds at its place, and the status is its verdict: the key of a record in order may have been
/// revoked since. `report` may be NULL.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_check_push(
    check: *mut LedgerCheck,
    record_json: *const c_char,
    record_json_len: usize,
    stored_hash: *const StoredHash,
    report: *mut *mut VaultReport,
    error: *mut *mut CallError,
) -> StatusValue {
    guard_verdict(error, || {
        let (check, record) = (required("check", check)?, record(record_json, record_json_len)?);
        let stored = required("stored_hash", stored_hash)?.finished();
        let reported =
            check.0.with_dependent_mut(|_, check| Ok::<_, CallError>(running(check)?.push(record, &stored)?))?;
        Ok(conclude(reported, report))
    })
}

/// Ends the ledger, and the check, whatever comes of it. `ledger` is the head after the last record; the rest are the
/// numbers of records by their verdict. `unverified_json`, which may be NULL, lists the entries of the chain that name
/// the ledger and are of no record that came, as `dualseal_proofs_ledger` lists those that it ignored:
/// without the master nobody can tell whether a record is missing, or somebody made them up.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_check_finish(
    check: *mut LedgerCheck,
    ledger: *mut *mut LedgerHead,
    valid: *mut u64,
    revoked: *mut u64,
    suspended: *mut u64,
    decoys: *mut u64,
    unverified_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (check, ledger) = (required("check", check)?, Out::new("ledger", ledger)?);
        let (valid, revoked) = (Out::new("valid", valid)?, Out::new("revoked", revoked)?);
        let (suspended, decoys) = (Out::new("suspended", suspended)?, Out::new("decoys", decoys)?);
        let summary = check.0.with_dependent_mut(|_, check| Ok::<_, CallError>(ending(check)?.finish()?))?;
        if let Some(unverified) = Out::optional(unverified_json) {
            unverified.text(&summary.unverified.to_json());
        }
        ledger.handle(LedgerHead(summary.head));
        valid.set(summary.valid);
        revoked.set(summary.revoked);
        suspended.set(summary.suspended);
        decoys.set(summary.decoys);
        Ok(())
    })
}

/// Frees a check. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_ledger_check_free(check: *mut LedgerCheck) {
    release(|| give_back(check));
}
