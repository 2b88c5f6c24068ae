//! Children and memories over a real log: what is kept, what shows it to strangers, and what erasing leaves.

mod daily;
mod leaving;
mod listed;

use super::bundle::Bundle;
use super::erase::{forget, remove};
use super::profile::{own, texts};
use super::store::{Child, Guardian, Order};
use super::texts::{key, owner_of};
use super::types::KeptOut;
use super::work::{Kept, Newborn, Remembered, prepare, register, remember};
use crate::App;
use crate::messaging::Language;
use crate::testing::{Backup, founded, vault};
use dualseal::evidence::{EvidenceFile, EvidencePolicy};
use dualseal::{IdentityId, Timestamp};
use dualseal_operator::step::{Changes, State, Step, Ticket};
use jiff::civil::Date;
use platform::access::World;
use platform::clock::Clock;
use platform::db::{Statement, Tx, statements};
use platform::idempotency::Idempotency;
use platform::log::{MarkPlace, Work, verify};
use platform::problem::{Problem, kinds};
use platform::values;
use platform::web::Record;
use std::collections::BTreeSet;
use std::ops::Range;
use tempfile::TempDir;

statements! {
    ALL_CHILDREN = "SELECT id FROM family_children";
    ALL_MEMORIES = "SELECT id FROM family_memories";
    TAKEN = "DELETE FROM family_children";
    MOVED = "UPDATE family_children SET zone = 'Atlantis/Capital'";
    ENTRIES = "SELECT COUNT(*) AS found FROM entries";
    OWNED = "SELECT COUNT(*) AS found FROM owned_secrets WHERE tbl = 'family'";
}

struct House {
    app: App,
    clock: Clock,
    ana: Guardian,
    child: IdentityId,
    folder: TempDir,
}

impl House {
    async fn new() -> Self {
        // What lies apart is forced to the disk, each key by itself: here it need not outlive the machine.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let clock = Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap());
        let app = founded(folder.path(), daily::most(u32::MAX), clock.clone()).await;
        let id = app.log.domain().identity_id(b"", "ana", "").unwrap();
        let ana = Guardian { id, world: World::Real };
        let child = born(&app, ana).await;
        Self { app, clock, ana, child, folder }
    }

    async fn keep(&self, text: &str) -> String {
        let kept = Kept::Text(text.to_owned());
        remember(&self.app, self.ana, self.child, &kept, Idempotency::default()).await.unwrap().memorija_id
    }

    /// Many at once: one transaction of the log has all of them.
    async fn keep_many(&self, numbers: Range<usize>) -> Vec<KeptOut> {
        let mut many = Vec::new();
        for number in numbers {
            let kept = Kept::Text(format!("memory {number}"));
            many.push(prepare(&self.app, self.ana, self.child, &kept, Idempotency::default()).await.unwrap());
        }
        self.app.log.submit(Many(many)).await.unwrap()
    }

    async fn child(&self) -> Option<Child> {
        self.ana.child(&self.app.db, self.app.authority.tags(), &self.child).await.unwrap()
    }

    /// What a guardian reads, in order.
    async fn read(&self) -> Vec<Option<String>> {
        let memories = self.ana.memories(&self.app.db, &self.child, Order::Oldest(None), 20_000).await.unwrap();
        texts(&self.app, &self.child, &memories).await.unwrap()
    }

    async fn holds(&self) {
        let mark = MarkPlace::File(self.folder.path().join("mark"));
        verify(&self.app.db, self.app.log.secrets(), &mark).await.unwrap();
    }
}

struct Many(Vec<Remembered>);

