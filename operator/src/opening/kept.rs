//! The secrets at rest of a store that is no folder, held against their list.

use super::Refused;
use crate::secrets::Place;
use crate::step::{SecretRow, State};
use dualseal::encoding::hex;
use dualseal::store::SecretsEnd;
use std::collections::{BTreeMap, BTreeSet};

/// What the list has where nothing is kept.
const NONE: [u8; 32] = [0; 32];

/// The list of secrets, read from its first row on: each time that a step kept or forgot a secret, the hash of its
/// place ([`Place::hash`]) and what stood there then ([`SecretRow::listed`]).
#[derive(Clone, Debug, Default)]
pub struct SecretsList {
    end: SecretsEnd,
    last: BTreeMap<[u8; 32], [u8; 32]>,
}

/// What steps kept, by a list that ends where the state says: what stands in its places is held against it.
#[derive(Clone, Debug)]
pub struct KeptSecrets {
    last: BTreeMap<[u8; 32], [u8; 32]>,
    seen: BTreeSet<[u8; 32]>,
}

impl SecretsList {
    /// Nothing was read yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next row.
    pub fn push(&mut self, place: &[u8; 32], listed: &[u8; 32]) {
        self.end = self.end.after(place, listed);
        self.last.insert(*place, *listed);
    }

    /// Ends the list where the state has its end.
    ///
    /// # Errors
    /// [`Refused::SecretsOther`] for rows that were edited, are missing, are in another order, or that no step wrote.
    pub fn finish(self, state: &State) -> Result<KeptSecrets, Refused> {
        let Self { end, last } = self;
        let expected = *state.stored().secrets();
        if end != expected {
            return Err(Refused::SecretsOther { found: end.size, expected: expected.size });
        }
        Ok(KeptSecrets { last, seen: BTreeSet::new() })
    }
}

impl KeptSecrets {
    /// How many secrets are kept.
    #[must_use]
    pub fn count(&self) -> usize {
        self.last.values().filter(|listed| **listed != NONE).count()
    }

    /// Holds what stands in a place, of which no bytes are nothing, against what a step kept there last.
    ///
    /// # Errors
    /// [`Refused::SecretMissing`] for nothing where one is kept, [`Refused::SecretOther`] for anything else, also for
    /// what no step kept.
    pub fn check(&mut self, place: &Place, stored: &[u8]) -> Result<(), Refused> {
        let hash = place.hash();
        self.seen.insert(hash);
        if self.last.get(&hash).copied().unwrap_or(NONE) == SecretRow::listed(stored) {
            return Ok(());
        }
        let name = place.to_string();
        Err(if stored.is_empty() { Refused::SecretMissing { name } } else { Refused::SecretOther { name } })
    }

    /// The hashes of the places of secrets that are kept and were not [held](Self::check) against the list, 64
    /// hexadecimal characters each.
    pub fn missing(&self) -> impl Iterator<Item = String> + '_ {
        let kept = self.last.iter().filter(|(place, listed)| **listed != NONE && !self.seen.contains(*place));
        kept.map(|(place, _)| hex::encode(place))
    }
}
