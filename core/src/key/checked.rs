//! A ring that its chain vouches for, and the only form in which a ring can be changed: whoever edited one in a
//! database does not get the edit blessed by the next ordinary change.

use super::file::{RingFile, Sealed};
use super::history::History;
use super::public_item::PublicItem;
use super::ring::{Decoy, HeldKey};
use super::trees::Trees;
use super::{IdentityKeys, KeyProof, KeyRing, KeyState, PublicRing, RingHead, RingKey, SetState};
use crate::domain::Domain;
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, RingFault};
use crate::id::{IdentityId, check_label};
use crate::krunica::{Appended, Entry, Head, Links};
use crate::mldsa::{KeyHash, PublicKey};
use alloc::string::{String, ToString};
use core::cmp::Ordering;
use core::fmt;
use core::ops::Deref;

/// A ring that is new or was held against its chain ([`ChainReader::ring`](crate::reader::ChainReader::ring)), with the
/// authority over its changes. It is a [`KeyRing`] to every verifier.
///
/// A changed ring, the entry that the change returned and the head after it are stored together, or none of them; on an
/// error the ring is as it was. A service acknowledges a change only after a checkpoint covers its entry.
///
/// ```
/// use dualseal::key::{CheckedRing, SetState};
/// use dualseal::{Domain, Head, KeyState, RingKey, SigningKey};
/// use dualseal::secret::Secret;
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32])?);
/// let key = SigningKey::from_seed(&[7; 32])?;
///
/// let mut ring = CheckedRing::new("example.org/log", &authority)?;
/// let t = "2026-11-21T09:00:00.000Z".parse()?;
/// let added = ring.add(&ana, key.public_key().clone(), &Head::EMPTY, t)?;
/// let revoked = ring.set_state(&ana, None, SetState::compromised_from(0), &added.head, t)?;
/// assert_eq!(ring.info(&ana).map(|info| info.state), Some(KeyState::Revoked));
/// let file = ring.to_stored_json(&revoked.head)?;
/// # let _ = file;
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct CheckedRing {
    ring: KeyRing,
    authority: RingKey,
    trees: Trees,
    /// The end of what was looked at, entry by entry. Nothing is changed, stored or stated elsewhere: an entry that was
    /// not looked at may be somebody else's change.
    seen: Links,
}

impl CheckedRing {
    /// An empty ring whose changes are recorded in the chain of `origin` (1 to 255 bytes, no control characters, no
    /// `::`, no leading `:`).
    ///
    /// # Errors
    /// [`Problem`](crate::error::Problem) `Range`, `Ambiguous` or `Control` for `origin`.
    pub fn new(origin: &str, authority: &RingKey) -> Result<Self, Error> {
        check_label("origin", origin)?;
        let ring = KeyRing { known_to: Some(0), ..KeyRing::empty(Some(origin.to_string()), 0) };
        Ok(Self { ring, authority: authority.shared(), trees: Trees::default(), seen: Links::BEGINNING })
    }

    /// Only the ring check makes one of what was read.
    pub(crate) fn of(file: RingFile, authority: RingKey, trees: Trees, seen: Links) -> Self {
        Self { ring: KeyRing { known_to: Some(seen.size), ..file.ring }, authority, trees, seen }
    }

    /// Gives an identity its first key, in state `istina`.
    ///
    /// # Errors
    /// [`Misuse::HasCurrentKey`], [`Misuse::KnownKey`], [`Misuse::CounterExhausted`]; [`Misuse::StaleHead`] when `head`
    /// is before the end of what the ring was held against, [`Misuse::StaleRing`] when the ring was not
    /// [followed](Self::follow) to it.
    pub fn add(
        &mut self,
        identity_id: &IdentityId,
        public_key: PublicKey,
        head: &Head,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        self.check_new(public_key.hash())?;
        let mut keys = self.ring.keys.get(identity_id).cloned().unwrap_or_default();
        if keys.current.is_some() {
            return Err(Misuse::HasCurrentKey.into());
        }
        let hash = *public_key.hash();
        keys.current = Some(new_key(public_key, KeyState::Valid, head, time));
        let appended = self.change(identity_id, keys, head, time)?;
        self.ring.owners.insert(hash, *identity_id);
        Ok(appended)
    }

