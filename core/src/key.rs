//! Keys with a state, and the ring that holds them for each identity.

mod any;
mod checked;
mod file;
mod history;
mod leaf;
mod pair;
mod prepared;
mod proof;
mod public_item;
mod public_ring;
mod ring;
mod ring_head;
mod ring_json;
mod rows;
mod set_state;
mod state;
mod tag;
mod trees;

pub use any::AnyRing;
pub use checked::CheckedRing;
pub use file::RingFile;
pub use pair::{KeyPairInfo, PublicKeyPairInfo};
#[cfg(feature = "std")]
pub use prepared::PreparedKeyCache;
pub use prepared::{PreparedKeySet, PreparedKeys, Unprepared};
pub use proof::KeyProof;
pub use public_ring::PublicRing;
pub use ring::KeyRing;
pub use ring_head::RingHead;
pub use set_state::SetState;
pub use state::{Algorithm, KeyState};
pub use tag::RingKey;

pub(crate) use leaf::KeyLeaf;
pub(crate) use prepared::{dummy_key, prepared};
pub(crate) use ring::{Found, NotHeld, Role};
pub(crate) use tag::{RingEntry, claims_ring, stated_ring};
pub(crate) use trees::Trees;

use ring::IdentityKeys;
