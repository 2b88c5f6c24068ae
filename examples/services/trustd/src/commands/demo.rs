//! `trustd demo`: a day of a small fleet, for whoever sees the service for the first time. All of it is asked of the
//! service's own addresses, as an office and its drivers do, in one process.

mod story;

use super::Fault;
use super::serve::assembled;
use crate::fleet::Clocks;
use crate::integrity::Watch;
use crate::lifecycle::Documents;
use crate::messaging::{Messaging, hand_over};
use crate::models::Models;
use crate::start::{Started, start};
use crate::table::TABLE;
use crate::vault::Vault;
use crate::{App, fleet, lifecycle};
use axum::Router;
use axum::body::{Body, to_bytes};
use dualseal::IdentityId;
use http::{Request, header};
use platform::access::{Scope, Tier, World};
use platform::authority::Grant;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::Statement;
use platform::values;
use platform::web::Web;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use tower::ServiceExt as _;
use url::Host;

/// The most bytes of an answer.
const ANSWER: usize = 4 << 20;

/// More than what founding a log writes is somebody's.
const USED: Statement = Statement::new("SELECT COUNT(*) AS found FROM entries");

/// So many entries has a log in which nothing happened yet: the key by which its checkpoints are signed.
const FOUNDED: u64 = 1;

/// Fills a service in which nothing happened yet, and says what to look at.
///
/// # Errors
/// Somebody uses the service, or its settings are none of a demonstration; what the service refuses.
pub async fn fill(mut config: Config, clock: Clock, out: &mut dyn Write) -> Result<(), Fault> {
    if let Some(fault) = refused(&config) {
        return Err(format!("{fault}: a demonstration has settings of its own, and a data folder").into());
    }
    // Nobody watches how long an answer takes.
    config.limits.slot = 0;
    let Started { platform: app, objects, .. } = start(config, clock).await?;
    let used = app.db.find(USED, values![]).await?.map_or(Ok(0), |row| row.size("found"))?;
    if used > FOUNDED {
        let text = "the log has entries already: a demonstration has a data folder of its own, and is begun once there";
        return Err(text.into());
    }
    let vault = Vault::open(&app, objects).await?;
    let messaging = Messaging::open(&app, Arc::clone(&vault), vec![Arc::new(Clocks), Arc::new(Documents)])?;
    let web = Web::open((&app.db, Some(&app.log)), &app.secrets, &app.clock, &app.config, TABLE).await?;
    let models = Models::open(&app)?;
    let router = assembled(&app, (&vault, &messaging, &Watch::open(&app)?, &models), &web);
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
    writeln!(out, "nobody is reached: cries for help and alarms go to company@demo.example, by no provider")?;
    writeln!(out, "trustd serve                         then, with what these print:")?;
    writeln!(
        out,
        "  {here}/fleet/    trustd token issue --tier native --scope \"fleet driver messaging\" --subject {office}"
    )?;
    writeln!(out, "  {here}/driver/   trustd invite --tier noble --scope driver --subject {}", people.ana)?;
    writeln!(out, "  {here}/docs/     every address; the link of an inspection: {}", people.link)?;
    Ok(())
}

/// What keeps a demonstration out of a service that people use: they would be told of vehicles that nobody has, and a
/// cry for help would count as heard by an address that nobody reads.
fn refused(config: &Config) -> Option<&'static str> {
    let is_here = match config.base_url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let messaging = &config.messaging;
    [
        (!config.database.starts_with("sqlite:"), "database: is a server"),
        (config.objects.contains("://"), "objects: are elsewhere"),
        (!is_here, "base_url: is an address that others reach"),
        (messaging.sms_account.is_some(), "messaging.sms_account: is set"),
        (messaging.smtp_host.is_some(), "messaging.smtp_host: is set"),
        (messaging.relay_url.is_some(), "messaging.relay_url: is set"),
        (messaging.webhook_key_file.is_some(), "messaging.webhook_key_file: is set"),
    ]
    .into_iter()
    .find_map(|(is_so, fault)| is_so.then_some(fault))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personal::Personal;
    use dualseal_operator::step::{Changes, State, Step};
    use platform::db::Tx;
    use platform::log::Work;
    use platform::problem::Problem;

    /// What somebody did.
    struct Entered;

    impl Work for Entered {
        type Read = Personal;
        type Made = ();
        type Answer = ();

        async fn read(&self, _: &mut Tx, _: &State) -> Result<Personal, Problem> {
            Personal::draw("somebody was here".into())
        }

        fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(), Problem> {
            personal.append(step).map(drop)
        }

        async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
            Ok(())
        }
    }

    fn config(folder: &std::path::Path) -> Config {
        Config { data: folder.to_owned(), ..Config::default() }
    }

    /// A service that somebody uses, if only for its keys, gets none of it.
    #[tokio::test]
    async fn a_service_that_is_used_is_not_filled() {
        const ALL: Statement = Statement::new("SELECT COUNT(*) AS found FROM contacts");
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap());
        let Started { platform: app, .. } = start(config(folder.path()), clock.clone()).await.unwrap();
        app.log.submit(Entered).await.unwrap();
        let fault = fill(config(folder.path()), clock, &mut Vec::new()).await.unwrap_err();
        assert!(fault.to_string().contains("entries already"), "{fault}");
        assert_eq!(app.db.find(ALL, values![]).await.unwrap().unwrap().size("found").unwrap(), 0);
    }

    #[test]
    fn settings_of_others_are_refused() {
        let folder = std::path::Path::new("demo");
        assert_eq!(refused(&config(folder)), None);
        let with = |more: fn(&mut Config)| {
            let mut config = config(folder);
            more(&mut config);
            refused(&config).is_some()
        };
        assert!(with(|config| config.database = "postgres://db/trustd".into()));
        assert!(with(|config| config.objects = "s3://trustd/objects".into()));
        assert!(with(|config| config.base_url = "https://trust.example/".parse().unwrap()));
        assert!(with(|config| config.messaging.sms_account = Some("AC1".into())));
        assert!(with(|config| config.messaging.smtp_host = Some("mail.example".into())));
        assert!(with(|config| config.messaging.relay_url = Some("https://relay.example/".parse().unwrap())));
        assert!(with(|config| config.messaging.webhook_key_file = Some("key".into())));
    }
}
