//! Decisions about vehicles, without input or output: levels by exact duration, and the state that follows from
//! crossings, in whatever order they came.

use serde::{Deserialize, Serialize};
use std::str::FromStr;
use utoipa::ToSchema;

/// A week, in milliseconds.
pub(crate) const WEEK: i64 = 7 * 86_400_000;

/// How long a vehicle is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = VehicleLevel)]
pub(crate) enum Level {
    /// At home, or for less than the first of the policy's weeks.
    Ok,
    /// From the first on.
    Warning,
    /// From the second on, the third included.
    Critical,
    /// For longer than the third.
    Violation,
}

impl Level {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Ok, Self::Warning, Self::Critical, Self::Violation];

    /// As rows and answers have it.
    #[must_use]
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Critical => "critical",
            Self::Violation => "violation",
        }
    }
}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|one| one.as_str() == text).ok_or("no level of a vehicle")
    }
}

/// The weeks at which levels begin.
pub(crate) type Weeks = [u16; 3];

/// The weeks as a row has them by which its next time was computed.
pub(crate) fn plan(weeks: Weeks) -> String {
    weeks.map(|one| one.to_string()).join(" ")
}

/// The first moment of each level that time alone brings, for a vehicle that left then.
fn begins(left_at: i64, weeks: Weeks) -> [(i64, Level); 3] {
    let at = |weeks: u16| left_at.saturating_add(i64::from(weeks).saturating_mul(WEEK));
    let [warning, critical, violation] = weeks;
    [
        (at(warning), Level::Warning),
        (at(critical), Level::Critical),
        // Eight weeks to the millisecond are critical still.
        (at(violation).saturating_add(1), Level::Violation),
    ]
}

/// The level of a vehicle that left home then; of one at home, `ok`.
pub(crate) fn level(left_at: Option<i64>, now: i64, weeks: Weeks) -> Level {
    let Some(left_at) = left_at else { return Level::Ok };
    let reached = begins(left_at, weeks).into_iter().rev().find(|(begins, _)| *begins <= now);
    reached.map_or(Level::Ok, |(_, level)| level)
}

/// When time brings the next level.
pub(crate) fn next_due(left_at: Option<i64>, now: i64, weeks: Weeks) -> Option<i64> {
    begins(left_at?, weeks).into_iter().map(|(begins, _)| begins).find(|begins| *begins > now)
}

/// The longest that a vehicle of a level left ago, and the shortest, as moments: for a search.
pub(crate) fn left_between(level: Level, now: i64, weeks: Weeks) -> (i64, i64) {
    let at = |weeks: u16| now.saturating_sub(i64::from(weeks).saturating_mul(WEEK));
    let [warning, critical, violation] = weeks;
    match level {
        Level::Ok => (at(warning).saturating_add(1), i64::MAX),
        Level::Warning => (at(critical).saturating_add(1), at(warning)),
        Level::Critical => (at(violation), at(critical)),
        Level::Violation => (i64::MIN, at(violation).saturating_sub(1)),
    }
}

/// Weeks with two decimals, truncated: never more than there were.
pub(crate) fn weeks_away(left_at: Option<i64>, now: i64) -> f64 {
    let away = left_at.map_or(0, |left_at| now.saturating_sub(left_at).max(0));
    let hundredths = i32::try_from(away.saturating_mul(100) / WEEK).unwrap_or(i32::MAX);
    f64::from(hundredths) / 100.0
}

/// What follows from crossings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    /// Since when it is away; none at home.
    pub(crate) left_at: Option<i64>,
    /// When it came home last.
    pub(crate) returned_at: Option<i64>,
}

/// Of all crossings of a vehicle, each with its time and whether it led home. Home wins at one and the same time.
pub(crate) fn state(crossings: impl IntoIterator<Item = (i64, bool)> + Clone) -> State {
    let home = crossings.clone().into_iter().filter(|(_, is_home)| *is_home);
    let returned_at = home.map(|(time, _)| time).max();
    let away = crossings.into_iter().filter(|(time, is_home)| !is_home && returned_at.is_none_or(|at| *time > at));
    State { left_at: away.map(|(time, _)| time).min(), returned_at }
}

/// A state of ISO 3166-1, alpha-2.
pub(crate) fn is_state(text: &str) -> bool {
    COUNTRIES.split_whitespace().any(|one| one == text)
}

