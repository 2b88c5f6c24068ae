//! The ring as verifiers see it: for each identity one current key, retired keys, and decoy keys.

use super::history::History;
use super::prepared::dummy_key;
use super::{Algorithm, KeyPairInfo, KeyState, RingKey};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse};
use crate::id::IdentityId;
use crate::mldsa::{KeyHash, PublicKey};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The keys that a verifier goes by: one that a stranger pinned, those of an operator's own
/// [`CheckedRing`](super::CheckedRing), or those of a [`PublicRing`](super::PublicRing). It cannot be changed, and
/// nothing reads one: what stands in a file is first held against the chain, or is an operator's public word.
///
/// ```
/// use dualseal::{Domain, KeyRing, KeyState, SigningKey};
///
/// let ana = Domain::default().identity_id(b"", "ana", "")?;
/// let ring = KeyRing::pinned(&ana, SigningKey::from_seed(&[7; 32])?.public_key().clone());
/// assert_eq!(ring.info(&ana).map(|info| info.state), Some(KeyState::Valid));
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone)]
pub struct KeyRing {
    /// `None` for a pinned key.
    pub(super) origin: Option<String>,
    pub(super) revision: u64,
    /// The entries of its chain that it was held against; `None` where nobody did that.
    pub(super) known_to: Option<u64>,
    pub(super) keys: BTreeMap<IdentityId, IdentityKeys>,
    /// Only hashes, so that a ring with a million decoys stays small.
    pub(super) decoys: BTreeMap<KeyHash, Decoy>,
    /// Whose each current or retired key is: one public key stands once in the whole ring.
    pub(super) owners: BTreeMap<KeyHash, IdentityId>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct IdentityKeys {
    pub(super) current: Option<HeldKey>,
    /// By descending retirement.
    pub(super) retired: Vec<(HeldKey, u64)>,
    /// The revision of the identity's last ring entry.
    pub(super) revision: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeldKey {
    pub(super) public_key: PublicKey,
    pub(super) state: KeyState,
    /// `None` for a pinned key.
    pub(super) generated: Option<Timestamp>,
    pub(super) history: History,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decoy {
    pub(super) identity_id: IdentityId,
    pub(super) generated: Timestamp,
    /// The seq of the vault record's chain entry.
    pub(super) seq: u64,
}

/// The part that a key plays for its identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Current,
    /// With the seq of the rotation's own entry.
    Retired(u64),
    Decoy,
}

/// A key of an identity, as a verifier finds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) state: KeyState,
    pub(crate) role: Role,
}

/// Why a key is none of an identity's.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NotHeld {
    /// The ring has no key for the identity.
    UnknownIdentity,
    /// It has others.
    ForeignKey,
}

impl KeyRing {
    /// One key that a stranger got from its owner and trusts: state `istina`, no origin.
    #[must_use]
    pub fn pinned(identity_id: &IdentityId, public_key: PublicKey) -> Self {
        let mut ring = Self::empty(None, 0);
        ring.owners.insert(*public_key.hash(), *identity_id);
        let public_key = public_key.hashed();
        let held = HeldKey { public_key, state: KeyState::Valid, generated: None, history: History::default() };
        ring.keys.insert(*identity_id, IdentityKeys { current: Some(held), ..IdentityKeys::default() });
        ring
    }

    /// A ring that knows nobody, where only a check is asked for that takes no key.
    #[must_use]
    pub fn nobody() -> Self {
        Self::empty(None, 0)
    }

    pub(super) fn empty(origin: Option<String>, revision: u64) -> Self {
        let (keys, decoys, owners) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { origin, revision, known_to: None, keys, decoys, owners }
    }

