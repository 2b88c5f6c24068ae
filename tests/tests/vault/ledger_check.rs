//! A whole ledger as a stream: the first bad record is named with the layer that caught it, and nothing can be taken
//! away, added, exchanged or moved.

use dualseal::error::{CheckpointFault, Layer, Misuse, Rejected, VaultFault};
use dualseal::key::KeyState;
use dualseal::krunica::Ignored;
use dualseal::vault::{
    Destination, Encryption, LedgerCheck, LedgerHead, LedgerSummary, Operator, StoredHash, Tier, TierPolicy,
    VaultRecord, VaultSealer,
};
use dualseal::{Domain, Error, Krunica, SystemRng};
use dualseal_tests::log::{self, ORIGIN};
use dualseal_tests::reading;
use dualseal_tests::ring_file::checked;
use dualseal_tests::vault::{Archive, Kept, bent, entry_message, get, master, master_of, record, with};
use dualseal_tests::{identity, key};

fn of_five() -> Archive {
    let mut archive = Archive::of_three(1);
    archive.seal(b"four", "DEED", Encryption::None, Tier::Public);
    archive.seal(b"five", "DEED", Encryption::Stream, Tier::Native);
    archive
}

fn kept(kept: &Kept) -> (VaultRecord, StoredHash) {
    (kept.record(), kept.hash())
}

fn check(archive: &Archive, order: &[usize]) -> Result<LedgerSummary, Error> {
    archive.check_records(order.iter().map(|index| kept(&archive.kept[*index])), &archive.located())
}

/// The same without a chain at hand, as a stranger.
fn check_bare(archive: &Archive, order: &[usize]) -> Result<LedgerSummary, Error> {
    let (verifier, policy) = (archive.verifier(), archive.public());
    let mut check = LedgerCheck::new(&verifier, archive.ledger.ledger(), &policy, None);
    for index in order {
        let (record, stored) = kept(&archive.kept[*index]);
        let _ = check.push(record, &stored)?;
    }
    check.finish()
}

fn bad_record(seq: u64, layer: Layer) -> Error {
    VaultFault::LedgerRecord { seq, layer }.into()
}

#[test]
fn a_whole_ledger_holds() {
    let archive = of_five();
    let summary = check(&archive, &[0, 1, 2, 3, 4]).unwrap();
    let unverified = Ignored::default();
    let expected = LedgerSummary { head: archive.ledger, valid: 5, revoked: 0, suspended: 0, decoys: 0, unverified };
    assert_eq!(summary, expected);
    assert_eq!(archive.located().len(), 5);
    assert_eq!(check_bare(&archive, &[0, 1, 2, 3, 4]).unwrap(), expected);
    let empty = Archive::new(1);
    assert_eq!(empty.check().unwrap().head, LedgerHead::new(empty.ledger.ledger()));
    assert!(empty.located().is_empty());
}

/// Every way to change a record in the middle, and the layer that names it.
#[test]
fn the_first_bad_record_is_named_with_its_layer() {
    let archive = of_five();
    let altered = |json: String| {
        let records = archive
            .kept
            .iter()
            .enumerate()
            .map(|(index, keep)| if index == 2 { (record(&json), keep.hash()) } else { kept(keep) });
        archive.check_records(records, &archive.located()).unwrap_err()
    };
    let json = &archive.kept[2].json;
    for (path, layer) in [
        (&["sealed", "layers", "L0", "hash"][..], Layer::L0),
        (&["sealed", "layers", "L0", "prev"], Layer::L0),
        (&["sealed", "layers", "L2", "tag"], Layer::L2),
        (&["sealed", "layers", "L3", "baseline"], Layer::L3),
        (&["sealed", "layers", "L4", "signature"], Layer::L4),
        (&["sealed", "layers", "L7", "digest"], Layer::L5),
        (&["L6"], Layer::L6),
        (&["krunica_hash"], Layer::L6),
        (&["L7", "fragment"], Layer::L7),
        (&["L8", "h"], Layer::L6),
    ] {
        assert_eq!(altered(bent(json, path)), bad_record(2, layer), "{path:?}");
    }
    assert_eq!(altered(with(json, &["sealed", "layers", "L1", "text"], "x")), bad_record(2, Layer::L5));
    assert_eq!(altered(with(json, &["L8", "poruka"], "x")), bad_record(2, Layer::L8));
    // The place that it says: found out by the record itself, whatever it says.
    for seq in [1, 3, 4, 5, 9] {
        let elsewhere = with(json, &["sealed", "header", "seq"], seq);
        assert_eq!(altered(elsewhere), bad_record(2, Layer::L3), "{seq}");
    }
    assert_eq!(altered(with(json, &["sealed", "header", "seq"], 0)), bad_record(2, Layer::L0));
    assert_eq!(altered(bent(json, &["sealed", "header", "ledger"])), bad_record(2, Layer::L4));
    let swapped = with(json, &["sealed", "layers", "L3"], get(&archive.kept[1].json, &["sealed", "layers", "L3"]));
    assert_eq!(altered(swapped), bad_record(2, Layer::L3));

    // The stored bytes of another record, or changed ones.
    let records = archive.kept.iter().map(|keep| (keep.record(), archive.kept[1].hash()));
    assert_eq!(archive.check_records(records, &archive.located()).unwrap_err(), bad_record(0, Layer::L0));
}