/// A plate as it is kept: upper case, without spaces and dashes, so that one vehicle has one. Letters are Latin (of
/// Unicode's blocks up to Latin Extended-B): a Cyrillic one that looks the same is another plate to every list.
pub(crate) fn plate(text: &str) -> Option<String> {
    let kept: String = text.to_uppercase().chars().filter(|one| !matches!(one, ' ' | '-')).collect();
    let holds = (2..=16).contains(&kept.chars().count())
        && kept.chars().all(|one| one.is_ascii_digit() || one.is_alphabetic() && one < '\u{250}');
    holds.then_some(kept)
}

/// ISO 3166-1, as of 2026.
const COUNTRIES: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ \
    BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER \
    ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM \
    IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF \
    MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK \
    PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD \
    TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

#[cfg(test)]
mod tests {
    use super::*;

    const WEEKS: Weeks = [6, 7, 8];

    /// To the millisecond, and what the list of a level finds is what the level says.
    #[test]
    fn the_table_of_boundaries() {
        let now = 1_800_000_000_000;
        for (away, is) in [
            (0, Level::Ok),
            (6 * WEEK - 1, Level::Ok),
            (6 * WEEK, Level::Warning),
            (6 * WEEK + 1000, Level::Warning),
            (7 * WEEK - 1, Level::Warning),
            (7 * WEEK, Level::Critical),
            (8 * WEEK - 1000, Level::Critical),
            (8 * WEEK, Level::Critical),
            (8 * WEEK + 1, Level::Violation),
            (8 * WEEK + 1000, Level::Violation),
            (500 * WEEK, Level::Violation),
        ] {
            let left_at = now - away;
            assert_eq!(level(Some(left_at), now, WEEKS), is, "{away}");
            for one in Level::ALL {
                let (from, to) = left_between(one, now, WEEKS);
                assert_eq!((from..=to).contains(&left_at), one == is, "{away} {one:?}");
            }
            let next = next_due(Some(left_at), now, WEEKS);
            if let Some(next) = next {
                assert!(next > now && level(Some(left_at), next, WEEKS) > is, "{away}");
                assert_eq!(level(Some(left_at), next - 1, WEEKS), is, "{away}");
            } else {
                assert_eq!(is, Level::Violation);
            }
        }
        assert_eq!((level(None, now, WEEKS), next_due(None, now, WEEKS)), (Level::Ok, None));
    }

    #[test]
    fn weeks_are_truncated() {
        for (away, weeks) in
            [(0, 0.0), (WEEK / 100 - 1, 0.0), (WEEK / 100, 0.01), (6 * WEEK - 1, 5.99), (8 * WEEK, 8.0)]
        {
            assert!((weeks_away(Some(5), 5 + away) - weeks).abs() < f64::EPSILON, "{away}");
        }
        assert!(weeks_away(None, 5) == 0.0 && weeks_away(Some(9), 5) == 0.0);
    }

    /// Of every order, with anything twice, one state comes: as if all had come in their order.
    #[test]
    fn any_order_and_repetition_gives_one_state() {
        let mut seed = 7_u64;
        let mut draw = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..2000 {
            let count = draw(9);
            let mut crossings: Vec<(i64, bool)> =
                (0..count).map(|_| (i64::try_from(draw(6)).unwrap(), draw(2) == 0)).collect();
            // One after the other, home last of one time.
            let mut ordered = crossings.clone();
            ordered.sort_unstable();
            let mut expected = State::default();
            for (time, is_home) in ordered {
                if is_home {
                    expected = State { left_at: None, returned_at: Some(time) };
                } else {
                    expected.left_at = expected.left_at.or(Some(time));
                }
            }
            for _ in 0..4 {
                for from in 0..crossings.len() {
                    let to = usize::try_from(draw(crossings.len() as u64)).unwrap();
                    crossings.swap(from, to);
                }
                if let Some(again) = crossings.first().copied() {
                    crossings.push(again);
                }
                assert_eq!(state(crossings.iter().copied()), expected, "{crossings:?}");
            }
        }
    }

    #[test]
    fn plates_and_states_are_kept_one_way() {
        for (text, kept) in [
            ("zg 1234-ab", Some("ZG1234AB")),
            ("A", None),
            ("ZG;1", None),
            ("ŠI-1", Some("ŠI1")),
            ("", None),
            ("ZG 1\u{410}", None),
        ] {
            assert_eq!(plate(text).as_deref(), kept, "{text}");
        }
        assert!(is_state("HR") && !is_state("XK") && !is_state("hr") && !is_state("") && !is_state("AD AE"));
        assert_eq!(COUNTRIES.split_whitespace().count(), 249);
    }
}
