//! Documents taken out again, and what a record of an erasure says.

use super::files::{Ends, Source, Target};
use super::record::VaultRecord;
use super::report::{Reported, VerifiedRecord, valid};
use crate::checkpoint::Located;
use crate::failure::{Returned, not_pickled};
use crate::input::BytesLike;
use crate::progress::{ending, lock, running};
use crate::shard::Splits;
use crate::sharing::OneSecret;
use dualseal::Error;
use dualseal::shamir::SplitId;
use dualseal::stream::KeyMaterial;
use dualseal::vault::{self, Provisional};
use dualseal_operator::vault_file;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use self_cell::self_cell;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Unsealer>()?;
    module.add_class::<Erasure>()?;
    module.add_function(wrap_pyfunction!(unseal, module)?)?;
    module.add_function(wrap_pyfunction!(unseal_file, module)?)
}

fn material(secret: Option<&OneSecret>) -> Option<&dyn KeyMaterial> {
    secret.map(|secret| -> &dyn KeyMaterial { secret.material() })
}

/// Unseals a document in memory: all of it or nothing. The plain bytes are a copy that Python cannot wipe.
///
/// `verified` is what the operator's policy verified, else TypeError is raised. `secret` is the record's DrawnSecret,
/// or its 32 bytes, or 66 of the other field. Raises MisuseError where the record is encrypted and no secret is given,
/// and RejectedError for another secret and for bytes that were changed since.
#[pyfunction]
#[pyo3(signature = (verified, stored, /, *, secret = None))]
fn unseal<'py>(
    py: Python<'py>,
    verified: &VerifiedRecord,
    stored: BytesLike<'_>,
    secret: Option<OneSecret>,
) -> Returned<Bound<'py, PyBytes>> {
    let (proof, stored) = (verified.0.operator()?, stored.contiguous()?);
    let document = py.detach(|| vault::unseal(proof, material(secret.as_ref()), &stored))?;
    Ok(PyBytes::new(py, &document))
}

/// Unseals from a file to a file, in memory for one chunk, and returns the number of stored bytes: two paths, or two
/// objects with `read` and `write`. Raises as unseal and as VaultSealer.seal_file do.
///
/// The file of a path gets its name when the whole document was seen, and is readable by its owner alone. On an error
/// it is as it was, but on NotForcedError: then the whole document has its name. What an object got is provisional
/// until this returns.
#[pyfunction]
#[pyo3(signature = (verified, source, target, /, *, secret = None))]
fn unseal_file(
    py: Python<'_>,
    verified: &VerifiedRecord,
    source: Source,
    target: Target,
    secret: Option<OneSecret>,
) -> Returned<u64> {
    let (proof, ends) = (verified.0.operator()?, Ends::new(source, target)?);
    ends.copy(
        py,
        |from, to| vault_file::unseal_file(proof, material(secret.as_ref()), from, to),
        |from, to| vault::unseal_to(proof, material(secret.as_ref()), from, to),
        |unsealed| Ok(unsealed.length()),
    )
}

struct Begun {
    reported: Arc<Reported>,
    secret: Option<OneSecret>,
}

type Running<'a> = Option<vault::Unsealer<'a>>;

self_cell! {
    struct Progress {
        owner: Begun,
        #[not_covariant]
        dependent: Running,
    }
}

/// Unseals a document whose stored bytes come in parts of any size. What it gives is provisional until finish returns:
/// whoever acts on it must be able to undo that. Threads may share one.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Unsealer(Mutex<Progress>);

impl Unsealer {
    fn with<'py>(
        &self,
        py: Python<'py>,
        act: impl FnOnce(&mut Running<'_>, &mut Provisional) -> Result<(), Error> + Send,
    ) -> Returned<Bound<'py, PyBytes>> {
        let mut guard = lock(py, &self.0);
        let mut out = Provisional::new();
        guard.with_dependent_mut(|_, unsealer| py.detach(|| act(unsealer, &mut out)))?;
        Ok(PyBytes::new(py, out.provisional_bytes()))
    }
}

#[pymethods]
impl Unsealer {
    /// Begins a second pass over the stored bytes; raises as unseal does.
    #[new]
    #[pyo3(signature = (verified, *, secret = None))]
    fn new(verified: &VerifiedRecord, secret: Option<OneSecret>) -> Returned<Self> {
        let begun = Begun { reported: Arc::clone(&verified.0), secret };
        let progress = Progress::try_new(begun, |begun| -> Returned<_> {
            Ok(Some(vault::Unsealer::new(begun.reported.operator()?, material(begun.secret.as_ref()))?))
        })?;
        Ok(Self(Mutex::new(progress)))
    }

    /// Takes the next part of the stored bytes, any bytes-like object, and returns the next plain bytes.
    #[pyo3(signature = (stored, /))]
    fn update<'py>(&self, py: Python<'py>, stored: BytesLike<'_>) -> Returned<Bound<'py, PyBytes>> {
        let stored = stored.contiguous()?;
        self.with(py, |unsealer, out| running(unsealer)?.update(&stored, out))
    }

    /// Returns the last plain bytes: with them it was the whole document, unchanged since it was verified.
    fn finish<'py>(&self, py: Python<'py>) -> Returned<Bound<'py, PyBytes>> {
        self.with(py, |unsealer, out| {
            let _: vault::Unsealed = ending(unsealer)?.finish(out)?;
            Ok(())
        })
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }
}

/// What a verified record of type ERASURE says.
#[pyclass(frozen, eq, module = "dualseal")]
#[derive(PartialEq)]
pub(crate) struct Erasure(vault::Erasure);

#[pymethods]
impl Erasure {
    /// Reads the stored bytes of a record that was verified under either policy and located: without a proven place
    /// none counts. Raises MisuseError for a record of another type, and RejectedError for the place of another entry.
    #[staticmethod]
    #[pyo3(signature = (verified, place, stored, /))]
    fn read(verified: &VerifiedRecord, place: &Located, stored: BytesLike<'_>) -> Returned<Self> {
        let stored = stored.contiguous()?;
        Ok(Self(match &*verified.0 {
            Reported::Public(report) => vault::Erasure::read(valid(report.verdict())?, &place.0, &stored)?,
            Reported::Operator(report) => vault::Erasure::read(valid(report.verdict())?, &place.0, &stored)?,
        }))
    }

    /// The record that was erased.
    #[getter]
    fn vault_id(&self) -> String {
        self.0.vault_id().to_hex()
    }

    /// The splits whose shards were destroyed, ascending.
    #[getter]
    fn splits(&self) -> Vec<String> {
        self.0.splits().iter().map(SplitId::to_hex).collect()
    }

    /// The position of its entry in the chain.
    #[getter]
    fn seq(&self) -> u64 {
        self.0.seq()
    }

    /// (seq, split_id) of the splits that the operator made of the erased vault and that the erasure does not name:
    /// made after it, or kept from it. Their shards were not destroyed with the others. Raises MisuseError for the
    /// splits of another vault.
    #[pyo3(signature = (splits, /))]
    fn spared(&self, splits: &Splits) -> Returned<Vec<(u64, String)>> {
        let spared = self.0.spared(&splits.0)?;
        Ok(spared.iter().map(|split| (split.seq, split.split_id.to_hex())).collect())
    }

    /// Whether it counts for this record: an encrypted one, of the same ledger and identity.
    #[pyo3(signature = (record, /))]
    fn covers(&self, record: &VaultRecord) -> bool {
        self.0.covers(&record.0)
    }

    fn __repr__(&self) -> String {
        format!("Erasure(vault_id='{}')", self.0.vault_id())
    }
}
