//! The secret dealt anew, in two steps: the new shares wait for their nodes, and count from the entry on that commits
//! them.

use super::in_force::{self, Sessions, check_key};
use super::rules::{self, Event, KEPT_LONGER, PREPARED_FOR};
use super::store::given;
use super::store::{self, COMMIT_RECORD, DROP_HOLDINGS, DROP_RECORD, Holding, Node, RecordRow, SessionRow};
use super::types::{CommitAsk, PrepareAsk, PreparedInfo, Purpose, SessionInfo, SessionState, ShareState, Shares};
use super::{custody, found, requests, sign};
use crate::App;
use dualseal::error::{Rejected, ThresholdFault};
use dualseal::id::SessionId;
use dualseal::shamir::Index;
use dualseal::threshold::{Acknowledgement, Committed, Prepared, Renewal, SessionAtHead, SessionInForce, SplitId};
use dualseal::{Error, IdentityId, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::Caller;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::Secrets;
use platform::values;
use platform::web::Name;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// Deals the secret of a session anew.
pub(super) async fn prepare(
    app: &App,
    sessions: &Arc<Sessions>,
    caller: &Caller,
    ask: PrepareAsk,
    idempotency: Idempotency,
) -> Result<PreparedInfo, Problem> {
    let (requester, session_id) = (ask.identity_id.0, ask.session_id.0);
    let from = Shares { udjeli: ask.udjeli, split_id: ask.split_id.map(|id| id.0), request_id: ask.request_id };
    let gathered = sign::gather(app, caller, &session_id, &requester, Purpose::Obnova, &from).await?;
    let session = gathered.session;
    let mut tx = app.db.snapshot().await?;
    let record = custody::record_of(&mut tx, &session).await?;
    let holdings = store::holdings(&mut tx, &session.split_id).await?;
    let nodes = store::nodes(&mut tx).await?;
    tx.roll_back().await?;
    let holders = match &ask.vlasnici {
        None => holdings.iter().map(|held| Node { label: held.node.clone(), identity_id: held.owner }).collect(),
        Some(named) => {
            let n = u8::try_from(named.len());
            let n = n.map_err(|_| Problem::invalid("/vlasnici", "length", "there are at most 255 shares"))?;
            found::holders(nodes, Some(named), n)?
        }
    };
    let (same, n) = (record.threshold(), holders.len() as u64);
    if ask.k.is_none() && n != u64::from(same.n()) {
        let why = "with another number of nodes it is needed how many of them sign";
        return Err(Problem::invalid("/k", "missing", why));
    }
    let k = rules::threshold(n, ask.k.unwrap_or(same.k()).into())?.k();
    check_state(&session)?;
    let found = sessions.in_force(app, &session).await?;
    check_key(found.session.founder(), session.world, found.state.ring())?;
    let (in_force, shares, time) = (Arc::clone(&found.session), gathered.shares, app.clock.now());
    let (owners, is_refresh) = (holders.iter().map(|node| node.identity_id).collect::<Vec<_>>(), ask.k.is_none());
    let prepared = tokio::task::spawn_blocking(move || {
        let renewal = Renewal { owners: &owners, k, time };
        if is_refresh {
            in_force.prepare_refresh(&shares, &renewal, &mut SystemRng)
        } else {
            in_force.prepare_rethreshold(&shares, &renewal, &mut SystemRng)
        }
    });
    let prepared = prepared.await.map_err(|error| Problem::internal("threshold", &error))?;
    let prepared = Arc::new(prepared.map_err(|error| match &error {
        Error::Rejected(_) => Problem::invalid("/udjeli", error.row().name, error.to_string()),
        _ => error.into(),
    })?);
    let (secrets, request) = (app.secrets.clone(), gathered.request.map(|request| request.request_id));
    let (now, kept) = (app.clock.millis(), Arc::clone(&prepared));
    let info =
        app.log.submit(PrepareWork { session_id, prepared, holders, request, secrets, now, idempotency }).await?;
    let split_id = *kept.session().split_id();
    sessions.keep_prepared(kept);
    // The secret stays in memory no longer than it can be committed.
    let waiting = Arc::downgrade(sessions);
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(PREPARED_FOR.unsigned_abs())).await;
        if let Some(sessions) = waiting.upgrade() {
            sessions.drop_prepared(&split_id);
        }
    });
    Ok(info)
}

