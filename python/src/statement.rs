//! Statements beside proofs of presence, and what a node keeps of a vault.

use crate::domain::Domain;
use crate::ed25519::Ed25519SigningKey;
use crate::failure::{Returned, not_pickled};
use crate::input::{locked, text};
use crate::shard::{CoveredSplits, Shard, copy, known_split};
use crate::threshold::{SessionInForce, SessionShare, copies};
use crate::time::moment;
use dualseal::Timestamp;
use dualseal::ed25519::{Ed25519PublicKey, Ed25519Signature};
use dualseal::presence::{self, DropOrder, Nonce};
use dualseal::shamir::SplitId;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::Mutex;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Statement>()?;
    module.add_class::<NodeShards>()
}

/// Lends `consume` to a check. What it raises is what is raised.
pub(crate) fn consuming<T>(
    py: Python<'_>,
    consume: &Py<PyAny>,
    act: impl FnOnce(&mut dyn FnMut(&Nonce) -> bool) -> Result<T, dualseal::Error>,
) -> Returned<T> {
    let mut raised = None;
    let done = act(&mut |nonce: &Nonce| {
        let call = || consume.bind(py).call1((nonce.to_hex(),))?.extract::<bool>();
        call().unwrap_or_else(|error| {
            raised = Some(error);
            false
        })
    });
    match raised {
        Some(error) => Err(error.into()),
        None => Ok(done?),
    }
}

/// The operator's word to a node as its arguments come, for shards and for shares.
pub(crate) struct Word<'a> {
    pub(crate) audience: &'a str,
    pub(crate) operator: Ed25519PublicKey,
    split_id: SplitId,
    nonce: Nonce,
    expiry: Timestamp,
    signature: Ed25519Signature,
    pub(crate) now: Timestamp,
}

impl<'a> Word<'a> {
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    pub(crate) fn read(
        audience: &'a Bound<'_, PyString>,
        signature: &Bound<'_, PyString>,
        split_id: &Bound<'_, PyString>,
        operator: &Bound<'_, PyString>,
        nonce: &Bound<'_, PyString>,
        expiry: &Bound<'_, PyAny>,
        now: &Bound<'_, PyAny>,
    ) -> Returned<Self> {
        Ok(Self {
            audience: text("aud", audience)?,
            split_id: text("split_id", split_id)?.parse()?,
            operator: text("operator", operator)?.parse()?,
            nonce: text("nonce", nonce)?.parse()?,
            expiry: moment("expiry", expiry)?,
            signature: text("signature", signature)?.parse()?,
            now: moment("now", now)?,
        })
    }

    pub(crate) fn order(&self) -> DropOrder<'_> {
        let Self { split_id, nonce, expiry, signature, .. } = self;
        DropOrder { split_id, nonce, expiry: *expiry, signature }
    }
}

/// A statement for one audience, the service, node or log that it is made to, which draws the nonce and pins the key.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Statement(presence::Statement);

#[pymethods]
impl Statement {
    /// That an identity logs in with a tier.
    #[staticmethod]
    fn login(
        audience: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        tier: &Bound<'_, PyString>,
    ) -> Returned<Self> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        Ok(Self(presence::Statement::login(text("aud", audience)?, &identity_id, text("tier", tier)?)?))
    }

    /// That an agent answers at a URL.
    #[staticmethod]
    fn peer(
        audience: &Bound<'_, PyString>,
        agent_id: &Bound<'_, PyString>,
        url: &Bound<'_, PyString>,
    ) -> Returned<Self> {
        Ok(Self(presence::Statement::peer(text("aud", audience)?, text("agent_id", agent_id)?, text("url", url)?)?))
    }

    /// That an identity's person is alive and says this.
    #[staticmethod]
    fn alive(
        audience: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        statement: &Bound<'_, PyString>,
    ) -> Returned<Self> {
        let identity_id = text("identity_id", identity_id)?.parse()?;
        let statement = text("statement", statement)?;
        Ok(Self(presence::Statement::alive(text("aud", audience)?, &identity_id, statement)?))
    }

    /// The operator's word to a node that a split is in force, or that the vault was erased, and older shards go.
    /// Raises RejectedError where there is neither.
    #[staticmethod]
    fn drop_older(audience: &Bound<'_, PyString>, splits: &CoveredSplits) -> Returned<Self> {
        Ok(Self(presence::Statement::drop_older(text("aud", audience)?, &splits.0)?))
    }

    /// The same of a threshold session, to a custodian's node, with the full record of that generation beside it.
    /// It names the generation in force, as SessionInForce.quorum of the same shares does: where the chain alone does
    /// not tell which that is, k shares of it are needed. Raises RejectedError where nothing tells.
    #[staticmethod]
    fn drop_older_shares(
        audience: &Bound<'_, PyString>,
        session: &SessionInForce,
        shares: Vec<Py<SessionShare>>,
    ) -> Returned<Self> {
        let (audience, shares) = (text("aud", audience)?, copies(&shares)?);
        Ok(Self(presence::Statement::drop_older_shares(audience, &session.0, &shares)?))
    }

    /// Signs it, for a nonce that the audience drew and an expiry at most 300 seconds ahead: 128 hexadecimal
    /// characters.
    #[pyo3(signature = (domain, key, *, nonce, expiry))]
    fn sign(
        &self,
        domain: &Domain,
        key: &Ed25519SigningKey,
        nonce: &Bound<'_, PyString>,
        expiry: &Bound<'_, PyAny>,
    ) -> Returned<String> {
        let nonce = text("nonce", nonce)?.parse()?;
        Ok(self.0.sign(&domain.0, &nonce, moment("expiry", expiry)?, &key.0).to_hex())
    }

    /// Verifies a signature, strictly, by the key that the audience pinned. `consume` is called last with the nonce,
    /// marks it as used and returns whether it was unused until then. Raises RejectedError.
    #[pyo3(signature = (domain, signature, *, public_key, nonce, expiry, now, consume))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn verify(
        &self,
        py: Python<'_>,
        domain: &Domain,
        signature: &Bound<'_, PyString>,
        public_key: &Bound<'_, PyString>,
        nonce: &Bound<'_, PyString>,
        expiry: &Bound<'_, PyAny>,
        now: &Bound<'_, PyAny>,
        consume: Py<PyAny>,
    ) -> Returned<()> {
        let (signature, public_key) =
            (text("signature", signature)?.parse()?, text("public_key", public_key)?.parse()?);
        let (nonce, expiry, now) = (text("nonce", nonce)?.parse()?, moment("expiry", expiry)?, moment("now", now)?);
        consuming(py, &consume, |consume| {
            self.0.verify(&domain.0, &nonce, expiry, &public_key, &signature, now, consume)
        })
    }
}

