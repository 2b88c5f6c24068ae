//! A chain, streamed, against a verified checkpoint.

use super::growth::{Growth, agree};
use super::record::Checkpoint;
use crate::error::{CheckpointFault, Error};
use crate::key::RingHead;
use crate::krunica::{Checker, Entry, Head, KrunicaHash, Located};
use crate::verdict::Verified;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Checks a chain entry by entry against a checkpoint, in memory for the entries that it is asked to keep.
///
/// ```
/// # use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
/// # use dualseal::{Domain, Krunica, SigningKey, SystemRng, Timestamp, key::Unprepared};
/// # let domain = Domain::default();
/// # let log = domain.identity_id(b"", "log", "")?;
/// # let key = SigningKey::from_seed(&[5; 32])?;
/// # let signer = CheckpointSigner::new(&domain, "example.org/log", &log, &key)?;
/// # let mut chain = Krunica::new();
/// # let entry = chain.append(&domain, &log, "received", Timestamp::MIN)?;
/// # let first = HighWaterMark::first("example.org/log", chain.head(), None)?;
/// # let signed = signer.sign(&first, Timestamp::MIN, &mut SystemRng)?;
/// # let pins = Pins {
/// #     origin: "example.org/log".into(), identity_id: log, key_hash: *key.public_key().hash(), least_size: 1 };
/// # let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(signed);
/// # let checkpoint = verdict.valid().expect("valid");
/// use dualseal::checkpoint::ChainCheck;
///
/// let wanted = entry.krunica_hash();
/// let mut check = ChainCheck::new(&checkpoint).locate(wanted);
/// for entry in chain.entries() {
///     check.push(entry)?;
/// }
/// let agreed = check.finish()?;
/// assert_eq!(agreed.places()[0].entry().seq(), 0);
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct ChainCheck<'a> {
    checkpoint: &'a Checkpoint,
    checker: Checker,
    keep: Keep<'a>,
    kept: Vec<Entry>,
    /// The head at the size of the checkpoint, which it agrees with.
    there: Option<Head>,
    /// Remembered, so that a caller who goes on after an error is given no proof.
    fault: Option<CheckpointFault>,
}

/// A check may go from thread to thread with its connection.
type Keep<'a> = Box<dyn FnMut(&Entry) -> bool + Send + 'a>;

impl<'a> ChainCheck<'a> {
    /// Begins at seq 0.
    #[must_use]
    pub fn new(checkpoint: &'a Verified<Checkpoint>) -> Self {
        let (checkpoint, keep) = (checkpoint.record(), Box::new(|_: &Entry| false));
        // Of an empty chain a checkpoint has the only head.
        let there = (checkpoint.head.size == 0).then_some(Head::EMPTY);
        Self { checkpoint, checker: Checker::new(), keep, kept: Vec::new(), there, fault: None }
    }

    /// Begins where the checkpoint ends, at the head that was stored for it: the entries since then are shown to go on
    /// from it. That is what the log's own signer needs; nothing is located this way.
    ///
    /// # Errors
    /// [`CheckpointFault`] when it is not the head that was signed.
    pub fn resume(checkpoint: &'a Verified<Checkpoint>, head: &Head) -> Result<Self, Error> {
        agree(&checkpoint.record().head, head)?;
        let (checker, there) = (Checker::resume(head.clone()), Some(head.clone()));
        Ok(Self { checker, there, ..Self::new(checkpoint) })
    }

    /// Keeps the entry with this handle.
    #[must_use]
    pub fn locate(self, wanted: KrunicaHash) -> Self {
        self.keeping(move |entry| entry.krunica_hash() == wanted)
    }

    /// Keeps the entries of which `keep` says so; replaces what was asked before.
    #[must_use]
    pub fn keeping(mut self, keep: impl FnMut(&Entry) -> bool + Send + 'a) -> Self {
        self.keep = Box::new(keep);
        self
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// [`ChainFault`](crate::error::ChainFault) for a broken chain, [`CheckpointFault`] from the entry on where it is
    /// found to be another chain.
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        self.checker.push(entry)?;
        self.after(entry)
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = self.checker.push_json(text)?;
        self.after(&entry)?;
        Ok(entry)
    }

    /// Where the entries so far end.
    #[must_use]
    pub fn head(&self) -> &Head {
        self.checker.head()
    }

    /// Ends the chain.
    ///
    /// # Errors
    /// [`CheckpointFault::Truncated`] when it has fewer entries than the checkpoint covers, and again what was found
    /// before.
    pub fn finish(self) -> Result<AgreedChain, Error> {
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        let (size, head) = (self.checkpoint.head.size, self.checker.into_head());
        let there = self.there.ok_or(CheckpointFault::Truncated { size, found: head.size() })?;
        let origin = self.checkpoint.origin.clone();
        let places = self.kept.into_iter().map(|entry| Located::new(&origin, entry)).collect();
        Ok(AgreedChain { origin, there, head, places })
    }

    /// The size of the checkpoint, and the ring that it states.
    pub(super) fn stated_ring(&self) -> (u64, Option<RingHead>) {
        (self.checkpoint.head.size, self.checkpoint.ring)
    }

    fn after(&mut self, entry: &Entry) -> Result<(), Error> {
        let (signed, head) = (&self.checkpoint.head, self.checker.head());
        let size = signed.size;
        if head.size() == size {
            match agree(signed, head) {
                Ok(()) => self.there = Some(head.clone()),
                Err(fault) => self.fault = Some(fault),
            }
        }
        if let Some(fault) = self.fault {
            return Err(fault.into());
        }
        // Beyond the checkpoint nothing is proven.
        if entry.seq() < size && (self.keep)(entry) {
            self.kept.push(entry.clone());
        }
        Ok(())
    }
}

impl fmt::Debug for ChainCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChainCheck").field("head", &self.checker.head()).finish_non_exhaustive()
    }
}

/// A chain that was shown to agree with a verified checkpoint of its log. Nothing else can make one.
#[derive(Clone, Debug)]
pub struct AgreedChain {
    origin: String,
    there: Head,
    head: Head,
    places: Vec<Located>,
}

impl AgreedChain {
    /// The name of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The number of entries that the checkpoint covers.
    #[must_use]
    pub fn covered(&self) -> u64 {
        self.there.size()
    }

    /// The head that the checkpoint signed: what a later check begins with.
    #[must_use]
    pub fn signed_head(&self) -> &Head {
        &self.there
    }

    /// That the whole chain goes on from what the checkpoint signed.
    #[must_use]
    pub fn growth(&self) -> Growth {
        Growth::new(self.there.tree_head(), self.head.clone())
    }

    /// The head of the whole chain, entries beyond the checkpoint included.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The entries that were kept, in order, each with the proof of its place.
    #[must_use]
    pub fn places(&self) -> &[Located] {
        &self.places
    }
}
