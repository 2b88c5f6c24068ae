//! The secret of a session dealt anew, in two steps.

use super::session::Session;
use super::share::SessionShare;
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::{counter, index, text};
use crate::json::JsonText;
use crate::krunica::{Entry, Head};
use crate::sharing::numbers;
use crate::time::moment;
use crate::values::{Again, again, hashed};
use dualseal::shamir::Threshold;
use dualseal::{IdentityId, Timestamp, threshold};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Prepared>()?;
    module.add_class::<SessionAtHead>()?;
    module.add_class::<Acknowledgement>()?;
    module.add_class::<Committed>()
}

/// To whom a secret is dealt anew, and when.
pub(super) struct To {
    owners: Vec<IdentityId>,
    k: u8,
    time: Timestamp,
}

impl To {
    pub(super) fn new(owners: &[Bound<'_, PyString>], k: &Bound<'_, PyInt>, time: &Bound<'_, PyAny>) -> Returned<Self> {
        let owner = |owner: &Bound<'_, PyString>| -> Returned<IdentityId> { Ok(text("vlasnik", owner)?.parse()?) };
        let n = u64::try_from(owners.len()).unwrap_or(u64::MAX);
        let k = Threshold::new(counter("k", k)?, n)?.k();
        Ok(Self { owners: owners.iter().map(owner).collect::<Returned<_>>()?, k, time: moment("time", time)? })
    }

    pub(super) fn renewal(&self) -> threshold::Renewal<'_> {
        threshold::Renewal { owners: &self.owners, k: self.k, time: self.time }
    }
}

/// New shares of a session's secret, which do not count yet. Until commit has appended its entry the old shares sign. A
/// preparation that is lost is prepared again.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Prepared(pub(super) threshold::Prepared);

#[pymethods]
impl Prepared {
    /// The record without its authority, which custodians check their shares by.
    #[getter]
    fn session(&self) -> Session {
        Session(self.0.session().clone())
    }

    /// The new shares, in the order of their numbers. Each goes to its custodian, and nowhere else.
    #[getter]
    fn shares(&self) -> Returned<Vec<SessionShare>> {
        let read = |share: &threshold::SessionShare| -> Returned<_> {
            Ok(SessionShare(threshold::SessionShare::from_json(share.to_json().as_bytes())?))
        };
        self.0.shares().iter().map(read).collect()
    }

    /// The numbers of the old shares that did not hold, ascending.
    #[getter]
    fn culprits(&self) -> Vec<u64> {
        numbers(self.0.culprits())
    }

    /// The numbers of those that held and did not go with the others, ascending.
    #[getter]
    fn misdealt(&self) -> Vec<u64> {
        numbers(self.0.misdealt())
    }

    /// Appends the entry that brings the generation into force, at the head of one's own chain, when as many custodians
    /// as `needed` said that they have their shares: at least k, and all where nothing else is asked. What one said
    /// stands beside the number of his share, as the channel authenticated him: what he says of another's counts for
    /// nobody.
    ///
    /// Raises RejectedError when another generation is in force by now, and when too few said so.
    #[pyo3(signature = (at, acknowledgements, /, *, requester, needed = None))]
    fn commit(
        &self,
        at: &SessionAtHead,
        acknowledgements: Vec<(Bound<'_, PyInt>, Py<Acknowledgement>)>,
        requester: &Bound<'_, PyString>,
        needed: Option<&Bound<'_, PyInt>>,
    ) -> Returned<Committed> {
        let said = acknowledgements.iter().map(|(by, said)| Ok((index(by)?, said.get().0.clone())));
        let said = said.collect::<Returned<Vec<_>>>()?;
        let needed = match needed {
            None => None,
            Some(needed) => Some(u8::try_from(counter("needed", needed)?).unwrap_or(u8::MAX)),
        };
        let requester = text("weise3_hash", requester)?.parse()?;
        let threshold::Committed { session, entry, head } = self.0.commit(&at.0, &said, needed, &requester)?;
        Ok(Committed { session: Session(session), entry: Entry(entry), head: Head(head) })
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Prepared(session_id='{}')", self.0.session().session_id())
    }
}

/// What is in force of a session at the head of one's own chain. Only LocatedSession.at_head gives one.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SessionAtHead(pub(super) threshold::SessionAtHead);

#[pymethods]
impl SessionAtHead {
    /// The head that a commitment extends.
    #[getter]
    fn head(&self) -> Head {
        Head(self.0.head().clone())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

/// That a custodian has a prepared share, which holds. Whoever counts it authenticated the node that said it.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Acknowledgement(pub(super) threshold::Acknowledgement);

#[pymethods]
impl Acknowledgement {
    /// Of a share that has arrived with its record. Raises RejectedError when it is not what the record commits to.
    #[staticmethod]
    fn of(domain: &Domain, session: &Session, share: &SessionShare) -> Returned<Self> {
        Ok(Self(share.0.acknowledge(&domain.0, &session.0)?))
    }

    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, threshold::Acknowledgement::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The split of the share.
    #[getter]
    fn split_id(&self) -> String {
        self.0.split_id().to_hex()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("Acknowledgement(split_id='{}')", self.0.split_id())
    }
}

/// A generation with its chain entry and the head after it: stored together, or none of them.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct Committed {
    /// The record, with its authority.
    session: Session,
    /// The entry.
    entry: Entry,
    /// The head after the entry.
    head: Head,
}

#[pymethods]
impl Committed {
    fn __repr__(&self) -> String {
        format!("Committed(session_id='{}', seq={})", self.session.0.session_id(), self.entry.0.seq())
    }
}
