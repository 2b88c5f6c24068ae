//! A ring against the chain that vouches for it.

use super::verifier::VerifiedCheckpoint;
use crate::failure::Returned;
use crate::input::locked;
use crate::json::{JsonText, to_object};
use crate::krunica::{Entry, Head};
use crate::progress::{ending, running};
use crate::ring::{CheckedRing, RingKey};
use crate::vault::master::VaultMaster;
use dualseal::key::RingFile;
use dualseal::{Error, Verified, checkpoint};
use pyo3::prelude::*;
use self_cell::self_cell;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RingCheck>()
}

type Running<'a> = Option<checkpoint::RingCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Option<Verified<checkpoint::Checkpoint>>,
        #[covariant]
        dependent: Running,
    }
}

/// Reads a ring file and streams the chain that vouches for it, so that an old ring or an edited one is found out: past
/// a verified checkpoint from the first entry on, or (`resume`) from where the chain ended when the file was written.
/// Entries beyond the checkpoint count too.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct RingCheck {
    origin: String,
    size: u64,
    progress: Mutex<Progress>,
}

impl RingCheck {
    fn with<T>(&self, act: impl FnOnce(&mut checkpoint::RingCheck<'_>) -> Result<T, Error>) -> Result<T, Error> {
        locked(&self.progress).with_dependent_mut(|_, check| act(running(check)?))
    }
}

/// Whether an entry is that of a vault record, by one of the masters of the log.
fn by_any_of(masters: Vec<PyRef<'_, VaultMaster>>) -> impl FnMut(&dualseal::Entry) -> bool + Send + 'static {
    let masters: Vec<_> = masters.into_iter().map(|master| Arc::clone(&master.0)).collect();
    move |entry| masters.iter().any(|master| master.vouches_for(entry))
}

#[pymethods]
impl RingCheck {
    /// `masters` are all vault masters of the log: a file from before one of their records is an old one.
    ///
    /// Raises RejectedError where the file's MAC does not hold, MisuseError for the ring of another log.
    #[new]
    #[pyo3(signature = (json, authority, checkpoint, *, masters))]
    fn new(
        py: Python<'_>,
        json: JsonText<'_>,
        authority: &RingKey,
        checkpoint: &VerifiedCheckpoint,
        masters: Vec<PyRef<'_, VaultMaster>>,
    ) -> Returned<Self> {
        let is_record = by_any_of(masters);
        let file = json.read(py, RingFile::from_json)?;
        let (origin, size) = (file.origin().to_owned(), file.size());
        let progress = Progress::try_new(Some(checkpoint.0.clone()), |checkpoint| {
            let Some(checkpoint) = checkpoint else { return Ok(None) };
            checkpoint::RingCheck::new(file, authority.get(), checkpoint, is_record).map(Some)
        });
        Ok(Self { origin, size, progress: Mutex::new(progress?) })
    }

    /// Begins where the chain ended when the file was written, which is what a change needs: push the entries from
    /// `size` on. They end at `head`, which the caller keeps with the chain.
    #[staticmethod]
    #[pyo3(signature = (json, authority, head, *, masters))]
    fn resume(
        py: Python<'_>,
        json: JsonText<'_>,
        authority: &RingKey,
        head: &Head,
        masters: Vec<PyRef<'_, VaultMaster>>,
    ) -> Returned<Self> {
        let file = json.read(py, RingFile::from_json)?;
        let (origin, size) = (file.origin().to_owned(), file.size());
        let check = checkpoint::RingCheck::resume(file, authority.get(), &head.0, by_any_of(masters))?;
        Ok(Self { origin, size, progress: Mutex::new(Progress::new(None, |_| Some(check))) })
    }

    /// Takes the next entry; raises as ChainCheck.push does.
    #[pyo3(signature = (entry, /))]
    fn push(&self, entry: &Entry) -> Returned<()> {
        Ok(self.with(|check| check.push(&entry.0))?)
    }

    /// Takes the next entry as JSON without `seq`, as it stands in a list or on a line.
    #[pyo3(signature = (json, /))]
    fn push_json(&self, py: Python<'_>, json: JsonText<'_>) -> Returned<Entry> {
        Ok(Entry(json.read(py, |json| self.with(|check| check.push_json(json)))?))
    }

    /// The number of entries that the chain had when the file was written, as the file says.
    #[getter]
    fn size(&self) -> u64 {
        self.size
    }

    /// The entries so far that begin as ring entries and are none of this ring's, `{"entries":
    /// [{"reason": …, "seq": …}, …], "more": …}`: anybody may write such entries, and they count for nothing.
    fn ignored<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.with(|check| Ok(check.ignored().to_json()))?)
    }

    /// Ends the chain, compares the ring with what it says, and gives the ring.
    ///
    /// Raises RejectedError for an old ring (`ring` and `chain` are the two revisions), for an edited one
    /// (`identity_id` is the first whose keys differ), and as ChainCheck.finish.
    fn finish(&self, py: Python<'_>) -> Returned<Py<CheckedRing>> {
        let finish = || locked(&self.progress).with_dependent_mut(|_, check| ending(check)?.finish());
        let ring = py.detach(finish)?;
        Ok(CheckedRing::of(py, ring)?)
    }

    fn __repr__(&self) -> String {
        format!("RingCheck(origin={:?})", self.origin)
    }
}
