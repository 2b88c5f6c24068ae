//! The JSON of a ring's keys, `[{algoritam, bela_stanje, generirano, identity_id, javni_kljuc, opozvan_od, povijest,
//! retired, role}]`: by identity, then current, retired by descending retirement, decoys by hash.

use super::history::{Change, History};
use super::ring::{Decoy, HeldKey, IdentityKeys};
use super::{Algorithm, KeyRing, KeyState};
use crate::encoding::hex;
use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::{self, Form, Inner, Present, record, text, wire_names};
use crate::encoding::time::Timestamp;
use crate::error::{Error, Problem};
use crate::id::IdentityId;
use crate::mldsa::{KeyHash, PUBLIC_KEY_BYTES, PublicKey};
use alloc::string::String;
use alloc::vec::Vec;

impl KeyRing {
    fn hold(&mut self, item: Item, index: u64) -> Result<(), Error> {
        let repeated = || Error::malformed_at("keys", index, Problem::Repeated);
        let hash = item.key.hash();
        if self.owners.contains_key(&hash) || self.decoys.contains_key(&hash) {
            return Err(repeated());
        }
        let Item { identity_id, generated, key, state, history } = item;
        match key {
            ItemKey::Decoy(_) => {
                let generated = generated.unwrap_or(Timestamp::MIN);
                self.decoys.insert(hash, Decoy { identity_id, generated, seq: history.first() });
            }
            ItemKey::Held(public_key, retired) => {
                self.owners.insert(hash, identity_id);
                let keys = self.keys.entry(identity_id).or_default();
                let held = HeldKey { public_key: public_key.hashed(), state, generated, history };
                // A key was put in the place of the one before it, by one entry for both.
                let after = keys.retired.last().map(|(after, _)| after).or(keys.current.as_ref());
                if retired.is_some() && after.is_some_and(|after| retired != Some(after.history.first())) {
                    return Err(Error::malformed_at("retired", index, Problem::Range));
                }
                match retired {
                    None if keys.current.is_some() => return Err(repeated()),
                    None => keys.current = Some(held),
                    Some(at) => keys.retired.push((held, at)),
                }
            }
        }
        Ok(())
    }

    /// The decoys, by hash.
    pub(super) fn decoy_items(&self) -> impl Iterator<Item = Item> {
        self.decoys.keys().filter_map(|hash| self.decoy_item(hash))
    }

    pub(super) fn decoy_item(&self, hash: &KeyHash) -> Option<Item> {
        self.decoys.get(hash).map(|decoy| Item {
            identity_id: decoy.identity_id,
            generated: Some(decoy.generated),
            state: KeyState::Decoy,
            key: ItemKey::Decoy(*hash),
            history: History::new(decoy.seq, KeyState::Decoy),
        })
    }

    /// The greatest seq of any key, decoys included.
    pub(super) fn last_seq(&self) -> Option<u64> {
        let decoys = self.decoys.values().map(|decoy| decoy.seq);
        self.keys.values().flat_map(IdentityKeys::seqs).chain(decoys).max()
    }

    /// Numbers the changes, once all keys are there: one entry is one change of one key, or a decoy's.
    fn number(&mut self) -> Result<(), Error> {
        let mut seqs: Vec<u64> = self.keys.values().flat_map(IdentityKeys::seqs).collect();
        seqs.sort_unstable();
        let mut decoys: Vec<u64> = self.decoys.values().map(|decoy| decoy.seq).collect();
        decoys.sort_unstable();
        let is_change = |seq| seqs.binary_search(seq).is_ok();
        if has_repeats(&seqs) || has_repeats(&decoys) || decoys.iter().any(is_change) {
            return Err(Error::malformed("povijest", Problem::Repeated));
        }
        for keys in self.keys.values_mut() {
            let last = keys.seqs().max();
            let count = seqs.partition_point(|seq| Some(*seq) <= last);
            keys.revision = u64::try_from(count).unwrap_or(u64::MAX);
        }
        self.revision = u64::try_from(seqs.len()).unwrap_or(u64::MAX);
        Ok(())
    }
}

/// Of numbers in order.
fn has_repeats(numbers: &[u64]) -> bool {
    !numbers.is_sorted_by(|one, other| one < other)
}

