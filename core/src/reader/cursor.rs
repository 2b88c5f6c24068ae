//! The place in a chain up to which it was read.

use crate::error::ChainFault;
use crate::krunica::{Checker, Entry, Head, Links};

/// Where a reader stands: links are checked from here on, and where the tree before is known, it grows.
#[derive(Clone, Debug)]
pub(crate) enum Cursor {
    Tree(Checker),
    Links(Links),
}

impl Cursor {
    /// Goes on from a head.
    pub(super) fn at(head: Head) -> Self {
        Self::Tree(Checker::resume(head))
    }

    /// The number of entries up to here.
    pub(crate) fn size(&self) -> u64 {
        self.links().size
    }

    /// The place, without its tree.
    pub(crate) fn links(&self) -> Links {
        match self {
            Self::Tree(checker) => Links { size: checker.head().size(), top: *checker.head().top() },
            Self::Links(links) => *links,
        }
    }

    /// Whether this place is that of a head, but for the tree.
    pub(crate) fn is_at(&self, head: &Head) -> bool {
        self.links() == Links { size: head.size(), top: *head.top() }
    }

    /// The head up to here, where the tree is known.
    pub(crate) fn head(&self) -> Option<&Head> {
        match self {
            Self::Tree(checker) => Some(checker.head()),
            Self::Links(_) => None,
        }
    }

    pub(super) fn push(&mut self, entry: &Entry) -> Result<(), ChainFault> {
        match self {
            Self::Tree(checker) => checker.push(entry),
            Self::Links(links) => links.push(entry),
        }
    }

    pub(super) fn push_hashed(&mut self, entry: &Entry, hash_holds: bool) -> Result<(), ChainFault> {
        match self {
            Self::Tree(checker) => checker.push_hashed(entry, hash_holds),
            Self::Links(links) => links.push_hashed(entry, hash_holds),
        }
    }

    pub(super) fn push_json(&mut self, text: &[u8]) -> Result<Entry, ChainFault> {
        match self {
            Self::Tree(checker) => checker.push_json(text),
            Self::Links(links) => links.push_json(text),
        }
    }
}
