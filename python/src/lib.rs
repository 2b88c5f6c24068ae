//! The extension module `dualseal._dualseal`: it converts arguments, releases the interpreter lock around long work and
//! turns errors into exceptions. Every decision is made in the crates `dualseal` and `dualseal-operator`.
#![allow(clippy::needless_pass_by_value, reason = "arguments that Python passes are extracted by value")]

mod arrow;
mod as_of;
mod batch;
mod cache;
mod checkpoint;
mod domain;
mod ed25519;
mod enums;
mod evidence;
mod failure;
mod input;
mod inspect;
mod json;
mod key_proof;
mod keys;
mod krunica;
mod lines;
mod note;
mod operator;
mod presence;
mod progress;
mod reader;
mod record;
mod result;
mod ring;
mod ring_file;
mod seal;
mod shard;
mod sharing;
mod signer;
mod statement;
mod stream;
mod threshold;
mod time;
mod tree;
mod values;
mod vault;
mod verdict;
mod verifier;
mod witness;

use pyo3::prelude::*;

#[pymodule]
fn _dualseal(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    domain::add(module)?;
    json::add(module)?;
    keys::add(module)?;
    key_proof::add(module)?;
    krunica::add(module)?;
    lines::add(module)?;
    ring::add(module)?;
    ring_file::add(module)?;
    record::add(module)?;
    signer::add(module)?;
    result::add(module)?;
    verdict::add(module)?;
    cache::add(module)?;
    verifier::add(module)?;
    checkpoint::add(module)?;
    seal::add(module)?;
    sharing::add(module)?;
    stream::add(module)?;
    threshold::add(module)?;
    ed25519::add(module)?;
    shard::add(module)?;
    presence::add(module)?;
    statement::add(module)?;
    vault::add(module)?;
    reader::add(module)?;
    tree::add(module)?;
    note::add(module)?;
    witness::add(module)?;
    as_of::add(module)?;
    evidence::add(module)?;
    inspect::add(module)?;
    operator::add(module)?;
    arrow::add(module)
}
