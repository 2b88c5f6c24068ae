//! The fuzz targets, built by the stable compiler with the coverage that libFuzzer needs, and run for a bounded time.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::context::{Context, make_directory, read};
use crate::debian;
use crate::parallel;
use crate::process::run;
use crate::rust;

/// Counters per edge with a table of their places, and traced comparisons, so that libFuzzer finds constants in the
/// parsers; the assertions that a release build leaves out. One unit, since the tables are made per unit.
pub(crate) const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions -Coverflow-checks";

/// `cargo xtask test fuzz`: a second each, which is enough to run the seeds and what was learned before.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let (targets, folder) = built(context, FLAGS, "fuzz")?;
    let seeds = seeds(context)?;
    parallel::each(&targets, |target| {
        let Run { inputs, edges } = fuzz_one(context, &folder.join(target), target, &seeds, 1)?;
        Ok(format!("{target}: {inputs} inputs, {edges} edges covered"))
    })
}

/// What `suite` compiles.
pub(crate) fn compiles(context: &Context) -> Vec<Command> {
    rust::compiler_says(context, "host").iter().map(|host| build(context, host, FLAGS, "fuzz")).collect()
}

/// With a target named, build scripts are compiled without the flags: they have no libFuzzer to link with.
fn build(context: &Context, host: &str, flags: &str, folder: &str) -> Command {
    let mut cargo = context.cargo();
    cargo.args(["build", "--release", "--bins", "--manifest-path", "fuzz/Cargo.toml", "--target", host]);
    cargo.arg("--target-dir").arg(context.target.join(folder)).env("RUSTFLAGS", flags);
    cargo
}

/// Every target, compiled with these flags: their names, and the folder of their programs.
pub(crate) fn built(context: &Context, flags: &str, folder: &str) -> Result<(Vec<String>, PathBuf), String> {
    debian::require(&[("c++", &["g++"])])?;
    let host = rust::compiler_says(context, "host")?;
    run(&mut build(context, &host, flags, folder))?;
    let targets = binaries(&read(&context.root.join("fuzz/Cargo.toml"))?);
    if targets.is_empty() {
        return Err("fuzz/Cargo.toml has no [[bin]]".to_owned());
    }
    Ok((targets, context.target.join(folder).join(host).join("release")))
}

/// Folders of well-formed inputs, which every target starts from: the records that the quickstart writes, and key
/// files. Without them no target gets past the first check of a record within seconds.
pub(crate) fn seeds(context: &Context) -> Result<Vec<PathBuf>, String> {
    let records = context.scratch("fuzz-seeds")?.join("records");
    run(context.command(rust::quickstart(context)?).arg("README.md").arg("--out").arg(&records))?;
    Ok(vec![records.join("public"), records.join("operator"), context.root.join("tests/vectors/rfc9881")])
}

/// What a run of one target did.
pub(crate) struct Run {
    pub(crate) inputs: u64,
    pub(crate) edges: u64,
}

/// Where what a target learned is kept.
pub(crate) fn corpus(context: &Context, target: &str) -> PathBuf {
    context.target.join("fuzz-corpus").join(target)
}

/// What every target starts from, with its own seeds in the tree.
pub(crate) fn starts(context: &Context, target: &str, seeds: &[PathBuf]) -> Vec<PathBuf> {
    let own = context.root.join("fuzz/seeds").join(target);
    seeds.iter().cloned().chain(own.is_dir().then_some(own)).collect()
}

pub(crate) fn fuzz_one(
    context: &Context,
    program: &Path,
    target: &str,
    seeds: &[PathBuf],
    seconds: u64,
) -> Result<Run, String> {
    let (corpus, artifacts) = (corpus(context, target), context.target.join("fuzz-artifacts").join(target));
    make_directory(&corpus)?;
    make_directory(&artifacts)?;
    let mut program = context.command(program);
    program.arg(format!("-max_total_time={seconds}")).args(["-timeout=20", "-print_final_stats=1"]);
    // New inputs go to the first directory; the seeds in the tree are only read.
    program.arg(format!("-artifact_prefix={}/", artifacts.display())).arg(corpus);
    program.args(starts(context, target, seeds));
    let output = program.stdin(Stdio::null()).output().map_err(|error| format!("{target}: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let artifact = log.lines().find_map(|line| line.split_once("Test unit written to ")).map(|(_, path)| path);
        let place = artifact.map_or("it left no artifact".to_owned(), |path| format!("artifact: {path}"));
        return Err(format!("{log}\n{target}: {}; {place}", output.status));
    }
    let edges = last_coverage(&log).unwrap_or(0);
    if edges == 0 {
        return Err(format!("{log}\n{target}: no coverage: the instrumentation is not in the binary"));
    }
    let inputs = executed(&log).ok_or_else(|| format!("{log}\n{target}: it does not say what it did"))?;
    Ok(Run { inputs, edges })
}

fn executed(log: &str) -> Option<u64> {
    log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?.trim().parse().ok()
}

/// The `cov: N` of the last line that has one, as in `#12 INITED cov: 8 ft: 8 corp: 1/1b`.
fn last_coverage(log: &str) -> Option<u64> {
    log.lines().rev().find_map(|line| line.split_once(" cov: "))?.1.split(' ').next()?.parse().ok()
}

/// The names of the `[[bin]]` tables.
fn binaries(manifest: &str) -> Vec<String> {
    let tables = manifest.split("\n[").filter_map(|table| table.strip_prefix("[bin]]"));
    let names = tables.filter_map(|table| table.lines().find_map(|line| line.strip_prefix("name = ")));
    names.map(|name| name.trim().trim_matches('"').to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::{binaries, executed, last_coverage};

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
        assert_eq!(executed("Done\nstat::number_of_executed_units: 4711\nstat::x: 1"), Some(4711));
        assert_eq!(executed("Done"), None);
    }
}
