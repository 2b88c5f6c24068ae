//! Moments in time, as data. Nothing here reads a clock.

use super::json::{Raw, Writer};
use super::record::{Form, text};
use crate::error::{Error, Problem};
use alloc::string::{String, ToString};
use core::fmt;
/// Fewer milliseconds than this are taken for seconds: 1973-03-03T09:46:40.000Z, or the year 5138 in seconds.
const LEAST_GIVEN: i64 = 100_000_000_000;

/// A moment in UTC, in milliseconds since 1970-01-01T00:00:00Z, at most 9999-12-31T23:59:59.999Z.
///
/// On the wire it has 24 characters of RFC 3339, `2026-11-21T09:00:00.000Z`, and no other form is read.
///
/// ```
/// use dualseal::Timestamp;
///
/// let t: Timestamp = "2026-11-21T09:00:00.000Z".parse()?;
/// assert_eq!(t.as_millis(), 1_795_251_600_000);
/// assert_eq!(t.to_string(), "2026-11-21T09:00:00.000Z");
/// assert!("2026-11-21T10:00:00.000+01:00".parse::<Timestamp>().is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// 1970-01-01T00:00:00.000Z.
    pub const MIN: Self = Self(0);
    /// 9999-12-31T23:59:59.999Z.
    pub const MAX: Self = Self(253_402_300_799_999);

    /// From milliseconds since 1970-01-01T00:00:00Z, of a clock.
    ///
    /// A number below 10^11 is refused: it would be a moment before March 1973, and is a time in seconds, of which
    /// there are fewer until the year 5138. What is read from a record may be earlier.
    ///
    /// # Errors
    /// [`Problem::Range`] below 10^11 and after the year 9999.
    pub fn from_millis(millis: i64) -> Result<Self, Error> {
        Self::within(millis).filter(|time| time.0 >= LEAST_GIVEN).ok_or(Error::malformed("timestamp", Problem::Range))
    }

    /// Of what was read, and not taken from a clock.
    pub(crate) fn within(millis: i64) -> Option<Self> {
        (Self::MIN.0..=Self::MAX.0).contains(&millis).then_some(Self(millis))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn as_millis(self) -> i64 {
        self.0
    }

    pub(crate) fn parse(field: &'static str, text: &str) -> Result<Self, Error> {
        let time = text.as_bytes().try_into().ok().and_then(Self::of);
        time.ok_or(Error::malformed(field, Problem::Timestamp))
    }

    /// The moment of the 24 characters of the wire, where they are of one.
    fn of(text: &[u8; 24]) -> Option<Self> {
        let &[
            y3,
            y2,
            y1,
            y0,
            b'-',
            m1,
            m0,
            b'-',
            d1,
            d0,
            b'T',
            h1,
            h0,
            b':',
            i1,
            i0,
            b':',
            s1,
            s0,
            b'.',
            f2,
            f1,
            f0,
            b'Z',
        ] = text
        else {
            return None;
        };
        let days = days_to(number([y3, y2, y1, y0])?, number([m1, m0])?, number([d1, d0])?)?;
        let [hour, minute, second] = [number([h1, h0])?, number([i1, i0])?, number([s1, s0])?];
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let rest = [(24, hour), (60, minute), (60, second), (1000, number([f2, f1, f0])?)];
        let millis = rest.into_iter().fold(days, |all, (most, part)| all.wrapping_mul(most).wrapping_add(part));
        i64::try_from(millis).ok().and_then(Self::within)
    }

    /// The 24 characters of the wire.
    pub(crate) fn digits(self) -> [u8; 24] {
        let millis = self.0.unsigned_abs();
        let seconds = millis / 1000;
        let [year, month, day] = date_after(seconds / 86_400);
        let [[y3, y2], [y1, y0], [m1, m0], [d1, d0]] = [year / 100, year, month, day].map(pair);
        let [[h1, h0], [i1, i0], [s1, s0]] = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(pair);
        let [[_, f2], [f1, f0]] = [millis % 1000 / 100, millis % 1000].map(pair);
        let [date, time] = [b'-', b':'];
        [y3, y2, y1, y0, date, m1, m0, date, d1, d0, b'T', h1, h0, time, i1, i0, time, s1, s0, b'.', f2, f1, f0, b'Z']
    }
}

