//! The headers are generated, declare what is to be kept, their contract and functions are documented, and C programs
//! use all of them.
#![cfg(not(miri))] // Miri gives no access to files.

use dualseal_core::{Error, VerdictKind};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A header, the module whose files it declares, the headers that it needs, and what it is for.
struct Header {
    name: &'static str,
    module: &'static str,
    needs: &'static [&'static str],
    about: &'static str,
}

const HEADERS: [Header; 4] = [
    Header { name: "dualseal.h", module: "lib", needs: &[], about: "" },
    Header {
        name: "dualseal_sharing.h",
        module: "sharing",
        needs: &["dualseal.h"],
        about: "secrets shared, data encrypted under them, and threshold sessions",
    },
    Header {
        name: "dualseal_vault.h",
        module: "vault",
        needs: &["dualseal.h", "dualseal_sharing.h"],
        about: "documents sealed into a ledger, and the shards of their secrets",
    },
    Header {
        name: "dualseal_legacy.h",
        module: "legacy",
        needs: &["dualseal.h", "dualseal_sharing.h"],
        about: "what other programs wrote before, and what they still read",
    },
];

impl Header {
    /// The files in the order of their module, which is that of the header.
    fn sources(&self) -> Vec<PathBuf> {
        let folder = if self.module == "lib" { "ffi/src".to_owned() } else { format!("ffi/src/{}", self.module) };
        let source = read(&format!("ffi/src/{}.rs", self.module));
        let modules = source.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
        let own = modules.filter(|module| HEADERS.iter().all(|header| header.module != *module));
        own.map(|module| root().join(format!("{folder}/{module}.rs"))).collect()
    }

    fn generate(&self) -> String {
        let mut config = cbindgen::Config::from_file(root().join("ffi/cbindgen.toml")).unwrap();
        if self.module != "lib" {
            config.include_guard = Some(self.name.to_uppercase().replace('.', "_"));
            config.header = Some(format!("/* dualseal: {}. The contract is that of dualseal.h. */", self.about));
            config.sys_includes = Vec::new();
            config.includes = self.needs.iter().map(|name| (*name).to_owned()).collect();
            config.after_includes = None;
        }
        let builder = self.sources().into_iter().fold(cbindgen::Builder::new(), cbindgen::Builder::with_src);
        let mut text = Vec::new();
        builder.with_config(config).generate().unwrap().write(&mut text);
        String::from_utf8(text).unwrap()
    }

    fn committed(&self) -> String {
        read(&format!("include/{}", self.name))
    }
}

/// All headers in one text.
fn committed() -> String {
    HEADERS.iter().map(Header::committed).collect()
}

#[test]
fn the_headers_are_what_the_sources_say() {
    for header in &HEADERS {
        let generated = header.generate();
        if std::env::var_os("DUALSEAL_BLESS").is_some() {
            fs::write(root().join("include").join(header.name), &generated).unwrap();
        }
        let committed = header.committed();
        let first = generated.lines().zip(committed.lines()).find(|(new, old)| new != old);
        assert!(generated == committed, "{}: run it again with DUALSEAL_BLESS=1; first {first:#?}", header.name);
    }
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
    let files = files.filter(|file| file.is_file());
    files.map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// The names that stand before a parenthesis outside of comments.
fn called(program: &str) -> BTreeSet<&str> {
    let code = program.split("/*").map(|text| text.split_once("*/").map_or(text, |(_, code)| code));
    let before = code.flat_map(|text| text.split('('));
    before.filter_map(|text| text.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()).collect()
}

/// What `include/KEEP.md` lists for a header: the items of the lists below its heading.
fn kept<'a>(list: &'a str, header: &str) -> BTreeSet<&'a str> {
    let heading = format!("\n## `{header}` (");
    let (count, section) = list.split_once(&heading).unwrap().1.split_once(")\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let items = section.split("\n\n").filter(|paragraph| paragraph.trim_start().starts_with("- "));
    let items: Vec<&str> = items.flat_map(|list| list.split('`').skip(1).step_by(2)).collect();
    let kept: BTreeSet<_> = items.iter().copied().collect();
    assert_eq!(kept.len(), count.parse::<usize>().unwrap(), "{header}: the number in its heading");
    assert_eq!(kept.len(), items.len(), "{header}: listed twice");
    kept
}

/// More than anybody reads is not to come back.
const MOST_FUNCTIONS: usize = 220;

