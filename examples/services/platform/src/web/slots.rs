//! Answers that leave at set times. What a caller of the decoy's world has done is done in rows of its own, and takes
//! less than what it looks like: the time of such an answer is no word on which it was.

use super::Matched;
use http::Extensions;
use std::time::{Duration, Instant};

/// When the last byte of a request's body came, in the extensions of its answer: what the client does with his own time
/// sets no slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrived(pub(crate) Instant);

/// Waits for the slot of an answer, where it has one: of what changes something, for a caller with a token.
pub(crate) async fn wait(slot: Duration, matched: Option<Matched>, begun: Instant, answer: &Extensions) {
    if slot.is_zero() || !matched.is_some_and(|Matched(row)| row.is_even()) {
        return;
    }
    let from = answer.get::<Arrived>().map_or(begun, |Arrived(last)| begun.max(*last));
    tokio::time::sleep_until(end(from, slot, Instant::now()).into()).await;
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

    #[test]
    fn there_are_few_ends() {
        let (from, slot) = (Instant::now(), Duration::from_millis(25));
        for (took, ends) in [(0, 25), (25, 25), (26, 50), (51, 100), (100, 100), (799, 800), (801, 1600)] {
            let found = end(from, slot, from + Duration::from_millis(took));
            assert_eq!(found, from + Duration::from_millis(ends), "{took}");
        }
    }
}
