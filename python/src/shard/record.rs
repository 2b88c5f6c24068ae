//! The shard, and the key that seals it.

use crate::domain::Domain;
use crate::failure::{Returned, not_hashed, not_pickled};
use crate::input::{BytesLike, index, malformed, text};
use crate::json::JsonText;
use crate::presence::Presence;
use crate::seal::Seal;
use crate::shard::request::RebuildRequest;
use crate::time::moment;
use dualseal::error::Problem;
use dualseal::secret::Secret;
use dualseal::{IdentityId, seal, shard};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ShardKey>()?;
    module.add_class::<Shard>()?;
    module.add_function(wrap_pyfunction!(verify_shard_seal, module)?)
}

/// The key that seals an identity's shards. Everybody who can check a shard's seal can also make it. It is wiped when
/// it is no longer used.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct ShardKey(pub(crate) Arc<shard::ShardKey>);

#[pymethods]
impl ShardKey {
    /// An identity's key from a master of 32 drawn bytes (HKDF-SHA3-256).
    #[staticmethod]
    fn derive(domain: &Domain, master: BytesLike<'_>, identity_id: &Bound<'_, PyString>) -> Returned<Self> {
        let identity_id: IdentityId = text("identity_id", identity_id)?.parse()?;
        let master = master.secret(|bytes| Secret::from_slice("master", bytes))?;
        Ok(Self(Arc::new(shard::ShardKey::derive(&domain.0, &master, &identity_id))))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Err(not_hashed::<Self>(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __repr__(&self) -> &'static str {
        "ShardKey([redacted])"
    }
}

/// A shard: one share of a vault secret with an identifier that binds all of it, and a seal of its own. Its value is
/// wiped when it is no longer used; what its methods return as str is a copy that Python cannot wipe.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Shard(pub(crate) shard::Shard);

/// A copy for the library, which wipes it.
pub(crate) fn copy(shard: &shard::Shard) -> Result<shard::Shard, dualseal::Error> {
    shard::Shard::from_json(shard.to_json().as_bytes())
}

/// The arguments `in_force` and `no_chain`: what the operator told a node.
pub(crate) fn known_split(in_force: Option<&Bound<'_, PyString>>, no_chain: bool) -> Returned<shard::KnownSplit> {
    Ok(match unless_no_chain(in_force, no_chain)? {
        Some(split_id) => shard::KnownSplit::InForce(text("in_force", split_id)?.parse()?),
        None => shard::KnownSplit::NoChain,
    })
}

/// What is left out only where the caller says that there is no chain: a None that nobody meant must not read as that.
pub(super) fn unless_no_chain<T>(in_force: Option<T>, no_chain: bool) -> PyResult<Option<T>> {
    if in_force.is_none() == no_chain {
        Ok(in_force)
    } else {
        Err(PyValueError::new_err("in_force is None exactly where no_chain is True"))
    }
}

/// Copies for the library, which wipes them.
pub(super) fn copies(shards: &[Py<Shard>]) -> Returned<Vec<shard::Shard>> {
    shards.iter().map(|shard| Ok(copy(&shard.get().0)?)).collect()
}

#[pymethods]
impl Shard {
    /// Reads the JSON of a shard that the caller kept; what a node answered is read with pulled.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, shard::Shard::from_json)?))
    }

    /// Reads what a node answered that was asked for this shard, number `index` of its splitting. An answer that is no
    /// shard, or another one, becomes a shard that does not hold, and its sender is the culprit.
    #[staticmethod]
    #[pyo3(signature = (answer, /, *, shard_id, index))]
    fn pulled(
        py: Python<'_>,
        answer: JsonText<'_>,
        shard_id: &Bound<'_, PyString>,
        index: &Bound<'_, PyInt>,
    ) -> Returned<Self> {
        let (shard_id, index) = (text("shard_id", shard_id)?.parse()?, self::index(index)?);
        Ok(Self(answer.read(py, |text: &[u8]| Ok(shard::Shard::pulled(shard_id, index, text)))?))
    }

    /// Canonical JSON. Secret.
    fn to_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.0.to_json())
    }

    /// Checks that its members give its identifier, and its seal. Raises RejectedError.
    fn verify(&self, domain: &Domain, key: &ShardKey) -> Returned<()> {
        Ok(self.0.verify(&domain.0, &key.0)?)
    }

    /// Whether a node lets this shard go: the one call that it makes before it answers a request. Raises RejectedError
    /// where it does not, and what the gate's `consume` raises.
    ///
    /// `recipient_key` is the public key of who asks, as the node pinned it and the channel authenticated it: of TLS
    /// the SubjectPublicKeyInfo in DER, on the same machine the service's ML-DSA-65 key; never what the request says of
    /// itself. `in_force` is the split_id that the operator told the node; only where there is no chain it is None and
    /// `no_chain` True. Vault, splitting, identity, recipient and shards of the request are compared before the gate is
    /// asked, so that a request which does not fit spends no nonce.
    #[pyo3(signature = (domain, request, /, *, recipient_key, in_force, gate, now, no_chain = false))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn release(
        &self,
        py: Python<'_>,
        domain: &Domain,
        request: &RebuildRequest,
        recipient_key: BytesLike<'_>,
        in_force: Option<&Bound<'_, PyString>>,
        gate: &Presence,
        now: &Bound<'_, PyAny>,
        no_chain: bool,
    ) -> Returned<()> {
        let recipient = shard::Recipient::of_key(&recipient_key.contiguous()?);
        let (split, now) = (known_split(in_force, no_chain)?, moment("now", now)?);
        gate.open(py, |gate| self.0.release(&domain.0, &request.0, &recipient, split, gate, now))
    }

    /// The value (`vrijednost_hex`), 64 characters: whoever has m of them can rebuild the secret.
    fn value_hex<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.0.as_ref().to_hex())
    }

    /// The identifier, which binds every other member but the identity, which the seal binds.
    #[getter]
    fn shard_id(&self) -> String {
        self.0.shard_id().to_hex()
    }

    /// The vault.
    #[getter]
    fn vault_id(&self) -> String {
        self.0.vault_id().to_hex()
    }

    /// The splitting.
    #[getter]
    fn split_id(&self) -> String {
        self.0.split_id().to_hex()
    }

    /// The identity whose vault it is.
    #[getter]
    fn identity_id(&self) -> String {
        self.0.identity_id().to_hex()
    }

    /// The number of the shard (`indeks`).
    #[getter]
    fn index(&self) -> u8 {
        self.0.index().get()
    }

    /// How many shards rebuild the secret.
    #[getter]
    fn m(&self) -> u8 {
        self.0.threshold().k()
    }

    /// How many shards there are.
    #[getter]
    fn n(&self) -> u8 {
        self.0.threshold().n()
    }

    /// The anchor of the vault secret (`javni_sidro`), 128 hexadecimal characters.
    #[getter]
    fn anchor(&self) -> String {
        self.0.anchor().to_hex()
    }

    /// The label of the node that holds it. Nothing dials it.
    #[getter]
    fn node_url(&self) -> &str {
        self.0.node_url()
    }

    /// The seal.
    #[getter]
    fn seal(&self) -> Seal {
        Seal(self.0.seal().clone().into())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Err(not_hashed::<Self>(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Shard(shard_id='{}', index={})", self.0.shard_id(), self.0.index())
    }
}

/// Checks a shard's seal (a Seal or its text) from four fields, without the shard. Raises RejectedError.
#[pyfunction]
fn verify_shard_seal(
    domain: &Domain,
    key: &ShardKey,
    shard_id: &Bound<'_, PyString>,
    vault_id: &Bound<'_, PyString>,
    identity_id: &Bound<'_, PyString>,
    seal: &Bound<'_, PyAny>,
) -> Returned<()> {
    let shard_id = text("shard_id", shard_id)?.parse()?;
    let vault_id = text("vault_id", vault_id)?.parse()?;
    let identity_id = text("identity_id", identity_id)?.parse()?;
    let seal::Seal::Legacy(seal) = Seal::read(seal)? else {
        return Err(malformed("seal", Problem::UnknownValue));
    };
    Ok(shard::verify_shard_seal(&domain.0, &key.0, &shard_id, &vault_id, &identity_id, &seal)?)
}
