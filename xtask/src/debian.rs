//! Programs from Debian packages: installed when they are missing, by root or through `sudo -n`.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::process;

/// Makes sure that every program is on the PATH (or, for an absolute path, is there). `wanted` pairs each with the
/// Debian packages that bring it.
pub(crate) fn require(wanted: &[(&str, &[&str])]) -> Result<(), String> {
    let missing: Vec<_> = wanted.iter().filter(|(program, _)| !available(program)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let programs: Vec<_> = missing.iter().map(|(program, _)| *program).collect();
    let packages: Vec<_> = missing.iter().flat_map(|(_, packages)| packages.iter().copied()).collect();
    install(&packages).map_err(|error| format!("missing: {}; {error}", programs.join(", ")))?;
    match missing.iter().find(|(program, _)| !available(program)) {
        Some((program, packages)) => Err(format!("missing: {program}, even after installing {}", packages.join(", "))),
        None => Ok(()),
    }
}

/// Installs packages with the package manager of Debian.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    if !available("apt-get") {
        return Err(format!("install {} (there is no apt-get to do it with)", packages.join(" ")));
    }
    process::run(apt()?.args(["update", "-qq"]))?;
    process::run(apt()?.args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
}

fn apt() -> Result<Command, String> {
    let root = process::read(Command::new("id").arg("-u"))? == "0";
    let mut command = Command::new(if root { "env" } else { "sudo" });
    if !root {
        command.args(["-n", "env"]);
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    Ok(command)
}

fn available(program: &str) -> bool {
    if program.starts_with('/') {
        return Path::new(program).exists();
    }
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|directory| directory.join(program).is_file()))
}
