//! Documents over a real log and a clock that is set: what is told, to whom, and how often.

mod filed;
mod unheard;
mod years;

use super::rules::{self, date, zone};
use super::store::Document;
use super::turn;
use super::work::{Erased, Written};
use crate::testing::House;
use futures::future::join_all;
use jiff::ToSpan as _;
use jiff::civil::Date;
use platform::access::World;
use platform::db::statements;
use platform::idempotency::Idempotency;
use platform::values;
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

statements! {
    TOLD = "SELECT identity_id, date_version, threshold, state, time FROM document_alarms \
            ORDER BY time, identity_id, threshold";
    UNHEARD = "SELECT kind, subject FROM alarms";
    ENTRIES = "SELECT e.json, p.text FROM personal_entries p JOIN entries e ON e.krunica = p.krunica \
               WHERE p.tbl = 'documents'";
    ZONE = "UPDATE documents SET zona = $2 WHERE identity_id = $1";
    /// Whoever writes the file of SQLite may write bytes for a text.
    NAMELESS = "UPDATE documents SET identity_id = CAST(identity_id AS BLOB) WHERE identity_id = $1";
    /// As one that was planned by other settings.
    PLANNED = "UPDATE documents SET plan = '30', next_due = NULL";
}

const DAY: i64 = 86_400_000;
const ZAGREB: &str = "Europe/Zagreb";

impl House {
    pub(super) fn document(&self, name: &str, until: &str, zona: &str) -> Document {
        Document {
            identity_id: self.app.log.domain().identity_id(name.as_bytes(), "document", "").unwrap(),
            world: World::Real,
            vlasnik_id: self.ana,
            tip: "MEDICAL".into(),
            naslov: name.into(),
            vrijedi_do: date(until).unwrap(),
            zona: zone(zona).unwrap(),
            archived: false,
            kontekst: "00".repeat(16),
            contact: None,
            vault_id: None,
            version: 1,
            date_version: 1,
            told_to: None,
            krunica: String::new(),
            created: self.clock.millis(),
        }
    }

    pub(super) async fn write(&self, document: &Document) {
        let (now, idempotency, document) = (self.clock.millis(), Idempotency::default(), document.clone());
        self.app.log.submit(Written { app: self.app.clone(), document, now, idempotency }).await.unwrap();
    }

    fn days(&self, days: i64) {
        self.after(days * DAY);
    }

    /// What was recorded, by threshold and state.
    async fn told(&self, of: &Document) -> Vec<(i64, String)> {
        let rows = self.app.db.list(TOLD, values![]).await.unwrap();
        let own = rows.iter().filter(|row| row.text("identity_id").unwrap() == of.identity_id.to_hex());
        own.map(|row| (row.number("threshold").unwrap(), row.text("state").unwrap())).collect()
    }
}

/// A process that dies after so many steps of its work.
struct Dies<F>(Pin<Box<F>>, usize);

impl<F: Future> Future for Dies<F> {
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if self.1 == 0 {
            return Poll::Ready(None);
        }
        self.1 -= 1;
        self.0.as_mut().poll(context).map(Some)
    }
}

/// Three years, day by day, at one hour of the day: documents that end on each fifth day, among them 29 February and
/// the nights in which clocks change, in three zones. Each threshold of each is told once, on its day.
#[tokio::test]
async fn three_years_day_by_day() {
    let (begin, house): (Date, _) = ("2026-11-21".parse().unwrap(), House::new().await);
    let zones = [ZAGREB, "America/New_York", "Pacific/Kiritimati"];
    let mut documents = vec![house.document("leap", "2028-02-29", ZAGREB)];
    for (night, until) in ["2027-03-28", "2027-10-31", "2028-03-26", "2028-10-29"].iter().enumerate() {
        documents.push(house.document(&format!("night {night}"), until, ZAGREB));
    }
    for number in 0..(3 * 365 / 5) {
        let until = begin + (40 + number * 5).days();
        let zona = zones[usize::try_from(number).unwrap() % zones.len()];
        documents.push(house.document(&format!("d{number}"), &until.to_string(), zona));
    }
    for document in &documents {
        house.write(document).await;
    }
    for _ in 0..(3 * 365 + 60) {
        turn(&house.app).await.unwrap();
        // A second look on the same day, as after a restart, tells nothing.
        assert_eq!(turn(&house.app).await.unwrap(), 0);
        house.days(1);
    }
    let mut by: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    for row in &house.app.db.list(TOLD, values![]).await.unwrap() {
        assert_eq!(row.text("state").unwrap(), "sent");
        let (id, threshold) = (row.text("identity_id").unwrap(), row.number("threshold").unwrap());
        let document = documents.iter().find(|one| one.identity_id.to_hex() == id).unwrap();
        let before = u16::try_from(threshold).unwrap();
        let reached = rules::reached(document.vrijedi_do, &document.zona.1, before).unwrap();
        let late = row.number("time").unwrap() - reached;
        assert!((0..DAY).contains(&late), "{} {threshold}: {late}", document.naslov);
        assert!(by.entry(id).or_default().insert(threshold), "twice");
    }
    assert_eq!(by.len(), documents.len());
    assert!(by.values().all(|found| *found == BTreeSet::from([1, 7, 30])));
    assert_eq!(house.sent().await.len(), documents.len() * 3);
}