impl Work for Many {
    type Read = ();
    type Made = Vec<Ticket>;
    type Answer = Vec<KeptOut>;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<(), Problem> {
        self.0[0].read(tx, state).await
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<Vec<Ticket>, Problem> {
        self.0.iter().map(|one| one.step(step, ())).collect()
    }

    async fn rows(&self, tx: &mut Tx, made: Vec<Ticket>, changes: &Changes) -> Result<Vec<KeptOut>, Problem> {
        let mut kept = Vec::new();
        for (one, ticket) in self.0.iter().zip(made) {
            kept.push(one.rows(tx, ticket, changes).await?);
        }
        Ok(kept)
    }
}

async fn born(app: &App, guardian: Guardian) -> IdentityId {
    let zone = crate::lifecycle::zone("Europe/Zagreb").unwrap();
    let born = Date::constant(2019, 5, 31);
    let newborn = Newborn { name: "Maja".into(), born, language: Language::Hr, zone, today: 20_778 };
    let made = register(app, &vault(app).await, guardian, newborn, Idempotency::default()).await.unwrap();
    assert!(made.seal_id.starts_with("SEAL-DUAL::"));
    made.identity_id.parse().unwrap()
}

/// Whether a file of evidence holds over a document, for who has the log's fingerprint and nothing else.
fn holds(app: &App, file: &Record, document: &str) -> bool {
    let file = EvidenceFile::from_json(file.text().as_bytes()).unwrap();
    let log = file.fingerprint(None).unwrap();
    assert_eq!(log, file.fingerprint(Some(app.log.domain())).unwrap());
    file.open(&EvidencePolicy::of_log(log)).unwrap().verify(document.as_bytes()).is_ok()
}

#[tokio::test]
async fn a_zone_that_is_gone_keeps_no_child() {
    let house = House::new().await;
    house.keep("kept").await;
    let mut tx = house.app.db.begin().await.unwrap();
    tx.for_guardian(&house.ana.id.to_hex()).await.unwrap();
    assert_eq!(tx.execute(MOVED, values![]).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(house.child().await.unwrap().zone.0, "Atlantis/Capital");
    assert_eq!(own(&house.app, house.ana, &house.child.to_hex()).await.unwrap().0.today(house.clock.millis()), 20_778);
    remove(&house.app, house.ana, house.child).await.unwrap();
    assert!(house.child().await.is_none());
}

#[tokio::test]
async fn what_was_kept_verifies_offline() {
    let house = House::new().await;
    for _ in 0..2 {
        house.keep("Danas si sam vozio bicikl.").await;
    }
    let object = serde_json::json!({"visina": 121, "zub": "prvi"}).as_object().cloned().unwrap();
    let object = Kept::Object(object);
    remember(&house.app, house.ana, house.child, &object, Idempotency::default()).await.unwrap();
    let memories = house.ana.memories(&house.app.db, &house.child, Order::Oldest(None), 9).await.unwrap();
    let child = house.child().await.unwrap();
    let entries: Vec<_> = memories.iter().map(|memory| memory.krunica.clone()).collect();
    // Nothing was covered yet: a checkpoint is signed for it, and once is enough.
    let bundle = Bundle::over(&house.app, &entries).await.unwrap().unwrap();
    let texts = house.read().await;
    assert_ne!(texts[0], texts[1], "the same once more is another text, so that no guess is confirmed");
    for (memory, text) in memories.iter().zip(&texts) {
        let (file, text) = (bundle.of_memory(memory).await.unwrap().unwrap(), text.as_deref().unwrap());
        assert!(holds(&house.app, &file, text), "{text}");
        assert!(!holds(&house.app, &file, &text.replace("2026", "2027")), "{text}");
        assert!(text.contains(&house.child.to_hex()) && !text.contains(&house.ana.id.to_hex()));
    }
    let profile = super::profile::profile(&house.app, &child).await.unwrap().unwrap();
    let file = bundle.of_profile(&child).await.unwrap().unwrap();
    assert!(holds(&house.app, &file, &profile) && !holds(&house.app, &file, &profile.replace("Maja", "Mara")));
    // The ring goes on: the next checkpoint states it as it is.
    crate::keyed::keyed(&house.app, house.ana.id).await.unwrap();
    let bundle = Bundle::over(&house.app, &entries).await.unwrap().unwrap();
    assert!(holds(&house.app, &bundle.of_memory(&memories[0]).await.unwrap().unwrap(), texts[0].as_deref().unwrap()));
    house.holds().await;
}

/// Another guardian's, a thief's with the same token, and one that there is not.
#[tokio::test]
async fn a_child_is_its_guardians_alone() {
    let house = House::new().await;
    let memory = house.keep("naše").await;
    let bo = house.app.log.domain().identity_id(b"", "bo", "").unwrap();
    let (bo, thief) = (Guardian { id: bo, world: World::Real }, Guardian { world: World::Decoy, ..house.ana });
    for other in [bo, thief] {
        assert!(other.child(&house.app.db, house.app.authority.tags(), &house.child).await.unwrap().is_none());
        assert!(other.memories(&house.app.db, &house.child, Order::Newest(None), 9).await.unwrap().is_empty());
        let kept = Kept::Text("tuđe".into());
        let kept = remember(&house.app, other, house.child, &kept, Idempotency::default()).await;
        assert_eq!(kept.unwrap_err().kind(), &kinds::NOT_GUARDIAN);
        assert_eq!(remove(&house.app, other, house.child).await.unwrap_err().kind(), &kinds::NOT_GUARDIAN);
        assert_eq!(
            forget(&house.app, other, house.child, memory.clone()).await.unwrap_err().kind(),
            &kinds::UNKNOWN_ID
        );
    }
    born(&house.app, bo).await;
    let found = house.ana.children(&house.app, None, 9).await.unwrap();
    assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), [house.child.to_hex()]);
    assert_eq!(house.read().await.len(), 1);
    // The server itself shows nobody's rows to who names nobody, and another's to nobody.
    if !house.app.db.is_file() {
        let shown = async |statement: Statement| house.app.db.list(statement, values![]).await.unwrap().len();
        assert_eq!((shown(ALL_CHILDREN).await, shown(ALL_MEMORIES).await), (0, 0));
        let mut tx = house.app.db.begin().await.unwrap();
        tx.for_guardian(&bo.id.to_hex()).await.unwrap();
        assert_eq!(tx.list(ALL_CHILDREN, values![]).await.unwrap().len(), 1);
        assert_eq!(tx.list(ALL_MEMORIES, values![]).await.unwrap().len(), 0);
        let child = house.child().await.unwrap();
        assert!(child.change(&mut tx).await.is_ok(), "it names its own guardian");
        tx.roll_back().await.unwrap();
    }
}