#[test]
fn missing_records_are_missed() {
    let archive = of_five();
    for (order, seq) in
        [(&[][..], 0), (&[0, 1, 2, 3], 4), (&[0, 1], 2), (&[1, 2, 3, 4], 0), (&[0, 1, 3, 4], 2), (&[0, 2, 1, 3, 4], 1)]
    {
        assert_eq!(check(&archive, order).unwrap_err(), VaultFault::LedgerTruncated { seq }.into(), "{order:?}");
    }
    // Without the chain the end may be gone, and the middle may not.
    assert_eq!(check_bare(&archive, &[0, 1, 2]).unwrap().head.size(), 3);
    assert_eq!(check_bare(&archive, &[0, 1, 3, 4]).unwrap_err(), bad_record(2, Layer::L0));
    assert_eq!(check_bare(&archive, &[1]).unwrap_err(), bad_record(0, Layer::L0));
    assert_eq!(check_bare(&archive, &[1, 2, 3, 4]).unwrap_err(), bad_record(0, Layer::L0));
}

#[test]
fn a_record_twice_is_a_fork() {
    let archive = of_five();
    for order in [&[0, 0][..], &[0, 1, 2, 0], &[0, 1, 2, 3, 4, 4]] {
        // Where the second stands.
        let seq = order.len() as u64 - 1;
        assert_eq!(check(&archive, order).unwrap_err(), VaultFault::LedgerFork { seq }.into());
        assert_eq!(check_bare(&archive, order).unwrap_err(), VaultFault::LedgerFork { seq }.into());
    }
}

/// Only a record that holds by itself tells of the ledger: of one that does not, the layer is named.
#[test]
fn a_broken_record_out_of_its_place_is_named_with_its_layer() {
    let (archive, theirs) = (of_five(), Archive::of_three(2));
    let altered = |keep: &Kept, path: &[&str]| (record(&bent(&keep.json, path)), keep.hash());
    let at_two = |last| {
        let records = archive.kept[..2].iter().map(kept).chain([last]);
        archive.check_records(records, &archive.located()).unwrap_err()
    };
    let baseline = ["sealed", "layers", "L3", "baseline"];
    for keep in [&archive.kept[0], &archive.kept[1], &archive.kept[3], &theirs.kept[1], &theirs.kept[2]] {
        assert_eq!(at_two(altered(keep, &baseline)), bad_record(2, Layer::L3));
        assert_eq!(at_two(altered(keep, &["L6"])), bad_record(2, Layer::L6));
        assert_eq!(at_two((keep.record(), archive.kept[2].hash())), bad_record(2, Layer::L0));
    }
    assert_eq!(at_two(kept(&archive.kept[0])), VaultFault::LedgerFork { seq: 2 }.into());
    assert_eq!(at_two(kept(&archive.kept[3])), VaultFault::LedgerTruncated { seq: 2 }.into());
    assert_eq!(at_two(kept(&theirs.kept[2])), VaultFault::OtherLedger { seq: 2 }.into());
}

