//! A ring against its chain: a ring restored from a backup is an old one, and every edited one is forged.

use dualseal::error::{ChainFault, ChainProblem, CheckpointFault, Error, Misuse, Rejected, RingFault};
use dualseal::key::{CheckedRing, RingFile, RingHead};
use dualseal::krunica::IgnoredReason;
use dualseal::reader::FoundRing;
use dualseal::secret::Secret;
use dualseal::tree::TreeHash;
use dualseal::{Domain, Entry, Head, KeyState, Krunica, RingKey};
use dualseal_tests::log::{ORIGIN, chain_of, check, covering, head_at, retimed, stated_ring, verified_stating};
use dualseal_tests::reading::{self, resumed};
use dualseal_tests::registry::{Registry, authority, followed};
use dualseal_tests::ring_file;
use dualseal_tests::{identity, key, minute, next_digit};
use serde_json::{Value as Json, json};

/// Ana: added, suspended, rotated; Ivan: added, with a decoy, whose record is the last entry; a message in between.
/// Five ring entries of seven, revision 5.
fn registry() -> Registry {
    let (mut registry, ana, ivan) = (Registry::new(), identity("ana"), identity("ivan"));
    registry.add(&ana, key(1).public_key());
    registry.add(&ivan, key(2).public_key());
    registry.set_state(&ana, None, KeyState::Suspended);
    registry.chain.append(&registry.domain, &ana, "a message", minute(9)).unwrap();
    registry.rotate(&ana, key(3).public_key());
    registry.set_state(&ivan, None, KeyState::Decoy);
    registry.add_decoy(&ivan, key(4).public_key());
    assert_eq!((registry.ring.revision(), registry.chain.head().size()), (5, 7));
    registry
}

/// Under a checkpoint of the first `size` entries, with a chain that may be longer; from the first entry on, and from
/// where the file was written on, which must say the same of every ring that no entry before it contradicts.
fn check_under(authority: &RingKey, file: &str, chain: &Krunica, size: usize) -> Result<CheckedRing, Error> {
    let checkpoint = covering(ORIGIN, chain, size);
    let begin = || {
        let mut reader = reading::under(&checkpoint);
        let watched = reader.ring(RingFile::from_json(file.as_bytes())?, authority, is_record)?;
        Ok::<_, Error>((reader, watched))
    };
    let ((mut typed, typed_ring), (mut text, text_ring)) = (begin()?, begin()?);
    for entry in chain.entries() {
        typed.push(entry)?;
        text.push_json(entry.to_json_line().as_bytes())?;
    }
    assert_eq!(typed.head(), text.head());
    let (typed, text) = (typed.finish()?.take(typed_ring), text.finish()?.take(text_ring));
    let ignored = |found: &Result<FoundRing, Error>| found.as_ref().ok().map(|found| found.ignored().clone());
    assert_eq!(ignored(&typed), ignored(&text));
    let [typed, text] = [typed, text].map(|found| found.map(FoundRing::into_ring));
    assert_eq!(typed, text);
    if typed.is_ok() {
        assert_eq!(resume(authority, file, chain), typed);
    }
    typed
}

/// What a vault record's entry is taken for here.
fn is_record(entry: &Entry) -> bool {
    entry.message() == "sealed"
}

fn resume(authority: &RingKey, file: &str, chain: &Krunica) -> Result<CheckedRing, Error> {
    let file = RingFile::from_json(file.as_bytes())?;
    let from = usize::try_from(file.size()).unwrap();
    resumed(file, authority, chain.head(), chain.entries().get(from..).unwrap_or_default(), is_record)
}

fn check_file(registry: &Registry, file: &str) -> Result<(), Error> {
    check_under(&registry.authority, file, &registry.chain, registry.chain.entries().len()).map(drop)
}

/// A ring file that somebody wrote who has the ring key too.
fn check_sealed(registry: &Registry, file: &Json) -> Result<(), Error> {
    let mut file = file.clone();
    ring_file::seal(&mut file);
    check_file(registry, &file.to_string())
}