fn check_state(session: &SessionRow) -> Result<SessionState, Problem> {
    let next = session.state.after(Event::Prepared);
    next.ok_or_else(|| Problem::new(&kinds::CONFLICT).detail("no node has pulled its share yet"))
}

/// What was prepared of a session before, with who was to hold it.
async fn pending(tx: &mut Tx, session_id: &SessionId) -> Result<Vec<(RecordRow, Vec<Holding>)>, Problem> {
    let mut pending = Vec::new();
    for row in store::records(tx, session_id).await?.into_iter().filter(|row| !row.counts) {
        let holdings = store::holdings(tx, row.record.split_id()).await?;
        pending.push((row, holdings));
    }
    Ok(pending)
}

/// Whether all of them are with their nodes, so that the service has no copy.
fn all_held(holdings: &[Holding]) -> bool {
    holdings.iter().all(|holding| holding.state == ShareState::Acknowledged)
}

/// Wipes the copies of a splitting, unless they are gone.
fn forget(step: &mut Step<'_>, holdings: &[Holding]) -> Result<(), Problem> {
    if !all_held(holdings) {
        for holding in holdings {
            step.forget(holding.place()?);
        }
    }
    Ok(())
}

async fn drop_prepared(tx: &mut Tx, split_id: &SplitId) -> Result<(), Problem> {
    tx.execute(DROP_HOLDINGS, values![split_id.to_hex()]).await?;
    tx.execute(DROP_RECORD, values![split_id.to_hex()]).await?;
    Ok(())
}

struct PrepareWork {
    session_id: SessionId,
    prepared: Arc<Prepared>,
    holders: Vec<Node>,
    request: Option<Uuid>,
    secrets: Secrets,
    now: i64,
    idempotency: Idempotency,
}

impl Work for PrepareWork {
    type Read = (SessionRow, SessionState, Vec<(RecordRow, Vec<Holding>)>);
    type Made = Self::Read;
    type Answer = PreparedInfo;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let session = store::hold_session(tx, &self.session_id).await?;
        let next = check_state(&session)?;
        if self.prepared.session().previous() != Some(&session.split_id) {
            return Err(Problem::new(&kinds::CONFLICT).detail("another splitting is in force by now"));
        }
        let pending = pending(tx, &self.session_id).await?;
        Ok((session, next, pending))
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        read.2.iter().try_for_each(|(_, holdings)| forget(step, holdings))?;
        found::keep_shares(step, &self.secrets, self.prepared.shares())?;
        Ok(read)
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<PreparedInfo, Problem> {
        let (session, next, pending) = made;
        for (row, _) in &pending {
            drop_prepared(tx, row.record.split_id()).await?;
        }
        let (record, ends) = (self.prepared.session(), self.now.saturating_add(PREPARED_FOR));
        store::put(tx, record, None, Some(ends.saturating_add(KEPT_LONGER)), &self.holders).await?;
        session.go(tx, next, &session.split_id).await?;
        if let Some(request_id) = self.request
            && !given::close(tx, &self.secrets, request_id, "served").await?
        {
            return Err(Problem::new(&kinds::REQUEST_CLOSED));
        }
        let numbers = |indices: &[Index]| indices.iter().map(|index| index.get()).collect();
        let info = PreparedInfo {
            session_id: Name(*record.session_id()),
            split_id: Name(*record.split_id()),
            zapis: record.clone(),
            istice: requests::time(ends)?,
            culprits: numbers(self.prepared.culprits()),
            misdealt: numbers(self.prepared.misdealt()),
        };
        self.idempotency.store(tx, StatusCode::CREATED, &info).await?;
        Ok(info)
    }

    /// What is pending is told by others' rows.
    fn is_alone(&self) -> bool {
        true
    }
}

