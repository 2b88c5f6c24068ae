//! The header is generated, its contract and functions are documented, and C programs use all of it.
#![cfg(not(miri))] // Miri gives no access to files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The modules in the order of `lib.rs`, which is that of the header.
fn sources() -> Vec<PathBuf> {
    let source = read("ffi/src/lib.rs");
    let modules = source.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    modules.map(|module| root().join(format!("ffi/src/{module}.rs"))).collect()
}

fn generate() -> String {
    let config = cbindgen::Config::from_file(root().join("ffi/cbindgen.toml")).unwrap();
    let builder = sources().into_iter().fold(cbindgen::Builder::new(), cbindgen::Builder::with_src);
    let mut text = Vec::new();
    builder.with_config(config).generate().unwrap().write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_header_is_what_the_sources_say() {
    let generated = generate();
    if std::env::var_os("DUALSEAL_BLESS").is_some() {
        fs::write(root().join("include/dualseal.h"), &generated).unwrap();
    }
    let committed = read("include/dualseal.h");
    let first = generated.lines().zip(committed.lines()).find(|(new, old)| new != old);
    assert!(generated == committed, "run it again with DUALSEAL_BLESS=1; the first difference: {first:#?}");
}

/// The names in a text that begin with `prefix`.
fn names<'a>(text: &'a str, prefix: &str) -> BTreeSet<&'a str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| name.starts_with(prefix)).collect()
}

/// The functions that a header declares: names before a parenthesis, but for a callback's type, `(*name)(`.
fn functions(header: &str) -> BTreeSet<&str> {
    let before = header.split('(').filter_map(|text| text.rsplit([' ', '*']).next());
    before.filter(|name| name.starts_with("dualseal_") && !name.ends_with(')')).collect()
}

/// Everything that the C programs of a directory name.
fn programs(directory: &str) -> String {
    let files = fs::read_dir(root().join(directory)).unwrap().map(|file| file.unwrap().path());
    files.map(|file| fs::read_to_string(file).unwrap()).collect()
}

#[test]
fn every_function_is_exported_documented_and_called() {
    let header = read("include/dualseal.h");
    let declared = functions(&header);
    let sources: String = sources().iter().map(|source| fs::read_to_string(source).unwrap()).collect();
    let exported: BTreeSet<_> = sources.lines().filter_map(|line| line.strip_prefix("pub extern \"C\" fn ")).collect();
    let exported: BTreeSet<_> = exported.iter().filter_map(|line| line.split('(').next()).collect();
    assert_eq!(declared, exported);
    assert_eq!(sources.matches("#[unsafe(no_mangle)]").count(), exported.len());
    for (place, text) in [("docs/C-API.md", read("docs/C-API.md")), ("tests/c", programs("tests/c"))] {
        let named = names(&text, "dualseal_");
        let missing: Vec<_> = declared.difference(&named).collect();
        assert!(missing.is_empty(), "{place} does not name {missing:?}");
    }
}

#[test]
fn every_status_and_state_is_met_in_c() {
    let header = read("include/dualseal.h");
    let programs = programs("tests/c");
    for prefix in ["DUALSEAL_STATUS_", "DUALSEAL_KEY_STATE_"] {
        let (declared, met) = (names(&header, prefix), names(&programs, prefix));
        let missing: Vec<_> = declared.difference(&met).collect();
        assert!(!declared.is_empty() && missing.is_empty(), "tests/c does not name {missing:?}");
    }
}

/// Where the Rust library numbers what it returns. The families of `core/src/error/` that are not here belong to
/// functions that C does not have: whoever exports one of these adds its file.
const NUMBERED: [&str; 7] = [
    "core/src/key/verdict.rs",
    "core/src/error.rs",
    "core/src/error/presence.rs",
    "core/src/error/shard.rs",
    "core/src/error/sharing.rs",
    "core/src/error/threshold.rs",
    "core/src/error/vault.rs",
];

/// The Rust library tells errors apart by number, so a new one would reach C without a name.
#[test]
fn every_number_of_the_library_has_a_name() {
    let source = NUMBERED.map(read).concat();
    let given = source.lines().filter_map(|line| {
        let (_, number) = line.rsplit_once("=> ").or_else(|| line.rsplit_once("= "))?;
        number.strip_suffix(',')?.parse::<u16>().ok()
    });
    let given: BTreeSet<_> = given.collect();
    assert!([0, 4, 100, 203, 310, 400].iter().all(|number| given.contains(number)), "not found: {given:?}");
    let header = read("include/dualseal.h");
    let enumerators = header.lines().filter_map(|line| line.trim().strip_prefix("DUALSEAL_STATUS_"));
    let named = enumerators.filter_map(|line| line.split_once(" = ")?.1.strip_suffix(',')?.parse::<u16>().ok());
    let missing: Vec<_> = given.difference(&named.collect()).copied().collect();
    assert!(missing.is_empty(), "ffi/src/status.rs and tests/c/test_status.c do not name {missing:?}");
}

#[test]
fn a_status_that_is_returned_must_be_looked_at() {
    let header = read("include/dualseal.h");
    // What only reads a value may be ignored: the error's own accessor.
    let returning = header.matches("\ndualseal_status dualseal_").count();
    let marked = header.matches("\nDUALSEAL_WARN_UNUSED\ndualseal_status dualseal_").count();
    assert_eq!((returning, marked > 50), (marked + 1, true));
}

#[test]
fn the_manual_repeats_the_contract() {
    let header = read("include/dualseal.h");
    let comment = header.split_once("/*\n").unwrap().1.split_once("\n */").unwrap().0;
    let contract = comment.split_once("The contract of every function here:\n *\n").unwrap().1;
    let text: Vec<_> = contract.lines().map(|line| line.strip_prefix(" * ").unwrap_or("")).collect();
    assert!(text.len() > 10, "the contract was not found");
    assert!(read("docs/C-API.md").contains(&text.join("\n")), "docs/C-API.md has another contract than the header");
}
