//! What the link of a document says, to whoever has it.

use super::is_hash;
use crate::App;
use crate::alarms::{self, Alarm};
use crate::driver::kept;
use crate::driver::page::{Looks, plain};
use crate::driver::rules::{Odluka, Tip};
use crate::driver::store::{self, Document, moment};
use crate::driver::types::VerdictOut;
use crate::driver::work::signer;
use crate::dsa::{self, counterfeit};
use crate::refusals::OfPublic;
use crate::sealed;
use crate::vault::Vault;
use axum::Extension;
use axum::extract::{Path, State};
use axum::response::Response;
use dualseal::{KeyRing, SignatureRecord, Verifier};
use platform::access::World;
use platform::problem::{Body, Problem, kinds};
use platform::web::Json;
use serde_json::Value;
use std::sync::Arc;
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
async fn said(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    Path(token): Path<String>,
) -> Result<Json<VerdictOut>, Problem> {
    verdict(&app, &vault, &token).await.map(Json)
}

/// The same as a page.
#[utoipa::path(get, path = "/driver/v/{token}", tag = "driver",
    params(("token" = String, Path, description = "What the link has", pattern = "^[0-9a-f]{64}$")),
    responses((status = 200, description = "The page", content_type = "text/html"),
        (status = 404, description = "There is no such link", body = Body, content_type = "application/problem+json"),
        OfPublic))]
async fn shown(
    State(app): State<App>,
    Extension(vault): Extension<Arc<Vault>>,
    Path(token): Path<String>,
) -> Result<Response, Problem> {
    let said = verdict(&app, &vault, &token).await?;
    let (looks, holds) = match (said.validan, said.razlog.as_deref()) {
        (Some(true), _) => (Looks::Good, "The record holds: it is as it was filed, signed and sealed."),
        (_, Some("suspended")) => (Looks::Open, "A key of the record is suspended: nothing is concluded."),
        _ => (Looks::Bad, "The record does not hold."),
    };
    let mut lines = vec![("What", said.tip.to_string())];
    lines.extend(said.odluka.map(|odluka| ("Decision", odluka.to_string())));
    lines.extend([("Filled in, as the driver says", said.vrijeme), ("Received", said.zaprimljeno)]);
    lines.extend([("Signature (ML-DSA-65)", word(said.potpis)), ("Dual seal (HMAC and ML-DSA-65)", word(said.pecat))]);
    Ok(plain(looks, holds, &lines))
}

/// What a layer comes to, in a word.
fn word(holds: Option<bool>) -> String {
    let word = match holds {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => "its key is suspended",
    };
    word.to_owned()
}

pub(in crate::driver) async fn verdict(app: &App, vault: &Vault, token: &str) -> Result<VerdictOut, Problem> {
    let unknown = || Problem::new(&kinds::UNKNOWN_ID);
    if !is_hash(token) {
        return Err(unknown());
    }
    let document = store::by_token(&app.db, token).await?.ok_or_else(unknown)?;
    let text = kept::text(app, &document).await;
    // What came back with a backup, and was erased, is not there.
    let text = text.map_err(|problem| if problem.kind() == &kinds::ERASED { unknown() } else { problem })?;
    let (potpis, pecat) = judged(app, vault, &document, &text).await?;
    let (validan, razlog) = match (potpis, pecat) {
        (Some(true), Some(true)) => (Some(true), None),
        (Some(false), _) | (_, Some(false)) => (Some(false), Some("rejected".to_owned())),
        _ => (None, Some("suspended".to_owned())),
    };
    Ok(VerdictOut {
        tip: document.tip,
        odluka: document.odluka,
        vrijeme: moment(document.vrijeme),
        zaprimljeno: moment(document.created),
        validan,
        razlog,
        potpis,
        pecat,
    })
}

/// What a verification of signature and seal concludes now. What a thief filed is verified alike, by keys that count
/// for nothing, and natives hear of it.
async fn judged(
    app: &App,
    vault: &Vault,
    document: &Document,
    text: &str,
) -> Result<(Option<bool>, Option<bool>), Problem> {
    let service = signer(app.log.domain())?;
    let by = if document.tip == Tip::Repair { document.vozac } else { service };
    let (signs, seals) = match document.world {
        World::Real => (None, None),
        World::Decoy => {
            alarms::raise(app, Alarm::DecoyKey, document.vozac.to_hex(), "the link of a driver's document".to_owned());
            let mut tx = app.db.snapshot().await?;
            let keys = (counterfeit(app, &mut tx, &by).await?, counterfeit(app, &mut tx, &service).await?);
            tx.roll_back().await?;
            (Some(keys.0.public_key().clone()), Some(keys.1.public_key().clone()))
        }
    };
    let seal = (document.seal.as_str(), document.seal_krunica.as_str());
    let pecat = sealed::holds(app, vault, seal, (&service, text), seals.as_ref()).await?;
    let Ok(record) = SignatureRecord::from_json(document.record.as_bytes()) else {
        return Ok((Some(false), pecat));
    };
    // What stands beside the record is what it signs, whoever wrote to the database since.
    let says: Value = serde_json::from_str(text).unwrap_or_default();
    let asked = &says["dokument"];
    let is_same = asked["tip"] == document.tip.as_str()
        && asked["dokument_id"] == document.dokument_id.as_str()
        && asked["vrijeme"] == moment(document.vrijeme).as_str()
        && says["zaprimljeno"] == moment(document.created).as_str()
        && says["odluka"].as_str() == document.odluka.map(Odluka::as_str)
        && says["vozac"] == document.vozac.to_hex().as_str()
        && says["poveznica"] == document.link.as_str()
        && *record.identity_id() == by;
    if !is_same {
        return Ok((Some(false), pecat));
    }
    let content = app.log.domain().content_hash(record.identity_id(), text.as_bytes());
    let told = match signs {
        Some(key) => {
            let ring = KeyRing::pinned(&by, key);
            Verifier::new(app.log.domain(), &ring, app.log.prepared()).verify(&content, record, None).public().to_json()
        }
        None => dsa::told(app, record, &content).await?,
    };
    let told: Value = serde_json::from_str(&told).map_err(|error| Problem::internal("driver", &error))?;
    Ok((told["validan"].as_bool(), pecat))
}
