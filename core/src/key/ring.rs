//! The ring: for each identity one current key, retired keys, and decoy keys. A ring is data; it is changed through a
//! [`RingKey`], and each change gives the chain entry that vouches for it.

use super::{Algorithm, KeyPairInfo, KeyState, RingKey};
use crate::encoding::json::MAX_INTEGER;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse};
use crate::id::{IdentityId, check_label};
use crate::krunica::{Appended, Head};
use crate::mldsa::{KeyHash, PublicKey};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The keys of many identities, each with its state.
///
/// A changed ring and the entry that the change returned are stored together, or neither; on an error the ring is as it
/// was. A service acknowledges a change only after a checkpoint covers its entry.
///
/// ```
/// use dualseal::{Domain, Head, KeyRing, KeyState, RingKey, SigningKey};
/// use dualseal::secret::Secret;
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32])?);
/// let key = SigningKey::from_seed(&[7; 32])?;
///
/// let mut ring = KeyRing::new("example.org/log")?;
/// let t = "2026-11-21T09:00:00.000Z".parse()?;
/// let added = ring.add(&ana, key.public_key().clone(), &Head::EMPTY, t, &authority)?;
/// ring.set_state(&ana, None, KeyState::Revoked, &added.head, t, &authority)?;
/// assert_eq!(ring.info(&ana).map(|info| info.state), Some(KeyState::Revoked));
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct KeyRing {
    /// `None` for a pinned key.
    pub(super) origin: Option<String>,
    pub(super) revision: u64,
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
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HeldKey {
    pub(super) public_key: PublicKey,
    pub(super) state: KeyState,
    /// `None` for a pinned key.
    pub(super) generated: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decoy {
    pub(super) identity_id: IdentityId,
    pub(super) generated: Timestamp,
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
    /// An empty ring whose changes are recorded in the chain of `origin` (1 to 255 bytes, no control characters, no
    /// `::`, no leading `:`).
    ///
    /// # Errors
    /// [`Problem`](crate::error::Problem) `Range`, `Ambiguous` or `Control` for `origin`.
    pub fn new(origin: &str) -> Result<Self, Error> {
        check_label("origin", origin)?;
        Ok(Self::empty(Some(origin.to_string()), 0))
    }

    /// One key that a stranger got from its owner and trusts: state `istina`, no origin, cannot be changed.
    #[must_use]
    pub fn pinned(identity_id: &IdentityId, public_key: PublicKey) -> Self {
        let mut ring = Self::empty(None, 0);
        ring.owners.insert(*public_key.hash(), *identity_id);
        let held = HeldKey { public_key, state: KeyState::Valid, generated: None };
        ring.keys.insert(*identity_id, IdentityKeys { current: Some(held), retired: Vec::new() });
        ring
    }

    pub(super) fn empty(origin: Option<String>, revision: u64) -> Self {
        Self { origin, revision, keys: BTreeMap::new(), decoys: BTreeMap::new(), owners: BTreeMap::new() }
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

    /// Every identity that has a current or retired key.
    pub fn identities(&self) -> impl Iterator<Item = &IdentityId> {
        self.keys.keys()
    }

    /// Gives an identity its first key, in state `istina`.
    ///
    /// # Errors
    /// [`Misuse::HasCurrentKey`], [`Misuse::KnownKey`], [`Misuse::PinnedRing`], [`Misuse::CounterExhausted`].
    pub fn add(
        &mut self,
        identity_id: &IdentityId,
        public_key: PublicKey,
        head: &Head,
        time: Timestamp,
        authority: &RingKey,
    ) -> Result<Appended, Error> {
        self.check_new(&public_key)?;
        let mut keys = self.keys.get(identity_id).cloned().unwrap_or_default();
        if keys.current.is_some() {
            return Err(Misuse::HasCurrentKey.into());
        }
        let hash = *public_key.hash();
        keys.current = Some(HeldKey { public_key, state: KeyState::Valid, generated: Some(time) });
        let appended = self.change(identity_id, keys, head, time, authority)?;
        self.owners.insert(hash, *identity_id);
        Ok(appended)
    }

    /// Puts a new key in place of the current one, which is retired at the position of this change's own entry.
    ///
    /// The old key keeps its state. The new one takes over `istina`, `oboje` or `nijedno` and starts as `istina` where
    /// the old one is `laz`: rotation never clears a revocation of the old key.
    ///
    /// # Errors
    /// [`Misuse::UnknownIdentity`], [`Misuse::KnownKey`], [`Misuse::PinnedRing`], [`Misuse::CounterExhausted`];
    /// [`Misuse::StaleHead`] when `head` is not after the identity's last rotation.
    pub fn rotate(
        &mut self,
        identity_id: &IdentityId,
        public_key: PublicKey,
        head: &Head,
        time: Timestamp,
        authority: &RingKey,
    ) -> Result<Appended, Error> {
        self.check_new(&public_key)?;
        let mut keys = self.keys.get(identity_id).cloned().unwrap_or_default();
        let old = keys.current.take().ok_or(Misuse::UnknownIdentity)?;
        if keys.retired.first().is_some_and(|(_, retired)| *retired >= head.size()) {
            return Err(Misuse::StaleHead.into());
        }
        let state = if old.state == KeyState::Revoked { KeyState::Valid } else { old.state };
        let hash = *public_key.hash();
        keys.retired.insert(0, (old, head.size()));
        keys.current = Some(HeldKey { public_key, state, generated: Some(time) });
        let appended = self.change(identity_id, keys, head, time, authority)?;
        self.owners.insert(hash, *identity_id);
        Ok(appended)
    }

    /// Sets the state of an identity's current key, or of the retired key with this hash, to any state. The
    /// specification calls this operation `bela`. Setting the state that a key already has is a change too.
    ///
    /// # Errors
    /// [`Misuse::UnknownIdentity`], [`Misuse::UnknownKey`], [`Misuse::DecoyState`], [`Misuse::PinnedRing`],
    /// [`Misuse::CounterExhausted`].
    pub fn set_state(
        &mut self,
        identity_id: &IdentityId,
        key: Option<&KeyHash>,
        state: KeyState,
        head: &Head,
        time: Timestamp,
        authority: &RingKey,
    ) -> Result<Appended, Error> {
        if key.and_then(|hash| self.decoys.get(hash)).is_some_and(|decoy| decoy.identity_id == *identity_id) {
            return Err(Misuse::DecoyState.into());
        }
        let mut keys = self.keys.get(identity_id).cloned().ok_or(Misuse::UnknownIdentity)?;
        let held = match key {
            None => keys.current.as_mut().ok_or(Misuse::UnknownIdentity)?,
            Some(hash) => {
                let retired = keys.retired.iter_mut().map(|(held, _)| held);
                let mut all = keys.current.iter_mut().chain(retired);
                all.find(|held| held.public_key.hash() == hash).ok_or(Misuse::UnknownKey)?
            }
        };
        held.state = state;
        self.change(identity_id, keys, head, time, authority)
    }

    /// Adds a decoy key: whoever signs with its leaked private half gets a decoy's verdict.
    /// Decoys are not chained.
    ///
    /// # Errors
    /// [`Misuse::KnownKey`], [`Misuse::PinnedRing`].
    pub fn add_decoy(
        &mut self,
        identity_id: &IdentityId,
        public_key: &PublicKey,
        time: Timestamp,
    ) -> Result<(), Error> {
        self.check_new(public_key)?;
        let decoy = Decoy { identity_id: *identity_id, generated: time };
        self.decoys.insert(*public_key.hash(), decoy);
        Ok(())
    }

    /// The number of decoy keys.
    #[must_use]
    pub fn decoy_count(&self) -> usize {
        self.decoys.len()
    }

    /// The only form in which a ring leaves its operator: no decoy keys, and `oboje` reads `istina`.
    ///
    /// What such a ring calls Valid is the operator's word. Whoever needs more pins the signer's key
    /// ([`KeyRing::pinned`]).
    #[must_use]
    pub fn public(&self) -> Self {
        let mut ring = Self { decoys: BTreeMap::new(), ..self.clone() };
        for keys in ring.keys.values_mut() {
            for held in keys.current.iter_mut().chain(keys.retired.iter_mut().map(|(held, _)| held)) {
                held.state = held.state.public();
            }
        }
        ring
    }

    /// The key of this identity that equals `public_key`. A key of another identity is foreign.
    pub(crate) fn find(&self, identity_id: &IdentityId, public_key: &PublicKey) -> Result<Found, NotHeld> {
        if self.decoys.get(public_key.hash()).is_some_and(|decoy| decoy.identity_id == *identity_id) {
            return Ok(Found { state: KeyState::Decoy, role: Role::Decoy });
        }
        if !self.keys.contains_key(identity_id) {
            return Err(NotHeld::UnknownIdentity);
        }
        let mut held = self.held(identity_id);
        let found = held.find(|(key, _)| *key == public_key).map(|(_, found)| found);
        found.ok_or(NotHeld::ForeignKey)
    }

    /// An identity's current and retired keys, in ring order: the current one, then the latest retired first.
    pub(crate) fn held(&self, identity_id: &IdentityId) -> impl Iterator<Item = (&PublicKey, Found)> {
        let keys = self.keys.get(identity_id);
        let current = keys.and_then(|keys| keys.current.as_ref()).map(|held| (held, Role::Current));
        let retired = keys.into_iter().flat_map(|keys| &keys.retired).map(|(held, at)| (held, Role::Retired(*at)));
        current.into_iter().chain(retired).map(|(held, role)| (&held.public_key, Found { state: held.state, role }))
    }

    /// The message of the ring entry that vouches for an identity's keys as they stand; `None` when it has none.
    pub(crate) fn expected(&self, authority: &RingKey, identity_id: &IdentityId, revision: u64) -> Option<String> {
        let keys = self.keys.get(identity_id)?;
        Some(authority.message(revision, &keys.to_json(identity_id)))
    }

    fn check_new(&self, public_key: &PublicKey) -> Result<(), Error> {
        if self.origin.is_none() {
            return Err(Misuse::PinnedRing.into());
        }
        if self.owners.contains_key(public_key.hash()) || self.decoys.contains_key(public_key.hash()) {
            return Err(Misuse::KnownKey.into());
        }
        Ok(())
    }

    /// Makes the entry first, so that an error leaves the ring as it was.
    fn change(
        &mut self,
        identity_id: &IdentityId,
        keys: IdentityKeys,
        head: &Head,
        time: Timestamp,
        authority: &RingKey,
    ) -> Result<Appended, Error> {
        if self.origin.is_none() {
            return Err(Misuse::PinnedRing.into());
        }
        let revision = self.revision.checked_add(1).filter(|r| *r <= MAX_INTEGER.unsigned_abs());
        let revision = revision.ok_or(Misuse::CounterExhausted)?;
        let members = keys.to_json(identity_id);
        let appended = head.append_own(identity_id, &authority.message(revision, &members), time)?;
        self.revision = revision;
        self.keys.insert(*identity_id, keys);
        Ok(appended)
    }
}

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
