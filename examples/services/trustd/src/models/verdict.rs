//! What an answer of a provider means for the chain: decided without input or output.

use super::shapes::{Said, said};
use platform::config::ModelKind;
use serde_json::Value;

/// So long a provider is left out that says it is overloaded, or that too many ask, and not for how long.
const SHORT: u64 = 60;
/// No provider is left out for longer on its own word.
const LONGEST: u64 = 86_400;
/// The most characters of a provider's words that a caller is told.
const WORDS: usize = 300;

/// What it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It answered.
    Answered(Said),
    /// Its key does not count: the next one is asked, and it is left out until its key file changes.
    Authentication,
    /// Its quota is used up: the next one is asked, and it is left out for so many seconds, or the setting's.
    Quota(Option<u64>),
    /// It is asked too often, and is to be asked again after so many seconds.
    Rate(u64),
    /// It does not take what was asked, in its words.
    Refused(String),
    /// It failed.
    Fault(Fault),
}

/// A fault of a provider's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// What happened, in the program's words.
    pub(super) what: &'static str,
    /// Whether it is tried once more.
    pub(super) again: bool,
    /// Whether somebody may have to pay for it.
    pub(super) costs: bool,
}

/// That it was not reached.
pub(super) const UNREACHED: Fault = Fault { what: "was not reached", again: true, costs: false };
/// That it did not answer in time.
pub(super) const SLOW: Fault = Fault { what: "did not answer in time", again: true, costs: true };
/// That its answer broke off.
pub(super) const BROKEN: Fault = Fault { what: "broke off", again: true, costs: true };
/// That its answer is too long.
pub(super) const TOO_LONG: Fault = Fault { what: "said too much", again: false, costs: true };
/// That its answer is not of its form.
const UNREADABLE: Fault = Fault { what: "answered what does not read", again: false, costs: true };
const OUTAGE: Fault = Fault { what: "has an outage", again: true, costs: false };
/// A redirect, which nobody follows, a model or path that is not there: another try would end alike.
const ODD: Fault = Fault { what: "answered with another status", again: false, costs: false };

impl Verdict {
    /// As measures and the log have it.
    pub(super) fn as_str(&self) -> &'static str {
        match self {
            Self::Answered(_) => "answered",
            Self::Authentication => "authentication",
            Self::Quota(_) => "quota",
            Self::Rate(_) => "rate",
            Self::Refused(_) => "refused",
            Self::Fault(_) => "fault",
        }
    }
}

/// Judges an answer by its status, the seconds of its `Retry-After` and its body; null where that is no JSON.
pub(super) fn judge(kind: ModelKind, status: u16, retry_after: Option<u64>, body: &Value) -> Verdict {
    let told = retry_after.or_else(|| retry_info(body)).map(|seconds| seconds.min(LONGEST));
    match status {
        200 => said(kind, body).map_or(Verdict::Fault(UNREADABLE), Verdict::Answered),
        // A page of whatever stands before it, as one puts there for a question that looks like an attack, is no word
        // of the provider's on its key: anybody's question would put it out for all.
        403 if body.is_null() => Verdict::Fault(ODD),
        401 | 403 => Verdict::Authentication,
        400 if has_reason(body, "API_KEY_INVALID") => Verdict::Authentication,
        402 => Verdict::Quota(told),
        400 if is_spent(body) => Verdict::Quota(told),
        429 if is_quota(body) => Verdict::Quota(told),
        // Who is asked too often says when to come back, and who has reached the limit of a month does not.
        429 => told.map_or(Verdict::Quota(Some(SHORT)), Verdict::Rate),
        529 => Verdict::Quota(told.or(Some(SHORT))),
        400 | 413 | 422 => Verdict::Refused(words(body)),
        408 | 500..=599 => Verdict::Fault(OUTAGE),
        _ => Verdict::Fault(ODD),
    }
}

/// Whether a 429 is of a quota, and not of a rate: in OpenAI's names, and in Google's.
fn is_quota(body: &Value) -> bool {
    let is_name = |name: Option<&Value>| {
        let name = name.and_then(Value::as_str).unwrap_or_default();
        matches!(name, "insufficient_quota" | "credit_balance_exhausted" | "billing_hard_limit_reached")
    };
    let error = body.get("error").unwrap_or(body);
    is_name(error.get("code")) || is_name(error.get("type")) || error["status"] == "RESOURCE_EXHAUSTED"
}

