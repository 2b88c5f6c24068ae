//! A chain against checkpoints: forks, cut ends, chains written anew, reordered entries and altered times, each found
//! and named; and a signer that blesses no other chain.

use dualseal::checkpoint::{
    AgreedChain, Checkpoint, CheckpointSigner, CheckpointVerifier, Comparison, HighWaterMark, Pins, compare,
};
use dualseal::error::{ChainFault, ChainProblem, CheckpointFault, Error, Misuse, Rejected};
use dualseal::key::Unprepared;
use dualseal::krunica::TreeHead;
use dualseal::reader::{ChainReader, Consistency, TrustedHead};
use dualseal::{Domain, Entry, Head, Krunica, Verified};
use dualseal_tests::log::{
    ORIGIN, chain_of, check, covering, head_at, log_identity, log_key, mark, mark_of, pins, retimed, verified_mark,
};
use dualseal_tests::random::Constant;
use dualseal_tests::{identity, key, minute, reading};
use proptest::prelude::*;

fn chain(messages: &[&str]) -> Krunica {
    chain_of(&identity("ana"), messages)
}

fn six() -> Krunica {
    chain(&["a", "b", "c", "d", "e", "f"])
}

/// The message at `seq` changed, and every hash from there on made anew.
fn rewritten(chain: &Krunica, seq: usize) -> Krunica {
    let mut other = Krunica::new();
    for (index, entry) in chain.entries().iter().enumerate() {
        let message = if index == seq { "rewritten" } else { entry.message() };
        other.append(&Domain::default(), entry.identity_id(), message, entry.time()).unwrap();
    }
    other
}

/// The fault, and the number of entries that were pushed before it was named.
fn fault(checkpoint: &Verified<Checkpoint>, entries: &[Entry]) -> (Rejected, usize) {
    let mut reader = reading::under(checkpoint);
    for (pushed, entry) in entries.iter().enumerate() {
        if let Err(error) = reader.push(entry) {
            return (rejected(error), pushed);
        }
    }
    (rejected(reader.finish().unwrap_err()), entries.len())
}

fn rejected(error: Error) -> Rejected {
    match error {
        Error::Rejected(rejected) => rejected,
        other => panic!("{other}"),
    }
}

fn broken(seq: u64, problem: ChainProblem) -> Rejected {
    Rejected::Chain(ChainFault { seq, problem })
}

fn agreed(checkpoint: &Verified<Checkpoint>, chain: &Krunica) -> AgreedChain {
    let mut reader = reading::under(checkpoint);
    chain.entries().iter().for_each(|entry| reader.push(entry).unwrap());
    reader.finish().unwrap().agreed().unwrap().clone()
}

#[test]
fn a_chain_agrees_with_every_checkpoint_of_it() {
    let chain = six();
    for size in 0..=6 {
        let agreed = agreed(&covering(ORIGIN, &chain, size), &chain);
        assert_eq!((agreed.origin(), agreed.covered()), (ORIGIN, size as u64));
        assert_eq!(agreed.head(), chain.head());
    }
}

/// The end cut off, whatever is left.
#[test]
fn truncation_is_named() {
    let chain = six();
    let checkpoint = covering(ORIGIN, &chain, 5);
    for found in 0..5 {
        let expected = CheckpointFault::Truncated { size: 5, found: found as u64 };
        assert_eq!(fault(&checkpoint, &chain.entries()[..found]), (Rejected::Checkpoint(expected), found));
    }
}

/// A chain written anew holds together; the checkpoint shows where it is not the one that was signed.
#[test]
fn a_rewritten_chain_is_named() {
    let chain = six();
    for size in 1..=6 {
        let checkpoint = covering(ORIGIN, &chain, size);
        let expected = Rejected::Checkpoint(CheckpointFault::Rewritten { size: size as u64 });
        for seq in 0..size {
            assert_eq!(fault(&checkpoint, rewritten(&chain, seq).entries()), (expected.clone(), size - 1));
        }
        // Beyond the checkpoint nothing is proven, and nothing is claimed.
        for seq in size..6 {
            let other = rewritten(&chain, seq);
            assert_eq!(agreed(&checkpoint, &other).head(), other.head());
        }
        // Longer than the one that was signed, and another one.
        let mut longer = rewritten(&chain, 0);
        longer.append(&Domain::default(), &identity("ana"), "more", minute(9)).unwrap();
        assert_eq!(fault(&checkpoint, longer.entries()).0, expected);
    }
}

