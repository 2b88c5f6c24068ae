//! Rows that say who may do what: each has a tag over all its columns, by a key that is a secret under the master. So
//! whoever writes the database alone makes no row that counts, and changes none. What he puts back whole, as it once
//! was, or takes away, has its tag.

use super::{Secrets, of};
use crate::db::{Db, DbError, Row, Value, statements};
use crate::problem::Problem;
use crate::values;
use dualseal::SystemRng;
use dualseal::hash::{HmacKey, Sha3_256};
use dualseal::presence::Nonce;
use dualseal_operator::secrets::Place;
use std::fmt;
use std::sync::Arc;
use subtle::ConstantTimeEq as _;

statements! {
    /// Of two processes that begin at once one draws the key.
    PUT_FIRST = "INSERT INTO secrets (tbl, line, purpose, stored) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (tbl, line, purpose) DO NOTHING";
}

/// What a column holds, or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number.
    Number,
    /// Bytes.
    Bytes,
}

/// A table whose rows have tags: its columns, in the order in which the tag covers them, under the names that a
/// statement gives them.
#[derive(Clone, Copy, Debug)]
pub struct Tagged {
    /// Its name, which the tag covers too.
    pub table: &'static str,
    /// Its columns but the tag.
    pub columns: &'static [(&'static str, Kind)],
    /// The column of the tag.
    pub tag: &'static str,
}

impl Tagged {
    /// The values of a row, in the order of the columns.
    ///
    /// # Errors
    /// [`DbError::Column`] for a statement that does not read all of them.
    pub fn values(&self, row: &Row) -> Result<Vec<Value>, DbError> {
        let read = |&(name, kind): &(&'static str, Kind)| {
            Ok(match kind {
                Kind::Text => Value::Text(row.maybe_text(name)?),
                Kind::Number => Value::Number(row.maybe_number(name)?),
                Kind::Bytes => Value::Bytes(row.maybe_bytes(name)?),
            })
        };
        self.columns.iter().map(read).collect()
    }

    /// The same with other values in some columns.
    ///
    /// # Errors
    /// As [`values`](Self::values); for a column that it has not.
    pub fn values_with(&self, row: &Row, others: &[(&'static str, Value)]) -> Result<Vec<Value>, DbError> {
        let mut values = self.values(row)?;
        for (column, other) in others {
            let place = self.columns.iter().position(|(name, _)| name == column).ok_or(DbError::Column(column))?;
            values[place] = other.clone();
        }
        Ok(values)
    }
}

/// What makes the tags.
#[derive(Clone)]
pub struct RowTags(Arc<HmacKey<Sha3_256>>);

impl fmt::Debug for RowTags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowTags").finish_non_exhaustive()
    }
}

impl RowTags {
    /// Opens the key, which is drawn once. It stays the same under each next master, and in a backup.
    ///
    /// # Errors
    /// The database; a key that does not open under the master.
    pub async fn open(db: &Db, secrets: &Secrets) -> Result<Self, Problem> {
        let place = Place::new("tags", b"rows", "key")?;
        let mut tx = db.begin().await?;
        let mut key = secrets.find(&mut tx, &place).await?;
        if key.is_none() {
            let drawn = secrets.seal(place.clone(), Nonce::draw(&mut SystemRng)?.as_bytes())?;
            let mut values = of(&place);
            values.extend(values![drawn.stored()]);
            tx.execute(PUT_FIRST, values).await?;
            key = secrets.find(&mut tx, &place).await?;
        }
        tx.commit().await?;
        let key = key.ok_or_else(|| Problem::internal("tags", &"their key was forgotten"))?;
        Ok(Self(Arc::new(HmacKey::new(&key))))
    }

    /// The tag of a row of these values, in the order of the table's columns.
    #[must_use]
    pub fn tag(&self, table: &Tagged, values: &[Value]) -> Vec<u8> {
        let mut mac = self.0.start();
        let mut part = |kind: u8, bytes: &[u8]| {
            mac.update(&[kind]);
            mac.update(&u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_be_bytes());
            mac.update(bytes);
        };
        part(0, table.table.as_bytes());
        for value in values {
            match value {
                Value::Text(Some(text)) => part(1, text.as_bytes()),
                Value::Number(Some(number)) => part(2, &number.to_be_bytes()),
                Value::Bytes(Some(bytes)) => part(3, bytes),
                Value::Truth(truth) => part(4, &[u8::from(*truth)]),
                Value::Text(None) | Value::Number(None) | Value::Bytes(None) => part(5, &[]),
            }
        }
        mac.finish().to_vec()
    }

    /// Whether a row is as this service wrote it. Of one that is not its log says so.
    ///
    /// # Errors
    /// As [`Tagged::values`].
    pub fn hold(&self, table: &Tagged, row: &Row) -> Result<bool, DbError> {
        let (made, found) = (self.tag(table, &table.values(row)?), row.maybe_bytes(table.tag)?.unwrap_or_default());
        let holds = bool::from(made.ct_eq(&found));
        if !holds {
            tracing::error!(table = table.table, "a row is not as the service wrote it: it does not count");
        }
        Ok(holds)
    }

    /// The tag of a row with other values in some columns; of one that does not hold, what it has: it holds no more
    /// than before.
    ///
    /// # Errors
    /// As [`Tagged::values_with`].
    pub fn again(&self, table: &Tagged, row: &Row, others: &[(&'static str, Value)]) -> Result<Vec<u8>, DbError> {
        if self.hold(table, row)? {
            Ok(self.tag(table, &table.values_with(row, others)?))
        } else {
            Ok(row.maybe_bytes(table.tag)?.unwrap_or_default())
        }
    }
}
