//! One reader of a chain: several watchers in one pass, where it may begin and must end, and whose fault is whose.

use dualseal::error::{ChainFault, ChainProblem, CheckpointFault, Error, Misuse, RingFault};
use dualseal::key::RingFile;
use dualseal::krunica::{JsonLines, KrunicaHash};
use dualseal::reader::{ChainReader, Consistency, FoundRing, TrustedHead};
use dualseal::vault::LedgerId;
use dualseal::{Domain, Entry, Head, KeyState, VaultId};
use dualseal_tests::log::{ORIGIN, chain_of, covering, head_at, retimed};
use dualseal_tests::nodes::place_proof;
use dualseal_tests::reading::{read, resumed, under, up_to};
use dualseal_tests::registry::Registry;
use dualseal_tests::shards::Store;
use dualseal_tests::vault::{Archive, master};
use dualseal_tests::{identity, key, minute};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

fn nobodys(_: &Entry) -> bool {
    false
}

/// Ana added, suspended, valid again; Ivan added: four ring entries, each followed by a message.
fn registry() -> Registry {
    let mut registry = Registry::new();
    let note = |registry: &mut Registry, minutes| {
        registry.chain.append(&registry.domain, &identity("ana"), "a message", minute(minutes)).unwrap();
    };
    registry.add(&identity("ana"), key(1).public_key());
    note(&mut registry, 10);
    registry.set_state(&identity("ana"), None, KeyState::Suspended);
    note(&mut registry, 11);
    registry.set_state(&identity("ana"), None, KeyState::Valid);
    note(&mut registry, 12);
    registry.add(&identity("ivan"), key(2).public_key());
    note(&mut registry, 13);
    registry
}

fn file_of(registry: &Registry) -> RingFile {
    RingFile::from_json(registry.file().as_bytes()).unwrap()
}

#[test]
fn a_fault_of_one_watcher_stops_no_other() {
    let mut registry = registry();
    let old = file_of(&registry);
    registry.set_state(&identity("ivan"), None, KeyState::Revoked);
    let chain = &registry.chain;
    let (small, large) = (covering(ORIGIN, chain, 3), covering(ORIGIN, chain, 9));
    let elsewhere = covering(ORIGIN, &chain_of(&identity("eve"), &["one", "two", "three", "four"]), 4);

    let mut reader = under(&large);
    let ring = reader.ring(old, &registry.authority, nobodys).unwrap();
    let place = reader.place(chain.entries()[4].krunica_hash()).unwrap();
    let other = reader.consistency(&elsewhere, &elsewhere).unwrap();
    let grown = reader.consistency(&small, &large).unwrap();
    let fresh = reader.ring(file_of(&registry), &registry.authority, nobodys).unwrap();
    chain.entries().iter().for_each(|entry| reader.push(entry).unwrap());
    let mut proofs = reader.finish().unwrap();
    assert_eq!(proofs.take(ring).unwrap_err(), RingFault::Rollback { ring: 4, chain: 5 }.into());
    assert_eq!(proofs.take(place).unwrap().unwrap().entry(), &chain.entries()[4]);
    assert_eq!(proofs.take(other).unwrap_err(), CheckpointFault::Rewritten { size: 4 }.into());
    assert_eq!(proofs.take(grown).unwrap(), Consistency::Grown);
    assert_eq!(proofs.take(fresh).unwrap().ring(), &registry.ring);
    assert_eq!(proofs.agreed().unwrap().covered(), 9);
}

#[test]
fn a_fault_of_the_chain_stops_all() {
    let registry = registry();
    let checkpoint = covering(ORIGIN, &registry.chain, 8);
    let entries = registry.chain.entries();
    let mut reader = under(&checkpoint);
    let _watched = (
        reader.place(entries[0].krunica_hash()).unwrap(),
        reader.ring(file_of(&registry), &registry.authority, nobodys).unwrap(),
    );
    reader.push(&entries[0]).unwrap();
    let fault: Error = ChainFault { seq: 1, problem: ChainProblem::Members }.into();
    assert_eq!(reader.push_lines(b"{}\n").unwrap_err(), fault);
    entries[1..].iter().for_each(|entry| assert_eq!(reader.push(entry).unwrap_err(), fault));
    assert_eq!(reader.finish().unwrap_err(), fault);
    // A line that was cut off is no entry, also where all that the checkpoint covers was there.
    let mut reader = under(&checkpoint);
    for entry in entries {
        reader.push_lines(entry.to_json_line().as_bytes()).unwrap();
    }
    reader.push_lines(b"{").unwrap();
    assert!(matches!(reader.finish().unwrap_err(), Error::Malformed(_)));
}