/// After days without the loop the tightest alone is told, and a new date is told anew.
#[tokio::test]
async fn missed_days_are_told_once_and_a_new_date_anew() {
    let house = House::new().await;
    let mut document = house.document("licence", "2027-01-31", ZAGREB);
    house.write(&document).await;
    assert_eq!(turn(&house.app).await.unwrap(), 0);
    house.days(66);
    turn(&house.app).await.unwrap();
    assert_eq!(house.told(&document).await, [(7, "sent".into()), (30, "missed".into())]);
    assert_eq!(house.sent().await, ["licence: valid until 31.01.2027. Days left: 5."]);
    // What changes beside the date tells nothing again.
    (document.naslov, document.version) = ("new licence".into(), 2);
    house.write(&document).await;
    assert_eq!(turn(&house.app).await.unwrap(), 0);
    (document.vrijedi_do, document.version, document.date_version) = (date("2027-02-03").unwrap(), 3, 2);
    house.write(&document).await;
    turn(&house.app).await.unwrap();
    assert_eq!(house.sent().await.len(), 2, "8 days are left: 30 is told of the new date");
    house.days(30);
    turn(&house.app).await.unwrap();
    assert_eq!(house.sent().await[2..], ["new licence: expired on 03.02.2027."]);
}

/// What is archived is told no more, until it is taken back.
#[tokio::test]
async fn what_is_archived_is_told_no_more() {
    let house = House::new().await;
    let mut document = house.document("contract", "2027-04-01", ZAGREB);
    house.write(&document).await;
    (document.archived, document.version) = (true, 2);
    house.write(&document).await;
    house.days(365);
    assert_eq!(turn(&house.app).await.unwrap(), 0);
    assert!(house.told(&document).await.is_empty());
    (document.archived, document.version) = (false, 3);
    house.write(&document).await;
    assert_eq!(turn(&house.app).await.unwrap(), 1);
    assert_eq!(house.sent().await, ["contract: expired on 01.04.2027."]);
}

/// Several loops at once, each with the same documents before it.
#[tokio::test]
async fn however_many_look_each_is_told_once() {
    let house = House::new().await;
    for number in 0..450 {
        house.write(&house.document(&format!("d{number}"), "2026-12-01", ZAGREB)).await;
    }
    let counts = join_all((0..2).map(|_| turn(&house.app))).await;
    let told: usize = counts.into_iter().map(Result::unwrap).sum();
    assert_eq!((told, house.sent().await.len()), (450, 450));
}

/// A process that dies at any step, and one that begins behind it: each is told once.
#[tokio::test]
async fn after_a_death_at_any_step_each_is_told_once() {
    let house = House::new().await;
    let mut steps = 0;
    loop {
        let document = house.document(&format!("d{steps}"), "2026-12-01", ZAGREB);
        house.write(&document).await;
        steps += 1;
        let ended = Dies(Box::pin(turn(&house.app)), steps).await.is_some();
        turn(&house.app).await.unwrap();
        assert_eq!(house.told(&document).await, [(30, "sent".into())], "after {steps} steps");
        assert_eq!(house.sent().await.len(), steps, "after {steps} steps");
        if ended {
            break;
        }
    }
    assert!(steps > 2, "{steps}");
}

/// Other thresholds than those that a document was planned by count from the next look on.
#[tokio::test]
async fn new_thresholds_count_for_what_was_planned_before() {
    let house = House::new().await;
    let document = house.document("d", "2026-12-01", ZAGREB);
    house.write(&document).await;
    assert_eq!(turn(&house.app).await.unwrap(), 1);
    house.app.db.execute(PLANNED, values![]).await.unwrap();
    house.days(5);
    turn(&house.app).await.unwrap();
    assert_eq!(house.told(&document).await, [(30, "sent".into()), (7, "sent".into())]);
}