fn rollback(ring: u64, chain: u64) -> Result<(), Error> {
    Err(RingFault::Rollback { ring, chain }.into())
}

fn forged(name: Option<&str>) -> Result<(), Error> {
    Err(RingFault::Forged { identity_id: name.map(|name| identity(name).to_hex()) }.into())
}

fn json(file: &str) -> Json {
    serde_json::from_str(file).unwrap()
}

#[test]
fn the_ring_of_the_chain_passes() {
    let registry = registry();
    for size in 0..=7 {
        let ring = check_under(&registry.authority, &registry.file(), &registry.chain, size).unwrap();
        assert_eq!(ring, registry.ring);
    }
    // After every change, and stored and read in between.
    let mut growing = Registry::new();
    assert_eq!(check_file(&growing, &growing.file()), Ok(()), "an empty ring of an empty chain");
    growing.chain.append(&growing.domain, &identity("ana"), "a message", minute(1)).unwrap();
    for number in 1..6u8 {
        growing.add(&identity(&format!("person {number}")), key(number).public_key());
        growing.ring = growing.resume(&growing.file()).unwrap();
        assert_eq!(check_file(&growing, &growing.file()), Ok(()));
        // A message more makes no ring old.
        let file = growing.file();
        growing.chain.append(&growing.domain, &identity("ana"), "a message", minute(1)).unwrap();
        assert_eq!(check_file(&growing, &file), Ok(()));
    }
}

/// A key swapped, a `laz` edited to `istina`: the next ordinary change must not bless it. A ring changes only as what a
/// check gave, and no check gives an edited one.
#[test]
fn laz_edited_to_istina_is_not_blessed_by_the_next_change() {
    let mut registry = registry();
    registry.set_state(&identity("ivan"), None, KeyState::Revoked);
    let good = json(&registry.file());
    let held: Vec<usize> = (0..4).filter(|index| good["keys"][index]["role"] != "decoy").collect();
    for index in held {
        let mut swapped = good.clone();
        swapped["keys"][index]["javni_kljuc"] = json!(key(66).public_key().to_hex());
        assert_eq!(registry.resume(&swapped.to_string()).map(drop), forged(None), "{index}");
    }
    let text = good.to_string();
    let revived = text.replace("\"laz\"", "\"istina\"");
    let from = json!(good["keys"].as_array().unwrap().iter().find(|key| key["opozvan_od"] != json!(null)).unwrap());
    let revived = revived.replace(&format!("\"opozvan_od\":{}", from["opozvan_od"]), "\"opozvan_od\":null");
    assert_ne!(revived, text);
    assert_eq!(registry.resume(&revived).map(drop), forged(None));
    // The good file is resumed without the chain before it, and changed.
    let mut ring = registry.resume(&text).unwrap();
    assert_eq!(ring, registry.ring);
    let added = ring.add(&identity("maja"), key(7).public_key().clone(), registry.chain.head(), minute(9)).unwrap();
    registry.chain.push(added.entry).unwrap();
    assert_eq!(check_file(&registry, &ring.to_stored_json(registry.chain.head()).unwrap()), Ok(()));
}

/// A row put in makes a stranger's record a public pass, and one taken out leaves a leaked fragment untold.
#[test]
fn a_decoy_row_put_into_the_ring_is_forged() {
    let registry = registry();
    let good = json(&registry.file());
    let place = good["keys"].as_array().unwrap().iter().position(|key| key["role"] == "decoy").unwrap();
    let mut without = good.clone();
    without["keys"].as_array_mut().unwrap().remove(place);
    assert_eq!(check_file(&registry, &without.to_string()), forged(None));
    assert_eq!(registry.resume(&without.to_string()).map(drop), forged(None));
    let mut with = good.clone();
    let mut eve = good["keys"][place].clone();
    eve["javni_kljuc"] = json!("f".repeat(64));
    eve["povijest"] = json!([[3, "oboje"]]);
    with["keys"].as_array_mut().unwrap().insert(place + 1, eve);
    assert_eq!(check_file(&registry, &with.to_string()), forged(None));
    assert_eq!(registry.resume(&with.to_string()).map(drop), forged(None));
    // Every member of a decoy is under the MAC.
    for (member, value) in [
        ("generirano", json!(minute(55).to_string())),
        ("javni_kljuc", json!(next_digit(good["keys"][place]["javni_kljuc"].as_str().unwrap(), 9))),
        ("povijest", json!([[3, "oboje"]])),
    ] {
        let mut edited = good.clone();
        edited["keys"][place][member] = value;
        assert_eq!(check_file(&registry, &edited.to_string()), forged(None), "{member}");
    }
}

