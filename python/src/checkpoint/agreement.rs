//! A chain, streamed, against a verified checkpoint, and the places of entries that this proves.

use super::high_water::Growth;
use super::verifier::VerifiedCheckpoint;
use crate::failure::{Returned, not_pickled};
use crate::input::{locked, text};
use crate::json::JsonText;
use crate::krunica::{Entry, Head};
use crate::progress::{ending, running};
use dualseal::krunica::KrunicaHash;
use dualseal::{Error, Verified, checkpoint};
use pyo3::prelude::*;
use pyo3::types::PyString;
use self_cell::self_cell;
use std::collections::BTreeSet;
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ChainCheck>()?;
    module.add_class::<AgreedChain>()?;
    module.add_class::<Located>()
}

type Running<'a> = Option<checkpoint::ChainCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Verified<checkpoint::Checkpoint>,
        #[covariant]
        dependent: Running,
    }
}

/// Checks a chain entry by entry against a verified checkpoint, in memory for the entries that are to be located.
///
/// `locate` names entries by their krunica_hash; those that the checkpoint covers are proven to stand at their places.
/// With `resume`, the head that was stored for the checkpoint, it begins there, which is what the log's own signer
/// needs; nothing is located this way. Raises RejectedError for another head than the one that was signed.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct ChainCheck(Mutex<Progress>);

impl ChainCheck {
    fn with<T>(&self, act: impl FnOnce(&mut checkpoint::ChainCheck<'_>) -> Result<T, Error>) -> Result<T, Error> {
        locked(&self.0).with_dependent_mut(|_, check| act(running(check)?))
    }
}

#[pymethods]
impl ChainCheck {
    #[new]
    #[pyo3(
        signature = (checkpoint, *, locate = Wanted::default(), resume = None),
        text_signature = "(checkpoint, *, locate=(), resume=None)"
    )]
    fn new(checkpoint: &VerifiedCheckpoint, locate: Wanted, resume: Option<&Head>) -> Returned<Self> {
        let progress = Progress::try_new(checkpoint.0.clone(), |checkpoint| {
            let begun = match resume {
                Some(head) => checkpoint::ChainCheck::resume(checkpoint, &head.0)?,
                None => checkpoint::ChainCheck::new(checkpoint),
            };
            Ok::<_, Error>(Some(begun.keeping(move |entry| locate.names(entry))))
        })?;
        Ok(Self(Mutex::new(progress)))
    }

    /// Takes the next entry. Raises RejectedError for a broken chain, and from the entry on where it is found to be
    /// another chain than the one that was signed.
    #[pyo3(signature = (entry, /))]
    fn push(&self, entry: &Entry) -> Returned<()> {
        Ok(self.with(|check| check.push(&entry.0))?)
    }

    /// Takes the next entry as JSON without `seq`, as it stands in a list or on a line.
    #[pyo3(signature = (json, /))]
    fn push_json(&self, py: Python<'_>, json: JsonText<'_>) -> Returned<Entry> {
        Ok(Entry(json.read(py, |json| self.with(|check| check.push_json(json)))?))
    }

    /// Where the entries so far end.
    #[getter]
    fn head(&self) -> Returned<Head> {
        Ok(Head(self.with(|check| Ok(check.head().clone()))?))
    }

    /// Ends the chain. Raises RejectedError when it has fewer entries than the checkpoint covers, or was found to be
    /// another chain.
    fn finish(&self) -> Returned<AgreedChain> {
        Ok(AgreedChain(locked(&self.0).with_dependent_mut(|_, check| ending(check)?.finish())?))
    }

    fn __repr__(&self) -> String {
        format!("ChainCheck(origin={:?})", locked(&self.0).borrow_owner().record().origin())
    }
}

/// The entries that are to be located.
#[derive(Default)]
struct Wanted(BTreeSet<KrunicaHash>);

impl Wanted {
    fn names(&self, entry: &dualseal::Entry) -> bool {
        // Spares a chain in which nothing is sought one hash for each entry.
        !self.0.is_empty() && self.0.contains(&entry.krunica_hash())
    }
}

impl FromPyObject<'_, '_> for Wanted {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let parse = |hash: PyResult<Bound<'_, PyAny>>| -> Returned<KrunicaHash> {
            Ok(text("krunica_hash", hash?.cast::<PyString>().map_err(PyErr::from)?)?.parse()?)
        };
        Ok(Self(object.try_iter()?.map(parse).collect::<Returned<_>>()?))
    }
}

/// A chain that was shown to agree with a verified checkpoint of its log. Only ChainCheck and RingCheck give one.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct AgreedChain(pub(super) checkpoint::AgreedChain);

#[pymethods]
impl AgreedChain {
    /// The name of the log.
    #[getter]
    fn origin(&self) -> &str {
        self.0.origin()
    }

    /// The number of entries that the checkpoint covers.
    #[getter]
    fn covered(&self) -> u64 {
        self.0.covered()
    }

    /// The head of the whole chain, entries beyond the checkpoint included.
    #[getter]
    fn head(&self) -> Head {
        Head(self.0.head().clone())
    }

    /// The head that the checkpoint signed: what a later ChainCheck resumes at.
    #[getter]
    fn signed_head(&self) -> Head {
        Head(self.0.signed_head().clone())
    }

    /// That the whole chain goes on from what the checkpoint signed.
    #[getter]
    fn growth(&self) -> Growth {
        Growth(self.0.growth())
    }

    /// The entries that were to be located, in their order, as far as the checkpoint covers them.
    #[getter]
    fn places(&self) -> Vec<Located> {
        self.0.places().iter().cloned().map(Located).collect()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        let (origin, size) = (self.0.origin(), self.0.head().size());
        format!("AgreedChain(origin={origin:?}, covered={}, size={size})", self.0.covered())
    }
}

/// Proof that an entry stands at its place in the chain of an origin, below the size of a verified checkpoint that the
/// chain agrees with. Only AgreedChain.places gives one.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Located(pub(crate) dualseal::Located);

#[pymethods]
impl Located {
    /// The origin of the checkpoint.
    #[getter]
    fn origin(&self) -> &str {
        self.0.origin()
    }

    /// The entry, with its position.
    #[getter]
    fn entry(&self) -> Entry {
        Entry(self.0.entry().clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Located(origin={:?}, seq={})", self.0.origin(), self.0.entry().seq())
    }
}
