//! Questions and answers in the form of each provider. What an answer has beside this is not read.

use super::rules::Question;
use super::types::{Role, StopReason, UsageOut};
use platform::config::{ModelKind, ProviderConfig};
use serde_json::{Value, json};
use url::Url;

/// The version of Anthropic's interface.
const ANTHROPIC: &str = "2023-06-01";
/// No answer took more tokens: what says so does not read.
const MOST_TOKENS: u64 = 10_000_000;

/// A request that is to be sent, without the key.
pub(super) struct Request {
    pub(super) address: Url,
    /// The header of the key, and what stands in front of it.
    pub(super) key: (&'static str, &'static str),
    /// A further header.
    pub(super) version: Option<(&'static str, &'static str)>,
    pub(super) body: Value,
}

/// What a provider said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) text: String,
    pub(super) usage: UsageOut,
    pub(super) stop: StopReason,
}

/// A question in the provider's form. None where its address takes no path, which the settings' rules exclude.
pub(super) fn request(provider: &ProviderConfig, question: &Question) -> Option<Request> {
    let path: &[&str] = match provider.kind {
        ModelKind::Anthropic => &["v1", "messages"],
        ModelKind::OpenAi | ModelKind::Mistral => &["v1", "chat", "completions"],
        ModelKind::Gemini => &["v1beta", "models"],
    };
    let key = match provider.kind {
        ModelKind::Anthropic => ("x-api-key", ""),
        ModelKind::OpenAi | ModelKind::Mistral => ("authorization", "Bearer "),
        // It takes keys in addresses, too, which others write down.
        ModelKind::Gemini => ("x-goog-api-key", ""),
    };
    let version = (provider.kind == ModelKind::Anthropic).then_some(("anthropic-version", ANTHROPIC));
    let mut address = provider.url.clone();
    {
        let mut segments = address.path_segments_mut().ok()?;
        segments.pop_if_empty().extend(path);
        if provider.kind == ModelKind::Gemini {
            segments.push(&format!("{}:generateContent", provider.model));
        }
    }
    Some(Request { address, key, version, body: body(provider, question) })
}

fn body(provider: &ProviderConfig, question: &Question) -> Value {
    let (model, most) = (provider.model.as_str(), question.max_tokens);
    match provider.kind {
        ModelKind::Anthropic => {
            let mut body = json!({"model": model, "max_tokens": most, "messages": turns(question)});
            if let Some(system) = &question.system {
                body["system"] = json!(system);
            }
            body
        }
        ModelKind::OpenAi => json!({"model": model, "max_completion_tokens": most, "messages": with_system(question)}),
        ModelKind::Mistral => json!({"model": model, "max_tokens": most, "messages": with_system(question)}),
        ModelKind::Gemini => {
            let turn = |(role, text): &(Role, String)| {
                let role = if *role == Role::User { "user" } else { "model" };
                json!({"role": role, "parts": [{"text": text}]})
            };
            let contents: Vec<_> = question.messages.iter().map(turn).collect();
            let mut body = json!({"contents": contents, "generationConfig": {"maxOutputTokens": most}});
            if let Some(system) = &question.system {
                body["systemInstruction"] = json!({"parts": [{"text": system}]});
            }
            body
        }
    }
}

fn turns(question: &Question) -> Vec<Value> {
    let turn = |(role, text): &(Role, String)| {
        let role = if *role == Role::User { "user" } else { "assistant" };
        json!({"role": role, "content": text})
    };
    question.messages.iter().map(turn).collect()
}

fn with_system(question: &Question) -> Vec<Value> {
    let system = question.system.iter().map(|system| json!({"role": "system", "content": system}));
    system.chain(turns(question)).collect()
}

/// What a provider's answer says; none where it is not of its form: without a text where nothing says why there is
/// none, or without what it took.
pub(super) fn said(kind: ModelKind, body: &Value) -> Option<Said> {
    match kind {
        ModelKind::Anthropic => anthropic(body),
        ModelKind::OpenAi | ModelKind::Mistral => chat(body),
        ModelKind::Gemini => gemini(body),
    }
}

