//! `docs/DEPENDENCIES.md` against the lock file: each crate that one of ours names has a word there, and in the version
//! that was looked at.

use std::collections::BTreeSet;
use std::path::Path;

use crate::context::read;

pub(crate) const NOTES: &str = "docs/DEPENDENCIES.md";
const OURS: &str = "dualseal";

/// What is missing there, and what is there in vain.
pub(crate) fn findings(root: &Path, notes: &str) -> Vec<String> {
    match read(&root.join("Cargo.lock")) {
        Ok(lock) => compared(&locked(&lock), &noted(notes)),
        Err(error) => vec![error],
    }
}

fn compared(locked: &BTreeSet<(String, String)>, noted: &BTreeSet<(String, String)>) -> Vec<String> {
    let told = |(name, version): &(String, String), what| format!("{NOTES}: {name} {version} {what}");
    let missing = locked.difference(noted).map(|one| told(one, "is in the lock file, and was not looked at"));
    let vain = noted.difference(locked).map(|one| told(one, "is not what the lock file has"));
    missing.chain(vain).collect()
}

/// Names and versions of what packages of ours name, for whatever purpose.
fn locked(lock: &str) -> BTreeSet<(String, String)> {
    let packages: Vec<_> = lock.split("[[package]]").skip(1).collect();
    let of = |package: &str, member: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{member} = ")))?;
        Some(line.trim_matches('"').to_owned())
    };
    let version = |name: &str| packages.iter().find(|package| of(package, "name").as_deref() == Some(name));
    let mut found = BTreeSet::new();
    for package in packages.iter().filter(|package| of(package, "name").is_some_and(|name| name.starts_with(OURS))) {
        let named = package.lines().filter_map(|line| line.strip_prefix(" \"")?.strip_suffix("\","));
        for named in named.filter(|named| !named.starts_with(OURS)) {
            // The version stands there where the lock file has several.
            let (name, said) = named.split_once(' ').unwrap_or((named, ""));
            let known = version(name).and_then(|package| of(package, "version")).unwrap_or_default();
            found.insert((name.to_owned(), if said.is_empty() { known } else { said.to_owned() }));
        }
    }
    found
}

/// Every "`name` 1.2.3" of a text.
fn noted(notes: &str) -> BTreeSet<(String, String)> {
    let is_version = |word: &str| word.split('.').count() == 3 && word.starts_with(|c: char| c.is_ascii_digit());
    let words: Vec<_> = notes.split_whitespace().collect();
    let pairs = words.windows(2).filter_map(|pair| {
        let name = pair[0].strip_prefix('`')?.strip_suffix('`')?;
        let version = pair[1].trim_end_matches([',', '.', ';']);
        is_version(version).then(|| (name.to_owned(), version.to_owned()))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"dualseal\"\nversion = \"0.1.0\"\ndependencies = [\n \
         \"dualseal-kernels\",\n \"sha3\",\n \"syn 2.0.1\",\n]\n\n[[package]]\nname = \"sha3\"\nversion = \
         \"0.12.0\"\ndependencies = [\n \"keccak\",\n]\n\n[[package]]\nname = \"syn\"\nversion = \"3.0.0\"\n";

    #[test]
    fn each_crate_is_noted_in_the_version_that_is_locked() {
        let found = |notes: &str| compared(&locked(LOCK), &noted(notes));
        assert_eq!(found("| `sha3` 0.12.0 | and\n`syn` 2.0.1."), [""; 0]);
        for (notes, fault) in [
            ("`sha3` 0.12.0", "syn 2.0.1 is in the lock file"),
            ("`sha3` 0.11.0, `syn` 2.0.1", "sha3 0.12.0 is in the lock file"),
            ("`sha3` 0.12.0, `syn` 2.0.1, `keccak` 0.2.0", "keccak 0.2.0 is not what the lock file has"),
        ] {
            assert!(found(notes).iter().any(|line| line.contains(fault)), "{notes}");
        }
    }
}
