//! The log of a home folder for whoever reads it after the lock is given up.

use super::Home;
use super::checkpoint::contradicted;
use crate::chain_file::entries_within;
use crate::failure::{Failure, USAGE};
use crate::secrets::Passphrase;
use crate::store::CHAIN;
use dualseal::checkpoint::Checkpoint;
use dualseal::error::{ChainFault, ChainProblem, CheckpointFault, Rejected};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::{Domain, Entry, Error, Head, KeyRing, Located, RingKey, Verified};
use dualseal_operator::chain::Agreements;
use std::cell::Cell;
use std::fs;
use std::path::PathBuf;

/// A home folder's own log, as it ended while the folder was locked.
///
/// It is read without the lock, so that nobody waits for it: a chain is only appended to. A change cuts the file to the
/// bytes that it had, which takes away no more than a crash left behind them, and writes after them; what
/// stands before the end stays as it is. The ring was held against the same chain under the same lock, and what is
/// changed in it meanwhile stands behind that end. A chain that somebody else rewrites meanwhile does not lead to this
/// head, and is refused.
#[derive(Debug)]
pub(crate) struct OwnLog {
    origin: String,
    domain: Domain,
    chain: PathBuf,
    end: Head,
    /// The length of the chain.
    bytes: u64,
    authority: Option<RingKey>,
    /// The last checkpoint, where it counts as evidence.
    last: Option<Verified<Checkpoint>>,
    /// Where the master of the seal keys is, if there is one.
    pub(super) master: Option<PathBuf>,
    /// How many bytes were read so far.
    hashed: Cell<u64>,
}

/// What the chain says, after one pass.
#[derive(Debug)]
pub(crate) struct OwnRead {
    /// The places under the last checkpoint of the entries that were asked for.
    pub(crate) places: Vec<Located>,
    /// Of each checkpoint, whether the chain has it, in the ring that it states too; `None` of one that ends before
    /// reading began.
    pub(crate) held: Vec<Option<Result<(), Failure>>>,
    /// What it cost, in bytes.
    pub(crate) hashed: u64,
}

impl Home {
    /// Gives up the lock.
    pub(crate) fn into_log(self, ring: &KeyRing, passphrase: &Passphrase) -> Result<OwnLog, Failure> {
        let (chain, end) = (self.present(CHAIN)?, self.head(passphrase)?);
        // Opening has seen that it ends with the last entry.
        let bytes = fs::metadata(&chain).map_err(|error| Failure::reading(&chain, &error))?.len();
        let (last, master) = (self.own_checkpoint(ring)?, self.seal_master());
        let domain = self.domain.domain().clone();
        let Self { origin, opened, .. } = self;
        let authority = opened.into_inner().map(|(authority, _)| authority);
        Ok(OwnLog { origin, domain, chain, end, bytes, authority, last, master, hashed: Cell::new(0) })
    }
}

impl OwnLog {
    /// The name of the log.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    /// Its domain.
    pub(crate) fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Where it ended.
    pub(crate) fn end(&self) -> &Head {
        &self.end
    }

    /// Hands its entries over, as JSON text without `seq`: all of them, or the last ones.
    pub(crate) fn entries(
        &self,
        last: Option<u64>,
        mut each: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Failure> {
        entries_within(&self.chain, self.bytes, last, |json| {
            self.hashed.set(self.hashed.get() + json.len() as u64 + 1);
            each(json)
        })
    }

    /// Reads the chain past any number of checkpoints. It is read once: there is nothing left to read it again with.
    pub(crate) fn read(
        self,
        begun: &TrustedHead,
        checkpoints: &[&Verified<Checkpoint>],
        keep: &(dyn Fn(&Entry) -> bool + Sync),
        each: &mut dyn FnMut(&Entry),
    ) -> Result<OwnRead, Failure> {
        let about = |error: Error| Failure::from(error).about(self.chain.display());
        let mut reader = ChainReader::new(&self.domain, begun).up_to(&self.end);
        let begun = reader.size();
        let mut places = None;
        // Before the beginning nothing is shown.
        if let Some(last) = self.last.as_ref().filter(|last| last.record().tree_head().size >= begun) {
            reader = reader.under(last).map_err(about)?;
            places = Some(reader.places(keep).map_err(about)?);
        }
        let changes = self.authority.as_ref().map(|authority| reader.ring_changes(authority)).transpose()?;
        let mut agreements = Agreements::new(checkpoints.iter().copied());
        agreements.note(&reader);
        self.entries(Some(self.end.size().saturating_sub(begun)).filter(|_| begun > 0), |json| {
            let entry = reader.push_json(json).map_err(|error| of_another(error, begun))?;
            agreements.note(&reader);
            each(&entry);
            Ok(())
        })?;
        let mut proofs = reader.finish().map_err(about)?;
        let places = places.map_or(Ok(Vec::new()), |places| proofs.take(places)).map_err(about)?;
        let changes = changes.map(|changes| proofs.take(changes)).transpose().map_err(about)?;
        let states = |checkpoint: &Verified<Checkpoint>| match &changes {
            Some(changes) => changes.check(checkpoint).map_err(Failure::from),
            None if checkpoint.record().ring().is_none() => Ok(()),
            None => Err(no_authority()),
        };
        let agreed = agreements.ended(self.end.size()).into_iter().zip(checkpoints);
        let held = agreed.map(|(agreed, checkpoint)| {
            let held = agreed?.map_err(Failure::from).and_then(|()| states(checkpoint));
            Some(held.map_err(contradicted))
        });
        Ok(OwnRead { places, held: held.collect(), hashed: self.hashed.get() })
    }
}

/// The first entry that is read does not go on from where reading began: it began in another chain.
fn of_another(error: Error, begun: u64) -> Error {
    let fault = ChainFault { seq: begun, problem: ChainProblem::Prev };
    if begun > 0 && error == Error::Rejected(Rejected::Chain(fault)) {
        return CheckpointFault::Rewritten { size: begun }.into();
    }
    error
}

fn no_authority() -> Failure {
    let message = "the home folder has no ring key, which alone tells whether the ring that it states is the log's";
    Failure::new(USAGE, message, "restore ring.key from a copy")
}

#[cfg(test)]
mod tests {
    use super::super::Location;
    use super::*;
    use crate::domain_file::DomainFile;
    use crate::output::{Colour, Output};
    use dualseal::{Krunica, Timestamp};
    use std::fs;
    use std::path::Path;
    use std::time::Duration;

