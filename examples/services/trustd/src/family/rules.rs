//! Decisions about children, without input or output: age groups, and which item a child is shown on which day.
//!
//! Days are numbers, counted from 1 January 1970 in the child's zone. Each day has the next item, and the days go on
//! without a gap where a child changes its zone: that day's item stays for as long as that day lasts in either zone, so
//! that nobody is shown two on one day, and none is left out.

use dualseal::IdentityId;
use dualseal::hash::Sha3_256;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, Unit};
use serde::Serialize;
use utoipa::ToSchema;

/// How many items an age group has: as many days pass before one is seen again.
pub(crate) const ITEMS: usize = 30;
/// The most characters of a memory that is text.
pub(crate) const TEXT: usize = 4000;
/// The most bytes of one that is an object.
pub(crate) const OBJECT: usize = 64 << 10;
/// The oldest who is taken for a child, in years.
const OLDEST: i64 = 18;

/// Whom an item is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[schema(as = AgeGroup)]
pub(crate) enum Skupina {
    /// Three to five years; also for those who are younger.
    #[serde(rename = "3-5")]
    Three,
    /// Six to eight.
    #[serde(rename = "6-8")]
    Six,
    /// Nine to eleven.
    #[serde(rename = "9-11")]
    Nine,
    /// Twelve to fourteen; also for those who are older.
    #[serde(rename = "12-14")]
    Twelve,
}

impl Skupina {
    /// All of them, the youngest first.
    pub(crate) const ALL: [Self; 4] = [Self::Three, Self::Six, Self::Nine, Self::Twelve];

    /// Of somebody of this age, in years.
    pub(crate) fn of(age: i64) -> Self {
        match age {
            ..6 => Self::Three,
            6..9 => Self::Six,
            9..12 => Self::Nine,
            12.. => Self::Twelve,
        }
    }

    /// As answers have it.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Three => "3-5",
            Self::Six => "6-8",
            Self::Nine => "9-11",
            Self::Twelve => "12-14",
        }
    }
}

/// The number of a day.
pub(crate) fn day(date: Date) -> i64 {
    date.since((Unit::Day, Date::constant(1970, 1, 1))).map_or(0, |span| i64::from(span.get_days()))
}

/// The day of a number.
pub(crate) fn date(day: i64) -> Date {
    Date::constant(1970, 1, 1).checked_add(day.days()).unwrap_or(Date::MAX)
}

/// Which day it is in a zone.
pub(crate) fn today(zone: &TimeZone, now: i64) -> i64 {
    let now = Timestamp::from_millisecond(now).unwrap_or(Timestamp::UNIX_EPOCH);
    day(zone.to_datetime(now).date())
}

/// How old somebody is on a day, in years.
pub(crate) fn age(born: Date, on: i64) -> i64 {
    date(on).since((Unit::Year, born)).map_or(0, |span| i64::from(span.get_years()))
}

/// Whether somebody who was born on a day is taken for a child on another.
pub(crate) fn is_child(born: Date, on: i64) -> bool {
    day(born) <= on && age(born, on) < OLDEST
}

/// From where a child's days are counted: the day on which it was registered, or on which its zone last changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Since {
    /// Until the end of this day
    pub(crate) day: i64,
    /// this item is shown, counted from 0,
    pub(crate) ordinal: i64,
    /// as to somebody who is as old as on this day.
    pub(crate) age_day: i64,
}

impl Since {
    /// A child that is registered on a day.
    pub(crate) fn begin(today: i64) -> Self {
        Self { day: today, ordinal: 0, age_day: today }
    }

    /// Which item is shown on a day, and on which day its age counts.
    pub(crate) fn on(self, today: i64) -> (i64, i64) {
        if today <= self.day { (self.ordinal, self.age_day) } else { (self.ordinal + today - self.day, today) }
    }

    /// The same from when the zone changes, on a day of the old one and a day of the new one: what is shown now stays
    /// until the later of both has ended.
    pub(crate) fn moved(self, old: i64, new: i64) -> Self {
        let (ordinal, age_day) = self.on(old);
        Self { day: self.day.max(old).max(new), ordinal, age_day }
    }
}

/// Which of a group's items a child is shown at a place of its days: all of them in an order that is the child's own,
/// again and again, so that no thirty days in a row have one twice.
pub(crate) fn item(child: &IdentityId, group: Skupina, ordinal: i64) -> usize {
    let place = usize::try_from(ordinal.rem_euclid(30)).unwrap_or_default();
    order(child, group).get(place).copied().unwrap_or_default()
}

/// The order of a child's items: shuffled by what a hash gives for it.
fn order(child: &IdentityId, group: Skupina) -> [usize; ITEMS] {
    let mut order = std::array::from_fn(|place| place);
    let mut drawn = Drawn { seed: [child.as_bytes(), group.as_str().as_bytes()].concat(), block: 0, left: Vec::new() };
    for last in (1..ITEMS).rev() {
        order.swap(last, drawn.below(last + 1));
    }
    order
}

/// Numbers that follow from a seed.
struct Drawn {
    seed: Vec<u8>,
    block: u64,
    left: Vec<u8>,
}

impl Drawn {
    /// One below `most`, which is at most 256, each as often as the others.
    fn below(&mut self, most: usize) -> usize {
        let whole = 256 - 256 % most;
        loop {
            let byte = usize::from(self.byte());
            if byte < whole {
                return byte % most;
            }
        }
    }

    fn byte(&mut self) -> u8 {
        loop {
            if let Some(byte) = self.left.pop() {
                return byte;
            }
            let text = [b"daily content", &self.block.to_be_bytes()[..], &self.seed].concat();
            self.left = Sha3_256::digest(&text).to_vec();
            self.block += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const HOUR: i64 = 3_600_000;

    fn at(text: &str) -> i64 {
        text.parse::<Timestamp>().unwrap().as_millisecond()
    }

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).unwrap()
    }