/// What the policy asks for and was not given is a fault in every state of the key, behind all that is wrong.
#[test]
fn what_was_not_checked_is_a_fault_in_every_state() {
    let mut archive = of_five();
    let places = archive.located();
    for state in [KeyState::Valid, KeyState::Revoked, KeyState::Suspended, KeyState::Decoy] {
        archive.set_state(state);
        let verifier = archive.verifier();
        for (tiers, located, order, expected) in [
            (TierPolicy::any(), Some(&places), 0, bad_record(0, Layer::L4)),
            (archive.operator().tiers, None, 0, bad_record(0, Layer::L6)),
            (TierPolicy::any(), None, 0, bad_record(0, Layer::L4)),
            (TierPolicy::any(), Some(&places), 1, VaultFault::LedgerTruncated { seq: 0 }.into()),
        ] {
            let policy = Operator { master: master(), tiers };
            let mut check = LedgerCheck::new(&verifier, archive.ledger.ledger(), &policy, located);
            let (record, stored) = kept(&archive.kept[order]);
            assert_eq!(check.push(record, &stored).unwrap_err(), expected, "{state}");
        }
    }
}

/// Places of another log say nothing: with the record found in them, L6 fails.
#[test]
fn the_ring_of_another_log_has_no_places() {
    let mut archive = of_five();
    let located = archive.located();
    let mut ring: serde_json::Value = serde_json::from_str(&archive.registry.file()).unwrap();
    ring["origin"] = "other.example/krunica".into();
    archive.registry.ring = checked(ring).unwrap();
    let records = || archive.kept.iter().map(kept);
    assert_eq!(archive.check_records(records(), &located).unwrap_err(), bad_record(0, Layer::L6));
    assert_eq!(archive.check_records(records().skip(1), &located).unwrap_err(), bad_record(0, Layer::L6));
}

/// The operator of two ledgers cannot move a record from one to the other.
#[test]
fn a_record_of_another_ledger_is_refused() {
    let (ours, theirs) = (of_five(), Archive::of_three(2));
    let records = [kept(&ours.kept[0]), kept(&theirs.kept[1])];
    let refused = ours.check_records(records, &ours.located()).unwrap_err();
    assert_eq!(refused, VaultFault::OtherLedger { seq: 1 }.into());
    let refused = ours.check_records([kept(&theirs.kept[0])], &ours.located()).unwrap_err();
    assert_eq!(refused, VaultFault::OtherLedger { seq: 0 }.into());
    // Their places in their chain are not ours.
    let refused = ours.check_records(ours.kept.iter().map(kept), &theirs.located()).unwrap_err();
    assert_eq!(refused, Misuse::ForeignLedger.into());
}

/// Two records were sealed at one head of the ledger, and both entries were appended.
#[test]
fn two_entries_for_one_place_are_a_fork() {
    let mut archive = Archive::of_three(1);
    let fork = LedgerHead::from_parts(archive.ledger.ledger(), 1, *archive.kept[0].record().hash());
    let place = Destination { ledger: &fork, ..archive.place() };
    let (sealed, stored) =
        archive.vault(Tier::Public).seal(b"other", "DEED", Encryption::None, &place, &mut SystemRng).unwrap();
    archive.keep(sealed, stored);
    let size = archive.registry.chain.entries().len();
    assert_eq!(archive.located_at(size).unwrap_err(), VaultFault::LedgerFork { seq: 1 }.into());
    // Under a checkpoint from before, there is one entry.
    archive.located_at(size - 1).unwrap();
}

/// A record in the place of another, sealed by the operator itself at the same head: the chain vouches for the first.
#[test]
fn another_good_record_in_a_place_is_found_out() {
    let archive = of_five();
    let head = LedgerHead::from_parts(archive.ledger.ledger(), 4, *archive.kept[3].record().hash());
    let place = Destination { ledger: &head, ..archive.place() };
    let (sealed, stored) =
        archive.vault(Tier::Native).seal(b"other", "DEED", Encryption::None, &place, &mut SystemRng).unwrap();
    let other = (sealed.record, StoredHash::of(&archive.registry.domain, &stored));
    let records = archive.kept[..4].iter().map(kept).chain([other]);
    let refused = archive.check_records(records, &archive.located()).unwrap_err();
    assert_eq!(refused, VaultFault::LedgerTruncated { seq: 4 }.into());
}

