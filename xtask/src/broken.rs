//! `cargo xtask assure broken-checks`: each check that a row of the threat list stands on is broken, one at a time, in
//! a copy of the tree, and the test that the row names must fail then, and pass without.

mod patch;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::columns;
use crate::context::{Context, make_directory, read, write};
use crate::debian;
use crate::go;
use crate::install::PRIVATE_LIBRARIES;
use crate::pdf;
use crate::portal;
use crate::process;
use crate::python;
use crate::rust::{self, SERVICES};
use crate::services;
use crate::verifier;
use patch::Patch;
pub(crate) use patch::findings;

/// Arguments after `--` are identifiers of rows, such as `T16`, or names of patches; without any it is all of them.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let patches = patch::all(&context.root)?;
    let named = |patch: &Patch, name: &String| patch.name == *name || patch.rows.iter().any(|row| row.id == *name);
    if let Some(unknown) = context.extra.iter().find(|name| !patches.iter().any(|patch| named(patch, name))) {
        return Err(format!("no row or patch is named {unknown}"));
    }
    let chosen = |patch: &&Patch| context.extra.is_empty() || context.extra.iter().any(|name| named(patch, name));
    let copy = Copy::make(context)?;
    let mut table = String::new();
    let mut wrong = Vec::new();
    let mut tests = BTreeSet::new();
    for patch in patches.iter().filter(chosen) {
        let start = Instant::now();
        let outcomes = copy.with(patch, || patch.rows.iter().map(|row| copy.run(&row.test)).collect::<Vec<_>>());
        let seconds = start.elapsed().as_secs();
        for (row, outcome) in patch.rows.iter().zip(outcomes.unwrap_or_else(|error| vec![Outcome::Not(error)])) {
            println!("{:<6} {:<52} {:<9} {seconds} s", row.id, patch.name, outcome.word());
            match outcome {
                Outcome::Failed => {
                    table.extend(["| ", &row.id, " | ", &patch.breaks, " | `", &row.test, "` |\n"]);
                    tests.insert(row.test.as_str());
                }
                Outcome::Passed => wrong.push(format!("{}: {} does not notice", patch.name, row.test)),
                Outcome::Not(error) => wrong.push(format!("{}: {error}", patch.name)),
            }
        }
    }
    for test in tests {
        match copy.run(test) {
            Outcome::Passed => {}
            Outcome::Failed => wrong.push(format!("{test}: fails although nothing is broken")),
            Outcome::Not(error) => wrong.push(format!("{test}: {error}")),
        }
    }
    println!("\n| row | what is broken | the test that fails then, and passes without |\n|---|---|---|\n{table}");
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// How a test ended.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    Failed,
    /// It did not run, and why.
    Not(String),
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Self::Passed => "PASSES",
            Self::Failed => "fails",
            Self::Not(_) => "NOT RUN",
        }
    }

    /// Reads what `cargo test` said of the function `name`.
    fn of(said: &str, succeeded: bool, name: &str) -> Self {
        let of_test = |line: &&str| {
            let words = line.strip_prefix("test ").and_then(|rest| rest.split_once(' '));
            words.is_some_and(|(path, _)| path.rsplit("::").next() == Some(name))
        };
        let last = |line: &str| line.rsplit(' ').next().map(str::to_owned);
        let ends: Vec<String> = said.lines().filter(of_test).filter_map(last).collect();
        if ends.iter().any(|end| end == "FAILED") {
            Self::Failed
        } else if !ends.is_empty() && ends.iter().all(|end| end == "ok") && succeeded {
            Self::Passed
        } else if said.contains("\nrunning ") && !said.contains("\nrunning 0 ") && !succeeded {
            // The whole program died, as one does whose stack overflows.
            Self::Failed
        } else {
            Self::not_run(said)
        }
    }

    /// Reads how pytest ended: with 0 all that ran passed, with 1 a test failed, and by a signal the test ended the
    /// whole process. An error before or after a test is not the test's, and a test that was not found did not run.
    fn of_pytest(said: &str, code: Option<i32>) -> Self {
        let count = said.lines().last().unwrap_or_default();
        match code {
            Some(0) if count.contains(" passed") => Self::Passed,
            Some(1) | None if count.contains(" failed") => Self::Failed,
            None if !count.contains(" in ") => Self::Failed,
            _ => Self::not_run(said),
        }
    }

    /// Reads what `go test -v` said of the function `name`. One that panics has no such line, and ends all of them.
    fn of_go(said: &str, succeeded: bool, name: &str) -> Self {
        let has = |begin: &str| said.lines().any(|line| line.starts_with(&format!("{begin}{name}")));
        if has("--- FAIL: ") || (has("=== RUN   ") && said.lines().any(|line| line.starts_with("panic: "))) {
            Self::Failed
        } else if has("--- PASS: ") && succeeded {
            Self::Passed
        } else {
            Self::not_run(said)
        }
    }

    fn not_run(said: &str) -> Self {
        let tail: Vec<&str> = said.lines().rev().take(30).collect();
        Self::Not(format!("no test ran\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n")))
    }
}

