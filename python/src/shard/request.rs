//! What a gate is asked.

use crate::domain::Domain;
use crate::enums::operation_object;
use crate::failure::Returned;
use crate::input::text;
use crate::json::{JsonText, record, to_object};
use crate::time::moment;
use crate::values::{Again, again, hashed};
use dualseal::presence::Challenge;
use dualseal::shard;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<RebuildRequest>()
}

/// What is asked of the gate. Proofs of presence are made for one request and fit no other.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct RebuildRequest(pub(crate) shard::Request);

#[pymethods]
impl RebuildRequest {
    /// Reads the JSON, in any spacing and member order. Holding a request says nothing about what it names.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, shard::Request::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, shard::Request::from_json)?))
    }

    /// Canonical JSON, for whoever makes the proofs elsewhere; nonce and expiry go beside it.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// What an authenticator answers, 64 hexadecimal characters.
    #[pyo3(signature = (domain, *, nonce, expiry))]
    fn challenge(&self, domain: &Domain, nonce: &Bound<'_, PyString>, expiry: &Bound<'_, PyAny>) -> Returned<String> {
        let nonce = text("nonce", nonce)?.parse()?;
        Ok(Challenge::new(&domain.0, &self.0, &nonce, moment("expiry", expiry)?).to_hex())
    }

    /// The operation.
    #[getter]
    fn operation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        operation_object(py, self.0.operation)
    }

    /// The vault whose secret is rebuilt.
    #[getter]
    fn vault_id(&self) -> String {
        self.0.vault_id.to_hex()
    }

    /// The splitting that the shards are of.
    #[getter]
    fn split_id(&self) -> String {
        self.0.split_id.to_hex()
    }

    /// The shards that may take part, ascending.
    #[getter]
    fn shard_ids(&self) -> Vec<String> {
        self.0.shard_ids.iter().map(shard::ShardId::to_hex).collect()
    }

    /// The hash of the operation's arguments (`args`), 64 hexadecimal characters.
    #[getter]
    fn arguments(&self) -> String {
        self.0.arguments.to_hex()
    }

    /// Who receives the shards (`primatelj`): SHA3-256 of the public key, 64 hexadecimal characters.
    #[getter]
    fn recipient(&self) -> String {
        self.0.recipient.to_hex()
    }

    /// The identity whose vault it is.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id.to_hex()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("RebuildRequest(operation='{}', vault_id='{}')", self.0.operation.as_str(), self.0.vault_id)
    }
}