/// Beyond the checkpoint nothing is proven.
#[test]
fn records_after_the_checkpoint_are_not_located() {
    let archive = of_five();
    let size = archive.registry.chain.entries().len();
    let located = archive.located_at(size - 1).unwrap();
    assert_eq!(located.len(), 4);
    let refused = archive.check_records(archive.kept.iter().map(kept), &located).unwrap_err();
    assert_eq!(refused, bad_record(4, Layer::L6));
    archive.check_records(archive.kept[..4].iter().map(kept), &located).unwrap();
    // A stranger may take them, and is told that they are not located.
    let (verifier, policy) = (archive.verifier(), archive.public());
    let mut check = LedgerCheck::new(&verifier, archive.ledger.ledger(), &policy, Some(&located));
    for keep in &archive.kept {
        let report = check.push(keep.record(), &keep.hash()).unwrap();
        let expected = if report.record().unwrap().header().seq == 4 { "not_checked" } else { "pass" };
        assert_eq!(report.outcome(Layer::L8).as_str(), expected);
    }
    check.finish().unwrap();
}

#[test]
fn the_chain_must_be_the_checkpoints() {
    let archive = of_five();
    let chain = &archive.registry.chain;
    let checkpoint = log::covering(ORIGIN, chain, chain.entries().len());
    let stream = |entries: &Krunica, take: usize| {
        let entries = &entries.entries()[..take];
        reading::read(reading::under(&checkpoint), entries, |reader| {
            reader.ledger(archive.ledger.ledger(), Some(master()))
        })
    };
    let size = chain.head().size();
    let fault = |fault| Err::<(), _>(Error::Rejected(Rejected::Checkpoint(fault)));
    assert_eq!(stream(chain, 3).map(drop), fault(CheckpointFault::Truncated { size, found: 3 }));
    let retimed = log::retimed(chain, 2, dualseal_tests::minute(99));
    assert_eq!(stream(&retimed, chain.entries().len()).map(drop), fault(CheckpointFault::TreeDisagrees { size }));
    // As JSON lines.
    let mut reader = reading::under(&checkpoint);
    let watched = reader.ledger(archive.ledger.ledger(), Some(master())).unwrap();
    for entry in chain.entries() {
        reader.push_json(entry.to_json_line().trim_end().as_bytes()).unwrap();
    }
    assert_eq!(reader.finish().unwrap().take(watched).unwrap().len(), 5);
}

/// What an entry after the archive's own says, with any message.
fn append(archive: &mut Archive, message: &str) {
    let (domain, ana) = (Domain::new("ELSEWHERE").unwrap(), archive.ana);
    archive.registry.chain.append(&domain, &ana, message, dualseal_tests::minute(50)).unwrap();
}

fn listed(ignored: &Ignored) -> Vec<(u64, &'static str)> {
    ignored.entries().iter().map(|entry| (entry.seq, entry.reason.as_str())).collect()
}

/// Everybody who may write to a log can write what looks like a record's entry: neither a fork nor a missing record nor
/// the end of the ledger comes of it, before or after the good one.
#[test]
fn what_anybody_writes_ends_no_ledger() {
    let mut archive = Archive::new(1);
    let ledger = archive.ledger.ledger().to_hex();
    let junk = |place: u64| format!("DUALSEAL-VAULT::L8::{ledger}::{place}::{0}::{0}::DUALSEAL", "0".repeat(64));
    let beginning = format!("DUALSEAL-VAULT::L8::{ledger}::");
    append(&mut archive, &beginning);
    append(&mut archive, &junk(0));
    archive.seal(b"deed 17", "DEED", Encryption::Stream, Tier::Native);
    // A good message at another place in the chain.
    let good = archive.kept[0].record().entry().message().to_owned();
    append(&mut archive, &good);
    append(&mut archive, &junk(0));
    archive.seal(b"minutes", "MINUTES", Encryption::None, Tier::Public);
    append(&mut archive, &junk(2));
    append(&mut archive, &junk(9_007_199_254_740_991));
    let located = archive.located_by(master());
    let expected = [(1, "form"), (2, "tag"), (4, "tag"), (5, "tag"), (7, "tag"), (8, "tag")];
    assert_eq!((located.len(), located.is_verified(), listed(located.ignored())), (2, true, expected.to_vec()));
    let summary = archive.check().unwrap();
    assert_eq!((summary.valid, summary.unverified), (2, Ignored::default()));

    // A reader without the master cannot tell, and says so.
    let open = archive.located_by(None);
    assert_eq!((open.len(), open.is_verified(), listed(open.ignored())), (7, false, vec![(1, "form")]));
    let (verifier, public) = (archive.verifier(), archive.public());
    let mut check = LedgerCheck::new(&verifier, archive.ledger.ledger(), &public, Some(&open));
    for keep in &archive.kept {
        let report = check.push(keep.record(), &keep.hash()).unwrap();
        assert_eq!(report.outcome(Layer::L8).as_str(), "pass");
    }
    let summary = check.finish().unwrap();
    let unverified = [2, 4, 5, 7, 8].map(|seq| (seq, "unverified"));
    assert_eq!((summary.valid, listed(&summary.unverified)), (2, unverified.to_vec()));
}

