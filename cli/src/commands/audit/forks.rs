//! Files of evidence beside one another, the checkpoints and the chains that lie here, and the home folder's own chain:
//! what no log can have said is a finding, whatever each says alone.

use super::judgement::Judgement;
use crate::chain_file::Entries;
use crate::failure::Failure;
use dualseal::checkpoint::{Checkpoint, Comparison, compare};
use dualseal::error::{EvidenceFault, Rejected};
use dualseal::evidence::OpenEvidence;
use dualseal::mldsa::KeyHash;
use dualseal::{Domain, Error, IdentityId, Verified};
use dualseal_operator::chain::agreements;
use std::collections::{BTreeMap, BTreeSet};

/// A checkpoint, with the file that it is in.
pub(super) type Held = (usize, Verified<Checkpoint>);

/// What contradicts what, by files.
#[derive(Debug, Default)]
pub(super) struct Forks {
    /// By the log's name, the smallest first.
    logs: BTreeMap<String, Vec<Held>>,
    /// Those that the home folder's own chain contradicts, with what is said of them.
    against_own: BTreeMap<usize, Judgement>,
    /// Those of which that chain was not asked: it was read from a larger size on.
    unasked: BTreeSet<usize>,
    /// Of two checkpoints by one key that no chain has both, each with the other.
    forks: BTreeMap<usize, usize>,
    /// Of two by different keys, each with the other: one of them is wrong, and it convicts nobody.
    disputes: BTreeMap<usize, usize>,
    /// Of two files that say otherwise of one key, each with the other.
    retold: BTreeMap<usize, usize>,
    /// The logs of which that is known.
    forked: BTreeSet<String>,
}

/// Two files whose checkpoints no chain has both.
struct Against {
    one: usize,
    other: usize,
    /// The log that this convicts: one key signed both.
    forked: Option<String>,
}

/// What is wrong with a file, beside what it says itself.
#[derive(Clone, Debug)]
pub(super) enum Contradiction {
    /// The home folder's own chain says otherwise.
    Own(Judgement),
    /// No chain has its checkpoint and that of this file, by the same key.
    Fork(usize),
    /// The same of this file's, by another key.
    Disputed(usize),
    /// This file says otherwise of its key.
    Retold(usize),
    /// Two others show that its log is forked.
    OfLog,
}

