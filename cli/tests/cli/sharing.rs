//! Files that are split among people, and what comes back of them.

use crate::run::{Place, Ran};
use serde_json::json;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

/// A folder with a document that was split 3 of 5, everything in it by its short name.
pub(crate) fn split(name: &str, options: &[&str]) -> Place {
    let place = Place::new(name);
    place.write("will.pdf", "the last will");
    split_in(&place, options);
    place
}

/// Splits the document of a folder.
pub(crate) fn split_in(place: &Place, options: &[&str]) {
    let args = [&["split", "will.pdf", "--threshold=3", "--shares=5", "-o", "made"], options].concat();
    place.good(&args);
    for entry in fs::read_dir(place.path("made")).unwrap() {
        let entry = entry.unwrap();
        fs::rename(entry.path(), place.path(entry.file_name())).unwrap();
    }
    fs::remove_dir(place.path("made")).unwrap();
}

/// Combines shares by the dealing, and asks for an output file of its own.
fn combined(place: &Place, shares: &[&str]) -> Ran {
    let rest = ["--dealing=dealing.json", "--wrapped=will.pdf.wrapped", "-o", "back.pdf", "--force"];
    place.run(&[&["combine"], shares, &rest].concat())
}

fn line(place: &Place, name: &str) -> String {
    place.read(name).lines().last().unwrap().to_owned()
}

/// A share with one digit of its value changed, its check made good again.
fn corrupted(place: &Place, name: &str) -> String {
    let line = line(place, name);
    let mut parts: Vec<String> = line.split(':').map(str::to_owned).collect();
    // By a difference that is as good as random: two small ones can fit one polynomial, as colluders' would.
    let lower = parts[7].len() - 32;
    let (upper, lower) = parts[7].split_at(lower);
    parts[7] = [upper, &lower[1..], &lower[..1]].concat();
    checked(&parts)
}

fn checked(parts: &[String]) -> String {
    let before = parts[..8].join(":");
    let digest = dualseal::hash::Sha3_256::digest(before.as_bytes());
    let check = dualseal::encoding::hex::encode(&digest[..4]).to_uppercase();
    format!("{before}:{check}")
}

