//! Secret sharing: drawn secrets, shares, and the dealer's record by which bad ones are found.

mod dealing;
mod secret;
mod share;
mod unattested;

pub(crate) use secret::{AnySecret, DrawnSecret};

use crate::failure::Outcome;
use crate::input::counter;
use dualseal::shamir::{Health, Index, Threshold};
use pyo3::prelude::*;
use pyo3::types::PyInt;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    secret::add(module)?;
    share::add(module)?;
    dealing::add(module)?;
    unattested::add(module)
}

/// A value over one of the two fields, which the library tells apart by type.
pub(crate) enum Over<P, B> {
    Prime(P),
    Binary(B),
}

/// The same expression for either field.
macro_rules! over {
    ($value:expr, $name:ident => $body:expr) => {
        match $value {
            $crate::sharing::Over::Prime($name) => $body,
            $crate::sharing::Over::Binary($name) => $body,
        }
    };
}
pub(crate) use over;

/// The numbers of shares. Wider than a byte, since Python would make `bytes` of those.
pub(crate) fn numbers(indices: &[Index]) -> Vec<u64> {
    indices.iter().map(|index| index.get().into()).collect()
}

pub(crate) fn index(number: &Bound<'_, PyInt>) -> Outcome<Index> {
    Ok(Index::new(counter("indeks", number)?)?)
}

fn threshold(k: &Bound<'_, PyInt>, n: &Bound<'_, PyInt>) -> Outcome<Threshold> {
    Ok(Threshold::new(counter("k", k)?, counter("n", n)?)?)
}

/// The state of a set of shares: lists of their numbers, ascending. Nothing was rebuilt to find it out.
#[pyclass(frozen, get_all, name = "Health", module = "dualseal")]
pub(crate) struct ShareHealth {
    /// Shares that hold.
    present: Vec<u64>,
    /// Numbers of the set of which no share that holds was given.
    missing: Vec<u64>,
    /// Shares of the set that are not what was committed to.
    invalid: Vec<u64>,
    /// Shares of another set, or with a number above n.
    foreign: Vec<u64>,
}

impl From<&Health> for ShareHealth {
    fn from(health: &Health) -> Self {
        Self {
            present: numbers(&health.present),
            missing: numbers(&health.missing),
            invalid: numbers(&health.invalid),
            foreign: numbers(&health.foreign),
        }
    }
}

#[pymethods]
impl ShareHealth {
    fn __repr__(&self) -> String {
        let Self { present, missing, invalid, foreign } = self;
        format!("Health(present={present:?}, missing={missing:?}, invalid={invalid:?}, foreign={foreign:?})")
    }
}
