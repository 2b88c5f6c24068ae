//! A ring against the chain that vouches for it.

use super::agreement::AgreedChain;
use super::verifier::VerifiedCheckpoint;
use crate::failure::Returned;
use crate::input::locked;
use crate::json::JsonText;
use crate::krunica::Entry;
use crate::progress::{ending, running};
use crate::ring::{KeyRing, RingKey};
use dualseal::{Error, Verified, checkpoint};
use pyo3::prelude::*;
use self_cell::self_cell;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RingCheck>()
}

type Begun = (Arc<dualseal::RingKey>, Verified<checkpoint::Checkpoint>);
type Running<'a> = Option<checkpoint::RingCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Begun,
        #[covariant]
        dependent: Running,
    }
}

/// Streams a chain past a verified checkpoint and compares a ring with what the chain says of it, so that an old ring
/// or an edited one is found out. Entries beyond the checkpoint count too.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct RingCheck(Mutex<Progress>);

impl RingCheck {
    fn with<T>(&self, act: impl FnOnce(&mut checkpoint::RingCheck<'_>) -> Result<T, Error>) -> Result<T, Error> {
        locked(&self.0).with_dependent_mut(|_, check| act(running(check)?))
    }
}

#[pymethods]
impl RingCheck {
    #[new]
    fn new(authority: &RingKey, checkpoint: &VerifiedCheckpoint) -> Self {
        let begun = (authority.shared(), checkpoint.0.clone());
        Self(Mutex::new(Progress::new(begun, |(authority, checkpoint)| {
            Some(checkpoint::RingCheck::new(authority, checkpoint))
        })))
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

    /// Ends the chain and compares the ring with what it says.
    ///
    /// Raises RejectedError for an old ring (`ring` and `chain` are the two revisions), for an edited one
    /// (`identity_id` is the first whose keys differ), and as ChainCheck.finish; MisuseError for the ring of another
    /// log.
    #[pyo3(signature = (ring, /))]
    fn finish(&self, py: Python<'_>, ring: &KeyRing) -> Returned<AgreedChain> {
        let ring = ring.snapshot();
        let finish = || locked(&self.0).with_dependent_mut(|_, check| ending(check)?.finish(&ring));
        Ok(AgreedChain(py.detach(finish)?))
    }

    fn __repr__(&self) -> String {
        format!("RingCheck(origin={:?})", locked(&self.0).borrow_owner().1.record().origin())
    }
}
