//! Moments in time, as data. Nothing here reads a clock.

use super::json::{Raw, Writer};
use super::record::{Form, text};
use crate::error::{Error, Problem};
use alloc::string::{String, ToString};
use core::fmt;
use jiff::SignedDuration;
use jiff::civil::{DateTime, date};

/// Civil time without a zone reaches the end of the year 9999; jiff's own timestamps stop a day earlier.
const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

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
        let bad = || Error::malformed(field, Problem::Timestamp);
        let civil: DateTime = text.strip_suffix('Z').and_then(|text| text.parse().ok()).ok_or_else(bad)?;
        let millis = civil.duration_since(EPOCH).as_millis();
        let time = i64::try_from(millis).ok().and_then(Self::within).ok_or_else(bad)?;
        // The parser takes leap seconds, lowercase, offsets and more digits; only the one form survives this.
        if time.digits() == text.as_bytes() { Ok(time) } else { Err(bad()) }
    }

    /// The 24 characters of the wire.
    pub(crate) fn digits(self) -> [u8; 24] {
        // The range of `Timestamp` is within that of `DateTime`, so the sum is always there.
        let civil = EPOCH.saturating_add(SignedDuration::from_millis(self.0));
        let mut text = *b"0000-00-00T00:00:00.000Z";
        let mut write = |last: usize, mut number: i16| {
            for place in text.iter_mut().take(last).rev() {
                if !place.is_ascii_digit() || number == 0 {
                    break;
                }
                // A remainder of ten is a digit.
                *place = b'0'.saturating_add(u8::try_from(number % 10).unwrap_or(0));
                number /= 10;
            }
        };
        write(4, civil.year());
        write(7, civil.month().into());
        write(10, civil.day().into());
        write(13, civil.hour().into());
        write(16, civil.minute().into());
        write(19, civil.second().into());
        write(23, civil.millisecond());
        text
    }
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
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_moment_survives_the_wire(millis in 0i64..=253_402_300_799_999) {
            let time = Timestamp::within(millis).unwrap();
            let text = time.to_string();
            let civil = EPOCH.checked_add(SignedDuration::from_millis(millis)).unwrap();
            prop_assert_eq!(&text, &alloc::format!("{civil:.3}Z"));
            prop_assert_eq!(text.parse::<Timestamp>().unwrap(), time);
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
