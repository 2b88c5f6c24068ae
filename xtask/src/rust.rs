//! The suites that cargo alone runs. All of them build in the profile `checked` with the same features, so that each
//! dependency is compiled once for building and once for checking.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::{Context, read};
use crate::debian;
use crate::parallel;
use crate::process::{self, run};

/// What the workspace is built and tested with. The Python extension is left out since a test binary cannot link
/// Python's symbols, and the benchmarks because they are only linted here (`assure bench-smoke` runs them).
const BUILT: &[&str] =
    &["--workspace", "--exclude", "dualseal-python", "--exclude", "dualseal-benches", "--features", SERDE];
/// The C ABI once more, for one test in C.
const BUT_PANICS: &[&str] = &["--exclude", "dualseal-panics"];
const SERDE: &str = "dualseal/serde";
/// The workspace of the services.
pub(crate) const SERVICES: &str = "examples/services/Cargo.toml";
/// That of the page that verifies.
const VERIFIER: &str = "examples/portal/verifier/Cargo.toml";
const CHECKED: &[&str] = &["--profile", "checked"];
/// What Linux has mounted where, and where it commonly keeps files in memory.
const MOUNTS: &str = "/proc/mounts";
const MEMORY: &str = "/dev/shm";

pub(crate) fn format(context: &Context) -> Result<(), String> {
    run(context.cargo().args(["fmt", "--all", "--check"]))?;
    for apart in ["benches/peers/Cargo.toml", SERVICES, VERIFIER, "fuzz/Cargo.toml", "tests/bare/Cargo.toml"] {
        run(&mut format_of(context, apart))?;
    }
    Ok(())
}

/// Formatting of a workspace apart, and of what it takes from this one: without that, cargo finds no target where the
/// root is no package.
pub(crate) fn format_of(context: &Context, manifest: &str) -> Command {
    let mut cargo = context.cargo();
    cargo.args(["fmt", "--all", "--manifest-path", manifest, "--check"]);
    cargo
}

pub(crate) fn clippy(context: &Context) -> Result<(), String> {
    run(context
        .cargo()
        .args(["clippy", "--workspace", "--all-targets", "--features", SERDE])
        .args(CHECKED)
        .args(["--", "-D", "warnings"]))
}

/// Core without features, with each, and with all. Clippy rather than `check`, because only it denies warnings without
/// changing the flags of every dependency. The features of the C library and of the wheel are core's own defaults: what
/// `clippy` checks with those of the whole workspace is checked here as it ships.
pub(crate) fn features(context: &Context) -> Result<(), String> {
    let manifest = read(&context.root.join("core/Cargo.toml"))?;
    let choices = choices(&core_features(&manifest))?;
    // Clippy computes on one processor, and cargo lets one at a time into a folder.
    let folders = [context.target.clone(), context.target.join("features")];
    let lanes: Vec<_> =
        folders.iter().enumerate().map(|(lane, at)| (at, choices.iter().skip(lane).step_by(2))).collect();
    parallel::each(&lanes, |(folder, choices)| {
        let said: Result<Vec<_>, _> =
            choices.clone().map(|chosen| process::collect(&mut chosen_features(context, folder, chosen))).collect();
        Ok(said?.concat())
    })?;
    run(context
        .cargo()
        .args(["clippy", "--package", "dualseal-ffi", "--package", "dualseal-python", "--lib", "--quiet"])
        .args(CHECKED)
        .args(["--", "-D", "warnings"]))
}

/// Core with these features alone, in a folder.
fn chosen_features(context: &Context, folder: &Path, chosen: &str) -> Command {
    let mut cargo = context.cargo();
    cargo.args(["clippy", "--package", "dualseal", "--lib", "--no-default-features", "--quiet", "--target-dir"]);
    cargo.arg(folder).arg(format!("--features={chosen}")).args(CHECKED).args(["--", "-D", "warnings"]);
    cargo
}

/// None of the features, each alone, and all.
fn choices(features: &[&str]) -> Result<Vec<String>, String> {
    if features.is_empty() {
        return Err("core/Cargo.toml declares no feature".to_owned());
    }
    let each = features.iter().map(|feature| (*feature).to_owned());
    Ok([String::new()].into_iter().chain(each).chain([features.join(",")]).collect())
}

pub(crate) fn docs(context: &Context) -> Result<(), String> {
    run(context
        .cargo()
        .args(["doc", "--package", "dualseal", "--no-deps", "--all-features"])
        .args(CHECKED)
        .env("RUSTDOCFLAGS", "-D warnings"))
}