/// Who writes to the database puts another guardian into a row: that one is shown nothing by it.
#[tokio::test]
async fn a_row_that_names_another_guardian_shows_nothing() {
    let house = House::new().await;
    let bo = Guardian { id: house.app.log.domain().identity_id(b"", "bo", "").unwrap(), world: World::Real };
    let id = house.child.to_hex();
    let (child, profile) = own(&house.app, house.ana, &id).await.unwrap();
    assert!(profile.unwrap().contains("Maja"));
    let mut tx = house.app.db.begin().await.unwrap();
    tx.for_guardian(&house.ana.id.to_hex()).await.unwrap();
    assert_eq!(tx.execute(TAKEN, values![]).await.unwrap(), 1);
    Child { guardian: bo, ..child }.add(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    for guardian in [bo, house.ana] {
        assert_eq!(own(&house.app, guardian, &id).await.unwrap_err().kind(), &kinds::NOT_GUARDIAN);
    }
}

/// So many in a transaction of the log, as under load.
const EACH: usize = 100;

/// A child of ten thousand in `cargo xtask assure services-memories`, which names how many.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_is_erased_also_in_a_backup() {
    let many = std::env::var("SERVICES_MEMORIES").map_or(2 * EACH, |many| many.parse().unwrap());
    assert!(many >= 2 * EACH && many.is_multiple_of(EACH), "{many}");
    let house = House::new().await;
    let mut kept = Vec::with_capacity(many);
    for first in (0..many).step_by(EACH) {
        kept.extend(house.keep_many(first..first + EACH).await);
        house.clock.set(Timestamp::from_millis(house.clock.millis() + 1).unwrap());
    }
    let entries: BTreeSet<_> = kept.iter().map(|one| one.krunica_hash.clone()).collect();
    assert_eq!(entries.len(), many, "an entry stands for two");
    let erased = kept[many / 2 + 21].memorija_id.clone();
    let owner = owner_of(house.app.log.domain(), &erased).unwrap();
    let backup = Backup::make(&house.app, &["family"]).await;
    assert_eq!(backup.of("family"), many + 1);
    assert!(key(&house.app, &owner, &erased).await.unwrap().is_some());
    forget(&house.app, house.ana, house.child, erased.clone()).await.unwrap();
    let left = house.read().await;
    assert_eq!(left.len(), many - 1);
    assert!(left.iter().all(Option::is_some), "another went with it");
    assert!(!left.iter().flatten().any(|text| text.contains(&format!("\"memory {}\"", many / 2 + 21))));
    house.holds().await;
    // What the backup has of it is put back, and does not open.
    backup.of_line(erased.as_bytes()).put(&house.app).await;
    assert!(key(&house.app, &owner, &erased).await.unwrap().is_none());
    // The child goes in pieces, each a transaction with an entry of its own, and nothing of any is left.
    let entries = async || house.app.db.find(ENTRIES, values![]).await.unwrap().unwrap().number("found").unwrap();
    let before = entries().await;
    forget_all(&house).await;
    assert_eq!(usize::try_from(entries().await - before).unwrap(), (many - 1).div_ceil(64));
    let owned = house.app.db.find(OWNED, values![]).await.unwrap().unwrap().number("found").unwrap();
    assert_eq!(owned, 1, "what the backup brought back has no row of a memory");
    house.holds().await;
}

async fn forget_all(house: &House) {
    remove(&house.app, house.ana, house.child).await.unwrap();
    assert!(house.child().await.is_none() && house.read().await.is_empty());
    assert_eq!(remove(&house.app, house.ana, house.child).await.unwrap_err().kind(), &kinds::NOT_GUARDIAN);
}

#[tokio::test]
async fn a_child_goes_with_all_that_was_kept() {
    let house = House::new().await;
    for number in 0..5 {
        house.keep(&format!("sjećanje {number}")).await;
    }
    let other = born(&house.app, house.ana).await;
    let backup = Backup::make(&house.app, &["family"]).await;
    assert_eq!(backup.of("family"), 7);
    forget_all(&house).await;
    let owned = house.app.db.find(OWNED, values![]).await.unwrap().unwrap().number("found").unwrap();
    assert_eq!(owned, 1, "the other child's profile");
    // Of the backup the other child's profile alone opens; of the first one's nothing, by which all else would.
    assert_eq!(backup.opens(&house.app).await, ["family"]);
    let child = house.ana.child(&house.app.db, house.app.authority.tags(), &other).await.unwrap().unwrap();
    assert!(super::profile::profile(&house.app, &child).await.unwrap().is_some());
    house.holds().await;
    // A crash before the key was destroyed: the job ends it.
    house.app.owners.end_erasures(&house.app.db, &house.app.log).await.unwrap();
}
