//! One step of an operator, with the files that a command adds to it: written as a whole.

use super::table::Table;
use super::waiting::{WAITING, Waiting};
use super::{Home, NAMES};
use crate::failure::Failure;
use crate::output::{object, text};
use crate::secrets::Passphrase;
use crate::store::{self, Doomed, Readers, Spool};
use dualseal::mldsa::StatementKey;
use dualseal::rand_core::{TryCryptoRng, TryRng};
use dualseal::vault::LedgerId;
use dualseal::{Head, IdentityId, Timestamp};
use dualseal_operator::folder::{FolderError, Held};
use dualseal_operator::step::{self as operator, Batch, Changes, Keys, State, StepError, ToSign, sign_all};
use std::convert::Infallible;
use std::io::{self, Seek};
use zeroize::Zeroizing;

/// Everything that one command adds to a home folder that it holds for writing.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    pub(super) home: &'a Home,
    held: Held<'a>,
    batch: Batch,
    files: Files,
    /// The table of names, where this step changes it.
    names: Option<Table>,
}

/// A step that was placed and signed: it is there when it is committed.
#[derive(Debug)]
pub(crate) struct Ready<'a> {
    home: &'a Home,
    held: Held<'a>,
    state: State,
    changes: Changes,
    files: Files,
    names: Option<Table>,
}

/// The files of a command's own, which are written with what the step changes, and those that are overwritten once they
/// have no name any more.
#[derive(Debug, Default)]
struct Files(Vec<(String, Readers, Content)>, Vec<Doomed>);

enum Content {
    Bytes(Zeroizing<Vec<u8>>),
    Spool(Spool),
}

// They may be secret.
impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Content")
    }
}

impl<'a> Step<'a> {
    /// Begins where the chain ends.
    pub(crate) fn begin(home: &'a Home, passphrase: &Passphrase) -> Result<Self, Failure> {
        let held = home.held(passphrase)?;
        let batch = Batch::new(held.state().clone());
        Ok(Self { home, held, batch, files: Files::default(), names: None })
    }

    /// Where the chain ends, with what this step did so far.
    pub(crate) fn head(&self) -> &Head {
        self.batch.state().head()
    }

    /// What is there, with what this step did so far.
    pub(crate) fn state(&self) -> &State {
        self.batch.state()
    }

    /// Begins a ledger, before anything else is done.
    pub(crate) fn ledger(&mut self, ledger: &LedgerId) {
        self.batch = Batch::new(self.held.state().clone().with_ledger(ledger));
    }

    /// Acts at the end of the chain.
    pub(crate) fn act<T>(
        &mut self,
        time: Timestamp,
        work: impl FnOnce(&mut operator::Step<'_>) -> Result<T, StepError>,
    ) -> Result<T, Failure> {
        self.batch.step(time, work).map_err(Failure::from)
    }

    /// A short name for an identity, and the words that it was computed from: without them nobody can do so again.
    pub(crate) fn name(&mut self, name: &str, id: &IdentityId, creator: &str, context: &str) -> Result<(), Failure> {
        let members = [("context", text(context)), ("creator", text(creator)), ("identity_id", text(id.to_hex()))];
        self.names()?.names.insert(name.to_owned(), object(members));
        Ok(())
    }

    /// Who acts where nobody is named.
    pub(crate) fn default_identity(&mut self, id: &IdentityId) -> Result<(), Failure> {
        self.names()?.default = Some(*id);
        Ok(())
    }

    /// Writes the table of names as it is.
    pub(crate) fn keep_names(&mut self) -> Result<(), Failure> {
        self.names().map(drop)
    }

    /// The table of names, to be changed: the one that was checked when the ring key was opened.
    fn names(&mut self) -> Result<&mut Table, Failure> {
        let table = match self.names.take() {
            Some(table) => table,
            None => Table::clone(&*self.home.table()?),
        };
        Ok(self.names.insert(table))
    }

    /// A copy of what was made, under its own handle.
    pub(crate) fn record(&mut self, name: &str, text: &str) {
        self.file(&format!("records/{name}"), Readers::All, text.as_bytes());
    }

    /// Some file of a command's own.
    pub(crate) fn file(&mut self, name: &str, readers: Readers, bytes: &[u8]) {
        self.files.0.push((name.to_owned(), readers, Content::Bytes(Zeroizing::new(bytes.to_vec()))));
    }

    /// As [`file`](Self::file), for content that came in parts.
    pub(crate) fn spooled(&mut self, name: &str, readers: Readers, spool: Spool) {
        self.files.0.push((name.to_owned(), readers, Content::Spool(spool)));
    }

    /// A secret file.
    pub(crate) fn secret(&mut self, name: &str, text: &str) {
        self.file(name, Readers::Owner, text.as_bytes());
    }

    /// A secret file in place of one that stands there in a weaker form: its bytes are overwritten after the change.
    pub(crate) fn reprotect(&mut self, name: &str, text: &str) -> Result<(), Failure> {
        self.files.1.extend(store::disk().doomed(&self.home.path(name))?);
        self.secret(name, text);
        Ok(())
    }

    /// Ends the placing; where something is to be signed, with this key.
    pub(crate) fn sign(self, key: &dyn StatementKey) -> Result<Ready<'a>, Failure> {
        let keys: &Keys<'_> = &|one: &ToSign| (one.public_key().hash() == key.public_key().hash()).then_some(key);
        self.signed(|to_sign| sign_all(to_sign, keys))
    }

