//! The rows of one portion, as a verification reads them.

use super::column::{Column, Missing};
use super::schema::Places;
use super::told::Fault;
use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use dualseal::IdentityId;
use dualseal::batch::{Threads, map};
use std::ops::Range;

/// Rows that a thread takes at a time, at most: what was read of them is let go before the next ones are read. To hand
/// them over takes as long as to verify two.
const GROUP: usize = 256;

/// As few fill the lanes in which signatures are verified side by side.
const TOGETHER: usize = 8;

/// Bytes of a group, at most, where it has more than one row.
const GROUP_BYTES: usize = 1 << 20;

/// The columns of a batch that are read.
pub(super) struct Table(Vec<Column>);

impl Table {
    pub(super) fn of(batch: &RecordBatch, places: &Places) -> Result<Self, ArrowError> {
        let columns = places.all().map(|(place, name)| Column::new(name, batch.column(place)));
        Ok(Self(columns.collect::<Result<_, _>>()?))
    }

    /// The bytes of a row.
    pub(super) fn bytes(&self, column: usize, row: usize) -> Result<&[u8], Fault> {
        let column = self.column(column)?;
        column.get(row).map_err(|missing| match missing {
            Missing::Null => Fault::of(column.name(), "null"),
            Missing::Outside => Fault::of(column.name(), "lies outside of the column's bytes"),
        })
    }

    /// As [`bytes`](Self::bytes), of a column that may have nulls.
    pub(super) fn optional_bytes(&self, column: usize, row: usize) -> Result<Option<&[u8]>, Fault> {
        match self.column(column)?.get(row) {
            Err(Missing::Null) => Ok(None),
            _ => self.bytes(column, row).map(Some),
        }
    }

    /// The text of a row.
    pub(super) fn text(&self, column: usize, row: usize) -> Result<&str, Fault> {
        let bytes = self.bytes(column, row)?;
        str::from_utf8(bytes).map_err(|_| Fault::of(self.name(column), "is not UTF-8"))
    }

    /// An identity: 64 hexadecimal characters, or in a column of bytes its 32 bytes.
    pub(super) fn identity(&self, column: usize, row: usize) -> Result<IdentityId, Fault> {
        let bytes = self.bytes(column, row)?;
        let of_bytes = || <[u8; 32]>::try_from(bytes).ok().filter(|_| !self.is_text(column));
        let parsed = match of_bytes() {
            Some(bytes) => dualseal::encoding::hex::encode(&bytes).parse(),
            None => self.text(column, row)?.parse(),
        };
        parsed.map_err(|error| Fault::error(self.name(column), &error))
    }

    /// The error of what was read of a column.
    pub(super) fn malformed(&self, column: usize, error: &dualseal::Error) -> Fault {
        Fault::error(self.name(column), error)
    }

    pub(super) fn is_text(&self, column: usize) -> bool {
        self.0.get(column).is_some_and(Column::is_text)
    }

    fn name(&self, column: usize) -> &str {
        self.0.get(column).map_or("", Column::name)
    }

    fn column(&self, column: usize) -> Result<&Column, Fault> {
        self.0.get(column).ok_or_else(|| Fault::of("", "is not read"))
    }

    /// What becomes of each of these rows, in order: of a group of them at a time, on these threads.
    pub(super) fn rows<U: Send>(
        &self,
        rows: Range<usize>,
        threads: Threads,
        each: impl Fn(Range<usize>) -> Vec<U> + Sync,
    ) -> Vec<U> {
        let groups = self.groups(rows, threads);
        map(groups, threads, each).into_iter().flatten().collect()
    }

    fn groups(&self, rows: Range<usize>, threads: Threads) -> Vec<Range<usize>> {
        let shares = threads.count().saturating_mul(4).max(1);
        let most = rows.len().div_ceil(shares).next_multiple_of(TOGETHER).min(GROUP);
        let (mut groups, mut bytes): (Vec<Range<usize>>, usize) = (vec![], 0);
        for row in rows {
            let size = self.0.iter().map(|column| column.size(row)).fold(0, usize::saturating_add);
            bytes = bytes.saturating_add(size);
            match groups.last_mut() {
                Some(group) if group.len() < most && bytes <= GROUP_BYTES => group.end = row.saturating_add(1),
                _ => {
                    bytes = size;
                    groups.push(row..row.saturating_add(1));
                }
            }
        }
        groups
    }
}
