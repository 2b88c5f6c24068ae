//! What may be asked of an audit beside what is here: who must have signed, that nothing is missing, how much is read,
//! results while it runs, and a report for others.

use super::mark;
use crate::run::Place;
use serde_json::{Value as Json, json};
use std::fs;

/// A folder with two documents of Ana's, the chain, its checkpoint, and names that try to write lines of their own.
fn asked(name: &str) -> Place {
    let place = Place::with_ana(name);
    place.write("deed.pdf", "a deed");
    place.good(&["sign", "contract.pdf", "deed.pdf"]);
    place.good(&["key", "export", "-o", "ana.pem"]);
    place.good(&["checkpoint", "sign", "-o", "checkpoint.json"]);
    fs::create_dir(place.path("in")).unwrap();
    place.shell("cp contract.pdf contract.pdf.sig.json deed.pdf deed.pdf.sig.json checkpoint.json home/chain.jsonl in");
    place
}

const AUDIT: [&str; 5] = ["--home=none", "audit", "in", "--key=ana.pem", "--log-key=ana.pem"];

fn with(place: &Place, more: &[&str]) -> Json {
    place.json(&[&AUDIT[..], more].concat())
}

#[test]
fn what_is_missing_is_said() {
    let place = asked("asked-missing");
    assert_eq!(with(&place, &["--strict", "--require=ana.pem"])["status"], 0);
    // A record of the chain that is not here is told, and asked for by --strict alone.
    fs::remove_file(place.path("in/deed.pdf.sig.json")).unwrap();
    let answer = with(&place, &[]);
    let chain = answer["files"].as_array().unwrap().iter().find(|file| file["path"] == "chain.jsonl").unwrap();
    assert!(chain["text"].as_str().unwrap().ends_with("; 1 record that is not here: entry 2"), "{answer}");
    assert_eq!(answer["status"], 0, "{answer}");
    let strict = with(&place, &["--strict"]);
    assert_eq!((&strict["status"], mark(&strict, "deed.pdf").as_str()), (&json!(3), "unchecked"), "{strict}");
    let texts = strict["files"].to_string();
    assert!(texts.contains("the chain has 1 record that is not here: entry 2"), "{texts}");
    // Who must have signed is named with each document that he did not sign.
    place.good(&["key", "new", "bo"]);
    place.good(&["key", "export", "bo", "-o", "bo.pem"]);
    let bo = place.json(&["key", "list", "bo"])["keys"][0]["key_hash"].as_str().unwrap().to_owned();
    for require in ["bo.pem", &bo] {
        let answer = with(&place, &["--require", require]);
        let text = answer["files"][0]["text"].as_str().unwrap();
        assert_eq!((&answer["status"], &answer["files"][0]["path"]), (&json!(3), &json!("contract.pdf")), "{answer}");
        assert!(text.starts_with("no signature that holds is by the required key"), "{text}");
    }
    place.good(&["sign", "in/contract.pdf", "--as=bo", "-o", "in/contract.pdf.bo.sig.json"]);
    assert_eq!(with(&place, &["--key=bo.pem", "--require=bo.pem"])["status"], 0);
    // By the identity's name alone nobody is taken for him.
    place.refused(&["audit", "in", "--key=ana.pem", "--require=none.pem"], 66, "cannot read none.pem");
    place.shell("rm in/*");
    place.write("in/x", "x");
    assert_eq!(with(&place, &["--require=ana.pem"])["status"], 3);
}

