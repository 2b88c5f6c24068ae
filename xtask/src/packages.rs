//! The packages of Python that are given away: the wheel and the source distribution. They take none of the tests'
//! tools.

use std::fs;
use std::path::{Path, PathBuf};

use crate::context::{Context, files_in, make_directory, read};
use crate::process::{self, run};
use crate::python::environment_in;
use crate::rust;

/// What builds them, and what looks at them.
const BUILDS: &str = "python/requirements-wheel.txt";
const AUDITS: &str = "tests/requirements-packages.txt";
/// The oldest C library that the wheel runs with. The linker has its symbols, so that the name is true.
const LINUX: &[&str] = &["--zig", "--compatibility", "manylinux_2_17"];

/// `cargo xtask wheel`: the release wheel, into `target/wheels`.
pub(crate) fn wheel(context: &Context) -> Result<(), String> {
    let out = context.target.join("wheels");
    make_directory(&out)?;
    build(context, &context.root, &context.target, &out, &epoch(context))
}

/// `cargo xtask sdist`: the source distribution, into `target/wheels`, with every crate of the tree that it needs.
pub(crate) fn sdist(context: &Context) -> Result<(), String> {
    let out = context.target.join("wheels");
    make_directory(&out)?;
    sources(context, &out)
}

fn sources(context: &Context, out: &Path) -> Result<(), String> {
    let maturin = tools(context)?.join("maturin");
    run(context.command(maturin).args(["sdist", "--manifest-path", "python/Cargo.toml", "--out"]).arg(out))
}

/// The wheel of the tree at `root`, of a time: when it is built does not show in it either.
fn build(context: &Context, root: &Path, target: &Path, out: &Path, time: &str) -> Result<(), String> {
    let bin = tools(context)?;
    let path = std::env::var("PATH").unwrap_or_default();
    let mut maturin = context.command(bin.join("maturin"));
    maturin
        .current_dir(root)
        .args(["build", "--release", "--manifest-path", "python/Cargo.toml"])
        .args(if cfg!(target_os = "linux") { LINUX } else { &[] })
        .arg("--out")
        .arg(out)
        .env("CARGO_TARGET_DIR", target)
        // The linker is a module of this environment's Python.
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("SOURCE_DATE_EPOCH", time);
    run(rust::released(&mut maturin, root)?)
}

/// The time of what is packed: of the commit, or the earliest that an archive can say.
fn epoch(context: &Context) -> String {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok();
    let committed = || process::read(context.command("git").args(["log", "-1", "--format=%ct"])).ok();
    told.or_else(committed).map_or_else(|| "315532800".to_owned(), |time| time.trim().to_owned())
}

fn tools(context: &Context) -> Result<PathBuf, String> {
    environment_in(context, &context.target.join("venv-wheel"), BUILDS)
}

/// `cargo xtask assure packages`: the wheel is built of the source distribution in two places, and is the same; it asks
/// of Python and of the C library no more than its name says; and it is installed, as its sources are, and works.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let scratch = context.scratch("packages")?;
    sources(context, &scratch)?;
    let [sdist] = one(&scratch, "gz")?;
    let mut wheels = Vec::new();
    // Once: somebody may commit meanwhile.
    let time = epoch(context);
    for place in ["one", "another/place"] {
        let place = scratch.join(place);
        make_directory(&place)?;
        run(context.command("tar").arg("xzf").arg(&sdist).arg("--strip-components=1").arg("-C").arg(&place))?;
        let out = place.join("out");
        build(context, &place, &place.join("target"), &out, &time)?;
        wheels.extend(one(&out, "whl")?);
    }
    let mut built = wheels.iter().map(|wheel| fs::read(wheel).map_err(|error| error.to_string()));
    let first = built.next().transpose()?;
    if built.any(|wheel| wheel.ok() != first) {
        return Err(format!("two wheels of the same sources: {wheels:?}"));
    }
    let bin = environment_in(context, &context.target.join("venv-packages"), AUDITS)?;
    let [wheel] = one(&scratch.join("one/out"), "whl")?;
    run(context.command(bin.join("abi3audit")).args(["--strict", "--summary"]).arg(&wheel))?;
    let told = process::read(context.command(bin.join("auditwheel")).arg("show").arg(&wheel))?;
    if !told.contains("\"manylinux_2_17_x86_64\"") && cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(format!("the wheel does not run where its name says:\n{told}"));
    }
    for package in [&wheel, &sdist] {
        let place = scratch.join("installed");
        run(context.command("python3").args(["-m", "venv", "--clear"]).arg(&place))?;
        let python = place.join("bin/python");
        let pip = ["-m", "pip", "install", "--quiet"];
        run(context.command(&python).args(pip).arg(package).env("CARGO_TARGET_DIR", context.target.join("pip")))?;
        // Away from the sources, which would be imported in its place.
        let example = readme(context)?;
        run(context.command(&python).current_dir(&place).args(["-c", &example]))?;
    }
    Ok(())
}

/// The example of the wheel's README.
fn readme(context: &Context) -> Result<String, String> {
    let text = read(&context.root.join("python/README.md"))?;
    let example = text.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    example.map(str::to_owned).ok_or_else(|| "python/README.md has no example".to_owned())
}

/// The only file in a directory with this extension.
fn one(directory: &Path, extension: &str) -> Result<[PathBuf; 1], String> {
    files_in(directory, extension)?.try_into().map_err(|found| format!("expected one .{extension}, found {found:?}"))
}
