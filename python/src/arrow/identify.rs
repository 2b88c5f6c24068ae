//! Columns of contents, which are identified.

use super::data::Table;
use super::stream::{Call, ColumnStream, Job};
use crate::cache::KeyCache;
use crate::domain::Domain;
use crate::failure::Returned;
use arrow_array::{ArrayRef, StringArray};
use arrow_schema::{ArrowError, DataType, Field};
use dualseal::batch::{self, ContentItem, Threads};
use dualseal::encoding::hex;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::ops::Range;
use std::sync::Arc;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(identify, module)?)
}

/// Computes the identity_id of each row, as Domain.identity_id does one. The columns that it reads are given by their
/// names: `content`, text or bytes, and `creator` and `context`, text. The columns named in `keep` are given out first,
/// as they came.
///
/// The result has `identity_id`, 64 hexadecimal characters, and `error`, which names the column and says why a row has
/// none. `threads` and what is raised are as for verify_seals.
#[pyfunction]
#[pyo3(signature = (domain, data, *, content = None, creator = None, context = None, keep = None, threads = None))]
#[pyo3(text_signature = "(domain, data, *, content='content', creator='creator', context='context', keep=(), \
    threads=None)")]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn identify(
    domain: &Domain,
    data: &Bound<'_, PyAny>,
    content: Option<&str>,
    creator: Option<&str>,
    context: Option<&str>,
    keep: Option<Vec<String>>,
    threads: Option<&Bound<'_, PyInt>>,
) -> Returned<ColumnStream> {
    let mut call = Call::new(data, keep, threads)?;
    let content = call.column(content.unwrap_or("content"))?;
    let creator = call.column(creator.unwrap_or("creator"))?;
    let context = call.column(context.unwrap_or("context"))?;
    call.stream(Identify { domain: domain.0.clone(), content, creator, context })
}

struct Identify {
    domain: dualseal::Domain,
    content: usize,
    creator: usize,
    context: usize,
}

impl Identify {
    fn rows(&self, table: &Table, rows: Range<usize>) -> Vec<Result<String, String>> {
        let item = |row| {
            let (creator, context) = (table.text(self.creator, row)?, table.text(self.context, row)?);
            Ok(ContentItem { content: table.bytes(self.content, row)?, creator, context })
        };
        let read: Vec<_> = rows.map(item).collect();
        let items = read.iter().filter_map(|read| read.as_ref().ok().copied()).collect();
        let mut ids = batch::identify(&self.domain, items, Threads::calling(), &mut |_| {}).into_iter();
        let outcome = |read: Result<_, super::told::Fault>| match read {
            // The error of what was read says which argument it is of.
            Ok(_) => ids.next().map(|id| id.map(|id| hex::encode(id.as_bytes())).map_err(|error| error.to_string())),
            Err(fault) => Some(Err(fault.into_text())),
        };
        read.into_iter().filter_map(outcome).collect()
    }
}

impl Job for Identify {
    fn fields(&self) -> Vec<Field> {
        vec![Field::new("identity_id", DataType::Utf8, true), Field::new("error", DataType::Utf8, true)]
    }

    fn work(&self, table: &Table, rows: Range<usize>, threads: Threads) -> Result<Vec<ArrayRef>, ArrowError> {
        let outcomes = table.rows(rows, threads, |rows| self.rows(table, rows));
        let ids: StringArray = outcomes.iter().map(|outcome| outcome.as_deref().ok()).collect();
        let errors: StringArray = outcomes.iter().map(|outcome| outcome.as_deref().err()).collect();
        Ok(vec![Arc::new(ids), Arc::new(errors)])
    }

    fn cache(&self) -> Option<&KeyCache> {
        None
    }
}
