//! A messenger's relay, shaped as Telegram's: the way that is tried where the first one fails.

use super::rest::{ask, client};
use super::{Letter, Provider, Refused, secret};
use futures::future::BoxFuture;
use platform::config::MessagingConfig;
use reqwest::Client;
use serde_json::json;
use std::fmt;
use url::Url;

/// The bot there. Its address has its token in it.
pub(super) struct Relay {
    http: Client,
    address: Url,
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").field("host", &self.address.host_str()).finish_non_exhaustive()
    }
}

impl Relay {
    pub(super) fn open(config: &MessagingConfig) -> Result<Option<Self>, String> {
        let (Some(url), Some(file)) = (&config.relay_url, &config.relay_token_file) else { return Ok(None) };
        let (mut address, token) = (url.clone(), secret(file)?);
        address
            .path_segments_mut()
            .map_err(|()| "messaging.relay_url: takes no path".to_owned())?
            .pop_if_empty()
            .extend([&*format!("bot{}", &*token), "sendMessage"]);
        Ok(Some(Self { http: client()?, address }))
    }
}

impl Provider for Relay {
    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<Option<String>, Refused>> {
        Box::pin(async move {
            let request = self.http.post(self.address.clone()).header("idempotency-key", &letter.id);
            let said = ask(request.json(&json!({"chat_id": letter.to, "text": letter.body}))).await?;
            Ok(said.pointer("/result/message_id").map(|id| format!("relay:{}:{id}", letter.to)))
        })
    }
}
