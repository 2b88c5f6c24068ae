//! Short messages, by a REST interface shaped as Twilio's.

use super::rest::{ask, client};
use super::{Letter, Provider, Refused, secret};
use futures::future::BoxFuture;
use platform::config::MessagingConfig;
use reqwest::Client;
use serde_json::Value;
use std::fmt;
use url::Url;
use zeroize::Zeroizing;

/// The account there.
pub(super) struct Sms {
    http: Client,
    address: Url,
    account: String,
    token: Zeroizing<String>,
    from: String,
    /// Where receipts go.
    callback: String,
}

impl fmt::Debug for Sms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sms").field("account", &self.account).finish_non_exhaustive()
    }
}

impl Sms {
    pub(super) fn open(config: &MessagingConfig, base_url: &Url) -> Result<Option<Self>, String> {
        let (Some(account), Some(file), Some(from)) = (&config.sms_account, &config.sms_token_file, &config.sms_from)
        else {
            return Ok(None);
        };
        let mut address = config.sms_url.clone();
        address
            .path_segments_mut()
            .map_err(|()| "messaging.sms_url: takes no path".to_owned())?
            .pop_if_empty()
            .extend(["2010-04-01", "Accounts", account, "Messages.json"]);
        let callback = format!("{}{}", base_url.as_str().trim_end_matches('/'), crate::messaging::authentic::RECEIPTS);
        let (http, token) = (client()?, secret(file)?);
        Ok(Some(Self { http, address, account: account.clone(), token, from: from.clone(), callback }))
    }
}

impl Provider for Sms {
    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<Option<String>, Refused>> {
        Box::pin(async move {
            let form = [
                ("To", letter.to.as_str()),
                ("From", self.from.as_str()),
                ("Body", letter.body.as_str()),
                ("StatusCallback", self.callback.as_str()),
            ];
            let body = serde_urlencoded::to_string(form).map_err(|error| Refused::Never(error.to_string()))?;
            let request = self.http.post(self.address.clone()).basic_auth(&self.account, Some(&*self.token));
            let request = request
                .header("content-type", "application/x-www-form-urlencoded")
                .header("idempotency-key", &letter.id)
                .body(body);
            let said = ask(request).await?;
            Ok(said.get("sid").and_then(Value::as_str).map(str::to_owned))
        })
    }
}
