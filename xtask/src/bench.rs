//! `cargo xtask bench`: every public operation beside its peers, measured in turn in one process, as one table; a full
//! run writes `docs/PERFORMANCE.md`'s generated part and `docs/performance.svg`.

mod chart;
mod page;
mod python;
mod table;

use std::fs;
use std::process::{Command, Stdio};

use crate::context::{self, Context};
use crate::debian;
use crate::process;
use table::Table;

const MANIFEST: &str = "benches/peers/Cargo.toml";
const LOCK: &str = "benches/peers/Cargo.lock";
const PAGE: &str = "docs/PERFORMANCE.md";
const CHART: &str = "docs/performance.svg";

/// How a full run calls its peers, and the crates that bring them: one that is missing from the table fails the run.
const PEERS: &[(&str, &str)] = &[
    ("ml-dsa", "ml-dsa"),
    ("libcrux-ml-dsa", "libcrux-ml-dsa"),
    ("fips204", "fips204"),
    ("aws-lc-rs", "aws-lc-rs"),
    ("pqcrypto-mldsa", "pqcrypto-mldsa"),
    ("liboqs", "oqs-sys"),
    ("mldsa-native", "mldsa-native-rs"),
    ("sha3", "sha3"),
    ("OpenSSL", "openssl-sys"),
    ("serde_json", "serde_json"),
    ("vsss-rs", "vsss-rs"),
    ("shamirsecretsharing", "shamirsecretsharing"),
    ("blahaj", "blahaj"),
    ("sharks", "sharks"),
];

/// `--quick` takes under two minutes where it is built; `--only TEXT` measures the rows whose group or name holds the
/// text. Neither writes anything.
pub(crate) fn command(context: &Context, arguments: &[String]) -> Result<(), String> {
    let passed: Vec<&str> = arguments.iter().map(String::as_str).filter(|word| *word != "--").collect();
    let is_full = is_full(&passed)?;
    tools()?;
    let before = load();
    let printed = measure(context, &passed)?;
    let table = Table::read(&printed)?;
    print!("{}", table.to_text());
    if !is_full {
        return Ok(());
    }
    all_are_in(&table)?;
    let mut facts = table.facts().to_vec();
    facts.push(("load before and after".to_owned(), format!("{before} and {}", load())));
    facts.push(("compiler".to_owned(), process::read(Command::new("rustc").arg("--version"))?));
    facts.push(("peers".to_owned(), versions(&context::read(&context.root.join(LOCK))?)?));
    facts.push(("date".to_owned(), process::read(Command::new("date").args(["-u", "+%F"]))?));
    let path = context.root.join(PAGE);
    context::write(&path, &page::replace(&context::read(&path)?, &page::generated(&facts, &table))?)?;
    context::write(&context.root.join(CHART), &chart::svg(&table))?;
    println!("written: {PAGE}, {CHART}");
    Ok(())
}

/// A peer without a row would look like one that was left behind.
fn all_are_in(table: &Table) -> Result<(), String> {
    let names = PEERS.iter().map(|(name, _)| *name).chain(python::PEERS);
    let missing: Vec<&str> = names.filter(|name| !table.has(name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("in no row: {}", missing.join(", "))) }
}

/// Whether the page is written: of what was measured in haste or in part there is none.
fn is_full(arguments: &[&str]) -> Result<bool, String> {
    match *arguments {
        [] => Ok(true),
        ["--quick"] | ["--only", _] | ["--quick", "--only", _] | ["--only", _, "--quick"] => Ok(false),
        _ => Err("bench takes --quick and --only TEXT; criterion's benchmarks are under `cargo bench`".to_owned()),
    }
}

/// `assure side-by-side`: the program is linted, and each contender runs and answers right.
pub(crate) fn once(context: &Context) -> Result<(), String> {
    tools()?;
    process::run(context.cargo().args(["clippy", "--release", "--manifest-path", MANIFEST]).args([
        "--target-dir",
        &target(context),
        "--",
        "-D",
        "warnings",
    ]))?;
    Table::read(&measure(context, &["--once"])?).map(drop)
}

/// What the peers in C need to be built.
fn tools() -> Result<(), String> {
    debian::require(&[
        ("cc", &["gcc", "libc6-dev"]),
        ("cmake", &["cmake", "make"]),
        ("clang", &["clang", "libclang-dev"]),
        ("pkg-config", &["pkg-config"]),
        ("/usr/include/openssl/evp.h", &["libssl-dev"]),
    ])
}

