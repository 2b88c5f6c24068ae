//! The chain: its two hashes recomputed with another SHA3, every alteration found at its place, and what a chain alone
//! cannot show.

use dualseal::encoding::json::Value;
use dualseal::error::{ChainFault, ChainProblem, Error, Malformed, Misuse, Problem, Rejected};
use dualseal::krunica::{ChainHash, Checker};
use dualseal::seal::claims_seal;
use dualseal::signature::claims_signature;
use dualseal::tree::{Tree, TreeHash};
use dualseal::{Domain, Entry, Head, IdentityId, Krunica, Timestamp};
use dualseal_tests::log::{any_head, chain_of};
use dualseal_tests::{identity, minute, next_digit};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use sha3::{Digest, Sha3_256, Sha3_512};

fn h5(text: &str) -> String {
    hex::encode(Sha3_512::digest(text))
}

fn chain(messages: &[&str]) -> Krunica {
    let mut chain = Krunica::new();
    for (index, message) in (0..).zip(messages) {
        let w3 = identity(if index % 2 == 0 { "ana" } else { "ivan" });
        chain.append(&Domain::default(), &w3, message, minute(index)).unwrap();
    }
    chain
}

fn list(chain: &Krunica) -> Vec<Json> {
    serde_json::from_str(&chain.to_json()).unwrap()
}

fn read(entries: &[Json]) -> Result<Krunica, Error> {
    Krunica::from_json(Json::from(entries).to_string().as_bytes())
}

/// The place and kind of the first fault.
fn fault(entries: &[Json]) -> (u64, ChainProblem) {
    match read(entries) {
        Err(Error::Rejected(Rejected::Chain(ChainFault { seq, problem }))) => (seq, problem),
        other => panic!("{other:?}"),
    }
}

fn times() -> impl Strategy<Value = Timestamp> {
    let given =
        (100_000_000_000..=Timestamp::MAX.as_millis()).prop_map(|millis| Timestamp::from_millis(millis).unwrap());
    prop_oneof![1 => Just(Timestamp::MIN), 9 => given]
}

proptest! {
    /// `h = H5(w3|poruka|prev|seq)`, `krunica_hash = H3(h)`, and the leaf `{"h":…,"seq":…,"t":…}`, all over text.
    #[test]
    fn the_formulas(entries in vec((any::<[u8; 32]>(), any::<String>(), times()), 0..12)) {
        let domain = Domain::default();
        let (mut chain, mut prev, mut leaves) = (Krunica::new(), "0".repeat(128), Vec::new());
        let mut checker = Checker::new();
        for (seq, (w3, message, t)) in entries.into_iter().enumerate() {
            let entry = chain.append(&domain, &IdentityId::from_bytes(w3), &message, t).unwrap();
            let h = h5(&format!("{}|{message}|{prev}|{seq}", hex::encode(w3)));
            let leaf = format!("{{\"h\":\"{h}\",\"seq\":{seq},\"t\":\"{t}\"}}");
            prop_assert_eq!((entry.leaf(), entry.leaf_hash()), (leaf.clone(), TreeHash::of_leaf(leaf.as_bytes())));
            leaves.push(entry.leaf_hash());
            prop_assert_eq!(entry.hash().to_hex(), h.as_str());
            prop_assert_eq!(entry.prev().to_hex(), prev);
            prop_assert_eq!(entry.krunica_hash().to_hex(), hex::encode(Sha3_256::digest(&h)));
            prop_assert_eq!((entry.message(), entry.time()), (message.as_str(), t));
            prop_assert_eq!(entry.identity_id().as_bytes(), &w3);
            prop_assert_eq!(chain.head().root(), leaves.iter().copied().collect::<Tree>().root());
            prop_assert_eq!(&Head::from_json(chain.head().to_json().as_bytes()).unwrap(), chain.head());
            prop_assert_eq!(chain.head().top().to_hex(), h.as_str());
            checker.push(&entry).unwrap();
            prop_assert_eq!(&Entry::from_json(entry.to_json().as_bytes()).unwrap(), &entry);
            prev = h;
        }
        prop_assert_eq!(checker.head(), chain.head());
        prop_assert_eq!(&Krunica::from_json(chain.to_json().as_bytes()).unwrap(), &chain);
        prop_assert_eq!(chain.head().size(), u64::try_from(chain.entries().len()).unwrap());
    }

    /// A `|` in a message cannot make one entry read as another.
    #[test]
    fn different_entries_have_different_hashes(a in "[a|0]{0,5}", b in "[a|0]{0,5}") {
        let (one, two) = (chain(&[&a]), chain(&[&b]));
        prop_assert_eq!(one.head().top() == two.head().top(), a == b);
    }
}

