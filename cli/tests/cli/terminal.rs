//! At a terminal: colours, prompts that do not echo, and a progress bar. `script` gives the program one.

use crate::run::{Place, Ran};
use std::fmt::Write;
use std::fs::File;

/// Runs a command at a terminal, on which lines are typed as its questions come. A question throws away what was typed
/// before it, so each line waits for as many questions as there were lines.
fn at_terminal(place: &Place, line: &str, typed: &[&str]) -> Ran {
    let mut keys = String::new();
    for (count, typed) in (1..).zip(typed) {
        write!(
            keys,
            "for try in $(seq 100); do \
             [ \"$(grep -acE 'assphrase|again: ' shown)\" -ge {count} ] && break; sleep 0.1; done; \
             sleep 0.3; echo '{typed}'; "
        )
        .unwrap();
    }
    place.shell(&format!(": >shown; {{ {keys} sleep 0.2; }} | script -qefc '{line}' shown"))
}

#[test]
fn colours_at_a_terminal() {
    let place = Place::with_records("terminal");
    let shown = at_terminal(&place, "dualseal verify contract.pdf.sig.json", &[]);
    assert!(shown.out.contains("\u{1b}[1m\u{1b}[32mValid: "), "{shown:?}");
    let shown = at_terminal(&place, "NO_COLOR=1 dualseal verify contract.pdf.sig.json", &[]);
    assert!(!shown.out.contains('\u{1b}'), "{shown:?}");
}

#[test]
fn a_passphrase_is_asked_for_and_not_shown() {
    let place = Place::new("prompt");
    let made = at_terminal(&place, "dualseal key new ana --protect", &["correct horse", "correct horse"]);
    assert_eq!(made.status, 0, "{made:?}");
    assert!(made.out.contains("New passphrase: ") && !made.out.contains("horse"), "{made:?}");
    let other = at_terminal(&place, "dualseal key new bo --home x --protect", &["correct horse", "wrong horse"]);
    assert_eq!(other.status, 77, "{other:?}");
    assert!(other.out.contains("the two passphrases differ") && !place.path("x").exists(), "{other:?}");
    place.write("contract.pdf", "one contract");
    // The seal needs two secret files; one question is enough.
    let sealed = at_terminal(&place, "dualseal seal contract.pdf", &["correct horse"]);
    assert_eq!(sealed.status, 0, "{sealed:?}");
    assert_eq!(sealed.out.matches("Passphrase of ").count(), 1, "{sealed:?}");
    place.write("good.txt", "correct horse");
    place.good(&["sign", "contract.pdf", "--passphrase-file=good.txt"]);
}

#[test]
fn a_long_document_shows_how_far_it_is() {
    let place = Place::with_ana("progress");
    File::create(place.path("large")).unwrap().set_len(200 << 20).unwrap();
    let shown = at_terminal(&place, "dualseal sign large", &[]);
    assert!(shown.out.contains("MiB/200.00 MiB"), "{shown:?}");
    let silent = place.good(&["sign", "large", "--force"]);
    assert_eq!(silent.err, "");
}
