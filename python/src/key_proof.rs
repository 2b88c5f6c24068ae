//! The proof that one key stands in a ring.

use crate::enums::key_state_object;
use crate::failure::Returned;
use crate::json::{JsonText, record, to_object};
use crate::values::{Again, again, hashed};
use dualseal::key;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<KeyProof>()
}

/// What a ring says of one key, with the path from there to the root of the ring's tree. PublicRing.prove makes one;
/// whose ring it is, a checkpoint states (AttestedKey).
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct KeyProof(pub(crate) key::KeyProof);

#[pymethods]
impl KeyProof {
    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, key::KeyProof::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, key::KeyProof::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// Whose key it says to be.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id().to_hex()
    }

    /// SHA3-256 over the key, 64 hexadecimal characters.
    #[getter]
    fn key_hash(&self) -> String {
        self.0.key_hash().to_hex()
    }

    /// The state that the ring gives it, a decoy as VALID.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        key_state_object(py, self.0.state())
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("KeyProof(identity_id='{}', key_hash='{}')", self.0.identity_id(), self.0.key_hash())
    }
}
