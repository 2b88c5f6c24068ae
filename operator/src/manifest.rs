//! The files of a folder in one document, so that one signature covers all of them: each with its path, its length and
//! SHA3-256 over its bytes.
//!
//! ```text
//! {"files":[{"bytes":12,"path":"below/contract.pdf","sha3_256":"…"}],"kind":"dualseal manifest","version":"1"}
//! ```
//!
//! Canonical JSON, by path. A path is relative, with `/` between its parts, none of which is empty, `.` or `..`.
//! Folders without files are not in it.
//!
//! ```
//! use dualseal_operator::manifest::Manifest;
//!
//! let folder = std::env::temp_dir().join(format!("dualseal-manifest-{}", std::process::id()));
//! std::fs::create_dir(&folder)?;
//! std::fs::write(folder.join("contract.pdf"), "one contract")?;
//! let manifest = Manifest::of(&folder)?;
//! assert!(Manifest::from_json(manifest.to_json()?.as_bytes())?.compare(&folder)?.is_none());
//! std::fs::write(folder.join("contract.pdf"), "another")?;
//! assert_eq!(manifest.compare(&folder)?.unwrap().changed, ["contract.pdf"]);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::paths::Show;
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal::error::{Error, Malformed, Problem};
use dualseal::hash::{HashFunction, Sha3_256};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{fmt, str};

const KIND: &str = "dualseal manifest";
const VERSION: &str = "1";
/// So many files at most: what is signed is read whole.
const MOST: usize = 1 << 20;

/// The files of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    files: BTreeMap<String, Listed>,
}

/// What a manifest says of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// How many bytes it has.
    pub bytes: u64,
    /// SHA3-256 over them.
    pub sha3_256: [u8; 32],
}

/// In what a folder is another one than its manifest says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Files with other bytes.
    pub changed: Vec<String>,
    /// Files that are not there.
    pub missing: Vec<String>,
    /// What is there and is not in the manifest: files, links and whatever else.
    pub added: Vec<String>,
}

/// Why there is no manifest.
#[derive(Debug)]
#[non_exhaustive]
pub enum ManifestError {
    /// It cannot be read.
    Read(PathBuf, io::Error),
    /// A link, or neither a file nor a folder: nobody knows what a signature over it would cover.
    Special(PathBuf),
    /// A name that is no text, or has a backslash, which parts a path elsewhere.
    Name(PathBuf),
    /// More files than a manifest has.
    TooMany,
    /// Not the form of one.
    Malformed(Error),
}

impl Manifest {
    /// Reads a folder.
    ///
    /// # Errors
    /// [`ManifestError::Read`], [`ManifestError::Special`], [`ManifestError::Name`], [`ManifestError::TooMany`].
    pub fn of(folder: &Path) -> Result<Self, ManifestError> {
        let mut files = BTreeMap::new();
        for (name, path) in walk(folder, Walk::Signed, MOST)? {
            let name = name.into_string().map_err(|_| ManifestError::Name(path.clone()))?;
            files.insert(name, hash(&path).map_err(|error| ManifestError::Read(path, error))?);
        }
        Ok(Self { files })
    }

    /// The files below a folder, by path, whatever their names are: to sign each by itself.
    ///
    /// # Errors
    /// [`ManifestError::Read`], [`ManifestError::Special`], [`ManifestError::TooMany`].
    pub fn paths(folder: &Path) -> Result<Vec<PathBuf>, ManifestError> {
        let mut paths: Vec<_> = walk(folder, Walk::Listed, MOST)?.into_iter().map(|(_, path)| path).collect();
        paths.sort();
        Ok(paths)
    }

    /// Reads one.
    ///
    /// # Errors
    /// [`ManifestError::Malformed`].
    pub fn from_json(json: &[u8]) -> Result<Self, ManifestError> {
        let manifest = parse(json).map_err(ManifestError::Malformed)?;
        // Whatever reads it otherwise than it is written reads another one.
        let written = manifest.to_json().map_err(ManifestError::Malformed)?;
        if written.as_bytes() == json.strip_suffix(b"\n").unwrap_or(json) {
            Ok(manifest)
        } else {
            Err(ManifestError::Malformed(wrong("manifest", Problem::UnknownValue)))
        }
    }

    /// Whether a text begins as one does, so that it is none if it has not its form.
    #[must_use]
    pub fn is_meant(json: &[u8]) -> bool {
        matches!(Value::parse(json), Ok(Value::Object(members))
            if members.get("kind") == Some(&Value::String(KIND.to_owned())))
    }

    /// The document that is signed.
    ///
    /// # Errors
    /// [`Error::Malformed`] for a file of more than 2^53-1 bytes, which canonical JSON does not count.
    pub fn to_json(&self) -> Result<String, Error> {
        let file = |(path, listed): (&String, &Listed)| {
            let bytes = Value::Integer(i64::try_from(listed.bytes).unwrap_or(i64::MAX));
            let hash = Value::String(hex::encode(&listed.sha3_256));
            object([("bytes", bytes), ("path", Value::String(path.clone())), ("sha3_256", hash)])
        };
        let files = Value::Array(self.files.iter().map(file).collect());
        let text = |text: &str| Value::String(text.to_owned());
        object([("files", files), ("kind", text(KIND)), ("version", text(VERSION))]).to_canonical()
    }

