//! The streaming check: entry by entry, in constant memory, naming the first bad one and why.

use super::{ChainHash, Entry, Head, Line};
use crate::encoding::json::Raw;
use crate::encoding::record::{self, Form};
use crate::error::{ChainFault, ChainProblem};

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
/// assert_eq!(checker.head(), *chain.head());
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
        if entry.seq != self.head.size {
            return Err(self.fault(ChainProblem::Format));
        }
        if *entry.prev() != self.head.top {
            return Err(self.fault(ChainProblem::Prev));
        }
        if !entry.hash_holds() {
            return Err(self.fault(ChainProblem::Hash));
        }
        self.head = self.head.after(entry);
        Ok(())
    }

    /// Checks the next entry as JSON text, without `seq`, as it stands in a list or on a line.
    ///
    /// # Errors
    /// Names this entry; of several faults the first in the order members, `prev`, format, `h`.
    pub fn push_json(&mut self, text: &[u8]) -> Result<Entry, ChainFault> {
        let line = Raw::parse(text).map_err(|_| self.fault(ChainProblem::Members))?;
        self.push_line(line)
    }

    /// Where the entries checked so far end.
    #[must_use]
    pub fn head(&self) -> Head {
        self.head
    }

    pub(crate) fn push_line(&mut self, raw: Raw<'_>) -> Result<Entry, ChainFault> {
        let line = Line::read(raw, "entry").map_err(|_| self.fault(self.problem(raw)))?;
        let entry = Entry { seq: self.head.size, line };
        self.push(&entry)?;
        Ok(entry)
    }

    /// What is wrong with a line that cannot be read.
    fn problem(&self, raw: Raw<'_>) -> ChainProblem {
        if !record::has_members::<Line>(raw) {
            return ChainProblem::Members;
        }
        let prev = raw.member("prev").map(|prev| ChainHash::read(prev, "prev"));
        if prev == Some(Ok(self.head.top)) { ChainProblem::Format } else { ChainProblem::Prev }
    }

    fn fault(&self, problem: ChainProblem) -> ChainFault {
        ChainFault { seq: self.head.size, problem }
    }
}
