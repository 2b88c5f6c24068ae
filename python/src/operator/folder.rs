//! The driver over a folder.

use super::batch::Batch;
use super::changes::Changes;
use super::placed::Keys;
use super::secrets;
use super::state::State;
use crate::checkpoint::{Checkpoint, VerifiedCheckpoint, note_key};
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::{BytesLike, counter, text};
use crate::keys::KeyHandle;
use crate::krunica::Entry;
use crate::progress::{ending, lock, running};
use crate::ring::RingKey;
use crate::time::moment;
use dualseal::error::Misuse;
use dualseal::tree::TreeHash;
use dualseal_operator::disk::Disk;
use dualseal_operator::folder::{self, FolderError, Place};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use self_cell::self_cell;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Folder>()?;
    module.add_class::<Held>()?;
    module.add_class::<Reading>()?;
    module.add_class::<Entries>()
}

/// A log in a folder: one process after the other holds it, does its steps, and writes what they change by one
/// journalled change. `mark` is the file of the signer's high-water mark, outside of the folder and of its backups;
/// `wait` is how long to wait for other processes, in seconds. Nothing is read before it is held.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Folder(Arc<folder::Folder>);

/// Where the folder is, and what it is.
fn place(path: PathBuf, mark: PathBuf, domain: &Domain, origin: &Bound<'_, PyString>, wait: f64) -> Returned<Place> {
    let wait = Duration::try_from_secs_f64(wait).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Place { path, mark, domain: domain.0.clone(), origin: text("origin", origin)?.to_owned(), wait })
}

#[pymethods]
impl Folder {
    #[new]
    #[pyo3(signature = (path, *, mark, domain, origin, ring_key, wait = 60.0))]
    fn new(
        path: PathBuf,
        mark: PathBuf,
        domain: &Domain,
        origin: &Bound<'_, PyString>,
        ring_key: &RingKey,
        wait: f64,
    ) -> Returned<Self> {
        let place = place(path, mark, domain, origin, wait)?;
        Ok(Self(Arc::new(folder::Folder::new(Disk::new(), place, ring_key.get().shared()))))
    }

    /// Makes an empty log where there is none. Raises FolderError (`exists`) where there is one.
    #[staticmethod]
    #[pyo3(signature = (path, *, mark, domain, origin, ring_key, wait = 60.0))]
    fn found(
        py: Python<'_>,
        path: PathBuf,
        mark: PathBuf,
        domain: &Domain,
        origin: &Bound<'_, PyString>,
        ring_key: &RingKey,
        wait: f64,
    ) -> Returned<Self> {
        let place = place(path, mark, domain, origin, wait)?;
        let founded = py.detach(|| folder::Folder::found(Disk::new(), place, ring_key.get().shared()))?;
        Ok(Self(Arc::new(founded)))
    }

    /// Holds the folder against everybody else: `with folder.hold() as held:`.
    fn hold(&self) -> Held {
        Held { folder: Arc::clone(&self.0), holding: Mutex::new(None) }
    }

    /// Reads the folder while nobody writes to it: `with folder.read() as reading:`.
    fn read(&self) -> Reading {
        Reading { folder: Arc::clone(&self.0), reading: Mutex::new(None) }
    }

    /// Reads everything, each entry from the first on, and holds the ring, the tree, the index and the records against
    /// them, and the secrets at rest against their list: the numbers of entries, signed records, vault records and
    /// secrets. Whether a record's signature holds is for its verifier.
    ///
    /// Raises RefusedError and FolderError (`broken`) for what does not belong together, RejectedError for the first
    /// entry that does not hold.
    fn audit(&self, py: Python<'_>) -> Returned<(u64, u64, u64, u64)> {
        let audited = py.detach(|| self.0.audit())?;
        Ok((audited.entries, audited.records, audited.vault_records, audited.secrets))
    }

    /// Makes the signer's mark anew where it was lost: from the last checkpoint that somebody else has, a witness
    /// before all. Of an older one it would let a restored folder sign a fork. Raises RefusedError for a folder that is
    /// older than what was signed (`restored`), and for a checkpoint that is older than the folder's (`mark-other`).
    #[pyo3(signature = (seen, /))]
    fn renew_mark(&self, py: Python<'_>, seen: &VerifiedCheckpoint) -> Returned<()> {
        Ok(py.detach(|| self.0.renew_mark(&seen.0))?)
    }