/// The last two digits of a number.
fn pair(number: u64) -> [u8; 2] {
    // A remainder of ten is a digit.
    [number / 10 % 10, number % 10].map(|digit| b'0'.wrapping_add(u8::try_from(digit).unwrap_or(0)))
}

/// The number of these digits, if they are digits.
fn number<const N: usize>(digits: [u8; N]) -> Option<u64> {
    let add = |number: u64, digit: u8| {
        let value = digit.wrapping_sub(b'0');
        (value < 10).then(|| number.wrapping_mul(10).wrapping_add(value.into()))
    };
    digits.into_iter().try_fold(0, add)
}

// The calendar of Gregory, in years from March to February: the leap day is the last of its year, and every five months
// have 153 days. Nothing here comes near the ends of a `u64`.

/// Days of 400 years, after which all repeats.
const ERA: u64 = 146_097;

/// Days from the first of March of the year 0 to 1970-01-01.
const EPOCH: u64 = 719_468;

/// The days from the first of March of the year 0 to that of another.
fn days_of_years(years: u64) -> u64 {
    years.wrapping_mul(365).wrapping_add(years / 4).wrapping_sub(years / 100).wrapping_add(years / 400)
}

/// The days from the first of March to the first of the month that is so many after it.
fn days_of_months(months: u64) -> u64 {
    months.wrapping_mul(153).wrapping_add(2) / 5
}

/// The days from 1970-01-01 to a date, if that is one and not before.
fn days_to(year: u64, month: u64, day: u64) -> Option<u64> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let last = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    let (years, months) = match month.checked_sub(3) {
        Some(months) => (year, months),
        None => (year.checked_sub(1)?, month.wrapping_add(9)),
    };
    // The first day of a month is none after it.
    days_of_years(years).wrapping_add(days_of_months(months)).wrapping_add(day).checked_sub(EPOCH)?.checked_sub(1)
}

/// The year, month and day so many days after 1970-01-01.
fn date_after(days: u64) -> [u64; 3] {
    let days = days.wrapping_add(EPOCH);
    let (eras, days) = (days / ERA, days % ERA);
    // Without the leap days before it a day tells its year.
    let leap_days = (days / 1460).wrapping_sub(days / 36_524).wrapping_add(days / 146_096);
    let years = days.wrapping_sub(leap_days) / 365;
    let days = days.wrapping_sub(days_of_years(years));
    let months = days.wrapping_mul(5).wrapping_add(2) / 153;
    let day = days.wrapping_sub(days_of_months(months)).wrapping_add(1);
    let (more, month) =
        months.checked_sub(10).map_or((0, months.wrapping_add(3)), |months| (1, months.wrapping_add(1)));
    [eras.wrapping_mul(400).wrapping_add(years).wrapping_add(more), month, day]
}

impl Form for Timestamp {
    type Value = Self;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        Self::parse(field, &text(raw, field)?)
    }

    fn write(value: &Self, out: &mut Writer) {
        out.text(core::str::from_utf8(&value.digits()).unwrap_or_default());
    }
}

impl core::str::FromStr for Timestamp {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse("timestamp", text)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(core::str::from_utf8(&self.digits()).map_err(|_| fmt::Error)?)
    }
}

