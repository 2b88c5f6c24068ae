//! One pass over the bytes that are stored beside a record.

use super::files::{Source, about_path};
use crate::domain::Domain;
use crate::failure::Returned;
use crate::input::BytesLike;
use crate::progress::lock;
use dualseal::vault;
use pyo3::prelude::*;
use std::fs::File;
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<StoredHash>()?;
    module.add_class::<StoredHasher>()
}

/// What the layers need of stored bytes. It fits every record: each is compared with what it says of them.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct StoredHash(pub(super) vault::StoredHash);

#[pymethods]
impl StoredHash {
    /// Of stored bytes in memory, any bytes-like object.
    #[staticmethod]
    #[pyo3(signature = (domain, stored, /))]
    fn of(py: Python<'_>, domain: &Domain, stored: BytesLike<'_>) -> Returned<Self> {
        let mut hasher = vault::StoredHasher::new(&domain.0);
        stored.feed(py, |part| hasher.update(part))?;
        Ok(Self(hasher.finish()))
    }

    /// Of a file: a path, or an object whose `read` gives bytes.
    #[staticmethod]
    #[pyo3(signature = (domain, source, /))]
    fn of_file(py: Python<'_>, domain: &Domain, source: Source) -> Returned<Self> {
        let read = || match source {
            Source::Path(path) => File::open(&path)
                .and_then(|mut file| vault::StoredHash::read(&domain.0, &mut file))
                .map_err(|error| about_path(&error, &path)),
            Source::Object(mut object) => vault::StoredHash::read(&domain.0, &mut object).map_err(PyErr::from),
        };
        Ok(Self(py.detach(read)?))
    }

    /// SHA3-256 over the stored bytes (L3).
    #[getter]
    fn baseline(&self) -> String {
        self.0.baseline().to_hex()
    }

    /// The number of stored bytes.
    #[getter]
    fn length(&self) -> u64 {
        self.0.length()
    }

    fn __repr__(&self) -> String {
        format!("StoredHash(baseline='{}', length={})", self.0.baseline(), self.0.length())
    }
}

/// Hashes stored bytes that come in parts of any size. Threads may share one; the parts of a single update stay
/// together.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct StoredHasher(Mutex<vault::StoredHasher>);

#[pymethods]
impl StoredHasher {
    #[new]
    fn new(domain: &Domain) -> Self {
        Self(Mutex::new(vault::StoredHasher::new(&domain.0)))
    }

    /// Takes the next part, any bytes-like object.
    #[pyo3(signature = (stored, /))]
    fn update(&self, py: Python<'_>, stored: BytesLike<'_>) -> Returned<()> {
        let mut guard = lock(py, &self.0);
        let hasher = &mut *guard;
        Ok(stored.feed(py, |part| hasher.update(part))?)
    }

    /// What the layers need of all parts so far; the hasher can go on.
    fn finish(&self, py: Python<'_>) -> StoredHash {
        let hasher = lock(py, &self.0);
        StoredHash(hasher.clone().finish())
    }
}
