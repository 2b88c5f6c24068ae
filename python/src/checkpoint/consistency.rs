//! Two checkpoints of one log without its chain: the same, a fork, or of two sizes.

use super::record::Checkpoint;
use super::verifier::VerifiedCheckpoint;
use crate::enums::{comparison_object, followed_object};
use crate::failure::Returned;
use crate::input::locked;
use crate::tree::Hashes;
use dualseal::checkpoint::{self, Comparison, Followed, compare};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Fork>()?;
    module.add_class::<Follower>()?;
    module.add_function(wrap_pyfunction!(compare_checkpoints, module)?)
}

/// Two verified checkpoints of one log that cannot both be true: proof that the log's signer showed different chains to
/// different people. Keep both; they convince anybody.
#[pyclass(frozen, eq, get_all, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Fork {
    /// The smaller, or the first that was given.
    first: Checkpoint,
    /// The other.
    second: Checkpoint,
}

impl From<checkpoint::Fork> for Fork {
    fn from(fork: checkpoint::Fork) -> Self {
        Self { first: Checkpoint(fork.first), second: Checkpoint(fork.second) }
    }
}

#[pymethods]
impl Fork {
    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("a Fork is neither true nor false: ask isinstance"))
    }

    fn __repr__(&self) -> String {
        let (first, second) = (self.first.0.tree_head().size, self.second.0.tree_head().size);
        format!("Fork(origin={:?}, sizes=({first}, {second}))", self.first.0.origin())
    }
}

/// What two verified checkpoints of one log say without the chain: a Comparison, or a Fork, which holds both.
///
/// Raises MisuseError when they are of different logs.
#[pyfunction]
#[pyo3(signature = (first, second, /))]
fn compare_checkpoints<'py>(
    py: Python<'py>,
    first: &VerifiedCheckpoint,
    second: &VerifiedCheckpoint,
) -> Returned<Bound<'py, PyAny>> {
    Ok(match compare(&first.0, &second.0)? {
        Comparison::Equal => comparison_object(py, "equal")?,
        Comparison::SizesDiffer => comparison_object(py, "sizes differ")?,
        Comparison::Contradiction => comparison_object(py, "contradiction")?,
        Comparison::Fork(fork) => Bound::new(py, Fork::from(*fork))?.into_any(),
    })
}

/// Follows one log by its checkpoints: the greatest that was seen of it, which each new one must go on from. After a
/// rotation of the log's key the new one is pinned, and the follower kept.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Follower(Mutex<checkpoint::Follower>);

#[pymethods]
impl Follower {
    /// Begins with the first checkpoint that is seen, or with the last one that was stored.
    #[new]
    #[pyo3(signature = (first, /))]
    fn new(first: &VerifiedCheckpoint) -> Self {
        Self(Mutex::new(checkpoint::Follower::new(first.0.clone())))
    }

    /// The greatest that was seen: what is stored, whenever it changes and before anything relies on it.
    #[getter]
    fn last(&self) -> VerifiedCheckpoint {
        VerifiedCheckpoint(locked(&self.0).last().clone())
    }

    /// Looks at a checkpoint, with the consistency proof between the two sizes as 64 hexadecimal characters a hash, or
    /// none for one size. Raises RejectedError when the proof does not hold, and MisuseError for another log's.
    #[pyo3(signature = (next, /, *, path = Hashes::default()), text_signature = "($self, next, /, *, path=())")]
    fn follow<'py>(&self, py: Python<'py>, next: &VerifiedCheckpoint, path: Hashes) -> Returned<Bound<'py, PyAny>> {
        Ok(match locked(&self.0).follow(next.0.clone(), &path.0)? {
            Followed::Grown => followed_object(py, "grown")?,
            Followed::Same => followed_object(py, "same")?,
            Followed::Older => followed_object(py, "older")?,
            Followed::Contradiction => followed_object(py, "contradiction")?,
            Followed::Fork(fork) => Bound::new(py, Fork::from(*fork))?.into_any(),
        })
    }

    fn __repr__(&self) -> String {
        let follower = locked(&self.0);
        let last = follower.last().record();
        format!("Follower(origin={:?}, size={})", last.origin(), last.tree_head().size)
    }
}
