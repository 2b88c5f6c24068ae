//! The way to the service: https to the key that was pinned, whoever vouches for another, or this machine.
//!
//! | file | what it is |
//! |---|---|
//! | `access` | what the node shows to be itself |
//! | `log` | what it shows of its log |
//! | `shares` | what it is asked of quorums |

mod access;
mod log;
mod shares;

use super::config::{NodeConfig, Pinned};
use crate::qt::types::{AckIn, AckOut, OrderIn, OrderOut, PollOut, Said};
use access::Access;
use bytes::Bytes;
use dualseal::presence::Nonce;
use dualseal::shard::{Recipient, ShardId};
use dualseal::{Timestamp, VaultId};
use platform::web::Name;
use reqwest::{Method, RequestBuilder, Response};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, SignatureScheme};
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use url::Url;
use uuid::Uuid;
use zeroize::Zeroizing;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// The most bytes of an answer.
const MOST: usize = 8 << 20;

/// Why the service was not asked, or did not answer.
#[derive(Debug)]
pub enum ClientError {
    /// The way there.
    Way(reqwest::Error),
    /// The file of the token.
    Token(std::io::Error),
    /// The login, or its file.
    Login(String),
    /// Signing in failed a moment ago, for this reason, and is tried again later.
    Waits(String),
    /// It refused, with this status and code.
    Refused {
        /// The status.
        status: u16,
        /// The problem's code.
        code: String,
    },
    /// It answered something else than it should.
    Answer(&'static str),
}

impl From<reqwest::Error> for ClientError {
    fn from(error: reqwest::Error) -> Self {
        Self::Way(error.without_url())
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Way(error) => write!(f, "the service was not reached: {error}"),
            Self::Token(error) => write!(f, "the file of the token: {error}"),
            Self::Login(fault) => f.write_str(fault),
            Self::Waits(why) => write!(f, "no token, and none is asked for yet: {why}"),
            Self::Refused { status, code } => write!(f, "the service refused: {status} {code}"),
            Self::Answer(what) => write!(f, "the service answered what is no {what}"),
        }
    }
}

impl std::error::Error for ClientError {}

/// Asks the service.
#[derive(Debug)]
pub(super) struct Client {
    http: reqwest::Client,
    service: Url,
    access: Access,
}

impl Client {
    pub(super) fn new(config: &NodeConfig, pinned: &Pinned) -> Result<Self, ClientError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let pin = Pin { key: pinned.is_tls.then_some(pinned.recipient), provider: Arc::clone(&provider) };
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|_| ClientError::Answer("protocol of TLS"))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(pin))
            .with_no_client_auth();
        let http = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(PATIENCE)
            .build()?;
        Ok(Self { http, service: config.service.clone(), access: Access::of(config)? })
    }

    /// What waits. A token that was voided meanwhile is exchanged for another one, where the node can.
    pub(super) async fn poll(&self) -> Result<PollOut, ClientError> {
        let polled = self.polled().await;
        let is_void = matches!(&polled, Err(ClientError::Refused { status: 401, .. }));
        if is_void && self.forgets().await { self.polled().await } else { polled }
    }

    async fn polled(&self) -> Result<PollOut, ClientError> {
        self.json(self.request(Method::GET, "api/v1/qt/requests").await?, "poll").await
    }

    /// The shard that waits, with the time until when it is kept if it is not put in force.
    pub(super) async fn pull(&self, vault_id: &VaultId) -> Result<(Zeroizing<Vec<u8>>, Timestamp), ClientError> {
        let request = self.request(Method::GET, &format!("api/v1/qt/shard/{vault_id}")).await?;
        let response = answered(request.send().await?).await?;
        let until = response.headers().get("keep-until").and_then(|until| until.to_str().ok()?.parse().ok());
        let until = until.ok_or(ClientError::Answer("shard"))?;
        Ok((body(response).await?, until))
    }

    pub(super) async fn say(&self, vault_id: &VaultId, shard_id: &ShardId, said: Said) -> Result<AckOut, ClientError> {
        let request = self.request(Method::POST, &format!("api/v1/qt/shard/{vault_id}/ack")).await?;
        self.json(request.json(&AckIn { shard_id: Name(*shard_id), said }), "acknowledgement").await
    }

    pub(super) async fn order(&self, vault_id: &VaultId, nonce: &Nonce) -> Result<OrderOut, ClientError> {
        let request = self.request(Method::POST, &format!("api/v1/qt/shard/{vault_id}/order")).await?;
        self.json(request.json(&OrderIn { nonce: Name(*nonce) }), "order").await
    }

    pub(super) async fn release(&self, id: &Uuid, shard: &str) -> Result<(), ClientError> {
        let request = self.request(Method::POST, &format!("api/v1/qt/requests/{id}/shards")).await?;
        // Wiped when it was sent.
        let shard = Bytes::from_owner(Zeroizing::new(shard.as_bytes().to_vec()));
        let request = request.header("content-type", "application/json").body(shard);
        answered(request.send().await?).await.map(drop)
    }

    async fn request(&self, method: Method, path: &str) -> Result<RequestBuilder, ClientError> {
        let token = self.token().await?;
        let url = self.service.join(path).map_err(|_| ClientError::Answer("address"))?;
        Ok(self.http.request(method, url).bearer_auth(&*token))
    }

    async fn json<T: DeserializeOwned>(&self, request: RequestBuilder, what: &'static str) -> Result<T, ClientError> {
        let text = body(answered(request.send().await?).await?).await?;
        serde_json::from_slice(&text).map_err(|_| ClientError::Answer(what))
    }
}

