//! `cargo xtask check`, for every few minutes of work: what is quick, over everything, and the tests of core and of
//! what changed since the branch left `main`, committed or not.

use std::collections::BTreeSet;
use std::fs;

use crate::context::Context;
use crate::process;
use crate::report;
use crate::suite::Suite;
use crate::{bare, c, columns, debian, fuzz, go, pdf, portal, python, readme, rust, services, text, verifier};

/// The suites of `cargo xtask check`. The first four always run, the others where a change calls for them.
pub(crate) const CHECK: &[Suite] = &[
    Suite::new("text", "house rules over every file, links, threats", text::suite),
    Suite::new("fmt", "formatting", rust::format),
    Suite::new("clippy", "lints, every target", rust::clippy),
    Suite::new("rust", "unit tests, and the tests of what changed", tests),
    Suite::new("bare", "core without the standard library: here and in WebAssembly", bare::suite),
    Suite::new("c", "the installed C library: tests, examples, C++", c::suite),
    Suite::new("python", "the wheel: tests, stubs against the binary, types", python::suite),
    Suite::new("django", "the wheel in a project of Django: SQLite, PostgreSQL", python::django),
    Suite::new("columns", "the wheel under pyarrow, Polars, DuckDB and Spark", columns::suite),
    Suite::new("second", "records checked by a second implementation", python::second),
    Suite::new("go", "Go's tlog and note beside ours, and the package over C", go::suite),
    Suite::new("readme", "the README's programs and commands", readme::suite),
    Suite::new("services", "the service: lints, unit tests, HTTP beside real peers", services::quick),
    Suite::new("pdf", "proofs on paper: printed, read by others, verified", pdf::suite),
    Suite::new("verifier", "the page that verifies in a browser: Node, Chromium", verifier::suite),
    Suite::new("portal", "the portal: SQLite, PostgreSQL, Chromium", portal::suite),
    Suite::new("fuzz", "each fuzz target from its seeds", fuzz::suite),
];
const ALWAYS: usize = 4;

/// What a change under a path calls for beside what always runs: tests of cargo, and suites.
struct Rule {
    path: &'static str,
    tests: &'static [Tests],
    suites: &'static [&'static str],
}

enum Tests {
    /// The one of `dualseal-tests` that the file belongs to.
    Own,
    /// Every one of `dualseal-tests`.
    Integration,
    /// A target of cargo.
    Target(&'static str),
}

const fn rule(path: &'static str, tests: &'static [Tests], suites: &'static [&'static str]) -> Rule {
    Rule { path, tests, suites }
}

/// What holds for every crate's source: the order of modules, no circles, what is made of the catalogue of errors.
const HOUSE: Tests = Tests::Target("--test rules");
/// The headers, which are made of `ffi/`, and what the manual and the C tests have of them.
const HEADER: Tests = Tests::Target("--test header");
const COMMAND_LINE: Tests = Tests::Target("--test cli");
/// The step over its drivers.
const OPERATOR: Tests = Tests::Target("--test operator");
/// The kernels beside the crates that they stand in for.
const KERNELS: Tests = Tests::Target("--test keccak --test mldsa");
/// What is said of the commands, on pages and in their help.
const COMMANDS: Tests = Tests::Target("--bin dualseal");
const EXAMPLES: Tests = Tests::Target("--examples");
/// What weaves changes into core.
const MUTANTS: Tests = Tests::Target("--bin dualseal-mutants");
const XTASK: Tests = Tests::Target("--bin xtask");

