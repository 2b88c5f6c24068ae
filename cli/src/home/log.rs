//! The log of a home folder: the operator's folder, opened once with the ring key.

use super::{Home, missing};
use crate::failure::{Failure, HOME};
use crate::secrets::{self, Passphrase};
use crate::store::{self, CHAIN, Lock};
use dualseal::checkpoint::Checkpoint;
use dualseal::encoding::json::Value;
use dualseal::key::RingFile;
use dualseal::mldsa::StatementKey;
use dualseal::store::StoredState;
use dualseal::{Head, IdentityId, KeyRing, RingKey, Timestamp, Verified};
use dualseal_operator::folder::{Audited, Folder, Held};
use dualseal_operator::paths::Show;
use dualseal_operator::step::State;
use std::cmp::Ordering;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// The last line of a chain is no longer.
const TAIL: u64 = 1 << 20;

impl Home {
    /// The log, with the authority over its ring.
    fn opened(&self, passphrase: &Passphrase) -> Result<&Folder, Failure> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let authority = RingKey::new(self.domain.domain(), self.ring_secret(passphrase)?);
        self.check_names(&authority)?;
        let folder = Folder::new(store::disk(), self.location.place(&self.domain, &self.origin), authority);
        Ok(self.opened.get_or_init(|| folder))
    }

    /// The log alone: the lock is given up.
    pub(super) fn into_folder(self, passphrase: &Passphrase) -> Result<Folder, Failure> {
        self.opened(passphrase)?;
        self.opened.into_inner().ok_or_else(|| Failure::defect("a log was opened, and is not there"))
    }

    /// The lock on the folder.
    pub(super) fn lock(&self) -> &Lock {
        &self.lock
    }

    /// The authority over the ring, opened once: what checkpoints state of the ring is read with it.
    pub(crate) fn authority(&self, passphrase: &Passphrase) -> Result<&RingKey, Failure> {
        Ok(self.opened(passphrase)?.authority())
    }

    /// The same, where it was opened already.
    pub(crate) fn known_authority(&self) -> Option<&RingKey> {
        self.opened.get().map(Folder::authority)
    }

    /// What is in the folder, held against itself and the signer's mark.
    pub(crate) fn state(&self, passphrase: &Passphrase) -> Result<State, Failure> {
        Ok(self.opened(passphrase)?.read_under(&self.lock)?.state().clone())
    }

    /// Where chain and ledgers end: by the ring key where the log was opened, else as the folder says.
    pub(crate) fn noted(&self) -> Result<StoredState, Failure> {
        match self.opened.get() {
            Some(folder) => Ok(folder.read_under(&self.lock)?.state().stored().clone()),
            None => Ok(Folder::unchecked_state(&self.lock)?),
        }
    }

    /// The folder, to be written to: it was locked for that.
    pub(super) fn held(&self, passphrase: &Passphrase) -> Result<Held<'_>, Failure> {
        Ok(self.opened(passphrase)?.hold_under(&self.lock)?)
    }

    /// Everything that is in it, held against each other.
    pub(crate) fn audit(&self, passphrase: &Passphrase) -> Result<Audited, Failure> {
        Ok(self.opened(passphrase)?.audit_under(&self.lock)?)
    }

    /// Signs a checkpoint over what is there, with a key that the ring has as current. The log's notes have the key
    /// that it names.
    pub(crate) fn sign_checkpoint(
        &self,
        identity_id: &IdentityId,
        key: &dyn StatementKey,
        time: Timestamp,
        passphrase: &Passphrase,
    ) -> Result<Checkpoint, Failure> {
        let note_key = self.note_key(passphrase)?;
        let checkpoint = self.held(passphrase)?.checkpoint(identity_id, key, time, |signer| match &note_key {
            Some(note_key) => signer.with_note_key(note_key.public_key()),
            None => signer,
        })?;
        Ok(checkpoint)
    }

    /// Makes the signer's mark anew from a checkpoint that somebody else has kept.
    pub(crate) fn renew_mark(&self, seen: &Verified<Checkpoint>, passphrase: &Passphrase) -> Result<(), Failure> {
        Ok(self.opened(passphrase)?.renew_mark_under(&self.lock, seen)?)
    }

    /// Makes the signer's mark anew of a log that never signed a checkpoint, as its owner says.
    pub(crate) fn renew_unsigned_mark(&self, passphrase: &Passphrase) -> Result<(), Failure> {
        let folder = self.opened(passphrase)?;
        Ok(folder.renew_unsigned_mark_under(&self.lock)?)
    }

    /// The ring as its rows have it: nobody vouches for it.
    pub(crate) fn ring_file(&self) -> Result<RingFile, Failure> {
        Ok(Folder::ring_file(&self.lock)?)
    }

    /// Refuses a chain that holds together, and ends elsewhere than this program left it.
    pub(crate) fn wrote(&self, found: &Head) -> Result<(), Failure> {
        let noted = self.noted()?;
        let noted = noted.head();
        let (size, had) = (found.size(), noted.size());
        let what = match size.cmp(&had) {
            _ if found == noted => return Ok(()),
            Ordering::Less => format!("entry {size} and those after it are missing: it had {had}"),
            Ordering::Equal => "it is not the one that this program wrote".to_owned(),
            Ordering::Greater => format!("entry {had} and those after it are not by this program"),
        };
        let message = format!("the chain holds together, and {what}");
        let failure =
            Failure::new(HOME, message, "restore the home folder from a copy that is as new as its last entry");
        Err(failure.about(self.path(CHAIN).shown()))
    }

    /// The time that the chain's last entry says, as far as it can be read: to remark on, and nothing more.
    pub(crate) fn last_time(&self) -> Option<Timestamp> {
        let mut chain = File::open(self.path(CHAIN)).ok()?;
        let length = chain.metadata().ok()?.len();
        chain.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
        let mut tail = Vec::new();
        chain.read_to_end(&mut tail).ok()?;
        let line = tail.trim_ascii_end().rsplit(|byte| *byte == b'\n').next()?;
        match Value::parse(line).ok()? {
            Value::Object(mut members) => match members.remove("t")? {
                Value::String(time) => time.parse().ok(),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn ring_secret(&self, passphrase: &Passphrase) -> Result<dualseal::secret::Secret<32>, Failure> {
        let path = self.path(super::secret::RING_KEY);
        if path.exists() {
            return secrets::read_seed(&path, passphrase);
        }
        let hint = "restore it from a copy; whoever only verifies can say with --key or --ring whose keys to trust";
        Err(missing(&path).hint(hint))
    }

    /// The ring, decoys included, as it was sealed with the end of the chain: whoever edits a row, or puts an old one
    /// in its place, makes no key valid that was called back, and no key of their own another's.
    pub(crate) fn ring(&self, passphrase: &Passphrase) -> Result<dualseal::CheckedRing, Failure> {
        let ring = self.state(passphrase)?.ring().clone();
        self.last_checkpoint(&ring)?;
        Ok(ring)
    }
}

/// The current key of an identity in a ring.
pub(crate) fn key_info(ring: &KeyRing, identity_id: &IdentityId) -> Result<dualseal::KeyPairInfo, Failure> {
    let none = || Failure::new(HOME, format!("{identity_id} has no key here"), "make one by `dualseal key new`");
    ring.info(identity_id).ok_or_else(none)
}
