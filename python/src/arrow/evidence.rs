//! Columns of files of evidence.

use super::data::Table;
use super::stream::{Call, ColumnStream, Job};
use super::told::{self, Told};
use crate::cache::KeyCache;
use crate::domain::Domain;
use crate::failure::Returned;
use crate::input::{counter, text};
use crate::note::Witnesses;
use crate::time::moment;
use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, Field};
use dualseal::batch::Threads;
use dualseal::checkpoint::LogFingerprint;
use dualseal::evidence::{EvidenceFile, EvidencePolicy, ExpectedSigner};
use dualseal::{Error, Timestamp, note};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};
use std::ops::Range;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(files, module)?)
}

/// Verifies a column of files of evidence, as EvidenceFile.open and OpenEvidence.verify do one, by the fingerprint
/// `log` of the log that is believed. The columns that it reads are given by their names: `evidence`, the JSON of a
/// file; `document`, text or bytes, by the kind of the record its content, payload, message or stored bytes; and
/// `identity_id`, whose record is expected, 64 hexadecimal characters or 32 bytes. `domain`, `least_size`, `log_until`,
/// `witnesses` and `witnessed_after` are those of EvidenceFile.open.
///
/// The result has `verdict`, `reason`, `error` and `as_of`, the number of entries of the log as of which the verdict is
/// told. Evidence that does not hold is `invalid`; its reason is the name of the error. `keep`, `threads` and what is
/// raised are as for verify_seals.
#[pyfunction]
#[pyo3(name = "verify_evidence")]
#[pyo3(signature = (
    data,
    *,
    log,
    evidence = None,
    document = None,
    identity_id = None,
    domain = None,
    least_size = None,
    log_until = None,
    witnesses = None,
    witnessed_after = None,
    keep = None,
    threads = None,
))]
#[pyo3(text_signature = "(data, *, log, evidence='evidence', document='document', identity_id='identity_id', \
    domain=None, least_size=0, log_until=None, witnesses=None, witnessed_after=None, keep=(), threads=None)")]
#[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
fn files(
    data: &Bound<'_, PyAny>,
    log: &Bound<'_, PyString>,
    evidence: Option<&str>,
    document: Option<&str>,
    identity_id: Option<&str>,
    domain: Option<&Domain>,
    least_size: Option<&Bound<'_, PyInt>>,
    log_until: Option<&Bound<'_, PyInt>>,
    witnesses: Option<&Witnesses>,
    witnessed_after: Option<&Bound<'_, PyAny>>,
    keep: Option<Vec<String>>,
    threads: Option<&Bound<'_, PyInt>>,
) -> Returned<ColumnStream> {
    let log = text("log", log)?.parse()?;
    let mut call = Call::new(data, keep, threads)?;
    let (evidence_column, evidence) = (evidence.unwrap_or("evidence"), document.unwrap_or("document"));
    let job = Files {
        name: evidence_column.to_owned(),
        evidence: call.column(evidence_column)?,
        document: call.column(evidence)?,
        identity_id: call.column(identity_id.unwrap_or("identity_id"))?,
        log,
        log_until: log_until.map(|until| counter("log_until", until)).transpose()?,
        domain: domain.map(|domain| domain.0.clone()),
        least_size: least_size.map_or(Ok(0), |size| counter("size", size))?,
        witnesses: witnesses.map(|witnesses| witnesses.0.clone()),
        witnessed_after: witnessed_after.map(|time| moment("witnessed_after", time)).transpose()?,
    };
    call.stream(job)
}

struct Files {
    name: String,
    evidence: usize,
    document: usize,
    identity_id: usize,
    log: LogFingerprint,
    log_until: Option<u64>,
    domain: Option<dualseal::Domain>,
    least_size: u64,
    witnesses: Option<note::Witnesses>,
    witnessed_after: Option<Timestamp>,
}

impl Files {
    fn row(&self, table: &Table, row: usize) -> Result<Told, Told> {
        let identity_id = table.identity(self.identity_id, row).map_err(Told::malformed)?;
        let document = table.bytes(self.document, row).map_err(Told::malformed)?;
        let json = table.bytes(self.evidence, row).map_err(Told::malformed)?;
        let mut policy = EvidencePolicy::of_log(self.log);
        policy.signer = ExpectedSigner::Identity(identity_id);
        policy.domain = self.domain.as_ref();
        policy.least_size = self.least_size;
        policy.log_until = self.log_until;
        if let Some(witnesses) = &self.witnesses {
            policy.witnesses = witnesses.clone();
        }
        policy.witnessed_after = self.witnessed_after;
        let refused = |error: Error| Told::refused(&self.name, &error);
        let open = EvidenceFile::from_json(json).and_then(|file| file.open(&policy)).map_err(refused)?;
        let size = Some(open.checkpoint().record().tree_head().size);
        let report = open.verify(document).map_err(|error| refused(error).seen_at(size))?;
        Ok(Told::verdict(&report.as_of.verdict).seen_at(report.as_of.size))
    }
}

impl Job for Files {
    fn fields(&self) -> Vec<Field> {
        told::fields(true)
    }

    fn work(&self, table: &Table, rows: Range<usize>, threads: Threads) -> Result<Vec<ArrayRef>, ArrowError> {
        let each = |rows: Range<usize>| rows.map(|row| self.row(table, row).unwrap_or_else(|told| told)).collect();
        told::arrays(&table.rows(rows, threads, each), true)
    }

    fn cache(&self) -> Option<&KeyCache> {
        None
    }
}
