//! The bytes of all requests in flight.

use crate::access::JSON_BYTES;
use crate::rate::Client;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// How many bytes of bodies are held at once, counted as they come: whoever promises much and sends little holds
/// little. Bodies of anybody's get half of it, so that they leave room for callers with a token, and those of one
/// client a sixteenth of that half, though always room for one of JSON, so that he leaves room for others.
#[derive(Debug)]
pub(super) struct Budget {
    most: u64,
    of_client: u64,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: u64,
    public: u64,
    of: HashMap<Client, u64>,
}

impl Budget {
    pub(super) fn new(most: u64) -> Self {
        let of_client = (most / 32).max(JSON_BYTES).min(most / 2);
        Self { most, of_client, taken: Mutex::default() }
    }

    /// Takes bytes, or none of them; for anybody's body with its client.
    pub(super) fn take(&self, bytes: u64, public: Option<Client>) -> bool {
        let mut taken = self.lock();
        if taken.all.saturating_add(bytes) > self.most {
            return false;
        }
        if let Some(client) = public {
            let has = taken.of.get(&client).copied().unwrap_or(0).saturating_add(bytes);
            if taken.public.saturating_add(bytes) > self.most / 2 || has > self.of_client {
                return false;
            }
            taken.public += bytes;
            taken.of.insert(client, has);
        }
        taken.all += bytes;
        true
    }

    /// Gives back what was taken.
    pub(super) fn give_back(&self, bytes: u64, public: Option<Client>) {
        let mut taken = self.lock();
        taken.all = taken.all.saturating_sub(bytes);
        if let Some(client) = public {
            taken.public = taken.public.saturating_sub(bytes);
            let has = taken.of.get(&client).copied().unwrap_or(0).saturating_sub(bytes);
            if has == 0 {
                taken.of.remove(&client);
            } else {
                taken.of.insert(client, has);
            }
        }
    }

    pub(super) fn taken(&self) -> u64 {
        self.lock().all
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    const MIB: u64 = 1 << 20;

    fn client(number: u32) -> Client {
        Client::new(IpAddr::V4(Ipv4Addr::from_bits(number)))
    }

    #[test]
    fn anybody_gets_half_of_it_and_one_client_a_sixteenth_of_that() {
        let budget = Budget::new(320 * MIB);
        for one in 0..16 {
            assert!(budget.take(10 * MIB, Some(client(one))));
            assert!(!budget.take(MIB, Some(client(one))), "others have room");
        }
        assert!(!budget.take(MIB, Some(client(16))));
        assert!(budget.take(160 * MIB, None));
        assert!(!budget.take(MIB, None));
        budget.give_back(160 * MIB, None);
        assert!(!budget.take(MIB, Some(client(16))));
        budget.give_back(10 * MIB, Some(client(3)));
        assert!(budget.take(10 * MIB, Some(client(16))));
        assert_eq!(budget.taken(), 160 * MIB);
        assert!(budget.take(160 * MIB, None));
        budget.give_back(10 * MIB, Some(client(4)));
        assert!(budget.take(10 * MIB, None));
        assert!(!budget.take(10 * MIB, Some(client(4))), "not all of it fits");
        budget.give_back(10 * MIB, None);
        assert!(budget.take(10 * MIB, Some(client(4))), "and what did not fit was given back");
    }
}
