//! A service's storage in a folder of its own, and a database of its own.

use dualseal::{Domain, IdentityId, SigningKey, SystemRng, Timestamp};
use dualseal_operator::secrets::{Master, Place};
use dualseal_operator::step::{Changes, State, Step};
use platform::apart::Apart;
use platform::clock::Clock;
use platform::config::{Config, S3Config};
use platform::db::{Db, Tx};
use platform::log::{Log, LogFault, LogSettings, MarkPlace, Work, found, seed_place};
use platform::objects::Objects;
use platform::problem::Problem;
use platform::secrets::{ErasureKeys, OwnerKey, Secrets};
use sqlx::Executor;
use std::path::PathBuf;

pub(crate) const START: &str = "2026-11-23T12:00:00.000Z";
pub(crate) const ORIGIN: &str = "localhost/test";

/// The folder, the settings, and what is opened with them.
pub(crate) struct Service {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) config: Config,
    pub(crate) clock: Clock,
}

pub(crate) fn domain() -> Domain {
    Domain::new("TRUST").unwrap()
}

pub(crate) fn identity(name: &str) -> IdentityId {
    domain().identity_id(b"", name, "").unwrap()
}

/// One on each database; and, where `TRUSTD_TEST_S3` names a server's endpoint, a bucket and the files of its two keys,
/// one whose objects, and what lies apart, are there.
pub(crate) async fn services() -> Vec<Service> {
    let mut services = vec![Service::new("sqlite:trustd.sqlite".into())];
    if let Ok(address) = std::env::var("TRUSTD_TEST_POSTGRES_OWNER") {
        services.push(Service::new(postgres(&address).await));
    }
    if let Ok(server) = std::env::var("TRUSTD_TEST_S3") {
        let [endpoint, bucket, access, secret] = server.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let mut service = Service::new("sqlite:trustd.sqlite".into());
        service.config.s3 = Box::new(S3Config {
            endpoint: Some(endpoint.parse().unwrap()),
            region: None,
            access_key_file: Some(access.into()),
            secret_key_file: Some(secret.into()),
            allow_http: true,
        });
        let prefix = format!("s3://{bucket}/{}", uuid::Uuid::now_v7().simple());
        service.config.objects = format!("{prefix}/objects");
        service.config.keys.apart = Some(format!("{prefix}/apart"));
        services.push(service);
    }
    services
}

/// A database of this name on the server.
pub(crate) async fn postgres(address: &str) -> String {
    let name = format!("t{}", uuid::Uuid::now_v7().simple());
    let pool = sqlx::PgPool::connect(address).await.unwrap();
    pool.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    pool.close().await;
    let (server, _) = address.rsplit_once('/').unwrap();
    format!("{server}/{name}")
}

impl Service {
    pub(crate) fn new(database: String) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { data: folder.path().to_owned(), database, ..Config::default() };
        let master = Master::draw(&domain(), &mut SystemRng).unwrap();
        std::fs::write(folder.path().join("master.pem"), &*master.to_pem(None, &mut SystemRng).unwrap()).unwrap();
        let clock = Clock::still(START.parse().unwrap());
        Self { folder, config, clock }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn later(&self, millis: i64) -> i64 {
        let now = self.clock.millis() + millis;
        self.clock.set(Timestamp::from_millis(now).unwrap());
        now
    }

    pub(crate) fn secrets(&self) -> Secrets {
        platform::secrets::open(&self.config).unwrap()
    }

    pub(crate) fn mark(&self) -> MarkPlace {
        MarkPlace::Apart(Apart::open(&self.config).unwrap())
    }

    pub(crate) fn keys(&self) -> ErasureKeys {
        ErasureKeys::new(Apart::open(&self.config).unwrap(), self.secrets())
    }

    pub(crate) async fn db(&self) -> Db {
        let db = Db::open(&self.config.database, &self.config.data, 4).await.unwrap();
        db.migrate().await.unwrap();
        db
    }

    pub(crate) async fn objects(&self) -> Objects {
        Objects::open(&self.config, self.db().await, self.clock.clone()).unwrap()
    }

    pub(crate) async fn found(&self) -> Log {
        let (db, secrets) = (self.db().await, self.secrets());
        let mut tx = db.begin().await.unwrap();
        secrets.check(&mut tx, self.clock.millis()).await.unwrap();
        found(&mut tx, &self.clock, &secrets, &self.mark(), 1, ORIGIN).await.unwrap();
        tx.commit().await.unwrap();
        self.open().await
    }

    pub(crate) async fn open(&self) -> Log {
        self.try_open().await.unwrap()
    }

    pub(crate) async fn try_open(&self) -> Result<Log, LogFault> {
        let settings = LogSettings::default();
        Log::open(self.db().await, self.clock.clone(), self.secrets(), self.mark(), settings).await
    }
}

/// Appends a message.
pub(crate) struct Say(pub(crate) String);

impl Work for Say {
    type Read = ();
    type Made = ();
    type Answer = u64;

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        step.append(&identity("ana"), &self.0)?;
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), changes: &Changes) -> Result<u64, Problem> {
        Ok(changes.head.size())
    }
}

/// Gives an identity a key that the service holds, and signs with it.
pub(crate) struct Sign {
    pub(crate) identity: IdentityId,
    pub(crate) secrets: Secrets,
}

impl Work for Sign {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<(), Problem> {
        // A drawn key of the test's, whose seed stands where the writer looks for it.
        let key = SigningKey::from_seed(&[7; 32])?;
        let row = self.secrets.seal(seed_place(key.public_key())?, &[7; 32])?;
        Ok(self.secrets.put(tx, &row.into()).await?)
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        step.add_key(&self.identity, SigningKey::from_seed(&[7; 32])?.public_key())?;
        step.sign(&self.identity, &domain().content_hash(&self.identity, b"one contract"))?;
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

/// Keeps a secret of an owner, under his erasure key, with an entry.
pub(crate) struct Keep {
    pub(crate) keys: ErasureKeys,
    pub(crate) key: OwnerKey,
    pub(crate) place: Place,
    pub(crate) secret: Vec<u8>,
}

impl Work for Keep {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        step.append(&identity("ana"), "kept")?;
        step.keep(self.key.wrap(self.place.clone(), &self.secret)?);
        Ok(())
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        self.keys.own(tx, &self.key, &self.place).await
    }
}

/// Keeps one for an owner.
pub(crate) async fn keep(service: &Service, log: &Log, owner: &str, line: &[u8], secret: &[u8]) -> Place {
    let (keys, place) = (service.keys(), Place::new("vault", line, "secret").unwrap());
    let key = keys.current(&identity(owner)).await.unwrap();
    let work = Keep { keys, key, place: place.clone(), secret: secret.to_vec() };
    log.submit(work).await.unwrap();
    place
}

/// Seals one under the master, beside the log.
pub(crate) async fn put(service: &Service, db: &Db, line: &[u8], secret: &[u8]) -> Place {
    let (secrets, place) = (service.secrets(), Place::new("tokens", line, "key").unwrap());
    let mut tx = db.begin().await.unwrap();
    let row = secrets.seal(place.clone(), secret).unwrap();
    secrets.put(&mut tx, &row.into()).await.unwrap();
    tx.commit().await.unwrap();
    place
}

/// Runs a text as it stands.
pub(crate) async fn run(db: &Db, text: &'static str) {
    match db {
        Db::Sqlite { write, .. } => drop(sqlx::query(text).execute(write).await.unwrap()),
        Db::Postgres { pool, .. } => drop(sqlx::query(text).execute(pool).await.unwrap()),
    }
}
