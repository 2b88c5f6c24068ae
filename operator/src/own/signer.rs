//! Whose key others will take.

use dualseal::{IdentityId, KeyRing, KeyState, PublicKey};
use std::fmt;

/// Why a key signs nothing that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// The identity has another key, or none.
    NotCurrent(IdentityId),
    /// It is the current one, in a state in which it counts for nothing.
    State(IdentityId, KeyState),
}

impl Unfit {
    /// The name of what was found, which lasts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotCurrent(_) => "key-not-current",
            Self::State(_, KeyState::Suspended) => "key-suspended",
            Self::State(_, KeyState::Decoy) => "key-decoy",
            Self::State(..) => "key-revoked",
        }
    }

    /// What to do.
    #[must_use]
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NotCurrent(_) => "give the identity's current key; its public half is in the ring",
            Self::State(_, KeyState::Suspended) => "mark the key as valid, if it may sign again",
            Self::State(_, KeyState::Decoy) => "say who signs instead: the key is for thieves",
            Self::State(..) => "put a new key in its place",
        }
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (identity_id, is) = match self {
            Self::NotCurrent(identity_id) => return write!(f, "the key is not the current one of {identity_id}"),
            Self::State(identity_id, KeyState::Suspended) => (identity_id, "is suspended"),
            Self::State(identity_id, KeyState::Decoy) => (identity_id, "is marked as a decoy, for thieves"),
            Self::State(identity_id, _) => (identity_id, "was called back"),
        };
        write!(f, "the key of {identity_id} {is}")
    }
}

impl std::error::Error for Unfit {}

/// Refuses a key that others will not take: what it signs counts for nothing. The ring is the operator's own, as it was
/// opened.
///
/// ```
/// use dualseal::{Domain, KeyRing, SigningKey};
/// use dualseal_operator::own::{Unfit, may_sign};
///
/// let ana = Domain::default().identity_id(b"", "ana", "")?;
/// let [old, new] = [SigningKey::from_seed(&[7; 32])?, SigningKey::from_seed(&[8; 32])?];
/// let ring = KeyRing::pinned(&ana, new.public_key().clone());
/// assert!(may_sign(&ring, &ana, new.public_key()).is_ok());
/// assert_eq!(may_sign(&ring, &ana, old.public_key()), Err(Unfit::NotCurrent(ana)));
/// # Ok::<(), dualseal::Error>(())
/// ```
///
/// # Errors
/// [`Unfit`], where [`KeyRing::check_signer`] refuses the key.
pub fn may_sign(ring: &KeyRing, identity_id: &IdentityId, key: &PublicKey) -> Result<(), Unfit> {
    ring.check_signer(identity_id, key).map_err(|_| {
        let current = ring.info(identity_id).filter(|info| info.public_key == *key);
        let state = current.map(|info| info.state).filter(|state| *state != KeyState::Valid);
        state.map_or(Unfit::NotCurrent(*identity_id), |state| Unfit::State(*identity_id, state))
    })
}
