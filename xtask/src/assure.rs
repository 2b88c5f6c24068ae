//! What takes too long, or needs more of the machine, than the test command may: `cargo xtask assure`.

use std::fs::{self, File};
use std::path::PathBuf;

use crate::advisories::{self, PLANTED, Snapshot};
use crate::context::{Context, read, write};
use crate::debian;
use crate::parts;
use crate::process::{self, run};
use crate::rust;
use crate::sbom;
use crate::services;

const GIB: u64 = 1 << 30;
/// A crate that every workspace takes.
const EVERYWHERE: &str = "sha3";
/// The most memory that a file of any size may take: the library streams, so this does not grow with the file.
const MOST_MEMORY_KIB: u64 = 64 * 1024;

/// A cargo command in `target/tools`, built from source the first time.
pub(crate) fn tool(context: &Context, name: &str) -> Result<PathBuf, String> {
    let tools = context.target.join("tools");
    let program = tools.join("bin").join(name);
    if !program.exists() {
        run(context.cargo().args(["install", "--locked", name, "--root"]).arg(&tools))
            .map_err(|error| format!("missing: {name}; {error}"))?;
    }
    Ok(program)
}

/// What `deny.toml` says, and the services' own of theirs: of everything, without a network, by the advisories that are
/// checked in; and by the public database of them where it answers. One about a crate that everything here has must be
/// told.
pub(crate) fn deny(context: &Context) -> Result<(), String> {
    let program = tool(context, "cargo-deny")?;
    let asked = |(manifest, rules): (&str, &str), what: &[&str], snapshot: Option<&Snapshot>| {
        // A clone of its own: the user's is of the public database.
        let clones = context.scratch("advisory-clones")?;
        let rules = read(&context.root.join(rules))?;
        let own = rules.replacen("[advisories]\n", &format!("[advisories]\ndb-path = \"{}\"\n", clones.display()), 1);
        if own == rules {
            return Err("no rules about advisories".to_owned());
        }
        let config = clones.with_extension("toml");
        write(&config, &own)?;
        let mut deny = context.command(&program);
        deny.args(["--manifest-path", manifest, "--all-features", "--config"]).arg(config).arg("check").args(what);
        if let Some(snapshot) = snapshot {
            snapshot.stand_in(&mut deny);
        }
        Ok(deny)
    };
    let check = |workspace, what: &[&str], snapshot| run(&mut asked(workspace, what, snapshot)?);
    for list in sbom::lists(context)? {
        println!("{}: every crate with its licence and its checksum", list.display());
    }
    let workspaces = [("Cargo.toml", "deny.toml"), (rust::SERVICES, services::DENY)];
    let snapshot = Snapshot::make(context, None)?;
    for workspace in workspaces {
        run(context.cargo().args(["fetch", "--locked", "--manifest-path", workspace.0]))?;
        check(workspace, &["licenses", "bans", "sources", "advisories"], Some(&snapshot))?;
    }
    let planted = Snapshot::make(context, Some(EVERYWHERE))?;
    for workspace in workspaces {
        // Told by its name: there are other ways to fail.
        match process::read(&mut asked(workspace, &["advisories"], Some(&planted))?) {
            Err(told) if told.contains(PLANTED) => println!("{}: {PLANTED} is told", workspace.0),
            other => {
                return Err(format!("{}: an advisory about every {EVERYWHERE} is not told: {other:?}", workspace.0));
            }
        }
    }
    if advisories::reachable(context) {
        return workspaces.into_iter().try_for_each(|workspace| check(workspace, &["advisories"], None));
    }
    println!("the public database of advisories does not answer: what was published since the page is not asked about");
    Ok(())
}

/// The C ABI's tests under Miri: the one crate of the library whose unsafe code has pointers of strangers.
pub(crate) fn miri(context: &Context) -> Result<(), String> {
    process::read(context.command("cargo").args(["+nightly", "miri", "--version"]))
        .map_err(|error| format!("missing: a nightly toolchain with the component miri; {error}"))?;
    run(context
        .command("cargo")
        .args(["+nightly", "miri", "test", "--package", "dualseal-ffi", "--target-dir"])
        .arg(context.target.join("miri"))
        .args(&context.extra))
}

/// The quickstart over a file of 1 GiB, with its time and its peak memory, which is bounded.
pub(crate) fn big_file(context: &Context) -> Result<(), String> {
    debian::require(&[("/usr/bin/time", &["time"])])?;
    let quickstart = rust::quickstart(context)?;
    let scratch = context.scratch("big-file")?;
    let document = scratch.join("document");
    // A sparse file: it takes no room on the disk and is read like any other.
    File::create(&document)
        .and_then(|file| file.set_len(GIB))
        .map_err(|error| format!("{}: {error}", document.display()))?;
    let measured = scratch.join("measured");
    let time = ["--format=%e %M", "--output"];
    run(context
        .command("/usr/bin/time")
        .args(time)
        .arg(&measured)
        .arg(quickstart)
        .arg(&document)
        .arg("--out")
        .arg(scratch.join("records")))?;
    let text = fs::read_to_string(&measured).map_err(|error| error.to_string())?;
    let (seconds, kib) = text.trim().split_once(' ').ok_or("no measurement")?;
    println!("1 GiB: {seconds} s, peak memory {kib} KiB");
    let kib: u64 = kib.parse().map_err(|_| format!("no measurement: {text}"))?;
    if kib > MOST_MEMORY_KIB { Err(format!("peak memory {kib} KiB, the limit is {MOST_MEMORY_KIB}")) } else { Ok(()) }
}

