//! What natives are told of: each kind once per subject and ten minutes, after the answer that caused it. The place of
//! a row has a name by the key of the tags: whoever writes the database alone writes none that keeps another back.

use crate::App;
use dualseal::Timestamp;
use platform::access::{Caller, World};
use platform::db::{Db, DbError, Row, Statement, Tx, statements};
use platform::outbox::Outbox;
use platform::problem::Problem;
use platform::secrets::{Kind, Tagged};
use platform::values;
use serde_json::json;
use std::time::Duration;
use uuid::Uuid;

statements! {
    RAISE = "INSERT INTO alarms (id, time, kind, subject, detail, slot) \
             SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), \
             CAST($7 AS BIGINT) WHERE NOT EXISTS (SELECT 1 FROM alarms WHERE subject = CAST($4 AS TEXT) AND \
             kind = CAST($3 AS TEXT) AND slot = CAST($8 AS BIGINT) AND time > CAST($6 AS BIGINT) \
             AND time <= CAST($2 AS BIGINT)) ON CONFLICT (kind, subject, slot) DO NOTHING";
    LATELY = "SELECT 1 AS one FROM alarms WHERE kind = $1 AND subject = $2 \
              AND slot IN ($3, $4, $5, $6, $7, $8) LIMIT 1";
    PAGE = "SELECT id, time, kind, subject, detail FROM alarms WHERE id < $1 OR $1 = '' ORDER BY id DESC LIMIT $2";
}

/// All statements.
pub const STATEMENTS: &[Statement] = ALL;

/// One row per subject in this time: whoever makes noise hides nothing else by it.
pub(crate) const APART: i64 = 600_000;

/// What names a place: so many of these have passed.
const PLACES: Tagged = Tagged {
    table: "alarms",
    columns: &[("kind", Kind::Text), ("subject", Kind::Text), ("number", Kind::Number)],
    tag: "slot",
};

/// The self-check of a process: what it saw was told.
pub(crate) const CHECK: &str = "alarms";

/// So long alarms wait for their answers to have left.
const AFTER: Duration = Duration::from_millis(200);

/// Less than any name by which rows are ordered: what is behind it, the newest first, is nothing.
pub(crate) const NOTHING: &str = "0";

/// The topic of its messages.
pub const TOPIC: &str = "alarm";

/// What there is to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alarm {
    /// A caller whose own key is a honeypot did something that counts.
    DecoyCaller,
    /// A record was shown that a honeypot key signed.
    DecoyKey,
    /// The fragment of a record is in somebody's hands.
    Fragment,
    /// An authenticator was enrolled, which counts after some time.
    Enrolled,
    /// A credential of WebAuthn counted back: there are two of it.
    Copied,
    /// A secret at rest does not open where it stands.
    Secret,
    /// Somebody cried for help, and nobody is on call, or was reached; or strangers were held back.
    Panic,
    /// Who is on call said STOP at one of his addresses.
    OnCall,
    /// Documents end, and their owner has no contact, or was not reached.
    Document,
    /// The row of a document does not read.
    DocumentRow,
    /// A file is not as the deployer signed it.
    Integrity,
    /// A vehicle reached a level, and nobody is there to be told, or was reached.
    Vehicle,
    /// An inspection keeps a vehicle where it is, and nobody is there to be told, or was reached.
    Inspection,
    /// The row of a vehicle does not read, or that of the weeks in force.
    VehicleRow,
    /// The row of a child does not read.
    ChildRow,
    /// The peers of another service are not read.
    Peers,
    /// Nearly as many services wait for a native as may.
    Registrations,
    /// No provider of models is left.
    Models,
    /// The log, the secrets or what belongs to them does not hold.
    Store,
    /// What is done again and again fails.
    Job,
    /// A node came no more.
    Node,
    /// What is written is dated ahead, by a clock that was wrong.
    Clock,
}

impl Alarm {
    /// As rows have it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::DecoyCaller => "decoy-caller",
            Self::DecoyKey => "decoy-key",
            Self::Fragment => "fragment",
            Self::Enrolled => "enrolled",
            Self::Copied => "copied",
            Self::Secret => "secret",
            Self::Panic => "panic",
            Self::OnCall => "on-call",
            Self::Document => "document",
            Self::DocumentRow => "document-row",
            Self::Integrity => "integrity",
            Self::Vehicle => "vehicle",
            Self::Inspection => "inspection",
            Self::VehicleRow => "vehicle-row",
            Self::ChildRow => "child-row",
            Self::Peers => "peers",
            Self::Registrations => "registrations",
            Self::Models => "models",
            Self::Store => "store",
            Self::Job => "job",
            Self::Node => "node",
            Self::Clock => "clock",
        }
    }
}