/// A ring knows both of a signer's keys, and a seal names neither: the one that was replaced is not the required one.
#[test]
fn a_seal_by_another_key_is_not_by_the_required_one() {
    let place = Place::with_ana("asked-seal-key");
    place.good(&["seal", "contract.pdf"]);
    place.good(&["key", "export", "-o", "old.pem"]);
    fs::create_dir(place.path("in")).unwrap();
    place.shell("cp contract.pdf contract.pdf.seal in");
    let seal = |place: &Place, trust: &[&str]| place.json(&[&["--home=none", "audit", "in"], trust].concat());
    let answer = seal(&place, &["--require=old.pem"]);
    assert_eq!(answer["status"], 0, "{answer}");
    let old = place.json(&["key", "list"])["keys"][0]["key_hash"].clone();
    let line = answer["files"].as_array().unwrap().iter().find(|file| file["path"] == "contract.pdf.seal").unwrap();
    assert_eq!(line["key_hash"], old, "{answer}");
    place.good(&["key", "rotate", "ana"]);
    place.good(&["key", "export", "-o", "new.pem"]);
    fs::remove_file(place.path("contract.pdf.seal")).unwrap();
    place.good(&["seal", "contract.pdf"]);
    place.shell("cp contract.pdf.seal in");
    place.good(&["key", "export", "--ring", "-o", "ring.json"]);
    for require in ["old.pem", "new.pem"] {
        let answer = seal(&place, &["--ring=ring.json", "--require", require]);
        let text = answer["files"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("no signature that holds is by the required key"), "{answer}");
        assert!(text.ends_with("nothing says by which of them what holds is"), "{answer}");
    }
}

#[test]
fn no_more_is_read_than_is_allowed() {
    let place = asked("asked-bytes");
    place.write("in/huge", vec![b'x'; 1 << 20]);
    let all = with(&place, &[]);
    let some = with(&place, &["--max-bytes=100000"]);
    assert_eq!((&all["status"], &some["status"]), (&json!(0), &json!(3)), "{some}");
    assert_eq!([mark(&some, "huge"), mark(&some, "contract.pdf.sig.json")], ["unchecked", "valid"]);
    // What is left of a program that was ended is not read, and takes nothing from what is.
    place.write("in/.huge.0123456789abcdef.unfinished", vec![b'x'; 1 << 20]);
    let left = with(&place, &["--max-bytes=100000"]);
    assert_eq!([mark(&left, "huge"), mark(&left, "contract.pdf.sig.json")], ["unchecked", "valid"], "{left}");
    fs::remove_file(place.path("in/.huge.0123456789abcdef.unfinished")).unwrap();
    let none = with(&place, &["--max-bytes=0"]);
    assert_eq!(none["summary"]["unchecked"], all["files"].as_array().unwrap().len(), "{none}");
}

/// Results come on standard error while it runs, and a name is never a line.
#[test]
fn results_are_told_while_it_runs() {
    let place = asked("asked-live");
    let forged = "x\n  valid        contract.pdf: signature record";
    let blank = format!("{}valid  y", " ".repeat(70));
    place.write(format!("in/{forged}"), "x");
    place.write(format!("in/{blank}"), "y");
    let ran = place.run(&[&AUDIT[..], &["--live"]].concat());
    assert_eq!(ran.status, 0, "{ran:?}");
    for told in [&ran.err, &ran.out] {
        assert!(told.contains("valid") && told.contains("\"contract.pdf.sig.json\": signature record"), "{told}");
        assert!(!told.contains("\n  valid        contract.pdf: ") && told.contains("\"x\\u{a}"), "{told}");
        assert!(!told.contains("       valid  y") && told.contains("\" \\u{20}"), "{told}");
    }
    let ran = place.run(&[&AUDIT[..], &["--live", "--json"]].concat());
    let lines: Vec<Json> = ran.err.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answer: Json = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(lines.len(), answer["files"].as_array().unwrap().len(), "{ran:?}");
}