    /// As [`sign`](Self::sign), without fresh randomness.
    pub(crate) fn sign_deterministic(self, key: &dyn StatementKey) -> Result<Ready<'a>, Failure> {
        self.signed(|to_sign| to_sign.into_iter().map(|one| one.sign(key, &mut Nothing)).collect())
    }

    fn signed(
        self,
        sign: impl FnOnce(Vec<ToSign>) -> Result<Vec<operator::SignedRecord>, StepError>,
    ) -> Result<Ready<'a>, Failure> {
        let Self { home, held, batch, mut files, mut names } = self;
        if let Some(table) = &mut names {
            let authority = home.known_authority().ok_or_else(|| Failure::defect("a step has no ring key"))?;
            let json = table.seal(home.origin(), authority)?;
            files.0.push((NAMES.to_owned(), Readers::Owner, Content::Bytes(Zeroizing::new(json.into_bytes()))));
        }
        let (placed, to_sign) = batch.place();
        let (state, changes) = placed.finish(sign(to_sign)?)?;
        Ok(Ready { home, held, state, changes, files, names })
    }

    /// Ends what has nothing to sign.
    pub(crate) fn ready(self) -> Result<Ready<'a>, Failure> {
        self.signed(|_| Ok(Vec::new()))
    }

    /// The same, and writes it.
    pub(crate) fn commit(self) -> Result<State, Failure> {
        self.ready()?.commit()
    }
}

impl Ready<'_> {
    /// The number of the entry that a record has.
    pub(crate) fn entry_of(&self, handle: &dualseal::krunica::KrunicaHash) -> Option<u64> {
        self.changes.entries.iter().find(|entry| entry.krunica_hash() == *handle).map(dualseal::Entry::seq)
    }

    /// What will be written.
    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// A copy of what was signed, under its own handle.
    pub(crate) fn record(&mut self, name: &str, text: &str) {
        self.file(&format!("records/{name}"), Readers::All, text.as_bytes());
    }

    /// Some file of a command's own, which is made of what was placed or signed.
    pub(crate) fn file(&mut self, name: &str, readers: Readers, bytes: &[u8]) {
        self.files.0.push((name.to_owned(), readers, Content::Bytes(Zeroizing::new(bytes.to_vec()))));
    }

    /// What is to be written elsewhere, so that it is whatever happens to this process.
    pub(crate) fn wait_for(&mut self, files: &[Waiting]) -> Result<(), Failure> {
        if files.is_empty() {
            return Ok(());
        }
        let authority = self.home.known_authority().ok_or_else(|| Failure::defect("a step has no ring key"))?;
        let json = self.home.waiting_with(files, authority)?;
        self.file(WAITING, Readers::Owner, json.as_bytes());
        Ok(())
    }

    /// All of it happens, or none.
    pub(crate) fn commit(self) -> Result<State, Failure> {
        let Self { home, held, state, changes, files, names } = self;
        held.commit(state.clone(), &changes, |change| {
            for (name, readers, content) in files.0 {
                match content {
                    Content::Bytes(bytes) => change.file(&name, readers, &bytes)?,
                    Content::Spool(mut spool) => change.streamed(&name, readers, |file| {
                        let copied = spool.rewind().and_then(|()| io::copy(&mut spool, file));
                        copied.map(drop).map_err(|error| FolderError::Disk(disk_error(&name, error)))
                    })?,
                }
            }
            Ok(())
        })?;
        for doomed in files.1 {
            // Where the file system writes elsewhere nothing more can be done.
            let _ = doomed.wipe();
        }
        if let Some(table) = names {
            home.named_as(table);
        }
        Ok(state)
    }
}

/// The deterministic variant of FIPS 204 has zeros for randomness.
struct Nothing;

impl TryRng for Nothing {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(0);
        Ok(())
    }
}

impl TryCryptoRng for Nothing {}

fn disk_error(name: &str, error: io::Error) -> dualseal_operator::disk::Error {
    dualseal_operator::disk::Error::writing(std::path::Path::new(name), error)
}