/// Raises an alarm where the caller is of the decoy's world: it is answered alike, and nothing real comes of it.
pub(crate) fn watch(app: &App, caller: &Caller, what: &str) {
    if caller.world == World::Decoy {
        raise(app, Alarm::DecoyCaller, caller.subject.to_hex(), what.to_owned());
    }
}

/// Raises an alarm, which is written a moment after the answer: nobody sees by its time, nor by that of the next one,
/// that there was one.
pub(crate) fn raise(app: &App, alarm: Alarm, subject: String, detail: String) {
    if !app.alarms.put(alarm.as_str(), subject, detail) {
        return;
    }
    let app = App::clone(app);
    tokio::spawn(async move {
        tokio::time::sleep(AFTER).await;
        for ((kind, subject), detail) in app.alarms.take() {
            if let Err(problem) = write(&app, kind, &subject, &detail).await {
                tracing::error!(kind, %problem, "an alarm was not written");
            }
        }
    });
}

/// Writes an alarm, and the message that tells of it, unless one of its kind and subject was written within ten
/// minutes.
pub(crate) async fn write(app: &App, kind: &str, subject: &str, detail: &str) -> Result<(), Problem> {
    let mut tx = app.db.begin().await?;
    write_in(app, &mut tx, kind, subject, detail).await?;
    Ok(tx.commit().await?)
}

/// The same in the transaction that causes it. Whether it was written: who is to be told of each change comes again.
pub(crate) async fn write_in(app: &App, tx: &mut Tx, kind: &str, subject: &str, detail: &str) -> Result<bool, Problem> {
    let (id, now) = (Uuid::now_v7().to_string(), app.clock.millis());
    let number = now.div_euclid(APART);
    let (place, last) = (place(app, kind, subject, number), place(app, kind, subject, number - 1));
    let is_new = tx.execute(RAISE, values![&id, now, kind, subject, detail, now - APART, place, last]).await? > 0;
    if is_new {
        let time = Timestamp::from_millis(now).unwrap_or(Timestamp::MIN).to_string();
        let body = json!({"id": id, "time": time, "kind": kind, "subject": subject,
            "detail": detail});
        Outbox::put(tx, TOPIC, Some(&id), &body.to_string(), now).await?;
        tracing::warn!(kind, subject, "alarm");
    }
    Ok(is_new)
}

/// Whether one was written within the last hour, by the places of it alone: rows that somebody else wrote are none.
pub(crate) async fn is_told(app: &App, alarm: Alarm, subject: &str) -> Result<bool, DbError> {
    let (kind, number) = (alarm.as_str(), app.clock.millis().div_euclid(APART));
    let mut values = values![kind, subject];
    values.extend((0..6).flat_map(|before| values![place(app, kind, subject, number - before)]));
    Ok(app.db.find(LATELY, values).await?.is_some())
}

/// The name of a place: of several processes at once each has the same one.
fn place(app: &App, kind: &str, subject: &str, number: i64) -> i64 {
    let named = values![kind, subject, number];
    let tag = app.authority.tags().tag(&PLACES, &named);
    tag.first_chunk().map_or(0, |first| i64::from_be_bytes(*first))
}

/// Whether a self-check says that what was seen could not be told.
pub(crate) fn are_untold(app: &App) -> bool {
    app.checks.all().contains(&(CHECK, false))
}

/// An alarm that was written.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    /// Its name, which orders by time.
    pub(crate) id: String,
    /// When.
    pub(crate) time: i64,
    /// What happened.
    pub(crate) kind: String,
    /// By whom, or of what.
    pub(crate) subject: String,
    /// In words.
    pub(crate) detail: String,
}

/// Alarms, the newest first, behind the one of this name. Whoever is a honeypot himself is told of none, by the time
/// that it takes where there is none.
pub(crate) async fn page(db: &Db, world: World, after: Option<&str>, most: u32) -> Result<Vec<Written>, DbError> {
    let after = if world == World::Real { after.unwrap_or_default() } else { NOTHING };
    let rows = db.list(PAGE, values![after, most]).await?;
    let read = |row: &Row| {
        Ok(Written {
            id: row.text("id")?,
            time: row.number("time")?,
            kind: row.text("kind")?,
            subject: row.text("subject")?,
            detail: row.text("detail")?,
        })
    };
    rows.iter().map(read).collect()
}
