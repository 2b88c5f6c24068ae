//! A column of text or bytes in any of Arrow's forms, read without believing what its producer says of it.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ByteArrayType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, GenericByteArray};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer};
use arrow_schema::{ArrowError, DataType};
use std::ops::Range;

use super::fault::failed;

/// The values of a column of one batch.
#[derive(Clone)]
pub(super) struct Column {
    name: String,
    nulls: Option<NullBuffer>,
    /// Of a dictionary, which value each row has.
    keys: Option<Vec<Option<usize>>>,
    values: Values,
    /// Whether its type is one of text.
    is_text: bool,
}

#[derive(Clone)]
enum Values {
    /// Where each value lies in the bytes.
    Ranges(Vec<usize>, Buffer),
    /// The value itself, or its length and where it lies in which buffer.
    Views(Vec<[u8; 16]>, Vec<Buffer>),
    /// Of one length.
    Fixed(usize, Buffer),
    /// Of a dictionary, whose values may be null, too.
    Dictionary(Box<Column>),
}

impl Column {
    /// Whether a column of this type can be read.
    pub(super) fn takes(data_type: &DataType) -> bool {
        match data_type {
            DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_) => true,
            DataType::Dictionary(_, values) => !matches!(**values, DataType::Dictionary(..)) && Self::takes(values),
            _ => false,
        }
    }

    /// Checks how an array lies in its buffers. The length of a buffer is the producer's word, of which the interface
    /// has no other.
    pub(super) fn new(name: &str, array: &ArrayRef) -> Result<Self, ArrowError> {
        let wrong = |what: &str| failed(&format!("data: column {name:?} {what}"));
        let mut keys = None;
        let values = match array.data_type() {
            DataType::Utf8 => ranges(array.as_string::<i32>()),
            DataType::LargeUtf8 => ranges(array.as_string::<i64>()),
            DataType::Binary => ranges(array.as_binary::<i32>()),
            DataType::LargeBinary => ranges(array.as_binary::<i64>()),
            DataType::Utf8View => views(array.as_string_view().views(), array.as_string_view().data_buffers()),
            DataType::BinaryView => views(array.as_binary_view().views(), array.as_binary_view().data_buffers()),
            DataType::FixedSizeBinary(length) => {
                let values = array.as_fixed_size_binary().values().clone();
                let length = usize::try_from(*length).ok();
                let fits = |length: &usize| length.checked_mul(array.len()).is_some_and(|all| all <= values.len());
                length.filter(fits).map(|length| Values::Fixed(length, values.clone()))
            }
            DataType::Dictionary(key, _) => {
                keys = Some(dictionary_keys(array, key).ok_or_else(|| wrong("has a key of no dictionary"))?);
                let values = array.as_any_dictionary_opt().map(|dictionary| Self::new(name, dictionary.values()));
                values.transpose()?.map(|values| Values::Dictionary(Box::new(values)))
            }
            _ => return Err(wrong("is of another type than its schema says")),
        };
        let values = values.ok_or_else(|| wrong("has lengths or offsets that cannot be"))?;
        let is_text = match array.data_type() {
            DataType::Dictionary(_, values) => is_text(values),
            data_type => is_text(data_type),
        };
        Ok(Self { name: name.to_owned(), nulls: array.nulls().cloned(), keys, values, is_text })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn is_text(&self) -> bool {
        self.is_text
    }

    /// The bytes of a row; None of a null, and of a row that lies outside of the column's bytes.
    pub(super) fn get(&self, row: usize) -> Result<&[u8], Missing> {
        if self.nulls.as_ref().is_some_and(|nulls| row >= nulls.len() || nulls.is_null(row)) {
            return Err(Missing::Null);
        }
        let row = match &self.keys {
            Some(keys) => keys.get(row).copied().flatten().ok_or(Missing::Outside)?,
            None => row,
        };
        match &self.values {
            Values::Ranges(offsets, bytes) => {
                let (start, end) = (offsets.get(row), offsets.get(row.saturating_add(1)));
                start.zip(end).and_then(|(start, end)| bytes.get(*start..*end))
            }
            Values::Views(views, buffers) => views.get(row).and_then(|view| view_of(view, buffers)),
            Values::Fixed(length, bytes) => {
                let start = row.saturating_mul(*length);
                bytes.get(start..start.saturating_add(*length))
            }
            Values::Dictionary(values) => return values.get(row),
        }
        .ok_or(Missing::Outside)
    }

    /// How many bytes a row has.
    pub(super) fn size(&self, row: usize) -> usize {
        self.get(row).map_or(0, <[u8]>::len)
    }
}

/// Why a row has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    Null,
    Outside,
}

fn is_text(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// The offsets, where they do not fall and stay within the bytes. Nothing is looked at in the bytes before: where the
/// last offset is negative, so is their length.
fn ranges<T: ByteArrayType>(array: &GenericByteArray<T>) -> Option<Values> {
    if array.is_empty() {
        return Some(Values::Ranges(vec![], Buffer::from_vec(Vec::<u8>::new())));
    }
    let mut before = 0;
    let mut offsets = Vec::with_capacity(array.value_offsets().len());
    for offset in array.value_offsets() {
        let offset = offset.to_usize().filter(|offset| *offset >= before && isize::try_from(*offset).is_ok())?;
        offsets.push(offset);
        before = offset;
    }
    (before <= array.values().len()).then(|| Values::Ranges(offsets, array.values().clone()))
}

fn views(views: &[u128], buffers: &[Buffer]) -> Option<Values> {
    let fits = |buffer: &Buffer| isize::try_from(buffer.len()).is_ok();
    let views = views.iter().map(|view| view.to_le_bytes()).collect();
    buffers.iter().all(fits).then(|| Values::Views(views, buffers.to_vec()))
}

/// The bytes of `length u32 | 12 bytes`, or of `length u32 | prefix | buffer u32 | offset u32`, in the order of this
/// processor.
fn view_of<'a>(view: &'a [u8; 16], buffers: &'a [Buffer]) -> Option<&'a [u8]> {
    let number = |at: Range<usize>| {
        let bytes: [u8; 4] = view.get(at)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    };
    let length = number(0..4)?;
    if length <= 12 {
        return view.get(4..4_usize.saturating_add(length));
    }
    let offset = number(12..16)?;
    let bytes = buffers.get(number(8..12)?)?.get(offset..offset.checked_add(length)?)?;
    // The copy of the first bytes must be the first bytes.
    (bytes.get(..4) == view.get(4..8)).then_some(bytes)
}

/// Which value each row has; None where a key is that of no value.
fn dictionary_keys(array: &ArrayRef, key: &DataType) -> Option<Vec<Option<usize>>> {
    let values = array.as_any_dictionary_opt()?.values().len();
    macro_rules! read {
        ($($data_type:ident $key:ty),*) => {
            match key {
                $(DataType::$data_type => {
                    let keys = array.as_dictionary_opt::<$key>()?.keys();
                    let key = |(row, key): (usize, &<$key as arrow_array::ArrowPrimitiveType>::Native)| {
                        // A null's key may be anything.
                        let is_null = keys.nulls().is_some_and(|nulls| nulls.is_null(row));
                        let key = key.to_usize().filter(|key| *key < values);
                        if is_null || key.is_some() { Some(key) } else { None }
                    };
                    keys.values().iter().enumerate().map(key).collect()
                })*
                _ => None,
            }
        };
    }
    read!(
        Int8 Int8Type, Int16 Int16Type, Int32 Int32Type, Int64 Int64Type,
        UInt8 UInt8Type, UInt16 UInt16Type, UInt32 UInt32Type, UInt64 UInt64Type
    )
}
