//! A body that is counted and timed as it comes.

use super::budget::Budget;
use crate::rate::Client;
use axum::body::{Body, HttpBody};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use std::fmt;
use std::future::Future as _;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::time::{Sleep, sleep};

/// Why no more of a body is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is longer than its endpoint takes.
    Length,
    /// Nothing came for too long, or too little.
    Slowness,
    /// All bodies together have too many bytes.
    Sum,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "the body is too large",
            Self::Slowness => "the body comes too slowly",
            Self::Sum => "too much is received at once",
        })
    }
}

impl std::error::Error for Fault {}

/// How slowly a body may come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Without a byte; and before the rate counts.
    pub(super) patience: Duration,
    /// Bytes a second, on the average.
    pub(super) least_rate: u64,
}

impl Pace {
    /// How long to wait for more, where there was so much patience left, and so many bytes came now: what was sent fast
    /// buys no time beyond the patience that everybody has.
    fn earned(self, left: Duration, bytes: u64) -> Duration {
        let earned = Duration::from_millis(bytes.saturating_mul(1000) / self.least_rate);
        left.saturating_add(earned).min(self.patience)
    }
}

/// What a request holds of the budget, until it has ended.
#[derive(Debug)]
pub(super) struct Inflow {
    budget: Arc<Budget>,
    /// The client, of a body of anybody's.
    public: Option<Client>,
    /// Whether nobody keeps what came, once more comes.
    passes: bool,
    received: AtomicU64,
    held: AtomicU64,
    begun: Instant,
    /// Microseconds from then to the last that came.
    last: AtomicU64,
    fault: AtomicU8,
}

impl Inflow {
    pub(super) fn new(budget: Arc<Budget>, public: Option<Client>, passes: bool) -> Self {
        let (received, held) = (AtomicU64::new(0), AtomicU64::new(0));
        let (begun, last, fault) = (Instant::now(), AtomicU64::new(0), AtomicU8::new(0));
        Self { budget, public, passes, received, held, begun, last, fault }
    }

    /// The bytes that came.
    pub(super) fn received(&self) -> u64 {
        self.received.load(Ordering::Relaxed)
    }

    /// When the last of it came.
    pub(super) fn last(&self) -> Instant {
        self.begun + Duration::from_micros(self.last.load(Ordering::Relaxed))
    }

    pub(super) fn fault(&self) -> Option<Fault> {
        [Fault::Length, Fault::Slowness, Fault::Sum]
            .into_iter()
            .find(|fault| number(*fault) == self.fault.load(Ordering::Acquire))
    }

