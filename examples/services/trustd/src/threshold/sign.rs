//! Signing: k shares rebuild the secret for as long as it takes, and what they sign is an entry.

use super::in_force::{Sessions, check_key};
use super::requests;
use super::store::given::{self, RequestRow};
use super::store::{self, SessionRow};
use super::types::{Purpose, Shares, SignAsk};
use crate::App;
use dualseal::id::{MessageHash, SessionId};
use dualseal::shamir::Index;
use dualseal::threshold::{QuorumSigned, SessionInForce, SessionShare, ThresholdResult};
use dualseal::{IdentityId, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::Caller;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::ErasureKeys;
use std::sync::Arc;
use uuid::Uuid;

/// What signing came to.
pub(super) struct Answered {
    pub(super) result: ThresholdResult,
    /// The place of its entry; none where there is no signature.
    pub(super) seq: Option<u64>,
}

/// Shares that were found for a request or in a body.
pub(super) struct Gathered {
    pub(super) session: SessionRow,
    pub(super) request: Option<RequestRow>,
    pub(super) shares: Vec<SessionShare>,
}

/// Finds the shares: those that were given back for a request of this purpose and requester, or those of the body.
pub(super) async fn gather(
    app: &App,
    caller: &Caller,
    session_id: &SessionId,
    requester: &IdentityId,
    purpose: Purpose,
    from: &Shares,
) -> Result<Gathered, Problem> {
    caller.own(requester)?;
    let mut tx = app.db.snapshot().await?;
    let session = store::session_in(&mut tx, session_id, caller.world.number()).await?;
    if !store::is_current(&mut tx, &session).await? {
        return Err(Problem::new(&kinds::LOG_ENDED));
    }
    let shares = match (&from.udjeli, from.request_id) {
        (Some(_), None) => of_body(&mut tx, &session, requester, from).await?,
        (None, Some(request_id)) if from.split_id.is_none() => {
            let request = given::request(&mut tx, request_id).await?.filter(|request| {
                request.session_id == *session_id && request.requester == *requester && request.purpose == purpose
            });
            let request = request.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
            requests::check_open(&request, app.clock.millis())?;
            let places = given::listed(&mut tx, request_id).await?;
            tx.roll_back().await?;
            let shares = requests::opened(app, &session, &places).await?;
            return Ok(Gathered { session, request: Some(request), shares });
        }
        (None, Some(_)) => {
            return Err(Problem::invalid("/split_id", "not-taken", "what was given back names its splitting"));
        }
        _ => {
            let why = "either shares as pairs or a request is needed, and not both";
            return Err(Problem::invalid("/udjeli", "missing", why));
        }
    };
    tx.roll_back().await?;
    Ok(Gathered { session, request: None, shares })
}

/// The pairs of a body, each its custodian's.
pub(super) async fn of_body(
    tx: &mut Tx,
    session: &SessionRow,
    nobody: &IdentityId,
    from: &Shares,
) -> Result<Vec<SessionShare>, Problem> {
    let split_id = from.split_id.unwrap_or(session.split_id);
    let pairs = from.udjeli.as_deref().unwrap_or_default();
    if pairs.len() > 255 {
        return Err(Problem::invalid("/udjeli", "length", "there are at most 255 shares"));
    }
    let holdings = store::holdings(tx, &split_id).await?;
    let mut shares = Vec::with_capacity(pairs.len());
    for (place, given) in pairs.iter().enumerate() {
        let index = Index::new(given.0.into())
            .map_err(|error| Problem::invalid(format!("/udjeli/{place}/0"), "range", error.to_string()))?;
        // A number that nobody holds is nobody's share: it holds for no record.
        let owner = holdings.iter().find(|holding| holding.index == index).map_or(*nobody, |holding| holding.owner);
        let pair = requests::pair(index, &given.1.0);
        shares.push(SessionShare::pulled(session.session_id, split_id, owner, index, pair.as_bytes()));
    }
    Ok(shares)
}

/// Signs a message.
pub(super) async fn sign(
    app: &App,
    sessions: &Sessions,
    caller: &Caller,
    ask: SignAsk,
    idempotency: Idempotency,
) -> Result<Answered, Problem> {
    let requester = ask.identity_id.0;
    let from = Shares { udjeli: ask.udjeli, split_id: ask.split_id.map(|id| id.0), request_id: ask.request_id };
    let gathered = gather(app, caller, &ask.session_id.0, &requester, Purpose::Potpis, &from).await?;
    let given = ask.poruka_b64.map(|message| message.0);
    let message = match (&gathered.request, given) {
        (None, Some(message)) => message,
        (None, None) => return Err(Problem::invalid("/poruka_b64", "missing", "a message is needed with pairs")),
        (Some(request), given) => {
            let seen = request.message.clone().ok_or_else(|| Problem::new(&kinds::REQUEST_CLOSED))?;
            if given.is_some_and(|given| given != seen) {
                let why = "the nodes gave their shares back for another message";
                return Err(Problem::invalid("/poruka_b64", "other-message", why));
            }
            seen
        }
    };
    let message = MessageHash::of(&message);
    let found = sessions.in_force(app, &gathered.session).await?;
    let ring = found.state.ring();
    check_key(found.session.founder(), gathered.session.world, ring)?;
    // Told before anything is placed: whoever has too few shares keeps nobody waiting.
    let (in_force, shares) = (Arc::clone(&found.session), Arc::new(gathered.shares));
    let (head, now, held) = (found.state.head().clone(), app.clock.now(), Arc::clone(&shares));
    let refused = tokio::task::spawn_blocking(move || {
        if in_force.quorum(&held).reached {
            return None;
        }
        in_force.sign(&message, &requester, &held, &head, now, &mut SystemRng).err()
    });
    if let Some(refusal) = refused.await.map_err(|error| Problem::internal("threshold", &error))? {
        return Ok(Answered { result: refusal.result, seq: None });
    }
    let request = gathered.request.map(|request| request.request_id);
    let (owners, session, now) = (app.owners.clone(), gathered.session, app.clock.millis());
    let (keys, in_force) = (session.keys, found.session);
    let work = SignWork { session, in_force, message, requester, shares, request, owners, now, idempotency };
    let answered = app.log.submit(work).await?;
    if request.is_some() {
        app.owners.end(&app.db, &app.log, &keys).await;
    }
    Ok(answered)
}

struct SignWork {
    session: SessionRow,
    in_force: Arc<SessionInForce>,
    message: MessageHash,
    requester: IdentityId,
    shares: Arc<Vec<SessionShare>>,
    /// The request that they serve, once.
    request: Option<Uuid>,
    owners: ErasureKeys,
    now: i64,
    idempotency: Idempotency,
}

enum Made {
    Signed(Box<QuorumSigned>),
    Refused(Box<ThresholdResult>),
}

impl Work for SignWork {
    type Read = ();
    type Made = Made;
    type Answer = Answered;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<(), Problem> {
        let Some(request_id) = self.request else { return Ok(()) };
        requests::check_open(&given::hold_request(tx, request_id).await?, self.now)
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<Made, Problem> {
        check_key(self.in_force.founder(), self.session.world, step.ring())?;
        let (head, time) = (step.head().clone(), step.time());
        match self.in_force.sign(&self.message, &self.requester, &self.shares, &head, time, &mut SystemRng) {
            Ok(signed) => {
                step.take(&signed.entry)?;
                Ok(Made::Signed(Box::new(signed)))
            }
            Err(refusal) => Ok(Made::Refused(Box::new(refusal.result))),
        }
    }

    async fn rows(&self, tx: &mut Tx, made: Made, _: &Changes) -> Result<Answered, Problem> {
        let signed = match made {
            Made::Signed(signed) => signed,
            Made::Refused(result) => return Ok(Answered { result: *result, seq: None }),
        };
        given::keep_result(tx, &self.session.session_id, &self.message, &signed).await?;
        if let Some(request_id) = self.request
            && !given::close(tx, &self.owners, &self.session.keys, request_id, "served").await?
        {
            return Err(Problem::new(&kinds::REQUEST_CLOSED));
        }
        let seq = signed.entry.seq();
        let result = ThresholdResult::Signed(signed.result);
        self.idempotency.store(tx, StatusCode::CREATED, &result).await?;
        Ok(Answered { result, seq: Some(seq) })
    }
}
