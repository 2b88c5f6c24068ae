//! The ring file in rows, for a store that keeps them: one for each identity, one for each decoy, and the seal over all
//! of them. A change of one identity writes its row and the seal, however many there are.

use super::file::{RingFile, Sealed};
use super::ring_json::{Item, collect};
use super::{CheckedRing, KeyRing};
use crate::encoding::Label;
use crate::encoding::record::{self, record};
use crate::error::Error;
use crate::id::IdentityId;
use crate::krunica::{ChainHash, Head};
use crate::mldsa::KeyHash;
use alloc::string::String;
use alloc::vec::Vec;

/// What seals the rows of a ring: the ring file without its keys,
/// `{"origin","ovjera":{"mac","size","top"},"revision"}`.
struct RingSeal {
    origin: String,
    revision: u64,
    sealed: Sealed,
}

record! {
    |seal: RingSeal| "ring seal" {
        "origin" origin: Label,
        "ovjera" {
            "mac" mac: [u8; 32] = seal.sealed.mac,
            "size" size: u64 = seal.sealed.size,
            "top" top: ChainHash = seal.sealed.top,
        },
        "revision" revision: u64,
    } => { Ok(Self { origin, revision, sealed: Sealed { size, top, mac } }) }
}

impl KeyRing {
    /// The row of an identity: its current and retired key objects as in the ring file, a canonical JSON list; `None`
    /// for one that the ring does not know. It changes with each change of the identity, and with no other.
    #[must_use]
    pub fn identity_row(&self, identity_id: &IdentityId) -> Option<String> {
        self.keys.get(identity_id).map(|keys| keys.to_json(identity_id))
    }

    /// The row of a decoy, a list of one, for its operator's store alone; `None` for any other key. It never changes.
    #[must_use]
    pub fn decoy_row(&self, key: &KeyHash) -> Option<String> {
        self.decoy_item(key).map(|item| record::to_json::<Vec<Item>>(&[item].into()))
    }
}

impl CheckedRing {
    /// What seals the rows of this ring, in the place of [`to_stored_json`](Self::to_stored_json): it is written with
    /// each row, in the same transaction.
    ///
    /// # Errors
    /// As [`to_stored_json`](Self::to_stored_json).
    pub fn seal_rows(&self, head: &Head) -> Result<String, Error> {
        let sealed = self.sealed(head)?;
        let (origin, revision) = (self.origin().unwrap_or_default().into(), self.revision());
        Ok(record::to_json::<RingSeal>(&RingSeal { origin, revision, sealed }))
    }
}

impl RingFile {
    /// Reads a ring that is kept in rows, which come in any order. It is the same as if it had come in one file: a row
    /// that is missing, old or edited breaks the MAC, which is found when it is held against its chain.
    ///
    /// ```
    /// use dualseal::key::{CheckedRing, RingFile};
    /// use dualseal::secret::Secret;
    /// use dualseal::{Domain, Head, RingKey, SigningKey};
    ///
    /// let domain = Domain::default();
    /// let ana = domain.identity_id(b"", "ana", "")?;
    /// let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32])?);
    /// let key = SigningKey::from_seed(&[7; 32])?;
    /// let mut ring = CheckedRing::new("example.org/log", &authority)?;
    /// let t = "2026-11-21T09:00:00.000Z".parse()?;
    /// let added = ring.add(&ana, key.public_key().clone(), &Head::EMPTY, t)?;
    ///
    /// let row = ring.identity_row(&ana).expect("it was added");
    /// let file = RingFile::from_rows(ring.seal_rows(&added.head)?.as_bytes(), [row])?;
    /// assert_eq!(*file.unchecked(), *ring);
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json); the position of a key is that among all of them in ring order.
    pub fn from_rows<R: AsRef<[u8]>>(seal: &[u8], rows: impl IntoIterator<Item = R>) -> Result<Self, Error> {
        let RingSeal { origin, revision, sealed } = record::from_json::<RingSeal>(seal)?;
        let mut items = Vec::new();
        for row in rows {
            items.extend(record::from_json::<Vec<Item>>(row.as_ref())?);
        }
        Self::checked(origin, revision, collect(items)?, sealed)
    }
}
