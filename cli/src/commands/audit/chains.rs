//! Checkpoints by what is pinned of their log, and chains under those that hold.

use super::forks::Held;
use super::judgement::{Judgement, Mark};
use super::kinds::What;
use super::known::Audit;
use super::required::omissions;
use super::since::After;
use super::standing::Standing;
use crate::failure::Failure;
use crate::home::{OwnLog, contradicted};
use dualseal::checkpoint::Checkpoint;
use dualseal::krunica::KrunicaHash;
use dualseal::reader::TrustedHead;
use dualseal::seal::{Seal, claims_seal};
use dualseal::signature::claims_signature;
use dualseal::threshold::ThresholdResult;
use dualseal::{Entry, Located, Verdict, VerdictKind, Verified};
use dualseal_operator::own::OwnRead;
use dualseal_operator::paths::Show;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

/// What the home folder's own chain says of what lies here.
#[derive(Default)]
struct Own {
    /// Under its last checkpoint.
    places: Vec<Located>,
    /// By files, whether it has their checkpoints.
    agrees: BTreeMap<usize, bool>,
    /// Checkpoints of its own log that it does not have, and files of evidence under such.
    against: BTreeMap<usize, Judgement>,
    /// Those of its own log that it was not asked about: reading began behind them.
    unasked: BTreeSet<usize>,
}