/// Whoever has no contact is not forgotten: natives are told, of all of his documents once.
#[tokio::test]
async fn what_nobody_hears_is_an_alarm() {
    let house = House::new().await;
    let bo = house.app.log.domain().identity_id(b"", "bo", "").unwrap();
    let documents = ["d", "e"].map(|name| Document { vlasnik_id: bo, ..house.document(name, "2026-12-01", ZAGREB) });
    for document in &documents {
        house.write(document).await;
    }
    turn(&house.app).await.unwrap();
    let rows = house.app.db.list(UNHEARD, values![]).await.unwrap();
    assert_eq!(rows.len(), 1);
    assert_eq!((rows[0].text("kind").unwrap(), rows[0].text("subject").unwrap()), ("document".into(), bo.to_hex()));
    assert_eq!(house.told(&documents[1]).await, [(30, "unheard".into())]);
}

/// A row that does not read stops nobody's messages: it is an alarm of its own, each day until it reads.
#[tokio::test]
async fn a_row_that_does_not_read_silences_no_other() {
    let house = House::new().await;
    let documents = ["lost", "read"].map(|name| house.document(name, "2026-12-01", ZAGREB));
    for document in &documents {
        house.write(document).await;
    }
    let zone = async |zona: &str| {
        house.app.db.execute(ZONE, values![documents[0].identity_id.to_hex(), zona]).await.unwrap();
    };
    let alarms = async || house.app.db.list(UNHEARD, values![]).await.unwrap();
    zone("Europe/Nowhere").await;
    assert_eq!(turn(&house.app).await.unwrap(), 1);
    assert_eq!(house.told(&documents[1]).await, [(30, "sent".into())]);
    assert_eq!(alarms().await[0].text("kind").unwrap(), "document-row");
    house.days(1);
    assert_eq!((turn(&house.app).await.unwrap(), alarms().await.len()), (0, 2));
    zone(ZAGREB).await;
    house.days(1);
    assert_eq!(turn(&house.app).await.unwrap(), 1);
    assert_eq!(house.told(&documents[0]).await, [(30, "sent".into())]);
}

/// Nor do rows whose name does not read, which are one alarm a day.
#[tokio::test]
async fn rows_without_a_name_silence_no_other() {
    let house = House::of_file().await;
    let documents = ["lost", "lost too", "read"].map(|name| house.document(name, "2026-12-01", ZAGREB));
    for document in &documents {
        house.write(document).await;
    }
    for lost in &documents[..2] {
        assert_eq!(house.app.db.execute(NAMELESS, values![lost.identity_id.to_hex()]).await.unwrap(), 1);
    }
    for (day, told) in [(1, 1), (2, 0)] {
        assert_eq!(turn(&house.app).await.unwrap(), told);
        let alarms = house.app.db.list(UNHEARD, values![]).await.unwrap();
        let subjects: Vec<_> = alarms.iter().map(|row| row.text("subject").unwrap()).collect();
        assert_eq!(subjects, vec!["nameless"; day]);
        house.days(1);
    }
    assert_eq!(house.told(&documents[2]).await, [(30, "sent".into())]);
}

/// What the log has of a document names neither it nor its owner; once it is erased, nothing opens it.
#[tokio::test]
async fn a_tile_confirms_no_guess_of_a_person() {
    let house = House::new().await;
    let document = house.document("Medical of Ana Horvat", "2026-12-01", ZAGREB);
    house.write(&document).await;
    turn(&house.app).await.unwrap();
    let rows = house.app.db.list(ENTRIES, values![]).await.unwrap();
    let (entry, text) = (rows[0].text("json").unwrap(), rows[0].text("text").unwrap());
    assert!(text.contains("Medical of Ana Horvat") && entry.contains("personal "));
    for guess in ["Medical", "2026-12-01", &house.ana.to_hex(), &document.identity_id.to_hex()] {
        assert!(!entry.contains(guess), "{entry}");
    }
    house.app.log.submit(Erased(document.clone())).await.unwrap();
    assert!(house.app.db.list(ENTRIES, values![]).await.unwrap().is_empty());
    assert!(house.sent().await.is_empty() && house.told(&document).await.is_empty());
}
