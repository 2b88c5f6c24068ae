//! A ring file against the chain that vouches for it, so that an old ring or an edited one is found out.

use super::agreement::ChainCheck;
use super::record::Checkpoint;
use crate::error::{ChainFault, ChainProblem, Error, Misuse, RingFault};
use crate::id::IdentityId;
use crate::key::{CheckedRing, RingEntry, RingFile, RingHead, RingKey, Trees};
use crate::krunica::{ChainHash, Entry, Head, Ignored, Links};
use crate::tree::TreeHash;
use crate::verdict::Verified;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use core::fmt;
use subtle::ConstantTimeEq;

/// Streams a chain past a ring file, and makes a [`CheckedRing`] of it: from seq 0 under a checkpoint
/// ([`new`](Self::new)), or from where the chain ended when the file was written ([`resume`](Self::resume)), which is
/// what each change needs. The file's MAC is looked at first. Entries beyond the checkpoint count too: a ring that is
/// older than they are is old.
///
/// ```
/// use dualseal::checkpoint::RingCheck;
/// use dualseal::key::{CheckedRing, RingFile};
/// # use dualseal::{Domain, Head, RingKey, SigningKey, secret::Secret};
/// # let domain = Domain::default();
/// # let ana = domain.identity_id(b"", "ana", "")?;
/// # let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32])?);
/// # let mut ring = CheckedRing::new("example.org/log", &authority)?;
/// # let t = "2026-11-21T09:00:00.000Z".parse()?;
/// # let added = ring.add(&ana, SigningKey::from_seed(&[7; 32])?.public_key().clone(), &Head::EMPTY, t)?;
/// # let stored = ring.to_stored_json(&added.head)?;
/// # let (head, later) = (added.head, Vec::<dualseal::Entry>::new());
/// let file = RingFile::from_json(stored.as_bytes())?;
/// // Where vaults have records in this log: whether any of their masters vouches for the entry.
/// let mut check = RingCheck::resume(file, &authority, &head, |_| false)?;
/// for entry in &later {
///     check.push(entry)?;
/// }
/// let ring: CheckedRing = check.finish()?;
/// # assert_eq!(ring.revision(), 1);
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct RingCheck<'a> {
    file: RingFile,
    authority: RingKey,
    trees: Trees,
    chain: Chain<'a>,
    is_record: Box<dyn FnMut(&Entry) -> bool + Send + 'a>,
    last: BTreeMap<IdentityId, LastEntry>,
    revision: u64,
    /// That of the last entry that counts.
    root: Option<TreeHash>,
    /// The ring as the last one below the checkpoint's size states it.
    below: Option<RingHead>,
    /// Whether the revisions were 1, 2, 3 and so on. A change that was made on a restored ring breaks the order: its
    /// tag and mac alone would still hold.
    ordered: bool,
    /// Whether the chain was at the file's size what the file says.
    same_top: bool,
    /// Whether a vault record's entry stands at or beyond the file's size: its decoy is not in the file.
    later_record: bool,
    ignored: Ignored,
}

enum Chain<'a> {
    Whole(ChainCheck<'a>),
    /// With where it is to end.
    Own(Links, Head),
}

struct LastEntry {
    revision: u64,
    tag: String,
}

impl<'a> RingCheck<'a> {
    /// Begins at seq 0 of a chain under a checkpoint. `is_record` says whether an entry is that of a vault record whose
    /// tag holds, by every vault master of the log.
    ///
    /// # Errors
    /// [`RingFault::Forged`] when the file's MAC does not hold, [`Misuse::OtherOrigin`] for the ring of another log.
    pub fn new(
        file: RingFile,
        authority: &RingKey,
        checkpoint: &'a Verified<Checkpoint>,
        is_record: impl FnMut(&Entry) -> bool + Send + 'a,
    ) -> Result<Self, Error> {
        if file.origin() != checkpoint.record().origin() {
            return Err(Misuse::OtherOrigin.into());
        }
        Self::begin(file, authority, Chain::Whole(ChainCheck::new(checkpoint)), is_record)
    }

    /// Begins at the file's size, in a chain that ends at `head` by the caller's own word: what is before it was looked
    /// at when the file was written.
    ///
    /// # Errors
    /// [`RingFault::Forged`] when the file's MAC does not hold.
    pub fn resume(
        file: RingFile,
        authority: &RingKey,
        head: &Head,
        is_record: impl FnMut(&Entry) -> bool + Send + 'a,
    ) -> Result<Self, Error> {
        let begin = file.end();
        Self::begin(file, authority, Chain::Own(begin, head.clone()), is_record)
    }

    /// Begins at seq 0 of a chain that ends at `head` by the caller's own word, where there is no checkpoint to trust.
    ///
    /// # Errors
    /// [`RingFault::Forged`] when the file's MAC does not hold.
    pub fn whole(
        file: RingFile,
        authority: &RingKey,
        head: &Head,
        is_record: impl FnMut(&Entry) -> bool + Send + 'a,
    ) -> Result<Self, Error> {
        let begin = Links { size: 0, top: ChainHash::ZERO };
        let check = Self::begin(file, authority, Chain::Own(begin, head.clone()), is_record)?;
        let same_top = check.file.size() != 0 || check.file.end() == begin;
        Ok(Self { revision: 0, same_top, ..check })
    }