/// A backup of the ring file with its own good MAC, from before a key was called back, or from before a document was
/// sealed, whose decoy it does not hold.
#[test]
fn an_old_file_with_its_old_mac_is_refused() {
    let mut registry = registry();
    let before_sealing = registry.file();
    registry.add_decoy(&identity("ana"), key(5).public_key());
    let before_change = registry.file();
    assert_eq!(check_file(&registry, &before_change), Ok(()));
    assert_eq!(check_file(&registry, &before_sealing), rollback(5, 5));
    assert_eq!(registry.resume(&before_sealing).map(drop), rollback(5, 5));
    registry.set_state(&identity("ana"), None, KeyState::Revoked);
    for file in [&before_sealing, &before_change] {
        assert_eq!(check_file(&registry, file), rollback(5, 6));
        assert_eq!(registry.resume(file).map(drop), rollback(5, 6));
    }
    assert_eq!(check_file(&registry, &registry.file()), Ok(()));
}

/// Somebody restores the ring from before `bela laz`: the chain holds a greater revision.
#[test]
fn a_ring_file_restored_with_its_mac_is_a_rollback() {
    let mut registry = registry();
    let mut backups = vec![registry.file()];
    for state in [KeyState::Revoked, KeyState::Revoked, KeyState::Valid] {
        registry.set_state(&identity("ana"), None, state);
        backups.push(registry.file());
    }
    let newest = backups.pop().unwrap();
    assert_eq!(check_file(&registry, &newest), Ok(()));
    for (revision, backup) in (5..).zip(&backups) {
        assert_eq!(check_file(&registry, backup), rollback(revision, 8));
    }
    let empty = CheckedRing::new(ORIGIN, &registry.authority).unwrap().to_stored_json(&Head::EMPTY).unwrap();
    assert_eq!(check_file(&registry, &empty), rollback(0, 8));
    // The same with the old checkpoint: entries beyond it count here.
    for size in 0..=10 {
        let found = check_under(&registry.authority, &backups[0], &registry.chain, size).map(drop);
        assert_eq!(found, rollback(5, 8), "{size}");
    }
}

/// A revocation, then a ring restored from before it and changed at once: the new change has the revocation's revision,
/// and its tag and mac hold. Only the order of the revisions shows it.
#[test]
fn a_change_made_on_a_restored_ring_is_forged() {
    let mut registry = registry();
    let (backup, before, file) = (registry.ring.clone(), registry.chain.head().clone(), registry.file());
    registry.set_state(&identity("ana"), None, KeyState::Revoked);
    // Nobody gets there without the ring key, which makes any file's MAC.
    registry.ring = ring_file::moved(&backup, &before, registry.chain.head());
    registry.rotate(&identity("ana"), key(5).public_key());
    assert_eq!(check_file(&registry, &registry.file()), forged(None));
    // Where the file before both is resumed, the first of them makes it old.
    assert_eq!(registry.resume(&file).map(drop), rollback(5, 6));
}

