//! The keys of an outside issuer: from a file, or from an address, kept for a while. An issuer that is slow, large or
//! away costs the service little, and nobody but him.

use crate::config::IssuerConfig;
use crate::near::is_private;
use futures::TryStreamExt as _;
use jsonwebtoken::jwk::JwkSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use url::Url;

/// The most bytes of a set.
const MOST: usize = 256 << 10;
/// After that it is read again.
const FRESH: Duration = Duration::from_mins(10);
/// For a name that is not in it, no more often than this: anybody can send such names.
const AGAIN: Duration = Duration::from_secs(30);
/// While its issuer is away, what was read counts that long; then a key that he may have withdrawn does not.
const STALE: Duration = Duration::from_hours(1);
const PATIENCE: Duration = Duration::from_secs(5);

/// Where the keys are.
#[derive(Debug)]
enum Place {
    File(PathBuf),
    Address(reqwest::Client, Url),
}

/// The keys of an issuer.
#[derive(Debug)]
pub(super) struct Source {
    place: Place,
    /// One asks at a time, and the others take what it got.
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    set: Option<(Arc<JwkSet>, Instant)>,
    tried: Option<Instant>,
}

impl Source {
    pub(super) fn new(config: &IssuerConfig) -> Result<Self, String> {
        let place = match (&config.jwks_file, &config.jwks_url) {
            (Some(file), None) => Place::File(file.clone()),
            (None, Some(url)) => Place::Address(client(url)?, url.clone()),
            _ => return Err(format!("{}: has jwks_file or jwks_url, and one of them", config.issuer)),
        };
        Ok(Self { place, kept: Mutex::default() })
    }

    /// The set; `again` where a name was not in it.
    pub(super) async fn get(&self, again: bool) -> Option<Arc<JwkSet>> {
        let mut kept = self.kept.lock().await;
        let due = if again { AGAIN } else { FRESH };
        let is_fresh = kept.set.as_ref().is_some_and(|(_, read)| read.elapsed() < due);
        let may_try =
            kept.tried.is_none_or(|tried| tried.elapsed() >= if kept.set.is_some() { AGAIN } else { PATIENCE });
        if !is_fresh && may_try {
            kept.tried = Some(Instant::now());
            match self.read().await {
                Ok(set) => kept.set = Some((Arc::new(set), Instant::now())),
                Err(error) => tracing::warn!(error, "the keys of an outside issuer were not read"),
            }
        }
        kept.set.as_ref().filter(|(_, read)| read.elapsed() < STALE).map(|(set, _)| Arc::clone(set))
    }

    async fn read(&self) -> Result<JwkSet, String> {
        let text = match &self.place {
            Place::File(path) => {
                let text = tokio::fs::read(path).await.map_err(|error| error.to_string())?;
                if text.len() > MOST { Err("it is too large".to_owned()) } else { Ok(text) }
            }
            Place::Address(client, url) => fetch(client, url).await,
        }?;
        serde_json::from_slice(&text).map_err(|error| error.to_string())
    }
}

fn client(url: &Url) -> Result<reqwest::Client, String> {
    if !is_private(url) {
        return Err(format!("{url}: whoever is between could give keys of his own: use https"));
    }
    // Where the process has one already, it is the same.
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(PATIENCE);
    client.build().map_err(|error| error.to_string())
}

async fn fetch(client: &reqwest::Client, url: &Url) -> Result<Vec<u8>, String> {
    let response = client.get(url.clone()).send().await.map_err(|error| error.to_string())?;
    if response.status() != http::StatusCode::OK {
        return Err(format!("it answers {}", response.status()));
    }
    let (mut text, mut stream) = (Vec::new(), response.bytes_stream());
    while let Some(part) = stream.try_next().await.map_err(|error| error.to_string())? {
        if text.len() + part.len() > MOST {
            return Err("it is too large".to_owned());
        }
        text.extend_from_slice(&part);
    }
    Ok(text)
}
