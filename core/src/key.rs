//! Keys with a state, the ring that holds them for each identity, and the verdict that a verification gives.

mod pair;
mod prepared;
mod ring;
mod ring_json;
mod state;
mod tag;
mod verdict;
mod wire;

pub use pair::KeyPairInfo;
#[cfg(feature = "std")]
pub use prepared::PreparedKeyCache;
pub use prepared::{PreparedKeySet, PreparedKeys, Unprepared};
pub use ring::KeyRing;
pub use state::{Algorithm, KeyState};
pub use tag::RingKey;
pub use verdict::{DecoyTicket, InvalidReason, Rejection, Subject, Verdict, VerdictKind, Verified};
pub use wire::VerificationResult;

pub(crate) use prepared::{dummy_key, prepared};
pub(crate) use ring::{Found, Role};
pub(crate) use verdict::{Checks, Placed, conclude, decide, reject};
