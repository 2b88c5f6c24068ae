//! Which record of a session counts, and what its shares do.

use super::renewal::{Prepared, SessionAtHead, To};
use super::result::{AuthenticResult, QuorumResult, QuorumSigned, listed, refused};
use super::session::{Quorum, Session};
use super::share::{SessionShare, copies};
use crate::failure::{Returned, not_pickled};
use crate::input::{index, text};
use crate::keys::lend;
use crate::krunica::Head;
use crate::ring::KeyRing;
use crate::sharing::numbers;
use crate::time::moment;
use dualseal::key::AnyRing;
use dualseal::{SystemRng, threshold};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<LocatedSession>()?;
    module.add_class::<SessionInForce>()
}

/// What a chain says of a session. Which of its records it puts in force shows with them. Only a ChainReader's Proofs
/// give one.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct LocatedSession(pub(crate) threshold::LocatedSession);

#[pymethods]
impl LocatedSession {
    /// What is in force below the checkpoint. `records` holds the founder's record and those of the generations since;
    /// an entry of which none is at hand is listed as ignored. `ring` is the ring that the caller trusts: a quorum's
    /// key that was revoked authorises nothing from there on. None for a session without a public key.
    ///
    /// Raises RejectedError when the founding is not there, its record is missing or the ring does not hold the
    /// session's key, and MisuseError where the chain was read under no checkpoint, or from after the founding.
    #[pyo3(signature = (records, /, ring))]
    fn in_force(&self, records: Vec<Py<Session>>, ring: Option<&KeyRing>) -> Returned<SessionInForce> {
        Ok(SessionInForce(self.0.in_force(&copied(&records), &trusted(ring))?))
    }