/// The shards of one vault at a node: the one that counts, and at most one that was prepared and does not count yet.
/// The node stores what is here after each call, as it stores the nonces that it saw.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct NodeShards(Mutex<presence::NodeShards>);

#[pymethods]
impl NodeShards {
    #[new]
    #[pyo3(signature = (current = None))]
    fn new(current: Option<&Shard>) -> Returned<Self> {
        Ok(Self(Mutex::new(presence::NodeShards::new(current.map(|shard| copy(&shard.0)).transpose()?))))
    }

    /// Takes a shard that was prepared, until a time later than the operator may still commit, and returns the shard_id
    /// that the node acknowledges. The same one may come again. Raises MisuseError for another vault's, and
    /// RejectedError for one whose members do not give its shard_id, and while the node holds another one that it
    /// acknowledged, which may have been committed.
    fn prepare(&self, domain: &Domain, shard: &Shard, until: &Bound<'_, PyAny>) -> Returned<String> {
        Ok(locked(&self.0).prepare(&domain.0, copy(&shard.0)?, moment("until", until)?)?.to_hex())
    }

    /// Deletes a prepared shard whose time is over and which does not count. `in_force` is the split_id in force that
    /// the operator told the node, who had read the log up to `told`; only where there is no chain it is None and
    /// `no_chain` True, and `told` is now. As long as that is before the end of its time the shard stays, and one whose
    /// split is in force stays until the operator's word puts it in the place of the old one.
    #[pyo3(signature = (*, in_force, told, no_chain = false))]
    fn expire(&self, in_force: Option<&Bound<'_, PyString>>, told: &Bound<'_, PyAny>, no_chain: bool) -> Returned<()> {
        let split = known_split(in_force, no_chain)?;
        locked(&self.0).expire(split, moment("told", told)?);
        Ok(())
    }

    /// Deletes on the operator's word alone: Statement.drop_older to this node by its name, signed by the key that the
    /// node pinned, for a nonce that it drew. `split_id` is 64 zeros where the vault was erased. Raises RejectedError
    /// for another split than that of the prepared shard, and then deletes nothing. `consume` must not use this object.
    #[pyo3(signature = (domain, audience, signature, *, split_id, operator, nonce, expiry, now, consume))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn obey(
        &self,
        py: Python<'_>,
        domain: &Domain,
        audience: &Bound<'_, PyString>,
        signature: &Bound<'_, PyString>,
        split_id: &Bound<'_, PyString>,
        operator: &Bound<'_, PyString>,
        nonce: &Bound<'_, PyString>,
        expiry: &Bound<'_, PyAny>,
        now: &Bound<'_, PyAny>,
        consume: Py<PyAny>,
    ) -> Returned<()> {
        let word = Word::read(audience, signature, split_id, operator, nonce, expiry, now)?;
        consuming(py, &consume, |consume| {
            locked(&self.0).obey(&domain.0, word.audience, word.order(), &word.operator, word.now, consume)
        })
    }

    /// The shard that counts, or None.
    #[getter]
    fn current(&self) -> Returned<Option<Shard>> {
        locked(&self.0).current().map(|shard| Ok(Shard(copy(shard)?))).transpose()
    }

    /// Until when a prepared shard is kept, or None. `prepare` with it and this time restores what was stored.
    #[getter]
    fn prepared_until(&self) -> Option<String> {
        locked(&self.0).prepared().map(|(_, until)| until.to_string())
    }

    /// The shard that was prepared and does not count yet, or None.
    #[getter]
    fn prepared(&self) -> Returned<Option<Shard>> {
        locked(&self.0).prepared().map(|(shard, _)| Ok(Shard(copy(shard)?))).transpose()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}