proptest! {
    /// Whatever is wrong with whichever lines, many at once are checked up to the same entry for the same reason as one
    /// after another.
    #[test]
    fn many_at_once_are_checked_as_each_is(
        lengths in vec(0usize..400, 0..200),
        faults in vec((any::<prop::sample::Index>(), 0..4), 0..3),
    ) {
        let messages: Vec<String> = lengths.iter().map(|length| "a".repeat(*length)).collect();
        let chain = chain(&messages.iter().map(String::as_str).collect::<Vec<_>>());
        let line = |entry: &Entry| entry.to_json_line().trim_end().to_string();
        let mut lines: Vec<String> = chain.entries().iter().map(line).collect();
        for (place, kind) in faults {
            if lines.is_empty() {
                break;
            }
            let line = place.get(&lines).clone();
            let (h, prev) = (line.find("\"h\":\"").unwrap() + 5, line.find("\"prev\":\"").unwrap() + 8);
            let altered = |at: usize| next_digit(&line, at);
            lines[place.index(lengths.len())] = match kind {
                0 => altered(h),
                1 => altered(prev),
                2 => line.replace("\"t\"", "\"u\""),
                _ => line.replace("2026-", "2O26-"),
            };
        }
        let texts = || lines.iter().map(String::as_bytes);

        let (mut each, mut read) = (Checker::new(), Vec::new());
        let expected = texts().try_for_each(|text| each.push_json(text).map(|entry| read.push(entry)));
        let mut many = Checker::new();
        prop_assert_eq!(many.push_json_all(texts()), expected.map(|()| read.clone()));
        prop_assert_eq!(many.head(), each.head());
        let text = format!("[{}]", lines.join(","));
        let of_list = Krunica::from_json(text.as_bytes()).map(|chain| chain.head().clone());
        prop_assert_eq!(of_list, expected.map(|()| each.head().clone()).map_err(Error::from));

        // In memory there are only entries that can be read.
        let entries: Vec<Entry> =
            (0..).zip(texts()).map_while(|(seq, text)| Entry::from_json_line(text, seq).ok()).collect();
        let (mut each, mut many) = (Checker::new(), Checker::new());
        let expected = entries.iter().try_for_each(|entry| each.push(entry));
        prop_assert_eq!(many.push_all(&entries), expected);
        prop_assert_eq!(many.head(), each.head());
        // And it goes on from where it stands.
        let mut resumed = Checker::new();
        let (first, second) = entries.split_at(entries.len() / 3);
        prop_assert_eq!(resumed.push_all(first).and_then(|()| resumed.push_all(second)), expected);
        prop_assert_eq!(resumed.head(), each.head());
    }
}