/// A reader without the master says "unverified" where the operator says that records are missing, or two for one
/// place.
#[test]
fn without_the_master_there_is_neither_fork_nor_truncation() {
    let mut archive = of_five();
    let (verifier, public) = (archive.verifier(), archive.public());
    let open = archive.located_by(None);
    let mut check = LedgerCheck::new(&verifier, archive.ledger.ledger(), &public, Some(&open));
    for keep in &archive.kept[..3] {
        let _ = check.push(keep.record(), &keep.hash()).unwrap();
    }
    let summary = check.finish().unwrap();
    let seqs = [3, 4].map(|index: usize| (archive.kept[index].record().entry().seq(), "unverified"));
    assert_eq!((summary.head.size(), listed(&summary.unverified)), (3, seqs.to_vec()));

    // The operator's check takes no such places: it would miss what is missing.
    let operator = archive.operator();
    let mut check = LedgerCheck::new(&verifier, archive.ledger.ledger(), &operator, Some(&open));
    let (record, stored) = kept(&archive.kept[0]);
    assert_eq!(check.push(record, &stored).unwrap_err(), Misuse::UnverifiedPlaces.into());
    let refused = LedgerCheck::new(&verifier, archive.ledger.ledger(), &operator, Some(&open)).finish();
    assert_eq!(refused.unwrap_err(), Misuse::UnverifiedPlaces.into());

    let fork = LedgerHead::from_parts(archive.ledger.ledger(), 4, *archive.kept[3].record().hash());
    let place = Destination { ledger: &fork, ..archive.place() };
    let (sealed, stored) =
        archive.vault(Tier::Public).seal(b"other", "DEED", Encryption::None, &place, &mut SystemRng).unwrap();
    archive.keep(sealed, stored);
    assert_eq!(archive.located_by(None).len(), 6);
}

/// A caller in a hurry holds the places of two ledgers and two masters: with the wrong ones, records that are missing
/// would not be missed.
#[test]
fn places_are_of_the_ledger_and_the_master_that_ask() {
    let (archive, empty) = (of_five(), Archive::new(2));
    let (verifier, operator, public) = (archive.verifier(), archive.operator(), archive.public());
    let ledger = archive.ledger.ledger();
    let by_another = archive.located_by(&master_of(&archive.registry.domain, 0x4e));
    assert!(by_another.is_verified() && by_another.is_empty());
    let refused = LedgerCheck::new(&verifier, ledger, &operator, Some(&by_another)).finish();
    assert_eq!(refused.unwrap_err(), Misuse::UnverifiedPlaces.into());

    assert_ne!(ledger, empty.ledger.ledger());
    for of_another in [empty.located(), empty.located_by(None)] {
        let mut check = LedgerCheck::new(&verifier, ledger, &public, Some(&of_another));
        let (record, stored) = kept(&archive.kept[0]);
        assert_eq!(check.push(record, &stored).unwrap_err(), Misuse::ForeignLedger.into());
        assert_eq!(check.finish().unwrap_err(), Misuse::ForeignLedger.into());
        let refused = LedgerCheck::new(&verifier, ledger, &operator, Some(&of_another)).finish();
        assert_eq!(refused.unwrap_err(), Misuse::ForeignLedger.into());
    }
}

/// The master's own entry for the same seal, made again at another place of the chain, adds nothing.
#[test]
fn of_two_entries_for_one_seal_the_first_counts() {
    let mut archive = Archive::of_three(1);
    let record = archive.kept[1].record();
    let prev = *archive.registry.chain.head().top();
    let again = entry_message(archive.ledger.ledger(), 1, record.seal(), &archive.ana, &prev);
    append(&mut archive, &again);
    let located = archive.located_by(master());
    let seq = archive.registry.chain.head().size() - 1;
    assert_eq!((located.len(), listed(located.ignored())), (3, vec![(seq, "repeated")]));
    assert_eq!(located.locate(&record).unwrap().entry(), record.entry());
    assert_eq!(archive.check().unwrap().valid, 3);
}

