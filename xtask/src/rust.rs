//! The suites that cargo alone runs. All of them build in the profile `checked` with the same features, so that each
//! dependency is compiled once for building and once for checking.

use std::fs;
use std::path::PathBuf;

use crate::context::{Context, read};
use crate::debian;
use crate::process::run;

/// What the workspace is built and tested with. The Python extension is left out since a test binary cannot link
/// Python's symbols, and the benchmarks because they are only linted here (`assure bench-smoke` runs them).
const TESTED: &[&str] =
    &["--workspace", "--exclude", "dualseal-python", "--exclude", "dualseal-benches", "--features", SERDE];
const SERDE: &str = "dualseal/serde";
const CHECKED: &[&str] = &["--profile", "checked"];

pub(crate) fn format(context: &Context) -> Result<(), String> {
    run(context.cargo().args(["fmt", "--all", "--check"]))?;
    for apart in ["fuzz/Cargo.toml", "tests/bare/Cargo.toml"] {
        run(context.cargo().args(["fmt", "--manifest-path", apart, "--check"]))?;
    }
    Ok(())
}

pub(crate) fn clippy(context: &Context) -> Result<(), String> {
    run(context
        .cargo()
        .args(["clippy", "--workspace", "--all-targets", "--features", SERDE])
        .args(CHECKED)
        .args(["--", "-D", "warnings"]))
}

/// Every combination of core's features. Clippy rather than `check`, because only it denies warnings without changing
/// the flags of every dependency.
pub(crate) fn features(context: &Context) -> Result<(), String> {
    let manifest = read(&context.root.join("core/Cargo.toml"))?;
    let features = core_features(&manifest);
    if features.is_empty() {
        return Err("core/Cargo.toml declares no feature".to_owned());
    }
    for subset in 0..1_u32 << features.len() {
        let chosen: Vec<_> =
            features.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1).map(|(_, name)| *name).collect();
        run(context
            .cargo()
            .args(["clippy", "--package", "dualseal", "--lib", "--no-default-features", "--quiet"])
            .arg(format!("--features={}", chosen.join(",")))
            .args(CHECKED)
            .args(["--", "-D", "warnings"]))?;
    }
    Ok(())
}

pub(crate) fn docs(context: &Context) -> Result<(), String> {
    run(context
        .cargo()
        .args(["doc", "--package", "dualseal", "--no-deps", "--all-features"])
        .args(CHECKED)
        .env("RUSTDOCFLAGS", "-D warnings"))
}

pub(crate) fn test(context: &Context) -> Result<(), String> {
    // The command line's tests share secrets with it, both ways.
    debian::require(&[("ssss-split", &["ssss"])])?;
    // A snapshot that differs fails; it is never written anew on the way.
    run(context.cargo().args(["test", "--no-fail-fast"]).args(TESTED).args(CHECKED).env("INSTA_UPDATE", "no"))
}

pub(crate) fn bare(context: &Context) -> Result<(), String> {
    run(context
        .cargo()
        .args(["run", "--release", "--manifest-path", "tests/bare/Cargo.toml", "--target-dir"])
        .arg(context.target.join("bare")))
}

/// Builds the example `quickstart` as the suite `rust` does, and returns the program.
pub(crate) fn quickstart(context: &Context) -> Result<PathBuf, String> {
    program(context, ["--example", "quickstart"], "checked/examples/quickstart")
}

/// Builds the command line as the suite `rust` does, and returns the program.
pub(crate) fn command_line(context: &Context) -> Result<PathBuf, String> {
    program(context, ["--bin", "dualseal"], "checked/dualseal")
}

/// Builds a program of the package `dualseal-tests`, and returns it.
pub(crate) fn test_program(context: &Context, name: &str) -> Result<PathBuf, String> {
    program(context, ["--bin", name], &format!("checked/{name}"))
}

fn program(context: &Context, what: [&str; 2], place: &str) -> Result<PathBuf, String> {
    run(context.cargo().arg("build").args(what).args(TESTED).args(CHECKED))?;
    let program = context.target.join(place);
    fs::metadata(&program).map_err(|error| format!("{}: {error}", program.display()))?;
    Ok(program)
}

/// The names in the `[features]` table, without `default`.
fn core_features(manifest: &str) -> Vec<&str> {
    let table = manifest.lines().skip_while(|line| *line != "[features]").skip(1).take_while(|l| !l.starts_with('['));
    table.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).filter(|name| *name != "default").collect()
}

#[cfg(test)]
mod tests {
    use super::core_features;

    #[test]
    fn features_are_read_from_the_manifest() {
        let manifest =
            "[package]\nname = \"x\"\n[features]\ndefault = [\"a\"]\n## text\na = []\nb = []\n\n[lints]\nc = 1\n";
        assert_eq!(core_features(manifest), ["a", "b"]);
    }
}
