//! What an operator's store refuses is named, each thing by a name of its own, and the page tells all of them.

use dualseal::Error;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder, those in its folders too.
fn files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The names that the errors in a file give.
fn names(source: &str) -> Vec<String> {
    let bodies = source.split("pub fn name(&self) -> &'static str {").skip(1);
    let bodies = bodies.map(|rest| rest.split_once("\n    }\n").unwrap().0);
    bodies.flat_map(|body| body.split('"').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_refusal_has_a_name_of_its_own_on_the_page() {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(tree.join("docs/OPERATOR.md")).unwrap();
    let library: BTreeSet<&str> = Error::CATALOGUE.iter().map(|row| row.name).collect();
    let mut seen = BTreeSet::new();
    for file in files(&tree.join("operator/src")) {
        for name in names(&fs::read_to_string(&file).unwrap()) {
            let file = file.display();
            assert!(name.chars().all(|c| c == '-' || c.is_ascii_lowercase()), "{file}: {name}");
            assert!(page.contains(&format!("`{name}`")), "docs/OPERATOR.md does not tell of {name} ({file})");
            assert!(!library.contains(name.as_str()), "{file}: the library has an error {name}");
            assert!(seen.insert(name.clone()), "{file}: {name} is the name of something else, too");
        }
    }
    // Of each kind of refusal one, so that what is read here is what the crate says.
    for name in ["restored", "missing", "no-key", "fork", "signed-late", "key-revoked", "other-head"] {
        assert!(seen.contains(name), "{name}");
    }
}
