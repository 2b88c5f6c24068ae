//! Checkpoints of every size against the changes of the ring in their chain.

use dualseal::error::{CheckpointFault, Misuse, RingFault};
use dualseal::key::RingHead;
use dualseal::reader::{ChainReader, RingChanges, TrustedHead};
use dualseal::secret::Secret;
use dualseal::{Domain, Error, KeyState, Krunica, RingKey, Verified};
use dualseal_tests::log::{ORIGIN, head_at, stated_ring, verified_stating};
use dualseal_tests::quorum::raw_entry;
use dualseal_tests::reading::read;
use dualseal_tests::registry::{Registry, authority};
use dualseal_tests::{identity, key, minute};

/// Ana added at 1, suspended at 3, valid again at 4, between messages; her last change stands at 6 once more, by
/// somebody who may write to the log.
fn chain() -> Krunica {
    let (mut registry, ana) = (Registry::new(), identity("ana"));
    let note = |registry: &mut Registry| {
        registry.chain.append(&registry.domain, &ana, "a message", minute(9)).unwrap();
        registry.follow();
    };
    note(&mut registry);
    registry.add(&ana, key(1).public_key());
    note(&mut registry);
    registry.set_state(&ana, None, KeyState::Suspended);
    registry.set_state(&ana, None, KeyState::Valid);
    note(&mut registry);
    let mut chain = registry.chain;
    for seq in [3, 1] {
        let message = chain.entries()[seq].message().to_owned();
        let again = raw_entry(&chain, &identity("eve"), &message, minute(9));
        chain.push(again).unwrap();
    }
    chain
}

fn changes(chain: &Krunica, begun: usize, authority: &RingKey) -> RingChanges {
    let reader = ChainReader::new(&Domain::default(), &TrustedHead::stored(&head_at(chain, begun)));
    read(reader, &chain.entries()[begun..], |reader| reader.ring_changes(authority)).unwrap()
}

fn stating(chain: &Krunica, size: usize, ring: Option<RingHead>) -> Verified<dualseal::checkpoint::Checkpoint> {
    verified_stating(ORIGIN, &head_at(chain, size), ring)
}

/// The rings of the chain, each with the place of the change that made it.
fn rings(chain: &Krunica) -> Vec<(usize, Option<RingHead>)> {
    let at = |seq: usize| (seq, stated_ring(&chain.entries()[seq..=seq]));
    [1, 3, 4].map(at).to_vec()
}

/// Of each size one ring holds: an older or a later one, an edited one and none do not.
#[test]
fn a_checkpoint_states_the_last_change_below_its_size() {
    let chain = chain();
    let found = changes(&chain, 0, &authority(&Domain::default()));
    let rings = rings(&chain);
    let edited = |ring: &Option<RingHead>| ring.map(|ring| RingHead { root: "7".repeat(64).parse().unwrap(), ..ring });
    for size in 0..=chain.entries().len() {
        let right = rings.iter().rev().find(|(seq, _)| *seq < size).and_then(|(_, ring)| *ring);
        let all = rings.iter().flat_map(|(_, ring)| [*ring, edited(ring)]).chain([None]);
        for ring in all.filter(|ring| ring.is_none_or(|ring| ring.revision <= size as u64)) {
            let misstated = Err(RingFault::Misstated { size: size as u64 }.into());
            let expected = if ring == right { Ok(()) } else { misstated };
            assert_eq!(found.check(&stating(&chain, size, ring)), expected, "{size}: {ring:?}");
        }
    }
}

/// Another key's changes are none, a shorter chain does not say what a longer one has, and what stands before the
/// beginning was not read.
#[test]
fn what_was_not_read_is_not_known() {
    let chain = chain();
    let stranger = RingKey::new(&Domain::default(), Secret::from_slice("ring key", &[1; 32]).unwrap());
    assert_eq!(changes(&chain, 0, &stranger).check(&stating(&chain, 8, None)), Ok(()));
    let authority = authority(&Domain::default());
    let last = rings(&chain)[2].1;
    let mut reader = ChainReader::new(&Domain::default(), &TrustedHead::beginning());
    let watched = reader.ring_changes(&authority).unwrap();
    chain.entries()[..7].iter().try_for_each(|entry| reader.push(entry)).unwrap();
    let late = reader.ring_changes(&authority).map(drop);
    assert_eq!(late, Err(Misuse::LateStart.into()));
    let shorter = reader.finish().unwrap().take(watched).unwrap();
    let truncated: Error = CheckpointFault::Truncated { size: 8, found: 7 }.into();
    assert_eq!(shorter.check(&stating(&chain, 8, last)), Err(truncated));
    assert_eq!(shorter.check(&stating(&chain, 7, last)), Ok(()));
    let from = |begun| changes(&chain, begun, &authority).check(&stating(&chain, 8, last));
    assert_eq!((from(4), from(5)), (Ok(()), Err(Misuse::LateStart.into())));
    // A checkpoint that is trusted says what the ring was there, and nothing of before.
    for (begun, ring, expected) in
        [(5, last, Ok(())), (5, None, Err(RingFault::Misstated { size: 8 }.into())), (4, rings(&chain)[1].1, Ok(()))]
    {
        let trusted = TrustedHead::checkpoint(&stating(&chain, begun, ring), &head_at(&chain, begun)).unwrap();
        let reader = ChainReader::new(&Domain::default(), &trusted);
        let found = read(reader, &chain.entries()[begun..], |reader| reader.ring_changes(&authority)).unwrap();
        assert_eq!(found.check(&stating(&chain, 8, last)), expected, "{begun}");
        assert_eq!(found.check(&stating(&chain, begun, ring)), Ok(()), "{begun}");
        let before = stating(&chain, begun - 1, None);
        assert_eq!(found.check(&before), Err(Misuse::LateStart.into()), "{begun}");
    }
}
