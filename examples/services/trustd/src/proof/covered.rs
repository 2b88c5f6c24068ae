//! Evidence of records, as the last checkpoint covers them. All of it is made by the library; here is read what it is
//! made of.

use crate::App;
use dualseal::checkpoint::{Checkpoint, LogFingerprint, PlaceProof};
use dualseal::note::Note;
use dualseal::{IdentityId, SignatureRecord, Verified};
use dualseal_operator::evidence::{EvidenceError, Given, Maker, Places, only};
use dualseal_operator::step::State;
use platform::problem::{Problem, kinds};
use std::sync::Arc;

/// How often it is tried, while others change the ring or sign.
pub(super) const TRIES: usize = 5;

/// The log under its last checkpoint.
pub(super) struct Covered {
    state: Arc<State>,
    log: i64,
    checkpoint: Verified<Checkpoint>,
    note: Option<Note>,
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

    /// The log under a checkpoint that states its ring and covers these records. Where an identity got a key since the
    /// last one, another is signed; what that one does not cover yet waits for its time.
    ///
    /// # Errors
    /// As [`now`](Self::now), also of a record that nothing covers yet.
    pub(super) async fn over(app: &App, records: &[SignatureRecord]) -> Result<Self, Problem> {
        for _ in 0..TRIES {
            let covered = match Self::now(app).await {
                Err(problem) if problem.kind() == &kinds::BUSY => continue,
                covered => covered?,
            };
            if covered.checkpoint.record().ring() == covered.state.ring().ring_head().as_ref() {
                return Ok(covered);
            }
            let size = covered.checkpoint.record().tree_head().size;
            for record in records {
                let found = app.log.reader().by_handle(record.krunica_hash()).await?;
                if found.is_some_and(|found| found.log == covered.log && found.entry.seq() >= size) {
                    return Err(wait(app));
                }
            }
            if app.config.read_only {
                break;
            }
            app.log.checkpoint().await?;
        }
        Err(wait(app))
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
        let found = app.log.reader().by_handle(krunica).await?;
        let found = found.ok_or_else(|| missing("the log has no entry of the record"))?;
        if found.log != self.log {
            return Err(missing("the record stands in a log that has ended: only that one's checkpoints cover it"));
        }
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
