//! Times, as each language writes them. All are UTC, and say so where they stand in a sentence.

use crate::language::Language;

/// A moment, as records have it: `2026-11-21T09:00:00.000Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment {
    pub(crate) year: u16,
    pub(crate) month: u8,
    pub(crate) day: u8,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    pub(crate) second: u8,
    milli: u16,
}

impl Moment {
    /// Reads the one form that records have; `None` of any other.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let part = |from: usize, to: usize| text.get(from..to)?.parse::<u16>().ok();
        let small = |from: usize, to: usize| part(from, to).and_then(|number| u8::try_from(number).ok());
        let moment = Self {
            year: part(0, 4)?,
            month: small(5, 7)?,
            day: small(8, 10)?,
            hour: small(11, 13)?,
            minute: small(14, 16)?,
            second: small(17, 19)?,
            milli: part(20, 23)?,
        };
        (moment.to_string() == text && (1..=12).contains(&moment.month)).then_some(moment)
    }

    /// Within a sentence.
    pub(crate) fn long(self, language: Language) -> String {
        let (Self { year, month, day, .. }, time) = (self, self.time());
        let named = |months: [&'static str; 12]| months[usize::from(month.clamp(1, 12)) - 1];
        let said = match language {
            Language::Hr => format!("{day}. {month}. {year}. u {time} UTC"),
            Language::En => format!("{day} {} {year} at {time} UTC", named(ENGLISH)),
            Language::De => format!("{day}. {} {year} um {time} UTC", named(GERMAN)),
        };
        said.replace(' ', "\u{a0}")
    }

    /// Within a table whose head says UTC.
    pub(crate) fn short(self, language: Language) -> String {
        let (Self { year, month, day, .. }, time) = (self, self.time());
        match language {
            Language::Hr => format!("{day}.\u{a0}{month}.\u{a0}{year}. {time}"),
            Language::En => format!("{year}-{month:02}-{day:02} {time}"),
            Language::De => format!("{day:02}.{month:02}.{year} {time}"),
        }
    }

    fn time(self) -> String {
        format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second)
    }
}

impl std::fmt::Display for Moment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { year, month, day, hour, minute, second, milli } = self;
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
    }
}

const ENGLISH: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const GERMAN: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_writes_its_own() {
        let moment = Moment::parse("2026-03-01T09:05:00.007Z").unwrap();
        let long = |language| moment.long(language).replace('\u{a0}', " ");
        assert_eq!(long(Language::Hr), "1. 3. 2026. u 09:05:00 UTC");
        assert_eq!(long(Language::En), "1 March 2026 at 09:05:00 UTC");
        assert_eq!(long(Language::De), "1. März 2026 um 09:05:00 UTC");
        assert_eq!(moment.short(Language::De), "01.03.2026 09:05:00");
    }

    #[test]
    fn one_form_is_a_moment() {
        for other in
            ["2026-03-01T09:05:00Z", "2026-03-01 09:05:00.000Z", "2026-13-01T09:05:00.000Z", "+026-03-01T09:05:00.000Z"]
        {
            assert_eq!(Moment::parse(other), None, "{other}");
        }
    }
}
