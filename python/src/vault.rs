//! The vault: documents sealed into records of a ledger, verified, taken out again and erased.

mod check;
mod files;
mod hash;
pub(crate) mod ledger;
pub(crate) mod master;
mod policy;
pub(crate) mod record;
mod report;
pub(crate) mod sealing;
mod unseal;
mod verifier;

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    master::add(module)?;
    record::add(module)?;
    hash::add(module)?;
    sealing::add(module)?;
    policy::add(module)?;
    verifier::add(module)?;
    report::add(module)?;
    unseal::add(module)?;
    ledger::add(module)?;
    check::add(module)
}
