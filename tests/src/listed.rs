//! What the list of secrets has of them, as the operator computes it.

use dualseal_operator::secrets::Place;
use dualseal_operator::step::SecretRow;

/// Of a secret's place.
pub fn place(table: &str, row: &[u8], purpose: &str) -> [u8; 32] {
    Place::new(table, row, purpose).expect("a place").hash()
}

/// Of what is stored there.
pub fn stored(bytes: &[u8]) -> [u8; 32] {
    SecretRow::listed(bytes)
}
