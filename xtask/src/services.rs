//! The services (`examples/services`): a workspace of its own, its tests over HTTP, and the peers that those start.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::Context;
use crate::debian;
use crate::parts;
use crate::process::{read, run};
use crate::python;
use crate::rust::{self, SERVICES as MANIFEST};
use crate::suite::Suite;

pub(crate) const DENY: &str = "examples/services/deny.toml";
pub(crate) const TESTS: &str = "examples/services/tests";
const REQUIREMENTS: &str = "examples/services/tests/requirements.txt";
/// Where Debian keeps the programs of each version of PostgreSQL, which are not on the PATH.
const POSTGRESQL: &str = "/usr/lib/postgresql";

/// How many memories a child has, and what its test reads that from.
const MEMORIES: (&str, &str) = ("SERVICES_MEMORIES", "10000");

/// What the service and its tests are made of, for what passes in parts.
const COMPILED: &[&str] = &["examples/services", "operator", "tests/faults", "tests/second", "xtask/src/services.rs"];
/// Parts, and kills of each, half of them on either backend.
const KILLED: (u64, u64) = (5, 200);
/// What is tried in each part, as pytest chooses it.
const FAULTS: &[&str] =
    &["clock", "disk and not killed and not first", "disk and killed and not first", "first", "server", MOUNTS];
/// What mounts a disk of its own.
const MOUNTS: &str = "tmpfs";

/// What `cargo xtask services` runs.
pub(crate) const ALONE: &[Suite] =
    &[Suite::new("services", "the service: lints, unit tests, HTTP beside real peers", suite)];

/// Lints, unit tests, and every test over HTTP. What stands after `cargo xtask services` goes to pytest.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    sources(context)?;
    run(&mut pytest(context)?)
}

/// The same for `cargo xtask check`, with less of what takes long.
pub(crate) fn quick(context: &Context) -> Result<(), String> {
    sources(context)?;
    run(pytest(context)?.env("SERVICES_KILLS", "10"))
}

/// The service killed 1,000 times, as its own tests do it less often, in parts, each with moments of its own.
pub(crate) fn kills(context: &Context) -> Result<(), String> {
    parts::each(context, "services-kill", COMPILED, KILLED.0, |number| {
        let mut tests = pytest(context)?;
        tests.args(["-rP", "test_kills.py"]).env("SERVICES_KILLS", KILLED.1.to_string());
        run(tests.env("SERVICES_KILLS_SEED", number.to_string()))
    })?;
    println!("{} kills", KILLED.0 * KILLED.1);
    Ok(())
}

/// The service with something beneath it that fails at one operation after the other, in parts: each is of some kinds
/// of faults.
pub(crate) fn faults(context: &Context) -> Result<(), String> {
    parts::each(context, "services-faults", COMPILED, FAULTS.len() as u64, |number| {
        let fault = usize::try_from(number).ok().and_then(|number| FAULTS.get(number.checked_sub(1)?));
        let fault = *fault.ok_or("no such part")?;
        let mut tests = pytest(context)?;
        // None of them shares a service with another.
        tests.args(["--dist", "load", "-rP", "faults.py", "clocks.py", "-k", fault]);
        if fault == MOUNTS {
            tests = with_own_mounts(context, &tests)?;
        }
        run(&mut tests)
    })
}

/// A command that mounts what it likes, which nobody else sees.
fn with_own_mounts(context: &Context, command: &Command) -> Result<Command, String> {
    let mut alone = context.command("unshare");
    alone.arg("--mount");
    if read(Command::new("id").arg("-u"))? != "0" {
        alone.arg("--map-root-user");
    }
    Ok(within(context, alone.arg("--"), command))
}

/// Ten times as many requests drawn for each operation of the service's document.
pub(crate) fn contract(context: &Context) -> Result<(), String> {
    run(pytest(context)?.arg("test_contract.py").env("SERVICES_EXAMPLES", "40"))
}

/// A child's 10,000 memories, of which one is erased, on SQLite and on PostgreSQL; its own tests keep fewer.
pub(crate) fn memories(context: &Context) -> Result<(), String> {
    let test = "family::tests::one_of_many_is_erased_also_in_a_backup";
    let tests = || {
        let mut tests = linted(context, "test");
        tests.args(["--package", "trustd", "--lib", test, "--", "--exact"]).env(MEMORIES.0, MEMORIES.1);
        tests
    };
    run(&mut tests())?;
    run(beside(context, &tests())?.env(MEMORIES.0, MEMORIES.1))
}

/// `cargo xtask bench services`: its release under load. `SERVICES_SECONDS` is how long each row is measured,
/// `SERVICES_ENTRIES` how many entries the log gets, `SERVICES_BACKENDS` which databases are measured.
pub(crate) fn bench(context: &Context) -> Result<(), String> {
    debian::require(&[("wrk", &["wrk"])])?;
    run(cargo(context, "build").args(["--package", "trustd", "--example", "verify_loop", "--release"]))?;
    // As it is shipped: alone.
    run(cargo(context, "build").args(["--package", "trustd", "--bin", "trustd", "--release"]))?;
    let program = target(context).join("release/trustd");
    run(python(context)?.arg("bench.py").current_dir(context.root.join(TESTS)).env("TRUSTD", program))
}

