//! Errors as exceptions. The classes are Python source (`dualseal._errors`), so that they pickle and have attributes
//! with types.

use dualseal::error::{
    CheckpointFault, PresenceFault, Rejected, RingFault, ShardFault, StreamFault, ThresholdFault, VaultFault,
};
use dualseal::{Error, VerdictKind};
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

/// What an operation returns: one error type for the library's failures and for the interpreter's.
pub(crate) type Returned<T> = Result<T, Raised>;

/// A failure that becomes an exception where it reaches Python.
#[derive(Debug)]
pub(crate) enum Raised {
    Library(Error),
    Python(PyErr),
}

impl From<Error> for Raised {
    fn from(error: Error) -> Self {
        Self::Library(error)
    }
}

impl From<PyErr> for Raised {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<Raised> for PyErr {
    fn from(failure: Raised) -> Self {
        match failure {
            Raised::Library(error) => Python::attach(|py| library_exception(py, &error)).unwrap_or_else(|error| error),
            Raised::Python(error) => error,
        }
    }
}

/// For `__reduce__` of what must not leave the process: without it, the oldest pickle protocols write an empty shell.
pub(crate) fn not_pickled<T: PyTypeInfo>(py: Python<'_>) -> PyErr {
    let name = T::type_object(py).name().map_or_else(|_| String::new(), |name| name.to_string());
    PyTypeError::new_err(format!("cannot pickle or copy a {name}"))
}

/// The exception for a verdict other than Valid.
pub(crate) fn verdict_exception(
    py: Python<'_>,
    kind: VerdictKind,
    kind_object: &Bound<'_, PyAny>,
    reason: &str,
) -> PyResult<PyErr> {
    let class = match kind {
        // A valid verdict is never refused; the base class keeps this total.
        VerdictKind::Valid => "VerdictError",
        VerdictKind::Invalid => "InvalidError",
        VerdictKind::Revoked => "RevokedError",
        VerdictKind::Suspended => "SuspendedError",
        VerdictKind::Decoy => "DecoyError",
    };
    let message = if reason == kind.as_str() { reason.to_owned() } else { format!("{}: {reason}", kind.as_str()) };
    let exception = construct(py, class, &message, kind.code())?;
    exception.setattr("kind", kind_object)?;
    exception.setattr("reason", reason)?;
    Ok(PyErr::from_value(exception))
}

fn library_exception(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let class = match error {
        Error::Malformed(_) => "MalformedError",
        Error::Rejected(Rejected::Sharing(_)) => "SharingError",
        Error::Rejected(_) => "RejectedError",
        Error::Misuse(_) => "MisuseError",
        Error::Randomness => "RandomnessError",
        _ => "DualsealError",
    };
    let exception = construct(py, class, &error.to_string(), error.code())?;
    match error {
        Error::Malformed(malformed) => {
            exception.setattr("field", PyString::intern(py, malformed.field))?;
            exception.setattr("index", malformed.index)?;
        }
        Error::Rejected(rejected) => add_evidence(&exception, rejected)?,
        _ => {}
    }
    Ok(PyErr::from_value(exception))
}

fn add_evidence(exception: &Bound<'_, PyAny>, rejected: &Rejected) -> PyResult<()> {
    match rejected {
        Rejected::Chain(fault) => exception.setattr("seq", fault.seq),
        Rejected::Checkpoint(CheckpointFault::Truncated { size, found }) => {
            exception.setattr("size", size)?;
            exception.setattr("found", found)
        }
        Rejected::Checkpoint(CheckpointFault::Rewritten { size } | CheckpointFault::Retimed { size }) => {
            exception.setattr("size", size)
        }
        Rejected::Ring(RingFault::Rollback { ring, chain }) => {
            exception.setattr("ring", ring)?;
            exception.setattr("chain", chain)
        }
        Rejected::Ring(RingFault::Forged { identity_id }) => exception.setattr("identity_id", identity_id),
        Rejected::Sharing(fault) => set_numbers(exception, "culprits", &fault.culprits),
        Rejected::Stream(StreamFault::Chunk { index }) => exception.setattr("chunk", index),
        Rejected::Threshold(ThresholdFault::MissingRecord { seq }) => exception.setattr("seq", seq),
        Rejected::Threshold(ThresholdFault::NotCommitted { index }) => set_numbers(exception, "culprits", &[*index]),
        Rejected::Shard(ShardFault::Mixed { indices, culprits }) => {
            set_numbers(exception, "indices", indices)?;
            set_numbers(exception, "culprits", culprits)
        }
        Rejected::Shard(ShardFault::SupersededSplit { culprits }) => set_numbers(exception, "culprits", culprits),
        Rejected::Presence(PresenceFault::TooFew { bad, .. }) => {
            exception.setattr("bad_proofs", PyTuple::new(exception.py(), bad)?)
        }
        Rejected::Vault(fault) => add_place(exception, *fault),
        _ => Ok(()),
    }
}

/// Where in a ledger, and which layer caught it.
fn add_place(exception: &Bound<'_, PyAny>, fault: VaultFault) -> PyResult<()> {
    match fault {
        VaultFault::LedgerRecord { seq, layer } => {
            exception.setattr("seq", seq)?;
            exception.setattr("layer", layer.as_str())
        }
        VaultFault::LedgerTruncated { seq }
        | VaultFault::LedgerFork { seq }
        | VaultFault::OtherLedger { seq }
        | VaultFault::MissingDecoy { seq }
        | VaultFault::LedgerEntry { seq } => exception.setattr("seq", seq),
        _ => Ok(()),
    }
}

/// As integers of Python: a vector of bytes would become `bytes`.
fn set_numbers(exception: &Bound<'_, PyAny>, name: &str, numbers: &[u8]) -> PyResult<()> {
    exception.setattr(name, PyTuple::new(exception.py(), numbers)?)
}

fn construct<'py>(py: Python<'py>, class: &str, message: &str, code: u16) -> PyResult<Bound<'py, PyAny>> {
    let exception = py.import("dualseal._errors")?.getattr(class)?.call1((message,))?;
    exception.setattr("code", code)?;
    Ok(exception)
}
