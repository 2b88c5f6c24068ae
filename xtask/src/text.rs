//! House rules that no compiler checks, over every file that is tracked or would be.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::advisories;
use crate::assurance;
use crate::broken;
use crate::context::Context;
use crate::debian;
use crate::dependencies;
use crate::links::{broken_links, missing_tests, wide_code};
use crate::process;

const THREATS: &str = "docs/THREATS.md";
/// Decisions: `NNNN-title.md`, whose heading is `# N. Title`.
const ADR: &str = "docs/adr/";
const MOST_LINES: usize = 700;
/// What is there to be read in one go.
const MOST_LINES_OF_AN_EXAMPLE: usize = 300;
const MOST_COLUMNS: usize = 120;
/// Languages whose lines and length are limited. What a tool generates (`include/`) is not ours to limit.
const SOURCES: &[&str] = &["rs", "py", "pyi", "c", "h", "go", "sh"];
/// Files that must have LF line ends; test vectors have what their source has.
const TEXTS: &[&str] = &["rs", "py", "pyi", "c", "h", "go", "sh", "md", "toml", "yml"];

/// Strings that no file may hold, and why. Each is written in two parts, so that this file does not hold it.
const FORBIDDEN: &[(&str, &str)] = &[
    (concat!("/wo", "rk/"), "a path of one machine"),
    (concat!("/ro", "ot/"), "a path of one machine"),
    (concat!("/ho", "me/"), "a path of one machine"),
    (concat!("/Use", "rs/"), "a path of one machine"),
    (concat!("crates", ".io"), "a host name of a package registry"),
    (concat!("pypi", ".org"), "a host name of a package registry"),
    (concat!("pythonhosted", ".org"), "a host name of a package registry"),
    (concat!("npmjs", ".org"), "a host name of a package registry"),
    (concat!("deb.debian", ".org"), "a host name of a package registry"),
    (concat!("#[ig", "nore"), "a test that is not run"),
    (concat!("pytest.mark.sk", "ip"), "a test that is not run"),
    (concat!("pytest.mark.xf", "ail"), "a test that is not run"),
    (concat!("pytest.sk", "ip("), "a test that is not run"),
    (concat!("importor", "skip("), "a test that is not run"),
];

pub(crate) fn suite(context: &Context) -> Result<(), String> {
    debian::require(&[("git", &["git"])])?;
    let mut git = context.command("git");
    let list = process::read(git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
    let mut findings = Vec::new();
    let mut checked = 0;
    for file in list.split_terminator('\0') {
        // A file that was deleted but is still tracked is not there; one that is not UTF-8 is no text.
        if let Ok(text) = fs::read_to_string(context.root.join(file)) {
            checked += 1;
            findings.extend(rules(file, &text));
            if extension(file) == "md" {
                findings.extend(broken_links(&context.root, file, &text));
            }
        }
    }
    match fs::read_to_string(context.root.join(THREATS)) {
        Ok(text) => {
            findings.extend(missing_tests(&context.root, THREATS, &text));
            findings.extend(broken::findings(&context.root, &text));
        }
        Err(error) => findings.push(format!("{THREATS}: {error}")),
    }
    match fs::read_to_string(context.root.join(dependencies::NOTES)) {
        Ok(notes) => findings.extend(dependencies::findings(&context.root, &notes)),
        Err(error) => findings.push(format!("{}: {error}", dependencies::NOTES)),
    }
    findings.extend(advisories::findings(&context.root));
    findings.extend(assurance::findings(&context.root));
    findings.extend(adr_numbers(list.split_terminator('\0').filter_map(|file| {
        let text = file.starts_with(ADR).then(|| fs::read_to_string(context.root.join(file)).ok())??;
        Some((file, text))
    })));
    for finding in &findings {
        println!("{finding}");
    }
    println!("{checked} files, {} findings", findings.len());
    if findings.is_empty() { Ok(()) } else { Err(format!("{} findings", findings.len())) }
}

/// What one file breaks, as `path:line: finding`.
fn rules(file: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let mut report = |line: usize, what: &str| findings.push(format!("{file}:{line}: {what}"));
    let name = file.rsplit('/').next().unwrap_or(file);
    if name == "mod.rs" {
        report(1, "`foo.rs` beside `foo/`, no `mod.rs`");
    }
    // Cargo writes the registry of each dependency into its lock file.
    if name != "Cargo.lock" {
        for (index, line) in text.lines().enumerate() {
            for (string, why) in FORBIDDEN {
                if line.match_indices(string).any(|(at, _)| !is_within_a_path(line, at, string)) {
                    report(index + 1, &format!("{string}: {why}"));
                }
            }
        }
    }
    if TEXTS.contains(&extension(file)) && text.contains('\r') {
        report(1, "carriage return");
    }
    let generated = file.starts_with("include/");
    if SOURCES.contains(&extension(file)) && !generated {
        let lines = text.lines().count();
        let most = if file.starts_with("examples/") { MOST_LINES_OF_AN_EXAMPLE } else { MOST_LINES };
        if lines > most {
            report(lines, &format!("{lines} lines, the limit is {most}"));
        }
        for (index, line) in text.lines().enumerate() {
            if line.chars().count() > MOST_COLUMNS {
                report(index + 1, "wider than 120 columns");
            }
        }
    }
    if extension(file) == "md" {
        for line in wide_code(text, MOST_COLUMNS) {
            report(line, "wider than 120 columns");
        }
    }
    findings
}

/// Decisions without a number, with one that another has, or with another in their heading.
fn adr_numbers<'f>(decisions: impl Iterator<Item = (&'f str, String)>) -> Vec<String> {
    let mut findings = Vec::new();
    let mut seen = BTreeMap::new();
    for (file, text) in decisions {
        let name = file.strip_prefix(ADR).unwrap_or(file);
        let number =
            name.split_once('-').filter(|(digits, _)| digits.len() == 4).and_then(|(digits, _)| digits.parse().ok());
        let Some(number): Option<u32> = number else {
            findings.push(format!("{file}:1: a decision's name begins with four digits and a hyphen"));
            continue;
        };
        if let Some(other) = seen.insert(number, file) {
            findings.push(format!("{file}:1: {other} has the number {number} already"));
        }
        if !text.starts_with(&format!("# {number}. ")) {
            findings.push(format!("{file}:1: the heading does not begin with `# {number}. `"));
        }
    }
    findings
}