    /// Puts a new key in place of the current one, which is retired at the position of this change's own entry.
    ///
    /// The old key keeps its state. The new one takes over `istina`, `oboje` or `nijedno` and starts as `istina` where
    /// the old one is `laz`: rotation never clears a revocation of the old key.
    ///
    /// # Errors
    /// [`Misuse::UnknownIdentity`], [`Misuse::KnownKey`], [`Misuse::CounterExhausted`]; [`Misuse::StaleHead`] and
    /// [`Misuse::StaleRing`] as [`add`](Self::add).
    pub fn rotate(
        &mut self,
        identity_id: &IdentityId,
        public_key: PublicKey,
        head: &Head,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        self.check_new(public_key.hash())?;
        let mut keys = self.ring.keys.get(identity_id).cloned().unwrap_or_default();
        let old = keys.current.take().ok_or(Misuse::UnknownIdentity)?;
        let state = if old.state == KeyState::Revoked { KeyState::Valid } else { old.state };
        let hash = *public_key.hash();
        keys.retired.insert(0, (old, head.size()));
        keys.current = Some(new_key(public_key, state, head, time));
        let appended = self.change(identity_id, keys, head, time)?;
        self.ring.owners.insert(hash, *identity_id);
        Ok(appended)
    }

    /// Sets the state of an identity's current key, or of the retired key with this hash, to any state. The
    /// specification calls this operation `bela`. Setting the state that a key already has is a change too: among such
    /// changes one to `oboje` does not stand out.
    ///
    /// # Errors
    /// [`Misuse::UnknownIdentity`], [`Misuse::UnknownKey`], [`Misuse::DecoyState`], [`Misuse::CounterExhausted`];
    /// [`Misuse::StaleHead`] as [`add`](Self::add).
    pub fn set_state(
        &mut self,
        identity_id: &IdentityId,
        key: Option<&KeyHash>,
        set: impl Into<SetState>,
        head: &Head,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        let SetState { state, compromised_from } = set.into();
        if key.and_then(|hash| self.ring.decoys.get(hash)).is_some_and(|decoy| decoy.identity_id == *identity_id) {
            return Err(Misuse::DecoyState.into());
        }
        let mut keys = self.ring.keys.get(identity_id).cloned().ok_or(Misuse::UnknownIdentity)?;
        let held = match key {
            None => keys.current.as_mut().ok_or(Misuse::UnknownIdentity)?,
            Some(hash) => {
                let retired = keys.retired.iter_mut().map(|(held, _)| held);
                let mut all = keys.current.iter_mut().chain(retired);
                all.find(|held| held.public_key.hash() == hash).ok_or(Misuse::UnknownKey)?
            }
        };
        held.state = state;
        held.history.push(head.size(), state, compromised_from);
        self.change(identity_id, keys, head, time)
    }

    /// Adds the decoy key of a vault record, by the record's own chain entry: whoever signs with its leaked private
    /// half gets a decoy's verdict. Decoys are not chained; the ring's file vouches for them. The entry is the chain's
    /// next one, and [followed](Self::follow) by this, or one that the ring is past.
    ///
    /// Of an entry that the ring is past the caller's word is taken that the chain has it there: the ring keeps none. A
    /// process that lost the race for a place, and followed another's entry there, seals again at the chain's end, and
    /// adds the decoy of that record alone. That of an entry which the chain has not stands at its place for good, so
    /// that the decoy of the record that stands there is refused.
    ///
    /// # Errors
    /// [`Misuse::KnownKey`], also where the entry is another decoy's, or a change of this ring; as
    /// [`follow`](Self::follow) for an entry that the ring is not past.
    pub fn add_decoy(&mut self, public_key: &PublicKey, entry: &Entry) -> Result<(), Error> {
        let (hash, seq) = (public_key.hash(), entry.seq());
        self.check_new(hash)?;
        // Such a file would not be read again.
        let is_change = || self.ring.keys.values().any(|keys| keys.seqs().any(|change| change == seq));
        if self.trees.has_decoy(seq) || is_change() {
            return Err(Misuse::KnownKey.into());
        }
        if seq >= self.seen.size {
            self.follow(entry, |_| false)?;
        }
        let decoy = Decoy { identity_id: *entry.identity_id(), generated: entry.time(), seq };
        self.ring.decoys.insert(*hash, decoy);
        self.trees.add_decoy(&self.ring, hash, seq, &self.authority);
        Ok(())
    }