#[test]
fn every_altered_member_is_found_at_its_entry() {
    let good = chain(&["zero", "one", "two", "three"]);
    for (seq, entry) in (0..).zip(list(&good)) {
        let index = usize::try_from(seq).unwrap();
        let altered = |name: &str, value: Json| {
            let mut entries = list(&good);
            entries[index][name] = value;
            entries
        };
        let text = |name: &str| entry[name].as_str().unwrap().to_string();
        for place in [0, 63, 127] {
            assert_eq!(fault(&altered("h", next_digit(&text("h"), place).into())), (seq, ChainProblem::Hash));
            assert_eq!(fault(&altered("prev", next_digit(&text("prev"), place).into())), (seq, ChainProblem::Prev));
        }
        for place in [0, 31, 63] {
            assert_eq!(fault(&altered("w3", next_digit(&text("w3"), place).into())), (seq, ChainProblem::Hash));
        }
        for message in ["", "Zero", "zero ", "four", "one|", "\u{0}"] {
            assert_eq!(fault(&altered("poruka", message.into())), (seq, ChainProblem::Hash), "{message:?}");
        }
        for (name, value) in [
            ("h", json!(text("h").to_uppercase())),
            ("h", json!(text("h")[1..])),
            ("h", json!(null)),
            ("w3", json!(text("w3")[2..])),
            ("w3", json!("z".repeat(64))),
            ("w3", json!(7)),
            ("poruka", json!(null)),
            ("poruka", json!(["zero"])),
            ("t", json!("2026-11-21T09:00:00Z")),
            ("t", json!(0)),
        ] {
            assert_eq!(fault(&altered(name, value.clone())), (seq, ChainProblem::Format), "{name} {value}");
        }
        for value in [json!(null), json!(""), json!("0"), json!(0), json!(text("prev").to_uppercase() + "A")] {
            assert_eq!(fault(&altered("prev", value.clone())), (seq, ChainProblem::Prev), "{value}");
        }
    }
}

/// `h` does not cover the time, as specified; the tree does.
#[test]
fn an_altered_time_shows_in_the_tree_alone() {
    let good = chain(&["zero", "one", "two"]);
    for index in 0..3 {
        let mut entries = list(&good);
        entries[index]["t"] = json!("2026-11-21T09:00:00.001Z");
        let changed = read(&entries).unwrap();
        assert_eq!(changed.head().top(), good.head().top());
        assert_ne!(changed.head().root(), good.head().root());
        assert_ne!(changed, good);
    }
}

#[test]
fn members_are_exactly_those_of_an_entry() {
    let good = list(&chain(&["zero", "one"]));
    for index in 0..2 {
        let seq = u64::try_from(index).unwrap();
        for name in ["h", "poruka", "prev", "t", "w3"] {
            let mut entries = good.clone();
            entries[index].as_object_mut().unwrap().remove(name);
            assert_eq!(fault(&entries), (seq, ChainProblem::Members), "without {name}");
        }
        // In a list the position is the seq; a member that says so again could say otherwise.
        for (name, value) in [("seq", json!(seq)), ("seq", json!(null)), ("H", json!("")), ("", json!(1))] {
            let mut entries = good.clone();
            entries[index][name] = value;
            assert_eq!(fault(&entries), (seq, ChainProblem::Members), "with {name:?}");
        }
        for value in [json!(null), json!([]), json!("entry"), json!({})] {
            let mut entries = good.clone();
            entries[index] = value;
            assert_eq!(fault(&entries), (seq, ChainProblem::Members));
        }
    }
}

/// Of several faults in one entry the first is named, in the order members, prev, format, h.
#[test]
fn faults_have_an_order() {
    let good = list(&chain(&["zero", "one"]));
    let mut entry = good[1].clone();
    entry["h"] = json!("0".repeat(128));
    assert_eq!(fault(&[good[0].clone(), entry.clone()]), (1, ChainProblem::Hash));
    entry["t"] = json!("noon");
    assert_eq!(fault(&[good[0].clone(), entry.clone()]), (1, ChainProblem::Format));
    entry["prev"] = json!("1".repeat(128));
    assert_eq!(fault(&[good[0].clone(), entry.clone()]), (1, ChainProblem::Prev));
    entry["extra"] = json!(1);
    assert_eq!(fault(&[good[0].clone(), entry.clone()]), (1, ChainProblem::Members));
    // And of several bad entries the first.
    assert_eq!(fault(&[json!({}), entry]), (0, ChainProblem::Members));
}