/// An answer that is no refusal.
async fn answered(response: Response) -> Result<Response, ClientError> {
    if response.status().is_success() {
        return Ok(response);
    }
    let status = response.status().as_u16();
    let text = body(response).await.unwrap_or_default();
    let told: Option<serde_json::Value> = serde_json::from_slice(&text).ok();
    let code = told.as_ref().and_then(|told| told.get("code")?.as_str()).unwrap_or("none");
    // Whatever answers there writes no lines of its own into the log.
    Err(ClientError::Refused { status, code: code.chars().filter(char::is_ascii_graphic).take(40).collect() })
}

/// The bytes of an answer, as far as one may go.
async fn body(mut response: Response) -> Result<Zeroizing<Vec<u8>>, ClientError> {
    let mut text = Zeroizing::new(Vec::new());
    while let Some(part) = response.chunk().await? {
        if text.len() + part.len() > MOST {
            return Err(ClientError::Answer("answer of a reasonable size"));
        }
        text.extend_from_slice(&part);
    }
    Ok(text)
}

/// Takes the server that has the pinned key, and no other: shards are released to a key, and to no name.
#[derive(Debug)]
struct Pin {
    key: Option<Recipient>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pin {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let shown = ParsedCertificate::try_from(end_entity)?.subject_public_key_info();
        if self.key == Some(Recipient::of_key(shown.as_ref())) {
            return Ok(ServerCertVerified::assertion());
        }
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    const CERTIFICATE: &str = "MIIBRjCB+aADAgECAhQsBHow+hMXxhtDABj/dOWOZ6pjJzAFBgMrZXAwGDEWMBQGA1UEAwwNdHJ1c3QuZXhh\
        bXBsZTAgFw0yNjExMjMyMjM2MDNaGA8yMTI2MTAzMDIyMzYwM1owGDEWMBQGA1UEAwwNdHJ1c3QuZXhhbXBsZTAqMAUGAytlcAMhAInO6/9v\
        BMFr/o9llHeKec0QmBgMTVryb7uPdEatRsSio1MwUTAdBgNVHQ4EFgQUJVHEl0v3FCq2j0vdrFmP9wAGSZEwHwYDVR0jBBgwFoAUJVHEl0v3\
        FCq2j0vdrFmP9wAGSZEwDwYDVR0TAQH/BAUwAwEB/zAFBgMrZXADQQBMmMFm72nGnGhsUS0NTr0bIIspx4/WeWQdOcQ+0OGj81J8Xv3LU/q5\
        CEkACORN3qoE+C1/poFSlL/Mk+XD3ysI";
    const KEY: &str = "MCowBQYDK2VwAyEAic7r/28EwWv+j2WUd4p5zRCYGAxNWvJvu490Rq1GxKI=";

    #[test]
    fn the_pinned_key_alone_is_taken() {
        let certificate = CertificateDer::from(STANDARD.decode(CERTIFICATE).unwrap());
        let key = STANDARD.decode(KEY).unwrap();
        let mut other = key.clone();
        *other.last_mut().unwrap() ^= 1;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        for (pinned, is_taken) in [(Some(key), true), (Some(other), false), (None, false)] {
            let pin = Pin { key: pinned.as_deref().map(Recipient::of_key), provider: Arc::clone(&provider) };
            let name = ServerName::try_from("trust.example").unwrap();
            let taken = pin.verify_server_cert(&certificate, &[], &name, &[], UnixTime::now());
            assert_eq!(taken.is_ok(), is_taken);
        }
    }
}
