//! Verifying what a quorum signed, with its public key.

use super::in_force::SessionInForce;
use super::result::QuorumResult;
use crate::as_of::AsOf;
use crate::checkpoint::Located;
use crate::domain::Domain;
use crate::failure::Returned;
use crate::input::text;
use crate::keys::PublicKey;
use crate::ring::KeyRing;
use crate::verdict::Verdict;
use dualseal::key::Unprepared;
use dualseal::threshold;
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(verify_quorum, module)?)?;
    module.add_function(wrap_pyfunction!(verify_pinned_quorum, module)?)?;
    module.add_function(wrap_pyfunction!(verify_quorum_as_of, module)?)?;
    module.add_function(wrap_pyfunction!(verify_pinned_quorum_as_of, module)?)
}

/// Verifies a result of a session with a public key, by the session in force: the key must be one of its identity in
/// the ring. No share is needed.
///
/// A result by a retired quorum key is valid only at a proven `place` of its signing entry before the retirement.
#[pyfunction]
#[pyo3(signature = (session, message_hash, result, ring, *, place = None))]
fn verify_quorum(
    py: Python<'_>,
    session: &SessionInForce,
    message_hash: &Bound<'_, PyString>,
    result: &QuorumResult,
    ring: &KeyRing,
    place: Option<&Located>,
) -> Returned<Verdict> {
    let message = text("message_hash", message_hash)?.parse()?;
    let (ring, result, place) = (ring.snapshot(), result.0.clone(), place.map(|located| &located.0));
    let verify = || threshold::verify_quorum(&session.0, &message, result, &ring, &Unprepared, place);
    Ok(Verdict::of(py, py.detach(verify), |verified| QuorumResult(verified.into_record()))?)
}

/// As verify_quorum, without a chain: the session, the identity and the quorum's public key are those that the caller
/// pinned by hand. Never take them from a session record that came with the result: a member of the ring could name
/// himself there, and sign alone.
#[pyfunction]
#[pyo3(signature = (domain, message_hash, result, ring, *, session_id, identity_id, public_key, place = None))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn verify_pinned_quorum(
    py: Python<'_>,
    domain: &Domain,
    message_hash: &Bound<'_, PyString>,
    result: &QuorumResult,
    ring: &KeyRing,
    session_id: &Bound<'_, PyString>,
    identity_id: &Bound<'_, PyString>,
    public_key: &PublicKey,
    place: Option<&Located>,
) -> Returned<Verdict> {
    let message = text("message_hash", message_hash)?.parse()?;
    let quorum = pinned(session_id, identity_id, public_key)?;
    let (ring, result, place) = (ring.snapshot(), result.0.clone(), place.map(|located| &located.0));
    let verify = || threshold::verify_pinned_quorum(&domain.0, &quorum, &message, result, &ring, &Unprepared, place);
    Ok(Verdict::of(py, py.detach(verify), |verified| QuorumResult(verified.into_record()))?)
}

/// The verdict as verify_quorum gives it at a proven `place` of the signing entry, with what became of the quorum's key
/// before and after that place: an AsOf.
#[pyfunction]
#[pyo3(signature = (session, message_hash, result, ring, *, place))]
fn verify_quorum_as_of(
    py: Python<'_>,
    session: &SessionInForce,
    message_hash: &Bound<'_, PyString>,
    result: &QuorumResult,
    ring: &KeyRing,
    place: &Located,
) -> Returned<AsOf> {
    let message = text("message_hash", message_hash)?.parse()?;
    let (ring, result) = (ring.snapshot(), result.0.clone());
    let verify = || threshold::verify_quorum_as_of(&session.0, &message, result, &ring, &Unprepared, &place.0);
    Ok(AsOf::of(py, py.detach(verify), QuorumResult)?)
}

/// As verify_quorum_as_of, for a quorum that the caller pinned by hand; verify_pinned_quorum says what that means.
#[pyfunction]
#[pyo3(signature = (domain, message_hash, result, ring, *, session_id, identity_id, public_key, place))]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn verify_pinned_quorum_as_of(
    py: Python<'_>,
    domain: &Domain,
    message_hash: &Bound<'_, PyString>,
    result: &QuorumResult,
    ring: &KeyRing,
    session_id: &Bound<'_, PyString>,
    identity_id: &Bound<'_, PyString>,
    public_key: &PublicKey,
    place: &Located,
) -> Returned<AsOf> {
    let message = text("message_hash", message_hash)?.parse()?;
    let quorum = pinned(session_id, identity_id, public_key)?;
    let (domain, ring, result) = (&domain.0, ring.snapshot(), result.0.clone());
    let verify =
        || threshold::verify_pinned_quorum_as_of(domain, &quorum, &message, result, &ring, &Unprepared, &place.0);
    Ok(AsOf::of(py, py.detach(verify), QuorumResult)?)
}

fn pinned(
    session_id: &Bound<'_, PyString>,
    identity_id: &Bound<'_, PyString>,
    public_key: &PublicKey,
) -> Returned<threshold::PinnedQuorum> {
    Ok(threshold::PinnedQuorum {
        session_id: text("session_id", session_id)?.parse()?,
        identity_id: text("identity_id", identity_id)?.parse()?,
        public_key: public_key.0.clone(),
    })
}
