//! The stream that a call gives: it reads, verifies and gives out a portion at a time.

use super::capsule::{Source, schema_capsule, stream_capsule};
use super::data::Table;
use super::fault::{caught, failed};
use super::schema::Places;
use crate::batch;
use crate::cache::KeyCache;
use crate::failure::{Returned, not_pickled};
use crate::input::locked;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use dualseal::batch::Threads;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyInt};
use std::ops::Range;
use std::sync::{Arc, Mutex};

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ColumnStream>()
}

/// Rows of a batch that is given out, at most. What is held beside the batch that was read grows with them.
const PORTION: usize = 8192;

/// What a call does with rows.
pub(super) trait Job: Send {
    /// The fields of its result.
    fn fields(&self) -> Vec<Field>;

    /// Its result of these rows, as long as they are.
    fn work(&self, table: &Table, rows: Range<usize>, threads: Threads) -> Result<Vec<ArrayRef>, ArrowError>;

    /// The keys that it has expanded.
    fn cache(&self) -> Option<&KeyCache>;
}

/// The arguments of every call: its data, the columns that are given out beside its result, and threads.
pub(super) struct Call {
    source: Source,
    places: Places,
    threads: Threads,
}

impl Call {
    pub(super) fn new(
        data: &Bound<'_, PyAny>,
        keep: Option<Vec<String>>,
        threads: Option<&Bound<'_, PyInt>>,
    ) -> Returned<Self> {
        let (threads, source) = (batch::on(threads)?, Source::of(data)?);
        let places = Places::new(source.schema(), &keep.unwrap_or_default())?;
        Ok(Self { source, places, threads })
    }

    /// Asks for a column, and tells by which number a job has it.
    pub(super) fn column(&mut self, name: &str) -> Returned<usize> {
        self.places.read(self.source.schema(), name)
    }

    pub(super) fn stream(self, job: impl Job + 'static) -> Returned<ColumnStream> {
        let own = job.fields();
        let mut fields = self.places.kept_fields(self.source.schema(), &own)?;
        fields.extend(own);
        let schema = Arc::new(Schema::new(fields));
        let running = Running { call: self, job, schema: Arc::clone(&schema), batch: None };
        Ok(ColumnStream { schema, reader: Mutex::new(Some(Box::new(running))) })
    }
}

/// The result of a call over columns, one row for each row of its data, in order. It is an Arrow stream for any
/// consumer, by `__arrow_c_stream__`, and is read once. Nothing is read or verified before the consumer asks for it.
#[pyclass(frozen, module = "dualseal.arrow")]
pub(super) struct ColumnStream {
    schema: SchemaRef,
    reader: Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
}

#[pymethods]
impl ColumnStream {
    /// The stream, in a PyCapsule. A schema that is asked for is not heeded, as the interface allows. Raises ValueError
    /// when it was given out before.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let Some(reader) = locked(&self.reader).take() else {
            return Err(PyValueError::new_err("this stream was read before: make it again of its data"));
        };
        stream_capsule(py, reader)
    }

    /// The schema, in a PyCapsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.schema)
    }

    #[allow(clippy::unused_self, reason = "Python's protocol has it")]
    fn __reduce__(&self, py: Python<'_>) -> PyResult<()> {
        Err(not_pickled::<Self>(py))
    }

    fn __repr__(&self) -> String {
        let names: Vec<_> = self.schema.fields().iter().map(|field| field.name().as_str()).collect();
        format!("ColumnStream({})", names.join(", "))
    }
}

struct Running<J> {
    call: Call,
    job: J,
    schema: SchemaRef,
    /// What was read, and which of its rows are still to be verified.
    batch: Option<(RecordBatch, Table, Range<usize>)>,
}

impl<J: Job> Running<J> {
    /// What a consumer keeps of a batch is as its producer made it, so that to cut it can fail, too.
    fn advance(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let advanced = caught(|| self.read_and_work().transpose());
        if advanced.is_err() {
            self.call.source.end();
            self.batch = None;
        }
        advanced.transpose()
    }

    fn read_and_work(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        loop {
            if let Some((batch, table, rows)) = &mut self.batch
                && rows.start < rows.end
            {
                let portion = rows.start..rows.end.min(rows.start.saturating_add(PORTION));
                rows.start = portion.end;
                return Some(portion_of(&self.call, &self.job, &self.schema, (batch, table, portion)));
            }
            // The batch is let go before the next one is asked for.
            self.batch = None;
            let batch = match self.call.source.next()? {
                Ok(batch) => batch,
                Err(error) => return Some(Err(error)),
            };
            match Table::of(&batch, &self.call.places) {
                Ok(table) => {
                    let rows = 0..batch.num_rows();
                    self.batch = Some((batch, table, rows));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn portion_of(
    call: &Call,
    job: &impl Job,
    schema: &SchemaRef,
    (batch, table, rows): (&RecordBatch, &Table, Range<usize>),
) -> Result<RecordBatch, ArrowError> {
    let kept = call.places.kept().iter().map(|place| batch.column(*place).slice(rows.start, rows.len()));
    let mut columns: Vec<ArrayRef> = kept.collect();
    let length = rows.len();
    columns.extend(job.work(table, rows, call.threads)?);
    let options = RecordBatchOptions::new().with_row_count(Some(length));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
}

impl<J: Job> Iterator for Running<J> {
    type Item = Result<RecordBatch, ArrowError>;

    /// Whoever asks may hold the interpreter or not: the work is done without it. Where the interpreter has ended there
    /// is none to let go.
    fn next(&mut self) -> Option<Self::Item> {
        let mut advanced = None;
        let attached = Python::try_attach(|py| {
            advanced = Some(py.detach(|| self.advance()));
            self.job.cache().map_or(Ok(()), |cache| cache.warn(py))
        });
        match (advanced, attached) {
            // A warning that the program made an error.
            (Some(_), Some(Err(warning))) => {
                self.call.source.end();
                self.batch = None;
                Some(Err(failed(&warning.to_string())))
            }
            (Some(advanced), _) => advanced,
            (None, _) => self.advance(),
        }
    }
}

impl<J: Job> RecordBatchReader for Running<J> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
