//! What depends on secrets and should not: `constant_time`, a program of the tests' package, under valgrind with every
//! secret byte marked as undefined, by the clock, and as machine code. What is accepted stands in the tables of
//! `docs/CONSTANT-TIME.md`, each with its reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::{Context, read};
use crate::debian;
use crate::parallel;
use crate::process::{self, run};

pub(crate) const PAGE: &str = "docs/CONSTANT-TIME.md";
/// The tables of the page stand under these headings.
const REPORTS: &str = "## Reports that are accepted";
const DIVISIONS: &str = "## Divisions that are accepted";
pub(crate) const LEAKY: &str = "-leaky";
/// The functions of the program that leak on purpose.
const LEAK: &str = "constant_time::once_more";
const DIVIDES: &str = "constant_time::divided";
/// What computes with secrets, each a path of which functions are there.
const SECRET: &[&str] = &[
    "chacha20::",
    "dualseal::encoding::",
    "dualseal::field::",
    "dualseal::hash::",
    "dualseal::key::",
    "dualseal::mldsa::",
    "dualseal::seal::",
    "dualseal::secret::",
    "dualseal::shamir::",
    "dualseal::stream::",
    "dualseal::threshold::",
    "dualseal_kernels::keccak::",
    "dualseal_kernels::mldsa::make::",
    "keccak::",
    "libcrux_ml_dsa::",
    "libcrux_sha3::",
    "ml_dsa::",
    "module_lattice::",
    "poly1305::",
    "sha3::",
];
/// The same of which there may be none: few functions, which a compiler puts into their callers, and what is in no
/// operation yet.
const SECRET_IF_THERE: &[&str] = &[
    "aead_stream::",
    "chacha20poly1305::",
    "cipher::",
    "curve25519_dalek::",
    "dualseal::ed25519::",
    "dualseal::presence::",
    "dualseal::shard::",
    "dualseal::vault::",
    "ed25519_dalek::",
    "fiat_crypto::",
    "hkdf::",
    "hmac::",
    "hybrid_array::",
    "sha2::",
    "shake::",
    "subtle::",
    "universal_hash::",
    "zeroize::",
];
/// The program as the release has the library, with the lines of its source.
pub(crate) fn program(context: &Context) -> Result<PathBuf, String> {
    run(&mut build(context))?;
    Ok(context.target.join("watched/constant_time"))
}

/// What `suite` compiles.
pub(crate) fn compiles(context: &Context) -> Vec<Command> {
    vec![build(context)]
}

fn build(context: &Context) -> Command {
    let mut cargo = context.cargo();
    cargo.args(["build", "--profile", "watched", "--package", "dualseal-tests", "--bin", "constant_time"]);
    cargo
}

/// The operations' names, each with whether it signs.
pub(crate) fn operations(context: &Context, program: &Path) -> Result<Vec<(String, bool)>, String> {
    let told = process::read(context.command(program).arg("list"))?;
    let operation = |line: &str| line.split_once(' ').map(|(name, signs)| (name.to_owned(), signs == "signs"));
    let found: Vec<_> = told.lines().filter_map(operation).collect();
    if found.is_empty() { Err(format!("{} names no operation", program.display())) } else { Ok(found) }
}

/// `cargo xtask test constant-time`: every operation and its leaky twin once under memcheck, and the machine code.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err("valgrind's requests are written for Linux on x86-64".to_owned());
    }
    debian::require(&[("valgrind", &["valgrind", "libc6-dbg"]), ("objdump", &["binutils"])])?;
    let (program, page) = (program(context)?, read(&context.root.join(PAGE))?);
    let logs = context.scratch("constant-time")?;
    let operations = operations(context, &program)?;
    let names: Vec<_> = operations.iter().flat_map(|(name, _)| [name.clone(), format!("{name}{LEAKY}")]).collect();
    parallel::each(&names, |name| {
        let mut valgrind = context.command("valgrind");
        // Vector code without branches is too long for valgrind in blocks of the usual length.
        valgrind.args(["--vex-guest-max-insns=20", "--error-limit=no", "--num-callers=80", "--leak-check=no"]);
        // A file's name alone does not say whose it is.
        valgrind.arg("--fullpath-after=");
        valgrind.arg(format!("--log-file={}", log(&logs, name).display()));
        process::collect(valgrind.arg(&program).args(["taint", name]))
    })?;
    let mut all = BTreeMap::new();
    for name in names {
        let reports = reports(&read(&log(&logs, &name))?);
        println!("{name}: {} reports", reports.len());
        all.insert(name, reports);
    }
    let mut findings = judged(&all, &table(&page, REPORTS));
    let code = process::read(context.command("objdump").args(["-d", "-C", "--no-show-raw-insn"]).arg(&program))?;
    findings.extend(divisions(&code, &table(&page, DIVISIONS)));
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        count => Err(format!("{count} findings; the logs are in {}", logs.display())),
    }
}

