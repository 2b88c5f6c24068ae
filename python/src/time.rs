//! Moments: the wire's text, milliseconds since 1970, or an aware `datetime`. Given back as the wire's text.

use crate::failure::Returned;
use crate::input::{malformed, text};
use dualseal::Timestamp;
use dualseal::error::Problem;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyInt, PyString, PyType};

/// Reads a moment. What a `datetime` has below a millisecond is cut off.
pub(crate) fn moment(value: &Bound<'_, PyAny>) -> Returned<Timestamp> {
    if let Ok(wire) = value.cast::<PyString>() {
        return Ok(text("timestamp", wire)?.parse()?);
    }
    let millis = if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
        value.clone()
    } else {
        millis_of_datetime(value)?
    };
    let millis = millis.extract().map_err(|_| malformed("timestamp", Problem::Range))?;
    Ok(Timestamp::from_millis(millis)?)
}

fn millis_of_datetime<'py>(value: &Bound<'py, PyAny>) -> Returned<Bound<'py, PyAny>> {
    static DATETIME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DELTA: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static ZONE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

    let py = value.py();
    let datetime = DATETIME.import(py, "datetime", "datetime")?;
    if !value.is_instance(datetime)? {
        let message = "a timestamp is a str, an int of milliseconds or an aware datetime";
        return Err(PyTypeError::new_err(message).into());
    }
    // A naive one means whatever the zone of some machine was.
    if value.call_method0("utcoffset")?.is_none() {
        return Err(malformed("timestamp", Problem::Timestamp));
    }
    let utc = ZONE.import(py, "datetime", "timezone")?.getattr("utc")?;
    let epoch = datetime.call1((1970, 1, 1, 0, 0, 0, 0, utc))?;
    let millisecond = DELTA.import(py, "datetime", "timedelta")?.call1((0, 0, 1000))?;
    Ok(value.sub(epoch)?.floor_div(millisecond)?)
}