    /// What is in force at the head of one's own chain, where reading ended, beyond the checkpoint: what
    /// Prepared.commit goes on from. Raises as in_force does, but for the checkpoint.
    #[pyo3(signature = (records, /, ring))]
    fn at_head(&self, records: Vec<Py<Session>>, ring: Option<&KeyRing>) -> Returned<SessionAtHead> {
        Ok(SessionAtHead(self.0.at_head(&copied(&records), &trusted(ring))?))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

fn copied(records: &[Py<Session>]) -> Vec<threshold::Session> {
    records.iter().map(|record| record.get().0.clone()).collect()
}

fn trusted(ring: Option<&KeyRing>) -> Arc<AnyRing> {
    ring.map_or_else(|| Arc::new(AnyRing::Pinned(dualseal::KeyRing::nobody())), KeyRing::snapshot)
}

/// What a chain says of a session below a verified checkpoint: its pinned founder, and the generations that continue
/// it. Only a LocatedSession gives one.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct SessionInForce(pub(crate) threshold::SessionInForce);

#[pymethods]
impl SessionInForce {
    /// The founder's record, which was pinned: what a session never changes is there, its identifier, anchor and key.
    #[getter]
    fn founder(&self) -> Session {
        Session(self.0.founder().clone())
    }

    /// The record in force; None for a session without a public key that is continued, of which only shares tell it:
    /// `quorum` says by which record they hold.
    #[getter]
    fn session(&self) -> Option<Session> {
        self.0.session().map(|(session, _)| Session(session.clone()))
    }

    /// The position of its chain entry; None as for `session`.
    #[getter]
    fn seq(&self) -> Option<u64> {
        self.0.session().map(|(_, seq)| seq)
    }

    /// The founder's record and those that may continue it, as pairs of record and position, in the order of the chain.
    /// Of a session without a public key anybody may have written any but the first.
    #[getter]
    fn candidates(&self) -> Vec<(Session, u64)> {
        self.0.candidates().map(|(session, seq)| (Session(session.clone()), seq)).collect()
    }

    /// What a set of shares amounts to, sorted by the commitments of every record, as for signing. Nothing is rebuilt
    /// but where only the secret tells which record is in force, and k shares of one are there.
    #[pyo3(signature = (shares, /))]
    fn quorum(&self, py: Python<'_>, shares: Vec<Py<SessionShare>>) -> Returned<Quorum> {
        let shares = copies(&shares)?;
        let quorum = py.detach(|| self.0.quorum(&shares));
        Ok(Quorum::new(py, &quorum)?)
    }

    /// The entries of the session that count for nothing, as pairs of position and reason. They blame nobody.
    #[getter]
    fn ignored(&self) -> Vec<(u64, &'static str)> {
        listed(self.0.ignored())
    }

    /// Prepares other shares of the same secret with the same k and n, which must be those that the session has: a slip
    /// lowers neither. Raises SharingError.
    #[pyo3(signature = (shares, *, owners, k, time))]
    fn prepare_refresh(
        &self,
        py: Python<'_>,
        shares: Vec<Py<SessionShare>>,
        owners: Vec<Bound<'_, PyString>>,
        k: &Bound<'_, PyInt>,
        time: &Bound<'_, PyAny>,
    ) -> Returned<Prepared> {
        let (shares, to) = (copies(&shares)?, To::new(&owners, k, time)?);
        Ok(Prepared(py.detach(|| self.0.prepare_refresh(&shares, &to.renewal(), &mut SystemRng))?))
    }

    /// As prepare_refresh, with other custodians, k and n. It protects only while fewer than k shares of every earlier
    /// generation survive.
    #[pyo3(signature = (shares, *, owners, k, time))]
    fn prepare_rethreshold(
        &self,
        py: Python<'_>,
        shares: Vec<Py<SessionShare>>,
        owners: Vec<Bound<'_, PyString>>,
        k: &Bound<'_, PyInt>,
        time: &Bound<'_, PyAny>,
    ) -> Returned<Prepared> {
        let (shares, to) = (copies(&shares)?, To::new(&owners, k, time)?);
        Ok(Prepared(py.detach(|| self.0.prepare_rethreshold(&shares, &to.renewal(), &mut SystemRng))?))
    }

    /// Signs a message, by its message_hash, with k shares or more, for whoever asks. The secret exists in memory while
    /// this takes.
    ///
    /// Raises SharingError, whose `culprits` sent bad shares, and whose `refusal` is the record of it. Nothing is
    /// appended then.
    #[pyo3(signature = (message_hash, requester, shares, *, head, time))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn sign(
        &self,
        py: Python<'_>,
        message_hash: &Bound<'_, PyString>,
        requester: &Bound<'_, PyString>,
        shares: Vec<Py<SessionShare>>,
        head: &Head,
        time: &Bound<'_, PyAny>,
    ) -> Returned<QuorumSigned> {
        let message = text("message_hash", message_hash)?.parse()?;
        let requester = text("weise3_hash", requester)?.parse()?;
        let (shares, time) = (copies(&shares)?, moment("time", time)?);
        match py.detach(|| self.0.sign(&message, &requester, &shares, &head.0, time, &mut SystemRng)) {
            Ok(signed) => Ok(signed.into()),
            Err(refusal) => Err(refused(py, *refusal)?),
        }
    }

    /// Verifies a result of a session without a public key, with k shares. The secret exists in memory while this
    /// takes.
    ///
    /// Raises RejectedError when the result is not what this session made of this message, or is of the other kind, and
    /// SharingError.
    fn verify_with_shares(
        &self,
        py: Python<'_>,
        message_hash: &Bound<'_, PyString>,
        result: &QuorumResult,
        shares: Vec<Py<SessionShare>>,
    ) -> Returned<AuthenticResult> {
        let message = text("message_hash", message_hash)?.parse()?;
        let (shares, result) = (copies(&shares)?, result.0.clone());
        Ok(AuthenticResult(py.detach(|| self.0.verify_with_shares(&message, result, &shares))?))
    }

    /// A lost share, made again from k others for the custodian whom the session names for this number, the culprits
    /// and the misdealt, as Dealing.reconstruct gives them. Raises SharingError.
    #[pyo3(signature = (shares, *, lost, owner))]
    fn repair(
        &self,
        py: Python<'_>,
        shares: Vec<Py<SessionShare>>,
        lost: &Bound<'_, PyInt>,
        owner: &Bound<'_, PyString>,
    ) -> Returned<(SessionShare, Vec<u64>, Vec<u64>)> {
        let (lost, owner) = (index(lost)?, text("vlasnik", owner)?.parse()?);
        let shares = copies(&shares)?;
        let repaired = py.detach(|| self.0.repair(&shares, lost, &owner))?;
        Ok((SessionShare(repaired.share), numbers(&repaired.culprits), numbers(&repaired.misdealt)))
    }

    /// Lends the quorum's SigningKey to `work` for one call, so that a quorum makes ordinary records, seals and
    /// checkpoints. Returns what `work` returned, the culprits and the misdealt.
    ///
    /// The key is wiped when the call returns: raises RuntimeError when `work` kept it. An exception that `work` raises
    /// is passed on, and holds the key for as long as its traceback lives. Raises SharingError, and RejectedError for a
    /// session without a public key.
    fn with_quorum_key(
        &self,
        py: Python<'_>,
        shares: Vec<Py<SessionShare>>,
        work: Py<PyAny>,
    ) -> Returned<(Py<PyAny>, Vec<u64>, Vec<u64>)> {
        let shares = copies(&shares)?;
        let lent =
            py.detach(|| self.0.with_quorum_key(&shares, |key| Python::attach(|py| lend(key, work.bind(py)))))?;
        Ok((lent.given?, numbers(&lent.culprits), numbers(&lent.misdealt)))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        let last = self.0.candidates().count();
        format!("SessionInForce(session_id='{}', candidates={last})", self.0.founder().session_id())
    }
}
