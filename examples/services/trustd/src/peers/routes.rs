//! The addresses.

use super::door::enter;
use super::rules::{PeerState, agent_id, url};
use super::store::{self, Peer};
use super::types::{PeerChallenge, PeerChallengeRequest, PeerIn, PeerOut, PeersQuery};
use super::work::Decide;
use crate::refusals::{OfPublic, OfReading, OfSending};
use crate::{App, alarms};
use axum::Extension;
use axum::extract::{Path, State};
use dualseal::IdentityId;
use dualseal::presence::{Nonce, Statement};
use http::{HeaderMap, StatusCode};
use platform::access::{Caller, Tier, World};
use platform::authority::Challenge;
use platform::pages::{Listed, Page, PageQuery};
use platform::problem::{Body, Problem, kinds};
use platform::rate::{Client, Peer as Other};
use platform::web::{Json, Name, Query};
use std::net::{IpAddr, Ipv4Addr};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The addresses.
#[must_use]
pub fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(challenge))
        .routes(routes!(register))
        .routes(routes!(list))
        .routes(routes!(approve))
        .routes(routes!(remove))
}

/// Whom a challenge is for.
fn subject(app: &App, agent_id: &str) -> Result<IdentityId, Problem> {
    Ok(app.log.domain().identity_id(agent_id.as_bytes(), "peer", "register")?)
}

/// A challenge for a proof. It costs nothing, and is answered within 60 seconds.
#[utoipa::path(post, path = "/api/v1/peers/challenge", tag = "peers", request_body = PeerChallengeRequest, responses(
    (status = 200, description = "The challenge", body = PeerChallenge), OfPublic))]
async fn challenge(
    State(app): State<App>,
    Json(asked): Json<PeerChallengeRequest>,
) -> Result<Json<PeerChallenge>, Problem> {
    let subject = subject(&app, agent_id(&asked.agent_id)?)?;
    let Challenge { nonce, expiry } = app.authority.challenge(&subject).await?;
    let (audience, domain) = (app.authority.audience().to_owned(), app.config.domain.clone());
    Ok(Json(PeerChallenge { nonce: Name(nonce), expiry: Name(expiry), audience, domain }))
}

/// A service says who it is. It waits for a native, and is called by nobody until then.
#[utoipa::path(post, path = "/api/v1/peers/register", tag = "peers", request_body = PeerIn, responses(
    (status = 202, description = "Its proof holds, and it waits; or it was known", body = PeerOut),
    (status = 403, description = "`bad-signature`: the proof does not hold, or was used", body = Body,
        content_type = "application/problem+json"),
    (status = 409, description = "`conflict`: a peer of this name has another key or address", body = Body,
        content_type = "application/problem+json"), OfPublic))]
async fn register(
    State(app): State<App>,
    other: Option<Extension<Other>>,
    headers: HeaderMap,
    Json(asked): Json<PeerIn>,
) -> Result<(StatusCode, Json<PeerOut>), Problem> {
    let other = other.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Extension(Other(other))| other.ip());
    let client = Client::of(other, &headers, &app.config.trusted_proxies);
    let (name, address) = (agent_id(&asked.agent_id)?, url(&asked.url)?);
    let refused = || Problem::new(&kinds::BAD_SIGNATURE);
    let (subject, key) = (subject(&app, name)?, asked.public_key.0);
    let challenge = Challenge { nonce: asked.proof.nonce.0, expiry: asked.proof.expiry.0 };
    let stated = Statement::peer(app.authority.audience(), name, address)?;
    let mut consume = |_: &Nonce| true;
    let (nonce, now) = (&challenge.nonce, app.clock.now());
    let held =
        stated.verify(app.log.domain(), nonce, challenge.expiry, &key, &asked.proof.signature.0, now, &mut consume);
    if held.is_err() || !app.authority.is_own_challenge(&subject, &challenge).await? {
        return Err(refused());
    }
    let mut tx = app.db.begin().await?;
    if !app.authority.spend_challenge(&mut tx, &challenge).await? {
        return Err(refused());
    }
    let peer = Peer {
        agent_id: name.to_owned(),
        url: address.to_owned(),
        public_key: key.as_bytes().to_vec(),
        state: Some(PeerState::Pending),
        registered: now.as_millis(),
        decided: None,
        source: None,
        krunica: None,
    };
    let peer = enter(&app, &mut tx, client, &peer).await?;
    tx.commit().await?;
    let out = peer.out().ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
    Ok((StatusCode::ACCEPTED, Json(out)))
}

/// Peers, the newest first. Other services pull these.
#[utoipa::path(get, path = "/api/v1/peers", tag = "peers", params(PeersQuery, PageQuery), responses(
    (status = 200, description = "A page; `Link` leads to the next one", body = Listed<PeerOut>), OfReading))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    page: Page,
    Query(query): Query<PeersQuery>,
) -> Result<Listed<PeerOut>, Problem> {
    let state = query.state.unwrap_or(PeerState::Listed);
    if state != PeerState::Listed && caller.tier != Tier::Native {
        return Err(Problem::new(&kinds::TIER));
    }
    let after: Option<(String, String)> = page.after()?;
    let all = store::list(&app.db, app.authority.tags(), caller.world).await?;
    let all = all.iter().filter_map(Peer::out).filter(|peer| peer.state == state);
    let behind =
        |peer: &PeerOut| after.as_ref().is_none_or(|after| (&peer.registered, &peer.agent_id) < (&after.0, &after.1));
    let most = usize::try_from(page.ask()).unwrap_or(usize::MAX);
    page.list(all.filter(behind).take(most).collect(), |peer| (peer.registered.clone(), peer.agent_id.clone()))
}

/// Approves a peer: from now on it is listed, and the log has an entry with its key.
#[utoipa::path(post, path = "/api/v1/peers/{agent_id}/approve", tag = "peers",
    params(("agent_id" = String, Path, description = "Its name", example = "split.example", max_length = 64)),
    responses((status = 200, description = "It is listed", body = PeerOut), OfSending))]
async fn approve(
    State(app): State<App>,
    caller: Caller,
    Path(agent_id): Path<String>,
) -> Result<Json<PeerOut>, Problem> {
    alarms::watch(&app, &caller, "asks to approve a peer");
    let decided = decide(app, &caller, agent_id, true).await?;
    decided.map(Json).ok_or_else(|| Problem::new(&kinds::INTERNAL))
}

/// Removes a peer, or refuses one that waits: its name is free again.
#[utoipa::path(delete, path = "/api/v1/peers/{agent_id}", tag = "peers",
    params(("agent_id" = String, Path, description = "Its name", example = "split.example", max_length = 64)),
    responses((status = 204, description = "It is removed"), OfSending))]
async fn remove(State(app): State<App>, caller: Caller, Path(agent_id): Path<String>) -> Result<StatusCode, Problem> {
    alarms::watch(&app, &caller, "asks to remove a peer");
    decide(app, &caller, agent_id, false).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn decide(app: App, caller: &Caller, agent_id: String, approves: bool) -> Result<Option<PeerOut>, Problem> {
    let decide = Decide { app: App::clone(&app), agent_id, approves };
    if caller.world == World::Decoy { decide.as_decoy().await } else { app.log.submit(decide).await }
}
