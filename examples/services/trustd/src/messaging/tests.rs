//! Messaging over a real log, with providers that are played over HTTP.

mod bounds;
mod coming;
mod cries;
mod filed;
mod going;
mod people;
mod spoiled;
mod states;

use super::changes::Changing;
use super::contacts::{Change, Contact, Standing};
use super::handle::{Inbound, Received, receive};
use super::intents::Language;
use super::rules::Channel;
use super::{Messaging, sender};
use crate::App;
use crate::testing;
use dualseal::{IdentityId, Timestamp};
use platform::access::World;
use platform::clock::Clock;
use platform::config::{Config, MessagingConfig, RateConfig};
use platform::db::statements;
use platform::idempotency::Idempotency;
use platform::values;
use serde_json::Value;
use std::sync::Arc;
use tempfile::TempDir;
use uuid::Uuid;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

statements! {
    OUT = "SELECT id, recipient, state, body, fault, way, once FROM messages_out ORDER BY id";
    IN = "SELECT sender, intent, outcome FROM messages_in ORDER BY id";
    ENTRIES = "SELECT COUNT(*) AS found FROM personal_entries";
    REPORTS = "SELECT contact, country, state FROM trip_reports";
    ALARMS = "SELECT kind, subject, detail FROM alarms ORDER BY id";
}

const ANA: &str = "+385911234567";
const BO: &str = "+385917654321";
const SMS: &str = "/2010-04-01/Accounts/AC1/Messages.json";
const RELAY: &str = "/bot42:token/sendMessage";

/// A service with its providers.
struct House {
    app: App,
    messaging: Arc<Messaging>,
    clock: Clock,
    provider: MockServer,
    _folder: TempDir,
}

/// What became of a message that goes out.
#[derive(Debug)]
struct Out {
    recipient: String,
    state: String,
    body: String,
    way: i64,
}

impl House {
    async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// One without a relay, with somebody on call whose number is none.
    async fn whose_on_call_is_not_reached() -> Self {
        let house = Self::with(|config| (config.relay_url, config.relay_token_file) = (None, None)).await;
        house
            .answers(SMS, |request| match got(request).0.as_str() {
                BO => ResponseTemplate::new(400).set_body_json(serde_json::json!({"code": 21211})),
                _ => taken(),
            })
            .await;
        house.on_call(|_| {}).await;
        house
    }

    async fn with(more: impl FnOnce(&mut MessagingConfig)) -> Self {
        let (folder, provider) = (tempfile::tempdir().unwrap(), MockServer::start().await);
        let token = folder.path().join("token");
        std::fs::write(&token, "42:token\n").unwrap();
        let mut messaging = MessagingConfig {
            sms_url: provider.uri().parse().unwrap(),
            sms_account: Some("AC1".into()),
            sms_token_file: Some(token.clone()),
            sms_from: Some("+385910000000".into()),
            relay_url: Some(provider.uri().parse().unwrap()),
            relay_token_file: Some(token),
            dns: Some("127.0.0.1:9".parse().unwrap()),
            ..MessagingConfig::default()
        };
        more(&mut messaging);
        let config = Config {
            data: folder.path().to_owned(),
            rate: RateConfig { enabled: false, ..RateConfig::default() },
            messaging,
            ..Config::default()
        };
        let clock = Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap());
        let app = testing::founded(folder.path(), config, clock.clone()).await;
        let vault = testing::vault(&app).await;
        let messaging = Messaging::open(&app, vault, Vec::new()).unwrap();
        Self { app, messaging, clock, provider, _folder: folder }
    }

    /// Adds somebody, as a native does.
    async fn contact(&self, phone: Option<&str>, more: impl FnOnce(&mut Contact)) -> Contact {
        let mut contact = Contact {
            id: Uuid::now_v7().to_string(),
            name: "Ana".into(),
            identity_id: None,
            phone: phone.map(str::to_owned),
            email: None,
            relay: None,
            language: Language::En,
            on_call: false,
            state: Standing::Active,
            version: 1,
        };
        more(&mut contact);
        let (now, idempotency) = (self.clock.millis(), Idempotency::default());
        let change = Change { contact: contact.clone(), what: "added", now, world: World::Real, idempotency };
        self.app.log.submit(Changing(change)).await.unwrap();
        contact
    }

    fn identity(&self, name: &str) -> IdentityId {
        self.app.log.domain().identity_id(b"", name, "").unwrap()
    }

    /// A short message that is authentic.
    async fn says(&self, from: &str, text: &str) -> Received {
        self.takes(from, text, &Uuid::now_v7().to_string()).await
    }

    async fn takes(&self, from: &str, text: &str, provider_id: &str) -> Received {
        let inbound = Inbound {
            channel: Channel::Sms,
            provider_id: provider_id.to_owned(),
            sender: from.to_owned(),
            is_verified: true,
            text: text.to_owned(),
            attached: Vec::new(),
            is_automatic: false,
        };
        receive(&self.app, &self.messaging, inbound).await.unwrap()
    }

    /// What the provider answers from now on.
    async fn answers(&self, at: &str, answer: impl Fn(&Request) -> ResponseTemplate + Send + Sync + 'static) {
        Mock::given(method("POST")).and(path(at)).respond_with(answer).mount(&self.provider).await;
    }

    /// Sends what is due now.
    async fn turn(&self) -> usize {
        sender::turn(&self.app, &self.messaging, self.clock.millis()).await.unwrap()
    }

    /// Later.
    fn after(&self, millis: i64) {
        self.clock.set(Timestamp::from_millis(self.clock.millis() + millis).unwrap());
    }

    async fn out(&self) -> Vec<Out> {
        let rows = self.app.db.list(OUT, values![]).await.unwrap();
        let read = |row: &platform::db::Row| Out {
            recipient: row.text("recipient").unwrap(),
            state: row.text("state").unwrap(),
            body: row.text("body").unwrap(),
            way: row.number("way").unwrap(),
        };
        rows.iter().map(read).collect()
    }

    /// The last answer.
    async fn said(&self) -> String {
        self.out().await.pop().map(|out| out.body).unwrap_or_default()
    }

    /// The code of the last answer.
    async fn code(&self) -> String {
        let said = self.said().await;
        let mut numbers = said.split(|one: char| !one.is_ascii_digit()).filter(|number| number.len() == 6);
        numbers.next().unwrap_or("none").to_owned()
    }

    async fn outcomes(&self) -> Vec<String> {
        let rows = self.app.db.list(IN, values![]).await.unwrap();
        rows.iter().map(|row| row.text("outcome").unwrap()).collect()
    }

    /// What the provider got, in order: to whom and what, with the key of idempotency.
    async fn got(&self) -> Vec<(String, String, String)> {
        let requests = self.provider.received_requests().await.unwrap();
        requests.iter().map(got).collect()
    }
}

fn got(request: &Request) -> (String, String, String) {
    let key = request.headers["idempotency-key"].to_str().unwrap().to_owned();
    if request.url.path() == RELAY {
        let said: Value = serde_json::from_slice(&request.body).unwrap();
        return (said["chat_id"].as_str().unwrap().into(), said["text"].as_str().unwrap().into(), key);
    }
    let form = super::authentic::form(&request.body);
    let of = |name| super::authentic::member(&form, name).unwrap().to_owned();
    (of("To"), of("Body"), key)
}

fn taken() -> ResponseTemplate {
    ResponseTemplate::new(201).set_body_json(serde_json::json!({"sid": format!("SM{}", Uuid::now_v7().simple())}))
}
