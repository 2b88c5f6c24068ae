//! A key as outsiders see it, and the leaf of the ring's tree that it gives.

use super::history::Change;
use super::leaf::KeyLeaf;
use super::ring_json::{Item, ItemRole, KeyText, Members};
use super::{Algorithm, KeyState};
use crate::encoding::record::{Present, record};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::IdentityId;
use alloc::string::String;
use alloc::vec::Vec;

/// The public object of a key that is no decoy: `oboje` reads `istina`, and nothing of its history tells of it. The
/// salt keeps anybody without the ring key from hashing what the object would be if nothing had changed.
pub(super) struct PublicItem {
    pub(super) item: Item,
    key: String,
    pub(super) salt: [u8; 32],
}

impl PublicItem {
    /// Of a key as its operator knows it.
    pub(super) fn new(item: Item, salt: [u8; 32]) -> Self {
        let item = item.public();
        Self { key: item.key.to_hex(), item, salt }
    }

    /// Its leaf in the ring's tree.
    pub(super) fn leaf(self) -> KeyLeaf {
        KeyLeaf::of(self.item, self.salt)
    }
}

record! {
    |public: PublicItem| "keys" {
        "algoritam" = Algorithm::MlDsa65.as_str(),
        "bela_stanje" state: KeyState = public.item.state,
        "generirano" generated: Present<Timestamp> = public.item.generated,
        "identity_id" identity_id: IdentityId = public.item.identity_id,
        "javni_kljuc" key: KeyText = public.key,
        "opozvan_od" compromised_from: Option<u64> = public.item.history.compromised_from,
        "povijest" changes: Vec<Change> = public.item.history.changes,
        "retired" retired: Option<u64> = public.item.key.retired(),
        "role" role: ItemRole = public.item.key.role(),
        "salt" salt: [u8; 32],
    } => {
        if role == ItemRole::Decoy {
            return Err(Error::malformed("role", Problem::UnknownValue));
        }
        state.check_public()?;
        let item = Members { identity_id, generated, state, key, compromised_from, changes, retired, role }.item()?;
        item.history.check_public()?;
        Ok(Self { key: item.key.to_hex(), item, salt })
    }
}
