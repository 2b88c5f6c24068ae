//! `cargo xtask check`, for every few minutes of work: what is quick, over everything, and the tests of core and of
//! what changed since the branch left `main`, committed or not.

use std::fs;

use crate::context::Context;
use crate::process;
use crate::report::{self, Suite};
use crate::{c, debian, fuzz, python, readme, rust, text};

/// The suites of `cargo xtask check`. The first four always run, the others where a change calls for them.
pub(crate) const CHECK: &[Suite] = &[
    Suite::new("text", "house rules over every file, links, threats", text::suite),
    Suite::new("fmt", "formatting", rust::format),
    Suite::new("clippy", "lints, every target", rust::clippy),
    Suite::new("rust", "unit tests, and the tests of what changed", tests),
    Suite::new("bare", "core in a program without the standard library", rust::bare),
    Suite::new("c", "the installed C library: tests, examples, C++", c::suite),
    Suite::new("python", "the wheel: tests, stubs against the binary, types", python::suite),
    Suite::new("second", "records checked by a second implementation", python::second),
    Suite::new("readme", "the README's programs and commands", readme::suite),
    Suite::new("fuzz", "each fuzz target from its seeds", fuzz::suite),
];
const ALWAYS: usize = 4;

/// What a change under a path calls for beside what always runs: tests of cargo, and suites.
struct Rule {
    path: &'static str,
    tests: Tests,
    suites: &'static [&'static str],
}

#[derive(Clone, Copy)]
enum Tests {
    None,
    /// The one of `dualseal-tests` that the file belongs to.
    Own,
    /// Every one of `dualseal-tests`.
    Integration,
    /// These targets.
    Targets(&'static [&'static str]),
}

const fn rule(path: &'static str, tests: Tests, suites: &'static [&'static str]) -> Rule {
    Rule { path, tests, suites }
}

/// The first rule whose path begins a file's holds for it. What has none is read by the suite `text` alone.
const RULES: &[Rule] = &[
    rule("core/", Tests::Integration, &[]),
    rule("Cargo.toml", Tests::Integration, &[]),
    rule("Cargo.lock", Tests::Integration, &[]),
    rule("cli/", Tests::Targets(&["--bin", "dualseal", "--test", "cli"]), &[]),
    rule("ffi/", Tests::Targets(&["--test", "header"]), &["c"]),
    rule("include/", Tests::Targets(&["--test", "header"]), &["c"]),
    rule("python/", Tests::None, &["python"]),
    rule("examples/c/", Tests::None, &["c"]),
    rule("examples/", Tests::Targets(&["--examples"]), &[]),
    rule("tests/tests/", Tests::Own, &[]),
    rule("tests/src/", Tests::Integration, &[]),
    rule("tests/Cargo.toml", Tests::Integration, &[]),
    rule("tests/vectors/", Tests::Integration, &["second"]),
    rule("tests/c/", Tests::None, &["c"]),
    rule("tests/second/", Tests::None, &["second"]),
    rule("tests/requirements.txt", Tests::None, &["python", "second"]),
    rule("tests/bare/", Tests::None, &["bare"]),
    // Their programs are linted; `assure bench-smoke` runs them.
    rule("benches/", Tests::None, &[]),
    rule("fuzz/", Tests::None, &["fuzz"]),
    rule("xtask/", Tests::Targets(&["--bin", "xtask"]), &[]),
    rule("README.md", Tests::None, &["readme"]),
    rule("docs/", Tests::None, &[]),
];

/// Runs it; `Ok(false)` is a failed suite.
pub(crate) fn check(context: &mut Context) -> Result<bool, String> {
    debian::require(&[("git", &["git"])])?;
    let changed = changed(context)?;
    let (targets, suites) = plan(&changed, &integration_tests(context)?);
    println!(
        "{} files changed; beside what always runs: {}",
        changed.len(),
        [targets.join(" "), suites.join(" ")].join(" ")
    );
    context.targets = targets;
    let always = CHECK.iter().take(ALWAYS).map(|suite| suite.name.to_owned());
    let names: Vec<_> = always.chain(suites).collect();
    report::run(context, CHECK, &names)
}

/// Tracked files that differ from where the branch left `main` (from the last commit, without a `main`), and untracked
/// ones.
fn changed(context: &Context) -> Result<Vec<String>, String> {
    let git = |arguments: &[&str]| process::read(context.command("git").args(arguments));
    let base = ["main", "origin/main"].iter().find_map(|main| git(&["merge-base", main, "HEAD"]).ok());
    let base = base.unwrap_or_else(|| "HEAD".to_owned());
    let tracked = git(&["diff", "--name-only", "-z", &base])?;
    let untracked = git(&["ls-files", "-z", "--others", "--exclude-standard"])?;
    Ok(tracked.split_terminator('\0').chain(untracked.split_terminator('\0')).map(str::to_owned).collect())
}

/// The names of the integration tests of `dualseal-tests`, as cargo finds them: folders, and files beside them.
fn integration_tests(context: &Context) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(context.root.join("tests/tests")).map_err(|error| format!("tests/tests: {error}"))?;
    let stems = entries.flatten().filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned()));
    let mut names: Vec<_> = stems.collect();
    names.sort();
    Ok(names)
}