/// `h` does not cover times, so a chain with other times holds together and has the same top. The tree tells.
#[test]
fn altered_times_are_named() {
    let chain = six();
    for size in 1..=6 {
        let checkpoint = covering(ORIGIN, &chain, size);
        for seq in 0..6 {
            let other = retimed(&chain, seq, minute(500));
            assert_eq!(other.head().top(), chain.head().top());
            if seq < size {
                let expected = Rejected::Checkpoint(CheckpointFault::TreeDisagrees { size: size as u64 });
                assert_eq!(fault(&checkpoint, other.entries()), (expected, size - 1));
            } else {
                assert_eq!(agreed(&checkpoint, &other).head(), other.head());
            }
        }
    }
    // One millisecond, and two times swapped.
    let checkpoint = covering(ORIGIN, &chain, 6);
    let late = dualseal::Timestamp::from_millis(minute(2).as_millis() + 1).unwrap();
    let swapped = retimed(&retimed(&chain, 2, minute(3)), 3, minute(2));
    for other in [retimed(&chain, 2, late), swapped] {
        let expected = Rejected::Checkpoint(CheckpointFault::TreeDisagrees { size: 6 });
        assert_eq!(fault(&checkpoint, other.entries()).0, expected);
    }
}

#[test]
fn reordered_dropped_repeated_and_inserted_entries_are_named() {
    let chain = six();
    let checkpoint = covering(ORIGIN, &chain, 6);
    for i in 0..6 {
        let seq = i as u64;
        for j in i + 1..6 {
            let mut entries = chain.entries().to_vec();
            entries.swap(i, j);
            assert_eq!(fault(&checkpoint, &entries), (broken(seq, ChainProblem::Format), i), "swap {i} {j}");
        }
        let mut entries = chain.entries().to_vec();
        entries.insert(i, chain.entries()[i].clone());
        assert_eq!(fault(&checkpoint, &entries), (broken(seq + 1, ChainProblem::Format), i + 1), "repeat {i}");
        let mut entries = chain.entries().to_vec();
        entries.remove(i);
        let expected = match i {
            5 => (Rejected::Checkpoint(CheckpointFault::Truncated { size: 6, found: 5 }), 5),
            _ => (broken(seq, ChainProblem::Format), i),
        };
        assert_eq!(fault(&checkpoint, &entries), expected, "drop {i}");
        // Reordered, and every hash made anew: another chain.
        let mut messages: Vec<&str> = chain.entries().iter().map(Entry::message).collect();
        messages.swap(i, (i + 1) % 6);
        let expected = Rejected::Checkpoint(CheckpointFault::Rewritten { size: 6 });
        assert_eq!(fault(&checkpoint, self::chain(&messages).entries()), (expected, 5));
    }
}

/// A list whose first entry is another seq's is no chain from its beginning.
#[test]
fn a_list_that_starts_elsewhere_is_refused() {
    let chain = six();
    let checkpoint = covering(ORIGIN, &chain, 6);
    for start in 1..6 {
        let rest = &chain.entries()[start..];
        assert_eq!(fault(&checkpoint, rest), (broken(0, ChainProblem::Format), 0));
        let lines: Vec<String> = rest.iter().map(Entry::to_json_line).collect();
        let error = reading::under(&checkpoint).push_json(lines[0].as_bytes()).unwrap_err();
        assert_eq!(rejected(error), broken(0, ChainProblem::Prev), "without a seq, the first thing wrong is `prev`");
        let json = format!("[{}]", lines.join(","));
        assert_eq!(rejected(Krunica::from_json(json.as_bytes()).unwrap_err()), broken(0, ChainProblem::Prev));
    }
}

