//! The public form of a ring: `{"keys":[…],"origin":…,"revision":…}`, without decoys and whatever tells of them.

use super::leaf::KeyLeaf;
use super::proof::KeyProof;
use super::public_item::PublicItem;
use super::ring_json::read_keys;
use super::trees::ring_root;
use super::{KeyRing, RingKey};
use crate::encoding::Label;
use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::{self, Form, Inner, record};
use crate::error::{Error, Problem};
use crate::mldsa::KeyHash;
use crate::tree::{Tree, TreeHash};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Deref;

/// A ring as its operator gives it out: no decoy keys, and `oboje` reads `istina`, in the histories too. It is a
/// [`KeyRing`] to every verifier, and what such a ring calls Valid is the operator's word. Whoever needs more pins the
/// signer's key ([`KeyRing::pinned`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicRing {
    ring: KeyRing,
    salts: BTreeMap<KeyHash, [u8; 32]>,
}

impl PublicRing {
    pub(super) fn of(ring: &KeyRing, authority: &RingKey) -> Self {
        let mut public = KeyRing { decoys: BTreeMap::new(), known_to: None, ..ring.clone() };
        let mut salts = BTreeMap::new();
        for keys in public.keys.values_mut() {
            let revision = keys.revision;
            for held in keys.current.iter_mut().chain(keys.retired.iter_mut().map(|(held, _)| held)) {
                held.state = held.state.public();
                held.history = held.history.public();
                let hash = *held.public_key.hash();
                salts.insert(hash, authority.salt(revision, &hash));
            }
            // Of what happened silently the public ring says no more than its revision does.
            keys.revision = 0;
        }
        Self { ring: public, salts }
    }

    /// Reads a public ring.
    ///
    /// # Errors
    /// As [`RingFile::from_json`](super::RingFile::from_json); a decoy, a state `oboje` and a history that shows a
    /// change to the state before it are refused.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// The ring root, which the ring entry of this revision states.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        ring_root(&self.leaves().iter().map(KeyLeaf::hash).collect())
    }

    /// The proof that a key stands in this ring; `None` where the ring does not hold it.
    ///
    /// ```
    /// # use dualseal::key::{CheckedRing, RingHead};
    /// # use dualseal::secret::Secret;
    /// # use dualseal::{Domain, Head, RingKey, SigningKey};
    /// # let domain = Domain::default();
    /// # let ana = domain.identity_id(b"", "ana", "")?;
    /// # let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32])?);
    /// # let key = SigningKey::from_seed(&[7; 32])?;
    /// # let mut ring = CheckedRing::new("example.org/log", &authority)?;
    /// # ring.add(&ana, key.public_key().clone(), &Head::EMPTY, "2026-11-21T09:00:00.000Z".parse()?)?;
    /// let public = ring.public();
    /// let proof = public.prove(key.public_key().hash()).expect("it was added");
    /// assert!(proof.holds(&RingHead { revision: public.revision(), root: public.root() }));
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    #[must_use]
    pub fn prove(&self, key: &KeyHash) -> Option<KeyProof> {
        let mut leaves = self.leaves();
        let index = leaves.iter().position(|leaf| leaf.key == *key)?;
        let tree: Tree = leaves.iter().map(KeyLeaf::hash).collect();
        let number = |number: usize| u64::try_from(number).ok();
        let (seq, size, path) = (number(index)?, number(leaves.len())?, tree.path(index)?);
        Some(KeyProof { leaf: leaves.swap_remove(index), path, seq, size })
    }

    /// As a check against a checkpoint of this size found it.
    pub(crate) fn attested(mut self, size: u64) -> Self {
        self.ring.known_to = Some(size);
        self
    }

    /// The greatest seq of any change.
    pub(crate) fn last_seq(&self) -> Option<u64> {
        self.ring.last_seq()
    }

    /// In the order of the tree.
    fn leaves(&self) -> Vec<KeyLeaf> {
        let mut leaves: Vec<KeyLeaf> = self.items().map(PublicItem::leaf).collect();
        leaves.sort_unstable_by_key(|leaf| leaf.history.first());
        leaves
    }

    fn items(&self) -> impl Iterator<Item = PublicItem> {
        let items = self.ring.keys.iter().flat_map(|(id, keys)| keys.items(id));
        items.map(|item| {
            let salt = self.salts.get(&item.key.hash()).copied().unwrap_or_default();
            PublicItem::new(item, salt)
        })
    }
}

impl Deref for PublicRing {
    type Target = KeyRing;

    fn deref(&self) -> &KeyRing {
        &self.ring
    }
}

record! {
    |public: PublicRing| "ring" {
        "keys" ring: PublicKeys = *public,
        "origin" origin: Label = String::from(public.ring.origin().unwrap_or_default()),
        "revision" revision: u64 = public.ring.revision,
    } => {
        let PublicRing { ring, salts } = ring;
        // Silent changes raise the revision and are not shown; whatever is shown raised it once.
        if revision < ring.revision || (revision == 0) != ring.keys.is_empty() {
            return Err(Error::malformed("revision", Problem::Range));
        }
        let ring = KeyRing { origin: Some(origin), revision, ..ring };
        Ok(Self { ring, salts })
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(PublicRing);

/// The list of the keys, as a public ring without the rest.
struct PublicKeys;

impl Form for PublicKeys {
    type Value = PublicRing;

    const INNER: Inner = Inner::Items(record::rows::<PublicItem>());

    fn read(raw: Raw<'_>, field: &'static str) -> Result<PublicRing, Error> {
        let mut salts = BTreeMap::new();
        let mut ring = read_keys::<PublicItem>(raw, field, |public| {
            salts.insert(public.item.key.hash(), public.salt);
            public.item
        })?;
        for held in ring.keys.values_mut() {
            held.revision = 0;
        }
        Ok(PublicRing { ring, salts })
    }

    fn write(public: &PublicRing, out: &mut Writer) {
        Vec::<PublicItem>::write(&public.items().collect(), out);
    }

    fn check(raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        raw.items().map(drop).ok_or_else(|| Error::malformed(field, Problem::WrongType))
    }
}
