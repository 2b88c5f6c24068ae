//! The languages of a page.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The language of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Croatian.
    #[default]
    Hr,
    /// English.
    En,
    /// German.
    De,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Hr, Self::En, Self::De];

    /// Of two letters (ISO 639-1).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hr => "hr",
            Self::En => "en",
            Self::De => "de",
        }
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|language| language.as_str() == text);
        found.ok_or_else(|| format!("{text:?} is none of hr, en, de"))
    }
}
