//! What an operator holds of one log.

use super::changes::Changes;
use super::stored::{StoredState, last_pair};
use crate::checkpoint::{Checkpoint, CheckpointSigner, Growth, HighWaterMark};
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::text;
use crate::keys::KeyHandle;
use crate::krunica::Head;
use crate::ring::CheckedRing;
use crate::vault::master::LedgerHead;
use dualseal_operator::step;
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<State>()
}

/// What was loaded of a log, and is changed by steps: the ring, followed to the end of the chain, that end, those of
/// the ledgers, and the last checkpoint. It is never changed itself: a batch gives another one.
///
/// `State(domain, CheckedRing(origin, ring_key), StoredState(Head.EMPTY))` is that of an empty log. Raises MisuseError
/// for a ring that was not followed to the stored head, or past it.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct State(pub(super) step::State);

impl State {
    /// A state of one's own, to be changed: the ring is copied without the interpreter lock.
    pub(super) fn copied(&self, py: Python<'_>) -> step::State {
        py.detach(|| self.0.clone())
    }
}

#[pymethods]
impl State {
    #[new]
    #[pyo3(signature = (domain, ring, stored, /))]
    fn new(domain: &Domain, ring: PyRef<'_, CheckedRing>, stored: &StoredState) -> Returned<Self> {
        let ring = CheckedRing::read(&ring, |ring| Ok(ring.clone()))?;
        Ok(Self(step::State::new(&domain.0, ring, stored.0.clone())?))
    }

    /// What a store writes first of all, before any step: the state and the seal of its ring.
    fn begin(&self, py: Python<'_>) -> Returned<Changes> {
        let state = self.copied(py);
        Ok(state.begin()?.into())
    }

    /// With a ledger begun (its name, 64 hexadecimal characters: LedgerHead.draw), unless it is there.
    #[pyo3(signature = (ledger, /))]
    fn with_ledger(&self, py: Python<'_>, ledger: &Bound<'_, PyString>) -> Returned<Self> {
        let ledger = text("ledger", ledger)?.parse()?;
        Ok(Self(self.copied(py).with_ledger(&ledger)))
    }

    /// The domain of the log.
    #[getter]
    fn domain(&self) -> Domain {
        Domain(self.0.domain().clone())
    }

    /// The name of the log.
    #[getter]
    fn origin(&self) -> &str {
        self.0.origin()
    }

    /// The ring, decoys included: a copy, of which a change is none of the state's.
    #[getter]
    fn ring(&self, py: Python<'_>) -> PyResult<Py<CheckedRing>> {
        let ring = py.detach(|| self.0.ring().clone());
        CheckedRing::of(py, ring)
    }

    /// Where the chain ends.
    #[getter]
    fn head(&self) -> Head {
        Head(self.0.head().clone())
    }

    /// Where a ledger ends (its name, 64 hexadecimal characters); None for one that was not begun.
    #[pyo3(signature = (ledger, /))]
    fn ledger(&self, ledger: &Bound<'_, PyString>) -> Returned<Option<LedgerHead>> {
        let ledger = text("ledger", ledger)?.parse()?;
        Ok(self.0.ledger(&ledger).copied().map(LedgerHead))
    }

    /// The number of entries that the last checkpoint covers, and SHA3-256 over its canonical JSON, 64 hexadecimal
    /// characters; None where there was none.
    #[getter]
    fn last(&self) -> Option<(u64, String)> {
        self.0.last().map(last_pair)
    }

    /// The mark of an empty log, and the text that is written, to a place of its own, before the first changes (begin)
    /// are: no store opens without a mark. Raises MisuseError for a log that is not empty.
    fn first_mark(&self, py: Python<'_>) -> Returned<(HighWaterMark, String)> {
        let (mark, text) = py.detach(|| self.0.first_mark())?;
        Ok((HighWaterMark(mark), text))
    }

    /// The mark of this state, whose chain has grown from the last one, and the text that is written: before a
    /// checkpoint over it is signed, and after changes of the ring.
    ///
    /// `last` is the mark that is there (Opened.mark). Raises MisuseError for growth to another head, RejectedError for
    /// growth from another mark, as of a store that was restored from an old backup.
    #[pyo3(signature = (last, growth, /))]
    fn next_mark(&self, py: Python<'_>, last: &HighWaterMark, growth: &Growth) -> Returned<(HighWaterMark, String)> {
        let (mark, text) = py.detach(|| self.0.next_mark(&last.0, &growth.0))?;
        Ok((HighWaterMark(mark), text))
    }

    /// Who signs the log's checkpoints: an identity of its ring, with its current key. Raises MisuseError for another
    /// key (`not-current`). note_key is as in CheckpointSigner.
    #[pyo3(signature = (identity_id, key, *, note_key = None))]
    fn checkpoint_signer(
        &self,
        identity_id: &Bound<'_, PyString>,
        key: KeyHandle,
        note_key: Option<&Bound<'_, PyString>>,
    ) -> Returned<CheckpointSigner> {
        let id = text("identity_id", identity_id)?.parse()?;
        self.0.checkpoint_signer(&id, key.key())?;
        CheckpointSigner::of(self.0.domain(), self.0.origin(), id, key, note_key)
    }

    /// Takes the checkpoint that was signed over this state: the state with it, and what the store writes then. Raises
    /// StepError (`other-checkpoint`) for one that is over another state, or not by a valid key of the ring.
    #[pyo3(signature = (checkpoint, /))]
    fn take(&self, py: Python<'_>, checkpoint: &Checkpoint) -> Returned<(State, Changes)> {
        let checkpoint = checkpoint.0.clone();
        let (state, changes) = py.detach(|| self.0.clone().take(checkpoint))?;
        Ok((Self(state), changes.into()))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("State(origin={:?}, size={})", self.0.origin(), self.0.head().size())
    }
}