    /// Makes the signer's mark anew where it was lost before any checkpoint was signed. Whoever calls this vouches for
    /// that, and for the folder being the newest there is: an old copy would sign a fork from then on, and take keys
    /// for valid that were called back since. Raises RefusedError (`mark-other`) for a folder whose last checkpoint is
    /// known.
    fn renew_unsigned_mark(&self, py: Python<'_>) -> Returned<()> {
        Ok(py.detach(|| self.0.renew_unsigned_mark())?)
    }

    /// The folder.
    #[getter]
    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Folder(path='{}')", self.0.path().display())
    }
}

type Running<'a> = Option<folder::Held<'a>>;

self_cell! {
    struct Holding {
        owner: Arc<folder::Folder>,
        #[not_covariant]
        dependent: Running,
    }
}

/// The folder, held against everybody else in the body of a `with` statement, and what is in it against itself. It
/// takes one change.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Held {
    folder: Arc<folder::Folder>,
    holding: Mutex<Option<Holding>>,
}

fn ended() -> FolderError {
    FolderError::Step(Misuse::StreamEnded.into())
}

impl Held {
    /// Ends the hold, whatever comes of it.
    fn end<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(folder::Held<'_>) -> Result<T, FolderError> + Send,
    ) -> Returned<T> {
        let mut holding = ending(&mut lock(py, &self.holding))?;
        let act = || holding.with_dependent_mut(|_, held| act(held.take().ok_or_else(ended)?));
        Ok(py.detach(act)?)
    }
}

#[pymethods]
impl Held {
    /// Waits for the folder. Raises RefusedError where what is in it does not belong together, and FolderError for what
    /// the disk says.
    fn __enter__(this: PyRef<'_, Self>) -> Returned<PyRef<'_, Self>> {
        let (py, folder) = (this.py(), Arc::clone(&this.folder));
        let holding = py.detach(|| Holding::try_new(folder, |folder| folder.hold().map(Some)))?;
        *lock(py, &this.holding) = Some(holding);
        Ok(this)
    }

    /// Lets go of it. What was not committed has not happened.
    #[pyo3(signature = (kind, exception, traceback, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        exception: &Bound<'_, PyAny>,
        traceback: &Bound<'_, PyAny>,
    ) {
        let _ = (kind, exception, traceback);
        let held = lock(py, &self.holding).take();
        py.detach(|| drop(held));
    }

    /// What was loaded.
    #[getter]
    fn state(&self, py: Python<'_>) -> Returned<State> {
        let copy = |held: &mut Running<'_>| held.as_ref().map(|held| held.state().clone()).ok_or_else(ended);
        let state = running(&mut lock(py, &self.holding))
            .map_err(FolderError::from)
            .and_then(|holding| holding.with_dependent_mut(|_, held| py.detach(|| copy(held))));
        Ok(State(state?))
    }

    /// Signs what a batch placed, each record with the one of `keys` that is its own, and writes what it changes. It
    /// ends the batch and the hold, whatever comes of it. Raises StepError (`no-key`) where there is no key; as
    /// commit.
    #[pyo3(signature = (batch, keys, /))]
    fn finish(&self, py: Python<'_>, batch: &Batch, keys: Keys) -> Returned<Changes> {
        let batch = batch.end(py)?;
        self.end(py, |held| held.finish(batch, &|one| keys.of(one))).map(Changes::from)
    }

    /// Writes the changes that lead to a state: all of it, or nothing. It ends the hold, whatever comes of it.
    ///
    /// FolderError.commit says what has become of it: `done`, `not`, or `unknown`.
    #[pyo3(signature = (state, changes, /))]
    fn commit(&self, py: Python<'_>, state: &State, changes: &Changes) -> Returned<()> {
        let (state, changes) = (state.copied(py), changes.get());
        self.end(py, |held| held.commit(state, changes, |_| Ok(())))
    }

    /// Signs a checkpoint over what was loaded, by an identity of the ring with its current key, and writes it. The
    /// mark is written first: whatever becomes of the rest, nothing is ever signed that does not go on from it. It ends
    /// the hold, whatever comes of it. note_key is as in CheckpointSigner.
    #[pyo3(signature = (identity_id, key, *, time, note_key = None))]
    fn checkpoint(
        &self,
        py: Python<'_>,
        identity_id: &Bound<'_, PyString>,
        key: KeyHandle,
        time: &Bound<'_, PyAny>,
        note_key: Option<&Bound<'_, PyString>>,
    ) -> Returned<Checkpoint> {
        let (identity_id, time) = (text("identity_id", identity_id)?.parse()?, moment("time", time)?);
        let note_key = self::note_key(note_key)?;
        let signed = self.end(py, |held| {
            held.checkpoint(&identity_id, key.key(), time, |signer| match &note_key {
                Some(note_key) => signer.with_note_key(note_key),
                None => signer,
            })
        })?;
        Ok(Checkpoint(signed))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

/// A folder that nobody writes to in the body of a `with` statement.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Reading {
    folder: Arc<folder::Folder>,
    reading: Mutex<Option<folder::Reading>>,
}

impl Reading {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&folder::Reading) -> Result<T, FolderError> + Send,
    ) -> Returned<T> {
        let done = running(&mut lock(py, &self.reading))
            .map_err(FolderError::from)
            .and_then(|reading| py.detach(|| read(reading)));
        Ok(done?)
    }
}

