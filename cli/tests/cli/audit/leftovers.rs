//! What programs leave behind, and what home folders keep beside their records.

use super::{STRANGER, handed, mark};
use std::fs;

#[test]
fn what_an_interrupted_write_left_behind_is_told() {
    let place = handed("audit-leftovers");
    fs::create_dir(place.path("in/.deed.pdf.split.0123456789abcdef.unfinished")).unwrap();
    let left = [".deed.pdf.0123456789abcdef.unfinished", ".deed.pdf.split.0123456789abcdef.unfinished/share-1.txt"];
    for path in left {
        place.write(format!("in/{path}"), "deed 17");
    }
    place.write("in/unfinished", "a symphony");
    let answer = place.json(&STRANGER);
    for path in left {
        assert_eq!((mark(&answer, path), &answer["status"]), ("secret".to_owned(), &77.into()), "{answer}");
    }
    assert!(answer.to_string().contains("may hold plaintext"), "{answer}");
    assert_eq!(mark(&answer, "unfinished"), "other");
}

/// The files of a home folder are known for what they are, whole, by `inspect` and by `audit`.
#[test]
fn a_home_folder_is_no_heap_of_broken_records() {
    let place = handed("audit-home");
    place.good(&["id", "--creator=bo", "--save=bo"]);
    fs::copy(place.path(place.row("ana")), place.path("home/row of the ring")).unwrap();
    fs::copy(place.path("home.mark"), place.path("home/mark")).unwrap();
    for (name, marked) in [
        ("home.json", "noted"),
        ("names.json", "noted"),
        ("state.jsonl", "noted"),
        ("mark", "noted"),
        ("row of the ring", "secret"),
        ("decoys.jsonl", "secret"),
        ("records.jsonl", "secret"),
        ("chain.index", "other"),
        ("chain.tree", "other"),
        ("secrets.list", "other"),
    ] {
        let path = format!("home/{name}");
        let answer = place.json(&["inspect", &path]);
        let kind = if name == "mark" { "signer's mark".to_owned() } else { format!("home folder file ({name})") };
        assert_eq!((&answer["kind"], &answer["status"]), (&kind.as_str().into(), &0.into()), "{answer}");
        fs::copy(place.path(&path), place.path("in").join(name)).unwrap();
        assert_eq!(mark(&place.json(&STRANGER), name), marked, "{name}");
    }
    for (name, change) in [
        ("state.jsonl", "s/\"size\":[0-9]*/\"size\":-1/"),
        ("state.jsonl", "1s/\"top\":\"../\"top\":\"x/"),
        ("state.jsonl", "2s/\"mac\":\"../\"mac\":\"x/"),
        ("state.jsonl", "2s/\"revision\":/&-/"),
        ("state.jsonl", "$p"),
        ("row of the ring", "s/\"bela_stanje\":\"istina/&a/"),
        ("row of the ring", "s/\"povijest\":..[0-9]*/\"povijest\":[[-1/"),
        ("decoys.jsonl", "s/\"javni_kljuc\":\"../\"javni_kljuc\":\"x/"),
        ("decoys.jsonl", "$p"),
        ("mark", "s/\"root\":\"../\"root\":\"x/"),
        ("records.jsonl", "$s/}$//"),
        ("home.json", "s/\"origin\":\"[^\"]*/\"origin\":\"/"),
        ("home.json", "s/\"domain\":\"[^\"]*/\"domain\":\"/"),
        ("names.json", "s/\"identity_id\":\"../\"identity_id\":\"x/"),
    ] {
        assert_eq!(place.shell(&format!("sed '{change}' 'home/{name}' >changed.json")).status, 0);
        let answer = place.json(&["inspect", "changed.json"]);
        assert_ne!(answer["status"], 0, "{change}: {answer}");
        assert!(answer["kind"].as_str().unwrap().contains(name), "{change}: {answer}");
    }
}

/// What finds the entries of a chain and proves them is known by its name, and held against itself.
#[test]
fn the_index_and_the_tree_of_a_chain_are_told() {
    let place = handed("audit-index");
    let entries = place.read("home/chain.jsonl").lines().count() as u64;
    for (name, piece, count) in
        [("chain.index", 16, entries), ("chain.tree", 32, 2 * entries - u64::from(entries.count_ones()))]
    {
        let path = format!("home/{name}");
        let answer = place.json(&["inspect", &path]);
        assert_eq!((&answer["status"], &answer["count"]), (&0.into(), &count.into()), "{answer}");
        let bytes = fs::read(place.path(&path)).unwrap();
        let (mut other, twice) = (bytes.clone(), [&bytes[..2 * piece], &bytes[piece..]].concat());
        other[2 * piece] ^= 1;
        for (changed, status) in [(&bytes[..bytes.len() - 1], 66), (&other, 66), (&twice, 66)] {
            place.write(name, changed);
            let answer = place.json(&["inspect", name]);
            assert_eq!(answer["status"], status, "{answer}");
            assert!(answer["kind"].as_str().unwrap().contains(name), "{answer}");
        }
    }
}

#[test]
fn a_request_for_presence_is_known() {
    let place = handed("audit-presence");
    let hash = "0".repeat(64);
    let request =
        r#"{"args":"@","identity_id":"@","op":"rebuild","primatelj":"@","shard_ids":[],"split_id":"@","vault_id":"@"}"#;
    place.write("in/request.json", request.replace('@', &hash));
    let inspected = place.json(&["inspect", "in/request.json"]);
    assert_eq!((&inspected["kind"], &inspected["status"]), (&"presence request".into(), &0.into()), "{inspected}");
    assert_eq!(mark(&place.json(&STRANGER), "request.json"), "noted");
}

/// A seal is no JSON: what is wrong with a file that is named as one is the same for `verify` and for `audit`.
#[test]
fn a_file_that_is_named_as_a_seal_is_judged_as_one() {
    let place = handed("audit-no-seal");
    for content in ["", "hello", "{}", "SEAL-DUAL", "SEAL-L5::00"] {
        place.write("in/contract.pdf.seal", content);
        let verified = place.json(&["verify", "in/contract.pdf.seal", "--key=ana.pem", "--home=none"]);
        let answer = place.json(&STRANGER);
        let file = answer["files"].as_array().unwrap().iter().find(|file| file["path"] == "contract.pdf.seal").unwrap();
        assert_eq!((&file["mark"], &file["code"]), (&"malformed".into(), &verified["code"]), "{content:?}: {file}");
        assert!(verified["error"].as_str().unwrap().ends_with(file["text"].as_str().unwrap()), "{verified} {file}");
        assert!(!file["text"].as_str().unwrap().contains("JSON"), "{file}");
    }
}
