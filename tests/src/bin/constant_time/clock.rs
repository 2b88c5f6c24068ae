//! Times of an operation on secrets of two classes, compared as dudect does it: by Welch's test, over all of them and
//! over the faster part of them, where the machine's other work disturbs less.

use dualseal::rand_core::TryRng;
use dualseal_tests::sharing::Repeatable;
use std::time::Instant;

/// An operation on a secret that is at hand.
pub(crate) struct Timed {
    pub(crate) run: Box<dyn FnMut()>,
    /// A bit of the secret, which makes the class where all secrets are drawn.
    pub(crate) bit: u8,
}

/// Of how many in a hundred of the measurements, the fastest first.
const PARTS: [usize; 3] = [95, 80, 50];
/// Nothing of the first ones is counted: caches are cold.
const WARMING: usize = 200;
const BATCH: usize = 64;

/// The difference between the means of both classes with its variance, over all measurements and then over some parts
/// of them: |t| is the first by the root of the second, and no number where a class is empty. The first class is the
/// fixed secret and the second drawn ones; or, where that is asked for, all are drawn and the class is the bit.
pub(crate) fn compare(count: usize, mut prepare: impl FnMut(Option<u64>) -> Timed, labelled: bool) -> Vec<(f64, f64)> {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
    let mut random = Repeatable(now);
    let mut times = Vec::with_capacity(count + BATCH);
    while times.len() < count + WARMING {
        // Some are prepared before any is measured: what the processor has just learned of one is not learned of it
        // right before its time begins.
        let batch: Vec<_> = (0..BATCH)
            .map(|_| {
                let (Ok(choice), Ok(seed)) = (random.try_next_u64(), random.try_next_u64());
                let is_fixed = !labelled && choice >> 63 == 1;
                let timed = prepare(if is_fixed { None } else { Some(seed) });
                let second = if labelled { timed.bit == 1 } else { !is_fixed };
                (timed, second)
            })
            .collect();
        for (mut timed, second) in batch {
            let start = Instant::now();
            (timed.run)();
            times.push((u32::try_from(start.elapsed().as_nanos()).unwrap_or(u32::MAX), second));
        }
    }
    times.drain(..WARMING);
    let mut told = vec![difference(&times)];
    told.extend(PARTS.into_iter().map(|part| difference(fastest(&mut times, part))));
    told
}

/// So many in a hundred, and those that took as long as the last of them: of equal times none may be left out, since
/// which ones would be a matter of their class.
fn fastest(times: &mut [(u32, bool)], part: usize) -> &[(u32, bool)] {
    times.sort_unstable();
    let last = times.get((times.len() * part / 100).saturating_sub(1)).map_or(0, |(time, _)| *time);
    &times[..times.partition_point(|(time, _)| *time <= last)]
}

/// The difference of both classes' means, and its variance, as Welch's test has them.
fn difference(times: &[(u32, bool)]) -> (f64, f64) {
    let [(first, of_first), (second, of_second)] = [false, true].map(|class| {
        let of_class = || times.iter().filter(|(_, of)| *of == class).map(|(time, _)| f64::from(*time));
        let count = of_class().fold(0.0, |count, _| count + 1.0);
        let mean = of_class().sum::<f64>() / count;
        let variance = of_class().map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, variance / count)
    });
    (first - second, of_first + of_second)
}

#[cfg(test)]
mod tests {
    use super::{difference, fastest};

    /// Against a computation by hand: means 2 and 5, variances 1 and 4 over three each.
    #[test]
    fn the_statistic_is_that_of_welch() {
        let times = [(1, false), (2, false), (3, false), (3, true), (5, true), (7, true)];
        let (means, variance) = difference(&times);
        assert!((means + 3.0).abs() < 1e-12 && (variance - 5.0 / 3.0).abs() < 1e-12);
        assert!(difference(&times[..3]).0.is_nan());
    }

    #[test]
    fn equal_times_are_taken_or_left_together() {
        let mut times = [(9, true), (4, true), (4, false), (4, true), (1, false), (4, false), (8, true), (9, false)];
        assert_eq!(fastest(&mut times, 25).len(), 5);
        assert_eq!(fastest(&mut times, 12).len(), 1);
        assert_eq!(fastest(&mut times, 100).len(), 8);
    }
}
