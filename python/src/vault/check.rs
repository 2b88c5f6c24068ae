//! Whole ledgers, streamed record by record under a checkpoint.

use super::ledger::LocatedLedger;
use super::master::LedgerHead;
use super::policy::{Asked, Policy, VaultPolicy};
use super::record::VaultRecord;
use super::report::{Reported, VaultReport};
use super::verifier::VaultVerifier;
use crate::failure::Returned;
use crate::input::text;
use crate::json::to_object;
use crate::progress::{ending, lock, running};
use dualseal::Error;
use dualseal::key::AnyRing;
use dualseal::key::PreparedKeyCache;
use dualseal::krunica::Ignored;
use dualseal::vault::{self, LedgerId, Operator, Public};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString};
use self_cell::self_cell;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LedgerCheck>()?;
    module.add_class::<LedgerSummary>()
}

struct Begun {
    domain: dualseal::Domain,
    ring: Arc<AnyRing>,
    cache: Arc<PreparedKeyCache>,
    policy: Arc<Asked>,
    located: Option<Arc<vault::LocatedLedger>>,
}

/// What a check borrows.
struct Asking<'a> {
    verifier: vault::VaultVerifier<'a>,
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

type Running<'a> = Option<Check<'a>>;

self_cell! {
    struct Progress {
        owner: Prepared,
        #[not_covariant]
        dependent: Running,
    }
}

/// Checks the records of a ledger one after another, with the ring as it is when it begins, and stops at the first that
/// does not hold.
///
/// Without `located`, nothing tells of records that are missing at the end. Under the operator's policy every record
/// must be located, and the decoy key of its fragment must stand in the ring.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct LedgerCheck {
    progress: Mutex<Progress>,
    verifier: Py<VaultVerifier>,
}

#[pymethods]
impl LedgerCheck {
    #[new]
    #[pyo3(signature = (verifier, ledger, *, policy, located = None))]
    fn new(
        verifier: Py<VaultVerifier>,
        ledger: &Bound<'_, PyString>,
        policy: &VaultPolicy,
        located: Option<&LocatedLedger>,
    ) -> Returned<Self> {
        let ledger: LedgerId = text("ledger", ledger)?.parse()?;
        let VaultVerifier { domain, ring, cache } = verifier.get();
        let begun = Begun {
            domain: domain.clone(),
            ring: ring.get().snapshot(),
            cache: Arc::clone(cache.keys()),
            policy: Arc::clone(&policy.0),
            located: located.map(|located| Arc::clone(&located.0)),
        };
        let prepared = Prepared::try_new(begun, |begun| -> Result<_, Error> {
            Ok(Asking {
                verifier: vault::VaultVerifier::new(&begun.domain, &begun.ring, &*begun.cache),
                policy: begun.policy.policy()?,
                located: begun.located.as_deref(),
            })
        })?;
        let progress = Progress::new(prepared, |prepared| {
            let Asking { verifier, policy, located } = prepared.borrow_dependent();
            Some(match policy {
                Policy::Public(policy) => Check::Public(vault::LedgerCheck::new(verifier, &ledger, policy, *located)),
                Policy::Operator(policy) => {
                    Check::Operator(vault::LedgerCheck::new(verifier, &ledger, policy, *located))
                }
            })
        });
        Ok(Self { progress: Mutex::new(progress), verifier })
    }

    /// Takes the next record with its stored bytes or their StoredHash, and returns the report. Its verdict may be
    /// another than VALID: the key of a record in order may have been revoked since.
    ///
    /// Raises RejectedError for a record that does not hold, does not follow, or is not the one that the chain vouches
    /// for, with its place in `seq` and the layer that caught it in `layer`. Nothing more is taken then.
    #[pyo3(signature = (record, stored, /))]
    fn push(&self, py: Python<'_>, record: &Bound<'_, PyAny>, stored: &Bound<'_, PyAny>) -> Returned<VaultReport> {
        let (record, stored) = (VaultRecord::read(record)?, self.verifier.get().stored(stored)?);
        let mut guard = lock(py, &self.progress);
        let reported = guard.with_dependent_mut(|_, check| {
            py.detach(|| match running(check)? {
                Check::Public(check) => check.push(record, &stored).map(Reported::Public),
                Check::Operator(check) => check.push(record, &stored).map(Reported::Operator),
            })
        })?;
        Ok(reported.into())
    }

    /// Ends the ledger. Raises RejectedError when the chain vouches for a record that did not come.
    fn finish(&self, py: Python<'_>) -> Returned<LedgerSummary> {
        let mut guard = lock(py, &self.progress);
        let summary = guard.with_dependent_mut(|_, check| match ending(check)? {
            Check::Public(check) => check.finish(),
            Check::Operator(check) => check.finish(),
        })?;
        let vault::LedgerSummary { head, valid, revoked, suspended, decoys, unverified } = summary;
        Ok(LedgerSummary { head: LedgerHead(head), valid, revoked, suspended, decoys, unverified })
    }
}

/// What a whole ledger came to: its head, and the records by their verdict.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct LedgerSummary {
    /// The head after the last record.
    #[pyo3(get)]
    head: LedgerHead,
    /// Records that are VALID.
    #[pyo3(get)]
    valid: u64,
    /// Records whose key is revoked. Their layers hold.
    #[pyo3(get)]
    revoked: u64,
    /// Records whose key is suspended. Their layers hold.
    #[pyo3(get)]
    suspended: u64,
    /// Records whose key is a decoy.
    #[pyo3(get)]
    decoys: u64,
    unverified: Ignored,
}

#[pymethods]
impl LedgerSummary {
    /// The entries of the chain that name the ledger and are of no record that came, as LocatedLedger.ignored: without
    /// the master nobody can tell whether a record is missing, or somebody made them up.
    #[getter]
    fn unverified<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.unverified.to_json())
    }

    fn __repr__(&self) -> String {
        let Self { head, valid, revoked, suspended, decoys, .. } = self;
        let size = head.0.size();
        format!("LedgerSummary(size={size}, valid={valid}, revoked={revoked}, suspended={suspended}, decoys={decoys})")
    }
}
