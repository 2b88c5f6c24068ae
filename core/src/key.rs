//! Keys with a state, and the ring that holds them for each identity.

mod pair;
mod prepared;
mod ring;
mod ring_json;
mod state;
mod tag;

pub use pair::KeyPairInfo;
#[cfg(feature = "std")]
pub use prepared::PreparedKeyCache;
pub use prepared::{PreparedKeySet, PreparedKeys, Unprepared};
pub use ring::KeyRing;
pub use state::{Algorithm, KeyState};
pub use tag::RingKey;

pub(crate) use prepared::{dummy_key, prepared};
pub(crate) use ring::{Found, NotHeld, Role};
