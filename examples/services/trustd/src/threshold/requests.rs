//! What nodes give their shares back for: requests that serve once, and what waits for them meanwhile.

use super::rules::{self, LONGEST_MESSAGE, MOST_OPEN, REMEMBERED_FOR};
use super::store::given::{self, RequestRow};
use super::store::{self, LAPSED, SessionRow};
use super::types::{GiveAsk, Given, NodeRequest, Poll, Purpose, RequestAsk, RequestInfo, ShareState, WaitingShare};
use super::{refresh, shown};
use crate::App;
use crate::vault::TRIES;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dualseal::id::MessageHash;
use dualseal::shamir::Index;
use dualseal::threshold::SessionShare;
use dualseal::{Domain, Timestamp};
use dualseal_operator::secrets::Place;
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::Caller;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::OwnerKey;
use platform::values;
use platform::web::Name;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;
use zeroize::Zeroizing;

/// A time of a row, as records have it.
pub(super) fn time(millis: i64) -> Result<Name<Timestamp>, Problem> {
    Timestamp::from_millis(millis).map(Name).map_err(|error| Problem::internal("time", &error))
}

fn info(domain: &Domain, request: &RequestRow) -> Result<RequestInfo, Problem> {
    let poruka_hash = request.message.as_deref().map(MessageHash::of);
    let binding = poruka_hash.as_ref().map(|hash| Name(domain.threshold_binding(&request.session_id, hash)));
    Ok(RequestInfo {
        request_id: request.request_id,
        session_id: Name(request.session_id),
        identity_id: Name(request.requester),
        namjena: request.purpose,
        poruka_hash: poruka_hash.map(Name),
        binding,
        istice: time(request.expires)?,
    })
}

/// Opens a request to the nodes of a session.
pub(super) async fn open(
    app: &App,
    caller: &Caller,
    ask: RequestAsk,
    idempotency: Idempotency,
) -> Result<RequestInfo, Problem> {
    caller.own(&ask.identity_id.0)?;
    let message = match (ask.namjena, ask.poruka_b64) {
        (Purpose::Potpis, Some(message)) if message.0.len() <= LONGEST_MESSAGE => Some(message.0),
        (Purpose::Potpis, Some(_)) => {
            return Err(Problem::invalid("/poruka_b64", "length", "nodes are shown at most 65,536 bytes"));
        }
        (Purpose::Potpis, None) => {
            return Err(Problem::invalid("/poruka_b64", "missing", "nodes see what they sign before they do"));
        }
        (Purpose::Obnova, None) => None,
        (Purpose::Obnova, Some(_)) => {
            return Err(Problem::invalid("/poruka_b64", "not-taken", "a dealing anew signs no message"));
        }
    };
    let now = app.clock.millis();
    let waits = i64::try_from(app.config.trust.share_waits.0.saturating_mul(1000)).unwrap_or(i64::MAX);
    let request = RequestRow {
        request_id: Uuid::now_v7(),
        session_id: ask.session_id.0,
        purpose: ask.namjena,
        requester: ask.identity_id.0,
        message,
        state: "open".to_owned(),
        expires: now.saturating_add(waits),
    };
    let mut tx = app.db.begin().await?;
    // Locked, so that no two openings count the same.
    store::hold_session(&mut tx, &request.session_id).await?;
    let (session, _) = shown::visible(&mut tx, caller, &request.session_id).await?;
    if !store::is_current(&mut tx, &session).await? {
        return Err(Problem::new(&kinds::LOG_ENDED));
    }
    if given::count_open(&mut tx, &request.session_id, now).await? >= MOST_OPEN {
        return Err(Problem::new(&kinds::CONFLICT).detail("as many requests of the session wait as are taken"));
    }
    given::open(&mut tx, &request, now).await?;
    let info = info(app.log.domain(), &request)?;
    idempotency.store(&mut tx, StatusCode::CREATED, &info).await?;
    tx.commit().await?;
    sweep_after(app, app.config.trust.share_waits.0);
    Ok(info)
}