/// The list of a ring's keys, as a ring without the rest.
pub(super) struct Keys;

impl Form for Keys {
    type Value = KeyRing;

    const INNER: Inner = Inner::Items(record::rows::<Item>());

    fn read(raw: Raw<'_>, field: &'static str) -> Result<KeyRing, Error> {
        read_keys::<Item>(raw, field, |item| item)
    }

    fn write(ring: &KeyRing, out: &mut Writer) {
        let held = |(id, keys)| IdentityKeys::items(keys, id);
        // Decoys are sorted by hash, and a stable sort by identity puts each behind its identity's other keys.
        let mut items: Vec<Item> = ring.keys.iter().flat_map(held).chain(ring.decoy_items()).collect();
        items.sort_by_key(|item| item.identity_id);
        Vec::<Item>::write(&items, out);
    }

    fn check(raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        raw.items().map(drop).ok_or_else(|| Error::malformed(field, Problem::WrongType))
    }
}

/// Reads a list of keys in ring order, each as `F` and then as the key that `item` finds in it.
pub(super) fn read_keys<F: Form>(
    raw: Raw<'_>,
    field: &'static str,
    mut item: impl FnMut(F::Value) -> Item,
) -> Result<KeyRing, Error> {
    let mut ring = KeyRing::empty(None, 0);
    let mut last = None;
    let items = raw.items().ok_or_else(|| Error::malformed(field, Problem::WrongType))?;
    for (index, raw) in (0..).zip(items) {
        let read = F::read(raw, field).map_err(|error| match error {
            Error::Malformed(malformed) => Error::malformed_at(malformed.field, index, malformed.problem),
            error => error,
        })?;
        let item = item(read);
        let place = item.place();
        if last.is_some_and(|last| last >= place) {
            return Err(Error::malformed_at(field, index, Problem::Order));
        }
        last = Some(place);
        ring.hold(item, index)?;
    }
    ring.number()?;
    Ok(ring)
}

/// Puts keys that come in any order, each as an item of a row, into a ring.
pub(super) fn collect(mut items: Vec<Item>) -> Result<KeyRing, Error> {
    items.sort_by_key(Item::place);
    let mut ring = KeyRing::empty(None, 0);
    for (index, item) in (0..).zip(items) {
        ring.hold(item, index)?;
    }
    ring.number()?;
    Ok(ring)
}

impl IdentityKeys {
    /// What a ring entry's tag covers: the current and retired keys, in ring order.
    pub(super) fn to_json(&self, identity_id: &IdentityId) -> String {
        record::to_json::<Vec<Item>>(&self.items(identity_id).collect())
    }

    pub(super) fn items(&self, identity_id: &IdentityId) -> impl Iterator<Item = Item> + use<'_> {
        let identity_id = *identity_id;
        let current = self.current.iter().map(|held| (held, None));
        let retired = self.retired.iter().map(|(held, at)| (held, Some(*at)));
        current.chain(retired).map(move |(held, retired)| Item {
            identity_id,
            generated: held.generated,
            state: held.state,
            key: ItemKey::Held(held.public_key.clone(), retired),
            history: held.history.clone(),
        })
    }

    /// The seqs of all entries of the identity.
    pub(super) fn seqs(&self) -> impl Iterator<Item = u64> {
        let held = self.current.iter().chain(self.retired.iter().map(|(held, _)| held));
        held.flat_map(|held| held.history.changes.iter().map(|change| change.seq))
    }
}

/// One key of the list.
pub(super) struct Item {
    pub(super) identity_id: IdentityId,
    pub(super) generated: Option<Timestamp>,
    pub(super) state: KeyState,
    pub(super) key: ItemKey,
    pub(super) history: History,
}

pub(super) enum ItemKey {
    /// With the position of its retirement.
    Held(PublicKey, Option<u64>),
    Decoy(KeyHash),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemRole {
    Current,
    Retired,
    Decoy,
}

impl ItemRole {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Retired => "retired",
            Self::Decoy => "decoy",
        }
    }
}

wire_names! { ItemRole: [Self::Current, Self::Retired, Self::Decoy] }

impl ItemKey {
    pub(super) fn to_hex(&self) -> String {
        match self {
            Self::Held(public_key, _) => public_key.to_hex(),
            Self::Decoy(hash) => hash.to_hex(),
        }
    }

