//! Where the records of a ledger stand in the chain.

use super::record::VaultRecord;
use crate::checkpoint::Located;
use crate::failure::{Returned, not_pickled};
use crate::json::to_object;
use dualseal::vault;
use pyo3::prelude::*;
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LocatedLedger>()
}

/// Where the records of a ledger stand in a chain that agrees with a verified checkpoint. Only a
/// ChainReader's Proofs give one.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct LocatedLedger(pub(crate) Arc<vault::LocatedLedger>);

#[pymethods]
impl LocatedLedger {
    /// The proven place of a record's entry; None when the chain vouches for another one, or for none, at its place of
    /// the ledger.
    #[pyo3(signature = (record, /))]
    fn locate(&self, record: &VaultRecord) -> Option<Located> {
        self.0.locate(&record.0).map(Located)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// Whether it was found with the master, so that every entry in it is the operator's.
    #[getter]
    fn is_verified(&self) -> bool {
        self.0.is_verified()
    }

    /// The entries that begin as a record's of the ledger and count for nothing:
    /// `{"entries": [{"reason": …, "seq": …}, …], "more": …}`, of which at most 1,000 are listed.
    #[getter]
    fn ignored<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.ignored().to_json())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("LocatedLedger(records={})", self.0.len())
    }
}
