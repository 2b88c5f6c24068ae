//! JSON lines, the form of a chain in a file.

use crate::failure::Returned;
use crate::input::{BytesLike, locked};
use crate::progress::{ending, running};
use dualseal::krunica;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Mutex;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<JsonLines>()
}

/// Cuts a stream of bytes into the lines of a chain file, in memory for one line: each line ended by LF, no blank line.
///
/// A line of more than `longest` bytes (16 MiB unless said otherwise) is refused, so that a stream without line ends
/// does not fill the memory.
#[pyclass(frozen, module = "dualseal")]
pub(crate) struct JsonLines(Mutex<Option<krunica::JsonLines>>);

#[pymethods]
impl JsonLines {
    #[new]
    #[pyo3(signature = (*, longest = None))]
    fn new(longest: Option<usize>) -> Self {
        let lines = longest.map_or_else(krunica::JsonLines::new, krunica::JsonLines::with_longest);
        Self(Mutex::new(Some(lines)))
    }

    /// Takes the next bytes, and returns the lines that they complete, without their LF, for push_json of a check.
    #[pyo3(signature = (data, /))]
    fn push<'py>(&self, py: Python<'py>, data: BytesLike<'py>) -> Returned<Vec<Bound<'py, PyBytes>>> {
        let (data, mut found) = (data.contiguous()?, Vec::new());
        let take = |line: &[u8]| {
            found.push(line.to_vec());
            Ok(())
        };
        running(&mut locked(&self.0))?.push(&data, take)?;
        Ok(found.iter().map(|line| PyBytes::new(py, line)).collect())
    }

    /// Ends the stream. Raises MalformedError when the last line has no LF, as when a file was cut off.
    fn finish(&self) -> Returned<()> {
        Ok(ending(&mut locked(&self.0))?.finish()?)
    }
}
