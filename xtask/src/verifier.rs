//! The page that verifies evidence in a browser (`examples/portal/verifier`): built by Debian's compiler for
//! WebAssembly, and tested under Node and in Chromium.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::context::{Context, make_directory, read, write};
use crate::debian;
use crate::process::run;
use crate::python;

const FOLDER: &str = "examples/portal/verifier";
pub(crate) const TESTS: &str = "examples/portal/verifier/tests";
/// What builds it: whether one of these is there, the program's name alone does not say.
pub(crate) const BUILDERS: &[(&str, &[&str])] = &[
    ("/var/lib/dpkg/info/rustc-web.list", &["rustc-web"]),
    ("/var/lib/dpkg/info/cargo-web.list", &["cargo-web"]),
    ("/var/lib/dpkg/info/rust-web-src.list", &["rust-web-src"]),
    ("wasm-ld", &["lld"]),
    ("python3", &["python3"]),
];
const TESTERS: &[(&str, &[&str])] = &[
    ("node", &["nodejs"]),
    ("npm", &["npm"]),
    ("chromium", &["chromium"]),
    ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", &["fonts-dejavu-core"]),
];

/// `cargo xtask verifier`: builds `verify.html` and `verify.csp`, and says where.
pub(crate) fn page(context: &Context) -> Result<(), String> {
    build(context, &context.root, &out(context))
}

pub(crate) fn suite(context: &Context) -> Result<(), String> {
    run(tests(context, &context.root, &out(context))?.args(["-n", "2"]))
}

/// `cargo xtask assure page`: the second of two builds with a standard library of its own, which the suite takes from
/// the first.
pub(crate) fn twice(context: &Context) -> Result<(), String> {
    run(tests(context, &context.root, &out(context))?.args(["-k", "built_elsewhere"]).env("VERIFIER_ANEW", "1"))
}

/// The tests over the page of a tree, which is built into a folder.
pub(crate) fn tests(context: &Context, tree: &Path, out: &Path) -> Result<Command, String> {
    debian::require(TESTERS)?;
    build(context, tree, out)?;
    let axe = axe(context)?;
    let requirements = format!("{TESTS}/requirements.txt");
    let bin = python::environment_in(context, &context.target.join("venv-verifier"), &requirements)?;
    let mut tests = context.command(bin.join("python"));
    tests.args(["-m", "pytest", "-q"]).current_dir(tree.join(TESTS)).env("VERIFIER", out).env("AXE", axe);
    Ok(tests)
}

pub(crate) fn out(context: &Context) -> PathBuf {
    context.target.join("verifier")
}

/// What `suite` compiles. The page goes elsewhere: the suite may be writing its own.
pub(crate) fn compiles(context: &Context) -> Vec<Command> {
    let folder = out(context).join("cargo");
    vec![builder(context, &context.root, &folder.join("page"), &folder)]
}

fn build(context: &Context, tree: &Path, out: &Path) -> Result<(), String> {
    debian::require(BUILDERS)?;
    run(&mut builder(context, tree, out, &out.join("cargo")))
}

fn builder(context: &Context, tree: &Path, out: &Path, target: &Path) -> Command {
    let mut build = context.command("python3");
    build.arg(tree.join(FOLDER).join("build.py")).arg("--out").arg(out).arg("--target-dir").arg(target);
    build
}

/// The folder of axe-core, fetched anew where another version is asked for.
pub(crate) fn axe(context: &Context) -> Result<PathBuf, String> {
    let folder = context.target.join("verifier-node");
    let axe = folder.join("node_modules/axe-core");
    let lock = read(&context.root.join(TESTS).join("package-lock.json"))?;
    let stamp = axe.join("stamp");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == lock) {
        return Ok(axe);
    }
    make_directory(&folder)?;
    write(&folder.join("package.json"), &read(&context.root.join(TESTS).join("package.json"))?)?;
    write(&folder.join("package-lock.json"), &lock)?;
    run(context.command("npm").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&folder))?;
    write(&stamp, &lock)?;
    Ok(axe)
}