/// What was proven is given once, and to whom watched for it.
#[test]
fn the_proofs_of_another_reader_are_refused() {
    let registry = registry();
    let checkpoint = covering(ORIGIN, &registry.chain, 8);
    let place = |reader: &mut ChainReader<'_>| reader.place(registry.chain.entries()[0].krunica_hash()).unwrap();
    let (mut one, mut other) = (under(&checkpoint), under(&checkpoint));
    let (ours, theirs) = (place(&mut one), place(&mut other));
    registry.chain.entries().iter().for_each(|entry| one.push(entry).unwrap());
    let mut proofs = one.finish().unwrap();
    assert_eq!(proofs.take(theirs).unwrap_err(), Misuse::OtherReader.into());
    assert!(proofs.take(ours).unwrap().is_some());
}

/// A reader that begins after what it is to show says so, and shows nothing less instead.
#[test]
fn what_begins_too_late_is_misuse() {
    let (registry, domain) = (registry(), Domain::default());
    let chain = &registry.chain;
    let checkpoint = covering(ORIGIN, chain, 8);
    let late = |size: usize| ChainReader::new(&domain, &TrustedHead::stored(&head_at(chain, size)));
    let refused: Error = Misuse::LateStart.into();
    let (vault_id, ledger) = (VaultId::from_bytes([1; 32]), LedgerId::from_bytes([1; 32]));

    let mut begun = late(1).under(&checkpoint).unwrap();
    assert_eq!(begun.splits(None, &vault_id).unwrap_err(), refused);
    assert_eq!(begun.ledger(&ledger, None).unwrap_err(), refused);
    // After the first entry nobody begins to watch.
    begun.push(&chain.entries()[1]).unwrap();
    assert_eq!(begun.places(|_| true).unwrap_err(), refused);
    // The ring from its file's size at the latest.
    let (file, mut longer) = (registry.file(), chain.clone());
    longer.append(&domain, &identity("ana"), "more", minute(20)).unwrap();
    let read = || RingFile::from_json(file.as_bytes()).unwrap();
    let mut beyond = ChainReader::new(&domain, &TrustedHead::stored(longer.head())).up_to(longer.head());
    assert_eq!(beyond.ring(read(), &registry.authority, nobodys).unwrap_err(), refused);
    // Under a checkpoint that ended before.
    assert_eq!(late(8).under(&covering(ORIGIN, chain, 7)).unwrap_err(), refused);
    // From a ring file's end only the links are known: no tree, no place, no session.
    let mut linked = ChainReader::new(&domain, &TrustedHead::ring_file(&read()));
    assert_eq!(linked.consistency(&checkpoint, &checkpoint).unwrap_err(), refused);
    assert_eq!(linked.head(), None);
    assert_eq!(linked.under(&checkpoint).unwrap_err(), refused);
}

/// Otherwise a watcher would go by one checkpoint, perhaps of another log, and the chain be held against another.
#[test]
fn the_end_is_named_once_and_before_anybody_watches() {
    let chain = registry().chain;
    let (small, large) = (covering(ORIGIN, &chain, 2), covering(ORIGIN, &chain, 8));
    let refused: Error = Misuse::LateStart.into();
    // Places that the large one covers, in a chain that agrees with the small one alone.
    let mut reader = under(&large);
    let _places = reader.places(|_| true).unwrap();
    assert_eq!(reader.under(&small).unwrap_err(), refused);
    // The second would be held to be read as soon as the first is.
    let at_small = ChainReader::new(&Domain::default(), &TrustedHead::checkpoint(&small, &head_at(&chain, 2)).unwrap());
    assert_eq!(at_small.under(&small).unwrap().under(&large).unwrap_err(), refused);
    let mut begun = ChainReader::new(&Domain::default(), &TrustedHead::beginning());
    begun.push(&chain.entries()[0]).unwrap();
    assert_eq!(begun.under(&small).unwrap_err(), refused);
    // The caller's own head cannot be named anew either: nothing is taken or shown after that.
    let mut reader = up_to(&Domain::default(), chain.head());
    let _ring = reader.ring(file_of(&registry()), &registry().authority, nobodys).unwrap();
    let mut reader = reader.up_to(&head_at(&chain, 2));
    assert_eq!(reader.push(&chain.entries()[0]).unwrap_err(), refused);
    assert_eq!(reader.finish().unwrap_err(), refused);
    let twice = up_to(&Domain::default(), chain.head()).up_to(chain.head());
    assert_eq!(twice.finish().unwrap_err(), refused);
}

