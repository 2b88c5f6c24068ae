//! What a file is, of any size: only records and keys are read whole, and never more of them than 64 MiB.

use crate::run::Place;
use std::fs::{self, OpenOptions};
use std::io::Write;

const LARGE: u64 = 1 << 30;

/// A file of a gigabyte that begins so; the rest is a hole.
fn large(place: &Place, name: &str, begins: &[u8]) {
    place.write(name, begins);
    OpenOptions::new().write(true).open(place.path(name)).unwrap().set_len(LARGE).unwrap();
}

/// In memory that could not hold the file.
fn inspected(place: &Place, name: &str) -> serde_json::Value {
    let ran = place.shell(&format!("ulimit -v 300000; dualseal inspect {name} --json"));
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{name}: {ran:?}"));
    assert_eq!(answer["status"], ran.status, "{answer}");
    answer
}

#[test]
fn large_files_are_told_by_how_they_begin() {
    let place = Place::new("inspect-large");
    for (name, begins, what) in [
        ("zeros", &b""[..], "unknown"),
        ("contract.pdf", b"%PDF-1.7\n", "PDF"),
        ("scan.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG"),
        ("scan.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF", "JPEG"),
        ("backup.zip", b"PK\x03\x04", "ZIP"),
        ("backup.gz", b"\x1f\x8b\x08", "gzip"),
        ("text", b"Dear all,\n", "unknown"),
    ] {
        large(&place, name, begins);
        let answer = inspected(&place, name);
        assert_eq!((&answer["kind"], &answer["size"]), (&"unknown".into(), &LARGE.into()), "{answer}");
        assert_eq!(answer["status"], 66, "{answer}");
        let told = answer["sentence"].as_str().unwrap();
        assert!(told.contains("is not a dualseal file") && told.contains("1073741824 bytes"), "{told}");
        assert!(what == "unknown" || told.contains(what), "{told}");
    }
    // Small ones are no other.
    place.write("small.pdf", "%PDF-1.7\n");
    let told = place.json(&["inspect", "small.pdf"])["sentence"].to_string();
    assert!(told.contains("is not a dualseal file: it is a PDF document, 9 bytes"), "{told}");
    // Standard input need not end.
    let ran = place.shell("{ printf '%%PDF-1.7\\n'; cat /dev/zero; } | dualseal inspect - --json");
    let answer: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&answer["kind"], &answer["size"]), (&"unknown".into(), &().into()), "{answer}");
}

#[test]
fn json_beyond_64_mib_is_not_read_whole() {
    let place = Place::new("inspect-json");
    for begins in [&b"{\"keys\":["[..], b"[", b"SEAL-L5-", b"-----BEGIN PRIVATE KEY-----\n", b"{\n{\n"] {
        large(&place, "file", begins);
        let answer = inspected(&place, "file");
        let findings = answer["findings"].to_string();
        assert!(findings.contains("1073741824") && findings.contains("67108864"), "{answer}");
        assert!(answer["status"] == 66, "{answer}");
    }
    // One byte below the bound is read, and refused for what is in it.
    place.write("file", "{");
    OpenOptions::new().write(true).open(place.path("file")).unwrap().set_len(64 << 20).unwrap();
    assert!(!place.json(&["inspect", "file"])["findings"].to_string().contains("67108864"));
}

#[test]
fn the_rest_of_many_findings_is_counted() {
    let place = Place::new("inspect-many");
    place.write("ring.json", format!("{{\"keys\":[{}0],\"origin\":\"o\",\"revision\":1}}", "0,".repeat(1199)));
    let answer = place.json(&["inspect", "ring.json"]);
    assert_eq!((answer["findings"].as_array().unwrap().len(), &answer["omitted"]), (500, &700.into()));
    assert!(place.run(&["inspect", "ring.json"]).out.contains("and 700 more"));
}

