//! `cargo xtask assure fuzz-long`: ten million inputs over all targets, and the lines of core that what was learned
//! reaches. The inputs are counted as long as the same sources are compiled by the same compiler, so that it goes on
//! where it was stopped; what was learned is kept for good.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;

use crate::context::{Context, make_directory, read, write};
use crate::coverage::{self, Llvm};
use crate::fuzz::{FLAGS, Run, built, corpus, fuzz_one, seeds, starts};
use crate::parallel;
use crate::parts;

/// How many inputs all targets are given together.
const INPUTS: u64 = 10_000_000;
/// What is compiled beside core and the kernels.
const COMPILED: &[&str] =
    &["ffi", "fuzz", "include", "operator", "tests/c", "xtask/src/fuzz.rs", "xtask/src/fuzz_long.rs"];

/// How many inputs each target was given, kept in a file for each; of sources that are not committed, not at all.
struct Kept {
    folder: Option<PathBuf>,
    counts: Mutex<BTreeMap<String, u64>>,
}

impl Kept {
    fn of(folder: Option<PathBuf>, targets: &[String]) -> Result<Self, String> {
        let mut counts = BTreeMap::new();
        for target in targets {
            let file = folder.as_ref().map(|folder| folder.join(target)).filter(|file| file.exists());
            let count = match file {
                Some(file) => read(&file)?.trim().parse().map_err(|_| format!("{}: no number", file.display()))?,
                None => 0,
            };
            counts.insert(target.clone(), count);
        }
        Ok(Self { folder, counts: Mutex::new(counts) })
    }

    /// Adds to what a target was given: how many that is now.
    fn add(&self, target: &str, inputs: u64) -> Result<u64, String> {
        let mut counts = self.counts.lock().map_err(|_| "a thread of this suite ended early".to_owned())?;
        let count = counts.entry(target.to_owned()).or_default();
        *count += inputs;
        if let Some(folder) = &self.folder {
            make_directory(folder)?;
            write(&folder.join(target), &format!("{count}\n"))?;
        }
        Ok(*count)
    }

    /// How many all targets were given, and whether each was given any.
    fn total(&self) -> Result<(u64, bool), String> {
        let counts = self.counts.lock().map_err(|_| "a thread of this suite ended early".to_owned())?;
        Ok((counts.values().sum(), counts.values().all(|count| *count > 0)))
    }
}

/// A minute for each target, unless `--seconds` says otherwise, as often as it takes.
pub(crate) fn suite(context: &Context) -> Result<(), String> {
    let (targets, programs) = built(context, FLAGS, "fuzz")?;
    let seeds = seeds(context)?;
    let state = parts::state(&context.root, COMPILED)?;
    let kept = Kept::of(state.map(|state| context.target.join("fuzz-inputs").join(state)), &targets)?;
    let seconds = context.seconds.unwrap_or(60);
    loop {
        let (total, all) = kept.total()?;
        println!("{total} inputs of {INPUTS} so far");
        if total >= INPUTS && all {
            break;
        }
        parallel::each(&targets, |target| {
            let Run { inputs, edges } = fuzz_one(context, &programs.join(target), target, &seeds, seconds)?;
            Ok(format!("{target}: {inputs} inputs, {} in all, {edges} edges covered", kept.add(target, inputs)?))
        })?;
    }
    reached(context, &seeds)
}

/// Runs what was learned, and the seeds, once by programs that count lines.
fn reached(context: &Context, seeds: &[PathBuf]) -> Result<(), String> {
    let llvm = Llvm::of_the_compiler(context)?;
    let (targets, folder) = built(context, &format!("--cfg fuzzing {}", coverage::FLAGS), "fuzz-coverage")?;
    let profiles = context.scratch("fuzz-profiles")?;
    parallel::each(&targets, |target| {
        replayed(context, &folder.join(target), target, seeds, &profiles)?;
        Ok(String::new())
    })?;
    let programs: Vec<_> = targets.iter().map(|target| folder.join(target)).collect();
    println!("{}", coverage::by_module(&llvm.lines(context, &profiles, &programs)?));
    Ok(())
}

fn replayed(context: &Context, program: &Path, target: &str, seeds: &[PathBuf], profiles: &Path) -> Result<(), String> {
    let mut program = context.command(program);
    // No input of its own: those in the folders, each once.
    program.args(["-runs=0", "-timeout=60"]).arg(corpus(context, target)).args(starts(context, target, seeds));
    program.env("LLVM_PROFILE_FILE", profiles.join(format!("{target}.profraw")));
    let output = program.stdin(Stdio::null()).output().map_err(|error| format!("{target}: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("{log}\n{target}: {}", output.status)) }
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn inputs_are_counted_on_from_where_they_were() {
        let folder = std::env::temp_dir().join(format!("dualseal-xtask-{}-inputs", std::process::id()));
        let targets = ["one".to_owned(), "two".to_owned()];
        let kept = |folder: Option<_>| Kept::of(folder, &targets).expect("numbers");
        let first = kept(Some(folder.clone()));
        assert_eq!((first.add("one", 3), first.total()), (Ok(3), Ok((3, false))));
        let second = kept(Some(folder.clone()));
        assert_eq!((second.add("one", 4), second.add("two", 1), second.total()), (Ok(7), Ok(1), Ok((8, true))));
        assert_eq!(kept(None).total(), Ok((0, false)));
        std::fs::write(folder.join("two"), "many").expect("a file");
        assert!(Kept::of(Some(folder.clone()), &targets).is_err());
        std::fs::remove_dir_all(&folder).expect("the counts");
    }
}
