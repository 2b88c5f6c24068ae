//! The streaming check: entry by entry, in constant memory, naming the first bad one and why.

use super::portion::{ENTRIES, Portion};
use super::{ChainHash, Entry, Head, Line};
use crate::encoding::json::{MAX_INTEGER, Outline, Raw};
use crate::encoding::record::{self, Form};
use crate::error::{ChainFault, ChainProblem};
use alloc::vec::Vec;

/// Checks entries as they come. After a fault it stays where it was: what follows a bad entry proves nothing.
///
/// ```
/// use dualseal::krunica::{Checker, Krunica};
/// use dualseal::Domain;
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let mut chain = Krunica::new();
/// chain.append(&domain, &ana, "received", "2026-11-21T09:00:00.000Z".parse()?)?;
///
/// let mut checker = Checker::new();
/// for entry in chain.entries() {
///     checker.push(entry)?;
/// }
/// assert_eq!(checker.head(), chain.head());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Checker {
    head: Head,
}

impl Checker {
    /// Begins at seq 0.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes on from a head that was checked before and kept where nobody else writes.
    #[must_use]
    pub fn resume(head: Head) -> Self {
        Self { head }
    }

    /// Checks the next entry.
    ///
    /// # Errors
    /// Names this entry, and of several faults the first in the order `format` (of its position), `prev`, `h`.
    pub fn push(&mut self, entry: &Entry) -> Result<(), ChainFault> {
        self.links().check(entry)?;
        self.head.advance(entry);
        Ok(())
    }

    /// Checks the next entry as JSON text, without `seq`, as it stands in a list or on a line.
    ///
    /// # Errors
    /// Names this entry; of several faults the first in the order members, `prev`, format, `h`.
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, ChainFault> {
        let entry = self.links().read(text)?;
        self.head.advance(&entry);
        Ok(entry)
    }

    /// Checks the next entries, as [`push`](Self::push) does each. With the feature `simd` several are hashed in the
    /// time of one, where the processor can.
    ///
    /// # Errors
    /// As [`push`](Self::push), of the first entry that has a fault; those before it are checked.
    pub fn push_all(&mut self, entries: &[Entry]) -> Result<(), ChainFault> {
        for entries in entries.chunks(ENTRIES) {
            for (entry, hash_holds) in entries.iter().zip(Entry::hashes_hold(entries)) {
                self.push_hashed(entry, hash_holds)?;
            }
        }
        Ok(())
    }

    /// Checks the next entries as JSON texts, as [`push_json`](Self::push_json) does each, in the time of
    /// [`push_all`](Self::push_all). It gives all of them, and takes the memory of all.
    ///
    /// # Errors
    /// As [`push_json`](Self::push_json), of the first text that has a fault; those before it are checked.
    pub fn push_json_all<'a>(&mut self, texts: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<Entry>, ChainFault> {
        self.push_each(texts, Portion::read, Self::push_json)
    }

    pub(crate) fn push_lines<'a>(
        &mut self,
        lines: impl IntoIterator<Item = Raw<'a>>,
    ) -> Result<Vec<Entry>, ChainFault> {
        self.push_each(lines, Portion::read_raw, Self::push_line)
    }

    /// What cannot be read is read once more by `push`, which says why, after all before it were checked.
    fn push_each<T: Copy>(
        &mut self,
        texts: impl IntoIterator<Item = T>,
        read: impl Fn(&mut Portion, u64, T) -> bool,
        push: impl Fn(&mut Self, T) -> Result<Entry, ChainFault>,
    ) -> Result<Vec<Entry>, ChainFault> {
        let (mut entries, mut portion) = (Vec::new(), Portion::default());
        for text in texts {
            let is_read = read(&mut portion, self.head.size(), text);
            if !is_read || portion.is_full() {
                self.push_portion(&mut portion, &mut entries)?;
            }
            if !is_read {
                entries.push(push(self, text)?);
            }
        }
        self.push_portion(&mut portion, &mut entries)?;
        Ok(entries)
    }

    fn push_portion(&mut self, portion: &mut Portion, entries: &mut Vec<Entry>) -> Result<(), ChainFault> {
        for (entry, hash_holds) in portion.take() {
            self.push_hashed(&entry, hash_holds)?;
            entries.push(entry);
        }
        Ok(())
    }

    /// As [`push`](Self::push), of an entry of which it is known whether its hash holds.
    pub(crate) fn push_hashed(&mut self, entry: &Entry, hash_holds: bool) -> Result<(), ChainFault> {
        self.links().check_hashed(entry, hash_holds)?;
        self.head.advance(entry);
        Ok(())
    }

    pub(crate) fn push_line(&mut self, raw: Raw<'_>) -> Result<Entry, ChainFault> {
        let entry = self.links().read_line(raw)?;
        self.head.advance(&entry);
        Ok(entry)
    }

    /// Where the entries checked so far end.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The same, at the end.
    #[must_use]
    pub fn into_head(self) -> Head {
        self.head
    }

    fn links(&self) -> Links {
        Links { size: self.head.size(), top: *self.head.top() }
    }
}

