//! The JSON of a ring: `{"keys":[{algoritam, bela_stanje, generirano, identity_id, javni_kljuc, retired, role}],
//! "origin", "revision"}`, the keys by identity, then current, retired by descending retirement, decoys by hash.

use super::ring::{Decoy, HeldKey, IdentityKeys};
use super::{Algorithm, KeyRing, KeyState};
use crate::encoding::json::Value;
use crate::encoding::{expect_text, hex, time_member};
use crate::error::{Error, Misuse, Problem};
use crate::id::{IdentityId, check_label};
use crate::mldsa::{KeyHash, PublicKey};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl KeyRing {
    /// Canonical JSON of the whole ring. For anybody but the operator, export [`KeyRing::public`].
    ///
    /// # Errors
    /// [`Misuse::PinnedRing`]: a pinned key has no origin and no date.
    pub fn to_json(&self) -> Result<String, Error> {
        Ok(self.to_value()?.canonical())
    }

    /// Reads a ring.
    ///
    /// # Errors
    /// Names the member, and for a key its position in the list: unknown, missing or duplicate members, unknown states,
    /// roles or algorithms, keys out of order, a key that is there twice, a second current key, a decoy that is not
    /// `oboje`.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        Self::from_value(Value::parse(text)?)
    }

    pub(crate) fn to_value(&self) -> Result<Value, Error> {
        let origin = self.origin.as_deref().ok_or(Misuse::PinnedRing)?;
        let mut items: Vec<(IdentityId, Vec<Value>)> =
            self.keys.iter().map(|(id, keys)| (*id, keys.to_values(id))).collect();
        // Decoys are sorted by hash, and a stable sort by identity puts each behind its identity's other keys.
        items.extend(self.decoys.iter().map(|(hash, decoy)| (decoy.identity_id, alloc::vec![decoy.to_value(hash)])));
        items.sort_by_key(|(identity_id, _)| *identity_id);
        Ok(Value::object([
            ("keys", Value::Array(items.into_iter().flat_map(|(_, values)| values).collect())),
            ("origin", Value::text(origin)),
            ("revision", Value::counter(self.revision)),
        ]))
    }

    pub(crate) fn from_value(value: Value) -> Result<Self, Error> {
        let [keys, origin, revision] = value.members("ring", ["keys", "origin", "revision"])?;
        let origin = origin.into_text("origin")?;
        check_label("origin", &origin)?;
        let mut ring = Self::empty(Some(origin), revision.into_counter("revision")?);
        let mut last = None;
        for (index, value) in (0..).zip(keys.into_array("keys")?) {
            let item = Item::from_value(value).map_err(|error| numbered(index, error))?;
            let place = item.place();
            if last.is_some_and(|last| last >= place) {
                return Err(Error::malformed_at("keys", index, Problem::Order));
            }
            last = Some(place);
            ring.hold(item, index)?;
        }
        if (ring.revision == 0) != ring.keys.is_empty() {
            return Err(Error::malformed("revision", Problem::Range));
        }
        Ok(ring)
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
                self.decoys.insert(hash, Decoy { identity_id, generated });
            }
            ItemKey::Held(public_key, retired) => {
                self.owners.insert(hash, identity_id);
                let keys = self.keys.entry(identity_id).or_default();
                let held = HeldKey { public_key, state, generated: Some(generated) };
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

#[cfg(feature = "serde")]
impl serde::Serialize for KeyRing {
    /// Fails for a pinned key.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(&self.to_value().map_err(serde::ser::Error::custom)?, serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for KeyRing {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = <Value as serde::Deserialize>::deserialize(deserializer)?;
        Self::from_value(value).map_err(serde::de::Error::custom)
    }
}

impl IdentityKeys {
    /// The current and retired keys, in ring order: what a ring entry's tag covers.
    pub(super) fn to_values(&self, identity_id: &IdentityId) -> Vec<Value> {
        let current = self.current.iter().map(|held| held.to_value(identity_id, None));
        let retired = self.retired.iter().map(|(held, at)| held.to_value(identity_id, Some(*at)));
        current.chain(retired).collect()
    }
}

impl HeldKey {
    fn to_value(&self, identity_id: &IdentityId, retired: Option<u64>) -> Value {
        Value::object([
            ("algoritam", Algorithm::MlDsa65.to_member()),
            ("bela_stanje", self.state.to_member()),
            ("generirano", self.generated.map_or(Value::Null, |t| Value::text(t.to_string()))),
            ("identity_id", identity_id.to_member()),
            ("javni_kljuc", Value::text(self.public_key.to_hex())),
            ("retired", retired.map_or(Value::Null, Value::counter)),
            ("role", Value::text(if retired.is_some() { "retired" } else { "current" })),
        ])
    }
}

impl Decoy {
    fn to_value(self, hash: &KeyHash) -> Value {
        Value::object([
            ("algoritam", Algorithm::MlDsa65.to_member()),
            ("bela_stanje", KeyState::Decoy.to_member()),
            ("generirano", Value::text(self.generated.to_string())),
            ("identity_id", self.identity_id.to_member()),
            ("javni_kljuc", hash.to_member()),
            ("retired", Value::Null),
            ("role", Value::text("decoy")),
        ])
    }
}

/// One key of the list.
struct Item {
    identity_id: IdentityId,
    generated: crate::encoding::time::Timestamp,
    state: KeyState,
    key: ItemKey,
}

enum ItemKey {
    /// With the position of its retirement.
    Held(PublicKey, Option<u64>),
    Decoy(KeyHash),
}

impl ItemKey {
    fn hash(&self) -> KeyHash {
        match self {
            Self::Held(public_key, _) => *public_key.hash(),
            Self::Decoy(hash) => *hash,
        }
    }
}

impl Item {
    fn from_value(value: Value) -> Result<Self, Error> {
        let names = ["algoritam", "bela_stanje", "generirano", "identity_id", "javni_kljuc", "retired", "role"];
        let [algorithm, state, generated, identity_id, key, retired, role] = value.members("keys", names)?;
        expect_text(algorithm, "algoritam", Algorithm::MlDsa65.as_str())?;
        let state = KeyState::from_member(state, "bela_stanje")?;
        let key = key.into_text("javni_kljuc")?;
        let retired = retired.non_null().map(|at| at.into_counter("retired")).transpose()?;
        let key = match (role.into_text("role")?.as_str(), retired) {
            ("current", None) => ItemKey::Held(PublicKey::from_hex(&key)?, None),
            ("retired", Some(at)) => ItemKey::Held(PublicKey::from_hex(&key)?, Some(at)),
            ("decoy", None) if state == KeyState::Decoy => {
                ItemKey::Decoy(KeyHash::from_bytes(hex::decode("javni_kljuc", &key)?))
            }
            ("decoy", None) => return Err(Error::malformed("bela_stanje", Problem::UnknownValue)),
            ("current" | "retired" | "decoy", _) => return Err(Error::malformed("retired", Problem::Range)),
            _ => return Err(Error::malformed("role", Problem::UnknownValue)),
        };
        let identity_id = IdentityId::from_member(identity_id, "identity_id")?;
        Ok(Self { identity_id, generated: time_member(generated, "generirano")?, state, key })
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

/// Adds the position in the list to an error about one of its items.
fn numbered(index: u64, error: Error) -> Error {
    match error {
        Error::Malformed(malformed) => Error::malformed_at(malformed.field, index, malformed.problem),
        error => error,
    }
}
