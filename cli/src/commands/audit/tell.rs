//! The answer: a sentence, a line for each file, a table of how many came to what.

use super::judgement::{Line, Mark};
use super::signers::{STATE_NOT_ASKED, Signer};
use crate::failure::{READ, SECRET};
use crate::output::{Report, integer, path_text, text};
use dualseal::VerdictKind;
use dualseal::encoding::json::Value;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn report(folder: &Path, lines: &[Line], signers: &[Signer], public: bool) -> Report {
    let mut counts: BTreeMap<Mark, u64> = BTreeMap::new();
    for line in lines {
        *counts.entry(line.mark).or_default() += 1;
    }
    let count = |mark: Mark| counts.get(&mark).copied().unwrap_or(0);
    let worst = lines.iter().map(|line| line.mark).max().unwrap_or(Mark::Other);
    // Of the worst, the first by path.
    let code = lines.iter().find(|line| line.mark == worst).and_then(|line| line.code);
    let secrets = count(Mark::Secret);
    let bad: u64 = counts.iter().filter(|(mark, _)| **mark > Mark::Unchecked).map(|(_, count)| count).sum();
    let (bad, open) = (bad - secrets, count(Mark::Unchecked));
    let nothing = worst.is_good() && count(Mark::Valid) == 0;
    let sentence = match (bad, open, secrets) {
        (0, 0, 0) if nothing => "There is nothing here that can be verified.".to_owned(),
        (0, 0, 0) => format!("Valid: everything here that can be verified holds ({}).", files(count(Mark::Valid))),
        (0, 0, _) if count(Mark::Valid) == 0 => "Nothing here can be verified".to_owned(),
        (0, 0, _) => format!("Everything here that can be verified holds ({})", files(count(Mark::Valid))),
        (0, open, 0) => format!("Nothing bad was found, and {} could not be checked.", files(open)),
        (0, open, _) => format!("Nothing false was found, and {} could not be checked", files(open)),
        (bad, _, 0) => format!("NOT all of it holds: look at {}.", files(bad)),
        (bad, ..) => format!("NOT all of it holds: look at {}", files(bad)),
    };
    let and = if bad > 0 { "and" } else { "but" };
    let sentence = match secrets {
        0 => sentence,
        1 => format!("{sentence}, {and} 1 file holds a secret that must not be here."),
        many => format!("{sentence}, {and} {many} files hold secrets that must not be here."),
    };
    let mut report = Report::new(sentence);
    report = match code {
        _ if nothing => {
            report.coded(VerdictKind::Suspended.code()).note("Nothing was verified: is it the right folder?")
        }
        _ if worst.is_good() => report,
        _ if worst == Mark::Secret => report.ended(SECRET),
        Some(code) => report.coded(code),
        None => report.ended(READ),
    };
    for line in lines {
        report = report.line(line.mark.label(), line.told());
    }
    if !signers.is_empty() {
        report = report.line("", String::new());
    }
    for signer in signers {
        report = report.line("signer", signer.told());
    }
    report = report.line("", String::new());
    for (mark, count) in counts.iter().rev() {
        report = report.line(mark.label(), files(*count));
    }
    let summary = Mark::ALL.into_iter().map(|mark| (mark.word().to_owned(), integer(count(mark)))).collect();
    let list = lines.iter().map(Line::value).collect();
    if bad > 0 {
        report = report.note(
            "Keep what does not hold as it is, for it is evidence, and ask its sender for it as it was made. \
             `dualseal verify` and `dualseal inspect` say more of a single file.",
        );
    }
    if signers.iter().any(Signer::is_without_state) {
        report = report.note(STATE_NOT_ASKED);
    }
    if secrets > 0 {
        report = report.note(
            "Secrets lie in this folder: take them away before you hand it to anybody. Whoever had it from you may \
             know them: put a new key in place of a key by `dualseal key rotate`, and new shares in place of shares by \
             `dualseal share refresh`.",
        );
    }
    report
        .member("folder", text(path_text(folder)))
        .member("files", Value::Array(list))
        .member("signers", Value::Array(signers.iter().map(Signer::value).collect()))
        .member("summary", Value::Object(summary))
        .member("public", Value::Bool(public))
        .member("worst", text(worst.word()))
}

pub(super) fn files(count: u64) -> String {
    if count == 1 { "1 file".to_owned() } else { format!("{count} files") }
}