#[test]
fn entries_cannot_be_reordered_dropped_repeated_or_inserted() {
    let messages = ["a", "b", "c", "d", "e"];
    let good = list(&chain(&messages));
    for i in 0..5 {
        for j in i + 1..5 {
            let mut entries = good.clone();
            entries.swap(i, j);
            assert_eq!(fault(&entries), (u64::try_from(i).unwrap(), ChainProblem::Prev), "swap {i} {j}");
        }
        let seq = u64::try_from(i).unwrap();
        let mut entries = good.clone();
        entries.insert(i, good[i].clone());
        assert_eq!(fault(&entries), (seq + 1, ChainProblem::Prev), "repeat {i}");
        if i < 4 {
            let mut entries = good.clone();
            entries.remove(i);
            assert_eq!(fault(&entries), (seq, ChainProblem::Prev), "drop {i}");
            // An entry that is made to fit at its place does not fit what follows.
            let mut forged = Krunica::from_json(Json::from(&good[..i]).to_string().as_bytes()).unwrap();
            forged.append(&Domain::default(), &identity("eve"), "forged", minute(9)).unwrap();
            let mut entries = list(&forged);
            entries.extend_from_slice(&good[i..]);
            assert_eq!(fault(&entries), (seq + 1, ChainProblem::Prev), "insert {i}");
        }
    }
}

/// What needs a checkpoint: the chain is unkeyed.
#[test]
fn truncation_and_a_rewrite_show_only_in_the_head() {
    let good = chain(&["a", "b", "c"]);
    let cut = read(&list(&good)[..2]).unwrap();
    let rewritten = chain(&["a", "B", "c"]);
    assert!(read(&list(&rewritten)).is_ok());
    assert_ne!(cut.head(), good.head());
    assert_ne!(rewritten.head(), good.head());
    assert_eq!(rewritten.head().size(), good.head().size());
}

