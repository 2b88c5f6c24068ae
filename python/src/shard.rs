//! Vault shards: dealt, checked and rebuilt from.

mod dealer;
mod in_force;
mod rebuild;
mod record;
pub(crate) mod request;

pub(crate) use in_force::{CoveredSplits, OwnSplits, Splits};
pub(crate) use record::{Shard, ShardKey, copy, known_split};

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    record::add(module)?;
    dealer::add(module)?;
    in_force::add(module)?;
    request::add(module)?;
    rebuild::add(module)
}
