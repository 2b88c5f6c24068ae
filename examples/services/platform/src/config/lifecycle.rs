//! Documents with an end: which types there are, and when their owners are told.

use super::Seconds;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Deserialize;
use std::time::Duration;

/// Documents with an end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LifecycleConfig {
    /// The types.
    pub types: Vec<String>,
    /// Days before the end of which is told.
    pub thresholds: Vec<u16>,
    /// The zone of owners who name none, of the database of time zones.
    pub zone: String,
    /// How often it is looked.
    pub every: Seconds,
    /// From when to when of a day in that zone people are told of last days and of vehicles' levels, `HH:MM` each.
    pub hours: [String; 2],
}

impl LifecycleConfig {
    /// Whether people are told at this time, in milliseconds since 1970.
    #[must_use]
    pub fn is_open(&self, now: i64) -> bool {
        let [from, to] = self.hours.each_ref().map(|text| minute(text));
        let (Ok(zone), Ok(now)) = (TimeZone::get(&self.zone), Timestamp::from_millisecond(now)) else { return true };
        let time = zone.to_datetime(now).time();
        let now = i32::from(time.hour()) * 60 + i32::from(time.minute());
        from.is_none_or(|from| from <= now) && to.is_none_or(|to| now < to)
    }

    /// How often it is looked: where people are told at some hours alone, often enough to meet them each day.
    #[must_use]
    pub fn rhythm(&self) -> Duration {
        let is_all_day = self.hours.each_ref().map(|text| minute(text)) == [Some(0), Some(DAY)];
        if is_all_day { self.every.duration() } else { self.every.duration().min(OFTEN) }
    }
}

/// In minutes.
const DAY: i32 = 24 * 60;
const OFTEN: Duration = Duration::from_mins(15);

/// The minute of the day of `HH:MM`.
fn minute(text: &str) -> Option<i32> {
    let (hour, minute) = text.split_once(':')?;
    let number = |text: &str, most: i32| {
        let is_number = text.len() == 2 && text.bytes().all(|one| one.is_ascii_digit());
        text.parse::<i32>().ok().filter(|number| is_number && *number <= most)
    };
    let minutes = number(hour, 24)? * 60 + number(minute, 59)?;
    (minutes <= DAY).then_some(minutes)
}

const TYPES: [&str; 12] = [
    "REGISTRATION",
    "INSURANCE",
    "ROADWORTHINESS",
    "TACHOGRAPH_CALIBRATION",
    "TACHOGRAPH_CARD",
    "DRIVING_LICENCE",
    "DRIVER_CPC",
    "ADR_CERTIFICATE",
    "MEDICAL",
    "COMMUNITY_LICENCE",
    "CONTRACT",
    "CERTIFICATE",
];

impl Default for LifecycleConfig {
    fn default() -> Self {
        let types = TYPES.map(str::to_owned).to_vec();
        let hours = ["00:00", "24:00"].map(str::to_owned);
        Self { types, thresholds: vec![30, 7, 1], zone: "Europe/Zagreb".into(), every: Seconds(86_400), hours }
    }
}

fn is_zone(name: &str) -> bool {
    TimeZone::get(name).is_ok_and(|zone| zone.iana_name().is_some())
}

/// What is wrong with them.
pub(super) fn faults(config: &LifecycleConfig) -> Vec<&'static str> {
    let is_type = |name: &String| {
        let is_sign = |one: u8| one.is_ascii_uppercase() || one.is_ascii_digit() || one == b'_';
        (1..=64).contains(&name.len()) && name.bytes().all(is_sign)
    };
    let rules = [
        (
            !config.types.is_empty() && config.types.iter().all(is_type),
            "lifecycle.types: one is no name such as MEDICAL",
        ),
        (
            (1..=20).contains(&config.thresholds.len()) && config.thresholds.iter().all(|days| *days <= 3650),
            "lifecycle.thresholds: none, more than 20, or one of more than 3650 days",
        ),
        (is_zone(&config.zone), "lifecycle.zone: is no zone of time such as Europe/Zagreb"),
        (
            matches!(config.hours.each_ref().map(|text| minute(text)), [Some(from), Some(to)] if from < to),
            "lifecycle.hours: are not two times of a day such as 07:00, the later one second",
        ),
        ((1..=86_400).contains(&config.every.0), "lifecycle.every: is not between 1s and 24h"),
    ];
    rules.iter().filter(|(holds, _)| !holds).map(|(_, fault)| *fault).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(from: &str, to: &str) -> LifecycleConfig {
        LifecycleConfig { hours: [from, to].map(str::to_owned), ..LifecycleConfig::default() }
    }

    /// By the clocks of the zone, in summer and in winter; without hours at any time, and as seldom as is said.
    #[test]
    fn nobody_is_woken() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap().as_millisecond();
        let day = with("07:00", "21:00");
        for (now, is_open) in [
            ("2026-11-21T05:59:59.999Z", false),
            ("2026-11-21T06:00:00Z", true),
            ("2026-11-21T19:59:59Z", true),
            ("2026-11-21T20:00:00Z", false),
            ("2026-07-21T05:00:00Z", true),
            ("2026-07-21T04:59:00Z", false),
        ] {
            assert_eq!(day.is_open(at(now)), is_open, "{now}");
            assert!(LifecycleConfig::default().is_open(at(now)), "{now}");
        }
        assert_eq!(LifecycleConfig::default().rhythm(), Duration::from_hours(24));
        assert_eq!(day.rhythm(), OFTEN);
        assert!(faults(&day).is_empty() && faults(&LifecycleConfig::default()).is_empty());
        for (from, to) in [("21:00", "07:00"), ("7:00", "21:00"), ("07:60", "21:00"), ("07:00", "24:01"), ("", "")] {
            assert_eq!(faults(&with(from, to)).len(), 1, "{from} {to}");
        }
    }
}
