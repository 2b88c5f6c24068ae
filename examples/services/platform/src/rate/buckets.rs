//! The buckets, of which there is a bounded number.

use super::Client;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The most clients in one generation: some 4 MB for both.
const MOST: usize = 32_768;

/// The buckets of those that asked lately, in two generations. A bucket that nobody took from for as long as it takes to
/// fill is full, and need not be remembered; so a generation of that length is forgotten whole. Where more clients come
/// than a generation holds it ends early: some then have a full bucket again, and memory stays bounded.
#[derive(Debug)]
pub(super) struct Buckets {
    /// Thousandths of a token, for each millisecond: tokens a second.
    rate: u64,
    /// Thousandths of a token.
    full: u64,
    lives: Mutex<Generations>,
}

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<Client, Bucket>,
    old: HashMap<Client, Bucket>,
    since: u64,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: u64,
    at: u64,
}

impl Buckets {
    pub(super) fn new(per_second: u32, burst: u32) -> Self {
        Self { rate: per_second.max(1).into(), full: u64::from(burst.max(1)) * 1000, lives: Mutex::default() }
    }

    /// Takes a token, at this millisecond, or says after how many seconds there is one: at least one.
    pub(super) fn take(&self, client: Client, now: u64) -> Result<(), u64> {
        let mut lives = self.lives.lock().unwrap_or_else(PoisonError::into_inner);
        let Generations { young, old, since } = &mut *lives;
        if young.len() >= MOST || now.saturating_sub(*since) >= self.full.div_ceil(self.rate) {
            *old = std::mem::take(young);
            *since = now;
        }
        let bucket = young.entry(client).or_insert_with(|| {
            let full = Bucket { left: self.full, at: now };
            old.get(&client).copied().unwrap_or(full)
        });
        let gained = now.saturating_sub(bucket.at).saturating_mul(self.rate);
        *bucket = Bucket { left: bucket.left.saturating_add(gained).min(self.full), at: bucket.at.max(now) };
        if let Some(left) = bucket.left.checked_sub(1000) {
            bucket.left = left;
            return Ok(());
        }
        Err((1000 - bucket.left).div_ceil(self.rate).div_ceil(1000).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    fn client(number: u32) -> Client {
        Client::new(IpAddr::V4(Ipv4Addr::from_bits(number)))
    }

    fn taken(buckets: &Buckets, who: u32, now: u64, times: usize) -> usize {
        (0..times).filter(|_| buckets.take(client(who), now).is_ok()).count()
    }

    #[test]
    fn a_burst_then_a_rate() {
        let buckets = Buckets::new(20, 40);
        assert_eq!(taken(&buckets, 1, 0, 100), 40);
        assert_eq!(buckets.take(client(1), 0), Err(1));
        assert_eq!(taken(&buckets, 2, 0, 100), 40, "another's bucket");
        assert_eq!(taken(&buckets, 1, 49, 1), 0);
        assert_eq!(taken(&buckets, 1, 50, 2), 1);
        assert_eq!(taken(&buckets, 1, 1050, 100), 20);
        assert_eq!(taken(&buckets, 1, 1_000_000, 100), 40);
    }

    /// Over any time as many are served as rate and burst say, generations or not.
    #[test]
    fn no_generation_gives_tokens_away() {
        let buckets = Buckets::new(20, 40);
        let served: usize = (0..60_000).step_by(10).map(|now| taken(&buckets, 1, now, 3)).sum();
        assert!((40 + 1190..=40 + 1200).contains(&served), "{served}");
    }

    #[test]
    fn a_slow_rate_says_when() {
        let buckets = Buckets::new(1, 1);
        assert_eq!(buckets.take(client(1), 0), Ok(()));
        assert_eq!(buckets.take(client(1), 100), Err(1));
        assert_eq!(buckets.take(client(1), 1000), Ok(()));
    }

    #[test]
    fn memory_is_bounded() {
        let buckets = Buckets::new(20, 40);
        for who in 0..200_000 {
            assert_eq!(buckets.take(client(who), 0), Ok(()));
        }
        let lives = buckets.lives.lock().unwrap();
        assert!(lives.young.len() + lives.old.len() <= 2 * MOST);
    }
}
