//! One log, from its first entry to its last.

use super::{CHECKPOINTS, ENTRIES, VerifiedLog, VerifyFault};
use crate::db::{Row, Tx};
use crate::log::mark::Standing;
use crate::log::nodes::{COUNT, SizedNodes};
use crate::log::store::{LogRow, load, load_without_mark, ring_file};
use crate::log::{LogFault, checkpoint, found};
use crate::secrets::Secrets;
use crate::values;
use dualseal::checkpoint::Checkpoint;
use dualseal::reader::{ChainReader, FoundRing, TrustedHead};
use dualseal::signature::{SignatureRecord, claims_signature};
use dualseal::tree::Frontier;
use dualseal::vault::{VaultRecord, claims_record};
use dualseal::{Domain, Entry, Verified};
use dualseal_operator::opening::Refused;
use dualseal_operator::step::State;

/// Entries in memory at a time, with their records.
const PORTION: u64 = 256;

/// What was read so far.
struct Reading<'a> {
    secrets: &'a Secrets,
    reader: ChainReader<'a>,
    frontier: Frontier,
    state: State,
    read: VerifiedLog,
    last: Option<Verified<Checkpoint>>,
}

/// Reads a log; the one that is written to has a mark.
pub(super) async fn read(
    tx: &mut Tx,
    secrets: &Secrets,
    row: &LogRow,
    mark: Option<&Standing>,
) -> Result<(VerifiedLog, State), VerifyFault> {
    let origin = row.origin.as_str();
    let of_log = |fault: LogFault| VerifyFault::Log { origin: origin.to_owned(), fault };
    let domain = secrets.domain();
    let authority = found::authority(secrets, tx, origin).await.map_err(of_log)?;
    let state = match mark {
        Some(mark) => load(tx, row, domain, &authority, mark).await.map(|opened| opened.state),
        None => load_without_mark(tx, row, domain, &authority).await,
    };
    let state = state.map_err(of_log)?;
    let unreadable = |error| of_log(LogFault::Refused(Refused::RingUnreadable(error)));
    let mut reader = ChainReader::new(domain, &TrustedHead::beginning()).up_to(state.head());
    // The ring is sealed at the end of the chain, so that no record comes after it.
    let ring = ring_file(tx, row).await.map_err(of_log)?;
    let ring = reader.ring(ring, &authority, |_| true).map_err(unreadable)?;
    let changes = reader.ring_changes(&authority).map_err(unreadable)?;
    let read = VerifiedLog { origin: origin.to_owned(), entries: 0, records: 0, checkpoints: 0, covered: 0 };
    let mut reading = Reading { secrets, reader, frontier: Frontier::new(), state, read, last: None };
    let size = reading.state.head().size();
    for from in (0..size).step_by(usize::try_from(PORTION).unwrap_or(1)) {
        reading.portion(tx, row.id, (from, size.min(from + PORTION))).await?;
    }
    let nodes = tx.find(COUNT, values![row.id]).await?.map_or(Ok(0), |row| row.size("many"))?;
    if nodes != (0..64).map(|level| size >> level).sum::<u64>() {
        return Err(VerifyFault::Nodes { origin: origin.to_owned() });
    }
    let Reading { reader, state, read, last, .. } = reading;
    let ended = |fault| VerifyFault::Entry { origin: origin.to_owned(), seq: read.entries, fault };
    let mut proofs = reader.finish().map_err(ended)?;
    proofs.take(ring).map(FoundRing::into_ring).map_err(unreadable)?;
    let changes = proofs.take(changes).map_err(unreadable)?;
    if let Some(last) = last {
        let fault = |fault| VerifyFault::Checkpoint { origin: origin.to_owned(), size: read.covered, fault };
        changes.check(&last).map_err(fault)?;
    }
    Ok((read, state))
}