/// What is proven to others needs a checkpoint, and what is appended to needs the caller's own head: an open end is
/// wherever somebody cut the chain off.
#[test]
fn without_an_end_nothing_is_shown() {
    let registry = registry();
    let refused: Error = Misuse::NoEnd.into();
    let mut open = ChainReader::new(&registry.domain, &TrustedHead::beginning());
    let (vault_id, ledger) = (VaultId::from_bytes([1; 32]), LedgerId::from_bytes([1; 32]));
    assert_eq!(open.place(KrunicaHash::from_bytes([0; 32])).unwrap_err(), refused);
    assert_eq!(open.place_proofs(|_| true).unwrap_err(), refused);
    assert_eq!(open.ring_place().unwrap_err(), refused);
    assert_eq!(open.splits(None, &vault_id).unwrap_err(), refused);
    assert_eq!(open.ledger(&ledger, None).unwrap_err(), refused);
    assert_eq!(open.ring(file_of(&registry), &registry.authority, nobodys).unwrap_err(), refused);
    let shard_key = Store::new(2, 3).key;
    let checkpoint = covering(ORIGIN, &registry.chain, 8);
    assert_eq!(under(&checkpoint).own_splits(&shard_key, &vault_id).unwrap_err(), refused);
    // At the own head there are no places.
    assert_eq!(up_to(&registry.domain, registry.chain.head()).places(|_| true).unwrap_err(), refused);
}

/// One pass gives what a store of all nodes does, wherever it begins, for as many entries as are wanted.
#[test]
fn place_proofs_are_those_of_the_whole_tree() {
    let chain = registry().chain;
    let entries = chain.entries();
    for size in 1..=entries.len() {
        let checkpoint = covering(ORIGIN, &chain, size);
        for begun in 0..size {
            let trusted = TrustedHead::checkpoint(&covering(ORIGIN, &chain, begun), &head_at(&chain, begun)).unwrap();
            let reader = ChainReader::new(&Domain::default(), &trusted).under(&checkpoint).unwrap();
            let odd = |entry: &Entry| entry.seq() % 2 == 1 || entry.seq() == 4;
            let found = read(reader, &entries[begun..], |reader| reader.place_proofs(odd)).unwrap();
            let expected = entries[begun..size].iter().filter(|entry| odd(entry));
            let expected: Vec<_> =
                expected.map(|entry| place_proof(checkpoint.record(), entries, entry.seq()).unwrap()).collect();
            assert_eq!(found, expected, "{begun} of {size}");
        }
    }
    // A chain that the checkpoint does not cover proves nothing.
    let checkpoint = covering(ORIGIN, &chain, 8);
    let cut = read(under(&checkpoint), &entries[..7], |reader| reader.place_proofs(|_| true)).unwrap_err();
    assert_eq!(cut, CheckpointFault::Truncated { size: 8, found: 7 }.into());
    let retimed = retimed(&chain, 3, minute(99));
    let altered = read(under(&checkpoint), retimed.entries(), |reader| reader.place_proofs(|_| true)).unwrap_err();
    assert_eq!(altered, CheckpointFault::TreeDisagrees { size: 8 }.into());
}