/// Whoever goes on after an error is given no proof: the fault stays.
#[test]
fn a_fault_is_not_forgotten() {
    let chain = six();
    let checkpoint = covering(ORIGIN, &chain, 3);
    for other in [rewritten(&chain, 1), retimed(&chain, 1, minute(500))] {
        let mut reader = reading::under(&checkpoint);
        let _places = reader.places(|_| true).unwrap();
        let results: Vec<bool> = other.entries().iter().map(|entry| reader.push(entry).is_ok()).collect();
        assert_eq!(results, [true, true, false, false, false, false]);
        assert!(matches!(reader.finish(), Err(Error::Rejected(Rejected::Checkpoint(_)))));
    }
    // After a broken entry the reader stays where it was, and takes nothing more, be it the right one or bytes.
    let mut reader = reading::under(&checkpoint);
    reader.push(&chain.entries()[0]).unwrap();
    let fault = reader.push(&chain.entries()[2]).unwrap_err();
    assert_eq!(reader.head(), Some(&head_at(&chain, 1)));
    assert_eq!(reader.push(&chain.entries()[1]).unwrap_err(), fault);
    let line = chain.entries()[1].to_json_line();
    assert_eq!(reader.push_json(line.as_bytes()).unwrap_err(), fault);
    assert_eq!(reader.push_lines(line.as_bytes()).unwrap_err(), fault);
    assert_eq!(reader.finish().unwrap_err(), fault);
}

/// Entries as JSON text are checked and kept as the typed ones are.
#[test]
fn text_and_entries_are_checked_alike() {
    let chain = six();
    let checkpoint = covering(ORIGIN, &chain, 4);
    let mut reader = reading::under(&checkpoint);
    let place = reader.place(chain.entries()[2].krunica_hash()).unwrap();
    let beyond = reader.place(chain.entries()[4].krunica_hash()).unwrap();
    for entry in chain.entries() {
        assert_eq!(&reader.push_json(entry.to_json_line().as_bytes()).unwrap(), entry);
    }
    let mut proofs = reader.finish().unwrap();
    assert_eq!(proofs.take(place).unwrap().unwrap().entry(), &chain.entries()[2]);
    assert_eq!(proofs.take(beyond).unwrap(), None);
    for other in [rewritten(&chain, 3), retimed(&chain, 3, minute(500))] {
        let (typed, pushed) = fault(&checkpoint, other.entries());
        let (mut reader, mut lines) = (reading::under(&checkpoint), reading::under(&checkpoint));
        for entry in &other.entries()[..pushed] {
            reader.push_json(entry.to_json_line().as_bytes()).unwrap();
        }
        let line = other.entries()[pushed].to_json_line();
        assert_eq!(rejected(reader.push_json(line.as_bytes()).unwrap_err()), typed);
        let file: String = other.entries().iter().map(Entry::to_json_line).collect();
        let pushed = file.as_bytes().chunks(7).find_map(|part| lines.push_lines(part).err());
        assert_eq!(rejected(pushed.unwrap()), typed);
    }
}

/// Two verified checkpoints of one log and size that differ are evidence, and come back as such.
#[test]
fn a_fork_is_named_and_kept() {
    let (good, other) = (six(), rewritten(&six(), 2));
    let retimed = retimed(&good, 2, minute(500));
    for size in 3..=6 {
        let first = covering(ORIGIN, &good, size);
        assert_eq!(compare(&first, &first.clone()).unwrap(), Comparison::Equal);
        for second in [covering(ORIGIN, &other, size), covering(ORIGIN, &retimed, size)] {
            let Comparison::Fork(fork) = compare(&first, &second).unwrap() else { panic!("a fork") };
            assert_eq!((&fork.first, &fork.second), (first.record(), second.record()));
        }
        for smaller in 0..size {
            assert_eq!(compare(&first, &covering(ORIGIN, &good, smaller)).unwrap(), Comparison::SizesDiffer);
        }
    }
    // Below the place where they part, they are the same.
    assert_eq!(compare(&covering(ORIGIN, &good, 2), &covering(ORIGIN, &other, 2)).unwrap(), Comparison::Equal);
    // Another time of signing is no other chain.
    let domain = Domain::default();
    let signer = CheckpointSigner::new(&domain, ORIGIN, &log_identity(), log_key()).unwrap();
    let later = signer.sign(&mark_of(ORIGIN, good.head()), minute(999), &mut Constant(7)).unwrap();
    let pins = pins(ORIGIN);
    let verifier = CheckpointVerifier::new(&domain, &pins, None, &Unprepared);
    let later = verifier.verify(later).valid().unwrap();
    assert_eq!(compare(&covering(ORIGIN, &good, 6), &later).unwrap(), Comparison::Equal);
    // Two logs are not to be compared.
    let elsewhere = covering("example.org/other", &good, 6);
    let error = compare(&covering(ORIGIN, &good, 6), &elsewhere).unwrap_err();
    assert_eq!(error, Error::Misuse(Misuse::OtherOrigin));
    let mut reader = ChainReader::new(&domain, &TrustedHead::beginning());
    assert_eq!(reader.consistency(&later, &elsewhere).unwrap_err(), error);
}

