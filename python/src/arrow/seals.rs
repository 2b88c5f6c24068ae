//! Columns of seals.

use super::data::Table;
use super::place::PlaceColumn;
use super::stream::{Call, ColumnStream, Job};
use super::told::{self, Fault, Kind, Told};
use crate::cache::KeyCache;
use crate::checkpoint::VerifiedCheckpoint;
use crate::enums::SealPolicy;
use crate::failure::Returned;
use crate::input::text;
use crate::seal::{SealKey, SealVerifier, legacy, policy};
use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, Field};
use dualseal::batch::{SealItem, Threads, verify_seals};
use dualseal::seal::{self, Conclusion, Seal, SealReport};
use dualseal::{IdentityId, Located};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyMapping, PyString};
use std::collections::HashMap;
use std::ops::Range;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(seals, module)?)
}

/// Checks a column of seals, as SealVerifier.verify checks one. The columns that it reads are given by their names:
/// `seal`, the text of a seal or in a column of bytes its text or its binary form; `payload`, text or bytes;
/// `identity_id`, 64 hexadecimal characters or 32 bytes; and `place`, the JSON of the PlaceProof of the seal's entry
/// under `checkpoint`, or null. `seal_key` is one SealKey for all rows, or a mapping of them by identity. The columns
/// named in `keep` are given out first, as they came.
///
/// The result has `verdict` (a dictionary), `reason` (of invalid) and `error`. A row that cannot be read is
/// `malformed`, and `error` names the column and says why; under `layer_a` a row is `authenticated` or
/// `not-authenticated`. What is told of decoys is for the operator alone.
///
/// The ring is as it is when a portion of at most 8192 rows is begun. `threads` as for SealVerifier.verify_many. Raises
/// ColumnError for a column that is missing, there twice, or neither text nor bytes, and TypeError for a seal key that
/// the policy does not fit. What comes to light while reading is an error of the stream.
#[pyfunction]
#[pyo3(name = "verify_seals")]
#[pyo3(signature = (
    verifier,
    data,
    *,
    policy,
    seal = None,
    payload = None,
    identity_id = None,
    seal_key = None,
    allow_legacy = false,
    place = None,
    checkpoint = None,
    keep = None,
    threads = None,
))]
#[pyo3(text_signature = "(verifier, data, *, policy, seal='seal', payload='payload', identity_id='identity_id', \
    seal_key=None, allow_legacy=False, place=None, checkpoint=None, keep=(), threads=None)")]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn seals(
    verifier: Py<SealVerifier>,
    data: &Bound<'_, PyAny>,
    policy: SealPolicy,
    seal: Option<&str>,
    payload: Option<&str>,
    identity_id: Option<&str>,
    seal_key: Option<&Bound<'_, PyAny>>,
    allow_legacy: bool,
    place: Option<String>,
    checkpoint: Option<Py<VerifiedCheckpoint>>,
    keep: Option<Vec<String>>,
    threads: Option<&Bound<'_, PyInt>>,
) -> Returned<ColumnStream> {
    let keys = Keys::new(policy, seal_key)?;
    let mut call = Call::new(data, keep, threads)?;
    let seal = call.column(seal.unwrap_or("seal"))?;
    let payload = call.column(payload.unwrap_or("payload"))?;
    let identity_id = call.column(identity_id.unwrap_or("identity_id"))?;
    let place = PlaceColumn::new(&mut call, place, checkpoint)?;
    call.stream(Seals { verifier, policy, keys, legacy: legacy(allow_legacy), seal, payload, identity_id, place })
}

struct Seals {
    verifier: Py<SealVerifier>,
    policy: SealPolicy,
    keys: Keys,
    legacy: seal::Legacy,
    seal: usize,
    payload: usize,
    identity_id: usize,
    place: PlaceColumn,
}

/// A row that was read.
struct Read<'a> {
    seal: Seal,
    payload: &'a [u8],
    identity_id: IdentityId,
    policy: seal::Policy<'a>,
    place: Option<Located>,
}

