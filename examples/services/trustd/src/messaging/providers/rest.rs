//! What answers over HTTP mean for a message.

use super::{PATIENCE, Refused};
use reqwest::header::RETRY_AFTER;
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder};
use serde_json::Value;

/// The most bytes of an answer that are read.
const MOST: usize = 64 << 10;

/// A client that follows nobody elsewhere.
pub(super) fn client() -> Result<Client, String> {
    drop(rustls::crypto::ring::default_provider().install_default());
    let client = Client::builder().timeout(PATIENCE).redirect(Policy::none()).build();
    client.map_err(|error| error.without_url().to_string())
}

/// Asks, and reads what is answered.
pub(super) async fn ask(request: RequestBuilder) -> Result<Value, Refused> {
    // What is said of a failure names no address: one of them has a token in it.
    let failed = |error: reqwest::Error| Refused::Later(None, error.without_url().to_string());
    let mut answer = request.send().await.map_err(failed)?;
    let status = answer.status().as_u16();
    let header = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let mut body = Vec::new();
    while let Ok(Some(piece)) = answer.chunk().await {
        body.extend_from_slice(&piece);
        if body.len() > MOST {
            break;
        }
    }
    let said: Value = serde_json::from_slice(&body).unwrap_or_default();
    judge(status, header.as_deref(), said)
}

/// A refusal is for good where the message is at fault, and for now where somebody else is: too many requests, an
/// outage, a token that does not count any more.
fn judge(status: u16, retry_after: Option<&str>, said: Value) -> Result<Value, Refused> {
    let in_body = said.pointer("/parameters/retry_after").and_then(Value::as_u64);
    let told = retry_after.and_then(seconds).or(in_body);
    match status {
        200..=299 => Ok(said),
        400 | 404 | 405 | 406 | 409..=417 | 421..=424 | 426..=428 | 431 | 451 => {
            Err(Refused::Never(format!("answered {status}")))
        }
        _ => Err(Refused::Later(told, format!("answered {status}"))),
    }
}

/// Seconds, or a date of HTTP: the value of `Retry-After`.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(seconds);
    }
    let at = httpdate::parse_http_date(text).ok()?;
    at.duration_since(std::time::SystemTime::now()).ok().map(|wait| wait.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_are_for_now_or_for_good() {
        let told = |status, header: Option<&str>, body: Value| match judge(status, header, body) {
            Ok(_) => "ok".to_owned(),
            Err(Refused::Later(after, _)) => format!("later {after:?}"),
            Err(Refused::Never(_)) => "never".to_owned(),
        };
        for (status, header, body, expected) in [
            (201, None, json!({}), "ok"),
            (400, None, json!({}), "never"),
            (401, None, json!({}), "later None"),
            (403, None, json!({}), "later None"),
            (404, None, json!({}), "never"),
            (429, Some("7"), json!({}), "later Some(7)"),
            (429, None, json!({"parameters": {"retry_after": 9}}), "later Some(9)"),
            (500, None, json!({}), "later None"),
            (503, Some("Sun, 06 Nov 1994 08:49:37 GMT"), json!({}), "later None"),
            (302, None, json!({}), "later None"),
        ] {
            assert_eq!(told(status, header, body), expected, "{status} {header:?}");
        }
    }
}
