//! Any number of checkpoints, held against a chain in one pass over it.

use dualseal::checkpoint::Checkpoint;
use dualseal::error::CheckpointFault;
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::{Domain, Error, Head, Verified};
use std::cmp::Reverse;

/// What a chain says of each checkpoint, in the order in which they were given: `None` of one that ends before reading
/// began, or behind a fault.
pub type Agreed = Vec<Option<Result<(), Error>>>;

/// Checkpoints that wait for the chain to reach them.
#[derive(Debug)]
pub struct Agreements<'c> {
    /// The largest first, each with its place among those that were given.
    waiting: Vec<(usize, &'c Verified<Checkpoint>)>,
    agreed: Agreed,
}

impl<'c> Agreements<'c> {
    /// Of a chain that is not read yet.
    pub fn new(checkpoints: impl IntoIterator<Item = &'c Verified<Checkpoint>>) -> Self {
        let mut waiting: Vec<_> = checkpoints.into_iter().enumerate().collect();
        waiting.sort_by_key(|(_, checkpoint)| Reverse(size(checkpoint)));
        Self { agreed: vec![None; waiting.len()], waiting }
    }

    /// Looks where the reader stands: after each entry, and before the first one too, since a log may sign its empty
    /// head.
    pub fn note(&mut self, reader: &ChainReader<'_>) {
        let Some(head) = reader.head() else { return };
        while let Some((place, checkpoint)) = self.waiting.pop_if(|(_, next)| size(next) <= head.size()) {
            if size(checkpoint) == head.size() {
                self.agreed[place] = Some(TrustedHead::checkpoint(checkpoint, head).map(drop));
            }
        }
    }

    /// What was seen before a fault.
    #[must_use]
    pub fn seen(self) -> Agreed {
        self.agreed
    }

    /// What was seen of a chain that ended with so many entries.
    #[must_use]
    pub fn ended(mut self, found: u64) -> Agreed {
        for (place, checkpoint) in self.waiting {
            let fault = CheckpointFault::Truncated { size: size(checkpoint), found };
            self.agreed[place] = Some(Err(fault.into()));
        }
        self.agreed
    }
}

/// Reads a chain past checkpoints. What it says of those up to a fault is said whatever comes after it: there it held
/// together. `entries` hands the chain over, as [`portions`](super::portions) does; the number of them is given back.
///
/// ```
/// # use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, HighWaterMark, Pins};
/// # use dualseal::{Domain, Krunica, SigningKey, SystemRng, Timestamp, key::Unprepared};
/// # let domain = Domain::default();
/// # let log = domain.identity_id(b"", "log", "")?;
/// # let key = SigningKey::from_seed(&[5; 32])?;
/// # let signer = CheckpointSigner::new(&domain, "example.org/log", &log, &key)?;
/// # let pins = Pins {
/// #     origin: "example.org/log".into(), identity_id: log, key_hash: *key.public_key().hash(), least_size: 0 };
/// # let verifier = CheckpointVerifier::new(&domain, &pins, None, &Unprepared);
/// use dualseal_operator::chain::{agreements, portions};
///
/// let (mut chain, mut checkpoints) = (Krunica::new(), Vec::new());
/// for message in ["one", "two"] {
///     chain.append(&domain, &log, message, Timestamp::MIN)?;
///     let first = HighWaterMark::first("example.org/log", chain.head(), None)?;
///     let signed = signer.sign(&first, Timestamp::MIN, &mut SystemRng)?;
///     checkpoints.push(verifier.verify(signed).valid().expect("valid"));
/// }
/// // The end was cut off: the first holds, the second does not.
/// let file = chain.entries()[0].to_json_line();
/// let (agreed, read) = agreements(&domain, &checkpoints, |each| portions(file.as_bytes(), each));
/// assert_eq!(read?, 1);
/// assert!(agreed[0].as_ref().is_some_and(Result::is_ok) && agreed[1].as_ref().is_some_and(Result::is_err));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn agreements<'c, E: From<Error>>(
    domain: &Domain,
    checkpoints: impl IntoIterator<Item = &'c Verified<Checkpoint>>,
    entries: impl FnOnce(&mut dyn FnMut(&[&[u8]]) -> Result<(), Error>) -> Result<(), E>,
) -> (Agreed, Result<u64, E>) {
    let mut reader = ChainReader::new(domain, &TrustedHead::beginning());
    let mut agreements = Agreements::new(checkpoints);
    agreements.note(&reader);
    let read = entries(&mut |texts| {
        reader.push_json_all(texts.iter().copied(), |reader, _| {
            agreements.note(reader);
            Ok(())
        })
    });
    match read.and_then(|()| Ok(reader.finish()?.head().map_or(0, Head::size))) {
        Ok(size) => (agreements.ended(size), Ok(size)),
        Err(error) => (agreements.seen(), Err(error)),
    }
}

fn size(checkpoint: &Verified<Checkpoint>) -> u64 {
    checkpoint.record().tree_head().size
}
