//! The addresses of messaging; in `contacts`, those of the people that are written to; in `webhooks`, what comes in.

pub(super) mod contacts;
pub(super) mod webhooks;

use super::contacts::{Standing, find_in};
use super::log::{Asked, page};
use super::outbox::{Notice, put};
use super::rules::{MOST_TEXT, State as MessageState};
use super::service::Messaging;
use super::store;
use super::types::{LogLine, LogQuery, SendOut, SendRequest};
use crate::App;
use crate::health::{self, Health};
use crate::refusals::{OfReading, OfSending};
use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use platform::access::Caller;
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, Query};
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Messaging, as handlers get it.
pub(super) type Here = Extension<Arc<Messaging>>;

/// Its addresses, over what it works with.
#[must_use]
pub fn router(messaging: Arc<Messaging>) -> OpenApiRouter<App> {
    addresses().layer(Extension(messaging))
}

/// The same as the documentation has them.
pub(crate) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(send))
        .routes(routes!(log))
        .merge(webhooks::addresses())
        .merge(contacts::addresses())
}

/// Whether messaging works.
#[utoipa::path(get, path = "/api/v1/messaging/health", tag = "messaging", responses(
    (status = 200, description = "It works", body = Health),
    (status = 503, description = "It does not", body = ProblemBody, content_type = "application/problem+json"),
))]
async fn health(State(app): State<App>) -> Result<Json<Health>, Problem> {
    health::told(&app.db, store::TOUCH).await
}

/// Sends a message to a contact. A noble writes to its own contacts alone.
#[utoipa::path(post, path = "/api/v1/messaging/send", tag = "messaging", request_body = SendRequest, responses(
    (status = 202, description = "It waits to be sent", body = SendOut),
    OfSending,
))]
async fn send(
    State(app): State<App>,
    messaging: Here,
    caller: Caller,
    idempotency: Idempotency,
    Json(body): Json<SendRequest>,
) -> Result<Response, Problem> {
    let SendRequest { contact_id, text, subject, expires_in } = body;
    if text.is_empty() || text.chars().count() > MOST_TEXT {
        return Err(Problem::invalid("/text", "length", format!("is to have 1 to {MOST_TEXT} characters")));
    }
    let subject = subject.unwrap_or_else(|| "trustd".to_owned());
    if subject.chars().count() > 200 {
        return Err(Problem::invalid("/subject", "length", "has more than 200 characters"));
    }
    for (pointer, said) in [("/text", &text), ("/subject", &subject)] {
        if said.contains('\0') {
            return Err(Problem::invalid(pointer, "control", "contains a NUL"));
        }
    }
    let life = match expires_in {
        None => app.config.messaging.expires.0,
        Some(seconds @ 60..=2_592_000) => u64::from(seconds),
        Some(_) => return Err(Problem::invalid("/expires_in", "range", "is not between 60 and 2592000")),
    };
    let (now, world) = (app.clock.millis(), caller.world);
    let expires = now.saturating_add(i64::try_from(life.saturating_mul(1000)).unwrap_or(i64::MAX));
    let unknown = || Problem::new(&kinds::UNKNOWN_ID);
    let contact_id = contact_id.parse::<Uuid>().map_err(|_| unknown())?.to_string();
    let mut tx = app.db.begin().await?;
    let contact = find_in(&mut tx, &contact_id, world).await?.ok_or_else(unknown)?;
    if !contact.is_of(&caller) {
        return Err(unknown());
    }
    if contact.state != Standing::Active {
        return Err(Problem::new(&kinds::CONFLICT).detail("the contact is not active"));
    }
    let once = format!("send:{}", Uuid::now_v7());
    let notice = Notice { once, subject, text, is_alarm: false, expires };
    let id = put(&mut tx, &contact, &notice, now, world).await?;
    let id = id.ok_or_else(|| Problem::internal("messaging", &"a drawn name was there"))?;
    let answer = SendOut { id, status: MessageState::Queued };
    idempotency.store(&mut tx, StatusCode::ACCEPTED, &answer).await?;
    tx.commit().await?;
    messaging.wake.notify_one();
    crate::alarms::watch(&app, &caller, "sends a message");
    Ok((StatusCode::ACCEPTED, Json(answer)).into_response())
}

/// The log of messages, both directions. A noble sees what was said with its own contacts, addresses masked, and not
/// what was said.
#[utoipa::path(get, path = "/api/v1/messaging/log", tag = "messaging", params(LogQuery, PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<LogLine>),
    OfReading,
))]
async fn log(
    State(app): State<App>,
    caller: Caller,
    query_page: Page,
    Query(query): Query<LogQuery>,
) -> Result<Listed<LogLine>, Problem> {
    let after: Option<String> = query_page.after()?;
    let contact = query.contact_id.map(|id| id.to_string());
    let asked = Asked {
        after: after.as_deref(),
        contact: contact.as_deref(),
        own: caller.only_own(),
        direction: query.direction,
        world: caller.world,
        most: query_page.ask(),
        now: app.clock.millis(),
    };
    crate::alarms::watch(&app, &caller, "reads the log of messages");
    query_page.list(page(&app.db, &asked).await?, |line| line.id.clone())
}
