//! Several callers' work, placed one after the other. A step is the body of a `with` statement.

use super::changes::SecretRow;
use super::placed::{Placed, ToSign};
use super::secrets::place;
use super::state::State;
use crate::domain::HashedContent;
use crate::failure::{Returned, not_pickled};
use crate::input::{BytesLike, text};
use crate::keys::PublicKey;
use crate::krunica::{Entry, Head};
use crate::progress::lock;
use crate::ring::set_state;
use crate::seal::UnplacedSeal;
use crate::sharing::DrawnSecret;
use crate::time::moment;
use crate::vault::master::LedgerHead;
use crate::vault::record::VaultRecord;
use crate::vault::sealing::{SealedErasure, Unplaced};
use dualseal::error::Misuse;
use dualseal::{Error, Timestamp};
use dualseal_operator::step::{self, StepError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use self_cell::self_cell;
use std::mem;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Batch>()?;
    module.add_class::<Step>()?;
    module.add_class::<Vaulted>()
}

/// The work of one transaction, in steps of which each happens or does not, one at a time: the one that an exception
/// ends leaves the batch as it was, and takes nobody else's work with it.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Batch(Arc<Mutex<Work>>);

/// What a batch is at.
enum Work {
    /// No step is open.
    Free(Box<step::Batch>),
    /// This step is, which borrows from the batch.
    Open(Arc<()>, Open),
    /// Its placing has ended.
    Placed,
}

type Running<'a> = Option<step::Step<'a>>;

self_cell! {
    struct Open {
        owner: Box<step::Batch>,
        #[not_covariant]
        dependent: Running,
    }
}

impl Work {
    fn batch(&self) -> Result<&step::Batch, Error> {
        match self {
            Self::Free(batch) => Ok(batch),
            Self::Open(_, open) => Ok(open.borrow_owner()),
            Self::Placed => Err(Misuse::StreamEnded.into()),
        }
    }

    /// Takes the batch out, if no step is open.
    fn take(&mut self) -> Returned<Box<step::Batch>> {
        match mem::replace(self, Self::Placed) {
            Self::Free(batch) => Ok(batch),
            Self::Placed => Err(Error::from(Misuse::StreamEnded).into()),
            open @ Self::Open(..) => {
                *self = open;
                Err(PyRuntimeError::new_err("a step of this batch is open").into())
            }
        }
    }
}

#[pymethods]
impl Batch {
    /// Begins where the state is, which stays as it is.
    #[new]
    #[pyo3(signature = (state, /))]
    fn new(py: Python<'_>, state: &State) -> Self {
        let batch = Box::new(step::Batch::new(state.copied(py)));
        Self(Arc::new(Mutex::new(Work::Free(batch))))
    }

    /// One caller's work at one time: `with batch.step(time) as step:`. All of it is in the batch after the statement,
    /// or, where an exception ends it, nothing.
    #[pyo3(signature = (time, /))]
    fn step(&self, time: &Bound<'_, PyAny>) -> Returned<Step> {
        Ok(Step { work: Arc::clone(&self.0), time: moment("time", time)?, id: Arc::new(()) })
    }

    /// The state with all steps that ended so far: a copy.
    #[getter]
    fn state(&self, py: Python<'_>) -> Returned<State> {
        let work = lock(py, &self.0);
        let batch = work.batch()?;
        Ok(State(py.detach(|| batch.state().clone())))
    }

    /// Whether no step that ended has made anything.
    #[getter]
    fn is_empty(&self, py: Python<'_>) -> Returned<bool> {
        Ok(lock(py, &self.0).batch()?.is_empty())
    }

