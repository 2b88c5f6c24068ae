//! Moments in time, as data. Nothing here reads a clock.

use super::json::{Raw, Writer};
use super::record::{Form, read_text};
use crate::error::{Error, Problem};
use alloc::string::{String, ToString};
use core::fmt;
use jiff::SignedDuration;
use jiff::civil::{Date, date};

/// Civil days without a zone reach the end of the year 9999; jiff's own timestamps stop a day earlier.
const EPOCH: Date = date(1970, 1, 1);

/// Milliseconds of a day: all have as many, since the wire has no leap second.
const DAY: i64 = 86_400_000;

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
        let [month, day] = [number([m1, m0])?, number([d1, d0])?];
        let date = Date::new(number([y3, y2, y1, y0])?, month.try_into().ok()?, day.try_into().ok()?).ok()?;
        let [hour, minute, second] = [number([h1, h0])?, number([i1, i0])?, number([s1, s0])?];
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let rest = [(60, minute), (60, second), (1000, number([f2, f1, f0])?)];
        let of_day = rest
            .into_iter()
            .fold(i64::from(hour), |all, (most, part)| all.wrapping_mul(most).wrapping_add(part.into()));
        let of_days = i64::try_from(date.duration_since(EPOCH).as_millis()).ok()?;
        of_days.checked_add(of_day).and_then(Self::within)
    }

    /// The 24 characters of the wire.
    pub(crate) fn digits(self) -> [u8; 24] {
        // The days of a `Timestamp` are within those of a `Date`, so the sum is always there.
        let date = EPOCH.saturating_add(SignedDuration::from_millis(self.0));
        let [year, month, day] = [date.year(), date.month().into(), date.day().into()];
        let [[y3, y2], [y1, y0], [m1, m0], [d1, d0]] = [year / 100, year, month, day].map(pair);
        // Of a day there are less than 86,400 seconds.
        let [seconds, millis] = [self.0 % DAY / 1000, self.0 % 1000];
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60, millis / 100, millis];
        let parts = parts.map(|part| pair(part.try_into().unwrap_or(0)));
        let [[h1, h0], [i1, i0], [s1, s0], [_, f2], [f1, f0]] = parts;
        let [date, time] = [b'-', b':'];
        [y3, y2, y1, y0, date, m1, m0, date, d1, d0, b'T', h1, h0, time, i1, i0, time, s1, s0, b'.', f2, f1, f0, b'Z']
    }
}

/// The last two digits of a number.
fn pair(number: i16) -> [u8; 2] {
    // A remainder of ten is a digit.
    [number / 10 % 10, number % 10].map(|digit| b'0'.wrapping_add(u8::try_from(digit).unwrap_or(0)))
}

/// The number of these digits, at most four, if they are digits.
fn number<const N: usize>(digits: [u8; N]) -> Option<i16> {
    let add = |number: i16, digit: u8| {
        let value = digit.wrapping_sub(b'0');
        (value < 10).then(|| number.wrapping_mul(10).wrapping_add(value.into()))
    };
    digits.into_iter().try_fold(0, add)
}

impl Form for Timestamp {
    type Value = Self;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        read_text(raw, field, |text| Self::parse(field, text))
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
    use jiff::civil::DateTime;
    use proptest::prelude::*;

    /// Civil time without a zone, which reaches the end of the year 9999; timestamps of jiff stop a day earlier.
    fn by_jiff(millis: i64) -> String {
        let epoch: DateTime = EPOCH.at(0, 0, 0, 0);
        alloc::format!("{:.3}Z", epoch.checked_add(SignedDuration::from_millis(millis)).unwrap())
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
                let there = Date::new(year, month, day).is_ok();
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
