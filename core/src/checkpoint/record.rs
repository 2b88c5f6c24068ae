//! The checkpoint and the statement that its signature is over.

use crate::domain::{self, Domain, Row};
use crate::ed25519::Ed25519PublicKey;
use crate::encoding::Label;
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::IdentityId;
use crate::key::{Algorithm, RingHead, stated_ring};
use crate::krunica::{ChainHash, Entry, TreeHead};
use crate::mldsa::{PublicKey, Signature};
use crate::tree::TreeHash;
use alloc::string::{String, ToString};

/// The version of the statement.
const VERSION: &str = "2";

/// A checkpoint: `{algoritam, identity_id, javni_kljuc, nota, origin, potpis, ring, root, size, time, top}`. Holding
/// one says nothing about its validity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub(super) origin: String,
    pub(super) head: TreeHead,
    pub(super) ring: Option<RingHead>,
    pub(super) note_key: Option<Ed25519PublicKey>,
    pub(super) time: Timestamp,
    pub(super) identity_id: IdentityId,
    pub(super) public_key: PublicKey,
    pub(super) signature: Signature,
}

impl Checkpoint {
    /// The name of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The head that was signed: size, `top` and `root`.
    #[must_use]
    pub fn tree_head(&self) -> &TreeHead {
        &self.head
    }

    /// The ring as the last ring entry below the size states it; `None` where there is no such entry.
    #[must_use]
    pub fn ring(&self) -> Option<&RingHead> {
        self.ring.as_ref()
    }

    /// Whether an entry is of the ring that it states, as far as anybody can tell without the ring key: the mac is not
    /// checked.
    #[must_use]
    pub fn is_ring_of(&self, domain: &Domain, entry: &Entry) -> bool {
        self.ring.is_some() && stated_ring(domain, entry) == self.ring
    }

    /// The key by which the log signs its notes (`nota`), where it does.
    #[must_use]
    pub fn note_key(&self) -> Option<&Ed25519PublicKey> {
        self.note_key.as_ref()
    }

    /// When the signer says it was signed.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.time
    }

    /// The identity of the log's signer.
    #[must_use]
    pub fn identity_id(&self) -> &IdentityId {
        &self.identity_id
    }

    /// The key inside the checkpoint, which proves nothing: the verifier pins its hash.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public_key
    }

    /// The signature (`potpis`), 3309 bytes.
    #[must_use]
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON, in any spacing and member order.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form. [`Problem::Range`] for `top` and
    /// `root` of size 0 that are not those of an empty chain, and for `ring` with a revision of 0 or above the size.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    /// What is signed of it: `P::<CHECKPOINT>::2::<origin>::<size>::<top>::<root>::<revision or ->::<ring root or
    /// ->::<nota or ->::<time>::<identity_id>::S`.
    pub(super) fn statement(&self, domain: &Domain) -> String {
        let Self { origin, head, ring, note_key, time, identity_id, .. } = self;
        statement(
            domain,
            origin,
            &Stated { head, ring: ring.as_ref(), note_key: note_key.as_ref() },
            *time,
            identity_id,
        )
    }
}

record! {
    |checkpoint: Checkpoint| "checkpoint" {
        "algoritam" = Algorithm::MlDsa65.as_str(),
        "identity_id" identity_id: IdentityId,
        "javni_kljuc" public_key: PublicKey,
        "nota" note_key: Option<Ed25519PublicKey>,
        "origin" origin: Label,
        "potpis" signature: Signature,
        "ring" ring: Option<RingHead>,
        "root" root: TreeHash = checkpoint.head.root,
        "size" size: u64 = checkpoint.head.size,
        "time" time: Timestamp,
        "top" top: ChainHash = checkpoint.head.top,
    } => {
        let head = TreeHead { size, top, root };
        check_head(&head, ring.as_ref())?;
        Ok(Self { origin, head, ring, note_key, time, identity_id, public_key, signature })
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(Checkpoint);

/// An empty chain has one head, and each change of a ring one entry.
pub(super) fn check_head(head: &TreeHead, ring: Option<&RingHead>) -> Result<(), Error> {
    let range = |field| Err(Error::malformed(field, Problem::Range));
    if head.size == 0 && head.top != ChainHash::ZERO {
        return range("top");
    }
    if head.size == 0 && head.root != TreeHash::empty() {
        return range("root");
    }
    if ring.is_some_and(|ring| ring.revision == 0 || ring.revision > head.size) {
        return range("ring");
    }
    Ok(())
}

/// What a checkpoint says of its log at one moment.
pub(super) struct Stated<'a> {
    pub(super) head: &'a TreeHead,
    pub(super) ring: Option<&'a RingHead>,
    pub(super) note_key: Option<&'a Ed25519PublicKey>,
}

pub(super) fn statement(
    domain: &Domain,
    origin: &str,
    stated: &Stated<'_>,
    time: Timestamp,
    identity_id: &IdentityId,
) -> String {
    let none = || String::from("-");
    let Stated { head, ring, note_key } = stated;
    domain.join(
        Row::Krunica,
        &[
            domain.label(domain::Label::KrunicaCheckpoint),
            VERSION,
            origin,
            &head.size.to_string(),
            &head.top.to_hex(),
            &head.root.to_hex(),
            &ring.map_or_else(none, |ring| ring.revision.to_string()),
            &ring.map_or_else(none, |ring| ring.root.to_hex()),
            &note_key.map_or_else(none, Ed25519PublicKey::to_hex),
            &time.to_string(),
            &identity_id.to_hex(),
        ],
    )
}
