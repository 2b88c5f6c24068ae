//! Pages as whoever receives them has them: printed of real evidence, which the command line makes, and looked at by
//! other programs.

mod log;
mod made;
mod peers;

use log::Log;
use made::{Case, Kinds};
use peers::{said, within};
use proof_pdf::text::{EVIDENCE, Kind, TEXT, VERSION};
use proof_pdf::{Language, Page, Proof, Unprinted, pdf};
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Letters of a language that no other alphabet of the three has.
fn letters(language: Language) -> &'static str {
    match language {
        Language::Hr => "čćžšđ",
        Language::En => "",
        Language::De => "äöüß",
    }
}

/// One page of each kind in each language, with what every program says of it.
#[test]
fn every_kind_in_every_language_is_printed_and_verifies() {
    let (log, mut seen) = (Log::new(), String::new());
    let kinds = Kinds::new(&log);
    for kind in Kind::ALL {
        let case = Case::new(&log, kind, kinds.claim(kind));
        for language in Language::ALL {
            let name = format!("{} in {}", kind.as_str(), language.as_str());
            let page = Page::of(&case.proof, language);
            let bytes = pdf(&page).expect(&name);
            assert_eq!(pdf(&page).expect(&name), bytes, "{name}: twice the same");
            let file = case.folder.join(format!("{}.pdf", language.as_str()));
            fs::write(&file, &bytes).expect("written");

            let info = said("pdfinfo", &[&file]);
            for line in ["CreationDate:    Sat Nov 21 09:00:00 2099 UTC", "(A4)", "JavaScript:      no"] {
                assert!(info.contains(line), "{name}: {line}: {info}");
            }
            let standard = said("pdfinfo", &["-meta".as_ref(), file.as_os_str()]);
            for line in ["<pdfaid:part>3</pdfaid:part>", "<pdfaid:conformance>B</pdfaid:conformance>"] {
                assert!(standard.contains(line), "{name}: {line}: {standard}");
            }
            assert!(info.contains(&format!("{} {}", page.title, page.name)), "{name}: {info}");
            assert!(info.contains("Creator:         dualseal"), "{name}: {info}");
            assert!(said("qpdf", &["--check".as_ref(), file.as_os_str()]).contains("No syntax"), "{name}");
            let fonts = said("pdffonts", &[&file]);
            assert!(fonts.lines().skip(2).all(|font| font.contains(" yes yes ")), "{name}: {fonts}");

            let text = said("pdftotext", &["-layout".as_ref(), file.as_os_str(), "-".as_ref()]);
            seen.push_str(&text);
            let text = within(&text);
            for hash in &page.hashes {
                assert!(text.contains(&hash.groups.concat()), "{name}: {}: {text}", hash.label);
            }
            let plain = said("pdftotext", &[file.as_os_str(), "-".as_ref()]);
            for sentence in page.sentences.iter().map(String::as_str).chain(page.limits.iter().copied()) {
                assert!(within(&plain).contains(&within(sentence)), "{name}: {sentence}: {plain}");
            }

            // What the code says is an address of the log, and names the entry.
            let picture = case.folder.join("page");
            said("pdftoppm", &["-r".as_ref(), "200".as_ref(), "-png".as_ref(), file.as_os_str(), picture.as_os_str()]);
            let codes: String = peers::pictures(&case.folder).iter().map(|one| peers::code(one)).collect();
            assert_eq!(codes.trim(), format!("QR-Code:{}", page.code[0]), "{name}");

            let out = case.detach(&file);
            for attachment in &page.attachments {
                assert_eq!(fs::read(out.join(&attachment.name)).expect("attached"), attachment.bytes, "{name}");
            }
            assert_eq!(fs::read_dir(&out).expect("a folder").count(), page.attachments.len(), "{name}");
            let audited = log.audit(&out);
            assert_eq!(audited.status, Some(0), "{name}: {}", audited.said);
            let verified = log.verify(&out.join(TEXT), &out.join(EVIDENCE), "service");
            assert_eq!(verified.status, Some(0), "{name}: {}", verified.said);

            // Whoever has the attachments prints the same page.
            let again = case.folder.join("again.pdf");
            said(env!("CARGO_BIN_EXE_proof-pdf"), &[out.as_os_str(), language.as_str().as_ref(), again.as_os_str()]);
            assert_eq!(fs::read(again).expect("printed"), bytes, "{name}");
            let rows =
                said("qpdf", &["--qdf".as_ref(), "--object-streams=disable".as_ref(), file.as_os_str(), "-".as_ref()]);
            assert_eq!(rows.matches("/AFRelationship /Data").count(), page.attachments.len(), "{name}");
            assert!(rows.contains("/GTS_PDFA1"), "{name}: no output intent");
        }
    }
    for letter in Language::ALL.into_iter().flat_map(|language| letters(language).chars()) {
        assert!(seen.contains(letter), "{letter}");
    }
}

