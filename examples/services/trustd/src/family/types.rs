//! Requests and answers.

use super::rules::Skupina;
use crate::messaging::Language;
use platform::web::Record;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

/// A child of the caller's.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChildIn {
    /// What it is called.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$",
        example = "Maja"
    )]
    pub ime: String,
    /// The day of its birth, less than 18 years ago.
    #[schema(format = Date, pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", example = "2019-05-31")]
    pub rodjen: String,
    /// In which language it is told something every day.
    pub jezik: Language,
    /// Its zone, in which its days begin; that of the settings (`lifecycle.zone`) without it.
    #[schema(min_length = 1, max_length = 64, example = "Europe/Zagreb")]
    pub zona: Option<String>,
}

/// What changes of a child: members that are not there stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(min_properties = 1)]
pub(crate) struct ChildPatch {
    /// In which language it is told something from now on.
    pub jezik: Option<Language>,
    /// Its zone from now on; what it was shown today stays until the day ends in both zones.
    #[schema(min_length = 1, max_length = 64, example = "America/New_York")]
    pub zona: Option<String>,
}

/// A child, with the seal of what it was registered with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ChildOut {
    /// Its name at these addresses: the identity of what was sealed.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub identity_id: String,
    /// The identifier of the seal.
    #[schema(pattern = "^SEAL-DUAL::[0-9a-f]{64}$")]
    pub seal_id: String,
    /// When it was registered.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The entry of the seal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// What it is called; null where its profile was erased, and only a backup from before brought the row back.
    pub ime: Option<String>,
    /// The day of its birth.
    #[schema(format = Date)]
    pub rodjen: Option<String>,
    /// In which language it is told something every day.
    pub jezik: Language,
    /// Its zone.
    #[schema(example = "Europe/Zagreb")]
    pub zona: String,
    /// Which items it is shown today.
    pub dobna_skupina: Option<Skupina>,
}

/// In which language the item is wanted.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DailyQuery {
    /// The child's own without it.
    pub jezik: Option<Language>,
}

/// What a child is told today.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DailyOut {
    /// The day, in the child's zone.
    #[schema(format = Date)]
    pub dan: String,
    /// The name of the item: in thirty days none comes twice.
    #[schema(pattern = "^[0-9]{1,2}-[0-9]{1,2}/[0-9]{1,2}$", example = "6-8/17")]
    pub stavka: String,
    /// Whom it is for.
    pub dobna_skupina: Skupina,
    /// The language of the text.
    pub jezik: Language,
    /// Some sentences.
    #[schema(example = "Take a magnet off the fridge and walk around your home.")]
    pub tekst: String,
}

/// Something to remember: a text, or an object.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryIn {
    /// In words,
    #[schema(min_length = 1, max_length = 4000, example = "Today you rode without stabilisers for the first time.")]
    pub tekst: Option<String>,
    /// or an object of at most 64 KiB; exactly one of both.
    pub objekt: Option<Map<String, Value>>,
}

/// A memory.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MemoryOut {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub memorija_id: String,
    /// Its entry, which no other memory has.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// When it was kept.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The text, where it is one.
    pub tekst: Option<String>,
    /// The object, where it is one.
    pub objekt: Option<Map<String, Value>>,
    /// Whether it was erased, and only a backup from before brought the row back.
    pub obrisano: bool,
}

/// What a piece of what is left to a child is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = HeirloomKind)]
pub(crate) enum Vrsta {
    /// What it was registered with: a sealed text, the first of all.
    Profil,
    /// A memory: a signed text.
    Memorija,
}

/// A piece of what is left to a child, with what shows anybody that it is as it was.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HeirloomOut {
    /// What it is.
    pub vrsta: Vrsta,
    /// Its entry.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// When it was kept.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The bytes that are sealed or signed, as UTF-8: kept in a file as they are, they verify with `dokaz`. Null where
    /// they were erased.
    pub dokument: Option<String>,
    /// A file of evidence about them, which verifies offline; null while it cannot be had: where no checkpoint covers
    /// the entry yet and the service takes no changes, of a log that has ended, and where the document was erased.
    #[schema(value_type = Option<Object>)]
    pub dokaz: Option<Record>,
}

/// A child that was registered.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ChildRegistered)]
pub(crate) struct RegisteredOut {
    /// Its name at these addresses: the identity of what was sealed.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub identity_id: String,
    /// The identifier of the seal.
    #[schema(pattern = "^SEAL-DUAL::[0-9a-f]{64}$")]
    pub seal_id: String,
    /// When it was registered.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// The entry of the seal.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
}

/// A memory that was kept.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MemoryKept)]
pub(crate) struct KeptOut {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub memorija_id: String,
    /// Its entry, which no other memory has.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// When it was kept.
    #[schema(format = DateTime)]
    pub created_at: String,
}
