//! The form of a vault record: what is read, what is refused and by which name, and that no byte of it can be altered.

use dualseal::error::{Malformed, Problem};
use dualseal::vault::{Encryption, LedgerHead, Standing, StoredHash, Tier, VaultRecord, claims_record};
use dualseal::{Domain, Error, VerdictKind};
use dualseal_tests::vault::{Archive, get, kind, record, tier_signer, with};
use serde_json::{Value as Json, json};

fn refused(text: &str) -> Malformed {
    match VaultRecord::from_json(text.as_bytes()) {
        Err(Error::Malformed(malformed)) => malformed,
        other => panic!("{other:?}"),
    }
}

/// Every member of every object: its path and its name.
fn paths(value: &Json, at: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    for (name, inner) in value.as_object().into_iter().flatten() {
        at.push(name.clone());
        found.push(at.clone());
        paths(inner, at, found);
        at.pop();
    }
}

fn all_paths(json: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    paths(&serde_json::from_str(json).unwrap(), &mut Vec::new(), &mut found);
    found
}

fn parent<'a>(whole: &'a mut Json, path: &[String]) -> &'a mut serde_json::Map<String, Json> {
    path.iter().fold(whole, |at, name| &mut at[name.as_str()]).as_object_mut().unwrap()
}

#[test]
fn a_record_is_written_as_it_was_read() {
    let archive = Archive::of_three(1);
    for kept in &archive.kept {
        assert_eq!(*record(&kept.json).to_stored_json(), kept.json);
        let whole: Json = serde_json::from_str(&kept.json).unwrap();
        let spaced = serde_json::to_string_pretty(&whole).unwrap();
        assert_eq!(*record(&spaced).to_stored_json(), kept.json);
        let redacted = record(&kept.json).redacted();
        assert_eq!(*redacted.to_stored_json(), with(&kept.json, &["L7", "fragment"], Json::Null));
        assert!(redacted.fragment().is_none() && record(&kept.json).fragment().is_some());
    }
    let paths = all_paths(&archive.kept[0].json);
    assert_eq!(paths.len(), 43, "{paths:?}");
}

#[test]
fn a_duplicate_has_the_fragment_too() {
    let archive = Archive::of_three(1);
    for kept in &archive.kept {
        assert_eq!(*kept.record().duplicate().to_stored_json(), kept.json);
        assert!(kept.record().redacted().duplicate().fragment().is_none());
    }
}

#[test]
fn a_record_names_its_tier_and_who_showed_it() {
    let archive = Archive::of_three(1);
    for (kept, tier) in archive.kept.iter().zip([Tier::Native, Tier::Public, Tier::Noble]) {
        let (record, named) = (kept.record(), tier != Tier::Public);
        assert_eq!((record.tier(), record.tier().to_string()), (tier, tier.as_str().to_string()));
        assert_eq!(record.tier_key(), named.then(|| tier_signer(tier).public_key()));
    }
}

/// By its whole form, in the deployment that is asked for.
#[test]
fn an_entry_claims_a_record_by_its_form() {
    let archive = Archive::of_three(1);
    let (domain, acme) = (Domain::default(), Domain::new("ACME").unwrap());
    for index in 0..3 {
        let record = archive.kept[index].record();
        assert!(claims_record(&domain, record.entry()) && !claims_record(&acme, record.entry()));
        assert_eq!(archive.erasable(index).entry(), record.entry().seq());
    }
    let first = &archive.registry.chain.entries()[0];
    assert!(!claims_record(&domain, first), "{}", first.message());
    assert!(!archive.located().is_empty());
}

