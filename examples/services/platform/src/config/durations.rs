//! Durations, as an operator writes them.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::str::FromStr;
use std::time::Duration;

/// A number of seconds, written as `30s`, `5m`, `24h` or `7d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seconds(pub u64);

impl Seconds {
    /// As the standard library has it.
    #[must_use]
    pub fn duration(self) -> Duration {
        Duration::from_secs(self.0)
    }

    /// In milliseconds, as times are counted.
    #[must_use]
    pub fn millis(self) -> i64 {
        i64::try_from(self.0.saturating_mul(1000)).unwrap_or(i64::MAX)
    }
}

impl FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no duration such as 30s, 5m, 24h or 7d");
        let (digits, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 3600,
            "d" => 86_400,
            _ => return Err(wrong()),
        };
        let number: u64 = digits.parse().map_err(|_| wrong())?;
        number.checked_mul(seconds).filter(|_| !digits.starts_with('+')).map(Self).ok_or_else(wrong)
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Seconds;

    #[test]
    fn a_duration_has_a_number_and_a_unit() {
        for (text, seconds) in [("0s", 0), ("30s", 30), ("5m", 300), ("24h", 86_400), ("7d", 604_800)] {
            assert_eq!(text.parse(), Ok(Seconds(seconds)), "{text}");
        }
        for text in ["", "s", "30", "+5s", "-5s", "1.5h", "5 m", "999999999999999999d", "5ü"] {
            assert!(text.parse::<Seconds>().is_err(), "{text}");
        }
    }
}