pub(crate) fn test(context: &Context) -> Result<(), String> {
    test_targets(context, &[])
}

/// The tests of some targets of the workspace. The packages are always the same, since cargo counts the features of
/// those that are named, and core would be built once more for others.
pub(crate) fn test_targets(context: &Context, targets: &[String]) -> Result<(), String> {
    // The command line's tests share secrets with it, both ways.
    debian::require(&[("ssss-split", &["ssss"])])?;
    let mut cargo = context.cargo();
    if let Some(memory) = memory(&read(Path::new(MOUNTS)).unwrap_or_default()) {
        cargo.env("TMPDIR", memory);
    }
    // A snapshot that differs fails; it is never written anew on the way.
    run(cargo
        .args(["test", "--no-fail-fast"])
        .args(targets)
        .args(BUILT)
        .args(BUT_PANICS)
        .args(CHECKED)
        // Some say how many vectors of others, changes or faults they tried.
        .args(["--", "--show-output"])
        .env("RUST_TEST_THREADS", threads().to_string())
        .env("INSTA_UPDATE", "no"))
}

/// Where Linux keeps files in memory, if it does, and programs may lie there: what the tests write is flushed thousands
/// of times, and none of them asks more of a disk than a process that is killed does.
fn memory(mounts: &str) -> Option<&'static str> {
    let is_memory = |line: &&str| {
        let fields: Vec<_> = line.split(' ').collect();
        let [_, at, "tmpfs", options, ..] = fields[..] else { return false };
        at == MEMORY && options.split(',').all(|option| option != "noexec" && option != "ro")
    };
    mounts.lines().find(is_memory).map(|_| MEMORY)
}

/// Half of what the tests of the command line, the operator and the service do is to wait for a disk.
pub(crate) fn threads() -> usize {
    2 * std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// The example `quickstart`.
pub(crate) fn quickstart(context: &Context) -> Result<PathBuf, String> {
    Ok(programs(context)?.join("examples/quickstart"))
}

/// The folder of the C libraries, the command line and the programs of `dualseal-tests`, with `examples/` in it: built
/// once, as the suite `rust` builds them. Cargo counts the features that tests need only where something is built that
/// may use them, as an example may; without one, core and what it stands on would be built once more.
pub(crate) fn programs(context: &Context) -> Result<PathBuf, String> {
    let build = || {
        let programs = ["dualseal", "evidence_peer", "exchange", "log_peer", "long_chain", "sharing_peer"];
        let programs = programs.map(|name| ["--bin", name]);
        run(context
            .cargo()
            .args(["build", "--lib", "--example", "quickstart"])
            .args(programs.concat())
            .args(BUILT)
            .args(BUT_PANICS)
            .args(CHECKED))?;
        Ok(context.target.join("checked"))
    };
    context.programs.get_or_init(build).clone()
}

/// The static C library with a function that panics, of which nothing but the ABI itself is compiled.
pub(crate) fn panicking(context: &Context) -> Result<PathBuf, String> {
    run(context.cargo().args(["build", "--lib", "--example", "quickstart"]).args(BUILT).args(CHECKED))?;
    Ok(context.target.join("checked/libdualseal_panics.a"))
}

/// The compiler that cargo takes.
pub(crate) fn compiler(context: &Context) -> Command {
    context.command(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

/// What the compiler says of itself: `host`, or `LLVM version`.
pub(crate) fn compiler_says(context: &Context, what: &str) -> Result<String, String> {
    let told = process::read(compiler(context).arg("-vV"))?;
    let value = told.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(": "));
    value.map(str::to_owned).ok_or_else(|| format!("rustc does not say its {what}"))
}

/// A release of the tree at `root`, which `command` builds: where that lies does not show in it, and nothing between
/// cargo and the compiler hands out what was compiled elsewhere. What the caller asks of the compiler by a variable is
/// asked as well. What a file of cargo's asks (`build.rustflags`, `target.*.rustflags`) is not, as with either.
pub(crate) fn released<'a>(command: &'a mut Command, root: &Path) -> Result<&'a mut Command, String> {
    released_with(command, root, &[])
}

/// The same with flags of its own.
pub(crate) fn released_with<'a>(
    command: &'a mut Command,
    root: &Path,
    flags: &[&str],
) -> Result<&'a mut Command, String> {
    let set = |name| std::env::var(name).ok();
    let registry = set("CARGO_HOME").or_else(|| set("HOME").map(|home| format!("{home}/.cargo")));
    let registry = registry.ok_or("neither CARGO_HOME nor HOME is set")?;
    let callers = [set("CARGO_ENCODED_RUSTFLAGS"), set("RUSTFLAGS")];
    let nameless = nameless(callers, &root.display().to_string(), &registry);
    let flags: Vec<_> = [nameless.as_str()].iter().chain(flags).copied().collect();
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join(PART));
    Ok(command.env_remove("RUSTFLAGS").env("RUSTC_WRAPPER", ""))
}

