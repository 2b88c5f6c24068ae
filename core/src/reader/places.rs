//! The places of entries below a checkpoint.

use super::chain::ChainReader;
use super::cursor::Cursor;
use super::proofs::Watched;
use super::watcher::{Ended, Watcher};
use crate::error::{Error, Misuse};
use crate::krunica::{Entry, KrunicaHash, Located};
use alloc::vec::Vec;

/// Keeps the entries of which the caller says so.
struct Places<F> {
    keep: F,
    covered: u64,
    kept: Vec<Entry>,
}

impl<F: FnMut(&Entry) -> bool> Places<F> {
    fn located(self, ended: &Ended<'_>) -> Result<Vec<Located>, Error> {
        let agreed = ended.agreed.ok_or(Misuse::NoEnd)?;
        Ok(self.kept.into_iter().map(|entry| Located::new(agreed.origin(), entry)).collect())
    }
}

impl<F: FnMut(&Entry) -> bool> Watcher for Places<F> {
    type Proof = Vec<Located>;

    fn take(&mut self, entry: &Entry, _after: &Cursor) {
        // Beyond the checkpoint nothing is proven.
        if entry.seq() < self.covered && (self.keep)(entry) {
            self.kept.push(entry.clone());
        }
    }

    fn finish(self, ended: &Ended<'_>) -> Result<Vec<Located>, Error> {
        self.located(ended)
    }
}

/// The first of them.
struct Place<F>(Places<F>);

impl<F: FnMut(&Entry) -> bool> Watcher for Place<F> {
    type Proof = Option<Located>;

    fn take(&mut self, entry: &Entry, after: &Cursor) {
        if self.0.kept.is_empty() {
            self.0.take(entry, after);
        }
    }

    fn finish(self, ended: &Ended<'_>) -> Result<Option<Located>, Error> {
        Ok(self.0.located(ended)?.pop())
    }
}

impl<'a> ChainReader<'a> {
    /// The place of the entry with this handle; `None` where it does not stand among the entries that are read below
    /// the checkpoint.
    ///
    /// # Errors
    /// [`Misuse::NoEnd`] without a checkpoint, [`Misuse::LateStart`] after the first entry.
    pub fn place(&mut self, wanted: KrunicaHash) -> Result<Watched<Option<Located>>, Error> {
        let places = self.kept(move |entry: &Entry| entry.krunica_hash() == wanted)?;
        self.watch(Place(places))
    }

    /// The places of the entries below the checkpoint of which `keep` says so, in order: in memory for these.
    ///
    /// # Errors
    /// As [`place`](Self::place).
    pub fn places(&mut self, keep: impl FnMut(&Entry) -> bool + Send + 'a) -> Result<Watched<Vec<Located>>, Error> {
        let places = self.kept(keep)?;
        self.watch(places)
    }

    fn kept<F: FnMut(&Entry) -> bool>(&self, keep: F) -> Result<Places<F>, Error> {
        Ok(Places { keep, covered: self.covered()?, kept: Vec::new() })
    }
}
