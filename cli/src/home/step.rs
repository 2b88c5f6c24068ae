//! One step of an operator: what it makes is written as a whole.

use super::{CHECKPOINT, HEAD, Home, NAMES, RING, head_json};
use crate::failure::Failure;
use crate::output::{canonical, object, text};
use crate::store::{CHAIN, Change, Readers};
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::{CheckedRing, Entry, Head, IdentityId};
use std::io::Write;

/// Everything that one command adds to a home folder that it holds for writing.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    pub(super) home: &'a Home,
    change: Change<'a>,
    head: Head,
    bytes: u64,
    lines: String,
}

impl<'a> Step<'a> {
    /// Begins where the chain ends.
    pub(crate) fn begin(home: &'a Home) -> Result<Self, Failure> {
        let (head, bytes) = home.head()?;
        Ok(Self { home, change: home.lock.change()?, head, bytes, lines: String::new() })
    }

    /// Where the chain ends, with what this step appended so far.
    pub(crate) fn head(&self) -> &Head {
        &self.head
    }

    /// Adds an entry that was made at the head.
    pub(crate) fn append(&mut self, entry: &Entry, head: Head) {
        self.lines.push_str(&entry.to_json_line());
        self.head = head;
    }

    /// The ring as it is from now on, after its entry was appended.
    pub(crate) fn ring(&mut self, ring: &CheckedRing) -> Result<(), Failure> {
        Ok(self.change.file(RING, Readers::Owner, ring.to_stored_json(&self.head)?.as_bytes())?)
    }

    /// A short name for an identity, and the words that it was computed from: without them nobody can do so again.
    pub(crate) fn name(&mut self, name: &str, id: &IdentityId, creator: &str, context: &str) -> Result<(), Failure> {
        let members = [("context", text(context)), ("creator", text(creator)), ("identity_id", text(id.to_hex()))];
        let mut names = self.home.named()?;
        names.insert(name.to_owned(), object(members));
        Ok(self.change.file(NAMES, Readers::Owner, canonical(&Value::Object(names)).as_bytes())?)
    }

    /// The last checkpoint.
    pub(crate) fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), Failure> {
        Ok(self.change.file(CHECKPOINT, Readers::All, format!("{}\n", checkpoint.to_json()).as_bytes())?)
    }

    /// A copy of what was made, under its own handle.
    pub(crate) fn record(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        Ok(self.change.file(&format!("records/{name}"), Readers::All, text.as_bytes())?)
    }

    /// Some file of a command's own.
    pub(crate) fn file(&mut self, name: &str, readers: Readers, bytes: &[u8]) -> Result<(), Failure> {
        Ok(self.change.file(name, readers, bytes)?)
    }

    /// As [`file`](Self::file), for content that comes in parts.
    pub(crate) fn streamed<T>(
        &mut self,
        name: &str,
        readers: Readers,
        write: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.change.streamed(name, readers, write)
    }

    /// A secret file.
    pub(crate) fn secret(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        Ok(self.change.file(name, Readers::Owner, text.as_bytes())?)
    }

    /// All of it happens, or none.
    pub(crate) fn commit(mut self) -> Result<(), Failure> {
        if !self.lines.is_empty() {
            let bytes = self.bytes + self.lines.len() as u64;
            self.change.file(HEAD, Readers::All, head_json(&self.head, bytes).as_bytes())?;
            self.change.append(CHAIN, self.bytes, self.lines.as_bytes())?;
        }
        Ok(self.change.commit()?)
    }
}
