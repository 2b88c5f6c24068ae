//! Founding a session.

use super::session::Session;
use super::share::SessionShare;
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::{counter, text};
use crate::krunica::{Entry, Head};
use crate::time::moment;
use dualseal::shamir::Threshold;
use dualseal::{IdentityId, SystemRng, Timestamp, threshold};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Founding>()?;
    module.add_class::<Founded>()
}

/// What every session entry is made from: who asks, the custodians in the order of their share numbers, how many of
/// them sign, and where it goes in the chain.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Founding {
    domain: dualseal::Domain,
    founder: IdentityId,
    owners: Vec<IdentityId>,
    k: u8,
    head: dualseal::Head,
    time: Timestamp,
}

impl Founding {
    fn inner(&self) -> threshold::Founding<'_> {
        let Self { domain, founder, owners, k, head, time } = self;
        threshold::Founding { domain, founder, owners, k: *k, head, time: *time }
    }
}

#[pymethods]
impl Founding {
    #[new]
    #[pyo3(signature = (domain, founder, owners, *, k, head, time))]
    fn new(
        domain: &Domain,
        founder: &Bound<'_, PyString>,
        owners: Vec<Bound<'_, PyString>>,
        k: &Bound<'_, PyInt>,
        head: &Head,
        time: &Bound<'_, PyAny>,
    ) -> Returned<Self> {
        let owner = |owner: &Bound<'_, PyString>| -> Returned<IdentityId> { Ok(text("vlasnik", owner)?.parse()?) };
        let n = u64::try_from(owners.len()).unwrap_or(u64::MAX);
        Ok(Self {
            domain: domain.0.clone(),
            founder: text("identity_id", founder)?.parse()?,
            owners: owners.iter().map(owner).collect::<Returned<_>>()?,
            k: Threshold::new(counter("k", k)?, n)?.k(),
            head: head.0.clone(),
            time: moment("time", time)?,
        })
    }

    /// Founds a session whose results are verified with k shares (HMAC-SHA3-512).
    fn hmac(&self, py: Python<'_>) -> Returned<Founded> {
        Founded::new(py, py.detach(|| self.inner().hmac(&mut SystemRng))?)
    }

    /// Founds a session whose results anybody verifies (ML-DSA-65), with the public key that the caller adds to a ring
    /// under `identity_id`.
    #[pyo3(signature = (identity_id, /))]
    fn mldsa(&self, py: Python<'_>, identity_id: &Bound<'_, PyString>) -> Returned<Founded> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        Founded::new(py, py.detach(|| self.inner().mldsa(&identity_id, &mut SystemRng))?)
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.inner())
    }
}

/// A new session record with its shares, its chain entry and the head after it: stored together, or none of them. Each
/// share goes to its custodian, and nowhere else.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct Founded {
    /// The record.
    session: Session,
    /// The shares, in the order of their numbers.
    shares: Vec<Py<SessionShare>>,
    /// The entry.
    entry: Entry,
    /// The head after the entry.
    head: Head,
}

impl Founded {
    fn new(py: Python<'_>, founded: threshold::Founded) -> Returned<Self> {
        let threshold::Founded { session, shares, entry, head } = founded;
        let shares = shares.into_iter().map(|share| Py::new(py, SessionShare(share))).collect::<PyResult<_>>()?;
        Ok(Self { session: Session(session), shares, entry: Entry(entry), head: Head(head) })
    }
}

#[pymethods]
impl Founded {
    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        let session = &self.session.0;
        format!("Founded(session_id='{}', n={})", session.session_id(), session.threshold().n())
    }
}