    /// A folder that is removed with the value.
    struct Place(PathBuf);

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
            let _ = fs::remove_file(location(&self.0).mark);
        }
    }

    fn location(folder: &Path) -> Location {
        Location { folder: folder.to_owned(), mark: folder.with_extension("mark"), wait: Duration::ZERO }
    }

    fn nothing() -> Passphrase {
        Passphrase::new(None, Output::new(false, Colour::Never))
    }

    fn founded(name: &str) -> Place {
        let place = Place(std::env::temp_dir().join(format!("dualseal-own-log-{name}-{}", std::process::id())));
        let _ = fs::remove_dir_all(&place.0);
        let _ = fs::remove_file(location(&place.0).mark);
        Home::found(&location(&place.0), &DomainFile::default(), Some("acme.example/log"), None).unwrap();
        append(&place.0, "one");
        append(&place.0, "two");
        place
    }

    fn append(folder: &Path, message: &str) {
        let home = Home::open(location(folder), true).unwrap();
        let ana = home.domain().domain().identity_id(b"", "ana", "").unwrap();
        let mut step = super::super::Step::begin(&home, &nothing()).unwrap();
        step.act(Timestamp::MIN, |step| step.append(&ana, message)).unwrap();
        step.commit().unwrap();
    }

    fn log(folder: &Path) -> OwnLog {
        Home::open(location(folder), false).unwrap().into_log(&KeyRing::nobody(), &nothing()).unwrap()
    }

    fn read(log: OwnLog) -> Result<Vec<String>, Failure> {
        let mut messages = Vec::new();
        let beginning = TrustedHead::beginning();
        log.read(&beginning, &[], &|_| false, &mut |entry| messages.push(entry.message().to_owned()))?;
        Ok(messages)
    }

    /// Nobody waits, and what is appended meanwhile is not read.
    #[test]
    fn others_write_while_it_is_read() {
        let place = founded("append");
        let log = log(&place.0);
        append(&place.0, "three");
        let mut last = Vec::new();
        let each = |json: &[u8]| {
            last.push(String::from_utf8_lossy(json).contains("two"));
            Ok(())
        };
        log.entries(Some(1), each).unwrap();
        assert_eq!(last, [true]);
        assert_eq!(read(log).unwrap(), ["one", "two"]);
    }

    /// Another chain of the same length is put in its place.
    #[test]
    fn what_is_rewritten_meanwhile_is_refused() {
        let place = founded("rewrite");
        let log = log(&place.0);
        let domain = DomainFile::default();
        let ana = domain.domain().identity_id(b"", "ana", "").unwrap();
        let mut chain = Krunica::new();
        for message in ["one", "six"] {
            chain.append(domain.domain(), &ana, message, Timestamp::MIN).unwrap();
        }
        let lines: String = chain.entries().iter().map(Entry::to_json_line).collect();
        let path = place.0.join(CHAIN);
        assert_eq!(fs::metadata(&path).unwrap().len(), lines.len() as u64);
        fs::write(path, lines).unwrap();
        assert_eq!(read(log).unwrap_err().code(), Some(205));
    }
}
