//! The secret dealt anew, in two steps: the new shares wait for their nodes, and count from the entry on that commits
//! them.
//!
//! | file | what it is |
//! |---|---|
//! | `commit` | the entry from which on they count |
//! | `lapse` | the end of what nobody committed |

mod commit;
mod lapse;

pub(super) use commit::commit;
pub(super) use lapse::lapse;

use super::in_force::{Sessions, check_key};
use super::rules::{self, Event, KEPT_LONGER, PREPARED_FOR};
use super::store::given;
use super::store::{self, DROP_HOLDINGS, DROP_RECORD, Holding, Node, RecordRow, SessionRow};
use super::types::{PrepareAsk, PreparedInfo, Purpose, SessionState, ShareState, Shares};
use super::{found, requests, shown, sign};
use crate::App;
use crate::vault::TRIES;
use dualseal::id::SessionId;
use dualseal::shamir::Index;
use dualseal::threshold::{Prepared, Renewal};
use dualseal::{Error, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::Caller;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::{ErasureKeys, OwnerKey, Secrets};
use platform::values;
use platform::web::Name;
use std::sync::Arc;
use uuid::Uuid;

/// Deals the secret of a session anew.
pub(super) async fn prepare(
    app: &App,
    sessions: &Sessions,
    caller: &Caller,
    ask: PrepareAsk,
    idempotency: Idempotency,
) -> Result<PreparedInfo, Problem> {
    let (requester, session_id) = (ask.identity_id.0, ask.session_id.0);
    let from = Shares { udjeli: ask.udjeli, split_id: ask.split_id.map(|id| id.0), request_id: ask.request_id };
    let gathered = sign::gather(app, caller, &session_id, &requester, Purpose::Obnova, &from).await?;
    let session = gathered.session;
    let mut tx = app.db.snapshot().await?;
    let record = shown::record_of(&mut tx, &session).await?;
    let holdings = store::holdings(&mut tx, &session.split_id).await?;
    let nodes = store::nodes(&mut tx, app.authority.tags()).await?;
    tx.roll_back().await?;
    let holders = match &ask.vlasnici {
        None => {
            let labels = holdings.iter().map(|held| held.node.clone()).collect::<Vec<_>>();
            // A node may have been removed: who takes its place is said.
            found::holders(nodes, Some(&labels), record.threshold().n())?
        }
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
    let (request, now) = (gathered.request.map(|request| request.request_id), app.clock.millis());
    let mut tries = 0;
    loop {
        let (owners, key) = (app.owners.clone(), app.owners.current(&session.keys).await?);
        let (prepared, holders, idempotency) = (Arc::clone(&prepared), holders.clone(), idempotency.clone());
        let secrets = app.secrets.clone();
        let work = PrepareWork { session_id, prepared, holders, request, secrets, owners, key, now, idempotency };
        tries += 1;
        match app.log.submit(work).await {
            Err(problem) if problem.kind() == &kinds::CONFLICT && tries < TRIES => {}
            Err(problem) => return Err(problem),
            Ok(info) => {
                // What nodes gave back for it goes, and what was prepared before.
                app.owners.end(&app.db, &app.log, &session.keys).await;
                return Ok(info);
            }
        }
    }
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

/// Wipes what stands of a preparation that is never committed.
fn forget_prepared(step: &mut Step<'_>, (row, holdings): &(RecordRow, Vec<Holding>)) -> Result<(), Problem> {
    step.forget(store::authority_place(row.record.split_id())?);
    forget(step, holdings)
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

async fn drop_prepared(
    tx: &mut Tx,
    (owners, session): (&ErasureKeys, &SessionRow),
    (row, holdings): &(RecordRow, Vec<Holding>),
) -> Result<(), Problem> {
    let split_id = row.record.split_id();
    if !all_held(holdings) {
        store::erase(tx, owners, session, holdings).await?;
    }
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
    owners: ErasureKeys,
    /// What the new shares hang on as long as they are here.
    key: OwnerKey,
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
        read.2.iter().try_for_each(|prepared| forget_prepared(step, prepared))?;
        found::keep_shares(step, &self.key, self.prepared.shares())?;
        // Whichever process commits it needs no more than this: the secret itself is gone when this one has answered.
        let authorised = self.prepared.authorised();
        let place = store::authority_place(authorised.split_id())?;
        step.keep(self.secrets.seal(place, authorised.to_json().as_bytes())?);
        Ok(read)
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<PreparedInfo, Problem> {
        let (session, next, pending) = made;
        // Before the rows of holdings, as giving back locks them.
        if let Some(request_id) = self.request
            && !given::close(tx, &self.owners, &session.keys, request_id, "served").await?
        {
            return Err(Problem::new(&kinds::REQUEST_CLOSED));
        }
        for prepared in &pending {
            drop_prepared(tx, (&self.owners, &session), prepared).await?;
        }
        let (record, ends) = (self.prepared.session(), self.now.saturating_add(PREPARED_FOR));
        store::put(tx, record, None, Some(ends.saturating_add(KEPT_LONGER)), &self.holders).await?;
        let holdings = store::holdings(tx, record.split_id()).await?;
        found::own_shares(tx, (&self.owners, &self.key), &holdings).await?;
        session.go(tx, next, &session.split_id).await?;
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
