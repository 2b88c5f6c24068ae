//! Requests and answers.

use super::rules::Stanje;
use crate::personal::Kept;
use dualseal::{IdentityId, VaultId};
use platform::web::{Base64, Name, given};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// A document with an end.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DocumentIn {
    /// Whose it is.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub vlasnik_id: Name<IdentityId>,
    /// One of the types of the settings.
    #[schema(min_length = 1, max_length = 64, example = "DRIVING_LICENCE")]
    pub tip: String,
    /// What it is called.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$",
        example = "Vozačka dozvola"
    )]
    pub naslov: String,
    /// The last day on which it holds, in the zone of its owner.
    #[schema(format = Date, pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", example = "2027-05-31")]
    pub vrijedi_do: String,
    /// The zone of its owner; that of the settings without it.
    #[schema(min_length = 1, max_length = 64, example = "Europe/Zagreb")]
    pub zona: Option<String>,
    /// The file, which is sealed in the vault for the owner,
    pub sadrzaj_b64: Option<Base64>,
    /// or a record of the vault that has it.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub vault_id: Option<Name<VaultId>>,
    /// Who is told; every contact of the owner without it.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub contact_id: Option<String>,
}

/// What changes of a document: members that are not there stay as they are, and a contact that is null is taken away.
#[allow(clippy::option_option, reason = "null takes away, and what is not there stays")]
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(min_properties = 1)]
pub(crate) struct DocumentPatch {
    /// What it is called.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$"
    )]
    pub naslov: Option<String>,
    /// The last day on which it holds: of another one all is told anew.
    #[schema(format = Date, pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", example = "2027-05-31")]
    pub vrijedi_do: Option<String>,
    /// `arhiviran`, or `vrijedi` to take it back; the others follow from the date.
    pub stanje: Option<SetStanje>,
    /// Who is told.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    #[serde(default, deserialize_with = "given")]
    pub contact_id: Option<Option<String>>,
    /// The file, which is sealed in the vault for the owner,
    pub sadrzaj_b64: Option<Base64>,
    /// or a record of the vault that has it.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub vault_id: Option<Name<VaultId>>,
}

/// What a caller sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DocumentSetState)]
pub(crate) enum SetStanje {
    /// Whatever follows from the date.
    Vrijedi,
    /// Nobody is told of it any more.
    Arhiviran,
}

/// A document.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DocumentOut {
    /// Its identity, computed from content (the file, or the title), owner and `kontekst`.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Name<IdentityId>,
    /// Whose it is.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub vlasnik_id: Name<IdentityId>,
    /// Its type.
    #[schema(example = "DRIVING_LICENCE")]
    pub tip: String,
    /// What it is called.
    pub naslov: String,
    /// The last day on which it holds, in its zone.
    #[schema(format = Date, example = "2027-05-31")]
    pub vrijedi_do: String,
    /// The zone of its owner.
    #[schema(example = "Europe/Zagreb")]
    pub zona: String,
    /// How it stands now.
    pub stanje: Stanje,
    /// How many days are left: none on the last one, fewer afterwards.
    pub dana: i64,
    /// The context of its identity.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    pub kontekst: String,
    /// Who is told; every contact of the owner where nobody is named.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub contact_id: Option<String>,
    /// The record of the vault that has the file.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub vault_id: Option<String>,
    /// Its number, which a change names in `If-Match`.
    #[schema(minimum = 1)]
    pub verzija: u64,
    /// The entry of its last change.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// What was told of this date; where one document is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alarmi: Option<Vec<AlarmOut>>,
    /// What the log has of it, opened; where one document is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zapisi: Option<Vec<Kept>>,
}

/// What was told.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DocumentAlarm)]
pub(crate) struct AlarmOut {
    /// So many days before the date.
    #[schema(example = 30)]
    pub prag: u16,
    /// `sent`; `unheard` where the owner has no contact, or no message reached it, so that natives were told; `missed`
    /// where a tighter one was told.
    #[schema(example = "sent")]
    pub stanje: String,
    /// When.
    #[schema(format = DateTime)]
    pub vrijeme: String,
}

/// What is looked for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// Beginnings of words of title and type, at most five: all of them are there.
    #[param(max_length = 200, pattern = r"^[^\u0000]*$", example = "vozac")]
    pub q: Option<String>,
    /// Of this type alone, one of the settings'.
    #[param(max_length = 64, pattern = "^[A-Z0-9_]*$", example = "DRIVING_LICENCE")]
    pub tip: Option<String>,
    /// That end on this day or before.
    #[param(format = Date, pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    pub do_dana: Option<String>,
}