/// The first rule whose path begins a file's holds for it. What calls for nothing is read by the suite `text` alone, or
/// by a tool of `cargo xtask assure`.
const RULES: &[Rule] = &[
    rule("core/", &[Tests::Integration, HEADER, OPERATOR], &[]),
    rule("kernels/", &[KERNELS, Tests::Integration], &[]),
    rule("Cargo.toml", &[Tests::Integration, HEADER, COMMAND_LINE], &[]),
    rule("Cargo.lock", &[Tests::Integration, HEADER, COMMAND_LINE], &[]),
    rule("rust-toolchain.toml", &[Tests::Integration, HEADER, COMMAND_LINE], &[]),
    rule("cli/", &[COMMANDS, COMMAND_LINE, HOUSE], &[]),
    rule("operator/", &[OPERATOR, COMMAND_LINE, EXAMPLES, HOUSE], &["python"]),
    rule("ffi/", &[HEADER, HOUSE], &["c", "go"]),
    rule("include/", &[HEADER], &["c", "go"]),
    rule("python/python/dualseal/contrib/", &[HOUSE], &["django", "portal"]),
    rule("python/tests-django/", &[HOUSE], &["django"]),
    rule("python/tests-arrow/", &[HOUSE], &["columns"]),
    rule("python/src/arrow", &[HOUSE], &["python", "columns"]),
    rule("python/python/dualseal/arrow", &[HOUSE], &["python", "columns"]),
    rule("python/", &[HOUSE], &["python"]),
    rule("examples/bulk/", &[HOUSE], &["columns"]),
    rule("examples/c/", &[], &["c"]),
    rule("examples/go/", &[], &["go"]),
    rule("examples/services/proof-pdf/", &[HOUSE], &["pdf", "services"]),
    rule("examples/services/trustd/src/proof", &[HOUSE], &["services", "pdf"]),
    rule("examples/services/tests/printed.py", &[HOUSE], &["pdf"]),
    rule("examples/services/", &[HOUSE], &["services"]),
    rule("examples/portal/verifier/", &[HOUSE], &["verifier", "portal"]),
    rule("examples/portal/", &[HOUSE], &["portal"]),
    rule("examples/", &[EXAMPLES, HOUSE], &[]),
    rule("tests/tests/", &[Tests::Own], &[]),
    rule("tests/src/", &[Tests::Integration], &[]),
    rule("tests/Cargo.toml", &[Tests::Integration], &[]),
    // Fuzz targets begin from these, too.
    rule("tests/vectors/rfc9881/", &[Tests::Integration], &["fuzz", "second"]),
    rule("tests/vectors/", &[Tests::Integration, KERNELS], &["c", "go", "python", "second"]),
    rule("tests/broken/", &[HOUSE], &["text"]),
    rule("tests/c/", &[HEADER], &["c"]),
    // `assure services-faults` compiles it.
    rule("tests/faults/", &[], &[]),
    rule("tests/second/", &[], &["second"]),
    rule("tests/go/", &[], &["go"]),
    rule("tests/mutants/", &[MUTANTS, HOUSE], &[]),
    rule("tests/mutants.txt", &[XTASK], &[]),
    rule("tests/requirements", &[], &["python", "django", "second", "go"]),
    rule("tests/bare/", &[HOUSE], &["bare"]),
    // Their programs are linted; `assure bench-smoke` runs them.
    rule("benches/", &[HOUSE], &[]),
    rule("fuzz/", &[HOUSE], &["fuzz"]),
    rule("xtask/", &[XTASK, HOUSE], &[]),
    rule("README.md", &[COMMANDS], &["readme"]),
    rule("docs/CLI.md", &[COMMANDS, COMMAND_LINE], &[]),
    rule("docs/GUIDE.md", &[COMMAND_LINE], &[]),
    rule("docs/C-API.md", &[HEADER], &[]),
    rule("docs/ERRORS.md", &[HOUSE], &[]),
    rule("docs/GLOSSARY.md", &[HOUSE], &[]),
    rule("docs/BULK.md", &[], &["columns"]),
    rule("docs/DJANGO.md", &[], &["django"]),
    rule("docs/OPERATOR.md", &[OPERATOR], &["python"]),
    rule("docs/PYTHON.md", &[], &["python"]),
    rule("docs/", &[], &[]),
    rule("CHANGELOG.md", &[], &[]),
    rule("CONTRIBUTING.md", &[], &[]),
    rule("SECURITY.md", &[], &[]),
    rule("LICENSE-", &[], &[]),
    rule(".gitignore", &[], &[]),
    rule(".ci/", &[], &[]),
    rule(".cargo/", &[], &[]),
    // The suite `fmt`, which always runs, reads it.
    rule("rustfmt.toml", &[], &[]),
    // `assure deny` reads it.
    rule("deny.toml", &[], &[]),
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
    let mut targets: BTreeSet<String> = BTreeSet::new();
    let mut suites: BTreeSet<String> = BTreeSet::new();
    let test = |name: &String| format!("--test {name}");
    for file in changed {
        let Some(rule) = rule_of(file) else {
            continue;
        };
        for tests in rule.tests {
            match tests {
                Tests::Own => {
                    let own = file.split('/').nth(2).unwrap_or_default().trim_end_matches(".rs");
                    targets.extend(integration.iter().filter(|name| *name == own).map(test));
                }
                Tests::Integration => targets.extend(integration.iter().map(test)),
                Tests::Target(target) => drop(targets.insert((*target).to_owned())),
            }
        }
        suites.extend(rule.suites.iter().map(|name| (*name).to_owned()));
    }
    let words = targets.iter().flat_map(|target| target.split(' ')).map(str::to_owned);
    (words.collect(), suites.into_iter().collect())
}

fn rule_of(file: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| file.starts_with(rule.path))
}

