//! Evidence of records, as the last checkpoint covers them. All of it is made by the library; here is read what it is
//! made of.

use crate::App;
use dualseal::checkpoint::{Checkpoint, LogFingerprint, PlaceProof};
use dualseal::note::{Note, NoteKey};
use dualseal::{IdentityId, SignatureRecord, Timestamp, Verified};
use dualseal_operator::evidence::{EvidenceError, Given, Maker, Places, only};
use dualseal_operator::notes::Cosigned;
use dualseal_operator::step::State;
use platform::problem::{Problem, kinds};
use std::sync::Arc;

/// How many checkpoints are looked at for witnesses.
const RECENT: u32 = 200;

/// The log under its last checkpoint.
pub(super) struct Covered {
    state: Arc<State>,
    log: i64,
    checkpoint: Verified<Checkpoint>,
    note: Option<Note>,
}

/// What witnesses saw of a checkpoint.
pub(super) struct Seen {
    pub(super) checkpoint: Checkpoint,
    pub(super) note: String,
    /// Those whose lines hold, and when each saw it.
    pub(super) by: Vec<(NoteKey, Timestamp)>,
}

/// That no checkpoint covers something yet: of a thief's things none ever does.
pub(super) fn wait(app: &App) -> Problem {
    Problem::new(&kinds::NOT_COVERED).retry_after(app.config.log.checkpoint_every.0)
}

/// That a proof would say more than what there is.
pub(super) fn missing(why: impl Into<String>) -> Problem {
    Problem::new(&kinds::MISSING_EVIDENCE).detail(why)
}

impl Covered {
    /// As it is now.
    ///
    /// # Errors
    /// [`kinds::NOT_COVERED`] where the log has no checkpoint that counts.
    pub(super) async fn now(app: &App) -> Result<Self, Problem> {
        let (reader, state) = (app.log.reader(), app.log.state().await?);
        let log = reader.current().await?;
        let checkpoint = reader.own_checkpoint(log, &state).await?.ok_or_else(|| wait(app))?;
        let (signed, note) = reader.checkpoint(log).await?.ok_or_else(|| wait(app))?;
        // Another one was signed between the two.
        if signed.tree_head() != checkpoint.record().tree_head() {
            return Err(Problem::new(&kinds::BUSY).retry_after(1));
        }
        Ok(Self { state, log, checkpoint, note: Note::from_text(&note).ok() })
    }

    /// What strangers pin of the log.
    pub(super) fn fingerprint(&self, app: &App) -> LogFingerprint {
        self.checkpoint.record().fingerprint(app.log.domain())
    }

    /// The name of the log.
    pub(super) fn origin(&self) -> &str {
        self.state.origin()
    }

    /// The evidence of a record by this identity; with a document, it holds over that as a stranger finds it.
    ///
    /// # Errors
    /// [`kinds::NOT_COVERED`], [`kinds::MISSING_EVIDENCE`]; [`kinds::NOT_INTACT`] for another document.
    pub(super) async fn evidence(
        &self,
        app: &App,
        record: SignatureRecord,
        signer: &IdentityId,
        document: Option<&[u8]>,
    ) -> Result<String, Problem> {
        let place = self.place_of(app, record.krunica_hash()).await?;
        let changed = self.state.ring().last_change().ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
        let found = app.log.reader().by_seq(self.log, changed).await?.ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
        let ring = app.log.reader().place(self.checkpoint.record(), found).await?.ok_or_else(|| wait(app))?;
        self.made(app, record, signer, document, &Places { record: vec![place], ring }).map_err(|error| match error {
            // A honeypot's is never shown: to everybody it is what nothing covers yet.
            EvidenceError::OtherRing | EvidenceError::Decoy(_) | EvidenceError::Uncovered { .. } => wait(app),
            EvidenceError::OtherMaker | EvidenceError::UnknownKey => missing("the record is by no key of its signer"),
            EvidenceError::OtherDocument(_) => Problem::new(&kinds::NOT_INTACT),
            EvidenceError::Library(_) => missing("the record is not the one of its entry"),
            error => Problem::internal("proof", &error),
        })
    }

    fn made(
        &self,
        app: &App,
        record: SignatureRecord,
        signer: &IdentityId,
        document: Option<&[u8]>,
        places: &Places,
    ) -> Result<String, EvidenceError> {
        let name = Some(app.config.domain.as_str());
        let maker = Maker::new(app.log.domain(), name, self.state.ring(), &self.checkpoint)?;
        let made = maker.make(&Given::Signature(Box::new(record)), places, Some(signer), self.note.as_ref())?;
        let made = match document {
            Some(document) => maker.choose(made, document)?,
            None => only(made)?,
        };
        Ok(made.file()?.to_json())
    }

    /// The place of an entry of this log.
    ///
    /// # Errors
    /// [`kinds::NOT_COVERED`]; [`kinds::MISSING_EVIDENCE`] where this log has no such entry.
    pub(super) async fn place_of(
        &self,
        app: &App,
        krunica: &dualseal::krunica::KrunicaHash,
    ) -> Result<PlaceProof, Problem> {
        let found = app.log.reader().by_handle(krunica).await?.filter(|found| found.log == self.log);
        let found = found.ok_or_else(|| missing("the log has no entry of the record"))?;
        app.log.reader().place(self.checkpoint.record(), found).await?.ok_or_else(|| wait(app))
    }

    /// The same by where the entry stands.
    ///
    /// # Errors
    /// As [`place_of`](Self::place_of).
    pub(super) async fn place_at(&self, app: &App, seq: u64) -> Result<PlaceProof, Problem> {
        let found = app.log.reader().by_seq(self.log, seq).await?;
        let found = found.ok_or_else(|| missing("the log has no entry of the enrolment"))?;
        app.log.reader().place(self.checkpoint.record(), found).await?.ok_or_else(|| wait(app))
    }
}

/// What pinned witnesses saw of the log lately, the newest checkpoint first.
///
/// # Errors
/// The database.
pub(super) async fn seen(app: &App) -> Result<Vec<Seen>, Problem> {
    let pinned = app.config.log.witness_keys();
    if pinned.is_empty() {
        return Ok(Vec::new());
    }
    let reader = app.log.reader();
    let mut all = Vec::new();
    for (checkpoint, note) in reader.checkpoints(reader.current().await?, RECENT).await? {
        let Ok(read) = Note::from_text(&note) else { continue };
        let there: Vec<_> = pinned.iter().filter(|key| !read.by(key).signatures().is_empty()).cloned().collect();
        if there.is_empty() {
            continue;
        }
        if let Ok(Some(merged)) = Cosigned::merge(&checkpoint, [&note], &there) {
            let (by, note) = (merged.seen().to_vec(), merged.note().to_text());
            all.push(Seen { checkpoint, note, by });
        }
    }
    Ok(all)
}