    /// The files, by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Listed)> {
        self.files.iter().map(|(path, listed)| (path.as_str(), listed))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Holds a folder against it. `None` where it is the same.
    ///
    /// # Errors
    /// [`ManifestError::Read`]; [`ManifestError::TooMany`] for a folder with more in it than any manifest lists, which
    /// is another one.
    pub fn compare(&self, folder: &Path) -> Result<Option<Differences>, ManifestError> {
        let found: BTreeMap<OsString, PathBuf> = walk(folder, Walk::Compared, MOST)?.into_iter().collect();
        let mut differences = Differences::default();
        for (name, listed) in &self.files {
            match found.get(OsStr::new(name)) {
                None => differences.missing.push(name.clone()),
                Some(path) if is_file(path) => {
                    let now = hash(path).map_err(|error| ManifestError::Read(path.clone(), error))?;
                    if now != *listed {
                        differences.changed.push(name.clone());
                    }
                }
                Some(_) => differences.changed.push(name.clone()),
            }
        }
        let is_listed = |name: &OsString| name.to_str().is_some_and(|name| self.files.contains_key(name));
        let added = found.into_keys().filter(|name| !is_listed(name));
        // A stroke that is one is not the stroke of a byte that is shown.
        let shown = |name: OsString| name.to_str().map_or_else(|| Path::new(&name).shown().to_string(), doubled);
        differences.added = added.map(shown).collect();
        Ok(Some(differences).filter(|differences| *differences != Differences::default()))
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "cannot read {}: {error}", path.shown()),
            Self::Special(path) => write!(f, "{} is neither a file nor a folder", path.shown()),
            Self::Name(path) => write!(f, "the name of {} is no text, or has a backslash", path.shown()),
            Self::TooMany => write!(f, "there are more than {MOST} files"),
            Self::Malformed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ManifestError {}

/// What is asked of a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    /// What a manifest can list, and nothing else.
    Signed,
    /// Files, whatever their names are.
    Listed,
    /// Whatever is there.
    Compared,
}

/// What is below a folder, by its names from there on, so many at most. Links are not followed; whoever signs refuses
/// what is no file, and whoever compares tells of it. A name that is no text stays as it is, or it would pass for a
/// listed one that looks like it.
fn walk(folder: &Path, asked: Walk, most: usize) -> Result<Vec<(OsString, PathBuf)>, ManifestError> {
    let (mut found, mut pending) = (Vec::new(), vec![(OsString::new(), folder.to_owned())]);
    while let Some((below, path)) = pending.pop() {
        let read = |error| ManifestError::Read(path.clone(), error);
        for entry in fs::read_dir(&path).map_err(read)? {
            let entry = entry.map_err(read)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(read)?);
            let part = entry.file_name();
            // What is signed is what can be read back.
            if asked == Walk::Signed && !part.to_str().is_some_and(is_part) {
                return Err(ManifestError::Name(path));
            }
            let mut name = below.clone();
            name.push(part);
            if kind.is_dir() {
                name.push("/");
                pending.push((name, path));
            } else if kind.is_file() || asked == Walk::Compared {
                found.push((name, path));
            } else {
                return Err(ManifestError::Special(path));
            }
            if found.len() > most {
                return Err(ManifestError::TooMany);
            }
        }
    }
    Ok(found)
}

fn doubled(name: &str) -> String {
    name.replace('\\', "\\\\")
}

