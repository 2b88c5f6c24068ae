//! Threshold sessions.

mod answers;
mod founding;
mod in_force;
mod node;
mod quorum;
mod records;
mod refresh;
mod sign;
mod statements;
mod verify;
