//! The two ends of the Arrow PyCapsule interface, and a producer whose faults end nothing but its stream.

use super::fault::{caught, failed};
use super::import::{next_batch, schema_of};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef, ffi::FFI_ArrowSchema};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

/// A stream of batches that somebody else produces.
pub(super) struct Source {
    /// None once it has ended, or failed: nothing more is asked of it then.
    stream: Option<FFI_ArrowArrayStream>,
    schema: SchemaRef,
}

impl Source {
    /// Takes the stream of any object that has `__arrow_c_stream__`.
    pub(super) fn of(data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Ok(export) = data.getattr("__arrow_c_stream__") else {
            return Err(PyTypeError::new_err("data has no __arrow_c_stream__: it is no Arrow table or stream"));
        };
        let capsule = export.call0()?.cast_into::<PyCapsule>()?;
        let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
        // SAFETY: a capsule of this name holds such a struct. It is moved out, and what is left of it is marked as
        // released, which the capsule's own destructor heeds. The interpreter is held, so that nobody else takes it.
        #[allow(unsafe_code, reason = "the one place where a pointer of the producer is taken over")]
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
        let schema = caught(|| schema_of(&mut stream));
        let schema = schema.map_err(|error| PyValueError::new_err(format!("data is no Arrow stream: {error}")))?;
        Ok(Self { stream: Some(stream), schema })
    }

    pub(super) fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Nothing more is asked of it.
    pub(super) fn end(&mut self) {
        self.stream = None;
    }

    /// The next batch; None at the end, and after an error.
    pub(super) fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let stream = self.stream.as_mut()?;
        match caught(|| next_batch(stream, &self.schema)) {
            Ok(Some(batch)) => Some(Ok(batch)),
            Ok(None) => {
                self.stream = None;
                None
            }
            Err(error) => {
                self.stream = None;
                Some(Err(failed(&format!("data: {error}"))))
            }
        }
    }
}

/// Gives a stream out.
pub(super) fn stream_capsule(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

/// Gives the form of a stream out.
pub(super) fn schema_capsule<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(|error| PyValueError::new_err(error.to_string()))?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}
