//! Proofs of presence, and the gate that asks for them.

use crate::domain::Domain;
use crate::ed25519::Ed25519SigningKey;
use crate::failure::{Returned, not_pickled};
use crate::input::{locked, small, text};
use crate::json::{JsonText, record, to_object};
use crate::shard::request::RebuildRequest;
use crate::time::moment;
use crate::values::{Again, again, hashed};
use dualseal::presence::{self, AuthenticatorId, Challenge, Nonce};
use dualseal::shard::Gate;
use dualseal::{Error, IdentityId, SystemRng, Timestamp};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyString};
use std::sync::{Mutex, PoisonError};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<EnrolledKeys>()?;
    module.add_class::<PresenceProof>()?;
    module.add_class::<Presence>()?;
    module.add_function(wrap_pyfunction!(draw_nonce, module)?)
}

/// Draws the nonce of a challenge, 64 hexadecimal characters.
#[pyfunction]
fn draw_nonce() -> Returned<String> {
    Ok(Nonce::draw(&mut SystemRng)?.to_hex())
}

/// The Ed25519 keys that may prove presence, for each identity: none at first, so that everything is denied.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct EnrolledKeys(Mutex<presence::EnrolledKeys>);

#[pymethods]
impl EnrolledKeys {
    #[new]
    fn new() -> Self {
        Self(Mutex::new(presence::EnrolledKeys::new()))
    }

    /// Enrols a public key (64 hexadecimal characters) for an identity. Raises MalformedError for one that no strict
    /// verifier accepts.
    fn enrol(&self, identity_id: &Bound<'_, PyString>, public_key: &Bound<'_, PyString>) -> Returned<()> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let key = text("public_key", public_key)?.parse()?;
        Ok(locked(&self.0).enrol(&identity_id, &key)?)
    }

    /// Takes a key away.
    fn remove(&self, identity_id: &Bound<'_, PyString>, public_key: &Bound<'_, PyString>) -> Returned<()> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        locked(&self.0).remove(&identity_id, &text("public_key", public_key)?.parse()?);
        Ok(())
    }
}

/// A proof of presence by an Ed25519 key. Holding one says nothing about its validity.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct PresenceProof(presence::PresenceProof);

#[pymethods]
impl PresenceProof {
    /// Answers the challenge of a request.
    #[staticmethod]
    #[pyo3(signature = (domain, request, key, *, nonce, expiry))]
    fn sign(
        domain: &Domain,
        request: &RebuildRequest,
        key: &Ed25519SigningKey,
        nonce: &Bound<'_, PyString>,
        expiry: &Bound<'_, PyAny>,
    ) -> Returned<Self> {
        let nonce = text("nonce", nonce)?.parse()?;
        Ok(Self(presence::PresenceProof::sign(&domain.0, &request.0, &nonce, moment("expiry", expiry)?, &key.0)))
    }

    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, presence::PresenceProof::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, presence::PresenceProof::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// What it was made for.
    #[getter]
    fn request(&self) -> RebuildRequest {
        RebuildRequest(self.0.request().clone())
    }

    /// The nonce of its challenge.
    #[getter]
    fn nonce(&self) -> String {
        self.0.nonce().to_hex()
    }

    /// The expiry of its challenge.
    #[getter]
    fn expiry(&self) -> String {
        self.0.expiry().to_string()
    }

    /// The key that it says made it, 64 hexadecimal characters.
    #[getter]
    fn public_key(&self) -> String {
        self.0.public_key().to_hex()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("PresenceProof(public_key='{}')", self.0.public_key())
    }
}

/// The gate that asks for proofs of presence: `required` good ones by different enrolled authenticators, all for the
/// challenge of this nonce and expiry, which is at most 300 seconds after the operation.
///
/// `verifier` is EnrolledKeys, whose proofs are PresenceProofs, or any PresenceVerifier with proofs of its own kind.
/// What it raises keeps the gate shut and is what is raised, as is what it answers that is neither 32 bytes nor None.
///
/// `consume` is called with the nonce, last and only when all else is good. It marks the nonce as used and returns
/// whether it was unused until then, in one step that nobody can come between.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Presence {
    asked: Asked,
    nonce: Nonce,
    expiry: Timestamp,
    required: u8,
    consume: Py<PyAny>,
}

/// Who is asked about which proofs.
enum Asked {
    Enrolled(Py<EnrolledKeys>, Vec<presence::PresenceProof>),
    Other(Py<PyAny>, Vec<Py<PyAny>>),
}

/// The first exception that somebody of Python's raised: nobody is asked after it, and the gate stays shut.
type Raising = Mutex<Option<PyErr>>;

