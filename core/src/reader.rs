//! One reader of a chain: a single pass over its entries, past everything that the caller watches for. What a session,
//! a split or a ledger is, its own module knows, and tells the reader there.

mod chain;
mod consistency;
mod cursor;
mod place_proofs;
mod places;
mod proofs;
mod ring;
mod ring_changes;
mod stated;
mod trusted;
mod watcher;

pub use chain::ChainReader;
pub use consistency::Consistency;
pub use proofs::{Proofs, Watched};
pub use ring::FoundRing;
pub use ring_changes::RingChanges;
pub use stated::StatedRing;
pub use trusted::TrustedHead;

pub(crate) use cursor::Cursor;
pub(crate) use watcher::{Ended, Watcher};
