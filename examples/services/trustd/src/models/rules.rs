//! What may be asked, what it costs at most, months: decided without input or output.

use super::types::{MessagesIn, Role, UsageOut};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use platform::config::ProviderConfig;
use platform::problem::{Problem, kinds};

/// Millionths of a cent in a cent: prices are cents for a million tokens, so that a token's is a whole number of them.
const UNIT: u64 = 1_000_000;
const MOST_MESSAGES: usize = 64;
const LONGEST: usize = 32_000;
const MOST_BYTES: usize = 200_000;
const MOST_TOKENS: u32 = 8192;
const TOKENS: u32 = 1024;
/// What a provider adds to a message, to tell whose it is: no provider adds as much.
const AROUND: u64 = 32;

/// A question that keeps the rules. It has no `Debug`: nobody logs it.
pub(super) struct Question {
    pub(super) system: Option<String>,
    /// Whose each is, and what it says.
    pub(super) messages: Vec<(Role, String)>,
    pub(super) max_tokens: u32,
}

/// Holds a question to the rules.
pub(super) fn checked(asked: MessagesIn) -> Result<Question, Problem> {
    let MessagesIn { messages, system, max_tokens } = asked;
    if !(1..=MOST_MESSAGES).contains(&messages.len()) {
        return Err(Problem::invalid("/messages", "length", "are to be 1 to 64 messages"));
    }
    if let Some(system) = &system {
        text("/system".to_owned(), system)?;
    }
    for (place, message) in messages.iter().enumerate() {
        text(format!("/messages/{place}/content"), &message.content)?;
        let expected = if place % 2 == 0 { Role::User } else { Role::Assistant };
        if message.role != expected {
            return Err(Problem::invalid(format!("/messages/{place}/role"), "order", "user and assistant take turns"));
        }
    }
    if messages.len() % 2 == 0 {
        return Err(Problem::invalid("/messages", "order", "the last message is to be of user"));
    }
    let max_tokens = max_tokens.unwrap_or(TOKENS);
    if !(1..=MOST_TOKENS).contains(&max_tokens) {
        return Err(Problem::invalid("/max_tokens", "range", "is not between 1 and 8192"));
    }
    let messages = messages.into_iter().map(|message| (message.role, message.content)).collect();
    let question = Question { system, messages, max_tokens };
    if question.bytes() > MOST_BYTES {
        return Err(Problem::invalid("/messages", "length", "all texts together have more than 200000 bytes"));
    }
    Ok(question)
}

fn text(pointer: String, text: &str) -> Result<(), Problem> {
    if !(1..=LONGEST).contains(&text.chars().count()) {
        return Err(Problem::invalid(pointer, "length", "has not 1 to 32000 characters"));
    }
    if text.contains('\0') {
        return Err(Problem::invalid(pointer, "control", "contains a NUL"));
    }
    Ok(())
}

impl Question {
    fn bytes(&self) -> usize {
        let system = self.system.as_ref().map_or(0, String::len);
        self.messages.iter().map(|(_, text)| text.len()).sum::<usize>() + system
    }

    /// The most tokens that it can take: one has at least a byte.
    fn most(&self) -> UsageOut {
        let parts = u64::try_from(self.messages.len() + 1).unwrap_or(u64::MAX);
        let bytes = u64::try_from(self.bytes()).unwrap_or(u64::MAX);
        UsageOut { input_tokens: bytes + AROUND * parts, output_tokens: self.max_tokens.into() }
    }

    /// The most that it can cost with a provider, in millionths of a cent: what is reserved before it is asked.
    pub(super) fn most_cost(&self, provider: &ProviderConfig) -> u64 {
        cost(provider, self.most())
    }
}

/// What tokens cost with a provider, in millionths of a cent.
pub(super) fn cost(provider: &ProviderConfig, usage: UsageOut) -> u64 {
    let input = usage.input_tokens.saturating_mul(provider.input_price);
    input.saturating_add(usage.output_tokens.saturating_mul(provider.output_price))
}

/// Cents as rows count them.
pub(super) fn units(cents: u64) -> u64 {
    cents.saturating_mul(UNIT)
}

/// Cents as people do, rounded up.
pub(super) fn cents(units: u64) -> u64 {
    units.div_ceil(UNIT)
}