/// A verifier of Python's.
struct Other<'a> {
    verifier: &'a Py<PyAny>,
    raised: &'a Raising,
}

impl presence::PresenceVerifier for Other<'_> {
    type Proof = Py<PyAny>;

    fn verify(
        &self,
        domain: &dualseal::Domain,
        identity_id: &IdentityId,
        challenge: &Challenge,
        proof: &Py<PyAny>,
    ) -> Option<AuthenticatorId> {
        if locked(self.raised).is_some() {
            return None;
        }
        let ask = |py: Python<'_>| -> PyResult<Option<AuthenticatorId>> {
            let arguments = (Domain(domain.clone()), identity_id.to_hex(), challenge.to_hex(), proof.clone_ref(py));
            let answer = self.verifier.bind(py).call_method1("verify", arguments)?;
            if answer.is_none() {
                return Ok(None);
            }
            let id = answer.cast::<PyBytes>().ok().and_then(|id| id.as_bytes().try_into().ok());
            let words = "a PresenceVerifier answers the 32 bytes of the authenticator, or None";
            id.map(Some).ok_or_else(|| PyTypeError::new_err(words))
        };
        Python::attach(ask).unwrap_or_else(|error| {
            *locked(self.raised) = Some(error);
            None
        })
    }
}

impl Presence {
    /// Hands the gate to an operation. What `consume` or a verifier of Python's raises keeps the gate shut, and is what
    /// is raised.
    pub(crate) fn open<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut dyn Gate) -> Result<T, Error> + Send,
    ) -> Returned<T> {
        let raising = Raising::default();
        let done = match &self.asked {
            Asked::Enrolled(enrolled, proofs) => {
                let enrolled = locked(&enrolled.get().0).clone();
                self.open_by(py, &enrolled, proofs, &raising, act)
            }
            Asked::Other(verifier, proofs) => {
                self.open_by(py, &Other { verifier, raised: &raising }, proofs, &raising, act)
            }
        };
        match raising.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error.into()),
            None => Ok(done?),
        }
    }

    fn open_by<T: Send, V: presence::PresenceVerifier<Proof: Sync> + Sync>(
        &self,
        py: Python<'_>,
        verifier: &V,
        proofs: &[V::Proof],
        raising: &Raising,
        act: impl FnOnce(&mut dyn Gate) -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        // The rebuilding takes long, and goes on without the interpreter lock but for the calls of Python's.
        py.detach(|| {
            let mut consume = |nonce: &Nonce| {
                // A verifier that raised after enough good proofs has shut the gate: no nonce is spent for it.
                if locked(raising).is_some() {
                    return false;
                }
                let call = |py: Python<'_>| self.consume.bind(py).call1((nonce.to_hex(),))?.extract::<bool>();
                Python::attach(call).unwrap_or_else(|error| {
                    *locked(raising) = Some(error);
                    false
                })
            };
            act(&mut presence::Presence {
                verifier,
                proofs,
                nonce: self.nonce,
                expiry: self.expiry,
                required: self.required,
                consume: &mut consume,
            })
        })
    }
}

#[pymethods]
impl Presence {
    #[new]
    #[pyo3(signature = (verifier, proofs, *, nonce, expiry, required, consume))]
    fn new(
        verifier: &Bound<'_, PyAny>,
        proofs: Vec<Bound<'_, PyAny>>,
        nonce: &Bound<'_, PyString>,
        expiry: &Bound<'_, PyAny>,
        required: &Bound<'_, PyInt>,
        consume: Py<PyAny>,
    ) -> Returned<Self> {
        Ok(Self {
            asked: match verifier.cast::<EnrolledKeys>() {
                Ok(enrolled) => {
                    let own = |proof: &Bound<'_, PyAny>| Ok(proof.cast::<PresenceProof>()?.get().0.clone());
                    Asked::Enrolled(enrolled.clone().unbind(), proofs.iter().map(own).collect::<PyResult<_>>()?)
                }
                Err(_) if verifier.hasattr("verify")? => {
                    Asked::Other(verifier.clone().unbind(), proofs.into_iter().map(Bound::unbind).collect())
                }
                Err(_) => {
                    return Err(PyTypeError::new_err("verifier: EnrolledKeys, or what has `verify`").into());
                }
            },
            nonce: text("nonce", nonce)?.parse()?,
            expiry: moment("expiry", expiry)?,
            required: small("required", required)?,
            consume,
        })
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        let proofs = match &self.asked {
            Asked::Enrolled(_, proofs) => proofs.len(),
            Asked::Other(_, proofs) => proofs.len(),
        };
        format!("Presence(proofs={proofs}, required={})", self.required)
    }
}
