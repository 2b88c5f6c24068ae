//! What the link of a document says, to whoever has it.

use super::is_hash;
use crate::App;
use crate::alarms::{self, Alarm};
use crate::driver::page::{Looks, plain};
use crate::driver::rules::{Odluka, Tip};
use crate::driver::store::{self, Document, moment};
use crate::driver::types::VerdictOut;
use crate::driver::work::signer;
use crate::dsa;
use crate::refusals::OfPublic;
use axum::extract::{Path, State};
use axum::response::Response;
use dualseal::SignatureRecord;
use platform::access::World;
use platform::problem::{Body, Problem, kinds};
use platform::web::Json;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(said)).routes(routes!(shown))
}

/// Whether a document that a driver filed holds: its kind, its times and the verdict, and nothing else of it.
#[utoipa::path(get, path = "/api/v1/dok/provjera/{token}", tag = "driver",
    params(("token" = String, Path, description = "What the link has", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "What is concluded", body = VerdictOut),
        (status = 404, description = "There is no such link", body = Body, content_type = "application/problem+json"),
        OfPublic))]
async fn said(State(app): State<App>, Path(token): Path<String>) -> Result<Json<VerdictOut>, Problem> {
    verdict(&app, &token).await.map(Json)
}

/// The same as a page.
#[utoipa::path(get, path = "/driver/v/{token}", tag = "driver",
    params(("token" = String, Path, description = "What the link has", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "The page", content_type = "text/html"),
        (status = 404, description = "There is no such link", body = Body, content_type = "application/problem+json"),
        OfPublic))]
async fn shown(State(app): State<App>, Path(token): Path<String>) -> Result<Response, Problem> {
    let said = verdict(&app, &token).await?;
    let (looks, holds) = match (said.validan, said.razlog.as_deref()) {
        (Some(true), _) => (Looks::Good, "The record holds: it is as it was filed, and signed."),
        (_, Some("suspended")) => (Looks::Open, "The key that signed it is suspended: nothing is concluded."),
        _ => (Looks::Bad, "The record does not hold."),
    };
    let mut lines = vec![("What", said.tip.to_string())];
    lines.extend(said.odluka.map(|odluka| ("Decision", odluka.to_string())));
    lines.extend([("Filled in, as the driver says", said.vrijeme), ("Received", said.zaprimljeno)]);
    Ok(plain(looks, holds, &lines))
}

pub(in crate::driver) async fn verdict(app: &App, token: &str) -> Result<VerdictOut, Problem> {
    let unknown = || Problem::new(&kinds::UNKNOWN_ID);
    if !is_hash(token) {
        return Err(unknown());
    }
    let document = store::by_token(&app.db, token).await?.ok_or_else(unknown)?;
    let (validan, razlog) = judged(app, &document).await?;
    Ok(VerdictOut {
        tip: document.tip,
        odluka: document.odluka,
        vrijeme: moment(document.vrijeme),
        zaprimljeno: moment(document.created),
        validan,
        razlog,
    })
}

/// What a verification of the record concludes now: of what a thief filed that it holds, and natives hear of it.
async fn judged(app: &App, document: &Document) -> Result<(Option<bool>, Option<String>), Problem> {
    if document.world == World::Decoy {
        alarms::raise(app, Alarm::DecoyKey, document.vozac.to_hex(), "the link of a driver's document".to_owned());
        return Ok((Some(true), None));
    }
    let rejected = || Ok((Some(false), Some("rejected".to_owned())));
    let Some(record) = document.record.as_ref().and_then(|text| SignatureRecord::from_json(text.as_bytes()).ok())
    else {
        return rejected();
    };
    let by = if document.tip == Tip::Repair { document.vozac } else { signer(app.log.domain())? };
    // What stands beside the record is what it signs, whoever wrote to the database since.
    let says: Value = serde_json::from_str(&document.content).unwrap_or_default();
    let asked = &says["dokument"];
    let is_same = asked["tip"] == document.tip.as_str()
        && asked["dokument_id"] == document.dokument_id.as_str()
        && asked["vrijeme"] == moment(document.vrijeme).as_str()
        && says["zaprimljeno"] == moment(document.created).as_str()
        && says["odluka"].as_str() == document.odluka.map(Odluka::as_str)
        && says["vozac"] == document.vozac.to_hex().as_str()
        && *record.identity_id() == by;
    if !is_same {
        return rejected();
    }
    let content = app.log.domain().content_hash(record.identity_id(), document.content.as_bytes());
    let told = dsa::told(app, record, &content).await?;
    let told: Value = serde_json::from_str(&told).map_err(|error| Problem::internal("driver", &error))?;
    Ok((told["validan"].as_bool(), told["razlog"].as_str().map(str::to_owned)))
}
