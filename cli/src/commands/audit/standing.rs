//! Checkpoints of one log, held against one another and against the chains: which are forks, and which the largest one
//! grew from.

use crate::chain_file::{Entries, stated, under};
use crate::failure::Failure;
use dualseal::checkpoint::{Checkpoint, Comparison, compare};
use dualseal::krunica::Ignored;
use dualseal::{Domain, Entry, Located, Verified};
use dualseal_operator::chain::agreements;
use std::collections::{BTreeMap, BTreeSet};

/// The verified checkpoints of one log, each head once, the largest first. What is said of one is said by its place.
#[derive(Default)]
pub(super) struct Standing {
    checkpoints: Vec<(usize, Verified<Checkpoint>)>,
    /// The place of each file's head.
    places: BTreeMap<usize, usize>,
    /// Of a fork, each with the other.
    forks: BTreeMap<usize, usize>,
    /// Those that a chain shows to be on the way to the largest one, which is one of them.
    shown: BTreeSet<usize>,
    /// Whether files of evidence show that the log is forked.
    is_distrusted: bool,
    /// Those that state a ring of which their chain knows nothing, each with what is wrong.
    false_rings: BTreeMap<usize, String>,
    /// What follows the ring that the largest one states, where its chain is here.
    unverified: Option<Ignored>,
}

/// What a chain says of the checkpoints.
pub(super) struct Held {
    /// The number of its entries.
    pub(super) size: u64,
    /// The largest checkpoint that the chain agrees with, and how many entries that covers.
    pub(super) under: Option<(usize, u64)>,
    /// The places that were asked for, under that checkpoint.
    pub(super) places: Vec<Located>,
    /// The largest that it does not agree with.
    pub(super) against: Option<(usize, Failure)>,
    /// The largest one that the first shows to be a fork.
    pub(super) fork: Option<usize>,
}

impl Standing {
    /// Those of so many files. Of one size, two heads contradict each other without any chain.
    pub(super) fn new(mut verified: Vec<(usize, Verified<Checkpoint>)>) -> Result<Self, Failure> {
        let rank = |checkpoint: &Verified<Checkpoint>| {
            let head = checkpoint.record().tree_head();
            (std::cmp::Reverse(head.size), head.top.to_hex(), head.root.to_hex())
        };
        verified.sort_by_key(|(index, checkpoint)| (rank(checkpoint), *index));
        let mut standing = Self::default();
        for (index, checkpoint) in verified {
            let last = standing.checkpoints.last().map(|(_, last)| compare(last, &checkpoint)).transpose()?;
            if last != Some(Comparison::Equal) {
                let place = standing.checkpoints.len();
                // Several keys count in a home folder alone, which has held all of them against its own chain.
                if matches!(last, Some(Comparison::Fork(_))) {
                    standing.fork(place - 1, place);
                }
                standing.checkpoints.push((index, checkpoint));
            }
            standing.places.insert(index, standing.checkpoints.len() - 1);
        }
        Ok(standing)
    }

    /// How many heads there are.
    pub(super) fn len(&self) -> usize {
        self.checkpoints.len()
    }

    /// The file that a checkpoint is first in.
    pub(super) fn file(&self, place: usize) -> Option<usize> {
        self.checkpoints.get(place).map(|(index, _)| *index)
    }

    /// The place of a file's checkpoint.
    pub(super) fn place(&self, file: usize) -> Option<usize> {
        self.places.get(&file).copied()
    }

    /// The checkpoint that contradicts it.
    pub(super) fn fork_of(&self, place: usize) -> Option<usize> {
        self.forks.get(&place).copied()
    }

    /// Whether a chain agrees with it and with the largest one.
    pub(super) fn is_shown(&self, place: usize) -> bool {
        self.shown.contains(&place)
    }

    /// The largest one, where a chain agrees with it and with its ring, and no two contradict each other: nothing else
    /// proves a place. A log that is shown to be forked proves nothing at all.
    pub(super) fn largest(&self) -> Option<&Verified<Checkpoint>> {
        let (_, largest) = self.checkpoints.first()?;
        (!self.is_forked() && self.is_shown(0) && !self.false_rings.contains_key(&0)).then_some(largest)
    }