impl Audit<'_> {
    /// Checkpoints, and chains; what the chains prove of the records here is kept.
    pub(super) fn check_chains(&mut self, own: Option<&OwnLog>) -> Result<(), Failure> {
        let (mut outcomes, mut verified) = (Vec::new(), Vec::new());
        for index in 0..self.files.len() {
            if let What::Checkpoint(checkpoint) = &self.whats[index] {
                let signer = *checkpoint.identity_id();
                match self.checkpoint(index, (**checkpoint).clone(), own) {
                    Ok(checkpoint) => verified.push((index, checkpoint)),
                    Err(outcome) => outcomes.push((index, None, Some(signer), outcome)),
                }
            }
        }
        self.open_bundles();
        let (handles, messages) = self.sought();
        let (domain, omitted) = (self.domain(), Mutex::new(BTreeSet::new()));
        let keep = |entry: &Entry| {
            let is_here = handles.contains(&entry.krunica_hash()) || messages.contains(entry.message());
            if !is_here && (claims_signature(domain, entry) || claims_seal(domain, entry)) {
                omitted.lock().unwrap_or_else(PoisonError::into_inner).insert(entry.seq());
            }
            is_here
        };
        let mut own = own.map(|own| self.read_own(own, &verified, &keep)).transpose()?.unwrap_or_default();
        omitted.lock().unwrap_or_else(PoisonError::into_inner).clear();
        verified.retain(|(index, checkpoint)| match own.against.remove(index) {
            Some(outcome) => {
                outcomes.push((*index, None, Some(*checkpoint.record().identity_id()), outcome));
                false
            }
            None => true,
        });
        let signers: Vec<_> =
            verified.iter().map(|(index, checkpoint)| (*index, *checkpoint.record().identity_id())).collect();
        // Evidence is left.
        self.hold_bundles(&verified, own.against, own.unasked)?;
        let is_distrusted = verified.iter().any(|(_, known)| self.forks.is_forked(known.record().origin()));
        let mut standing = Standing::new(verified)?;
        if is_distrusted {
            standing.distrust();
        }
        let mut located = Vec::new();
        for index in 0..self.files.len() {
            if matches!(self.whats[index], What::Chain) {
                let mut outcome = self.chain(index, &keep, &mut standing, &mut located);
                let found = omitted.lock().unwrap_or_else(PoisonError::into_inner).split_off(&0);
                if outcome.mark == Mark::Valid && !found.is_empty() {
                    outcome = outcome.and([omissions(&found)]);
                    self.omitted.extend(found);
                }
                outcomes.push((index, None, None, outcome));
            }
        }
        standing.hold_own(&own.agrees);
        located.append(&mut own.places);
        if !standing.is_forked() {
            self.prove(&located);
        }
        for (index, signer) in signers {
            outcomes.push((index, None, Some(signer), self.standing_of(index, &standing)));
        }
        self.standing = standing;
        self.tell_all(outcomes);
        Ok(())
    }

    /// A checkpoint, if its signature holds and its signer is the one who is trusted.
    fn checkpoint(
        &self,
        index: usize,
        checkpoint: Checkpoint,
        own: Option<&OwnLog>,
    ) -> Result<Verified<Checkpoint>, Judgement> {
        let log = &self.args.log;
        let fingerprint = checkpoint.fingerprint(self.domain());
        let named = Some(fingerprint).filter(|log| self.args.fingerprints.contains(log));
        if !log.has_key() && own.is_none() && named.is_none() {
            let text = "give the log's public key file with --log-key, or its fingerprint with --log";
            return Err(Judgement::new(Mark::Unchecked, text));
        }
        if let Some(since) = self.since.filter(|since| checkpoint.tree_head().size < since.size()) {
            return Err(since.before());
        }
        let ring = self.trusted.told(checkpoint.identity_id());
        match log.judge(checkpoint, &self.trusted.domain, own.map(|own| own.origin()), ring, named) {
            Err(failure) => Err(Judgement::failed(&self.files[index].path, &failure)),
            Ok(Verdict::Valid(checkpoint)) => Ok(checkpoint),
            Ok(verdict) => Err(Judgement::verdict(&verdict, self.args.public)),
        }
    }

    /// Reads the home folder's own chain, past all checkpoints that are here. Those of its own log it has, or somebody
    /// else signs with the log's key.
    fn read_own(
        &mut self,
        own: &OwnLog,
        verified: &[Held],
        keep: &(dyn Fn(&Entry) -> bool + Sync),
    ) -> Result<Own, Failure> {
        let (origin, mut after) = (own.origin().to_owned(), After::default());
        let of_evidence = self.opened().map(|(index, open)| (index, open.checkpoint()));
        let checkpoints: Vec<_> =
            verified.iter().map(|(index, checkpoint)| (*index, checkpoint)).chain(of_evidence).collect();
        let held: Vec<_> = checkpoints.iter().map(|(_, checkpoint)| *checkpoint).collect();
        let OwnRead { places, held, bytes, .. } = if let Some(since) = self.since {
            let mut add = |entry: &Entry| {
                if keep(entry) {
                    after.add(entry);
                }
            };
            since.told(own.read(since.begun(), &held, keep, &mut add), own)?
        } else {
            let read = own.read(&TrustedHead::beginning(), &held, keep, &mut |_| {});
            read.map_err(|error| contradicted(error, own.path()))?
        };
        let mut found = Own { places, ..Own::default() };
        for ((index, checkpoint), held) in checkpoints.into_iter().zip(held) {
            match held {
                Some(Err(error)) if checkpoint.record().origin() == origin => {
                    let failure = contradicted(error, own.path());
                    found.against.insert(index, Judgement::failed(&self.files[index].path, &failure));
                }
                Some(held) => _ = found.agrees.insert(index, held.is_ok()),
                None if checkpoint.record().origin() == origin => _ = found.unasked.insert(index),
                None => {}
            }
        }
        self.hashed += bytes;
        if let Some(since) = self.since {
            self.put_aside(since, after);
        }
        Ok(found)
    }

    /// What a checkpoint whose signature holds is worth beside the others and the chains.
    fn standing_of(&self, index: usize, standing: &Standing) -> Judgement {
        let place = standing.place(index).unwrap_or_default();
        if let Some(other) = standing.fork_of(place) {
            return self.fork(standing, other, "it and");
        }
        let file = standing.file(place).unwrap_or(index);
        if let Some(other) = self.forks.fork_of(index).or(self.forks.fork_of(file)) {
            return forked(&format!("it and {}", self.files[other].shown.shown()));
        }
        if standing.is_distrusted() {
            return of_forked_log();
        }
        if let Some(other) = self.forks.dispute_of(index).or(self.forks.dispute_of(file)) {
            return disputed(&self.files[other].shown.shown());
        }
        if standing.is_shown(place) {
            return Judgement::new(Mark::Valid, "holds");
        }
        let text = if place == 0 {
            "its signature holds, and no chain here agrees with it".to_owned()
        } else {
            format!("its signature holds, and no chain here shows that {} grew from it", self.name_of(standing, 0))
        };
        Judgement::new(Mark::Unchecked, text)
    }

    /// Proof that the log's signer signed two chains.
    fn fork(&self, standing: &Standing, other: usize, one: &str) -> Judgement {
        forked(&format!("{one} {}", self.name_of(standing, other)))
    }

    fn name_of(&self, standing: &Standing, place: usize) -> String {
        let file = standing.file(place).and_then(|file| self.files.get(file));
        file.map_or_else(|| "another checkpoint".to_owned(), |file| file.shown.shown().to_string())
    }

    fn chain(
        &mut self,
        index: usize,
        keep: &(dyn Fn(&Entry) -> bool + Sync),
        standing: &mut Standing,
        located: &mut Vec<Located>,
    ) -> Judgement {
        let found = &self.files[index];
        self.hashed += found.length() * (1 + u64::from(standing.len() > 0));
        let held = match standing.hold(self.domain(), &|each| found.entries(each), keep) {
            Ok(held) => held,
            Err(failure) => return Judgement::failed(&found.path, &failure),
        };
        let size = held.size;
        match (held.under, held.fork, held.against) {
            (Some((place, _)), Some(other), _) => {
                let one = format!("{} and", self.name_of(standing, place));
                self.fork(standing, other, &one)
            }
            // Of a fork, whichever of the two comes first.
            (Some((place, _)), None, Some((other, _))) if standing.fork_of(other) == Some(place) => {
                let one = format!("{} and", self.name_of(standing, place));
                self.fork(standing, other, &one)
            }
            (_, None, Some((place, failure))) => {
                let outcome = Judgement::failed(&found.path, &failure);
                Judgement { text: format!("under {}: {}", self.name_of(standing, place), outcome.text), ..outcome }
            }
            (Some((place, _)), None, None) if standing.is_distrusted() => {
                match standing.file(place).and_then(|file| self.forks.fork_of(file)) {
                    Some(other) => {
                        let other = self.files[other].shown.shown();
                        forked(&format!("{} and {other}", self.name_of(standing, place)))
                    }
                    None => of_forked_log(),
                }
            }
            (Some((place, covered)), None, None) => {
                located.extend(held.places);
                self.agreed.get_or_insert(index);
                let checkpoint = self.name_of(standing, place);
                Judgement::new(Mark::Valid, format!("{size} entries, {covered} of them under {checkpoint}"))
            }
            (None, _, _) => {
                let text = format!("{size} entries hold together; a checkpoint would show whether the end is missing");
                Judgement::new(Mark::Unchecked, text)
            }
        }
    }

    /// The handles and messages of entries that records here speak of.
    fn sought(&self) -> (BTreeSet<KrunicaHash>, BTreeSet<String>) {
        let (mut handles, mut messages) = (BTreeSet::new(), BTreeSet::new());
        for (index, what) in self.whats.iter().enumerate() {
            match what {
                What::Signature(record) => {
                    handles.insert(*record.krunica_hash());
                }
                What::Records | What::Ledger => self.each_signature(index, |record| {
                    handles.insert(*record.krunica_hash());
                }),
                What::Record(record) => {
                    handles.insert(*record.krunica_hash());
                }
                What::Result(result) => {
                    if let ThresholdResult::Signed(result) = &**result {
                        handles.insert(*result.krunica_hash());
                    }
                }
                What::Seal(Seal::Dual(seal)) => {
                    messages.insert(seal.chain_message(self.domain()));
                }
                _ => {}
            }
        }
        (handles, messages)
    }

    fn prove(&mut self, located: &[Located]) {
        for at in located {
            let entry = at.entry();
            self.handles.entry(entry.krunica_hash()).or_insert_with(|| at.clone());
            self.messages.entry((*entry.identity_id(), entry.message().to_owned())).or_insert_with(|| at.clone());
        }
    }
}

/// Two that no chain has both.
pub(super) fn forked(both: &str) -> Judgement {
    let text = format!("FORK: {both} contradict each other: keep both, and do not rely on this log");
    Judgement { code: Some(VerdictKind::Invalid.code()), ..Judgement::new(Mark::Invalid, text) }
}

/// Of two by different keys one is wrong, and nothing here tells which.
pub(super) fn disputed(other: &dyn Display) -> Judgement {
    let text = format!(
        "it and {other} contradict each other, and each is signed with another key: keep both, and ask the log's \
         operator which key is his"
    );
    Judgement::new(Mark::Unchecked, text)
}

/// What holds by itself, of a log that two others convict.
pub(super) fn of_forked_log() -> Judgement {
    Judgement::new(Mark::Unchecked, "its log contradicts itself in other files here, so that it shows nothing")
}