#[test]
fn streams_and_lines_are_told() {
    let place = Place::with_vault("inspect-streams");
    let kind = |name: &str| {
        let answer = place.json(&["inspect", name]);
        (answer["kind"].as_str().unwrap().to_owned(), answer["status"].as_u64().unwrap(), answer["count"].clone())
    };
    let stored = "home/vaults/main/stored/000000";
    assert_eq!(kind(stored), ("encrypted stream".to_owned(), 0, ().into()));
    let bytes = fs::read(place.path(stored)).unwrap();
    place.write("cut", &bytes[..67]);
    let (cut, status, _) = kind("cut");
    assert!(cut == "encrypted stream" && status == 66, "{cut} {status}");
    place.write("cut", &bytes[..bytes.len() - 1]);
    assert_eq!(kind("cut").1, 0, "only its key shows that a byte is missing");
    large(&place, "stream", &bytes);
    assert_eq!(inspected(&place, "stream")["kind"], "encrypted stream");
    place.good(&["vault", "redact", "-o", "ledger.jsonl"]);
    assert_eq!(kind("ledger.jsonl"), ("vault ledger (JSON lines)".to_owned(), 0, 2.into()));
    let ledger = place.read("ledger.jsonl");
    place.write("cut.jsonl", &ledger[..ledger.len() - 1]);
    let (cut, status, _) = kind("cut.jsonl");
    assert!(cut.starts_with("vault ledger") && status == 66, "{cut} {status}");
    // A chain of any size is read line by line.
    let line = place.read("home/chain.jsonl").lines().next().unwrap().to_owned();
    let mut file = fs::File::create(place.path("long.jsonl")).unwrap();
    file.write_all(place.read("home/chain.jsonl").as_bytes()).unwrap();
    let more = format!("{line}\n").repeat(1000);
    for _ in 0..=(65 << 20) / more.len() {
        file.write_all(more.as_bytes()).unwrap();
    }
    drop(file);
    let answer = inspected(&place, "long.jsonl");
    assert_eq!(answer["kind"], "chain (JSON lines)", "{answer}");
    let whole = place.read("home/chain.jsonl").lines().count();
    assert_eq!((&answer["status"], &answer["count"]), (&1.into(), &whole.into()), "where it breaks: {answer}");
}

#[test]
fn what_split_writes_is_known() {
    let place = Place::with_ana("inspect-split");
    place.good(&["split", "contract.pdf", "--threshold=2", "--shares=3", "-o", "dealt"]);
    place.good(&["split", "contract.pdf", "--threshold=2", "--shares=3", "--field=gf256", "-o", "binary"]);
    place.good(&["split", "contract.pdf", "--threshold=2", "--shares=3", "--format=ssss", "-o", "ssss"]);
    for (name, kind) in [
        ("dealt/dealing.json", "dealing"),
        ("binary/dealing.json", "dealing"),
        ("dealt/contract.pdf.wrapped", "encrypted stream"),
        ("dealt/share-1.txt", "share of a split file"),
        ("ssss/share-1.txt", "share of the program ssss"),
    ] {
        let answer = place.json(&["inspect", name]);
        assert_eq!((&answer["kind"], &answer["status"]), (&kind.into(), &0.into()), "{name}: {answer}");
        assert!(answer.to_string().len() < 600, "no secret is printed: {answer}");
    }
    let share = place.read("dealt/share-1.txt");
    place.write("typo.txt", share.replacen(":P521:", ":P522:", 1));
    assert_ne!(place.json(&["inspect", "typo.txt"])["status"], 0);
    place
        .write("broken.json", place.read("dealt/dealing.json").replacen("\"dealing_id\":\"", "\"dealing_id\":\"00", 1));
    let answer = place.json(&["inspect", "broken.json"]);
    assert!(answer["kind"] == "dealing" && answer["status"] != 0, "{answer}");
}

