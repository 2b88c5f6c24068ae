//! One look at the files: which manifest counts, and what is not as it says.

use super::manifest::{Manifest, pin_of};
use super::rules::{Difference, Mark, Whose, counts_after, differences, is_alone};
use super::tree::{Globs, Listing, Staged, list, text};
use dualseal::Domain;
use dualseal::encoding::hex;
use dualseal::hash::{HashFunction as _, Sha3_256};
use platform::config::Config;
use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The longest manifest, of some 200,000 files.
const LONGEST: u64 = 64 << 20;
/// A look that ran while a release was put in place is taken again.
const TRIES: usize = 3;
const ROOT: u32 = 0;

/// Where the files are, and by what they are held.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(super) domain: Domain,
    /// Without a manifest.
    pub(crate) files: Vec<String>,
    pub(crate) except: Vec<String>,
    /// The manifest, and the file of the pinned key.
    pub(crate) manifest: Option<(PathBuf, PathBuf)>,
    /// Who alone may write that file.
    pub(super) owner: u32,
}

/// What they are held against where no manifest counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    files: Vec<String>,
    except: Vec<String>,
    pub(crate) entries: Listing,
}

/// What a look has seen.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// The manifest that counts, or why none does.
    pub(crate) signed: Result<Mark, String>,
    /// What the files were held against.
    pub(crate) held: Held,
    /// What is not as that says.
    pub(crate) differences: Vec<Difference>,
}

impl Seen {
    /// Names what the files were held against.
    pub(crate) fn baseline(&self) -> String {
        if let Ok(mark) = &self.signed {
            return mark.manifest.clone();
        }
        let mut hash = Sha3_256::default();
        for (path, there) in &self.held.entries {
            hash.update(format!("{path}\n{there}\n").as_bytes());
        }
        hex::encode(&hash.finish())
    }
}

enum Read {
    /// None is asked for, or none is there yet.
    None(String),
    /// One is there that does not count.
    Bad(String),
    Good(Manifest, Mark),
}

impl Place {
    /// Where the settings say.
    ///
    /// # Errors
    /// In words.
    pub(crate) fn of(config: &Config) -> Result<Self, String> {
        let integrity = &config.integrity;
        let mut files = integrity.files.clone();
        if files.is_empty() {
            let program = std::env::current_exe().map_err(|error| format!("the program: {error}"))?;
            files.push(glob::Pattern::escape(&program.to_string_lossy()));
        }
        Ok(Self {
            domain: Domain::new(&config.domain).map_err(|error| error.to_string())?,
            files,
            except: integrity.except.clone(),
            manifest: integrity.manifest.clone().zip(integrity.key_file.clone()),
            owner: ROOT,
        })
    }

    /// The manifest that is there, whatever was there before.
    ///
    /// # Errors
    /// Why it does not count.
    pub(crate) fn present(&self) -> Result<Manifest, String> {
        match self.read(None) {
            Read::Good(manifest, _) => Ok(manifest),
            Read::None(reason) | Read::Bad(reason) => Err(reason),
        }
    }

    fn read(&self, mark: Option<&Mark>) -> Read {
        let Some((path, pin)) = &self.manifest else { return Read::None("no manifest is set".to_owned()) };
        let bytes = match whole(path) {
            Ok(Some(bytes)) => bytes,
            Ok(None) if mark.is_none() => return Read::None(format!("{}: there is none", path.display())),
            Ok(None) => return Read::Bad("it is missing".to_owned()),
            Err(error) => return Read::Bad(error),
        };
        let opened = self
            .pinned(pin)
            .map_err(|error| format!("{}: {error}", pin.display()))
            .and_then(|pin| Manifest::opened(&bytes, &self.domain, &pin));
        let named = hex::encode(&Sha3_256::digest(&bytes));
        let counts = opened.and_then(|manifest| counts_after(mark, manifest.number, &named).map(|()| manifest));
        match counts {
            Ok(manifest) => {
                let mark = Mark { number: manifest.number, manifest: named };
                Read::Good(manifest, mark)
            }
            Err(reason) => Read::Bad(reason),
        }
    }

