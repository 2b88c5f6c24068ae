//! What comes in. Whoever is not authentic starts nothing: he is refused, counted, and told of in the log lines.

use super::Here;
use crate::App;
use crate::messaging::addresses::phone;
use crate::messaging::authentic::{self, Form, is_by_key, is_by_provider, member};
use crate::messaging::email::{self, is_aligned};
use crate::messaging::handle::{Inbound, Received, receive};
use crate::messaging::outbox;
use crate::messaging::rules::{Channel, MOST_TEXT_IN};
use crate::messaging::service::Messaging;
use crate::messaging::types::{InState, ReceiptForm, ReceivedOut, SmsForm, SmsIn};
use crate::refusals::OfPublic;
use axum::extract::{FromRequest as _, Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use dualseal::encoding::hex;
use dualseal::hash::Sha3_256;
use http::{HeaderMap, StatusCode, header};
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::Json;
use url::form_urlencoded;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

const FORM: &str = "application/x-www-form-urlencoded";
/// What this provider reads as an answer: nothing to be sent.
const NOTHING: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response/>";

pub(super) fn addresses() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(sms)).routes(routes!(receipt)).routes(routes!(mail))
}

/// Takes a short message: a form that is signed as Twilio signs (`X-Twilio-Signature`), or JSON that is signed by the
/// generic key (`X-Trustd-Timestamp`, `X-Trustd-Signature`: HMAC-SHA256 over `TIMESTAMP.PATH?QUERY.BODY`).
#[utoipa::path(post, path = "/api/v1/messaging/inbound/sms", tag = "messaging",
    request_body(content((SmsIn = "application/json"), (SmsForm = "application/x-www-form-urlencoded"))),
    responses(
        (status = 200, description = "Taken; Twilio gets an empty answer of its own kind",
            content((ReceivedOut = "application/json"), (String = "text/xml"))),
        (status = 403, description = "bad-signature", body = ProblemBody, content_type = "application/problem+json"),
        OfPublic,
    ))]
async fn sms(State(app): State<App>, messaging: Here, request: Request) -> Result<Response, Problem> {
    let sent = Sent::read(request).await?;
    if sent.is(FORM) {
        let form = provider_form(&app, &messaging, &sent)?;
        let missing = |name: &str| Problem::invalid(format!("/{name}"), "missing", "is to be there once");
        let id =
            member(&form, "MessageSid").or_else(|| member(&form, "SmsSid")).ok_or_else(|| missing("MessageSid"))?;
        let from = member(&form, "From").ok_or_else(|| missing("From"))?;
        let text = member(&form, "Body").unwrap_or_default();
        let sms = SmsIn { id: id.to_owned(), from: from.to_owned(), text: text.to_owned() };
        taken(&app, &messaging, sms).await?;
        return Ok(([(header::CONTENT_TYPE, "text/xml")], NOTHING).into_response());
    }
    if !sent.is("application/json") {
        return Err(Problem::new(&kinds::MEDIA_TYPE).detail("the body is to be application/json or a form"));
    }
    by_key(&app, &messaging, &sent)?;
    let sms: SmsIn = serde_json::from_slice(&sent.body).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => Problem::invalid("", "value", error.to_string()),
        _ => Problem::new(&kinds::NOT_JSON),
    })?;
    Ok(Json(out(taken(&app, &messaging, sms).await?)).into_response())
}

/// Takes a receipt of the provider of short messages, signed as Twilio signs.
#[utoipa::path(post, path = "/api/v1/messaging/inbound/sms/status", tag = "messaging",
    request_body(content = ReceiptForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 204, description = "Taken; also of a message that is not known here"),
        (status = 403, description = "bad-signature", body = ProblemBody, content_type = "application/problem+json"),
        OfPublic,
    ))]
async fn receipt(State(app): State<App>, messaging: Here, request: Request) -> Result<StatusCode, Problem> {
    let sent = Sent::read(request).await?;
    if !sent.is(FORM) {
        return Err(Problem::new(&kinds::MEDIA_TYPE).detail("the body is to be a form"));
    }
    let form = provider_form(&app, &messaging, &sent)?;
    let id = member(&form, "MessageSid").or_else(|| member(&form, "SmsSid"));
    let status = member(&form, "MessageStatus").or_else(|| member(&form, "SmsStatus"));
    let (Some(id), Some(status)) = (id, status) else {
        return Err(Problem::invalid("/MessageSid", "missing", "MessageSid and MessageStatus are to be there once"));
    };
    let arrived = match status {
        "delivered" | "read" => Some(true),
        "undelivered" | "failed" => Some(false),
        _ => None,
    };
    let mut tx = app.db.begin().await?;
    outbox::receipt(&mut tx, id, arrived, app.clock.millis()).await?;
    tx.commit().await?;
    messaging.wake.notify_one();
    Ok(StatusCode::NO_CONTENT)
}

/// Takes an e-mail as it is (`message/rfc822`), signed by the generic key. `?spf=DOMAIN` is the mail server's word that
/// SPF passed for this domain.
#[utoipa::path(post, path = "/api/v1/messaging/inbound/email", tag = "messaging",
    params(("spf" = Option<String>, Query, description = "The domain for which SPF passed", max_length = 255,
        example = "acme.example")),
    request_body(content = String, content_type = "message/rfc822"),
    responses(
        (status = 200, description = "Taken", body = ReceivedOut),
        (status = 403, description = "bad-signature", body = ProblemBody, content_type = "application/problem+json"),
        OfPublic,
    ))]
