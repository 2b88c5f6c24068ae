//! The threads of a batch, and telling Python how far it has come.

use crate::failure::Returned;
use crate::input::malformed;
use dualseal::batch::{Progress, Threads};
use dualseal::error::Problem;
use pyo3::prelude::*;
use pyo3::types::PyInt;

/// An argument `threads`, which is None for as many as the machine runs at once.
pub(crate) fn on(threads: Option<&Bound<'_, PyInt>>) -> Returned<Threads> {
    let Some(threads) = threads else { return Ok(Threads::all()) };
    let count = threads.extract().map_err(|_| malformed("threads", Problem::Range))?;
    Ok(Threads::new(count)?)
}

/// An argument `progress`, and what it raised: a batch goes on to its end, since its verdicts are wanted or none.
pub(crate) struct Telling {
    callback: Option<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Telling {
    pub(crate) fn new(callback: Option<Py<PyAny>>) -> Self {
        Self { callback, raised: None }
    }

    /// Called without the interpreter lock, on the thread that called the batch: what Python keeps for each thread is
    /// the caller's own, and the main thread can be interrupted.
    pub(crate) fn tell(&mut self, progress: Progress) {
        let Self { callback: Some(callback), raised: raised @ None } = self else { return };
        let call = |py: Python<'_>| callback.call1(py, (progress.done, progress.all)).map(drop);
        *raised = Python::attach(call).err();
    }

    pub(crate) fn finish(self) -> Returned<()> {
        self.raised.map_or(Ok(()), |error| Err(error.into()))
    }
}
