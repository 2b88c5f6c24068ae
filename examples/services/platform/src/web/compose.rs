//! The layers, in their order.

use super::finish::finish;
use super::hosts::Hosts;
use super::keys::Keys;
use super::origins::{self, Origins, Sender};
use super::rows::Rows;
use crate::access::Endpoint;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::limits::{self, Limits};
use crate::log::Log;
use crate::problem::Problem;
use crate::rate::Rate;
use crate::secrets::Secrets;
use crate::watch::{self, Audit};
use crate::{idempotency, pages};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;
use tower_http::catch_panic::CatchPanicLayer;

/// What the layers work with.
#[derive(Debug)]
pub struct Web {
    pub(crate) db: Db,
    /// Which covers what is told again; none in a service that writes to no log.
    pub(crate) log: Option<Log>,
    pub(crate) clock: Clock,
    pub(crate) keys: Arc<Keys>,
    pub(crate) rows: Rows,
    pub(crate) rate: Rate,
    pub(crate) limits: Limits,
    pub(crate) audit: Audit,
    pub(crate) read_only: bool,
    /// How long an answer waits at least that must not tell how long it took.
    pub(crate) slot: Duration,
    pub(crate) hosts: Hosts,
    pub(crate) origins: Origins,
    base_url: Arc<str>,
}

impl Web {
    /// Opens what they keep in the database, and begins to write the audit log.
    ///
    /// # Errors
    /// The database; a key that does not open under the master.
    pub async fn open(
        (db, log): (&Db, Option<&Log>),
        secrets: &Secrets,
        clock: &Clock,
        config: &Config,
        table: &'static [Endpoint],
    ) -> Result<Arc<Self>, Problem> {
        Ok(Arc::new(Self {
            keys: Arc::new(Keys::open(db, secrets).await?),
            rows: Rows::new(table),
            rate: Rate::new(&config.rate, &config.trusted_proxies),
            limits: Limits::new(&config.limits),
            audit: Audit::begin(db.clone()),
            read_only: config.read_only,
            slot: Duration::from_millis(config.limits.slot.into()),
            hosts: Hosts::new(&config.base_url, &config.hosts),
            origins: Origins::new(&config.base_url, &config.origins),
            base_url: config.base_url.as_str().into(),
            db: db.clone(),
            log: log.cloned(),
            clock: clock.clone(),
        }))
    }

    /// Writes down what of the audit log is not written yet: when the service ends.
    pub async fn end(&self) {
        self.audit.flush().await;
    }
}

/// Puts the layers around the handlers, from the outermost: whose page it is, the request's name and problems, measures
/// and logs, limits of bodies, rate, names and pages of others and read-only mode, panics, access, idempotency.
/// `access` adds the layer that verifies the token and holds it to the table's row; what is inside of it sees verified
/// callers only.
pub fn compose(router: Router, web: &Arc<Web>, access: impl FnOnce(Router) -> Router) -> Router {
    access(router.layer(from_fn_with_state(Arc::clone(web), inside)))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(Arc::clone(web), limits::layer))
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(Arc::clone(web), watch::layer))
        .layer(from_fn_with_state(Arc::clone(web), outside))
}

/// What a request meets first: whose page sends it is asked once, and every answer says who may read it.
async fn outside(State(web): State<Arc<Web>>, mut request: Request, next: Next) -> Response {
    let sender = web.origins.sender(request.headers());
    request.extensions_mut().insert(sender.clone());
    let mut response = finish(State(Arc::clone(&web.base_url)), request, next).await;
    if let Sender::Listed(origin) = sender {
        origins::show(response.headers_mut(), origin);
    }
    if web.origins.varies() {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("origin"));
    }
    response
}

/// What a request meets inside of access. Each layer is copied for each request, with all that it is around: what needs
/// none is done in one.
async fn inside(web: State<Arc<Web>>, mut request: Request, next: Next) -> Response {
    watch::note_caller(&request);
    pages::prepare(&web, &mut request);
    idempotency::layer(web, request, next).await
}

/// What a panic says is in the log, by the panic hook; it may quote what was sent.
#[allow(clippy::needless_pass_by_value, reason = "the layer gives it away")]
fn panicked(_: Box<dyn Any + Send + 'static>) -> Response {
    Problem::internal("handler", &"it panicked").into_response()
}
