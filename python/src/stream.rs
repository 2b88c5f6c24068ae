//! Encryption in chunks, bound to one secret and one use.

use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::{BytesLike, text};
use crate::progress::{ending, lock, running};
use crate::sharing::{Material, OneSecret};
use dualseal::stream;
use dualseal::{Error, IdentityId, SystemRng};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use self_cell::self_cell;
use std::sync::Mutex;
use zeroize::Zeroizing;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Purpose>()?;
    module.add_class::<Encryptor>()?;
    module.add_class::<Decryptor>()?;
    module.add_function(wrap_pyfunction!(encrypt, module)?)?;
    module.add_function(wrap_pyfunction!(decrypt, module)?)
}

/// What a stream is for: a deployment, an identity and a type, 1 to 255 bytes of text. It opens under the same three
/// only.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Purpose(stream::Purpose);

#[pymethods]
impl Purpose {
    #[new]
    fn new(domain: &Domain, identity_id: &Bound<'_, PyString>, kind: &Bound<'_, PyString>) -> Returned<Self> {
        let identity_id: IdentityId = text("identity_id", identity_id)?.parse()?;
        Ok(Self(stream::Purpose::new(&domain.0, identity_id.as_bytes(), text("type", kind)?)?))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// Encrypts any bytes-like object under a DrawnSecret, or 32 or 66 secret bytes, for one purpose.
#[pyfunction]
#[pyo3(signature = (secret, purpose, plaintext, /))]
fn encrypt<'py>(
    py: Python<'py>,
    secret: OneSecret,
    purpose: &Purpose,
    plaintext: BytesLike<'_>,
) -> Returned<Bound<'py, PyBytes>> {
    let seal = |plain: &[u8]| py.detach(|| stream::seal(secret.material(), &purpose.0, plain, &mut SystemRng));
    Ok(PyBytes::new(py, &plaintext.secret(seal)?))
}

/// Decrypts what encrypt or an Encryptor made: all of it or nothing. The plaintext is a copy that Python cannot wipe.
///
/// Raises RejectedError for another secret or purpose, and for bytes that were changed, moved or cut off.
#[pyfunction]
#[pyo3(signature = (secret, purpose, stored, /))]
fn decrypt<'py>(
    py: Python<'py>,
    secret: OneSecret,
    purpose: &Purpose,
    stored: BytesLike<'_>,
) -> Returned<Bound<'py, PyBytes>> {
    let stored = stored.contiguous()?;
    Ok(PyBytes::new(py, &py.detach(|| stream::open(secret.material(), &purpose.0, &stored))?))
}

/// Encrypts data that comes in parts of any size. What update and finish return is stored in that order. Threads may
/// share one; the parts of a single update stay together.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Encryptor(Mutex<Option<Begun>>);

struct Begun {
    encryptor: stream::Encryptor,
    /// What is to be given out next: first of all the header.
    out: Vec<u8>,
}

#[pymethods]
impl Encryptor {
    #[new]
    fn new(secret: OneSecret, purpose: &Purpose) -> Returned<Self> {
        let mut out = Vec::new();
        let encryptor = stream::Encryptor::new(secret.material(), &purpose.0, &mut SystemRng, &mut out)?;
        Ok(Self(Mutex::new(Some(Begun { encryptor, out }))))
    }

    /// Takes the next part, any bytes-like object, and returns what is encrypted so far.
    #[pyo3(signature = (plaintext, /))]
    fn update<'py>(&self, py: Python<'py>, plaintext: BytesLike<'_>) -> Returned<Bound<'py, PyBytes>> {
        let mut guard = lock(py, &self.0);
        let Begun { encryptor, out } = running(&mut guard)?;
        plaintext.secret(|plain| py.detach(|| encryptor.update(plain, out)))?;
        Ok(PyBytes::new(py, &std::mem::take(out)))
    }

    /// Returns the end of the stream. Without it, it does not open.
    fn finish<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyBytes>> {
        let mut guard = lock(py, &self.0);
        let Begun { encryptor, mut out } = ending(&mut guard)?;
        py.detach(|| encryptor.finish(&mut out))?;
        Ok(PyBytes::new(py, &out))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

type Running<'a> = Option<stream::Decryptor<'a, Material>>;

self_cell! {
    struct Progress {
        owner: (OneSecret, stream::Purpose),
        #[covariant]
        dependent: Running,
    }
}

/// Decrypts a stream that comes in parts of any size. All that it gives out is authenticated and in its place; that
/// nothing is missing at the end, only finish tells. Threads may share one.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Decryptor(Mutex<Progress>);

#[pymethods]
impl Decryptor {
    #[new]
    fn new(secret: OneSecret, purpose: &Purpose) -> Self {
        Self(Mutex::new(Progress::new((secret, purpose.0.clone()), |(secret, purpose)| {
            Some(stream::Decryptor::new(secret.material(), purpose))
        })))
    }

    /// Takes the next part and returns the plaintext of the chunks that are complete. Raises as decrypt does, and gives
    /// nothing more afterwards.
    #[pyo3(signature = (stored, /))]
    fn update<'py>(&self, py: Python<'py>, stored: BytesLike<'_>) -> Returned<Bound<'py, PyBytes>> {
        let stored = stored.contiguous()?;
        self.with(py, |decryptor, out| running(decryptor)?.update(&stored, out))
    }

    /// Returns the end of the plaintext: with it, it is the whole.
    fn finish<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyBytes>> {
        self.with(py, |decryptor, out| ending(decryptor)?.finish(out))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

impl Decryptor {
    fn with<'py>(
        &self,
        py: Python<'py>,
        act: impl FnOnce(&mut Running<'_>, &mut Vec<u8>) -> Result<(), Error> + Send,
    ) -> Returned<Bound<'py, PyBytes>> {
        let mut guard = lock(py, &self.0);
        let mut out = Zeroizing::new(Vec::new());
        guard.with_dependent_mut(|_, decryptor| py.detach(|| act(decryptor, &mut out)))?;
        Ok(PyBytes::new(py, &out))
    }
}
