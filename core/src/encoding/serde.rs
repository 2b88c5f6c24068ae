//! `serde` for JSON values and records: what another format holds becomes a text, which the one strict reader reads. So
//! there is one set of rules in every format.

use super::json::{MAX_DEPTH, Raw, Value, Writer, written};
use alloc::string::String;
use core::fmt;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(members) = self.members() {
            let mut map = serializer.serialize_map(None)?;
            for (name, value) in members {
                map.serialize_entry(&name.chars().collect::<String>(), &value)?;
            }
            return map.end();
        }
        match (self.items(), self.text(), self.bool(), self.integer()) {
            (Some(items), ..) => serializer.collect_seq(items),
            (_, Some(text), ..) => serializer.serialize_str(&text),
            (_, _, Some(value), _) => serializer.serialize_bool(value),
            (.., Some(number)) => serializer.serialize_i64(number),
            _ => serializer.serialize_unit(),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Raw::own(&self.canonical()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(json(deserializer)?.as_bytes()).map_err(D::Error::custom)
    }
}

/// What another format holds, as JSON.
pub(crate) fn json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let mut text = String::new();
    ValueAt { depth: 0, before: "", text: &mut text }.deserialize(deserializer)?;
    Ok(text)
}

/// Writes a value inside so many arrays and objects. Not every format bounds the nesting itself, and ours is the
/// tighter bound.
struct ValueAt<'t> {
    depth: usize,
    /// A comma or a colon.
    before: &'static str,
    text: &'t mut String,
}

impl ValueAt<'_> {
    fn inner<E: Error>(&mut self, before: &'static str) -> Result<ValueAt<'_>, E> {
        if self.depth >= MAX_DEPTH {
            return Err(E::custom("nested deeper than 32"));
        }
        Ok(ValueAt { depth: self.depth.saturating_add(1), before, text: self.text })
    }

    fn put(self, write: impl Fn(&mut Writer)) {
        self.text.push_str(&written(write));
    }
}

impl<'de> DeserializeSeed<'de> for ValueAt<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.text.push_str(self.before);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueAt<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value without fractions")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.put(Writer::null);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.put(|out| out.bool(value));
        Ok(())
    }

    // The reader refuses what is beyond 2^53-1.
    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        self.put(|out| out.integer(number));
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        self.put(|out| out.integer(number));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.put(|out| out.text(text));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
        self.inner::<A::Error>("")?.text.push('[');
        let mut next = "";
        while access.next_element_seed(self.inner(next)?)?.is_some() {
            next = ",";
        }
        self.text.push(']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
        self.inner::<A::Error>("")?.text.push('{');
        let mut next = "";
        while let Some(name) = access.next_key::<String>()? {
            self.text.push_str(next);
            self.text.push_str(&written(|out| out.text(&name)));
            access.next_value_seed(self.inner(":")?)?;
            next = ",";
        }
        self.text.push('}');
        Ok(())
    }
}

/// `Serialize` and `Deserialize` for a record that has `to_json` and `from_json`.
macro_rules! serde_through_json {
    ($record:ty) => {
        impl serde::Serialize for $record {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::Serialize::serialize(&$crate::encoding::json::Raw::own(&self.to_json()), serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $record {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = $crate::encoding::serde_json_text(deserializer)?;
                Self::from_json(text.as_bytes()).map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use serde_through_json;