/// An old ring with its old chain is sound in itself: that the chain is old, the least size of the pins shows.
#[test]
fn an_old_chain_needs_an_old_checkpoint() {
    let mut registry = registry();
    let (old_file, old_chain) = (registry.file(), registry.chain.clone());
    registry.set_state(&identity("ana"), None, KeyState::Revoked);
    assert!(check_under(&registry.authority, &old_file, &old_chain, 7).is_ok());
    let newest = covering(ORIGIN, &registry.chain, 8);
    let read = RingFile::from_json(old_file.as_bytes()).unwrap();
    let reader = reading::under(&newest);
    let checked =
        reading::read(reader, old_chain.entries(), |reader| reader.ring(read, &registry.authority, is_record));
    let truncated = CheckpointFault::Truncated { size: 8, found: 7 };
    assert_eq!(checked.unwrap_err(), Error::Rejected(Rejected::Checkpoint(truncated)));
}

/// A file that was written further on than the chain goes, or at another chain's end.
#[test]
fn the_chain_goes_on_from_the_files_own_end() {
    let registry = registry();
    let (chain, authority) = (&registry.chain, &registry.authority);
    let mut longer = chain.clone();
    longer.append(&registry.domain, &identity("ana"), "more", minute(9)).unwrap();
    let further = followed(&registry.ring, longer.entries()).to_stored_json(longer.head()).unwrap();
    assert_eq!(check_file(&registry, &further), forged(None));
    assert_eq!(registry.resume(&further).map(drop), forged(None));
    let mut other = chain.clone();
    other.append(&registry.domain, &identity("ana"), "other", minute(9)).unwrap();
    let at_other = followed(&registry.ring, other.entries()).to_stored_json(other.head()).unwrap();
    for more in 0..2 {
        assert_eq!(check_under(authority, &at_other, &longer, 7).map(drop), forged(None), "{more}");
        assert_eq!(resume(authority, &at_other, &longer).map(drop), forged(None), "{more}");
        longer.append(&registry.domain, &identity("ana"), "more", minute(9)).unwrap();
    }
    // A chain that ends before the caller's own head, or beyond it.
    let read = || RingFile::from_json(registry.file().as_bytes()).unwrap();
    let from_the_file = |head: &Head, entries: &[Entry]| resumed(read(), authority, head, entries, is_record).map(drop);
    assert_eq!(from_the_file(longer.head(), &[]), forged(None));
    assert_eq!(from_the_file(chain.head(), &longer.entries()[7..8]), forged(None));
    assert_eq!(from_the_file(&head_at(chain, 7), &[]), Ok(()));
}

/// Every member of every current and retired key is under the tag, also where the file's own MAC was made anew.
#[test]
fn every_edit_is_forged() {
    let registry = registry();
    let good = json(&registry.file());
    let chained = |key: &&Json| key["role"] != "decoy";
    assert_eq!(good["keys"].as_array().unwrap().iter().filter(chained).count(), 3);
    for (index, held) in good["keys"].as_array().unwrap().iter().enumerate().filter(|(_, key)| key["role"] != "decoy") {
        let whose = if held["identity_id"] == identity("ana").to_hex() { "ana" } else { "ivan" };
        let edited = |change: &dyn Fn(&mut Json)| {
            let mut edited = good.clone();
            change(&mut edited["keys"][index]);
            if edited != good {
                assert_eq!(check_file(&registry, &edited.to_string()), forged(None), "under the old MAC");
            }
            check_sealed(&registry, &edited)
        };
        let last = held["povijest"].as_array().unwrap().len() - 1;
        for state in ["istina", "laz", "oboje", "nijedno"] {
            let expected = if held["bela_stanje"] == state { Ok(()) } else { forged(Some(whose)) };
            let seq = held["povijest"][last][0].clone();
            let found = edited(&|key| {
                // A key begins in no revoked state: a later change stands for it.
                if state == "laz" && last == 0 {
                    return key["generirano"] = json!(minute(77).to_string());
                }
                key["bela_stanje"] = json!(state);
                key["povijest"][last][1] = json!(state);
                key["opozvan_od"] = if state == "laz" { seq.clone() } else { json!(null) };
            });
            assert_eq!(found, expected, "{whose} {state}");
        }
        assert_eq!(edited(&|key| key["generirano"] = json!("2026-11-21T10:59:59.999Z")), forged(Some(whose)));
        // A key swapped for one of the attacker's, and one digit of it changed.
        assert_eq!(edited(&|key| key["javni_kljuc"] = json!(key_66())), forged(Some(whose)));
        let altered = next_digit(held["javni_kljuc"].as_str().unwrap(), 1000);
        assert_eq!(edited(&|key| key["javni_kljuc"] = json!(altered)), forged(Some(whose)));
    }
    // Retired elsewhere: the next key then came elsewhere too.
    for at in [3u64, 6] {
        let mut moved = good.clone();
        for key in moved["keys"].as_array_mut().unwrap() {
            if key["retired"] == 4 {
                key["retired"] = json!(at);
            } else if key["povijest"][0][0] == 4 {
                key["povijest"][0][0] = json!(at);
            } else if key["role"] == "decoy" {
                key["povijest"][0][0] = json!(4);
            }
        }
        assert_eq!(check_sealed(&registry, &moved), forged(Some("ana")), "retired at {at}");
    }
}

