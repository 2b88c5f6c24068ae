//! Verifying: the record, or the evidence, with its content.

use super::super::types::VerifyRequest;
use super::super::{rules, store};
use super::document::{self, verifying};
use super::within;
use crate::App;
use crate::alarms::{self, Alarm};
use crate::forms;
use crate::records::VerificationResultDoc;
use axum::extract::State;
use dualseal::checkpoint::PlaceProof;
use dualseal::{HashedContent, Located, PublicResult, SignatureRecord};
use dualseal_operator::own::OwnCheckpoint;
use dualseal_operator::step::State as LogState;
use platform::problem::{Body, Problem};
use platform::web::Record;

/// Verifies a record, or an evidence bundle, with its content.
///
/// What does not verify is answered with 200 and `validan: false`. Large documents come as `multipart/form-data`: the
/// parts `identity_id` and `record`, then `document`.
#[utoipa::path(post, path = "/api/v1/dsa/provjeri", tag = "dsa",
    request_body(content((VerifyRequest = "application/json"), (document::VerifyForm = "multipart/form-data"))),
    responses(
        (status = 200, description = "What is concluded", body = VerificationResultDoc),
        (status = "4XX", description = "A problem", body = Body, content_type = "application/problem+json")))]
pub(super) async fn verify(State(app): State<App>, body: forms::Body<VerifyRequest>) -> Result<Record, Problem> {
    let (record, content, place) = match body {
        forms::Body::Json(VerifyRequest { record, evidence, identity_id, content_b64, place }) => {
            match (record, evidence) {
                (Some(record), None) => (record, app.log.domain().content_hash(&identity_id.0, &content_b64.0), place),
                (None, Some(evidence)) => {
                    let state = app.log.state().await?;
                    let told = rules::judge_evidence(
                        app.log.domain(),
                        state.ring(),
                        app.log.identity(),
                        evidence.get(),
                        &identity_id.0,
                        &content_b64.0,
                    );
                    let (told, is_honeypot) = told.map_err(|error| within("/evidence", &error))?;
                    if is_honeypot {
                        alarms::raise(&app, Alarm::DecoyKey, identity_id.0.to_hex(), "an evidence bundle".to_owned());
                    }
                    return Record::new(told.to_json());
                }
                _ => return Err(Problem::invalid("/record", "one-form", "give either record or evidence")),
            }
        }
        forms::Body::Form(form) => {
            let (record, content) = verifying(app.log.domain(), form).await?;
            (record, content, None)
        }
    };
    let told = concluded(&app, record, &content, place).await?;
    Record::new(told.to_json())
}

/// What everybody is told of a record that the service has itself.
///
/// # Errors
/// The database, the log.
pub(crate) async fn told(app: &App, record: SignatureRecord, content: &HashedContent) -> Result<String, Problem> {
    Ok(concluded(app, record, content, None).await?.to_json())
}

async fn concluded(
    app: &App,
    record: SignatureRecord,
    content: &HashedContent,
    place: Option<PlaceProof>,
) -> Result<PublicResult, Problem> {
    let (state, decoy) = store::state_and_decoy(app, &record).await?;
    let located = place.and_then(|place| {
        let checkpoint = place.checkpoint().clone();
        let own = OwnCheckpoint::judge(checkpoint, app.log.domain(), state.origin(), state.ring());
        own.ok().and_then(|own| own.as_evidence().ok()).and_then(|own| place.verify(&own).ok())
    });
    // One that does not hold here is none: that of a log which has ended stands in the service's own rows.
    let located = located.filter(|located| located.entry().krunica_hash() == *record.krunica_hash());
    let located = match located {
        Some(located) => Some(located),
        None => retired(app, &state, &record).await?,
    };
    let asked = rules::Asked {
        domain: app.log.domain(),
        ring: state.ring(),
        keys: app.log.prepared(),
        content,
        place: located.as_ref(),
        decoy,
    };
    let subject = record.identity_id().to_hex();
    let (told, is_honeypot) = rules::judge(&asked, record)?;
    if is_honeypot {
        alarms::raise(app, Alarm::DecoyKey, subject, "a signature record".to_owned());
    }
    Ok(told)
}

/// The place of a record by a retired key, from the service's own log.
async fn retired(app: &App, state: &LogState, record: &SignatureRecord) -> Result<Option<Located>, Problem> {
    let is_retired = state.ring().retired_at(record.identity_id(), record.public_key().hash()).is_some();
    if !is_retired {
        return Ok(None);
    }
    Ok(app.log.reader().located(state, record.krunica_hash()).await?)
}