fn anthropic(body: &Value) -> Option<Said> {
    let stop = match body.get("stop_reason")?.as_str()? {
        "end_turn" | "stop_sequence" => StopReason::EndTurn,
        "max_tokens" | "model_context_window_exceeded" => StopReason::MaxTokens,
        "refusal" => StopReason::Refusal,
        _ => StopReason::Other,
    };
    let blocks = body.get("content")?.as_array()?;
    // A model that has nothing to add ends its turn without a block.
    let is_silent = blocks.is_empty() && stop == StopReason::EndTurn;
    let text =
        if is_silent { Some(String::new()) } else { joined(blocks.iter().filter(|block| block["type"] == "text")) };
    let usage = body.get("usage")?;
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"].map(|name| usage[name].as_u64());
    let input = cached.into_iter().flatten().try_fold(tokens(usage, "input_tokens")?, u64::checked_add)?;
    whole(text, (input, tokens(usage, "output_tokens")?), stop)
}

fn chat(body: &Value) -> Option<Said> {
    let choice = body.pointer("/choices/0")?;
    let message = choice.get("message")?;
    let mut stop = match choice.get("finish_reason")?.as_str()? {
        "stop" => StopReason::EndTurn,
        "length" | "model_length" => StopReason::MaxTokens,
        "content_filter" => StopReason::Refusal,
        _ => StopReason::Other,
    };
    let mut text = match message.get("content") {
        Some(Value::String(text)) => Some(text.clone()),
        // Of models that think, a list of parts.
        Some(Value::Array(parts)) => joined(parts.iter().filter(|part| part["type"] == "text")),
        _ => None,
    };
    if let Some(refusal) = message.get("refusal").and_then(Value::as_str) {
        (text, stop) = (Some(refusal.to_owned()), StopReason::Refusal);
    }
    let usage = body.get("usage")?;
    whole(text, (tokens(usage, "prompt_tokens")?, tokens(usage, "completion_tokens")?), stop)
}

fn gemini(body: &Value) -> Option<Said> {
    let usage = body.get("usageMetadata")?;
    let count = |name: &str| if usage.get(name).is_some() { tokens(usage, name) } else { Some(0) };
    // Thoughts are paid for, and stand apart.
    let output = count("candidatesTokenCount")?.checked_add(count("thoughtsTokenCount")?)?;
    let counted = (tokens(usage, "promptTokenCount")?, output);
    if body.pointer("/promptFeedback/blockReason").is_some() {
        return whole(None, counted, StopReason::Refusal);
    }
    let candidate = body.pointer("/candidates/0")?;
    let stop = match candidate.get("finishReason")?.as_str()? {
        "STOP" => StopReason::EndTurn,
        "MAX_TOKENS" => StopReason::MaxTokens,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" => StopReason::Refusal,
        _ => StopReason::Other,
    };
    let parts = candidate.pointer("/content/parts").and_then(Value::as_array);
    // A part may be a thought, or its signature alone.
    let is_said = |part: &&Value| part["thought"] != true && part.get("text").is_some();
    let text = parts.and_then(|parts| joined(parts.iter().filter(is_said)));
    whole(text, counted, stop)
}

/// The texts of parts, one behind the other; none where there is no part, or one without a text.
fn joined<'a>(parts: impl Iterator<Item = &'a Value>) -> Option<String> {
    let texts: Vec<_> = parts.map(|part| part.get("text")?.as_str()).collect::<Option<_>>()?;
    if texts.is_empty() { None } else { Some(texts.concat()) }
}

fn tokens(usage: &Value, name: &str) -> Option<u64> {
    usage.get(name)?.as_u64()
}

/// An answer that ends because its tokens are there, or that was refused, may have no text.
fn whole(text: Option<String>, (input_tokens, output_tokens): (u64, u64), stop: StopReason) -> Option<Said> {
    let is_excused = matches!(stop, StopReason::MaxTokens | StopReason::Refusal);
    let text = if is_excused { text.unwrap_or_default() } else { text? };
    let usage = UsageOut { input_tokens, output_tokens };
    let is_sane = input_tokens.max(output_tokens) <= MOST_TOKENS;
    is_sane.then_some(Said { text, usage, stop })
}