/// One page for others, without script, and the same as JSON.
#[test]
fn a_report_is_for_a_court() {
    let place = asked("asked-report");
    let name = "<script>alert(1)<script>&\".pdf";
    place.write(format!("in/{name}"), "x");
    let args = [&AUDIT[..], &["--report=report.html"]].concat();
    let answer = place.json(&args);
    assert_eq!((&answer["status"], &answer["report"]), (&json!(0), &json!("report.html")), "{answer}");
    let html = place.read("report.html");
    assert!(!html.contains("<script") && html.contains("&lt;script&gt;alert(1)&lt;script&gt;&amp;"), "{html}");
    assert!(html.contains("default-src &#39;none&#39;") || html.contains("default-src 'none'"), "{html}");
    let command = "dualseal --home=none audit in --key=ana.pem --log-key=ana.pem --json";
    assert!(html.contains(&format!("<code>{command}</code>")), "{html}");
    let key = place.json(&["key", "list"])["keys"][0]["key_hash"].as_str().unwrap().to_owned();
    let groups: Vec<_> = key.as_bytes().chunks(8).map(|group| std::str::from_utf8(group).unwrap()).collect();
    assert!(html.contains(&groups.join(" ")) && html.contains("&quot;ana&quot;"), "{html}");
    let tags = ["<html", "<h1>", "<table>"];
    assert!(tags.iter().all(|tag| html.contains(tag)) && html.ends_with("</body></html>\n"), "{html}");
    // The command that it names repeats it.
    assert_eq!(place.shell(command).status, 0);
    place.refused(&args, 73, "report.html already");
    place.refused(&[&AUDIT[..], &["--report=report.txt"]].concat(), 64, "in which form");
    with(&place, &["--report=report.json"]);
    let json: Json = serde_json::from_str(&place.read("report.json")).unwrap();
    assert_eq!((&json["answer"]["files"], &json["answer"]["signers"]), (&answer["files"], &answer["signers"]));
    assert_eq!(json["hashes"].as_array().unwrap().len(), answer["files"].as_array().unwrap().len());
    let hash = json["hashes"].as_array().unwrap().iter().find(|file| file["path"] == "contract.pdf").unwrap();
    let expected = dualseal::encoding::hex::encode(&dualseal::hash::Sha3_256::digest(b"one contract"));
    assert_eq!(hash["sha3_256"], expected);
    // A key that was named is no file of the folder, though one there has its name.
    place.good(&["key", "new", "bo"]);
    place.good(&["key", "export", "bo", "-o", "bo.pem"]);
    place.shell("rm in/*; echo another >in/bo.pem");
    with(&place, &["--require=bo.pem", "--report=named.json"]);
    let json: Json = serde_json::from_str(&place.read("named.json")).unwrap();
    assert_eq!(json["answer"]["files"].as_array().unwrap().len(), 2, "{json}");
    assert_eq!(json["hashes"].as_array().unwrap().len(), 1, "{json}");
}

/// A folder that was signed as one is held against its manifest, file by file.
#[test]
fn a_folder_is_held_against_its_manifest() {
    let place = Place::with_ana("asked-manifest");
    place.shell("mkdir -p in/papers/below; for i in 1 2 3; do echo $i >in/papers/$i; done; echo x >in/papers/below/x");
    place.good(&["sign", "in/papers"]);
    place.good(&["key", "export", "-o", "ana.pem"]);
    place.good(&["checkpoint", "sign", "-o", "in/checkpoint.json"]);
    place.shell("cp home/chain.jsonl in; cp -r in kept");
    place.good(&["sign", "contract.pdf"]);
    let strict = with(&place, &["--strict", "--require=ana.pem"]);
    assert_eq!((&strict["status"], &strict["summary"]["vouched"]), (&json!(0), &json!(5)), "{strict}");
    let papers = strict["files"].as_array().unwrap().iter().find(|file| file["path"] == "papers/below/x").unwrap();
    assert_eq!(papers["of"], "papers.manifest.json", "{strict}");
    for (line, path, words) in [
        ("echo more >>in/papers/2", "papers/2", "is another than"),
        ("rm in/papers/below/x", "papers/below/x", "is not here"),
        ("echo new >in/papers/new", "papers/new", "it was added"),
        ("rm in/papers/3; ln -s 2 in/papers/3", "papers/3", "lists a file, which it is not"),
        ("ln -s ../papers.manifest.json in/papers/link", "papers/link", "it was added"),
        ("mkfifo in/papers/pipe", "papers/pipe", "it was added"),
        // Whatever it is: another's signature tells nothing of the folder, nor what nobody can look into.
        ("cp ana.pem in/papers/key.pem", "papers/key.pem", "it was added"),
        ("cp contract.pdf contract.pdf.sig.json in/papers", "papers/contract.pdf", "it was added"),
        ("cp contract.pdf contract.pdf.sig.json in/papers", "papers/contract.pdf.sig.json", "it was added"),
        ("rm -r in/papers/*", "papers/2", "is not here"),
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
        for more in [&[][..], &["--strict"]] {
            let answer = with(&place, more);
            assert_eq!((&answer["status"], mark(&answer, path).as_str()), (&json!(1), "invalid"), "{line}: {answer}");
            assert!(answer["files"].to_string().contains(words), "{line}: {answer}");
        }
        place.shell("rm -r in; cp -r kept in");
    }
    // All of its files may be gone with the folder: nothing of it was checked then, and --strict asks for each.
    place.shell("rm -r in/papers");
    let gone = with(&place, &[]);
    assert_eq!((&gone["status"], mark(&gone, "papers").as_str()), (&json!(3), "unchecked"), "{gone}");
    assert!(gone["files"].to_string().contains("lists 4 files of it, and it is not here"), "{gone}");
    let gone = with(&place, &["--strict"]);
    assert_eq!((&gone["status"], mark(&gone, "papers/below/x").as_str()), (&json!(1), "invalid"), "{gone}");
    place.shell("rm -r in; cp -r kept in");
    // Nor does --strict pass what is not read, wherever it lies.
    place.shell("ln -s ../ana.pem in/contract-signed.pdf");
    let linked = with(&place, &["--strict"]);
    assert_eq!(
        (&linked["status"], mark(&linked, "contract-signed.pdf").as_str()),
        (&json!(3), "unchecked"),
        "{linked}"
    );
    assert_eq!(with(&place, &[])["status"], 0);
    place.shell("rm in/contract-signed.pdf");
    // A manifest that nobody here vouches for says nothing.
    place.shell("rm in/papers.manifest.json.sig.json");
    let answer = with(&place, &[]);
    assert_eq!((&answer["status"], mark(&answer, "papers/2").as_str()), (&json!(0), "other"), "{answer}");
}