/// A folder of its own: the peers' builds are large, and nothing else uses them.
fn target(context: &Context) -> String {
    context.target.join("peers").to_string_lossy().into_owned()
}

/// All rows that are asked for.
fn measure(context: &Context, arguments: &[&str]) -> Result<String, String> {
    let mut printed = measure_rust(context, arguments)?;
    if python::is_wanted(arguments) {
        printed += &python::measure(context, MANIFEST, arguments)?;
    }
    Ok(printed)
}

/// Builds the program, which fails if one of the peers does, and runs it. What it is doing it says on the error stream.
fn measure_rust(context: &Context, arguments: &[&str]) -> Result<String, String> {
    let mut command = context.cargo();
    command.args(["run", "--release", "--manifest-path", MANIFEST, "--target-dir", &target(context), "--"]);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("{MANIFEST}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{MANIFEST}: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{MANIFEST}: {error}"))
}

/// How many wanted a core, on average of the last minutes: 1, 5, 15.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let words: Vec<&str> = text.split(' ').take(3).collect();
    if words.len() == 3 { words.join(" ") } else { "unknown".to_owned() }
}

/// The peers' versions, as they are locked.
fn versions(lock: &str) -> Result<String, String> {
    let packages: Vec<&str> = lock.split("[[package]]").collect();
    let version = |name: &str| {
        let has = |text: &str, key: &str| {
            text.lines().find_map(|line| Some(line.strip_prefix(key)?.trim_matches('"').to_owned()))
        };
        // Of two the newest, which this workspace names itself.
        let found = packages.iter().rfind(|text| has(text, "name = ").is_some_and(|found| found == name));
        found.and_then(|text| has(text, "version = ")).ok_or_else(|| format!("{LOCK} has no {name}"))
    };
    let each = PEERS.iter().map(|(_, package)| Ok(format!("{package} {}", version(package)?)));
    Ok(each.collect::<Result<Vec<_>, String>>()?.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{LOCK, PAGE, PEERS, all_are_in, is_full, page, python, table::Table, versions};
    use crate::context;
    use std::path::Path;

    pub(super) fn file(name: &str) -> String {
        context::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).expect("it is there")
    }

    #[test]
    fn only_a_full_run_is_written() {
        assert_eq!(is_full(&[]), Ok(true));
        for words in [&["--quick"][..], &["--only", "sign"], &["--only", "sign", "--quick"]] {
            assert_eq!(is_full(words), Ok(false));
        }
        assert!(is_full(&["--bench"]).is_err() && is_full(&["--only"]).is_err());
    }

    #[test]
    fn a_peer_without_a_row_fails_the_run() {
        let ours = "g\tr\tcall\tours\tdualseal\t1\t1\t1\t\t1\n".to_owned();
        let line = |name: &&str| format!("g\tr\tcall\tpeer\tx, {name} 1\t2\t2\t2\t\t1\n");
        let table = |peers: &[_]| Table::read(&(ours.clone() + &peers.iter().map(line).collect::<String>()));
        let names: Vec<&str> = PEERS.iter().map(|(name, _)| *name).chain(python::PEERS).collect();
        assert_eq!(all_are_in(&table(&names).expect("a table")), Ok(()));
        for (place, name) in names.iter().enumerate() {
            let others = [&names[..place], &names[place + 1..]].concat();
            assert_eq!(all_are_in(&table(&others).expect("a table")), Err(format!("in no row: {name}")));
        }
    }

    #[test]
    fn every_peer_is_locked() {
        let found = versions(&file(LOCK)).expect("all are");
        assert_eq!(found.split(", ").count(), PEERS.len(), "{found}");
        assert!(found.contains("ml-dsa 0.1.") && found.contains("sha3 0.12."), "{found}");
        assert!(versions("[[package]]\nname = \"ml-dsa\"\nversion = \"1\"\n").is_err());
    }

    #[test]
    fn the_page_has_room_for_what_is_generated() {
        let table = Table::read("g\tr\tcall\tours\tdualseal\t1\t1\t1\t\t1\ng\tr\tcall\tpeer\tp\t2\t2\t2\t\t1\n");
        let generated = page::generated(&[], &table.expect("a table"));
        let written = page::replace(&file(PAGE), &generated).expect("it has both markers");
        assert!(written.contains("| r | 1.00 ns |") && written.starts_with("# Performance\n"), "{written}");
    }
}