    /// Ends the placing, and gives out what is to be signed: beside each other, and where the driver wants, outside of
    /// its lock. Raises RuntimeError while a step is open.
    fn place(&self, py: Python<'_>) -> Returned<(Placed, Vec<ToSign>)> {
        let (placed, to_sign) = lock(py, &self.0).take()?.place();
        Ok((Placed::of(placed), to_sign.into_iter().map(ToSign::of).collect()))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        match &*lock(py, &self.0) {
            Work::Free(batch) => format!("Batch(size={})", batch.state().head().size()),
            Work::Open(..) => "Batch(a step is open)".to_owned(),
            Work::Placed => "Batch(placed)".to_owned(),
        }
    }
}

impl Batch {
    /// Takes the batch for its last act.
    pub(super) fn end(&self, py: Python<'_>) -> Returned<step::Batch> {
        Ok(*lock(py, &self.0).take()?)
    }
}

/// What one caller does at the end of the chain, in the body of a `with` statement. It takes nothing before and after.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Step {
    work: Arc<Mutex<Work>>,
    time: Timestamp,
    id: Arc<()>,
}

impl Step {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut step::Step<'_>) -> Result<T, StepError> + Send,
    ) -> Returned<T> {
        let ended = || StepError::from(Misuse::StreamEnded);
        let done = match &mut *lock(py, &self.work) {
            Work::Open(id, open) if Arc::ptr_eq(id, &self.id) => {
                open.with_dependent_mut(|_, step| py.detach(|| act(step.as_mut().ok_or_else(ended)?)))
            }
            _ => Err(ended()),
        };
        Ok(done?)
    }
}

#[pymethods]
impl Step {
    /// Begins the step. Raises RuntimeError while another of the batch is open.
    fn __enter__(this: PyRef<'_, Self>) -> Returned<PyRef<'_, Self>> {
        let mut work = lock(this.py(), &this.work);
        let open = Open::new(work.take()?, |batch| Some(batch.begin(this.time)));
        *work = Work::Open(Arc::clone(&this.id), open);
        drop(work);
        Ok(this)
    }

    /// Ends it: the batch takes it, or, where an exception came, is as it was.
    #[pyo3(signature = (kind, exception, traceback, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        exception: &Bound<'_, PyAny>,
        traceback: &Bound<'_, PyAny>,
    ) -> Returned<()> {
        let _ = (exception, traceback);
        let mut work = lock(py, &self.work);
        let mut open = match mem::replace(&mut *work, Work::Placed) {
            Work::Open(id, open) if Arc::ptr_eq(&id, &self.id) => open,
            other => {
                *work = other;
                return Err(Error::from(Misuse::StreamEnded).into());
            }
        };
        let step = open.with_dependent_mut(|_, step| step.take().filter(|_| kind.is_none()).map(step::Step::end));
        let mut batch = open.into_owner();
        let taken = step.map_or(Ok(()), |ended| ended.and_then(|ended| batch.take(ended)));
        *work = Work::Free(batch);
        Ok(taken?)
    }

    /// Where the chain ends, with what this step appended so far: operations of the library that make an entry, for
    /// `take`, make it here.
    #[getter]
    fn head(&self, py: Python<'_>) -> Returned<Head> {
        self.with(py, |step| Ok(step.head().clone())).map(Head)
    }

    /// The time of this step.
    #[getter]
    fn time(&self) -> String {
        self.time.to_string()
    }

    /// Where a ledger ends (its name, 64 hexadecimal characters), with what this step placed so far. Raises StepError
    /// (`unknown-ledger`) for one that the state does not have.
    #[pyo3(signature = (ledger, /))]
    fn ledger(&self, py: Python<'_>, ledger: &Bound<'_, PyString>) -> Returned<LedgerHead> {
        let ledger = text("ledger", ledger)?.parse()?;
        self.with(py, |step| step.ledger(&ledger).copied()).map(LedgerHead)
    }

    /// Begins a ledger (its name, 64 hexadecimal characters: LedgerHead.draw), unless it is there, and says where it
    /// ends.
    #[pyo3(signature = (ledger, /))]
    fn begin_ledger(&self, py: Python<'_>, ledger: &Bound<'_, PyString>) -> Returned<LedgerHead> {
        let ledger = text("ledger", ledger)?.parse()?;
        self.with(py, |step| Ok(step.begin_ledger(&ledger))).map(LedgerHead)
    }