/// The links of a chain alone, from a place before which its tree is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Links {
    pub(crate) size: u64,
    pub(crate) top: ChainHash,
}

impl Links {
    /// Where every chain begins.
    pub(crate) const BEGINNING: Self = Self { size: 0, top: ChainHash::ZERO };

    /// As [`Checker::push`].
    pub(crate) fn push(&mut self, entry: &Entry) -> Result<(), ChainFault> {
        self.check(entry)?;
        self.advance(entry);
        Ok(())
    }

    /// As [`Checker::push_json`].
    pub(crate) fn push_json(&mut self, text: &[u8]) -> Result<Entry, ChainFault> {
        let entry = self.read(text)?;
        self.advance(&entry);
        Ok(entry)
    }

    /// As [`Checker::push_hashed`].
    pub(crate) fn push_hashed(&mut self, entry: &Entry, hash_holds: bool) -> Result<(), ChainFault> {
        self.check_hashed(entry, hash_holds)?;
        self.advance(entry);
        Ok(())
    }

    fn advance(&mut self, entry: &Entry) {
        *self = Self { size: self.size.saturating_add(1), top: *entry.hash() };
    }

    /// The next entry, which it stays before.
    pub(crate) fn read(&self, text: &[u8]) -> Result<Entry, ChainFault> {
        let mut outline = Outline::new();
        let line = Raw::parse_with(text, &mut outline).map_err(|_| self.fault(ChainProblem::Members))?;
        self.read_line(line)
    }

    fn read_line(&self, raw: Raw<'_>) -> Result<Entry, ChainFault> {
        let line = Line::read(raw, "entry").map_err(|_| self.fault(self.problem(raw)))?;
        let entry = Entry { seq: self.size, line };
        self.check(&entry)?;
        Ok(entry)
    }

    /// Whether an entry is the next one.
    pub(crate) fn check(&self, entry: &Entry) -> Result<(), ChainFault> {
        self.check_link(entry)?;
        self.check_hash(entry.hash_holds())
    }

    fn check_hashed(&self, entry: &Entry, hash_holds: bool) -> Result<(), ChainFault> {
        self.check_link(entry)?;
        self.check_hash(hash_holds)
    }

    fn check_hash(&self, holds: bool) -> Result<(), ChainFault> {
        if holds { Ok(()) } else { Err(self.fault(ChainProblem::Hash)) }
    }

    fn check_link(&self, entry: &Entry) -> Result<(), ChainFault> {
        if entry.seq != self.size || self.size >= MAX_INTEGER.unsigned_abs() {
            return Err(self.fault(ChainProblem::Format));
        }
        if *entry.prev() != self.top {
            return Err(self.fault(ChainProblem::Prev));
        }
        Ok(())
    }

    /// What is wrong with a line that cannot be read.
    fn problem(&self, raw: Raw<'_>) -> ChainProblem {
        if !record::has_members::<Line>(raw) {
            return ChainProblem::Members;
        }
        let prev = raw.member("prev").map(|prev| ChainHash::read(prev, "prev"));
        if prev == Some(Ok(self.top)) { ChainProblem::Format } else { ChainProblem::Prev }
    }

    fn fault(&self, problem: ChainProblem) -> ChainFault {
        ChainFault { seq: self.size, problem }
    }
}
