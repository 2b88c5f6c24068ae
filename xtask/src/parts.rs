//! What takes hours, in parts: those that passed are not run again while what they compile and the compiler are the
//! same, so that it goes on where it was stopped.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;
use std::process::Command;

use crate::context::{Context, make_directory, write};
use crate::process;

/// What every suite compiles beside its own folders. What the marks are told by is one of them: another rule is another
/// state.
const ALWAYS: &[&str] = &[".cargo", "Cargo.lock", "Cargo.toml", "core", "kernels", "xtask/src/parts.rs"];
/// What a caller may tell the compiler by, each the beginning of a variable's name.
const ASKED: &[&str] = &["CARGO_BUILD_", "CARGO_ENCODED_RUSTFLAGS", "CARGO_PROFILE_", "CARGO_TARGET_", "RUSTFLAGS"];

/// Does the parts from 1 on that did not pass. `compiled` are the files and folders that the parts are compiled of, and
/// the file that says how they are run. What is not committed there is no state that was seen to pass.
pub(crate) fn each(
    context: &Context,
    name: &str,
    compiled: &[&str],
    parts: u64,
    part: impl FnMut(u64) -> Result<(), String>,
) -> Result<(), String> {
    let done = state(&context.root, compiled)?.map(|state| context.target.join("parts").join(name).join(state));
    marked(done.as_deref(), parts, part)
}

/// Git in a folder, whichever repository its caller's environment names: that of a hook is another one's.
fn git_in(root: &Path, arguments: &[&str]) -> Command {
    let mut git = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(|name| name.starts_with("GIT_")))
    {
        git.env_remove(name);
    }
    git.current_dir(root).args(arguments);
    git
}

/// A name for what is compiled, and by what, or none where something of it is not committed, or the folder is no
/// repository.
pub(crate) fn state(root: &Path, compiled: &[&str]) -> Result<Option<String>, String> {
    let paths = || ALWAYS.iter().chain(compiled);
    let git = |arguments: &[&str]| git_in(root, arguments);
    if process::read(&mut git(&["rev-parse", "--show-prefix"])).map_or(true, |prefix| !prefix.is_empty()) {
        return Ok(None);
    }
    let mut changed = git(&["status", "--porcelain", "--"]);
    if !process::read(changed.args(paths()))?.is_empty() {
        return Ok(None);
    }
    let mut hasher = DefaultHasher::new();
    for path in paths() {
        (path, process::read(&mut git(&["rev-parse", &format!("HEAD:{path}")]))?).hash(&mut hasher);
    }
    process::read(Command::new("rustc").current_dir(root).arg("-vV"))?.hash(&mut hasher);
    let mut asked: Vec<_> = std::env::vars().filter(|(name, _)| ASKED.iter().any(|of| name.starts_with(of))).collect();
    asked.sort();
    asked.hash(&mut hasher);
    Ok(Some(format!("{:016x}", hasher.finish())))
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
    use super::{ALWAYS, git_in, marked, state};
    use std::fs;
    use std::path::Path;

    fn repository(root: &Path) {
        for file in ALWAYS.iter().copied().chain(["operator/lib.rs", "docs/page.md"]) {
            let file = if file.contains('.') && !file.starts_with('.') { file.into() } else { format!("{file}/one") };
            let file = root.join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, "one").expect("a file");
        }
        git(root, &["init", "-q"]);
        commit(root);
    }

    /// As nobody's settings say.
    fn git(root: &Path, arguments: &[&str]) {
        let names = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"];
        let mut git = git_in(root, &names);
        git.args(arguments).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        assert!(git.status().expect("git").success(), "{arguments:?}");
    }

    fn commit(root: &Path) {
        git(root, &["add", "-A"]);
        git(root, &["commit", "-q", "-m", "a change"]);
    }

    #[test]
    fn what_is_compiled_alone_makes_another_state() {
        let root = std::env::temp_dir().join(format!("dualseal-xtask-{}-state", std::process::id()));
        fs::create_dir(&root).expect("a folder that nobody else made");
        let now = || state(&root, &["operator"]).expect("git and rustc");
        assert_eq!(now(), None);
        repository(&root);
        let first = now().expect("all is committed");
        fs::write(root.join("docs/page.md"), "two").expect("a file");
        fs::write(root.join("notes.txt"), "of nobody's").expect("a file");
        assert_eq!(now().as_ref(), Some(&first));
        commit(&root);
        assert_eq!(now().as_ref(), Some(&first));
        for path in ["core/one", "operator/lib.rs", "Cargo.lock"] {
            let before = now();
            fs::write(root.join(path), "two").expect("a file");
            assert_eq!(now(), None, "{path}");
            commit(&root);
            assert!(now().is_some() && now() != before, "{path}");
        }
        assert_ne!(state(&root, &[]).expect("git and rustc"), now());
        fs::remove_dir_all(&root).expect("the repository");
    }

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
        fs::remove_dir_all(&folder).expect("the marks");
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
