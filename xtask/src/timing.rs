//! `cargo xtask assure timing`: each operation on a secret, and its leaky twin, by the clock.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::constant_time::{LEAKY, operations, program};
use crate::context::{Context, make_directory, read, write};
use crate::process;

/// Above it a difference of times is taken for one, and below it a leak was not seen.
const NO_DIFFERENCE: f64 = 4.5;
const A_LEAK: f64 = 100.0;
/// How many times as long the series is that decides where the first one found a difference.
const AGAIN: u64 = 10;

/// What one series of measurements told: how many they were, and over all of them and some parts of them the difference
/// between the means of both classes, with its variance.
#[derive(Clone, Debug, PartialEq)]
struct Series {
    count: u64,
    parts: Vec<(f64, f64)>,
}

impl Series {
    /// A line of numbers: the count, and each difference with its variance.
    fn read(line: &str) -> Option<Self> {
        let (count, numbers) = line.trim().split_once(' ')?;
        let numbers: Vec<f64> = numbers.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
        let parts: Vec<_> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        (parts.len() * 2 == numbers.len()).then_some(Self { count: count.parse().ok()?, parts })
    }
}

/// The largest |t| of some series together. Each difference counts as much as it is sure, since a busy machine is not
/// as fast in one series as in another; one that never varies is as sure as can be. Of all measurements it must be a
/// number.
fn together(series: &[Series]) -> f64 {
    let of_part = |part: usize| {
        let of_each = series.iter().map(|one| one.parts.get(part).copied().unwrap_or((f64::NAN, f64::NAN)));
        if of_each.clone().any(|(difference, variance)| variance == 0.0 && difference != 0.0) {
            return f64::INFINITY;
        }
        let (sum, weight) = of_each.fold((0.0, 0.0), |(sum, weight), (difference, variance)| {
            (sum + difference / variance, weight + 1.0 / variance)
        });
        (sum / f64::sqrt(weight)).abs()
    };
    let parts = series.first().map_or(0, |one| one.parts.len());
    (1..parts).map(of_part).fold(of_part(0), |most, t| if t > most { t } else { most })
}

fn alone(series: &Series) -> f64 {
    together(std::slice::from_ref(series))
}

/// What is no number is no figure of no difference.
fn is_none(t: f64) -> bool {
    t < NO_DIFFERENCE
}

/// How many times the usual number is still to be measured, if anything is. A difference that was found once is not
/// measured until it is not: a series of ten times as many decides, together with the first, and for good.
fn wanted(leaky: bool, series: &[Series]) -> Option<u64> {
    match series {
        [] => Some(1),
        [first] if !leaky && !is_none(alone(first)) => Some(AGAIN),
        _ => None,
    }
}

/// Whether all that was measured says that there is no difference; or each series, that there is a leak. What is no
/// number says neither.
fn holds(leaky: bool, series: &[Series]) -> bool {
    match series {
        [] => false,
        _ if leaky => series.iter().all(|one| alone(one) > A_LEAK),
        [first] => is_none(alone(first)),
        [first, more @ ..] => {
            let decides = more.iter().any(|one| one.count / AGAIN >= first.count);
            decides && is_none(together(series))
        }
    }
}

fn all_series(name: &str, told: &str) -> Result<Vec<Series>, String> {
    told.lines().map(|line| Series::read(line).ok_or_else(|| format!("{name}: no series: {line}"))).collect()
}