/// A copy of the tree with a build directory of its own, both kept between runs.
struct Copy<'a> {
    context: &'a Context,
    root: PathBuf,
    target: PathBuf,
}

impl<'a> Copy<'a> {
    /// Writes what differs from the tree, so that no more is compiled again than that.
    fn make(context: &'a Context) -> Result<Self, String> {
        debian::require(&[("git", &["git"]), ("cc", &["gcc", "libc6-dev"])])?;
        let base = context.target.join("broken");
        let (root, target) = (base.join("tree"), base.join("target"));
        let mut git = context.command("git");
        let list = process::read(git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]))?;
        let mut kept = BTreeSet::new();
        for file in list.split_terminator('\0') {
            let (from, to) = (context.root.join(file), root.join(file));
            let Ok(bytes) = fs::read(&from) else { continue };
            if fs::read(&to).ok().as_deref() != Some(&bytes[..]) {
                make_directory(to.parent().unwrap_or(&root))?;
                fs::copy(&from, &to).map_err(|error| format!("{}: {error}", to.display()))?;
                // A copy has the time of the original, which may be older than what was compiled of it.
                fs::write(&to, &bytes).map_err(|error| format!("{}: {error}", to.display()))?;
            }
            kept.insert(to);
        }
        remove_others(&root, &kept)?;
        Ok(Self { context, root, target })
    }

    /// Does something while a check is broken, and puts the files back.
    fn with<T>(&self, patch: &Patch, act: impl FnOnce() -> T) -> Result<T, String> {
        let mut originals: Vec<(PathBuf, String)> = Vec::new();
        let mut applied = Ok(());
        for change in &patch.changes {
            let file = self.root.join(&change.file);
            let change = read(&file).and_then(|text| {
                let changed = change.apply(&text)?;
                originals.push((file.clone(), text));
                write(&file, &changed)
            });
            applied = applied.and(change);
        }
        let outcome = applied.map(|()| act());
        for (file, text) in originals.iter().rev() {
            write(file, text)?;
        }
        outcome
    }

    fn run(&self, test: &str) -> Outcome {
        let Some((path, name)) = test.rsplit_once("::") else {
            return Outcome::Not(format!("{test} names no function"));
        };
        match Path::new(path).extension().and_then(|extension| extension.to_str()) {
            Some("c") => return self.run_c(path),
            Some("go") => return self.run_go(path, name),
            Some("py") if path.starts_with(services::TESTS) => return self.run_over_http(path, name),
            Some("py") if path.starts_with(verifier::TESTS) => return self.run_on_the_page(path, name),
            Some("py")
                if [python::DJANGO, portal::FOLDER, columns::TESTS].iter().any(|tests| path.starts_with(tests)) =>
            {
                return self.run_with_wheel(path, name);
            }
            _ => {}
        }
        let Some(target) = cargo_target(path) else {
            return Outcome::Not(format!("no way to run {path} is known"));
        };
        let mut cargo = self.command("cargo");
        cargo.args(["test", "--no-fail-fast"]).args(target).args(["--", name]);
        if path.starts_with(pdf::TESTS) {
            match rust::programs(self.context) {
                Ok(programs) => cargo.env("DUALSEAL", programs.join("dualseal")),
                Err(error) => return Outcome::Not(error),
            };
        }
        match cargo.env("INSTA_UPDATE", "no").output() {
            Ok(output) => {
                let said = [&output.stderr[..], &output.stdout[..]].concat();
                Outcome::of(&String::from_utf8_lossy(&said), output.status.success(), name)
            }
            Err(error) => Outcome::Not(error.to_string()),
        }
    }

    /// A C test is a whole program, which fails or passes as one.
    fn run_c(&self, path: &str) -> Outcome {
        let programs = self.target.join("c");
        let program = programs.join(Path::new(path).file_stem().unwrap_or_default());
        let build = || {
            make_directory(&programs)?;
            process::collect(
                self.command("cargo")
                    .args(["build", "--package", "dualseal-ffi", "--lib"])
                    .args(["--profile", "checked"]),
            )?;
            let mut cc = self.command("cc");
            cc.args(["-std=c11", "-g", "-fsanitize=address", "-Iinclude", path, "-o"]).arg(&program);
            cc.arg(self.target.join("checked/libdualseal.a")).args(PRIVATE_LIBRARIES.split(' '));
            process::collect(&mut cc)
        };
        match build() {
            Err(error) => Outcome::Not(error),
            Ok(_) => match Command::new(&program).current_dir(&programs).output() {
                Ok(output) if output.status.success() => Outcome::Passed,
                Ok(_) => Outcome::Failed,
                Err(error) => Outcome::Not(error.to_string()),
            },
        }
    }

    fn run_go(&self, path: &str, name: &str) -> Outcome {
        match go::one(self.context, &self.root.join(path), name) {
            Err(error) => Outcome::Not(error),
            Ok(mut test) => match test.output() {
                Ok(output) => Outcome::of_go(&String::from_utf8_lossy(&output.stdout), output.status.success(), name),
                Err(error) => Outcome::Not(error.to_string()),
            },
        }
    }

    /// A test of the services, with the service of the copy. It runs on every backend, and fails if one of them does.
    fn run_over_http(&self, path: &str, name: &str) -> Outcome {
        let target = self.target.join("services");
        let build = || {
            let mut cargo = self.command("cargo");
            cargo.args(["build", "--package", "trustd", "--bins", "--examples", "--manifest-path", SERVICES]);
            cargo.arg("--target-dir");
            process::collect(cargo.arg(&target))?;
            services::python(self.context)
        };
        let mut python = match build() {
            Ok(python) => python,
            Err(error) => return Outcome::Not(error),
        };
        python.args(["-m", "pytest", "-q", "-x"]).arg(format!("{path}::{name}")).current_dir(&self.root);
        match python.env("TRUSTD", target.join("debug/trustd")).output() {
            Ok(output) => Outcome::of_pytest(&String::from_utf8_lossy(&output.stdout), output.status.code()),
            Err(error) => Outcome::Not(error.to_string()),
        }
    }

    /// A test of a project of Django, or of columns, with the wheel of the copy: its Python where it stands, and its
    /// library beside it.
    fn run_with_wheel(&self, path: &str, name: &str) -> Outcome {
        let package = self.root.join("python/python");
        let is_portal = path.starts_with(portal::FOLDER);
        let folder = if is_portal { portal::FOLDER } else { "" };
        let python = || {
            let python = if is_portal {
                portal::python(self.context)?
            } else if path.starts_with(columns::TESTS) {
                columns::python(self.context, "checked")?
            } else {
                python::with_django(self.context)?
            };
            let mut cargo = self.command("cargo");
            cargo.args(["build", "--package", "dualseal-python", "--profile", "checked"]);
            // As maturin builds it: Python has the interpreter's functions, and nothing is linked against them.
            cargo.env("PYO3_BUILD_EXTENSION_MODULE", "1").env("PYO3_PYTHON", python.get_program());
            process::collect(&mut cargo)?;
            let (built, into) = ("checked/lib_dualseal.so", package.join("dualseal/_dualseal.abi3.so"));
            fs::copy(self.target.join(built), &into).map_err(|error| format!("{}: {error}", into.display()))?;
            Ok::<_, String>(python)
        };
        let mut python = match python() {
            Ok(python) => python,
            Err(error) => return Outcome::Not(error),
        };
        let test = path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/');
        python.args(["-m", "pytest", "-q", "-x"]).arg(format!("{test}::{name}")).current_dir(self.root.join(folder));
        match python.env("PYTHONPATH", package).output() {
            Ok(output) => Outcome::of_pytest(&String::from_utf8_lossy(&output.stdout), output.status.code()),
            Err(error) => Outcome::Not(error.to_string()),
        }
    }

    /// A test of the page that verifies, with the page of the copy.
    fn run_on_the_page(&self, path: &str, name: &str) -> Outcome {
        let mut python = match verifier::tests(self.context, &self.root, &self.target.join("verifier")) {
            Ok(python) => python,
            Err(error) => return Outcome::Not(error),
        };
        python.arg("-x").arg(format!("{}::{name}", self.root.join(path).display()));
        match python.output() {
            Ok(output) => Outcome::of_pytest(&String::from_utf8_lossy(&output.stdout), output.status.code()),
            Err(error) => Outcome::Not(error.to_string()),
        }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = self.context.command(program);
        command.current_dir(&self.root).env("CARGO_TARGET_DIR", &self.target);
        command
    }
}