/// Two signers of one log, as after a rotation of its key, or where somebody made one up: what they signed is compared,
/// and convicts neither.
#[test]
fn two_signers_of_one_log_are_no_fork() {
    let (domain, new) = (Domain::default(), key(201));
    let signed_by_the_new = |chain: &Krunica| {
        let signer = CheckpointSigner::new(&domain, ORIGIN, &log_identity(), &new).unwrap();
        let signed = signer.sign(&mark_of(ORIGIN, chain.head()), minute(130), &mut Constant(1)).unwrap();
        let renewed = Pins { key_hash: *new.public_key().hash(), ..pins(ORIGIN) };
        let verifier = CheckpointVerifier::new(&domain, &renewed, None, &Unprepared);
        verifier.verify(signed).valid().unwrap()
    };
    let good = six();
    let (old, again) = (covering(ORIGIN, &good, 6), signed_by_the_new(&good));
    assert_eq!(compare(&old, &again).unwrap(), Comparison::Equal);
    for other in [rewritten(&good, 5), retimed(&good, 0, minute(500))] {
        let forked = signed_by_the_new(&other);
        assert_eq!(compare(&old, &forked).unwrap(), Comparison::Contradiction);
        assert_eq!(consistency(&old, &forked, &good).unwrap(), Consistency::Contradiction);
        let earlier = covering(ORIGIN, &good, 1);
        let grown = other.entries()[0] == good.entries()[0];
        let expected = if grown { Consistency::Grown } else { Consistency::Contradiction };
        assert_eq!(consistency(&earlier, &forked, &other).unwrap(), expected);
    }
}

fn consistency(one: &Verified<Checkpoint>, two: &Verified<Checkpoint>, chain: &Krunica) -> Result<Consistency, Error> {
    let mut reader = ChainReader::new(&Domain::default(), &TrustedHead::beginning());
    let (typed, text) = (reader.consistency(one, two).unwrap(), reader.consistency(two, one).unwrap());
    for entry in chain.entries() {
        reader.push_json(entry.to_json_line().as_bytes()).unwrap();
    }
    let mut proofs = reader.finish().unwrap();
    let (typed, text) = (proofs.take(typed), proofs.take(text));
    match (&typed, &text) {
        // Of one size, a fork names them as they were given.
        (Ok(Consistency::Fork(a)), Ok(Consistency::Fork(b)))
            if one.record().tree_head().size == two.record().tree_head().size =>
        {
            assert_eq!((&a.first, &a.second), (&b.second, &b.first));
        }
        _ => assert_eq!(typed, text),
    }
    typed
}

/// Two signers' forks, with sizes apart: the chain of the larger one shows that it did not grow from the smaller.
#[test]
fn growth_and_forks_of_different_sizes() {
    let (good, other) = (six(), rewritten(&six(), 2));
    let retimed = retimed(&good, 2, minute(500));
    for smaller in 0..=6 {
        for larger in smaller..=6 {
            let large = covering(ORIGIN, &good, larger);
            let same = covering(ORIGIN, &good, smaller);
            let expected = if smaller == larger { Consistency::Equal } else { Consistency::Grown };
            assert_eq!(consistency(&same, &large, &good).unwrap(), expected, "{smaller} {larger}");
            for parted in [&other, &retimed] {
                let small = covering(ORIGIN, parted, smaller);
                let found = consistency(&small, &large, &good).unwrap();
                if smaller <= 2 {
                    assert_eq!(found, expected, "they part at 2");
                } else {
                    let Consistency::Fork(fork) = found else { panic!("{smaller} {larger}") };
                    assert_eq!((&fork.first, &fork.second), (small.record(), large.record()));
                }
            }
        }
    }
}

