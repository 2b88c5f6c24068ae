//! A whole chain in memory.

use super::{Appended, Checker, Entry, Head, Line};
use crate::domain::Domain;
use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::{self, Form};
use crate::encoding::time::Timestamp;
use crate::error::{ChainFault, Error, Problem};
use crate::id::IdentityId;
use alloc::string::String;
use alloc::vec::Vec;

/// A whole chain in memory. For long ones, keep the entries in a store and use [`Head`] and [`Checker`].
///
/// ```
/// use dualseal::{Domain, Krunica};
///
/// let domain = Domain::default();
/// let ana = domain.identity_id(b"", "ana", "")?;
/// let mut chain = Krunica::new();
/// chain.append(&domain, &ana, "received", "2026-11-21T09:00:00.000Z".parse()?)?;
/// let text = chain.to_json();
/// assert_eq!(Krunica::from_json(text.as_bytes())?, chain);
/// assert!(Krunica::from_json(text.replace("received", "refused!").as_bytes()).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Krunica {
    entries: Vec<Entry>,
    head: Head,
}

impl Krunica {
    /// An empty chain.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an entry and returns a copy of it; see [`Head::append`].
    ///
    /// # Errors
    /// As [`Head::append`]; the chain is then as it was.
    pub fn append(
        &mut self,
        domain: &Domain,
        identity_id: &IdentityId,
        message: &str,
        time: Timestamp,
    ) -> Result<Entry, Error> {
        let Appended { entry, head } = self.head.append(domain, identity_id, message, time)?;
        self.entries.push(entry.clone());
        self.head = head;
        Ok(entry)
    }

    /// Adds an entry that another operation made at this chain's head.
    ///
    /// # Errors
    /// [`ChainFault`] when it does not follow the last entry; the chain is then as it was.
    pub fn push(&mut self, entry: Entry) -> Result<(), ChainFault> {
        let mut checker = Checker::resume(self.head.clone());
        checker.push(&entry)?;
        self.head = checker.into_head();
        self.entries.push(entry);
        Ok(())
    }

    /// Where the chain ends.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// All entries, from the first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entry at a position.
    #[must_use]
    pub fn get(&self, seq: u64) -> Option<&Entry> {
        usize::try_from(seq).ok().and_then(|index| self.entries.get(index))
    }

    /// The list of entries, without `seq`, as canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Self>(self)
    }

    /// Reads a list of entries and checks every one.
    ///
    /// # Errors
    /// [`Error::Malformed`] when it is not a JSON array, otherwise the first [`ChainFault`].
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }
}

impl Form for Krunica {
    type Value = Self;

    fn read(raw: Raw<'_>, _: &'static str) -> Result<Self, Error> {
        let mut checker = Checker::new();
        let lines = raw.items().ok_or_else(|| Error::malformed("krunica", Problem::WrongType))?;
        let entries = checker.push_lines(lines)?;
        Ok(Self { entries, head: checker.into_head() })
    }

    fn write(chain: &Self, out: &mut Writer) {
        out.open("[");
        for entry in &chain.entries {
            out.item();
            Line::write(&entry.line, out);
        }
        out.close("]");
    }
}

#[cfg(feature = "serde")]
crate::encoding::serde_through_json!(Krunica);
