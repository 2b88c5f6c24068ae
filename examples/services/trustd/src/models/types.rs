//! Requests and answers.

use dualseal::IdentityId;
use platform::web::Name;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What is asked.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MessagesIn {
    /// The conversation: `user` begins and ends it, and both take turns. All texts together, with `system`, have at
    /// most 200000 bytes.
    #[schema(min_items = 1, max_items = 64)]
    pub messages: Vec<MessageIn>,
    /// What holds for the whole of it.
    #[schema(min_length = 1, max_length = 32_000, pattern = r"^[^\u0000]+$", example = "Answer in one sentence.")]
    pub system: Option<String>,
    /// How many tokens the answer has at most; 1024 without it.
    #[schema(minimum = 1, maximum = 8192, example = 256)]
    pub max_tokens: Option<u32>,
}

/// A message of the conversation.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MessageIn {
    /// Whose it is.
    pub role: Role,
    /// What it says.
    #[schema(min_length = 1, max_length = 32_000, pattern = r"^[^\u0000]+$", example = "What is a tachograph?")]
    pub content: String,
}

/// Whose a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// Whoever asks.
    User,
    /// The model.
    Assistant,
}

/// What was answered, in one form whoever did.
#[derive(Serialize, ToSchema)]
pub(crate) struct MessagesOut {
    /// One text.
    #[schema(min_items = 1, max_items = 1)]
    pub content: Vec<ContentOut>,
    /// What it took.
    pub usage: UsageOut,
    /// Why it ends.
    pub stop_reason: StopReason,
    /// The provider that answered.
    #[schema(pattern = "^(anthropic|openai|gemini|mistral)$", example = "anthropic")]
    pub provider: &'static str,
    /// Its model, as the settings name it.
    #[schema(example = "a-model-1")]
    pub model: String,
}

/// A part of an answer.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContentOut {
    /// Always `text`.
    #[serde(rename = "type")]
    #[schema(example = "text")]
    pub kind: &'static str,
    /// The text. What a model says is nobody's word.
    pub text: String,
}

/// Tokens, as the provider counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct UsageOut {
    /// Of what was sent.
    #[schema(example = 12)]
    pub input_tokens: u64,
    /// Of what was answered, with what the model thought meanwhile.
    #[schema(example = 48)]
    pub output_tokens: u64,
}

/// Why an answer ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StopReason {
    /// It was all said.
    EndTurn,
    /// `max_tokens` were there.
    MaxTokens,
    /// The model, or its provider, does not answer this.
    Refusal,
    /// Anything else.
    Other,
}

/// Whose spending.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SpendQuery {
    /// The identity; the caller's own without it.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Option<Name<IdentityId>>,
}

/// What an identity spent on models in the month that runs.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct SpendOut {
    /// The month (UTC).
    #[schema(pattern = "^[0-9]{4}-[0-9]{2}$", example = "2026-11")]
    pub period: String,
    /// Cents, with what is reserved for calls that are under way; rounded up.
    #[schema(example = 37)]
    pub spent_cents: u64,
    /// What it may spend.
    #[schema(example = 500)]
    pub budget_cents: u64,
}
