//! Two checkpoints of one log: the same, one grown from the other, or a fork.

use super::high_water::Hashes;
use super::record::Checkpoint;
use super::verifier::VerifiedCheckpoint;
use crate::enums::{comparison_object, consistency_object, followed_object};
use crate::failure::Returned;
use crate::input::locked;
use crate::json::JsonText;
use crate::krunica::Entry;
use crate::progress::{ending, running};
use dualseal::checkpoint::{Comparison, Consistency, Followed, compare};
use dualseal::{Error, Verified, checkpoint};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use self_cell::self_cell;
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Fork>()?;
    module.add_class::<ConsistencyCheck>()?;
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

type Begun = (Verified<checkpoint::Checkpoint>, Verified<checkpoint::Checkpoint>);
type Running<'a> = Option<checkpoint::ConsistencyCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Begun,
        #[covariant]
        dependent: Running,
    }
}

/// Streams the chain of the larger of two verified checkpoints past both. Raises MisuseError when they are of different
/// logs.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct ConsistencyCheck(Mutex<Progress>);

impl ConsistencyCheck {
    fn with<T>(&self, act: impl FnOnce(&mut checkpoint::ConsistencyCheck<'_>) -> Result<T, Error>) -> Result<T, Error> {
        locked(&self.0).with_dependent_mut(|_, check| act(running(check)?))
    }
}

#[pymethods]
impl ConsistencyCheck {
    #[new]
    #[pyo3(signature = (first, second, /))]
    fn new(first: &VerifiedCheckpoint, second: &VerifiedCheckpoint) -> Returned<Self> {
        let begun = (first.0.clone(), second.0.clone());
        let progress =
            Progress::try_new(begun, |(first, second)| checkpoint::ConsistencyCheck::new(first, second).map(Some))?;
        Ok(Self(Mutex::new(progress)))
    }

    /// Takes the next entry. Raises RejectedError for a broken chain.
    #[pyo3(signature = (entry, /))]
    fn push(&self, entry: &Entry) -> Returned<()> {
        Ok(self.with(|check| check.push(&entry.0))?)
    }

    /// Takes the next entry as JSON without `seq`, as it stands in a list or on a line.
    #[pyo3(signature = (json, /))]
    fn push_json(&self, py: Python<'_>, json: JsonText<'_>) -> Returned<Entry> {
        Ok(Entry(json.read(py, |json| self.with(|check| check.push_json(json)))?))
    }

    /// Ends the chain: a Consistency, or a Fork, which holds both checkpoints.
    ///
    /// Raises RejectedError when the chain is not the larger checkpoint's: then nothing can be said of the two.
    fn finish<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        let found = locked(&self.0).with_dependent_mut(|_, check| ending(check)?.finish())?;
        Ok(match found {
            Consistency::Equal => consistency_object(py, "equal")?,
            Consistency::Grown => consistency_object(py, "grown")?,
            Consistency::Contradiction => consistency_object(py, "contradiction")?,
            Consistency::Fork(fork) => Bound::new(py, Fork::from(*fork))?.into_any(),
        })
    }

    fn __repr__(&self) -> String {
        let progress = locked(&self.0);
        let (first, second) = progress.borrow_owner();
        let (first, second) = (first.record(), second.record());
        let sizes = (first.tree_head().size, second.tree_head().size);
        format!("ConsistencyCheck(origin={:?}, sizes={sizes:?})", first.origin())
    }
}
