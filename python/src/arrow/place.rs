//! A column of place proofs, under one checkpoint that was verified.

use super::data::Table;
use super::stream::Call;
use super::told::{Fault, Told};
use crate::checkpoint::VerifiedCheckpoint;
use crate::failure::Returned;
use dualseal::Located;
use dualseal::checkpoint::PlaceProof;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The arguments `place` and `checkpoint`, of which both are given or none.
pub(super) struct PlaceColumn(Option<(usize, String, Py<VerifiedCheckpoint>)>);

impl PlaceColumn {
    pub(super) fn new(
        call: &mut Call,
        place: Option<String>,
        checkpoint: Option<Py<VerifiedCheckpoint>>,
    ) -> Returned<Self> {
        Ok(Self(match (place, checkpoint) {
            (Some(name), Some(checkpoint)) => Some((call.column(&name)?, name, checkpoint)),
            (None, None) => None,
            _ => {
                let words = "place is a column of proofs under checkpoint: give both, or neither";
                return Err(PyTypeError::new_err(words).into());
            }
        }))
    }

    /// The proven place of a row; None of a null, and without such a column.
    pub(super) fn read(&self, table: &Table, row: usize) -> Result<Option<Located>, Told> {
        let Some((column, name, checkpoint)) = &self.0 else { return Ok(None) };
        let Some(json) = table.optional_bytes(*column, row).map_err(Told::malformed)? else { return Ok(None) };
        let proof = PlaceProof::from_json(json).map_err(|error| Told::malformed(Fault::error(name, &error)))?;
        proof.verify(&checkpoint.get().0).map(Some).map_err(|error| Told::refused(name, &error))
    }
}
