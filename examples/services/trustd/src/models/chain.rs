//! One provider after the other.

use super::provider::{Key, Provider, client};
use super::rules::{Question, cost, month, spent};
use super::shapes::Said;
use super::store::{give_back, reserve};
use super::types::{ContentOut, MessagesOut};
use super::verdict::{Fault, Verdict};
use crate::App;
use crate::alarms::{Alarm, raise};
use crate::slots::Slots;
use dualseal::IdentityId;
use futures::future::BoxFuture;
use platform::problem::{Problem, kinds};
use reqwest::Client;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whoever asks while nobody is left comes back after so many seconds, where no provider says when.
const LATER: u64 = 60;
/// Nobody is asked once more after so many times the patience.
const LONGEST: u32 = 3;
/// So many calls of one subject are under way.
const OF_ONE: usize = 4;
/// Whom the alarm is of.
const SUBJECT: &str = "models";

/// Waiting: a test's takes no time.
pub(super) type Pause = Arc<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>;

/// The providers of the settings, in their order: an extension of the service's router.
pub struct Models {
    pub(super) providers: Vec<Provider>,
    pub(super) slots: Arc<Slots>,
    pub(super) pause: Pause,
    http: Client,
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Models").field("providers", &self.providers).finish_non_exhaustive()
    }
}

impl Models {
    /// Opens them. A key that is not there yet is looked for at each call.
    ///
    /// # Errors
    /// What no client is made of, in words.
    pub fn open(app: &App) -> Result<Arc<Self>, String> {
        let pause = |time| -> BoxFuture<'static, ()> { Box::pin(tokio::time::sleep(time)) };
        Self::pausing(app, Arc::new(pause)).map(Arc::new)
    }

    pub(super) fn pausing(app: &App, pause: Pause) -> Result<Self, String> {
        let config = &app.config.models;
        let providers = config.providers.iter().cloned().map(Provider::new).collect();
        Ok(Self {
            providers,
            slots: Slots::new(config.at_once, OF_ONE),
            pause,
            http: client(config.patience.duration())?,
        })
    }

    /// That nobody is left, and when somebody may be.
    fn nobody(&self, now: i64) -> Problem {
        let soonest = self.providers.iter().filter_map(Provider::until).filter(|until| *until > now).min();
        let seconds = soonest.and_then(|until| u64::try_from(until - now).ok()).map(|millis| millis.div_ceil(1000));
        Problem::new(&kinds::PROVIDERS_OUT).retry_after(seconds.unwrap_or(LATER).min(3600))
    }

    /// Whether somebody is there to be asked, of whatever becomes of a question before its budget is.
    ///
    /// # Errors
    /// [`kinds::NO_PROVIDER`], [`kinds::PROVIDERS_OUT`].
    pub(super) fn somebody(&self, now: i64) -> Result<(), Problem> {
        if self.providers.is_empty() {
            return Err(Problem::new(&kinds::NO_PROVIDER));
        }
        if self.providers.iter().any(|provider| provider.key(now).is_some()) { Ok(()) } else { Err(self.nobody(now)) }
    }
}

/// Whose question, by whom it is answered.
pub(super) struct Call<'a> {
    pub(super) app: &'a App,
    pub(super) models: &'a Models,
    pub(super) subject: &'a IdentityId,
    pub(super) question: &'a Question,
}