/// What cargo alone says of the workspace.
fn sources(context: &Context) -> Result<(), String> {
    run(&mut rust::format_of(context, MANIFEST))?;
    // What holds on SQLite holds on PostgreSQL: the same tests have a server, which lives as long as they run.
    let mut tests = unit_tests(context);
    let mut tests = beside(context, tests.arg("--no-fail-fast"))?;
    run(tests.env("RUST_TEST_THREADS", rust::threads().to_string()).env("INSTA_UPDATE", "no"))
}

/// What `suite` compiles.
pub(crate) fn compiles(context: &Context) -> Vec<Command> {
    let mut tests = unit_tests(context);
    tests.arg("--no-run");
    vec![tests, program(context)]
}

fn unit_tests(context: &Context) -> Command {
    let mut tests = linted(context, "test");
    tests.arg("--workspace");
    tests
}

/// Cargo, whose compiler for the workspace's own members is clippy's, which denies warnings: a run of clippy alone
/// would have the whole tree checked first, that is compiled by half.
pub(crate) fn linted(context: &Context, command: &str) -> Command {
    let mut cargo = cargo(context, command);
    // As `cargo clippy -- -D warnings` hands it over.
    let denied = ["-D", "warnings", ""].join("__CLIPPY_HACKERY__");
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver").env("CLIPPY_ARGS", denied);
    cargo
}

/// A command beside a server of PostgreSQL.
fn beside(context: &Context, command: &Command) -> Result<Command, String> {
    Ok(within(context, python(context)?.args(["-m", "harness"]), command))
}

/// One command as another's last arguments, in the folder of the tests.
fn within(context: &Context, outer: &mut Command, command: &Command) -> Command {
    let mut both = context.command(outer.get_program());
    both.args(outer.get_args()).arg(command.get_program()).args(command.get_args());
    both.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    both.current_dir(context.root.join(TESTS));
    both
}

/// The tests over HTTP, with the program that they start. They run in their folder, so that arguments name files there.
fn pytest(context: &Context) -> Result<Command, String> {
    let mut python = python(context)?;
    debian::require(&[
        ("chromium", &["chromium"]),
        ("/usr/sbin/postfix", &["postfix"]),
        ("swaks", &["swaks"]),
        ("aide", &["aide"]),
        ("systemd-analyze", &["systemd"]),
    ])?;
    // One service a module and backend, each on one of six workers, in their order: half of a test is waiting.
    python.args(["-m", "pytest", "-q", "-n", "6", "--dist", "loadgroup", "--no-loadscope-reorder"]);
    python.args(&context.extra);
    python.current_dir(context.root.join(TESTS)).env("TRUSTD", build(context)?);
    Ok(python)
}

/// The tests over HTTP of what is printed, for the suite that has what prints.
pub(crate) fn printed(context: &Context) -> Result<Command, String> {
    let mut python = python(context)?;
    python.args(["-m", "pytest", "-q", "printed.py"]).current_dir(context.root.join(TESTS));
    python.env("TRUSTD", build(context)?);
    Ok(python)
}

/// The interpreter that has what the tests need, with the peers that come from Debian installed.
pub(crate) fn python(context: &Context) -> Result<Command, String> {
    postgresql()?;
    let bin = python::environment_in(context, &context.target.join("venv-services"), REQUIREMENTS)?;
    Ok(context.command(bin.join("python")))
}

/// Builds the service, and its example; the program.
fn build(context: &Context) -> Result<PathBuf, String> {
    run(&mut program(context))?;
    Ok(target(context).join("debug/trustd"))
}

/// Cargo counts the features that tests need only where something is built that may use them, as an example may:
/// without it, whatever they change (the runtime, both databases, all that stands on these) would be compiled once
/// more.
fn program(context: &Context) -> Command {
    let mut build = linted(context, "build");
    build.args(["--package", "trustd", "--bins", "--examples"]);
    build
}

fn cargo(context: &Context, command: &str) -> Command {
    let mut cargo = context.cargo();
    cargo.args([command, "--locked", "--manifest-path"]).arg(context.root.join(MANIFEST));
    cargo.arg("--target-dir").arg(target(context));
    cargo
}

pub(crate) fn target(context: &Context) -> PathBuf {
    context.target.join("services")
}

/// The server, of whatever version this Debian has.
/// A server of PostgreSQL, installed where there is none.
pub(crate) fn postgresql() -> Result<(), String> {
    if has_server(Path::new(POSTGRESQL)) {
        return Ok(());
    }
    debian::install(&["postgresql"]).map_err(|error| format!("missing: PostgreSQL's server; {error}"))?;
    let there = has_server(Path::new(POSTGRESQL));
    if there { Ok(()) } else { Err(format!("missing: initdb below {POSTGRESQL}, even after installing postgresql")) }
}

fn has_server(versions: &Path) -> bool {
    let entries = fs::read_dir(versions).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.path().join("bin"))
        .any(|bin| bin.join("initdb").exists() && bin.join("postgres").exists())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::has_server;

    #[test]
    fn a_client_alone_is_no_server() {
        let folder = std::env::temp_dir().join(format!("dualseal-xtask-{}-postgresql", std::process::id()));
        assert!(!has_server(&folder));
        let bin = folder.join("15/bin");
        fs::create_dir_all(&bin).expect("a folder");
        for (program, there) in [("psql", false), ("initdb", false), ("postgres", true)] {
            fs::write(bin.join(program), "").expect("a file");
            assert_eq!(has_server(&folder), there, "{program}");
        }
        fs::remove_dir_all(folder).expect("the folder is removed");
    }
}