/// The profile, package and target of cargo that a file belongs to.
fn cargo_target(path: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = path.split('/').collect();
    let (package, target) = match parts[..] {
        ["core", "src", ..] => ("dualseal", None),
        ["ffi", "src", ..] => ("dualseal-ffi", None),
        ["kernels", "src", ..] => ("dualseal-kernels", None),
        ["kernels", "tests", target, ..] => ("dualseal-kernels", Some(target)),
        ["xtask", "src", ..] => ("xtask", None),
        ["tests", "tests", target, ..] => ("dualseal-tests", Some(target)),
        ["ffi", "tests", target] => ("dualseal-ffi", Some(target)),
        ["cli", "tests", target, ..] => ("dualseal-cli", Some(target)),
        ["cli", "src", ..] => ("dualseal-cli", None),
        ["operator", "src", ..] => ("dualseal-operator", None),
        ["operator", "tests", target, ..] => ("dualseal-operator", Some(target)),
        ["examples", "services", package @ ("platform" | "proof-pdf" | "trustd"), "src", ..] => (package, None),
        ["examples", "services", package @ ("platform" | "proof-pdf" | "trustd"), "tests", target, ..] => {
            (package, Some(target))
        }
        _ => return None,
    };
    // A workspace apart has profiles of its own, and the copy's folder for what is built of it.
    let mut words = if path.starts_with("examples/services/") {
        vec!["--manifest-path", SERVICES, "--package", package]
    } else {
        vec!["--profile", "checked", "--package", package]
    };
    match (target, package) {
        // With what compares two implementations.
        (None, "dualseal") => words.extend(["--lib", "--features", "libcrux"]),
        (None, "xtask" | "dualseal-cli") => words.push("--bins"),
        (None, "trustd") => words.extend(["--lib", "--bins"]),
        (None, _) => words.push("--lib"),
        (Some(target), "proof-pdf") => words.extend(["--features", "typst", "--test", target]),
        (Some(target), _) => words.extend(["--test", target.strip_suffix(".rs").unwrap_or(target)]),
    }
    Some(words.into_iter().map(str::to_owned).collect())
}

