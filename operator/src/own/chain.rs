//! The log's chain, as it ended, beside those who write to it.

use super::OwnError;
use crate::chain::{Agreements, ChainError, agree_stating, portions_within, read_for, under};
use crate::disk::{Disk, Error as DiskError, Readable};
use dualseal::checkpoint::Checkpoint;
use dualseal::error::{ChainFault, ChainProblem, CheckpointFault, Rejected};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::{Domain, Entry, Error, Head, Located, RingKey, Verified};
use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The chain of the own log as a file of lines, as it ended while its store was locked.
///
/// ```
/// # use dualseal::{Domain, RingKey, SigningKey, SystemRng};
/// # use dualseal_operator::disk::Disk;
/// # use dualseal_operator::folder::{Folder, FolderError, Place};
/// # use dualseal_operator::own::OwnCheckpoint;
/// # let (domain, time) = (Domain::default(), "2026-11-21T09:00:00.000Z".parse()?);
/// # let (ana, key) = (domain.identity_id(b"", "ana", "")?, SigningKey::from_seed(&[5; 32])?);
/// # let authority = RingKey::generate(&domain, &mut SystemRng)?;
/// # let temporary = std::env::temp_dir().join(format!("dualseal own chain {}", std::process::id()));
/// # let _ = std::fs::remove_dir_all(&temporary);
/// # std::fs::create_dir_all(&temporary)?;
/// # let place = Place {
/// #     path: temporary.join("log"), mark: temporary.join("mark"), domain: domain.clone(),
/// #     origin: "example.org/log".into(), wait: std::time::Duration::from_secs(9) };
/// let folder = Folder::found(Disk::new(), place, authority)?;
/// folder.step(time, &|_| None, |step| step.add_key(&ana, key.public_key()))?;
/// let first = folder.hold()?.checkpoint(&ana, &key, time, |signer| signer)?;
///
/// // The lock is given up with what was read, and others may write.
/// let chain = folder.read()?.own_chain()?;
/// folder.step(time, &|_| None, |step| step.append(&ana, "later"))?;
/// let first = OwnCheckpoint::judge(first, &domain, chain.origin(), folder.read()?.state().ring())?.into_signed();
/// chain.hold(Some(folder.authority()), &first)?;
/// assert_eq!(chain.places(&|_| true)?.len(), 1);
/// # std::fs::remove_dir_all(&temporary)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It is read without the lock, so that nobody waits for it: a chain is only appended to. A change cuts the file to the
/// bytes that it had, which takes away no more than a crash left behind them, and writes after them; what stands before
/// the end stays as it is. The ring was held against the same chain under the same lock, and what is changed in it
/// meanwhile stands behind that end. A chain that somebody else rewrites meanwhile does not lead to this head, and is
/// refused.
#[derive(Debug)]
pub struct OwnChain {
    origin: String,
    domain: Domain,
    path: PathBuf,
    end: Head,
    /// The length of the chain.
    bytes: u64,
    /// The last checkpoint, where it counts as evidence.
    last: Option<Verified<Checkpoint>>,
    /// How many bytes were read so far.
    bytes_read: Cell<u64>,
}

/// What the chain says, after one pass.
#[derive(Debug)]
pub struct OwnRead {
    /// The places under the last checkpoint of the entries that were asked for.
    pub places: Vec<Located>,
    /// Of each checkpoint, whether the chain has it, in the ring that it states too; `None` of one that ends before
    /// reading began.
    pub held: Vec<Option<Result<(), OwnError>>>,
    /// What it cost, in bytes.
    pub bytes: u64,
}

impl OwnChain {
    /// Of a chain whose end was held against its store under the lock that its caller still has; under its last
    /// checkpoint, where that counts as evidence.
    ///
    /// # Errors
    /// What the disk says; [`Refused::NotAFile`](crate::disk::Refused::NotAFile) is inside it for a link, or anything
    /// else that is no file.
    pub fn ended(
        (domain, origin): (&Domain, &str),
        path: &Path,
        end: &Head,
        last: Option<Verified<Checkpoint>>,
    ) -> io::Result<Self> {
        let bytes = open(path)?.length();
        let (origin, domain, path) = (origin.to_owned(), domain.clone(), path.to_owned());
        Ok(Self { origin, domain, path, end: end.clone(), bytes, last, bytes_read: Cell::new(0) })
    }

    /// The name of the log.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Its domain.
    #[must_use]
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it ended.
    #[must_use]
    pub fn end(&self) -> &Head {
        &self.end
    }

    /// Hands its entries over, as JSON texts without `seq`, several at a time: all of them, or the last ones.
    ///
    /// # Errors
    /// As [`portions_within`].
    pub fn entries(
        &self,
        last: Option<u64>,
        mut each: impl FnMut(&[&[u8]]) -> Result<(), Error>,
    ) -> Result<(), ChainError> {
        portions_within(open(&self.path)?, self.bytes, last, |texts| {
            // With the line feed of each.
            let bytes = texts.iter().map(|json| json.len() as u64 + 1).sum();
            self.bytes_read.set(self.bytes_read.get().saturating_add(bytes));
            each(texts)
        })
    }

