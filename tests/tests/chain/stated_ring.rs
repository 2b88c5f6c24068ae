//! The ring that a checkpoint states, sought by a reader without the ring key.

use dualseal::checkpoint::Checkpoint;
use dualseal::error::{Error, Misuse, RingFault};
use dualseal::key::RingHead;
use dualseal::krunica::IgnoredReason;
use dualseal::reader::{ChainReader, StatedRing, TrustedHead};
use dualseal::{Domain, Entry, KeyState, Krunica, Verified};
use dualseal_tests::log::{ORIGIN, covering, head_at, stated_ring, verified_stating};
use dualseal_tests::quorum::raw_entry;
use dualseal_tests::reading::{read, under, under_in};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, minute};

/// Ana added at 0, suspended at 2, valid again at 4; a message after each.
fn registry() -> Registry {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    registry.add(&ana, key(1).public_key());
    note(&mut registry);
    registry.set_state(&ana, None, KeyState::Suspended);
    note(&mut registry);
    registry.set_state(&ana, None, KeyState::Valid);
    note(&mut registry);
    registry
}

fn note(registry: &mut Registry) {
    registry.chain.append(&registry.domain, &identity("ana"), "a message", minute(9)).unwrap();
}

fn found(checkpoint: &Verified<Checkpoint>, entries: &[Entry]) -> Result<StatedRing, Error> {
    read(under(checkpoint), entries, ChainReader::stated_ring)
}

/// The place of the entry, and what is listed beside it.
fn shown(checkpoint: &Verified<Checkpoint>, entries: &[Entry]) -> (Option<u64>, Vec<(u64, IgnoredReason)>) {
    let found = found(checkpoint, entries).unwrap();
    assert!(found.entry().is_none_or(|located| located.origin() == ORIGIN));
    let listed = found.unverified().entries().iter().map(|entry| (entry.seq, entry.reason)).collect();
    (found.entry().map(|located| located.entry().seq()), listed)
}

fn stating(chain: &Krunica, size: usize, ring: Option<RingHead>) -> Verified<Checkpoint> {
    verified_stating(ORIGIN, &head_at(chain, size), ring)
}

/// A change after the one that is stated is listed, whether the checkpoint keeps it quiet or was signed before it.
#[test]
fn later_changes_are_listed_without_the_ring_key() {
    let chain = registry().chain;
    let entries = chain.entries();
    let unverified = |seqs: &[u64]| seqs.iter().map(|seq| (*seq, IgnoredReason::Unverified)).collect::<Vec<_>>();
    assert_eq!(shown(&covering(ORIGIN, &chain, 6), entries), (Some(4), unverified(&[])));
    assert_eq!(shown(&covering(ORIGIN, &chain, 4), entries), (Some(2), unverified(&[4])));
    for size in [5, 6] {
        let quiet = stating(&chain, size, stated_ring(&entries[..2]));
        assert_eq!(shown(&quiet, entries), (Some(0), unverified(&[2, 4])));
    }
    // A checkpoint that states no ring says that there is none, and a log without one has nothing to list.
    assert_eq!(shown(&stating(&chain, 6, None), entries), (None, unverified(&[0, 2, 4])));
    let messages = dualseal_tests::log::chain_of(&identity("ana"), &["one", "two"]);
    assert_eq!(shown(&covering(ORIGIN, &messages, 2), messages.entries()), (None, unverified(&[])));
}

/// Whoever may write to the log repeats the message elsewhere, or writes what only begins like one.
#[test]
fn the_first_entry_is_the_rings() {
    let mut registry = registry();
    let checkpoint = |registry: &Registry| {
        let chain = &registry.chain;
        stating(chain, chain.entries().len(), stated_ring(&chain.entries()[..6]))
    };
    let message = registry.chain.entries()[4].message().to_string();
    let longer = format!("{message}::more");
    for message in [&message, &longer] {
        let junk = raw_entry(&registry.chain, &identity("eve"), message, minute(9));
        registry.chain.push(junk).unwrap();
    }
    let listed = vec![(6, IgnoredReason::Unverified), (7, IgnoredReason::Form)];
    assert_eq!(shown(&checkpoint(&registry), registry.chain.entries()), (Some(4), listed));
}

/// A ring of which no entry below the size speaks: of another root, of a change beyond the size, or of another domain.
#[test]
fn a_ring_that_no_entry_states_is_misstated() {
    let chain = registry().chain;
    let stated = stated_ring(chain.entries()).unwrap();
    let misstated = |size| Err(RingFault::Misstated { size }.into());
    let edited = RingHead { root: "7".repeat(64).parse().unwrap(), ..stated };
    assert_eq!(found(&stating(&chain, 6, Some(edited)), chain.entries()), misstated(6));
    let older = RingHead { revision: 2, ..stated };
    assert_eq!(found(&stating(&chain, 6, Some(older)), chain.entries()), misstated(6));
    assert_eq!(found(&stating(&chain, 4, Some(stated)), chain.entries()), misstated(4));
    let checkpoint = covering(ORIGIN, &chain, 6);
    let elsewhere = under_in(&Domain::new("ACME").unwrap(), &checkpoint);
    assert_eq!(read(elsewhere, chain.entries(), ChainReader::stated_ring), misstated(6));
}

/// Where reading begins after the entry it is not known to be missing.
#[test]
fn a_reader_that_begins_later_does_not_know() {
    let chain = registry().chain;
    let checkpoint = covering(ORIGIN, &chain, 6);
    let from = |begun: usize| {
        let stored = TrustedHead::stored(&head_at(&chain, begun));
        let reader = ChainReader::new(&Domain::default(), &stored).under(&checkpoint).unwrap();
        read(reader, &chain.entries()[begun..], ChainReader::stated_ring)
    };
    assert_eq!(from(4).unwrap().entry().map(|located| located.entry().seq()), Some(4));
    assert_eq!(from(5), Err(Misuse::LateStart.into()));
    let mut reader = ChainReader::new(&Domain::default(), &TrustedHead::beginning());
    assert_eq!(reader.stated_ring().err(), Some(Misuse::NoEnd.into()));
}
