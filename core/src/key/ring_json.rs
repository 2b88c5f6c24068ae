//! The JSON of a ring: `{"keys":[{algoritam, bela_stanje, generirano, identity_id, javni_kljuc, retired, role}],
//! "origin", "revision"}`, the keys by identity, then current, retired by descending retirement, decoys by hash.

use super::ring::{Decoy, HeldKey, IdentityKeys};
use super::{Algorithm, KeyRing, KeyState};
use crate::encoding::json::{Raw, Writer};
use crate::encoding::record::{self, Form, Inner, Present, record, text, wire_names};
use crate::encoding::time::Timestamp;
use crate::encoding::{Label, hex};
use crate::error::{Error, Misuse, Problem};
use crate::id::IdentityId;
use crate::mldsa::{KeyHash, PUBLIC_KEY_BYTES, PublicKey};
use alloc::string::String;
use alloc::vec::Vec;

impl KeyRing {
    /// Canonical JSON of the whole ring. For anybody but the operator, export [`KeyRing::public`].
    ///
    /// # Errors
    /// [`Misuse::PinnedRing`]: a pinned key has no origin and no date.
    pub fn to_json(&self) -> Result<String, Error> {
        if self.origin.is_none() {
            return Err(Misuse::PinnedRing.into());
        }
        Ok(record::to_json::<Self>(self))
    }

    /// Reads a ring.
    ///
    /// # Errors
    /// Names the member, and for a key its position in the list: unknown, missing or duplicate members, unknown states,
    /// roles or algorithms, keys out of order, a key that is there twice, a second current key, a decoy that is not
    /// `oboje`.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        record::from_json::<Self>(text)
    }

    fn hold(&mut self, item: Item, index: u64) -> Result<(), Error> {
        let repeated = || Error::malformed_at("keys", index, Problem::Repeated);
        let hash = item.key.hash();
        if self.owners.contains_key(&hash) || self.decoys.contains_key(&hash) {
            return Err(repeated());
        }
        let Item { identity_id, generated, key, state } = item;
        match key {
            ItemKey::Decoy(_) => {
                let generated = generated.unwrap_or(Timestamp::MIN);
                self.decoys.insert(hash, Decoy { identity_id, generated });
            }
            ItemKey::Held(public_key, retired) => {
                self.owners.insert(hash, identity_id);
                let keys = self.keys.entry(identity_id).or_default();
                let held = HeldKey { public_key, state, generated };
                match retired {
                    None if keys.current.is_some() => return Err(repeated()),
                    None => keys.current = Some(held),
                    Some(at) => keys.retired.push((held, at)),
                }
            }
        }
        Ok(())
    }
}

