//! Signing checkpoints.

use super::high_water::HighWaterMark;
use super::record::Checkpoint;
use crate::domain::Domain;
use crate::failure::{Raised, Returned, not_pickled};
use crate::input::text;
use crate::keys::{KeyHandle, PublicKey};
use crate::ring::KeyRing;
use crate::time::moment;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::{Error, IdentityId, SystemRng, checkpoint};
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CheckpointSigner>()
}

/// Signs the checkpoints of one log, and none over a chain that does not go on from what it signed last.
///
/// origin is the name of the log: 1 to 255 bytes, no control characters, no `::`, no leading `:`. note_key is the
/// Ed25519 public key of the log's notes, 64 hexadecimal characters, where it has any.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct CheckpointSigner {
    domain: dualseal::Domain,
    origin: String,
    identity_id: IdentityId,
    key: KeyHandle,
    note_key: Option<Ed25519PublicKey>,
}

impl CheckpointSigner {
    pub(crate) fn of(
        domain: &dualseal::Domain,
        origin: &str,
        identity_id: IdentityId,
        key: KeyHandle,
        note_key: Option<&Bound<'_, PyString>>,
    ) -> Returned<Self> {
        let (domain, origin, note_key) = (domain.clone(), origin.to_owned(), self::note_key(note_key)?);
        let signer = Self { domain, origin, identity_id, key, note_key };
        signer.signer()?;
        Ok(signer)
    }

    fn signer(&self) -> Result<checkpoint::CheckpointSigner<'_>, Error> {
        let signer = checkpoint::CheckpointSigner::new(&self.domain, &self.origin, &self.identity_id, self.key.key())?;
        Ok(match &self.note_key {
            Some(note_key) => signer.with_note_key(note_key),
            None => signer,
        })
    }
}

#[pymethods]
impl CheckpointSigner {
    #[new]
    #[pyo3(signature = (domain, origin, identity_id, key, *, note_key = None))]
    fn new(
        domain: &Domain,
        origin: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        key: KeyHandle,
        note_key: Option<&Bound<'_, PyString>>,
    ) -> Returned<Self> {
        Self::of(&domain.0, text("origin", origin)?, text("identity_id", identity_id)?.parse()?, key, note_key)
    }

    /// A signer whose key is the identity's current one in the log's ring, and VALID: a checkpoint by a key that was
    /// retired covers nothing beyond its retirement. Raises as KeyRing.check_signer does.
    #[staticmethod]
    #[pyo3(signature = (domain, ring, origin, identity_id, key, *, note_key = None))]
    fn current(
        domain: &Domain,
        ring: &KeyRing,
        origin: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        key: KeyHandle,
        note_key: Option<&Bound<'_, PyString>>,
    ) -> Returned<Self> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        ring.snapshot().check_signer(&identity_id, key.key().public_key())?;
        Self::of(&domain.0, text("origin", origin)?, identity_id, key, note_key)
    }

    /// Signs the state of a log, once its mark is written where a restored backup does not take it back. The same mark
    /// may be signed again, at another time, and by the next key after a rotation of the log's.
    #[pyo3(signature = (mark, *, time))]
    fn sign(&self, py: Python<'_>, mark: &HighWaterMark, time: &Bound<'_, PyAny>) -> Returned<Checkpoint> {
        let time = moment("time", time)?;
        Ok(Checkpoint(py.detach(|| self.signer()?.sign(&mark.0, time, &mut SystemRng))?))
    }

    /// The name of the log.
    #[getter]
    fn origin(&self) -> &str {
        &self.origin
    }

    /// The identity of the log's signer.
    #[getter]
    fn identity_id(&self) -> String {
        self.identity_id.to_hex()
    }

    /// The public half of the key.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.key.key().public_key().clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("CheckpointSigner(origin={:?}, identity_id='{}')", self.origin, self.identity_id)
    }
}

/// The Ed25519 key of a log's notes, where it has one.
pub(crate) fn note_key(key: Option<&Bound<'_, PyString>>) -> Returned<Option<Ed25519PublicKey>> {
    key.map(|key| Ok::<_, Raised>(text("note_key", key)?.parse()?)).transpose()
}
