//! The step over its drivers: what it writes, what a store refuses at opening, and what a crash leaves.

mod log;
mod opening;
mod sql;
mod step;
