//! What is set of a key.

use super::KeyState;

/// What [`CheckedRing::set_state`](super::CheckedRing::set_state) sets: a state, and of a revocation since when the key
/// counts as compromised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetState {
    pub(super) state: KeyState,
    pub(super) compromised_from: Option<u64>,
}

impl SetState {
    /// `laz`, with the key compromised since this seq of the chain. The seq of the revocation itself is the latest that
    /// counts, and what was said before is never raised.
    #[must_use]
    pub fn compromised_from(seq: u64) -> Self {
        Self { state: KeyState::Revoked, compromised_from: Some(seq) }
    }
}

impl From<KeyState> for SetState {
    /// A revocation counts from its own entry on, or from an earlier one where that was said before.
    fn from(state: KeyState) -> Self {
        Self { state, compromised_from: None }
    }
}
