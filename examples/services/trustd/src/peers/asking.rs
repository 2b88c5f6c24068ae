//! The way to another service: answers are JSON, and no longer than what was asked for can be.

use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Url};
use serde::de::DeserializeOwned;
use std::time::Duration;
use zeroize::Zeroizing;

const PATIENCE: Duration = Duration::from_secs(20);
/// Two hundred peers are fewer bytes.
const LONGEST: usize = 1 << 20;

/// Follows nobody, and has no proxy between.
pub(super) fn client() -> Result<Client, String> {
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder().timeout(PATIENCE).redirect(Policy::none()).no_proxy().build().map_err(said)
}

/// An address of a service.
pub(super) fn at(service: &Url, path: &str) -> String {
    format!("{}{path}", service.as_str().trim_end_matches('/'))
}

/// What a service is called here: its host, and its port where that is not the usual one.
pub(crate) fn name(service: &Url) -> String {
    let host = service.host_str().unwrap_or_default();
    service.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// What it answers.
pub(super) async fn answered<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, String> {
    let mut answer = request.send().await.map_err(said)?;
    if !answer.status().is_success() {
        return Err(format!("it answered {}", answer.status().as_u16()));
    }
    let mut body = Zeroizing::new(Vec::new());
    while let Some(piece) = answer.chunk().await.map_err(said)? {
        body.extend_from_slice(&piece);
        if body.len() > LONGEST {
            return Err("it says too much".to_owned());
        }
    }
    serde_json::from_slice(&body).map_err(|_| "it says nothing that is read".to_owned())
}

fn said(error: reqwest::Error) -> String {
    error.without_url().to_string()
}

#[cfg(test)]
mod tests {
    use super::{at, name};

    #[test]
    fn two_services_of_one_host_are_two() {
        for (address, called, asked) in [
            ("https://a.example/", "a.example", "https://a.example/api"),
            ("https://a.example:443/trust/", "a.example", "https://a.example/trust/api"),
            ("https://a.example:8443/", "a.example:8443", "https://a.example:8443/api"),
            ("http://127.0.0.1:8470/", "127.0.0.1:8470", "http://127.0.0.1:8470/api"),
        ] {
            let service = address.parse().unwrap();
            assert_eq!((name(&service).as_str(), at(&service, "/api").as_str()), (called, asked));
        }
    }
}