impl Reading<'_> {
    async fn portion(&mut self, tx: &mut Tx, log: i64, (from, to): (u64, u64)) -> Result<(), VerifyFault> {
        let rows = tx.list(ENTRIES, values![log, from, to]).await?;
        let nodes = SizedNodes::made_by(tx, log, from, to).await?;
        let checkpoints = tx.list(CHECKPOINTS, values![log, from, to]).await?;
        let mut checkpoints = checkpoints.iter().map(|row| self.checkpoint(row)).collect::<Result<Vec<_>, _>>()?;
        checkpoints.reverse();
        for row in &rows {
            self.entry(row, &nodes)?;
            while let Some(checkpoint) = checkpoints.pop_if(|next| size(next) == self.reader.size()) {
                self.agree(checkpoint)?;
            }
        }
        Ok(())
    }

    fn entry(&mut self, row: &Row, nodes: &SizedNodes) -> Result<(), VerifyFault> {
        let (origin, seq) = (&self.read.origin, self.read.entries);
        let of_entry = |fault| VerifyFault::Entry { origin: origin.clone(), seq, fault };
        let entry = Entry::from_json(row.text("json")?.as_bytes()).map_err(of_entry)?;
        self.reader.push(&entry).map_err(of_entry)?;
        let (krunica, prev) = (row.bytes("krunica")?, row.bytes("prev")?);
        let is_own = krunica == entry.krunica_hash().as_bytes() && prev == entry.prev().as_bytes();
        if row.size("seq")? != seq || !is_own {
            return Err(VerifyFault::Columns { origin: origin.clone(), seq });
        }
        let mut other = None;
        self.frontier.push_noting(entry.leaf_hash(), |level, index, hash| {
            if nodes.at(level, index) != Some(hash) {
                other.get_or_insert((level, index));
            }
        });
        if let Some((level, index)) = other {
            return Err(VerifyFault::Node { origin: origin.clone(), level, index });
        }
        let record = row.maybe_text("record")?;
        if !belongs(self.state.domain(), record.as_deref(), &entry) {
            return Err(VerifyFault::Record { origin: origin.clone(), seq });
        }
        self.read.records += u64::from(record.is_some());
        self.read.entries += 1;
        Ok(())
    }

    fn checkpoint(&self, row: &Row) -> Result<Verified<Checkpoint>, VerifyFault> {
        let (origin, size) = (&self.read.origin, row.size("size")?);
        let fault = |fault| VerifyFault::Checkpoint { origin: origin.clone(), size, fault };
        let found = Checkpoint::from_json(row.text("json")?.as_bytes()).map_err(fault)?;
        if found.tree_head().size != size {
            return Err(VerifyFault::Columns { origin: origin.clone(), seq: size });
        }
        let own = checkpoint::own(found, self.secrets, origin, self.state.ring());
        own.map_err(|why| VerifyFault::Unowned { origin: origin.clone(), size, why })
    }

    fn agree(&mut self, checkpoint: Verified<Checkpoint>) -> Result<(), VerifyFault> {
        let size = size(&checkpoint);
        if let Some(head) = self.reader.head() {
            let fault = |fault| VerifyFault::Checkpoint { origin: self.read.origin.clone(), size, fault };
            TrustedHead::checkpoint(&checkpoint, head).map_err(fault)?;
        }
        self.read.checkpoints += 1;
        self.read.covered = size;
        self.last = Some(checkpoint);
        Ok(())
    }
}

/// Whether the record, or that there is none, is what the entry says.
fn belongs(domain: &Domain, record: Option<&str>, entry: &Entry) -> bool {
    let Some(record) = record.map(str::as_bytes) else {
        return !claims_signature(domain, entry) && !claims_record(domain, entry);
    };
    SignatureRecord::from_json(record).is_ok_and(|record| record.is_of(domain, entry))
        || VaultRecord::from_json(record).is_ok_and(|record| record.entry() == entry)
}

fn size(checkpoint: &Verified<Checkpoint>) -> u64 {
    checkpoint.record().tree_head().size
}
