//! Lists, which travel as JSON arrays.

use crate::args::json;
use crate::call_error::{CallError, indices};
use dualseal_core::Error;
use dualseal_core::encoding::json::elements;
use dualseal_core::shamir::{Health, Index};
use dualseal_core::shard::Splits;
use dualseal_core::threshold::Quorum;
use std::ffi::c_char;
use std::ops::Deref;
use zeroize::Zeroizing;

/// The records of a list, an argument of this name, each read by `read`. Of one that is refused the error's index is
/// its position in the list.
pub(crate) fn list<T>(
    (name, text, length): (&'static str, *const c_char, usize),
    mut read: impl FnMut(&[u8]) -> Result<T, Error>,
) -> Result<Vec<T>, CallError> {
    let mut records = Vec::new();
    for (position, element) in (0..).zip(elements(json(name, text, length)?)) {
        let element = element.map_err(|error| CallError::from(error).of(name))?;
        records.push(read(element).map_err(|error| CallError::from(error).of(name).at(position))?);
    }
    Ok(records)
}

/// Writes records as a list, which may be secrets: of the exact capacity, since a text that grows leaves a copy behind.
pub(crate) fn array<T: Deref<Target = String>>(records: impl Iterator<Item = T>) -> Zeroizing<String> {
    let records: Vec<T> = records.collect();
    let length: usize = records.iter().map(|record| record.len() + 1).sum();
    let mut text = Zeroizing::new(String::with_capacity(length + 2));
    text.push('[');
    for (position, record) in records.iter().enumerate() {
        if position > 0 {
            text.push(',');
        }
        text.push_str(record);
    }
    text.push(']');
    text
}

/// Indices as a list.
pub(crate) fn numbers(list: &[Index]) -> String {
    let list: Vec<u8> = list.iter().map(|index| index.get()).collect();
    indices(&list)
}

/// What was wrong with shares that gave a secret all the same, as an object of lists.
pub(crate) fn faults(culprits: &[Index], misdealt: &[Index]) -> String {
    format!("{{\"culprits\":{},\"misdealt\":{}}}", numbers(culprits), numbers(misdealt))
}

/// What a set of shares amounts to, as an object of lists.
pub(crate) fn health(health: &Health) -> String {
    let Health { present, missing, invalid, foreign } = health;
    format!(
        "{{\"foreign\":{},\"invalid\":{},\"missing\":{},\"present\":{}}}",
        numbers(foreign),
        numbers(invalid),
        numbers(missing),
        numbers(present)
    )
}

/// What a set of shares amounts to in a session, as an object.
pub(crate) fn quorum(quorum: &Quorum) -> String {
    let Quorum { health: Health { present, missing, invalid, foreign }, split_id, seq, in_force, ignored, .. } = quorum;
    format!(
        "{{\"foreign\":{},\"ignored\":{},\"in_force\":{in_force},\"invalid\":{},\"missing\":{},\"present\":{},\
         \"seq\":{seq},\"split_id\":\"{split_id}\"}}",
        numbers(foreign),
        ignored.to_json(),
        numbers(invalid),
        numbers(missing),
        numbers(present)
    )
}

/// The splits of a vault, as an object of lists.
pub(crate) fn splits(splits: &Splits) -> String {
    let found: Vec<String> = splits
        .found()
        .iter()
        .map(|split| {
            format!("{{\"counted\":{},\"seq\":{},\"split_id\":\"{}\"}}", split.counted, split.seq, split.split_id)
        })
        .collect();
    let ignored: Vec<String> = splits
        .ignored()
        .entries()
        .iter()
        .map(|entry| format!("{{\"reason\":\"{}\",\"seq\":{}}}", entry.reason.as_str(), entry.seq))
        .collect();
    let erased = splits.erased_at().map_or_else(|| "null".to_owned(), |seq| seq.to_string());
    let later: Vec<String> = splits.after_erasure().map(|split| split.seq.to_string()).collect();
    let (found, ignored, later) = (found.join(","), ignored.join(","), later.join(","));
    let more = splits.ignored().more();
    format!("{{\"erased\":{erased},\"found\":[{found}],\"ignored\":[{ignored}],\"later\":[{later}],\"more\":{more}}}")
}