#[test]
fn what_is_kept_is_what_is_declared() {
    let list = read("include/KEEP.md");
    let mut count = 0;
    for header in &HEADERS {
        let (text, kept) = (header.committed(), kept(&list, header.name));
        let declared = functions(&text);
        let differ: Vec<_> = declared.symmetric_difference(&kept).collect();
        assert!(differ.is_empty(), "include/{} and include/KEEP.md differ in {differ:?}", header.name);
        count += kept.len();
    }
    assert!(count <= MOST_FUNCTIONS, "{count} functions, at most {MOST_FUNCTIONS}");
    assert_eq!(functions(&committed()).len(), count, "a function is in two headers");
}

#[test]
fn every_function_is_exported_documented_and_called() {
    let header = committed();
    let declared = functions(&header);
    let sources = HEADERS.iter().flat_map(Header::sources).map(|source| fs::read_to_string(source).unwrap());
    let sources: String = sources.collect();
    let exported: BTreeSet<_> = sources.lines().filter_map(|line| line.strip_prefix("pub extern \"C\" fn ")).collect();
    let exported: BTreeSet<_> = exported.iter().filter_map(|line| line.split('(').next()).collect();
    assert_eq!(declared, exported);
    assert_eq!(all_sources().matches("#[unsafe(no_mangle)]").count(), exported.len());
    let (manual, programs) = (read("docs/C-API.md"), programs("tests/c"));
    let unnamed: Vec<_> = declared.difference(&names(&manual, "dualseal_")).copied().collect();
    assert!(unnamed.is_empty(), "docs/C-API.md does not name {unnamed:?}");
    let uncalled: Vec<_> = declared.difference(&called(&programs)).copied().collect();
    assert!(uncalled.is_empty(), "tests/c does not call {uncalled:?}");
    let is_header = |name: &&str| HEADERS.iter().any(|header| header.name.strip_suffix(".h") == Some(name));
    let named = names(&manual, "dualseal_").into_iter();
    let gone: Vec<_> = named.filter(|name| !header.contains(name) && !is_header(name)).collect();
    assert!(gone.is_empty(), "docs/C-API.md names {gone:?}");
}

/// Every file of the crate, whether a header declares it or not, but for what panics on purpose, which is in no library
/// that is installed.
fn all_sources() -> String {
    let (mut folders, mut text) = (vec![root().join("ffi/src")], String::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("src/panics.rs") {
                text.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    text
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

/// The Rust library tells errors apart by number, so a new one would reach C without a name.
#[test]
fn every_number_of_the_library_has_its_name() {
    let header = read("include/dualseal.h");
    let verdicts = VerdictKind::ALL.iter().map(|kind| (kind.code(), kind.as_str()));
    let rows = verdicts.chain(Error::CATALOGUE.iter().map(|row| (row.code, row.name)));
    let statuses = rows.map(|(code, name)| format!("{} = {code},", name.replace('-', "_").to_uppercase()));
    let missing: Vec<_> = statuses.filter(|status| !header.contains(&format!(" DUALSEAL_STATUS_{status}"))).collect();
    assert!(missing.is_empty(), "ffi/src/status.rs and tests/c/test_status.c do not have {missing:?}");
}

#[test]
fn a_status_that_is_returned_must_be_looked_at() {
    let header = committed();
    let returning = header.matches("\ndualseal_status dualseal_").count();
    let marked = header.matches("\nDUALSEAL_WARN_UNUSED\ndualseal_status dualseal_").count();
    assert_eq!((returning, marked > 50), (marked, true));
}

/// The most calls of a common job, and the most of what it makes that is given back.
const MOST_CALLS: usize = 5;
const MOST_FREES: usize = 3;

#[test]
fn the_manual_shows_the_common_jobs() {
    let manual = read("docs/C-API.md");
    let shown = manual.split_once("## The common jobs").unwrap().1.split_once("```c\n").unwrap().1;
    let shown = shown.split_once("\n```").unwrap().0;
    assert!(read("tests/c/test_jobs.c").contains(shown), "tests/c/test_jobs.c has other jobs than docs/C-API.md");
    let jobs: Vec<_> = shown.split("\nstatic dualseal_status ").skip(1).collect();
    assert_eq!(jobs.len(), 6);
    for job in jobs {
        let name = job.split('(').next().unwrap();
        let (arguments, body) = job.split_once("\n{\n").unwrap();
        let called = called(body).into_iter().filter(|name| name.starts_with("dualseal_"));
        let (frees, calls): (Vec<_>, Vec<_>) = called.partition(|name| name.ends_with("_free"));
        // A text that is handed to the caller is given back by him.
        let texts = arguments.matches("char **").count();
        assert!(!calls.is_empty() && calls.len() <= MOST_CALLS, "{name}: {calls:?}");
        assert!(frees.len() + texts <= MOST_FREES, "{name}: {frees:?} and {texts} texts");
    }
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
