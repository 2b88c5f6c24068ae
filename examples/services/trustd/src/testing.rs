//! What the tests of the modules stand on: a log that was founded in a database of its own, answers, and backups.

mod backup;

pub(crate) use backup::Backup;

use crate::App;
use crate::vault::Vault;
use axum::body::to_bytes;
use axum::response::Response;
use dualseal::{Domain, IdentityId, SystemRng, Timestamp};
use dualseal_operator::secrets::Master;
use http::{HeaderMap, StatusCode};
use platform::Platform;
use platform::apart::Apart;
use platform::clock::Clock;
use platform::config::{Config, MessagingConfig};
use platform::db::{Db, Statement};
use platform::log::{Log, LogSettings, MarkPlace, found};
use platform::objects::Objects;
use platform::secrets::{ErasureKeys, Secrets, Tagged};
use platform::values;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::sync::OnceCell;
use uuid::Uuid;

/// The database with the schema of which each test has a copy, by its name.
static TEMPLATE: OnceCell<String> = OnceCell::const_new();

/// A file in the folder of the test.
async fn file(folder: &Path) -> Db {
    Db::open("sqlite:test.sqlite", folder, 4).await.unwrap()
}

/// A file in the folder of the test, or, where a server is named, a database of its own there.
pub(crate) async fn database(folder: &Path) -> Db {
    let Ok(server) = std::env::var("TRUSTD_TEST_POSTGRES") else {
        return file(folder).await;
    };
    let template = TEMPLATE.get_or_init(|| async {
        let name = made(&server, folder, "").await;
        let db = at(&server, folder, &name).await;
        db.migrate().await.unwrap();
        // A database to which somebody is connected cannot be copied.
        db.close().await;
        name
    });
    // By its files, which takes a fraction of what the schema's statements take.
    let copied = format!("TEMPLATE {} STRATEGY FILE_COPY", template.await);
    at(&server, folder, &made(&server, folder, &copied).await).await
}

/// The name of a new database of that server.
async fn made(server: &str, folder: &Path, how: &str) -> String {
    let name = format!("test_{}", Uuid::now_v7().simple());
    let create = Statement::new(Box::leak(format!("CREATE DATABASE {name} {how}").into_boxed_str()));
    let admin = Db::open(server, folder, 3).await.unwrap();
    admin.execute(create, values![]).await.unwrap();
    admin.close().await;
    name
}

async fn at(server: &str, folder: &Path, name: &str) -> Db {
    let (server, _) = server.rsplit_once('/').unwrap();
    Db::open(&format!("{server}/{name}"), folder, 4).await.unwrap()
}

/// A service whose log was just founded.
pub(crate) async fn founded(folder: &Path, config: Config, clock: Clock) -> App {
    founded_in(database(folder).await, folder, config, clock).await
}

async fn founded_in(db: Db, folder: &Path, config: Config, clock: Clock) -> App {
    let config = Config { data: folder.to_owned(), ..config };
    db.migrate().await.unwrap();
    let domain = Domain::new(&config.domain).unwrap();
    let secrets = Secrets::new(Master::draw(&domain, &mut SystemRng).unwrap());
    let mark = MarkPlace::File(folder.join("mark"));
    let mut tx = db.begin().await.unwrap();
    found(&mut tx, &clock, &secrets, &mark, 1, "localhost/trustd").await.unwrap();
    tx.commit().await.unwrap();
    let log = Log::open(db.clone(), clock.clone(), secrets.clone(), mark, LogSettings::default()).await.unwrap();
    let owners = ErasureKeys::new(Apart::open(&config).unwrap(), secrets);
    Platform::open(config, clock, db, log, owners).await.unwrap()
}

/// A service over a log of its own and a clock that is set, with somebody who is told by SMS.
pub(crate) struct House {
    pub(crate) app: App,
    pub(crate) clock: Clock,
    pub(crate) ana: IdentityId,
    _folder: TempDir,
}

impl House {
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::over(database(folder.path()).await, folder).await
    }

    /// One over a file, whose columns take what those of a server would not.
    pub(crate) async fn of_file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::over(file(folder.path()).await, folder).await
    }

    async fn over(db: Db, folder: TempDir) -> Self {
        const CONTACT: Statement = Statement::new(
            "INSERT INTO contacts (id, name, identity_id, phone, language, on_call, state, version, changed, world) \
             VALUES ($1, 'Ana', $2, $3, 'en', 0, 'active', 1, 0, 0)",
        );
        let clock = Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap());
        // E-mail has a way, which no test sends by.
        let messaging = MessagingConfig {
            smtp_host: Some("localhost".into()),
            mail_from: Some("fleet@acme.example".into()),
            ..MessagingConfig::default()
        };
        let config = Config { messaging, ..Config::default() };
        let app = founded_in(db, folder.path(), config, clock.clone()).await;
        let ana = app.log.domain().identity_id(b"", "ana", "").unwrap();
        let contact = values!["0192f0c1-2345-7abc-8def-0123456789ab", ana.to_hex(), "+385911234567"];
        app.db.execute(CONTACT, contact).await.unwrap();
        Self { app, clock, ana, _folder: folder }
    }

    pub(crate) fn after(&self, millis: i64) {
        self.clock.set(Timestamp::from_millis(self.clock.millis() + millis).unwrap());
    }

    /// What was told, in order.
    pub(crate) async fn sent(&self) -> Vec<String> {
        const SENT: Statement = Statement::new("SELECT body FROM messages_out ORDER BY id");
        self.app.db.list(SENT, values![]).await.unwrap().iter().map(|row| row.text("body").unwrap()).collect()
    }
}

/// A node, without its entry, so that tests count their own.
pub(crate) async fn node(app: &App, label: &str, identity_id: &str, added: i64) {
    const NODE: Statement =
        Statement::new("INSERT INTO custodians (label, identity_id, key, added, tag) VALUES ($1, $2, $3, $4, $5)");
    let mut values = values![label, identity_id, None::<Vec<u8>>, added];
    let covered = [values.clone(), values![None::<i64>]].concat();
    let table = Tagged { table: "custodians", columns: &[], tag: "tag" };
    values.push(app.authority.tags().tag(&table, &covered).into());
    app.db.execute(NODE, values).await.unwrap();
}

/// Its vault.
pub(crate) async fn vault(app: &App) -> Arc<Vault> {
    let objects = Objects::open(&app.config, app.db.clone(), app.clock.clone()).unwrap();
    Vault::open(app, objects).await.unwrap()
}

/// An answer, read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) async fn read(response: Response) -> Self {
        let (status, headers) = (response.status(), response.headers().clone());
        let body = to_bytes(response.into_body(), usize::MAX).await.map_err(|error| error.to_string());
        // One that breaks off is what it breaks off with.
        let body = body.unwrap_or_else(|error| error.into_bytes().into()).to_vec();
        Self { status, headers, body }
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }

    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", String::from_utf8_lossy(&self.body));
        self
    }
}
