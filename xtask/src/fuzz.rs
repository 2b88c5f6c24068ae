//! The fuzz targets, built by the stable compiler with the coverage that libFuzzer needs, and run for a bounded time.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::context::{Context, make_directory, read};
use crate::debian;
use crate::parallel;
use crate::process::{self, run};
use crate::rust;

/// Counters per edge with a table of their places, and traced comparisons, so that libFuzzer finds constants in the
/// parsers; the assertions that a release build leaves out. One unit, since the tables are made per unit.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks";

/// `cargo xtask test fuzz`: a second each, which is enough to run the seeds and what was learned before.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    fuzz(context, 1)
}

/// `cargo xtask assure fuzz-long [--seconds N]`: a minute each, unless it is said otherwise.
pub(crate) fn long(context: &Context) -> Result<(), String> {
    fuzz(context, context.seconds.unwrap_or(60))
}

fn fuzz(context: &Context, seconds: u64) -> Result<(), String> {
    debian::require(&[("c++", &["g++"])])?;
    let host = host(context)?;
    run(&mut build(context, &host))?;
    let manifest = read(&context.root.join("fuzz/Cargo.toml"))?;
    let targets = binaries(&manifest);
    if targets.is_empty() {
        return Err("fuzz/Cargo.toml has no [[bin]]".to_owned());
    }
    let seeds = seeds(context)?;
    parallel::each(&targets, |target| {
        let mut program = context.command(folder(context).join(&host).join("release").join(target));
        fuzz_one(context, &mut program, target, &seeds, seconds)
    })
}

/// What `suite` compiles.
pub(crate) fn compiles(context: &Context) -> Vec<Command> {
    host(context).iter().map(|host| build(context, host)).collect()
}

/// With a target named, build scripts are compiled without the flags: they have no libFuzzer to link with.
fn build(context: &Context, host: &str) -> Command {
    let mut cargo = context.cargo();
    cargo.args(["build", "--release", "--bins", "--manifest-path", "fuzz/Cargo.toml", "--target", host]);
    cargo.arg("--target-dir").arg(folder(context)).env("RUSTFLAGS", FLAGS);
    cargo
}

fn folder(context: &Context) -> PathBuf {
    context.target.join("fuzz")
}

/// Folders of well-formed inputs, which every target starts from: the records that the quickstart writes, and key
/// files. Without them no target gets past the first check of a record within seconds.
fn seeds(context: &Context) -> Result<Vec<PathBuf>, String> {
    let records = context.scratch("fuzz-seeds")?.join("records");
    run(context.command(rust::quickstart(context)?).arg("README.md").arg("--out").arg(&records))?;
    Ok(vec![records.join("public"), records.join("operator"), context.root.join("tests/vectors/rfc9881")])
}

fn fuzz_one(
    context: &Context,
    program: &mut Command,
    target: &str,
    seeds: &[PathBuf],
    seconds: u64,
) -> Result<String, String> {
    let corpus = context.target.join("fuzz-corpus").join(target);
    let artifacts = context.target.join("fuzz-artifacts").join(target);
    make_directory(&corpus)?;
    make_directory(&artifacts)?;
    program.arg(format!("-max_total_time={seconds}")).args(["-timeout=20", "-print_final_stats=1"]);
    // New inputs go to the first directory; the seeds in the tree are only read.
    program.arg(format!("-artifact_prefix={}/", artifacts.display())).arg(corpus);
    program.args(seeds);
    let crashes = context.root.join("fuzz/seeds").join(target);
    if crashes.is_dir() {
        program.arg(crashes);
    }
    let output = program.stdin(Stdio::null()).output().map_err(|error| format!("{target}: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let artifact = log.lines().find_map(|line| line.split_once("Test unit written to ")).map(|(_, path)| path);
        let place = artifact.map_or("it left no artifact".to_owned(), |path| format!("artifact: {path}"));
        return Err(format!("{log}\n{target}: {}; {place}", output.status));
    }
    let coverage = last_coverage(&log).unwrap_or(0);
    if coverage == 0 {
        return Err(format!("{log}\n{target}: no coverage: the instrumentation is not in the binary"));
    }
    let runs = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:")).unwrap_or("?");
    Ok(format!("{target}: {} runs, {coverage} edges covered", runs.trim()))
}

/// The `cov: N` of the last line that has one, as in `#12 INITED cov: 8 ft: 8 corp: 1/1b`.
fn last_coverage(log: &str) -> Option<u64> {
    log.lines().rev().find_map(|line| line.split_once(" cov: "))?.1.split(' ').next()?.parse().ok()
}

/// The names of the `[[bin]]` tables.
fn binaries(manifest: &str) -> Vec<&str> {
    let tables = manifest.split("\n[").filter_map(|table| table.strip_prefix("[bin]]"));
    tables.filter_map(|table| table.lines().find_map(|line| line.strip_prefix("name = "))).map(unquote).collect()
}

fn unquote(value: &str) -> &str {
    value.trim().trim_matches('"')
}

fn host(context: &Context) -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| Path::new("rustc").into());
    let version = process::read(context.command(rustc).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not name its host".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{binaries, last_coverage};

    #[test]
    fn targets_are_the_bin_tables() {
        let manifest =
            "[package]\nname = \"fuzz\"\n\n[[bin]]\nname = \"one\"\n\n[[bin]]\npath = \"x\"\nname = \"two\"\n";
        assert_eq!(binaries(manifest), ["one", "two"]);
    }

    #[test]
    fn coverage_is_read_from_the_log() {
        assert_eq!(last_coverage("#2\tINITED cov: 8 ft: 8\n#9\tDONE   cov: 31 ft: 40 corp: 3/9b\nDone"), Some(31));
        assert_eq!(last_coverage("INFO: A corpus is not provided"), None);
    }
}
