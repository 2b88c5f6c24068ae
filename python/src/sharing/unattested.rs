//! Rebuilding from shares that nobody committed to.

use super::share::{Share, copies};
use super::{Over, numbers, over};
use crate::failure::{Returned, not_pickled};
use crate::input::counter;
use dualseal::field::{Fp521, Gf2_256};
use dualseal::shamir;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Unattested>()?;
    module.add_function(wrap_pyfunction!(reconstruct_unanchored, module)?)
}

/// What shares without commitments give. Nobody vouches for it, and nothing here takes it for a DrawnSecret.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct Unattested(Over<shamir::Unattested<Fp521>, shamir::Unattested<Gf2_256>>);

#[pymethods]
impl Unattested {
    /// The value's bytes, big-endian: a copy that Python cannot wipe.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        over!(&self.0, found => PyBytes::new(py, found.to_bytes().as_slice()))
    }

    /// The numbers of the shares that do not fit the others. Not culprits: a few holders who work together can make
    /// honest shares look like this.
    #[getter]
    fn outliers(&self) -> Vec<u64> {
        over!(&self.0, found => numbers(found.outliers()))
    }

    /// There were exactly k shares. Any k values give some secret: nothing was checked.
    #[getter]
    fn unchecked(&self) -> bool {
        over!(&self.0, found => found.unchecked())
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        over!(&self.0, found => format!("{found:?}"))
    }
}

/// A value from t shares that come without the dealer's record, of which any k should give it.
///
/// With t > k, up to (t-k)//2 wrong shares are corrected, unless their holders work together: then they can choose what
/// comes out, and frame others. With t = k nothing is checked. Whoever has the dealer's record uses
/// Dealing.reconstruct. Raises SharingError.
#[pyfunction]
#[pyo3(signature = (shares, /, *, k))]
fn reconstruct_unanchored(py: Python<'_>, shares: Vec<Py<Share>>, k: &Bound<'_, PyInt>) -> Returned<Unattested> {
    let k = counter("k", k)?;
    Ok(Unattested(if shares.first().is_some_and(|share| share.get().is_prime()) {
        let shares = copies(&shares)?;
        Over::Prime(py.detach(|| shamir::reconstruct_unanchored(k, &shares))?)
    } else {
        let shares = copies(&shares)?;
        Over::Binary(py.detach(|| shamir::reconstruct_unanchored(k, &shares))?)
    }))
}
