//! What was placed and is being signed.

use super::changes::Changes;
use super::state::State;
use crate::failure::{Returned, not_pickled};
use crate::input::locked;
use crate::keys::{KeyHandle, PublicKey};
use crate::progress::ending;
use dualseal::SystemRng;
use dualseal::mldsa::KeyHash;
use dualseal_operator::step;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Placed>()?;
    module.add_class::<ToSign>()?;
    module.add_class::<SignedRecord>()?;
    module.add_function(wrap_pyfunction!(sign_all, module)?)
}

/// A batch whose records are being signed.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct Placed(Mutex<Option<step::Placed>>);

impl Placed {
    pub(super) fn of(placed: step::Placed) -> Self {
        Self(Mutex::new(Some(placed)))
    }
}

#[pymethods]
impl Placed {
    /// The state after the batch, and what the store writes. The signed records come in any order. It ends this,
    /// whatever comes of it.
    ///
    /// Raises StepError (`unsigned`) unless each record came back once: an entry in the chain without its record would
    /// be nobody's.
    #[pyo3(signature = (signed, /))]
    fn finish(&self, py: Python<'_>, signed: Vec<PyRef<'_, SignedRecord>>) -> Returned<(State, Changes)> {
        let signed = signed.iter().map(|one| Ok(ending(&mut locked(&one.0))?)).collect::<Returned<Vec<_>>>()?;
        let placed = ending(&mut locked(&self.0))?;
        let (state, changes) = py.detach(|| placed.finish(signed))?;
        Ok((State(state), changes.into()))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

/// A record to be signed, once: in this thread or another one.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct ToSign {
    identity_id: String,
    public_key: dualseal::PublicKey,
    one: Mutex<Option<step::ToSign>>,
}

impl ToSign {
    pub(super) fn of(one: step::ToSign) -> Self {
        let (identity_id, public_key) = (one.identity_id().to_hex(), one.public_key().clone());
        Self { identity_id, public_key, one: Mutex::new(Some(one)) }
    }
}

#[pymethods]
impl ToSign {
    /// Whose record it is.
    #[getter]
    fn identity_id(&self) -> &str {
        &self.identity_id
    }

    /// The key that must sign it: the identity's current one when it was placed.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.public_key.clone())
    }

    /// Signs it, without the interpreter lock. It ends this, whatever comes of it. Raises MisuseError for another key
    /// than public_key's.
    #[pyo3(signature = (key, /))]
    fn sign(&self, py: Python<'_>, key: KeyHandle) -> Returned<SignedRecord> {
        let one = ending(&mut locked(&self.one))?;
        let signed = py.detach(|| one.sign(key.key(), &mut SystemRng))?;
        Ok(SignedRecord(Mutex::new(Some(signed))))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("ToSign(identity_id='{}')", self.identity_id)
    }
}

/// A record that was signed, for Placed.finish.
#[pyclass(frozen, module = "dualseal.operator")]
pub(crate) struct SignedRecord(Mutex<Option<step::SignedRecord>>);

#[pymethods]
impl SignedRecord {
    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

/// Signs all of them, on as many threads as the machine has and without the interpreter lock: each with the one of
/// `keys` that is its own. It ends them, whatever comes of it. Raises StepError (`unsigned`) where there is no key.
#[pyfunction]
#[pyo3(signature = (to_sign, keys, /))]
fn sign_all(py: Python<'_>, to_sign: Vec<PyRef<'_, ToSign>>, keys: Keys) -> Returned<Vec<SignedRecord>> {
    let to_sign = to_sign.iter().map(|one| Ok(ending(&mut locked(&one.one))?)).collect::<Returned<Vec<_>>>()?;
    let signed = py.detach(|| step::sign_all(to_sign, &|one| keys.of(one)))?;
    Ok(signed.into_iter().map(|one| SignedRecord(Mutex::new(Some(one)))).collect())
}

/// Signing keys, found by their public halves.
pub(super) struct Keys(BTreeMap<KeyHash, KeyHandle>);

impl Keys {
    pub(super) fn of<'k>(&'k self, one: &step::ToSign) -> Option<&'k dyn dualseal::mldsa::StatementKey> {
        self.0.get(one.public_key().hash()).map(KeyHandle::key)
    }
}

impl FromPyObject<'_, '_> for Keys {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let read = |key: PyResult<Bound<'_, PyAny>>| -> PyResult<_> {
            let key: KeyHandle = key?.extract()?;
            Ok((*key.key().public_key().hash(), key))
        };
        Ok(Self(object.try_iter()?.map(read).collect::<PyResult<_>>()?))
    }
}
