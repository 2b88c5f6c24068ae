//! What is measured and told of each request: never its query, its body or its token.

use super::audit::{By, Call};
use crate::access::{Caller, Level};
use crate::problem::Problem;
use crate::rate::Peer;
use crate::web::{Matched, RequestId, Web, slots};
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use dualseal::IdentityId;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, UNIX_EPOCH};
use tracing::Instrument as _;

/// Where the layer inside of access tells whom it let through.
#[derive(Clone, Debug, Default)]
struct Who(Arc<OnceLock<Caller>>);

/// Whom a call of anybody's is about, as its handler tells the audit log: a handler's argument.
#[derive(Clone, Debug, Default)]
pub struct About(Arc<OnceLock<IdentityId>>);

impl About {
    /// Tells it.
    pub fn note(&self, identity_id: &IdentityId) {
        // The first stays, and there is one.
        self.0.set(*identity_id).unwrap_or_default();
    }
}

impl<S: Send + Sync> FromRequestParts<S> for About {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}

/// The status of a request whose client went away, which no client sees.
const GONE_AWAY: u16 = 499;

/// Tells the outer layer who calls; inside of access.
pub(crate) fn note_caller(request: &Request) {
    if let (Some(who), Some(caller)) = (request.extensions().get::<Who>(), request.extensions().get::<Caller>()) {
        // The first stays, and there is one.
        drop(who.0.set(caller.clone()));
    }
}

pub(crate) async fn layer(State(web): State<Arc<Web>>, mut request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>();
    let matched = path.and_then(|path| web.rows.find(request.method(), path.as_str()));
    let path = match (matched, path) {
        (Some(Matched(row)), _) => Cow::Borrowed(row.path),
        (None, Some(path)) => Cow::Owned(path.as_str().to_owned()),
        (None, None) => Cow::Borrowed("unmatched"),
    };
    if let Some(matched) = matched {
        request.extensions_mut().insert(matched);
    }
    let id = request.extensions().get::<RequestId>().map_or_else(|| Arc::from("-"), |id| Arc::clone(&id.0));
    let (who, begun) = (Who::default(), Instant::now());
    request.extensions_mut().insert(who.clone());
    let about = About::default();
    request.extensions_mut().insert(about.clone());
    let address = request.extensions().get::<Peer>().map(|_| web.rate.client(&request).to_string());
    let mut told = Told {
        web: &web,
        id: Arc::clone(&id),
        method: name(request.method()),
        path,
        at: request.uri().path().to_owned(),
        matched,
        who,
        about,
        address,
        since: begun,
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
    slots::wait(web.slot, matched, begun, response.extensions()).await;
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
    path: Cow<'static, str>,
    /// As it was asked for.
    at: String,
    matched: Option<Matched>,
    who: Who,
    about: About,
    address: Option<String>,
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
        metrics::counter!("trustd_requests_total", "method" => method, "path" => self.path.clone(),
            "status" => status.as_str().to_owned())
        .increment(1);
        metrics::histogram!("trustd_request_seconds", "method" => method, "path" => self.path.clone())
            .record(took.as_secs_f64());
        if let Some(code) = code {
            metrics::counter!("trustd_problems_total", "code" => code).increment(1);
        }
        let ms = took.as_secs_f64() * 1000.0;
        let (request, number) = (&*self.id, status.as_u16());
        tracing::info!(target: "trustd::request", request, method, path, status = number, code, ms);
        let Matched(row) = self.matched?;
        let by = match self.who.0.get() {
            Some(caller) if row.level != Level::Public => By::Caller(caller.clone()),
            _ if row.audited => By::Anybody(self.about.0.get().copied()),
            _ => return None,
        };
        let (request, at) = (Arc::clone(&self.id), std::mem::take(&mut self.at));
        let (time, address) = (self.web.clock.millis(), self.address.take());
        Some(Call { time, request, by, address, method, path: at, status: status.as_u16(), code })
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