    fn came(&self) {
        let micros = u64::try_from(self.begun.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.last.store(micros, Ordering::Relaxed);
    }

    fn take(&self, bytes: u64, most: u64) -> Result<(), Fault> {
        let received = self.received.load(Ordering::Relaxed).saturating_add(bytes);
        if received > most {
            return Err(Fault::Length);
        }
        if self.passes {
            self.budget.give_back(self.held.swap(0, Ordering::Relaxed), self.public);
        }
        if !self.budget.take(bytes, self.public) {
            return Err(Fault::Sum);
        }
        self.held.fetch_add(bytes, Ordering::Relaxed);
        self.received.store(received, Ordering::Relaxed);
        Ok(())
    }

    fn refuse(&self, fault: Fault) -> axum::Error {
        self.fault.store(number(fault), Ordering::Release);
        axum::Error::new(fault)
    }
}

fn number(fault: Fault) -> u8 {
    match fault {
        Fault::Length => 1,
        Fault::Slowness => 2,
        Fault::Sum => 3,
    }
}

impl Drop for Inflow {
    fn drop(&mut self) {
        self.budget.give_back(self.held.load(Ordering::Relaxed), self.public);
    }
}

/// The body.
#[derive(Debug)]
pub(super) struct Counted {
    body: Body,
    inflow: Arc<Inflow>,
    most: u64,
    pace: Pace,
    /// The patience that is left with the client. What the service itself takes does not count.
    left: Duration,
    wait: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Counted {
    pub(super) fn new(body: Body, inflow: Arc<Inflow>, most: u64, pace: Pace) -> Self {
        Self { body, inflow, most, pace, left: pace.patience, wait: None }
    }

    fn is_too_slow(&mut self, context: &mut Context<'_>) -> bool {
        let (_, wait) = self.wait.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(self.left))));
        wait.as_mut().poll(context).is_ready()
    }
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Some(fault) = self.inflow.fault() {
            return Poll::Ready(Some(Err(axum::Error::new(fault))));
        }
        let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) else {
            if self.is_too_slow(context) {
                return Poll::Ready(Some(Err(self.inflow.refuse(Fault::Slowness))));
            }
            return Poll::Pending;
        };
        self.inflow.came();
        if let Some((since, _)) = self.wait.take() {
            self.left = self.left.saturating_sub(since.elapsed());
        }
        let bytes = frame.as_ref().and_then(|frame| frame.as_ref().ok()?.data_ref()).map_or(0, Bytes::len);
        self.left = self.pace.earned(self.left, bytes as u64);
        match self.inflow.take(bytes as u64, self.most) {
            Ok(()) => Poll::Ready(frame),
            Err(fault) => Poll::Ready(Some(Err(self.inflow.refuse(fault)))),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt as _;

    #[test]
    fn time_is_earned_by_bytes() {
        let pace = Pace { patience: Duration::from_secs(30), least_rate: 1000 };
        let earned = |left, bytes| pace.earned(Duration::from_secs(left), bytes).as_secs();
        assert_eq!(earned(30, 1_000_000), 30, "never more than that without a byte");
        assert_eq!(earned(10, 0), 10);
        assert_eq!(earned(10, 5_000), 15);
        assert_eq!(earned(29, 1_000_000), 30, "and what was sent fast buys none for later");
    }

    /// A document that is hashed as it comes holds no room.
    #[tokio::test]
    async fn what_passes_is_not_held() {
        let budget = Arc::new(Budget::new(320));
        let pace = Pace { patience: Duration::from_secs(30), least_rate: 1 };
        let client = Some(Client::new([192, 0, 2, 1].into()));
        let parts =
            || futures::stream::iter((0..100).map(|_| Ok::<_, std::io::Error>(Bytes::from_static(b"12345678"))));
        for (passes, ends) in [(true, None), (false, Some(Fault::Sum))] {
            let inflow = Arc::new(Inflow::new(Arc::clone(&budget), client, passes));
            let body = Counted::new(Body::from_stream(parts()), Arc::clone(&inflow), 10_000, pace);
            assert_eq!((body.collect().await.is_ok(), inflow.fault()), (passes, ends));
        }
        assert_eq!(budget.taken(), 0);
    }

    #[tokio::test]
    async fn what_is_held_is_given_back() {
        let budget = Arc::new(Budget::new(10));
        let pace = Pace { patience: Duration::from_secs(30), least_rate: 1 };
        let body = |bytes: &'static [u8], most| {
            let inflow = Arc::new(Inflow::new(Arc::clone(&budget), None, false));
            (Counted::new(Body::from(bytes), Arc::clone(&inflow), most, pace), inflow)
        };
        let (first, held) = body(b"12345678", 8);
        assert_eq!(first.collect().await.unwrap().to_bytes(), "12345678");
        assert_eq!((budget.taken(), held.fault()), (8, None));
        let (second, inflow) = body(b"123", 8);
        assert!(second.collect().await.is_err());
        assert_eq!(inflow.fault(), Some(Fault::Sum));
        drop(held);
        let (third, inflow) = body(b"123456789", 8);
        assert!(third.collect().await.is_err());
        assert_eq!(inflow.fault(), Some(Fault::Length));
        drop(inflow);
        assert_eq!(budget.taken(), 0);
    }
}
