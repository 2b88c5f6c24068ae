//! Entries that have the beginning of one of the library's own messages and count for nothing.

use crate::encoding::json::written;
use alloc::string::String;
use alloc::vec::Vec;

/// Why an entry does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IgnoredReason {
    /// Its message has not the form that its beginning promises.
    Form,
    /// Its tag or mac does not hold at this place: somebody without the key wrote it, or repeated a good one.
    Tag,
    /// An earlier entry says the same, or brought the same generation.
    Repeated,
    /// Of a session: it stands before the founding that the caller pinned.
    BeforeFounder,
    /// Of a session: its record is not at hand, so that nobody knows what it says.
    NoRecord,
    /// It replaces another generation than the one in force there: a second one that was prepared from the same, or one
    /// after the last.
    Predecessor,
    /// Of a session: its record changes what never changes.
    Changed,
    /// Of a session: the quorum's key was revoked by then.
    Revoked,
    /// Of a session: its authority is missing, or does not hold.
    ForgedGeneration,
    /// Nobody here holds the key for its tag, and no record at hand is its.
    Unverified,
}

impl IgnoredReason {
    /// The name in every language.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Tag => "tag",
            Self::Repeated => "repeated",
            Self::BeforeFounder => "before-founder",
            Self::NoRecord => "no-record",
            Self::Predecessor => "predecessor",
            Self::Changed => "changed",
            Self::Revoked => "revoked",
            Self::ForgedGeneration => "forged-generation",
            Self::Unverified => "unverified",
        }
    }
}

/// An entry that does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct IgnoredEntry {
    /// Its position in the chain.
    pub seq: u64,
    /// Why it does not count.
    pub reason: IgnoredReason,
}

/// The entries that do not count: anybody who may write to a log can write such entries, so they stop nothing and
/// blame nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ignored {
    entries: Vec<IgnoredEntry>,
    more: u64,
}

impl Ignored {
    /// Of so many there is a list; the rest are counted.
    pub const LISTED: usize = 1000;

    /// The first of them, in the order in which they were found.
    #[must_use]
    pub fn entries(&self) -> &[IgnoredEntry] {
        &self.entries
    }

    /// How many there are beside those that are listed.
    #[must_use]
    pub fn more(&self) -> u64 {
        self.more
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Canonical JSON: `{"entries":[{"reason":…,"seq":…},…],"more":…}`.
    #[must_use]
    pub fn to_json(&self) -> String {
        written(|out| {
            out.open("{");
            out.name("entries");
            out.open("[");
            for IgnoredEntry { seq, reason } in &self.entries {
                out.item();
                out.open("{");
                out.name("reason");
                out.text(reason.as_str());
                out.name("seq");
                out.integer(seq);
                out.close("}");
            }
            out.close("]");
            out.name("more");
            out.integer(self.more);
            out.close("}");
        })
    }

    pub(crate) fn push(&mut self, seq: u64, reason: IgnoredReason) {
        if self.entries.len() < Self::LISTED {
            self.entries.push(IgnoredEntry { seq, reason });
        } else {
            self.more = self.more.saturating_add(1);
        }
    }
}