    /// The largest one, by its signature alone.
    pub(super) fn newest(&self) -> Option<&Verified<Checkpoint>> {
        let (_, newest) = self.checkpoints.first()?;
        (!self.is_forked()).then_some(newest)
    }

    /// Whether two contradict each other.
    pub(super) fn is_forked(&self) -> bool {
        self.is_distrusted || !self.forks.is_empty()
    }

    /// Whether files of evidence show it.
    pub(super) fn is_distrusted(&self) -> bool {
        self.is_distrusted
    }

    /// For a log of which other files show that it is forked.
    pub(super) fn distrust(&mut self) {
        self.is_distrusted = true;
    }

    /// What the home folder's own chain says of the files' checkpoints.
    pub(super) fn hold_own(&mut self, agrees: &BTreeMap<usize, bool>) {
        let agreed: Vec<_> = self.checkpoints.iter().map(|(file, _)| agrees.get(file).copied()).collect();
        self.held(&agreed);
    }

    /// The places of those whose chain has no entry for the ring that they state.
    pub(super) fn false_rings(&self) -> impl Iterator<Item = (usize, &str)> {
        self.false_rings.iter().map(|(place, text)| (*place, text.as_str()))
    }

    /// The files of a head.
    pub(super) fn files(&self, place: usize) -> impl Iterator<Item = usize> {
        self.places.iter().filter(move |(_, other)| **other == place).map(|(file, _)| *file)
    }

    /// What follows the ring that the largest one states in the form of its changes, where its chain is here.
    pub(super) fn unverified(&self) -> Option<&Ignored> {
        self.unverified.as_ref()
    }

    /// Reads a chain past all of them, and once more under the largest one that it agrees with.
    pub(super) fn hold(
        &mut self,
        domain: &Domain,
        entries: Entries<'_>,
        keep: &(dyn Fn(&Entry) -> bool + Sync),
    ) -> Result<Held, Failure> {
        let (found, read) = agreements(domain, self.checkpoints.iter().map(|(_, checkpoint)| checkpoint), entries);
        let agreed: Vec<_> = found.iter().map(|found| found.as_ref().map(Result::is_ok)).collect();
        // Whatever is wrong with the chain further on.
        let fork = self.held(&agreed);
        let mut held = Held { size: read?, under: None, places: Vec::new(), against: None, fork };
        for (place, found) in found.into_iter().enumerate() {
            match found {
                Some(Ok(())) => {
                    let checkpoint = &self.checkpoints[place].1;
                    let mut reader = under(domain, checkpoint)?;
                    let (places, watched) = (reader.places(keep)?, reader.stated_ring()?);
                    entries(&mut |texts| reader.push_json_all(texts.iter().copied(), |_, _| Ok(())))?;
                    let mut proofs = reader.finish()?;
                    match stated(&mut proofs, watched) {
                        Ok(ring) => {
                            held.places = proofs.take(places)?;
                            held.under = Some((place, checkpoint.record().tree_head().size));
                            if place == 0 {
                                self.unverified = Some(ring.unverified().clone());
                            }
                        }
                        // Whoever states a false ring proves nothing.
                        Err(failure) => {
                            self.false_rings.insert(place, failure.message().to_owned());
                            held.against = Some((place, failure));
                        }
                    }
                    break;
                }
                Some(Err(error)) => held.against = held.against.or(Some((place, error.into()))),
                None => {}
            }
        }
        Ok(held)
    }

    /// By what a chain says of each, as far as it was read. Those that it agrees with are on the way to the largest one
    /// if it agrees with that; of a smaller one that it does not agree with beside a larger one, the two are a fork: a
    /// chain that the larger one covers begins with another than the smaller one's.
    fn held(&mut self, agreed: &[Option<bool>]) -> Option<usize> {
        let under = agreed.iter().position(|agrees| *agrees == Some(true))?;
        let mut fork = None;
        for (place, agrees) in agreed.iter().enumerate().skip(under) {
            match agrees {
                Some(true) if under == 0 => _ = self.shown.insert(place),
                Some(false) => {
                    self.fork(under, place);
                    fork = fork.or(Some(place));
                }
                _ => {}
            }
        }
        fork
    }

    fn fork(&mut self, one: usize, other: usize) {
        self.forks.entry(one).or_insert(other);
        self.forks.entry(other).or_insert(one);
    }
}