/// With a chain that is not the larger one's, nothing is said of the two.
#[test]
fn consistency_needs_the_larger_chain() {
    let good = six();
    let (small, large) = (covering(ORIGIN, &good, 2), covering(ORIGIN, &good, 5));
    let rejected = |chain: &Krunica| rejected(consistency(&small, &large, chain).unwrap_err());
    for found in 0..5 {
        let cut = chain(&["a", "b", "c", "d", "e", "f"][..found]);
        let expected = CheckpointFault::Truncated { size: 5, found: found as u64 };
        assert_eq!(rejected(&cut), Rejected::Checkpoint(expected));
    }
    let expected = Rejected::Checkpoint(CheckpointFault::Rewritten { size: 5 });
    assert_eq!(rejected(&rewritten(&good, 4)), expected);
    assert_eq!(rejected(&rewritten(&good, 0)), expected);
    let expected = Rejected::Checkpoint(CheckpointFault::TreeDisagrees { size: 5 });
    assert_eq!(rejected(&retimed(&good, 4, minute(500))), expected);
    assert!(consistency(&small, &large, &rewritten(&good, 5)).is_ok(), "beyond both");
    for (late, refused) in [(2, false), (3, true)] {
        let mut reader = ChainReader::new(&Domain::default(), &TrustedHead::stored(&head_at(&good, late)));
        let watched = reader.consistency(&small, &large);
        if refused {
            assert_eq!(watched.unwrap_err(), Error::Misuse(Misuse::LateStart));
            continue;
        }
        good.entries()[late..].iter().for_each(|entry| reader.push(entry).unwrap());
        assert_eq!(reader.finish().unwrap().take(watched.unwrap()), Ok(Consistency::Grown));
    }
}

/// The log's own signer signs what agrees with its last checkpoint. Of a chain that was written anew, cut off or
/// retimed behind its back there is no `AgreedChain`, and so no next mark to sign.
#[test]
fn the_signer_blesses_no_rewritten_chain() {
    let domain = Domain::default();
    let signer = CheckpointSigner::new(&domain, ORIGIN, &log_identity(), log_key()).unwrap();
    let good = six();
    let last = covering(ORIGIN, &good, 4);
    let mark = HighWaterMark::of(&last);
    let sign_next = |agreed: &AgreedChain| {
        signer.sign(&mark.next(&agreed.growth(), None).unwrap(), minute(121), &mut Constant(1)).unwrap()
    };
    let next = sign_next(&agreed(&last, &good));
    assert_eq!((next.tree_head(), next.origin(), next.time()), (&good.head().tree_head(), ORIGIN, minute(121)));
    let same = sign_next(&agreed(&last, &chain(&["a", "b", "c", "d"])));
    assert_eq!(same.tree_head(), last.record().tree_head(), "nothing new is signed again");

    for seq in 0..4 {
        assert!(matches!(fault(&last, rewritten(&good, seq).entries()).0, Rejected::Checkpoint(_)));
        assert!(matches!(fault(&last, retimed(&good, seq, minute(500)).entries()).0, Rejected::Checkpoint(_)));
        assert!(matches!(fault(&last, &good.entries()[..seq]).0, Rejected::Checkpoint(_)));
    }
    // Agreement with the checkpoint of another log is agreement about another log.
    let elsewhere = agreed(&covering("example.org/other", &good, 4), &good);
    let theirs = HighWaterMark::of(&covering("example.org/other", &good, 4)).next(&elsewhere.growth(), None).unwrap();
    assert_eq!(signer.sign(&theirs, minute(121), &mut Constant(1)).unwrap_err(), Misuse::OtherOrigin.into());
}