/// What somebody changed in an attachment is named, and the page is not the one that follows from it.
#[test]
fn a_changed_attachment_is_found() {
    let log = Log::new();
    let kinds = Kinds::new(&log);
    let case = Case::new(&log, Kind::Put, kinds.claim(Kind::Put));
    let file = case.folder.join("proof.pdf");
    let bytes = pdf(&Page::of(&case.proof, Language::En)).expect("printed");
    fs::write(&file, &bytes).expect("written");
    for name in [TEXT, EVIDENCE, "zapis-02.json", "zapis-02.json.sig.evidence.json"] {
        let out = case.detach(&file);
        let whole = fs::read_to_string(out.join(name)).expect("attached");
        // The year of a time, and not a hash that begins so.
        let (at, _) = whole.match_indices("\"20").find(|(at, _)| whole[*at..].get(5..6) == Some("-")).expect("a time");
        let mut changed = whole.clone();
        changed.replace_range(at..at + 3, "\"21");
        assert_ne!(changed, whole, "{name} has a time");
        fs::write(out.join(name), changed).expect("written");
        let audited = log.audit(&out);
        assert_eq!(audited.status, Some(1), "{name}: {}", audited.said);
    }
    // A page of other attachments under the same name, as whoever edits the page would have it.
    let out = case.detach(&file);
    let other = fs::read_to_string(out.join(TEXT)).expect("attached").replace("\"SI\"", "\"IT\"");
    let evidence = fs::read_to_string(out.join(EVIDENCE)).expect("attached");
    let page = Page::of(&Proof::read(&other, &evidence).expect("of its form"), Language::En);
    assert_ne!(pdf(&page).expect("printed"), bytes);
    // What an attachment holds once more, in the signed text, is the same.
    assert!(
        page.attachments
            .iter()
            .any(|one| one.name == "zapis-02.json"
                && one.bytes != fs::read(out.join("zapis-02.json")).expect("attached"))
    );
}

/// The signature within the text is evidence by itself, over the document that whoever holds it has.
#[test]
fn a_signature_is_taken_out_and_verified_over_its_document() {
    let log = Log::new();
    let kinds = Kinds::new(&log);
    let case = Case::new(&log, Kind::Istina, kinds.claim(Kind::Istina));
    let text: proof_pdf::text::Text = serde_json::from_str(&case.text).expect("a text");
    let claim: proof_pdf::text::Istina = serde_json::from_str(text.tvrdnja.get()).expect("a claim");
    let evidence = case.folder.join("contract.txt.sig.evidence.json");
    fs::write(&evidence, claim.dokaz.get()).expect("written");
    let verified = log.verify(&kinds.contract, &evidence, "ana");
    assert_eq!(verified.status, Some(0), "{}", verified.said);
}

/// No string of a record is markup, and what no font has is refused: a page never shows an empty box.
#[test]
fn strings_of_records_are_letters_and_nothing_else() {
    let log = Log::new();
    let kinds = Kinds::new(&log);
    let print = |plate: &str| {
        let case = Case::new(&log, Kind::Put, kinds.journey(plate));
        let file = case.folder.join("proof.pdf");
        pdf(&Page::of(&case.proof, Language::Hr)).map(|bytes| {
            fs::write(&file, bytes).expect("written");
            within(&said("pdftotext", &[file.as_os_str(), "-".as_ref()]))
        })
    };
    let hostile = "#panic() *x* $y$ <z>";
    assert!(print(hostile).expect("printed").contains(&within(hostile)));
    assert!(matches!(print("ZG\u{6f22}AB"), Err(Unprinted::Letter(_))));
}

/// What the program ends with tells such a letter from everything else that fails.
#[test]
fn the_program_says_what_it_failed_at() {
    let log = Log::new();
    let case = Case::new(&log, Kind::Put, Kinds::new(&log).journey("ZG\u{6f22}AB"));
    let evidence = fs::read_to_string(case.folder.join(EVIDENCE)).expect("evidence");
    let given = serde_json::json!([case.text, evidence]).to_string();
    // The text's own: those of records within it stand before.
    let version = |version: &str| format!("verzija\\\":\\\"{version}\\\",\\\"vrijeme");
    let newer = given.replace(&version(VERSION), &version("9"));
    assert!(newer != given, "it has a version");
    for (input, code) in [("[]", 1), (given.as_str(), 3), (newer.as_str(), 1)] {
        let program =
            Command::new(env!("CARGO_BIN_EXE_proof-pdf")).args(["-", "hr", "-"]).stdin(Stdio::piped()).spawn();
        let mut program = program.expect("it runs");
        program.stdin.take().expect("an input").write_all(input.as_bytes()).expect("written");
        assert_eq!(program.wait().expect("it ends").code(), Some(code), "{} bytes", input.len());
    }
}
