//! The proof that an entry stands at its place, in log2(n) hashes for n entries: without the rest of the chain.

use super::record::Checkpoint;
use crate::encoding::record::{self, record};
use crate::error::{ChainFault, ChainProblem, Error, EvidenceFault};
use crate::krunica::{Entry, Located};
use crate::tree::{TreeHash, holds_leaf, path_length};
use crate::verdict::Verified;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// An entry with the path from its leaf to the root that a checkpoint signs: `{"checkpoint","entry","path"}`. It shows
/// that the entry is in the tree, and not that the chain before it holds together: whoever reads all entries shows
/// that.
///
/// ```
/// # use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
/// # use dualseal::{Domain, Krunica, SigningKey, SystemRng, Timestamp, key::Unprepared};
/// # use dualseal::tree::{Frontier, NodeReader, TreeHash};
/// # struct Nodes(std::collections::BTreeMap<(u8, u64), TreeHash>);
/// # impl NodeReader for Nodes {
/// #     type Error = dualseal::Error;
/// #     fn node(&mut self, level: u8, index: u64) -> Result<TreeHash, dualseal::Error> { Ok(self.0[&(level, index)]) }
/// # }
/// # let domain = Domain::default();
/// # let log = domain.identity_id(b"", "log", "")?;
/// # let key = SigningKey::from_seed(&[5; 32])?;
/// # let signer = CheckpointSigner::new(&domain, "example.org/log", &log, &key)?;
/// # let mut chain = Krunica::new();
/// # for message in ["received", "paid", "sent"] { chain.append(&domain, &log, message, Timestamp::MIN)?; }
/// # let (mut frontier, mut nodes) = (Frontier::new(), Nodes(Default::default()));
/// # for entry in chain.entries() {
/// #     frontier.push_noting(entry.leaf_hash(), |level, index, root| { nodes.0.insert((level, index), *root); });
/// # }
/// # let entry = &chain.entries()[1];
/// # let first = HighWaterMark::first("example.org/log", chain.head(), None)?;
/// # let signed = signer.sign(&first, Timestamp::MIN, &mut SystemRng)?;
/// # let pins = Pins {
/// #     origin: "example.org/log".into(), identity_id: log, key_hash: *key.public_key().hash(), least_size: 1 };
/// # let verifier = CheckpointVerifier::new(&domain, &pins, None, &Unprepared);
/// use dualseal::checkpoint::PlaceProof;
/// use dualseal::tree::prove_leaf;
///
/// // The log's operator, from the nodes of its tree.
/// let path = prove_leaf(&mut nodes, 3, entry.seq())?.expect("below the size");
/// let proof = PlaceProof::new(signed, entry.clone(), path)?;
///
/// // Anybody who knows the log's key.
/// let read = PlaceProof::from_json(proof.to_json().as_bytes())?;
/// let checkpoint = verifier.verify(read.checkpoint().clone()).valid().expect("valid");
/// assert_eq!(read.verify(&checkpoint)?.entry().message(), "paid");
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceProof {
    /// Many proofs under one checkpoint hold it together.
    checkpoint: Arc<Checkpoint>,
    entry: Entry,
    path: Vec<TreeHash>,
}

record! {
    |proof: PlaceProof| "place proof" {
        "checkpoint" checkpoint: Checkpoint,
        "entry" entry: Entry,
        "path" path: Vec<TreeHash>,
    } => { Ok(Self { checkpoint: Arc::new(checkpoint), entry, path }) }
}

impl PlaceProof {
    /// A proof by its parts; the path is what [`prove_leaf`](crate::tree::prove_leaf) gives.
    ///
    /// # Errors
    /// As [`verify`](Self::verify): what does not hold is not given out.
    pub fn new(checkpoint: Checkpoint, entry: Entry, path: Vec<TreeHash>) -> Result<Self, Error> {
        Self::under(Arc::new(checkpoint), entry, path)
    }

    /// As [`new`](Self::new), under a checkpoint that other proofs hold too.
    pub(crate) fn under(checkpoint: Arc<Checkpoint>, entry: Entry, path: Vec<TreeHash>) -> Result<Self, Error> {
        stands(&checkpoint, &entry, &path)?;
        Ok(Self { checkpoint, entry, path })
    }

    /// The checkpoint that came with it, which proves nothing before it was verified.
    #[must_use]
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The entry that it is about.
    #[must_use]
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The path, from the leaf's sibling to the root's child.
    #[must_use]
    pub fn path(&self) -> &[TreeHash] {
        &self.path
    }

    /// Verifies it under its own checkpoint, once that is verified, or under any other of the same log and size.
    ///
    /// # Errors
    /// [`EvidenceFault::ForeignPlace`] and [`EvidenceFault::PlaceSize`] for the proof of another log or size;
    /// [`EvidenceFault::Beyond`] for an entry that the checkpoint does not cover; [`EvidenceFault::PathLength`] for a
    /// path that is too long or too short for its place; [`ChainProblem::Hash`] for an entry whose own hash does not
    /// hold; [`EvidenceFault::Path`] where the path leads to another root.
    pub fn verify(&self, checkpoint: &Verified<Checkpoint>) -> Result<Located, Error> {
        let checkpoint = checkpoint.record();
        if checkpoint.origin() != self.checkpoint.origin() {
            return Err(EvidenceFault::ForeignPlace.into());
        }
        let (size, found) = (checkpoint.tree_head().size, self.checkpoint.tree_head().size);
        if size != found {
            return Err(EvidenceFault::PlaceSize { size, found }.into());
        }
        stands(checkpoint, &self.entry, &self.path)?;
        Ok(Located::new(checkpoint.origin(), self.entry.clone()))
    }

    /// Canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads the JSON, in any spacing and member order.
    ///
    /// # Errors
    /// Names the member that is missing, unknown, duplicate or of the wrong form.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(PlaceProof);

/// Whether an entry stands at its place in the tree of a checkpoint.
pub(crate) fn stands(checkpoint: &Checkpoint, entry: &Entry, path: &[TreeHash]) -> Result<(), Error> {
    let (head, seq) = (checkpoint.tree_head(), entry.seq());
    let needed = path_length(head.size, seq).ok_or(EvidenceFault::Beyond { seq, size: head.size })?;
    if path.len() != needed {
        return Err(EvidenceFault::PathLength { needed, found: path.len() }.into());
    }
    if !entry.hash_holds() {
        return Err(ChainFault { seq, problem: ChainProblem::Hash }.into());
    }
    if !holds_leaf(&head.root, head.size, seq, &entry.leaf_hash(), path) {
        return Err(EvidenceFault::Path { seq }.into());
    }
    Ok(())
}
