//! Evidence of what was kept for a child: each text with what shows anybody, offline, that the service sealed or signed
//! it, and when.

use super::store::{Child, Memory};
use super::work::signer;
use crate::App;
use dualseal::checkpoint::{Checkpoint, PlaceProof};
use dualseal::evidence::{EvidenceFile, EvidenceParts, EvidenceRecord, SealEvidence};
use dualseal::krunica::KrunicaHash;
use dualseal::note::Note;
use dualseal::{PublicKey, SignatureRecord};
use dualseal_operator::step::State;
use platform::log::Found;
use platform::problem::Problem;
use platform::web::Record;
use std::sync::Arc;

/// A checkpoint is signed, another process changes the ring, and so on: not for ever.
const TRIES: usize = 3;

/// What all evidence of the log under its last checkpoint has in common.
pub(crate) struct Bundle {
    app: App,
    log: i64,
    state: Arc<State>,
    under: Under,
}

/// A checkpoint, with its note and the place of the ring that it states.
struct Under {
    checkpoint: Checkpoint,
    note: Option<Note>,
    ring: PlaceProof,
}

impl Under {
    /// The last one of a log; none where it covers no ring.
    async fn of(app: &App, log: i64, state: &State) -> Result<Option<Self>, Problem> {
        let reader = app.log.reader();
        let Some((checkpoint, note)) = reader.checkpoint(log).await? else { return Ok(None) };
        let Some(seq) = state.ring().last_change_below(checkpoint.tree_head().size) else { return Ok(None) };
        let Some(found) = reader.by_seq(log, seq).await? else { return Ok(None) };
        let Some(ring) = reader.place(&checkpoint, found).await? else { return Ok(None) };
        Ok(Some(Self { checkpoint, note: Note::from_text(&note).ok(), ring }))
    }
}

impl Bundle {
    /// Under a checkpoint that covers these entries, and states the ring as it is. Where there is none, one is signed;
    /// where the service takes no changes, that is none.
    ///
    /// # Errors
    /// The log.
    pub(crate) async fn over(app: &App, entries: &[String]) -> Result<Option<Self>, Problem> {
        let reader = app.log.reader();
        for _ in 0..TRIES {
            let (state, log) = (app.log.state().await?, reader.current().await?);
            if let Some(under) = Under::of(app, log, &state).await? {
                let size = under.checkpoint.tree_head().size;
                let states_ring = under.checkpoint.ring() == state.ring().ring_head().as_ref();
                if states_ring && covers(app, log, size, entries).await? {
                    return Ok(Some(Self { app: App::clone(app), log, state, under }));
                }
            }
            if app.config.read_only {
                return Ok(None);
            }
            app.log.checkpoint().await?;
        }
        Ok(None)
    }

    /// Of a memory.
    ///
    /// # Errors
    /// The log.
    pub(crate) async fn of_memory(&self, memory: &Memory) -> Result<Option<Record>, Problem> {
        let record = SignatureRecord::from_json(memory.record.as_bytes())?;
        let (handle, key) = (*record.krunica_hash(), record.public_key().clone());
        self.file(&handle, key, EvidenceRecord::Signature(record)).await
    }

    /// Of a profile.
    ///
    /// # Errors
    /// The log.
    pub(crate) async fn of_profile(&self, child: &Child) -> Result<Option<Record>, Problem> {
        let identity_id = signer(self.app.log.domain())?;
        let (public_key, seal) = (child.sealed_by.clone(), child.seal.clone());
        let handle: KrunicaHash = child.krunica.parse()?;
        let record = EvidenceRecord::Seal(SealEvidence { identity_id, public_key: public_key.clone(), seal });
        self.file(&handle, public_key, record).await
    }

    async fn file(
        &self,
        handle: &KrunicaHash,
        public_key: PublicKey,
        record: EvidenceRecord,
    ) -> Result<Option<Record>, Problem> {
        let reader = self.app.log.reader();
        let Some(found) = reader.by_handle(handle).await? else { return Ok(None) };
        if found.log == self.log {
            return self.made(&self.state, &self.under, found, public_key, record).await;
        }
        // What stands in a log that has ended, its own last checkpoint covers, and key and ring are that one's.
        let Some(ended) = reader.ended(found.log).await? else { return Ok(None) };
        let Some(under) = Under::of(&self.app, found.log, &ended.state).await? else { return Ok(None) };
        self.made(&ended.state, &under, found, public_key, record).await
    }

    async fn made(
        &self,
        state: &State,
        under: &Under,
        found: Found,
        public_key: PublicKey,
        record: EvidenceRecord,
    ) -> Result<Option<Record>, Problem> {
        let Some(place) = self.app.log.reader().place(&under.checkpoint, found).await? else { return Ok(None) };
        let key = state.ring().prove(public_key.hash())?;
        let (domain, name) = (self.app.log.domain(), Some(self.app.config.domain.as_str()));
        let (ring, note) = (under.ring.clone(), under.note.clone());
        let parts = EvidenceParts { domain, name, record, public_key, place, ring, key, note };
        Ok(Some(Record::new(EvidenceFile::new(parts)?.to_json())?))
    }
}

/// Whether the first so many entries of a log have all of these that are of it.
async fn covers(app: &App, log: i64, size: u64, entries: &[String]) -> Result<bool, Problem> {
    for entry in entries {
        let found = app.log.reader().by_handle(&entry.parse::<KrunicaHash>()?).await?;
        if found.is_some_and(|found| found.log == log && found.entry.seq() >= size) {
            return Ok(false);
        }
    }
    Ok(true)
}