/// Whoever receives a folder is told between what each record was entered.
#[test]
fn an_audit_says_when_at_the_latest() {
    let place = asked("asked-when");
    let answer = with(&place, &[]);
    for (record, entry) in [("contract.pdf.sig.json", 1), ("deed.pdf.sig.json", 2)] {
        let line = answer["files"].as_array().unwrap().iter().find(|file| file["path"] == record).unwrap();
        let words =
            format!("entry {entry}: after entry {}, before the checkpoint of 3 entries, signed at 20", entry - 1);
        assert!(line["text"].as_str().unwrap().contains(&words), "{line}");
        let entered = &line["entered"];
        assert_eq!((&entered["after_entry"], &entered["checkpoint_size"]), (&json!(entry - 1), &json!(3)), "{line}");
        assert!(entered["checkpoint_time"].as_str().unwrap().starts_with("20"), "{line}");
    }
    // Without the chain nothing shows it.
    fs::remove_file(place.path("in/chain.jsonl")).unwrap();
    let answer = with(&place, &[]);
    assert!(!answer["files"].to_string().contains("after entry"));
    assert!(answer["files"].as_array().unwrap().iter().all(|line| line["entered"].is_null()), "{answer}");
}

/// By which ring a state was told, as `verify` says it: the home folder's own, to its operator alone, or one by name.
#[test]
fn an_audit_says_which_ring_it_asked() {
    let place = asked("asked-ring");
    let revision = place.json(&["key", "export", "--ring", "-o", "ring.json"])["revision"].clone();
    assert!(revision.as_u64().unwrap() > 0);
    let answer = place.json(&["audit", "in"]);
    assert_eq!((&answer["ring_revision"], &answer["rings"]), (&revision, &json!([])), "{answer}");
    let told = format!("{revision}, of the home folder");
    assert!(place.good(&["audit", "in"]).out.contains(&told));
    assert_eq!(place.json(&["audit", "in", "--public"])["ring_revision"], Json::Null);
    assert!(!place.good(&["audit", "in", "--public"]).out.contains("ring revision"));
    let named = ["--home=none", "audit", "in", "--ring=ring.json", "--log-key=ana.pem"];
    let answer = place.json(&named);
    assert_eq!((&answer["ring_revision"], &answer["rings"][0]["revision"]), (&Json::Null, &revision), "{answer}");
    assert!(place.run(&named).out.contains(&format!("{revision}, of \"ring.json\"")));
}
