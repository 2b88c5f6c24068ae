//! Reading a file on the thread that asks. A few rows by their keys take some microseconds; handing a question over to
//! the thread of a pool's connection, and being woken with the answer, takes tens.

use super::{DbError, Row, Statement, Value};
use rusqlite::types::{FromSql, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, OpenFlags};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// As many connections wait for the next question; each was opened for one that came while all others were asked.
const KEPT: usize = 8;
/// Texts of statements that a connection has prepared.
const PREPARED: usize = 32;

/// Connections to the file that read alone.
#[derive(Clone, Debug)]
pub struct Here(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    idle: Mutex<Option<Vec<Connection>>>,
}

/// A row that was read here.
#[derive(Debug)]
pub struct Columns {
    names: Arc<[String]>,
    values: Vec<rusqlite::types::Value>,
}

impl Here {
    /// Of a file that is there; nothing is opened yet.
    pub(super) fn new(path: PathBuf) -> Self {
        Self(Arc::new(Inner { path, idle: Mutex::new(Some(Vec::new())) }))
    }

    /// The rows; none where it cannot be read at once, whyever: whoever waits better is to be asked then, and says what
    /// is wrong.
    pub(super) fn list(&self, statement: Statement, values: &[Value]) -> Option<Vec<Row>> {
        let idle = self.idle().as_mut()?.pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.open().ok()?,
        };
        let rows = read(&connection, statement, values).ok()?;
        if let Some(idle) = self.idle().as_mut().filter(|idle| idle.len() < KEPT) {
            idle.push(connection);
        }
        Some(rows)
    }

    /// Ends all connections: nothing is read here any more.
    pub(super) fn close(&self) {
        *self.idle() = None;
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Option<Vec<Connection>>> {
        self.0.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.0.path, flags)?;
        // A thread that serves others waits for nobody's lock.
        connection.busy_timeout(Duration::ZERO)?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        Ok(connection)
    }
}

fn read(connection: &Connection, statement: Statement, values: &[Value]) -> rusqlite::Result<Vec<Row>> {
    let mut prepared = connection.prepare_cached(statement.text())?;
    bind(&mut prepared, values)?;
    let names: Arc<[String]> = prepared.column_names().into_iter().map(str::to_owned).collect();
    let (mut rows, mut found) = (prepared.raw_query(), Vec::new());
    while let Some(row) = rows.next()? {
        let values = (0..names.len()).map(|column| row.get(column)).collect::<rusqlite::Result<_>>()?;
        found.push(Row::Here(Columns { names: Arc::clone(&names), values }));
    }
    Ok(found)
}

/// SQLite numbers `$2` by where it comes in the text, and the values are in the order of these numbers.
fn bind(prepared: &mut CachedStatement<'_>, values: &[Value]) -> rusqlite::Result<()> {
    for index in 1..=prepared.parameter_count() {
        let number = prepared.parameter_name(index).and_then(|name| name.get(1..)?.parse::<usize>().ok());
        let value = number.and_then(|number| values.get(number.checked_sub(1)?));
        let value = value.ok_or(rusqlite::Error::InvalidParameterCount(values.len(), index))?;
        prepared.raw_bind_parameter(index, value)?;
    }
    Ok(())
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match self {
            Self::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
            Self::Number(Some(number)) => ValueRef::Integer(*number),
            Self::Bytes(Some(bytes)) => ValueRef::Blob(bytes),
            Self::Truth(is) => ValueRef::Integer(i64::from(*is)),
            Self::Text(None) | Self::Number(None) | Self::Bytes(None) => ValueRef::Null,
        };
        Ok(ToSqlOutput::Borrowed(value))
    }
}

impl Columns {
    pub(super) fn get<T: FromSql>(&self, column: &'static str) -> Result<T, DbError> {
        let value = self.names.iter().position(|name| name == column).and_then(|index| self.values.get(index));
        let value = value.ok_or(DbError::Column(column))?;
        T::column_result(ValueRef::from(value)).map_err(|_| DbError::Column(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_read_at_once_is_somebody_elses_to_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("there.sqlite");
        Connection::open(&path)
            .unwrap()
            .execute_batch("CREATE TABLE one (number); INSERT INTO one VALUES (7)")
            .unwrap();
        let (there, all) = (Here::new(path.clone()), Statement::new("SELECT number FROM one"));
        let numbers =
            |rows: Option<Vec<Row>>| rows.map(|rows| rows.iter().map(|row| row.number("number").ok()).collect());
        assert_eq!(numbers(there.list(all, &[])), Some(vec![Some(7)]));
        // Whoever holds all of it is not waited for.
        let holds = Connection::open(&path).unwrap();
        holds.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let begun = std::time::Instant::now();
        assert_eq!(numbers(there.list(all, &[])), None);
        assert!(begun.elapsed() < Duration::from_secs(1));
        holds.execute_batch("COMMIT").unwrap();
        assert_eq!(numbers(there.list(all, &[])), Some(vec![Some(7)]));
        there.close();
        assert_eq!(numbers(there.list(all, &[])), None);
        assert_eq!(numbers(Here::new(folder.path().join("nowhere")).list(all, &[])), None);
    }
}
