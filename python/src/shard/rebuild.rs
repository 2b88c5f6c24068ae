//! Rebuilding a vault secret, and what the gate is asked before it.

use super::dealer::{Dealer, PreparedSplit};
use super::in_force::SplitInForce;
use super::record::{Shard, ShardKey, copies, unless_no_chain};
use super::request::RebuildRequest;
use crate::domain::Domain;
use crate::enums::operation;
use crate::failure::Returned;
use crate::input::{BytesLike, index, small, text, urls};
use crate::presence::Presence;
use crate::sharing::{DrawnSecret, ShareHealth, numbers};
use crate::time::moment;
use dualseal::shard::{self, Arguments};
use dualseal::{IdentityId, SystemRng, VaultId};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Rebuilding>()
}

/// Rebuilds the secret of one vault from m of its shards, behind a gate that is asked last and once.
///
/// `in_force` is the last splitting in the chain, where there is a chain at hand: every other one is then refused.
/// `recipient_key` is the public key of the caller, by which the nodes know it.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Rebuilding {
    domain: dualseal::Domain,
    key: Arc<shard::ShardKey>,
    vault_id: VaultId,
    identity_id: IdentityId,
    in_force: Option<shard::SplitInForce>,
    recipient: shard::Recipient,
}

impl Rebuilding {
    fn inner(&self) -> shard::Rebuilding<'_> {
        let Self { domain, key, vault_id, identity_id, in_force, recipient } = self;
        shard::Rebuilding { domain, key, vault_id, identity_id, in_force: in_force.as_ref(), recipient }
    }
}

#[pymethods]
impl Rebuilding {
    #[new]
    #[pyo3(signature = (domain, key, vault_id, identity_id, *, recipient_key, in_force, no_chain = false))]
    fn new(
        domain: &Domain,
        key: &ShardKey,
        vault_id: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        recipient_key: BytesLike<'_>,
        in_force: Option<&SplitInForce>,
        no_chain: bool,
    ) -> Returned<Self> {
        Ok(Self {
            domain: domain.0.clone(),
            key: Arc::clone(&key.0),
            vault_id: text("vault_id", vault_id)?.parse()?,
            identity_id: text("identity_id", identity_id)?.parse()?,
            in_force: unless_no_chain(in_force, no_chain)?.map(|in_force| in_force.0.clone()),
            recipient: shard::Recipient::of_key(&recipient_key.contiguous()?),
        })
    }

    /// The vault secret, from m or more of the shards that the request names and no other, the culprits, who sent
    /// shards that do not hold, and the misdealt, as Dealing.reconstruct gives them: the numbers of shards that took no
    /// part. What a node answered is read with Shard.pulled: m good shards rebuild, whatever is among them.
    ///
    /// Raises SharingError for too few shards that hold, RejectedError for a request that is for something else, for
    /// too few shards that hold with others among them that it does not name or are of another splitting, for a
    /// superseded one, and where the gate does not open, and what the gate's `consume` raises.
    #[pyo3(signature = (request, shards, /, *, gate, now))]
    fn rebuild(
        &self,
        py: Python<'_>,
        request: &RebuildRequest,
        shards: Vec<Py<Shard>>,
        gate: &Presence,
        now: &Bound<'_, PyAny>,
    ) -> Returned<(DrawnSecret, Vec<u64>, Vec<u64>)> {
        let (shards, now) = (copies(&shards)?, moment("now", now)?);
        let rebuilt = gate.open(py, |gate| self.inner().rebuild(&request.0, &shards, gate, now))?;
        Ok((rebuilt.secret.into(), numbers(&rebuilt.culprits), numbers(&rebuilt.misdealt)))
    }

