//! Vault shards: dealt, checked and rebuilt from.

mod dealer;
mod in_force;
mod rebuild;
mod record;

pub(crate) use rebuild::RebuildRequest;

use crate::failure::Outcome;
use crate::input::{counter, malformed, text};
use dualseal::error::Problem;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    record::add(module)?;
    dealer::add(module)?;
    in_force::add(module)?;
    rebuild::add(module)
}

/// A number that the library takes as `u8`.
pub(crate) fn small(field: &'static str, value: &Bound<'_, PyInt>) -> Outcome<u8> {
    u8::try_from(counter(field, value)?).map_err(|_| malformed(field, Problem::Range))
}

fn urls(urls: &[Bound<'_, PyString>]) -> Outcome<Vec<String>> {
    urls.iter().map(|url| Ok(text("node_urls", url)?.to_owned())).collect()
}