/// In any form but the one that is written, an entry is nobody's.
#[test]
fn an_entry_without_the_form_is_ignored() {
    let archive = Archive::new(1);
    let ledger = archive.ledger.ledger().to_hex();
    let hash = "0".repeat(64);
    for (tail, good) in [
        (format!("0::{hash}::{hash}::DUALSEAL"), true),
        (format!("9007199254740991::{hash}::{hash}::DUALSEAL"), true),
        (format!("9007199254740992::{hash}::{hash}::DUALSEAL"), false),
        (format!("00::{hash}::{hash}::DUALSEAL"), false),
        (format!("+1::{hash}::{hash}::DUALSEAL"), false),
        (format!("-1::{hash}::{hash}::DUALSEAL"), false),
        (format!("::{hash}::{hash}::DUALSEAL"), false),
        (format!("0::{hash}::DUALSEAL"), false),
        (format!("0::{}::{hash}::DUALSEAL", "G".repeat(64)), false),
        (format!("0::{hash}::{}::DUALSEAL", "A".repeat(64)), false),
        (format!("0::{}::{hash}::DUALSEAL", "0".repeat(63)), false),
        (format!("0::{hash}::{hash}::OTHER"), false),
        (format!("0::{hash}::{hash}::DUALSEAL::DUALSEAL"), false),
        (format!("0::{hash}::{hash}"), false),
        (String::new(), false),
    ] {
        let chain = log::chain_of(&archive.ana, &["plain", &format!("DUALSEAL-VAULT::L8::{ledger}::{tail}")]);
        let checkpoint = log::covering(ORIGIN, &chain, 2);
        for master in [None, Some(master())] {
            let (reader, ledger) = (reading::under(&checkpoint), archive.ledger.ledger());
            let found = reading::read(reader, chain.entries(), |reader| reader.ledger(ledger, master)).unwrap();
            let expected = match (good, master) {
                (true, None) => vec![],
                (true, Some(_)) => vec![(1, "tag")],
                (false, _) => vec![(1, "form")],
            };
            assert_eq!(listed(found.ignored()), expected, "{tail}");
            assert_eq!(found.ignored().is_empty(), expected.is_empty(), "{tail}");
            assert_eq!(found.len(), usize::from(expected.is_empty()), "{tail}");
        }
    }
}