    /// What the nodes and the gate are asked, for whoever makes the proofs: to let these shards of a splitting go to
    /// this caller. Any m of them will do. `index` is for a repair, `node_urls` for a refresh, `m`, `n` and `node_urls`
    /// for a rethreshold. Raises RejectedError for a superseded splitting.
    #[pyo3(signature = (operation, split_id, shard_ids, /, *, index = None, m = None, n = None, node_urls = None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn request(
        &self,
        operation: &Bound<'_, PyString>,
        split_id: &Bound<'_, PyString>,
        shard_ids: Vec<Bound<'_, PyString>>,
        index: Option<&Bound<'_, PyInt>>,
        m: Option<&Bound<'_, PyInt>>,
        n: Option<&Bound<'_, PyInt>>,
        node_urls: Option<Vec<Bound<'_, PyString>>>,
    ) -> Returned<RebuildRequest> {
        let arguments = Arguments {
            index: index.map(|index| small("indeks", index)).transpose()?,
            m: m.map(|m| small("m", m)).transpose()?,
            n: n.map(|n| small("n", n)).transpose()?,
            node_urls: node_urls.as_deref().map(urls).transpose()?,
        };
        let operation = self::operation(operation)?;
        let split_id = text("split_id", split_id)?.parse()?;
        let shard_ids = shard_ids
            .iter()
            .map(|id| Ok(text("shard_ids", id)?.parse()?))
            .collect::<Returned<Vec<shard::ShardId>>>()?;
        Ok(RebuildRequest(self.inner().request(operation, &arguments, &split_id, &shard_ids)?))
    }

    /// What a set of shards amounts to for the splitting that `of` is of, a shard known to be good (Shard.verify),
    /// without rebuilding anything. `invalid` are those whose identifier or seal does not hold, whatever they say that
    /// they are of; `foreign` those that hold, of another vault, identity or splitting, or with other numbers, and all
    /// that hold where another splitting is in force. A number that is there twice may show in two lists.
    #[pyo3(signature = (shards, /, *, of))]
    fn health(&self, shards: Vec<Py<Shard>>, of: &Shard) -> Returned<ShareHealth> {
        Ok(ShareHealth::from(&self.inner().health(&of.0, &copies(&shards)?)))
    }

    /// A lost shard, made again from m others, the culprits and the misdealt. `node_url` is the label that it had, and
    /// `shard_id` the identifier that the caller knows. Raises as rebuild does.
    #[pyo3(signature = (request, shards, /, *, lost, node_url, shard_id, gate, now))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn repair(
        &self,
        py: Python<'_>,
        request: &RebuildRequest,
        shards: Vec<Py<Shard>>,
        lost: &Bound<'_, PyInt>,
        node_url: &Bound<'_, PyString>,
        shard_id: &Bound<'_, PyString>,
        gate: &Presence,
        now: &Bound<'_, PyAny>,
    ) -> Returned<(Shard, Vec<u64>, Vec<u64>)> {
        let (index, node_url) = (index(lost)?, text("node_url", node_url)?);
        let (shard_id, shards) = (text("shard_id", shard_id)?.parse()?, copies(&shards)?);
        let (lost, now) = (shard::LostShard { index, node_url, shard_id: &shard_id }, moment("now", now)?);
        let repaired = gate.open(py, |gate| self.inner().repair(&request.0, &shards, lost, gate, now))?;
        Ok((Shard(repaired.shard), numbers(&repaired.culprits), numbers(&repaired.misdealt)))
    }

    /// Prepares the same secret with the same m and n for the nodes of `dealer`; it counts when it is committed. Raises
    /// as rebuild does.
    ///
    /// Shards of the old and of the new splitting do not go together. It protects only while fewer than m shards of
    /// every earlier splitting survive.
    #[pyo3(signature = (request, shards, dealer, /, *, gate, now))]
    fn refresh(
        &self,
        py: Python<'_>,
        request: &RebuildRequest,
        shards: Vec<Py<Shard>>,
        dealer: &Dealer,
        gate: &Presence,
        now: &Bound<'_, PyAny>,
    ) -> Returned<PreparedSplit> {
        let (shards, now) = (copies(&shards)?, moment("now", now)?);
        let refresh = |gate: &mut dyn shard::Gate| {
            self.inner().refresh(&request.0, &shards, &dealer.0, gate, now, &mut SystemRng)
        };
        PreparedSplit::new(py, gate.open(py, refresh)?)
    }

    /// As refresh, with another m and n. Old shards keep the old m for as long as they exist.
    #[pyo3(signature = (request, shards, dealer, /, *, gate, now))]
    fn rethreshold(
        &self,
        py: Python<'_>,
        request: &RebuildRequest,
        shards: Vec<Py<Shard>>,
        dealer: &Dealer,
        gate: &Presence,
        now: &Bound<'_, PyAny>,
    ) -> Returned<PreparedSplit> {
        let (shards, now) = (copies(&shards)?, moment("now", now)?);
        let rethreshold = |gate: &mut dyn shard::Gate| {
            self.inner().rethreshold(&request.0, &shards, &dealer.0, gate, now, &mut SystemRng)
        };
        PreparedSplit::new(py, gate.open(py, rethreshold)?)
    }

    fn __repr__(&self) -> String {
        format!("Rebuilding(vault_id='{}')", self.vault_id)
    }
}
