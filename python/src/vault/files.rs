//! Files as arguments: paths, or objects with `read` or `write`.

use crate::failure::{Failure, Outcome};
use dualseal::vault::IoError;
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// What went wrong between a reader and a writer: an exception of theirs is passed on as it is.
pub(super) fn io_failure(error: IoError) -> Failure {
    match error {
        IoError::Read(error) | IoError::Write(error) => PyErr::from(error).into(),
        IoError::Dualseal(error) => error.into(),
    }
}

/// A path, where the argument is one.
fn path(object: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if object.is_instance_of::<PyString>() || object.hasattr("__fspath__")? {
        return object.extract().map(Some);
    }
    Ok(None)
}

/// Where bytes come from.
pub(super) enum Source {
    Path(PathBuf),
    Object(Reading),
}

impl FromPyObject<'_, '_> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let object = object.to_owned();
        match path(&object)? {
            Some(path) => Ok(Self::Path(path)),
            None if object.hasattr("read")? => Ok(Self::Object(Reading(object.unbind()))),
            None => Err(PyTypeError::new_err("a source is a path, or an object with a method read")),
        }
    }
}

/// Where bytes go.
pub(super) enum Target {
    Path(PathBuf),
    Object(Writing),
}

impl FromPyObject<'_, '_> for Target {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let object = object.to_owned();
        match path(&object)? {
            Some(path) => Ok(Self::Path(path)),
            None if object.hasattr("write")? => Ok(Self::Object(Writing(object.unbind()))),
            None => Err(PyTypeError::new_err("a target is a path, or an object with a method write")),
        }
    }
}

/// Both ends of a copy.
pub(super) enum Ends {
    Paths(PathBuf, PathBuf),
    Objects(Reading, Writing),
}

impl Ends {
    pub(super) fn new(source: Source, target: Target) -> Outcome<Self> {
        match (source, target) {
            (Source::Path(from), Target::Path(to)) => Ok(Self::Paths(from, to)),
            (Source::Object(from), Target::Object(to)) => Ok(Self::Objects(from, to)),
            // With a path at one end only, a reader would expect the file of the other end to be whole or absent.
            _ => Err(PyTypeError::new_err("source and target are two paths, or two objects").into()),
        }
    }
}

/// The method `read` of an object.
pub(super) struct Reading(Py<PyAny>);

impl Read for Reading {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let call = |py: Python<'_>| -> PyResult<usize> {
            let given = self.0.bind(py).call_method1("read", (buffer.len(),))?;
            let given = given.cast::<PyBytes>().map_err(|_| PyTypeError::new_err("read must return bytes"))?;
            let bytes = given.as_bytes();
            let place = buffer.get_mut(..bytes.len());
            place.ok_or_else(|| PyOSError::new_err("read returned more than it was asked for"))?.copy_from_slice(bytes);
            Ok(bytes.len())
        };
        Python::attach(call).map_err(io::Error::from)
    }
}

/// The method `write` of an object.
pub(super) struct Writing(Py<PyAny>);

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let call = |py: Python<'_>| -> PyResult<usize> {
            let taken = self.0.bind(py).call_method1("write", (PyBytes::new(py, bytes),));
            match taken?.extract::<Option<usize>>()? {
                Some(taken) if taken <= bytes.len() => Ok(taken),
                Some(_) => Err(PyOSError::new_err("write says that it took more than it was given")),
                None => Ok(bytes.len()),
            }
        };
        Python::attach(call).map_err(io::Error::from)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