#[test]
fn every_member_is_needed_and_no_other_is_read() {
    let archive = Archive::of_three(1);
    let json = &archive.kept[0].json;
    let whole: Json = serde_json::from_str(json).unwrap();
    for path in all_paths(json) {
        let (name, above) = path.split_last().unwrap();
        let mut without = whole.clone();
        parent(&mut without, above).remove(name).unwrap();
        let malformed = refused(&without.to_string());
        assert_eq!((malformed.field, malformed.problem), (name.as_str(), Problem::MissingMember), "{path:?}");

        let mut more = whole.clone();
        parent(&mut more, above).insert("more".to_string(), Json::Null);
        let malformed = refused(&more.to_string());
        assert_eq!(malformed.problem, Problem::UnknownMember("more".to_string()), "{path:?}");
    }
    let twice = json.replacen("{\"L5\"", "{\"L6\":\"\",\"L5\"", 1);
    assert_eq!(refused(&twice).problem, Problem::DuplicateMember);
}

#[test]
fn every_member_has_its_form() {
    let archive = Archive::of_three(1);
    let json = &archive.kept[0].json;
    for path in all_paths(json) {
        let value = get(json, &path.iter().map(String::as_str).collect::<Vec<_>>());
        let set = |value: Json| refused(&with(json, &path.iter().map(String::as_str).collect::<Vec<_>>(), value));
        // Every member but two texts refuses a boolean and a text of another form.
        set(json!(true));
        let free = [vec!["sealed", "layers", "L1", "text"], vec!["sealed", "header", "type"], vec!["L8", "poruka"]];
        if !value.is_object() && !free.iter().any(|free| *free == path) {
            set(json!("G"));
            set(json!(""));
            set(json!(-1));
            set(json!(9_007_199_254_740_992_u64));
        }
        if let Some(text) = value.as_str().filter(|text| text.len() >= 32 && !text.contains([':', '-'])) {
            set(json!(text.to_uppercase().replace(char::is_numeric, "A")));
            set(json!(text[1..]));
            set(json!(format!("{text}0")));
        }
    }
}

#[test]
fn the_required_list_is_the_one_of_the_tier() {
    let archive = Archive::of_three(1);
    let list = |index: usize, names: &[&str]| {
        VaultRecord::from_json(with(&archive.kept[index].json, &["sealed", "required"], names).as_bytes())
    };
    let (shown, public) =
        (["L0", "L2", "L3", "L4", "L5", "L6", "L7", "L8"], ["L0", "L2", "L3", "L5", "L6", "L7", "L8"]);
    list(0, &shown).unwrap();
    list(1, &public).unwrap();
    let at = |index, problem| Error::from(Malformed::new("required", index, problem));
    assert_eq!(list(0, &public).unwrap_err(), at(Some(3), Problem::Order));
    assert_eq!(list(1, &shown).unwrap_err(), at(Some(3), Problem::Order));
    assert_eq!(list(0, &[]).unwrap_err(), at(None, Problem::MissingMember));
    assert_eq!(list(0, &shown[..7]).unwrap_err(), at(None, Problem::MissingMember));
    assert_eq!(
        list(0, &["L0", "L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8"]).unwrap_err(),
        at(Some(1), Problem::Order)
    );
    assert_eq!(list(0, &["L0", "L2", "L2"]).unwrap_err(), at(Some(2), Problem::Order));
    assert_eq!(list(0, &[&shown[..], &["L8"]].concat()).unwrap_err(), at(Some(8), Problem::Order));
    assert_eq!(list(0, &["L0", "L9"]).unwrap_err(), at(Some(1), Problem::UnknownValue));
    assert_eq!(list(0, &["l0"]).unwrap_err(), at(Some(0), Problem::UnknownValue));
}