fn log(logs: &Path, name: &str) -> PathBuf {
    logs.join(format!("{name}.log"))
}

/// The rows of the table under a heading, each with two or three cells.
fn table<'p>(page: &'p str, heading: &str) -> Vec<Vec<&'p str>> {
    let lines = page.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.starts_with("## "));
    let rows = lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.skip(1).map(|row| row.split(" | ").map(|cell| cell.trim().trim_matches('`')).collect()).collect()
}

/// Whether a file is of Rust's library, or of `subtle`: who called it is meant. By its whole path, since every crate
/// has a `src/lib.rs`.
fn is_of_others(file: &str) -> bool {
    let of_rust = ["/library/core/", "/library/alloc/", "/library/std/"];
    let of_subtle = |part: &str| part == "subtle" || part.starts_with("subtle-");
    of_rust.iter().any(|path| file.contains(path)) || file.split('/').any(of_subtle)
}

/// What memcheck tells of, each as the functions from the innermost on, inlined ones too: `name (file)`, without types,
/// folders and lines. What is of others, or of a library without lines, is left out.
fn reports(log: &str) -> Vec<Vec<String>> {
    let mut reports: Vec<Vec<String>> = Vec::new();
    let mut open = false;
    for line in log.lines() {
        let line = line.split_once("== ").map_or("", |(_, line)| line);
        let frame = line.trim_start();
        let frame = frame.strip_prefix("at ").or_else(|| frame.strip_prefix("by "));
        if let Some((_, function)) = frame.and_then(|frame| frame.split_once(": ")) {
            let (name, place) = function.rsplit_once(" (").unwrap_or((function, ""));
            let file = place.trim_end_matches(')').split(':').next().unwrap_or_default();
            let of_others = is_of_others(file) || file.starts_with("in ");
            if let (true, false, Some(report)) = (open, of_others, reports.last_mut()) {
                let file = file.rsplit('/').next().unwrap_or(file);
                report.push(format!("{} ({file})", without_types(name)));
            }
        } else {
            // Of what was not initialised: a branch, an address, or what the system was handed.
            open = line.contains("uninitialised") && !line.contains("--track-origins");
            if open {
                reports.push(Vec::new());
            }
        }
    }
    reports
}

/// A function's name without what stands in angle brackets.
fn without_types(name: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = |c: char| {
        let before = depth;
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before == 0 && c != '<' && c != '>'
    };
    name.chars().filter(|c| kept(*c)).collect()
}

/// Whether a row's second cell is the innermost function of a report, or with `in ` before it any of them.
fn is_within(report: &[String], cell: &str) -> bool {
    match cell.strip_prefix("in ") {
        Some(function) => report.iter().any(|of| of == function),
        None => report.first().is_some_and(|of| of == cell),
    }
}