/// Has what was prepared count from now on.
pub(super) async fn commit(
    app: &App,
    sessions: &Sessions,
    caller: &Caller,
    ask: CommitAsk,
    idempotency: Idempotency,
) -> Result<SessionInfo, Problem> {
    let (session_id, split_id) = (ask.session_id.0, ask.split_id.0);
    let mut tx = app.db.snapshot().await?;
    let (session, _) = custody::visible(&mut tx, caller, &session_id).await?;
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
    let Some(prepared) = sessions.prepared(&split_id) else {
        return conflict("another process prepared it, or this one before it was started again: prepare again");
    };
    let found = sessions.in_force(app, &session).await?;
    check_key(found.session.founder(), session.world, found.state.ring())?;
    let (needed, requester) = (ask.needed, caller.subject);
    let work = CommitWork { session_id, prepared, from: found.session, needed, requester, idempotency };
    // What was prepared stays in memory until its time is over: its shares tell nodes that this splitting counts.
    app.log.submit(work).await
}

struct CommitWork {
    session_id: SessionId,
    prepared: Arc<Prepared>,
    from: Arc<SessionInForce>,
    needed: Option<u8>,
    requester: IdentityId,
    idempotency: Idempotency,
}

struct Committing {
    session: SessionRow,
    at: SessionAtHead,
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
            return Err(Problem::new(&kinds::CONFLICT).detail("the log that the session stands in has ended"));
        }
        let at = in_force::at_head(tx, &session, &self.from, state).await?;
        let old = store::holdings(tx, &session.split_id).await?;
        let new = store::holdings(tx, self.prepared.session().split_id()).await?;
        if new.is_empty() {
            return Err(Problem::new(&kinds::CONFLICT).detail("what was prepared was replaced: prepare again"));
        }
        Ok(Committing { session, at, old, new })
    }

    fn step(&self, step: &mut Step<'_>, read: Committing) -> Result<Self::Made, Problem> {
        let mut said = Vec::new();
        for holding in &read.new {
            if let Some(json) = &holding.acknowledgement {
                said.push((holding.index, Acknowledgement::from_json(json.as_bytes())?));
            }
        }
        let committed = self.prepared.commit(&read.at, &said, self.needed, &self.requester).map_err(not_yet)?;
        step.take(&committed.entry)?;
        forget(step, &read.old)?;
        Ok((read, committed))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<SessionInfo, Problem> {
        let (Committing { session, old, new, .. }, Committed { session: record, entry, .. }) = made;
        let (split_id, krunica) = (*record.split_id(), entry.krunica_hash());
        let values = values![split_id.to_hex(), record.to_json(), &krunica.as_bytes()[..]];
        tx.execute(COMMIT_RECORD, values).await?;
        // Who held the old shares, the log tells; nobody is asked for them any more.
        if let Some(old) = old.first() {
            tx.execute(DROP_HOLDINGS, values![old.split_id.to_hex()]).await?;
        }
        let next = session.state.after(Event::Committed { all: all_held(&new) });
        let next = next.ok_or_else(|| Problem::new(&kinds::CONFLICT))?;
        session.go(tx, next, &split_id).await?;
        let info = custody::info(record, &session.founding, next, &new);
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

/// Ends what was prepared of a session and never committed.
pub(super) async fn lapse(app: &App, session_id: SessionId) -> Result<(), Problem> {
    app.log.submit(LapseWork { session_id, now: app.clock.millis() }).await
}

struct LapseWork {
    session_id: SessionId,
    now: i64,
}

impl Work for LapseWork {
    type Read = (SessionRow, Vec<(RecordRow, Vec<Holding>)>);
    type Made = Self::Read;
    type Answer = ();

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let session = store::hold_session(tx, &self.session_id).await?;
        let mut lapsed = pending(tx, &self.session_id).await?;
        lapsed.retain(|(row, _)| row.until.is_some_and(|until| until <= self.now));
        Ok((session, lapsed))
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        read.1.iter().try_for_each(|(_, holdings)| forget(step, holdings))?;
        Ok(read)
    }

    async fn rows(&self, tx: &mut Tx, (session, lapsed): Self::Made, _: &Changes) -> Result<(), Problem> {
        if lapsed.is_empty() {
            return Ok(());
        }
        for (row, _) in &lapsed {
            drop_prepared(tx, row.record.split_id()).await?;
        }
        let all = all_held(&store::holdings(tx, &session.split_id).await?);
        if let Some(next) = session.state.after(Event::Lapsed { all }) {
            session.go(tx, next, &session.split_id).await?;
        }
        Ok(())
    }

    fn is_alone(&self) -> bool {
        true
    }
}
