//! The small C library: the same sources and symbols, compiled for size where nothing is computed much, together with a
//! standard library that cannot print the stack of a panic. That takes Debian's compiler, whose sources of the standard
//! library fit it.

use std::path::Path;
use std::process::Command;

use crate::bare;
use crate::debian;
use crate::rust;

/// No byte more may the shared library have.
pub(crate) const AT_MOST: u64 = 2_499_999;
const TARGET: &str = "x86_64-unknown-linux-gnu";
const BUILDERS: &[(&str, &[&str])] = &[
    ("/var/lib/dpkg/info/rustc-web.list", &["rustc-web"]),
    ("/var/lib/dpkg/info/cargo-web.list", &["cargo-web"]),
    ("/var/lib/dpkg/info/rust-web-src.list", &["rust-web-src"]),
];
/// Panics say nothing, so that their places need not be there. Functions are called without a table of addresses, which
/// the loader would have to fill.
const FLAGS: &[&str] = &["-Zlocation-detail=none", "-Zplt=yes", "-Zrelax-elf-relocations=yes"];

/// What builds both libraries of the tree at `root`, and the folder below `target` where they will lie.
pub(crate) fn release<'a>(
    cargo: &'a mut Command,
    root: &Path,
    target: &Path,
) -> Result<(&'a mut Command, std::path::PathBuf), String> {
    debian::require(BUILDERS)?;
    bare::forget(cargo);
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").current_dir(root);
    cargo.args(["build", "--locked", "--package", "dualseal-ffi", "--lib", "--release", "--features", "small"]);
    cargo.args(["-Zbuild-std=std,panic_unwind", "-Zbuild-std-features=optimize_for_size", "--target", TARGET]);
    cargo.args(["-Zprofile-rustflags", "--config", "ffi/small.toml", "--target-dir"]).arg(target);
    let cargo = rust::released_with(cargo, root, FLAGS)?;
    Ok((cargo, target.join(TARGET).join("release")))
}
