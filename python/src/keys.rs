//! Signing keys and public keys.

use crate::failure::{Raised, Returned, not_hashed, not_pickled, worded};
use crate::input::{BytesLike, malformed, text, text_or_bytes};
use crate::values::{Again, again};
use dualseal::SystemRng;
use dualseal::error::Problem;
use dualseal::mldsa::StatementKey;
use dualseal_operator::secrets::{PemFault, SecretFile, key_to_pem};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PublicKey>()?;
    module.add_class::<SigningKey>()?;
    module.add_class::<ExpandedSigningKey>()
}

/// An ML-DSA-65 public key: 1952 bytes.
#[pyclass(frozen, eq, hash, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct PublicKey(pub(crate) dualseal::PublicKey);

impl Hash for PublicKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash().hash(state);
    }
}

#[pymethods]
impl PublicKey {
    /// From 1952 bytes.
    #[staticmethod]
    #[pyo3(signature = (data, /))]
    fn from_bytes(data: BytesLike<'_>) -> Returned<Self> {
        Ok(Self(dualseal::PublicKey::from_slice(&data.contiguous()?)?))
    }

    /// From 3904 lowercase hexadecimal characters (`javni_kljuc`).
    #[staticmethod]
    #[pyo3(signature = (text, /))]
    fn from_hex(text: &Bound<'_, PyString>) -> Returned<Self> {
        Ok(Self(dualseal::PublicKey::from_hex(self::text("javni_kljuc", text)?)?))
    }

    /// From SubjectPublicKeyInfo in DER (RFC 9881).
    #[staticmethod]
    #[pyo3(signature = (der, /))]
    fn from_spki_der(der: BytesLike<'_>) -> Returned<Self> {
        Ok(Self(dualseal::PublicKey::from_spki_der(&der.contiguous()?)?))
    }

    /// From SubjectPublicKeyInfo in PEM, a str or bytes.
    #[staticmethod]
    #[pyo3(signature = (pem, /))]
    fn from_spki_pem(pem: &Bound<'_, PyAny>) -> Returned<Self> {
        Ok(Self(dualseal::PublicKey::from_spki_pem(&text_or_bytes("public key", pem)?)?))
    }

    /// The 1952 bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_bytes())
    }

    /// SubjectPublicKeyInfo in DER, 1974 bytes.
    fn to_spki_der<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.0.to_spki_der()?))
    }

    /// SubjectPublicKeyInfo in PEM.
    fn to_spki_pem(&self) -> Returned<String> {
        Ok(self.0.to_spki_pem()?)
    }

    /// The 3904 hexadecimal characters (`javni_kljuc`).
    #[getter]
    fn hex(&self) -> String {
        self.0.to_hex()
    }

    /// SHA3-256 over the 1952 bytes, 64 hexadecimal characters.
    #[getter]
    fn hash(&self) -> String {
        self.0.hash().to_hex()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_bytes(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_bytes", PyBytes::new(slf.py(), slf.get().0.as_bytes()))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

/// A signing key: a seed of 32 bytes, from which the public half is derived. It is wiped when it is no longer used.
///
/// What its methods return as bytes or str is a copy that Python cannot wipe.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SigningKey(Arc<dualseal::SigningKey>);

impl From<dualseal::SigningKey> for SigningKey {
    fn from(key: dualseal::SigningKey) -> Self {
        Self(Arc::new(key))
    }
}

#[pymethods]
impl SigningKey {
    /// Draws a seed from the operating system.
    #[staticmethod]
    fn generate(py: Python<'_>) -> Returned<Self> {
        Ok(py.detach(|| dualseal::SigningKey::generate(&mut SystemRng))?.into())
    }

    /// From a seed of 32 bytes. A bytearray can be overwritten by the caller afterwards, bytes cannot.
    #[staticmethod]
    #[pyo3(signature = (seed, /))]
    fn from_seed(seed: BytesLike<'_>) -> Returned<Self> {
        Ok(seed.secret(dualseal::SigningKey::from_seed)?.into())
    }

    /// From PKCS#8 in DER, in the seed form of RFC 9881.
    #[staticmethod]
    #[pyo3(signature = (der, /))]
    fn from_pkcs8_der(der: BytesLike<'_>) -> Returned<Self> {
        Ok(der.secret(dualseal::SigningKey::from_pkcs8_der)?.into())
    }

    /// From PKCS#8 in PEM, a str or bytes, in the seed form. An encrypted one (PBES2 with AES, under scrypt or PBKDF2)
    /// takes its `password`, a str or bytes of UTF-8. TypeError says that one is missing, or given for a key that is
    /// not encrypted; MalformedError, that it is wrong, or the key was changed.
    #[staticmethod]
    #[pyo3(signature = (pem, /, *, password = None))]
    fn from_pkcs8_pem(py: Python<'_>, pem: &Bound<'_, PyAny>, password: Option<&Bound<'_, PyAny>>) -> Returned<Self> {
        let pem = text_or_bytes("private key", pem)?;
        let password = password.map(|password| text_or_bytes("password", password)).transpose()?;
        let is_protected = SecretFile::parse(pem.as_bytes()).is_ok_and(|file| file.is_protected());
        match password {
            None if is_protected => Err(PyTypeError::new_err("the private key is encrypted: give its password").into()),
            None => Ok(dualseal::SigningKey::from_pkcs8_pem(&pem)?.into()),
            Some(password) => {
                let opened = py.detach(|| {
                    let file = SecretFile::parse(pem.as_bytes())?;
                    if file.is_protected() { file.signing_key(Some(&password)) } else { Err(PemFault::NotProtected) }
                });
                Ok(opened.map_err(|fault| refused(py, fault))?.into())
            }
        }
    }

    /// PKCS#8 in DER with the seed alone, 54 bytes. Secret.
    fn to_pkcs8_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_pkcs8_der())
    }

    /// PKCS#8 in PEM. Secret, unless it is encrypted under a `password` (a str, or bytes of UTF-8): PBES2 with
    /// AES-256-CBC under scrypt, which openssl reads.
    #[pyo3(signature = (*, password = None))]
    fn to_pkcs8_pem<'py>(
        &self,
        py: Python<'py>,
        password: Option<&Bound<'_, PyAny>>,
    ) -> Returned<Bound<'py, PyString>> {
        let password = password.map(|password| text_or_bytes("password", password)).transpose()?;
        let written = py.detach(|| key_to_pem(&self.0, password.as_ref().map(|text| text.as_str()), &mut SystemRng));
        Ok(PyString::new(py, &written.map_err(|fault| refused(py, fault))?))
    }

    /// The seed, 32 bytes: whoever has it can sign.
    fn seed<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.seed().expose())
    }

    /// The 4032-byte form, for programs that read nothing else.
    fn expand(&self) -> ExpandedSigningKey {
        ExpandedSigningKey(Arc::new(self.0.expand()))
    }

    /// The public half.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key().clone())
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
        format!("{:?}", self.0)
    }
}