fn key_66() -> String {
    key(66).public_key().to_hex()
}

#[test]
fn an_identity_removed_added_or_renamed_is_forged() {
    let registry = registry();
    let good = json(&registry.file());
    let without = |gone: &dyn Fn(&Json) -> bool| {
        let mut without = good.clone();
        without["keys"].as_array_mut().unwrap().retain(|key| !gone(key));
        let held = without["keys"].as_array().unwrap().iter().filter(|key| key["role"] != "decoy");
        without["revision"] = held.map(|key| key["povijest"].as_array().unwrap().len()).sum::<usize>().into();
        check_sealed(&registry, &without)
    };
    // Fewer changes than the chain has: the ring reads as an old one.
    for name in ["ana", "ivan"] {
        let left = if name == "ana" { 2 } else { 3 };
        assert_eq!(without(&|key| key["identity_id"] == identity(name).to_hex()), rollback(left, 5), "without {name}");
    }
    // Without its retired key, or without its current one.
    for (role, left) in [("retired", 3), ("current", 4)] {
        let gone = |key: &Json| key["identity_id"] == identity("ana").to_hex() && key["role"] == role;
        assert_eq!(without(&gone), rollback(left, 5), "without the {role} key");
    }
    // The keys of one under the name of another.
    let mut swapped = good.clone();
    let (ana, ivan) = (identity("ana").to_hex(), identity("ivan").to_hex());
    for held in swapped["keys"].as_array_mut().unwrap().iter_mut() {
        held["identity_id"] = json!(if held["identity_id"] == ana { &ivan } else { &ana });
    }
    let keys = swapped["keys"].as_array_mut().unwrap();
    keys.sort_by_key(|key| key["identity_id"].as_str().unwrap().to_string());
    let first = if ana < ivan { "ana" } else { "ivan" };
    assert_eq!(check_sealed(&registry, &swapped), forged(Some(first)), "the first of them is named");
    // An identity that no ring entry vouches for, in the place of a change that the chain has.
    let mut with_eve = good;
    let keys = with_eve["keys"].as_array_mut().unwrap();
    let ivans = keys.iter().position(|key| key["identity_id"] == ivan && key["role"] == "current").unwrap();
    let mut eve = keys[ivans].clone();
    let seq = eve["povijest"][1][0].clone();
    keys[ivans]["povijest"] = json!([[eve["povijest"][0][0], "istina"]]);
    keys[ivans]["bela_stanje"] = json!("istina");
    eve["identity_id"] = json!("f".repeat(64));
    eve["javni_kljuc"] = json!(key_66());
    eve["povijest"] = json!([[seq, "oboje"]]);
    keys.push(eve);
    assert_eq!(check_sealed(&registry, &with_eve), forged(Some("ivan")));
}