#[test]
fn two_of_five_are_lost() {
    for field in ["p521", "gf256"] {
        let place = split("lost", &["--field", field]);
        fs::remove_file(place.path("will.pdf")).unwrap();
        let ran = combined(&place, &["share-1.txt", "share-4.txt", "share-5.txt"]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{ran:?}");
        assert!(ran.out.starts_with("The file is back, as it was split.\n"), "{ran:?}");
        assert_eq!(place.read("back.pdf"), "the last will");
        let modes =
            ["share-1.txt", "back.pdf"].map(|name| fs::metadata(place.path(name)).unwrap().permissions().mode());
        assert_eq!(modes.map(|mode| mode & 0o777), [0o600; 2]);
    }
}

#[test]
fn any_mix_of_files_and_standard_input() {
    let place = split("mix", &[]);
    let two = format!("# from the notary\n\n{}\n{}\n", line(&place, "share-2.txt"), line(&place, "share-3.txt"));
    place.write("two.txt", two.to_lowercase());
    let args = ["combine", "two.txt", "-", "--dealing=dealing.json", "--wrapped=will.pdf.wrapped", "-o-"];
    let ran = place.fed(&args, place.read("share-5.txt").as_bytes());
    assert_eq!((ran.status, ran.out.as_str()), (0, "the last will"), "{ran:?}");
    assert!(ran.err.contains("two.txt has mode 644: others may read this secret"), "{ran:?}");
    assert!(ran.err.contains("\nThe file is back"), "{ran:?}");
    // The wrapped file from standard input, into a file.
    let args = ["combine", "two.txt", "share-1.txt", "--dealing=dealing.json", "--wrapped=-", "-o", "back.pdf"];
    let ran = place.fed(&args, &fs::read(place.path("will.pdf.wrapped")).unwrap());
    assert_eq!((ran.status, place.read("back.pdf").as_str()), (0, "the last will"), "{ran:?}");
    let both = ["combine", "two.txt", "share-1.txt", "--dealing=dealing.json", "--wrapped=-", "-o-"];
    place.refused(&both, 64, "cannot both be streams");
    // A pipe has another name, and is read once all the same: nobody changed the file.
    let ran = place.shell(
        "cat will.pdf.wrapped | dualseal combine two.txt share-1.txt --dealing dealing.json --wrapped /dev/stdin -o -",
    );
    assert!(ran.status == 64 && ran.out.is_empty() && ran.err.contains("cannot both be streams"), "{ran:?}");
    place.refused(&["combine", "-", "-", "--dealing=dealing.json", "--wrapped=x", "-o-"], 64, "named twice");
    place.refused(&["combine", "-", "--dealing=dealing.json", "--wrapped=-", "-ox"], 64, "named twice");
    place.refused(&["combine", "--dealing=dealing.json", "--wrapped=x", "-o-"], 64, "there are no shares");
}

#[test]
fn bad_shares_are_named() {
    let place = split("bad", &[]);
    place.write("four.txt", corrupted(&place, "share-4.txt"));
    fs::set_permissions(place.path("four.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    // One to spare: the file is back, and the culprit is told.
    let ran = combined(&place, &["share-1.txt", "share-2.txt", "share-3.txt", "four.txt"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.out.contains("bad share") && ran.out.contains("4 (four.txt) is not what was dealt"), "{ran:?}");
    assert_eq!(place.read("back.pdf"), "the last will");
    let answer = place.json(&[
        "combine",
        "share-1.txt",
        "share-2.txt",
        "share-3.txt",
        "four.txt",
        "--dealing=dealing.json",
        "--wrapped=will.pdf.wrapped",
        "-o",
        "back.pdf",
        "--force",
    ]);
    assert_eq!((&answer["culprits"], &answer["foreign"], &answer["anchored"]), (&json!([4]), &json!([]), &json!(true)));
    // None to spare.
    fs::remove_file(place.path("back.pdf")).unwrap();
    let ran = combined(&place, &["share-1.txt", "share-2.txt", "four.txt"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.err.contains("2 usable shares, 3 are needed; bad shares: 4"), "{ran:?}");
    assert!(ran.err.contains("share 4 (four.txt) is not what was dealt; bring 1 more"), "{ran:?}");
    assert!(!place.path("back.pdf").exists());
}

#[test]
fn what_gives_no_file_says_why() {
    let place = split("refused", &[]);
    let refused = |shares: &[&str], status: i32, words: &[&str]| {
        let ran = combined(&place, shares);
        assert_eq!(ran.status, status, "{shares:?}: {ran:?}");
        for words in words {
            assert!(ran.err.contains(words), "{shares:?}: {words}: {ran:?}");
        }
        assert!(!place.path("back.pdf").exists(), "{shares:?}");
    };
    refused(&["share-1.txt", "share-2.txt"], 1, &["2 usable shares, 3 are needed", "next: bring 1 more that hold"]);
    place.write("copy.txt", line(&place, "share-1.txt"));
    refused(&["share-1.txt", "share-2.txt", "copy.txt"], 1, &["2 usable shares, 3 are needed"]);
    // Number 0, and what a hand copied wrongly.
    let mut parts: Vec<String> = line(&place, "share-3.txt").split(':').map(str::to_owned).collect();
    parts[4] = "0".to_owned();
    place.write("zero.txt", checked(&parts));
    refused(&["zero.txt", "share-1.txt", "share-2.txt"], 66, &["zero.txt: indeks (at 0)"]);
    let slip = line(&place, "share-3.txt");
    place.write(
        "slip.txt",
        format!("{}{}", &slip[..190], if slip[190..].starts_with('7') { "8" } else { "7" }) + &slip[191..],
    );
    refused(&["slip.txt", "share-1.txt", "share-2.txt"], 66, &["slip.txt: check", "letter by letter"]);
    place.write("text.txt", "nothing of the kind");
    refused(&["text.txt", "share-1.txt", "share-2.txt"], 66, &["text.txt: share"]);
    refused(&["none.txt", "share-1.txt"], 66, &["cannot read none.txt"]);

    // A share of another set, a record of another set, a file of another set.
    let other = split("refused-other", &[]);
    for name in ["share-3.txt", "dealing.json", "will.pdf.wrapped"] {
        fs::copy(other.path(name), place.path(format!("other-{name}"))).unwrap();
    }
    let mixed = ["share-1.txt", "share-2.txt", "other-share-3.txt"];
    refused(&mixed, 1, &["bad shares: 3", "share 3 (other-share-3.txt) is of another set; bring 1 more"]);
    // The label of this set on the share of another one: framed nobody, helped nothing.
    let theirs: Vec<String> = line(&place, "other-share-3.txt").split(':').map(str::to_owned).collect();
    let ours: Vec<String> = line(&place, "share-3.txt").split(':').map(str::to_owned).collect();
    place.write("label.txt", checked(&[&ours[..7], &theirs[7..]].concat()));
    refused(&["share-1.txt", "share-2.txt", "label.txt"], 1, &["share 3 (label.txt) is not what was dealt"]);
    let good = ["combine", "share-1.txt", "share-2.txt", "share-3.txt", "-oback.pdf"];
    let wrong = [&good[..], &["--dealing=other-dealing.json", "--wrapped=will.pdf.wrapped"]].concat();
    let told = place.refused(&wrong, 1, "0 usable shares, 3 are needed; bad shares: 1, 2, 3");
    assert!(told.err.contains("give the record that was written with them"), "{told:?}");
    let wrong = [&good[..], &["--dealing=dealing.json", "--wrapped=other-will.pdf.wrapped"]].concat();
    let told = place.refused(&wrong, 1, "encrypted under another key");
    assert!(told.err.contains("give the wrapped file that was written with these shares"), "{told:?}");
    let wrong = [&good[..], &["--dealing=will.pdf", "--wrapped=will.pdf.wrapped"]].concat();
    place.refused(&wrong, 66, "will.pdf: ");
    let wrong = [&good[..], &["--dealing=dealing.json", "--wrapped=will.pdf.wrapped", "--domain=ACME"]].concat();
    place.refused(&wrong, 1, "bad shares: 1, 2, 3");
    place.write("cut.wrapped", &fs::read(place.path("will.pdf.wrapped")).unwrap()[..80]);
    let wrong = [&good[..], &["--dealing=dealing.json", "--wrapped=cut.wrapped"]].concat();
    place.refused(&wrong, 1, "chunk 0 of the stream was changed, moved or cut off");
    // To standard output nothing goes before all of it holds.
    let wrong = [&good[..4], &["-o-", "--dealing=dealing.json", "--wrapped=cut.wrapped"]].concat();
    assert_eq!(place.refused(&wrong, 1, "chunk 0").out, "");
    place.write("back.pdf", "mine");
    let exists = [&good[..], &["--dealing=dealing.json", "--wrapped=will.pdf.wrapped"]].concat();
    place.refused(&exists, 73, "already");
    assert_eq!(place.read("back.pdf"), "mine");
}

#[test]
fn a_share_is_never_an_argument() {
    let place = split("argument", &[]);
    let share = line(&place, "share-1.txt");
    let ran = place.run(&["combine", &share, "--dealing=dealing.json", "--wrapped=will.pdf.wrapped", "-ox"]);
    assert_eq!(ran.status, 64, "{ran:?}");
    assert!(ran.err.contains("a share stands among the arguments") && !ran.err.contains(&share[..40]), "{ran:?}");
    // No error repeats one that stands in a file.
    let mut broken = share.clone();
    broken.truncate(share.len() - 3);
    place.write("broken.txt", &broken);
    let ran = combined(&place, &["broken.txt", "share-2.txt", "share-3.txt"]);
    assert!(ran.status == 66 && !ran.err.contains(&share[60..100]), "{ran:?}");
}

#[test]
fn without_the_dealing_nobody_vouches() {
    for field in ["p521", "gf256"] {
        let place = split("unanchored", &["--field", field]);
        place.write("four.txt", corrupted(&place, "share-4.txt"));
        let args = |shares: &[&str], rest: &[&str]| {
            let shares: Vec<String> = shares.iter().map(|share| format!("{share}.txt")).collect();
            let rest = [rest, &["--wrapped=will.pdf.wrapped", "-o", "back.pdf", "--force"]].concat();
            [vec!["combine".to_owned()], shares, rest.iter().map(|&arg| arg.to_owned()).collect()].concat()
        };
        let refused = place.run(&args(&["share-1", "share-2", "share-3"], &[]));
        assert_eq!(refused.status, 64, "{refused:?}");
        assert!(refused.err.contains("--unanchored"), "{refused:?}");

        let exactly = place.run(&args(&["share-1", "share-2", "share-3"], &["--unanchored"]));
        assert_eq!(exactly.status, 0, "{exactly:?}");
        assert!(exactly.out.starts_with("A file is back, and NOBODY VOUCHES for it"), "{exactly:?}");
        assert!(exactly.out.contains("nothing was checked"), "{exactly:?}");
        assert_eq!(place.read("back.pdf"), "the last will");

        let all = place.run(&args(&["share-1", "share-2", "share-3", "four", "share-5"], &["--unanchored", "--json"]));
        let answer: serde_json::Value = serde_json::from_str(&all.out).unwrap();
        assert_eq!((&answer["outliers"], &answer["unchecked"]), (&json!([4]), &json!(false)), "{answer}");
        assert_eq!((&answer["anchored"], &answer["culprits"]), (&json!(false), &json!([])), "{answer}");
        let lying = place.run(&args(&["share-1", "share-2", "four"], &["--unanchored"]));
        assert_eq!(lying.status, 1, "{lying:?}");
        place.write("five.txt", corrupted(&place, "share-5.txt"));
        let many = place.run(&args(&["share-1", "share-2", "share-3", "four", "five"], &["--unanchored"]));
        assert_eq!(many.status, 1, "{many:?}");
        assert!(many.err.contains("more than 1 of the shares are wrong"), "{many:?}");
        let few = place.run(&args(&["share-1", "share-2"], &["--unanchored"]));
        assert_eq!(few.status, 1, "{few:?}");

        let other = split("unanchored-other", &["--field", field]);
        fs::copy(other.path("share-3.txt"), place.path("other.txt")).unwrap();
        let mixed = place.run(&args(&["share-1", "share-2", "other"], &["--unanchored"]));
        assert_eq!(mixed.status, 1, "{mixed:?}");
        assert!(mixed.err.contains("name different sets"), "{mixed:?}");
    }
}

#[test]
fn lost_shares_come_back_and_old_ones_retire() {
    for options in [&["--field=p521"][..], &["--field=gf256"], &["--format=ssss"]] {
        let place = split("renew", options);
        let format = if options[0] == "--format=ssss" { "--format=ssss" } else { "--format=dualseal" };
        let with = ["share-1.txt", "share-3.txt", "share-5.txt", "--dealing=dealing.json", format];
        place.good(&[&["share", "repair", "--lost=2", "-orepaired"][..], &with].concat());
        assert_eq!(line(&place, "repaired/share-2.txt"), line(&place, "share-2.txt"));
        place.refused(&[&["share", "repair", "--lost=6", "-ox"][..], &with].concat(), 66, "indeks (at 6)");
        place.refused(&[&["share", "repair", "--lost=0", "-ox"][..], &with].concat(), 66, "indeks (at 0)");

        place.good(&[&["share", "refresh", "-onew"][..], &with].concat());
        let back =
            ["combine", "new/share-2.txt", "new/share-4.txt", "--wrapped=will.pdf.wrapped", "-oback.pdf", format];
        place.good(&[&back[..], &["new/share-5.txt", "--dealing=new/dealing.json", "--force"]].concat());
        assert_eq!(place.read("back.pdf"), "the last will");
        let old = [&back[..], &["share-1.txt", "--dealing=new/dealing.json", "--force"]].concat();
        place.refused(&old, 1, "bad shares: 1");

        let more = ["share", "rethreshold", "--threshold=4", "--shares=12", "-omore"];
        place.good(&[&more[..], &with].concat());
        let four = ["more/share-01.txt", "more/share-10.txt", "more/share-12.txt", "more/share-07.txt"];
        let back = ["--dealing=more/dealing.json", "--wrapped=will.pdf.wrapped", "-oback.pdf", "--force", format];
        place.good(&[&["combine"], &four[..], &back].concat());
        place.refused(&[&["combine"], &four[..3], &back].concat(), 1, "3 usable shares, 4 are needed");
        let wrong = ["share", "rethreshold", "--threshold=9", "--shares=4", "-ox"];
        place.refused(&[&wrong[..], &with].concat(), 66, "k (at 9)");
        let few = ["share", "refresh", "-ox", "share-1.txt", "share-2.txt", "--dealing=dealing.json", format];
        place.refused(&few, 1, "2 usable shares");
        assert!(!place.path("x").exists());
    }
}

#[test]
fn health_rebuilds_nothing() {
    let place = split("health", &[]);
    let other = split("health-other", &[]);
    fs::copy(other.path("share-5.txt"), place.path("other.txt")).unwrap();
    place.write("four.txt", corrupted(&place, "share-4.txt"));
    let health = |shares: &[&str]| place.json(&[&["share", "health", "--dealing=dealing.json"], shares].concat());
    let answer = health(&["share-1.txt", "share-2.txt", "share-3.txt", "four.txt", "other.txt"]);
    let lists = ["present", "missing", "invalid", "foreign"].map(|list| answer[list].clone());
    assert_eq!(lists, [json!([1, 2, 3]), json!([4, 5]), json!([4]), json!([5])]);
    assert_eq!((&answer["reached"], &answer["status"]), (&json!(true), &json!(0)));
    let answer = health(&["share-1.txt", "four.txt"]);
    assert_eq!((&answer["reached"], &answer["code"]), (&json!(false), &json!(210)));
}

#[test]
fn names_that_are_no_text() {
    let place = Place::new("names");
    let name = OsStr::from_bytes(b"t\xffst.bin");
    place.write(name, [0, 255, 7]);
    let ran = place.run(&[OsStr::new("split"), name, OsStr::new("--threshold=2"), OsStr::new("--shares=2")]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let folder = place.path(OsStr::from_bytes(b"t\xffst.bin.split"));
    let file = |name: &[u8]| folder.join(OsStr::from_bytes(name)).into_os_string();
    let mut wrapped = std::ffi::OsString::from("--wrapped=");
    wrapped.push(file(b"t\xffst.bin.wrapped"));
    let mut dealing = std::ffi::OsString::from("--dealing=");
    dealing.push(file(b"dealing.json"));
    let args = ["combine".into(), file(b"share-1.txt"), file(b"share-2.txt"), wrapped, dealing, "-oback".into()];
    assert_eq!(place.run(&args).status, 0);
    assert_eq!(fs::read(place.path("back")).unwrap(), [0, 255, 7]);
}

#[test]
fn nothing_is_made_by_half() {
    let place = Place::new("half");
    place.write("will.pdf", "the last will");
    fs::create_dir(place.path("there")).unwrap();
    let split = ["split", "will.pdf", "--threshold=2", "--shares=3"];
    place.refused(&[&split[..], &["-othere"]].concat(), 73, "already");
    place.refused(&[&split[..], &["-o/sys/made"]].concat(), 73, "cannot write /sys/made");
    place.refused(&[&split[..], &["-onone/made"]].concat(), 73, "cannot write none/made");
    place.refused(&["split", "none.pdf", "--threshold=2", "--shares=3", "-omade"], 66, "cannot read none.pdf");
    place.refused(&["split", "-", "--threshold=2", "--shares=3"], 64, "has no name");
    place.refused(&["split", "will.pdf", "--threshold=1", "--shares=3"], 66, "k (at 1)");
    place.refused(&["split", "will.pdf", "--threshold=2", "--shares=256"], 66, "n (at 256)");
    place.refused(&[&split[..], &["--format=ssss", "--field=p521"]].concat(), 64, "does not know the field p521");
    // A reader that goes away has no share: nothing else is made then. More than a pipe holds, so that it is noticed.
    let broken = place
        .shell("{ dualseal split will.pdf --threshold 2 --shares 250 --form text,qr -o made; echo $? >status; } | :");
    assert_eq!(broken.status, 0);
    assert_eq!((place.read("status").trim(), place.path("made").exists()), ("73", false));
    let full = place.shell("dualseal split will.pdf --threshold 2 --shares 3 --form text -o made >/dev/full");
    assert_eq!((full.status, place.path("made").exists()), (73, false), "{full:?}");
    let left: Vec<_> = fs::read_dir(place.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("unfinished")), "{left:?}");
}

#[test]
fn a_file_of_many_chunks() {
    let place = Place::new("chunks");
    let bytes: Vec<u8> = (0..3_000_000_u32).map(|i| u8::try_from(i % 251).unwrap()).collect();
    place.write("will.pdf", &bytes);
    split_in(&place, &[]);
    let ran = combined(&place, &["share-1.txt", "share-4.txt", "share-5.txt"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(fs::read(place.path("back.pdf")).unwrap() == bytes);
    place.write("will.pdf", "");
    let place = split("empty", &[]);
    place.write("will.pdf", "");
    fs::remove_file(place.path("dealing.json")).unwrap();
    split_in(&place, &[]);
    assert_eq!(combined(&place, &["share-1.txt", "share-4.txt", "share-5.txt"]).status, 0);
    assert_eq!(place.read("back.pdf"), "");
}

/// The domain of the home folder is that of its splits, as it is of everything else that is made there.
#[test]
fn the_domain_of_the_home_folder_is_used() {
    let place = Place::new("split-domain");
    place.write("will.pdf", "the last will");
    place.good(&["key", "new", "ana", "--domain=ACME"]);
    let answer = place.json(&["split", "will.pdf", "--threshold=2", "--shares=3", "-o", "made"]);
    assert_eq!(answer["domain"], "ACME", "{answer}");
    assert!(answer["notes"].to_string().contains("--domain ACME"), "{answer}");
    let shares = ["combine", "made/share-1.txt", "made/share-2.txt", "--dealing=made/dealing.json"];
    let combine = [&shares[..], &["--wrapped=made/will.pdf.wrapped", "-o-"]].concat();
    assert_eq!(place.good(&combine).out, "the last will");
    let elsewhere = [&combine[..], &["--home=none"]].concat();
    assert_ne!(place.run(&elsewhere).status, 0);
    assert_eq!(place.good(&[&elsewhere[..], &["--domain=ACME"]].concat()).out, "the last will");
    let health = ["share", "health", "made/share-1.txt", "made/share-2.txt", "--dealing=made/dealing.json"];
    place.good(&health);
    let against = ["--dealing=made/dealing.json", "-o", "renewed"];
    let refresh = [&["share", "refresh", "made/share-1.txt", "made/share-2.txt"], &against[..]].concat();
    place.good(&refresh);
    let shares = ["combine", "renewed/share-1.txt", "renewed/share-3.txt", "--dealing=renewed/dealing.json"];
    let combine = [&shares[..], &["--wrapped=made/will.pdf.wrapped", "-o-"]].concat();
    assert_eq!(place.good(&combine).out, "the last will");
    // What is asked for stands above it.
    let answer = place.json(&["split", "will.pdf", "--threshold=2", "--shares=3", "-o", "other", "--domain=OTHER"]);
    assert_eq!(answer["domain"], "OTHER");
}
