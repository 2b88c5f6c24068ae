//! Threshold signing: sessions, their shares, and what a quorum signs.

mod founding;
mod in_force;
mod node;
mod renewal;
mod result;
mod session;
mod share;
mod verify;

pub(crate) use in_force::{LocatedSession, SessionInForce};
use pyo3::prelude::*;
pub(crate) use result::QuorumResult;
pub(crate) use share::{SessionShare, copies};

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    founding::add(module)?;
    session::add(module)?;
    share::add(module)?;
    node::add(module)?;
    in_force::add(module)?;
    renewal::add(module)?;
    result::add(module)?;
    verify::add(module)
}