    /// Goes on past an entry that was appended since: the chain's next one, and no change of this ring. A ring is
    /// changed, stored and stated by a checkpoint only where it was followed to the end of the chain, so that nobody
    /// writes away a revocation that another process has made, or the decoy of a record that another has sealed:
    /// `is_record` says of any other entry whether it is a vault record's, by every
    /// [master](crate::vault::VaultMaster::vouches_for) of the log. The decoy of one's own record is
    /// [`add_decoy`](Self::add_decoy)'s.
    ///
    /// # Errors
    /// [`RingFault::Rollback`] for a change of this ring that was made elsewhere, and for such a record: read the ring
    /// again, against its chain. [`Misuse::StaleRing`] for an entry further on, [`Misuse::StaleHead`] for one that it
    /// is past; [`ChainFault`](crate::error::ChainFault) for one that does not go on from the chain so far.
    pub fn follow(&mut self, entry: &Entry, is_record: impl FnOnce(&Entry) -> bool) -> Result<(), Error> {
        self.check_size(entry.seq())?;
        self.seen.check(entry)?;
        let ring = self.ring.revision;
        let made_elsewhere = match self.authority.judge(entry) {
            Some(Ok(changed)) => Some(changed.revision),
            Some(Err(_)) => None,
            None => is_record(entry).then_some(ring),
        };
        if let Some(chain) = made_elsewhere {
            return Err(RingFault::Rollback { ring, chain }.into());
        }
        self.see(Links { size: entry.seq().saturating_add(1), top: *entry.hash() });
        Ok(())
    }

    /// The same with the entry as JSON text, without `seq`, as it stands in a list or on a line: the chain's next one.
    ///
    /// # Errors
    /// As [`follow`](Self::follow); a line that is not the next one is a [`ChainFault`](crate::error::ChainFault).
    pub fn follow_json(&mut self, text: &[u8], is_record: impl FnOnce(&Entry) -> bool) -> Result<Entry, Error> {
        let entry = self.seen.read(text)?;
        self.follow(&entry, is_record)?;
        Ok(entry)
    }