/// The command line over a file of 1 GiB, as its own tests do it with a smaller one.
pub(crate) fn command_line(context: &Context) -> Result<(), String> {
    run(context
        .cargo()
        .args(["test", "--package", "dualseal-cli", "--profile", "checked", "--test", "cli"])
        .args(["--", "documents_of_any_size"])
        .env("DUALSEAL_CLI_MIB", "1024"))
}

/// The operator's random histories of steps over both drivers, as its own tests draw fewer.
pub(crate) fn histories(context: &Context) -> Result<(), String> {
    run(context
        .cargo()
        .args(["test", "--package", "dualseal-operator", "--profile", "checked", "--test", "operator"])
        .args(["--", "--nocapture", "histories::both_drivers"])
        .env("DUALSEAL_HISTORIES", "10000"))
}

/// The operator's steps over a database beneath which each operation of the disk fails in turn, in every way; its own
/// tests try some ways on one act.
pub(crate) fn store_faults(context: &Context) -> Result<(), String> {
    run(context
        .cargo()
        .args(["test", "--package", "dualseal-operator", "--profile", "checked", "--test", "operator"])
        .args(["--", "--nocapture", "sql_disk::"])
        .env("DUALSEAL_SQL_FAULTS", "all"))
}

/// Every verification there is beside every other, compiled as the release is, one unit and no check of overflow: other
/// code than what the rest of the tests run. A million changed signatures, messages and keys, none of which those tests
/// try.
pub(crate) fn differential(context: &Context) -> Result<(), String> {
    parts::each(context, "differential", &["operator", "tests", "xtask/src/assure.rs"], 10, |number| {
        run(context
            .cargo()
            .args(["test", "--package", "dualseal-tests", "--release", "--test", "primitives"])
            .args(["--", "--nocapture", "differential"])
            // 500 changes of each of these.
            .env("DUALSEAL_DIFFERENTIAL", "200")
            .env("DUALSEAL_DIFFERENTIAL_FROM", (number * 200).to_string()))
    })
}

/// Every path of every tree to 300 leaves, altered; `rust` tries those to 130.
pub(crate) fn paths(context: &Context) -> Result<(), String> {
    run(context
        .cargo()
        .args(["test", "--package", "dualseal-tests", "--release", "--test", "primitives"])
        .args(["--", "merkle_altered"])
        .env("DUALSEAL_TREES", "300"))
}

/// The kernels' tests, compiled as the release is; and 100,000 right signatures by them.
pub(crate) fn kernels(context: &Context) -> Result<(), String> {
    run(context.cargo().args(["test", "--package", "dualseal-kernels", "--release", "--lib", "--tests"]))?;
    run(context
        .cargo()
        .args(["test", "--package", "dualseal-kernels", "--profile", "checked", "--test", "mldsa"])
        .args(["--", "signatures"])
        .env("DUALSEAL_KERNEL_KEYS", "100000"))
}

/// Core as it is on a processor that has nothing, by `ml-dsa` and `sha3` alone: the tests of the workspace run with
/// what the programs and libraries have, and compare both there.
pub(crate) fn portable(context: &Context) -> Result<(), String> {
    let features = ["--no-default-features", "--features", "std,getrandom,pem"];
    run(context.cargo().args(["test", "--package", "dualseal", "--profile", "checked", "--lib"]).args(features))
}

/// The oldest toolchains that the manifests promise, of what they promise it for, and core for a processor of another
/// kind, in a folder of their own.
pub(crate) fn toolchains(context: &Context) -> Result<(), String> {
    let libraries =
        ["dualseal", "dualseal-kernels", "dualseal-operator"].map(|package| ["--package", package]).concat();
    let programs = ["--workspace", "--exclude", "dualseal-benches"];
    let arm = "aarch64-unknown-linux-gnu";
    let other_processor = ["--package", "dualseal", "--features", "libcrux", "--target", arm];
    let toolchain = |manifest| Ok::<_, String>(rust_version(&read(&context.root.join(manifest))?)?.to_owned());
    let (old, new) = (toolchain("core/Cargo.toml")?, toolchain("Cargo.toml")?);
    for (version, asked) in [(&old, &libraries[..]), (&new, &programs), (&new, &other_processor)] {
        run(context.command("rustup").args([
            "toolchain",
            "install",
            "--profile",
            "minimal",
            "--no-self-update",
            version,
        ]))?;
        run(context.command("rustup").args(["target", "add", "--toolchain", version, arm]))?;
        run(context
            .command("rustup")
            .args(["run", version, "cargo", "check", "--target-dir"])
            .arg(context.target.join("toolchains"))
            .args(asked)
            .env("RUSTFLAGS", "-D warnings"))?;
    }
    Ok(())
}

/// The version in a manifest's own line `rust-version`.
fn rust_version(manifest: &str) -> Result<&str, String> {
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    version.ok_or_else(|| "a manifest has no rust-version".to_owned())
}

/// A document of 1 GiB sealed, verified and unsealed as a stream; the program bounds its own memory.
pub(crate) fn vault_stream(context: &Context) -> Result<(), String> {
    run(context.cargo().args(["bench", "--package", "dualseal-benches", "--bench", "vault_stream"]))
}

/// A chain of a million entries as JSON lines, made and checked as a stream; the program bounds its own memory.
pub(crate) fn long_chain(context: &Context) -> Result<(), String> {
    run(&mut context.command(rust::programs(context)?.join("long_chain")))
}

/// Each benchmark once, without measuring: they are programs, and programs rot.
pub(crate) fn bench_smoke(context: &Context) -> Result<(), String> {
    run(context.cargo().args(["bench", "--package", "dualseal-benches", "--", "--test"]).args(&context.extra))
}