/// Ring entries that hold and are of no key in the ring, or whose root is not the ring's.
#[test]
fn an_entry_that_the_ring_does_not_bear_out_is_forged() {
    let registry = registry();
    // The same changes of the same ring, made for another's name.
    let mut ring = CheckedRing::new(ORIGIN, &registry.authority).unwrap();
    let mut chain = Krunica::new();
    let added = ring.add(&identity("eve"), key(1).public_key().clone(), chain.head(), minute(0)).unwrap();
    chain.push(added.entry).unwrap();
    let mut file = json(&ring.to_stored_json(chain.head()).unwrap());
    file["keys"][0]["identity_id"] = json!(identity("ana").to_hex());
    ring_file::seal(&mut file);
    let found = check_under(&registry.authority, &file.to_string(), &chain, 1).map(drop);
    assert_eq!(found, forged(Some("eve")));
}

/// Tags and macs are keyed: with another ring key nothing fits, and an entry made with one counts for nothing.
#[test]
fn another_ring_key_blesses_nothing() {
    let registry = registry();
    let domain = Domain::default();
    let other = RingKey::new(&domain, Secret::from_slice("ring key", &[8; 32]).unwrap());
    let file = registry.file();
    assert_eq!(check_under(&other, &file, &registry.chain, 7).map(drop), forged(None));
    let acme = authority(&Domain::new("ACME").unwrap());
    assert_eq!(check_under(&acme, &file, &registry.chain, 7).map(drop), forged(None));
    // Eve makes a ring of her own with a key that she drew, and appends its entries.
    let mut chain = registry.chain.clone();
    let mut eves = followed(&CheckedRing::new(ORIGIN, &other).unwrap(), chain.entries());
    for number in 60..66 {
        let name = identity(&format!("eve {number}"));
        let added = eves.add(&name, key(number).public_key().clone(), chain.head(), minute(9)).unwrap();
        chain.push(added.entry).unwrap();
    }
    assert!(check_under(&registry.authority, &file, &chain, 13).is_ok());
    assert_eq!(ignored(&registry, &chain), (7..13).map(|seq| (seq, IgnoredReason::Tag)).collect::<Vec<_>>());
    let hers = eves.to_stored_json(chain.head()).unwrap();
    assert_eq!(check_under(&registry.authority, &hers, &chain, 13).map(drop), forged(None));
}

/// What a check of the registry's own file says of entries that begin as ring entries and are none.
fn ignored(registry: &Registry, chain: &Krunica) -> Vec<(u64, IgnoredReason)> {
    let checkpoint = covering(ORIGIN, chain, chain.entries().len());
    let read = RingFile::from_json(registry.file().as_bytes()).unwrap();
    let reader = reading::under(&checkpoint);
    let found = reading::read(reader, chain.entries(), |reader| reader.ring(read, &registry.authority, is_record));
    let found = found.unwrap();
    assert_eq!(found.ignored().more(), 0);
    found.ignored().entries().iter().map(|entry| (entry.seq, entry.reason)).collect()
}

