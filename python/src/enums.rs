//! Enumerations in Python source (`dualseal._enums`), looked up by the library's own names and numbers where it has
//! them.

use crate::failure::Returned;
use crate::input::{malformed, text};
use crate::sharing::over::Over;
use dualseal::error::Problem;
use dualseal::evidence::EvidenceKind;
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::note::NoteKind;
use dualseal::seal::{LayerOutcome, SealFormat, SealOutcome};
use dualseal::shard::Operation;
use dualseal::vault::{Encryption, Tier, VaultOutcome};
use dualseal::{KeyState, VerdictKind};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

pub(crate) fn key_state_object(py: Python<'_>, state: KeyState) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "KeyState")?.call1((state.as_str(),))
}

pub(crate) fn verdict_kind_object(py: Python<'_>, kind: VerdictKind) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "VerdictKind")?.call1((kind.code(),))
}

pub(crate) fn comparison_object<'py>(py: Python<'py>, value: &str) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "Comparison")?.call1((value,))
}

pub(crate) fn consistency_object<'py>(py: Python<'py>, value: &str) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "Consistency")?.call1((value,))
}

pub(crate) fn followed_object<'py>(py: Python<'py>, value: &str) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "Followed")?.call1((value,))
}

pub(crate) fn seal_format_object(py: Python<'_>, format: SealFormat) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "SealFormat")?.call1((format.as_str(),))
}

pub(crate) fn layer_outcome_object(py: Python<'_>, outcome: LayerOutcome) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let value = match outcome {
        LayerOutcome::Pass => "pass",
        LayerOutcome::Fail => "fail",
        LayerOutcome::NotChecked => "not_checked",
        LayerOutcome::Absent => "absent",
    };
    CLASS.import(py, "dualseal._enums", "LayerOutcome")?.call1((value,))
}

pub(crate) fn seal_outcome_object(py: Python<'_>, outcome: SealOutcome) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "SealOutcome")?.call1((outcome.as_str(),))
}

pub(crate) fn sharing_field_object<'py, P, B>(py: Python<'py>, value: &Over<P, B>) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let name = match value {
        Over::Prime(_) => Fp521::ALGORITHM,
        Over::Binary(_) => Gf2_256::ALGORITHM,
    };
    CLASS.import(py, "dualseal._enums", "SharingField")?.call1((name,))
}

/// The fields of secret sharing, which are types in the library.
#[derive(Clone, Copy)]
pub(crate) enum SharingField {
    Fp521,
    Gf2_256,
}

/// A member of the enumeration, or its text on the wire.
impl FromPyObject<'_, '_> for SharingField {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match text("algoritam", &*object.cast::<PyString>()?)? {
            Fp521::ALGORITHM => Ok(Self::Fp521),
            Gf2_256::ALGORITHM => Ok(Self::Gf2_256),
            _ => Err(malformed("algoritam", Problem::UnknownValue).into()),
        }
    }
}

/// The library's policy without its key, which is an argument of its own.
#[derive(Clone, Copy)]
pub(crate) enum SealPolicy {
    Both,
    LayerA,
    LayerB,
}

/// A member of the enumeration, or its text.
impl FromPyObject<'_, '_> for SealPolicy {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match text("policy", &*object.cast::<PyString>()?)? {
            "both" => Ok(Self::Both),
            "layer_a" => Ok(Self::LayerA),
            "layer_b" => Ok(Self::LayerB),
            _ => Err(malformed("policy", Problem::UnknownValue).into()),
        }
    }
}

/// A member of the enumeration, or its text on the wire.
pub(crate) fn key_state(value: &Bound<'_, PyString>) -> Returned<KeyState> {
    Ok(text("bela_stanje", value)?.parse()?)
}

pub(crate) fn operation_object(py: Python<'_>, operation: Operation) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "Operation")?.call1((operation.as_str(),))
}

/// A member of the enumeration, or its text on the wire.
pub(crate) fn operation(value: &Bound<'_, PyString>) -> Returned<Operation> {
    Operation::from_name(text("op", value)?).ok_or_else(|| malformed("op", Problem::UnknownValue))
}

pub(crate) fn vault_outcome_object(py: Python<'_>, outcome: VaultOutcome) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "VaultOutcome")?.call1((outcome.as_str(),))
}

pub(crate) fn tier_object(py: Python<'_>, tier: Tier) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "Tier")?.call1((tier.as_str(),))
}

/// A member of the enumeration, or its text on the wire.
pub(crate) fn tier(value: &Bound<'_, PyString>) -> Returned<Tier> {
    Ok(text("tier", value)?.parse()?)
}

pub(crate) fn encryption_object(py: Python<'_>, encryption: Encryption) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "Encryption")?.call1((encryption.as_str(),))
}

/// A member of the enumeration, or its text on the wire.
pub(crate) fn encryption(value: &Bound<'_, PyString>) -> Returned<Encryption> {
    let name = text("encryption", value)?;
    let found = [Encryption::None, Encryption::Stream].into_iter().find(|known| known.as_str() == name);
    found.ok_or_else(|| malformed("encryption", Problem::UnknownValue))
}

pub(crate) fn evidence_kind_object(py: Python<'_>, kind: EvidenceKind) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "dualseal._enums", "EvidenceKind")?.call1((kind.as_str(),))
}

pub(crate) fn note_kind_object(py: Python<'_>, kind: NoteKind) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let value = match kind {
        NoteKind::Log => "log",
        NoteKind::Witness => "witness",
    };
    CLASS.import(py, "dualseal._enums", "NoteKind")?.call1((value,))
}

/// A member of the enumeration, or its text.
pub(crate) fn note_kind(value: &Bound<'_, PyString>) -> Returned<NoteKind> {
    match text("kind", value)? {
        "log" => Ok(NoteKind::Log),
        "witness" => Ok(NoteKind::Witness),
        _ => Err(malformed("kind", Problem::UnknownValue)),
    }
}
