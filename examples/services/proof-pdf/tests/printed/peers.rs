//! Other people's programs, and what they say.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a program says, on both of its channels; it has to succeed.
pub(crate) fn said<A: AsRef<OsStr>>(program: &str, arguments: &[A]) -> String {
    let output = Command::new(program).args(arguments).env("TZ", "UTC").output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{program}: {}: {text}", output.status);
    text
}

/// A text without what a line's end does to it: spaces, and hyphens of words that are divided there.
pub(crate) fn within(text: &str) -> String {
    text.replace("-\n", "").replace("\u{ad}", "").split_whitespace().collect()
}

/// The pictures of pages in a folder, taken away.
pub(crate) fn pictures(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut all: Vec<_> = entries.filter(|path| path.extension().is_some_and(|extension| extension == "png")).collect();
    all.sort();
    all
}

/// What a code on a picture says; nothing where there is none. The picture is removed.
pub(crate) fn code(picture: &Path) -> String {
    let output = Command::new("zbarimg").arg("-q").arg(picture).output().expect("zbarimg runs");
    fs::remove_file(picture).expect("removed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
