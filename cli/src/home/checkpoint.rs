//! The last checkpoint of a home folder, and what its own chain says to any.

use super::{CHECKPOINT, Home};
use crate::chain_file::of;
use crate::failure::{Failure, HOME, USAGE, status_of};
use crate::input;
use crate::store::CHAIN;
use dualseal::checkpoint::Checkpoint;
use dualseal::key::KeyRing;
use dualseal::{Entry, Located, VerdictKind, Verified};
use dualseal_operator::folder::Folder;
use dualseal_operator::opening::Refused;
use dualseal_operator::own::{OwnChain, OwnCheckpoint, OwnError, Unowned};
use dualseal_operator::paths::Show;
use std::fmt::Display;
use std::path::Path;

impl Home {
    /// A checkpoint of a home folder's own log agrees with its own chain, in the ring that it states too, or somebody
    /// else signs with the log's key.
    pub(crate) fn hold(&self, checkpoint: &Verified<Checkpoint>) -> Result<(), Failure> {
        let chain = self.own_chain(None)?;
        chain.hold(self.known_authority(), checkpoint).map_err(|error| contradicted(error, chain.path()))
    }

    /// The last checkpoint that a home folder signed: what its chain must go on from, whatever became of the key since.
    pub(crate) fn last_checkpoint(&self, ring: &KeyRing) -> Result<Option<Verified<Checkpoint>>, Failure> {
        Ok(self.last(ring)?.map(OwnCheckpoint::into_signed))
    }

    /// The same as evidence: `None` where its key was called back, is suspended, or is for thieves.
    pub(crate) fn own_checkpoint(&self, ring: &KeyRing) -> Result<Option<Verified<Checkpoint>>, Failure> {
        Ok(self.last(ring)?.and_then(|own| own.as_evidence().ok()))
    }

    /// The same with whether it counts as evidence.
    pub(crate) fn last(&self, ring: &KeyRing) -> Result<Option<OwnCheckpoint>, Failure> {
        let Some(checkpoint) = Folder::unchecked_checkpoint(self.lock())? else { return Ok(None) };
        self.judge(checkpoint, ring).map(Some).map_err(|reason| self.not_own(reason))
    }

    /// A checkpoint of the home folder's own log that lies anywhere, by a key that counts, or did when it signed it.
    pub(crate) fn own_of(&self, path: &Path, ring: &KeyRing) -> Result<Verified<Checkpoint>, Failure> {
        let own = self.judge(read_checkpoint(path)?, ring);
        own.and_then(OwnCheckpoint::as_evidence).map_err(|reason| not_of_log(path, reason))
    }

    /// A checkpoint of the home folder's own log that somebody else has kept, whatever became of its key since: it says
    /// what was signed, and is no evidence of anything else. One that lies in the folder itself says nothing of a copy.
    pub(crate) fn kept_elsewhere(&self, path: &Path, ring: &KeyRing) -> Result<Verified<Checkpoint>, Failure> {
        let real = |path: &Path| path.canonicalize().map_err(|error| Failure::reading(path, &error));
        if real(path)?.starts_with(real(&self.path(""))?) {
            let message = format!("{} is in the home folder, whose copies have it too", path.shown());
            return Err(Failure::new(USAGE, message, "give the one that a witness or another reader has kept"));
        }
        let own = self.judge(read_checkpoint(path)?, ring);
        own.map(OwnCheckpoint::into_signed).map_err(|reason| not_of_log(path, reason))
    }

    fn judge(&self, checkpoint: Checkpoint, ring: &KeyRing) -> Result<OwnCheckpoint, Unowned> {
        OwnCheckpoint::judge(checkpoint, self.domain().domain(), self.origin(), ring)
    }

    /// The place of an entry in the home folder's own chain, under its last checkpoint.
    pub(crate) fn own_place(
        &self,
        ring: &KeyRing,
        of: &(dyn Fn(&Entry) -> bool + Sync),
    ) -> Result<Option<Located>, Failure> {
        let chain = self.own_chain(self.own_checkpoint(ring)?)?;
        Ok(chain.places(of).map_err(|error| contradicted(error, chain.path()))?.into_iter().next())
    }

    /// The folder's chain as it ends.
    pub(super) fn own_chain(&self, last: Option<Verified<Checkpoint>>) -> Result<OwnChain, Failure> {
        let (path, end) = (self.present(CHAIN)?, self.noted()?);
        let chain = OwnChain::ended((self.domain().domain(), self.origin()), &path, end.head(), last);
        chain.map_err(|error| Failure::reading(&path, &error))
    }

    fn not_own(&self, reason: Unowned) -> Failure {
        let message = format!("{} is not by a key of this home folder: {reason}", self.path(CHECKPOINT).shown());
        let hint = "restore the home folder from a copy: it, or its ring and chain, is an old one or somebody else's";
        Failure::new(HOME, message, hint).refusing(Refused::CheckpointNotOwn(reason).name())
    }
}

fn read_checkpoint(path: &Path) -> Result<Checkpoint, Failure> {
    Checkpoint::from_json(&input::small(path)?).map_err(|error| Failure::from(error).about(path.shown()))
}

fn not_of_log(path: &Path, reason: Unowned) -> Failure {
    let message = format!("{} is not by a key of this home folder's log: {reason}", path.shown());
    let hint = "give a checkpoint that `dualseal checkpoint sign` wrote of this log";
    Failure::new(status_of(VerdictKind::Invalid.code()), message, hint).refusing(reason.name())
}

/// What a checkpoint of the home folder's own log is that its own chain, in this file, does not agree with.
pub(crate) fn contradicted(error: OwnError, chain: &Path) -> Failure {
    match error {
        OwnError::Fork(why) => fork(&"it", &why),
        OwnError::FalseRing(why) => false_ring(&"it", &why),
        OwnError::Chain(error) => of(chain)(error),
        OwnError::Library(error) => error.into(),
        error => Failure::defect(&error.to_string()),
    }
}

/// A checkpoint of the home folder's own log is of another chain than its own.
pub(crate) fn fork(checkpoint: &dyn Display, why: &dyn Display) -> Failure {
    let message = format!("FORK: {checkpoint} and the home folder's own chain contradict each other: {why}");
    let hint = "keep both; if this folder is no old copy, somebody else signs with the log's key: mark it as revoked \
                by `dualseal key state`";
    Failure::new(status_of(VerdictKind::Invalid.code()), message, hint).refusing("fork")
}

/// It is of its own chain, and states another ring than the log had there.
pub(crate) fn false_ring(checkpoint: &dyn Display, why: &dyn Display) -> Failure {
    let message = format!("FALSE RING: {checkpoint} is over the home folder's own chain: {why}");
    let hint = "keep it: somebody else signs with the log's key, or with that of somebody in its ring: mark it as \
                revoked by `dualseal key state`";
    Failure::new(status_of(VerdictKind::Invalid.code()), message, hint).refusing("false-ring")
}
