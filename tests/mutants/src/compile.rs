//! Compiling the copy, and taking out what does not compile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::pieces::Place;

/// What is compiled, of one state: the packages whose tests know core, with all features.
const PACKAGES: &[&str] = &["--package", "dualseal", "--package", "dualseal-tests"];
const FLAGS: &[&str] = &["--all-features", "--profile", "checked", "--message-format=json"];

/// A program of tests.
#[derive(Clone, Debug)]
pub(crate) struct Tests {
    pub(crate) name: String,
    pub(crate) is_core: bool,
    pub(crate) program: PathBuf,
    /// Where cargo would run it.
    pub(crate) folder: PathBuf,
}

/// What the compiler refused: changes by what is theirs alone, and all of a place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) changes: BTreeSet<u32>,
    pub(crate) places: BTreeSet<u32>,
}

/// Whether core compiles, and else what is to be taken out.
pub(crate) fn check(
    copy: &Path,
    target: &Path,
    places: &BTreeMap<String, Vec<Place>>,
) -> Result<Option<Refused>, String> {
    let (is_compiled, messages) = cargo(copy, target, &[&["check", "--package", "dualseal", "--lib"], FLAGS].concat())?;
    if is_compiled {
        return Ok(None);
    }
    let mut refused = Refused::default();
    let mut others = Vec::new();
    for error in messages.iter().filter_map(error) {
        if !refused.add(error, places) {
            others.push(error["rendered"].as_str().unwrap_or_default());
        }
    }
    if refused == Refused::default() {
        Err(format!("core is compiled no more:\n{}", others.concat()))
    } else {
        Ok(Some(refused))
    }
}

/// Builds all tests.
pub(crate) fn build(copy: &Path, target: &Path) -> Result<Vec<Tests>, String> {
    let (is_compiled, messages) =
        cargo(copy, target, &[&["test", "--no-run", "--lib", "--tests"], PACKAGES, FLAGS].concat())?;
    if !is_compiled {
        let rendered = messages.iter().filter_map(error).filter_map(|error| error["rendered"].as_str());
        return Err(format!("the tests are compiled no more:\n{}", rendered.collect::<String>()));
    }
    Ok(messages.iter().filter_map(tests).collect())
}

fn tests(message: &Value) -> Option<Tests> {
    let (program, target) = (message["executable"].as_str()?, &message["target"]);
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    let is_test = message["profile"]["test"].as_bool()?;
    is_test.then(|| Tests {
        name: target["name"].as_str().unwrap_or_default().to_owned(),
        is_core: folder.ends_with("core"),
        program: program.into(),
        folder,
    })
}

fn error(message: &Value) -> Option<&Value> {
    let is_error = message["reason"] == "compiler-message" && message["message"]["level"] == "error";
    is_error.then(|| &message["message"])
}

fn cargo(copy: &Path, target: &Path, arguments: &[&str]) -> Result<(bool, Vec<Value>), String> {
    println!("$ cargo {}", arguments.join(" "));
    let mut cargo = Command::new("cargo");
    cargo.current_dir(copy).args(arguments).arg("--target-dir").arg(target);
    // The caller's cargo tells its own manifest.
    cargo.env_remove("CARGO_TARGET_DIR").stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = cargo.output().map_err(|error| format!("cargo: {error}"))?;
    let lines = String::from_utf8_lossy(&output.stdout);
    Ok((output.status.success(), lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()))
}

impl Refused {
    /// Takes an error as that of what stands where it is; `false` where nothing is woven there.
    fn add(&mut self, error: &Value, places: &BTreeMap<String, Vec<Place>>) -> bool {
        let spans = error["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
        // Where it is said to be first; else wherever it is explained.
        let (first, others): (Vec<_>, Vec<_>) = spans.iter().partition(|span| span["is_primary"] == true);
        [first, others].iter().any(|spans| spans.iter().any(|span| self.at(span, places).is_some()))
    }

    fn at(&mut self, span: &Value, places: &BTreeMap<String, Vec<Place>>) -> Option<()> {
        let offset = |name: &str| usize::try_from(span[name].as_u64()?).ok();
        let (start, end) = (offset("byte_start")?, offset("byte_end")?);
        let encloses = |range: &std::ops::Range<usize>| range.start <= start && end <= range.end;
        let around = places.get(span["file_name"].as_str()?)?.iter().filter(|place| encloses(&place.range));
        let place = around.min_by_key(|place| place.range.len())?;
        let own: Vec<_> =
            place.changes.iter().filter(|(_, range)| encloses(range)).map(|(number, _)| *number).collect();
        if own.is_empty() {
            self.places.extend(place.changes.iter().map(|(number, _)| *number));
        } else {
            self.changes.extend(own);
        }
        Some(())
    }
}

#[cfg(test)]
mod refusals {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::Refused;
    use crate::pieces::Place;

    #[test]
    fn an_error_is_of_the_innermost_place_around_it() {
        let outer = Place { range: 10..90, changes: vec![(1, 12..20)] };
        let inner = Place { range: 30..60, changes: vec![(2, 32..40), (3, 41..50)] };
        let places = BTreeMap::from([("core/src/a.rs".to_owned(), vec![outer, inner])]);
        let of = |start: u32, end: u32| {
            let span = json!({"file_name": "core/src/a.rs", "byte_start": start, "byte_end": end, "is_primary": true});
            let mut refused = Refused::default();
            let is_known = refused.add(&json!({ "spans": [span] }), &places);
            is_known.then(|| (refused.changes.into_iter().collect(), refused.places.into_iter().collect()))
        };
        let none: Vec<u32> = vec![];
        assert_eq!(of(13, 14), Some((vec![1], none.clone())));
        assert_eq!(of(42, 50), Some((vec![3], none.clone())));
        assert_eq!(of(31, 55), Some((none.clone(), vec![2, 3])));
        assert_eq!(of(25, 70), Some((none, vec![1])));
        assert_eq!(of(1, 3), None);
    }
}