/// Anybody may append the message of the last change again, as often as he likes.
#[test]
fn a_ring_has_one_place_however_often_it_is_copied() {
    let mut registry = registry();
    let genuine = registry.chain.entries()[6].clone();
    let elsewhere = Domain::new("ELSEWHERE").unwrap();
    for _ in 0..1000 {
        registry.chain.append(&elsewhere, &identity("eve"), genuine.message(), minute(20)).unwrap();
    }
    let (chain, domain) = (&registry.chain, &registry.domain);
    let (entries, size) = (chain.entries(), chain.entries().len());
    let checkpoint = covering(ORIGIN, chain, size);
    let place = read(under(&checkpoint), entries, ChainReader::ring_place).unwrap();
    assert_eq!(place, Some(place_proof(checkpoint.record(), entries, 6).unwrap()));
    // From behind it there are but copies, under another ring none, and beyond the checkpoint nothing is proven.
    let since = |begun: usize, covered: usize| {
        let begins = TrustedHead::stored(&head_at(chain, begun));
        let reader = ChainReader::new(domain, &begins).under(&covering(ORIGIN, chain, covered)).unwrap();
        let place = read(reader, &entries[begun..], ChainReader::ring_place).unwrap();
        place.map(|place| place.entry().seq())
    };
    assert_eq!([since(0, 7), since(0, 6), since(0, 1), since(0, 0)], [Some(6), Some(4), Some(0), None]);
    assert_eq!([since(7, size), since(7, 8), since(size, size)], [Some(8), None, None]);
    // Whoever asks for all of them holds their checkpoint once.
    let is_of_ring = |entry: &Entry| checkpoint.record().is_ring_of(domain, entry);
    let all = read(under(&checkpoint), entries, |reader| reader.place_proofs(is_of_ring)).unwrap();
    assert_eq!((all.len(), all.first()), (1001, place.as_ref()));
    assert!(all.iter().all(|place| std::ptr::eq(place.checkpoint(), all[0].checkpoint())));
}

/// From every place that is not after the file's end the ring is the same, and so is what is wrong with it.
#[test]
fn a_ring_is_read_from_any_place_before_its_end() {
    let mut registry = registry();
    let old = registry.file();
    registry.set_state(&identity("ana"), None, KeyState::Revoked);
    let chain = registry.chain.clone();
    let from = |file: &str, begun: usize| {
        let (file, begun_at) = (RingFile::from_json(file.as_bytes()).unwrap(), head_at(&chain, begun));
        let reader = ChainReader::new(&registry.domain, &TrustedHead::stored(&begun_at)).up_to(chain.head());
        let entries = &chain.entries()[begun..];
        read(reader, entries, |reader| reader.ring(file, &registry.authority, nobodys)).map(FoundRing::into_ring)
    };
    for begun in 0..=9 {
        assert_eq!(from(&registry.file(), begun).unwrap(), registry.ring, "{begun}");
        if begun <= 8 {
            assert_eq!(from(&old, begun).unwrap_err(), RingFault::Rollback { ring: 4, chain: 5 }.into(), "{begun}");
        }
    }
    // The caller's own head of that size, of another chain than the file's.
    let mut other = chain_of(&identity("eve"), &["1", "2", "3", "4", "5", "6", "7", "8"]);
    let begun = TrustedHead::stored(other.head());
    other.append(&registry.domain, &identity("eve"), "9", minute(30)).unwrap();
    let reader = ChainReader::new(&registry.domain, &begun).up_to(other.head());
    let file = RingFile::from_json(old.as_bytes()).unwrap();
    let checked = read(reader, &other.entries()[8..], |reader| reader.ring(file, &registry.authority, nobodys));
    assert_eq!(checked.unwrap_err(), RingFault::Forged { identity_id: None }.into());
    // And where the file itself says where to begin, it is told by the first entry already.
    let file = RingFile::from_json(old.as_bytes()).unwrap();
    let checked = resumed(file, &registry.authority, other.head(), &other.entries()[8..], nobodys);
    assert_eq!(checked.unwrap_err(), RingFault::Forged { identity_id: None }.into());
}

