//! Connections to a server that are kept for small questions. A pool asks whether a connection still lives when it
//! gives it away and when it takes it back: two more ways to the server, for a question that is one.

use super::{Row, Statement, Value, value};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How many there are, of those that a process may have.
pub(super) const KEPT: u32 = 2;

/// The connections.
#[derive(Clone, Debug)]
pub struct Kept(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    options: PgConnectOptions,
    idle: Mutex<Option<Vec<PgConnection>>>,
    open: AtomicU32,
}

/// A connection is open, until this is dropped.
struct Open<'a>(&'a AtomicU32);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Kept {
    /// Of a server; nothing is opened yet.
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self(Arc::new(Inner { options, idle: Mutex::new(Some(Vec::new())), open: AtomicU32::new(0) }))
    }

    /// The rows; none where all are asked already, and where one does not answer: the pool is to be asked then.
    pub(super) async fn list(&self, statement: Statement, values: &[Value]) -> Option<Vec<Row>> {
        let idle = self.idle().as_mut()?.pop();
        // Whoever goes away meanwhile takes the connection with him: what is on its way through it is nobody's answer.
        let (open, mut connection) = if let Some(connection) = idle {
            (Open(&self.0.open), connection)
        } else {
            let open = self.another()?;
            (open, self.0.options.connect().await.ok()?)
        };
        let rows = value::postgres(statement.text(), values.to_vec()).fetch_all(&mut connection).await.ok()?;
        if let Some(idle) = self.idle().as_mut() {
            idle.push(connection);
            std::mem::forget(open);
        }
        Some(rows.into_iter().map(Row::Postgres).collect())
    }

    /// Ends all connections: nothing is asked here any more.
    pub(super) fn close(&self) {
        *self.idle() = None;
    }

    fn another(&self) -> Option<Open<'_>> {
        let more = |open| (open < KEPT).then_some(open + 1);
        self.0.open.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok()?;
        Some(Open(&self.0.open))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Option<Vec<PgConnection>>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
