//! Core where there is no standard library: a program of its own, on this machine and compiled for processors without
//! an operating system, by Debian's compiler, whose sources of the standard library fit it; and one that has in it the
//! known answers that C, Go and Python read too.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::context::Context;
use crate::debian;
use crate::parallel;
use crate::process::collect;
use crate::verifier::BUILDERS;

const MANIFEST: &str = "tests/bare/Cargo.toml";
/// With its linker, and with what runs it.
type Target = (&'static str, &'static str, &'static str);

const WASM: Target = ("wasm32-unknown-unknown", "wasm-ld", "node");
const TARGETS: &[Target] =
    &[("thumbv7em-none-eabi", "ld.lld", "qemu-arm"), ("riscv32imac-unknown-none-elf", "ld.lld", "qemu-riscv32"), WASM];
/// What has the size of such a program, and what has the answers.
const PROGRAMS: [&str; 2] = ["dualseal-bare", "dualseal-known"];
/// Calls the one function of a module, which asks to be heard.
const CALL: &str = "const { readFileSync, writeSync } = require('fs');
    const module = new WebAssembly.Module(readFileSync(process.argv[1]));
    const say = (from, length) => writeSync(1, new Uint8Array(made.exports.memory.buffer, from, length));
    const made = new WebAssembly.Instance(module, { env: { say } });
    process.exit(made.exports.steps_that_failed());";

/// Here, and for one target: each builds the standard library's core and all that core is made of anew, the last of it
/// on one processor.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    tools()?;
    parallel::each(&[None, Some(WASM)], |target| match target {
        Some(target) => on(context, target),
        None => here(context),
    })
}

/// For each target.
pub(crate) fn targets(context: &Context) -> Result<(), String> {
    debian::require(&[("qemu-arm", &["qemu-user"]), ("qemu-riscv32", &["qemu-user"])])?;
    tools()?;
    parallel::each(TARGETS, |target| on(context, target))
}

fn tools() -> Result<(), String> {
    debian::require(BUILDERS)?;
    debian::require(&[("ld.lld", &["lld"]), ("node", &["nodejs"])])
}

/// What `suite` compiles.
pub(crate) fn compiles(context: &Context) -> Vec<Command> {
    let (wasm, linker, _) = WASM;
    vec![of_target(context, wasm, linker), of_this(context, &["build"])]
}

fn here(context: &Context) -> Result<String, String> {
    let said = PROGRAMS.map(|program| collect(&mut of_this(context, &["run", "--bin", program])));
    said.into_iter().collect()
}

fn of_this(context: &Context, command: &[&str]) -> Command {
    let mut cargo = context.cargo();
    cargo.args(command).args(["--locked", "--release", "--manifest-path", MANIFEST, "--target-dir"]);
    cargo.arg(context.target.join("bare"));
    cargo
}

fn on(context: &Context, target: &Target) -> Result<String, String> {
    let (name, linker, runner) = target;
    collect(&mut of_target(context, name, linker))?;
    let run = |program: &str| {
        let mut program = folder(context).join(name).join("release").join(program);
        let mut command = context.command(runner);
        if *runner == "node" {
            program.set_extension("wasm");
            command.args(["-e", CALL]);
        }
        let bytes = fs::metadata(&program).map_err(|error| format!("{}: {error}", program.display()))?.len();
        Ok(format!("{name}: {bytes} bytes of program\n{}", collect(command.arg(&program))?))
    };
    PROGRAMS.into_iter().map(run).collect()
}

fn folder(context: &Context) -> PathBuf {
    context.target.join("targets")
}

fn of_target(context: &Context, target: &str, linker: &str) -> Command {
    let mut cargo = context.command("/usr/bin/cargo");
    forget(&mut cargo);
    cargo.args(["build", "--locked", "--release", "-Zbuild-std=core,alloc", "--target", target]);
    cargo.args(["--manifest-path", MANIFEST, "--target-dir"]).arg(folder(context));
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", format!("-Clinker={linker}"));
    cargo
}

/// What may stand between cargo and the compiler, or changes what it does, is left out.
pub(crate) fn forget(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let of_cargo = name.to_str().is_some_and(|name| {
            name != "CARGO_HOME" && ["CARGO", "RUSTC", "RUSTFLAGS", "RUSTUP"].iter().any(|of| name.starts_with(of))
        });
        if of_cargo {
            command.env_remove(name);
        }
    }
}
