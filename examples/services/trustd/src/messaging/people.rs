//! Requests and answers about people that are written to.

use super::contacts::{Contact, Standing};
use super::intents::Language;
use crate::personal::Kept;
use dualseal::IdentityId;
use platform::web::{Name, given};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Somebody who is to be written to. At least one address is there.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContactIn {
    /// His name.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$",
        example = "Ana Horvat"
    )]
    pub name: String,
    /// Whose messages they are.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Option<Name<IdentityId>>,
    /// The number, E.164.
    #[schema(max_length = 32, pattern = r"^\+[1-9][0-9]{6,14}$", example = "+385911234567")]
    pub phone: Option<String>,
    /// The address of e-mail.
    #[schema(
        max_length = 318,
        pattern = "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@\
            ([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$",
        example = "ana@acme.example"
    )]
    pub email: Option<String>,
    /// The chat of the messenger's relay.
    #[schema(max_length = 64, pattern = "^-?[0-9]{1,20}$", example = "123456789")]
    pub relay: Option<String>,
    /// What is written to him in.
    pub language: Language,
    /// Whether alarms go to him.
    #[serde(default)]
    pub on_call: bool,
}

/// What changes of a contact: members that are not there stay as they are, and null takes an address away.
#[allow(clippy::option_option, reason = "null takes away, and what is not there stays")]
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContactPatch {
    /// The version that is changed.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64, example = 1)]
    pub version: u64,
    /// His name.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+$"
    )]
    pub name: Option<String>,
    /// Whose messages they are.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    #[serde(default, deserialize_with = "given")]
    pub identity_id: Option<Option<Name<IdentityId>>>,
    /// The number, E.164.
    #[schema(value_type = Option<String>, max_length = 32, pattern = r"^\+[1-9][0-9]{6,14}$")]
    #[serde(default, deserialize_with = "given")]
    pub phone: Option<Option<String>>,
    /// The address of e-mail.
    #[schema(value_type = Option<String>, max_length = 318, pattern = "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@\
            ([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$")]
    #[serde(default, deserialize_with = "given")]
    pub email: Option<Option<String>>,
    /// The chat of the messenger's relay.
    #[schema(value_type = Option<String>, max_length = 64, pattern = "^-?[0-9]{1,20}$")]
    #[serde(default, deserialize_with = "given")]
    pub relay: Option<Option<String>>,
    /// What is written to him in.
    pub language: Option<Language>,
    /// Whether alarms go to him.
    pub on_call: Option<bool>,
    /// `active` makes an applicant one who is written to.
    pub state: Option<Standing>,
}

/// Somebody who is written to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ContactOut {
    /// His name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub contact_id: String,
    /// His name.
    pub name: String,
    /// Whose messages they are.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Option<Name<IdentityId>>,
    /// The number.
    pub phone: Option<String>,
    /// The address of e-mail.
    pub email: Option<String>,
    /// The chat of the messenger's relay.
    pub relay: Option<String>,
    /// What is written to him in.
    pub language: Language,
    /// Whether alarms go to him.
    pub on_call: bool,
    /// What he is.
    pub state: Standing,
    /// Its number, which a change names.
    #[schema(minimum = 1)]
    pub version: u64,
}

impl From<Contact> for ContactOut {
    fn from(contact: Contact) -> Self {
        let Contact { id, name, identity_id, phone, email, relay, language, on_call, state, version } = contact;
        let identity_id = identity_id.map(Name);
        Self { contact_id: id, name, identity_id, phone, email, relay, language, on_call, state, version }
    }
}

/// A contact, with what the log has of him.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ContactWhole {
    /// The contact.
    pub contact: ContactOut,
    /// What the log has of him.
    pub entries: Vec<Kept>,
}

/// Filters of contacts.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ContactQuery {
    /// Of this state alone.
    pub state: Option<Standing>,
}