/// What anybody may write into the chain in the form of a ring entry, and what only looks like one: it stops nothing.
#[test]
fn junk_ring_messages_by_anybody_stop_nothing() {
    let registry = registry();
    let messages: Vec<&str> = registry.chain.entries().iter().map(Entry::message).collect();
    let with = |name: &str, message: &str| {
        // The same entries with one more, in a chain that somebody else's program wrote.
        let mut chain = registry.chain.clone();
        let elsewhere = Domain::new("ELSEWHERE").unwrap();
        chain.append(&elsewhere, &identity(name), message, minute(9)).unwrap();
        assert!(resume(&registry.authority, &registry.file(), &chain).is_ok(), "{message}");
        ignored(&registry, &chain)
    };
    let (last, first) = (messages[4], messages[0]);
    let zeros = "0".repeat(64);
    let (form, tag) = (vec![(7, IgnoredReason::Form)], vec![(7, IgnoredReason::Tag)]);
    for (message, expected) in [
        // Revisions that come next, that came, and that nobody reaches: without a mac that holds.
        (format!("DUALSEAL-SIGN::RING::6::{zeros}::{zeros}::{zeros}::DUALSEAL"), &tag),
        (format!("DUALSEAL-SIGN::RING::1::{zeros}::{zeros}::{zeros}::DUALSEAL"), &tag),
        (format!("DUALSEAL-SIGN::RING::9007199254740991::{zeros}::{zeros}::{zeros}::DUALSEAL"), &tag),
        // Good entries again, at another place and for another name.
        (first.to_string(), &tag),
        (last.to_string(), &tag),
        // The beginning of a ring entry without its form.
        (format!("DUALSEAL-SIGN::RING::6::{zeros}::DUALSEAL"), &form),
        (last.to_uppercase(), &form),
        (format!("{last}::"), &form),
        (format!("{last}::DUALSEAL"), &form),
        (last.replace("::4::", "::04::"), &form),
        (last.replace("::4::", "::+4::"), &form),
        (last.replace("::4::", "::0::"), &form),
        (last.replace("::4::", "::9007199254740992::"), &form),
        (last.replace("::4::", "::99999999999999999999999::"), &form),
        ("DUALSEAL-SIGN::RING::".to_string(), &form),
        ("DUALSEAL-SIGN::RING::6".to_string(), &form),
        // No ring entries.
        ("DUALSEAL-SIGN::RING".to_string(), &vec![]),
        ("DUALSEAL-SIGN::RINGS::6::".to_string(), &vec![]),
        ("ACME-SIGN::RING::6::".to_string(), &vec![]),
        (" DUALSEAL-SIGN::RING::6::".to_string(), &vec![]),
        (last.to_lowercase(), &vec![]),
    ] {
        for name in ["ana", "ivan", "nobody"] {
            assert_eq!(with(name, &message), *expected, "{name}: {message}");
        }
    }
}

/// A thousand are listed, the rest are counted.
#[test]
fn ignored_entries_are_listed_to_a_thousand() {
    let (registry, elsewhere) = (Registry::new(), Domain::new("ELSEWHERE").unwrap());
    let mut chain = Krunica::new();
    for _ in 0..1002 {
        chain.append(&elsewhere, &identity("eve"), "DUALSEAL-SIGN::RING::", minute(0)).unwrap();
    }
    let read = RingFile::from_json(registry.file().as_bytes()).unwrap();
    let reader = reading::up_to(&registry.domain, chain.head());
    let found = reading::read(reader, chain.entries(), |reader| reader.ring(read, &registry.authority, is_record));
    let found = found.unwrap();
    assert_eq!((found.ignored().entries().len(), found.ignored().more()), (1000, 2));
}

/// What a chain alone or its checkpoint shows, a ring check shows as well.
#[test]
fn the_chain_is_checked_on_the_way() {
    let registry = registry();
    let checkpoint = covering(ORIGIN, &registry.chain, 7);
    let push_all = |entries: &[Entry]| {
        let read = RingFile::from_json(registry.file().as_bytes())?;
        let reader = reading::under(&checkpoint);
        let found = reading::read(reader, entries, |reader| reader.ring(read, &registry.authority, is_record))?;
        Ok::<_, Error>(found.into_ring())
    };
    let entries = registry.chain.entries();
    assert!(push_all(entries).is_ok());
    let fault = Error::Rejected(Rejected::Chain(ChainFault { seq: 0, problem: ChainProblem::Format }));
    assert_eq!(push_all(&entries[1..]).unwrap_err(), fault);
    let truncated = CheckpointFault::Truncated { size: 7, found: 5 };
    assert_eq!(push_all(&entries[..5]).unwrap_err(), Error::Rejected(Rejected::Checkpoint(truncated)));
    let late = retimed(&registry.chain, 2, minute(77));
    let retimed = CheckpointFault::TreeDisagrees { size: 7 };
    assert_eq!(push_all(late.entries()).unwrap_err(), Error::Rejected(Rejected::Checkpoint(retimed)));
    let mut messages: Vec<&str> = entries.iter().map(Entry::message).collect();
    messages[3] = "another message";
    let other = chain_of(&identity("ana"), &messages);
    let rewritten = CheckpointFault::Rewritten { size: 7 };
    assert_eq!(push_all(other.entries()).unwrap_err(), Error::Rejected(Rejected::Checkpoint(rewritten)));
    assert!(check(&checkpoint, entries, 0).is_ok());
}

