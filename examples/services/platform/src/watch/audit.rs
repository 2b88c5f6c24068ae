//! Who called what, and how it ended: written in batches, beside the requests. What is answered within the last moment
//! before a power failure may be missing here; the log of entries has it.

use crate::access::Caller;
use crate::clock::Clock;
use crate::db::{Db, DbError, Value, statements};
use crate::values;
use dualseal::IdentityId;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

/// As many wait to be written; then requests wait for them.
const MOST_WAITING: usize = 4096;
/// As many go into one transaction.
const BATCH: usize = 512;
/// How long the first of a batch waits for others.
const PAUSE: Duration = Duration::from_millis(200);
/// The most characters of an address that are kept.
const LONGEST: usize = 512;
/// As many refused calls of anybody's are kept at once, and one a second: how many there are is up to who sends them.
const REFUSED: i64 = 600;
/// Beyond that the first of a day of as many addresses is: whoever fills the room hides himself, and nobody else.
const ADDRESSES: usize = 4096;
const DAY: i64 = 24 * 3_600_000;
/// What stands for nobody.
const NOBODY: &str = "-";

statements! {
    WRITE = "INSERT INTO audit (request, time, subject, tier, token, client, node, world, method, path, status, code, \
             address) VALUES ($1, $2, $3, $4, $5, $6, CAST($7 AS TEXT), $8, $9, $10, $11, CAST($12 AS TEXT), \
             CAST($13 AS TEXT))";
    SWEEP = "DELETE FROM audit WHERE time < $1";
}

/// Who called.
#[derive(Debug)]
pub(super) enum By {
    /// Somebody with a token.
    Caller(Caller),
    /// Anybody, about an identity where that is known.
    Anybody(Option<IdentityId>),
}

/// One request.
#[derive(Debug)]
pub(crate) struct Call {
    pub(super) time: i64,
    pub(super) request: Arc<str>,
    pub(super) by: By,
    pub(super) address: Option<String>,
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) status: u16,
    pub(super) code: Option<&'static str>,
}

impl Call {
    fn values(&self) -> Vec<Value> {
        let path: String = self.path.chars().take(LONGEST).collect();
        let mut values = values![&*self.request, self.time];
        values.extend(match &self.by {
            By::Caller(Caller { subject, tier, node, token, client, world, .. }) => {
                values![subject.to_string(), tier.as_str(), token.to_string(), client, node.clone(), world.number()]
            }
            By::Anybody(about) => {
                let about = about.map_or_else(|| NOBODY.to_owned(), |about| about.to_string());
                values![about, "public", NOBODY, NOBODY, None::<String>, 0_i64]
            }
        });
        values.extend(values![self.method, path, self.status, self.code, self.address.clone()]);
        values
    }

    /// Where the database does not take it, the lines of the log have it.
    fn log(&self) {
        metrics::counter!("trustd_audit_lost_total").increment(1);
        let (by, address, status) = (&self.by, self.address.as_deref(), self.status);
        let (request, path, method) = (&*self.request, &self.path, self.method);
        tracing::error!(target: "trustd::audit", request, ?by, address, method, path, status,
            "a call that is not in the audit log");
    }
}

/// Writes down what a command of the host did, and whether it did it: whoever runs one has the master, and nobody else
/// would know.
///
/// # Errors
/// The database.
pub async fn command(
    db: &Db,
    clock: &Clock,
    words: &str,
    about: Option<&IdentityId>,
    is_done: bool,
) -> Result<(), DbError> {
    let about = about.map_or_else(|| NOBODY.to_owned(), ToString::to_string);
    let mut values = values![Uuid::now_v7().to_string(), clock.millis(), about, "host", NOBODY, "command-line"];
    let status: u16 = if is_done { 0 } else { 2 };
    values.extend(values![None::<String>, 0_i64, "COMMAND", words, status, None::<String>, None::<String>]);
    db.execute(WRITE, values).await.map(drop)
}

#[derive(Debug)]
enum Message {
    Call(Box<Call>),
    Flush(oneshot::Sender<()>),
}

/// The writer of the audit log.
#[derive(Debug)]
pub(crate) struct Audit {
    sender: mpsc::Sender<Message>,
    room: Mutex<Room>,
}

/// How many refused calls of anybody's have room.
#[derive(Debug)]
struct Room {
    left: i64,
    /// From when on one a second was added, in milliseconds.
    since: i64,
    /// The addresses of this day, and when it began.
    addresses: HashSet<Option<String>>,
    day: i64,
}

