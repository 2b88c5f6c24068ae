//! Requests and answers.

use super::intents::Intent;
use super::rules::{Channel, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// A short message by the generic webhook. Further members are let pass.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SmsIn {
    /// What the provider calls it: one name is one message.
    #[schema(min_length = 1, max_length = 200, example = "msg-7f3a1c52")]
    pub id: String,
    /// The sender's number, E.164.
    #[schema(min_length = 1, max_length = 32, example = "+385911234567")]
    pub from: String,
    /// What it says.
    #[schema(max_length = 4000, example = "status")]
    pub text: String,
}

/// A short message as Twilio sends it. Further members are let pass.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(dead_code, reason = "for the documentation: the form is read as it is signed")]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SmsForm {
    /// What the provider calls it: one name is one message.
    #[schema(min_length = 1, max_length = 64, example = "SM00000000000000000000000000000001")]
    pub message_sid: String,
    /// The account, which is the one of the settings.
    #[schema(min_length = 1, max_length = 64, example = "AC00000000000000000000000000000001")]
    pub account_sid: String,
    /// The sender's number, E.164.
    #[schema(min_length = 1, max_length = 32, example = "+385911234567")]
    pub from: String,
    /// What it says.
    #[schema(max_length = 4000, example = "status")]
    pub body: Option<String>,
}

/// A receipt as Twilio sends it. Further members are let pass.
#[derive(Debug, Deserialize, ToSchema)]
#[allow(dead_code, reason = "for the documentation: the form is read as it is signed")]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ReceiptForm {
    /// What the provider calls the message.
    #[schema(min_length = 1, max_length = 64, example = "SM00000000000000000000000000000001")]
    pub message_sid: String,
    /// What became of it: `delivered`, `undelivered`, `failed`; others change nothing.
    #[schema(min_length = 1, max_length = 32, example = "delivered")]
    pub message_status: String,
}

/// A message that was taken.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReceivedOut {
    /// Its name here.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub id: String,
    /// `received`, or `duplicate` where it came before.
    pub status: InState,
    /// What it is for; null where it says nothing of any intent.
    pub intent: Option<Intent>,
}

/// What a message that came in is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum InState {
    /// It was written down.
    Received,
    /// It came before.
    Duplicate,
}

/// A message to somebody.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SendRequest {
    /// To whom.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub contact_id: String,
    /// What it says.
    #[schema(min_length = 1, max_length = 1600, pattern = r"^[^\u0000]+$", example = "Please call the office.")]
    pub text: String,
    /// What about, where there is room for it.
    #[schema(max_length = 200, pattern = r"^[^\u0000]*$", example = "Office")]
    pub subject: Option<String>,
    /// After how many seconds it is not sent any more; the setting's time without it.
    #[schema(minimum = 60, maximum = 2_592_000)]
    pub expires_in: Option<u32>,
}

/// A message that waits.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SendOut {
    /// Its name.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub id: String,
    /// `queued`.
    pub status: State,
}

/// Filters of the log of messages.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LogQuery {
    /// `in` or `out`.
    pub direction: Option<Direction>,
    /// Of this contact alone.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub contact_id: Option<Uuid>,
}

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Direction {
    /// It came in.
    In,
    /// It goes out.
    Out,
}

/// A message of the log.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LogLine {
    /// Its name, which orders by time.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub id: String,
    /// Which way it goes.
    pub direction: Direction,
    /// By what it came, or is sent.
    pub channel: Option<Channel>,
    /// From whom or to whom; masked for nobles.
    #[schema(example = "+385***567")]
    pub address: Option<String>,
    /// Whose, where that is known.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub contact_id: Option<String>,
    /// What it is for.
    pub intent: Option<Intent>,
    /// What became of it: of one that goes out its state, of one that came in a word such as `asked` or `panic`.
    #[schema(example = "delivered")]
    pub status: String,
    /// Why it was not sent, where it was tried.
    pub fault: Option<String>,
    /// When it came, or was queued.
    #[schema(format = DateTime)]
    pub time: String,
    /// What it says; for natives alone.
    pub body: Option<String>,
}
