//! The JSON answers of every command, frozen. What is drawn or depends on the machine is shown by its length.

use crate::run::{Place, TIME};
use std::fmt::Write;

/// Every run of 16 or more hexadecimal digits becomes `[hex N]`; the test's own folder, `[here]`.
pub(crate) fn stable(place: &Place, text: &str) -> String {
    let text = text.replace(place.path("").to_str().unwrap(), "[here]/");
    let (mut stable, mut run) = (String::new(), String::new());
    for c in text.chars().chain(['\n']) {
        if matches!(c, '0'..='9' | 'a'..='f') {
            run.push(c);
            continue;
        }
        let shown = if run.len() >= 16 { format!("[hex {}]", run.len()) } else { run.clone() };
        stable.push_str(&shown);
        stable.push(c);
        run.clear();
    }
    stable
}

/// The answers to lines that print nothing but JSON.
pub(crate) fn answers(place: &Place, lines: &[&str]) -> String {
    let mut answers = String::new();
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().chain(["--json", "--time", TIME]).collect();
        let ran = place.run(&words);
        assert_eq!(ran.err, "", "{line}");
        let _ = writeln!(answers, "$ dualseal {line}\n{}", stable(place, &ran.out).trim_end());
    }
    answers
}

#[test]
fn answers_are_frozen() {
    let place = Place::new("schema");
    place.write("contract.pdf", "one contract");
    place.write("other.pdf", "another contract");
    place.write("inputs.json", r#"[{"creator":"a::b","context":"2026"}]"#);
    let mut answers = String::new();
    for line in [
        "id --creator ana --context 2026",
        "key show",
        "key new ana --origin acme.example/log",
        "key new ana",
        "key show",
        "key show ana",
        "key export -o ana.pem",
        "key export --ring -o ring.json",
        "key export --secret -o secret.pem",
        "sign contract.pdf",
        "sign contract.pdf",
        "seal contract.pdf",
        "seal contract.pdf --no-chain --force",
        "chain append received",
        "chain check",
        "chain show --from 3",
        "checkpoint sign -o checkpoint.json",
        "chain check --with-ring",
        "checkpoint check checkpoint.json --log-key ana.pem",
        "checkpoint check checkpoint.json --log-key ana.pem --least-size 9",
        "checkpoint compare checkpoint.json checkpoint.json --log-key ana.pem",
        "verify contract.pdf.sig.json --key ana.pem",
        "verify contract.pdf.sig.json other.pdf --key ana.pem",
        "verify contract.pdf.sig.json other.pdf --key ana.pem --public",
        "verify contract.pdf.seal --key ana.pem",
        "verify contract.pdf.seal --policy a",
        "inspect contract.pdf.sig.json",
        "inspect contract.pdf",
        "inspect ana.pem",
        "lint ids inputs.json",
        "key state ana oboje",
        "verify contract.pdf.sig.json",
        "verify contract.pdf.sig.json --public",
        "key state ana nijedno",
        "verify contract.pdf.sig.json",
        "key state ana laz",
        "verify contract.pdf.sig.json",
        "key rotate ana",
        "key import bo secret.pem",
    ] {
        let words: Vec<&str> = line.split_whitespace().chain(["--json", "--time", TIME]).collect();
        let ran = place.run(&words);
        assert_eq!(ran.err, "", "{line}");
        writeln!(answers, "$ dualseal {line}\n{}", stable(&place, &ran.out).trim_end()).unwrap();
    }
    insta::assert_snapshot!(answers);
}
