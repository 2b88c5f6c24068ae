//! The public form of a ring: `{"keys":[…],"origin":…,"revision":…}`, without decoys and whatever tells of them.

use super::public_item::PublicItem;
use super::ring_json::read_keys;
use super::trees::ring_root;
use super::{KeyRing, RingKey};
use crate::encoding::Label;
use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::{self, Form, Inner, record};
use crate::error::{Error, Problem};
use crate::mldsa::KeyHash;
use crate::tree::TreeHash;
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
        let mut items: Vec<(u64, PublicItem)> = self.items().map(|public| (public.item.first(), public)).collect();
        items.sort_unstable_by_key(|(first, _)| *first);
        ring_root(&items.into_iter().map(|(_, public)| public.leaf()).collect())
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
