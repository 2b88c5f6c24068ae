//! Signing checkpoints.

use super::agreement::AgreedChain;
use super::record::Checkpoint;
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::text;
use crate::keys::{KeyHandle, PublicKey};
use crate::krunica::Head;
use crate::time::moment;
use dualseal::{Error, IdentityId, SystemRng, checkpoint};
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CheckpointSigner>()
}

/// Signs the checkpoints of one log, and none over a chain that does not go on from what it signed last.
///
/// origin is the name of the log: 1 to 255 bytes, no control characters, no `::`, no leading `:`.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct CheckpointSigner {
    domain: dualseal::Domain,
    origin: String,
    identity_id: IdentityId,
    key: KeyHandle,
}

impl CheckpointSigner {
    fn signer(&self) -> Result<checkpoint::CheckpointSigner<'_>, Error> {
        checkpoint::CheckpointSigner::new(&self.domain, &self.origin, &self.identity_id, self.key.key())
    }
}

#[pymethods]
impl CheckpointSigner {
    #[new]
    fn new(
        domain: &Domain,
        origin: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        key: KeyHandle,
    ) -> Returned<Self> {
        let (domain, origin) = (domain.0.clone(), text("origin", origin)?.to_owned());
        let signer = Self { domain, origin, identity_id: text("identity_id", identity_id)?.parse()?, key };
        signer.signer()?;
        Ok(signer)
    }

    /// Signs the first checkpoint of a log: once, for there is nothing that the chain could be compared with.
    #[pyo3(signature = (head, *, time))]
    fn sign_first(&self, py: Python<'_>, head: &Head, time: &Bound<'_, PyAny>) -> Returned<Checkpoint> {
        let time = moment(time)?;
        Ok(Checkpoint(py.detach(|| self.signer()?.sign_first(&head.0, time, &mut SystemRng))?))
    }

    /// Signs the head of a chain that was shown to agree with the last checkpoint. After a rotation of the log's key,
    /// the new key signs the same chain again this way.
    #[pyo3(signature = (chain, *, time))]
    fn sign_next(&self, py: Python<'_>, chain: &AgreedChain, time: &Bound<'_, PyAny>) -> Returned<Checkpoint> {
        let time = moment(time)?;
        Ok(Checkpoint(py.detach(|| self.signer()?.sign_next(&chain.0, time, &mut SystemRng))?))
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
