//! Shares as they come back: a folder, pictures, and one that was mistyped.

use crate::run::Place;
use pkcs8::LineEnding;
use pkcs8::der::pem;
use std::fs;

fn split(name: &str, forms: &str) -> Place {
    let place = Place::new(name);
    place.write("will.pdf", "my will");
    place.good(&["split", "will.pdf", "--threshold=2", "--shares=3", "--form", forms, "-o", "made"]);
    place
}

fn is_back(place: &Place) {
    assert_eq!(place.read("back.pdf"), "my will");
    fs::remove_file(place.path("back.pdf")).unwrap();
}

#[test]
fn a_folder_is_combined() {
    let place = split("found-folder", "file,png");
    let combine = ["combine", "made", "-o", "back.pdf"];
    let ran = place.good(&combine);
    assert!(ran.out.starts_with("The file is back, as it was split."), "{ran:?}");
    is_back(&place);
    // A picture that cannot be read stops no share.
    let png = fs::read(place.path("made/share-1.png")).unwrap();
    place.write("made/photo.png", &png[..png.len() / 2]);
    let ran = place.good(&combine);
    assert!(ran.err.contains("photo.png: ") && ran.err.contains("it is left out"), "{ran:?}");
    is_back(&place);
    place.shell("mkdir photos; mv made/photo.png photos");
    place.refused(&["combine", "photos", "--wrapped=made/will.pdf.wrapped", "-o", "back.pdf"], 66, "photo.png: ");
    // What else lies there is no share; what is left is enough, and said where it is not.
    place.write("made/notes.txt", "share 2 is with Ivo");
    place.shell("rm made/share-2.* made/share-3.txt; mkdir made/below");
    place.good(&combine);
    is_back(&place);
    place.shell("rm made/share-3.png");
    place.refused(&combine, 1, "1 usable shares, 2 are needed");
    place.shell("rm made/share-1.*");
    place.refused(&combine, 66, "no share is in made");
    place.refused(&["combine", "will.pdf", "-o", "back.pdf"], 64, "no wrapped file is named");
    place.shell("cp made/will.pdf.wrapped made/other.wrapped");
    place.refused(&combine, 64, "several wrapped files");
}

#[test]
fn pictures_are_read_back() {
    let place = split("found-png", "png");
    let wrapped = ["--dealing=made/dealing.json", "--wrapped=made/will.pdf.wrapped", "-o", "back.pdf"];
    place.good(&[&["combine", "made/share-1.png", "made/share-3.png"][..], &wrapped].concat());
    is_back(&place);
    // One that is cut off, none at all, and one with something else in it.
    let png = fs::read(place.path("made/share-1.png")).unwrap();
    place.write("cut.png", &png[..png.len() / 2]);
    place.write("head.png", &png[..8]);
    for name in ["cut.png", "head.png"] {
        place.refused(&[&["combine", name, "made/share-3.png"][..], &wrapped].concat(), 66, name);
    }
}

/// A slip of the pen in one share stops no two good ones.
#[test]
fn a_mistyped_share_is_left_out() {
    let place = split("found-slip", "file");
    let text = place.read("made/share-2.txt");
    let slip = text.trim_end().to_owned();
    let end = if slip.ends_with('0') { "1" } else { "0" };
    place.write("made/share-2.txt", format!("{}{end}\n", &slip[..slip.len() - 1]));
    let ran = place.good(&["combine", "made", "-o", "back.pdf"]);
    assert!(ran.err.contains("share-2.txt: check") && ran.err.contains("it is left out"), "{ran:?}");
    is_back(&place);
    fs::remove_file(place.path("made/share-3.txt")).unwrap();
    place.refused(&["combine", "made", "-o", "back.pdf"], 66, "share-2.txt: check");
}

/// Notes and names are shown, and records are found by them; the last checkpoint is not printed.
#[test]
fn documents_are_found_again() {
    let place = Place::with_ana("found-vault");
    place.good(&["vault", "init"]);
    place.good(&["vault", "seal", "contract.pdf", "--type", "CONTRACT"]);
    place.good(&["vault", "seal", "contract.pdf", "--type", "DEED", "--note", "The Lease of 2026"]);
    let ran = place.good(&["vault", "list"]);
    assert!(ran.out.contains("\"contract.pdf\"") && ran.out.contains("\"The Lease of 2026\""), "{ran:?}");
    for (find, found) in [("lease", vec![1]), ("deed", vec![1]), ("contract", vec![0]), ("nothing", vec![])] {
        let answer = place.json(&["vault", "list", "--find", find]);
        let records = answer["records"].as_array().unwrap().iter();
        assert_eq!(records.map(|record| record["record"].as_u64().unwrap()).collect::<Vec<_>>(), found, "{answer}");
    }
    let ran = place.good(&["checkpoint", "sign"]);
    assert!(ran.out.len() < 2000 && ran.out.contains("home/checkpoint.json"), "{ran:?}");
    let ran = place.good(&["checkpoint", "sign", "-o", "-"]);
    assert!(ran.out.len() > 10_000 && ran.out.starts_with('{'), "{ran:?}");
}

/// JSON that fails over its bytes is hinted at, and what has no canonical form is said to have none.
#[test]
fn canonical_json_is_hinted_at() {
    let place = Place::with_ana("found-canonical");
    place.write("order.json", r#"{"items": 3, "of": "x"}"#);
    place.good(&["sign", "order.json", "--canonical"]);
    let ran = place.refused(&["verify", "order.json.sig.json"], 1, "the document is not the one that was signed");
    assert!(ran.out.contains("add --canonical"), "{ran:?}");
    place.good(&["verify", "order.json.sig.json", "--canonical"]);
    place.write("order.json", r#"{"items": 4, "of": "x"}"#);
    assert!(!place.run(&["verify", "order.json.sig.json"]).out.contains("add --canonical"));
    for json in [r#"{"price": 1.5}"#, r#"{"a": 1, "a": 2}"#] {
        place.write("bad.json", json);
        let ran = place.refused(&["sign", "bad.json", "--canonical"], 66, "bad.json: ");
        assert!(ran.err.contains("--canonical takes JSON whose numbers are whole"), "{ran:?}");
    }
}

/// Keys of other programs in other forms are called what they are.
#[test]
fn other_forms_of_a_key_are_named() {
    let place = Place::with_ana("found-forms");
    let oid = [0x30, 0x0b, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, 0x12];
    let tagged = |tag: u8, content: &[u8]| [&[tag, u8::try_from(content.len()).unwrap()], content].concat();
    let key = |name: &str, private: &[u8]| {
        let der = tagged(0x30, &[&[0x02, 0x01, 0x00], &oid[..], &tagged(0x04, private)].concat());
        place.write(name, pem::encode_string("PRIVATE KEY", LineEnding::LF, &der).unwrap());
    };
    key("expanded.pem", &[0x04, 0x03, 1, 2, 3]);
    key("both.pem", &[0x30, 0x08, 0x04, 2, 1, 2, 0x04, 2, 3, 4]);
    place.refused(&["key", "import", "bo", "expanded.pem"], 77, "it is a key in the expanded form");
    place.refused(&["key", "import", "bo", "both.pem"], 77, "both seed and expanded key");
    assert!(place.run(&["inspect", "both.pem"]).out.contains("both seed and expanded key"));
}
