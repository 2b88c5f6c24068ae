//! How many threads a batch runs on. Nothing here decides what it gives: that is the same on any number.

#[cfg(feature = "std")]
use crate::error::{Error, Problem};

/// The threads that a batch runs on. They are its own and have ended when it returns, but for those of
/// [`Threads::current`]. Its caller is told of its progress on the calling thread, whichever these are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads(pub(super) Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    AtMost(usize),
    Current,
}

impl Threads {
    /// The greatest number that can be asked for.
    pub const MAX: usize = 1024;

    /// The calling thread alone.
    #[must_use]
    pub const fn calling() -> Self {
        Self(Kind::AtMost(1))
    }

    /// With the feature `rayon` those of the rayon pool that the caller is in, which outside of any is the global one;
    /// without, the calling thread.
    ///
    /// A process that was forked from one with a global pool has none of its threads, and waits for them for ever:
    /// where that can happen, take [`Threads::all`].
    #[must_use]
    pub const fn current() -> Self {
        Self(Kind::Current)
    }

    /// How many there are, or may be.
    #[must_use]
    pub fn count(self) -> usize {
        match self.0 {
            Kind::AtMost(count) => count,
            #[cfg(feature = "rayon")]
            Kind::Current => rayon::current_num_threads(),
            #[cfg(not(feature = "rayon"))]
            Kind::Current => 1,
        }
    }

    /// As many as the machine runs at once.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn all() -> Self {
        Self(Kind::AtMost(std::thread::available_parallelism().map_or(1, |count| count.get().min(Self::MAX))))
    }

    /// So many, 1 to [`Threads::MAX`]; 1 is the calling thread. A batch starts no more than it has items, and goes on
    /// with fewer where the system does not start as many.
    ///
    /// # Errors
    ///
    /// [`Problem::Range`] for every other number.
    #[cfg(feature = "std")]
    pub fn new(count: usize) -> Result<Self, Error> {
        if (1..=Self::MAX).contains(&count) {
            Ok(Self(Kind::AtMost(count)))
        } else {
            Err(Error::malformed("threads", Problem::Range))
        }
    }
}

#[cfg(test)]
#[cfg(feature = "std")]
mod tests {
    use super::*;

    #[test]
    fn absurd_numbers_are_refused() {
        for count in [0, Threads::MAX + 1, usize::MAX] {
            assert_eq!(Threads::new(count), Err(Error::malformed("threads", Problem::Range)));
        }
        assert_eq!(Threads::new(1), Ok(Threads::calling()));
        assert_eq!(Threads::new(1024), Ok(Threads(Kind::AtMost(1024))));
    }
}