#[pymethods]
impl Reading {
    /// Waits for the folder. Raises RefusedError where what is in it does not belong together, and FolderError for what
    /// the disk says.
    fn __enter__(this: PyRef<'_, Self>) -> Returned<PyRef<'_, Self>> {
        let (py, folder) = (this.py(), &*this.folder);
        let reading = py.detach(|| folder.read())?;
        *lock(py, &this.reading) = Some(reading);
        Ok(this)
    }

    /// Lets go of it.
    #[pyo3(signature = (kind, exception, traceback, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: &Bound<'_, PyAny>,
        exception: &Bound<'_, PyAny>,
        traceback: &Bound<'_, PyAny>,
    ) {
        let _ = (kind, exception, traceback);
        let reading = lock(py, &self.reading).take();
        py.detach(|| drop(reading));
    }

    /// What was loaded.
    #[getter]
    fn state(&self, py: Python<'_>) -> Returned<State> {
        self.with(py, |reading| Ok(reading.state().clone())).map(State)
    }

    /// The entries from a position on, as they stand in the file: whoever shows something by them reads them with a
    /// ChainReader.
    #[pyo3(signature = (start = None, /))]
    fn entries(&self, py: Python<'_>, start: Option<&Bound<'_, PyInt>>) -> Returned<Entries> {
        let start = start.map(|start| counter("seq", start)).transpose()?.unwrap_or_default();
        self.with(py, |reading| reading.entries(start)).map(|entries| Entries(Mutex::new(entries)))
    }

    /// The record that an entry is of, signed or of a vault, as canonical JSON: that of a vault with its fragment,
    /// which what leaves the store has not. None for an entry of another kind, and for one that there is not.
    #[pyo3(signature = (seq, /))]
    fn record<'py>(&self, py: Python<'py>, seq: &Bound<'py, PyInt>) -> Returned<Option<Bound<'py, PyString>>> {
        let seq = counter("seq", seq)?;
        let record = self.with(py, |reading| reading.record(seq))?;
        Ok(record.map(|record| PyString::from_bytes(py, &record)).transpose()?)
    }

    /// The stored bytes of a secret that was kept in this place, for Master.open; None where none was.
    #[pyo3(signature = (*, table, row, purpose))]
    fn secret<'py>(
        &self,
        py: Python<'py>,
        table: &Bound<'_, PyString>,
        row: BytesLike<'_>,
        purpose: &Bound<'_, PyString>,
    ) -> Returned<Option<Bound<'py, PyBytes>>> {
        let place = secrets::place(table, &row, purpose)?;
        let stored = self.with(py, |reading| reading.secret(&place))?;
        Ok(stored.map(|stored| PyBytes::new(py, &stored)))
    }

    /// The path of an entry in the log's tree at a size, as prove_leaf gives it; None where there is no such entry.
    fn prove_entry(
        &self,
        py: Python<'_>,
        size: &Bound<'_, PyInt>,
        seq: &Bound<'_, PyInt>,
    ) -> Returned<Option<Vec<String>>> {
        let (size, seq) = (counter("size", size)?, counter("seq", seq)?);
        Ok(self.with(py, |reading| reading.prove_entry(size, seq))?.map(told))
    }

    /// The proof that the log of one size goes on from that of another, as prove_growth gives it.
    fn prove_growth(
        &self,
        py: Python<'_>,
        before: &Bound<'_, PyInt>,
        size: &Bound<'_, PyInt>,
    ) -> Returned<Option<Vec<String>>> {
        let (before, size) = (counter("size", before)?, counter("size", size)?);
        Ok(self.with(py, |reading| reading.prove_growth(before, size))?.map(told))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

fn told(path: Vec<TreeHash>) -> Vec<String> {
    path.iter().map(TreeHash::to_hex).collect()
}

/// The entries of a folder's chain, in order.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Entries(Mutex<folder::Entries>);

#[pymethods]
impl Entries {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> Returned<Option<Entry>> {
        let mut entries = lock(py, &self.0);
        Ok(entries.next().transpose()?.map(Entry))
    }
}
