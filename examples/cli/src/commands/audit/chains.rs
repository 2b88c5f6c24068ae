//! Checkpoints by what is pinned of their log, and chains under those that hold.

use super::check::Audit;
use super::found::{Mark, Outcome};
use super::kinds::What;
use crate::commands::chain::entries::entries;
use crate::commands::chain::evidence::{agree, own_checkpoint};
use crate::failure::Failure;
use crate::store::CHAIN;
use dualseal::krunica::{Checker, KrunicaHash};
use dualseal::seal::Seal;
use dualseal::threshold::ThresholdResult;
use dualseal::{Entry, Located, Verdict};
use std::collections::BTreeSet;
use std::path::Path;

impl Audit<'_> {
    /// Checkpoints, then chains; what the chains prove of the records here is kept.
    pub(super) fn check_chains(&mut self) {
        let mut outcomes = Vec::new();
        for index in 0..self.files.len() {
            if let What::Checkpoint(checkpoint) = &self.whats[index] {
                let signer = *checkpoint.identity_id();
                let outcome = self.checkpoint(index);
                outcomes.push((index, None, Some(signer), outcome));
            }
        }
        let (handles, messages) = self.sought();
        let keep = move |entry: &Entry| handles.contains(&entry.krunica_hash()) || messages.contains(entry.message());
        for index in 0..self.files.len() {
            if matches!(self.whats[index], What::Chain) {
                let outcome = self.chain(index, &keep);
                outcomes.push((index, None, None, outcome));
            }
        }
        if let Some(home) = &self.trusted.home
            && let Ok(Some(checkpoint)) = own_checkpoint(home)
            && let Ok(agreed) = agree(&home.path(CHAIN), &checkpoint, &keep)
        {
            self.prove(agreed.located());
        }
        self.tell_all(outcomes);
    }

    fn checkpoint(&mut self, index: usize) -> Outcome {
        let (log, home) = (&self.args.log, self.trusted.home.as_ref());
        if !log.has_key() && home.is_none() {
            return Outcome::new(Mark::Unchecked, "give the log's public key file with --log-key");
        }
        match log.verify(&self.files[index].path, &self.trusted.domain, home) {
            Err(failure) => failed(&self.files[index].path, &failure),
            Ok(verdict) => {
                let outcome = Outcome::verdict(&verdict, self.args.public);
                if let Verdict::Valid(checkpoint) = verdict {
                    self.checkpoints.push((index, checkpoint));
                }
                outcome
            }
        }
    }

    fn chain(&mut self, index: usize, keep: &(dyn Fn(&Entry) -> bool + Sync)) -> Outcome {
        let path = self.files[index].path.clone();
        let size = match alone(&path) {
            Ok(size) => size,
            Err(failure) => return failed(&path, &failure),
        };
        let (mut under, mut against) = (None, None);
        let mut located = Vec::new();
        for (checkpoint, verified) in &self.checkpoints {
            match agree(&path, verified, keep) {
                Ok(agreed) => {
                    located.extend_from_slice(agreed.located());
                    under = under.or(Some((*checkpoint, agreed.covered())));
                }
                Err(failure) => against = against.or(Some(failure)),
            }
        }
        self.prove(&located);
        match (under, against) {
            (Some((checkpoint, covered)), _) => {
                let checkpoint = self.files[checkpoint].shown.display();
                Outcome::new(Mark::Valid, format!("{size} entries, {covered} of them under {checkpoint}"))
            }
            (None, Some(failure)) => failed(&path, &failure),
            (None, None) => {
                let text = format!("{size} entries hold together; a checkpoint would show whether the end is missing");
                Outcome::new(Mark::Unchecked, text)
            }
        }
    }

    /// The handles and messages of entries that records here speak of.
    fn sought(&self) -> (BTreeSet<KrunicaHash>, BTreeSet<String>) {
        let (mut handles, mut messages) = (BTreeSet::new(), BTreeSet::new());
        for what in &self.whats {
            match what {
                What::Signature(record) => {
                    handles.insert(*record.krunica_hash());
                }
                What::Record(record) => {
                    handles.insert(*record.krunica_hash());
                }
                What::Result(result) => {
                    if let ThresholdResult::Signed(result) = &**result {
                        handles.insert(*result.krunica_hash());
                    }
                }
                What::Seal(Seal::Dual(seal)) => {
                    messages.insert(seal.chain_message());
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
            self.messages.entry((*entry.w3(), entry.message().to_owned())).or_insert_with(|| at.clone());
        }
    }
}

fn alone(path: &Path) -> Result<u64, Failure> {
    let mut checker = Checker::new();
    entries(path, |json| Ok(checker.push_json(json).map(drop)?))?;
    Ok(checker.head().size())
}

/// What could not be gone on with.
pub(super) fn failed(path: &Path, failure: &Failure) -> Outcome {
    let mark = match failure.code() {
        Some(100..=199) => Mark::Malformed,
        Some(_) => Mark::Invalid,
        None if failure.status() == crate::failure::READ => Mark::Unreadable,
        None => Mark::Unchecked,
    };
    // The line begins with the path.
    let about = format!("{}: ", path.display());
    let outcome = Outcome::new(mark, failure.message().strip_prefix(&about).unwrap_or(failure.message()));
    Outcome { code: failure.code().or(outcome.code), ..outcome }
}
