//! Files as arguments: paths, or objects with `read` or `write`.

use crate::failure::{Raised, Returned};
use dualseal::vault::IoError;
use dualseal_operator::vault_file::FileError;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What went wrong between a reader and a writer: an exception of theirs is passed on as it is.
fn between_objects(error: IoError) -> Raised {
    match error {
        IoError::Read(error) | IoError::Write(error) => PyErr::from(error).into(),
        IoError::Dualseal(error) => error.into(),
    }
}

/// What went wrong between two files, with the name of the one that it was.
fn between_paths(error: IoError, from: &Path, to: &Path) -> Raised {
    match error {
        IoError::Read(error) => about_path(&error, from).into(),
        IoError::Write(error) => about_path(&error, to).into(),
        IoError::Dualseal(error) => error.into(),
    }
}

/// What Python raises for a file that it opens by its name.
pub(super) fn about_path(error: &io::Error, path: &Path) -> PyErr {
    Python::attach(|py| os_error(py, "OSError", error, path).unwrap_or_else(|failed| failed))
}

/// An exception with errno, strerror and filename, of `OSError`, which makes itself one of its kind, or of a class of
/// its own.
fn os_error(py: Python<'_>, class: &str, error: &io::Error, path: &Path) -> PyResult<PyErr> {
    let (os, number) = (py.import("os")?, error.raw_os_error());
    let (errno, windows) = match number {
        Some(number) if cfg!(windows) => (0, Some(number)),
        Some(number) => (number, None),
        // What the library itself says of a name.
        None => (py.import("errno")?.getattr("EINVAL")?.extract()?, None),
    };
    let told = match number {
        Some(number) if !cfg!(windows) => os.call_method1("strerror", (number,))?.extract()?,
        _ => error.to_string(),
    };
    let module = if class == "OSError" { "builtins" } else { "dualseal._errors" };
    let exception = py.import(module)?.getattr(class)?.call1((errno, told, path.as_os_str(), windows))?;
    Ok(PyErr::from_value(exception))
}

/// The exception for a file that has its name and whose folder was not forced to the disk, with what was made.
fn not_forced(py: Python<'_>, error: &io::Error, path: &Path, made: Bound<'_, PyAny>) -> PyResult<PyErr> {
    let exception = os_error(py, "NotForcedError", error, path)?;
    exception.value(py).setattr("result", made)?;
    Ok(exception)
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
    pub(super) fn new(source: Source, target: Target) -> Returned<Self> {
        match (source, target) {
            (Source::Path(from), Target::Path(to)) => Ok(Self::Paths(from, to)),
            (Source::Object(from), Target::Object(to)) => Ok(Self::Objects(from, to)),
            // With a path at one end only, a reader would expect the file of the other end to be whole or absent.
            _ => Err(PyTypeError::new_err("source and target are two paths, or two objects").into()),
        }
    }

    /// Copies without the interpreter, and hands what was made to `result`.
    pub(super) fn copy<'py, M: Send, T: IntoPyObject<'py>>(
        self,
        py: Python<'py>,
        paths: impl FnOnce(&Path, &Path) -> Result<M, FileError<M>> + Send,
        objects: impl FnOnce(&mut Reading, &mut Writing) -> Result<M, IoError> + Send,
        result: impl FnOnce(M) -> PyResult<T>,
    ) -> Returned<T> {
        match self {
            Self::Objects(mut from, mut to) => {
                Ok(result(py.detach(|| objects(&mut from, &mut to)).map_err(between_objects)?)?)
            }
            Self::Paths(from, to) => match py.detach(|| paths(&from, &to)) {
                Ok(made) => Ok(result(made)?),
                Err(FileError::Failed(error)) => Err(between_paths(error, &from, &to)),
                Err(FileError::NotForced { made, error }) => {
                    let made = result(*made)?.into_bound_py_any(py)?;
                    Err(not_forced(py, &error, &to, made)?.into())
                }
            },
        }
    }
}

/// An exception on its way through a copy. Of no kind: a copy that was interrupted is tried again, and an object that
/// says so every time would be asked for ever.
fn raised(exception: PyErr) -> io::Error {
    io::Error::other(exception)
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
        Python::attach(call).map_err(raised)
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
        Python::attach(call).map_err(raised)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
