//! What is bound to a statement, and what a row gives back.

use super::DbError;
use super::file::Columns;
use sqlx::postgres::{PgArguments, PgRow, Postgres};
use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteRow};
use sqlx::{AssertSqlSafe, Row as _};

/// A value that both databases have: text, whole numbers of 64 bits with a sign, bytes, truth, and none of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text.
    Text(Option<String>),
    /// A number.
    Number(Option<i64>),
    /// Bytes.
    Bytes(Option<Vec<u8>>),
    /// Yes or no.
    Truth(bool),
}

macro_rules! conversions {
    ($($from:ty => |$value:ident| $into:expr;)+) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $into
            }
        })+
    };
}

conversions! {
    &str => |value| Self::Text(Some(value.to_owned()));
    String => |value| Self::Text(Some(value));
    &String => |value| Self::Text(Some(value.clone()));
    Option<String> => |value| Self::Text(value);
    Option<&str> => |value| Self::Text(value.map(str::to_owned));
    i64 => |value| Self::Number(Some(value));
    u64 => |value| Self::Number(Some(i64::try_from(value).unwrap_or(i64::MAX)));
    u32 => |value| Self::Number(Some(i64::from(value)));
    u16 => |value| Self::Number(Some(i64::from(value)));
    u8 => |value| Self::Number(Some(i64::from(value)));
    usize => |value| Self::Number(Some(i64::try_from(value).unwrap_or(i64::MAX)));
    Option<i64> => |value| Self::Number(value);
    Option<u64> => |value| Self::Number(value.map(|value| i64::try_from(value).unwrap_or(i64::MAX)));
    &[u8] => |value| Self::Bytes(Some(value.to_vec()));
    Vec<u8> => |value| Self::Bytes(Some(value));
    Option<Vec<u8>> => |value| Self::Bytes(value);
    bool => |value| Self::Truth(value);
}

/// Makes the values of a statement: `values![id, seq, &bytes[..]]`.
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => { vec![$($crate::db::Value::from($value)),*] };
}

pub(super) fn sqlite(text: &'static str, values: Vec<Value>) -> Query<'static, Sqlite, SqliteArguments> {
    values.into_iter().fold(sqlx::query(text), |query, value| match value {
        Value::Text(value) => query.bind(value),
        Value::Number(value) => query.bind(value),
        Value::Bytes(value) => query.bind(value),
        Value::Truth(value) => query.bind(value),
    })
}

pub(super) fn postgres(text: &'static str, values: Vec<Value>) -> Query<'static, Postgres, PgArguments> {
    values.into_iter().fold(sqlx::query(text), bind)
}

pub(super) fn postgres_locking(text: String, values: Vec<Value>) -> Query<'static, Postgres, PgArguments> {
    values.into_iter().fold(sqlx::query(AssertSqlSafe(text)), bind)
}

fn bind(query: Query<'static, Postgres, PgArguments>, value: Value) -> Query<'static, Postgres, PgArguments> {
    match value {
        Value::Text(value) => query.bind(value),
        Value::Number(value) => query.bind(value),
        Value::Bytes(value) => query.bind(value),
        Value::Truth(value) => query.bind(value),
    }
}

/// A row of either database.
#[derive(Debug)]
pub enum Row {
    /// SQLite's, from a pool.
    Sqlite(SqliteRow),
    /// SQLite's, read on this thread.
    Here(Columns),
    /// PostgreSQL's.
    Postgres(PgRow),
}

macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident -> $kind:ty;)+) => {
        impl Row {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`DbError::Column`].
            pub fn $name(&self, column: &'static str) -> Result<$kind, DbError> {
                match self {
                    Self::Sqlite(row) => row.try_get(column).map_err(|_| DbError::Column(column)),
                    Self::Here(row) => row.get(column),
                    Self::Postgres(row) => row.try_get(column).map_err(|_| DbError::Column(column)),
                }
            })+
        }
    };
}

getters! {
    /// Text.
    text -> String;
    /// Text, or none.
    maybe_text -> Option<String>;
    /// A number.
    number -> i64;
    /// A number, or none.
    maybe_number -> Option<i64>;
    /// Bytes.
    bytes -> Vec<u8>;
    /// Bytes, or none.
    maybe_bytes -> Option<Vec<u8>>;
    /// Yes or no.
    truth -> bool;
}

impl Row {
    /// A number that is not negative: a place, a size, a count.
    ///
    /// # Errors
    /// [`DbError::Column`].
    pub fn size(&self, column: &'static str) -> Result<u64, DbError> {
        u64::try_from(self.number(column)?).map_err(|_| DbError::Column(column))
    }
}
