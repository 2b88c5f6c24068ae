//! The operator's own log, to whoever has its ring and its chain: which checkpoints are its own and what they are
//! worth, which of them the chain contradicts, and who may sign.
//!
//! | file | what it is |
//! |---|---|
//! | `error` | what is not the log's own, or contradicts it |
//! | `signer` | whose key others will take |
//! | `checkpoint` | a checkpoint of the log itself |
//! | `chain` | the log's chain, as it ended, beside those who write to it |

mod chain;
mod checkpoint;
mod error;
mod signer;

pub use chain::{OwnChain, OwnRead};
pub use checkpoint::OwnCheckpoint;
pub use error::{OwnError, Unowned};
pub use signer::{Unfit, may_sign};
