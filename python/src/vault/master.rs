//! The operator's master, and heads of a ledger.

use crate::domain::Domain;
use crate::failure::{Returned, not_hashed, not_pickled};
use crate::input::{BytesLike, counter, text};
use crate::values::{Again, again, hashed};
use dualseal::SystemRng;
use dualseal::secret::Secret;
use dualseal::vault::{self, LedgerId};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<VaultMaster>()?;
    module.add_class::<LedgerHead>()
}

/// The operator's master of 32 drawn bytes, in one domain, from which every key of a vault is derived. It is wiped when
/// it is no longer used.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct VaultMaster(pub(crate) Arc<vault::VaultMaster>);

/// Whether an entry is a vault record's of one of these masters: what a ring is held against.
pub(crate) fn vouched(masters: Vec<PyRef<'_, VaultMaster>>) -> impl Fn(&dualseal::Entry) -> bool + Send + use<> {
    let masters: Vec<_> = masters.into_iter().map(|master| Arc::clone(&master.0)).collect();
    move |entry| masters.iter().any(|master| master.vouches_for(entry))
}

#[pymethods]
impl VaultMaster {
    /// From 32 bytes. A bytearray can be overwritten by the caller afterwards, bytes cannot.
    #[new]
    fn new(domain: &Domain, secret: BytesLike<'_>) -> Returned<Self> {
        let secret = secret.secret(|bytes| Secret::from_slice("master", bytes))?;
        Ok(Self(Arc::new(vault::VaultMaster::new(&domain.0, secret)?)))
    }

    /// Draws a master from the operating system.
    #[staticmethod]
    fn generate(domain: &Domain) -> Returned<Self> {
        Ok(Self(Arc::new(vault::VaultMaster::generate(&domain.0, &mut SystemRng)?)))
    }

    /// The 32 bytes, which ShardKey.derive takes too: a copy that Python cannot wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.secret().expose())
    }

    /// The name that records give it, 32 hexadecimal characters. It shows nothing of the master.
    #[getter]
    fn key_id(&self) -> String {
        self.0.key_id().to_hex()
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
        format!("VaultMaster(key_id='{}')", self.0.key_id())
    }
}

/// Where a ledger ends: all that is needed to seal its next record, or to check it.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct LedgerHead(pub(crate) vault::LedgerHead);

#[pymethods]
impl LedgerHead {
    /// The head of a new ledger, whose name is drawn.
    #[staticmethod]
    fn draw() -> Returned<Self> {
        Ok(Self(vault::LedgerHead::new(&LedgerId::draw(&mut SystemRng)?)))
    }

    /// A head that the caller stored. Nothing is checked here: a wrong head forks the ledger.
    #[staticmethod]
    fn from_parts(ledger: &Bound<'_, PyString>, size: &Bound<'_, PyInt>, top: &Bound<'_, PyString>) -> Returned<Self> {
        let (ledger, top) = (text("ledger", ledger)?.parse()?, text("hash", top)?.parse()?);
        Ok(Self(vault::LedgerHead::from_parts(&ledger, counter("size", size)?, top)))
    }

    /// The name of the ledger, 64 hexadecimal characters.
    #[getter]
    fn ledger(&self) -> String {
        self.0.ledger().to_hex()
    }

    /// The number of records, which is the seq of the next one.
    #[getter]
    fn size(&self) -> u64 {
        self.0.size()
    }

    /// L0 of the last record; zeros when there is none.
    #[getter]
    fn top(&self) -> String {
        self.0.top().to_hex()
    }

    fn __hash__(&self) -> u64 {
        hashed((self.ledger(), self.size(), self.top()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        let head = slf.get();
        again(slf, "from_parts", (head.ledger(), head.size(), head.top()))
    }

    fn __repr__(&self) -> String {
        format!("LedgerHead(ledger='{}', size={})", self.0.ledger(), self.0.size())
    }
}
