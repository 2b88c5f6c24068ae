//! A provider: its key, whether it is left out, and asking it.

use super::rules::Question;
use super::shapes::{Request, request};
use super::verdict::{BROKEN, Fault, SLOW, TOO_LONG, UNREACHED, Verdict, judge};
use crate::messaging::{seconds, secret};
use platform::config::ProviderConfig;
use reqwest::header::{HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use serde_json::Value;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use zeroize::Zeroizing;

/// The most bytes of an answer that are read: 8192 tokens are fewer.
const MOST: usize = 1 << 20;
/// How long a provider may take to be reached.
const REACHED: Duration = Duration::from_secs(10);

/// A key, as its file had it at a time.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Key {
    text: Zeroizing<String>,
    changed: Option<SystemTime>,
}

impl Key {
    fn read(file: &Path) -> Result<Self, String> {
        let changed = fs::metadata(file).and_then(|found| found.modified()).ok();
        Ok(Self { text: secret(file)?, changed })
    }

    /// The header with it, which nobody is shown.
    fn header(&self, before: &str) -> Option<HeaderValue> {
        let text = Zeroizing::new(format!("{before}{}", &*self.text));
        let mut value = HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

/// Why a provider is left out, and until when: for good unless its key file changes.
struct Out {
    key: Key,
    until: Option<i64>,
}

/// A provider.
pub(super) struct Provider {
    pub(super) config: ProviderConfig,
    out: Mutex<Option<Out>>,
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("kind", &self.config.kind).finish_non_exhaustive()
    }
}

/// A client that follows nobody elsewhere, and goes through nobody.
pub(super) fn client(patience: Duration) -> Result<Client, String> {
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = Client::builder().timeout(patience).connect_timeout(REACHED.min(patience));
    let client = client.redirect(Policy::none()).no_proxy().build();
    client.map_err(|error| error.without_url().to_string())
}

impl Provider {
    pub(super) fn new(config: ProviderConfig) -> Self {
        Self { config, out: Mutex::default() }
    }

    pub(super) fn name(&self) -> &'static str {
        self.config.kind.as_str()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Out>> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its key, where it may be asked: none while it is left out, or where its key does not read.
    pub(super) fn key(&self, now: i64) -> Option<Key> {
        let key = match Key::read(&self.config.key_file) {
            Ok(key) => key,
            Err(reason) => {
                tracing::warn!(provider = self.name(), reason, "the key of a provider of models was not read");
                return None;
            }
        };
        let mut out = self.lock();
        let is_out = out.as_ref().is_some_and(|out| out.key == key && out.until.is_none_or(|until| now < until));
        if is_out {
            return None;
        }
        *out = None;
        Some(key)
    }

    /// Leaves it out, until a time, or until its key file changes.
    pub(super) fn leave_out(&self, key: &Key, until: Option<i64>) {
        *self.lock() = Some(Out { key: key.clone(), until });
    }

    /// Has it asked again, whatever it was left out for.
    #[cfg(test)]
    pub(super) fn forget(&self) {
        *self.lock() = None;
    }

    /// When it is asked again by itself.
    pub(super) fn until(&self) -> Option<i64> {
        self.lock().as_ref().and_then(|out| out.until)
    }

    /// Asks it. What comes of a failure has no word of the question, the answer or the key in it.
    pub(super) async fn ask(&self, http: &Client, key: &Key, question: &Question) -> Verdict {
        let Some(Request { address, key: (header, before), version, body }) = request(&self.config, question) else {
            return Verdict::Fault(UNREACHED);
        };
        // What no header takes is no key.
        let Some(value) = key.header(before) else { return Verdict::Authentication };
        let mut request = http.post(address).header(HeaderName::from_static(header), value);
        if let Some((header, value)) = version {
            request = request.header(header, value);
        }
        match request.json(&body).send().await {
            Ok(answer) => self.read(answer, key).await,
            Err(error) => Verdict::Fault(failed(&error)),
        }
    }

    async fn read(&self, mut answer: Response, key: &Key) -> Verdict {
        let status = answer.status().as_u16();
        let told = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).and_then(seconds);
        let mut body = Vec::new();
        loop {
            match answer.chunk().await {
                Ok(Some(piece)) => body.extend_from_slice(&piece),
                Ok(None) => break,
                Err(error) => return Verdict::Fault(failed(&error)),
            }
            if body.len() > MOST {
                return Verdict::Fault(TOO_LONG);
            }
        }
        let said: Value = serde_json::from_slice(&body).unwrap_or_default();
        // Who refuses may quote what he was sent.
        let said = if status == 200 { said } else { without(&said, &key.text) };
        judge(self.config.kind, status, told, &said)
    }
}

/// What was said, without a key: both as this program writes them, so that one in escapes is found, too.
fn without(said: &Value, key: &str) -> Value {
    let key = Zeroizing::new(serde_json::to_string(key).unwrap_or_default());
    let Some(key) = key.strip_prefix('"').and_then(|key| key.strip_suffix('"')) else { return Value::Null };
    serde_json::from_str(&said.to_string().replace(key, "…")).unwrap_or_default()
}

/// What a failure of the connection is.
fn failed(error: &reqwest::Error) -> Fault {
    if error.is_connect() {
        UNREACHED
    } else if error.is_timeout() {
        SLOW
    } else {
        BROKEN
    }
}
