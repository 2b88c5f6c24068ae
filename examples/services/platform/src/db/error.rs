//! What a store says when it cannot, and what a caller is told then.

use crate::problem::{Problem, kinds};

/// What a store says when it cannot.
#[derive(Debug)]
pub enum DbError {
    /// A rule of the schema does not hold: another has the place.
    Unique,
    /// The connection was lost while it was done: whether it was, nobody here knows.
    Lost(sqlx::Error),
    /// Anything else; its text is for the log alone.
    Other(sqlx::Error),
    /// A column is not there, or is of another type.
    Column(&'static str),
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        match error.as_database_error() {
            Some(found) if found.is_unique_violation() => Self::Unique,
            _ => Self::Other(error),
        }
    }
}

impl std::fmt::Display for DbError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unique => f.write_str("another row has this place"),
            Self::Lost(error) => write!(f, "whether it was done is not known: {error}"),
            Self::Other(error) => error.fmt(f),
            Self::Column(name) => write!(f, "the column {name} is not what it should be"),
        }
    }
}

impl std::error::Error for DbError {}

impl DbError {
    /// Of what changes something at once: whoever comes back as he is told must not do it twice.
    pub(crate) fn of_change(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::Io(_) => Self::Lost(error),
            error => error.into(),
        }
    }

    /// Whether it does it later: it has too much to do, no connection is free, another holds the file, or the server is
    /// away.
    pub(crate) fn is_busy(&self) -> bool {
        match self {
            Self::Other(sqlx::Error::PoolTimedOut | sqlx::Error::Io(_)) => true,
            // SQLITE_BUSY, also of a snapshot; too_many_connections; a server that ends, ended, or begins.
            Self::Other(sqlx::Error::Database(error)) => {
                let codes = ["5", "261", "517", "53300", "57P01", "57P02", "57P03"];
                error.code().is_some_and(|code| codes.contains(&&*code))
            }
            Self::Lost(_) | Self::Other(_) | Self::Unique | Self::Column(_) => false,
        }
    }

    /// Whether what is there is not what was written: a value, a column or a table, or the file itself.
    pub(crate) fn is_of_what_is_there(&self) -> bool {
        let Self::Other(sqlx::Error::Database(error)) = self else { return matches!(self, Self::Column(_)) };
        let code = error.code().unwrap_or_default();
        // SQLITE_CORRUPT and SQLITE_NOTADB, of whichever kind; undefined_column, data_corrupted, index_corrupted.
        let of_file = code.len() < 5 && code.parse::<u32>().is_ok_and(|code| [11, 26].contains(&(code & 0xff)));
        let of_server = ["42703", "XX001", "XX002"].contains(&&*code);
        of_file || of_server || self.is_of_no_table() || error.message().starts_with("no such column")
    }

    /// Whether a table that was named is not there: undefined_table; SQLite has no code for it.
    pub(crate) fn is_of_no_table(&self) -> bool {
        let Self::Other(sqlx::Error::Database(error)) = self else { return false };
        error.code().is_some_and(|code| code == "42P01") || error.message().starts_with("no such table")
    }
}

impl From<DbError> for Problem {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Unique => Self::unique(),
            error if error.is_busy() => Self::new(&kinds::BUSY).retry_after(1),
            error => Self::internal("database", &error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Error, ErrorKind};

    #[tokio::test]
    async fn a_file_that_is_none_is_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("x"), [7; 8192]).unwrap();
        let error = crate::db::Db::open("sqlite:x", folder.path(), 2).await.unwrap_err();
        assert!(DbError::from(error).is_of_what_is_there());
        assert!(!DbError::from(sqlx::Error::PoolTimedOut).is_of_what_is_there());
    }

    /// As sqlx tells of a connection that ended while something was asked.
    #[test]
    fn a_server_that_is_away_is_told_to_come_back() {
        for kind in [ErrorKind::ConnectionReset, ErrorKind::BrokenPipe, ErrorKind::UnexpectedEof] {
            let told = Problem::from(DbError::from(sqlx::Error::Io(Error::from(kind))));
            assert_eq!(told.kind().code, kinds::BUSY.code, "{kind}");
            // Not of what may have been done.
            let told = Problem::from(DbError::of_change(sqlx::Error::Io(Error::from(kind))));
            assert_eq!(told.kind().code, kinds::INTERNAL.code, "{kind}");
        }
        let told = Problem::from(DbError::from(sqlx::Error::RowNotFound));
        assert_eq!(told.kind().code, kinds::INTERNAL.code);
    }
}
