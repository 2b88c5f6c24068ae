//! Who called what, and how it ended: written in batches, beside the requests. What is answered within the last moment
//! before a power failure may be missing here; the log of entries has it.

use crate::access::Caller;
use crate::db::{Db, DbError, Value, statements};
use crate::values;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// As many wait to be written; then requests wait for them.
const MOST_WAITING: usize = 4096;
/// As many go into one transaction.
const BATCH: usize = 512;
/// How long the first of a batch waits for others.
const PAUSE: Duration = Duration::from_millis(200);
/// The most characters of an address that are kept.
const LONGEST: usize = 512;

statements! {
    WRITE = "INSERT INTO audit (request, time, subject, tier, token, client, node, world, method, path, status, code) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    SWEEP = "DELETE FROM audit WHERE time < $1";
}

/// One request of somebody with a token.
#[derive(Debug)]
pub(crate) struct Call {
    pub(super) time: i64,
    pub(super) request: Arc<str>,
    pub(super) caller: Caller,
    pub(super) method: &'static str,
    pub(super) path: String,
    pub(super) status: u16,
    pub(super) code: Option<&'static str>,
}

impl Call {
    fn values(&self) -> Vec<Value> {
        let Caller { subject, tier, node, token, client, world, .. } = &self.caller;
        let path: String = self.path.chars().take(LONGEST).collect();
        values![
            &*self.request,
            self.time,
            subject.to_string(),
            tier.as_str(),
            token.to_string(),
            client,
            node.clone(),
            world.number(),
            self.method,
            path,
            self.status,
            self.code,
        ]
    }

    /// Where the database does not take it, the lines of the log have it.
    fn log(&self) {
        let Caller { subject, tier, token, client, node, .. } = &self.caller;
        let (request, path, method, status) = (&*self.request, &self.path, self.method, self.status);
        tracing::error!(target: "trustd::audit", request, %subject, %tier, %token, client, node, method, path, status,
            "a call that is not in the audit log");
    }
}

#[derive(Debug)]
enum Message {
    Call(Box<Call>),
    Flush(oneshot::Sender<()>),
}

/// The writer of the audit log.
#[derive(Debug)]
pub(crate) struct Audit(mpsc::Sender<Message>);

impl Audit {
    pub(crate) fn begin(db: Db) -> Self {
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        tokio::spawn(run(db, receiver));
        Self(sender)
    }

    /// Has a call written down; where too many wait, so does this one.
    pub(crate) async fn write(&self, call: Call) {
        if let Err(mpsc::error::SendError(Message::Call(call))) = self.0.send(Message::Call(Box::new(call))).await {
            call.log();
        }
    }

    /// The same where nobody can wait.
    pub(crate) fn write_now(&self, call: Call) {
        use mpsc::error::TrySendError::{Closed, Full};
        if let Err(Full(Message::Call(call)) | Closed(Message::Call(call))) = self.0.try_send(Message::Call(Box::new(call))) {
            call.log();
        }
    }

    /// Waits until all that came before is written.
    pub(crate) async fn flush(&self) {
        let (done, waits) = oneshot::channel();
        if self.0.send(Message::Flush(done)).await.is_ok() {
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
            calls.iter().for_each(|call| call.log());
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