#[test]
fn tiers_and_formats_are_known_ones() {
    let archive = Archive::of_three(1);
    let problem = |index: usize, path: &[&str], value: Json| {
        let malformed = refused(&with(&archive.kept[index].json, path, value));
        (malformed.field, malformed.problem)
    };
    let layer = |name| ["sealed", "layers", "L4", name];
    assert_eq!(problem(0, &layer("tier"), "royal".into()), ("tier", Problem::UnknownValue));
    assert_eq!(problem(0, &layer("tier"), "NATIVE".into()), ("tier", Problem::UnknownValue));
    // Both null exactly for public.
    assert_eq!(problem(0, &layer("signature"), Json::Null), ("signature", Problem::WrongType));
    assert_eq!(problem(0, &layer("public_key"), Json::Null), ("public_key", Problem::WrongType));
    assert_eq!(problem(1, &layer("public_key"), "00".repeat(32).into()), ("public_key", Problem::WrongType));
    assert_eq!(problem(1, &layer("signature"), "00".repeat(64).into()), ("signature", Problem::WrongType));
    assert_eq!(problem(1, &layer("tier"), "noble".into()).0, "required");
    let header = |name| ["sealed", "header", name];
    assert_eq!(problem(0, &header("verzija"), "2".into()), ("verzija", Problem::UnknownValue));
    assert_eq!(problem(0, &header("encryption"), "AES".into()), ("encryption", Problem::UnknownValue));
    for (kind, expected) in [
        ("", Problem::Range),
        ("a::b", Problem::Ambiguous),
        (":a", Problem::Ambiguous),
        ("a\nb", Problem::Control),
        (&"a".repeat(256), Problem::Range),
    ] {
        assert_eq!(problem(0, &header("type"), kind.into()), ("type", expected), "{kind:?}");
    }
    let legacy = format!("SEAL-L5::{}", "0".repeat(128));
    assert_eq!(problem(0, &["L5"], legacy.into()), ("seal", Problem::UnknownValue));
    assert_eq!(problem(0, &["seal_id"], "0".repeat(64).into()), ("seal_id", Problem::UnknownValue));
}

/// L1 is anybody's text, of any length and with any characters, and it stays what it was.
#[test]
fn a_note_may_hold_anything() {
    let mut archive = Archive::new(1);
    let notes = ["", "::", "\u{0}\u{1b}[31m\r\n\"\\", "\u{202e}\u{feff}😀ﬀ", &"x".repeat(100_000)];
    for note in notes {
        let place = dualseal::vault::Destination { note, ..archive.place() };
        let (sealed, stored) =
            archive.vault(Tier::Public).seal(b"x", "DEED", Encryption::None, &place, &mut dualseal::SystemRng).unwrap();
        let index = archive.keep(sealed, stored);
        let read = archive.kept[index].record();
        assert_eq!(read.note(), note);
        let report = archive.judge(index, read);
        assert_eq!(kind(&report), VerdictKind::Valid, "{report}");
        assert!(!report.to_string().contains(['\u{1b}', '\u{202e}']));
    }
}

#[test]
fn a_truncated_record_is_refused() {
    let archive = Archive::of_three(1);
    let json = &archive.kept[0].json;
    for end in 0..json.len() {
        VaultRecord::from_json(&json.as_bytes()[..end]).unwrap_err();
    }
    VaultRecord::from_json(format!("{json}{json}").as_bytes()).unwrap_err();
    VaultRecord::from_json(format!("{json}\0").as_bytes()).unwrap_err();
    VaultRecord::from_json(format!("[{json}]").as_bytes()).unwrap_err();
}

/// Members that are far longer than they may be, lists without end and depths without bottom are refused by name. Only
/// what the perimeter reported has no bound of its own.
#[test]
fn an_oversized_record_is_refused() {
    let archive = Archive::of_three(1);
    let json = &archive.kept[0].json;
    let long = "0".repeat(2 << 20);
    for path in all_paths(json) {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let Json::String(_) = get(json, &path) else { continue };
        let text = with(json, &path, long.as_str());
        match path.last() {
            Some(&("text" | "poruka")) => drop(VaultRecord::from_json(text.as_bytes()).unwrap()),
            _ => drop(refused(&text)),
        }
    }
    let required = with(json, &["sealed", "required"], vec!["L0"; 100_000]);
    assert_eq!(refused(&required).field, "required");
    let deep = json.replace("[\"L0\"", &format!("{}\"L0\"", "[".repeat(100_000)));
    assert_eq!(refused(&deep).problem, Problem::JsonDepth);
    let wide = json.replacen('{', &format!("{{{}", "\"L5\":0,".repeat(2)), 1);
    assert_eq!(refused(&wide).problem, Problem::DuplicateMember);
}

