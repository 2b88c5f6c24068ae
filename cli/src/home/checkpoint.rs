//! The last checkpoint of a home folder, and what its own chain says to any.

use super::{CHECKPOINT, Home};
use crate::chain_file::{agreed, read, read_for, under};
use crate::failure::{Failure, HOME, USAGE, status_of};
use crate::input;
use crate::store::CHAIN;
use dualseal::checkpoint::{AgreedChain, Checkpoint, CheckpointVerifier};
use dualseal::key::{KeyRing, Unprepared};
use dualseal::verdict::InvalidReason;
use dualseal::{Entry, Located, Verdict, VerdictKind, Verified};
use dualseal_operator::evidence::own_pins;
use std::fmt::Display;
use std::path::Path;

/// The number of a checkpoint that states another ring than its chain does.
const MISSTATED: u16 = 209;

impl Home {
    /// The last checkpoint that was signed here.
    pub(crate) fn checkpoint(&self) -> Result<Option<Checkpoint>, Failure> {
        let path = self.path(CHECKPOINT);
        if !path.exists() {
            return Ok(None);
        }
        let read = Checkpoint::from_json(&input::small(&path)?);
        read.map(Some).map_err(|error| Failure::from(error).about(path.display()))
    }

    /// A checkpoint of a home folder's own log agrees with its own chain, in the ring that it states too, or somebody
    /// else signs with the log's key.
    pub(crate) fn hold(&self, checkpoint: &Verified<Checkpoint>) -> Result<(), Failure> {
        if checkpoint.record().origin() != self.origin() {
            return Ok(());
        }
        self.wrote(self.agree(checkpoint).map_err(contradicted)?.head())
    }

    /// The chain under a checkpoint, which states the ring as it has it.
    fn agree(&self, checkpoint: &Verified<Checkpoint>) -> Result<AgreedChain, Failure> {
        let chain = self.present(CHAIN)?;
        let mut reader = under(self.domain().domain(), checkpoint)?;
        let Some(authority) = self.known_authority() else {
            // Nobody here tells a change from what anybody wrote: that some entry states the ring is known.
            let stated = reader.stated_ring()?;
            let mut proofs = read(&chain, reader)?;
            proofs.take(stated)?;
            return agreed(&proofs);
        };
        let changes = reader.ring_changes(authority)?;
        let mut proofs = read(&chain, reader)?;
        proofs.take(changes)?.check(checkpoint)?;
        agreed(&proofs)
    }

    /// The last checkpoint that a home folder signed: what its chain must go on from, whatever became of the key since.
    pub(crate) fn last_checkpoint(&self, ring: &KeyRing) -> Result<Option<Verified<Checkpoint>>, Failure> {
        Ok(self.last(ring)?.map(|(checkpoint, _)| checkpoint))
    }

    /// The same as evidence: `None` where its key was called back, is suspended, or is for thieves.
    pub(crate) fn own_checkpoint(&self, ring: &KeyRing) -> Result<Option<Verified<Checkpoint>>, Failure> {
        Ok(self.last(ring)?.and_then(|(checkpoint, counts)| counts.then_some(checkpoint)))
    }

    /// With whether it counts as evidence. The ring knows its key, be it a retired one, which counts nowhere else.
    pub(crate) fn last(&self, ring: &KeyRing) -> Result<Option<(Verified<Checkpoint>, bool)>, Failure> {
        let Some(checkpoint) = self.checkpoint()? else { return Ok(None) };
        self.own(checkpoint, ring).map(Some).map_err(|reason| self.not_own(reason))
    }

    /// A checkpoint of the home folder's own log that lies anywhere, by a key that counts, or did when it signed it.
    pub(crate) fn own_of(&self, path: &Path, ring: &KeyRing) -> Result<Verified<Checkpoint>, Failure> {
        let checkpoint = read_checkpoint(path)?;
        let (size, signer, key) =
            (checkpoint.tree_head().size, checkpoint.identity_id(), checkpoint.public_key().hash());
        let is_late = ring.retired_at(signer, key).is_some_and(|retired| size > retired);
        let reason = match self.own(checkpoint, ring) {
            Ok((checkpoint, true)) if !is_late => return Ok(checkpoint),
            Ok((_, true)) => "its key was retired before the last entry that it covers",
            Ok((_, false)) => "its key was called back, is suspended, or is for thieves",
            Err(reason) => reason,
        };
        Err(not_of_log(path, reason))
    }

