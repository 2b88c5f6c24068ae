//! The records of evidence that have no form of their own elsewhere, and all of them as Python has them.

use crate::as_of::AsOf;
use crate::failure::Returned;
use crate::input::text;
use crate::keys::PublicKey;
use crate::record::SignatureRecord;
use crate::seal::Seal;
use crate::threshold::QuorumResult;
use crate::vault::record::VaultRecord;
use crate::verdict::Verdict;
use dualseal::error::Problem;
use dualseal::evidence::{self, EvidenceRecord};
use dualseal::verdict;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SealEvidence>()?;
    module.add_class::<QuorumEvidence>()
}

/// A dual seal (a Seal or its text), which names neither signer nor key, with both.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SealEvidence(pub(super) evidence::SealEvidence);

#[pymethods]
impl SealEvidence {
    #[new]
    #[pyo3(signature = (seal, *, identity_id, public_key))]
    fn new(seal: &Bound<'_, PyAny>, identity_id: &Bound<'_, PyString>, public_key: &PublicKey) -> Returned<Self> {
        let dualseal::seal::Seal::Dual(seal) = Seal::read(seal)? else {
            return Err(crate::input::malformed("seal", Problem::UnknownValue));
        };
        let identity_id = text("identity_id", identity_id)?.parse()?;
        Ok(Self(evidence::SealEvidence { identity_id, public_key: public_key.0.clone(), seal }))
    }

    /// The seal.
    #[getter]
    fn seal(&self) -> Seal {
        Seal(self.0.seal.clone().into())
    }

    /// Whose seal it is.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id.to_hex()
    }

    /// The key of layer B.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key.clone())
    }

    fn __repr__(&self) -> String {
        format!("SealEvidence(identity_id='{}')", self.0.identity_id)
    }
}

/// A result of a quorum with a public key, with the session, the identity and the key that it does not name itself.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct QuorumEvidence(pub(super) evidence::QuorumEvidence);

#[pymethods]
impl QuorumEvidence {
    #[new]
    #[pyo3(signature = (result, *, session_id, identity_id, public_key))]
    fn new(
        result: &QuorumResult,
        session_id: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        public_key: &PublicKey,
    ) -> Returned<Self> {
        Ok(Self(evidence::QuorumEvidence {
            identity_id: text("identity_id", identity_id)?.parse()?,
            public_key: public_key.0.clone(),
            result: result.0.clone(),
            session_id: text("session_id", session_id)?.parse()?,
        }))
    }

    /// The result.
    #[getter]
    fn result(&self) -> QuorumResult {
        QuorumResult(self.0.result.clone())
    }

    /// The session.
    #[getter]
    fn session_id(&self) -> String {
        self.0.session_id.to_hex()
    }

    /// The identity whose key the quorum's is.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id.to_hex()
    }

    /// The quorum's key.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key.clone())
    }

    fn __repr__(&self) -> String {
        format!("QuorumEvidence(session_id='{}')", self.0.session_id)
    }
}

/// What evidence concludes, with the record of its kind where that is valid.
pub(super) fn told(py: Python<'_>, as_of: &verdict::AsOf<EvidenceRecord>) -> PyResult<AsOf> {
    let told = Verdict::told(&as_of.verdict, None);
    let told = match &as_of.verdict {
        verdict::Verdict::Valid(verified) => match verified.record() {
            EvidenceRecord::Signature(record) => told.with_verified(py, SignatureRecord(record.clone()))?,
            EvidenceRecord::Seal(record) => told.with_verified(py, SealEvidence(record.clone()))?,
            EvidenceRecord::Vault(record) => told.with_verified(py, VaultRecord(record.redacted()))?,
            EvidenceRecord::Quorum(record) => told.with_verified(py, QuorumEvidence(record.clone()))?,
        },
        _ => told,
    };
    AsOf::told(py, as_of, told)
}

/// An argument that is a record of one of the kinds.
pub(super) fn read(record: &Bound<'_, PyAny>) -> PyResult<EvidenceRecord> {
    if let Ok(record) = record.cast::<SignatureRecord>() {
        Ok(EvidenceRecord::Signature(record.get().0.clone()))
    } else if let Ok(record) = record.cast::<SealEvidence>() {
        Ok(EvidenceRecord::Seal(record.get().0.clone()))
    } else if let Ok(record) = record.cast::<VaultRecord>() {
        Ok(EvidenceRecord::Vault(record.get().0.redacted().into()))
    } else if let Ok(record) = record.cast::<QuorumEvidence>() {
        Ok(EvidenceRecord::Quorum(record.get().0.clone()))
    } else {
        let message = "record is a SignatureRecord, SealEvidence, VaultRecord or QuorumEvidence";
        Err(PyTypeError::new_err(message))
    }
}
