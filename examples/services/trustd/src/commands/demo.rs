//! `trustd demo`: a day of a small fleet, for whoever sees the service for the first time. All of it is asked of the
//! service's own addresses, as an office and its drivers do, in one process.

mod story;

use super::Fault;
use super::serve::assembled;
use crate::fleet::Clocks;
use crate::integrity::Watch;
use crate::lifecycle::Documents;
use crate::messaging::{Messaging, hand_over};
use crate::start::{Started, start};
use crate::table::TABLE;
use crate::vault::Vault;
use crate::{App, fleet, lifecycle};
use axum::Router;
use axum::body::{Body, to_bytes};
use dualseal::{IdentityId, Timestamp};
use http::{Request, header};
use platform::access::{Scope, Tier, World};
use platform::authority::Grant;
use platform::clock::Clock;
use platform::config::Config;
use platform::web::Web;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use tower::ServiceExt as _;

/// The most bytes of an answer.
const ANSWER: usize = 4 << 20;
const DAY: i64 = 86_400_000;

/// Fills a service that has no vehicle yet, and says what to look at.
///
/// # Errors
/// There are vehicles; what the service refuses.
pub async fn fill(mut config: Config, clock: Clock, out: &mut dyn Write) -> Result<(), Fault> {
    // Nobody watches how long an answer takes.
    config.limits.slot = 0;
    let Started { platform: app, objects, .. } = start(config, clock).await?;
    let vault = Vault::open(&app, objects.clone()).await?;
    let messaging = Messaging::open(&app, Arc::clone(&vault), vec![Arc::new(Clocks), Arc::new(Documents)])?;
    let web = Web::open((&app.db, Some(&app.log)), &app.secrets, &app.clock, &app.config, TABLE).await?;
    let router = assembled(&app, (&vault, &messaging, &objects, &Watch::open(&app)?), &web);
    let mut desk = Desk { token: String::new(), app, router };
    let office = desk.named("office")?;
    let native = [Scope::Trust, Scope::Messaging, Scope::Fleet, Scope::Driver];
    desk.token = desk.token(office, Tier::Native, &native).await?;
    let told = story::tell(&desk, &messaging).await;
    web.end().await;
    let people = told?;
    let told = (fleet::turn(&desk.app).await?, lifecycle::turn(&desk.app).await?);
    let here = desk.app.config.base_url.as_str().trim_end_matches('/');
    writeln!(
        out,
        "a fleet of {} vehicles is there; {} levels and {} documents were told",
        people.vehicles, told.0, told.1
    )?;
    writeln!(out, "trustd serve                         then, with what these print:")?;
    writeln!(
        out,
        "  {here}/fleet/    trustd token issue --tier native --scope \"fleet driver messaging\" --subject {office}"
    )?;
    writeln!(out, "  {here}/driver/   trustd invite --tier noble --scope driver --subject {}", people.ana)?;
    writeln!(out, "  {here}/docs/     every address; the link of an inspection: {}", people.link)?;
    Ok(())
}

/// Whoever asks.
struct Desk {
    app: App,
    router: Router,
    /// A native's.
    token: String,
}

impl Desk {
    /// An identity of the demonstration.
    fn named(&self, name: &str) -> Result<IdentityId, Fault> {
        Ok(self.app.log.domain().identity_id(name.as_bytes(), "demo", "trustd")?)
    }

    async fn token(&self, subject: IdentityId, tier: Tier, scopes: &[Scope]) -> Result<String, Fault> {
        let (scopes, client, world) = (scopes.iter().copied().collect(), "demo".to_owned(), World::Real);
        let grant = Grant { subject, tier, scopes, client, node: None, login: None, life: None, world };
        let mut tx = self.app.db.begin().await?;
        let issued = self.app.authority.issue(&mut tx, &grant).await?;
        tx.commit().await?;
        Ok(issued.text.to_string())
    }

    /// A moment so many milliseconds before now.
    fn ago(&self, millis: i64) -> String {
        Timestamp::from_millis(self.app.clock.millis() - millis).unwrap_or(Timestamp::MIN).to_string()
    }

    /// Asks as the native.
    async fn post(&self, path: &str, body: &Value) -> Result<Value, Fault> {
        self.post_as(&self.token, path, body).await
    }

    async fn post_as(&self, token: &str, path: &str, body: &Value) -> Result<Value, Fault> {
        self.ask(Request::post(path), token, ("application/json", body.to_string().into_bytes())).await
    }

    async fn get(&self, path: &str) -> Result<Value, Fault> {
        self.ask(Request::get(path), &self.token, ("application/json", Vec::new())).await
    }

    async fn ask(
        &self,
        request: http::request::Builder,
        token: &str,
        (kind, body): (&str, Vec<u8>),
    ) -> Result<Value, Fault> {
        let request =
            request.header(header::AUTHORIZATION, format!("Bearer {token}")).header(header::CONTENT_TYPE, kind);
        let response = self.router.clone().oneshot(request.body(Body::from(body))?).await?;
        let status = response.status();
        let body = to_bytes(response.into_body(), ANSWER).await?;
        if status.is_success() {
            return Ok(if body.is_empty() { json!(null) } else { serde_json::from_slice(&body)? });
        }
        Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into())
    }

    /// An e-mail that a mail server hands over, and that is its sender's.
    async fn mail(&self, messaging: &Arc<Messaging>, from: &str, text: &str, number: u32) -> Result<(), Fault> {
        let date = httpdate::fmt_http_date(std::time::SystemTime::now());
        let raw = format!(
            "From: {from}@demo.example\r\nTo: fleet@demo.example\r\nSubject: Fleet\r\nDate: {date}\r\n\
             Message-ID: <{number}.{from}@demo.example>\r\n\r\n{text}\r\n"
        );
        hand_over(&self.app, messaging, raw.as_bytes(), Some("demo.example")).await?;
        Ok(())
    }
}