/// The month of a time (UTC), and how many seconds of it are left.
pub(super) fn month(now: i64) -> (String, u64) {
    let today = Timestamp::from_millisecond(now).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(TimeZone::UTC).date();
    let next = today.last_of_month().tomorrow().and_then(|day| day.to_zoned(TimeZone::UTC));
    let left = next.map_or(0, |next| next.timestamp().as_second() - now.div_euclid(1000));
    (format!("{:04}-{:02}", today.year(), today.month()), u64::try_from(left).unwrap_or(0))
}

/// The month a year before that of a time.
pub(super) fn year_before(now: i64) -> String {
    let (period, _) = month(now.saturating_sub(366 * 24 * 3_600_000));
    period
}

/// That the budget is spent, or that the call would pass it.
pub(super) fn spent(now: i64) -> Problem {
    let (_, left) = month(now);
    Problem::new(&kinds::BUDGET).retry_after(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use platform::config::ModelKind;
    use serde_json::{Value, json};

    fn told(asked: Value) -> Result<Question, (String, String)> {
        checked(serde_json::from_value(asked).unwrap()).map_err(|problem| {
            let field = &problem.fields()[0];
            (field.pointer.clone(), field.code.clone())
        })
    }

    fn turns(roles: &[&str]) -> Value {
        json!({"messages": roles.iter().map(|role| json!({"role": role, "content": "x"})).collect::<Vec<_>>()})
    }

    #[test]
    fn a_question_has_bounds() {
        let question = told(turns(&["user", "assistant", "user"])).unwrap();
        assert_eq!((question.messages.len(), question.max_tokens), (3, 1024));
        let said = |text: String| json!({"messages": [{"role": "user", "content": text}]});
        let long = said("č".repeat(LONGEST));
        assert!(told(long.clone()).is_ok(), "characters are counted");
        let mut much = long;
        let turn = |role: &str| json!({"role": role, "content": "č".repeat(LONGEST)});
        much["messages"] = ["user", "assistant", "user", "assistant", "user"].map(turn).to_vec().into();
        let with = |name: &str, value: Value| {
            let mut asked = said("x".to_owned());
            asked[name] = value;
            asked
        };
        for (asked, pointer, code) in [
            (turns(&[]), "/messages", "length"),
            (turns(&["user"; 65]), "/messages", "length"),
            (turns(&["assistant"]), "/messages/0/role", "order"),
            (turns(&["user", "user", "user"]), "/messages/1/role", "order"),
            (turns(&["user", "assistant"]), "/messages", "order"),
            (said(String::new()), "/messages/0/content", "length"),
            (said("x".repeat(LONGEST + 1)), "/messages/0/content", "length"),
            (said("a\0b".to_owned()), "/messages/0/content", "control"),
            (much, "/messages", "length"),
            (with("system", json!("")), "/system", "length"),
            (with("max_tokens", json!(0)), "/max_tokens", "range"),
            (with("max_tokens", json!(8193)), "/max_tokens", "range"),
        ] {
            let found = told(asked).err();
            assert_eq!(found, Some((pointer.to_owned(), code.to_owned())));
        }
    }

    #[test]
    fn no_answer_costs_more_than_is_reserved() {
        let provider = ProviderConfig {
            kind: ModelKind::OpenAi,
            url: "https://a.example/".parse().unwrap(),
            model: "m".into(),
            key_file: "k".into(),
            input_price: 300,
            output_price: 1500,
        };
        let question = told(json!({"messages": [{"role": "user", "content": "četiri"}], "max_tokens": 10})).unwrap();
        // Seven bytes and what is around them, and ten tokens.
        assert_eq!(question.most_cost(&provider), (7 + 64) * 300 + 10 * 1500);
        let dear = UsageOut { input_tokens: u64::MAX, output_tokens: u64::MAX };
        assert_eq!(cost(&provider, dear), u64::MAX);
        assert_eq!((units(5), cents(5_000_000), cents(5_000_001), cents(0)), (5_000_000, 5, 6, 0));
    }

    #[test]
    fn a_month_ends_where_the_next_begins() {
        for (time, period, left) in [
            ("2026-11-21T09:00:00.000Z", "2026-11", 9 * 86_400 + 15 * 3600),
            ("2026-12-31T23:59:59.999Z", "2026-12", 1),
            ("2028-02-28T00:00:00.000Z", "2028-02", 2 * 86_400),
        ] {
            let now: dualseal::Timestamp = time.parse().unwrap();
            assert_eq!(month(now.as_millis()), (period.to_owned(), left), "{time}");
        }
        let now: dualseal::Timestamp = "2026-11-21T09:00:00.000Z".parse().unwrap();
        assert_eq!(year_before(now.as_millis()), "2025-11");
    }
}
