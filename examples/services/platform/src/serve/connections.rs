//! Who is connected, and who goes when no more have room.

use crate::rate::Client;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// The connections.
#[derive(Debug)]
pub(super) struct Connections {
    most: usize,
    since: Instant,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    all: HashMap<u64, One>,
}

#[derive(Clone, Debug)]
struct One {
    client: Client,
    is_proxy: bool,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    /// Requests that are being served.
    busy: AtomicUsize,
    /// When bytes went last, in milliseconds.
    at: AtomicU64,
    evicted: CancellationToken,
}

impl Connections {
    pub(super) fn new(most: usize) -> Self {
        Self { most, since: Instant::now(), open: Mutex::default() }
    }

    /// Takes one in; where there is no room another goes, or else this one ([`victim`]).
    pub(super) fn admit(self: &Arc<Self>, client: Client, is_proxy: bool) -> Option<Slot> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.all.len() >= self.most {
            let seen = open.all.iter().map(|(number, one)| Seen {
                number: *number,
                client: one.client,
                is_proxy: one.is_proxy,
                is_idle: one.state.busy.load(Ordering::Relaxed) == 0,
                at: one.state.at.load(Ordering::Relaxed),
            });
            let victim = victim(&seen.collect::<Vec<_>>())?;
            let gone = open.all.remove(&victim)?;
            gone.state.evicted.cancel();
        }
        let number = open.next;
        open.next += 1;
        let (busy, at) = (AtomicUsize::new(0), AtomicU64::new(self.now()));
        let state = Arc::new(State { busy, at, evicted: CancellationToken::new() });
        open.all.insert(number, One { client, is_proxy, state: Arc::clone(&state) });
        metrics::gauge!("trustd_connections").increment(1);
        Some(Slot { number, state, connections: Arc::clone(self) })
    }

    /// Ends all.
    pub(super) fn end_all(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all.values().for_each(|one| one.state.evicted.cancel());
    }

    fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The place of a connection, until it has ended.
#[derive(Debug)]
pub(super) struct Slot {
    number: u64,
    state: Arc<State>,
    connections: Arc<Connections>,
}

impl Slot {
    /// Told of each byte that goes.
    pub(super) fn activity(&self) -> Activity {
        Activity { state: Arc::clone(&self.state), connections: Arc::clone(&self.connections) }
    }

    /// Another took the place.
    pub(super) fn evicted(&self) -> CancellationToken {
        self.state.evicted.clone()
    }

    /// A request is being served, until this is dropped.
    pub(super) fn busy(&self) -> Busy {
        self.state.busy.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(&self.state))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.connections.open.lock().unwrap_or_else(PoisonError::into_inner).all.remove(&self.number);
        metrics::gauge!("trustd_connections").decrement(1);
    }
}

#[derive(Debug)]
pub(super) struct Activity {
    state: Arc<State>,
    connections: Arc<Connections>,
}

impl Activity {
    pub(super) fn note(&self) {
        self.state.at.store(self.connections.now(), Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub(super) struct Busy(Arc<State>);

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    number: u64,
    client: Client,
    is_proxy: bool,
    is_idle: bool,
    at: u64,
}

/// Who goes: of the connections without a request, one of the client that has the most connections, the longest without
/// a byte. Where all are being served, one of a client that has more than half of them, unless that is a proxy.
fn victim(all: &[Seen]) -> Option<u64> {
    let mut has = HashMap::<Client, usize>::new();
    for one in all {
        *has.entry(one.client).or_default() += 1;
    }
    let count = |one: &&Seen| has.get(&one.client).copied().unwrap_or_default();
    let longest = |one: &&Seen| (count(one), std::cmp::Reverse(one.at));
    let idle = all.iter().filter(|one| one.is_idle).max_by_key(longest);
    let greedy = || all.iter().filter(|one| !one.is_proxy && count(one) * 2 > all.len()).max_by_key(longest);
    idle.or_else(greedy).map(|one| one.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    fn seen(number: u64, client: u32, is_idle: bool, at: u64) -> Seen {
        let client = Client::new(IpAddr::V4(Ipv4Addr::from_bits(client)));
        Seen { number, client, is_proxy: false, is_idle, at }
    }

    #[test]
    fn the_longest_idle_of_the_greediest_goes() {
        let mut all = vec![seen(1, 1, true, 0), seen(2, 2, true, 9), seen(3, 2, true, 5), seen(4, 2, false, 1)];
        assert_eq!(victim(&all), Some(3));
        all[2].is_idle = false;
        assert_eq!(victim(&all), Some(2));
        all[1].is_idle = false;
        assert_eq!(victim(&all), Some(1), "rather idle than served");
        all[0].is_idle = false;
        assert_eq!(victim(&all), Some(4), "it has three of four");
        all.iter_mut().for_each(|one| one.is_proxy = true);
        assert_eq!(victim(&all), None);
        assert_eq!(victim(&[seen(1, 1, false, 0), seen(2, 2, false, 0)]), None);
    }
}
