//! Who is connected, and who goes when no more have room.

use crate::rate::Client;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// Milliseconds without a request or a byte, after which a connection is idle.
const IDLE: u64 = 1000;

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
        if open.all.len() >= self.most && !open.evict(Some(client), self.now()) {
            return None;
        }
        let number = open.next;
        open.next += 1;
        let (busy, at) = (AtomicUsize::new(0), AtomicU64::new(self.now()));
        let state = Arc::new(State { busy, at, evicted: CancellationToken::new() });
        open.all.insert(number, One { client, is_proxy, state: Arc::clone(&state) });
        metrics::gauge!("trustd_connections").increment(1);
        Some(Slot { number, state, connections: Arc::clone(self) })
    }

    /// Ends one, where the machine has no more files for another: whether there was one.
    pub(super) fn make_room(&self) -> bool {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).evict(None, self.now())
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

impl Open {
    /// Ends one for whoever comes.
    fn evict(&mut self, comes: Option<Client>, now: u64) -> bool {
        let seen = self.all.iter().map(|(number, one)| Seen {
            number: *number,
            client: one.client,
            is_proxy: one.is_proxy,
            is_idle: one.state.busy.load(Ordering::Relaxed) == 0,
            at: one.state.at.load(Ordering::Relaxed),
        });
        let gone = victim(&seen.collect::<Vec<_>>(), comes, now).and_then(|victim| self.all.remove(&victim));
        if let Some(gone) = &gone {
            gone.state.evicted.cancel();
        }
        gone.is_some()
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

/// Who goes, in this order: one that has been idle for a second; one of a client that has more than half of all, or two
/// more than whoever comes, unless that is a proxy; one that is idle, since its request may be on the way. Of several
/// it is one of the client that has the most, the longest without a byte: some clients that share all of the room keep
/// nobody out.
fn victim(all: &[Seen], comes: Option<Client>, now: u64) -> Option<u64> {
    let mut has = HashMap::<Client, usize>::new();
    for one in all {
        *has.entry(one.client).or_default() += 1;
    }
    let own = comes.and_then(|comes| has.get(&comes).copied()).unwrap_or_default();
    let count = |one: &Seen| has.get(&one.client).copied().unwrap_or_default();
    let rules: [&dyn Fn(&Seen) -> bool; 3] = [
        &|one| one.is_idle && now.saturating_sub(one.at) >= IDLE,
        &|one| !one.is_proxy && (count(one) * 2 > all.len() || count(one) >= own + 2),
        &|one| one.is_idle,
    ];
    rules.iter().find_map(|rule| {
        let found = all.iter().filter(|one| rule(one)).max_by_key(|one| (count(one), Reverse(one.at)));
        found.map(|one| one.number)
    })
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
        let late = 5000;
        assert_eq!(victim(&all, None, late), Some(3));
        all[2].is_idle = false;
        assert_eq!(victim(&all, None, late), Some(2));
        all[1].is_idle = false;
        assert_eq!(victim(&all, None, late), Some(1), "rather idle than served");
        all[0].is_idle = false;
        assert_eq!(victim(&all, None, late), Some(4), "it has two more than who comes");
        for one in &mut all {
            one.is_proxy = true;
        }
        assert_eq!(victim(&all, None, late), None);
        assert_eq!(victim(&[seen(1, 1, false, 0), seen(2, 2, false, 0)], None, late), None);
    }

    /// Three clients that drip share all of the room, none with half of it.
    #[test]
    fn some_that_share_the_room_keep_nobody_out() {
        let all: Vec<_> =
            (0..9).map(|number| seen(number, 1 + u32::try_from(number % 3).unwrap(), false, number)).collect();
        let client = |number| Some(Client::new(IpAddr::V4(Ipv4Addr::from_bits(number))));
        assert_eq!(victim(&all, client(7), 5000), Some(0));
        assert_eq!(victim(&all, client(1), 5000), None, "one of them gets no more");
    }

    /// Whoever has just come is not thrown out for those that hold all the others.
    #[test]
    fn who_has_just_come_stays() {
        let mut all =
            vec![seen(1, 1, true, 4900), seen(2, 2, false, 100), seen(3, 2, false, 50), seen(4, 2, false, 90)];
        assert_eq!(victim(&all, None, 5000), Some(3));
        all.truncate(2);
        assert_eq!(victim(&all, None, 5000), Some(1), "but for one that has no more than he");
    }
}
