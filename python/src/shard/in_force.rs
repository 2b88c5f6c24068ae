//! Which splitting of a vault counts.

use crate::checkpoint::VerifiedCheckpoint;
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::{locked, text};
use crate::json::JsonText;
use crate::krunica::Entry;
use crate::progress::{ending, running};
use dualseal::checkpoint::Checkpoint;
use dualseal::{Verified, shard};
use pyo3::prelude::*;
use pyo3::types::PyString;
use self_cell::self_cell;
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SplitCheck>()?;
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

/// Streams a chain past a verified checkpoint and finds the last splitting of a vault.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SplitCheck(Mutex<Progress>);

#[pymethods]
impl SplitCheck {
    #[new]
    fn new(
        domain: &Domain,
        vault_id: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        checkpoint: &VerifiedCheckpoint,
    ) -> Returned<Self> {
        let vault_id = text("vault_id", vault_id)?.parse()?;
        let identity_id = text("identity_id", identity_id)?.parse()?;
        Ok(Self(Mutex::new(Progress::new(checkpoint.0.clone(), |checkpoint| {
            Some(shard::SplitCheck::new(&domain.0, &vault_id, &identity_id, checkpoint))
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

    /// Ends the chain. Raises RejectedError when it has no splitting of the vault, and as ChainCheck.finish does.
    fn finish(&self) -> Returned<SplitInForce> {
        Ok(SplitInForce(locked(&self.0).with_dependent_mut(|_, check| ending(check)?.finish())?))
    }
}

/// The last splitting of a vault below a verified checkpoint. Only SplitCheck gives one.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct SplitInForce(pub(super) shard::SplitInForce);

#[pymethods]
impl SplitInForce {
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
