//! Splitting a vault secret into shards.

use super::in_force::OwnSplits;
use super::record::{Shard, ShardKey};
use crate::domain::Domain;
use crate::failure::{Returned, not_pickled};
use crate::input::{small, text, urls};
use crate::krunica::{Entry, Head, pair};
use crate::sharing::{DrawnSecret, Over, numbers};
use crate::time::moment;
use crate::vault::master::VaultMaster;
use crate::vault::record::VaultRecord;
use dualseal::shard::SplitId;
use dualseal::{SystemRng, shard};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Dealer>()?;
    module.add_class::<PreparedSplit>()?;
    module.add_class::<Preparation>()
}

/// Deals the secret of a vault record to nodes: any m of the shards rebuild it, one shard for each label of
/// `node_urls`, in that order. They are sealed under the record's own master.
///
/// The record need not be verified. Raises MisuseError where it is of another master or domain, or its digest (L7) is
/// not the master's: erasing the vault would leave such a split out.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Dealer(pub(super) shard::Dealer);

#[pymethods]
impl Dealer {
    #[new]
    #[pyo3(signature = (record, master, *, m, node_urls))]
    fn new(
        record: &VaultRecord,
        master: &VaultMaster,
        m: &Bound<'_, PyInt>,
        node_urls: Vec<Bound<'_, PyString>>,
    ) -> Returned<Self> {
        Ok(Self(shard::Dealer::new(&record.0, &master.0, small("m", m)?, &urls(&node_urls)?)?))
    }

    /// For a secret that no vault record was sealed under: nothing says which key is the right one, and nothing is
    /// compared.
    #[staticmethod]
    #[pyo3(signature = (domain, key, vault_id, identity_id, *, m, node_urls))]
    fn without_record(
        domain: &Domain,
        key: &ShardKey,
        vault_id: &Bound<'_, PyString>,
        identity_id: &Bound<'_, PyString>,
        m: &Bound<'_, PyInt>,
        node_urls: Vec<Bound<'_, PyString>>,
    ) -> Returned<Self> {
        let (vault_id, identity_id) =
            (text("vault_id", vault_id)?.parse()?, text("identity_id", identity_id)?.parse()?);
        let (m, node_urls) = (small("m", m)?, urls(&node_urls)?);
        Ok(Self(shard::Dealer::without_record(&domain.0, &key.0, &vault_id, &identity_id, m, &node_urls)))
    }

    /// Prepares a split of a vault secret, a DrawnSecret of GF_2_256: the vault's first, or the one after `previous`,
    /// the split_id in force.
    #[pyo3(signature = (secret, /, *, previous = None))]
    fn prepare(
        &self,
        py: Python<'_>,
        secret: &DrawnSecret,
        previous: Option<&Bound<'_, PyString>>,
    ) -> Returned<PreparedSplit> {
        let Over::Binary(secret) = secret.shared()? else {
            return Err(PyTypeError::new_err("a vault secret is of the field GF_2_256").into());
        };
        let previous: Option<SplitId> = match previous {
            Some(split_id) => Some(text("previous", split_id)?.parse()?),
            None => None,
        };
        PreparedSplit::new(py, py.detach(|| self.0.prepare(secret, previous.as_ref(), &mut SystemRng))?)
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Dealer(vault_id='{}', m={}, n={})", self.0.vault_id(), self.0.m(), self.0.node_urls().len())
    }
}

/// A new set of shards that does not count yet. Each shard is pulled by its node, which keeps the one that it had
/// beside it, and goes nowhere else.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct PreparedSplit {
    /// The shards, in the order of their numbers.
    shards: Vec<Py<Shard>>,
    /// What is committed when the nodes hold them.
    preparation: Py<Preparation>,
    /// The numbers of the shards that did not hold when an earlier split was rebuilt, ascending.
    culprits: Vec<u64>,
    /// The numbers of the shards that the dealer of the earlier split dealt wrong, ascending.
    misdealt: Vec<u64>,
}

impl PreparedSplit {
    pub(super) fn new(py: Python<'_>, prepared: shard::Prepared) -> Returned<Self> {
        let shard::Prepared { shards, preparation, culprits, misdealt } = prepared;
        let shards = shards.into_iter().map(|shard| Py::new(py, Shard(shard))).collect::<PyResult<_>>()?;
        let preparation = Py::new(py, Preparation(preparation))?;
        Ok(Self { shards, preparation, culprits: numbers(&culprits), misdealt: numbers(&misdealt) })
    }
}

#[pymethods]
impl PreparedSplit {
    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("PreparedSplit(shards={})", self.shards.len())
    }
}

/// A set of shards that was dealt and whose entry does not stand in the chain yet. It is kept in memory: one that is
/// lost is prepared again.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Preparation(shard::Preparation);

#[pymethods]
impl Preparation {
    /// The entry by which the split comes into force, and the head after it: before it is stored the old shards
    /// rebuild, after that the new ones do. `acknowledgements` are the shard_ids of which a node, which the caller
    /// authenticated, said that it holds them: all, or `least` of them, at least m. `splits` is read up to the head
    /// that is appended to, in the transaction that appends. Raises RejectedError for too few, where another split was
    /// committed since, and where the vault was erased.
    #[pyo3(signature = (acknowledgements, /, splits, *, time, least = None))]
    fn commit(
        &self,
        acknowledgements: Vec<Bound<'_, PyString>>,
        splits: &OwnSplits,
        time: &Bound<'_, PyAny>,
        least: Option<&Bound<'_, PyInt>>,
    ) -> Returned<(Entry, Head)> {
        let confirmed = acknowledgements
            .iter()
            .map(|id| Ok(text("shard_id", id)?.parse()?))
            .collect::<Returned<Vec<shard::ShardId>>>()?;
        let least = least.map(|least| small("least", least)).transpose()?;
        Ok(pair(self.0.commit(&confirmed, least, &splits.0, moment("time", time)?)?))
    }

    /// The split that was prepared.
    #[getter]
    fn split_id(&self) -> String {
        self.0.split_id().to_hex()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("Preparation(split_id='{}')", self.0.split_id())
    }
}
