//! Many documents, many signers: folders under one record, names of second signers, and all or nothing.

use crate::audit::mark;
use crate::run::{Place, TIME};
use serde_json::json;
use std::fs;

/// A name that would write a line of its own, one that turns around, and one of spaces.
const NAMES: [&str; 4] = ["a\nvalid  b", "gpj.\u{202e}fdp", "   ", "plain.txt"];

fn folder(place: &Place) {
    fs::create_dir_all(place.path("papers/below")).unwrap();
    for (number, name) in NAMES.iter().enumerate() {
        place.write(format!("papers/{name}"), format!("paper {number}"));
    }
    place.write("papers/below/deed.txt", "a deed");
}

#[test]
fn a_folder_is_signed_as_one() {
    let place = Place::with_ana("many-folder");
    folder(&place);
    let signed = place.json(&["sign", "papers"]);
    assert_eq!((&signed["manifest_files"], &signed["path"]), (&json!(5), &json!("papers.manifest.json.sig.json")));
    place.good(&["key", "export", "-o", "ana.pem"]);
    let args = ["--home=none", "verify", "papers.manifest.json.sig.json", "--key=ana.pem"];
    let ran = place.good(&args);
    assert!(ran.out.contains("Every file of the folder is as it was signed"), "{ran:?}");
    // The same by the manifest's own name.
    place.good(&["--home=none", "verify", "papers.manifest.json", "--key=ana.pem"]);
    place.shell("cp -r papers kept");
    for (line, words) in [
        ("echo more >>papers/plain.txt", "1 changed, 0 missing, 0 added"),
        ("rm papers/below/deed.txt", "0 changed, 1 missing, 0 added"),
        ("echo x >papers/below/new", "0 changed, 0 missing, 1 added"),
        ("ln -s plain.txt papers/link", "0 changed, 0 missing, 1 added"),
        ("ln -sf ../kept/plain.txt papers/plain.txt", "1 changed, 0 missing, 0 added"),
        ("mv papers/plain.txt papers/PLAIN.txt", "0 changed, 1 missing, 1 added"),
    ] {
        assert_eq!(place.shell(line).status, 0, "{line}");
        let ran = place.refused(&args, 1, words);
        assert!(ran.out.starts_with("NOT VALID: the manifest holds, and the folder is another one"), "{ran:?}");
        place.shell("rm -r papers; cp -r kept papers");
    }
    place.shell("mv papers away");
    let gone = "NOT CHECKED: the manifest holds, and its folder is not beside it: nothing was seen of its 5 files.";
    place.refused(&args, 3, gone);
    place.shell("mv away papers");
    let manifest = place.read("papers.manifest.json");
    place.write("papers.manifest.json", manifest.replacen("\"bytes\":7", "\"bytes\":8", 1));
    place.refused(&args, 1, "the document is not the one that was signed");
    place.write("papers.manifest.json", &manifest);
    // What nobody knows the content of is not signed.
    place.shell("ln -s plain.txt papers/link");
    place.refused(&["sign", "papers", "--force"], 66, "is neither a file nor a folder");
    place.shell("rm papers/link; mkdir empty; touch 'papers/a\\b'");
    place.refused(&["sign", "papers", "--force"], 66, "has a backslash");
    place.shell("rm papers/a*b");
    place.refused(&["sign", "empty"], 64, "there is no file in");
}

/// As a signature, a seal is over a folder, or over many documents at once.
#[test]
fn a_folder_is_sealed_as_one() {
    let place = Place::with_ana("many-sealed");
    folder(&place);
    place.good(&["key", "export", "-o", "ana.pem"]);
    let sealed = place.json(&["seal", "papers"]);
    assert_eq!((&sealed["manifest_files"], &sealed["path"]), (&json!(5), &json!("papers.manifest.json.seal")));
    let own = ["verify", "papers.manifest.json"];
    for args in [&own[..], &["--home=none", "verify", "papers.manifest.json", "--key=ana.pem"]] {
        assert!(place.good(args).out.contains("Every file of the folder is as it was signed"), "{args:?}");
    }
    place.shell("cp -r papers kept; echo more >>papers/plain.txt");
    place.refused(&["verify", "papers.manifest.json.seal"], 1, "1 changed, 0 missing, 0 added");
    place.shell("rm -r papers; mv kept papers");
    // A signature is over the same manifest.
    place.good(&["sign", "papers"]);
    place.good(&own);
    let before = place.json(&["chain", "check"])["size"].as_u64().unwrap();
    let each = place.json(&["seal", "papers", "contract.pdf", "--each"]);
    assert_eq!((each["sealed"].as_array().unwrap().len(), &each["document"]), (6, &json!(null)), "{each}");
    assert_eq!(place.json(&["chain", "check"])["size"], before + 6);
    place.good(&["verify", "papers/below/deed.txt"]);
    place.write("deed.pdf", "a deed");
    place.refused(&["seal", "deed.pdf", "contract.pdf", "-o", "x"], 64, "several documents have several records");
    // All of them, or none.
    place.refused(&["seal", "deed.pdf", "contract.pdf"], 73, "there is a file contract.pdf.seal already");
    assert!(!place.path("deed.pdf.seal").exists());
    assert_eq!(place.json(&["chain", "check"])["size"], before + 6);
    place.good(&["seal", "deed.pdf", "--no-chain"]);
    assert_eq!(place.json(&["chain", "check"])["size"], before + 6);
}

