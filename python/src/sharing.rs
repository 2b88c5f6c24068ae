//! Secret sharing: drawn secrets, shares, and the dealer's record by which bad ones are found.

mod dealing;
mod health;
pub(crate) mod over;
mod secret;
mod share;
mod unattested;

pub(crate) use health::{ShareHealth, numbers};
pub(crate) use over::{Over, over};
pub(crate) use secret::{DrawnSecret, Material, OneSecret};

use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    secret::add(module)?;
    share::add(module)?;
    dealing::add(module)?;
    unattested::add(module)
}
