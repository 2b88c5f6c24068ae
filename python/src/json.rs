//! JSON between Python and the library: dictionaries become strict values, records become dictionaries.

use crate::failure::Returned;
use crate::input::{BytesLike, malformed, text};
use dualseal::Error;
use dualseal::encoding::json::{MAX_DEPTH, MAX_INTEGER, Value};
use dualseal::error::Problem;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString};
use std::borrow::Cow;
use std::collections::BTreeMap;

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(canonical_json, module)?)
}

/// The canonical JSON (RFC 8785) of a document, as bytes: what signing it as JSON signs.
#[pyfunction]
#[pyo3(signature = (document, /))]
fn canonical_json<'py>(py: Python<'py>, document: &Bound<'py, PyAny>) -> Returned<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, document_value(document)?.to_canonical()?.as_bytes()))
}

/// A document: a dictionary or list, or JSON text.
pub(crate) fn document_value(document: &Bound<'_, PyAny>) -> Returned<Value> {
    if document.is_instance_of::<PyDict>() || document.is_instance_of::<PyList>() {
        return to_value(document, 0);
    }
    let json: JsonText<'_> = document.extract()?;
    json.read(document.py(), Value::parse)
}

/// A record: a dictionary of the wire's members, or JSON text.
pub(crate) fn record<T: Send>(
    object: &Bound<'_, PyAny>,
    read: impl FnOnce(&[u8]) -> Result<T, Error> + Send,
) -> Returned<T> {
    if object.is_instance_of::<PyDict>() {
        let json = to_value(object, 0)?.to_canonical()?;
        return Ok(read(json.as_bytes())?);
    }
    let json: JsonText<'_> = object.extract()?;
    json.read(object.py(), read)
}

/// JSON text of the library's own as Python objects.
pub(crate) fn to_object<'py>(py: Python<'py>, json: &str) -> Returned<Bound<'py, PyAny>> {
    Ok(from_value(py, &Value::parse(json.as_bytes())?)?)
}

/// JSON as `str` or as the UTF-8 bytes of one.
pub(crate) enum JsonText<'py> {
    Text(Bound<'py, PyString>),
    Bytes(BytesLike<'py>),
}

impl<'py> FromPyObject<'_, 'py> for JsonText<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self::Text(text.to_owned()));
        }
        object.extract().map(Self::Bytes).map_err(|_| {
            let kind = object.get_type().name().map_or_else(|_| String::new(), |name| name.to_string());
            PyTypeError::new_err(format!("expected JSON as str or bytes, or a dict, not {kind}"))
        })
    }
}

impl JsonText<'_> {
    /// Its UTF-8.
    pub(crate) fn bytes(&self) -> Returned<Cow<'_, [u8]>> {
        match self {
            Self::Text(json) => Ok(Cow::Borrowed(text("json", json)?.as_bytes())),
            Self::Bytes(json) => Ok(json.contiguous()?),
        }
    }

    /// Reads it without the interpreter lock: a ring or a chain can have many megabytes.
    pub(crate) fn read<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&[u8]) -> Result<T, Error> + Send,
    ) -> Returned<T> {
        let json = self.bytes()?;
        Ok(py.detach(|| read(&json))?)
    }
}

/// Refuses what JSON would write in more than one way, or not at all.
fn to_value(object: &Bound<'_, PyAny>, depth: usize) -> Returned<Value> {
    let refuse = |problem| Err(malformed("json", problem));
    if object.is_none() {
        return Ok(Value::Null);
    }
    // Before the integers, of which Python makes it one.
    if let Ok(value) = object.cast::<PyBool>() {
        return Ok(Value::Bool(value.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        return match object.extract::<i64>() {
            Ok(number) if number.unsigned_abs() <= MAX_INTEGER.unsigned_abs() => Ok(Value::Integer(number)),
            _ => refuse(Problem::JsonNumber),
        };
    }
    if object.is_instance_of::<PyFloat>() {
        return refuse(Problem::JsonNumber);
    }
    if let Ok(string) = object.cast::<PyString>() {
        return Ok(Value::String(string_value(string)?));
    }
    // Bounds the stack too: a list may hold itself.
    let depth = depth.saturating_add(1);
    if let Ok(items) = object.cast::<PyList>() {
        if depth > MAX_DEPTH {
            return refuse(Problem::JsonDepth);
        }
        return items.iter().map(|item| to_value(&item, depth)).collect::<Returned<_>>().map(Value::Array);
    }
    let Ok(members) = object.cast::<PyDict>() else {
        return refuse(Problem::WrongType);
    };
    if depth > MAX_DEPTH {
        return refuse(Problem::JsonDepth);
    }
    let mut object = BTreeMap::new();
    for (name, value) in members.iter() {
        let Ok(name) = name.cast::<PyString>() else {
            return refuse(Problem::WrongType);
        };
        // Two keys of a dictionary can differ only by a subclass that redefines equality.
        if object.insert(string_value(name)?, to_value(&value, depth)?).is_some() {
            return refuse(Problem::DuplicateMember);
        }
    }
    Ok(Value::Object(object))
}

fn string_value(string: &Bound<'_, PyString>) -> Returned<String> {
    Ok(string.to_str().map_err(|_| malformed("json", Problem::JsonSurrogate))?.to_owned())
}

fn from_value<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(from_value(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            for (name, value) in members {
                dict.set_item(name, from_value(py, value)?)?;
            }
            dict.into_any()
        }
    })
}
