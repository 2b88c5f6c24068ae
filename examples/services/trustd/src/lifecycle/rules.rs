//! Decisions about documents, without input or output: days in the owner's zone, what is told when, states.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, Unit};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a document stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DocumentState)]
pub(crate) enum Stanje {
    /// It holds, for longer than the first threshold.
    Vrijedi,
    /// It ends soon.
    Uskoro,
    /// It has ended.
    Istekao,
    /// Nobody is told of it any more.
    Arhiviran,
}

impl Stanje {
    /// Of the days that are left, the last one being none.
    #[must_use]
    pub(crate) fn of(days_left: i64, archived: bool, thresholds: &[u16]) -> Self {
        let soon = thresholds.iter().copied().max().map_or(0, i64::from);
        match days_left {
            _ if archived => Self::Arhiviran,
            ..0 => Self::Istekao,
            left if left <= soon => Self::Uskoro,
            _ => Self::Vrijedi,
        }
    }
}

/// A zone of the database of time zones, with its name as that has it.
pub(crate) fn zone(name: &str) -> Option<(String, TimeZone)> {
    let is_name = name.bytes().all(|one| one.is_ascii_alphanumeric() || b"/_+-".contains(&one));
    let zone = TimeZone::get(name).ok().filter(|_| is_name)?;
    Some((zone.iana_name()?.to_owned(), zone))
}

/// A date as it is written, and no other way: YYYY-MM-DD, of the years 1970 to 9998.
pub(crate) fn date(text: &str) -> Option<Date> {
    let date: Date = text.parse().ok()?;
    ((1970..=9998).contains(&date.year()) && date.to_string() == text).then_some(date)
}

/// How many days are left until a date in a zone: none on the day itself, fewer afterwards.
pub(crate) fn days_left(date: Date, zone: &TimeZone, now: i64) -> i64 {
    let now = Timestamp::from_millisecond(now).unwrap_or(Timestamp::UNIX_EPOCH);
    let today = zone.to_datetime(now).date();
    date.since((Unit::Day, today)).map_or(0, |span| i64::from(span.get_days()))
}

/// When a threshold is reached: as the day begins there, so many days before the date. Days have 23 or 25 hours where
/// clocks change, and where midnight is left out the day begins later.
pub(crate) fn reached(date: Date, zone: &TimeZone, threshold: u16) -> Option<i64> {
    let day = date.checked_sub(i64::from(threshold).days()).ok()?;
    Some(day.to_zoned(zone.clone()).ok()?.timestamp().as_millisecond())
}

/// What is told now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Due {
    /// The tightest threshold that was reached, where none as tight was told.
    pub(crate) told: Option<u16>,
    /// Those that were reached before it, and are told no more.
    pub(crate) missed: Vec<u16>,
}

/// What is told of a date of which the tightest threshold so far is `before`. Once a tighter one was told, a wider one
/// is not.
pub(crate) fn due(days_left: i64, thresholds: &[u16], before: Option<u16>) -> Due {
    let is_due = |one: &u16| days_left <= i64::from(*one) && before.is_none_or(|before| *one < before);
    let mut reached: Vec<u16> = thresholds.iter().copied().filter(is_due).collect();
    reached.sort_unstable();
    reached.dedup();
    let mut reached = reached.into_iter();
    Due { told: reached.next(), missed: reached.collect() }
}

/// When something is to be told next, of a date of which the tightest threshold so far is `before`.
pub(crate) fn next_due(date: Date, zone: &TimeZone, thresholds: &[u16], before: Option<u16>) -> Option<i64> {
    let left = thresholds.iter().filter(|one| before.is_none_or(|before| **one < before));
    left.filter_map(|one| reached(date, zone, *one)).min()
}

