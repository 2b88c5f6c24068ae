//! Verifying the document of evidence.

use super::report::EvidenceReport;
use crate::enums::evidence_kind_object;
use crate::failure::{Returned, not_pickled};
use crate::input::BytesLike;
use crate::progress::{ending, lock, running};
use dualseal::evidence;
use pyo3::prelude::*;
use self_cell::self_cell;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<OpenEvidence>()?;
    module.add_class::<EvidenceCheck>()
}

/// Evidence of which all holds that needs no document. Only EvidenceFile.open gives one. Threads may share it.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct OpenEvidence(Arc<evidence::OpenEvidence>);

impl OpenEvidence {
    pub(super) fn of(open: evidence::OpenEvidence) -> Self {
        Self(Arc::new(open))
    }
}

#[pymethods]
impl OpenEvidence {
    /// What kind of record it is about, and with it what the document is.
    #[getter]
    fn kind<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        evidence_kind_object(py, self.0.kind())
    }

    /// Verifies the record over its document, any bytes-like object: content, payload, message or stored bytes, by the
    /// kind. Then it counts the witnesses.
    ///
    /// Raises EvidenceError, whose `reason` names the check of a record that does not hold, and for witnesses who did
    /// not see it after the time asked for; RejectedError for a forged cosignature and for too few; MalformedError for
    /// stored bytes that are no erasure's.
    #[pyo3(signature = (document, /))]
    fn verify(&self, py: Python<'_>, document: BytesLike<'_>) -> Returned<EvidenceReport> {
        let check = self.stream();
        check.update(py, document)?;
        check.finish(py)
    }

    /// As verify, for a document that comes in parts. `hashlib.file_digest(file, evidence.stream)` reads a file.
    fn stream(&self) -> EvidenceCheck {
        EvidenceCheck(Mutex::new(Progress::new(Arc::clone(&self.0), |open| Some(open.begin()))))
    }

    /// Compares what the two files show of one key, as EvidenceReport.compare does, for whoever has not the document.
    /// Raises as that does.
    #[pyo3(signature = (other, /))]
    fn compare(&self, other: &Self) -> Returned<()> {
        Ok(self.0.compare(&other.0)?)
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("OpenEvidence(kind='{}')", self.0.kind().as_str())
    }
}

type Running<'a> = Option<evidence::EvidenceCheck<'a>>;

self_cell! {
    struct Progress {
        owner: Arc<evidence::OpenEvidence>,
        #[covariant]
        dependent: Running,
    }
}

/// A document that is being read past its evidence. Threads may share one; the parts of a single update stay together.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct EvidenceCheck(Mutex<Progress>);

#[pymethods]
impl EvidenceCheck {
    /// Takes the next part of the document, any bytes-like object.
    #[pyo3(signature = (document, /))]
    fn update(&self, py: Python<'_>, document: BytesLike<'_>) -> Returned<()> {
        let mut guard = lock(py, &self.0);
        guard.with_dependent_mut(|_, check| {
            let check = running(check)?;
            Ok(document.feed(py, |part| check.update(part))?)
        })
    }

    /// The report on all parts. Raises as OpenEvidence.verify does.
    fn finish(&self, py: Python<'_>) -> Returned<EvidenceReport> {
        let mut guard = lock(py, &self.0);
        guard.with_dependent_mut(|_, check| {
            let check = ending(check)?;
            Ok(EvidenceReport::of(py, py.detach(|| check.finish())?)?)
        })
    }
}
