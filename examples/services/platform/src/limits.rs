//! How much is received at once: the most bytes of each body, the least rate, and a budget over all of them.
//!
//! | file | what it is |
//! |---|---|
//! | `budget` | the bytes of all requests in flight |
//! | `body` | a body that is counted and timed as it comes |

mod body;
mod budget;

use crate::access::{JSON_BYTES, Level};
use crate::config::LimitConfig;
use crate::problem::{Problem, kinds};
use crate::web::slots::Arrived;
use crate::web::{Matched, Web, guard};
use axum::body::{Body, HttpBody as _};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use body::{Counted, Fault, Inflow, Pace};
use budget::Budget;
use http::{HeaderMap, HeaderValue, header};
use std::sync::Arc;

/// The limits of bodies.
#[derive(Debug)]
pub(crate) struct Limits {
    budget: Arc<Budget>,
    pace: Pace,
}

impl Limits {
    pub(crate) fn new(config: &LimitConfig) -> Self {
        let pace = Pace { patience: config.progress.duration(), least_rate: config.least_rate.max(1) };
        Self { budget: Arc::new(Budget::new(config.bytes_in_flight)), pace }
    }

    /// Bytes of all bodies in flight.
    pub(crate) fn in_flight(&self) -> u64 {
        self.budget.taken()
    }
}

/// Holds the body to its limits; what they refused is answered as that, whatever the handler made of it.
pub(crate) async fn layer(State(web): State<Arc<Web>>, request: Request, next: Next) -> Response {
    let row = request.extensions().get::<Matched>().map(|Matched(row)| *row);
    // Documents come as forms, which are read as they come; with a key of idempotency they are held all the same.
    let is_form = is(request.headers(), "multipart/form-data");
    let is_json = is(request.headers(), "application/json");
    let most = row.map_or(JSON_BYTES, |row| if is_json { row.most.min(JSON_BYTES) } else { row.most });
    let passes = is_form && most > JSON_BYTES && !request.headers().contains_key("idempotency-key");
    let public = row.is_none_or(|row| row.level == Level::Public).then(|| web.rate.client(&request));
    if request.body().is_end_stream() {
        return guarded(&web, request, next).await;
    }
    // Told beforehand: nothing of it is read.
    if request.body().size_hint().lower() > most {
        return Problem::new(&kinds::TOO_LARGE).detail(too_large(most)).into_response();
    }
    let declared = request.body().size_hint().exact();
    let inflow = Arc::new(Inflow::new(Arc::clone(&web.limits.budget), public, passes));
    let request = request.map(|body| Body::new(Counted::new(body, Arc::clone(&inflow), most, web.limits.pace)));
    let mut response = guarded(&web, request, next).await;
    response.extensions_mut().insert(Arrived(inflow.last()));
    let is_refused = response.status().is_client_error() || response.status().is_server_error();
    // The connection ends with what was not read of it: whoever sends more on it is told beforehand.
    if declared.map_or(is_refused, |declared| inflow.received() < declared) {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    match inflow.fault().filter(|_| is_refused) {
        Some(Fault::Length) => Problem::new(&kinds::TOO_LARGE).detail(too_large(most)).into_response(),
        Some(Fault::Slowness) => Problem::new(&kinds::TOO_SLOW).into_response(),
        Some(Fault::Sum) => Problem::new(&kinds::BUSY).retry_after(1).into_response(),
        None => response,
    }
}

async fn guarded(web: &Web, request: Request, next: Next) -> Response {
    match guard::refuses(web, &request) {
        Some(refused) => refused,
        None => next.run(request).await,
    }
}

fn is(headers: &HeaderMap, sent: &str) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(sent))
}

fn too_large(most: u64) -> String {
    format!("the body may have {most} bytes")
}
