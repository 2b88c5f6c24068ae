//! Presence: a challenge, and what answered it.

use super::{begun, raw, real, told};
use crate::presence::answer::{Asked, answered, audience};
use crate::presence::types::Voucher;
use crate::presence::verify::{counted, enrolled};
use crate::proof::covered::{Covered, missing};
use crate::proof::print::printer;
use crate::proof::rules::{self, CHALLENGE_LIFE, Form};
use crate::proof::store::{self, ChallengeRow, moment};
use crate::proof::types::{ChallengeIn, ChallengeOut, ProofOut, ZivotIn};
use crate::proof::work::{On, Spent, make};
use crate::refusals::OfSending;
use crate::vault::Vault;
use crate::{App, alarms};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use dualseal::encoding::hex;
use dualseal::hash::Sha3_256;
use dualseal::presence::Nonce;
use dualseal::{SystemRng, Timestamp};
use http::{HeaderMap, StatusCode};
use platform::access::Caller;
use platform::problem::{Body as ProblemBody, Problem, kinds};
use platform::web::{Json, Name};
use proof_pdf::text::{Izazov, Kind, Zivot};
use serde_json::json;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(challenge)).routes(routes!(zivot))
}

/// Asks somebody to show that he is present.
#[utoipa::path(post, path = "/api/v1/proof/zivot/challenge", tag = "proof", request_body = ChallengeIn, responses(
    (status = 201, description = "What is to be answered, for 300 seconds and once", body = ChallengeOut), OfSending))]
async fn challenge(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<ChallengeIn>,
) -> Result<(StatusCode, Json<ChallengeOut>), Problem> {
    alarms::watch(&app, &caller, "asks for a proof");
    let identity_id = body.identity_id.0;
    caller.own(&identity_id)?;
    let (drawn, nonce) = (app.clock.millis(), Nonce::draw(&mut SystemRng)?);
    let expires = drawn.saturating_add(CHALLENGE_LIFE);
    let row = ChallengeRow { id: Uuid::now_v7(), identity_id, world: caller.world, nonce, drawn, expires };
    store::ask(&app.db, &row).await?;
    let (statement, audience) = (rules::statement(&row.id.to_string()), audience(&app));
    let webauthn = rules::challenge(&app.config.domain, &audience, &identity_id, &statement, &nonce);
    let out = ChallengeOut {
        izazov_id: row.id,
        domain: app.config.domain.clone(),
        audience,
        identity_id: Name(identity_id),
        statement_hash: hex::encode(&Sha3_256::digest(statement.as_bytes())),
        statement,
        nonce: Name(nonce),
        expiry: Name(Timestamp::from_millis(expires)?),
        webauthn: hex::encode(&webauthn),
    };
    Ok((StatusCode::CREATED, Json(out)))
}

/// Proves that somebody was present: an authenticator that is enrolled for him answered the challenge.
#[utoipa::path(post, path = "/api/v1/proof/zivot", tag = "proof", request_body = ZivotIn, responses(
    (status = 201, description = "The page; with `Accept: application/json`, and where nothing prints, the proof",
        content((Vec<u8> = "application/pdf"), (ProofOut = "application/json"))),
    (status = 429, description = "So many were made of this identity today", body = ProblemBody,
        content_type = "application/problem+json"),
    (status = 406, description = "This service does not print", body = ProblemBody,
        content_type = "application/problem+json"), OfSending))]
async fn zivot(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    caller: Caller,
    headers: HeaderMap,
    Json(body): Json<ZivotIn>,
) -> Result<Response, Problem> {
    let form = begun(&app, &caller, &headers, if printer(&app).is_some() { Form::Pdf } else { Form::Json })?;
    let ZivotIn { izazov_id, odgovor, jezik } = body;
    let now = app.clock.millis();
    let asked = store::asked(&app.db, &izazov_id, caller.world, now).await?;
    let asked =
        asked.filter(|row| caller.owns(&row.identity_id)).ok_or_else(|| Problem::new(&kinds::REQUEST_CLOSED))?;
    let ChallengeRow { identity_id, world, nonce, drawn, expires, .. } = asked;
    let (statement, aud) = (rules::statement(&izazov_id.to_string()), audience(&app));
    let challenge = rules::challenge(&app.config.domain, &aud, &identity_id, &statement, &nonce);
    let question = Asked { identity_id, world, statement: &statement, nonce, expires };
    let found = answered(&app, &question, &challenge, (&odgovor, "/odgovor")).await?;
    real(&app, &caller)?;
    let covered = Covered::now(&app).await?;
    let seq = found.entry.and_then(|entry| u64::try_from(entry).ok());
    let place = covered.place_at(&app, seq.ok_or_else(|| missing("the enrolment has no entry"))?).await?;
    // After an accepted loss another entry stands there; and whoever writes the database names what place he likes.
    let said = enrolled(found.kind, &found.material);
    if !rules::is_enrolment(place.entry(), &identity_id, said.as_deref()) {
        return Err(missing("the log has no entry of the enrolment"));
    }
    let mut answer = json!(odgovor);
    let credential = if let Voucher::Webauthn { credential } = &odgovor {
        answer["ovjerovitelj"] = serde_json::from_str(&found.material).unwrap_or_default();
        Some((found.id.clone(), counted(credential)))
    } else {
        None
    };
    let izazov = Izazov {
        aud,
        izjava: statement.clone(),
        nonce: nonce.to_hex(),
        izdano: moment(drawn),
        istjece: moment(expires),
    };
    let (odgovor, upis) = (raw(answer.to_string())?, raw(place.to_json())?);
    let claim = Zivot { izazov, odgovor, zaprimljeno: moment(now), upis };
    let spent = Spent { challenge: izazov_id, credential };
    let shown = make((&app, &vault), &covered, (identity_id, Kind::Zivot), &claim, On::Answer(spent)).await?;
    told(&app, &shown, form, jezik, StatusCode::CREATED).await
}