/// Thresholds as a row has them by which its next time was computed.
pub(crate) fn plan(thresholds: &[u16]) -> String {
    let all: Vec<_> = thresholds.iter().map(u16::to_string).collect();
    all.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [u16; 3] = [30, 7, 1];

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    #[test]
    fn only_the_tightest_is_told() {
        for (left, before, told, missed) in [
            (31, None, None, &[][..]),
            (30, None, Some(30), &[]),
            (29, Some(30), None, &[]),
            (7, Some(30), Some(7), &[]),
            (5, None, Some(7), &[30]),
            (1, Some(7), Some(1), &[]),
            (0, None, Some(1), &[7, 30]),
            (0, Some(30), Some(1), &[7]),
            (-400, None, Some(1), &[7, 30]),
            (-1, Some(1), None, &[]),
        ] {
            assert_eq!(due(left, &ALL, before), Due { told, missed: missed.to_vec() }, "{left} {before:?}");
        }
    }

    #[test]
    fn states_follow_the_days() {
        use Stanje::{Arhiviran, Istekao, Uskoro, Vrijedi};
        for (left, archived, state) in [
            (31, false, Vrijedi),
            (30, false, Uskoro),
            (0, false, Uskoro),
            (-1, false, Istekao),
            (-1, true, Arhiviran),
            (99, true, Arhiviran),
        ] {
            assert_eq!(Stanje::of(left, archived, &ALL), state, "{left}");
        }
    }

    #[test]
    fn dates_and_zones_are_written_one_way() {
        let wrong = ["2026-02-29", "2026-2-1", "20260201", "2026-13-01", "+002026-02-01", "1969-12-31", "9999-01-01"];
        for text in wrong.into_iter().chain(["", "2026-02-01T00:00:00"]) {
            assert_eq!(date(text), None, "{text}");
        }
        assert!(date("2028-02-29").is_some() && date("2026-02-28").is_some());
        assert_eq!(zone("europe/zagreb").unwrap().0, "Europe/Zagreb");
        for name in ["Mars/Base", "../etc/passwd", "", "Europe/Zagreb\0"] {
            assert!(zone(name).is_none(), "{name}");
        }
    }

    /// To the millisecond, also where a day has 23 or 25 hours, and at 29 February.
    #[test]
    fn a_day_begins_where_its_owner_is() {
        for (name, until, threshold, begins) in [
            ("Europe/Zagreb", "2026-07-31", 30, "2026-06-30T22:00:00Z"),
            ("Europe/Zagreb", "2026-12-31", 1, "2026-12-29T23:00:00Z"),
            // The night in which clocks go forward, and back.
            ("Europe/Zagreb", "2026-03-29", 0, "2026-03-28T23:00:00Z"),
            ("Europe/Zagreb", "2026-03-30", 0, "2026-03-29T22:00:00Z"),
            ("Europe/Zagreb", "2026-10-26", 1, "2026-10-24T22:00:00Z"),
            ("Europe/Zagreb", "2026-10-26", 0, "2026-10-25T23:00:00Z"),
            ("Europe/Zagreb", "2028-03-01", 1, "2028-02-28T23:00:00Z"),
            ("Europe/Zagreb", "2028-02-29", 30, "2028-01-29T23:00:00Z"),
            ("America/New_York", "2026-07-31", 1, "2026-07-30T04:00:00Z"),
            // There midnight is left out on this day.
            ("America/Santiago", "2026-09-06", 0, "2026-09-06T04:00:00Z"),
            ("Pacific/Kiritimati", "2026-01-01", 0, "2025-12-31T10:00:00Z"),
        ] {
            let (zone, until) = (zone(name).unwrap().1, date(until).unwrap());
            assert_eq!(reached(until, &zone, threshold), Some(at(begins)), "{name} {until} {threshold}");
            assert_eq!(days_left(until, &zone, at(begins)), i64::from(threshold), "{name} {until}");
            assert_eq!(days_left(until, &zone, at(begins) - 1), i64::from(threshold) + 1, "{name} {until}");
        }
    }
}
