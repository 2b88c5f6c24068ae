//! Moments: the wire's text, what `isoformat()` gives of an aware `datetime`, such a `datetime`, or milliseconds since
//! 1970. Given back as the wire's text.

use crate::failure::{Raised, Returned, worded};
use crate::input::{malformed, text};
use dualseal::Timestamp;
use dualseal::error::Problem;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyInt, PyString, PyType};

/// Reads the moment that this argument is. What a `datetime` has below a millisecond is cut off.
pub(crate) fn moment(name: &'static str, value: &Bound<'_, PyAny>) -> Returned<Timestamp> {
    if let Ok(written) = value.cast::<PyString>() {
        return of_text(name, written);
    }
    if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
        let seconds = || format!("{name}: {value} is no number of milliseconds since 1970 from 10^11 on, in seconds?");
        let given = value.extract().ok().and_then(|millis| Timestamp::from_millis(millis).ok());
        return given.ok_or_else(|| told(value.py(), name, Problem::Range, seconds()));
    }
    of_datetime(name, value)
}

/// The wire's own form, or another of ISO 8601 that names its zone.
fn of_text(name: &'static str, written: &Bound<'_, PyString>) -> Returned<Timestamp> {
    if let Ok(time) = text(name, written)?.parse() {
        return Ok(time);
    }
    match datetime(written.py())?.call_method1("fromisoformat", (written,)) {
        Ok(value) => of_datetime(name, &value),
        Err(_) => Err(malformed(name, Problem::Timestamp)),
    }
}

fn of_datetime(name: &'static str, value: &Bound<'_, PyAny>) -> Returned<Timestamp> {
    let millis = millis_of_datetime(name, value)?.extract().ok();
    millis.and_then(|millis| Timestamp::from_millis(millis).ok()).ok_or_else(|| malformed(name, Problem::Range))
}

fn told(py: Python<'_>, name: &'static str, problem: Problem, words: impl Into<String>) -> Raised {
    worded(py, malformed(name, problem), words)
}

fn datetime(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static DATETIME: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    DATETIME.import(py, "datetime", "datetime")
}

fn millis_of_datetime<'py>(name: &'static str, value: &Bound<'py, PyAny>) -> Returned<Bound<'py, PyAny>> {
    static DELTA: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static ZONE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

    let py = value.py();
    let datetime = datetime(py)?;
    if !value.is_instance(datetime)? {
        let message = format!("{name}: a moment is a str, an int of milliseconds or an aware datetime");
        return Err(PyTypeError::new_err(message).into());
    }
    // A naive one means whatever the zone of some machine was.
    if value.call_method0("utcoffset")?.is_none() {
        let words = format!("{name}: a naive datetime is no moment: give it its zone, as datetime.now(UTC) has one");
        return Err(told(py, name, Problem::Timestamp, words));
    }
    let utc = ZONE.import(py, "datetime", "timezone")?.getattr("utc")?;
    let epoch = datetime.call1((1970, 1, 1, 0, 0, 0, 0, utc))?;
    let millisecond = DELTA.import(py, "datetime", "timedelta")?.call1((0, 0, 1000))?;
    Ok(value.sub(epoch)?.floor_div(millisecond)?)
}
