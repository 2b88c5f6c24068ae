//! The commitment: the entry from which on the new shares count, once their nodes have them.

use super::{all_held, forget};
use crate::App;
use crate::threshold::in_force::{self, Sessions, check_key};
use crate::threshold::rules::{Event, KEPT_LONGER};
use crate::threshold::shown;
use crate::threshold::store::{self, COMMIT_RECORD, DROP_HOLDINGS, Holding, SessionRow};
use crate::threshold::types::{CommitAsk, SessionInfo};
use dualseal::error::{Rejected, ThresholdFault};
use dualseal::id::SessionId;
use dualseal::threshold::{Acknowledgement, Committed, Session, SessionAtHead, SessionInForce, SplitId};
use dualseal::{Error, IdentityId};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::Caller;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::{ErasureKeys, Secrets};
use platform::values;
use std::sync::Arc;

/// So many entries are read in some milliseconds.
const NEAR: u64 = 512;

/// Has what was prepared count from now on.
pub(in crate::threshold) async fn commit(
    app: &App,
    sessions: &Sessions,
    caller: &Caller,
    ask: CommitAsk,
    idempotency: Idempotency,
) -> Result<SessionInfo, Problem> {
    let (session_id, split_id) = (ask.session_id.0, ask.split_id.0);
    let mut tx = app.db.snapshot().await?;
    let (session, _) = shown::visible(&mut tx, caller, &session_id).await?;
    let records = store::records(&mut tx, &session_id).await?;
    tx.roll_back().await?;
    let row = records.into_iter().find(|row| *row.record.split_id() == split_id);
    let row = row.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
    let conflict = |why: &str| Err(Problem::new(&kinds::CONFLICT).detail(why));
    let Some(until) = row.until else { return conflict("it was committed before") };
    if app.clock.millis() >= until.saturating_sub(KEPT_LONGER) {
        return conflict("what was prepared has lapsed: prepare again");
    }
    let threshold = row.record.threshold();
    if ask.needed.is_some_and(|needed| !(threshold.k()..=threshold.n()).contains(&needed)) {
        return Err(Problem::invalid("/needed", "range", "is not between the new k and the new n"));
    }
    let mut found = sessions.in_force(app, &session).await?;
    // What no checkpoint covers is read while nobody else may append.
    if app.log.checkpoint_beyond(NEAR).await? {
        found = sessions.in_force(app, &session).await?;
    }
    check_key(found.session.founder(), session.world, found.state.ring())?;
    let (needed, requester, secrets) = (ask.needed, caller.subject, app.secrets.clone());
    let owners = app.owners.clone();
    let work =
        CommitWork { session_id, split_id, secrets, owners, from: found.session, needed, requester, idempotency };
    let committed = app.log.submit(work).await?;
    app.owners.end(&app.db, &app.log, &session.keys).await;
    Ok(committed)
}

struct CommitWork {
    session_id: SessionId,
    split_id: SplitId,
    secrets: Secrets,
    owners: ErasureKeys,
    from: Arc<SessionInForce>,
    needed: Option<u8>,
    requester: IdentityId,
    idempotency: Idempotency,
}

struct Committing {
    session: SessionRow,
    at: SessionAtHead,
    /// What was prepared, with its authority.
    prepared: Session,
    old: Vec<Holding>,
    new: Vec<Holding>,
}

impl Work for CommitWork {
    type Read = Committing;
    type Made = (Committing, Committed);
    type Answer = SessionInfo;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Committing, Problem> {
        let session = store::hold_session(tx, &self.session_id).await?;
        if !store::is_current(tx, &session).await? {
            return Err(Problem::new(&kinds::LOG_ENDED));
        }
        let at = in_force::at_head(tx, &session, &self.from, state).await?;
        let old = store::holdings(tx, &session.split_id).await?;
        let new = store::holdings(tx, &self.split_id).await?;
        let prepared = self.secrets.find(tx, &store::authority_place(&self.split_id)?).await?;
        let Some(prepared) = prepared.filter(|_| !new.is_empty()) else {
            let why = "what was prepared was replaced, or committed meanwhile: prepare again";
            return Err(Problem::new(&kinds::CONFLICT).detail(why));
        };
        let prepared = Session::from_json(&prepared)?;
        Ok(Committing { session, at, prepared, old, new })
    }

    fn step(&self, step: &mut Step<'_>, read: Committing) -> Result<Self::Made, Problem> {
        let mut said = Vec::new();
        for holding in &read.new {
            if let Some(json) = &holding.acknowledgement {
                said.push((holding.index, Acknowledgement::from_json(json.as_bytes())?));
            }
        }
        let committed = read.at.commit(&read.prepared, &said, self.needed, &self.requester).map_err(not_yet)?;
        step.take(&committed.entry)?;
        step.forget(store::authority_place(&self.split_id)?);
        forget(step, &read.old)?;
        Ok((read, committed))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<SessionInfo, Problem> {
        let (Committing { session, old, new, .. }, Committed { session: record, entry, .. }) = made;
        let (split_id, krunica) = (*record.split_id(), entry.krunica_hash());
        let values = values![split_id.to_hex(), record.to_json(), &krunica.as_bytes()[..]];
        tx.execute(COMMIT_RECORD, values).await?;
        // Who held the old shares, the log tells; nobody is asked for them any more.
        if let Some(first) = old.first() {
            if !all_held(&old) {
                store::erase(tx, &self.owners, &session, &old).await?;
            }
            tx.execute(DROP_HOLDINGS, values![first.split_id.to_hex()]).await?;
        }
        let next = session.state.after(Event::Committed { all: all_held(&new) });
        let next = next.ok_or_else(|| Problem::new(&kinds::CONFLICT))?;
        session.go(tx, next, &split_id).await?;
        let info = shown::info(record, &session.founding, next, &new);
        self.idempotency.store(tx, StatusCode::OK, &info).await?;
        Ok(info)
    }

    /// Nodes let go of old shares by what a checkpoint covers.
    fn is_sealed(&self) -> bool {
        true
    }

    /// It reads the entries up to the head.
    fn is_alone(&self) -> bool {
        true
    }
}

/// What stands in the way of a commitment is a state, and no field.
fn not_yet(error: Error) -> Problem {
    match &error {
        Error::Rejected(Rejected::Threshold(
            ThresholdFault::StaleGeneration
            | ThresholdFault::RevokedKey
            | ThresholdFault::TooFewAcknowledgements { .. },
        )) => Problem::new(&kinds::CONFLICT).detail(error.to_string()),
        _ => error.into(),
    }
}