/// So many are listed, and the others counted: what anybody may write does not fill the memory.
#[test]
fn a_thousand_ignored_entries_are_listed() {
    let archive = Archive::new(1);
    let message = format!("DUALSEAL-VAULT::L8::{}::", archive.ledger.ledger());
    let chain = log::chain_of(&archive.ana, &vec![message.as_str(); 1_003]);
    let checkpoint = log::covering(ORIGIN, &chain, 1_003);
    let (reader, ledger) = (reading::under(&checkpoint), archive.ledger.ledger());
    let found = reading::read(reader, chain.entries(), |reader| reader.ledger(ledger, Some(master()))).unwrap();
    assert_eq!((found.ignored().entries().len(), found.ignored().more()), (1_000, 3));
    assert_eq!(found.ignored().entries()[999].seq, 999);
    let json = found.ignored().to_json();
    assert!(json.starts_with(r#"{"entries":[{"reason":"form","seq":0},{"reason":"form","seq":1},"#), "{json}");
    assert!(json.ends_with(r#"{"reason":"form","seq":999}],"more":3}"#), "{json}");
}

/// A time that was changed in the store does not count, although no hash of the entry covers it.
#[test]
fn a_changed_time_is_not_located() {
    let archive = of_five();
    let mut json = with(&archive.kept[2].json, &["L8", "t"], dualseal_tests::minute(99).to_string());
    assert!(archive.located().locate(&record(&json)).is_none());
    json = bent(&archive.kept[2].json, &["L8", "prev"]);
    assert!(archive.located().locate(&record(&json)).is_none());
    assert!(archive.located().locate(&archive.kept[2].record()).is_some());
}

/// Decoys are not chained: the operator's check looks for each in the ring.
#[test]
fn a_missing_decoy_is_named() {
    let mut archive = of_five();
    let located = archive.located();
    let decoys = archive.registry.ring.decoy_count();
    assert_eq!(decoys, 5);
    let ring = archive.registry.file();
    let mut whole: serde_json::Value = serde_json::from_str(&ring).unwrap();
    let gone = archive.kept[3].record().fragment().unwrap().decoy_key().unwrap().hash().to_hex();
    whole["keys"].as_array_mut().unwrap().retain(|item| item["javni_kljuc"] != *gone);
    archive.registry.ring = checked(whole).unwrap();
    assert_eq!(archive.registry.ring.decoy_count(), 4);
    let refused = archive.check_records(archive.kept.iter().map(kept), &located).unwrap_err();
    assert_eq!(refused, VaultFault::MissingDecoy { seq: 3 }.into());
    // A stranger's check has no decoys to look for.
    check_bare(&archive, &[0, 1, 2, 3, 4]).unwrap();
}

/// A revoked or suspended key is no fault of the ledger: the records stand, and are not Valid.
#[test]
fn states_are_counted() {
    let mut archive = of_five();
    for (state, counts) in [
        (KeyState::Revoked, (0, 5, 0, 0)),
        (KeyState::Suspended, (0, 0, 5, 0)),
        (KeyState::Decoy, (0, 0, 0, 5)),
        (KeyState::Valid, (5, 0, 0, 0)),
    ] {
        archive.set_state(state);
        let LedgerSummary { valid, revoked, suspended, decoys, .. } = archive.check().unwrap();
        assert_eq!((valid, revoked, suspended, decoys), counts);
        // A broken layer is one in every state.
        let records = archive.kept.iter().enumerate().map(|(index, keep)| {
            let json = if index == 1 { bent(&keep.json, &["L6"]) } else { keep.json.clone() };
            (record(&json), keep.hash())
        });
        let refused = archive.check_records(records, &archive.located()).unwrap_err();
        assert_eq!(refused, bad_record(1, Layer::L6), "{state}");
    }
}

/// A rotation in the middle: the older records are located before it.
#[test]
fn a_ledger_outlives_its_keys() {
    let mut archive = of_five();
    let ana = archive.ana;
    archive.registry.rotate(&ana, key(2).public_key());
    archive.key = key(2);
    archive.seal(b"six", "DEED", Encryption::Stream, Tier::Native);
    assert_eq!(archive.check().unwrap().valid, 6);
    assert_eq!(check_bare(&archive, &[0]).unwrap_err(), bad_record(0, Layer::L5));
}

/// Several identities share a ledger, each with keys of its own.
#[test]
fn a_ledger_serves_all_identities() {
    let mut archive = of_five();
    let (eva, eva_key) = (identity("eva"), key(9));
    archive.registry.add(&eva, eva_key.public_key());
    let place = archive.place();
    let vault = VaultSealer::new(master(), &eva, &eva_key);
    let (sealed, stored) = vault.seal(b"evas", "WILL", Encryption::Stream, &place, &mut SystemRng).unwrap();
    archive.registry.ring.add_decoy(&sealed.decoy, &sealed.entry).unwrap();
    archive.registry.chain.push(sealed.entry).unwrap();
    archive.ledger = sealed.ledger;
    archive.kept.push(Kept { json: sealed.record.to_stored_json().to_string(), stored, secret: sealed.secret });
    assert_eq!(archive.check().unwrap().valid, 6);
}

/// After an error there is no summary, whatever follows.
#[test]
fn a_fault_is_remembered() {
    let archive = of_five();
    let (verifier, policy, located) = (archive.verifier(), archive.operator(), archive.located());
    let mut check = LedgerCheck::new(&verifier, archive.ledger.ledger(), &policy, Some(&located));
    let bad = record(&bent(&archive.kept[0].json, &["L6"]));
    assert_eq!(check.push(bad, &archive.kept[0].hash()).unwrap_err(), bad_record(0, Layer::L6));
    assert_eq!(check.push(archive.kept[0].record(), &archive.kept[0].hash()).unwrap_err(), bad_record(0, Layer::L6));
    assert_eq!(check.finish().unwrap_err(), bad_record(0, Layer::L6));
}