/// The chain must end at the caller's own head, exactly.
#[test]
fn the_callers_own_head_is_the_end() {
    let (domain, chain) = (Domain::default(), chain_of(&identity("ana"), &["a", "b", "c", "d"]));
    let ends = |head: &Head, entries: &[Entry]| {
        let mut reader = up_to(&domain, head);
        for entry in entries {
            reader.push(entry).unwrap();
        }
        reader.finish().map(|proofs| proofs.head().unwrap().size())
    };
    let three = head_at(&chain, 3);
    assert_eq!(ends(&three, &chain.entries()[..3]), Ok(3));
    assert_eq!(ends(&three, &chain.entries()[..2]), Err(CheckpointFault::Truncated { size: 3, found: 2 }.into()));
    assert_eq!(ends(&three, chain.entries()), Err(CheckpointFault::Rewritten { size: 3 }.into()));
    let other = chain_of(&identity("ana"), &["a", "B", "c"]);
    assert_eq!(ends(&three, other.entries()), Err(CheckpointFault::Rewritten { size: 3 }.into()));
    let late = retimed(&chain, 1, minute(99));
    assert_eq!(ends(&three, &late.entries()[..3]), Err(CheckpointFault::TreeDisagrees { size: 3 }.into()));
}

/// Places are proven from any trusted beginning on, under a later checkpoint.
#[test]
fn a_place_is_shown_from_a_checkpoint_on() {
    let (domain, chain) = (Domain::default(), chain_of(&identity("ana"), &["a", "b", "c", "d", "e", "f"]));
    let (first, last) = (covering(ORIGIN, &chain, 2), covering(ORIGIN, &chain, 5));
    let seqs = |begun: &TrustedHead, from: usize| -> Vec<u64> {
        let reader = ChainReader::new(&domain, begun).under(&last).unwrap();
        let places = read(reader, &chain.entries()[from..], |reader| reader.places(|_| true)).unwrap();
        places.iter().map(|place| place.entry().seq()).collect()
    };
    assert_eq!(seqs(&TrustedHead::beginning(), 0), [0, 1, 2, 3, 4]);
    assert_eq!(seqs(&TrustedHead::checkpoint(&first, &head_at(&chain, 2)).unwrap(), 2), [2, 3, 4]);
    assert_eq!(seqs(&TrustedHead::stored(&head_at(&chain, 4)), 4), [4]);
    assert!(seqs(&TrustedHead::checkpoint(&last, &head_at(&chain, 5)).unwrap(), 5).is_empty());
    // A stored head of another chain proves nothing.
    let other = chain_of(&identity("ana"), &["a", "B"]);
    let mut reader = ChainReader::new(&domain, &TrustedHead::stored(other.head())).under(&last).unwrap();
    let fault = ChainFault { seq: 2, problem: ChainProblem::Prev };
    assert_eq!(reader.push(&chain.entries()[2]).unwrap_err(), fault.into());
    let other = chain_of(&identity("ana"), &["a", "b", "c", "d", "E"]);
    let begun = ChainReader::new(&domain, &TrustedHead::stored(other.head()));
    assert_eq!(begun.under(&last).unwrap_err(), CheckpointFault::Rewritten { size: 5 }.into());
}

/// Splits and ledgers go on from what was found before, and come to what the whole chain tells.
#[test]
fn what_was_found_before_is_gone_on_from() {
    let mut store = Store::new(2, 3);
    let first = covering(ORIGIN, &store.chain, store.chain.entries().len());
    let before = store.covered_splits(store.chain.entries().len()).unwrap();
    store.written(&identity("mallory"), &format!("DUALSEAL-SHARD::SPLIT::{}::", store.vault_id));
    let size = store.chain.entries().len();
    let last = covering(ORIGIN, &store.chain, size);
    let covered = usize::try_from(first.record().tree_head().size).unwrap();
    let begun = TrustedHead::checkpoint(&first, &head_at(&store.chain, covered)).unwrap();
    let since = ChainReader::new(&store.domain, &begun).under(&last).unwrap();
    let found = read(since, &store.chain.entries()[covered..], |reader| reader.splits_since(&before)).unwrap();
    assert_eq!(found, store.covered_splits(size).unwrap());
    assert_eq!(found.in_force().unwrap(), before.in_force().unwrap());
    assert_eq!(under(&last).splits_since(&before).unwrap_err(), Misuse::LateStart.into());

    let mut archive = Archive::of_three(1);
    let before = archive.located();
    let first = covering(ORIGIN, &archive.registry.chain, archive.registry.chain.entries().len());
    archive.seal(b"four", "DEED", dualseal::vault::Encryption::None, dualseal::vault::Tier::Public);
    let (chain, whole) = (&archive.registry.chain, archive.located());
    let last = covering(ORIGIN, chain, chain.entries().len());
    let from = usize::try_from(first.record().tree_head().size).unwrap();
    let begun = TrustedHead::checkpoint(&first, &head_at(chain, from)).unwrap();
    let since = || ChainReader::new(&archive.registry.domain, &begun).under(&last).unwrap();
    let later = &chain.entries()[from..];
    let found = read(since(), later, |reader| reader.ledger_since(&before, Some(master()))).unwrap();
    assert_eq!(found.len(), 4);
    for kept in &archive.kept {
        assert_eq!(found.locate(&kept.record()), whole.locate(&kept.record()));
    }
    // Whoever has not the master cannot go on from what it verified, nor from another place.
    assert_eq!(since().ledger_since(&before, None).unwrap_err(), Misuse::UnverifiedPlaces.into());
    assert_eq!(under(&last).ledger_since(&before, Some(master())).unwrap_err(), Misuse::LateStart.into());
    let elsewhere = covering("example.org/other", chain, chain.entries().len());
    let mut other = ChainReader::new(&archive.registry.domain, &begun);
    other = other.under(&elsewhere).unwrap();
    assert_eq!(other.ledger_since(&before, Some(master())).unwrap_err(), Misuse::OtherOrigin.into());
}

