//! The state of a set of shares.

use dualseal::shamir::{Health, Index};
use pyo3::prelude::*;

/// The numbers of shares. Wider than a byte, since Python would make `bytes` of those.
pub(crate) fn numbers(indices: &[Index]) -> Vec<u64> {
    indices.iter().map(|index| index.get().into()).collect()
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
