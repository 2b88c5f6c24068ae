//! What is asked over HTTP: the service's modules, the portal, peers, somebody's clock, the certificate. Nobody is
//! followed elsewhere, and nobody is read for long.

use super::rules::{Checked, Found, MODULES, monitor};
use crate::table::TABLE;
use dualseal::Timestamp;
use platform::clock::Clock;
use platform::config::Config;
use reqwest::redirect::Policy;
use reqwest::tls::TlsInfo;
use reqwest::{Certificate, Client, Response};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;
use url::Url;

const PATIENCE: Duration = Duration::from_secs(10);
const LONGEST: usize = 64 << 10;
const DAY: i64 = 86_400;

/// Whoever asks.
pub(super) struct Asks<'a> {
    config: &'a Config,
    now: i64,
    /// Without it nobody answers, and each check says why.
    http: Result<Client, String>,
    /// Why `mesh.ca_file` is not read.
    authority: Option<String>,
}

impl<'a> Asks<'a> {
    /// What it cannot have is a check that fails, so that somebody is told of it.
    pub(super) fn new(config: &'a Config, clock: &Clock) -> Self {
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut http = Client::builder().timeout(PATIENCE).redirect(Policy::none()).tls_info(true).no_proxy();
        let authority = match config.mesh.ca_file.as_deref().map(authority) {
            Some(Ok(authority)) => {
                http = http.tls_certs_merge([authority]);
                None
            }
            Some(Err(reason)) => Some(format!("mesh.ca_file: {reason}")),
            None => None,
        };
        let http = http.build().map_err(|error| error.without_url().to_string());
        Self { config, now: clock.millis(), http, authority }
    }

    async fn get(&self, address: impl reqwest::IntoUrl) -> Result<Response, String> {
        let http = self.http.as_ref().map_err(Clone::clone)?;
        http.get(address).send().await.map_err(|error| {
            let deep = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            format!("no answer: {} {deep}", error.without_url())
        })
    }

    async fn well(&self, address: impl reqwest::IntoUrl) -> Result<Response, String> {
        let answer = self.get(address).await?;
        if answer.status().is_success() { Ok(answer) } else { Err(format!("answered {}", answer.status().as_u16())) }
    }

    /// The modules that this program has.
    pub(super) async fn modules(&self) -> Vec<Checked> {
        let mut all = Vec::new();
        for (module, path) in MODULES.iter().filter(|(_, path)| TABLE.iter().any(|row| row.path == *path)) {
            let asked = self.well(format!("http://{}{path}", self.config.listen)).await;
            all.push((*module, asked.map_or_else(Found::Failed, |_| Found::Well)));
        }
        all
    }

    /// The others.
    pub(super) async fn others(&self) -> Vec<Checked> {
        vec![
            ("portal", self.portal().await),
            ("clock", self.clock().await),
            ("certificate", self.certificate().await),
            ("peers", self.peers().await),
        ]
    }

    async fn portal(&self) -> Found {
        let Some(portal) = &self.config.mesh.portal else { return Found::NotSet };
        self.well(portal.clone()).await.map_or_else(Found::Failed, |_| Found::Well)
    }

    async fn clock(&self) -> Found {
        let Some(address) = &self.config.mesh.clock else { return Found::NotSet };
        let answer = match self.get(address.clone()).await {
            Ok(answer) => answer,
            Err(reason) => return Found::Failed(reason),
        };
        let date = answer.headers().get("date").and_then(|date| date.to_str().ok());
        let date = date.and_then(|date| httpdate::parse_http_date(date).ok());
        let Some(date) = date.and_then(|date| date.duration_since(std::time::UNIX_EPOCH).ok()) else {
            return Found::Failed("it says no time".to_owned());
        };
        // A date of HTTP has whole seconds.
        let off = (i64::try_from(date.as_secs()).unwrap_or(i64::MAX)).saturating_sub(self.now / 1000).abs();
        if off <= i64::try_from(self.config.mesh.skew.0).unwrap_or(i64::MAX) + 1 {
            return Found::Well;
        }
        Found::Failed(format!("the clock of this machine is {off} s off"))
    }

    /// One that has ended, or that nobody vouches for, is no answer at all.
    async fn certificate(&self) -> Found {
        if let Some(reason) = &self.authority {
            return Found::Failed(reason.clone());
        }
        let base = &self.config.base_url;
        if base.scheme() != "https" {
            return Found::NotSet;
        }
        let answer = match self.get(base.clone()).await {
            Ok(answer) => answer,
            Err(reason) => return Found::Failed(reason),
        };
        let der = answer.extensions().get::<TlsInfo>().and_then(TlsInfo::peer_certificate);
        let parsed = der.and_then(|der| x509_parser::parse_x509_certificate(der).ok());
        let Some((_, certificate)) = parsed else { return Found::Failed("it is not read".to_owned()) };
        let days = (certificate.validity().not_after.timestamp() - self.now / 1000).div_euclid(DAY);
        let wanted = self.config.mesh.certificate_days;
        if days >= i64::from(wanted) {
            return Found::Well;
        }
        Found::Failed(format!("it holds for {days} days still, and {wanted} are wanted"))
    }

    async fn peers(&self) -> Found {
        let mesh = &self.config.mesh;
        if mesh.peers.is_empty() {
            return Found::NotSet;
        }
        let mut reasons = Vec::new();
        for peer in &mesh.peers {
            if let Err(reason) = self.peer(peer).await {
                reasons.push(format!("{}: {reason}", peer.host_str().unwrap_or_default()));
            }
        }
        if reasons.is_empty() { Found::Well } else { Found::Failed(reasons.join("; ")) }
    }

    async fn peer(&self, peer: &Url) -> Result<(), String> {
        let mut answer = self.well(format!("{}/api/v1/mesh/health", peer.as_str().trim_end_matches('/'))).await?;
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(|error| error.without_url().to_string())? {
            body.extend_from_slice(&piece);
            if body.len() > LONGEST {
                return Err("it says too much".to_owned());
            }
        }
        // Those of later versions say more.
        let said: Value = serde_json::from_slice(&body).map_err(|_| "it says nothing that is read")?;
        let last = said.get("last_run").and_then(Value::as_str);
        let last: Option<Timestamp> = last.map(str::parse).transpose().map_err(|_| "it says no time")?;
        let mesh = &self.config.mesh;
        monitor(self.now, last.map(Timestamp::as_millis), mesh.every.millis(), mesh.skew.millis())
    }

    /// Has somebody outside know that this run ended.
    pub(super) async fn ping(&self) -> Result<(), String> {
        let Some(address) = &self.config.mesh.ping_url else { return Ok(()) };
        self.well(address.clone()).await.map(drop)
    }
}

fn authority(file: &Path) -> Result<Certificate, String> {
    let pem = std::fs::read(file).map_err(|error| error.to_string())?;
    Certificate::from_pem(&pem).map_err(|error| error.to_string())
}
