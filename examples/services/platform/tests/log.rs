//! The log's writer over a real database: concurrent callers, rows that fail, a second process, an old copy.

use dualseal::key::Unprepared;
use dualseal::{Domain, IdentityId, SigningKey, SystemRng, Timestamp, Verifier};
use dualseal_operator::secrets::Master;
use dualseal_operator::step::{Changes, State, Step, Ticket};
use platform::clock::Clock;
use platform::db::{Db, Statement, Tx};
use platform::log::{Log, LogSettings, MarkPlace, TOGETHER, Work, found, seed_place, verify_recent};
use platform::problem::Problem;
use platform::secrets::Secrets;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
    master: String,
}

fn domain() -> Domain {
    Domain::new("TRUST").unwrap()
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let master = Master::draw(&domain(), &mut SystemRng).unwrap();
        let master = master.to_pem(None, &mut SystemRng).unwrap().to_string();
        Self { path: folder.path().to_owned(), _folder: folder, master }
    }

    fn mark(&self) -> MarkPlace {
        MarkPlace::File(self.path.join("mark"))
    }

    fn secrets(&self) -> Secrets {
        let file = self.path.join("master.pem");
        std::fs::write(&file, &self.master).unwrap();
        Secrets::new(dualseal_operator::secrets::MasterSource::file(file).open(&domain()).unwrap())
    }

    async fn db(&self) -> Db {
        let db = Db::open("sqlite:log.sqlite", &self.path, 4).await.unwrap();
        db.migrate().await.unwrap();
        db
    }

    async fn open(&self) -> Log {
        let settings = LogSettings { batch: 16, ..LogSettings::default() };
        let opened = Log::open(self.db().await, Clock::system(), self.secrets(), self.mark(), settings).await;
        opened.unwrap()
    }

    async fn found(&self) -> Log {
        let (db, secrets) = (self.db().await, self.secrets());
        let mut tx = db.begin().await.unwrap();
        found(&mut tx, &Clock::system(), &secrets, &self.mark(), 1, "localhost/test").await.unwrap();
        tx.commit().await.unwrap();
        self.open().await
    }
}

fn identity(name: &str) -> IdentityId {
    domain().identity_id(b"", name, "").unwrap()
}

/// Gives an identity a key.
struct AddKey {
    identity: IdentityId,
    secrets: Secrets,
}

impl Work for AddKey {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        let key = SigningKey::generate(&mut SystemRng)?;
        step.add_key(&self.identity, key.public_key())?;
        step.keep(self.secrets.seal(seed_place(key.public_key())?, key.seed().expose())?);
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

/// Signs, and fails where it is told to.
struct Sign {
    identity: IdentityId,
    content: Vec<u8>,
    fails: bool,
}

impl Work for Sign {
    type Read = ();
    type Made = Ticket;
    type Answer = dualseal::SignatureRecord;

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<Ticket, Problem> {
        Ok(step.sign(&self.identity, &domain().content_hash(&self.identity, &self.content))?)
    }