impl Forks {
    /// Of the files of evidence that are here, each of a log that counts.
    pub(super) fn of_evidence<'e>(opened: impl Iterator<Item = (usize, &'e OpenEvidence)>) -> Self {
        let mut found = Self::default();
        opened.for_each(|(file, open)| found.add(file, open.checkpoint()));
        found.sort();
        found
    }

    /// Whether there is any file of evidence: without one all of this is asked elsewhere.
    pub(super) fn is_empty(&self) -> bool {
        self.logs.is_empty()
    }

    /// Those that the home folder's own chain contradicts are held against nothing else: whoever has the chain knows
    /// which of two was signed by a thief. Where it was not asked, each may be his.
    pub(super) fn leave_out(&mut self, against_own: BTreeMap<usize, Judgement>, unasked: BTreeSet<usize>) {
        (self.against_own, self.unasked) = (against_own, unasked);
        for (origin, mut held) in std::mem::take(&mut self.logs) {
            held.retain(|(file, _)| self.is_compared(*file));
            self.logs.insert(origin, held);
        }
    }

    fn is_compared(&self, file: usize) -> bool {
        !self.against_own.contains_key(&file) && !self.unasked.contains(&file)
    }

    /// Compares them with one another and with the checkpoints that lie here.
    pub(super) fn compare<'e>(
        &mut self,
        opened: impl Iterator<Item = (usize, &'e OpenEvidence)>,
        checkpoints: &[Held],
    ) -> Result<(), Failure> {
        for (file, checkpoint) in checkpoints {
            if self.logs.contains_key(checkpoint.record().origin()) {
                self.add(*file, checkpoint);
            }
        }
        self.sort();
        let mut found = Vec::new();
        for held in self.logs.values() {
            let mut signers: BTreeMap<_, Vec<&Held>> = BTreeMap::new();
            for each in held {
                signers.entry(signer(each)).or_default().push(each);
            }
            // In order of size, what contradicts any contradicts a neighbour: among all, and among those of one key.
            for held in signers.into_values().chain([held.iter().collect()]) {
                for pair in held.windows(2) {
                    if let [one, other] = pair
                        && matches!(compare(&one.1, &other.1)?, Comparison::Fork(_) | Comparison::Contradiction)
                    {
                        found.push(Against::of(one, other));
                    }
                }
            }
        }
        self.add_all(found);
        self.compare_keys(opened);
        Ok(())
    }

    /// Reads a chain that lies here past all of them: of those that are no larger than one that it agrees with, it
    /// agrees with each, or the two are a fork. A fault further on takes nothing of that back.
    pub(super) fn hold(&mut self, domain: &Domain, chain: Entries<'_>) {
        let mut found = Vec::new();
        for held in self.logs.values() {
            // The fault itself is told of the chain, where that is judged.
            let (agreed, _) = agreements(domain, held.iter().map(|(_, checkpoint)| checkpoint), chain);
            let agreed: Vec<_> = agreed.into_iter().map(|agrees| matches!(agrees, Some(Ok(())))).collect();
            let Some(largest) = agreed.iter().rposition(|agrees| *agrees) else { continue };
            for (place, (each, agrees)) in held.iter().zip(&agreed).enumerate().take(largest) {
                if !agrees {
                    let mut larger = held.iter().zip(&agreed).skip(place).filter(|(_, agrees)| **agrees);
                    let same = larger.rfind(|(larger, _)| signer(larger) == signer(each));
                    found.push(Against::of(each, same.map_or(&held[largest], |(larger, _)| larger)));
                }
            }
        }
        self.add_all(found);
    }

    /// What is wrong with a file whose checkpoint is of this log.
    pub(super) fn of(&self, file: usize, origin: &str) -> Option<Contradiction> {
        if let Some(outcome) = self.against_own.get(&file) {
            return Some(Contradiction::Own(outcome.clone()));
        }
        let retold = self.retold.get(&file).map(|other| Contradiction::Retold(*other));
        let found = self.fork_of(file).map(Contradiction::Fork).or(retold);
        let found = found.or(self.is_forked(origin).then_some(Contradiction::OfLog));
        found.or(self.dispute_of(file).map(Contradiction::Disputed))
    }

    /// The file whose checkpoint no chain has beside this one's.
    pub(super) fn fork_of(&self, file: usize) -> Option<usize> {
        self.forks.get(&file).copied()
    }

    /// The file whose checkpoint, by another key, no chain has beside this one's.
    pub(super) fn dispute_of(&self, file: usize) -> Option<usize> {
        self.disputes.get(&file).copied()
    }

    /// Whether two by one key contradict each other of this log.
    pub(super) fn is_forked(&self, origin: &str) -> bool {
        self.forked.contains(origin)
    }

    fn add(&mut self, file: usize, checkpoint: &Verified<Checkpoint>) {
        let held = self.logs.entry(checkpoint.record().origin().to_owned()).or_default();
        held.push((file, checkpoint.clone()));
    }

    fn sort(&mut self) {
        for held in self.logs.values_mut() {
            held.sort_by_cached_key(|(file, checkpoint)| {
                let head = checkpoint.record().tree_head();
                (head.size, head.top.to_hex(), head.root.to_hex(), *file)
            });
        }
    }

    /// What is said of each key, by the files in order of size: a history only grows.
    fn compare_keys<'e>(&mut self, opened: impl Iterator<Item = (usize, &'e OpenEvidence)>) {
        let mut keys: BTreeMap<_, Vec<(usize, &OpenEvidence)>> = BTreeMap::new();
        for (file, open) in opened.filter(|(file, _)| self.is_compared(*file)) {
            keys.entry((open.log().to_hex(), open.key().to_hex())).or_default().push((file, open));
        }
        for files in keys.values_mut() {
            files.sort_by_key(|(file, open)| (open.checkpoint().record().tree_head().size, *file));
            for pair in files.windows(2) {
                let [(one, earlier), (other, later)] = pair else { continue };
                if let Err(Error::Rejected(Rejected::NotShown(EvidenceFault::Retold))) = later.compare(earlier) {
                    self.retold.entry(*one).or_insert(*other);
                    self.retold.entry(*other).or_insert(*one);
                    self.forked.insert(later.checkpoint().record().origin().to_owned());
                }
            }
        }
    }

    fn add_all(&mut self, found: Vec<Against>) {
        for Against { one, other, forked } in found {
            let against = if forked.is_some() { &mut self.forks } else { &mut self.disputes };
            against.entry(one).or_insert(other);
            against.entry(other).or_insert(one);
            self.forked.extend(forked);
        }
    }
}

impl Against {
    fn of(one: &Held, other: &Held) -> Self {
        let forked = (signer(one) == signer(other)).then(|| one.1.record().origin().to_owned());
        Self { one: one.0, other: other.0, forked }
    }
}

/// Whose checkpoint it is, and by which key.
fn signer((_, checkpoint): &Held) -> (IdentityId, KeyHash) {
    let checkpoint = checkpoint.record();
    (*checkpoint.identity_id(), *checkpoint.public_key().hash())
}
