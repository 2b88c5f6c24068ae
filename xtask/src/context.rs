//! Where things are, and what was set up already in this run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

/// The source tree, its build directory, and what several suites share.
pub(crate) struct Context {
    /// The repository's root.
    pub(crate) root: PathBuf,
    /// `CARGO_TARGET_DIR`, or `target` in the root.
    pub(crate) target: PathBuf,
    /// `assure --seconds N`.
    pub(crate) seconds: Option<u64>,
    /// `assure NAME -- ARGS`.
    pub(crate) extra: Vec<String>,
    /// What `check` chose to test, as arguments of `cargo test`.
    pub(crate) targets: Vec<String>,
    /// The folder of the programs that suites run, once they are built.
    pub(crate) programs: OnceLock<Result<PathBuf, String>>,
    /// The virtual environment's `bin`, once it is there.
    pub(crate) python: OnceLock<Result<PathBuf, String>>,
    /// The checked wheel is installed in the virtual environment.
    pub(crate) wheel: OnceLock<Result<(), String>>,
    /// The checked wheel is installed in the environment of the columns' tests.
    pub(crate) columns: OnceLock<Result<(), String>>,
    /// The same wheel is installed in the environment of the portal's tests.
    pub(crate) portal: OnceLock<Result<(), String>>,
    /// The prefix under which the checked C library is installed.
    pub(crate) prefix: OnceLock<Result<PathBuf, String>>,
}

impl Context {
    pub(crate) fn new() -> Result<Self, String> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or("run it as `cargo xtask`")?;
        let root = Path::new(&manifest).parent().ok_or("xtask has no parent directory")?.to_path_buf();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            Some(directory) => std::path::absolute(directory).map_err(|error| error.to_string())?,
            None => root.join("target"),
        };
        Ok(Self {
            root,
            target,
            seconds: None,
            extra: Vec::new(),
            targets: Vec::new(),
            programs: OnceLock::new(),
            python: OnceLock::new(),
            wheel: OnceLock::new(),
            columns: OnceLock::new(),
            portal: OnceLock::new(),
            prefix: OnceLock::new(),
        })
    }

    /// Takes `--seconds N` and everything after `--` out of the arguments; what is left are names.
    pub(crate) fn take_options(&mut self, arguments: &[String]) -> Result<Vec<String>, String> {
        let mut names = Vec::new();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--seconds" => {
                    let value = arguments.next().ok_or("--seconds needs a number")?;
                    self.seconds = Some(value.parse().map_err(|_| format!("--seconds {value}: not a number"))?);
                }
                "--" => self.extra = arguments.by_ref().cloned().collect(),
                name => names.push(name.to_owned()),
            }
        }
        if !self.extra.is_empty() && names.len() != 1 {
            return Err("arguments after `--` go to one suite: name it".to_owned());
        }
        Ok(names)
    }

    /// Cargo, in the root.
    pub(crate) fn cargo(&self) -> Command {
        self.command("cargo")
    }

    /// A command that runs in the root.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// An empty directory under the build directory.
    pub(crate) fn scratch(&self, name: &str) -> Result<PathBuf, String> {
        let directory = self.target.join(name);
        if directory.exists() {
            fs::remove_dir_all(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        }
        make_directory(&directory)?;
        Ok(directory)
    }

    /// The files of `directory` in the tree that end in `.extension`, in order. None is an error, since a suite that
    /// runs nothing must not pass.
    pub(crate) fn files(&self, directory: &str, extension: &str) -> Result<Vec<PathBuf>, String> {
        let found = files_in(&self.root.join(directory), extension)?;
        if found.is_empty() { Err(format!("{directory} holds no .{extension} file")) } else { Ok(found) }
    }
}

/// The files right in `directory` that end in `.extension`, in order.
pub(crate) fn files_in(directory: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|found| found == extension));
    found.sort();
    Ok(found)
}

/// Reads a text file; the error names it.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a file; the error names it.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Creates a directory and its parents; the error names it.
pub(crate) fn make_directory(path: &Path) -> Result<(), String> {
    fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))
}