/// Whatever the byte is changed to, the record is not read, or is not Valid: neither for the operator nor for a
/// stranger who knows neither its place nor the record before.
#[test]
fn no_byte_of_a_record_can_be_altered() {
    let archive = Archive::of_three(1);
    let (operator, public) = (archive.operator(), archive.public());
    let at = archive.at(0);
    let genesis = LedgerHead::new(archive.ledger.ledger());
    let (verifier, stored) = (archive.verifier(), archive.kept[0].hash());
    let json = archive.kept[0].json.as_bytes();
    let judge = |first: usize| {
        let (mut text, mut judged) = (json.to_vec(), 0);
        for place in (first..json.len()).step_by(2) {
            for other in [json[place] ^ 0x01, json[place] ^ 0x20] {
                text[place] = other;
                let Ok(altered) = VaultRecord::from_json(&text) else { continue };
                judged += 1;
                let report = verifier.verify(altered.redacted(), &stored, &archive.ana, &public, Standing::default());
                let redacted = redacted_part(json, place);
                assert_eq!(kind(&report) == VerdictKind::Valid, redacted, "byte {place}: {report}");
                let standing = Standing { place: Some(&at), after: Some(&genesis) };
                let report = verifier.verify(altered, &stored, &archive.ana, &operator, standing);
                assert_eq!(kind(&report), VerdictKind::Invalid, "byte {place}: {report}");
            }
            text[place] = json[place];
        }
        judged
    };
    // Two halves at a time: some ten thousand records are verified twice.
    let judged: usize = std::thread::scope(|scope| {
        let judge = &judge;
        let halves = [0, 1].map(|first| scope.spawn(move || judge(first)));
        halves.into_iter().map(|half| half.join().unwrap()).sum()
    });
    assert!(judged > 7_000, "{judged}");
}

/// Whether a byte is one of the fragment's digits, which a redacted copy does not have.
fn redacted_part(json: &[u8], place: usize) -> bool {
    let name = b"\"fragment\":\"";
    let begin = json.windows(name.len()).position(|bytes| bytes == name).unwrap() + name.len();
    (begin..begin + 64).contains(&place)
}

#[test]
fn no_stored_byte_can_be_altered_left_out_or_added() {
    let mut archive = Archive::new(1);
    for (encryption, payload) in [(Encryption::None, b"0123456789".as_slice()), (Encryption::Stream, b"0123456789")] {
        let index = archive.seal(payload, "DEED", encryption, Tier::Public);
        let stored = archive.kept[index].stored.clone();
        let verdict = |bytes: &[u8]| {
            let (verifier, at) = (archive.verifier(), archive.at(index));
            let standing = Standing { place: Some(&at), after: None };
            let hash = StoredHash::of(&Domain::default(), bytes);
            let by_operator =
                verifier.verify(archive.kept[index].record(), &hash, &archive.ana, &archive.operator(), standing);
            let by_public =
                verifier.verify(archive.kept[index].record(), &hash, &archive.ana, &archive.public(), standing);
            assert_eq!(kind(&by_operator), kind(&by_public));
            kind(&by_operator)
        };
        assert_eq!(verdict(&stored), VerdictKind::Valid);
        for place in 0..stored.len() {
            let mut altered = stored.clone();
            altered[place] ^= 1;
            assert_eq!(verdict(&altered), VerdictKind::Invalid, "byte {place}");
            assert_eq!(verdict(&stored[..place]), VerdictKind::Invalid, "cut at {place}");
        }
        assert_eq!(verdict(&[&stored[..], b"\0"].concat()), VerdictKind::Invalid);
        // The characters of the hash before belong to L0's input: as stored bytes they are something else.
        let prev = archive.kept[index].record().prev().to_hex();
        assert_eq!(verdict(&[&stored[..], prev.as_bytes()].concat()), VerdictKind::Invalid);
    }
}