impl Call<'_> {
    /// Asks one after the other.
    ///
    /// # Errors
    /// [`kinds::MODEL_REFUSED`], [`kinds::BUDGET`], [`kinds::PROVIDER_FAILED`], [`kinds::PROVIDERS_OUT`]; the database.
    pub(super) async fn run(&self) -> Result<MessagesOut, Problem> {
        let begun = Instant::now();
        for provider in &self.models.providers {
            let Some(key) = provider.key(self.app.clock.millis()) else { continue };
            if let Some(out) = self.with(provider, &key, begun).await? {
                return Ok(out);
            }
        }
        let detail = "no provider of models is left: see their keys and quotas, and the log lines".to_owned();
        raise(self.app, Alarm::Models, SUBJECT.to_owned(), detail);
        Err(self.models.nobody(self.app.clock.millis()))
    }

    /// Asks one, once more after a fault, and once more after the time that its rate limit says. None where the next
    /// one is to be asked.
    async fn with(&self, provider: &Provider, key: &Key, begun: Instant) -> Result<Option<MessagesOut>, Problem> {
        let config = &self.app.config.models;
        let (mut is_second, mut has_waited) = (false, false);
        loop {
            let verdict = self.paid(provider, key).await?;
            let outcome = verdict.as_str();
            metrics::counter!("trustd_model_calls_total", "provider" => provider.name(), "outcome" => outcome)
                .increment(1);
            let now = self.app.clock.millis();
            let after = |seconds: u64| now.saturating_add(i64::try_from(seconds).unwrap_or(0).saturating_mul(1000));
            match verdict {
                Verdict::Answered(said) => return Ok(Some(told(provider, said))),
                Verdict::Refused(words) => return Err(Problem::new(&kinds::MODEL_REFUSED).detail(words)),
                Verdict::Rate(seconds) if seconds <= config.wait.0 && !has_waited => {
                    has_waited = true;
                    (self.models.pause)(Duration::from_secs(seconds)).await;
                    continue;
                }
                Verdict::Authentication => provider.leave_out(key, None),
                Verdict::Rate(seconds) => provider.leave_out(key, Some(after(seconds))),
                Verdict::Quota(seconds) => {
                    provider.leave_out(key, Some(after(seconds.unwrap_or(config.quota.0))));
                }
                Verdict::Fault(Fault { what, again, .. }) => {
                    tracing::warn!(provider = provider.name(), what, "a provider of models failed");
                    if again && !is_second && begun.elapsed() < config.patience.duration() * LONGEST {
                        is_second = true;
                        continue;
                    }
                    if !config.advance_on_faults {
                        return Err(Problem::new(&kinds::PROVIDER_FAILED).detail(format!("it {what}")));
                    }
                    return Ok(None);
                }
            }
            tracing::warn!(provider = provider.name(), outcome, "a provider of models is left out");
            return Ok(None);
        }
    }

    /// Asks one once, with the most that it can cost reserved beforehand: calls that run beside each other do not pass
    /// the budget. What was not spent is given back; of what ended so that nobody knows, all counts.
    async fn paid(&self, provider: &Provider, key: &Key) -> Result<Verdict, Problem> {
        let now = self.app.clock.millis();
        let (period, _) = month(now);
        let most = self.question.most_cost(&provider.config);
        let Some(reserved) = reserve(self.app, self.subject, period, most).await? else { return Err(spent(now)) };
        let verdict = provider.ask(&self.models.http, key, self.question).await;
        let costs = match &verdict {
            Verdict::Answered(said) => {
                for (direction, tokens) in [("in", said.usage.input_tokens), ("out", said.usage.output_tokens)] {
                    let provider = provider.name();
                    metrics::counter!("trustd_model_tokens_total", "provider" => provider, "direction" => direction)
                        .increment(tokens);
                }
                cost(&provider.config, said.usage)
            }
            Verdict::Fault(Fault { costs: true, .. }) => most,
            _ => 0,
        };
        if costs > most {
            tracing::warn!(provider = provider.name(), "a provider counts more tokens than there can be");
        }
        if let Err(problem) = give_back(self.app, &reserved, most.saturating_sub(costs)).await {
            // The answer is there: more is counted than it cost.
            tracing::error!(%problem, "what a call of a model did not cost stays counted");
        }
        Ok(verdict)
    }
}

fn told(provider: &Provider, said: Said) -> MessagesOut {
    MessagesOut {
        content: vec![ContentOut { kind: "text", text: said.text }],
        usage: said.usage,
        stop_reason: said.stop,
        provider: provider.name(),
        model: provider.config.model.clone(),
    }
}
