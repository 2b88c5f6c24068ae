//! Messages on their way out, written in the transaction that causes them: what happened is told, and nothing else is.
//! A message is sent at least once. Whoever sends takes it on lease; where he dies it is another's when that has run
//! out.

use crate::db::{Db, DbError, Row, Statement, Tx, statements};
use crate::values;
use std::time::Duration;
use uuid::Uuid;

statements! {
    PUT = "INSERT INTO outbox (id, topic, once, body, created, due_at, leased_until, attempts, state) \
           VALUES ($1, $2, $3, $4, $5, $5, 0, 0, 'queued') ON CONFLICT (topic, once) DO NOTHING";
    /// Asked first, since leasing takes the lock of the one that writes.
    LOOK = "SELECT 1 AS one FROM outbox \
            WHERE topic = $1 AND state = 'queued' \
            AND (due_at <= $2 AND leased_until <= $2 OR due_at > $3 OR leased_until > $4) LIMIT 1";
    /// What is further ahead than clocks differ, a clock that was ahead wrote or took, or somebody else: it is due.
    /// The condition stands outside too, where it is looked at again under the lock on the row.
    LEASE = "UPDATE outbox SET leased_until = $3, attempts = attempts + 1 WHERE id IN (SELECT id FROM outbox \
             WHERE topic = $1 AND state = 'queued' \
             AND (due_at <= $2 AND leased_until <= $2 OR due_at > $5 OR leased_until > $6) \
             ORDER BY due_at, id LIMIT $4) AND state = 'queued' AND (leased_until <= $2 OR leased_until > $6) \
             RETURNING id, topic, body, created, attempts";
    SENT = "UPDATE outbox SET state = 'sent', leased_until = 0 WHERE id = $1 AND attempts = $2 AND state = 'queued'";
    SWEEP = "DELETE FROM outbox WHERE created < $1";
}

/// All statements of the outbox.
pub const STATEMENTS: &[Statement] = ALL;

/// Clocks differ by less.
const APART: i64 = 60_000;

/// A message that was taken on lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its name, which it keeps: a receiver tells a repetition by it.
    pub id: String,
    /// Who sends it.
    pub topic: String,
    /// What it says.
    pub body: String,
    /// When it was caused.
    pub created: i64,
    /// How often it was taken, this time included. Of two who hold the same message, the later one counts.
    pub attempts: i64,
}

/// The messages of the service.
#[derive(Clone, Debug)]
pub struct Outbox {
    db: Db,
}

impl Outbox {
    /// In this database.
    #[must_use]
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// Queues a message, in the transaction that causes it; one that is `once` there already is not queued again. Says
    /// whether it was.
    ///
    /// # Errors
    /// The database.
    pub async fn put(tx: &mut Tx, topic: &str, once: Option<&str>, body: &str, now: i64) -> Result<bool, DbError> {
        let id = Uuid::now_v7().to_string();
        Ok(tx.execute(PUT, values![id, topic, once, body, now]).await? == 1)
    }

    /// Takes at most so many that are due, those that wait longest first.
    ///
    /// # Errors
    /// The database.
    pub async fn lease(&self, topic: &str, now: i64, lease: Duration, most: usize) -> Result<Vec<Message>, DbError> {
        let until = now.saturating_add(i64::try_from(lease.as_millis()).unwrap_or(i64::MAX));
        let (due, leases) = (now.saturating_add(APART), until.saturating_add(APART));
        if self.db.find(LOOK, values![topic, now, due, leases]).await?.is_none() {
            return Ok(Vec::new());
        }
        let mut tx = self.db.begin().await?;
        let rows = tx.list(LEASE, values![topic, now, until, most, due, leases]).await?;
        // One that does not read keeps no other back.
        let read =
            |row| Message::of(row).inspect_err(|fault| tracing::error!(%fault, topic, "a message does not read"));
        let mut messages: Vec<_> = rows.iter().filter_map(|row| read(row).ok()).collect();
        tx.commit().await?;
        messages.sort_by(|one, other| (one.created, &one.id).cmp(&(other.created, &other.id)));
        Ok(messages)
    }

    /// It was handed on, in the transaction that does so. Says whether it was still this lease's.
    ///
    /// # Errors
    /// The database.
    pub async fn sent(tx: &mut Tx, message: &Message) -> Result<bool, DbError> {
        Ok(tx.execute(SENT, values![&message.id, message.attempts]).await? == 1)
    }

    /// Removes what was caused before a time, also what nobody took: told so late it helps nobody.
    ///
    /// # Errors
    /// The database.
    pub async fn sweep(&self, before: i64) -> Result<u64, DbError> {
        self.db.execute(SWEEP, values![before]).await
    }
}

impl Message {
    fn of(row: &Row) -> Result<Self, DbError> {
        Ok(Self {
            id: row.text("id")?,
            topic: row.text("topic")?,
            body: row.text("body")?,
            created: row.number("created")?,
            attempts: row.number("attempts")?,
        })
    }
}