/// Arguments of `cargo test` and names of suites, each once, for files that changed.
fn plan(changed: &[String], integration: &[String]) -> (Vec<String>, Vec<String>) {
    let mut targets: Vec<Vec<String>> = Vec::new();
    let mut suites: Vec<String> = Vec::new();
    let test = |name: &str| vec!["--test".to_owned(), name.to_owned()];
    for file in changed {
        let Some(rule) = RULES.iter().find(|rule| file.starts_with(rule.path)) else {
            continue;
        };
        match rule.tests {
            Tests::None => {}
            Tests::Own => {
                let own = file.split('/').nth(2).unwrap_or_default().trim_end_matches(".rs");
                targets.extend(integration.iter().filter(|name| *name == own).map(|name| test(name)));
            }
            Tests::Integration => targets.extend(integration.iter().map(|name| test(name))),
            Tests::Targets(named) => targets.push(named.iter().map(|word| (*word).to_owned()).collect()),
        }
        suites.extend(rule.suites.iter().map(|name| (*name).to_owned()));
    }
    targets.sort();
    targets.dedup();
    suites.sort();
    suites.dedup();
    (targets.concat(), suites)
}

/// The unit tests of every library, core's above all, and the targets that [`check`] chose.
fn tests(context: &Context) -> Result<(), String> {
    rust::test_targets(context, &[&["--lib".to_owned()], context.targets.as_slice()].concat())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{CHECK, RULES, plan};

    fn planned(files: &[&str]) -> (String, String) {
        let files: Vec<_> = files.iter().map(|file| (*file).to_owned()).collect();
        let (targets, suites) = plan(&files, &["chain".to_owned(), "freed_memory".to_owned(), "vault".to_owned()]);
        (targets.join(" "), suites.join(" "))
    }

    fn of(targets: &str, suites: &str) -> (String, String) {
        (targets.to_owned(), suites.to_owned())
    }

    #[test]
    fn a_change_calls_for_its_tests() {
        let all = "--test chain --test freed_memory --test vault";
        assert_eq!(planned(&["core/src/lib.rs", "core/src/error.rs", "tests/src/lib.rs"]), of(all, ""));
        assert_eq!(planned(&["tests/tests/vault/seal.rs", "tests/tests/freed_memory.rs"]), {
            of("--test freed_memory --test vault", "")
        });
        assert_eq!(planned(&["ffi/src/lib.rs", "tests/c/test_null.c"]), of("--test header", "c"));
        assert_eq!(planned(&["examples/c/sign.c", "python/src/lib.rs"]), of("", "c python"));
        assert_eq!(planned(&["cli/src/main.rs"]), of("--bin dualseal --test cli", ""));
    }

    #[test]
    fn a_page_calls_for_no_more_than_what_always_runs() {
        assert_eq!(planned(&[]), of("", ""));
        assert_eq!(planned(&["docs/FORMAT.md", "CHANGELOG.md"]), of("", ""));
        assert_eq!(planned(&["README.md"]), of("", "readme"));
    }

    #[test]
    fn every_folder_has_a_rule_and_every_suite_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the root");
        for (folder, prefix, others) in [(root, "", &["target/", "tests/"]), (&root.join("tests"), "tests/", &["", ""])]
        {
            for entry in fs::read_dir(folder).expect("a folder").flatten().filter(|entry| entry.path().is_dir()) {
                let path = format!("{prefix}{}/", entry.file_name().to_str().expect("UTF-8"));
                // Git's, cargo's and Python's own are no part of the tree.
                let foreign = path.starts_with('.') || path.contains("/.") || path.ends_with("__pycache__/");
                let known = RULES.iter().any(|rule| rule.path == path) || others.contains(&path.as_str());
                assert!(known || foreign, "no rule for {path}");
            }
        }
        for name in RULES.iter().flat_map(|rule| rule.suites) {
            assert!(CHECK.iter().any(|suite| suite.name == *name), "{name}");
        }
    }
}