    /// A checkpoint of the home folder's own log that somebody else has kept, whatever became of its key since: it says
    /// what was signed, and is no evidence of anything else. One that lies in the folder itself says nothing of a copy.
    pub(crate) fn kept_elsewhere(&self, path: &Path, ring: &KeyRing) -> Result<Verified<Checkpoint>, Failure> {
        let real = |path: &Path| path.canonicalize().map_err(|error| Failure::reading(path, &error));
        if real(path)?.starts_with(real(&self.path(""))?) {
            let message = format!("{} is in the home folder, whose copies have it too", path.display());
            return Err(Failure::new(USAGE, message, "give the one that a witness or another reader has kept"));
        }
        self.own(read_checkpoint(path)?, ring)
            .map(|(checkpoint, _)| checkpoint)
            .map_err(|reason| not_of_log(path, reason))
    }

    fn own(&self, checkpoint: Checkpoint, ring: &KeyRing) -> Result<(Verified<Checkpoint>, bool), &'static str> {
        let pins = own_pins(self.origin(), &checkpoint);
        let domain = self.domain().domain();
        let verify = |ring, checkpoint| CheckpointVerifier::new(domain, &pins, ring, &Unprepared).verify(checkpoint);
        let counts = match verify(Some(ring), checkpoint.clone()) {
            Verdict::Valid(_) => true,
            Verdict::Invalid(rejection) if rejection.reason() == InvalidReason::RetiredKey => true,
            // A honeypot key, which the ring knows by its hash alone, never signs a checkpoint.
            Verdict::Decoy(ticket)
                if ring.info(&pins.identity_id).is_none_or(|info| info.public_key.hash() != ticket.key_hash()) =>
            {
                return Err("a honeypot key signed it");
            }
            Verdict::Invalid(rejection) => return Err(rejection.reason().as_str()),
            Verdict::Revoked(_) | Verdict::Suspended(_) | Verdict::Decoy(_) => false,
        };
        let checkpoint = verify(None, checkpoint).valid().ok_or("its signature does not hold")?;
        Ok((checkpoint, counts))
    }

    /// The place of an entry in the home folder's own chain, under its last checkpoint.
    pub(crate) fn own_place(
        &self,
        ring: &KeyRing,
        of: &(dyn Fn(&Entry) -> bool + Sync),
    ) -> Result<Option<Located>, Failure> {
        let Some(checkpoint) = self.own_checkpoint(ring)? else { return Ok(None) };
        let reader = under(self.domain().domain(), &checkpoint)?;
        Ok(read_for(&self.present(CHAIN)?, reader, |reader| reader.places(of))?.into_iter().next())
    }

    fn not_own(&self, reason: &str) -> Failure {
        let message = format!("{} is not by a key of this home folder: {reason}", self.path(CHECKPOINT).display());
        let hint = "restore the home folder from a copy: it, or its ring and chain, is an old one or somebody else's";
        Failure::new(HOME, message, hint)
    }
}

fn read_checkpoint(path: &Path) -> Result<Checkpoint, Failure> {
    Checkpoint::from_json(&input::small(path)?).map_err(|error| Failure::from(error).about(path.display()))
}

fn not_of_log(path: &Path, reason: &str) -> Failure {
    let message = format!("{} is not by a key of this home folder's log: {reason}", path.display());
    let hint = "give a checkpoint that `dualseal checkpoint sign` wrote of this log";
    Failure::new(status_of(VerdictKind::Invalid.code()), message, hint)
}

/// What a checkpoint of the home folder's own log is that its own chain does not agree with.
pub(super) fn contradicted(failure: Failure) -> Failure {
    match failure.code() {
        // Cut off, rewritten, or with other times: seen from the checkpoint.
        Some(204..=206) => fork(&"it", failure.message()),
        Some(MISSTATED) => false_ring(&"it", failure.message()),
        _ => failure,
    }
}

/// A checkpoint of the home folder's own log is of another chain than its own.
pub(crate) fn fork(checkpoint: &dyn Display, why: &str) -> Failure {
    let message = format!("FORK: {checkpoint} and the home folder's own chain contradict each other: {why}");
    let hint = "keep both; if this folder is no old copy, somebody else signs with the log's key: mark it as revoked \
                by `dualseal key state`";
    Failure::new(status_of(VerdictKind::Invalid.code()), message, hint)
}

/// It is of its own chain, and states another ring than the log had there.
pub(crate) fn false_ring(checkpoint: &dyn Display, why: &str) -> Failure {
    let message = format!("FALSE RING: {checkpoint} is over the home folder's own chain: {why}");
    let hint = "keep it: somebody else signs with the log's key, or with that of somebody in its ring: mark it as \
                revoked by `dualseal key state`";
    Failure::new(status_of(VerdictKind::Invalid.code()), message, hint)
}
