//! The commands, one module for each group.

pub(crate) mod audit;
pub(crate) mod chain;
pub(crate) mod checkpoint;
pub(crate) mod combine;
pub(crate) mod evidence;
pub(crate) mod id;
pub(crate) mod inspect;
pub(crate) mod key;
pub(crate) mod lint;
pub(crate) mod seal;
pub(crate) mod session;
pub(crate) mod share;
pub(crate) mod shell;
pub(crate) mod sign;
pub(crate) mod split;
pub(crate) mod vault;
pub(crate) mod verify;
pub(crate) mod witness;
