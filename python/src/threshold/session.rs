//! The record of a session.

use super::result::listed;
use super::share::{SessionShare, copies};
use crate::domain::Domain;
use crate::failure::Returned;
use crate::json::{JsonText, record, to_object};
use crate::keys::PublicKey;
use crate::sharing::ShareHealth;
use crate::values::{Again, again, hashed};
use dualseal::threshold::{self, SessionKind};
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Session>()?;
    module.add_class::<Quorum>()
}

/// A session (KeyInfo): what is known of it without any secret. Which record of a session counts, a ChainReader tells.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct Session(pub(super) threshold::Session);

#[pymethods]
impl Session {
    /// Reads the JSON, in any spacing and member order.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, threshold::Session::from_json)?))
    }

    /// As from_json, from a dictionary of its members.
    #[staticmethod]
    #[pyo3(signature = (members, /))]
    fn from_dict(members: &Bound<'_, PyDict>) -> Returned<Self> {
        Ok(Self(record(members, threshold::Session::from_json)?))
    }

    /// Canonical JSON.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The members, by their names on the wire.
    fn to_dict<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyAny>> {
        to_object(py, &self.0.to_json())
    }

    /// What a set of shares is by this record alone, found out without rebuilding anything. Whether the record is in
    /// force it does not tell: SessionInForce.quorum does.
    #[pyo3(signature = (domain, shares, /))]
    fn health(&self, py: Python<'_>, domain: &Domain, shares: Vec<Py<SessionShare>>) -> Returned<ShareHealth> {
        let shares = copies(&shares)?;
        Ok(ShareHealth::from(&py.detach(|| self.0.health(&domain.0, &shares))))
    }

    /// The identifier, which stays the same when the secret is dealt again.
    #[getter]
    fn session_id(&self) -> String {
        self.0.session_id().to_hex()
    }

    /// The identifier of this set of shares.
    #[getter]
    fn split_id(&self) -> String {
        self.0.split_id().to_hex()
    }

    /// How many shares sign.
    #[getter]
    fn k(&self) -> u8 {
        self.0.threshold().k()
    }

    /// How many shares there are.
    #[getter]
    fn n(&self) -> u8 {
        self.0.threshold().n()
    }

    /// The anchor of the secret (`javni_sidro`), 128 hexadecimal characters, which callers pin.
    #[getter]
    fn anchor(&self) -> String {
        self.0.anchor().to_hex()
    }

    /// The name of its algorithm on the wire.
    #[getter]
    fn algorithm(&self) -> &'static str {
        self.0.algorithm().as_str()
    }

    /// Under which identity a ring holds the public key; None for a session without one.
    #[getter]
    fn identity_id(&self) -> Option<String> {
        match self.0.kind() {
            SessionKind::Hmac => None,
            SessionKind::MlDsa65 { identity_id, .. } => Some(identity_id.to_hex()),
        }
    }

    /// The public key; None for a session whose results are verified with shares.
    #[getter]
    fn public_key(&self) -> Option<PublicKey> {
        match self.0.kind() {
            SessionKind::Hmac => None,
            SessionKind::MlDsa65 { public_key, .. } => Some(PublicKey(public_key.clone())),
        }
    }

    /// The split that this one replaces (`prethodni`); None for the founder.
    #[getter]
    fn previous(&self) -> Option<String> {
        self.0.previous().map(dualseal::shamir::SplitId::to_hex)
    }

    /// The authority (`ovlast`) in hexadecimal; None for the founder, and for a record that is not committed.
    #[getter]
    fn authority_hex(&self) -> Option<String> {
        self.0.authority_hex()
    }

    /// When this record was made (`kreiran`).
    #[getter]
    fn created_at(&self) -> String {
        self.0.created_at().to_string()
    }

    fn __hash__(&self) -> u64 {
        hashed(self.0.to_json())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        again(slf, "from_json", slf.get().0.to_json())
    }

    fn __repr__(&self) -> String {
        format!("Session(session_id='{}', k={}, n={})", self.0.session_id(), self.k(), self.n())
    }
}

/// What a set of shares amounts to in a session.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct Quorum {
    /// Which share numbers are present, missing, invalid and foreign, by one record of the session. Foreign are those
    /// of its other records too, whose holders are no cheats.
    health: Py<ShareHealth>,
    /// The split of that record.
    split_id: String,
    /// The position of that record's chain entry.
    seq: u64,
    /// Whether that record is known to be in force. Of a session without a public key that is continued k good shares
    /// tell it.
    in_force: bool,
    /// How many good shares that record needs.
    needed: u8,
    /// Whether it is in force and there are as many.
    reached: bool,
    /// The entries of the session that count for nothing, as pairs of position and reason.
    ignored: Vec<(u64, &'static str)>,
}

impl Quorum {
    pub(super) fn new(py: Python<'_>, quorum: &threshold::Quorum) -> PyResult<Self> {
        Ok(Self {
            health: Py::new(py, ShareHealth::from(&quorum.health))?,
            split_id: quorum.split_id.to_hex(),
            seq: quorum.seq,
            in_force: quorum.in_force,
            needed: quorum.needed,
            reached: quorum.reached,
            ignored: listed(&quorum.ignored),
        })
    }
}

#[pymethods]
impl Quorum {
    fn __repr__(&self) -> String {
        format!("Quorum(needed={}, reached={})", self.needed, if self.reached { "True" } else { "False" })
    }
}