#[test]
fn an_entry_is_pushed_only_at_its_place() {
    let good = chain(&["a", "b", "c"]);
    let entries = good.entries();
    let mut chain = Krunica::new();
    assert_eq!(chain.push(entries[1].clone()), Err(ChainFault { seq: 0, problem: ChainProblem::Format }));
    chain.push(entries[0].clone()).unwrap();
    assert_eq!(chain.push(entries[0].clone()), Err(ChainFault { seq: 1, problem: ChainProblem::Format }));
    assert_eq!(chain.entries().len(), 1);
    chain.push(entries[1].clone()).unwrap();
    assert_eq!(chain.get(1), Some(&entries[1]));
    assert_eq!((chain.get(2), chain.get(u64::MAX)), (None, None));

    // A lone entry that says another position than the one it was hashed for.
    let moved = entries[2].to_json().replace("\"seq\":2", "\"seq\":3");
    let moved = Entry::from_json(moved.as_bytes()).unwrap();
    assert_eq!(Checker::resume(good.head().clone()).push(&moved).unwrap_err().problem, ChainProblem::Prev);

    // After a fault the checker is where it was.
    let mut checker = Checker::resume(chain.head().clone());
    let bad = entries[2].to_json().replace(r#""poruka":"c""#, r#""poruka":"C""#);
    let bad = Entry::from_json(bad.as_bytes()).unwrap();
    assert_eq!(checker.push(&bad), Err(ChainFault { seq: 2, problem: ChainProblem::Hash }));
    checker.push(&entries[2]).unwrap();
    assert_eq!(checker.head(), good.head());
}

/// Whoever stores a head must not be led beyond the numbers that records can state.
#[test]
fn a_chain_ends_before_its_numbers_do() {
    let (domain, ana, t) = (Domain::default(), identity("ana"), "2026-11-21T09:00:00.000Z".parse().unwrap());
    let before = any_head((1 << 53) - 2, ChainHash::ZERO);
    let last = before.append(&domain, &ana, "the last", t).unwrap();
    let mut checker = Checker::resume(before);
    checker.push(&last.entry).unwrap();
    assert_eq!(checker.head().size(), (1 << 53) - 1);
    let line = json!({
        "h": h5(&format!("{ana}|beyond|{}|{}", last.entry.hash(), (1u64 << 53) - 1)),
        "poruka": "beyond", "prev": last.entry.hash().to_hex(), "t": "2026-11-21T09:00:00.000Z", "w3": ana.to_string(),
    });
    let refused = checker.push_json(line.to_string().as_bytes()).unwrap_err();
    assert_eq!(refused, ChainFault { seq: (1 << 53) - 1, problem: ChainProblem::Format });
}

#[test]
fn a_stream_of_lines_is_checked_as_the_list_is() {
    let good = chain(&["a", "b", "c"]);
    let mut checker = Checker::new();
    for (line, entry) in list(&good).iter().zip(good.entries()) {
        assert_eq!(&checker.push_json(line.to_string().as_bytes()).unwrap(), entry);
    }
    assert_eq!(checker.head(), good.head());
    for text in ["", "[]", "{", "{\"h\":1,\"h\":2}", "\u{feff}{}"] {
        assert_eq!(
            checker.push_json(text.as_bytes()).unwrap_err(),
            ChainFault { seq: 3, problem: ChainProblem::Members }
        );
    }
    let lone = good.entries()[0].to_json();
    assert_eq!(Checker::new().push_json(lone.as_bytes()).unwrap_err().problem, ChainProblem::Members, "it has a seq");
}

#[test]
fn what_is_not_a_list_is_malformed() {
    for text in ["{}", "null", "\"[]\"", "1"] {
        let Err(Error::Malformed(Malformed { field, problem, .. })) = Krunica::from_json(text.as_bytes()) else {
            panic!("{text}")
        };
        assert_eq!((field, problem), ("krunica", Problem::WrongType));
    }
    assert!(matches!(Krunica::from_json(b"[").unwrap_err(), Error::Malformed(m) if m.problem == Problem::JsonSyntax));
    assert_eq!(Krunica::from_json(b"[]").unwrap(), Krunica::new());
    assert_eq!(Krunica::new().head(), &Head::EMPTY);
    assert_eq!(Head::default(), Head::EMPTY);
    assert!(Value::parse(Krunica::new().to_json().as_bytes()).is_ok());
}

/// By the whole of what a record's message begins with, in the deployment that is asked for.
#[test]
fn an_entry_claims_by_how_it_begins() {
    let claims = |message: &str| {
        let (domain, chain) = (Domain::default(), chain_of(&identity("ana"), &[message]));
        let entry = &chain.entries()[0];
        assert!(!claims_signature(&Domain::new("ACME").unwrap(), entry), "{message}");
        assert!(!claims_seal(&Domain::new("ACME").unwrap(), entry), "{message}");
        (claims_signature(&domain, entry), claims_seal(&domain, entry))
    };
    assert_eq!(claims("DUALSEAL-SIGN::SIGNED::x"), (true, false));
    assert_eq!(claims("DUALSEAL-SEAL::SEALED::"), (false, true));
    for other in ["DUALSEAL-SIGN::SIGNED", "DUALSEAL-SIGN::SIGNEDx::", "DUALSEAL-SIGN:SIGNED::x", "x", "SIGNED::x"] {
        assert_eq!(claims(other), (false, false), "{other}");
    }
}

#[test]
fn reserved_messages_cannot_be_appended() {
    let tails = ["ID", "VAULT", "SIGN", "THRESHOLD", "SEAL", "SHARD", "PRESENCE", "KRUNICA"];
    let (domain, w3) = (Domain::default(), identity("ana"));
    let mut chain = chain(&["a"]);
    let before = chain.clone();
    for tail in tails {
        for message in
            [format!("DUALSEAL-{tail}::"), format!("DUALSEAL-{tail}::x::DUALSEAL"), format!("DUALSEAL-{tail}:::")]
        {
            let error = chain.append(&domain, &w3, &message, minute(5)).unwrap_err();
            assert_eq!(error, Error::Misuse(Misuse::ReservedMessage), "{message}");
            assert_eq!(Head::EMPTY.append(&domain, &w3, &message, minute(5)).unwrap_err(), error);
        }
        for message in [
            format!("DUALSEAL-{tail}"),
            format!("DUALSEAL-{tail}:x"),
            format!("DUALSEAL-{tail}x::"),
            format!(" DUALSEAL-{tail}::"),
            format!("dualseal-{tail}::"),
            format!("ACME-{tail}::"),
        ] {
            assert!(Head::EMPTY.append(&domain, &w3, &message, minute(5)).is_ok(), "{message}");
            let acme = Domain::new("ACME").unwrap();
            assert_eq!(Head::EMPTY.append(&acme, &w3, &message, minute(5)).is_err(), message.starts_with("ACME"));
        }
    }
    assert_eq!(chain, before);
}