    /// The pinned key, from a file that nobody but its owner could have put there.
    fn pinned(&self, path: &Path) -> Result<dualseal::mldsa::KeyHash, String> {
        let real = path.canonicalize().map_err(|error| error.to_string())?;
        if real != path {
            return Err(format!("a link leads to it: name it {}", real.display()));
        }
        let whose = |path: &Path| {
            let found = path.symlink_metadata().map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(Whose { uid: found.uid(), mode: found.mode() })
        };
        let folders = path.ancestors().skip(1).map(whose).collect::<Result<Vec<_>, String>>()?;
        if !is_alone(self.owner, whose(path)?, &folders) {
            return Err("others than root may write it, or a folder above it".to_owned());
        }
        pin_of(&whole(path)?.ok_or("there is none")?)
    }

    /// What is there now, without a manifest.
    pub(crate) fn now(&self) -> Result<Held, String> {
        self.held(self.files.clone(), self.except.clone())
    }

    fn held(&self, files: Vec<String>, except: Vec<String>) -> Result<Held, String> {
        let entries = self.list(&files, &except)?;
        Ok(Held { files, except, entries })
    }

    fn list(&self, files: &[String], except: &[String]) -> Result<Listing, String> {
        let mut found = list(&Globs::new(files, except).map_err(|error| error.to_string())?, &Staged::default());
        self.without_itself(&mut found);
        Ok(found)
    }

    /// A manifest says nothing of itself.
    pub(crate) fn without_itself(&self, found: &mut Listing) {
        if let Some((path, _)) = &self.manifest {
            found.remove(&text(path.as_os_str().as_bytes()));
        }
    }

    /// Looks: at what the manifest says, or, where none counts, at what was held before; the first time, at what is
    /// there.
    ///
    /// # Errors
    /// In words.
    pub(crate) fn look(&self, before: Option<&Held>, mark: Option<&Mark>) -> Result<Seen, String> {
        let mut seen = self.once(before, mark)?;
        for _ in 1..TRIES {
            // A release may have come meanwhile, whose manifest says of its files what this one did not.
            let is_same = match (&seen.signed, self.read(mark)) {
                (Ok(one), Read::Good(_, other)) => *one == other,
                (Err(one), Read::None(other) | Read::Bad(other)) => *one == other,
                _ => false,
            };
            if seen.differences.is_empty() || is_same {
                break;
            }
            seen = self.once(before, mark)?;
        }
        Ok(seen)
    }

    fn once(&self, before: Option<&Held>, mark: Option<&Mark>) -> Result<Seen, String> {
        let mut differences = Vec::new();
        let (signed, is_bad) = match self.read(mark) {
            Read::Good(Manifest { files, except, entries, .. }, mark) => {
                let held = Held { files, except, entries };
                let differences = self.differences(&held)?;
                return Ok(Seen { signed: Ok(mark), held, differences });
            }
            Read::None(reason) => (reason, false),
            Read::Bad(reason) => (reason, true),
        };
        let held = match before {
            Some(held) => {
                differences = self.differences(held)?;
                held.clone()
            }
            // What is there the first time is as it is.
            None => self.now()?,
        };
        differences.extend(self.manifest.as_ref().filter(|_| is_bad).map(|(path, _)| Difference {
            path: text(path.as_os_str().as_bytes()),
            expected: Some("a manifest that the pinned key signed, newer than all before".to_owned()),
            found: Some(signed.clone()),
        }));
        Ok(Seen { signed: Err(signed), held, differences })
    }

    fn differences(&self, held: &Held) -> Result<Vec<Difference>, String> {
        Ok(differences(&held.entries, &self.list(&held.files, &held.except)?))
    }
}

/// All of a file, which is a file: not a pipe that nobody writes into.
fn whole(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let said = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = match openat(CWD, path, flags, Mode::empty()) {
        Ok(file) => file,
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        Err(error) => return Err(said(&error)),
    };
    let stat = fstat(&file).map_err(|error| said(&error))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(said(&"it is no file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::from(file).take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| said(&error))?;
    if bytes.len() as u64 > LONGEST { Err(said(&"it is too long")) } else { Ok(Some(bytes)) }
}
