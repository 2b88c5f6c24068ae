//! `ffi/src/status.rs`, of which the header is made.

use super::line::{Kind, Line, NOTICE};

const WIDTH: usize = 120;

/// The module of statuses.
pub(super) fn statuses(lines: &[Line]) -> String {
    let members: String = lines.iter().map(member).collect();
    let texts: String = lines.iter().map(text).collect();
    format!(
        "// {NOTICE}
//! Statuses: the numbers of verdicts and errors, the same in every language and never reused.

use std::ffi::CStr;

/// What a function returns: a member of [`Status`].
pub type StatusValue = i32;

/// What a function returns. 0 alone is success; for a verification it means Valid and nothing less, and from an
/// authentication it does not come.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {{
{members}}}

/// What each status means.
pub(crate) const TEXTS: [(Status, &CStr); {}] = [
{texts}];
",
        lines.len()
    )
}

/// The name in C.
pub(super) fn macro_name(name: &str) -> String {
    format!("DUALSEAL_STATUS_{}", name.replace('-', "_").to_uppercase())
}

/// The name in Rust: `not-a-decoy` is `NotADecoy`.
fn variant(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

fn member(line: &Line) -> String {
    let kind = line.kind.as_str();
    let mut comment = format!("{}{}: {}.", kind[..1].to_uppercase(), &kind[1..], line.text);
    if !line.remark.is_empty() {
        comment = format!("{comment} {}", line.remark);
    }
    format!("{}    {} = {},\n", documentation(&comment), variant(line.name), line.code)
}

/// A comment before a member, in as many lines as it takes.
fn documentation(comment: &str) -> String {
    let mut lines = vec!["    ///".to_string()];
    for word in comment.split(' ') {
        let last = lines.last_mut().expect("one at the least");
        if last.len() + 1 + word.len() > WIDTH {
            lines.push(format!("    /// {word}"));
        } else {
            last.push(' ');
            last.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}

fn text(line: &Line) -> String {
    let text = match line.kind {
        Kind::Verdict(_) => line.name.to_string(),
        Kind::Authentication => format!("{}, which is not Valid: {}", line.name, line.text),
        Kind::Error(family) => format!("{family}: {}", line.text),
        Kind::OnlyC => line.text.to_string(),
    };
    let variant = variant(line.name);
    let short = format!("    (Status::{variant}, c\"{text}\"),\n");
    // As the formatter would.
    if short.trim_end().len() <= WIDTH {
        short
    } else {
        format!("    (\n        Status::{variant},\n        c\"{text}\",\n    ),\n")
    }
}