impl Room {
    /// Takes some for a call, if there is any.
    fn take(&mut self, call: &Call) -> bool {
        if call.time.saturating_sub(self.day) >= DAY {
            self.addresses.clear();
            self.day = call.time;
        }
        let is_first = self.addresses.len() < ADDRESSES && self.addresses.insert(call.address.clone());
        let gained = call.time.saturating_sub(self.since).max(0) / 1000;
        self.since = self.since.saturating_add(gained.saturating_mul(1000));
        self.left = self.left.saturating_add(gained).min(REFUSED);
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        is_first
    }
}

impl Audit {
    pub(crate) fn begin(db: Db) -> Self {
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        tokio::spawn(run(db, receiver));
        Self { sender, room: Mutex::new(Room { left: REFUSED, since: 0, addresses: HashSet::new(), day: 0 }) }
    }

    /// Whether a call is kept.
    fn takes(&self, call: &Call) -> bool {
        if !matches!(call.by, By::Anybody(_)) || call.status < 400 {
            return true;
        }
        // Who only asks too often has tried nothing.
        if call.status == 429 {
            return false;
        }
        let is_taken = self.room.lock().unwrap_or_else(PoisonError::into_inner).take(call);
        if !is_taken {
            metrics::counter!("trustd_audit_left_out_total").increment(1);
        }
        is_taken
    }

    /// Has a call written down; where too many wait, so does this one.
    pub(crate) async fn write(&self, call: Call) {
        if !self.takes(&call) {
            return;
        }
        if let Err(mpsc::error::SendError(Message::Call(call))) = self.sender.send(Message::Call(Box::new(call))).await
        {
            call.log();
        }
    }

    /// The same where nobody can wait.
    pub(crate) fn write_now(&self, call: Call) {
        use mpsc::error::TrySendError::{Closed, Full};
        if !self.takes(&call) {
            return;
        }
        if let Err(Full(Message::Call(call)) | Closed(Message::Call(call))) =
            self.sender.try_send(Message::Call(Box::new(call)))
        {
            call.log();
        }
    }

    /// Waits until all that came before is written.
    pub(crate) async fn flush(&self) {
        let (done, waits) = oneshot::channel();
        if self.sender.send(Message::Flush(done)).await.is_ok() {
            // It is dropped where the writer has ended, and then nothing waits.
            drop(waits.await);
        }
    }
}

async fn run(db: Db, mut receiver: mpsc::Receiver<Message>) {
    let mut messages = Vec::new();
    while receiver.recv_many(&mut messages, BATCH).await > 0 {
        let is_asked = messages.iter().any(|message| matches!(message, Message::Flush(_)));
        if !is_asked && messages.len() < BATCH {
            // Others come meanwhile, or somebody who asks.
            let more = BATCH - messages.len();
            drop(tokio::time::timeout(PAUSE, gather(&mut receiver, &mut messages, more)).await);
        }
        let (mut calls, mut asked) = (Vec::new(), Vec::new());
        for message in messages.drain(..) {
            match message {
                Message::Call(call) => calls.push(call),
                Message::Flush(done) => asked.push(done),
            }
        }
        if let Err(error) = write(&db, &calls).await {
            tracing::error!(%error, calls = calls.len(), "the audit log is not written");
            for call in &calls {
                call.log();
            }
        }
        for done in asked {
            done.send(()).unwrap_or_default();
        }
    }
}

async fn gather(receiver: &mut mpsc::Receiver<Message>, messages: &mut Vec<Message>, mut more: usize) {
    while more > 0 {
        let from = messages.len();
        let came = receiver.recv_many(messages, more).await;
        let is_asked = messages.iter().skip(from).any(|message| matches!(message, Message::Flush(_)));
        if came == 0 || is_asked {
            break;
        }
        more -= came;
    }
}

async fn write(db: &Db, calls: &[Box<Call>]) -> Result<(), DbError> {
    if calls.is_empty() {
        return Ok(());
    }
    let mut tx = db.begin().await?;
    for call in calls {
        tx.execute(WRITE, call.values()).await?;
    }
    tx.commit().await
}

/// Removes what is older than a time, and says how many calls that was.
///
/// # Errors
/// The database.
pub async fn sweep(db: &Db, before: i64) -> Result<u64, DbError> {
    db.execute(SWEEP, values![before]).await
}
