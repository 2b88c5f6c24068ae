//! What Markdown files refer to must be there: relative links, and the tests that the threat list names.

use std::fs;
use std::path::Path;

use crate::readme::blocks;

/// Findings for the relative links of one Markdown file, whose path is relative to the root.
pub(crate) fn broken_links(root: &Path, file: &str, text: &str) -> Vec<String> {
    let directory = root.join(file);
    let directory = directory.parent().unwrap_or(root);
    let mut findings = Vec::new();
    for (line, target) in links(text) {
        let path = target.split('#').next().unwrap_or_default();
        let elsewhere = target.contains("://") || target.starts_with("mailto:");
        if !elsewhere && !path.is_empty() && !directory.join(path).exists() {
            findings.push(format!("{file}:{line}: nothing at the link {target}"));
        }
    }
    findings
}

/// The targets of `[text](target)` and `[label]: target` outside fenced blocks, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        fenced ^= line.starts_with("```");
        if fenced {
            continue;
        }
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
        found.extend(inline.map(|target| (index + 1, target)));
        if let Some((_, target)) = line.split_once("]: ").filter(|_| line.starts_with('[')) {
            found.push((index + 1, target.trim()));
        }
    }
    found
}

/// Findings for the threat list: each row `| T1 … |` names in its last cell at least one test as `path::name`, and the
/// file at `path` defines `name`.
pub(crate) fn missing_tests(root: &Path, file: &str, text: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let mut rows = 0;
    for (index, line) in text.lines().enumerate() {
        let is_row =
            line.strip_prefix("| T").is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
        if !is_row {
            continue;
        }
        rows += 1;
        let cell = line.trim_end().trim_end_matches('|').rsplit(" | ").next().unwrap_or_default();
        let tests: Vec<_> = cell.split('`').skip(1).step_by(2).collect();
        if tests.is_empty() {
            findings.push(format!("{file}:{}: the row names no test", index + 1));
        }
        for test in tests {
            let defined = test.rsplit_once("::").is_some_and(|(path, name)| {
                fs::read_to_string(root.join(path)).is_ok_and(|source| defines(path, &source, name))
            });
            if !defined {
                findings.push(format!("{file}:{}: there is no test {test}", index + 1));
            }
        }
    }
    if rows == 0 {
        findings.push(format!("{file}: no row begins with `| T` and a number"));
    }
    findings
}

/// Whether a source file defines a function of that name, in the way of its language.
fn defines(path: &str, source: &str, name: &str) -> bool {
    let opening = match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("rs") => format!("fn {name}("),
        Some("py") => format!("def {name}("),
        _ => format!(" {name}("),
    };
    source.contains(&opening)
}

/// Lines inside fenced blocks that are wider than the limit, with their numbers.
pub(crate) fn wide_code(text: &str, limit: usize) -> Vec<usize> {
    let mut wide = Vec::new();
    for block in blocks(text) {
        let lines = block.code.lines().enumerate().filter(|(_, line)| line.chars().count() > limit);
        wide.extend(lines.map(|(index, _)| block.line + 1 + index));
    }
    wide
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{broken_links, links, missing_tests, wide_code};

    fn root() -> &'static Path {
        Path::new(env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn links_inside_code_are_not_links() {
        let text = "[a](one) and [b](two#x)\n```text\n[c](three)\n```\n[d]: four\n";
        assert_eq!(links(text), [(1, "one"), (1, "two#x"), (5, "four")]);
    }

    #[test]
    fn only_relative_links_to_nothing_are_broken() {
        let text = "[a](main.rs) [b](../Cargo.toml#x) [c](https://example.org/none) [d](#part) [e](none.rs)";
        assert_eq!(broken_links(root(), "src/page.md", text), ["src/page.md:1: nothing at the link none.rs"]);
    }

    #[test]
    fn a_threat_needs_a_test_that_exists() {
        let good = "| # | threat | test |\n| T1 | x | `src/links.rs::a_threat_needs_a_test_that_exists` |\n";
        assert!(missing_tests(root(), "x.md", good).is_empty());
        let bad = "| T1 | x | - |\n| T2 | x | `src/links.rs::absent` |\n| T3 | x | `src/none.rs::main` |\n";
        assert_eq!(missing_tests(root(), "x.md", bad).len(), 3);
        assert_eq!(missing_tests(root(), "x.md", "text").len(), 1);
    }

    #[test]
    fn wide_lines_count_inside_fences_only() {
        assert_eq!(wide_code("long line\n```c\nab\nabcdef\n```\n", 5), [4]);
    }
}
