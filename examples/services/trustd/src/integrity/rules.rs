//! What differs, which manifest counts, and whose a file is: decided without input or output.

use super::tree::Listing;
use serde::{Deserialize, Serialize};

/// What is not as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// Where.
    pub(crate) path: String,
    /// What was there; nothing where it was added.
    pub(crate) expected: Option<String>,
    /// What is there; nothing where it is missing.
    pub(crate) found: Option<String>,
}

impl Difference {
    /// In a word.
    pub(crate) fn word(&self) -> &'static str {
        match (&self.expected, &self.found) {
            (None, _) => "added",
            (_, None) => "missing",
            _ => "changed",
        }
    }
}

/// What was changed, added and taken away, by path.
pub(super) fn differences(expected: &Listing, found: &Listing) -> Vec<Difference> {
    let mut all: Vec<Difference> = Vec::new();
    for (path, was) in expected {
        let is = found.get(path);
        if is != Some(was) {
            all.push(Difference { path: path.clone(), expected: Some(was.clone()), found: is.cloned() });
        }
    }
    for (path, is) in found.iter().filter(|(path, _)| !expected.contains_key(*path)) {
        all.push(Difference { path: path.clone(), expected: None, found: Some(is.clone()) });
    }
    all.sort_by(|one, other| one.path.cmp(&other.path));
    all
}

/// The newest manifest that was seen on a host: an older one counts no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mark {
    /// Its number.
    pub(crate) number: u64,
    /// The hash of its text.
    pub(crate) manifest: String,
}

/// Whether a manifest counts after the newest one that was seen.
pub(super) fn counts_after(mark: Option<&Mark>, number: u64, manifest: &str) -> Result<(), String> {
    match mark {
        Some(mark) if number < mark.number => {
            Err(format!("its number is {number}, and {} was here: it is an old one", mark.number))
        }
        Some(mark) if number == mark.number && manifest != mark.manifest => {
            Err(format!("another one had its number {number}"))
        }
        _ => Ok(()),
    }
}

/// A file or folder, as far as it says who may write it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whose {
    /// Its owner.
    pub(super) uid: u32,
    /// Its mode.
    pub(super) mode: u32,
}

/// Whether nobody but `owner` can put another file in the place of one: given that file, and the folders above it.
pub(super) fn is_alone(owner: u32, file: Whose, folders: &[Whose]) -> bool {
    const OTHERS_WRITE: u32 = 0o022;
    const STICKY: u32 = 0o1000;
    let is_folder =
        |one: &Whose| (one.uid == 0 || one.uid == owner) && (one.mode & OTHERS_WRITE == 0 || one.mode & STICKY != 0);
    file.uid == owner && file.mode & OTHERS_WRITE == 0 && folders.iter().all(is_folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(rows: &[(&str, &str)]) -> Listing {
        rows.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn what_differs_is_told_by_path() {
        let was = listing(&[("/a", "file 1"), ("/b", "file 2"), ("/d", "file 4")]);
        let is = listing(&[("/a", "file 1"), ("/b", "link -> /a"), ("/c", "file 3")]);
        let told: Vec<_> = differences(&was, &is).iter().map(|one| (one.word(), one.path.clone())).collect();
        let told: Vec<_> = told.iter().map(|(word, path)| (*word, path.as_str())).collect();
        assert_eq!(told, [("changed", "/b"), ("added", "/c"), ("missing", "/d")]);
        assert!(differences(&was, &was).is_empty());
    }

    #[test]
    fn an_old_manifest_counts_no_more() {
        let mark = Mark { number: 7, manifest: "a".into() };
        for (number, manifest, counts) in [(6, "b", false), (7, "b", false), (7, "a", true), (8, "b", true)] {
            assert_eq!(counts_after(Some(&mark), number, manifest).is_ok(), counts, "{number} {manifest}");
        }
        assert!(counts_after(None, 1, "b").is_ok());
    }

    #[test]
    fn a_pin_is_its_owners_alone_to_write() {
        let of = |uid, mode| Whose { uid, mode };
        let folders = [of(0, 0o755), of(0, 0o1777)];
        assert!(is_alone(0, of(0, 0o644), &folders));
        for (file, folders) in [
            (of(7, 0o644), &folders[..]),
            (of(0, 0o664), &folders),
            (of(0, 0o646), &folders),
            (of(0, 0o644), &[of(7, 0o755)]),
            (of(0, 0o644), &[of(0, 0o777)]),
            (of(0, 0o644), &[of(0, 0o775)]),
        ] {
            assert!(!is_alone(0, file, folders), "{file:?} {folders:?}");
        }
    }
}
