//! What is there: kinds, modes, owners, links and hashes of what globs name.
//!
//! Whoever may write into the tree tries to have something else hashed than what is there. No link is followed but in
//! the folder that a glob begins with, which the operator named; a file is hashed by the descriptor that was looked at,
//! and looked at again afterwards; a pipe or a device is never opened; and a look has an end, however much lies there.

use dualseal::encoding::hex;
use dualseal::hash::{HashFunction as _, Sha3_256};
use glob::{MatchOptions, Pattern, PatternError};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat, statat};
use rustix::io::{Errno, read};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// What is there, by path: both as text.
pub(crate) type Listing = BTreeMap<String, String>;

/// The most that is looked at: what somebody adds must not keep a look from ending.
const MOST_NAMES: usize = 500_000;
const MOST_BYTES: u64 = 64 << 30;
const DEEPEST: usize = 128;
/// How often a file is read that changes meanwhile.
const TRIES: usize = 3;

const MATCHING: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: false };

/// Which files.
#[derive(Clone, Debug)]
pub(crate) struct Globs {
    files: Vec<One>,
    except: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct One {
    pattern: Pattern,
    /// The folder that it begins with.
    root: PathBuf,
    /// So many names below it.
    depth: usize,
}

impl Globs {
    /// Of absolute paths with `*`, `?`, `[…]` and `**`.
    ///
    /// # Errors
    /// One is none.
    pub(crate) fn new(files: &[String], except: &[String]) -> Result<Self, PatternError> {
        let files = files.iter().map(|text| One::new(text)).collect::<Result<_, _>>()?;
        Ok(Self { files, except: except.iter().map(|text| Pattern::new(text)).collect::<Result<_, _>>()? })
    }

    fn is_excepted(&self, path: &str) -> bool {
        self.except.iter().any(|pattern| pattern.matches_with(path, MATCHING))
    }
}

impl One {
    fn new(text: &str) -> Result<Self, PatternError> {
        let names: Vec<&str> = text.split('/').filter(|name| !name.is_empty()).collect();
        let plain = names.iter().take_while(|name| !name.contains(['*', '?', '['])).count();
        // The last name is looked up in its folder, be it a glob or not.
        let above = plain.min(names.len().saturating_sub(1));
        let root = names.iter().take(above).fold(PathBuf::from("/"), |root, name| root.join(name));
        let depth = if names.contains(&"**") { DEEPEST } else { names.len() - above };
        Ok(Self { pattern: Pattern::new(text)?, root, depth })
    }
}

/// A tree that will be elsewhere, and somebody else's: a release before it is put in place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Staged {
    /// Where it will be, and where it is.
    pub(crate) at: Option<(PathBuf, PathBuf)>,
    /// Whose it will be: user and group.
    pub(crate) owner: Option<(u32, u32)>,
}

impl Staged {
    fn now(&self, path: &Path) -> PathBuf {
        let moved = self.at.as_ref().and_then(|(will, is)| path.strip_prefix(will).ok().map(|rest| is.join(rest)));
        moved.unwrap_or_else(|| path.to_owned())
    }
}

/// All that the globs name.
pub(crate) fn list(globs: &Globs, staged: &Staged) -> Listing {
    let mut walk = Walk { globs, staged, found: Listing::new(), names: 0, bytes: 0 };
    for one in &globs.files {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        if let Ok(folder) = openat(CWD, staged.now(&one.root), flags, Mode::empty()) {
            walk.folder(one, &folder, &one.root, 1);
        }
    }
    walk.found
}

struct Walk<'a> {
    globs: &'a Globs,
    staged: &'a Staged,
    found: Listing,
    names: usize,
    bytes: u64,
}