    /// Holds one checkpoint against it: one of its own log agrees with it, in the ring that it states too, or somebody
    /// else signs with the log's key. Another log's is none of its business. Without the ring key nobody tells a change
    /// from what anybody wrote, and it is found out only that some entry states the ring.
    ///
    /// # Errors
    /// As [`OwnError::of`]; [`OwnError::Chain`] for what is wrong with the chain itself.
    pub fn hold(&self, authority: Option<&RingKey>, checkpoint: &Verified<Checkpoint>) -> Result<(), OwnError> {
        if checkpoint.record().origin() != self.origin {
            return Ok(());
        }
        let Some(authority) = authority else { return self.states(checkpoint) };
        let read = self.read(authority, &TrustedHead::beginning(), &[checkpoint], &|_| false, &mut |_| {})?;
        read.held.into_iter().flatten().collect()
    }

    /// What of the file was there.
    fn file(&self) -> Result<impl Read, ChainError> {
        Ok(open(&self.path)?.take(self.bytes))
    }

    fn states(&self, checkpoint: &Verified<Checkpoint>) -> Result<(), OwnError> {
        match agree_stating(&self.domain, self.file()?, checkpoint) {
            Ok((agreed, _)) if agreed.head() == &self.end => Ok(()),
            Ok(_) => Err(ChainError::Chain(CheckpointFault::Rewritten { size: self.end.size() }.into()).into()),
            Err(ChainError::FalseRing(error)) => Err(OwnError::FalseRing(error)),
            Err(ChainError::Chain(error @ Error::Rejected(Rejected::Checkpoint(_)))) => Err(OwnError::Fork(error)),
            Err(error) => Err(error.into()),
        }
    }

    /// The places of some entries under the last checkpoint; none where no checkpoint counts.
    ///
    /// # Errors
    /// [`OwnError::Chain`].
    pub fn places(&self, keep: &(dyn Fn(&Entry) -> bool + Sync)) -> Result<Vec<Located>, OwnError> {
        let Some(last) = &self.last else { return Ok(Vec::new()) };
        let reader = under(&self.domain, last).map_err(ChainError::Asked)?.up_to(&self.end);
        Ok(read_for(self.file()?, reader, |reader| reader.places(keep))?)
    }

    /// Reads it past any number of checkpoints, from a head that is trusted, and keeps the places of some entries. What
    /// it says of those up to there is said of a chain that leads to where it ended, and of no other.
    ///
    /// # Errors
    /// [`OwnError::Chain`]; nothing is said of any checkpoint then.
    pub fn read(
        &self,
        authority: &RingKey,
        begun: &TrustedHead,
        checkpoints: &[&Verified<Checkpoint>],
        keep: &(dyn Fn(&Entry) -> bool + Sync),
        each: &mut dyn FnMut(&Entry),
    ) -> Result<OwnRead, OwnError> {
        let fault = |error: Error| OwnError::Chain(ChainError::Chain(error));
        let mut reader = ChainReader::new(&self.domain, begun).up_to(&self.end);
        let begun = reader.size();
        let mut places = None;
        // Before the beginning nothing is shown.
        if let Some(last) = self.last.as_ref().filter(|last| last.record().tree_head().size >= begun) {
            reader = reader.under(last).map_err(fault)?;
            places = Some(reader.places(keep).map_err(fault)?);
        }
        let changes = reader.ring_changes(authority).map_err(fault)?;
        let mut agreements = Agreements::new(checkpoints.iter().copied());
        agreements.note(&reader);
        self.entries(Some(self.end.size().saturating_sub(begun)).filter(|_| begun > 0), |texts| {
            let pushed = reader.push_json_all(texts.iter().copied(), |reader, entry| {
                agreements.note(reader);
                each(entry);
                Ok(())
            });
            pushed.map_err(|error| of_another(error, begun))
        })?;
        let mut proofs = reader.finish().map_err(fault)?;
        let places = places.map_or(Ok(Vec::new()), |places| proofs.take(places)).map_err(fault)?;
        let changes = proofs.take(changes).map_err(fault)?;
        let agreed = agreements.ended(self.end.size()).into_iter().zip(checkpoints);
        let held = agreed
            .map(|(agreed, checkpoint)| Some(agreed?.and_then(|()| changes.check(checkpoint)).map_err(OwnError::of)));
        Ok(OwnRead { places, held: held.collect(), bytes: self.bytes_read.get() })
    }
}

/// Whatever took its place since it was locked: no link, which leads elsewhere, and no pipe, at which one would wait.
fn open(path: &Path) -> io::Result<Readable> {
    Disk::new().open(path).map_err(DiskError::into_io)?.ok_or_else(|| ErrorKind::NotFound.into())
}

/// The first entry that is read does not go on from where reading began: it began in another chain.
fn of_another(error: Error, begun: u64) -> Error {
    let fault = ChainFault { seq: begun, problem: ChainProblem::Prev };
    if begun > 0 && error == Error::Rejected(Rejected::Chain(fault)) {
        return CheckpointFault::Rewritten { size: begun }.into();
    }
    error
}