/// Why a private key was not read or written.
fn refused(py: Python<'_>, fault: PemFault) -> Raised {
    match fault {
        PemFault::Library(error) => error.into(),
        PemFault::NotProtected => {
            PyTypeError::new_err("a password was given, and the private key is not encrypted").into()
        }
        fault => worded(py, malformed("private key", Problem::Pem), format!("private key: {fault}; {}", fault.hint())),
    }
}

/// A signing key in the 4032-byte form of FIPS 204. It has no seed, so it has no PKCS#8.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct ExpandedSigningKey(Arc<dualseal::ExpandedSigningKey>);

#[pymethods]
impl ExpandedSigningKey {
    /// Reads 4032 bytes and checks all that can be checked of them.
    #[staticmethod]
    #[pyo3(signature = (data, /))]
    fn from_bytes(data: BytesLike<'_>) -> Returned<Self> {
        Ok(Self(Arc::new(data.secret(dualseal::ExpandedSigningKey::from_slice)?)))
    }

    /// The 4032 bytes: whoever has them can sign.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.to_bytes().expose())
    }

    /// The public half.
    #[getter]
    fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key().clone())
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
        format!("{:?}", self.0)
    }
}

/// Lends a key to a function of Python, and finds out when it was kept.
pub(crate) fn lend(key: &dualseal::SigningKey, work: &Bound<'_, PyAny>) -> Returned<Py<PyAny>> {
    let lent = Arc::new(dualseal::SigningKey::from_seed(key.seed().expose())?);
    let done = work.call1((SigningKey(Arc::clone(&lent)),))?;
    // Nothing else could keep it from being wiped now.
    if Arc::strong_count(&lent) == 1 {
        Ok(done.unbind())
    } else {
        Err(PyRuntimeError::new_err("the key of the quorum was kept beyond the call that it was lent to").into())
    }
}

/// Either form of a signing key, shared with the Python object that holds it.
#[derive(Clone)]
pub(crate) enum KeyHandle {
    Seed(Arc<dualseal::SigningKey>),
    Expanded(Arc<dualseal::ExpandedSigningKey>),
}

impl KeyHandle {
    pub(crate) fn key(&self) -> &dyn StatementKey {
        match self {
            Self::Seed(key) => &**key,
            Self::Expanded(key) => &**key,
        }
    }
}

impl FromPyObject<'_, '_> for KeyHandle {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(key) = object.cast::<ExpandedSigningKey>() {
            return Ok(Self::Expanded(Arc::clone(&key.get().0)));
        }
        Ok(Self::Seed(Arc::clone(&object.cast::<SigningKey>()?.get().0)))
    }
}
