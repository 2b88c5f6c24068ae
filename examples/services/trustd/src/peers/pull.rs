//! What other services list: pulled every ten minutes, so that a peer that one of them approved is known everywhere
//! within thirty. What was heard waits for a native here as what registered does, and nobody calls it.

use super::rules::{PeerState, agent_id, url};
use super::store::{self, Peer};
use super::types::PeerOut;
use crate::App;
use crate::messaging::secret;
use dualseal::ed25519::Ed25519PublicKey;
use platform::problem::Problem;
use reqwest::redirect::Policy;
use reqwest::{Client, Url};
use serde::Deserialize;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);
/// Two hundred peers are fewer bytes.
const LONGEST: usize = 1 << 20;

/// What a service says; those of later versions say more.
#[derive(Deserialize)]
struct Said {
    items: Vec<PeerOut>,
}

/// Asks each service of the settings, and ends what nobody approved. One that does not answer keeps no other waiting
/// for longer than it may take.
///
/// # Errors
/// The database.
pub async fn turn(app: &App) -> Result<(), Problem> {
    let now = app.clock.millis();
    store::lapse(app, now).await?;
    for from in &app.config.peers.from {
        let host = from.host_str().unwrap_or_default().to_owned();
        match asked(app, from).await {
            Ok(peers) => {
                for peer in peers {
                    if let Err(problem) = heard(app, &host, &peer, now).await {
                        tracing::warn!(%problem, from = host, "a peer was not taken");
                    }
                }
            }
            Err(reason) => tracing::warn!(reason, from = host, "its peers were not read"),
        }
    }
    Ok(())
}

async fn asked(app: &App, from: &Url) -> Result<Vec<PeerOut>, String> {
    let said = |error: reqwest::Error| error.without_url().to_string();
    drop(rustls::crypto::ring::default_provider().install_default());
    let http = Client::builder().timeout(PATIENCE).redirect(Policy::none()).no_proxy().build().map_err(said)?;
    let folder = app.config.peers.tokens.as_deref().ok_or("peers.tokens is not set")?;
    // A token is for one service: no other is shown it.
    let token = secret(&folder.join(from.host_str().unwrap_or_default()))?;
    let address = format!("{}/api/v1/peers?limit=200", from.as_str().trim_end_matches('/'));
    let mut answer = http.get(address).bearer_auth(&*token).send().await.map_err(said)?;
    if !answer.status().is_success() {
        return Err(format!("answered {}", answer.status().as_u16()));
    }
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(said)? {
        body.extend_from_slice(&piece);
        if body.len() > LONGEST {
            return Err("it says too much".to_owned());
        }
    }
    let said: Said = serde_json::from_slice(&body).map_err(|_| "it says nothing that is read".to_owned())?;
    Ok(said.items)
}

/// A service is believed no more than that somebody of this name may be there.
async fn heard(app: &App, host: &str, peer: &PeerOut, now: i64) -> Result<(), Problem> {
    if peer.state != PeerState::Listed {
        return Ok(());
    }
    let key: Ed25519PublicKey = peer.public_key.parse()?;
    if !key.is_strict() {
        return Err(Problem::invalid("/public_key", "not-a-key", "is no Ed25519 public key"));
    }
    let peer = Peer {
        agent_id: agent_id(&peer.agent_id)?.to_owned(),
        url: url(&peer.url)?.to_owned(),
        public_key: key.as_bytes().to_vec(),
        state: Some(PeerState::Heard),
        registered: now,
        decided: None,
        source: Some(host.to_owned()),
        krunica: None,
    };
    let mut tx = app.db.begin().await?;
    store::register(&mut tx, app.authority.tags(), &peer).await?;
    tx.commit().await.map_err(Problem::from)
}
