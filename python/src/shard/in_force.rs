//! Which split of a vault counts.

use super::record::ShardKey;
use crate::checkpoint::VerifiedCheckpoint;
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::{locked, text};
use crate::json::JsonText;
use crate::krunica::{Entry, Head};
use crate::progress::{ending, running};
use dualseal::checkpoint::Checkpoint;
use dualseal::{Verified, shard};
use pyo3::prelude::*;
use pyo3::types::PyString;
use self_cell::self_cell;
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SplitCheck>()?;
    module.add_class::<OwnSplitCheck>()?;
    module.add_class::<Splits>()?;
    module.add_class::<CoveredSplits>()?;
    module.add_class::<OwnSplits>()?;
    module.add_class::<SplitInForce>()
}

type Running<'a> = Option<shard::SplitCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Verified<Checkpoint>,
        #[covariant]
        dependent: Running,
    }
}

/// Streams a chain past a verified checkpoint and follows the splits of a vault.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SplitCheck(Mutex<Progress>);

#[pymethods]
impl SplitCheck {
    /// `key` is the one that seals the shards of the vault's identity; a public reader has None, and for him nothing
    /// counts.
    #[new]
    fn new(
        domain: &Domain,
        key: Option<&ShardKey>,
        vault_id: &Bound<'_, PyString>,
        checkpoint: &VerifiedCheckpoint,
    ) -> Returned<Self> {
        let vault_id = text("vault_id", vault_id)?.parse()?;
        Ok(Self(Mutex::new(Progress::new(checkpoint.0.clone(), |checkpoint| {
            Some(match key {
                Some(key) => shard::SplitCheck::new(&domain.0, &key.0, &vault_id, checkpoint),
                None => shard::SplitCheck::unkeyed(&domain.0, &vault_id, checkpoint),
            })
        }))))
    }

    /// Takes the next entry, from seq 0 on. Raises RejectedError as ChainCheck.push does.
    #[pyo3(signature = (entry, /))]
    fn push(&self, entry: &Entry) -> Returned<()> {
        Ok(locked(&self.0).with_dependent_mut(|_, check| running(check)?.push(&entry.0))?)
    }

    /// Takes the next entry as JSON without `seq`, as it stands in a list or on a line.
    #[pyo3(signature = (json, /))]
    fn push_json(&self, py: Python<'_>, json: JsonText<'_>) -> Returned<Entry> {
        let push = |json: &[u8]| locked(&self.0).with_dependent_mut(|_, check| running(check)?.push_json(json));
        Ok(Entry(json.read(py, push)?))
    }

    /// Ends the chain. Raises RejectedError as ChainCheck.finish does.
    fn finish(&self) -> Returned<CoveredSplits> {
        Ok(CoveredSplits(locked(&self.0).with_dependent_mut(|_, check| ending(check)?.finish())?))
    }
}

/// Streams the caller's own chain up to its head and follows the splits of a vault.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct OwnSplitCheck(Mutex<Option<shard::OwnSplitCheck>>);

#[pymethods]
impl OwnSplitCheck {
    #[new]
    fn new(domain: &Domain, key: &ShardKey, vault_id: &Bound<'_, PyString>, head: &Head) -> Returned<Self> {
        let vault_id = text("vault_id", vault_id)?.parse()?;
        Ok(Self(Mutex::new(Some(shard::OwnSplitCheck::new(&domain.0, &key.0, &vault_id, &head.0)))))
    }

    /// Takes the next entry, from seq 0 on. Raises RejectedError as Checker.push does.
    #[pyo3(signature = (entry, /))]
    fn push(&self, entry: &Entry) -> Returned<()> {
        Ok(running(&mut locked(&self.0))?.push(&entry.0)?)
    }

    /// Takes the next entry as JSON without `seq`, as it stands in a list or on a line.
    #[pyo3(signature = (json, /))]
    fn push_json(&self, py: Python<'_>, json: JsonText<'_>) -> Returned<Entry> {
        Ok(Entry(json.read(py, |json| running(&mut locked(&self.0))?.push_json(json))?))
    }

    /// Ends the chain. Raises RejectedError for another chain than that of the head.
    fn finish(&self) -> Returned<OwnSplits> {
        Ok(OwnSplits(ending(&mut locked(&self.0))?.finish()?))
    }
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

/// The splits of a vault below a verified checkpoint: what rebuilding, releasing and deleting go by. Only SplitCheck
/// gives them.
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
/// appends. Only OwnSplitCheck gives them.
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

/// The split of a vault in force below a verified checkpoint. Only a SplitCheck gives one.
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