/// Reports that no row accepts, rows that accept nothing, and twins whose leak was not told.
fn judged(all: &BTreeMap<String, Vec<Vec<String>>>, rows: &[Vec<&str>]) -> Vec<String> {
    let mut findings = BTreeSet::new();
    let mut used = BTreeSet::new();
    for (name, reports) in all {
        let (plain, leaky) = name.strip_suffix(LEAKY).map_or((name.as_str(), false), |plain| (plain, true));
        let is_leak = |report: &Vec<String>| report.iter().any(|function| function.contains(LEAK));
        if leaky != reports.iter().any(is_leak) {
            findings.insert(format!("{name}: its leak was {}", if leaky { "not told" } else { "told" }));
        }
        for report in reports.iter().filter(|report| !is_leak(report)) {
            let accepts = |row: &&Vec<&str>| match row[..] {
                [of, within, _] => of.split(' ').any(|of| of == plain) && is_within(report, within),
                _ => false,
            };
            if let Some(row) = rows.iter().position(|row| accepts(&row)) {
                used.insert(row);
            } else {
                findings.insert(format!("{plain}: depends on a secret in\n    {}", report.join("\n    ")));
            }
        }
    }
    let vain = rows.iter().enumerate().filter(|(row, _)| !used.contains(row));
    findings.extend(vain.map(|(_, row)| format!("{PAGE}: accepted in vain: {}", row.join(" | "))));
    findings.into_iter().collect()
}

/// Functions with a division among those that compute with secrets, and accepted ones that have none.
fn divisions(code: &str, rows: &[Vec<&str>]) -> Vec<String> {
    let (mut function, mut looked_at, mut found) = ("", BTreeSet::<&str>::new(), BTreeSet::new());
    let paths = || SECRET.iter().chain(SECRET_IF_THERE).copied();
    for line in code.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once(" <")) {
            function = name;
            looked_at.extend(paths().filter(|path| has_path(name, path)));
        } else if let Some(instruction) = line.split('\t').nth(1) {
            let mnemonic = instruction.split_whitespace().next().unwrap_or_default();
            let divides = mnemonic.starts_with("div") || mnemonic.starts_with("idiv");
            if divides && (function.contains(DIVIDES) || paths().any(|path| has_path(function, path))) {
                found.insert(function);
            }
        }
    }
    let mut findings = Vec::new();
    if !found.iter().any(|function| function.contains(DIVIDES)) {
        findings.push(format!("the division of {DIVIDES} was not told"));
    }
    // Where the paths of functions are written otherwise, nothing would be looked at.
    let missing = SECRET.iter().filter(|path| !looked_at.contains(*path));
    findings.extend(missing.map(|path| format!("no function of {path} was found")));
    println!("machine code of {} paths looked at, {} functions divide", looked_at.len(), found.len());
    let accepts = |row: &Vec<&str>, function: &str| row.first().is_some_and(|part| function.contains(part));
    for function in found.iter().filter(|function| !function.contains(DIVIDES)) {
        if !rows.iter().any(|row| accepts(row, function)) {
            findings.push(format!("divides: {function}"));
        }
    }
    let vain = rows.iter().filter(|row| !found.iter().any(|function| accepts(row, function)));
    findings.extend(vain.map(|row| format!("{PAGE}: accepted in vain: {}", row.join(" | "))));
    findings
}

