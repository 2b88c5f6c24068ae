//! Any number of checkpoints, held against a chain in one pass over it.

use crate::failure::Failure;
use dualseal::checkpoint::Checkpoint;
use dualseal::error::CheckpointFault;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::{Domain, Error, Head, Verified};

/// Hands the entries of a chain over.
pub(crate) type Entries<'e> = &'e dyn Fn(&mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Failure>;

/// What a chain says of each: `None` of one that ends before reading began, or behind a fault.
pub(crate) type Agreed = Vec<Option<Result<(), Error>>>;

/// Checkpoints that wait for the chain to reach them.
pub(crate) struct Agreements<'c> {
    /// The largest first, each with its place among those that were given.
    waiting: Vec<(usize, &'c Verified<Checkpoint>)>,
    agreed: Agreed,
}

impl<'c> Agreements<'c> {
    pub(crate) fn new(checkpoints: impl IntoIterator<Item = &'c Verified<Checkpoint>>) -> Self {
        let mut waiting: Vec<_> = checkpoints.into_iter().enumerate().collect();
        waiting.sort_by_key(|(_, checkpoint)| std::cmp::Reverse(size(checkpoint)));
        Self { agreed: vec![None; waiting.len()], waiting }
    }

    /// Looks where the reader stands. A log may sign its empty head, so that this is done before the first entry too.
    pub(crate) fn note(&mut self, reader: &ChainReader<'_>) {
        let Some(head) = reader.head() else { return };
        while let Some((place, checkpoint)) = self.waiting.pop_if(|(_, next)| size(next) <= head.size()) {
            if size(checkpoint) == head.size() {
                self.agreed[place] = Some(TrustedHead::checkpoint(checkpoint, head).map(drop));
            }
        }
    }

    /// What was seen before a fault.
    pub(crate) fn seen(self) -> Agreed {
        self.agreed
    }

    /// What was seen of a chain that ended with so many entries.
    pub(crate) fn ended(mut self, found: u64) -> Agreed {
        for (place, checkpoint) in self.waiting {
            let fault = CheckpointFault::Truncated { size: size(checkpoint), found };
            self.agreed[place] = Some(Err(fault.into()));
        }
        self.agreed
    }
}

/// Reads a chain past checkpoints. What it says of those up to a fault is said whatever comes after it: there it held
/// together.
pub(crate) fn hold<'c>(
    domain: &Domain,
    checkpoints: impl IntoIterator<Item = &'c Verified<Checkpoint>>,
    entries: Entries<'_>,
) -> (Agreed, Result<u64, Failure>) {
    let mut reader = ChainReader::new(domain, &TrustedHead::beginning());
    let mut agreements = Agreements::new(checkpoints);
    agreements.note(&reader);
    let read = entries(&mut |json| {
        reader.push_json(json)?;
        agreements.note(&reader);
        Ok(())
    });
    match read.and_then(|()| Ok(reader.finish()?.head().map_or(0, Head::size))) {
        Ok(size) => (agreements.ended(size), Ok(size)),
        Err(failure) => (agreements.seen(), Err(failure)),
    }
}

fn size(checkpoint: &Verified<Checkpoint>) -> u64 {
    checkpoint.record().tree_head().size
}