async fn mail(State(app): State<App>, messaging: Here, request: Request) -> Result<Json<ReceivedOut>, Problem> {
    let query = request.uri().query().unwrap_or_default().to_owned();
    let sent = Sent::read(request).await?;
    if !sent.is("message/rfc822") {
        return Err(Problem::new(&kinds::MEDIA_TYPE).detail("the body is to be message/rfc822"));
    }
    by_key(&app, &messaging, &sent)?;
    let spf =
        form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "spf").map(|(_, value)| value.into_owned());
    Ok(Json(out(taken_mail(&app, &messaging, &sent.body, spf.as_deref()).await?)))
}

/// Takes an e-mail, whoever brought it.
///
/// # Errors
/// It is none, or says to be from nobody or several; the database.
pub(crate) async fn taken_mail(
    app: &App,
    messaging: &std::sync::Arc<Messaging>,
    raw: &[u8],
    spf: Option<&str>,
) -> Result<Received, Problem> {
    let mail = email::read(raw).map_err(|error| {
        let detail = match error {
            email::NoMail::Malformed => "is no message as RFC 5322 has it",
            email::NoMail::Senders => "is to be From one sender",
        };
        Problem::invalid("", "message", detail)
    })?;
    let is_verified = is_aligned(spf, &mail.from) || messaging.dkim.vouches(raw, &mail.from).await;
    // Whoever signs nothing could take the name of another's message before it comes.
    let name = match (&mail.message_id, is_verified) {
        (Some(id), true) => format!("{} {id}", mail.from),
        _ => hex::encode(&Sha3_256::digest(raw)),
    };
    let inbound = Inbound {
        channel: Channel::Email,
        provider_id: hex::encode(&Sha3_256::digest(name.as_bytes())),
        sender: mail.from,
        is_verified,
        text: mail.text,
        attached: mail.attached,
        is_automatic: mail.is_automatic,
    };
    receive(app, messaging, inbound).await
}

async fn taken(app: &App, messaging: &std::sync::Arc<Messaging>, sms: SmsIn) -> Result<Received, Problem> {
    let SmsIn { id, from, text } = sms;
    for (pointer, said, most) in [("/id", &id, 200), ("/from", &from, 32)] {
        if said.is_empty() || said.chars().count() > most || said.contains('\0') {
            return Err(Problem::invalid(pointer, "length", format!("is to have 1 to {most} characters")));
        }
    }
    let number = phone(&from);
    let inbound = Inbound {
        channel: Channel::Sms,
        provider_id: id,
        // What is no number is a name that carriers show: nobody answers it, and nobody is behind it.
        is_automatic: number.is_none(),
        is_verified: number.is_some(),
        sender: number.unwrap_or(from),
        text: text.chars().take(MOST_TEXT_IN).collect(),
        attached: Vec::new(),
    };
    receive(app, messaging, inbound).await
}

fn out(received: Received) -> ReceivedOut {
    let status = if received.is_duplicate { InState::Duplicate } else { InState::Received };
    ReceivedOut { id: received.id, status, intent: received.intent }
}

/// A request, all of it.
struct Sent {
    headers: HeaderMap,
    path: String,
    body: Bytes,
}

impl Sent {
    async fn read(request: Request) -> Result<Self, Problem> {
        let path = request.uri().path_and_query().map_or("", |path| path.as_str()).to_owned();
        let headers = request.headers().clone();
        let body = Bytes::from_request(request, &()).await;
        let body = body.map_err(|_| Problem::new(&kinds::BAD_REQUEST).detail("the body ended before its end"))?;
        Ok(Self { headers, path, body })
    }

    fn is(&self, kind: &str) -> bool {
        let said = self.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        said.split(';').next().is_some_and(|said| said.trim().eq_ignore_ascii_case(kind))
    }
}

fn refused(what: &'static str) -> Problem {
    metrics::counter!("trustd_messages_refused_total", "what" => what).increment(1);
    tracing::warn!(what, "a message came that is not authentic, and starts nothing");
    Problem::new(&kinds::BAD_SIGNATURE)
}

/// The form of the provider, which its own token signs, for our own account.
fn provider_form(app: &App, messaging: &Messaging, sent: &Sent) -> Result<Form, Problem> {
    let (Some(token), Some(account)) = (&messaging.sms_token, &app.config.messaging.sms_account) else {
        return Err(refused("sms"));
    };
    let form = authentic::form(&sent.body);
    let holds = is_by_provider(&sent.headers, token, &app.config.base_url, &sent.path, &form);
    if holds && member(&form, "AccountSid") == Some(account) { Ok(form) } else { Err(refused("sms")) }
}

fn by_key(app: &App, messaging: &Messaging, sent: &Sent) -> Result<(), Problem> {
    let holds = messaging
        .webhook_key
        .as_ref()
        .is_some_and(|key| is_by_key(&sent.headers, key, app.clock.millis(), &sent.path, &sent.body));
    if holds { Ok(()) } else { Err(refused("generic")) }
}