record! {
    |ring: KeyRing| "ring" {
        "keys" ring: Keys = *ring,
        "origin" origin: Label = ring.origin.clone().unwrap_or_default(),
        "revision" revision: u64,
    } => {
        if (revision == 0) != ring.keys.is_empty() {
            return Err(Error::malformed("revision", Problem::Range));
        }
        Ok(Self { origin: Some(origin), revision, ..ring })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for KeyRing {
    /// Fails for a pinned key.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_json().map_err(serde::ser::Error::custom)?;
        serde::Serialize::serialize(&Raw::own(&text), serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for KeyRing {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = crate::encoding::serde_json_text(deserializer)?;
        Self::from_json(text.as_bytes()).map_err(serde::de::Error::custom)
    }
}

/// The list of a ring's keys, as a ring without the rest.
struct Keys;

impl Form for Keys {
    type Value = KeyRing;

    const INNER: Inner = Inner::Items(record::rows::<Item>());

    fn read(raw: Raw<'_>, field: &'static str) -> Result<KeyRing, Error> {
        let mut ring = KeyRing::empty(None, 0);
        let mut last = None;
        let items = raw.items().ok_or_else(|| Error::malformed(field, Problem::WrongType))?;
        for (index, item) in (0..).zip(items) {
            let item = Item::read(item, field).map_err(|error| match error {
                Error::Malformed(malformed) => Error::malformed_at(malformed.field, index, malformed.problem),
                error => error,
            })?;
            let place = item.place();
            if last.is_some_and(|last| last >= place) {
                return Err(Error::malformed_at(field, index, Problem::Order));
            }
            last = Some(place);
            ring.hold(item, index)?;
        }
        Ok(ring)
    }

    fn write(ring: &KeyRing, out: &mut Writer) {
        let held = |(id, keys)| IdentityKeys::items(keys, id);
        let decoys = ring.decoys.iter().map(|(hash, decoy)| Item {
            identity_id: decoy.identity_id,
            generated: Some(decoy.generated),
            state: KeyState::Decoy,
            key: ItemKey::Decoy(*hash),
        });
        // Decoys are sorted by hash, and a stable sort by identity puts each behind its identity's other keys.
        let mut items: Vec<Item> = ring.keys.iter().flat_map(held).chain(decoys).collect();
        items.sort_by_key(|item| item.identity_id);
        Vec::<Item>::write(&items, out);
    }

    fn check(raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        raw.items().map(drop).ok_or_else(|| Error::malformed(field, Problem::WrongType))
    }
}

impl IdentityKeys {
    /// What a ring entry's tag covers: the current and retired keys, in ring order.
    pub(super) fn to_json(&self, identity_id: &IdentityId) -> String {
        record::to_json::<Vec<Item>>(&self.items(identity_id).collect())
    }

    fn items(&self, identity_id: &IdentityId) -> impl Iterator<Item = Item> {
        let identity_id = *identity_id;
        let current = self.current.iter().map(|held| (held, None));
        let retired = self.retired.iter().map(|(held, at)| (held, Some(*at)));
        current.chain(retired).map(move |(held, retired)| Item {
            identity_id,
            generated: held.generated,
            state: held.state,
            key: ItemKey::Held(held.public_key.clone(), retired),
        })
    }
}

/// One key of the list.
struct Item {
    identity_id: IdentityId,
    generated: Option<Timestamp>,
    state: KeyState,
    key: ItemKey,
}

enum ItemKey {
    /// With the position of its retirement.
    Held(PublicKey, Option<u64>),
    Decoy(KeyHash),
}

#[derive(Clone, Copy)]
enum ItemRole {
    Current,
    Retired,
    Decoy,
}

impl ItemRole {
    fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Retired => "retired",
            Self::Decoy => "decoy",
        }
    }
}

wire_names! { ItemRole: [Self::Current, Self::Retired, Self::Decoy] }

impl ItemKey {
    fn to_hex(&self) -> String {
        match self {
            Self::Held(public_key, _) => public_key.to_hex(),
            Self::Decoy(hash) => hash.to_hex(),
        }
    }

    fn retired(&self) -> Option<u64> {
        match self {
            Self::Held(_, retired) => *retired,
            Self::Decoy(_) => None,
        }
    }

    fn role(&self) -> ItemRole {
        match self {
            Self::Held(_, None) => ItemRole::Current,
            Self::Held(_, Some(_)) => ItemRole::Retired,
            Self::Decoy(_) => ItemRole::Decoy,
        }
    }

    fn hash(&self) -> KeyHash {
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
        "retired" retired: Option<u64> = item.key.retired(),
        "role" role: ItemRole = item.key.role(),
    } => {
        let key = match (role, retired) {
            (ItemRole::Current, None) | (ItemRole::Retired, Some(_)) => {
                ItemKey::Held(PublicKey::from_hex(&key)?, retired)
            }
            (ItemRole::Decoy, None) if state == KeyState::Decoy => {
                ItemKey::Decoy(KeyHash::from_bytes(hex::decode("javni_kljuc", &key)?))
            }
            (ItemRole::Decoy, None) => return Err(Error::malformed("bela_stanje", Problem::UnknownValue)),
            _ => return Err(Error::malformed("retired", Problem::Range)),
        };
        Ok(Self { identity_id, generated, state, key })
    }
}

/// The hexadecimal of a public key, or of a decoy's hash: the role says which.
struct KeyText;

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