/// A dishonest log states a ring that is not its chain's: whoever has the ring key sees it, entries beyond the
/// checkpoint or not.
#[test]
fn a_checkpoint_that_states_another_ring_is_named() {
    let registry = registry();
    let entries = registry.chain.entries();
    let found = |size: usize, stated: Option<RingHead>| {
        let checkpoint = verified_stating(ORIGIN, &head_at(&registry.chain, size), stated);
        let read = RingFile::from_json(registry.file().as_bytes()).unwrap();
        let reader = reading::under(&checkpoint);
        let found = reading::read(reader, entries, |reader| reader.ring(read, &registry.authority, is_record));
        found.map(|found| found.ring().revision())
    };
    for size in 0..=7 {
        let good = stated_ring(&entries[..size]);
        assert_eq!(found(size, good), Ok(5));
        let misstated = Err(RingFault::Misstated { size: size as u64 }.into());
        for other in (0..=7).map(|other| stated_ring(&entries[..other])).filter(|other| *other != good) {
            if other.is_none_or(|ring| ring.revision <= size as u64) {
                assert_eq!(found(size, other), misstated, "{size}");
            }
        }
        let edited = good.map(|ring| RingHead { root: TreeHash::empty(), ..ring });
        assert_eq!(found(size, edited), if good.is_some() { misstated } else { Ok(5) });
    }
}

/// A ring belongs to one log.
#[test]
fn the_ring_of_another_log_is_misuse() {
    let registry = registry();
    let mut other = json(&registry.file());
    other["origin"] = json!("example.org/other");
    assert_eq!(check_sealed(&registry, &other), Err(Error::Misuse(Misuse::OtherOrigin)));
}

/// States cannot be read off the chain: whoever has no ring key sees tags that differ in every change, whatever
/// changed.
#[test]
fn states_are_not_on_the_chain() {
    let histories = [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended].map(|state| {
        let mut registry = Registry::new();
        registry.add(&identity("ana"), key(1).public_key());
        for _ in 0..3 {
            registry.set_state(&identity("ana"), None, state);
        }
        registry.chain
    });
    let (mut tags, mut roots) = (Vec::<String>::new(), Vec::<String>::new());
    for chain in &histories {
        for entry in &chain.entries()[1..] {
            let parts: Vec<&str> = entry.message().split("::").collect();
            assert_eq!((parts.len(), parts[3].len(), parts[6]), (7, 64, "DUALSEAL"));
            tags.extend([parts[3].to_string(), parts[5].to_string()]);
            roots.push(parts[4].to_string());
        }
    }
    let all = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!((all, tags.len()), (24, 24), "a tag or mac never repeats");
    // A root is that of the public ring, in which `oboje` is `istina`: three changes in each of four histories.
    assert_eq!(roots[..3], roots[6..9]);
    assert_eq!(roots.iter().collect::<std::collections::BTreeSet<_>>().len(), 9);
    let lengths = histories.map(|chain| chain.to_json().len());
    assert!(lengths.iter().all(|length| *length == lengths[0]));
}

/// Whatever is changed of current and retired keys is one entry, and nothing else is.
#[test]
fn a_change_is_one_entry() {
    let registry = registry();
    let entries = registry.chain.entries().iter();
    let of_the_ring = entries.filter(|entry| entry.message().starts_with("DUALSEAL-SIGN::RING::"));
    assert_eq!(of_the_ring.count() as u64, registry.ring.revision());
}
