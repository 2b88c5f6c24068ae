//! What takes hours, in parts: those that passed at a commit are not run again at it, so that it goes on where it was
//! stopped.

use std::path::Path;

use crate::context::{Context, make_directory, write};
use crate::process;

/// Does the parts from 1 on that did not pass at this commit. What is not committed is no state that was seen to pass.
pub(crate) fn each(
    context: &Context,
    name: &str,
    parts: u64,
    part: impl FnMut(u64) -> Result<(), String>,
) -> Result<(), String> {
    let git = |arguments: &[&str]| process::read(context.command("git").args(arguments));
    let state = if git(&["status", "--porcelain"])?.is_empty() { Some(git(&["rev-parse", "HEAD"])?) } else { None };
    let done = state.map(|commit| context.target.join("parts").join(name).join(commit));
    marked(done.as_deref(), parts, part)
}

/// Does those that have no mark in a folder, and marks each that was done.
fn marked(done: Option<&Path>, parts: u64, mut part: impl FnMut(u64) -> Result<(), String>) -> Result<(), String> {
    for number in 1..=parts {
        let mark = done.map(|folder| folder.join(number.to_string()));
        if mark.as_ref().is_some_and(|mark| mark.exists()) {
            println!("part {number} of {parts}: passed before");
            continue;
        }
        part(number)?;
        if let (Some(folder), Some(mark)) = (done, mark) {
            make_directory(folder)?;
            write(&mark, "")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn what_was_done_is_not_done_again() {
        let folder = std::env::temp_dir().join(format!("dualseal-xtask-{}-parts", std::process::id()));
        let mut ran = Vec::new();
        let mut until = |last: u64| {
            marked(Some(&folder), 4, |number| {
                ran.push(number);
                if number < last { Ok(()) } else { Err("stopped".to_owned()) }
            })
        };
        assert_eq!(until(3), Err("stopped".to_owned()));
        assert_eq!(until(9), Ok(()));
        assert_eq!(until(9), Ok(()));
        assert_eq!(ran, [1, 2, 3, 3, 4]);
        std::fs::remove_dir_all(&folder).expect("the marks");
        let mut unmarked = 0;
        for _ in 0..2 {
            marked(None, 2, |_| {
                unmarked += 1;
                Ok(())
            })
            .expect("done");
        }
        assert_eq!(unmarked, 4);
    }
}
