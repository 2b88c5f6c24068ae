//! What comes beside a body: what the network's perimeter reported, and who calls a public address.

use super::rules::NOTE_BYTES;
use crate::App;
use axum::extract::FromRequestParts;
use http::request::Parts;
use platform::access::Caller;
use platform::authority::Standing;
use platform::problem::Problem;
use platform::rate::Peer;

const NOTE: &str = "x-perimeter-note";

/// What the network's perimeter reported (L1): the header of a trusted proxy, and nobody else's.
#[derive(Debug)]
pub(crate) struct Note(pub(crate) String);

impl FromRequestParts<App> for Note {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let peer = parts.extensions.get::<Peer>().map(|Peer(peer)| peer.ip().to_canonical());
        let trusts = |peer| app.config.trusted_proxies.iter().any(|proxy| proxy.contains(&peer));
        // The last one is the proxy's own, whatever the client sent.
        let Some(note) = parts.headers.get_all(NOTE).iter().next_back().filter(|_| peer.is_some_and(trusts)) else {
            return Ok(Self(String::new()));
        };
        let note = std::str::from_utf8(note.as_bytes()).ok().filter(|note| note.len() <= NOTE_BYTES);
        let rule = format!("is to be UTF-8 of at most {NOTE_BYTES} bytes");
        note.map(|note| Self(note.to_owned()))
            .ok_or_else(|| Problem::invalid("header/X-Perimeter-Note", "length", rule))
    }
}

/// Who calls a public address, where somebody does.
#[derive(Debug)]
pub(crate) struct Somebody(Option<Standing>);

impl Somebody {
    /// Who calls now: a body may have come for long.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn now(self) -> Result<Option<Caller>, Problem> {
        let Some(standing) = self.0 else { return Ok(None) };
        Ok(standing.still().await?.map(|standing| standing.caller().clone()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Somebody {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(Standing::from_request_parts(parts, state).await.ok()))
    }
}
