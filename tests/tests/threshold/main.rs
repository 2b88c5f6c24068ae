//! Threshold sessions.

mod answers;
mod found;
mod in_force;
mod quorum;
mod records;
mod refresh;
mod sign;
mod statements;
mod verify;