fn extension(file: &str) -> &str {
    Path::new(file).extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// Whether a slash at this place goes on a path that began before it, as in `signer/home/`: that is no absolute path.
fn is_within_a_path(line: &str, at: usize, string: &str) -> bool {
    let before = line.get(..at).and_then(|before| before.chars().next_back());
    string.starts_with('/') && before.is_some_and(|c| c.is_alphanumeric() || "_-.]}".contains(c))
}

#[cfg(test)]
mod tests {
    use super::{FORBIDDEN, adr_numbers, rules};

    #[test]
    fn each_rule_finds_its_breach() {
        for (string, _) in FORBIDDEN {
            assert_eq!(rules("a.md", string).len(), 1, "{string}");
            assert_eq!(rules("a.md", &format!("x \"{string}\"")).len(), 1, "{string}");
        }
        assert_eq!(rules("src/mod.rs", "").len(), 1);
        assert_eq!(rules("a.c", "int x;\r\n").len(), 1);
        assert_eq!(rules("a.py", &"x\n".repeat(701)).len(), 1);
        assert_eq!(rules("examples/c/a.c", &"x\n".repeat(301)).len(), 1);
        assert_eq!(rules("a.rs", &"x".repeat(121)).len(), 1);
        assert_eq!(rules("a.md", &format!("```text\n{}\n```\n", "x".repeat(121))).len(), 1);
    }

    #[test]
    fn a_decision_has_one_number_of_its_own() {
        let found = |decisions: &[(&'static str, &str)]| {
            adr_numbers(decisions.iter().map(|(file, text)| (*file, (*text).to_owned())))
        };
        assert!(found(&[("docs/adr/0001-a.md", "# 1. A\n"), ("docs/adr/0002-b.md", "# 2. B\n")]).is_empty());
        assert_eq!(
            found(&[("docs/adr/0016-a.md", "# 16. A\n"), ("docs/adr/0016-b.md", "# 16. B\n")]),
            ["docs/adr/0016-b.md:1: docs/adr/0016-a.md has the number 16 already"]
        );
        assert_eq!(
            found(&[("docs/adr/0018-a.md", "# 16. A\n")]),
            ["docs/adr/0018-a.md:1: the heading does not begin with `# 18. `"]
        );
        assert_eq!(found(&[("docs/adr/18-a.md", "# 18. A\n"), ("docs/adr/a.md", "# 1. A\n")]).len(), 2);
    }

    #[test]
    fn what_keeps_the_rules_is_not_reported() {
        assert!(rules("a.rs", &"x\n".repeat(700)).is_empty());
        assert!(rules("examples/a.rs", &"x\n".repeat(300)).is_empty());
        assert!(rules("include/x.h", &"x\n".repeat(701)).is_empty());
        assert!(rules("Cargo.lock", FORBIDDEN[4].0).is_empty());
        assert!(rules("a.md", &"x".repeat(200)).is_empty());
        assert!(rules("a.sh", &format!("cp signer{} .", FORBIDDEN[2].0)).is_empty());
    }
}