    /// The domain of its chain, which its authority was made in.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        self.authority.domain()
    }

    /// Whether an entry has the form of a change of a ring, whoever made it: an operator takes none but from the ring's
    /// own operations.
    #[must_use]
    pub fn claims_change(&self, entry: &Entry) -> bool {
        self.authority.judge(entry).is_some()
    }

    /// Whether every entry before this head was looked at, and none after.
    pub(crate) fn check_followed(&self, head: &Head) -> Result<(), Misuse> {
        self.check_size(head.size())?;
        // Of another chain nothing was looked at.
        if self.seen.top == *head.top() { Ok(()) } else { Err(Misuse::StaleRing) }
    }

    /// The only form in which a ring leaves its operator: no decoy keys, and `oboje` reads `istina`.
    #[must_use]
    pub fn public(&self) -> PublicRing {
        PublicRing::of(&self.ring, &self.authority)
    }

    /// The proof that a key stands in the public form of this ring, for evidence of what the key signed. Of a decoy
    /// there is none: outsiders would read it as a pass, of a thief's record. The refusal is for the operator alone;
    /// whoever has the public form makes the proof of every key in it himself ([`PublicRing::prove`]).
    ///
    /// # Errors
    /// [`Misuse::DecoyKey`] for a decoy of a vault record and for a key in state `oboje`; [`Misuse::UnknownKey`] for
    /// one that the ring does not hold.
    pub fn prove(&self, key: &KeyHash) -> Result<KeyProof, Error> {
        if self.ring.is_decoy(key) {
            return Err(Misuse::DecoyKey.into());
        }
        let owner = self.ring.owners.get(key).ok_or(Misuse::UnknownKey)?;
        let keys = self.ring.keys.get(owner).ok_or(Misuse::UnknownKey)?;
        let item = keys.items(owner).find(|item| item.key.hash() == *key).ok_or(Misuse::UnknownKey)?;
        let (first, leaf) = (item.first(), PublicItem::new(item, self.authority.salt(keys.revision, key)).leaf());
        let (seq, size, path) = self.trees.public_path(first).ok_or(Misuse::UnknownKey)?;
        Ok(KeyProof { leaf, path, seq, size })
    }

    /// What a checkpoint says of it; `None` before the first change.
    #[must_use]
    pub fn ring_head(&self) -> Option<RingHead> {
        let revision = self.ring.revision;
        (revision > 0).then(|| RingHead { revision, root: self.trees.ring_root() })
    }

    /// The ring file, decoys included, for its operator's store alone: canonical JSON with a MAC over all of it and
    /// over where the chain ends, `head`. It is written with each change, and with each decoy.
    ///
    /// # Errors
    /// [`Misuse::StaleHead`] when `head` is before the end of what the ring was held against, [`Misuse::StaleRing`]
    /// when the ring was not [followed](Self::follow) to it.
    pub fn to_stored_json(&self, head: &Head) -> Result<String, Error> {
        Ok(RingFile::json(&self.ring, &self.sealed(head)?))
    }

    /// The MAC over what the operator keeps beside the ring, at the end of the chain that it was followed to.
    pub(crate) fn store_mac(&self, head: &Head, text: &[u8]) -> Result<[u8; 32], Error> {
        self.check_followed(head)?;
        Ok(self.authority.store_mac(self.ring.origin().unwrap_or_default(), &head.tree_head(), text))
    }

    /// The MAC over all of it and over where the chain ends.
    pub(super) fn sealed(&self, head: &Head) -> Result<Sealed, Error> {
        self.check_followed(head)?;
        let (size, top) = (head.size(), *head.top());
        let mac = RingFile::mac(&self.ring, (size, &top), &self.authority, &self.trees);
        Ok(Sealed { size, top, mac })
    }

    fn check_size(&self, size: u64) -> Result<(), Misuse> {
        match size.cmp(&self.seen.size) {
            Ordering::Less => Err(Misuse::StaleHead),
            Ordering::Equal => Ok(()),
            Ordering::Greater => Err(Misuse::StaleRing),
        }
    }

    fn see(&mut self, seen: Links) {
        self.seen = seen;
        self.ring.known_to = Some(seen.size);
    }

    fn check_new(&self, key: &KeyHash) -> Result<(), Error> {
        if self.ring.knows(key) { Err(Misuse::KnownKey.into()) } else { Ok(()) }
    }

    /// Whatever can fail comes before the ring is touched.
    fn change(
        &mut self,
        identity_id: &IdentityId,
        keys: IdentityKeys,
        head: &Head,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        head.check_room()?;
        self.check_followed(head)?;
        // Each change has an entry of its own, so there is room for its number too.
        let revision = self.ring.revision.saturating_add(1);
        let keys = IdentityKeys { revision, ..keys };
        self.trees.set(identity_id, &keys, &self.authority);
        let tag = self.authority.tag(revision, &keys.to_json(identity_id));
        let message = self.authority.message(head.top(), identity_id, revision, &tag, &self.trees.ring_root());
        let appended = head.append_own(identity_id, &message, time)?;
        self.ring.revision = revision;
        self.ring.keys.insert(*identity_id, keys);
        self.see(Links { size: appended.head.size(), top: *appended.head.top() });
        Ok(appended)
    }
}

/// A copy shares the ring key.
impl Clone for CheckedRing {
    fn clone(&self) -> Self {
        let Self { ring, authority, trees, seen } = self;
        Self { ring: ring.clone(), authority: authority.shared(), trees: trees.clone(), seen: *seen }
    }
}

impl Deref for CheckedRing {
    type Target = KeyRing;

    fn deref(&self) -> &KeyRing {
        &self.ring
    }
}

impl PartialEq for CheckedRing {
    fn eq(&self, other: &Self) -> bool {
        self.ring == other.ring && self.seen == other.seen
    }
}

impl Eq for CheckedRing {}

impl fmt::Debug for CheckedRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CheckedRing").field(&self.ring).finish()
    }
}

fn new_key(public_key: PublicKey, state: KeyState, head: &Head, time: Timestamp) -> HeldKey {
    HeldKey { public_key: public_key.hashed(), state, generated: Some(time), history: History::new(head.size(), state) }
}
