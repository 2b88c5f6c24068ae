//! `docs/DEPENDENCIES.md` against the lock files and the portal's list: each crate or package that one of ours names
//! has a word there, and in the version that was looked at.

use std::collections::BTreeSet;
use std::path::Path;

use crate::context::read;

pub(crate) const NOTES: &str = "docs/DEPENDENCIES.md";
/// Lock files, each with how the names begin of those in it whose dependencies are looked at. Each builds the
/// library too, with versions of its own. The peers of benchmarks are left out: nobody has them.
const LOCKS: &[(&str, &[&str])] = &[
    ("Cargo.lock", &["dualseal"]),
    ("examples/services/Cargo.lock", &["dualseal", "trustd", "platform", "proof-pdf"]),
    ("examples/portal/verifier/Cargo.lock", &["dualseal"]),
    ("fuzz/Cargo.lock", &["dualseal"]),
    ("tests/bare/Cargo.lock", &["dualseal"]),
];
const PACKAGES: &str = "examples/portal/requirements.txt";

type Versions = BTreeSet<(String, String)>;

/// What is missing there, and what is there in vain.
pub(crate) fn findings(root: &Path, notes: &str) -> Vec<String> {
    let taken = || {
        let mut taken = packages(&read(&root.join(PACKAGES))?);
        for (lock, ours) in LOCKS {
            taken.append(&mut locked(&read(&root.join(lock))?, ours));
        }
        Ok::<_, String>(taken)
    };
    match taken() {
        Ok(taken) => compared(&taken, &noted(notes)),
        Err(error) => vec![error],
    }
}

fn compared(locked: &Versions, noted: &Versions) -> Vec<String> {
    let told = |(name, version): &(String, String), what| format!("{NOTES}: {name} {version} {what}");
    let missing = locked.difference(noted).map(|one| told(one, "is in a lock file or list, and was not looked at"));
    let vain = noted.difference(locked).map(|one| told(one, "is not what a lock file or list has"));
    missing.chain(vain).collect()
}

/// Names and versions of what packages of ours name, for whatever purpose.
fn locked(lock: &str, ours: &[&str]) -> Versions {
    let packages: Vec<_> = lock.split("[[package]]").skip(1).collect();
    let of = |package: &str, member: &str| {
        let line = package.lines().find_map(|line| line.strip_prefix(&format!("{member} = ")))?;
        Some(line.trim_matches('"').to_owned())
    };
    let find = |name: &str| packages.iter().find(|package| of(package, "name").as_deref() == Some(name));
    let is_ours =
        |package: &&&str| of(package, "name").is_some_and(|name| ours.iter().any(|our| name.starts_with(our)));
    let mut found = Versions::new();
    for package in packages.iter().filter(is_ours) {
        for named in package.lines().filter_map(|line| line.strip_prefix(" \"")?.strip_suffix("\",")) {
            // The version stands there where the lock file has several.
            let (name, said) = named.split_once(' ').unwrap_or((named, ""));
            let Some(known) = find(name).filter(|known| of(known, "source").is_some()) else { continue };
            let version = if said.is_empty() { of(known, "version").unwrap_or_default() } else { said.to_owned() };
            found.insert((name.to_owned(), version.split('+').next().unwrap_or_default().to_owned()));
        }
    }
    found
}

/// Those of a list of Python's, without their extras.
fn packages(list: &str) -> Versions {
    let pinned = list.lines().filter_map(|line| line.split_once("=="));
    pinned.map(|(name, version)| (name.split('[').next().unwrap_or(name).to_owned(), version.to_owned())).collect()
}

/// Every "`name` 1.2.3" of a text.
fn noted(notes: &str) -> Versions {
    let is_version = |word: &str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
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

    const LOCK: &str = r#"version = 4

[[package]]
name = "dualseal"
version = "0.1.0"
dependencies = [
 "dualseal-kernels",
 "sha3",
 "syn 2.0.1+b",
]

[[package]]
name = "sha3"
version = "0.12.0"
source = "a registry"
dependencies = [
 "keccak",
]

[[package]]
name = "syn"
version = "3.0.0"
source = "a registry"

[[package]]
name = "dualseal-kernels"
version = "0.1.0"
"#;

    #[test]
    fn each_crate_is_noted_in_the_version_that_is_locked() {
        let found = |notes: &str| compared(&locked(LOCK, &["dualseal"]), &noted(notes));
        assert_eq!(found("| `sha3` 0.12.0 | and\n`syn` 2.0.1."), [""; 0]);
        for (notes, fault) in [
            ("`sha3` 0.12.0", "syn 2.0.1 is in a lock file"),
            ("`sha3` 0.11.0, `syn` 2.0.1", "sha3 0.12.0 is in a lock file"),
            ("`sha3` 0.12.0, `syn` 2.0.1, `keccak` 0.2.0", "keccak 0.2.0 is not what a lock file"),
        ] {
            assert!(found(notes).iter().any(|line| line.contains(fault)), "{notes}");
        }
        // What others' packages name is theirs to look at.
        assert_eq!(compared(&locked(LOCK, &["trustd"]), &noted("")), [""; 0]);
    }

    #[test]
    fn each_lock_file_but_that_of_the_peers_is_read() {
        let read: BTreeSet<_> = LOCKS.iter().map(|(lock, _)| *lock).chain(["benches/peers/Cargo.lock"]).collect();
        assert_eq!(read, crate::advisories::LOCKS.iter().copied().collect());
    }

    #[test]
    fn each_package_of_a_list_is_noted() {
        let list = packages("# What it runs on.\npsycopg[binary]==3.3.9\ndjango-csp==4.0\n");
        assert_eq!(compared(&list, &noted("| `psycopg` 3.3.9 | `django-csp` 4.0 |")), [""; 0]);
        assert!(compared(&list, &noted("`psycopg` 3.3.9"))[0].contains("django-csp 4.0 is in a lock file or list"));
    }
}