/// Whether this is a part of a path.
fn is_part(part: &str) -> bool {
    !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\'])
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

fn hash(path: &Path) -> io::Result<Listed> {
    let (mut file, mut hash, mut bytes) = (File::open(path)?, Sha3_256::default(), 0);
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(Listed { bytes, sha3_256: hash.finish() }),
            Ok(count) => {
                hash.update(&buffer[..count]);
                bytes += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn parse(json: &[u8]) -> Result<Manifest, Error> {
    let Value::Object(mut members) = Value::parse(json)? else {
        return Err(wrong("manifest", Problem::UnknownValue));
    };
    let mut has = |name, value: &str| members.remove(name) == Some(Value::String(value.to_owned()));
    if !has("kind", KIND) {
        return Err(wrong("kind", Problem::UnknownValue));
    }
    if !has("version", VERSION) {
        return Err(wrong("version", Problem::UnknownValue));
    }
    let Some(Value::Array(listed)) = members.remove("files") else {
        return Err(wrong("files", Problem::MissingMember));
    };
    let mut files = BTreeMap::new();
    for value in listed {
        let Value::Object(mut of) = value else { return Err(wrong("files", Problem::UnknownValue)) };
        let (Some(Value::Integer(bytes)), Some(Value::String(path)), Some(Value::String(hash))) =
            (of.remove("bytes"), of.remove("path"), of.remove("sha3_256"))
        else {
            return Err(wrong("files", Problem::MissingMember));
        };
        if !path.split('/').all(is_part) {
            return Err(wrong("path", Problem::UnknownValue));
        }
        let bytes = u64::try_from(bytes).map_err(|_| wrong("bytes", Problem::Range))?;
        files.insert(path, Listed { bytes, sha3_256: hex::decode("sha3_256", &hash)? });
    }
    Ok(Manifest { files })
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn wrong(field: &'static str, problem: Problem) -> Error {
    Malformed::new(field, None, problem).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &str) -> String {
        format!("{{\"files\":[{files}],\"kind\":\"dualseal manifest\",\"version\":\"1\"}}")
    }

    fn file(path: &str) -> String {
        format!("{{\"bytes\":1,\"path\":\"{path}\",\"sha3_256\":\"{}\"}}", "0".repeat(64))
    }

    /// No path leads out of the folder, and none has two forms.
    #[test]
    fn what_is_no_manifest_is_refused() {
        let good = of(&[file("a"), file("b/c d")].join(","));
        assert_eq!(Manifest::from_json(good.as_bytes()).unwrap().to_json().unwrap(), good);
        for path in ["", "/a", "a/", "a//b", ".", "../a", "a/../b", "a/./b", "a\\\\b", "a\\u0000"] {
            assert!(Manifest::from_json(of(&file(path)).as_bytes()).is_err(), "{path}");
        }
        for text in [
            of(&[file("b"), file("a")].join(",")),
            of(&[file("a"), file("a")].join(",")),
            of(&file("a").replace("\"bytes\":1", "\"bytes\":-1")),
            of(&file("a").replace("000", "00A")),
            of(&file("a").replace("\"bytes\":1,", "")),
            good.replace("manifest\"", "list\""),
            good.replace("\"1\"", "\"2\""),
            good.replace("\"kind\"", " \"kind\""),
            good.replace("\"version\"", "\"more\":1,\"version\""),
        ] {
            assert!(Manifest::from_json(text.as_bytes()).is_err(), "{text}");
        }
        assert!(Manifest::is_meant(of("1").as_bytes()) && !Manifest::is_meant(b"{}") && !Manifest::is_meant(b"x"));
    }

    /// What is made is read back, or is not made: a signature over it could never be verified.
    #[cfg(unix)]
    #[test]
    fn what_is_made_is_read() {
        let folder = std::env::temp_dir().join(format!("dualseal-manifest-names-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("below")).unwrap();
        for name in ["a b", "x\ny", "below/\u{202e}", "..."] {
            fs::write(folder.join(name), name).unwrap();
        }
        let made = Manifest::of(&folder).unwrap();
        assert_eq!((made.len(), Manifest::from_json(made.to_json().unwrap().as_bytes()).unwrap()), (4, made));
        for name in ["a\\b", "below/\\"] {
            fs::write(folder.join(name), name).unwrap();
            let refused = Manifest::of(&folder).unwrap_err();
            assert!(matches!(&refused, ManifestError::Name(path) if *path == folder.join(name)), "{refused}");
            // Each by itself it can be signed.
            assert!(Manifest::paths(&folder).unwrap().contains(&folder.join(name)));
            fs::remove_file(folder.join(name)).unwrap();
        }
        assert!(matches!(walk(&folder, Walk::Compared, 3).unwrap_err(), ManifestError::TooMany));
        assert_eq!(walk(&folder, Walk::Compared, 4).unwrap().len(), 4);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Bytes that are no text are not the character that stands for them elsewhere.
    #[cfg(unix)]
    #[test]
    fn a_name_that_is_no_text_passes_for_no_other() {
        use std::os::unix::ffi::OsStrExt;

        let folder = std::env::temp_dir().join(format!("dualseal-manifest-bytes-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for name in ["\u{fffd}/a", "\u{fffd}b"] {
            fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
            fs::write(folder.join(name), name).unwrap();
        }
        let manifest = Manifest::of(&folder).unwrap();
        let raw = |name: &[u8]| folder.join(OsStr::from_bytes(name));
        fs::rename(folder.join("\u{fffd}"), raw(b"\xff")).unwrap();
        fs::write(raw(b"\xffb"), "added").unwrap();
        let found = manifest.compare(&folder).unwrap().unwrap();
        assert_eq!((found.missing, found.changed), (vec!["\u{fffd}/a".to_owned()], vec![]));
        assert_eq!(found.added, [r"\xff/a", r"\xffb"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    /// A length that canonical JSON has no number for is no empty document.
    #[test]
    fn what_cannot_be_written_is_not_signed() {
        let listed = Listed { bytes: 1 << 53, sha3_256: [0; 32] };
        let manifest = Manifest { files: [("a".to_owned(), listed)].into() };
        assert!(manifest.to_json().is_err());
    }
}
