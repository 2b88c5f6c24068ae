//! The copy of the tree. What is there already is not written again, so that it is not compiled again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Reads a file; the error names it.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file where it is another one, with the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if fs::read(path).ok().as_deref() == Some(bytes) {
        return Ok(());
    }
    let fault = |error| format!("{}: {error}", path.display());
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(fault)?;
    fs::write(path, bytes).map_err(fault)
}

/// Copies what git knows of the tree, but for the files that are `instead`, and removes what is no more there.
pub(crate) fn make(root: &Path, copy: &Path, instead: &BTreeMap<String, String>) -> Result<(), String> {
    let mut files: BTreeSet<String> = listed(root)?.into_iter().collect();
    files.extend(instead.keys().cloned());
    for file in &files {
        match instead.get(file) {
            Some(text) => write(&copy.join(file), text.as_bytes())?,
            // One that is deleted and not yet committed is listed.
            None => fs::read(root.join(file)).map_or(Ok(()), |bytes| write(&copy.join(file), &bytes))?,
        }
    }
    for file in below(copy)? {
        let name = file.strip_prefix(copy).unwrap_or(&file).to_string_lossy().into_owned();
        if !files.contains(&name) {
            fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    Ok(())
}

/// What git knows of a tree, or would with the next commit.
pub(crate) fn listed(root: &Path) -> Result<Vec<String>, String> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.output().map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).split_terminator('\0').map(str::to_owned).collect())
}

fn below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.is_dir() && !path.is_symlink() { found.extend(below(&path)?) } else { found.push(path) }
    }
    Ok(found)
}
