//! Checkpoints, as data.

use crate::domain::Domain;
use crate::failure::Returned;
use crate::input::text;
use crate::json::{JsonText, record, to_object};
use crate::keys::PublicKey;
use crate::krunica::Entry;
use crate::values::{Again, again, hashed};
use dualseal::checkpoint::{self, LogFingerprint};
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::key::RingHead;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Checkpoint>()?;
    module.add_function(wrap_pyfunction!(log_fingerprint, module)?)
}

/// The fingerprint of a log, 64 hexadecimal characters: SHA3-256 over its name, the identity of its signer, the
/// signer's public key and the domain's constants. It is what people compare, and another one after a rotation of the
/// log's key.
#[pyfunction]
#[pyo3(signature = (domain, origin, identity_id, public_key))]
fn log_fingerprint(
    domain: &Domain,
    origin: &Bound<'_, PyString>,
    identity_id: &Bound<'_, PyString>,
    public_key: &PublicKey,
) -> Returned<String> {
    let identity_id = text("identity_id", identity_id)?.parse()?;
    Ok(LogFingerprint::of(&domain.0, text("origin", origin)?, &identity_id, &public_key.0).to_hex())
}

/// A signed head of a chain. Holding one says nothing about its validity.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct Checkpoint(pub(crate) checkpoint::Checkpoint);

#[pymethods]
impl Checkpoint {
    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, checkpoint::Checkpoint::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, checkpoint::Checkpoint::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// The name of the log.
    #[getter]
    fn origin(&self) -> &str {
        self.0.origin()
    }

    /// The number of entries that were signed.
    #[getter]
    fn size(&self) -> u64 {
        self.0.tree_head().size
    }

    /// The hash of the last of them, 128 hexadecimal characters.
    #[getter]
    fn top(&self) -> String {
        self.0.tree_head().top.to_hex()
    }

    /// The root of the tree over them, 64 hexadecimal characters.
    #[getter]
    fn root(&self) -> String {
        self.0.tree_head().root.to_hex()
    }

    /// The ring as they state it last: its revision and its root, 64 hexadecimal characters.
    #[getter]
    fn ring(&self) -> Option<(u64, String)> {
        self.0.ring().map(ring_pair)
    }

    /// Whether an entry is of the ring that it states, as far as anybody can tell without the ring key: its mac is not
    /// checked.
    fn is_ring_of(&self, domain: &Domain, entry: &Entry) -> bool {
        self.0.is_ring_of(&domain.0, &entry.0)
    }

    /// The Ed25519 key of the log's notes (`nota`), 64 hexadecimal characters.
    #[getter]
    fn note_key(&self) -> Option<String> {
        self.0.note_key().map(Ed25519PublicKey::to_hex)
    }

    /// When the signer says it was signed.
    #[getter]
    fn time(&self) -> String {
        self.0.time().to_string()
    }

    /// The identity of the log's signer.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id().to_hex()
    }

    /// The key inside the checkpoint (`javni_kljuc`), which proves nothing: the verifier pins its hash.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key().clone())
    }

    /// The signature (`potpis`), 3309 bytes.
    #[getter]
    fn signature<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.signature().as_bytes())
    }

    /// The fingerprint of the log that it says to be of: as log_fingerprint by its own members.
    fn fingerprint(&self, domain: &Domain) -> String {
        self.0.fingerprint(&domain.0).to_hex()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("Checkpoint(origin={:?}, size={}, time='{}')", self.0.origin(), self.0.tree_head().size, self.0.time())
    }
}

/// A ring's head as Python has it.
pub(super) fn ring_pair(ring: &RingHead) -> (u64, String) {
    (ring.revision, ring.root.to_hex())
}