    fn begin(
        file: RingFile,
        authority: &RingKey,
        chain: Chain<'a>,
        is_record: impl FnMut(&Entry) -> bool + Send + 'a,
    ) -> Result<Self, Error> {
        let trees = file.trees(authority).ok_or(RingFault::Forged { identity_id: None })?;
        let (revision, same_top) = match chain {
            Chain::Whole(_) => (0, file.size() != 0 || file.end().top == ChainHash::ZERO),
            Chain::Own(..) => (file.revision(), true),
        };
        Ok(Self {
            file,
            authority: authority.shared(),
            trees,
            chain,
            is_record: Box::new(is_record),
            last: BTreeMap::new(),
            revision,
            root: None,
            below: None,
            ordered: true,
            same_top,
            later_record: false,
            ignored: Ignored::default(),
        })
    }

    /// Takes the next entry.
    ///
    /// # Errors
    /// As [`ChainCheck::push`].
    pub fn push(&mut self, entry: &Entry) -> Result<(), Error> {
        match &mut self.chain {
            Chain::Whole(chain) => chain.push(entry)?,
            Chain::Own(chain, _) => chain.push(entry).map_err(|fault| later(&self.file, chain, fault))?,
        }
        self.note(entry);
        Ok(())
    }

    /// Takes the next entry as JSON text, without `seq`.
    ///
    /// # Errors
    /// As [`ChainCheck::push`].
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, Error> {
        let entry = match &mut self.chain {
            Chain::Whole(chain) => chain.push_json(text)?,
            Chain::Own(chain, _) => chain.push_json(text).map_err(|fault| later(&self.file, chain, fault))?,
        };
        self.note(&entry);
        Ok(entry)
    }

    /// Where the entries so far end; `None` without a checkpoint: the caller named the end, and the tree before it
    /// is not known.
    #[must_use]
    pub fn head(&self) -> Option<&Head> {
        match &self.chain {
            Chain::Whole(chain) => Some(chain.head()),
            Chain::Own(..) => None,
        }
    }

    /// The entries so far that begin as ring entries and are none of this ring's: nobody who lacks the ring key can
    /// write one that counts, and a good one repeated elsewhere does not count there.
    #[must_use]
    pub fn ignored(&self) -> &Ignored {
        &self.ignored
    }

    /// Ends the chain and compares the ring with what it says.
    ///
    /// # Errors
    /// [`RingFault::Rollback`] when a change or a vault record that counts came after the file was written,
    /// [`RingFault::Forged`] for every other difference, [`RingFault::Misstated`] when the checkpoint states another
    /// ring than the last entry that counts below it, and as [`ChainCheck::finish`].
    pub fn finish(self) -> Result<CheckedRing, Error> {
        let forged = |identity_id: Option<&IdentityId>| {
            Err(RingFault::Forged { identity_id: identity_id.map(ToString::to_string) }.into())
        };
        let found = match &self.chain {
            Chain::Whole(chain) => chain.head().size(),
            Chain::Own(chain, _) => chain.size,
        };
        let stated = self.stated();
        let ends = match self.chain {
            Chain::Whole(chain) => {
                chain.finish()?;
                true
            }
            Chain::Own(chain, head) => chain == Links { size: head.size(), top: *head.top() },
        };
        if let Some((size, _)) = stated.filter(|(_, ring)| *ring != self.below) {
            return Err(RingFault::Misstated { size }.into());
        }
        let revision = self.file.revision();
        if self.revision > revision || self.later_record {
            return Err(RingFault::Rollback { ring: revision, chain: self.revision }.into());
        }
        for (identity_id, last) in &self.last {
            let expected = self.file.ring.expected(&self.authority, identity_id, last.revision);
            let same = expected.is_some_and(|expected| expected.as_bytes().ct_eq(last.tag.as_bytes()).into());
            if !same {
                return forged(Some(identity_id));
            }
        }
        if !ends || !self.ordered || self.revision != revision || !self.same_top || found < self.file.size() {
            return forged(None);
        }
        if self.root.is_some_and(|root| root != self.trees.ring_root()) {
            return forged(None);
        }
        Ok(CheckedRing::of(self.file, self.authority, self.trees, found))
    }

    /// The size of the checkpoint, and the ring that it states.
    fn stated(&self) -> Option<(u64, Option<RingHead>)> {
        match &self.chain {
            Chain::Whole(chain) => Some(chain.stated_ring()),
            Chain::Own(..) => None,
        }
    }

    fn note(&mut self, entry: &Entry) {
        match self.authority.judge(entry) {
            None => self.later_record |= entry.seq() >= self.file.size() && (self.is_record)(entry),
            Some(Err(reason)) => self.ignored.push(entry.seq(), reason),
            Some(Ok(RingEntry { revision, tag, root })) => {
                self.ordered &= Some(revision) == self.revision.checked_add(1);
                self.revision = self.revision.max(revision);
                self.root = Some(root);
                if self.stated().is_some_and(|(size, _)| entry.seq() < size) {
                    self.below = Some(RingHead { revision, root });
                }
                self.last.insert(*entry.identity_id(), LastEntry { revision, tag: tag.to_string() });
            }
        }
        if entry.seq().checked_add(1) == Some(self.file.size()) {
            self.same_top = *entry.hash() == self.file.end().top;
        }
    }
}

/// The first entry after a ring file that does not go on from its top: the chain is another one than the file's.
fn later(file: &RingFile, chain: &Links, fault: ChainFault) -> Error {
    if fault.problem == ChainProblem::Prev && chain.size == file.size() && chain.size != 0 {
        return RingFault::Forged { identity_id: None }.into();
    }
    fault.into()
}

impl fmt::Debug for RingCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RingCheck").field("file", &self.file).field("head", &self.head()).finish_non_exhaustive()
    }
}
