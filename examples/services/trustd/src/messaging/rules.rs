//! Decisions about messages, without input or output: states, what carriers reserve, waiting.

use platform::problem::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How long a code is good for: 15 minutes.
pub(crate) const CODE_MILLIS: i64 = 900_000;
/// How often a wrong one may be given.
pub(crate) const CODE_TRIES: i64 = 5;
/// How many codes an address gets in an hour: with the tries above, one guess in 40,000 succeeds.
pub(crate) const CODES_AN_HOUR: u64 = 5;
/// How long two alarms of one unknown sender are apart.
pub(crate) const UNVERIFIED_APART: i64 = 600_000;
/// An hour.
pub(crate) const HOUR: i64 = 3_600_000;
/// The most characters of a message that goes out.
pub(crate) const MOST_TEXT: usize = 1600;
/// The most characters that are read of one that comes in; carriers join long ones.
pub(crate) const MOST_TEXT_IN: usize = 4000;
/// The longest wait between two attempts, unless a provider says how long.
const LONGEST: i64 = 900_000;
/// A provider that says longer is tried again after a day.
pub(crate) const LONGEST_TOLD: u64 = 86_400;

/// What becomes of a message that goes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = MessageState)]
pub(crate) enum State {
    /// It waits.
    Queued,
    /// Somebody has it on lease.
    Sending,
    /// A provider has it.
    Sent,
    /// It arrived, as a provider says.
    Delivered,
    /// Every way refused it.
    Failed,
    /// Every way was tried as often as it may.
    Dead,
    /// Its time was over before.
    Expired,
}

/// What changes the state: each is a statement of the outbox, which names the state before it. A test holds the
/// statements to this table.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A process takes it, or takes over from one that died.
    Leased,
    /// A provider took it.
    Accepted,
    /// It did not work this time, or the next way is tried.
    Again,
    /// The last way refused it.
    Refused,
    /// The last way was tried often enough.
    Exhausted,
    /// Its time is over.
    Late,
    /// A receipt says that it arrived.
    Arrived,
    /// A receipt says that it did not, and there is no other way.
    Lost,
    /// A receipt says that it did not, and there is another way.
    LostOnThisWay,
}

#[cfg(test)]
impl Event {
    /// All of them.
    pub(crate) const ALL: [Self; 9] = [
        Self::Leased,
        Self::Accepted,
        Self::Again,
        Self::Refused,
        Self::Exhausted,
        Self::Late,
        Self::Arrived,
        Self::Lost,
        Self::LostOnThisWay,
    ];
}

impl State {
    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 7] =
        [Self::Queued, Self::Sending, Self::Sent, Self::Delivered, Self::Failed, Self::Dead, Self::Expired];

    /// As rows and answers have it.
    #[must_use]
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::Sent => "sent",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::Dead => "dead",
            Self::Expired => "expired",
        }
    }

    /// The state after an event; `None` where it does not happen in this state.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn after(self, event: Event) -> Option<Self> {
        match (self, event) {
            (Self::Queued | Self::Sending, Event::Leased) => Some(Self::Sending),
            (Self::Sending, Event::Accepted) => Some(Self::Sent),
            (Self::Sending, Event::Again) | (Self::Sent, Event::LostOnThisWay) => Some(Self::Queued),
            (Self::Sending, Event::Refused) | (Self::Sent, Event::Lost) => Some(Self::Failed),
            (Self::Sending, Event::Exhausted) => Some(Self::Dead),
            (Self::Queued | Self::Sending, Event::Late) => Some(Self::Expired),
            (Self::Sent, Event::Arrived) => Some(Self::Delivered),
            _ => None,
        }
    }
}

/// A way in or out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Channel {
    /// A short message, to a number.
    Sms,
    /// E-mail.
    Email,
    /// The messenger's relay: out alone.
    Relay,
}

impl Channel {
    /// As rows and answers have it.
    #[must_use]
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Sms => "sms",
            Self::Email => "email",
            Self::Relay => "relay",
        }
    }
}

/// A text as it is shown: without what writes backwards, and without control characters but line feeds.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|one| *one == '\n' || !(one.is_control() || is_direction(*one))).collect()
}

/// A text that is one line of 1 to 200 characters, and read as it was written: a name, a title.
///
/// # Errors
/// What breaks the rule in the field of this pointer.
pub(crate) fn one_line(text: String, pointer: &str) -> Result<String, Problem> {
    let (count, is_plain) = (text.chars().count(), !text.chars().any(|one| one.is_control() || is_direction(one)));
    if is_plain && (1..=200).contains(&count) {
        Ok(text)
    } else {
        Err(Problem::invalid(pointer, "length", "is to be one line of 1 to 200 characters"))
    }
}

