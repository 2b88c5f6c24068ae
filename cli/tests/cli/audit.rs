//! Audits of folders: good, bad, foreign and unknown files, for strangers and for the operator.

mod asked;
mod bounds;
mod bundles;
mod forks;
mod layers;
mod ledgers;
mod leftovers;
mod logs;
mod own;
mod secrets;
mod since;
mod trust;
mod whose;

use crate::run::{DUALSEAL, Place};
use crate::schema::answers;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

const STRANGER: [&str; 5] = ["audit", "in", "--key=ana.pem", "--log-key=ana.pem", "--home=none"];

/// A folder `in` as somebody may be handed it: documents, records of every kind, the chain, a checkpoint, a ledger.
fn handed(name: &str) -> Place {
    let place = Place::with_vault(name);
    fs::create_dir_all(place.path("in/below")).unwrap();
    for line in [
        "cp contract.pdf deed.pdf in",
        "dualseal sign in/contract.pdf",
        "dualseal seal in/contract.pdf",
        "dualseal sign in/deed.pdf -o in/below/of-the-deed.json",
        "dualseal vault redact 0 -o in/copy.vault.json --stored in/copy.stored",
        "dualseal vault redact -o in/ledger.jsonl",
        "dualseal checkpoint sign -o in/checkpoint.json",
        "cp home/chain.jsonl in/chain.jsonl",
        "dualseal key export --ring -o in/ring.json",
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    place.write("in/notes.txt", "notes");
    place.write("in/empty", "");
    place.write("in/order.json", r#"{"items":3,"time":4}"#);
    place.write("in/list.json", "[1,2,3]");
    place
}

/// The mark of each file.
fn marks(answer: &serde_json::Value) -> Vec<(String, String)> {
    let files = answer["files"].as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    files.map(|file| (text(&file["path"]), text(&file["mark"]))).collect()
}

pub(crate) fn mark(answer: &serde_json::Value, path: &str) -> String {
    let found = marks(answer).into_iter().find(|(name, _)| name == path);
    found.unwrap_or_else(|| panic!("{path}: {answer}")).1
}

#[test]
fn a_stranger_sees_that_all_of_it_holds() {
    let place = handed("audit-good");
    let answer = place.json(&STRANGER);
    assert_eq!((&answer["status"], &answer["worst"]), (&0.into(), &"noted".into()), "{answer}");
    let expected = [
        ("below/of-the-deed.json", "valid"),
        ("chain.jsonl", "valid"),
        ("checkpoint.json", "valid"),
        ("contract.pdf", "vouched"),
        ("contract.pdf.seal", "valid"),
        ("contract.pdf.sig.json", "valid"),
        ("copy.stored", "vouched"),
        ("copy.vault.json", "valid"),
        ("deed.pdf", "vouched"),
        ("empty", "other"),
        ("ledger.jsonl", "valid"),
        ("list.json", "other"),
        ("notes.txt", "other"),
        ("order.json", "other"),
        ("ring.json", "noted"),
    ];
    let expected = expected.map(|(path, mark)| (path.to_owned(), mark.to_owned()));
    assert_eq!(marks(&answer), expected, "{answer}");
    let of = answer["files"][0]["of"].as_str().unwrap();
    assert_eq!(of, "deed.pdf", "by its content");
    // Without the log's key nothing is known of its chain.
    let answer = place.json(&STRANGER[..3]);
    assert_eq!((&answer["status"], mark(&answer, "chain.jsonl")), (&3.into(), "unchecked".to_owned()));
    // The operator needs nothing more; a ring does as well as a key.
    assert_eq!(place.json(&["audit", "in"])["status"], 0);
    assert_eq!(place.json(&["audit", "in", "--ring=in/ring.json", "--log-key=ana.pem"])["status"], 0);
    // A key that lies in the folder is not trusted.
    fs::copy(place.path("ana.pem"), place.path("in/ana.pem")).unwrap();
    place.refused(&["audit", "in", "--home=none"], 64, "nothing says whose keys to trust");
}

/// What is done to the folder, which file shows it, and how.
#[test]
fn everything_that_was_changed_is_told() {
    let place = handed("audit-bad");
    let cases: [(&str, &str, &str, i32); 12] = [
        ("echo more >>in/contract.pdf", "contract.pdf.sig.json", "invalid", 1),
        ("echo more >>in/contract.pdf", "contract.pdf.seal", "invalid", 1),
        ("rm in/contract.pdf", "contract.pdf.seal", "unchecked", 3),
        ("echo more >>in/copy.stored", "copy.vault.json", "invalid", 1),
        ("mv in/copy.stored in/x; echo more >>in/x", "copy.vault.json", "unchecked", 3),
        ("cp in/deed.pdf in/copy.stored", "copy.vault.json", "invalid", 1),
        ("mkdir in/stored; echo more >in/stored/000001", "ledger.jsonl", "invalid", 1),
        ("sed -i '2s/prev/prew/' in/chain.jsonl", "chain.jsonl", "invalid", 1),
        ("sed -i '$d' in/chain.jsonl", "chain.jsonl", "invalid", 1),
        ("sed -i '1d' in/ledger.jsonl", "ledger.jsonl", "invalid", 1),
        ("sed -i 's/\"text\":\"[^\"]*\"/\"text\":\"x\"/' in/copy.vault.json", "copy.vault.json", "invalid", 1),
        ("sed -i 's/\"size\":[0-9]*/\"size\":1/' in/checkpoint.json", "checkpoint.json", "invalid", 1),
    ];
    place.shell("cp -r in kept");
    for (line, path, expected, status) in cases {
        assert_eq!(place.shell(line).status, 0, "{line}");
        let answer = place.json(&STRANGER);
        assert_eq!((mark(&answer, path), &answer["status"]), (expected.to_owned(), &status.into()), "{line}: {answer}");
        assert_eq!(place.json(&STRANGER), answer, "the same again");
        place.shell("rm -r in; cp -r kept in");
    }
    for (line, path) in [
        ("truncate -s 500 in/contract.pdf.sig.json", "contract.pdf.sig.json"),
        ("echo hello >in/contract.pdf.seal", "contract.pdf.seal"),
        ("truncate -s 0 in/contract.pdf.sig.json", "contract.pdf.sig.json"),
        ("sed -i 's/istina/maybe/' in/ring.json", "ring.json"),
        ("truncate -s 500 in/copy.vault.json", "copy.vault.json"),
        ("truncate -s 0 in/copy.vault.json", "copy.vault.json"),
        ("sed -i '1s/^./x/' in/copy.vault.json", "copy.vault.json"),
        ("sed -i '1s/^./x/' in/ledger.jsonl", "ledger.jsonl"),
        ("sed -i '1s/^./x/' in/chain.jsonl", "chain.jsonl"),
        ("truncate -s 100 in/chain.jsonl", "chain.jsonl"),
        ("truncate -s 0 in/chain.jsonl", "chain.jsonl"),
        ("sed -i '1s/^./x/' in/checkpoint.json", "checkpoint.json"),
        ("cp in/ring.json in/checkpoint.json", "checkpoint.json"),
        ("cp in/ring.json in/contract.pdf.sig.json", "contract.pdf.sig.json"),
        ("cp home/seal.key in/contract.pdf.sig.json", "contract.pdf.sig.json"),
        ("truncate -s 500 in/below/of-the-deed.json", "below/of-the-deed.json"),
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
        let answer = place.json(&STRANGER);
        let status = answer["status"].as_u64().unwrap();
        assert_eq!((mark(&answer, path), status == 66), ("malformed".to_owned(), true), "{answer}");
        place.shell("rm -r in; cp -r kept in");
    }
}

/// What a member quotes makes a record no key file, and lines that are no records may be somebody's document.
#[test]
fn names_and_beginnings_decide() {
    let place = handed("audit-names");
    for (path, member) in [("in/contract.pdf.sig.json", "timestamp"), ("in/copy.vault.json", "text")] {
        let quote = format!("sed -Ei 's/\"{member}\":\"[^\"]*/\"{member}\":\"-----BEGIN PRIVATE KEY-----/' {path}");
        assert_eq!(place.shell(&quote).status, 0);
        assert!(place.read(path).contains("BEGIN PRIVATE KEY"), "{path}");
        let inspected = place.json(&["inspect", path]);
        assert!(inspected["kind"] != "secret key file", "{inspected}");
    }
    let answer = place.json(&STRANGER);
    assert_eq!(answer["summary"]["secret"], 0, "{answer}");
    assert_eq!(mark(&answer, "contract.pdf.sig.json"), "malformed");
    assert_eq!(mark(&answer, "copy.vault.json"), "invalid");
    place.shell("rm in/contract.pdf.sig.json in/copy.vault.json");
    place.write("in/quote.txt", "as in \"-----BEGIN PRIVATE KEY-----\"");
    place.write("in/prices.json", r#"{"price": 1.5}"#);
    place.write("in/lines.jsonl", "{\"n\":1}\n{\"n\":2}\n");
    place.write("in/half.json", r#"{"n":"#);
    place.good(&["sign", "in/lines.jsonl"]);
    place.good(&["sign", "in/half.json"]);
    let answer = place.json(&STRANGER);
    assert_eq!(answer["status"], 0, "{answer}");
    let of = ["quote.txt", "prices.json", "lines.jsonl", "half.json"].map(|path| mark(&answer, path));
    assert_eq!(of, ["other", "other", "vouched", "vouched"]);
    place.shell("rm in/lines.jsonl.sig.json in/half.json.sig.json");
    let answer = place.json(&STRANGER);
    assert_eq!(["lines.jsonl", "half.json"].map(|path| mark(&answer, path)), ["malformed", "malformed"]);
}

/// The worst decides, and a decoy is a pass for outsiders alone.
#[test]
fn the_worst_decides() {
    let place = handed("audit-worst");
    place.good(&["key", "new", "bo"]);
    place.good(&["sign", "in/deed.pdf", "--as=bo"]);
    // Signed by somebody whose key was not given.
    let answer = place.json(&STRANGER);
    assert_eq!((&answer["status"], mark(&answer, "deed.pdf.sig.json")), (&3.into(), "unchecked".to_owned()));
    place.good(&["key", "export", "bo", "-o", "bo.pem"]);
    assert_eq!(place.json(&[&STRANGER[..], &["--key=bo.pem"]].concat())["status"], 0);
    place.good(&["key", "state", "bo", "suspended"]);
    let answer = place.json(&["audit", "in"]);
    assert_eq!((&answer["status"], mark(&answer, "deed.pdf.sig.json")), (&3.into(), "suspended".to_owned()));
    place.good(&["key", "state", "bo", "revoked"]);
    assert_eq!(place.json(&["audit", "in"])["status"], 2);
    place.steal(&place.fragment(0), "in/notes.txt", "in/notes.txt.sig.json");
    let answer = place.json(&["audit", "in"]);
    assert_eq!((&answer["status"], mark(&answer, "notes.txt.sig.json")), (&4.into(), "decoy".to_owned()));
    let answer = place.json(&["audit", "in", "--public"]);
    assert_eq!((&answer["status"], mark(&answer, "notes.txt.sig.json")), (&1.into(), "valid".to_owned()));
    assert!(!answer.to_string().contains("DECOY") && answer["summary"]["decoy"] == 0, "{answer}");
}

/// A retired key's records hold where the chain in the folder shows that they are older. A checkpoint by a key that is
/// retired itself shows nothing, to the operator as little as to anybody who has the ring.
#[test]
fn the_chain_in_the_folder_proves_age() {
    let place = handed("audit-retired");
    fs::copy(place.path("ana.pem"), place.path("old.pem")).unwrap();
    for line in ["dualseal key rotate ana", "dualseal key export --ring -o ring.json", "dualseal key export -o log.pem"]
    {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    let stranger = ["audit", "in", "--ring=ring.json", "--home=none"];
    let answer = place.json(&stranger);
    assert_eq!((&answer["status"], mark(&answer, "contract.pdf.sig.json")), (&1.into(), "invalid".to_owned()));
    let answer = place.json(&[&stranger[..], &["--log-key=old.pem"]].concat());
    assert_eq!((&answer["status"], mark(&answer, "checkpoint.json")), (&1.into(), "invalid".to_owned()), "{answer}");
    assert_eq!(mark(&place.json(&["audit", "in"]), "checkpoint.json"), "invalid");
    for line in ["dualseal checkpoint sign -o in/checkpoint.json --force", "cp home/chain.jsonl in/chain.jsonl"] {
        assert_eq!(place.shell(line).status, 0, "{line}");
    }
    let answer = place.json(&[&stranger[..], &["--log-key=log.pem"]].concat());
    assert_eq!(answer["status"], 0, "{answer}");
    assert_eq!(place.json(&["audit", "in"])["status"], 0);
}

#[test]
fn a_quorum_is_heard() {
    let place = Place::with_ana("audit-quorum");
    fs::create_dir(place.path("in")).unwrap();
    for line in [
        "dualseal key new ivo",
        "cp contract.pdf in",
        "dualseal session found --threshold 2 --owner ana --owner ivo --kind ml-dsa-65 \
            --identity board --as ana -o board",
        "dualseal checkpoint sign --as ana -o checkpoint.json",
        "dualseal session sign in/contract.pdf board/share-1.json board/share-2.json --as ana",
        "cp board/session.json in",
    ] {
        let ran = place.shell(line);
        assert_eq!(ran.status, 0, "{line}: {ran:?}");
    }
    let stranger = ["audit", "in", "--key=board/quorum.pem", "--home=none"];
    let seen = || {
        let answer = place.json(&stranger);
        (answer["status"].as_u64().unwrap(), mark(&answer, "contract.pdf.quorum.json"))
    };
    assert_eq!(seen(), (0, "valid".to_owned()));
    let answer = place.json(&stranger);
    assert_eq!(answer["signers"][0]["documents"], serde_json::json!(["contract.pdf"]), "{answer}");
    // Of a quorum that nobody here knows, and of one whose custodians alone can check it, nothing is false.
    place.good(&["key", "export", "ana", "-o", "ana.pem"]);
    let answer = place.json(&["audit", "in", "--key=ana.pem", "--home=none"]);
    assert_eq!(mark(&answer, "contract.pdf.quorum.json"), "unchecked", "{answer}");
    place.write("in/deed.pdf", "a deed");
    for line in [
        "dualseal session found --threshold 2 --owner ana --owner ivo --kind hmac --as ana -o vote",
        "dualseal checkpoint sign --as ana -o later.json",
        "dualseal session sign in/deed.pdf vote/share-1.json vote/share-2.json --session vote/session.json --as ana",
    ] {
        let ran = place.shell(line);
        assert_eq!(ran.status, 0, "{line}: {ran:?}");
    }
    for state in ["valid", "revoked"] {
        place.good(&["key", "state", "board", state]);
        for args in [&stranger[..], &["audit", "in"]] {
            assert_eq!(mark(&place.json(args), "deed.pdf.quorum.json"), "unchecked", "{state}");
        }
    }
    place.shell("rm in/deed.*");
    place.write("in/contract.pdf", "another contract");
    assert_eq!(seen(), (1, "invalid".to_owned()));
    fs::remove_file(place.path("in/session.json")).unwrap();
    assert_eq!(seen(), (3, "unchecked".to_owned()));
    // A custodian's share does not belong there.
    fs::copy(place.path("board/share-1.json"), place.path("in/share-1.json")).unwrap();
    assert_eq!(mark(&place.json(&stranger), "share-1.json"), "secret");
}

/// Runs as somebody who may not read everything: root may.
#[test]
fn what_cannot_be_read_is_told() {
    let place = handed("audit-unreadable");
    let (program, nobody) = (place.path("dualseal"), 65_534);
    // Not by this process: see `writers::a_read_only_home_is_read`.
    assert!(Command::new("cp").arg(DUALSEAL).arg(&program).status().unwrap().success());
    for path in ["in/notes.txt", "in/below"] {
        fs::set_permissions(place.path(path), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let mut command = Command::new(&program);
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.uid(nobody).gid(nobody);
    }
    let output = command.args(STRANGER).arg("--json").current_dir(place.path("")).output().unwrap();
    fs::set_permissions(place.path("in/below"), fs::Permissions::from_mode(0o755)).unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["status"], output.status.code()), (&66.into(), Some(66)), "{answer}");
    assert_eq!([mark(&answer, "notes.txt"), mark(&answer, "below")], ["unreadable", "unreadable"]);
    assert_eq!(mark(&answer, "contract.pdf.sig.json"), "valid");
}

/// What counts as a document's content is the same for `verify` and for `audit`: its bytes, and where it is asked for
/// the canonical form of its JSON as well.
#[test]
fn canonical_json_has_one_signature() {
    let place = Place::with_ana("audit-canonical");
    fs::create_dir(place.path("in")).unwrap();
    place.good(&["key", "export", "ana", "-o", "ana.pem"]);
    let (spaced, other) = (r#"{ "items": 3 }"#, r#"{"items":4}"#);
    let (plain, twice) = (r#"{"items":3}"#, r#"{"items":3,"items":3}"#);
    for (signed, option, document, [as_it_is, canonical]) in [
        (spaced, Some("--canonical"), spaced, [1, 0]),
        (spaced, Some("--canonical"), plain, [0, 0]),
        (spaced, Some("--canonical"), other, [1, 1]),
        (spaced, None, spaced, [0, 0]),
        (spaced, None, plain, [1, 1]),
        // Whoever signed bytes is not said to have signed others, unless the verifier says that JSON is meant.
        (plain, None, spaced, [1, 0]),
        (twice, None, twice, [0, 0]),
        ("no JSON", None, "no JSON", [0, 0]),
        ("no JSON", None, spaced, [1, 1]),
    ] {
        place.write("in/order.json", signed);
        let sign = ["sign", "in/order.json", "--force"].into_iter().chain(option).collect::<Vec<_>>();
        place.good(&sign);
        place.write("in/order.json", document);
        let verify = ["verify", "in/order.json.sig.json", "--key=ana.pem", "--home=none"];
        for (more, expected) in [(&[][..], as_it_is), (&["--canonical"], canonical)] {
            let case = format!("{signed} {option:?} {document} {more:?}");
            assert_eq!(place.json(&[&verify[..], more].concat())["status"], expected, "verify: {case}");
            assert_eq!(place.json(&[&STRANGER[..], more].concat())["status"], expected, "audit: {case}");
        }
    }
}

#[test]
fn nothing_outside_is_read() {
    let place = handed("audit-links");
    place.write("outside.pdf", "outside");
    place.good(&["sign", "outside.pdf"]);
    symlink(place.path("outside.pdf"), place.path("in/outside.pdf")).unwrap();
    symlink(place.path("home"), place.path("in/home")).unwrap();
    symlink("..", place.path("in/below/up")).unwrap();
    symlink("nowhere", place.path("in/broken")).unwrap();
    fs::rename(place.path("outside.pdf.sig.json"), place.path("in/outside.pdf.sig.json")).unwrap();
    assert_eq!(place.shell("mkfifo in/pipe").status, 0);
    let answer = place.json(&STRANGER);
    for path in ["outside.pdf", "home", "below/up", "broken", "pipe"] {
        assert_eq!(mark(&answer, path), "skipped");
    }
    assert_eq!((&answer["status"], mark(&answer, "outside.pdf.sig.json")), (&3.into(), "unchecked".to_owned()));
    assert!(!answer.to_string().contains("chain.jsonl\",\"text\":\"1 "), "{answer}");
    // Secrets that lie there are told of, and never printed.
    fs::copy(place.path("home/seal.key"), place.path("in/seal.key")).unwrap();
    let ran = place.run(&STRANGER);
    assert!(ran.out.contains("SECRET") && ran.out.contains("take them away"), "{ran:?}");
    let secret = place.read("home/seal.key");
    assert!(!ran.out.contains(secret.lines().nth(1).unwrap()));
}

#[test]
fn folders_of_any_kind() {
    let place = Place::with_records("audit-any");
    fs::create_dir(place.path("in")).unwrap();
    place.refused(&["audit", "in", "--key=ana.pem"], 3, "nothing here that can be verified");
    place.refused(&["audit", "none", "--key=ana.pem"], 66, "cannot read none");
    place.refused(&["audit", "contract.pdf", "--key=ana.pem"], 66, "give a folder");
    // Names that are not UTF-8, and deep ones.
    let deep = "in/".to_owned() + &"d/".repeat(100);
    fs::create_dir_all(place.path(&deep)).unwrap();
    let name = Path::new(OsStr::from_bytes(b"in/uge\xf0vor \xff\x1b[2J.pdf"));
    fs::copy(place.path("contract.pdf"), place.path(name)).unwrap();
    let record = Path::new(OsStr::from_bytes(b"in/uge\xf0vor \xff\x1b[2J.pdf.sig.json"));
    fs::copy(place.path("contract.pdf.sig.json"), place.path(record)).unwrap();
    let ran = place.run(&["audit", "in", "--key=ana.pem"]);
    assert!(ran.status == 0 && !ran.out.contains('\u{1b}'), "{ran:?}");
    // A large document is streamed.
    fs::File::create(place.path("in/large")).unwrap().set_len(96 << 20).unwrap();
    place.good(&["sign", "in/large"]);
    let ran = place.shell("ulimit -v 400000; dualseal audit in --key ana.pem");
    assert_eq!(ran.status, 0, "{ran:?}");
}

/// No seed of any fuzz target, whole or broken, makes it fail, and none is valid for a stranger.
#[test]
fn anything_may_lie_there() {
    let place = handed("audit-corpus");
    fs::create_dir(place.path("in/seeds")).unwrap();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = fs::read(&path).unwrap();
            let half = bytes.len() / 2;
            for variant in [
                bytes.clone(),
                bytes[..half].to_vec(),
                [&bytes[..], b"\xff"].concat(),
                [&bytes[..], b"\n{}\n"].concat(),
            ] {
                for suffix in ["", ".sig.json", ".seal", ".quorum.json"] {
                    place.write(format!("in/seeds/{count}{suffix}"), &variant);
                }
                count += 1;
            }
        }
    }
    assert!(count > 160, "{count}");
    let answer = place.json(&STRANGER);
    assert_ne!(answer["status"], 70, "{answer}");
    for (path, mark) in marks(&answer).into_iter().filter(|(path, _)| path.starts_with("seeds/")) {
        assert_ne!(mark, "valid", "{path}");
    }
    assert_eq!(mark(&answer, "contract.pdf.sig.json"), "valid");
    let operator = place.json(&["audit", "in"]);
    assert_eq!(operator["summary"]["valid"], answer["summary"]["valid"]);
}

#[test]
fn answers_are_frozen() {
    let place = handed("audit-schema");
    let lines =
        ["audit in --key ana.pem", "audit in --key ana.pem --log-key ana.pem --public", "audit none --key ana.pem"];
    let told = answers(&place, &lines);
    // When the checkpoint was signed is another time in each run.
    let told = ["signed at ", r#""checkpoint_time":""#].iter().fold(told, |told, before| {
        let mut parts = told.split(before);
        let first = parts.next().unwrap().to_owned();
        parts.fold(first, |told, part| match part.strip_prefix("20") {
            Some(_) => told + before + "[time]" + &part["2026-11-21T09:00:00.000Z".len()..],
            None => told + before + part,
        })
    });
    insta::assert_snapshot!(told);
}