/// What waits for a node: shares that it has not acknowledged, and requests for those that it has.
pub(super) async fn poll(app: &App, caller: &Caller) -> Result<Poll, Problem> {
    let (node, world) = (caller.node()?, caller.world.number());
    let mut tx = app.db.snapshot().await?;
    let waiting = store::waiting(&mut tx, node, world).await?;
    let open = given::for_node(&mut tx, node, world, app.clock.millis()).await?;
    tx.roll_back().await?;
    let share = |(holding, zapis, until): (store::Holding, _, Option<i64>)| {
        Ok(WaitingShare {
            session_id: Name(holding.session_id),
            indeks: holding.index.get(),
            split_id: Name(holding.split_id),
            vlasnik: Name(holding.owner),
            zapis,
            cuva_se_do: until.map(time).transpose()?,
        })
    };
    let udjeli = waiting.into_iter().map(share).collect::<Result<_, Problem>>()?;
    let mut zahtjevi: Vec<NodeRequest> = Vec::new();
    for (request, split_id, index) in open {
        match zahtjevi.last_mut().filter(|last| last.zahtjev.request_id == request.request_id) {
            Some(last) => last.indeksi.push(index.get()),
            None => zahtjevi.push(NodeRequest {
                zahtjev: info(app.log.domain(), &request)?,
                poruka_b64: request.message.as_ref().map(|message| STANDARD.encode(message)),
                indeksi: vec![index.get()],
                split_id: Name(split_id),
            }),
        }
    }
    Ok(Poll { udjeli, zahtjevi })
}

/// Takes a share that its node gives back for one request. Whatever its value is, it is that node's share: one that
/// misses its commitment is noted of the node, and names it when the quorum signs.
pub(super) async fn give(app: &App, caller: &Caller, ask: GiveAsk) -> Result<Given, Problem> {
    let mut tx = app.db.snapshot().await?;
    let session = store::session_in(&mut tx, &ask.session_id.0, caller.world.number()).await?;
    tx.roll_back().await?;
    let (node, ask) = (caller.node()?.to_owned(), Arc::new(ask));
    let mut tries = 0;
    loop {
        // Another request of the session may end meanwhile, and its key with it.
        let key = app.owners.current(&session.keys).await?;
        tries += 1;
        let (node, world, ask) = (node.clone(), caller.world.number(), Arc::clone(&ask));
        match app.log.submit(Give { app: App::clone(app), node, world, ask, key }).await {
            Err(problem) if problem.kind() == &kinds::CONFLICT && tries < TRIES => {}
            done => return done,
        }
    }
}

/// It makes no entry. The log's writer does it all the same, which also has keys destroyed: whatever is under one is
/// there before that begins, and is put under the next one, or hangs on the next one.
struct Give {
    app: App,
    node: String,
    world: i64,
    ask: Arc<GiveAsk>,
    key: OwnerKey,
}

impl Work for Give {
    /// When its request ends, whose share it is, the share, and whether it holds.
    type Read = (i64, store::Holding, SessionShare, bool);
    type Made = Self::Read;
    type Answer = Given;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let Self { app, node, world, ask, .. } = self;
        let (session_id, split_id, index) = (ask.session_id.0, ask.split_id.0, Index::new(ask.indeks.into())?);
        let request = given::hold_request(tx, ask.request_id).await?;
        store::session_in(tx, &session_id, *world).await?;
        if request.session_id != session_id {
            return Err(Problem::new(&kinds::UNKNOWN_ID));
        }
        let holdings = store::holdings(tx, &split_id).await?;
        let holding = holdings.into_iter().find(|holding| holding.session_id == session_id && holding.index == index);
        let holding = holding.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        if holding.node != *node {
            return Err(Problem::new(&kinds::NOT_NODE));
        }
        if holding.owner != ask.identity_id.0 {
            return Err(Problem::invalid("/identity_id", "other-custodian", "the share is another custodian's"));
        }
        if holding.state == ShareState::Waiting {
            return Err(Problem::new(&kinds::CONFLICT).detail("the share was not pulled"));
        }
        check_open(&request, app.clock.millis())?;
        let records = store::records(tx, &session_id).await?;
        let record = records.iter().map(|row| &row.record).find(|record| *record.split_id() == split_id);
        let record = record.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        let pair = pair(index, &ask.vrijednost_hex.0);
        let share = SessionShare::pulled(session_id, split_id, holding.owner, index, pair.as_bytes());
        let holds = !record.health(app.log.domain(), std::slice::from_ref(&share)).present.is_empty();
        Ok((request.expires, holding, share, holds))
    }

    fn step(&self, _: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        Ok(read)
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, _: &Changes) -> Result<Given, Problem> {
        let (expires, holding, share, holds) = made;
        let (owners, now, request_id) = (&self.app.owners, self.app.clock.millis(), self.ask.request_id);
        holding.note(tx, holds, now).await?;
        given::give(tx, (owners, &self.key), request_id, &share, now).await?;
        Ok(Given { request_id, indeks: holding.index.get(), istice: time(expires)? })
    }
}

