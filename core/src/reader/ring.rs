//! A ring file against the chain that vouches for it, so that an old ring or an edited one is found out.

use super::chain::ChainReader;
use super::cursor::Cursor;
use super::proofs::Watched;
use super::watcher::{Ended, Watcher};
use crate::error::{Error, Misuse, RingFault};
use crate::id::IdentityId;
use crate::key::{CheckedRing, RingEntry, RingFile, RingHead, RingKey, Trees};
use crate::krunica::{Entry, Ignored};
use crate::tree::TreeHash;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use subtle::ConstantTimeEq;

/// Follows the changes of a ring.
struct Vouched<'a> {
    file: RingFile,
    authority: RingKey,
    trees: Trees,
    is_record: Box<dyn FnMut(&Entry) -> bool + Send + 'a>,
    last: BTreeMap<IdentityId, LastEntry>,
    revision: u64,
    /// That of the last entry that counts.
    root: Option<TreeHash>,
    /// The size of the checkpoint, and the ring that it states.
    stated: Option<(u64, Option<RingHead>)>,
    below: Below,
    /// Whether the revisions follow each other. A change that was made on a restored ring breaks the order: its tag and
    /// mac alone would still hold.
    ordered: bool,
    /// Whether the chain was at the file's size what the file says.
    same_top: bool,
    /// Whether a vault record's entry stands at or beyond the file's size: its decoy is not in the file.
    later_record: bool,
    ignored: Ignored,
}

/// The ring as the last entry below the checkpoint's size states it.
enum Below {
    Stated(Option<RingHead>),
    /// Reading began after that entry, and the ring was changed since.
    Unknown,
}

struct LastEntry {
    revision: u64,
    tag: String,
}

/// A ring that its chain vouches for, and what that chain holds beside.
#[derive(Clone, Debug)]
pub struct FoundRing {
    ring: CheckedRing,
    ignored: Ignored,
}

impl FoundRing {
    /// The ring.
    #[must_use]
    pub fn ring(&self) -> &CheckedRing {
        &self.ring
    }

    /// The ring, to be changed.
    #[must_use]
    pub fn into_ring(self) -> CheckedRing {
        self.ring
    }

    /// The entries that begin as ring entries and are none of this ring's: nobody who lacks the ring key can write one
    /// that counts, and a good one repeated elsewhere does not count there.
    #[must_use]
    pub fn ignored(&self) -> &Ignored {
        &self.ignored
    }
}

impl<'a> ChainReader<'a> {
    /// The ring of a file, held against the chain that vouches for it: from the chain's beginning, or from any place
    /// that is not after the file's end. `is_record` says whether an entry is that of a vault record whose tag holds,
    /// by every vault master of the log. Entries beyond the checkpoint count too: a ring that is older than they are is
    /// old.
    ///
    /// Its fault is [`RingFault::Misstated`] when the checkpoint states another ring than the last entry below its
    /// size, [`RingFault::Rollback`] when a change or a vault record that counts came after the file was written,
    /// [`RingFault::Forged`] for every other difference; [`Misuse::LateStart`] where reading began after that entry.
    ///
    /// # Errors
    /// [`RingFault::Forged`] when the file's MAC does not hold; [`Misuse::OtherOrigin`] for the ring of another log;
    /// [`Misuse::NoEnd`] without a checkpoint or a head to end at; [`Misuse::LateStart`] when the reader begins after
    /// the file's end.
    pub fn ring(
        &mut self,
        file: RingFile,
        authority: &RingKey,
        is_record: impl FnMut(&Entry) -> bool + Send + 'a,
    ) -> Result<Watched<FoundRing>, Error> {
        if self.origin().is_some_and(|origin| origin != file.origin()) {
            return Err(Misuse::OtherOrigin.into());
        }
        if !self.has_end() {
            return Err(Misuse::NoEnd.into());
        }
        let trees = file.trees(authority).ok_or(RingFault::Forged { identity_id: None })?;
        let (begun, end) = (self.begun().links(), file.end());
        if begun.size > end.size {
            return Err(Misuse::LateStart.into());
        }
        let same_top = begun.size < end.size || begun == end;
        let revision = file.revision_before(begun.size);
        let stated = self.checkpoint().map(|checkpoint| (checkpoint.tree_head().size, checkpoint.ring().copied()));
        let below = match revision {
            0 => Below::Stated(None),
            _ if revision == file.revision() => Below::Stated(Some(RingHead { revision, root: trees.ring_root() })),
            _ => Below::Unknown,
        };
        self.watch(Vouched {
            file,
            authority: authority.shared(),
            trees,
            is_record: Box::new(is_record),
            last: BTreeMap::new(),
            revision,
            root: None,
            stated,
            below,
            ordered: true,
            same_top,
            later_record: false,
            ignored: Ignored::default(),
        })
    }
}

impl Watcher for Vouched<'_> {
    type Proof = FoundRing;

    fn take(&mut self, entry: &Entry, after: &Cursor) {
        match self.authority.judge(entry) {
            None => self.later_record |= entry.seq() >= self.file.size() && (self.is_record)(entry),
            Some(Err(reason)) => self.ignored.push(entry.seq(), reason),
            Some(Ok(RingEntry { revision, tag, root })) => {
                self.ordered &= Some(revision) == self.revision.checked_add(1);
                self.revision = self.revision.max(revision);
                self.root = Some(root);
                if self.stated.is_some_and(|(size, _)| entry.seq() < size) {
                    self.below = Below::Stated(Some(RingHead { revision, root }));
                }
                self.last.insert(*entry.identity_id(), LastEntry { revision, tag: tag.to_string() });
            }
        }
        let end = self.file.end();
        if after.size() == end.size {
            self.same_top = after.links() == end;
        }
    }

    fn finish(self, ended: &Ended<'_>) -> Result<FoundRing, Error> {
        let forged = |identity_id: Option<&IdentityId>| {
            Err(RingFault::Forged { identity_id: identity_id.map(ToString::to_string) }.into())
        };
        if let Some((size, stated)) = self.stated {
            let Below::Stated(below) = self.below else { return Err(Misuse::LateStart.into()) };
            if below != stated {
                return Err(RingFault::Misstated { size }.into());
            }
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
        if !self.ordered || self.revision != revision || !self.same_top || ended.end.size < self.file.size() {
            return forged(None);
        }
        if self.root.is_some_and(|root| root != self.trees.ring_root()) {
            return forged(None);
        }
        let ring = CheckedRing::of(self.file, self.authority, self.trees, ended.end);
        Ok(FoundRing { ring, ignored: self.ignored })
    }
}