/// Whether a 400 is of money: Google's word for an account that is to pay first, and a limit of spending, which
/// Anthropic tells with the status and type of a request that is wrong, by these texts alone.
fn is_spent(body: &Value) -> bool {
    let error = body.get("error").unwrap_or(body);
    let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
    let begins = ["You have reached your specified API usage limits", "Your credit balance is too low"];
    error["status"] == "FAILED_PRECONDITION" || begins.iter().any(|begin| message.starts_with(begin))
}

/// The parts that Google adds to an error.
fn details(body: &Value) -> impl Iterator<Item = &Value> {
    body.pointer("/error/details").and_then(Value::as_array).into_iter().flatten()
}

fn has_reason(body: &Value, reason: &str) -> bool {
    details(body).any(|detail| detail["reason"] == reason)
}

/// Google's seconds, such as `"34.07s"`, rounded up.
fn retry_info(body: &Value) -> Option<u64> {
    let delay = details(body).find_map(|detail| detail.get("retryDelay"))?.as_str()?.strip_suffix('s')?;
    let (whole, rest) = delay.split_once('.').unwrap_or((delay, ""));
    let seconds: u64 = whole.parse().ok()?;
    let more = rest.bytes().any(|digit| digit != b'0');
    Some(seconds.saturating_add(more.into()))
}

/// What a provider says of a request that it does not take: one line, and not without end.
fn words(body: &Value) -> String {
    let error = body.get("error").unwrap_or(body);
    let places = ["/message", "/message/detail/0/msg", "/detail/0/msg", "/detail"];
    let said = places.iter().filter_map(|place| error.pointer(place)).find_map(Value::as_str);
    let said = said.unwrap_or("it does not say why");
    said.chars().map(|one| if one.is_control() { ' ' } else { one }).take(WORDS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(status: u16, retry_after: Option<u64>, body: &Value) -> String {
        let verdict = judge(ModelKind::OpenAi, status, retry_after, body);
        match &verdict {
            Verdict::Quota(told) => format!("quota {told:?}"),
            Verdict::Rate(told) => format!("rate {told}"),
            Verdict::Refused(words) => format!("refused {words}"),
            Verdict::Fault(fault) => format!("fault {} {}", fault.what, fault.again),
            other => other.as_str().to_owned(),
        }
    }

    #[test]
    fn a_status_means_one_thing() {
        let none = Value::Null;
        for (status, after, expected) in [
            (401, None, "authentication"),
            (403, None, "fault answered with another status false"),
            (402, None, "quota None"),
            (402, Some(7), "quota Some(7)"),
            (429, Some(2), "rate 2"),
            (429, None, "quota Some(60)"),
            (429, Some(u64::MAX), "rate 86400"),
            (529, None, "quota Some(60)"),
            (529, Some(5), "quota Some(5)"),
            (400, None, "refused it does not say why"),
            (413, None, "refused it does not say why"),
            (422, None, "refused it does not say why"),
            (408, None, "fault has an outage true"),
            (500, None, "fault has an outage true"),
            (503, Some(1), "fault has an outage true"),
            (504, None, "fault has an outage true"),
            (200, None, "fault answered what does not read false"),
            (204, None, "fault answered with another status false"),
            (302, None, "fault answered with another status false"),
            (404, None, "fault answered with another status false"),
        ] {
            assert_eq!(of(status, after, &none), expected, "{status} {after:?}");
        }
        assert_eq!(of(403, None, &json!({"error": {"type": "permission_error"}})), "authentication");
    }

    #[test]
    fn a_quota_is_told_from_a_rate() {
        for name in ["insufficient_quota", "credit_balance_exhausted", "billing_hard_limit_reached"] {
            assert_eq!(of(429, Some(1), &json!({"error": {"code": name}})), "quota Some(1)");
            assert_eq!(of(429, None, &json!({"error": {"type": name}})), "quota None");
        }
        assert_eq!(of(429, Some(1), &json!({"error": {"code": "rate_limit_exceeded"}})), "rate 1");
        let error = |delay: &str| json!({"status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": delay}]});
        let delay = |delay: &str| json!({"error": error(delay)});
        for (text, expected) in [("34.07s", "quota Some(35)"), ("34.00s", "quota Some(34)"), ("soon", "quota None")] {
            assert_eq!(of(429, None, &delay(text)), expected, "{text}");
        }
    }

    #[test]
    fn words_are_one_line_with_an_end() {
        assert_eq!(of(400, None, &json!({"error": {"message": "a\nb\u{1b}c"}})), "refused a b c");
        assert_eq!(of(422, None, &json!({"detail": [{"msg": "too long"}]})), "refused too long");
        assert_eq!(of(400, None, &json!({"message": "x".repeat(1000)})), format!("refused {}", "x".repeat(300)));
    }
}
