//! A signer that was restored signs no fork, and a follower sees one: marks, growth, and checkpoints without entries.

use dualseal::checkpoint::{
    Checkpoint, CheckpointSigner, CheckpointVerifier, Comparison, Followed, Follower, Growth, HighWaterMark, Pins,
    compare,
};
use dualseal::error::{
    ChainFault, ChainProblem, CheckpointFault, Error, Malformed, Misuse, Problem, ProofFault, RingFault,
};
use dualseal::key::{CheckedRing, KeyState, RingFile, RingHead, Unprepared};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::tree::{Tree, TreeHash};
use dualseal::{Domain, Entry, Krunica, RingKey, Verified};
use dualseal_tests::log::{
    ORIGIN, chain_of, covering, head_at, log_identity, mark, mark_of, pins, retimed, stated_ring, verified_mark,
};
use dualseal_tests::random::Constant;
use dualseal_tests::registry::{Registry, followed};
use dualseal_tests::{identity, key, minute, with_member};
use serde_json::json;

/// Names of 0 to 99 for as many entries.
fn long(length: usize) -> Krunica {
    let messages: Vec<String> = (0..length).map(|number| number.to_string()).collect();
    chain_of(&identity("ana"), &messages.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The consistency proof between two sizes of a chain, from the tree in memory by the recursive definition.
fn proof(chain: &Krunica, from: usize, to: usize) -> Vec<TreeHash> {
    fn root(leaves: &[TreeHash]) -> TreeHash {
        leaves.iter().copied().collect::<Tree>().root()
    }
    fn subproof(from: usize, leaves: &[TreeHash], whole: bool) -> Vec<TreeHash> {
        if from == leaves.len() {
            return if whole { Vec::new() } else { vec![root(leaves)] };
        }
        let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
        if from <= left.len() {
            let mut path = subproof(from, left, whole);
            path.push(root(right));
            path
        } else {
            let mut path = subproof(from - left.len(), right, false);
            path.push(root(left));
            path
        }
    }
    let leaves: Vec<TreeHash> = chain.entries()[..to].iter().map(Entry::leaf_hash).collect();
    if from == 0 { Vec::new() } else { subproof(from, &leaves, true) }
}

fn at(chain: &Krunica, size: usize) -> HighWaterMark {
    mark_of(ORIGIN, &head_at(chain, size))
}

/// By the entries and by a proof alike, from every size to every later one.
#[test]
fn growth_is_shown_by_entries_or_by_a_proof() {
    let chain = long(12);
    for from in 0..=12 {
        for to in from..=12 {
            let (before, after) = (head_at(&chain, from), head_at(&chain, to));
            let entries = &chain.entries()[from..to];
            let by_entries = Growth::by_entries(&before.tree_head(), before.clone(), entries).unwrap();
            let by_proof = Growth::by_proof(&before.tree_head(), &after, &proof(&chain, from, to)).unwrap();
            assert_eq!(by_entries, by_proof, "{from} {to}");
            assert_eq!((by_proof.from(), by_proof.head()), (&before.tree_head(), &after));
            let next = at(&chain, from).next(&by_proof, None).unwrap();
            assert_eq!(next, at(&chain, to));
            assert_eq!(HighWaterMark::from_json(next.to_json().as_bytes()), Ok(next));
        }
    }
}

/// What a restored or rewritten store has to offer is refused, whichever way it is shown.
#[test]
fn a_restored_store_signs_no_fork() {
    let chain = long(9);
    let last = at(&chain, 6);
    let refused = |size, found| Err(Error::from(ProofFault::NotGrown { size, found }));
    // The store of some days ago, and other entries appended to it.
    let restored = long(4);
    let mut other = restored.clone();
    for message in ["x", "y", "z"] {
        other.append(&Domain::default(), &identity("eva"), message, minute(50)).unwrap();
    }
    for store in [&restored, &other, &retimed(&chain, 2, minute(500))] {
        let size = store.entries().len();
        for path in [Vec::new(), proof(&chain, 6, 9), proof(store, 4, size)] {
            let found = store.head().size();
            assert_eq!(Growth::by_proof(last.tree_head(), store.head(), &path), refused(6, found), "{size}");
        }
        // Its own head is not the one that was signed, and what it shows of its own goes on from elsewhere.
        let own = head_at(store, 4);
        let fault = Growth::by_entries(last.tree_head(), own.clone(), &store.entries()[4..]).unwrap_err();
        assert_eq!(fault, CheckpointFault::Truncated { size: 6, found: 4 }.into());
        let elsewhere = Growth::by_entries(&own.tree_head(), own, &store.entries()[4..]).unwrap();
        let refusal = ProofFault::NotGrown { size: 6, found: size as u64 };
        assert_eq!(last.next(&elsewhere, None), Err(refusal.into()));
    }
    // Of the mark's own size, too.
    let rewritten = head_at(&other, 6);
    assert_eq!(
        Growth::by_entries(last.tree_head(), rewritten, &other.entries()[6..]).unwrap_err(),
        CheckpointFault::Rewritten { size: 6 }.into()
    );
    let times = head_at(&retimed(&chain, 2, minute(500)), 6);
    let fault = Growth::by_entries(last.tree_head(), times, &chain.entries()[6..]).unwrap_err();
    assert_eq!(fault, CheckpointFault::TreeDisagrees { size: 6 }.into());
    // Each hash of a proof counts, and their number.
    let good = proof(&chain, 6, 9);
    for place in 0..good.len() {
        let mut altered = good.clone();
        altered[place] = TreeHash::from_bytes([0; 32]);
        assert_eq!(Growth::by_proof(last.tree_head(), chain.head(), &altered), refused(6, 9));
        let shorter = [&good[..place], &good[place + 1..]].concat();
        assert_eq!(Growth::by_proof(last.tree_head(), chain.head(), &shorter), refused(6, 9));
    }
    assert_eq!(
        Growth::by_proof(last.tree_head(), chain.head(), &[good, vec![TreeHash::empty()]].concat()),
        refused(6, 9)
    );
}

/// One root and two tops: the tree binds the last entry, so one of them is made up.
#[test]
fn of_one_size_the_tops_are_the_same() {
    let chain = long(5);
    let mut forged = *at(&chain, 5).tree_head();
    forged.top = *chain.entries()[0].hash();
    assert!(Growth::by_proof(&forged, chain.head(), &[]).is_err());
    assert!(Growth::by_proof(at(&chain, 5).tree_head(), chain.head(), &[]).is_ok());
}

/// A mark's ring only goes on, and is this log's, as it stands below the head.
#[test]
fn a_marks_ring_goes_on() {
    let (ana, mut registry) = (identity("ana"), Registry::new());
    registry.add(&ana, key(1).public_key());
    let old = registry.ring.clone();
    let first = HighWaterMark::first(ORIGIN, registry.chain.head(), Some(&old)).unwrap();
    assert_eq!(first.ring().copied(), stated_ring(registry.chain.entries()));
    assert_eq!(first.ring().map(|ring| ring.revision), Some(1));
    registry.rotate(&ana, key(2).public_key());
    let plain = registry.chain.append(&registry.domain, &ana, "plain", minute(5)).unwrap().clone();
    registry.ring.follow(&plain, |_| false).unwrap();
    let growth = Growth::by_entries(first.tree_head(), head_at(&registry.chain, 1), &registry.chain.entries()[1..]);
    let growth = growth.unwrap();
    let next = first.next(&growth, Some(&registry.ring)).unwrap();
    assert_eq!(next.ring().copied(), stated_ring(registry.chain.entries()));
    assert_eq!(next.ring().map(|ring| ring.revision), Some(2));
    // Afterwards no older one, and no other of the same revision.
    let still = Growth::by_entries(next.tree_head(), registry.chain.head().clone(), []).unwrap();
    assert_eq!(next.next(&still, Some(&registry.ring)), Ok(next.clone()));
    assert_eq!(next.next(&still, Some(&old)), Err(Misuse::StaleRing.into()));
    assert_eq!(next.next(&still, None), Err(RingFault::Rollback { ring: 0, chain: 2 }.into()));
    let other = RingHead { revision: 2, root: TreeHash::empty() };
    let other = mark(ORIGIN, next.tree_head(), Some(other));
    assert_eq!(other.next(&still, Some(&registry.ring)), Err(RingFault::Forged { identity_id: None }.into()));
    // Another log's ring, and one that is ahead of the head.
    let elsewhere = HighWaterMark::first("example.org/other", registry.chain.head(), Some(&registry.ring));
    assert_eq!(elsewhere, Err(Misuse::OtherOrigin.into()));
    let behind = HighWaterMark::first(ORIGIN, &head_at(&registry.chain, 1), Some(&registry.ring));
    assert_eq!(behind, Err(Misuse::StaleHead.into()));
    for origin in ["", "a::b"] {
        assert!(HighWaterMark::first(origin, registry.chain.head(), None).is_err());
    }
}

/// A chain of one size has one ring: a signer who first forgot his, or held an older handle, signs no second checkpoint
/// there, which would convict him of a fork.
#[test]
fn of_one_size_there_is_one_ring() {
    let (ana, mut registry) = (identity("ana"), Registry::new());
    registry.add(&ana, key(1).public_key());
    registry.rotate(&ana, key(2).public_key());
    let (head, older) = (registry.chain.head(), stated_ring(&registry.chain.entries()[..1]));
    let still = Growth::by_entries(&head.tree_head(), head.clone(), []).unwrap();
    for wrong in [None, older] {
        let mark = mark(ORIGIN, &head.tree_head(), wrong);
        let refused = mark.next(&still, Some(&registry.ring));
        assert_eq!(refused, Err(RingFault::Forged { identity_id: None }.into()));
    }
    let good = HighWaterMark::first(ORIGIN, head, Some(&registry.ring)).unwrap();
    assert_eq!(good.next(&still, Some(&registry.ring)), Ok(good.clone()));
}

/// A handle that was opened before another process revoked a key must not sign that revocation away: what it did not
/// look at may be such a change.
#[test]
fn a_ring_that_was_not_followed_is_not_stated() {
    let (ana, mut registry) = (identity("ana"), Registry::new());
    registry.add(&ana, key(1).public_key());
    let mut stale = registry.ring.clone();
    let plain = registry.chain.append(&registry.domain, &ana, "plain", minute(3)).unwrap().clone();
    let head = registry.chain.head().clone();
    assert_eq!(HighWaterMark::first(ORIGIN, &head, Some(&stale)), Err(Misuse::StaleRing.into()));
    stale.follow(&plain, |_| false).unwrap();
    let mark = HighWaterMark::first(ORIGIN, &head, Some(&stale)).unwrap();

    registry.ring.follow(&plain, |_| false).unwrap();
    registry.set_state(&ana, None, KeyState::Revoked);
    let revoked = registry.chain.entries()[2].clone();
    let growth = Growth::by_entries(mark.tree_head(), head, [&revoked]).unwrap();
    assert_eq!(mark.next(&growth, Some(&stale)), Err(Misuse::StaleRing.into()));
    assert_eq!(stale.follow(&revoked, |_| false), Err(RingFault::Rollback { ring: 1, chain: 2 }.into()));
    assert_eq!(mark.next(&growth, Some(&stale)), Err(Misuse::StaleRing.into()));
    let next = mark.next(&growth, Some(&registry.ring)).unwrap();
    assert_eq!(next.ring().copied(), stated_ring(registry.chain.entries()));
}

/// A line is the chain's next entry or none, and tells of a change as its entry does.
#[test]
fn a_ring_follows_lines_as_it_follows_entries() {
    let (ana, mut registry) = (identity("ana"), Registry::new());
    registry.add(&ana, key(1).public_key());
    let (mut by_line, mut by_entry) = (registry.ring.clone(), registry.ring.clone());
    let notes =
        ["one", "two"].map(|note| registry.chain.append(&registry.domain, &ana, note, minute(3)).unwrap().clone());
    let fault = |seq, problem| Err(ChainFault { seq, problem }.into());
    assert_eq!(by_line.follow_json(notes[1].to_json_line().as_bytes(), |_| false), fault(1, ChainProblem::Prev));
    assert_eq!(by_line.follow_json(b"{}", |_| false), fault(1, ChainProblem::Members));
    let said = notes[0].to_json_line().replace("one", "two");
    assert_eq!(by_line.follow_json(said.as_bytes(), |_| false), fault(1, ChainProblem::Hash));
    for note in &notes {
        by_entry.follow(note, |_| false).unwrap();
        assert_eq!(by_line.follow_json(note.to_json_line().as_bytes(), |_| false).as_ref(), Ok(note));
        assert_eq!(by_line, by_entry);
    }
    assert_eq!(by_line.follow_json(notes[1].to_json_line().as_bytes(), |_| false), fault(3, ChainProblem::Prev));
    HighWaterMark::first(ORIGIN, registry.chain.head(), Some(&by_line)).unwrap();
    registry.ring = by_entry;
    registry.set_state(&ana, None, KeyState::Revoked);
    let revoked = registry.chain.entries()[3].to_json_line();
    for _ in 0..2 {
        let rollback = RingFault::Rollback { ring: 1, chain: 2 };
        assert_eq!(by_line.follow_json(revoked.as_bytes(), |_| false), Err(rollback.into()));
    }
}

/// Neither a change nor a decoy takes a ring past entries that nobody looked at; a reader does, and one after the other
/// does. Nobody else's entry stops it, whatever it looks like.
#[test]
fn a_ring_is_followed_entry_by_entry() {
    let (ana, mut registry) = (identity("ana"), Registry::new());
    registry.add(&ana, key(1).public_key());
    let after_first = registry.ring.clone();
    let [plain, record] = ["plain", "a record"]
        .map(|message| registry.chain.append(&registry.domain, &ana, message, minute(3)).unwrap().clone());
    let stated = |registry: &Registry, ring: &CheckedRing| {
        HighWaterMark::first(ORIGIN, registry.chain.head(), Some(ring)).map(|mark| mark.ring().copied())
    };
    let mut past = after_first.clone();
    assert_eq!(past.follow(&record, |_| false), Err(Misuse::StaleRing.into()));
    assert_eq!(past.add_decoy(key(9).public_key(), &record), Err(Misuse::StaleRing.into()));
    assert_eq!(past, after_first);
    let mut good = after_first.clone();
    good.follow(&plain, |_| false).unwrap();
    assert_eq!(good.follow(&plain, |_| false), Err(Misuse::StaleHead.into()));
    good.add_decoy(key(9).public_key(), &record).unwrap();
    assert_eq!(stated(&registry, &good), Ok(stated_ring(registry.chain.entries())));

    registry.rotate(&ana, key(2).public_key());
    let mut reader = ChainReader::new(&registry.domain, &TrustedHead::beginning()).up_to(registry.chain.head());
    let file = RingFile::from_json(registry.file().as_bytes()).unwrap();
    let watched = reader.ring(file, &registry.authority, |_| false).unwrap();
    registry.chain.entries().iter().for_each(|entry| reader.push(entry).unwrap());
    let mut read = reader.finish().unwrap().take(watched).unwrap().into_ring();
    assert_eq!(stated(&registry, &read), Ok(stated_ring(registry.chain.entries())));

    // Whoever writes the store hands over another entry than the chain has there, or one that only says its hash.
    let others = chain_of(&ana, &["another", "chain", "of", "entries", "here"]);
    let other = others.entries().last().unwrap();
    assert_eq!(read.follow(other, |_| false), Err(ChainFault { seq: 4, problem: ChainProblem::Prev }.into()));
    let next = registry.chain.head().append(&registry.domain, &ana, "next", minute(9)).unwrap().entry;
    let said = Entry::from_json(next.to_json().replace("next", "said").as_bytes()).unwrap();
    assert_eq!(read.follow(&said, |_| false), Err(ChainFault { seq: 4, problem: ChainProblem::Hash }.into()));
    // Of the head of another chain of this size it was not shown.
    assert_eq!(HighWaterMark::first(ORIGIN, &head_at(&others, 4), Some(&read)), Err(Misuse::StaleRing.into()));

    // Eve appends an entry of a ring of her own.
    let hers = RingKey::new(&registry.domain, Secret::from_slice("ring key", &[8; 32]).unwrap());
    let mut eves = followed(&CheckedRing::new(ORIGIN, &hers).unwrap(), registry.chain.entries());
    let added = eves.add(&identity("eve"), key(8).public_key().clone(), registry.chain.head(), minute(9)).unwrap();
    read.follow(&added.entry, |_| false).unwrap();
    assert_eq!(
        HighWaterMark::first(ORIGIN, &added.head, Some(&read)).map(|mark| mark.ring().copied()),
        Ok(read.ring_head())
    );
}

/// What a mark cannot say is refused when it is read.
#[test]
fn malformed_marks_are_named() {
    let good = at(&long(3), 3).to_json();
    let problem = |text: &str| match HighWaterMark::from_json(text.as_bytes()) {
        Err(Error::Malformed(Malformed { field, problem, .. })) => (field, problem),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(problem("{}").1, Problem::MissingMember);
    assert_eq!(problem(&with_member(&good, "size", json!(0))), ("top", Problem::Range));
    let ring = |revision: u64| json!({ "revision": revision, "root": "0".repeat(64) });
    for revision in [0, 4] {
        assert_eq!(problem(&with_member(&good, "ring", ring(revision))), ("ring", Problem::Range));
    }
    assert!(HighWaterMark::from_json(with_member(&good, "ring", ring(3)).as_bytes()).is_ok());
    assert_eq!(problem(&with_member(&good, "origin", json!("a::b"))), ("origin", Problem::Ambiguous));
}

/// The last checkpoint that others have is a mark, too.
#[test]
fn a_checkpoint_is_its_own_mark() {
    let chain = long(4);
    assert_eq!(HighWaterMark::of(&covering(ORIGIN, &chain, 3)), at(&chain, 3));
}

fn signed_by(number: u8, mark: &HighWaterMark) -> Verified<Checkpoint> {
    let (domain, key) = (Domain::default(), key(number));
    let signer = CheckpointSigner::new(&domain, mark.origin(), &log_identity(), &key).unwrap();
    let signed = signer.sign(mark, minute(130), &mut Constant(1)).unwrap();
    let pins = Pins { key_hash: *key.public_key().hash(), ..pins(mark.origin()) };
    CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(signed).valid().unwrap()
}

/// What a follower says of each checkpoint, in the order in which they come.
#[test]
fn a_follower_goes_on_with_the_log() {
    let chain = long(9);
    let mut follower = Follower::new(covering(ORIGIN, &chain, 3));
    let mut follow = |checkpoint: Verified<Checkpoint>, path: &[TreeHash]| follower.follow(checkpoint, path);
    let not_grown = |size, found| Err(Error::from(ProofFault::NotGrown { size, found }));
    assert_eq!(follow(covering(ORIGIN, &chain, 3), &[]), Ok(Followed::Same));
    assert_eq!(follow(covering(ORIGIN, &chain, 5), &proof(&chain, 3, 5)), Ok(Followed::Grown));
    assert_eq!(follow(covering(ORIGIN, &chain, 3), &proof(&chain, 3, 5)), Ok(Followed::Older));
    assert_eq!(follow(covering(ORIGIN, &chain, 3), &[]), not_grown(3, 5));
    assert_eq!(follow(covering(ORIGIN, &chain, 9), &proof(&chain, 3, 9)), not_grown(5, 9));
    assert_eq!(follow(covering(ORIGIN, &chain, 9), &proof(&chain, 5, 9)), Ok(Followed::Grown));
    assert_eq!(follow(covering("other", &chain, 9), &[]), Err(Misuse::OtherOrigin.into()));
    // Another log of its name, larger: no proof leads there, and what was seen stays.
    let mut forked = long(8);
    for message in ["other", "more"] {
        forked.append(&Domain::default(), &identity("eva"), message, minute(60)).unwrap();
    }
    assert_eq!(follow(covering(ORIGIN, &forked, 10), &proof(&forked, 9, 10)), not_grown(9, 10));
    // Of one size it is a fork at once, without any proof.
    let Ok(Followed::Fork(fork)) = follow(covering(ORIGIN, &forked, 9), &[]) else { panic!("a fork") };
    assert_eq!((fork.first.tree_head().size, fork.second.tree_head().size), (9, 9));
    assert_eq!(follower.last().record().tree_head(), &chain.head().tree_head());
}

/// After a rotation the follower is pinned anew and keeps its last checkpoint.
#[test]
fn a_fork_across_a_rotation_of_the_logs_key_shows() {
    let chain = long(6);
    let mut follower = Follower::new(covering(ORIGIN, &chain, 4));
    let mut other = long(3);
    for message in ["x", "y", "z"] {
        other.append(&Domain::default(), &identity("eva"), message, minute(50)).unwrap();
    }
    let rotated = |chain: &Krunica, size| signed_by(201, &at(chain, size));
    assert_eq!(follower.follow(rotated(&other, 4), &[]), Ok(Followed::Contradiction));
    assert!(follower.follow(rotated(&other, 6), &proof(&other, 4, 6)).is_err());
    assert_eq!(follower.follow(rotated(&chain, 6), &proof(&chain, 4, 6)), Ok(Followed::Grown));
}

/// Rings make forks as well: one revision has one root, and revisions only grow with the log.
#[test]
fn two_rings_of_one_revision_are_a_fork() {
    let chain = long(6);
    let ring = |revision, byte| Some(RingHead { revision, root: TreeHash::from_bytes([byte; 32]) });
    let state = |size, ring| verified_mark(&mark(ORIGIN, at(&chain, size).tree_head(), ring));
    for (first, second, is_fork) in [
        (state(4, ring(2, 1)), state(4, ring(2, 1)), false),
        (state(4, ring(2, 1)), state(4, ring(2, 2)), true),
        (state(4, ring(2, 1)), state(4, None), true),
        (state(4, ring(2, 1)), state(6, ring(2, 1)), false),
        (state(4, ring(2, 1)), state(6, ring(3, 2)), false),
        (state(4, None), state(6, ring(1, 2)), false),
        (state(4, ring(2, 1)), state(6, ring(2, 2)), true),
        (state(4, ring(2, 1)), state(6, ring(1, 1)), true),
        (state(4, ring(2, 1)), state(6, None), true),
    ] {
        for (one, two) in [(&first, &second), (&second, &first)] {
            let found = compare(one, two).unwrap();
            assert_eq!(matches!(found, Comparison::Fork(_)), is_fork, "{:?} {:?}", one.record(), two.record());
        }
        let followed = Follower::new(first).follow(second, &proof(&chain, 4, 6));
        assert_eq!(matches!(followed, Ok(Followed::Fork(_))), is_fork);
    }
}