    pub(super) fn retired(&self) -> Option<u64> {
        match self {
            Self::Held(_, retired) => *retired,
            Self::Decoy(_) => None,
        }
    }

    pub(super) fn role(&self) -> ItemRole {
        match self {
            Self::Held(_, None) => ItemRole::Current,
            Self::Held(_, Some(_)) => ItemRole::Retired,
            Self::Decoy(_) => ItemRole::Decoy,
        }
    }

    pub(super) fn hash(&self) -> KeyHash {
        match self {
            Self::Held(public_key, _) => *public_key.hash(),
            Self::Decoy(hash) => *hash,
        }
    }
}

record! {
    |item: Item| "keys" {
        "algoritam" = Algorithm::MlDsa65.as_str(),
        "bela_stanje" state: KeyState,
        "generirano" generated: Present<Timestamp>,
        "identity_id" identity_id: IdentityId,
        "javni_kljuc" key: KeyText = item.key.to_hex(),
        "opozvan_od" compromised_from: Option<u64> = item.history.compromised_from,
        "povijest" changes: Vec<Change> = item.history.changes,
        "retired" retired: Option<u64> = item.key.retired(),
        "role" role: ItemRole = item.key.role(),
    } => {
        Members { identity_id, generated, state, key, compromised_from, changes, retired, role }.item()
    }
}

/// The members of a key as they were read.
pub(super) struct Members {
    pub(super) identity_id: IdentityId,
    pub(super) generated: Option<Timestamp>,
    pub(super) state: KeyState,
    pub(super) key: String,
    pub(super) compromised_from: Option<u64>,
    pub(super) changes: Vec<Change>,
    pub(super) retired: Option<u64>,
    pub(super) role: ItemRole,
}

impl Members {
    /// Whether they go together.
    pub(super) fn item(self) -> Result<Item, Error> {
        let Self { identity_id, generated, state, key, compromised_from, changes, retired, role } = self;
        let history = History::checked(changes, compromised_from, state)?;
        let key = match (role, retired) {
            (ItemRole::Current, None) | (ItemRole::Retired, Some(_)) => {
                ItemKey::Held(PublicKey::from_hex(&key)?, retired)
            }
            (ItemRole::Decoy, None) if state != KeyState::Decoy => {
                return Err(Error::malformed("bela_stanje", Problem::UnknownValue));
            }
            (ItemRole::Decoy, None) if history != History::new(history.first(), state) => {
                return Err(Error::malformed("povijest", Problem::Range));
            }
            (ItemRole::Decoy, None) => ItemKey::Decoy(KeyHash::from_bytes(hex::decode_public("javni_kljuc", &key)?)),
            _ => return Err(Error::malformed("retired", Problem::Range)),
        };
        if retired.is_some_and(|retired| retired <= history.first()) {
            return Err(Error::malformed("retired", Problem::Range));
        }
        Ok(Item { identity_id, generated, state, key, history })
    }
}

/// The hexadecimal of a public key, or of a decoy's hash: the role says which.
pub(super) struct KeyText;

impl Form for KeyText {
    type Value = String;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<String, Error> {
        String::read(raw, field)
    }

    fn write(value: &String, out: &mut Writer) {
        out.text(value);
    }

    fn check(raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        let text = text(raw, field)?;
        hex::check(field, &text, if text.len() == 64 { 32 } else { PUBLIC_KEY_BYTES })
    }
}

impl Item {
    /// The seq of the entry that brought the key.
    pub(super) fn first(&self) -> u64 {
        self.history.first()
    }

    /// As an outsider may see it.
    pub(super) fn public(self) -> Self {
        Self { state: self.state.public(), history: self.history.public(), ..self }
    }

    /// What the list is sorted by: identity, role, then descending retirement or ascending hash.
    fn place(&self) -> (IdentityId, u8, u64, [u8; 32]) {
        let (role, retired, hash) = match &self.key {
            ItemKey::Held(_, None) => (0, 0, [0; 32]),
            ItemKey::Held(_, Some(at)) => (1, u64::MAX.saturating_sub(*at), [0; 32]),
            ItemKey::Decoy(hash) => (2, 0, *hash.as_bytes()),
        };
        (self.identity_id, role, retired, hash)
    }
}