/// Removes the files of a folder and of those in it that are not to be kept.
fn remove_others(folder: &Path, kept: &BTreeSet<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            remove_others(&path, kept)?;
        } else if !kept.contains(&path) {
            fs::remove_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Outcome, cargo_target};

    #[test]
    fn a_test_is_found_among_what_was_said() {
        let said = "   Running x\n\nrunning 2 tests\ntest a::every_cell ... ok\ntest b::other ... FAILED\n";
        assert_eq!(Outcome::of(said, false, "other"), Outcome::Failed);
        assert_eq!(Outcome::of(said, true, "every_cell"), Outcome::Passed);
        assert_eq!(Outcome::of("x\nrunning 1 test\n(signal: 6, SIGABRT)", false, "deep"), Outcome::Failed);
        for (said, succeeded) in [("error: could not compile", false), ("x\nrunning 0 tests\n", true)] {
            assert!(matches!(Outcome::of(said, succeeded, "x"), Outcome::Not(_)), "{said}");
        }
    }

    #[test]
    fn every_place_of_a_test_has_its_target() {
        let checked = "--profile checked --package";
        let services = "--manifest-path examples/services/Cargo.toml --package";
        for (path, expected) in [
            ("core/src/vault/keys.rs", format!("{checked} dualseal --lib --features libcrux")),
            ("tests/tests/records/verdict.rs", format!("{checked} dualseal-tests --test records")),
            ("tests/tests/freed_memory.rs", format!("{checked} dualseal-tests --test freed_memory")),
            ("operator/tests/operator/at_rest.rs", format!("{checked} dualseal-operator --test operator")),
            ("operator/src/secrets/pem.rs", format!("{checked} dualseal-operator --lib")),
            ("xtask/src/text.rs", format!("{checked} xtask --bins")),
            ("cli/src/commands/audit/swapped.rs", format!("{checked} dualseal-cli --bins")),
            ("examples/services/platform/src/log/writer.rs", format!("{services} platform --lib")),
            ("examples/services/trustd/src/dsa/rules.rs", format!("{services} trustd --lib --bins")),
            ("examples/services/trustd/tests/docs.rs", format!("{services} trustd --test docs")),
            (
                "examples/services/proof-pdf/tests/printed/main.rs",
                format!("{services} proof-pdf --features typst --test printed"),
            ),
        ] {
            assert_eq!(cargo_target(path).map(|words| words.join(" ")), Some(expected), "{path}");
        }
        assert_eq!(cargo_target("docs/x.md"), None);
    }

    #[test]
    fn a_test_in_go_failed_only_where_it_ran() {
        let said = "=== RUN   TestX\n    x_test.go:1: y\n--- FAIL: TestX (0.00s)\nFAIL\n";
        assert_eq!(Outcome::of_go(said, false, "TestX"), Outcome::Failed);
        assert_eq!(Outcome::of_go("=== RUN   TestX\npanic: y\n", false, "TestX"), Outcome::Failed);
        assert_eq!(Outcome::of_go("=== RUN   TestX\n--- PASS: TestX (0.00s)\nok\n", true, "TestX"), Outcome::Passed);
        for (said, succeeded) in [
            ("testing: warning: no tests to run\nPASS\nok\n", true),
            ("FAIL\texample [build failed]\n", false),
            ("panic: at the start\n", false),
            ("=== RUN   TestX\n--- PASS: TestX (0.00s)\n", false),
        ] {
            assert!(matches!(Outcome::of_go(said, succeeded, "TestX"), Outcome::Not(_)), "{said}");
        }
    }

    #[test]
    fn a_test_over_http_failed_only_where_it_ran() {
        assert_eq!(Outcome::of_pytest("..\n2 passed in 3.1s\n", Some(0)), Outcome::Passed);
        assert_eq!(Outcome::of_pytest("FAILED x\n1 failed, 1 passed in 3.1s\n", Some(1)), Outcome::Failed);
        for said in ["Fatal Python error: Aborted", "1 failed in 0.7s"] {
            assert_eq!(Outcome::of_pytest(said, None), Outcome::Failed, "{said}");
        }
        for (said, code) in
            [("1 error in 3.1s", Some(1)), ("no tests ran in 0.1s", Some(5)), ("2 passed in 1s", None), ("", Some(0))]
        {
            assert!(matches!(Outcome::of_pytest(said, code), Outcome::Not(_)), "{said}");
        }
    }
}
