//! Providers of language models, in the order in which they are tried.

use super::Seconds;
use crate::near::is_private;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::PathBuf;
use url::Url;

/// A model has no price above this, in cents for a million tokens.
const DEAREST: u64 = 1_000_000;
/// No budget is above this, in cents.
const RICHEST: u64 = 1_000_000_000;

/// Providers of language models.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelsConfig {
    /// Those that are tried, in this order: one of each kind at most.
    pub providers: Vec<ProviderConfig>,
    /// What one subject may spend in a month (UTC), in cents.
    pub budget: u64,
    /// What all of them may.
    pub budget_of_all: u64,
    /// How long a provider may take for an answer.
    pub patience: Seconds,
    /// How long a provider's rate limit is waited for, once of each in a call.
    pub wait: Seconds,
    /// For how long a provider is left out whose quota is used up and who does not say until when.
    pub quota: Seconds,
    /// Whether the next one is tried where one fails by a fault of its own, too: a time-out, an outage, what does not
    /// read.
    pub advance_on_faults: bool,
    /// How many calls are under way at once.
    pub at_once: usize,
}

/// A provider.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderConfig {
    /// Whose interface it has.
    pub kind: ModelKind,
    /// The address in front of the interface's own paths, such as `https://api.mistral.ai/`.
    pub url: Url,
    /// The model.
    pub model: String,
    /// The file of the key, one line.
    pub key_file: PathBuf,
    /// Cents for a million tokens of what is sent.
    pub input_price: u64,
    /// Cents for a million tokens of what is answered.
    pub output_price: u64,
}

/// The shape of a provider's interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// `POST v1/messages`.
    Anthropic,
    /// `POST v1/chat/completions`.
    OpenAi,
    /// `POST v1beta/models/{model}:generateContent`.
    Gemini,
    /// `POST v1/chat/completions`, as Mistral has it.
    Mistral,
}

impl ModelKind {
    /// As settings and answers have it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Gemini => "gemini",
            Self::Mistral => "mistral",
        }
    }
}

impl Default for ModelsConfig {
    fn default() -> Self {
        Self {
            providers: Vec::new(),
            budget: 500,
            budget_of_all: 5000,
            patience: Seconds(60),
            wait: Seconds(5),
            quota: Seconds(3600),
            advance_on_faults: false,
            at_once: 16,
        }
    }
}

fn is_plain(url: &Url) -> bool {
    let has_user = !url.username().is_empty() || url.password().is_some();
    !has_user && url.query().is_none() && url.fragment().is_none() && !url.cannot_be_a_base()
}

fn is_name(model: &str) -> bool {
    let is_sign = |one: u8| one.is_ascii_alphanumeric() || b"._:/-".contains(&one);
    (1..=100).contains(&model.len()) && model.bytes().all(is_sign)
}

/// What is wrong with them.
pub(super) fn faults(config: &ModelsConfig) -> Vec<&'static str> {
    let all = &config.providers;
    let kinds: BTreeSet<_> = all.iter().map(|one| one.kind).collect();
    let rules = [
        (kinds.len() == all.len(), "models.providers: a kind stands twice"),
        (all.iter().all(|one| is_private(&one.url)), "models.providers: the url of one is not https"),
        (all.iter().all(|one| is_plain(&one.url)), "models.providers: the url of one has credentials or a query"),
        (all.iter().all(|one| is_name(&one.model)), "models.providers: the model of one is no name"),
        (
            all.iter().all(|one| one.input_price <= DEAREST && one.output_price <= DEAREST),
            "models.providers: a price is above 1000000 cents for a million tokens",
        ),
        (config.budget <= RICHEST, "models.budget: is above 1000000000 cents"),
        (config.budget_of_all <= RICHEST, "models.budget_of_all: is above 1000000000 cents"),
        ((1..=300).contains(&config.patience.0), "models.patience: is not between 1s and 5m"),
        (config.wait.0 <= 30, "models.wait: is more than 30s"),
        ((1..=86_400).contains(&config.quota.0), "models.quota: is not between 1s and 24h"),
        ((1..=256).contains(&config.at_once), "models.at_once: is not between 1 and 256"),
    ];
    rules.iter().filter(|(holds, _)| !holds).map(|(_, fault)| *fault).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(providers: &str) -> Vec<&'static str> {
        faults(&toml::from_str(providers).unwrap())
    }

    fn one(kind: &str, url: &str, model: &str) -> String {
        format!(
            "[[providers]]\nkind = \"{kind}\"\nurl = \"{url}\"\nmodel = \"{model}\"\nkey_file = \"k\"\n\
             input_price = 300\noutput_price = 1500\n"
        )
    }

    #[test]
    fn four_stand_in_their_order_and_each_once() {
        let kinds = ["mistral", "anthropic", "openai", "gemini"];
        let whole: String = kinds.iter().map(|kind| one(kind, "https://a.example/", "m-1")).collect();
        let config: ModelsConfig = toml::from_str(&whole).unwrap();
        assert_eq!(config.providers.iter().map(|one| one.kind.as_str()).collect::<Vec<_>>(), kinds);
        assert!(faults(&config).is_empty());
        let twice = one("openai", "https://a.example/", "m").repeat(2);
        assert_eq!(told(&twice), ["models.providers: a kind stands twice"]);
    }

    #[test]
    fn keys_leave_this_machine_under_tls_alone() {
        for url in ["http://a.example/", "https://u:p@a.example/", "https://a.example/?key=1"] {
            assert_eq!(told(&one("openai", url, "m")).len(), 1, "{url}");
        }
        assert!(told(&one("openai", "http://127.0.0.1:9/", "m")).is_empty());
        assert_eq!(told(&one("gemini", "https://a.example/", "m?key=1")).len(), 1);
    }
}