impl Walk<'_> {
    fn folder(&mut self, one: &One, folder: &OwnedFd, path: &Path, depth: usize) {
        let Ok(names) = Dir::read_from(folder) else { return };
        for name in names.flatten() {
            let name = name.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            self.names += 1;
            if self.names > MOST_NAMES {
                self.found.insert(text(path.as_os_str().as_bytes()), format!("more than {MOST_NAMES} names"));
                return;
            }
            self.name(one, folder, path, (name, depth));
        }
    }

    fn name(&mut self, one: &One, folder: &OwnedFd, path: &Path, (name, depth): (&CStr, usize)) {
        let path = path.join(std::ffi::OsStr::from_bytes(name.to_bytes()));
        // What vanishes while it is looked at is not there.
        let Ok(stat) = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else { return };
        let (plain, key) = (path.to_string_lossy(), text(path.as_os_str().as_bytes()));
        let is_meant = one.pattern.matches_with(&plain, MATCHING) && !self.globs.is_excepted(&plain);
        if is_meant && !self.found.contains_key(&key) {
            let there = self.there(folder, name, &stat);
            self.found.insert(key.clone(), there);
        }
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory || depth >= one.depth {
            return;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(folder, name, flags, Mode::empty()) {
            Ok(below) => self.folder(one, &below, &path, depth + 1),
            Err(error) if is_meant => {
                let is = format!("{} unreadable ({error})", self.of(&stat, "folder"));
                self.found.insert(key, is);
            }
            Err(_) => {}
        }
    }

    fn there(&mut self, folder: &OwnedFd, name: &CStr, stat: &Stat) -> String {
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => self.file(folder, name, stat),
            FileType::Directory => self.of(stat, "folder"),
            FileType::Symlink => {
                let target = readlinkat(folder, name, Vec::new()).map(|target| text(target.to_bytes()));
                // The mode of a link says nothing.
                let (uid, gid) = self.owner(stat);
                format!("link {uid}:{gid} -> {}", target.unwrap_or_default())
            }
            FileType::Fifo => self.of(stat, "pipe"),
            FileType::Socket => self.of(stat, "socket"),
            _ => self.of(stat, "device"),
        }
    }

    fn owner(&self, stat: &Stat) -> (u32, u32) {
        self.staged.owner.unwrap_or((stat.st_uid, stat.st_gid))
    }

    fn of(&self, stat: &Stat, kind: &str) -> String {
        let (uid, gid) = self.owner(stat);
        format!("{kind} {:04o} {uid}:{gid}", stat.st_mode & 0o7777)
    }

    fn file(&mut self, folder: &OwnedFd, name: &CStr, stat: &Stat) -> String {
        for _ in 0..TRIES {
            // It may be a pipe by now: that is not waited for.
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
            let opened = openat(folder, name, flags, Mode::empty()).and_then(|file| Ok((fstat(&file)?, file)));
            let (before, file) = match opened {
                Ok(opened) => opened,
                Err(error) => return format!("{} unreadable ({error})", self.of(stat, "file")),
            };
            if FileType::from_raw_mode(before.st_mode) != FileType::RegularFile {
                continue;
            }
            let size = u64::try_from(before.st_size).unwrap_or(u64::MAX);
            if self.bytes.saturating_add(size) > MOST_BYTES {
                return format!("{} not hashed: {size} bytes", self.of(&before, "file"));
            }
            self.bytes += size;
            let Ok(hash) = hashed(&file, size) else { continue };
            if fstat(&file).is_ok_and(|after| is_same(&before, &after)) {
                return format!("{} {hash}", self.of(&before, "file"));
            }
        }
        format!("{} changes while it is read", self.of(stat, "file"))
    }
}

/// The hash of exactly so many bytes.
fn hashed(file: impl AsFd, size: u64) -> Result<String, Errno> {
    let (mut hash, mut buffer, mut count) = (Sha3_256::default(), vec![0_u8; 1 << 16], 0_u64);
    loop {
        let length = read(&file, &mut buffer[..])?;
        count += length as u64;
        if length == 0 || count > size {
            break;
        }
        hash.update(buffer.get(..length).unwrap_or_default());
    }
    if count == size { Ok(hex::encode(&hash.finish())) } else { Err(Errno::AGAIN) }
}

fn is_same(before: &Stat, after: &Stat) -> bool {
    let of = |stat: &Stat| {
        (stat.st_size, stat.st_mtime, stat.st_mtime_nsec, stat.st_ctime, stat.st_ctime_nsec, stat.st_mode, stat.st_uid)
    };
    of(before) == of(after)
}

/// Whether all of it was seen.
pub(crate) fn is_whole(there: &str) -> bool {
    let last = there.rsplit(' ').next().unwrap_or_default();
    match there.split(' ').next() {
        Some("file") => last.len() == 64,
        Some("folder") => !there.contains("unreadable"),
        Some("more") => false,
        _ => true,
    }
}

/// A name as text: two names are never one text, and no name ends a line.
pub(super) fn text(bytes: &[u8]) -> String {
    let mut all = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for sign in chunk.valid().chars() {
            if sign == '\\' || sign.is_control() {
                all.extend(sign.escape_default());
            } else {
                all.push(sign);
            }
        }
        for byte in chunk.invalid() {
            // Nothing fails to be written into a text.
            _ = write!(all, "\\x{byte:02x}");
        }
    }
    all
}