/// The signer need not read the whole chain again: what follows its last checkpoint must go on from there.
#[test]
fn resuming_goes_on_from_the_checkpoint() {
    let good = six();
    for size in 0..=6 {
        let last = covering(ORIGIN, &good, size);
        let at = head_at(&good, size);
        let begin = || {
            let begun = TrustedHead::checkpoint(&last, &at).unwrap();
            ChainReader::new(&Domain::default(), &begun).under(&last).unwrap()
        };
        let mut reader = begin();
        let places = reader.places(|_| true).unwrap();
        assert_eq!(reader.head(), Some(&at));
        good.entries()[size..].iter().for_each(|entry| reader.push(entry).unwrap());
        let mut proofs = reader.finish().unwrap();
        let agreed = proofs.agreed().unwrap();
        assert_eq!((agreed.head(), proofs.head()), (good.head(), Some(good.head())));
        assert!(proofs.take(places).unwrap().is_empty(), "what follows is not covered yet");
        for seq in 0..6 {
            let other = rewritten(&good, seq);
            let mut reader = begin();
            let fault = other.entries()[size..].iter().find_map(|entry| reader.push(entry).err());
            let expected = (seq < size && size < 6).then(|| Error::Rejected(broken(size as u64, ChainProblem::Prev)));
            assert_eq!(fault, expected, "{size} {seq}");
        }
        if size > 0 {
            let error = begin().push(&good.entries()[0]).unwrap_err();
            assert_eq!(error, Error::Rejected(broken(size as u64, ChainProblem::Format)));
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Tampering {
    Truncate,
    Rewrite,
    Retime,
    Swap,
    Drop,
    Alter,
}

fn tampering() -> impl Strategy<Value = Tampering> {
    use Tampering::{Alter, Drop, Retime, Rewrite, Swap, Truncate};
    prop::sample::select(vec![Truncate, Rewrite, Retime, Swap, Drop, Alter])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 40, ..ProptestConfig::default() })]

    /// Chains of up to ten thousand entries, a checkpoint anywhere in them and one tampering below it: named for what
    /// it is, at its place.
    #[test]
    fn long_chains(length in 2usize..10_000, size in any::<usize>(), at in any::<usize>(), how in tampering()) {
        let messages: Vec<String> = (0..length).map(|number| format!("entry {number}")).collect();
        let good = chain(&messages.iter().map(String::as_str).collect::<Vec<_>>());
        let size = 2 + size % (length - 1);
        let at = at % size;
        let checkpoint = covering(ORIGIN, &good, size);
        let agreed = agreed(&checkpoint, &good);
        prop_assert_eq!(agreed.head(), good.head());
        let located = check(&checkpoint, good.entries(), at as u64).unwrap();
        prop_assert_eq!(located[0].entry(), &good.entries()[at]);

        let (size_u64, at_u64) = (size as u64, at as u64);
        let mut entries = good.entries().to_vec();
        let expected = match how {
            Tampering::Truncate => {
                entries.truncate(at);
                (Rejected::Checkpoint(CheckpointFault::Truncated { size: size_u64, found: at_u64 }), at)
            }
            Tampering::Rewrite => {
                entries = rewritten(&good, at).entries().to_vec();
                (Rejected::Checkpoint(CheckpointFault::Rewritten { size: size_u64 }), size - 1)
            }
            Tampering::Retime => {
                entries = retimed(&good, at, minute(-1)).entries().to_vec();
                (Rejected::Checkpoint(CheckpointFault::TreeDisagrees { size: size_u64 }), size - 1)
            }
            Tampering::Swap => {
                let other = (at + 1) % size;
                entries.swap(at, other);
                (broken(at.min(other) as u64, ChainProblem::Format), at.min(other))
            }
            Tampering::Drop => {
                entries.remove(at);
                if at == length - 1 {
                    (Rejected::Checkpoint(CheckpointFault::Truncated { size: size_u64, found: at_u64 }), at)
                } else {
                    (broken(at_u64, ChainProblem::Format), at)
                }
            }
            Tampering::Alter => {
                let altered = entries[at].to_json().replace("\"poruka\":\"entry", "\"poruka\":\"Entry");
                entries[at] = Entry::from_json(altered.as_bytes()).unwrap();
                (broken(at_u64, ChainProblem::Hash), at)
            }
        };
        prop_assert_eq!(fault(&checkpoint, &entries), expected);
    }
}

/// A head that was never that of a chain can be signed, and no chain agrees with it.
#[test]
fn a_head_without_a_chain_agrees_with_none() {
    let good = six();
    let state = |size, top: &Head, root: &Head| {
        let ring = None;
        verified_mark(&mark(ORIGIN, &TreeHead { size, top: *top.top(), root: root.root() }, ring))
    };
    let head = state(3, good.head(), good.head());
    let expected = Rejected::Checkpoint(CheckpointFault::Rewritten { size: 3 });
    assert_eq!(fault(&head, good.entries()), (expected, 2));
    let head = state(6, good.head(), &head_at(&good, 5));
    let expected = Rejected::Checkpoint(CheckpointFault::TreeDisagrees { size: 6 });
    assert_eq!(fault(&head, good.entries()), (expected, 5));
}