/// Killed between its entries and their files, a command is finished by the next one.
#[test]
fn what_was_killed_is_finished() {
    for (command, suffix) in [("sign", ".sig.json"), ("seal", ".seal")] {
        let place = Place::with_ana(&format!("many-killed-{command}"));
        let count = || {
            let names = fs::read_dir(place.path("papers")).unwrap().map(|entry| entry.unwrap().file_name());
            names.filter(|name| name.to_str().unwrap().ends_with(suffix)).count()
        };
        // Of many tries one comes in between.
        let found = (0..30).find(|_| {
            place.shell(
                "rm -rf papers home/waiting.json; mkdir papers; for i in $(seq 300); do echo $i >papers/$i; done",
            );
            let mut child = place.command(&[command, "papers", "--each", "--quiet"]).spawn().unwrap();
            while count() == 0 && child.try_wait().unwrap().is_none() {}
            child.kill().unwrap();
            child.wait().unwrap();
            (1..300).contains(&count())
        });
        assert!(found.is_some() && place.path("home/waiting.json").exists());
        let waiting = place.read("home/waiting.json");
        let ran = place.good(&["chain", "append", "more"]);
        assert!(ran.err.contains("which a command was ended before") && !place.path("home/waiting.json").exists());
        assert_eq!(count(), 300, "{ran:?}");
        for paper in ["1", "150", "300"] {
            place.good(&["verify", &format!("papers/{paper}")]);
        }
        // Nothing takes the place of another file.
        place.write("home/waiting.json", &waiting);
        place.write(format!("papers/1{suffix}"), "mine");
        fs::remove_file(place.path(format!("papers/2{suffix}"))).unwrap();
        let ran = place.good(&["chain", "append", "more"]);
        assert!(ran.err.contains("where another file is now"), "{ran:?}");
        assert_eq!((place.read(&format!("papers/1{suffix}")).as_str(), count()), ("mine", 300));
        // A pipe in the place of one is not opened.
        place.write("home/waiting.json", &waiting);
        place.shell(&format!("rm papers/3{suffix}; mkfifo papers/3{suffix}"));
        let ran = place.good(&["chain", "append", "more"]);
        assert!(ran.err.contains("where another file is now") && !place.path("home/waiting.json").exists(), "{ran:?}");
        // Where the folder is gone, it is said in one line, with what ends it.
        place.write("home/waiting.json", &waiting);
        place.shell("mv papers gone");
        let ran = place.good(&["chain", "append", "more"]);
        let told = "of its files cannot be written where they belong: put the folder back, or remove";
        assert!(ran.err.contains(told) && ran.err.lines().count() == 1, "{ran:?}");
        place.shell("mv gone papers");
        // And what the ring key did not seal is written nowhere, and is in nobody's way.
        let path = place.path("papers/planted");
        let mut list: serde_json::Value = serde_json::from_str(&waiting).unwrap();
        list["files"][0]["path"] = dualseal::encoding::hex::encode(path.to_str().unwrap().as_bytes()).into();
        place.write("home/waiting.json", list.to_string());
        let ran = place.good(&["chain", "append", "more"]);
        assert!(ran.err.contains("is not this folder's own") && !path.exists(), "{ran:?}");
        place.good(&[command, "contract.pdf"]);
        assert!(place.path(format!("contract.pdf{suffix}")).exists() && !place.path("home/waiting.json").exists());
    }
}

