//! Which split of a vault counts.

use crate::failure::{Returned, not_pickled};
use crate::krunica::Head;
use dualseal::shard;
use pyo3::prelude::*;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Splits>()?;
    module.add_class::<CoveredSplits>()?;
    module.add_class::<OwnSplits>()?;
    module.add_class::<SplitInForce>()
}

/// The splits of a vault in a chain.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Splits(pub(crate) shard::Splits);

#[pymethods]
impl Splits {
    /// (seq, split_id, counted) of every split that the operator made, in chain order, whatever became of it.
    #[getter]
    fn found(&self) -> Vec<(u64, String, bool)> {
        self.0.found().iter().map(|split| (split.seq, split.split_id.to_hex(), split.counted)).collect()
    }

    /// The position of the entry by which the vault was erased, or None.
    #[getter]
    fn erased_at(&self) -> Option<u64> {
        self.0.erased_at()
    }

    /// The split_ids that the operator made after the vault was erased.
    #[getter]
    fn after_erasure(&self) -> Vec<String> {
        self.0.after_erasure().map(|split| split.split_id.to_hex()).collect()
    }

    /// (seq, reason) of the first thousand entries that count for nothing: `form`, `tag`, `unverified`,
    /// `predecessor` or `repeated`. They blame nobody.
    #[getter]
    fn ignored(&self) -> Vec<(u64, &'static str)> {
        self.0.ignored().entries().iter().map(|entry| (entry.seq, entry.reason.as_str())).collect()
    }

    /// How many more there are.
    #[getter]
    fn more_ignored(&self) -> u64 {
        self.0.ignored().more()
    }

    /// The split_id of the last generation, or None.
    #[getter]
    fn last(&self) -> Option<String> {
        self.0.last().map(shard::SplitId::to_hex)
    }

    fn __repr__(&self) -> String {
        format!("Splits(found={})", self.0.found().len())
    }
}

/// The splits of a vault below a verified checkpoint: what rebuilding, releasing and deleting go by. Only a
/// ChainReader's Proofs give them.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct CoveredSplits(pub(crate) shard::CoveredSplits);

#[pymethods]
impl CoveredSplits {
    /// All of them.
    #[getter]
    fn splits(&self) -> Splits {
        Splits(self.0.splits().clone())
    }

    /// The one in force. Raises RejectedError where the vault has none, or was erased.
    fn in_force(&self) -> Returned<SplitInForce> {
        Ok(SplitInForce(self.0.in_force()?))
    }
}

/// The splits of a vault up to the caller's own head: what committing and erasing go by, in the transaction that
/// appends. Only a ChainReader's Proofs give them.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct OwnSplits(pub(crate) shard::OwnSplits);

#[pymethods]
impl OwnSplits {
    /// All of them.
    #[getter]
    fn splits(&self) -> Splits {
        Splits(self.0.splits().clone())
    }

    /// The head up to which the chain was read, and which is appended to.
    #[getter]
    fn head(&self) -> Head {
        Head(self.0.head().clone())
    }
}

/// The split of a vault in force below a verified checkpoint. Only CoveredSplits give one.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct SplitInForce(pub(super) shard::SplitInForce);

#[pymethods]
impl SplitInForce {
    /// The split.
    #[getter]
    fn split_id(&self) -> String {
        self.0.split_id().to_hex()
    }

    /// The position of its chain entry.
    #[getter]
    fn seq(&self) -> u64 {
        self.0.seq()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("SplitInForce(seq={})", self.0.seq())
    }
}
