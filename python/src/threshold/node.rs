//! What a custodian's node keeps of a session.

use super::renewal::Acknowledgement;
use super::session::Session;
use super::share::{SessionShare, copy};
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::locked;
use crate::shard::known_split;
use crate::statement::{Word, consuming};
use crate::time::moment;
use dualseal::presence;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::Mutex;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NodeShares>()
}

/// A custodian's share of one session at its node, with the record of its generation: the one that counts, and at most
/// one that was prepared and does not count yet. The node stores what is here after each call, as it stores the nonces
/// that it saw.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct NodeShares(Mutex<presence::NodeShares>);

#[pymethods]
impl NodeShares {
    /// A node that holds nothing of the session, or this share, which the record commits to. Raises RejectedError where
    /// it does not.
    #[new]
    #[pyo3(signature = (domain, current = None))]
    fn new(domain: &Domain, current: Option<(PyRef<'_, SessionShare>, PyRef<'_, Session>)>) -> Returned<Self> {
        let current = current.map(|(share, record)| Ok::<_, dualseal::Error>((copy(&share.0)?, record.0.clone())));
        Ok(Self(Mutex::new(presence::NodeShares::new(&domain.0, current.transpose()?)?)))
    }

    /// Takes a share that was prepared with the record of its generation, until a time later than the coordinator may
    /// still commit, and returns what the node acknowledges. The same one may come again. Raises MisuseError for
    /// another session's, and RejectedError for one that the record does not commit to, for a founder's record, for
    /// the split that counts here, for an authority that does not hold, and while the node holds another one that it
    /// acknowledged, which may have been committed.
    fn prepare(
        &self,
        domain: &Domain,
        share: &SessionShare,
        record: &Session,
        until: &Bound<'_, PyAny>,
    ) -> Returned<Acknowledgement> {
        let (share, until) = (copy(&share.0)?, moment("until", until)?);
        Ok(Acknowledgement(locked(&self.0).prepare(&domain.0, share, record.0.clone(), until)?))
    }

    /// Deletes a prepared share whose time is over and which does not count, as NodeShards.expire does.
    #[pyo3(signature = (*, in_force, told, no_chain = false))]
    fn expire(&self, in_force: Option<&Bound<'_, PyString>>, told: &Bound<'_, PyAny>, no_chain: bool) -> Returned<()> {
        let split = known_split(in_force, no_chain)?;
        locked(&self.0).expire(split, moment("told", told)?);
        Ok(())
    }

    /// Deletes the old share on the operator's word alone, with the full record of the generation in force beside it:
    /// Statement.drop_older_shares to this node by its name, signed by the key that the node pinned, for a nonce that
    /// it drew. Raises RejectedError for another split than that of the prepared share and for a record that is not the
    /// prepared one with a good authority, and then deletes nothing. `consume` must not use this object.
    #[pyo3(signature = (domain, audience, signature, *, split_id, record, operator, nonce, expiry, now, consume))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn obey(
        &self,
        py: Python<'_>,
        domain: &Domain,
        audience: &Bound<'_, PyString>,
        signature: &Bound<'_, PyString>,
        split_id: &Bound<'_, PyString>,
        record: &Session,
        operator: &Bound<'_, PyString>,
        nonce: &Bound<'_, PyString>,
        expiry: &Bound<'_, PyAny>,
        now: &Bound<'_, PyAny>,
        consume: Py<PyAny>,
    ) -> Returned<()> {
        let word = Word::read(audience, signature, split_id, operator, nonce, expiry, now)?;
        consuming(py, &consume, |consume| {
            locked(&self.0).obey(&domain.0, word.audience, word.order(), &record.0, &word.operator, word.now, consume)
        })
    }

    /// The share that counts and its record, or None.
    #[getter]
    fn current(&self) -> Returned<Option<(SessionShare, Session)>> {
        let held = locked(&self.0);
        let current = held.current();
        current.map(|(share, record)| Ok((SessionShare(copy(share)?), Session(record.clone())))).transpose()
    }

    /// Until when a prepared share is kept, or None. `prepare` with it and this time restores what was stored.
    #[getter]
    fn prepared_until(&self) -> Option<String> {
        locked(&self.0).prepared().map(|(_, _, until)| until.to_string())
    }

    /// The share that was prepared and its record, or None.
    #[getter]
    fn prepared(&self) -> Returned<Option<(SessionShare, Session)>> {
        let held = locked(&self.0);
        let prepared = held.prepared();
        prepared.map(|(share, record, _)| Ok((SessionShare(copy(share)?), Session(record.clone())))).transpose()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}
