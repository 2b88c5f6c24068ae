//! Columns of signature records.

use super::data::Table;
use super::place::PlaceColumn;
use super::stream::{Call, ColumnStream, Job};
use super::told::{self, Told};
use crate::cache::KeyCache;
use crate::checkpoint::VerifiedCheckpoint;
use crate::failure::Returned;
use crate::verifier::Verifier;
use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, Field};
use dualseal::batch::{SignatureItem, Threads, verify_signatures};
use dualseal::encoding::is_binary;
use dualseal::signature::Verifier as By;
use dualseal::verdict::InvalidReason;
use dualseal::{Domain, HashedContent, KeyRing, Located, PublicKey, SignatureRecord};
use pyo3::prelude::*;
use pyo3::types::PyInt;
use std::ops::Range;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(records, module)?)
}

/// Keys of an identity that are tried on a record without its key: as many as on a seal, which names none either.
const TRIED: usize = 16;

/// Verifies a column of signature records, as Verifier.verify does one. The columns that it reads are given by their
/// names: `record`, the JSON of a record, or in a column of bytes its JSON or either binary form; `content`, text or
/// bytes; `identity_id`, whose record is expected, 64 hexadecimal characters or 32 bytes; and `place`, the JSON of the
/// PlaceProof of the record's entry under `checkpoint`, or null. A record in the binary form without its key is tried
/// with the keys that the ring has for its identity, the current one first, 16 at most.
///
/// `keep`, the result, `threads` and what is raised are as for verify_seals.
#[pyfunction]
#[pyo3(name = "verify_records")]
#[pyo3(signature = (
    verifier,
    data,
    *,
    record = None,
    content = None,
    identity_id = None,
    place = None,
    checkpoint = None,
    keep = None,
    threads = None,
))]
#[pyo3(text_signature = "(verifier, data, *, record='record', content='content', identity_id='identity_id', \
    place=None, checkpoint=None, keep=(), threads=None)")]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn records(
    verifier: Py<Verifier>,
    data: &Bound<'_, PyAny>,
    record: Option<&str>,
    content: Option<&str>,
    identity_id: Option<&str>,
    place: Option<String>,
    checkpoint: Option<Py<VerifiedCheckpoint>>,
    keep: Option<Vec<String>>,
    threads: Option<&Bound<'_, PyInt>>,
) -> Returned<ColumnStream> {
    let mut call = Call::new(data, keep, threads)?;
    let record = call.column(record.unwrap_or("record"))?;
    let content = call.column(content.unwrap_or("content"))?;
    let identity_id = call.column(identity_id.unwrap_or("identity_id"))?;
    let place = PlaceColumn::new(&mut call, place, checkpoint)?;
    call.stream(Records { verifier, record, content, identity_id, place })
}

struct Records {
    verifier: Py<Verifier>,
    record: usize,
    content: usize,
    identity_id: usize,
    place: PlaceColumn,
}

/// A row that was read.
struct Read<'a> {
    record: SignatureRecord,
    /// The bytes of one that came without its key, and the keys that are tried after the first.
    others: Option<(&'a [u8], Vec<PublicKey>)>,
    content: HashedContent,
    place: Option<Located>,
}

impl Records {
    fn read<'a>(&self, domain: &Domain, ring: &KeyRing, table: &'a Table, row: usize) -> Result<Read<'a>, Told> {
        let identity_id = table.identity(self.identity_id, row).map_err(Told::malformed)?;
        let bytes = table.bytes(self.record, row).map_err(Told::malformed)?;
        let (mut asked, mut keys) = (false, vec![]);
        let record = if !table.is_text(self.record) && is_binary(bytes) {
            SignatureRecord::from_bytes_by(bytes, |named| {
                asked = true;
                keys.extend(ring.keys(named).map(|(key, _)| key.clone()).take(TRIED));
                keys.first().cloned()
            })
        } else {
            SignatureRecord::from_json(bytes)
        };
        let record = match record {
            Ok(record) => record,
            Err(_) if asked && keys.is_empty() => return Err(Told::invalid(InvalidReason::UnknownIdentity)),
            Err(error) => return Err(Told::malformed(table.malformed(self.record, &error))),
        };
        let others = (keys.len() > 1).then(|| (bytes, keys.split_off(1)));
        let place = self.place.read(table, row)?;
        let content = table.bytes(self.content, row).map_err(Told::malformed)?;
        Ok(Read { record, others, content: domain.content_hash(&identity_id, content), place })
    }

    fn verify(
        &self,
        (domain, ring): (&Domain, &KeyRing),
        verifier: &By<'_>,
        table: &Table,
        rows: Range<usize>,
    ) -> Vec<Told> {
        let read: Vec<_> = rows.map(|row| self.read(domain, ring, table, row)).collect();
        let items = read.iter().flatten().map(|read| SignatureItem {
            content: read.content,
            record: read.record.clone(),
            place: read.place.as_ref(),
        });
        let verdicts = verify_signatures(verifier, items.collect(), Threads::calling(), &mut |_| {});
        let told = read.iter().flatten().zip(&verdicts).map(|(read, verdict)| {
            let told = Told::verdict(verdict);
            if told.is_invalid() { by_another_key(verifier, read).unwrap_or(told) } else { told }
        });
        told::among(&read, told)
    }
}

/// What a record without its key is by the first further key under which it is not invalid.
fn by_another_key(verifier: &By<'_>, read: &Read<'_>) -> Option<Told> {
    let (bytes, keys) = read.others.as_ref()?;
    keys.iter().find_map(|key| {
        let record = SignatureRecord::from_bytes_with_key(bytes, key).ok()?;
        let told = Told::verdict(&verifier.verify(&read.content, record, read.place.as_ref()));
        // By a retired key: no other is the record's, and what is wrong is its place.
        (!told.is_invalid() || told.is_of_retired_key()).then_some(told)
    })
}

impl Job for Records {
    fn fields(&self) -> Vec<Field> {
        told::fields(false)
    }

    fn work(&self, table: &Table, rows: Range<usize>, threads: Threads) -> Result<Vec<ArrayRef>, ArrowError> {
        let (domain, ring, cache) = self.verifier.get().parts();
        let verifier = By::new(domain, &ring, &**cache.keys());
        told::arrays(&table.rows(rows, threads, |rows| self.verify((domain, &ring), &verifier, table, rows)), false)
    }

    fn cache(&self) -> Option<&KeyCache> {
        Some(self.verifier.get().parts().2)
    }
}