    /// The origin of the chain that records this ring's changes; `None` for a pinned key.
    #[must_use]
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_deref()
    }

    /// The number of changes of current and retired keys.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// As of how many entries of its chain the ring speaks: those that it was held against, and that it made since. A
    /// change after them it does not know. `None` for a pinned key and for a public ring that nothing attests.
    #[must_use]
    pub fn known_to(&self) -> Option<u64> {
        self.known_to
    }

    /// What may be told of an identity's current key to the operator; [`KeyPairInfo::public`] is for others.
    #[must_use]
    pub fn info(&self, identity_id: &IdentityId) -> Option<KeyPairInfo> {
        let held = self.keys.get(identity_id)?.current.as_ref()?;
        Some(KeyPairInfo {
            identity_id: *identity_id,
            public_key: held.public_key.clone(),
            algorithm: Algorithm::MlDsa65,
            state: held.state,
            generated: held.generated,
        })
    }

    /// Whether an identity may sign with this key: it is the current one, in state `istina`. Another one's records are
    /// refused by everybody who has the ring, and stand in the chain for good.
    ///
    /// ```
    /// use dualseal::error::Misuse;
    /// use dualseal::{Domain, Error, KeyRing, SigningKey};
    ///
    /// let ana = Domain::default().identity_id(b"", "ana", "")?;
    /// let [old, new] = [SigningKey::from_seed(&[7; 32])?, SigningKey::from_seed(&[8; 32])?];
    /// let ring = KeyRing::pinned(&ana, new.public_key().clone());
    /// assert_eq!(ring.check_signer(&ana, old.public_key()), Err(Error::Misuse(Misuse::NotCurrent)));
    /// assert!(ring.check_signer(&ana, new.public_key()).is_ok());
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Misuse::NotCurrent`]; [`Misuse::UnknownIdentity`] where it has no current key.
    pub fn check_signer(&self, identity_id: &IdentityId, key: &PublicKey) -> Result<(), Error> {
        let current = self.keys.get(identity_id).and_then(|keys| keys.current.as_ref());
        let current = current.ok_or(Misuse::UnknownIdentity)?;
        if current.state == KeyState::Valid && current.public_key == *key {
            Ok(())
        } else {
            Err(Misuse::NotCurrent.into())
        }
    }

    /// Every identity that has a current or retired key.
    pub fn identities(&self) -> impl Iterator<Item = &IdentityId> {
        self.keys.keys()
    }

    /// The tag of the ring entry that vouches for an identity's keys as they stand; `None` when it has none.
    pub(crate) fn expected(&self, authority: &RingKey, identity_id: &IdentityId, revision: u64) -> Option<String> {
        let keys = self.keys.get(identity_id)?;
        Some(authority.tag(revision, &keys.to_json(identity_id)))
    }

    /// Whose current or retired key this is: a key stands once in the whole ring. `None` for a decoy of a vault record.
    #[must_use]
    pub fn owner(&self, key: &KeyHash) -> Option<&IdentityId> {
        self.owners.get(key)
    }

    /// Whether the ring holds this key, in any role, for anybody.
    pub(super) fn knows(&self, key: &KeyHash) -> bool {
        self.owners.contains_key(key) || self.decoys.contains_key(key)
    }

    /// Whether whoever signs with this key gets a decoy's verdict, as the operator knows.
    pub(super) fn is_decoy(&self, key: &KeyHash) -> bool {
        let held = self.owners.get(key).into_iter().flat_map(|identity_id| self.held(identity_id));
        let mut decoys = held.filter(|(_, found)| found.state == KeyState::Decoy);
        self.decoys.contains_key(key) || decoys.any(|(held, _)| held.hash() == key)
    }

    /// The number of decoy keys: none of a pinned key or a public ring.
    #[must_use]
    pub fn decoy_count(&self) -> usize {
        self.decoys.len()
    }

    /// Whether this is one of an identity's keys, current or retired.
    #[must_use]
    pub fn has_key(&self, identity_id: &IdentityId, key: &PublicKey) -> bool {
        self.held(identity_id).any(|(held, _)| held == key)
    }

    /// Whether this is the key of a trap that a vault record holds, which is no identity's: for the operator, whose
    /// ring alone has them.
    #[must_use]
    pub fn is_trap(&self, key: &PublicKey) -> bool {
        self.decoys.contains_key(key.hash())
    }

    /// An identity's keys with their states: the current one, then the retired ones, the latest first.
    pub fn keys(&self, identity_id: &IdentityId) -> impl Iterator<Item = (&PublicKey, KeyState)> {
        self.held(identity_id).map(|(key, found)| (key, found.state))
    }

    /// The position of the entry that put another key in the place of this key of an identity; `None` for the current
    /// one, and for one that the ring has not. Of a log's signer, a checkpoint by the old key covers no more entries.
    #[must_use]
    pub fn retired_at(&self, identity_id: &IdentityId, key: &KeyHash) -> Option<u64> {
        let retired = self.keys.get(identity_id)?.retired.iter();
        retired.filter(|(held, _)| held.public_key.hash() == key).map(|(_, at)| *at).next()
    }

    /// Up to which entry a checkpoint by this key of an identity counts: the position of the one that put another key
    /// in its place, that suspended it or made it a decoy, or from which it counts as compromised where it is revoked;
    /// of these the first. `None` for a current key in state `istina`, and for one that the ring has not.
    #[must_use]
    pub fn counts_until(&self, identity_id: &IdentityId, key: &KeyHash) -> Option<u64> {
        let ended = self.history(identity_id, key).and_then(History::ended);
        self.retired_at(identity_id, key).into_iter().chain(ended).min()
    }

    /// The position of the last entry that changed the ring, where the entry stands that a checkpoint's
    /// [`is_ring_of`](crate::checkpoint::Checkpoint::is_ring_of) tells; `None` of a ring without changes.
    #[must_use]
    pub fn last_change(&self) -> Option<u64> {
        self.keys.values().flat_map(IdentityKeys::seqs).max()
    }

    /// The same below a size: where the entry stands of the ring that a checkpoint of this size states.
    #[must_use]
    pub fn last_change_below(&self, size: u64) -> Option<u64> {
        self.keys.values().flat_map(IdentityKeys::seqs).filter(|seq| *seq < size).max()
    }

    /// The key of this identity that equals `public_key`, and the key to verify under: the ring's own, or the dummy
    /// where it holds none. Either was hashed before, so that nobody waits for that whoever is asked about. A key of
    /// another identity is foreign.
    ///
    /// Decoys are known by their hash alone. Where there are any, every key that is asked about is hashed, for all that
    /// it is needed for, and where there are none, no key: the time tells nothing of this one.
    pub(crate) fn find(&self, identity_id: &IdentityId, public_key: &PublicKey) -> (Result<Found, NotHeld>, PublicKey) {
        let decoy = if self.decoys.is_empty() { None } else { self.decoys.get(public_key.clone().hashed().hash()) };
        if decoy.is_some_and(|decoy| decoy.identity_id == *identity_id) {
            let found = Found { state: KeyState::Decoy, role: Role::Decoy };
            return (Ok(found), public_key.clone());
        }
        match self.held(identity_id).find(|(key, _)| *key == public_key) {
            Some((key, found)) => (Ok(found), key.clone()),
            None if self.keys.contains_key(identity_id) => (Err(NotHeld::ForeignKey), dummy_key()),
            None => (Err(NotHeld::UnknownIdentity), dummy_key()),
        }
    }

    /// From which position of the chain on this key of an identity, current or retired, counts as compromised, whatever
    /// its state is now; `None` for one that never did, and for one that the ring has not.
    #[must_use]
    pub fn compromised_from(&self, identity_id: &IdentityId, key: &KeyHash) -> Option<u64> {
        self.history(identity_id, key)?.compromised_from
    }

    /// The position of the entry that began the revoked interval of this key of an identity in which a place lies, also
    /// where the key was made valid again after it; `None` where it was not revoked there.
    #[must_use]
    pub fn revoked_at(&self, identity_id: &IdentityId, key: &KeyHash, place: u64) -> Option<u64> {
        self.history(identity_id, key)?.revoked_at(place)
    }

    /// As [`compromised_from`](Self::compromised_from), with what is wrong with a key that the ring has not.
    pub(crate) fn compromise_of(&self, identity_id: &IdentityId, key: &PublicKey) -> Result<Option<u64>, NotHeld> {
        let found = self.history(identity_id, key.hash());
        let missing = if self.keys.contains_key(identity_id) { NotHeld::ForeignKey } else { NotHeld::UnknownIdentity };
        found.map(|history| history.compromised_from).ok_or(missing)
    }

    /// Every change of this key of an identity, current or retired.
    pub(crate) fn history(&self, identity_id: &IdentityId, key: &KeyHash) -> Option<&History> {
        let keys = self.keys.get(identity_id)?;
        let mut held = keys.current.iter().chain(keys.retired.iter().map(|(held, _)| held));
        held.find(|held| held.public_key.hash() == key).map(|held| &held.history)
    }

    /// An identity's current and retired keys, in ring order: the current one, then the latest retired first.
    pub(crate) fn held(&self, identity_id: &IdentityId) -> impl Iterator<Item = (&PublicKey, Found)> {
        let keys = self.keys.get(identity_id);
        let current = keys.and_then(|keys| keys.current.as_ref()).map(|held| (held, Role::Current));
        let retired = keys.into_iter().flat_map(|keys| &keys.retired).map(|(held, at)| (held, Role::Retired(*at)));
        current.into_iter().chain(retired).map(|(held, role)| (&held.public_key, Found { state: held.state, role }))
    }
}

/// Whether they say the same, whatever chain they were held against.
impl PartialEq for KeyRing {
    fn eq(&self, other: &Self) -> bool {
        let Self { origin, revision, known_to: _, keys, decoys, owners } = self;
        (origin, revision, keys, decoys, owners)
            == (&other.origin, &other.revision, &other.keys, &other.decoys, &other.owners)
    }
}

impl Eq for KeyRing {}

/// Decoys are neither named nor counted, and no state is shown: `oboje` is one.
impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyRing")
            .field("origin", &self.origin)
            .field("revision", &self.revision)
            .field("identities", &self.keys.len())
            .finish_non_exhaustive()
    }
}
