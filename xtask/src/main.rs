//! `cargo xtask`: the project's own commands. It depends on nothing but the standard library, so that it is built in
//! seconds on a machine that has built nothing yet.

mod advisories;
mod ahead;
mod assurance;
mod assure;
mod bare;
mod bench;
mod broken;
mod c;
mod check;
mod columns;
mod constant_time;
mod context;
mod coverage;
mod debian;
mod dependencies;
mod exports;
mod fuzz;
mod fuzz_long;
mod generate;
mod go;
mod install;
mod kills;
mod links;
mod mutants;
mod packages;
mod parallel;
mod parts;
mod pdf;
mod portal;
mod process;
mod python;
mod readme;
mod report;
mod rust;
mod sanitizer;
mod sbom;
mod services;
mod small;
#[path = "../../ffi/soname.rs"]
mod soname;
mod suite;
mod text;
mod timing;
mod verifier;

use std::process::ExitCode;

use context::Context;
use suite::Suite;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  check                                  what is quick, over everything, and the tests of core and of what changed
  test [SUITE...]                        every test suite, or those named
  assure [--seconds N] [NAME...] [-- ARGS]
                                         what takes too long for `test`; ARGS go to the one tool that is named
  services [ARGS]                        the suite `services` of `test` alone; ARGS go to pytest, in its folder of tests
  verifier                               the page that verifies evidence in a browser, into target/verifier
  portal [ARGS]                          the suite `portal` of `test` alone; ARGS go to pytest, in its folder
  mutants --shard I/N [MODULE...]        a part of core's modules with one change at a time: does a test notice?
  generate                               what is made of other sources: statuses, exceptions, page, header, docstrings
  advisories [CLONE]                     docs/ADVISORIES.md, from the public database or a clone of it
  sbom                                   what is compiled into the C library and the command line, into target/sbom
  bench [--quick] [--only TEXT]          every operation beside its peers, as one table; without options onto its page
  bench services                         the service's release under load, over SQLite and PostgreSQL, as one table
  install [--small] [--prefix DIR] [--libdir DIR] [--destdir DIR]
                                         the C libraries, headers and files of pkg-config (default: /usr/local, lib)
  wheel                                  the Python wheel, into target/wheels
  sdist                                  its sources, with the crates that it needs, into target/wheels
";

/// The suites of `cargo xtask test`, in the order in which they run: what fails fastest comes first.
const TEST: &[Suite] = &[
    Suite::new("text", "house rules over every file, links, threats", text::suite),
    Suite::new("fmt", "formatting", rust::format),
    Suite::new("clippy", "lints, every target", rust::clippy),
    Suite::new("features", "core without features, with each, with all", rust::features),
    Suite::new("docs", "documentation without warnings", rust::docs),
    Suite::new("rust", "unit, integration and documentation tests", rust::test),
    Suite::new("constant-time", "operations on secrets under valgrind, and their machine code", constant_time::suite)
        .compiling(constant_time::compiles),
    Suite::new("bare", "core without the standard library: here and in WebAssembly", bare::suite)
        .compiling(bare::compiles),
    Suite::new("c", "the installed C library: tests, examples, valgrind, C++", c::suite),
    Suite::new("python", "the wheel: tests, stubs against the binary, types", python::suite),
    Suite::new("django", "the wheel in a project of Django: SQLite, PostgreSQL", python::django),
    Suite::new("columns", "the wheel under pyarrow, Polars, DuckDB and Spark", columns::suite),
    Suite::new("second", "records checked by a second implementation", python::second),
    Suite::new("go", "Go's tlog and note beside ours, and the package over C", go::suite),
    Suite::new("readme", "the README's programs and commands", readme::suite),
    Suite::new("services", "the service: lints, unit tests, HTTP beside real peers", services::suite)
        .compiling(services::compiles),
    Suite::new("pdf", "proofs on paper: printed, read by others, verified", pdf::suite).compiling(pdf::compiles),
    Suite::new("verifier", "the page that verifies in a browser: Node, Chromium", verifier::suite)
        .compiling(verifier::compiles),
    Suite::new("portal", "the portal: SQLite, PostgreSQL, Chromium", portal::suite),
    Suite::new("fuzz", "each fuzz target from its seeds", fuzz::suite).compiling(fuzz::compiles),
];