    #[test]
    fn groups_are_of_years() {
        for (years, group) in
            [(0, "3-5"), (3, "3-5"), (5, "3-5"), (6, "6-8"), (9, "9-11"), (12, "12-14"), (17, "12-14")]
        {
            assert_eq!(Skupina::of(years).as_str(), group, "{years}");
        }
        let born: Date = "2020-02-29".parse().unwrap();
        let on = |text: &str| age(born, day(text.parse().unwrap()));
        assert_eq!((on("2026-02-28"), on("2026-03-01"), on("2028-02-28"), on("2028-02-29")), (5, 6, 7, 8));
        assert!(
            is_child(born, day("2020-02-29".parse().unwrap())) && !is_child(born, day("2020-02-28".parse().unwrap()))
        );
        assert!(!is_child(born, day("2038-03-01".parse().unwrap())));
    }

    /// Each order has every item, and two children, or two groups, have not the same one.
    #[test]
    fn an_order_is_a_childs_own() {
        let mut orders = BTreeSet::new();
        for child in 0..50 {
            for group in Skupina::ALL {
                let order = order(&IdentityId::from_bytes([child; 32]), group);
                assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), ITEMS);
                orders.insert(order);
            }
        }
        assert_eq!(orders.len(), 200);
        // Every item comes first for somebody.
        assert!(orders.iter().map(|order| order[0]).collect::<BTreeSet<_>>().len() > 25);
    }

    /// 400 days, hour by hour, of a child that has a birthday, changes of clocks, and moves around the world at any
    /// hour: one item a day, each once in any thirty, none left out, and none that changes before its day ends.
    #[test]
    fn a_year_of_a_child_that_travels() {
        let child = IdentityId::from_bytes([7; 32]);
        let born: Date = "2020-03-05".parse().unwrap();
        let moves = [
            ("2026-01-20T13:00:00Z", "Pacific/Auckland"),
            ("2026-02-11T04:00:00Z", "America/Los_Angeles"),
            ("2026-03-04T15:00:00Z", "Pacific/Kiritimati"),
            ("2026-03-04T20:00:00Z", "Europe/Zagreb"),
            ("2026-06-30T22:30:00Z", "Pacific/Pago_Pago"),
            ("2026-07-01T23:30:00Z", "Pacific/Kiritimati"),
            ("2026-07-02T00:30:00Z", "Pacific/Pago_Pago"),
            ("2026-10-10T10:00:00Z", "Europe/Zagreb"),
        ];
        let (mut zone_, mut now) = (zone("Europe/Zagreb"), at("2026-01-01T08:00:00Z"));
        let mut since = Since::begin(today(&zone_, now));
        let mut shown: Vec<(i64, Skupina, usize, i64)> = Vec::new();
        // By the date that a calendar shows where the child is: one that comes twice, behind a move west, is two.
        let mut by_date: Vec<(usize, i64, i64)> = Vec::new();
        let mut places = 0;
        let end = now + 400 * 24 * HOUR;
        while now < end {
            let before = shown.last().copied();
            let is_moved = moves.iter().find(|(when, _)| at(when) > now - HOUR && at(when) <= now);
            if let Some((_, to)) = is_moved {
                let old = today(&zone_, now);
                places += 1;
                zone_ = zone(to);
                since = since.moved(old, today(&zone_, now));
            }
            let (ordinal, age_day) = since.on(today(&zone_, now));
            let group = Skupina::of(age(born, age_day));
            let found = (ordinal, group, item(&child, group, ordinal), now);
            if let Some((last, same, of, _)) = before {
                assert!(ordinal == last || ordinal == last + 1, "one is left out at {now}");
                if is_moved.is_some() {
                    assert_eq!((ordinal, group, found.2), (last, same, of), "a move shows another at {now}");
                }
            }
            if before.is_none_or(|(last, ..)| last != ordinal) {
                shown.push(found);
            } else {
                assert_eq!(before.map(|(_, group, of, _)| (group, of)), Some((group, found.2)), "it changed at {now}");
            }
            by_date.push((places, today(&zone_, now), ordinal));
            now += HOUR;
        }
        // Nobody sees two on one date, nor any for less than a day, the shortest of which has 23 hours.
        let dates: BTreeSet<_> = by_date.iter().map(|(place, date, _)| (place, date)).collect();
        assert_eq!(by_date.iter().collect::<BTreeSet<_>>().len(), dates.len());
        assert_eq!(places, moves.len());
        assert!(shown.windows(2).skip(1).all(|pair| pair[1].3 - pair[0].3 >= 23 * HOUR));
        assert!(shown.len() > 390 && shown.iter().any(|(_, group, ..)| *group == Skupina::Six), "{}", shown.len());
        for window in shown.windows(ITEMS) {
            assert_eq!(window.iter().map(|(_, group, of, _)| (group, of)).collect::<BTreeSet<_>>().len(), ITEMS);
        }
    }

    /// Where a clock is set back nothing changes, and a zone that is changed again and again on one day shows one item.
    #[test]
    fn a_day_is_not_hurried() {
        let since = Since::begin(100);
        assert_eq!((since.on(99), since.on(100), since.on(103)), ((0, 100), (0, 100), (3, 103)));
        let mut moving = since;
        for _ in 0..10 {
            moving = moving.moved(100, 101).moved(101, 100);
        }
        assert_eq!((moving.on(100), moving.on(101), moving.on(102)), ((0, 100), (0, 100), (1, 102)));
    }
}