/// The unit tests of every library, core's above all, and the targets that [`check`] chose.
fn tests(context: &Context) -> Result<(), String> {
    rust::test_targets(context, &[&["--lib".to_owned()], context.targets.as_slice()].concat())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    use super::{CHECK, RULES, plan, rule_of};

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the root").to_owned()
    }

    /// Every file that is tracked or would be, and is there.
    fn files() -> Vec<String> {
        let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let output = Command::new("git").args(arguments).current_dir(root()).output().expect("git runs");
        let list = String::from_utf8(output.stdout).expect("UTF-8");
        list.split_terminator('\0').filter(|file| root().join(file).is_file()).map(str::to_owned).collect()
    }

    fn is_rust(file: &str) -> bool {
        Path::new(file).extension().is_some_and(|extension| extension == "rs")
    }

    fn planned(files: &[&str]) -> (String, String) {
        let files: Vec<_> = files.iter().map(|file| (*file).to_owned()).collect();
        let (targets, suites) = plan(&files, &["chain", "rules", "vault"].map(str::to_owned));
        (targets.join(" "), suites.join(" "))
    }

    fn of(targets: &str, suites: &str) -> (String, String) {
        (targets.to_owned(), suites.to_owned())
    }

    #[test]
    fn a_change_calls_for_its_tests() {
        let all = "--test chain --test header --test operator --test rules --test vault";
        assert_eq!(planned(&["core/src/lib.rs", "core/src/error.rs", "tests/src/lib.rs"]), of(all, ""));
        assert_eq!(
            planned(&["tests/tests/vault/seal.rs", "tests/tests/chain.rs"]),
            of("--test chain --test vault", "")
        );
        assert_eq!(planned(&["ffi/src/lib.rs", "tests/c/test_null.c"]), of("--test header --test rules", "c go"));
        assert_eq!(planned(&["examples/c/sign.c", "python/src/lib.rs"]), of("--test rules", "c python"));
        assert_eq!(planned(&["examples/services/trustd/src/main.rs"]), of("--test rules", "services"));
        assert_eq!(planned(&["examples/vault/main.rs"]), of("--examples --test rules", ""));
        assert_eq!(planned(&["cli/src/main.rs"]), of("--bin dualseal --test cli --test rules", ""));
    }

    /// The suites whose sources name a file among the vectors, or their folder.
    #[test]
    fn vectors_call_for_everything_that_reads_them() {
        let (targets, suites) = planned(&["tests/vectors/known_answers_binary.tsv"]);
        let names = |folder: &str| {
            let of_folder = |file: &&String| file.starts_with(folder) && !file.starts_with("tests/vectors/");
            let reads = |file: &String| fs::read(root().join(file)).is_ok_and(|bytes| contains(&bytes, b"vectors/"));
            files().iter().filter(of_folder).any(reads)
        };
        let readers =
            [("python/tests/", "python"), ("tests/c/", "c"), ("tests/second/", "second"), ("examples/go/", "go")];
        for (folder, suite) in readers {
            assert_eq!(suites.split(' ').any(|name| name == suite), names(folder), "{folder}: {suites}");
        }
        assert!(names("kernels/tests/mldsa/") && targets.contains("--test mldsa"), "{targets}");
    }

    fn contains(bytes: &[u8], word: &[u8]) -> bool {
        bytes.windows(word.len()).any(|window| window == word)
    }

    #[test]
    fn the_source_of_every_crate_is_held_to_the_rules() {
        for file in files() {
            let is_source = is_rust(&file) && !file.starts_with("tests/tests/");
            let (targets, _) = planned(&[&file]);
            assert!(!is_source || targets.contains("--test rules"), "{file}: {targets}");
        }
    }

    #[test]
    fn a_page_calls_for_the_tests_that_read_it() {
        assert_eq!(planned(&[]), of("", ""));
        assert_eq!(planned(&["docs/FORMAT.md", "CHANGELOG.md"]), of("", ""));
        assert_eq!(planned(&["README.md"]), of("--bin dualseal", "readme"));
        let files = files();
        let tests = ["cli/", "ffi/", "tests/"];
        let sources = files.iter().filter(|file| is_rust(file) && tests.iter().any(|path| file.starts_with(path)));
        let source = sources.map(|file| fs::read_to_string(root().join(file)).expect("a source")).collect::<String>();
        let mut read = 0;
        for page in files.iter().filter(|file| file.starts_with("docs/")) {
            let is_read = source.contains(&format!("{page}\""));
            read += usize::from(is_read);
            assert!(!is_read || !planned(&[page]).0.is_empty(), "a test reads {page}, and no rule calls for it");
        }
        assert!(read >= 4, "{read}");
    }

    #[test]
    fn every_file_has_a_rule_and_every_suite_exists() {
        let files = files();
        assert!(files.len() > 500, "{}", files.len());
        for file in &files {
            assert!(rule_of(file).is_some(), "no rule for {file}");
        }
        for rule in RULES {
            assert!(files.iter().any(|file| file.starts_with(rule.path)), "no file for the rule {}", rule.path);
            for name in rule.suites {
                assert!(CHECK.iter().any(|suite| suite.name == *name), "{name}");
            }
        }
    }
}
