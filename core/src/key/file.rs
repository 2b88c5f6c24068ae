//! The file of a ring, as its operator keeps it: `{"keys":[…],"origin":…,"ovjera":{"mac","size","top"},"revision":…}`.

use super::ring_json::Keys;
use super::trees::Trees;
use super::{IdentityKeys, KeyRing, RingKey};
use crate::encoding::Label;
use crate::encoding::record::{self, record};
use crate::error::{Error, Problem};
use crate::krunica::{ChainHash, Links};
use alloc::string::String;
use core::fmt;
use subtle::ConstantTimeEq;

/// A ring as it was read from its file: nobody vouches for it yet. A chain that is read
/// past it ([`ChainReader::ring`](crate::reader::ChainReader::ring)) makes a [`CheckedRing`](super::CheckedRing) of it.
#[derive(Clone)]
pub struct RingFile {
    pub(crate) ring: KeyRing,
    pub(crate) sealed: Sealed,
}

/// What the ring file says of itself (`ovjera`).
#[derive(Clone, Copy)]
pub(crate) struct Sealed {
    /// The number of entries of the chain when it was written.
    pub(crate) size: u64,
    /// The hash of the last of them.
    pub(crate) top: ChainHash,
    pub(crate) mac: [u8; 32],
}

impl RingFile {
    /// Reads a ring file.
    ///
    /// # Errors
    /// Names the member, and for a key its position in the list: unknown, missing or duplicate members, unknown states,
    /// roles or algorithms, keys out of order, a key that is there twice, a second current key, a decoy that is not
    /// `oboje`, a history that does not fit.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    /// The origin of the chain that records the ring's changes.
    #[must_use]
    pub fn origin(&self) -> &str {
        self.ring.origin().unwrap_or_default()
    }

    /// What the file says, for whoever has not the ring key: nobody vouches for it, and a verifier that goes by it goes
    /// by whatever somebody wrote.
    #[must_use]
    pub fn unchecked(&self) -> &KeyRing {
        &self.ring
    }

    /// The number of changes of current and retired keys, as the file says.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.ring.revision()
    }

    /// The number of entries that the chain had when the file was written, as it says: a check may begin there.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.sealed.size
    }

    /// The same with the hash of the last entry: the links of the chain go on from there.
    pub(crate) fn end(&self) -> Links {
        Links { size: self.sealed.size, top: self.sealed.top }
    }

    /// The number of the ring's changes when the chain had so many entries.
    pub(crate) fn revision_before(&self, size: u64) -> u64 {
        let changes = self.ring.keys.values().flat_map(IdentityKeys::seqs).filter(|seq| *seq < size);
        u64::try_from(changes.count()).unwrap_or(u64::MAX)
    }

    /// The trees of the ring, if the MAC holds.
    pub(crate) fn trees(&self, authority: &RingKey) -> Option<Trees> {
        let trees = Trees::of(&self.ring, authority);
        let mac = Self::mac(&self.ring, (self.sealed.size, &self.sealed.top), authority, &trees);
        bool::from(mac.ct_eq(&self.sealed.mac)).then_some(trees)
    }

    pub(super) fn checked(origin: String, revision: u64, ring: KeyRing, sealed: Sealed) -> Result<Self, Error> {
        if revision != ring.revision {
            return Err(Error::malformed("revision", Problem::Range));
        }
        if ring.last_seq().is_some_and(|seq| seq >= sealed.size) {
            return Err(Error::malformed("size", Problem::Range));
        }
        Ok(Self { ring: KeyRing { origin: Some(origin), ..ring }, sealed })
    }

    pub(super) fn mac(ring: &KeyRing, end: (u64, &ChainHash), authority: &RingKey, trees: &Trees) -> [u8; 32] {
        authority.state_mac(ring.origin().unwrap_or_default(), ring.revision(), end, &trees.state_root())
    }

    pub(super) fn json(ring: &KeyRing, sealed: &Sealed) -> String {
        record::to_json::<Self>(&Self { ring: ring.clone(), sealed: *sealed })
    }
}

record! {
    |file: RingFile| "ring file" {
        "keys" ring: Keys = file.ring,
        "origin" origin: Label = String::from(file.origin()),
        "ovjera" {
            "mac" mac: [u8; 32] = file.sealed.mac,
            "size" size: u64 = file.sealed.size,
            "top" top: ChainHash = file.sealed.top,
        },
        "revision" revision: u64 = file.ring.revision,
    } => {
        Self::checked(origin, revision, ring, Sealed { size, top, mac })
    }
}

impl fmt::Debug for RingFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingFile").field("ring", &self.ring).field("size", &self.sealed.size).finish_non_exhaustive()
    }
}