    /// Places a signature record by the identity's current key, which is to sign it, over content that was hashed for
    /// the identity (Domain.content_hash, Domain.content_hasher): its index in Changes.records.
    ///
    /// Raises MisuseError for an identity without a current key, for one whose key is not valid (`not-current`), and
    /// for what was hashed for another.
    #[pyo3(signature = (identity_id, content, /))]
    fn sign(&self, py: Python<'_>, identity_id: &Bound<'_, PyString>, content: &HashedContent) -> Returned<usize> {
        let (identity_id, content) = (text("identity_id", identity_id)?.parse()?, &content.0);
        Ok(self.with(py, |step| step.sign(&identity_id, content))?.index())
    }

    /// Appends the entry of a dual seal (Sealer.seal_unplaced), so that it outlives its key. Raises MisuseError where
    /// that is not the identity's current and valid one (`not-current`), StepError for a seal of another domain.
    #[pyo3(signature = (seal, /))]
    fn seal(&self, py: Python<'_>, seal: &UnplacedSeal) -> Returned<Entry> {
        self.with(py, |step| step.seal(&seal.0)).map(Entry)
    }

    /// Appends a message of the caller's own, as Head.append does.
    #[pyo3(signature = (identity_id, message, /))]
    fn append(
        &self,
        py: Python<'_>,
        identity_id: &Bound<'_, PyString>,
        message: &Bound<'_, PyString>,
    ) -> Returned<Entry> {
        let (identity_id, message) = (text("identity_id", identity_id)?.parse()?, text("poruka", message)?);
        self.with(py, |step| step.append(&identity_id, message)).map(Entry)
    }

    /// Takes an entry that an operation of the library made at `head`: the commitment of a split or of a session's
    /// generation, a witness.
    ///
    /// Raises StepError (`not-a-step`) for a change of the ring and for the entry of a vault record, which have
    /// operations of their own here; RejectedError for one that was made at another head.
    #[pyo3(signature = (entry, /))]
    fn take(&self, py: Python<'_>, entry: &Entry) -> Returned<()> {
        self.with(py, |step| step.take(&entry.0))
    }

    /// Gives an identity its first key, in state VALID.
    #[pyo3(signature = (identity_id, public_key, /))]
    fn add_key(&self, py: Python<'_>, identity_id: &Bound<'_, PyString>, public_key: &PublicKey) -> Returned<Entry> {
        let (identity_id, public_key) = (text("identity_id", identity_id)?.parse()?, &public_key.0);
        self.with(py, |step| step.add_key(&identity_id, public_key)).map(Entry)
    }

    /// Puts a new key in place of an identity's current one, as CheckedRing.rotate does.
    #[pyo3(signature = (identity_id, public_key, /))]
    fn rotate(&self, py: Python<'_>, identity_id: &Bound<'_, PyString>, public_key: &PublicKey) -> Returned<Entry> {
        let (identity_id, public_key) = (text("identity_id", identity_id)?.parse()?, &public_key.0);
        self.with(py, |step| step.rotate(&identity_id, public_key)).map(Entry)
    }

    /// Sets the state of an identity's current key, or of the retired one with this hash, as CheckedRing.set_state
    /// does.
    #[pyo3(signature = (identity_id, state, /, *, key_hash = None, compromised_from = None))]
    fn set_state(
        &self,
        py: Python<'_>,
        identity_id: &Bound<'_, PyString>,
        state: &Bound<'_, PyString>,
        key_hash: Option<&Bound<'_, PyString>>,
        compromised_from: Option<u64>,
    ) -> Returned<Entry> {
        let (identity_id, set) = (text("identity_id", identity_id)?.parse()?, set_state(state, compromised_from)?);
        let key = match key_hash {
            Some(hash) => Some(text("javni_kljuc", hash)?.parse()?),
            None => None,
        };
        self.with(py, |step| step.set_state(&identity_id, key.as_ref(), set)).map(Entry)
    }

