//! Answers that leave at set times. What a caller of the decoy's world has done is done in rows of its own, and takes
//! less than what it looks like: the time of such an answer is no word on which it was.

use super::Matched;
use crate::access::Endpoint;
use http::Extensions;
use std::time::{Duration, Instant};

/// When the last byte of a request's body came, in the extensions of its answer: what the client does with his own time
/// sets no slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived(pub(crate) Instant);

/// Waits for the slot of an answer, where it has one: of what changes something, for a caller with a token.
pub(crate) async fn wait(slot: Duration, matched: Option<Matched>, begun: Instant, answer: &Extensions) {
    let Some(Matched(row)) = matched.filter(|Matched(row)| row.is_even() && !slot.is_zero()) else { return };
    let from = answer.get::<Arrived>().map_or(begun, |Arrived(last)| begun.max(*last));
    tokio::time::sleep_until(end(from, first(row, slot), Instant::now()).into()).await;
}

/// The first time at which an endpoint answers.
fn first(row: &Endpoint, slot: Duration) -> Duration {
    slot * row.slots
}

/// One slot after the request came, or two, or four, and so on: few ends, however long something takes.
fn end(from: Instant, slot: Duration, now: Instant) -> Instant {
    let mut length = slot;
    while from + length < now {
        length *= 2;
    }
    from + length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Level, Owner, Repeat};

    /// Else it would be answered in one slot where it is done elsewhere, and in some where it is done truly.
    #[test]
    fn what_takes_long_is_answered_late_for_everybody() {
        let (row, slot) =
            (Endpoint::new("POST", "/a", Level::Node, Owner::Any, Repeat::Refused), Duration::from_millis(25));
        assert_eq!([row, row.slow()].map(|row| first(&row, slot).as_millis()), [25, 200]);
    }

    #[test]
    fn there_are_few_ends() {
        let (from, slot) = (Instant::now(), Duration::from_millis(25));
        for (took, ends) in [(0, 25), (25, 25), (26, 50), (51, 100), (100, 100), (799, 800), (801, 1600)] {
            let found = end(from, slot, from + Duration::from_millis(took));
            assert_eq!(found, from + Duration::from_millis(ends), "{took}");
        }
    }
}
