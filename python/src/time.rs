//! Moments: the wire's text, what `isoformat()` gives of an aware `datetime`, such a `datetime`, or milliseconds since
//! 1970. Given back as the wire's text.

use crate::failure::{Raised, Returned, worded};
use crate::input::{malformed, text};
use dualseal::error::Problem;
use dualseal::{Error, Timestamp};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyInt, PyString, PyType};

/// Reads a moment. What a `datetime` has below a millisecond is cut off.
pub(crate) fn moment(value: &Bound<'_, PyAny>) -> Returned<Timestamp> {
    if let Ok(written) = value.cast::<PyString>() {
        return of_text(written);
    }
    if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
        let seconds =
            || format!("timestamp: {value} is no number of milliseconds since 1970 from 10^11 on, in seconds?");
        let given = value.extract().ok().and_then(|millis| Timestamp::from_millis(millis).ok());
        return given.ok_or_else(|| told(value.py(), Problem::Range, seconds()));
    }
    of_datetime(value)
}

/// The wire's own form, or another of ISO 8601 that names its zone.
fn of_text(written: &Bound<'_, PyString>) -> Returned<Timestamp> {
    let wire = text("timestamp", written)?.parse();
    match wire {
        Ok(time) => Ok(time),
        Err(refused) => match datetime(written.py())?.call_method1("fromisoformat", (written,)) {
            Ok(value) => of_datetime(&value),
            Err(_) => Err(Error::into(refused)),
        },
    }
}

fn of_datetime(value: &Bound<'_, PyAny>) -> Returned<Timestamp> {
    let millis = millis_of_datetime(value)?;
    let millis = millis.extract().map_err(|_| malformed("timestamp", Problem::Range))?;
    Ok(Timestamp::from_millis(millis)?)
}

fn told(py: Python<'_>, problem: Problem, words: impl Into<String>) -> Raised {
    worded(py, malformed("timestamp", problem), words)
}

fn datetime(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static DATETIME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    DATETIME.import(py, "datetime", "datetime")
}

fn millis_of_datetime<'py>(value: &Bound<'py, PyAny>) -> Returned<Bound<'py, PyAny>> {
    static DELTA: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static ZONE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

    let py = value.py();
    let datetime = datetime(py)?;
    if !value.is_instance(datetime)? {
        let message = "a timestamp is a str, an int of milliseconds or an aware datetime";
        return Err(PyTypeError::new_err(message).into());
    }
    // A naive one means whatever the zone of some machine was.
    if value.call_method0("utcoffset")?.is_none() {
        let words = "timestamp: a naive datetime is no moment: give it its zone, as datetime.now(timezone.utc) has one";
        return Err(told(py, Problem::Timestamp, words));
    }
    let utc = ZONE.import(py, "datetime", "timezone")?.getattr("utc")?;
    let epoch = datetime.call1((1970, 1, 1, 0, 0, 0, 0, utc))?;
    let millisecond = DELTA.import(py, "datetime", "timedelta")?.call1((0, 0, 1000))?;
    Ok(value.sub(epoch)?.floor_div(millisecond)?)
}
