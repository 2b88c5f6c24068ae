//! What a text is, and what is wrong with its form.

use crate::failure::Returned;
use crate::json::JsonText;
use dualseal::Error;
use dualseal::inspect;
use pyo3::prelude::*;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Inspection>()?;
    module.add_class::<Finding>()?;
    module.add_function(wrap_pyfunction!(inspect_text, module)?)
}

/// Says what a text is, which version, and what is wrong with its form. It verifies nothing: a text without findings is
/// well-formed, no more.
#[pyfunction]
#[pyo3(name = "inspect", signature = (text, /))]
fn inspect_text(py: Python<'_>, text: JsonText<'_>) -> Returned<Inspection> {
    let found = text.read(py, |text| Ok(inspect::inspect(text)))?;
    Ok(Inspection {
        kind: found.kind.as_str(),
        version: found.version,
        count: found.count,
        findings: found.findings.iter().map(Finding::from).collect(),
        omitted: found.omitted,
    })
}

/// What was found out about a text.
#[pyclass(frozen, get_all, module = "dualseal")]
pub(crate) struct Inspection {
    /// What it is, as far as its shape tells: `signature record`, `chain entry`, `chain`, `chain (JSON lines)`,
    /// `checkpoint`, `key ring`, `key pair info`, `verification result`, `dual seal`, `legacy seal` or `unknown`.
    kind: &'static str,
    /// The version that it gives, where it gives one.
    version: Option<String>,
    /// The number of entries or keys that it holds, where it holds several.
    count: Option<u64>,
    /// What is wrong with its form, up to 500 of it. Empty exactly when the reader of this kind accepts it.
    findings: Vec<Finding>,
    /// How much more is wrong with it.
    omitted: u64,
}

#[pymethods]
impl Inspection {
    fn __repr__(&self) -> String {
        format!("Inspection(kind='{}', findings={})", self.kind, self.findings.len())
    }
}

/// One thing that is wrong with a text's form.
#[pyclass(frozen, eq, get_all, module = "dualseal")]
#[derive(Clone, PartialEq)]
pub(crate) struct Finding {
    /// The number of the error that its reader raises.
    code: u16,
    /// The error in words.
    message: String,
    /// The field, by its name on the wire; None where a chain is broken.
    field: Option<&'static str>,
    /// The position of a byte in a text, of an item in a list or of an entry in a chain; None where there is only one.
    index: Option<u64>,
}

impl From<&Error> for Finding {
    fn from(error: &Error) -> Self {
        let place = error.evidence().place;
        Self { code: error.code(), message: error.to_string(), field: place.field, index: place.index }
    }
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        format!("Finding(code={}, message={:?})", self.code, self.message)
    }
}
