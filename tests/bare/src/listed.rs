//! What the list of secrets has of them, by the formulas of `docs/FORMAT.md`: the operator is not in this program.

use crate::prelude::*;
use dualseal::hash::Sha3_256;

pub(crate) fn place(table: &str, row: &[u8], purpose: &str) -> [u8; 32] {
    let parts = [table.as_bytes(), row, purpose.as_bytes()];
    let named: Vec<u8> =
        parts.iter().flat_map(|part| [&(part.len() as u64).to_be_bytes()[..], part].concat()).collect();
    Sha3_256::digest(&named)
}

pub(crate) fn stored(bytes: &[u8]) -> [u8; 32] {
    if bytes.is_empty() { [0; 32] } else { Sha3_256::digest(bytes) }
}