/// The suites of `cargo xtask assure`.
const ASSURE: &[Suite] = &[
    Suite::new("deny", "licences, bans, sources, advisories of dependencies", assure::deny),
    Suite::new("big-file", "a 1 GiB file in bounded memory", assure::big_file),
    Suite::new("vault-stream", "a document of 1 GiB through the vault in bounded memory", assure::vault_stream),
    Suite::new("command-line", "the command line over a file of 1 GiB", assure::command_line),
    Suite::new("long-chain", "a chain of 10^6 entries in constant memory", assure::long_chain),
    Suite::new("histories", "10,000 random histories of steps over both drivers", assure::histories),
    Suite::new("kills", "a worker killed 250 times on each driver", kills::some),
    Suite::new("kills-long", "a worker killed 5,000 times on a folder, 1,000 on SQLite", kills::all),
    Suite::new("store-faults", "the operator's SQLite over a disk that fails everywhere", assure::store_faults),
    Suite::new("services-kill", "the service killed 1,000 times under load", services::kills),
    Suite::new("services-faults", "the service over a disk and a database that fail everywhere", services::faults),
    Suite::new("services-contract", "the service's document, by many more requests", services::contract),
    Suite::new("services-memories", "a child's 10,000 memories, of which one is erased", services::memories),
    Suite::new("toolchains", "the oldest Rust that is promised, and another processor", assure::toolchains),
    Suite::new("portable", "core without vector code and without libcrux", assure::portable),
    Suite::new("bare-targets", "core on ARM, RISC-V and WebAssembly without a system", bare::targets),
    Suite::new("differential", "10^6 changed signatures, messages and keys by all that verifies", assure::differential),
    Suite::new("paths", "25.6 million altered paths in trees of 0 to 300 leaves", assure::paths),
    Suite::new("kernels", "the kernels as the release has them, and by 10^5 keys", assure::kernels),
    Suite::new("timing", "operations on secrets by the clock, 10^6 times each", timing::suite),
    Suite::new("bench-smoke", "each benchmark once", assure::bench_smoke),
    Suite::new("side-by-side", "each operation and its peers once", bench::once),
    Suite::new("columns", "a million rows audited, here and on two executors", columns::audit),
    Suite::new("library", "both libraries of C: built twice the same", install::twice),
    Suite::new("small", "the small C library: its size, and the suite `c` over it", c::small),
    Suite::new("page", "the page that verifies: built twice, of nothing, the same", verifier::twice),
    Suite::new("packages", "the wheel: built twice the same, audited, installed", packages::suite),
    Suite::new("valgrind", "the C tests under valgrind", c::valgrind),
    Suite::new("sanitizer", "the kernels with AVX-512 under AddressSanitizer", sanitizer::suite),
    Suite::new("second-long", "the second implementation over more drawn cases", python::second_long),
    Suite::new("miri", "the C ABI's tests under Miri", assure::miri),
    Suite::new("fuzz-long", "10^7 inputs over all fuzz targets, and what of core they reach", fuzz_long::suite),
    Suite::new("coverage", "the lines of core that its tests run", coverage::suite),
    Suite::new("broken-checks", "each check of the threat list broken: does its test notice?", broken::suite),
    Suite::new("mutants", "what changed in core, changed once more: does a test notice?", mutants::suite),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs one command; `Ok(false)` is a failed suite.
fn dispatch(arguments: &[String]) -> Result<bool, String> {
    let Some((command, rest)) = arguments.split_first() else {
        return Err(format!("no command\n\n{USAGE}"));
    };
    let mut context = Context::new()?;
    match command.as_str() {
        "check" => check::check(&mut context),
        "test" => report::run(&context, TEST, rest),
        "assure" => {
            let names = context.take_options(rest)?;
            let done = report::each(&context, ASSURE, &names)?;
            let all_hold = assurance::tell(&context.root, &done, names.is_empty())?;
            Ok(report::close(&done) && all_hold)
        }
        "services" => {
            context.extra = rest.to_vec();
            report::run(&context, services::ALONE, &[])
        }
        "portal" => {
            context.extra = rest.to_vec();
            report::run(&context, portal::ALONE, &[])
        }
        "bench" if rest == ["services"] => services::bench(&context).map(|()| true),
        "bench" => bench::command(&context, rest).map(|()| true),
        "mutants" => mutants::command(&context, rest).map(|()| true),
        "verifier" => verifier::page(&context).map(|()| true),
        "advisories" => advisories::command(&context, rest).map(|()| true),
        "sbom" => sbom::command(&context).map(|()| true),
        "generate" => generate::command(&context).map(|()| true),
        "install" => install::command(&context, rest).map(|()| true),
        "wheel" => packages::wheel(&context).map(|()| true),
        "sdist" => packages::sdist(&context).map(|()| true),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            for (title, suites) in [("check", check::CHECK), ("test", TEST), ("assure", ASSURE)] {
                println!("\nsuites of `{title}`:");
                for suite in suites {
                    println!("  {:<13} {}", suite.name, suite.about);
                }
            }
            Ok(true)
        }
        unknown => Err(format!("no command {unknown:?}\n\n{USAGE}")),
    }
}