/// What a reader says of a file of lines, in parts of so many bytes, that it takes one by one.
fn each_line(
    mut reader: ChainReader<'_>,
    file: &[u8],
    part: usize,
) -> (Vec<Entry>, Result<(), Error>, u64, Option<Head>) {
    let (mut lines, mut taken) = (JsonLines::new(), Vec::new());
    let read = || {
        for part in file.chunks(part) {
            lines.push(part, |line| reader.push_json(line).map(|entry| taken.push(entry)))?;
        }
        lines.finish()
    };
    let read = read();
    (taken, read, reader.size(), reader.head().cloned())
}

/// Makes something wrong with a line of a chain.
fn spoiled(line: &str, kind: usize) -> String {
    let digit = |name: &str| {
        let at = line.find(name).unwrap() + name.len();
        let other = if line[at..].starts_with('0') { "1" } else { "0" };
        [&line[..at], other, &line[at + 1..]].concat()
    };
    match kind {
        0 => digit("\"h\":\""),
        1 => digit("\"prev\":\""),
        2 => line.replace("\"t\"", "\"u\""),
        3 => line.replace("2026-", "2O26-"),
        4 => line.replace("\"t\"", "\"prev\""),
        5 => String::new(),
        _ => line.replace('{', "[{"),
    }
}

proptest! {
    /// Whatever is wrong with whichever lines, and however long they are, many at once are taken up to the same one,
    /// for the same reason, as one after another.
    #[test]
    fn many_lines_at_once_are_taken_as_each_is(
        lengths in vec(prop_oneof![9 => 0usize..400, 1 => 0usize..100_000], 0..200),
        faults in vec((any::<Index>(), 0usize..7), 0..3),
        begin in any::<Index>(),
        part in prop_oneof![Just(1 << 30), 1usize..20_000],
        is_ended in any::<bool>(),
    ) {
        let messages: Vec<String> = lengths.iter().map(|length| "a".repeat(*length)).collect();
        let chain = chain_of(&identity("ana"), &messages.iter().map(String::as_str).collect::<Vec<_>>());
        let line = |entry: &Entry| entry.to_json_line().trim_end().to_string();
        let mut lines: Vec<String> = chain.entries().iter().map(line).collect();
        for (place, kind) in faults.into_iter().filter(|_| !lengths.is_empty()) {
            let place = place.index(lengths.len());
            lines[place] = spoiled(&line(&chain.entries()[place]), kind);
        }
        let begin = begin.index(lengths.len() + 1);
        let trusted = TrustedHead::stored(&head_at(&chain, begin));
        let reader = || ChainReader::new(&Domain::default(), &trusted);
        let mut file: Vec<u8> = lines[begin..].iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect();
        if !is_ended {
            file.pop();
        }

        let (taken, expected, size, head) = each_line(reader(), &file, part);
        let mut many = reader();
        let pushed = file.chunks(part).try_for_each(|part| many.push_lines(part));
        prop_assert_eq!((many.size(), many.head()), (size, head.as_ref()));
        let again = many.push_lines(b"");
        prop_assert_eq!(again, pushed.clone());
        prop_assert_eq!(pushed.and_then(|()| many.finish().map(drop)), expected);

        // Of texts alone, where one that is empty is no line but no entry.
        let (mut each, mut one_by_one) = (reader(), Vec::new());
        let texts = || lines[begin..].iter().map(String::as_bytes);
        let expected = texts().try_for_each(|text| each.push_json(text).map(|entry| one_by_one.push(entry)));
        let (mut many, mut told) = (reader(), Vec::new());
        let pushed = many.push_json_all(texts(), |reader, entry| {
            assert_eq!(reader.size(), entry.seq() + 1);
            told.push(entry.clone());
            Ok(())
        });
        prop_assert_eq!(pushed, expected);
        prop_assert_eq!((many.size(), many.head()), (each.size(), each.head()));
        prop_assert_eq!(&told, &one_by_one);
        prop_assert!(taken.len() <= told.len() && told.starts_with(&taken));
    }
}

