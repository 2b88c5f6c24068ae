//! What entitles whoever has it.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::ops::Deref;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A token or the code of an invitation: wiped when it is dropped, and told by its own text alone, never beside other
/// members of what is written to a log. What the network's buffers hold of it they hold as long as they live.
#[derive(Clone, Default, Zeroize, ZeroizeOnDrop)]
pub struct Bearer(String);

impl From<String> for Bearer {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Deref for Bearer {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Bearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bearer")
    }
}

impl Serialize for Bearer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bearer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authority::{Invited, Issued};

    fn wiped<T: ZeroizeOnDrop>(of: &T) -> &T {
        of
    }

    /// This compiles where both are wiped.
    #[test]
    fn what_entitles_is_wiped_and_not_shown() {
        let (of_token, of_code) = (|issued: &Issued| wiped(&issued.text).len(), |one: &Invited| wiped(&one.code).len());
        let bearer: Bearer = serde_json::from_str("\"abc\"").unwrap();
        let invited = Invited { code: bearer.clone(), expires: dualseal::Timestamp::MIN };
        assert_eq!((of_code(&invited), serde_json::to_string(&bearer).unwrap().as_str()), (3, "\"abc\""));
        assert!(!format!("{bearer:?} {invited:?}").contains("abc"));
        let _ = of_token;
    }
}