    /// Places a vault record that was sealed for the end of its ledger (Sealing.finish_unplaced), which ends `unplaced`
    /// whatever comes of it; its decoy goes into the ring.
    ///
    /// Raises StepError where another record of the ledger was placed since (`stale-ledger`) and for a ledger that the
    /// state does not have (`unknown-ledger`), MisuseError for a key that was retired or called back since
    /// (`not-current`). Then the document is sealed again.
    #[pyo3(signature = (unplaced, /))]
    fn vault(&self, py: Python<'_>, unplaced: &Unplaced) -> Returned<Vaulted> {
        let unplaced = unplaced.take()?;
        let vaulted = self.with(py, |step| step.vault(unplaced))?;
        Vaulted::new(py, vaulted)
    }

    /// Places an erasure (VaultSealer.erase) that was sealed with this key at `head` and at the end of its `ledger`:
    /// its record, and the entry that ends the vault's splits. Its `stored` bytes are stored beside the record.
    ///
    /// Raises as `vault` and `take` do; RejectedError for one that was sealed at another head.
    #[pyo3(signature = (public_key, erasure, /))]
    fn erase(&self, py: Python<'_>, public_key: &PublicKey, erasure: &SealedErasure) -> Returned<Vaulted> {
        let (public_key, erasure) = (&public_key.0, erasure.copied(py));
        let (vaulted, _) = self.with(py, |step| step.erase(public_key, erasure))?;
        Vaulted::new(py, vaulted)
    }

    /// Stores a secret at rest (Master.seal) with what the step makes. Raises StepError at the end of the step
    /// (`same-place`) where another one is kept in its place.
    #[pyo3(signature = (secret, /))]
    fn keep(&self, py: Python<'_>, secret: &SecretRow) -> Returned<()> {
        let secret = secret.0.clone();
        self.with(py, |step| {
            step.keep(secret);
            Ok(())
        })
    }

    /// Has the store wipe what stands in the place of a secret at rest: of the place comes a row without stored bytes.
    /// Backups have it still: what is to be erased there too hangs on an erasure key.
    #[pyo3(signature = (*, table, row, purpose))]
    fn forget(
        &self,
        py: Python<'_>,
        table: &Bound<'_, PyString>,
        row: BytesLike<'_>,
        purpose: &Bound<'_, PyString>,
    ) -> Returned<()> {
        let place = place(table, &row, purpose)?;
        self.with(py, |step| {
            step.forget(place);
            Ok(())
        })
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Step(time='{}')", self.time)
    }
}

/// A vault record that was placed.
#[pyclass(frozen, get_all, module = "dualseal.operator")]
pub(crate) struct Vaulted {
    /// The place of the record in Changes.vault_records.
    index: usize,
    /// The record without its fragment: what may leave the store, and what the Dealer of its secret is made of.
    record: Py<VaultRecord>,
    /// The vault secret of an encrypted record, which is kept or split, or the document is lost; None where it is not
    /// encrypted.
    secret: Option<Py<DrawnSecret>>,
    /// The record's entry.
    entry: Entry,
    /// The end of the ledger after it.
    ledger: LedgerHead,
}

impl Vaulted {
    fn new(py: Python<'_>, vaulted: step::Vaulted) -> Returned<Self> {
        let step::Vaulted { index, record, secret, entry, ledger } = vaulted;
        Ok(Self {
            index,
            record: Py::new(py, VaultRecord(record))?,
            secret: secret.map(|secret| Py::new(py, DrawnSecret::from(secret))).transpose()?,
            entry: Entry(entry),
            ledger: LedgerHead(ledger),
        })
    }
}

#[pymethods]
impl Vaulted {
    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Vaulted(index={}, encrypted={})", self.index, self.secret.is_some())
    }
}