    async fn rows(&self, _: &mut Tx, made: Ticket, changes: &Changes) -> Result<Self::Answer, Problem> {
        if self.fails {
            return Err(Problem::invalid("/x", "told", "as it was told to"));
        }
        Ok(changes.records[made.index()].clone())
    }
}

async fn sign(log: &Log, identity: IdentityId, content: &str) -> Result<dualseal::SignatureRecord, Problem> {
    log.submit(Sign { identity, content: content.into(), fails: content == "fails" }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_share_a_transaction_and_one_that_fails_takes_nobody_with_it() {
    let place = Place::new();
    let log = place.found().await;
    let ana = identity("ana");
    log.submit(AddKey { identity: ana, secrets: place.secrets() }).await.unwrap();
    let mut waits = Vec::new();
    for number in 0..40 {
        let (log, content) = (log.clone(), if number % 10 == 3 { "fails".to_owned() } else { number.to_string() });
        waits.push(tokio::spawn(async move { sign(&log, ana, &content).await.map(|record| (content, record)) }));
    }
    let mut made = Vec::new();
    for wait in waits {
        made.push(wait.await.unwrap());
    }
    assert_eq!(made.iter().filter(|one| one.is_err()).count(), 4);
    let state = log.state().await.unwrap();
    assert_eq!(state.head().size(), 2 + 36);
    for (content, record) in made.into_iter().flatten() {
        let hash = domain().content_hash(&ana, content.as_bytes());
        let found = log.reader().by_handle(record.krunica_hash()).await.unwrap().expect("its entry");
        assert!(record.is_of(&domain(), &found.entry));
        let domain = domain();
        let verdict = Verifier::new(&domain, state.ring(), &Unprepared).verify(&hash, record, None);
        assert!(verdict.valid().is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_written_is_there_after_a_restart_and_a_place_is_proven() {
    let place = Place::new();
    let log = place.found().await;
    let ana = identity("ana");
    log.submit(AddKey { identity: ana, secrets: place.secrets() }).await.unwrap();
    for number in 0..20 {
        sign(&log, ana, &number.to_string()).await.unwrap();
    }
    assert_eq!(log.checkpoint().await.unwrap(), 22);
    drop(log);
    let log = place.open().await;
    let record = sign(&log, ana, "after").await.unwrap();
    let size = log.checkpoint().await.unwrap();
    let number = log.reader().current().await.unwrap();
    let (checkpoint, note) = log.reader().checkpoint(number).await.unwrap().unwrap();
    assert!(note.starts_with("localhost/test\n23\n"), "{note}");
    let found = log.reader().by_handle(record.krunica_hash()).await.unwrap().unwrap();
    let path = log.reader().path(number, found.entry.seq(), size).await.unwrap().unwrap();
    let proof = dualseal::checkpoint::PlaceProof::new(checkpoint.clone(), found.entry, path).unwrap();
    let state = log.state().await.unwrap();
    let own = dualseal_operator::own::OwnCheckpoint::judge(checkpoint, &domain(), "localhost/test", state.ring());
    let located = proof.verify(&own.unwrap().into_signed()).unwrap();
    assert_eq!(located.origin(), "localhost/test");
}

/// Two writers of one database stand for two processes.
#[tokio::test(flavor = "multi_thread")]
async fn two_writers_make_one_chain() {
    let place = Place::new();
    let (one, ana) = (place.found().await, identity("ana"));
    one.submit(AddKey { identity: ana, secrets: place.secrets() }).await.unwrap();
    let two = place.open().await;
    let mut waits = Vec::new();
    for number in 0..30 {
        let log = if number % 2 == 0 { one.clone() } else { two.clone() };
        waits.push(tokio::spawn(async move { sign(&log, ana, &number.to_string()).await.map(drop) }));
    }
    for wait in waits {
        wait.await.unwrap().unwrap();
    }
    two.submit(AddKey { identity: identity("ivo"), secrets: place.secrets() }).await.unwrap();
    sign(&one, identity("ivo"), "his key is known here too").await.unwrap();
    let entries = one.reader().range(1, 0, 100).await.unwrap();
    assert_eq!(entries.len(), 34);
    let mut head = dualseal::krunica::Checker::resume(dualseal::Head::EMPTY);
    for entry in &entries {
        head.push(entry).unwrap();
    }
    assert_eq!(one.state().await.unwrap().head(), &head.into_head());
}

/// What one process signs while another reads the store is no sign of an old copy.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_reads_while_another_signs_takes_no_store_for_an_old_one() {
    let place = Place::new();
    let (one, ana) = (place.found().await, identity("ana"));
    one.submit(AddKey { identity: ana, secrets: place.secrets() }).await.unwrap();
    let ended = Arc::new(AtomicBool::new(false));
    let mut reads = Vec::new();
    for _ in 0..4 {
        let (two, db, ended) = (place.open().await, place.db().await, Arc::clone(&ended));
        let (secrets, mark) = (place.secrets(), place.mark());
        reads.push(tokio::spawn(async move {
            while !ended.load(Ordering::Relaxed) {
                two.state().await.unwrap();
                verify_recent(&db, &secrets, &mark).await.unwrap();
            }
        }));
    }
    for number in 0..200 {
        sign(&one, ana, &number.to_string()).await.unwrap();
        one.checkpoint().await.unwrap();
    }
    ended.store(true, Ordering::Relaxed);
    for read in reads {
        read.await.unwrap();
    }
}

/// The entries of so many handles.
const TOLD: Statement = Statement::new(
    "SELECT logs.state, entries.krunica AS asked, entries.json AS told FROM logs LEFT JOIN entries \
     ON entries.krunica IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) \
     WHERE logs.id = (SELECT MAX(id) FROM logs)",
);

/// More than one question takes, of two processes; some of them go away, of which the others hear nothing.
#[tokio::test(flavor = "multi_thread")]
async fn questions_are_put_together_and_none_is_answered_by_what_was_before_it() {
    let place = Place::new();
    let (one, ana) = (place.found().await, identity("ana"));
    one.submit(AddKey { identity: ana, secrets: place.secrets() }).await.unwrap();
    let two = place.open().await;
    let mut waits = Vec::new();
    for number in 0..3 * TOGETHER {
        let (signs, asks) = if number % 2 == 0 { (one.clone(), two.clone()) } else { (two.clone(), one.clone()) };
        waits.push(tokio::spawn(async move {
            for round in 0..8 {
                let record = sign(&signs, ana, &format!("{number} {round}")).await.unwrap();
                let handle = *record.krunica_hash().as_bytes();
                let goes = asks.clone();
                let gone = tokio::spawn(async move { goes.state_beside(TOLD, handle).await.map(drop) });
                let both = tokio::try_join!(asks.state_beside(TOLD, handle), asks.state_beside(TOLD, [7; 32]));
                let ((state, told), (_, nothing)) = both.unwrap();
                gone.abort();
                let entry = dualseal::Entry::from_json(told.expect("it is written down").as_bytes()).unwrap();
                assert!(record.is_of(&domain(), &entry) && nothing.is_none());
                assert!(state.head().size() > entry.seq());
            }
        }));
    }
    for wait in waits {
        wait.await.unwrap();
    }
}

fn copy(from: &Path, to: &Path) {
    for name in ["log.sqlite", "log.sqlite-wal"] {
        let _ = std::fs::remove_file(to.join(name));
        if from.join(name).exists() {
            std::fs::copy(from.join(name), to.join(name)).unwrap();
        }
    }
    let _ = std::fs::remove_file(to.join("log.sqlite-shm"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_copy_is_not_worked_with() {
    let (place, backup) = (Place::new(), tempfile::tempdir().unwrap());
    let log = place.found().await;
    let ana = identity("ana");
    log.submit(AddKey { identity: ana, secrets: place.secrets() }).await.unwrap();
    copy(&place.path, backup.path());
    sign(&log, ana, "later").await.unwrap();
    log.checkpoint().await.unwrap();
    drop(log);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    copy(backup.path(), &place.path);
    let settings = LogSettings::default();
    let opened = Log::open(place.db().await, Clock::system(), place.secrets(), place.mark(), settings).await;
    assert!(opened.unwrap_err().to_string().contains("(restored)"));
    let _ = Timestamp::MIN;
}
