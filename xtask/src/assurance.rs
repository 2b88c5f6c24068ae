//! `docs/ASSURANCE.md` against the suites that there are: a claim names the commands that show it, and one that nothing
//! has shown says so.

use std::collections::BTreeSet;
use std::path::Path;

use crate::context::read;

const SUITES: &str = "xtask/src/main.rs";
const PAGE: &str = "docs/ASSURANCE.md";
const CLAIMS: &str = "## Claims";
/// What a claim begins with of which no run is on record.
const NOT_SHOWN: &str = "Not shown: ";

/// The names of the suites of `test` and of `assure`.
struct Suites<'m> {
    test: BTreeSet<&'m str>,
    assure: BTreeSet<&'m str>,
}

impl<'m> Suites<'m> {
    /// As the lists of the program's main file have them.
    fn listed(main: &'m str) -> Self {
        let of = |list: &str| {
            let lines = main.lines().skip_while(|line| !line.starts_with(list)).take_while(|line| *line != "];");
            lines.filter_map(|line| line.trim_start().strip_prefix("Suite::new(\"")?.split('"').next()).collect()
        };
        Self { test: of("const TEST: "), assure: of("const ASSURE: ") }
    }
}

pub(crate) fn findings(root: &Path) -> Vec<String> {
    match (read(&root.join(PAGE)), read(&root.join(SUITES))) {
        (Ok(page), Ok(main)) => compared(&page, &Suites::listed(&main)),
        (page, main) => page.err().into_iter().chain(main.err()).collect(),
    }
}

fn compared(page: &str, suites: &Suites<'_>) -> Vec<String> {
    let rows: Vec<Vec<&str>> = claims(page);
    let mut findings = Vec::new();
    if rows.is_empty() {
        findings.push(format!("{PAGE}: no claims below {CLAIMS:?}"));
    }
    for row in &rows {
        let [claim, commands, _, when] = row[..] else {
            findings.push(format!("{PAGE}: a claim of {} cells: {}", row.len(), row.join(" | ")));
            continue;
        };
        findings.extend(unknown(commands, suites).map(|name| format!("{PAGE}: {name:?} is no suite: {claim}")));
        let shown = when.starts_with("20");
        if shown == claim.starts_with(NOT_SHOWN) {
            let what = if shown { "was shown, and says that it was not" } else { "does not say that nothing shows it" };
            findings.push(format!("{PAGE}: {what}: {claim}"));
        }
    }
    findings
}

fn claims(page: &str) -> Vec<Vec<&str>> {
    let lines = page.lines().skip_while(|line| *line != CLAIMS).skip(1).take_while(|line| !line.starts_with("## "));
    let rows = lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.skip(1).map(|row| row.split(" | ").map(str::trim).collect()).collect()
}

/// What a cell of commands names that is no suite. One without `test` or `assure` before it is of that which was named
/// last; another command of the project's is not looked up.
fn unknown<'c>(cell: &'c str, suites: &Suites<'_>) -> impl Iterator<Item = &'c str> {
    let mut of = &suites.assure;
    let mut found = Vec::new();
    for code in cell.split('`').skip(1).step_by(2) {
        let name = match code.split_once(' ') {
            Some(("test", name)) => {
                of = &suites.test;
                name
            }
            Some(("assure", name)) => {
                of = &suites.assure;
                name
            }
            Some(("cargo", _)) => continue,
            _ => code,
        };
        if !of.contains(name) {
            found.push(code);
        }
    }
    if !cell.contains('`') {
        found.push(cell);
    }
    found.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: &str = r#"
const TEST: &[Suite] = &[
    Suite::new("rust", "a", b),
    Suite::new("fuzz", "a", b),
];

const ASSURE: &[Suite] = &[
    Suite::new("deny", "a", b),
    Suite::new("kills", "a", b),
];

const OTHER: &[Suite] = &[
    Suite::new("x", "a", b),
];
"#;

    fn found(row: &str) -> Vec<String> {
        let page =
            format!("# A\n\n{CLAIMS}\n\n| claim | command | what | when |\n|---|---|---|---|\n{row}\n\n## B\n| x |\n");
        compared(&page, &Suites::listed(MAIN))
    }

    #[test]
    fn suites_are_read_from_their_lists() {
        let suites = Suites::listed(MAIN);
        assert!(suites.test.iter().eq(&["fuzz", "rust"]) && suites.assure.iter().eq(&["deny", "kills"]));
        let own = Suites::listed(include_str!("main.rs"));
        assert!(own.test.contains("text") && own.assure.contains("mutants") && own.test.len() > 10);
    }

    #[test]
    fn a_claim_names_suites() {
        for good in [
            "| a | `test rust`, `fuzz`; `assure deny` | b | 2026-11-27 |",
            "| a | `assure deny`, `kills`, in 9 min | b | 2026-11-27; 2026-11-23 |",
            "| a | `cargo xtask sbom`; `assure deny` | b | 2026-11-27 |",
        ] {
            assert_eq!(found(good), [""; 0], "{good}");
        }
        for (row, named) in [
            ("| a | `test deny` | b | 2026-11-27 |", "test deny"),
            ("| a | `assure deny`, `rust` | b | 2026-11-27 |", "rust"),
            ("| a | `assure gone` | b | 2026-11-27 |", "assure gone"),
            ("| a | by hand | b | 2026-11-27 |", "by hand"),
            ("| a | `assure deny` | 2026-11-27 |", "3 cells"),
        ] {
            assert!(found(row).len() == 1 && found(row)[0].contains(named), "{row}: {:?}", found(row));
        }
        assert!(compared("# A\n", &Suites::listed(MAIN))[0].contains("no claims"));
    }

    #[test]
    fn a_claim_that_nothing_has_shown_says_so() {
        for none in ["–", "", "see below"] {
            assert!(found(&format!("| a | `assure deny` | b | {none} |"))[0].contains("does not say"), "{none}");
            assert_eq!(found(&format!("| Not shown: a | `assure deny` | b | {none} |")), [""; 0], "{none}");
        }
        assert!(found("| Not shown: a | `assure deny` | b | 2026-11-27 |")[0].contains("says that it was not"));
    }
}