#[test]
fn each_file_has_its_record() {
    let place = Place::with_ana("many-each");
    folder(&place);
    let before = place.json(&["chain", "check"])["size"].as_u64().unwrap();
    let signed = place.json(&["sign", "papers", "contract.pdf", "--each"]);
    assert_eq!(signed["signed"].as_array().unwrap().len(), 6, "{signed}");
    assert_eq!(signed["document"], json!(null));
    assert_eq!(place.json(&["chain", "check"])["size"], before + 6);
    place.good(&["verify", "papers/below/deed.txt"]);
    // Those that are there already are no documents, and nothing is made where one cannot be written.
    let ran = place.refused(&["sign", "papers", "--each"], 73, "there is a file");
    assert_eq!(place.json(&["chain", "check"])["size"], before + 6, "{ran:?}");
    place.refused(
        &["sign", "contract.pdf", "papers/plain.txt", "-o", "x"],
        64,
        "several documents have several records",
    );
    place.shell("mkdir many; for i in $(seq 501); do echo $i >many/$i; done");
    place.refused(&["sign", "many", "--each"], 64, "more than are signed at once");
    place.good(&["sign", "many"]);
}

/// Two firms, each with a home of its own, sign one document; verify finds both.
#[test]
fn a_second_signer_has_a_name_of_his_own() {
    let place = Place::with_ana("many-second");
    place.good(&["sign", "contract.pdf"]);
    place.good(&["seal", "contract.pdf"]);
    place.good(&["key", "export", "-o", "ana.pem"]);
    place.good(&["--home=other", "key", "new", "bo", "--domain=BETA"]);
    let second = place.json(&["--home=other", "sign", "contract.pdf"]);
    assert_eq!(second["path"], "contract.pdf.bo.sig.json");
    assert_eq!(place.json(&["--home=other", "seal", "contract.pdf"])["path"], "contract.pdf.bo.seal");
    place.good(&["--home=other", "key", "export", "-o", "bo.pem"]);
    // Whoever signed already signs once.
    place.refused(&["sign", "contract.pdf"], 73, "there is a file contract.pdf.sig.json already");
    place.refused(&["seal", "contract.pdf"], 73, "there is a file contract.pdf.seal already");
    place.refused(&["--home=other", "sign", "contract.pdf"], 73, "contract.pdf.bo.sig.json already");
    let both = ["--home=none", "verify", "contract.pdf", "--key=ana.pem", "--key=bo.pem"];
    let answer = place.json(&both);
    let records = answer["records"].as_array().unwrap();
    assert_eq!((records.len(), &answer["status"]), (4, &json!(0)), "{answer}");
    let creators: Vec<_> = records.iter().filter_map(|record| record["signer"]["creator"].as_str()).collect();
    assert_eq!(creators, ["bo", "bo", "ana", "ana"], "{answer}");
    // By itself, too; whose key was not given is not checked, and not forged.
    place.good(&["--home=none", "verify", "contract.pdf.bo.sig.json", "--key=bo.pem"]);
    let one = place.json(&["--home=none", "verify", "contract.pdf", "--key=ana.pem", "--key=ana.pem"]);
    assert_eq!((&one["status"], &one["missing"]), (&json!(3), &json!([])), "{one}");
    for record in &one["records"].as_array().unwrap()[..2] {
        assert!(record["sentence"].as_str().unwrap().contains("by none of the keys that were given"), "{one}");
    }
    // An audit finds all of them, in two domains at once.
    fs::create_dir(place.path("in")).unwrap();
    place.shell("cp contract.pdf contract.pdf.* in");
    let audit = ["--home=none", "audit", "in", "--key=ana.pem", "--key=bo.pem"];
    let answer = place.json(&audit);
    assert_eq!((&answer["status"], &answer["domains"]), (&json!(0), &json!(["BETA", "DUALSEAL"])), "{answer}");
    let signers: Vec<_> = answer["signers"].as_array().unwrap().iter().map(|who| &who["documents"]).collect();
    assert_eq!(signers, [&json!(["contract.pdf"]), &json!(["contract.pdf"])], "{answer}");
    place.good(&[&audit[..], &["--require=ana.pem", "--require=bo.pem", "--strict"]].concat());
    place.write("in/contract.pdf", "another contract");
    let answer = place.json(&audit);
    // A seal names nobody: that neither of them made it is all that is known.
    assert_eq!((&answer["status"], &answer["summary"]["invalid"]), (&json!(1), &json!(2)), "{answer}");
    assert_eq!([mark(&answer, "contract.pdf.seal"), mark(&answer, "contract.pdf.bo.seal")], ["unchecked"; 2]);
    place.write("contract.pdf", "another contract");
    assert_eq!(place.json(&both)["status"], 1);
}

