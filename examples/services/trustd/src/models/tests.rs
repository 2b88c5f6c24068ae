//! The chain over providers of a test, each of which answers as its documentation says.
//!
//! | file | what it shows |
//! |---|---|
//! | `recorded` | what each documented answer means, and what each provider is sent |
//! | `order` | who is asked, when, and what is waited for |
//! | `spending` | budgets, and what a thief gets |
//! | `silence` | that nothing of a question or a key is told |

mod order;
mod recorded;
mod silence;
mod spending;

use super::chain::{Models, Pause};
use super::routes::answered;
use super::types::{MessagesIn, MessagesOut};
use crate::testing::House;
use dualseal::IdentityId;
use futures::future::BoxFuture;
use platform::access::{Caller, Scope, Tier, World};
use platform::config::{ModelKind, ModelsConfig, ProviderConfig};
use platform::problem::Problem;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use uuid::Uuid;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

const KINDS: [ModelKind; 4] = [ModelKind::Anthropic, ModelKind::OpenAi, ModelKind::Gemini, ModelKind::Mistral];
const PROMPT: &str = "What is a tachograph?";

/// An answer as the provider's documentation, or whoever met it, has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// Where it stands.
    source: String,
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    body: Option<Value>,
    /// What is no JSON.
    raw: Option<String>,
    /// What it means for the chain.
    means: String,
    said: Option<Told>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    text: String,
    usage: [u64; 2],
    stop: String,
}

impl Case {
    fn template(&self) -> ResponseTemplate {
        let text = self.body.as_ref().map_or_else(|| self.raw.clone().unwrap(), Value::to_string);
        let template = ResponseTemplate::new(self.status).set_body_raw(text, "application/json");
        let with = |template: ResponseTemplate, (name, value): (&String, &String)| {
            template.insert_header(name.as_str(), value.as_str())
        };
        self.headers.iter().fold(template, with)
    }
}

fn cases(kind: ModelKind) -> Vec<Case> {
    let text = match kind {
        ModelKind::Anthropic => include_str!("tests/recorded/anthropic.json"),
        ModelKind::OpenAi => include_str!("tests/recorded/openai.json"),
        ModelKind::Gemini => include_str!("tests/recorded/gemini.json"),
        ModelKind::Mistral => include_str!("tests/recorded/mistral.json"),
    };
    serde_json::from_str(text).unwrap()
}

fn case(kind: ModelKind, name: &str) -> ResponseTemplate {
    cases(kind).iter().find(|case| case.name == name).unwrap_or_else(|| panic!("no {name}")).template()
}

fn provider(kind: ModelKind, server: &MockServer, key_file: PathBuf) -> ProviderConfig {
    let (url, model) = (server.uri().parse().unwrap(), "a-model-1".to_owned());
    ProviderConfig { kind, url, model, key_file, input_price: 300, output_price: 1500 }
}

fn key_file(folder: &Path, kind: ModelKind) -> PathBuf {
    let file = folder.join(kind.as_str());
    fs::write(&file, format!("key-of-{}\n", kind.as_str())).unwrap();
    file
}

fn question() -> MessagesIn {
    let messages = json!([{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello."},
        {"role": "user", "content": PROMPT}]);
    serde_json::from_value(json!({"system": "Be brief.", "messages": messages, "max_tokens": 64})).unwrap()
}

/// A service with four providers, of which each has a server and a key.
struct Desk {
    house: House,
    models: Arc<Models>,
    servers: Vec<MockServer>,
    /// Seconds that were waited.
    waited: Arc<Mutex<Vec<u64>>>,
    keys: TempDir,
}

impl Desk {
    async fn new() -> Self {
        Self::with(|_| {}).await
    }

    async fn with(change: impl FnOnce(&mut ModelsConfig)) -> Self {
        let keys = tempfile::tempdir().unwrap();
        let mut models = ModelsConfig::default();
        let mut servers = Vec::new();
        for kind in KINDS {
            let server = MockServer::start().await;
            models.providers.push(provider(kind, &server, key_file(keys.path(), kind)));
            servers.push(server);
        }
        change(&mut models);
        let mut house = House::new().await;
        let mut platform = (*house.app).clone();
        let mut config = (*platform.config).clone();
        config.models = Box::new(models);
        platform.config = Arc::new(config);
        house.app = Arc::new(platform);
        let waited = Arc::<Mutex<Vec<u64>>>::default();
        let noted = Arc::clone(&waited);
        let pause: Pause = Arc::new(move |time: Duration| -> BoxFuture<'static, ()> {
            noted.lock().unwrap().push(time.as_secs());
            Box::pin(async {})
        });
        let models = Arc::new(Models::pausing(&house.app, pause).unwrap());
        Self { house, models, servers, waited, keys }
    }

    /// The next answers of a provider: what was given before comes first, so many times.
    async fn answers(&self, kind: ModelKind, template: ResponseTemplate, times: u64) {
        let mock = Mock::given(method("POST")).respond_with(template).up_to_n_times(times);
        mock.mount(&self.servers[place(kind)]).await;
    }

    /// The next answer of each, by its name in the records.
    async fn answer_as(&self, names: [&str; 4]) {
        for (kind, name) in KINDS.into_iter().zip(names) {
            self.answers(kind, case(kind, name), 1).await;
        }
    }

    fn waits(&self) -> Vec<u64> {
        self.waited.lock().unwrap().clone()
    }

    /// How often each was asked.
    async fn asked(&self) -> Vec<usize> {
        let mut counts = Vec::new();
        for server in &self.servers {
            counts.push(server.received_requests().await.unwrap().len());
        }
        counts
    }

    async fn ask_as(&self, caller: &Caller) -> Result<MessagesOut, Problem> {
        answered(&self.house.app, &self.models, caller, question()).await
    }

    /// Who answered, or the code of the refusal.
    async fn ask(&self) -> String {
        let caller = caller(self.house.ana, World::Real);
        match self.ask_as(&caller).await {
            Ok(out) => out.provider.to_owned(),
            Err(problem) => problem.kind().code.to_owned(),
        }
    }
}

fn caller(subject: IdentityId, world: World) -> Caller {
    Caller {
        subject,
        tier: Tier::Noble,
        scopes: [Scope::Models].into(),
        node: None,
        token: Uuid::nil(),
        client: "test".into(),
        world,
    }
}

fn place(kind: ModelKind) -> usize {
    KINDS.iter().position(|one| *one == kind).unwrap()
}