impl Seals {
    fn read<'a>(&'a self, table: &'a Table, row: usize) -> Result<Read<'a>, Told> {
        let identity_id = table.identity(self.identity_id, row).map_err(Told::malformed)?;
        let Some(policy) = self.keys.policy(self.policy, &identity_id) else {
            return Err(Told::malformed(Fault::of("seal_key", "none is given for this identity")));
        };
        let place = self.place.read(table, row)?;
        let payload = table.bytes(self.payload, row).map_err(Told::malformed)?;
        let seal = self.read_seal(table, row).map_err(Told::malformed)?;
        Ok(Read { seal, payload, identity_id, policy, place })
    }

    fn read_seal(&self, table: &Table, row: usize) -> Result<Seal, Fault> {
        let bytes = table.bytes(self.seal, row)?;
        let read = if !table.is_text(self.seal) && dualseal::encoding::is_binary(bytes) {
            Seal::from_bytes(bytes)
        } else {
            table.text(self.seal, row)?.parse()
        };
        read.map_err(|error| table.malformed(self.seal, &error))
    }

    fn verify(&self, verifier: &seal::SealVerifier<'_>, table: &Table, rows: Range<usize>) -> Vec<Told> {
        let read: Vec<_> = rows.map(|row| self.read(table, row)).collect();
        let items = read.iter().flatten().map(|read| SealItem {
            seal: &read.seal,
            payload: read.payload,
            identity_id: &read.identity_id,
            policy: read.policy,
            legacy: self.legacy,
            place: read.place.as_ref(),
        });
        let reports = verify_seals(verifier, items.collect(), Threads::calling(), &mut |_| {});
        told::among(&read, reports.iter().map(told_of))
    }
}

impl Job for Seals {
    fn fields(&self) -> Vec<Field> {
        told::fields(false)
    }

    fn work(&self, table: &Table, rows: Range<usize>, threads: Threads) -> Result<Vec<ArrayRef>, ArrowError> {
        let (domain, ring, cache) = self.verifier.get().parts();
        let verifier = seal::SealVerifier::new(domain, &ring, &**cache.keys());
        told::arrays(&table.rows(rows, threads, |rows| self.verify(&verifier, table, rows)), false)
    }

    fn cache(&self) -> Option<&KeyCache> {
        Some(self.verifier.get().parts().2)
    }
}

fn told_of(report: &SealReport) -> Told {
    match &report.conclusion {
        Conclusion::Verdict(verdict) => Told::verdict(verdict),
        Conclusion::Authenticated(_) => Told::of(Kind::Authenticated),
        Conclusion::NotAuthenticated => Told::of(Kind::NotAuthenticated),
    }
}

/// The argument `seal_key`.
enum Keys {
    One(Option<Py<SealKey>>),
    Each(HashMap<IdentityId, Py<SealKey>>),
}

impl Keys {
    /// Whether the policy needs one is said here, before any row is read.
    fn new(policy: SealPolicy, given: Option<&Bound<'_, PyAny>>) -> Returned<Self> {
        let Some(given) = given else {
            self::policy(policy, None)?;
            return Ok(Self::One(None));
        };
        if let Ok(key) = given.cast::<SealKey>() {
            self::policy(policy, Some(key.get()))?;
            return Ok(Self::One(Some(key.clone().unbind())));
        }
        let Ok(mapping) = given.cast::<PyMapping>() else {
            return Err(PyTypeError::new_err("seal_key is a SealKey, or a mapping of them by identity").into());
        };
        let mut keys = HashMap::new();
        for pair in mapping.items()?.iter() {
            let (identity_id, key): (Bound<'_, PyString>, Py<SealKey>) = pair.extract()?;
            self::policy(policy, Some(key.get()))?;
            keys.insert(text("identity_id", &identity_id)?.parse()?, key);
        }
        if keys.is_empty() {
            self::policy(policy, None)?;
        }
        Ok(Self::Each(keys))
    }

    /// The policy with the key of this identity; None where there is none.
    fn policy(&self, policy: SealPolicy, identity_id: &IdentityId) -> Option<seal::Policy<'_>> {
        let key = match self {
            Self::One(key) => key.as_ref(),
            Self::Each(keys) => keys.get(identity_id),
        };
        self::policy(policy, key.map(Py::get)).ok()
    }
}
