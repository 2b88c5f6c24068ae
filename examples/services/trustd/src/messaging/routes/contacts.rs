//! The people that are written to: natives make, change and erase them, and each change is an entry.

use crate::messaging::addresses;
use crate::messaging::changes::{Changing, Erasing};
use crate::messaging::contacts::{self, Change, Contact, Standing};
use crate::messaging::people::{ContactIn, ContactOut, ContactPatch, ContactQuery, ContactWhole};
use crate::messaging::rules::one_line;
use crate::refusals::{OfReading, OfSending};
use crate::versions::stands;
use crate::{App, personal};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use platform::access::Caller;
use platform::idempotency::Idempotency;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Problem, kinds};
use platform::web::{Json, Name, Query, id_in_path};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(super) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(add))
        .routes(routes!(list))
        .routes(routes!(find))
        .routes(routes!(change))
        .routes(routes!(erase))
}

/// Adds somebody who is written to.
#[utoipa::path(post, path = "/api/v1/messaging/contacts", tag = "messaging", request_body = ContactIn, responses(
    (status = 201, description = "Added", body = ContactOut), OfSending))]
async fn add(
    State(app): State<App>,
    caller: Caller,
    idempotency: Idempotency,
    Json(body): Json<ContactIn>,
) -> Result<Response, Problem> {
    let ContactIn { name, identity_id, phone, email, relay, language, on_call } = body;
    let contact = Contact {
        id: Uuid::now_v7().to_string(),
        name: one_line(name, "/name")?,
        identity_id: identity_id.map(|Name(id)| id),
        phone: phone.as_deref().map(number).transpose()?,
        email: email.as_deref().map(address).transpose()?,
        relay: relay.map(chat).transpose()?,
        language,
        on_call,
        state: Standing::Active,
        version: 1,
    };
    let answer = written(&app, &caller, contact, "added", idempotency).await?;
    Ok((StatusCode::CREATED, Json(answer)).into_response())
}

/// Lists them, the newest first.
#[utoipa::path(get, path = "/api/v1/messaging/contacts", tag = "messaging", params(ContactQuery, PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<ContactOut>), OfReading))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Query(query): Query<ContactQuery>,
) -> Result<Listed<ContactOut>, Problem> {
    let after: Option<String> = page.after()?;
    let found = contacts::page(&app.db, after.as_deref(), query.state, page.ask(), caller.world).await?;
    crate::alarms::watch(&app, &caller, "lists contacts");
    page.list(found.into_iter().map(ContactOut::from).collect(), |contact| contact.contact_id.clone())
}

/// Somebody who is written to, with what the log says of him: an export of the person.
#[utoipa::path(get, path = "/api/v1/messaging/contacts/{contact_id}", tag = "messaging",
    params(("contact_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")),
    responses((status = 200, description = "The contact", body = ContactWhole), OfReading))]
async fn find(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<Json<ContactWhole>, Problem> {
    let contact = found(&app, &caller, &id).await?;
    let entries = personal::of(&app.db, ("contacts", &contact.id)).await?;
    Ok(Json(ContactWhole { contact: contact.into(), entries }))
}

/// Changes somebody who is written to.
#[utoipa::path(patch, path = "/api/v1/messaging/contacts/{contact_id}", tag = "messaging",
    request_body = ContactPatch, params(("contact_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")),
    responses((status = 200, description = "As it is now", body = ContactOut), OfSending))]
async fn change(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<ContactPatch>,
) -> Result<Json<ContactOut>, Problem> {
    let mut contact = found(&app, &caller, &id).await?;
    let ContactPatch { version, name, identity_id, phone, email, relay, language, on_call, state } = body;
    stands(version, contact.version)?;
    if let Some(name) = name {
        contact.name = one_line(name, "/name")?;
    }
    if let Some(identity_id) = identity_id {
        contact.identity_id = identity_id.map(|Name(id)| id);
    }
    if let Some(phone) = phone {
        contact.phone = phone.as_deref().map(number).transpose()?;
    }
    if let Some(email) = email {
        contact.email = email.as_deref().map(address).transpose()?;
    }
    if let Some(relay) = relay {
        contact.relay = relay.map(chat).transpose()?;
    }
    contact.language = language.unwrap_or(contact.language);
    contact.on_call = on_call.unwrap_or(contact.on_call);
    match state {
        None => {}
        Some(state) if state == contact.state => {}
        Some(Standing::Active | Standing::Left) if contact.state != Standing::Left => {
            contact.state = state.unwrap_or(contact.state);
        }
        Some(_) => return Err(Problem::new(&kinds::CONFLICT).detail("who left joins anew")),
    }
    if contact.state == Standing::Left {
        contact.leave();
    }
    contact.version += 1;
    Ok(Json(written(&app, &caller, contact, "changed", Idempotency::default()).await?))
}

/// Takes all of a person away: the contact, its messages, and what opens its entries of the log.
#[utoipa::path(delete, path = "/api/v1/messaging/contacts/{contact_id}", tag = "messaging",
    params(("contact_id" = String, Path, description = "Its name",
        pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")),
    responses((status = 204, description = "Erased"), OfReading))]
async fn erase(State(app): State<App>, caller: Caller, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    let contact = found(&app, &caller, &id).await?;
    crate::alarms::watch(&app, &caller, "erases a contact");
    app.log.submit(Erasing(contact.id, caller.world)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn found(app: &App, caller: &Caller, id: &str) -> Result<Contact, Problem> {
    let id: Uuid = id_in_path(id)?;
    let contact = contacts::find(&app.db, &id.to_string(), caller.world).await?;
    contact.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))
}

/// Writes it. What somebody does whose own key is a honeypot is written apart.
async fn written(
    app: &App,
    caller: &Caller,
    contact: Contact,
    what: &'static str,
    idempotency: Idempotency,
) -> Result<ContactOut, Problem> {
    if contact.state == Standing::Active && contact.ways().is_empty() {
        return Err(Problem::invalid("", "one-of", "is to have a phone, an email or a relay"));
    }
    crate::alarms::watch(app, caller, "changes a contact");
    let change = Change { contact, what, now: app.clock.millis(), world: caller.world, idempotency };
    app.log.submit(Changing(change)).await
}

fn number(text: &str) -> Result<String, Problem> {
    addresses::phone(text).ok_or_else(|| Problem::invalid("/phone", "number", "is no number of E.164: +385911234567"))
}

fn address(text: &str) -> Result<String, Problem> {
    addresses::email(text).ok_or_else(|| Problem::invalid("/email", "address", "is no address of e-mail"))
}

fn chat(text: String) -> Result<String, Problem> {
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let is_chat = (1..=20).contains(&digits.len()) && digits.bytes().all(|one| one.is_ascii_digit());
    if is_chat { Ok(text) } else { Err(Problem::invalid("/relay", "chat", "is no number of a chat")) }
}