/// Each operation and its leaky twin, 10^6 times, 10^5 where it signs. What was measured of the same program is kept,
/// and counts in every later call.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let program = program(context)?;
    let kept = context.target.join("timing");
    make_directory(&kept)?;
    let bytes = fs::read(&program).map_err(|error| format!("{}: {error}", program.display()))?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let built = format!("{:016x}", hasher.finish());
    let mut findings = Vec::new();
    for (name, signs) in operations(context, &program)? {
        let count: u64 = if signs { 100_000 } else { 1_000_000 };
        for (name, leaky) in [(name.clone(), false), (format!("{name}{LEAKY}"), true)] {
            let file = kept.join(format!("{name}-{built}.series"));
            let mut told = if file.exists() { read(&file)? } else { String::new() };
            let mut series = all_series(&name, &told)?;
            while let Some(times) = wanted(leaky, &series) {
                let count = (count * times).to_string();
                let measured = process::read(context.command(&program).args(["time", &name, &count]))?;
                told.extend([measured.trim(), "\n"]);
                series = all_series(&name, &told)?;
                write(&file, &told)?;
            }
            let each: Vec<_> = series.iter().map(|one| (one.count, alone(one))).collect();
            let all = together(&series);
            println!("{name:<28} |t| = {all:.2} of all, of each {each:.2?}");
            if !holds(leaky, &series) {
                findings.push(format!("{name}: |t| = {all:.2} of all, of each {each:.2?}"));
            }
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(findings.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A series of so many times the usual count, whose own |t| is this.
    fn series(times: u64, t: f64) -> Series {
        #[allow(clippy::cast_precision_loss, reason = "a small number")]
        let variance = 1.0 / times as f64;
        Series { count: times * 1000, parts: vec![(t * f64::sqrt(variance), variance)] }
    }

    #[test]
    fn what_was_found_once_is_not_measured_away() {
        assert!(holds(false, &[series(1, 4.49)]) && !holds(false, &[series(1, 4.5)]) && !holds(false, &[]));
        // Another series as long as the first takes nothing back, and none is measured after the one that decides.
        assert!(!holds(false, &[series(1, 4.7), series(1, 2.1)]));
        assert_eq!(wanted(false, &[series(1, 4.7)]), Some(AGAIN));
        assert_eq!(wanted(false, &[series(1, 4.7), series(10, 4.4)]), None);
        assert!(holds(false, &[series(1, 4.7), series(10, 0.3)]));
        // Of a true difference the longer series shows more, and here less than alone would be one.
        assert!(!holds(false, &[series(1, 4.7), series(10, 4.4)]));
        assert!(!holds(false, &[series(1, 4.7), series(10, 14.0)]));
        // Differences to both sides are none.
        assert!(holds(false, &[series(1, 4.7), series(10, -1.0)]));
    }

    #[test]
    fn every_series_of_a_leak_tells_it() {
        assert!(holds(true, &[series(1, 100.1)]) && !holds(true, &[series(1, 100.0)]));
        assert!(!holds(true, &[series(1, 90.0), series(1, 120.0)]));
        assert_eq!((wanted(true, &[]), wanted(true, &[series(1, 90.0)])), (Some(1), None));
    }

    #[test]
    fn what_is_no_number_says_nothing() {
        let none = [series(1, f64::NAN), series(10, 0.1)];
        assert!(!holds(false, &none[..1]) && !holds(true, &none[..1]) && !holds(false, &none));
        assert_eq!(wanted(false, &none[..1]), Some(AGAIN));
        // Of a part alone it may be none, and is left out.
        let part = Series { count: 1000, parts: vec![(1.0, 1.0), (f64::NAN, 1.0), (5.0, 1.0)] };
        assert!((together(&[part]) - 5.0).abs() < 1e-12);
        // By a coarse clock a leak may never vary.
        let coarse = Series { count: 1000, parts: vec![(1.0, 1.0), (1.0, 0.0), (0.0, 0.0)] };
        assert!(together(std::slice::from_ref(&coarse)).is_infinite() && !holds(false, &[coarse]));
    }

    #[test]
    fn a_series_is_a_line() {
        let told = "1000 1.5e0 2 -3 4e-1\n10000 NaN NaN 1 1\n";
        let read = all_series("one", told).expect("two series");
        assert_eq!(read[0], Series { count: 1000, parts: vec![(1.5, 2.0), (-3.0, 0.4)] });
        assert!(read[1].parts[0].0.is_nan());
        for bad in ["4.70", "1000 1 2 3", "1000 x 1", "1.5 1 1"] {
            assert!(all_series("one", bad).is_err_and(|error| error.contains("one")), "{bad}");
        }
    }
}
