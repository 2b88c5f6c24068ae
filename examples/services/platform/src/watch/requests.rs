//! What is measured and told of each request: never its query, its body or its token.

use super::audit::Call;
use crate::access::{Caller, Level};
use crate::problem::Problem;
use crate::web::{Matched, RequestId, Web};
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, UNIX_EPOCH};
use tracing::Instrument as _;

/// Where the layer inside of access tells whom it let through.
#[derive(Clone, Debug, Default)]
struct Who(Arc<OnceLock<Caller>>);

/// The status of a request whose client went away, which no client sees.
const GONE_AWAY: u16 = 499;

/// Tells the outer layer who calls; inside of access.
pub(crate) async fn note_caller(request: Request, next: Next) -> Response {
    if let (Some(who), Some(caller)) = (request.extensions().get::<Who>(), request.extensions().get::<Caller>()) {
        // The first stays, and there is one.
        drop(who.0.set(caller.clone()));
    }
    next.run(request).await
}

pub(crate) async fn layer(State(web): State<Arc<Web>>, mut request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map(|path| Arc::<str>::from(path.as_str()));
    let matched = path.as_deref().and_then(|path| web.rows.find(request.method(), path));
    if let Some(matched) = matched {
        request.extensions_mut().insert(matched);
    }
    let id = request.extensions().get::<RequestId>().map_or_else(|| Arc::from("-"), |id| Arc::clone(&id.0));
    let who = Who::default();
    request.extensions_mut().insert(who.clone());
    let mut told = Told {
        web: &web,
        id: Arc::clone(&id),
        method: name(request.method()),
        path: path.unwrap_or_else(|| Arc::from("unmatched")),
        at: request.uri().path().to_owned(),
        matched,
        who,
        since: Instant::now(),
        is_told: false,
    };
    let span = tracing::info_span!("request", id = &*id);
    let mut response = next.run(request).instrument(span).await;
    if let Some(gone) = matched.and_then(|Matched(row)| row.gone) {
        going(response.headers_mut(), gone);
    }
    if let Some(call) = told.end(&response) {
        web.audit.write(call).await;
    }
    response
}

/// RFC 9745 and RFC 8594.
fn going(headers: &mut HeaderMap, gone: crate::access::Gone) {
    let sunset = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(gone.sunset));
    for (name, value) in [("deprecation", format!("@{}", gone.deprecated)), ("sunset", sunset)] {
        if let Ok(value) = HeaderValue::try_from(value) {
            headers.insert(name, value);
        }
    }
}

/// Methods that anybody may invent are not measured by name.
fn name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

/// A request that is told of once: when it is answered, or when its client has gone away.
struct Told<'a> {
    web: &'a Web,
    id: Arc<str>,
    method: &'static str,
    /// As the router has it.
    path: Arc<str>,
    /// As it was asked for.
    at: String,
    matched: Option<Matched>,
    who: Who,
    since: Instant,
    is_told: bool,
}

impl Told<'_> {
    fn end(&mut self, response: &Response) -> Option<Call> {
        let code = response.extensions().get::<Problem>().map(|problem| problem.kind().code);
        // One that access refused after it knew him.
        if let Some(caller) = response.extensions().get::<Caller>() {
            drop(self.who.0.set(caller.clone()));
        }
        self.tell(response.status(), code)
    }

    fn tell(&mut self, status: StatusCode, code: Option<&'static str>) -> Option<Call> {
        self.is_told = true;
        let took = self.since.elapsed();
        let (method, path) = (self.method, &*self.path);
        metrics::counter!("trustd_requests_total", "method" => method, "path" => Arc::clone(&self.path),
            "status" => status.as_str().to_owned())
        .increment(1);
        metrics::histogram!("trustd_request_seconds", "method" => method, "path" => Arc::clone(&self.path))
            .record(took.as_secs_f64());
        let ms = took.as_secs_f64() * 1000.0;
        tracing::info!(target: "trustd::request", request = &*self.id, method, path, status = status.as_u16(), code, ms);
        let Matched(row) = self.matched?;
        let caller = self.who.0.get().filter(|_| row.level != Level::Public)?;
        let (request, at) = (Arc::clone(&self.id), std::mem::take(&mut self.at));
        let time = self.web.clock.millis();
        Some(Call { time, request, caller: caller.clone(), method, path: at, status: status.as_u16(), code })
    }
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if self.is_told {
            return;
        }
        let status = StatusCode::from_u16(GONE_AWAY).unwrap_or(StatusCode::BAD_REQUEST);
        if let Some(call) = self.tell(status, None) {
            self.web.audit.write_now(call);
        }
    }
}