/// Whoever names two keys asks whether both signed, of a document; a record is by one.
#[test]
fn each_key_that_is_named_has_signed() {
    let place = Place::with_ana("many-named");
    place.good(&["sign", "contract.pdf"]);
    place.good(&["key", "export", "-o", "ana.pem"]);
    place.good(&["--home=other", "key", "new", "bo", "--domain=BETA"]);
    place.good(&["--home=other", "key", "export", "-o", "bo.pem"]);
    let both = ["--home=none", "verify", "contract.pdf", "--key=ana.pem", "--key=bo.pem"];
    let ran = place.refused(&both, 3, "NOT CHECKED");
    assert!(ran.out.contains("nothing beside the document that holds is by this key"), "{ran:?}");
    assert!(
        ran.out.starts_with("NOT CHECKED: the record beside the document holds, and none is by \"bo.pem\"."),
        "{ran:?}"
    );
    let key = place.json(&["key", "list", "ana"])["keys"][0]["key_hash"].as_str().unwrap().to_owned();
    assert!(ran.out.contains(&format!("Key {key}, state not asked, 20")), "{ran:?}");
    let record = place.json(&both)["records"][0].clone();
    assert!(record["state"] == "not asked" && record["time"].as_str().unwrap().starts_with("20"), "{record}");
    assert_eq!(place.json(&both)["missing"], json!(["bo.pem"]));
    let of_one = ["--home=none", "verify", "contract.pdf.sig.json", "contract.pdf", "--key=ana.pem", "--key=bo.pem"];
    place.refused(&of_one, 64, "a record is by one key, and several are given");
    // His record of another document is none of this one.
    place.write("deed.pdf", "a deed");
    place.good(&["--home=other", "sign", "deed.pdf"]);
    place.shell("cp deed.pdf.sig.json contract.pdf.bo.sig.json");
    let answer = place.json(&both);
    assert_eq!((&answer["status"], &answer["missing"]), (&json!(1), &json!(["bo.pem"])), "{answer}");
    // A seal is by whichever of them it holds under, also where the first key's file names no domain.
    place.shell("rm contract.pdf.bo.sig.json");
    place.good(&["--home=other", "seal", "contract.pdf"]);
    let pem = place.read("ana.pem");
    let told =
        |line: &str| ["domain", "creator", "context"].iter().any(|of| line.starts_with(&format!("dualseal-{of}")));
    let bare: Vec<_> = pem.lines().filter(|line| !told(line)).collect();
    place.write("bare.pem", bare.join("\n") + "\n");
    let answer = place.json(&["--home=none", "verify", "contract.pdf", "--key=bare.pem", "--key=bo.pem"]);
    assert_eq!((&answer["status"], answer["records"].as_array().unwrap().len()), (&json!(0), 2), "{answer}");
}

/// Whenever it is interrupted, there is an entry with its record, or neither.
#[test]
fn an_interrupted_signing_makes_all_or_nothing() {
    let place = Place::with_ana("many-interrupted");
    let entries = || place.read("home/chain.jsonl").lines().count();
    let (mut done, mut undone) = (0, 0);
    // However busy the machine is, the first is too early and the last too late.
    for delay in (0_u16..40).chain([2000]) {
        let before = entries();
        // The shell's own `kill` is there at once; what it starts in the background ignores Ctrl-C, and not this.
        let sleep = if delay == 0 { String::new() } else { format!("sleep {:.4}; ", f64::from(delay) * 0.0015) };
        let line = format!("dualseal sign contract.pdf >told 2>&1 & {sleep}kill -TERM $! 2>/dev/null; wait $!");
        place.shell(&line);
        place.good(&["chain", "check"]);
        let is_there = place.path("contract.pdf.sig.json").exists();
        assert_eq!(is_there, entries() > before, "after {delay}");
        if is_there {
            place.good(&["verify", "contract.pdf.sig.json"]);
            fs::remove_file(place.path("contract.pdf.sig.json")).unwrap();
        }
        *if is_there { &mut done } else { &mut undone } += 1;
    }
    assert!(done > 0 && undone > 0, "{done} {undone}");
}

#[test]
fn times_that_go_backwards_are_remarked() {
    let place = Place::with_ana("many-backwards");
    let ran = place.good(&["sign", "contract.pdf", "--time", TIME, "-o", "first.json"]);
    let early = "2020-01-01T00:00:00.000Z";
    let ran_early = place.good(&["sign", "contract.pdf", "--time", early, "-o", "second.json"]);
    assert!(ran_early.out.contains(&format!("the entry before has a later time, {TIME}")), "{ran:?} {ran_early:?}");
    let ran = place.good(&["chain", "append", "more", "--time", "2019-01-01T00:00:00.000Z"]);
    assert!(ran.out.contains("has a later time"), "{ran:?}");
    let ran = place.good(&["seal", "contract.pdf", "--time", "2018-01-01T00:00:00.000Z"]);
    assert!(ran.out.contains("has a later time"), "{ran:?}");
    let answer = place.json(&["chain", "check"]);
    assert_eq!(answer["backwards"], json!([1, 2, 3, 4]), "{answer}");
}
