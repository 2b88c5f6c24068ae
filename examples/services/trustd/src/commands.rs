//! What an operator has the program do: each command opens what it needs, writes what it did, and ends.
//!
//! | file | what it is |
//! |---|---|
//! | `stored` | what most of them open |
//! | `backup` | copies of all of it |
//! | `restore` | taking one back |
//! | `rotate` | the next master |
//! | `chain` | reading everything, and holding it against each other |

pub mod backup;
pub mod chain;
pub mod restore;
pub mod rotate;
mod stored;

pub use stored::{Fault, Stored};
