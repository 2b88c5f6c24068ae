//! Splitting a vault secret into shards.

use super::record::{Shard, ShardKey};
use crate::domain::Domain;
use crate::failure::Returned;
use crate::input::{small, text, urls};
use crate::krunica::{Entry, Head};
use crate::sharing::{DrawnSecret, Over, numbers};
use crate::time::moment;
use dualseal::{IdentityId, SystemRng, Timestamp, VaultId, shard};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Dealer>()?;
    module.add_class::<Split>()
}

/// Deals the secret of one vault to nodes: any m of the shards rebuild it, one shard for each label of `node_urls`, in
/// that order.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Dealer {
    domain: dualseal::Domain,
    key: Arc<shard::ShardKey>,
    vault_id: VaultId,
    identity_id: IdentityId,
    m: u8,
    node_urls: Vec<String>,
    head: dualseal::Head,
    time: Timestamp,
}

impl Dealer {
    pub(super) fn inner(&self) -> shard::Dealer<'_> {
        let Self { domain, key, vault_id, identity_id, m, node_urls, head, time } = self;
        shard::Dealer { domain, key, vault_id, identity_id, m: *m, node_urls, head, time: *time }
    }
}

#[pymethods]
impl Dealer {
    #[new]
    #[pyo3(signature = (domain, key, vault_id, identity_id, *, m, node_urls, head, time))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        domain: &Domain,
        key: &ShardKey,
        vault_id: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        m: &Bound<'_, PyInt>,
        node_urls: Vec<Bound<'_, PyString>>,
        head: &Head,
        time: &Bound<'_, PyAny>,
    ) -> Returned<Self> {
        Ok(Self {
            domain: domain.0.clone(),
            key: Arc::clone(&key.0),
            vault_id: text("vault_id", vault_id)?.parse()?,
            identity_id: text("identity_id", identity_id)?.parse()?,
            m: small("m", m)?,
            node_urls: urls(&node_urls)?,
            head: head.0,
            time: moment(time)?,
        })
    }

    /// Splits a vault secret, a DrawnSecret of GF_2_256.
    #[pyo3(signature = (secret, /))]
    fn split(&self, py: Python<'_>, secret: &DrawnSecret) -> Returned<Split> {
        let Over::Binary(secret) = &*secret.0 else {
            return Err(PyTypeError::new_err("a vault secret is of the field GF_2_256").into());
        };
        Split::new(py, py.detach(|| self.inner().split(secret, &mut SystemRng))?)
    }

    fn __repr__(&self) -> String {
        format!("Dealer(vault_id='{}', m={}, n={})", self.vault_id, self.m, self.node_urls.len())
    }
}

/// A new set of shards with its chain entry and the head after it: stored together, or none of them. Each shard is
/// pulled by its node, and goes nowhere else.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct Split {
    /// The shards, in the order of their numbers.
    shards: Vec<Py<Shard>>,
    /// The entry, which names the vault and the splitting.
    entry: Entry,
    /// The head after the entry.
    head: Head,
    /// The numbers of the shards that did not hold when an earlier splitting was rebuilt, ascending.
    culprits: Vec<u64>,
    /// The numbers of those that held and did not go with the others, ascending.
    misdealt: Vec<u64>,
}

impl Split {
    pub(super) fn new(py: Python<'_>, split: shard::Split) -> Returned<Self> {
        let shard::Split { shards, entry, head, culprits, misdealt } = split;
        let shards = shards.into_iter().map(|shard| Py::new(py, Shard(shard))).collect::<PyResult<_>>()?;
        let (entry, head) = (Entry(entry), Head(head));
        Ok(Self { shards, entry, head, culprits: numbers(&culprits), misdealt: numbers(&misdealt) })
    }
}

#[pymethods]
impl Split {
    fn __repr__(&self) -> String {
        format!("Split(shards={}, seq={})", self.shards.len(), self.entry.0.seq())
    }
}