impl From<Timestamp> for String {
    fn from(time: Timestamp) -> Self {
        time.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;
    use jiff::civil::{DateTime, date};
    use proptest::prelude::*;

    const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

    /// Civil time without a zone, which reaches the end of the year 9999; timestamps of jiff stop a day earlier.
    fn by_jiff(millis: i64) -> String {
        alloc::format!("{:.3}Z", EPOCH.checked_add(SignedDuration::from_millis(millis)).unwrap())
    }

    proptest! {
        #[test]
        fn every_moment_survives_the_wire(millis in 0i64..=253_402_300_799_999) {
            let time = Timestamp::within(millis).unwrap();
            let text = time.to_string();
            prop_assert_eq!(&text, &by_jiff(millis));
            prop_assert_eq!(text.parse::<Timestamp>().unwrap(), time);
        }
    }

    /// The first and the last moment of every day that there is.
    #[test]
    fn every_day_is_that_of_the_calendar() {
        let day = 86_400_000;
        for first in (0..=Timestamp::MAX.0).step_by(86_400_000) {
            for millis in [first, first + day - 1] {
                let text = Timestamp(millis).to_string();
                assert_eq!(text, by_jiff(millis));
                assert_eq!(text.parse::<Timestamp>().unwrap().0, millis);
            }
        }
    }

    /// Of all days of a year that has as many as any, and of one that has not, with months and days that none has.
    #[test]
    fn no_other_day_is_read() {
        for year in [1970, 1999, 2000, 2023, 2024, 2100, 9999_i16] {
            for (month, day) in (0..=99).flat_map(|month| (0..=99).map(move |day| (month, day))) {
                let there = jiff::civil::Date::new(year, month, day).is_ok();
                let text = alloc::format!("{year}-{month:02}-{day:02}T00:00:00.000Z");
                assert_eq!(text.parse::<Timestamp>().is_ok(), there, "{text}");
            }
        }
    }

    /// Whatever one character of a time is replaced by, it is another time that is written so, or none.
    #[test]
    fn every_character_is_looked_at() {
        let good = "2026-11-21T09:58:07.345Z";
        for place in 0..good.len() {
            for byte in 0..=127 {
                let mut text = good.as_bytes().to_vec();
                text[place] = byte;
                let text = String::from_utf8(text).unwrap();
                if let Ok(time) = text.parse::<Timestamp>() {
                    assert_eq!(time.to_string(), text);
                    assert!(byte.is_ascii_digit() || text == good, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        assert_eq!(Timestamp::MIN.to_string(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::MAX.to_string(), "9999-12-31T23:59:59.999Z");
        assert!(Timestamp::from_millis(-1).is_err());
        assert!(Timestamp::from_millis(Timestamp::MAX.0 + 1).is_err());
    }

    /// 2026-11-21T09:00:00Z in seconds was 1970-01-21T18:40:51.600Z.
    #[test]
    fn seconds_are_not_taken_for_milliseconds() {
        for seconds in [0, 1_795_251_600, LEAST_GIVEN - 1] {
            assert!(Timestamp::from_millis(seconds).is_err(), "{seconds}");
        }
        assert_eq!(Timestamp::from_millis(LEAST_GIVEN).unwrap().to_string(), "1973-03-03T09:46:40.000Z");
        assert_eq!("1970-01-01T00:00:00.001Z".parse::<Timestamp>().unwrap().as_millis(), 1);
    }

    #[test]
    fn only_the_one_form_is_read() {
        for text in [
            "",
            "2026-11-21",
            "2026-11-21T09:00:00Z",
            "2026-11-21T09:00:00.0Z",
            "2026-11-21T09:00:00.0000Z",
            "2026-11-21t09:00:00.000Z",
            "2026-11-21T09:00:00.000z",
            "2026-11-21 09:00:00.000Z",
            "2026-11-21T09:00:00.000+00:00",
            "2026-11-21T09:00:00,000Z",
            "20261121T090000.000Z",
            "2026-11-21T09:00:60.000Z",
            "2026-11-21T24:00:00.000Z",
            "2026-02-29T09:00:00.000Z",
            "2026-13-01T09:00:00.000Z",
            "2026-00-10T09:00:00.000Z",
            "1969-12-31T23:59:59.999Z",
            "10000-01-01T00:00:00.000Z",
            "+002026-11-21T09:00:00.000Z",
            "2026-11-21T09:00:00.000Z ",
            "2026-11-21T09:00:00.000Z[UTC]",
            "-2026-11-21T09:00:00.000Z",
            "2026-11-21T9:00:00.000Z",
        ] {
            let error = Timestamp::parse("t", text).unwrap_err();
            assert_eq!(error, Error::malformed("t", Problem::Timestamp), "{text:?}");
        }
        assert!(Timestamp::parse("t", "2024-02-29T23:59:59.999Z").is_ok());
    }
}