/// Whether a function's name has a path in it, and not the end of a longer word: `shake::` has no `ake::`.
fn has_path(name: &str, path: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    name.match_indices(path).any(|(at, _)| !name[..at].ends_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "==7== Memcheck, a memory error detector\n\
        ==7== Conditional jump or move depends on uninitialised value(s)\n\
        ==7==    at 0x1: inner (a.rs:1)\n==7==    by 0x2: constant_time::once_more (main.rs:2)\n==7== \n\
        ==7== Use of uninitialised value of size 8\n==7==    at 0x3: from<u8> (/rustc/59/library/core/src/bool.rs:3)\n\
        ==7==    at 0x3: ct_eq (/x/subtle-2.6.1/src/lib.rs:3)\n==7==    by 0x3: memcmp (in /usr/lib/libc.so.6)\n\
        ==7==    by 0x3: <A as B<C>>::table<u8, [D; 2]> (/x/y/src/b.rs:3)\n==7==    by 0x4: sign (/x/src/c.rs:4)\n";
    const PAGE_OF: &str = "## Reports that are accepted\n\n\
        | of | within | why |\n|---|---|---|\n| `one two` | `::table (b.rs)` | public |\n\n\
        ## Divisions that are accepted\n\n| function | why |\n|---|---|\n| `ml_dsa::x` | public |\n";

    fn rows() -> Vec<Vec<&'static str>> {
        table(PAGE_OF, REPORTS)
    }

    #[test]
    fn reports_are_read_with_their_functions() {
        let found = reports(LOG);
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], ["::table (b.rs)", "sign (c.rs)"]);
    }

    /// The file of a crate of others is named as that of `subtle` is: only the path tells them apart.
    #[test]
    fn a_report_within_another_crate_is_booked_there() {
        let log = LOG.replace("subtle-2.6.1", "poly1305-0.9.0");
        assert_eq!(reports(&log)[1][0], "ct_eq (lib.rs)");
        for others in ["/of/rustlib/src/rust/library/alloc/src/vec/mod.rs", "vendor/subtle/src/lib.rs"] {
            assert!(is_of_others(others), "{others}");
        }
        for own in ["/src/subtleties/src/lib.rs", "/library/field/src/lib.rs", "core/src/lib.rs", "core.rs"] {
            assert!(!is_of_others(own), "{own}");
        }
    }

    #[test]
    fn a_row_is_of_the_innermost_function_or_says_that_it_is_not() {
        let report = &reports(LOG)[1];
        assert!(is_within(report, "::table (b.rs)") && is_within(report, "in sign (c.rs)"));
        assert!(!is_within(report, "sign (c.rs)") && !is_within(report, "in sign") && !is_within(&[], "x"));
    }

    #[test]
    fn a_report_must_be_accepted_and_a_leak_told() {
        let both = |plain: &str, leaky: &str| {
            BTreeMap::from([("one".to_owned(), reports(plain)), ("one-leaky".to_owned(), reports(leaky))])
        };
        let quiet = LOG.replace("constant_time::once_more", "elsewhere");
        let own = LOG.split("==7== Use").nth(1).map(|own| format!("==7== Use{own}")).expect("the second");
        assert_eq!(judged(&both(&own, LOG), &rows()), [""; 0]);
        assert!(judged(&both(&own, &own), &rows())[0].contains("not told"));
        assert!(judged(&both(LOG, LOG), &rows())[0].contains("was told"));
        assert!(judged(&both(&quiet, LOG), &rows())[0].contains("elsewhere"));
        assert!(judged(&both("", "==7== \n"), &rows()).iter().any(|finding| finding.contains("in vain")));
        assert!(judged(&both(&own, LOG), &[vec!["two", "::table (b.rs)", "public"]])[0].contains("in vain"));
    }

    #[test]
    fn divisions_are_found_where_secrets_are() {
        let function = |name: &str, what: &str| format!("0000 <{name}>:\n   1:\t{what}    %rcx\n\n");
        let others: String = SECRET.iter().map(|path| function(&format!("{path}f"), "mul")).collect();
        let own = function("constant_time::divided", "div");
        let accepted = table(PAGE_OF, DIVISIONS);
        let found = |more: &str| divisions(&format!("{others}{own}{more}"), &accepted);
        assert_eq!(found(&function("ml_dsa::x", "idivq")), [""; 0]);
        assert!(found("")[0].contains("in vain"));
        let bad = [function("ml_dsa::x", "div"), function("dualseal::field::mul", "div")].concat();
        assert_eq!(found(&bad), ["divides: dualseal::field::mul"]);
        assert!(divisions(&others, &[])[0].contains("not told"));
        // Each path of its own: one that is missing was renamed, or is not looked at.
        for path in SECRET {
            let renamed = others.replace(&format!("<{path}"), "<elsewhere::");
            assert!(divisions(&format!("{renamed}{own}"), &[]).iter().any(|finding| finding.contains(path)), "{path}");
        }
        for path in SECRET_IF_THERE {
            assert!(
                found(&function(&format!("{path}f"), "div")).iter().any(|finding| finding.contains(path)),
                "{path}"
            );
        }
    }

    #[test]
    fn a_path_is_of_whole_words() {
        assert!(has_path("<ml_dsa::A as B>::c", "ml_dsa::") && has_path("core::ptr::drop::<ml_dsa::A>", "ml_dsa::"));
        assert!(!has_path("libcrux_ml_dsa::f", "ml_dsa::") && !has_path("dualseal_kernels::keccak::f", "keccak::"));
        assert!(has_path("libcrux_ml_dsa::f::<ml_dsa::A>", "ml_dsa::"));
    }
}