/// A seal names nobody, and its entry does; evidence says who and when, and of which log.
#[test]
fn seals_and_evidence_say_who_and_when() {
    let place = Place::with_records("inspect-who");
    let ana = place.identity("ana").to_hex();
    let key = place.json(&["key", "list", "ana"])["keys"][0]["key_hash"].clone();
    let log = place.json(&["checkpoint", "check", "checkpoint.json"])["log"].as_str().unwrap().to_owned();
    let chain = place.read("home/chain.jsonl");
    let time = |entry: usize| {
        let line: serde_json::Value = serde_json::from_str(chain.lines().nth(entry).unwrap()).unwrap();
        line["t"].clone()
    };
    let answer = place.json(&["inspect", "contract.pdf.seal"]);
    assert_eq!((&answer["identity_id"], &answer["time"]), (&ana.as_str().into(), &time(2)), "{answer}");
    let ran = place.good(&["--home=none", "inspect", "contract.pdf.seal"]);
    assert!(ran.out.contains("it names nobody") && ran.out.contains("it has none"), "{ran:?}");
    assert_eq!(place.json(&["--home=none", "inspect", "contract.pdf.seal"])["identity_id"], serde_json::Value::Null);
    place.good(&["vault", "init"]);
    place.good(&["vault", "seal", "contract.pdf"]);
    place.good(&["checkpoint", "sign"]);
    for record in ["contract.pdf.sig.json", "contract.pdf.seal", "home/vaults/main/records/000000.json"] {
        place.good(&["evidence", "make", record, "-o", "shown.evidence.json", "--force"]);
        let answer = place.json(&["--home=none", "inspect", "shown.evidence.json"]);
        assert_eq!((&answer["identity_id"], &answer["key_hash"]), (&ana.as_str().into(), &key), "{answer}");
        assert!(answer["time"].as_str().is_some_and(|time| time.len() == 24), "{answer}");
        let ran = place.good(&["--home=none", "inspect", "shown.evidence.json"]);
        assert!(ran.out.contains(&log) && ran.out.contains("acme.example/log"), "{ran:?}");
        assert!(ran.out.contains("by 0 witnesses"), "{ran:?}");
    }
}

/// What is shown under a checkpoint, and the texts of other programs' logs.
#[test]
fn evidence_and_its_parts_are_told_apart() {
    let (place, _) = crate::evidence::signed("inspect-evidence");
    place.good(&["evidence", "make", "contract.pdf.sig.json"]);
    place.good(&["chain", "prove", "1", "--place", "-o", "one.place.json"]);
    place.good(&["chain", "prove", "1", "-o", "one.tlog-proof"]);
    let file: serde_json::Value = serde_json::from_str(&place.read(crate::evidence::FILE)).unwrap();
    place.write("key.json", file["key"].to_string());
    let checkpoint = &file["checkpoint"];
    let mark = ["origin", "ring", "root", "size", "top"].map(|name| (name.to_owned(), checkpoint[name].clone()));
    place.write("mark.json", serde_json::Value::Object(mark.into_iter().collect()).to_string());
    for (name, kind, version) in [
        (crate::evidence::FILE, "evidence", Some("1")),
        ("one.place.json", "place proof", None),
        ("key.json", "key proof", None),
        ("mark.json", "high-water mark", None),
        ("checkpoint.json", "checkpoint", Some("2")),
        ("one.tlog-proof", "proof of a place (tlog-proof)", None),
        ("one.note", "note of a log", None),
    ] {
        let answer = place.json(&["inspect", name]);
        assert_eq!((&answer["status"], &answer["kind"]), (&0.into(), &kind.into()), "{answer}");
        assert_eq!(answer["version"], serde_json::json!(version), "{answer}");
    }
    place.write("cut.tlog-proof", &place.read("one.tlog-proof")[..60]);
    let answer = place.json(&["inspect", "cut.tlog-proof"]);
    assert!(answer["status"] == 66, "{answer}");
    place.write("lie.json", place.read(crate::evidence::FILE).replace("\"vrsta\":\"potpis\"", "\"vrsta\":\"pecat\""));
    let answer = place.json(&["inspect", "lie.json"]);
    assert_eq!((&answer["status"], &answer["kind"]), (&66.into(), &"evidence".into()), "{answer}");
}
