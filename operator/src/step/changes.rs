//! What a store writes in one transaction.

use crate::secrets::{Place, Vaulted, WrappingKey};
use dualseal::checkpoint::Checkpoint;
use dualseal::hash::Sha3_256;
use dualseal::mldsa::KeyHash;
use dualseal::signature::SignatureRecord;
use dualseal::store::SecretsEnd;
use dualseal::tree::TreeHash;
use dualseal::vault::VaultRecord;
use dualseal::{Entry, Head, IdentityId};
use std::fmt;

/// Everything that a batch changes. A driver writes all of it in one transaction, which begins by comparing
/// the text that it has of the state with [`before`](Self::before), or nothing.
#[derive(Debug)]
#[non_exhaustive]
pub struct Changes {
    /// The text of the state that the store must have, byte for byte, so that nobody did anything in between: a
    /// checkpoint and the beginning of a ledger leave the head where it is.
    pub before: String,
    /// The head of that state.
    pub expected: Head,
    /// The head from now on.
    pub head: Head,
    /// The text that the store keeps of the state, in the place of the one before:
    /// [`StoredState`](dualseal::store::StoredState).
    pub state: String,
    /// The new entries, in order.
    pub entries: Vec<Entry>,
    /// The nodes of the log's tree that the entries made full, leaves included: for a store that gives proofs.
    pub nodes: Vec<TreeNode>,
    /// What of the ring changed, and what seals it at [`head`](Self::head).
    pub ring: RingRows,
    /// The signed records, by [`Ticket::index`](super::Ticket::index).
    pub records: Vec<SignatureRecord>,
    /// The vault records, as the store keeps them, fragments included: what leaves it is redacted.
    pub vault_records: Vec<VaultRecord>,
    /// Secrets at rest that belong to what was made: they are stored with it, or not at all.
    pub secrets: Vec<SecretRow>,
    /// Where the list of secrets ended before them: each is its [next row](SecretRow::after), of which the state has
    /// the end.
    pub secrets_before: SecretsEnd,
    /// The checkpoint, where one was signed over [`head`](Self::head): its mark was written before.
    pub checkpoint: Option<Checkpoint>,
}

/// What became of writing [`Changes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commit {
    /// All of it is stored.
    Done,
    /// Nothing of it is.
    Not,
    /// Nobody knows: the connection was lost, or the power went, while it was being stored. What is loaded again has
    /// the text of the changes, or that before them.
    Unknown,
}

/// A full subtree: `index` within `level`, 0 the leaves'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// Above the leaves.
    pub level: u8,
    /// From the left.
    pub index: u64,
    /// Its root.
    pub hash: TreeHash,
}

/// A ring in rows; [`RingFile::from_rows`](dualseal::key::RingFile::from_rows) reads it.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RingRows {
    /// What seals the rows and the end of the chain: written with each batch, so that whoever loads the ring has no
    /// entry to read but what somebody else appended since.
    pub seal: String,
    /// The rows that are put in the place of those of the same name, or are new.
    pub rows: Vec<RingRow>,
}

/// One row of a ring.
#[derive(Clone, PartialEq, Eq)]
pub enum RingRow {
    /// The keys of an identity.
    Identity(IdentityId, String),
    /// A decoy, by the hash of its key.
    Decoy(KeyHash, String),
}

/// A secret at rest, in its place: as [`Vaulted`] made it, and nothing else becomes one. One that is
/// [forgotten](super::Step::forget) has no bytes: what stands there is wiped.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretRow {
    place: Place,
    stored: Vec<u8>,
}

impl SecretRow {
    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The stored bytes, which open under the master alone; none where it is forgotten.
    #[must_use]
    pub fn stored(&self) -> &[u8] {
        &self.stored
    }

    /// What the list of secrets has of stored bytes: their SHA3-256, or zeros where there are none.
    #[must_use]
    pub fn listed(stored: &[u8]) -> [u8; 32] {
        if stored.is_empty() { [0; 32] } else { Sha3_256::digest(stored) }
    }

    /// Where the list of secrets ends after it.
    #[must_use]
    pub fn after(&self, end: &SecretsEnd) -> SecretsEnd {
        end.after(&self.place.hash(), &Self::listed(&self.stored))
    }

    pub(super) fn forgotten(place: Place) -> Self {
        Self { place, stored: Vec::new() }
    }
}

impl<K: WrappingKey> From<Vaulted<K>> for SecretRow {
    fn from(secret: Vaulted<K>) -> Self {
        Self { place: secret.place().clone(), stored: secret.into_stored() }
    }
}

/// As of every secret at rest the place, and how long it is.
impl fmt::Debug for SecretRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SecretRow")
            .field("place", &self.place)
            .field("bytes", &self.stored.len())
            .finish_non_exhaustive()
    }
}

impl RingRow {
    /// What it is kept under: the identity, or the hash of the decoy's key, 64 hexadecimal characters.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Identity(identity_id, _) => identity_id.to_hex(),
            Self::Decoy(key, _) => key.to_hex(),
        }
    }
}

/// Rows hold decoys and states.
impl fmt::Debug for RingRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingRows").field("rows", &self.rows.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for RingRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RingRow")
    }
}
