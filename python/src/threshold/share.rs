//! A custodian's share.

use crate::failure::{Returned, not_hashed, not_pickled};
use crate::input::{index, text};
use crate::json::JsonText;
use dualseal::shamir::Share;
use dualseal::threshold;
use pyo3::prelude::*;
use pyo3::types::PyString;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SessionShare>()
}

/// A custodian's share (UdioInfo). Its value is wiped when it is no longer used; what its methods return as str is a
/// copy that Python cannot wipe.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct SessionShare(pub(super) threshold::SessionShare);

/// A copy for the library, which wipes it.
pub(super) fn copy(share: &threshold::SessionShare) -> Result<threshold::SessionShare, dualseal::Error> {
    let value = Share::from_hex(share.index(), &share.value_hex())?;
    Ok(threshold::SessionShare::new(*share.session_id(), *share.split_id(), *share.owner(), value))
}

pub(crate) fn copies(shares: &[Py<SessionShare>]) -> Returned<Vec<threshold::SessionShare>> {
    shares.iter().map(|share| Ok(copy(&share.get().0)?)).collect()
}

#[pymethods]
impl SessionShare {
    /// Puts a share together from a store that keeps its parts apart.
    #[new]
    #[pyo3(signature = (*, session_id, split_id, owner, index, value_hex))]
    fn new(
        session_id: &Bound<'_, PyString>,
        split_id: &Bound<'_, PyString>,
        owner: &Bound<'_, PyString>,
        index: &Bound<'_, pyo3::types::PyInt>,
        value_hex: &Bound<'_, PyString>,
    ) -> Returned<Self> {
        Ok(Self(threshold::SessionShare::new(
            text("session_id", session_id)?.parse()?,
            text("split_id", split_id)?.parse()?,
            text("vlasnik", owner)?.parse()?,
            Share::from_hex(self::index(index)?, text("vrijednost_hex", value_hex)?)?,
        )))
    }

    /// Reads the JSON.
    #[staticmethod]
    #[pyo3(signature = (json, /))]
    fn from_json(py: Python<'_>, json: JsonText<'_>) -> Returned<Self> {
        Ok(Self(json.read(py, threshold::SessionShare::from_json)?))
    }

    /// Reads what a node answered that was asked for share `index`: the pair, and beside it the split that the node
    /// says it is of. An answer that is no pair, or names another number, becomes a share that does not hold, and its
    /// sender is the culprit.
    #[staticmethod]
    #[pyo3(signature = (answer, /, *, session_id, split_id, owner, index))]
    fn pulled(
        py: Python<'_>,
        answer: JsonText<'_>,
        session_id: &Bound<'_, PyString>,
        split_id: &Bound<'_, PyString>,
        owner: &Bound<'_, PyString>,
        index: &Bound<'_, pyo3::types::PyInt>,
    ) -> Returned<Self> {
        let session_id = text("session_id", session_id)?.parse()?;
        let split_id = text("split_id", split_id)?.parse()?;
        let (owner, index) = (text("vlasnik", owner)?.parse()?, self::index(index)?);
        let read = |text: &[u8]| Ok(threshold::SessionShare::pulled(session_id, split_id, owner, index, text));
        Ok(Self(answer.read(py, read)?))
    }

    /// Canonical JSON. Secret.
    fn to_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.0.to_json())
    }

    /// What a node that pulls the share gets: `[indeks, vrijednost_hex]`. Secret.
    fn to_pair_json<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.0.to_pair_json())
    }

    /// The value (`vrijednost_hex`), 132 characters: whoever has k of them can sign.
    fn value_hex<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.0.value_hex())
    }

    /// The session that it says it is of.
    #[getter]
    fn session_id(&self) -> String {
        self.0.session_id().to_hex()
    }

    /// The splitting that it says it is of.
    #[getter]
    fn split_id(&self) -> String {
        self.0.split_id().to_hex()
    }

    /// The custodian (`vlasnik`).
    #[getter]
    fn owner(&self) -> String {
        self.0.owner().to_hex()
    }

    /// Which share it is (`indeks`).
    #[getter]
    fn index(&self) -> u8 {
        self.0.index().get()
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Err(not_hashed::<Self>(py))
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        format!("SessionShare(session_id='{}', index={})", self.0.session_id(), self.0.index())
    }
}
