//! What other services list: pulled every ten minutes, so that a peer that one of them approved is known everywhere
//! within thirty. What was heard waits for a native here as what registered does, and nobody calls it.

use super::asking::{answered, at, client, name};
use super::login::sign_in;
use super::rules::{PeerState, agent_id, url};
use super::sources::Sources;
use super::store::{self, Peer};
use super::types::PeerOut;
use crate::App;
use dualseal::ed25519::Ed25519PublicKey;
use futures::future::join_all;
use platform::problem::Problem;
use reqwest::Url;
use serde::Deserialize;
use std::time::Duration;
use tokio::time::timeout;

/// Whoever says a word every now and then keeps the others waiting no longer.
const PATIENCE: Duration = Duration::from_mins(1);
/// So many are asked for at once,
const PAGE: &str = "200";
/// and so often: whoever lists more lists without end.
const PAGES: usize = 10;

/// What a service says; those of later versions say more.
#[derive(Deserialize)]
struct Said {
    items: Vec<PeerOut>,
    next: Option<String>,
}

/// Asks each service of the settings, all at once, and ends what nobody approved: however many do not answer, nobody
/// waits for longer than one may take.
///
/// # Errors
/// The database.
pub async fn turn(app: &App, sources: &Sources) -> Result<(), Problem> {
    let now = app.clock.millis();
    store::lapse(app, now).await?;
    let all = app.config.peers.from.iter().map(|from| async move {
        let said = timeout(PATIENCE, asked(app, from)).await.unwrap_or_else(|_| Err("it takes too long".to_owned()));
        (name(from), said)
    });
    for (source, said) in join_all(all).await {
        match said {
            Ok(peers) => {
                sources.read(&source);
                for peer in peers {
                    if let Err(problem) = heard(app, &source, &peer, now).await {
                        tracing::warn!(%problem, from = source, "a peer was not taken");
                    }
                }
            }
            Err(reason) => {
                tracing::warn!(reason, from = source, "its peers were not read");
                sources.unread(app, &source, &reason).await?;
            }
        }
    }
    Ok(())
}

async fn asked(app: &App, from: &Url) -> Result<Vec<PeerOut>, String> {
    let http = client()?;
    let folder = app.config.peers.logins.as_deref().ok_or("peers.logins names no folder")?;
    let token = sign_in(&http, from, folder).await?;
    let address = Url::parse(&at(from, "/api/v1/peers")).map_err(|error| error.to_string())?;
    let (mut all, mut next) = (Vec::new(), None::<String>);
    for _ in 0..PAGES {
        let mut page = address.clone();
        page.query_pairs_mut().append_pair("limit", PAGE).extend_pairs(next.map(|next| ("after", next)));
        let said: Said = answered(http.get(page).bearer_auth(&*token)).await?;
        all.extend(said.items);
        next = said.next;
        if next.is_none() {
            return Ok(all);
        }
    }
    tracing::warn!(from = name(from), read = all.len(), "it lists more peers than are read");
    Ok(all)
}

/// A service is believed no more than that somebody of this name may be there.
async fn heard(app: &App, source: &str, peer: &PeerOut, now: i64) -> Result<(), Problem> {
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
        source: Some(source.to_owned()),
        krunica: None,
    };
    let mut tx = app.db.begin().await?;
    store::register(&mut tx, app.authority.tags(), &peer).await?;
    tx.commit().await.map_err(Problem::from)
}
