//! The rows: claimed while a request is served, then with its answer.

use super::{Claim, Head, place};
use crate::access::Caller;
use crate::clock::Clock;
use crate::db::{Db, DbError, statements};
use crate::problem::{Problem, kinds};
use crate::values;
use crate::web::Web;
use axum::body::Body;
use axum::response::Response;
use http::{HeaderName, HeaderValue, header};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use uuid::Uuid;

/// How long a request may take before another with its key is served: a minute.
const CLAIM_MILLIS: i64 = 60_000;

statements! {
    /// Takes the place of nobody, or of what has expired: a claim whose request never ended, or an old answer.
    CLAIM = "INSERT INTO idempotency (scope, body, claim, expires) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (scope) DO UPDATE SET body = excluded.body, claim = excluded.claim, \
             expires = excluded.expires, answer = NULL WHERE idempotency.expires <= $5";
    FIND = "SELECT body, expires, answer FROM idempotency WHERE scope = $1";
    STORE = "UPDATE idempotency SET answer = $3, expires = $4 WHERE scope = $1 AND claim = $2 AND answer IS NULL";
    LET_GO = "DELETE FROM idempotency WHERE scope = $1 AND claim = $2 AND answer IS NULL";
    SWEEP = "DELETE FROM idempotency WHERE expires <= $1";
}

/// What a key led to.
pub(super) enum Claimed {
    /// Nobody was served with it: this request is.
    Mine(Arc<Claim>),
    /// It was served: the answer.
    Answered(Response),
}

/// Claims a scope for what was sent, in a transaction of its own that is written down before the handler begins.
pub(super) async fn claim(web: &Web, caller: &Caller, scope: [u8; 32], sent: [u8; 32]) -> Result<Claimed, Problem> {
    let number = *Uuid::new_v4().as_bytes();
    // Between the two statements whoever had it may let it go.
    for _ in 0..3 {
        let now = web.clock.millis();
        let values = values![&scope[..], &sent[..], &number[..], now.saturating_add(CLAIM_MILLIS), now];
        if web.db.execute(CLAIM, values).await? == 1 {
            let (keys, clock, stored) = (Arc::clone(&web.keys), web.clock.clone(), AtomicBool::new(false));
            return Ok(Claimed::Mine(Arc::new(Claim { scope, number, tier: caller.tier, keys, clock, stored })));
        }
        let Some(row) = web.db.find(FIND, values![&scope[..]]).await? else { continue };
        if row.bytes("body")? != sent {
            return Err(Problem::new(&kinds::IDEMPOTENCY_OTHER));
        }
        let Some(answer) = row.maybe_bytes("answer")? else {
            let left = row.number("expires")?.saturating_sub(now).max(0).cast_unsigned();
            return Err(Problem::new(&kinds::IDEMPOTENCY_RUNNING).retry_after(left.div_ceil(1000)));
        };
        return again(web, caller, &scope, answer).await.map(Claimed::Answered);
    }
    Err(Problem::new(&kinds::IDEMPOTENCY_RUNNING).retry_after(1))
}

/// The stored answer, once more. Its caller was verified anew; one who was since given a lower tier might not have been
/// served, so that he is refused. What was to be told under a checkpoint is told under one: where none was signed at
/// first, its caller was told of that failure, or of nothing, and success would be what no stranger sees.
async fn again(web: &Web, caller: &Caller, scope: &[u8; 32], stored: Vec<u8>) -> Result<Response, Problem> {
    let opened = web.keys.answers.open(&place(scope)?, stored)?;
    let at = opened.iter().position(|byte| *byte == b'\n').unwrap_or(opened.len());
    let (head, body) = opened.split_at(at);
    let head: Head = serde_json::from_slice(head).map_err(|error| Problem::internal("answer", &error))?;
    if caller.tier < head.tier {
        return Err(Problem::new(&kinds::TIER));
    }
    if let Some(under) = head.under {
        let log = web.log.as_ref().ok_or_else(|| Problem::new(&kinds::BUSY).retry_after(1))?;
        log.cover(under).await?;
    }
    let body = body.get(1..).unwrap_or_default().to_vec();
    let mut response = Response::builder().status(head.status);
    if let Some(headers) = response.headers_mut() {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
        for (name, value) in head.headers {
            if let (Ok(name), Ok(value)) = (name.parse::<HeaderName>(), value.parse()) {
                headers.append(name, value);
            }
        }
    }
    response.body(Body::from(body)).map_err(|error| Problem::internal("answer", &error))
}

/// Lets a claim go whose request wrote nothing: the next with its key is served.
pub(super) async fn let_go(db: &Db, claim: &Claim) {
    if let Err(error) = db.execute(LET_GO, values![&claim.scope[..], &claim.number[..]]).await {
        tracing::warn!(%error, "a claim is not let go, and runs out");
    }
}

/// Removes what has expired, and says how many rows that was: a job of every hour.
///
/// # Errors
/// The database.
pub async fn sweep(db: &Db, clock: &Clock) -> Result<u64, DbError> {
    db.execute(SWEEP, values![clock.millis()]).await
}
