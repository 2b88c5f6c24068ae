//! Where a chain ends: what is kept to append to it, and what of that is signed.

use super::{ChainHash, Entry, Line};
use crate::domain::Domain;
use crate::encoding::json::MAX_INTEGER;
use crate::encoding::record::{self, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Misuse, Problem};
use crate::id::IdentityId;
use crate::tree::{Frontier, TreeHash};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Where a chain ends: all that is needed to append to it, at most 53 hashes of its tree among them. Appending adds a
/// leaf to them in O(1) hashes on average.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    top: ChainHash,
    frontier: Frontier,
}

/// What a checkpoint signs of a head: how many entries there are, the hash of the last one, and the root of the tree
/// over all of them, times included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeHead {
    /// The number of entries.
    pub size: u64,
    /// The hash of the last one; zeros when there is none.
    pub top: ChainHash,
    /// The root of the tree over the leaves of all ([`Entry::leaf`]).
    pub root: TreeHash,
}

record! {
    |head: Head| "head" {
        "frontier" frontier: Vec<TreeHash> = head.frontier.hashes().to_vec(),
        "size" size: u64 = head.size(),
        "top" top: ChainHash,
    } => { Self::from_parts(size, top, &frontier) }
}

impl Head {
    /// The head of an empty chain.
    pub const EMPTY: Self = Self { top: ChainHash::ZERO, frontier: Frontier::new() };

    /// A head that the caller stored: the number of entries, the hash of the last one, and the roots of the full
    /// subtrees, left to right. A wrong one starts another chain: only its form is checked here.
    ///
    /// # Errors
    /// [`Problem::Range`] for `frontier` unless it has as many hashes as `size` has ones in binary, for `top` of an
    /// empty chain that is not zeros, and for a `size` above 2^53-1.
    pub fn from_parts(size: u64, top: ChainHash, frontier: &[TreeHash]) -> Result<Self, Error> {
        let range = |field| Error::malformed(field, Problem::Range);
        if size > MAX_INTEGER.unsigned_abs() {
            return Err(range("size"));
        }
        if size == 0 && top != ChainHash::ZERO {
            return Err(range("top"));
        }
        let frontier = Frontier::from_parts(size, frontier).ok_or_else(|| range("frontier"))?;
        Ok(Self { top, frontier })
    }

    /// Reads what [`to_json`](Self::to_json) writes.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or of the wrong form, and as [`from_parts`](Self::from_parts).
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    /// The head as its holder stores it: `{"frontier":[…],"size":…,"top":…}`, canonical JSON of at most 4 kB.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// The number of entries, which is the `seq` of the next one.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// The hash of the last entry; zeros when there is none.
    #[must_use]
    pub fn top(&self) -> &ChainHash {
        &self.top
    }

    /// The right edge of the tree over all entries.
    #[must_use]
    pub fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// The root of the tree, in at most 52 hashes.
    #[must_use]
    pub fn root(&self) -> TreeHash {
        self.frontier.root()
    }

    /// What a checkpoint signs of it.
    #[must_use]
    pub fn tree_head(&self) -> TreeHead {
        TreeHead { size: self.size(), top: self.top, root: self.root() }
    }

    /// Makes the next entry. The caller stores the entry and the new head, both or neither, and lets no one else append
    /// in between. The domain is that of the log: the messages that only its library makes are known by its prefixes.
    ///
    /// ```
    /// use dualseal::{Domain, Head};
    ///
    /// let domain = Domain::default();
    /// let ana = domain.identity_id(b"", "ana", "")?;
    /// let one = Head::EMPTY.append(&domain, &ana, "received", "2026-11-21T09:00:00.000Z".parse()?)?;
    /// let two = one.head.append(&domain, &ana, "paid", "2026-11-22T09:00:00.000Z".parse()?)?;
    /// assert_eq!(two.entry.prev(), one.entry.hash());
    /// assert_eq!(Head::from_json(two.head.to_json().as_bytes())?, two.head);
    /// # Ok::<(), dualseal::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Misuse::ReservedMessage`] for a message that begins with one of the domain's prefixes and `::`;
    /// [`Misuse::CounterExhausted`] at 2^53-1 entries.
    pub fn append(
        &self,
        domain: &Domain,
        identity_id: &IdentityId,
        message: &str,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        if domain.is_reserved(message) {
            return Err(Misuse::ReservedMessage.into());
        }
        self.append_own(identity_id, message, time)
    }

    /// Before an operation that costs something and then appends.
    pub(crate) fn check_room(&self) -> Result<(), Error> {
        if self.size() >= MAX_INTEGER.unsigned_abs() { Err(Misuse::CounterExhausted.into()) } else { Ok(()) }
    }

    /// As [`append`](Self::append), for the messages that this library builds.
    pub(crate) fn append_own(
        &self,
        identity_id: &IdentityId,
        message: &str,
        time: Timestamp,
    ) -> Result<Appended, Error> {
        self.check_room()?;
        let (seq, prev) = (self.size(), self.top);
        let hash = Entry::compute_hash(seq, identity_id, message, &prev);
        let entry =
            Entry { seq, line: Line { identity_id: *identity_id, message: message.to_string(), prev, time, hash } };
        let mut head = self.clone();
        head.advance(&entry);
        Ok(Appended { entry, head })
    }

    /// Goes on over an entry that was checked or made here, of which there are at most 2^53-1.
    pub(super) fn advance(&mut self, entry: &Entry) {
        self.frontier.push(entry.leaf_hash());
        self.top = *entry.hash();
    }
}

impl Default for Head {
    fn default() -> Self {
        Self::EMPTY
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(Head);

impl TreeHead {
    /// Whether the chain that ends at this head is the one that was signed.
    #[must_use]
    pub fn is_of(&self, head: &Head) -> bool {
        *self == head.tree_head()
    }
}

/// An entry and the head after it, to be stored together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// The new entry.
    pub entry: Entry,
    /// The head after it.
    pub head: Head,
}