/// Who is told of an entry may end the reading there.
#[test]
fn what_is_said_of_an_entry_ends_the_reading() {
    let chain = chain_of(&identity("ana"), &["zero", "one", "two", "three"]);
    let lines: Vec<String> = chain.entries().iter().map(Entry::to_json_line).collect();
    let mut reader = ChainReader::new(&Domain::default(), &TrustedHead::beginning());
    let no_more: Error = Misuse::NoEnd.into();
    let pushed = reader.push_json_all(lines.iter().map(String::as_bytes), |_, entry| {
        if entry.message() == "one" { Err(no_more.clone()) } else { Ok(()) }
    });
    assert_eq!((pushed, reader.size()), (Err(no_more.clone()), 2));
    assert_eq!(reader.push_json(lines[2].as_bytes()), Err(no_more));
}

/// A chain that does not go on from a ring file is another one, whichever way it is read.
#[test]
fn a_chain_of_another_is_told_from_a_broken_one() {
    let mut registry = registry();
    let file = file_of(&registry);
    for (minutes, message) in [(20, "one"), (21, "two")] {
        registry.chain.append(&registry.domain, &identity("ana"), message, minute(minutes)).unwrap();
    }
    let entries = registry.chain.entries();
    let end = usize::try_from(ChainReader::new(&registry.domain, &TrustedHead::ring_file(&file)).size()).unwrap();
    let broken = ChainFault { seq: end as u64 + 1, problem: ChainProblem::Prev };
    for (taken, expected) in [
        (vec![end, end + 1], Ok(())),
        (vec![end - 1], Err(RingFault::Forged { identity_id: None }.into())),
        (vec![end + 1], Err(RingFault::Forged { identity_id: None }.into())),
        (vec![end, end], Err(broken.into())),
    ] {
        let mut reader = ChainReader::new(&registry.domain, &TrustedHead::ring_file(&file));
        let text: String = taken.iter().map(|seq| entries[*seq].to_json_line()).collect();
        assert_eq!(reader.push_lines(text.as_bytes()), expected, "{taken:?}");
    }
}

/// Also from a place on before which the tree is not known, and whatever is wrong with the text behind the entry.
#[test]
fn a_hash_that_does_not_hold_is_named_first() {
    let mut registry = registry();
    let file = file_of(&registry);
    registry.chain.append(&registry.domain, &identity("ana"), "one", minute(20)).unwrap();
    let entry = registry.chain.entries().last().unwrap();
    let line = spoiled(&entry.to_json_line(), 0);
    let hash: Error = ChainFault { seq: entry.seq(), problem: ChainProblem::Hash }.into();
    let before = head_at(&registry.chain, usize::try_from(entry.seq()).unwrap());
    for trusted in [TrustedHead::ring_file(&file), TrustedHead::stored(&before)] {
        let reader = || ChainReader::new(&registry.domain, &trusted);
        for behind in ["", "\n", "{}\n", "{"] {
            assert_eq!(reader().push_lines([&line, behind].concat().as_bytes()), Err(hash.clone()), "{behind:?}");
        }
        let texts = [line.as_bytes(), b"{}"];
        assert_eq!(reader().push_json_all(texts, |_, _| Ok(())), Err(hash.clone()));
    }
}
