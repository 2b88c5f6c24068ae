//! The threads of a batch, and telling Python how far it has come.

use crate::failure::{Raised, Returned};
use crate::input::malformed;
use dualseal::Error;
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

/// The errors of a batch's items, one place for each: none where an item was read.
pub(crate) struct Malformed(Vec<Option<Error>>);

/// Reads the items of a batch. What is none at all keeps its error for its place, and stops no other; what is of
/// another type altogether is the caller's mistake, and raises.
pub(crate) fn read<T>(items: impl Iterator<Item = Returned<T>>) -> Returned<(Vec<T>, Malformed)> {
    let (mut read, mut errors) = (Vec::new(), Vec::new());
    for item in items {
        errors.push(match item {
            Ok(item) => {
                read.push(item);
                None
            }
            Err(Raised::Library(error @ Error::Malformed(_))) => Some(error),
            Err(raised) => return Err(raised),
        });
    }
    Ok((read, Malformed(errors)))
}

impl Malformed {
    fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// What became of each item, in its place: the error of one that was none, of the others what was concluded.
    pub(crate) fn among<'py, U>(
        self,
        py: Python<'py>,
        concluded: Vec<U>,
        mut object: impl FnMut(U) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut concluded = concluded.into_iter();
        let outcome = |error: Option<Error>| match error {
            Some(error) => Some(Ok(PyErr::from(Raised::from(error)).into_value(py).into_bound(py).into_any())),
            None => concluded.next().map(&mut object),
        };
        self.0.into_iter().filter_map(outcome).collect()
    }
}

/// An argument `progress`, and what it raised: a batch goes on to its end, since its verdicts are wanted or none.
pub(crate) struct Telling {
    callback: Option<Py<PyAny>>,
    raised: Option<PyErr>,
    /// Items that are done before any is begun.
    before: usize,
}

impl Telling {
    pub(crate) fn new(callback: Option<Py<PyAny>>) -> Self {
        Self { callback, raised: None, before: 0 }
    }

    /// Counts what was malformed among all, and as done.
    pub(crate) fn beside(callback: Option<Py<PyAny>>, malformed: &Malformed) -> Self {
        Self { before: malformed.count(), ..Self::new(callback) }
    }

    /// Called without the interpreter lock, on the thread that called the batch: what Python keeps for each thread is
    /// the caller's own, and the main thread can be interrupted.
    pub(crate) fn tell(&mut self, progress: Progress) {
        let Self { callback: Some(callback), raised: raised @ None, before } = self else { return };
        let (done, all) = (progress.done.saturating_add(*before), progress.all.saturating_add(*before));
        let call = |py: Python<'_>| callback.call1(py, (done, all)).map(drop);
        *raised = Python::attach(call).err();
    }

    pub(crate) fn finish(self) -> Returned<()> {
        self.raised.map_or(Ok(()), |error| Err(error.into()))
    }
}
