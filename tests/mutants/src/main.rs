//! Core with one change at a time, compiled once: `dualseal-mutants ROOT FOLDER STATE LIST CHOSEN`. All changes of the
//! list are woven into a copy of the tree in the folder; those that are chosen are switched on one after the other
//! while the tests run. What became of each is kept in the folder of the state: it goes on where it was stopped.

mod change;
mod compile;
mod consts;
mod copy;
mod pieces;
mod run;
mod trace;
mod trial;
mod weave;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use change::Change;
use compile::Refused;
use copy::{read, write};
use pieces::Place;
use trace::Measured;
use trial::{Outcome, Results};

const LIB: &str = "core/src/lib.rs";
const SWITCH: &str = "core/src/switch.rs";
/// Whose constant expressions may call core.
const CALLERS: &[&str] = &["core/", "operator/", "tests/"];
/// A program that is not run: it takes minutes, and is of how much memory readers take.
const LEFT_OUT: &str = "read_memory";
/// A function that is left at once by a planted change, which must be noticed: a trial that notices nothing fails.
const PLANTED: (&str, &str, &str) = ("core/src/field.rs", "draw", "Err(Error::Randomness)");

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [root, folder, state, list, chosen] = arguments else {
        return Err("dualseal-mutants ROOT FOLDER STATE LIST CHOSEN".to_owned());
    };
    let (folder, state) = (Path::new(folder), Path::new(state));
    let mut copy = Copy::new(Path::new(root), folder, change::read(&read(Path::new(list))?)?)?;
    fs::create_dir_all(state).map_err(|error| error.to_string())?;
    let results = Results::open(&state.join("results"))?;
    copy.compile(&state.join("refused"))?;
    let mut programs = compile::build(&copy.tree, &copy.target)?;
    programs.retain(|tests| tests.name != LEFT_OUT);
    programs.sort_by_key(|tests| (!tests.is_core, tests.name.clone()));
    let programs: Result<Vec<_>, _> = programs.into_iter().map(|tests| Measured::measure(tests, state)).collect();
    let programs = programs?;
    let planted = trial::one(copy.planted.number, &programs)?;
    if planted != Outcome::Own {
        return Err(format!("core's own tests do not notice a planted change: {planted:?}"));
    }
    let chosen = read(Path::new(chosen))?;
    let chosen: BTreeSet<_> = chosen.lines().collect();
    let (woven, others): (Vec<_>, Vec<_>) = copy
        .changes
        .iter()
        .filter(|change| chosen.contains(change.name.as_str()))
        .partition(|change| copy.woven.contains(&change.number));
    for change in others.into_iter().filter(|change| !results.has(&change.name)) {
        let is_unviable = copy.unviable.contains(&change.number);
        results.keep(&change.name, if is_unviable { Outcome::Unviable } else { Outcome::Left })?;
    }
    trial::all(&woven, &programs, &results)
}

/// The copy, and what is woven into it.
struct Copy {
    root: PathBuf,
    tree: PathBuf,
    target: PathBuf,
    changes: Vec<Change>,
    planted: Change,
    needed: BTreeSet<String>,
    /// What is switched, what does not compile, and what cannot be switched.
    woven: BTreeSet<u32>,
    unviable: BTreeSet<u32>,
    left: BTreeSet<u32>,
}

impl Copy {
    fn new(root: &Path, folder: &Path, changes: Vec<Change>) -> Result<Self, String> {
        let mut constants = consts::Constants::default();
        for file in copy::listed(root)? {
            if CALLERS.iter().any(|caller| file.starts_with(caller))
                && Path::new(&file).extension().is_some_and(|is| is == "rs")
            {
                // A broken one among the tests of tools is no part of what is compiled.
                drop(constants.look(&read(&root.join(&file))?));
            }
        }
        let (file, name, replacement) = PLANTED;
        let in_place =
            changes.iter().find(|change| change.file == file).ok_or("nothing of the planted file changes")?;
        let text = read(&root.join(file))?;
        let (line, column) = first_statement(&text, name).ok_or("the function of the planted change is gone")?;
        let number = u32::try_from(changes.len()).map_err(|_| "too many changes")?;
        let planted = Change {
            number,
            line,
            column,
            genre: "FnValue".to_owned(),
            replacement: replacement.to_owned(),
            ..in_place.clone()
        };
        Ok(Self {
            root: root.to_owned(),
            tree: folder.join("tree"),
            target: folder.join("target"),
            changes,
            planted,
            needed: constants.needed(),
            woven: BTreeSet::new(),
            unviable: BTreeSet::new(),
            left: BTreeSet::new(),
        })
    }

    /// Weaves and compiles until nothing is refused. What was refused is kept in a file.
    fn compile(&mut self, kept: &Path) -> Result<(), String> {
        self.remember(kept)?;
        loop {
            let places = self.weave()?;
            let Some(Refused { changes, places }) = compile::check(&self.tree, &self.target, &places)? else { break };
            println!("{} changes do not compile, {} cannot be switched", changes.len(), places.len());
            self.unviable.extend(changes);
            self.left.extend(places);
            let rows = [("unviable", &self.unviable), ("left", &self.left)].map(|(word, of)| {
                let rows: Vec<_> = of.iter().map(|number| format!("{word} {number}\n")).collect();
                rows.concat()
            });
            write(kept, rows.concat().as_bytes())?;
        }
        let planted = self.planted.number;
        if self.woven.contains(&planted) { Ok(()) } else { Err("the planted change is not woven in".to_owned()) }
    }

    fn remember(&mut self, kept: &Path) -> Result<(), String> {
        let text = if kept.exists() { read(kept)? } else { String::new() };
        for (word, number) in text.lines().filter_map(|line| line.split_once(' ')) {
            let of = if word == "unviable" { &mut self.unviable } else { &mut self.left };
            of.insert(number.parse().map_err(|_| format!("{}: {number}", kept.display()))?);
        }
        Ok(())
    }

    fn weave(&mut self) -> Result<BTreeMap<String, Vec<Place>>, String> {
        let mut of_files: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
        for change in self.changes.iter().chain([&self.planted]) {
            if !self.unviable.contains(&change.number) && !self.left.contains(&change.number) {
                of_files.entry(&change.file).or_default().push(change);
            }
        }
        let lib = format!("{}\n#[doc(hidden)]\n#[allow(missing_docs)]\npub mod switch;\n", read(&self.root.join(LIB))?);
        let mut instead =
            BTreeMap::from([(LIB.to_owned(), lib), (SWITCH.to_owned(), include_str!("switch.rs").to_owned())]);
        let mut places = BTreeMap::new();
        for (file, changes) in of_files {
            let woven = weave::weave(&read(&self.root.join(file))?, &changes, &self.needed)?;
            instead.insert(file.to_owned(), woven.text);
            places.insert(file.to_owned(), woven.places);
        }
        self.woven = places.values().flatten().flat_map(|place| &place.changes).map(|(number, _)| *number).collect();
        copy::make(&self.root, &self.tree, &instead)?;
        Ok(places)
    }
}

/// Line and column of the first statement of a function, both counted from 1.
fn first_statement(text: &str, name: &str) -> Option<(usize, usize)> {
    use syn::spanned::Spanned as _;
    let file = syn::parse_file(text).ok()?;
    file.items.iter().find_map(|item| match item {
        syn::Item::Fn(function) if function.sig.ident == name => {
            let start = function.block.stmts.first()?.span().start();
            Some((start.line, start.column + 1))
        }
        _ => None,
    })
}
