//! `docs/ASSURANCE.md` against the suites that there are: a claim names the commands that show it, and one that nothing
//! has shown says so. What `cargo xtask assure` ran is told claim by claim.

use std::collections::BTreeSet;
use std::path::Path;

use crate::context::read;
use crate::report::Done;

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
        findings
            .extend(unknown(commands, suites).into_iter().map(|name| format!("{PAGE}: {name:?} is no suite: {claim}")));
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

/// Prints a line for each claim that names a suite which ran, or for every claim where all of them did: what each of
/// its commands said just now, and which were not asked. Whether no claim fell short.
pub(crate) fn tell(root: &Path, done: &[Done], all: bool) -> Result<bool, String> {
    let page = read(&root.join(PAGE))?;
    let told: Vec<_> = claims(&page).iter().filter_map(|row| Told::of(row, done)).collect();
    println!("\nclaims of {PAGE}:");
    for one in told.iter().filter(|one| all || one.said != Said::NotAsked) {
        println!("{:<10} {}: {}", one.said.text(), one.claim, one.by.join(", "));
    }
    let unconfirmed = told.iter().filter(|one| one.said != Said::Shown).count();
    println!(
        "{} of {} claims shown in full; the figures of {unconfirmed} are not of this run",
        told.len() - unconfirmed,
        told.len()
    );
    Ok(told.iter().all(|one| one.said != Said::Failed))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// All that it names ran and passed.
    Shown,
    /// What ran passed.
    InPart,
    NotAsked,
    Failed,
}

impl Said {
    const fn text(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::InPart => "in part",
            Self::NotAsked => "not asked",
            Self::Failed => "FAILED",
        }
    }
}

/// A claim, and what was said of it.
struct Told<'p> {
    claim: &'p str,
    said: Said,
    /// Each of its commands with its result.
    by: Vec<String>,
}

impl<'p> Told<'p> {
    /// None of a row that is no claim: the suite `text` says so.
    fn of(row: &[&'p str], done: &[Done]) -> Option<Self> {
        let [claim, commands, ..] = *row else { return None };
        let (mut passed, mut failed, mut by) = (0, 0, Vec::new());
        let named: Vec<_> = named(commands).collect();
        for (of, name) in &named {
            let found = done.iter().find(|done| *of == Of::Assure && done.name == *name);
            by.push(match found.map(|done| &done.result) {
                None => format!("{}{name} not asked", of.text()),
                Some(Ok(())) => {
                    passed += 1;
                    format!("{name} passed")
                }
                Some(Err(why)) => {
                    failed += 1;
                    format!("{name} FAILED: {}", why.lines().next().unwrap_or_default())
                }
            });
        }
        let said = match (failed, passed) {
            (0, 0) => Said::NotAsked,
            (0, passed) if passed == named.len() => Said::Shown,
            (0, _) => Said::InPart,
            _ => Said::Failed,
        };
        Some(Self { claim, said, by })
    }
}

/// What a command is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Test,
    Assure,
    /// Another command of the project's.
    Cargo,
}

impl Of {
    /// What stands before a name.
    const fn text(self) -> &'static str {
        match self {
            Self::Test => "test ",
            Self::Assure => "",
            Self::Cargo => "cargo ",
        }
    }
}

/// The commands that a cell names. One without `test` or `assure` before it is of that which was named last.
fn named(cell: &str) -> impl Iterator<Item = (Of, &str)> {
    let mut last = Of::Assure;
    cell.split('`').skip(1).step_by(2).map(move |code| match code.split_once(' ') {
        Some(("test", name)) => {
            last = Of::Test;
            (last, name)
        }
        Some(("assure", name)) => {
            last = Of::Assure;
            (last, name)
        }
        Some(("cargo", name)) => (Of::Cargo, name),
        _ => (last, code),
    })
}

/// What a cell of commands names that is no suite. Another command of the project's is not looked up.
fn unknown<'c>(cell: &'c str, suites: &Suites<'_>) -> Vec<&'c str> {
    if !cell.contains('`') {
        return vec![cell];
    }
    let is_known = |(of, name): &(Of, &str)| match of {
        Of::Test => suites.test.contains(name),
        Of::Assure => suites.assure.contains(name),
        Of::Cargo => true,
    };
    named(cell).filter(|one| !is_known(one)).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
            ("| a | `test deny` | b | 2026-11-27 |", "deny"),
            ("| a | `assure deny`, `rust` | b | 2026-11-27 |", "rust"),
            ("| a | `assure gone` | b | 2026-11-27 |", "gone"),
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
    #[test]
    fn a_claim_is_told_by_what_ran_of_it() {
        let done = |name, result: Result<(), &str>| Done {
            name,
            elapsed: Duration::ZERO,
            result: result.map_err(str::to_owned),
        };
        let done = [done("kills", Ok(())), done("deny", Err("no\nmore"))];
        for (commands, said, by) in [
            ("`assure kills`, in 9 min", Said::Shown, "kills passed"),
            ("`test kills`", Said::NotAsked, "test kills not asked"),
            ("`test rust`; `assure kills`", Said::InPart, "test rust not asked, kills passed"),
            ("`assure kills`, `long`", Said::InPart, "kills passed, long not asked"),
            ("`assure kills`, `deny`", Said::Failed, "kills passed, deny FAILED: no"),
            ("`cargo xtask sbom`; `assure long`", Said::NotAsked, "cargo xtask sbom not asked, long not asked"),
        ] {
            let told = Told::of(&["a", commands, "b", "2026-11-27"], &done).expect("a claim");
            assert_eq!((told.said, &*told.by.join(", ")), (said, by), "{commands}");
        }
    }

    /// As this tree's page has them: a suite that fails, fails what is claimed by it.
    #[test]
    fn what_fails_is_no_claim_of_the_page() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root");
        let kills = |result| [Done { name: "kills", elapsed: Duration::ZERO, result }];
        assert_eq!(tell(root, &kills(Ok(())), true), Ok(true));
        assert_eq!(tell(root, &kills(Err("lost".to_owned())), false), Ok(false));
    }
}