/// Marks that change the direction of writing: what is read is not what was written.
fn is_direction(one: char) -> bool {
    matches!(one, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What carriers reserve: it is all that a message says, in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reserved {
    /// No more messages.
    Stop,
    /// Messages again.
    Start,
    /// Who is this?
    Help,
}

/// Whether a message is reserved. `YES` is so of those alone who said `STOP` before.
pub(crate) fn reserved(text: &str, has_stopped: bool) -> Option<Reserved> {
    match text.trim().to_ascii_uppercase().as_str() {
        "STOP" | "STOPALL" | "UNSUBSCRIBE" | "CANCEL" | "END" | "QUIT" | "REVOKE" | "OPTOUT" => Some(Reserved::Stop),
        "START" | "UNSTOP" => Some(Reserved::Start),
        "YES" if has_stopped => Some(Reserved::Start),
        "HELP" | "INFO" => Some(Reserved::Help),
        _ => None,
    }
}

/// The code in an answer: six digits, and not a part of a longer number.
pub(crate) fn code(text: &str) -> Option<String> {
    let numbers = text.split(|one: char| !one.is_ascii_alphanumeric());
    let mut codes = numbers.filter(|word| word.len() == 6 && word.bytes().all(|one| one.is_ascii_digit()));
    let code = codes.next()?;
    // Somebody who answers says little else.
    (codes.next().is_none() && text.chars().count() <= 80).then(|| code.to_owned())
}

/// When it is tried again: as long as the provider says, or twice as long after each attempt, from two seconds to
/// fifteen minutes, drawn within the later half of that.
pub(crate) fn next_attempt(now: i64, attempts: i64, told: Option<u64>, drawn: u64) -> i64 {
    let doublings = u32::try_from(attempts.clamp(1, 10)).unwrap_or(10);
    let wait = 1000_i64.saturating_mul(1 << doublings).min(LONGEST);
    let half = u64::try_from(wait / 2).unwrap_or(1).max(1);
    let own = wait / 2 + i64::try_from(drawn % half).unwrap_or(0);
    let told = told.map_or(0, |seconds| i64::try_from(seconds.min(LONGEST_TOLD)).unwrap_or(0).saturating_mul(1000));
    now.saturating_add(own.max(told))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every state under every event: `-` where it does not happen.
    #[test]
    fn the_table_of_states() {
        let table: Vec<String> = State::ALL
            .into_iter()
            .map(|state| {
                let after = Event::ALL.map(|event| state.after(event).map_or("-", State::as_str));
                format!("{}: {}", state.as_str(), after.join(" "))
            })
            .collect();
        assert_eq!(
            table,
            [
                "queued: sending - - - - expired - - -",
                "sending: sending sent queued failed dead expired - - -",
                "sent: - - - - - - delivered failed queued",
                "delivered: - - - - - - - - -",
                "failed: - - - - - - - - -",
                "dead: - - - - - - - - -",
                "expired: - - - - - - - - -",
            ]
        );
    }

    #[test]
    fn a_text_is_what_it_shows() {
        assert_eq!(plain("a\u{202e}b\0c\r\nd\u{1b}[2J\u{2066}"), "abc\nd[2J");
        assert_eq!(plain("čćžšđ ÄÖÜß 🆘"), "čćžšđ ÄÖÜß 🆘");
    }

    #[test]
    fn carriers_words_come_first_and_alone() {
        for (text, has_stopped, found) in [
            ("STOP", false, Some(Reserved::Stop)),
            (" stop ", false, Some(Reserved::Stop)),
            ("please stop", false, None),
            ("start", false, Some(Reserved::Start)),
            ("yes", false, None),
            ("YES", true, Some(Reserved::Start)),
            ("help", false, Some(Reserved::Help)),
            ("help me", false, None),
        ] {
            assert_eq!(reserved(text, has_stopped), found, "{text}");
        }
    }

    #[test]
    fn a_code_is_six_digits() {
        for (text, found) in [
            ("123456", Some("123456")),
            ("DA 123456!", Some("123456")),
            ("1234567", None),
            ("12345", None),
            ("123456 654321", None),
            ("x123456", None),
        ] {
            assert_eq!(code(text).as_deref(), found, "{text}");
        }
        assert_eq!(code(&format!("123456{}", " and so on".repeat(9))), None);
    }

    #[test]
    fn waiting_grows_and_the_provider_is_heard() {
        for (attempts, least, most) in [(1, 1000, 2000), (2, 2000, 4000), (9, 256_000, 512_000), (40, 450_000, 900_000)]
        {
            for drawn in [0, 999, u64::MAX] {
                let wait = next_attempt(5, attempts, None, drawn) - 5;
                assert!((least..most).contains(&wait), "{attempts}: {wait}");
            }
        }
        assert_eq!(next_attempt(0, 1, Some(120), 3), 120_000);
        assert_eq!(next_attempt(0, 1, Some(u64::MAX), 3), 86_400_000);
    }
}
