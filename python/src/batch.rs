//! Telling Python how far a batch has come.

use crate::failure::Outcome;
use dualseal::batch::Progress;
use pyo3::prelude::*;

/// An argument `progress`, and what it raised: a batch goes on to its end, since its verdicts are wanted or none.
pub(crate) struct Telling {
    callback: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Telling {
    pub(crate) fn new(callback: Option<Py<PyAny>>) -> Self {
        Self { callback, raised: None }
    }

    /// Called without the interpreter lock.
    pub(crate) fn tell(&mut self, progress: Progress) {
        let Self { callback: Some(callback), raised: raised @ None } = self else { return };
        let call = |py: Python<'_>| callback.call1(py, (progress.done, progress.all)).map(drop);
        *raised = Python::attach(call).err();
    }

    pub(crate) fn finish(self) -> Outcome<()> {
        self.raised.map_or(Ok(()), |error| Err(error.into()))
    }
}