/// A pair as the library reads it. A value with a quote or an escape in it is none, whatever it would spell.
pub(super) fn pair(index: Index, value: &Zeroizing<String>) -> Zeroizing<String> {
    let is_plain = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let mut text = Zeroizing::new(String::with_capacity(value.len() + 16));
    text.push('[');
    text.push_str(&index.to_string());
    text.push_str(",\"");
    text.push_str(if is_plain { value } else { "" });
    text.push_str("\"]");
    text
}

/// That a request waits.
pub(super) fn check_open(request: &RequestRow, now: i64) -> Result<(), Problem> {
    let is_open = rules::is_open(&request.state, request.expires, now);
    if is_open { Ok(()) } else { Err(Problem::new(&kinds::REQUEST_CLOSED)) }
}

/// The shares that were given back for a request.
pub(super) async fn opened(app: &App, session: &SessionRow, places: &[Place]) -> Result<Vec<SessionShare>, Problem> {
    let mut shares = Vec::with_capacity(places.len());
    for place in places {
        // What is listed and gone went with its request.
        let share = app.owners.open(&app.db, &session.keys, place).await?;
        let share = share.ok_or_else(|| Problem::new(&kinds::REQUEST_CLOSED))?;
        shares.push(SessionShare::from_json(&share)?);
    }
    Ok(shares)
}

/// Sweeps once the time of a request is over, whenever the job comes by: what was given back waits no longer.
fn sweep_after(app: &App, seconds: u64) {
    let waiting = Arc::downgrade(app);
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        if let Some(app) = waiting.upgrade()
            && !app.config.read_only
            && let Err(problem) = sweep(&app).await
        {
            tracing::error!(%problem, "shares that were given back are not wiped yet");
        }
    });
}

/// Wipes what was given back for requests whose time is over, and what was prepared and never committed; says how much.
/// A job calls it each minute: it does what a process that ended meanwhile did not.
///
/// # Errors
/// The database; the log.
pub async fn sweep(app: &App) -> Result<u64, Problem> {
    let now = app.clock.millis();
    let mut tx = app.db.begin().await?;
    let over = given::over(&mut tx, now).await?;
    let mut keys = BTreeSet::new();
    for request in &over {
        let session = store::session(&mut tx, &request.session_id).await?;
        let session = session.ok_or_else(|| Problem::internal("threshold", &"a request has no session"))?;
        given::close(&mut tx, &app.owners, &session.keys, request.request_id, "expired").await?;
        keys.insert(session.keys);
    }
    given::forget(&mut tx, now.saturating_sub(REMEMBERED_FOR)).await?;
    let lapsed = tx.list(LAPSED, values![now]).await?;
    let lapsed = lapsed.iter().map(|row| store::parsed(row, "session_id")).collect::<Result<Vec<_>, _>>()?;
    tx.commit().await?;
    for keys in keys {
        app.owners.end(&app.db, &app.log, &keys).await;
    }
    let done = over.len().saturating_add(lapsed.len());
    for session_id in lapsed {
        refresh::lapse(app, session_id).await?;
    }
    Ok(u64::try_from(done).unwrap_or(u64::MAX))
}