/// Between encoded flags.
const PART: &str = "\x1f";

/// The flags of a caller, of which cargo reads the encoded ones where both are set, and those by which no place shows.
/// Blanks may stand in a path, so that the flags are parted by another character.
fn nameless([encoded, plain]: [Option<String>; 2], root: &str, registry: &str) -> String {
    let plain = || plain.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(PART);
    let own = [(root, "/dualseal"), (registry, "/cargo")].map(|(from, to)| format!("--remap-path-prefix={from}={to}"));
    let flags = [encoded.unwrap_or_else(plain)].into_iter().filter(|flags| !flags.is_empty()).chain(own);
    flags.collect::<Vec<_>>().join(PART)
}

/// The names in the `[features]` table, without `default`.
fn core_features(manifest: &str) -> Vec<&str> {
    let table = manifest.lines().skip_while(|line| *line != "[features]").skip(1).take_while(|l| !l.starts_with('['));
    table.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name).filter(|name| *name != "default").collect()
}

#[cfg(test)]
mod tests {
    use super::{MEMORY, choices, core_features, memory, nameless, released, released_with};
    use std::ffi::OsStr;
    use std::path::Path;
    use std::process::Command;

    #[test]
    fn a_release_keeps_its_callers_flags_and_shows_no_place() {
        let own = "--remap-path-prefix=/a tree=/dualseal\x1f--remap-path-prefix=/opt/cargo=/cargo";
        let flags = |encoded: Option<&str>, plain: Option<&str>| {
            nameless([encoded, plain].map(|flags| flags.map(str::to_owned)), "/a tree", "/opt/cargo")
        };
        assert_eq!(flags(None, None), own);
        assert_eq!(flags(None, Some(" -g  -Ctarget-cpu=native ")), format!("-g\x1f-Ctarget-cpu=native\x1f{own}"));
        assert_eq!(flags(Some("--cfg\x1fa b"), Some("-g")), format!("--cfg\x1fa b\x1f{own}"));
        assert_eq!(flags(Some(""), Some("-g")), own);

        let mut cargo = Command::new("cargo");
        released(&mut cargo, Path::new("/a tree")).unwrap();
        let set: Vec<_> = cargo.get_envs().collect();
        assert!(set.contains(&(OsStr::new("RUSTC_WRAPPER"), Some(OsStr::new("")))));
        assert!(set.contains(&(OsStr::new("RUSTFLAGS"), None)));
        let flags = |command: &Command| {
            let (_, flags) = command.get_envs().find(|(name, _)| *name == "CARGO_ENCODED_RUSTFLAGS").unwrap();
            flags.unwrap().to_str().unwrap().to_owned()
        };
        let plain = flags(&cargo);
        released_with(&mut cargo, Path::new("/a tree"), &["-Zone=1", "-Ztwo"]).unwrap();
        assert_eq!(flags(&cargo), format!("{plain}\x1f-Zone=1\x1f-Ztwo"));
    }

    #[test]
    fn files_are_kept_in_memory_where_programs_may_lie_there() {
        let mounted = |kind: &str, options: &str| {
            memory(&format!("/dev/vda / ext4 rw 0 0\n{kind} /dev/shm {kind} {options} 0 0\n")).map(str::to_owned)
        };
        assert_eq!(mounted("tmpfs", "rw,relatime,size=24684092k").as_deref(), Some(MEMORY));
        for (kind, options) in [("tmpfs", "rw,nosuid,noexec"), ("tmpfs", "ro"), ("ext4", "rw")] {
            assert_eq!(mounted(kind, options), None);
        }
        assert_eq!(memory("tmpfs /run tmpfs rw 0 0\n"), None);
    }

    #[test]
    fn features_are_read_from_the_manifest() {
        let manifest =
            "[package]\nname = \"x\"\n[features]\ndefault = [\"a\"]\n## text\na = []\nb = []\n\n[lints]\nc = 1\n";
        assert_eq!(core_features(manifest), ["a", "b"]);
    }

    #[test]
    fn features_are_tried_as_none_each_and_all() {
        assert_eq!(choices(&["a", "b"]), Ok(["", "a", "b", "a,b"].map(str::to_owned).to_vec()));
        assert!(choices(&[]).is_err());
    }
}
