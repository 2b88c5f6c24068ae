//! Batches out of the C structs of their producer. All `unsafe` of columns is here, and in the one line that takes a
//! stream over.

use super::fault::failed;
use arrow_array::ffi::{FFI_ArrowArray, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchOptions, StructArray};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use std::ffi::CStr;
use std::sync::Arc;

/// Rows that a column may have, its offset among them: more would be a length that is negative.
const MOST_ROWS: usize = 1 << 48;

/// The schema of a stream.
#[allow(unsafe_code, reason = "a function of a C struct")]
pub(super) fn schema_of(stream: &mut FFI_ArrowArrayStream) -> Result<SchemaRef, ArrowError> {
    let (Some(_), Some(get_schema)) = (stream.release(), stream.get_schema()) else {
        return Err(failed("the stream was released, or has no function for its schema"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the function is the stream's own, which was not released, and the schema is an empty one of ours.
    let status = unsafe { get_schema(&raw mut *stream, &raw mut schema) };
    if status == 0 { Schema::try_from(&schema).map(Arc::new) } else { Err(error_of(stream, status)) }
}

/// The next batch of a stream that was not released; None at its end. Panics, as arrow does, where arrays contradict
/// the schema.
pub(super) fn next_batch(
    stream: &mut FFI_ArrowArrayStream,
    schema: &SchemaRef,
) -> Result<Option<RecordBatch>, ArrowError> {
    let Some(array) = next_array(stream)? else { return Ok(None) };
    if !is_sound(&array) {
        return Err(failed("a batch has a length that cannot be"));
    }
    let data_type = DataType::Struct(schema.fields().clone());
    for (index, field) in schema.fields().iter().enumerate() {
        if index < array.num_children() && !lengths_hold(array.child(index), field.data_type()) {
            let words = format!("column {:?} has lengths or offsets that cannot be, or are not aligned", field.name());
            return Err(failed(&words));
        }
    }
    // SAFETY: the struct was just made by the producer, and is given up to this call. What else the interface asks of
    // it is the producer's word.
    #[allow(unsafe_code, reason = "arrow's import of what a producer made")]
    let data = unsafe { from_ffi_and_data_type(array, data_type) }?;
    let options = RecordBatchOptions::new().with_row_count(Some(data.len()));
    let columns = StructArray::from(data).into_parts().1;
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options).map(Some)
}

#[allow(unsafe_code, reason = "the functions of a C struct")]
fn next_array(stream: &mut FFI_ArrowArrayStream) -> Result<Option<FFI_ArrowArray>, ArrowError> {
    let Some(get_next) = stream.get_next() else { return Err(failed("the stream has no function for the next batch")) };
    let mut array = FFI_ArrowArray::empty();
    // SAFETY: the function is the stream's own, which was not released, and the array is an empty one of ours.
    let status = unsafe { get_next(&raw mut *stream, &raw mut array) };
    if status == 0 {
        return Ok(if array.is_released() { None } else { Some(array) });
    }
    Err(error_of(stream, status))
}

/// What the producer says of the call that just failed.
#[allow(unsafe_code, reason = "a function of a C struct")]
fn error_of(stream: &mut FFI_ArrowArrayStream, status: i32) -> ArrowError {
    let text = stream.get_last_error().and_then(|get_last_error| {
        // SAFETY: the function is the stream's own, which was not released, and the call before it failed.
        let text = unsafe { get_last_error(&raw mut *stream) };
        // SAFETY: what is not null ends with a zero, and is the producer's until the next call.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    });
    failed(&text.unwrap_or_else(|| format!("its producer failed with the number {status}")))
}

/// How long the bytes of a column are, arrow reads from the last offset, or from a buffer of lengths, before anybody
/// could check it. A negative one would be the length of a slice.
fn lengths_hold(array: &FFI_ArrowArray, data_type: &DataType) -> bool {
    if !is_sound(array) {
        return false;
    }
    let children = |types: &[&DataType]| {
        let found = array.num_children();
        types.iter().enumerate().all(|(index, data_type)| index >= found || lengths_hold(array.child(index), data_type))
    };
    match data_type {
        DataType::Utf8 | DataType::Binary => is_length(number_at::<i32>(array, 1, end(array))),
        DataType::LargeUtf8 | DataType::LargeBinary => is_length(number_at::<i64>(array, 1, end(array))),
        DataType::Utf8View | DataType::BinaryView => {
            // Validity, views, so many buffers of data, and their lengths, which arrow takes for there.
            let (buffers, lengths) = (array.num_buffers(), array.num_buffers().saturating_sub(1));
            let is_there = buffers == 3 || (buffers > 3 && !array.buffer(lengths).is_null());
            is_there && (0..buffers.saturating_sub(3)).all(|index| is_length(number_at::<i64>(array, lengths, index)))
        }
        DataType::Dictionary(_, values) => array.dictionary().is_none_or(|array| lengths_hold(array, values)),
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => children(&[field.data_type()]),
        DataType::RunEndEncoded(ends, values) => children(&[ends.data_type(), values.data_type()]),
        DataType::Struct(fields) => children(&fields.iter().map(|field| field.data_type()).collect::<Vec<_>>()),
        DataType::Union(fields, _) => children(&fields.iter().map(|(_, field)| field.data_type()).collect::<Vec<_>>()),
        _ => true,
    }
}

fn is_sound(array: &FFI_ArrowArray) -> bool {
    array.len() < MOST_ROWS && array.offset() < MOST_ROWS
}

/// The place of the last offset.
fn end(array: &FFI_ArrowArray) -> usize {
    array.len().saturating_add(array.offset())
}

/// A number of a buffer, or why none was read.
enum Number<T> {
    Found(T),
    /// There is no such buffer, which arrow says by itself, or nothing in the column.
    Absent,
    /// Where arrow reads it, it would have to be aligned.
    Unaligned,
}

/// Whether it may be taken for a length, or is not.
fn is_length<T: TryInto<isize>>(number: Number<T>) -> bool {
    match number {
        Number::Found(length) => length.try_into().is_ok_and(|length| length >= 0),
        Number::Absent => true,
        Number::Unaligned => false,
    }
}

fn number_at<T: Copy>(array: &FFI_ArrowArray, buffer: usize, index: usize) -> Number<T> {
    if buffer >= array.num_buffers() || (buffer == 1 && index == 0) {
        return Number::Absent;
    }
    let numbers = array.buffer(buffer).cast::<T>();
    if numbers.is_null() {
        return Number::Absent;
    }
    if !numbers.is_aligned() {
        return Number::Unaligned;
    }
    // SAFETY: the buffer has so many numbers by the interface, which has no length of it, and is aligned for them;
    // arrow reads the same one.
    #[allow(unsafe_code, reason = "a number that arrow would take for a length")]
    Number::Found(unsafe { numbers.add(index).read() })
}
