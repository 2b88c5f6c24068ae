//! What a journal says, and doing it.
//!
//! A journal is a line of JSON, `{"appends":[{"at","bytes","file"}],"files":[names],"puts":[{"bytes","file",
//! "readers"}]}`, and the bytes that are appended and put, in that order. File number n of `files` lies in `staged/n`
//! and gets that name; each file of `appends` has `at` bytes and gets the next `bytes`; each of `puts` is those that
//! follow, for `all` or its `owner`. Journals of earlier versions have no `puts`, or no second line:
//! `{"append","at","files"}`, where the text `append` is for `chain.jsonl`, and null where there is none.

use super::error::{Error, Operation, Refused};
use super::machine::{Disk, Readable, Writable};
use super::readers::Readers;
use super::wiped::Wiped;
use super::within::{JOURNAL, STAGED, Within};
use dualseal::encoding::json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Cursor, Read, Write};
use std::path::Path;

/// What earlier versions append to.
const CHAIN: &str = "chain.jsonl";
/// The longest line that is read, and so the longest that is written. What is appended is read in parts.
const MOST_BYTES: usize = 64 << 20;

/// How many files are open before they are forced.
const MOST_OPEN: usize = 64;
/// In the staged folder, a file that is put until it has its name.
const PUT: &str = "put";

/// The bytes of every append and of every file that is put, one after the other.
type Bytes = Box<dyn BufRead>;

/// What a change does.
#[derive(Debug, Default)]
pub(super) struct Journal {
    pub(super) appends: Vec<Append>,
    pub(super) files: Vec<String>,
    pub(super) puts: Vec<Put>,
}

/// What is appended to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Append {
    pub(super) file: String,
    /// The bytes that it has before.
    pub(super) at: u64,
    /// The bytes that it gets.
    pub(super) bytes: u64,
}

/// A file whose content the journal has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Put {
    pub(super) file: String,
    pub(super) readers: Readers,
    pub(super) bytes: u64,
}

impl Journal {
    /// Its first line. One that would not be read again is refused: it would keep everybody out of the folder.
    pub(super) fn line(&self, folder: &Path) -> Result<String, Error> {
        let line = self.object().map_err(|error| Error::new(Operation::Write, folder, error))?;
        if line.len() > MOST_BYTES {
            return Err(Error::refusing(Operation::Write, folder, Refused::Many));
        }
        Ok(line)
    }

    fn object(&self) -> io::Result<String> {
        let number = |number: u64| i64::try_from(number).map(Value::Integer).map_err(io::Error::other);
        let appends = self.appends.iter().map(|append| {
            let (at, bytes) = (number(append.at)?, number(append.bytes)?);
            Ok(object([("at", at), ("bytes", bytes), ("file", Value::String(append.file.clone()))]))
        });
        let appends = Value::Array(appends.collect::<io::Result<_>>()?);
        let files = Value::Array(self.files.iter().cloned().map(Value::String).collect());
        let puts = self.puts.iter().map(|put| {
            let readers = Value::String(put.readers.name().to_owned());
            let (bytes, file) = (number(put.bytes)?, Value::String(put.file.clone()));
            Ok(object([("bytes", bytes), ("file", file), ("readers", readers)]))
        });
        let puts = Value::Array(puts.collect::<io::Result<_>>()?);
        let line = object([("appends", appends), ("files", files), ("puts", puts)])
            .to_canonical()
            .map_err(io::Error::other)?;
        Ok(line + "\n")
    }

    /// Reads it, with what is appended. `None` where it is not as this program writes it.
    fn read(file: Readable) -> io::Result<Option<(Self, Bytes)>> {
        let length = file.length();
        let mut file = Wiped::new(file);
        let mut line = Vec::new();
        file.by_ref().take(MOST_BYTES as u64).read_until(b'\n', &mut line)?;
        let Ok(Value::Object(mut members)) = Value::parse(line.strip_suffix(b"\n").unwrap_or(&line)) else {
            return Ok(None);
        };
        let Some(files) = members.remove("files").and_then(names) else { return Ok(None) };
        let rest = length.saturating_sub(line.len() as u64);
        let read = if line.ends_with(b"\n") {
            let appends = members.remove("appends").and_then(|value| items(value, append));
            let puts = members.remove("puts").map_or(Some(Vec::new()), |value| items(value, put));
            let read = appends.zip(puts).map(|(appends, puts)| Self { appends, files, puts });
            let whole = |read: &Self| read.bytes() == Some(rest) && members.is_empty();
            read.filter(whole).map(|read| (read, Box::new(file) as Bytes))
        } else {
            let appended = (members.remove("at"), members.remove("append"));
            match (appended, members.is_empty()) {
                ((Some(Value::Integer(at)), Some(Value::String(text))), true) => u64::try_from(at).ok().map(|at| {
                    let append = Append { file: CHAIN.to_owned(), at, bytes: text.len() as u64 };
                    (Self { appends: vec![append], files, puts: Vec::new() }, Box::new(Cursor::new(text)) as Bytes)
                }),
                ((Some(Value::Null), Some(Value::Null)), true) => {
                    Some((Self { files, ..Self::default() }, Box::new(io::empty()) as Bytes))
                }
                _ => None,
            }
        };
        Ok(read)
    }

    /// A name that another one of the change is in the way of: half of it would be done, and the rest never.
    pub(super) fn in_the_way(&self) -> Option<&str> {
        let files: BTreeSet<&str> = self.files.iter().map(String::as_str).collect();
        let others = self.appends.iter().map(|append| &append.file).chain(self.puts.iter().map(|put| &put.file));
        let mut all = files.clone();
        if let Some(twice) = others.map(String::as_str).find(|other| !all.insert(other)) {
            return Some(twice);
        }
        let taken = |name: &str| all.contains(name);
        let below = |name: &&str| name.match_indices('/').any(|(end, _)| name.get(..end).is_some_and(taken));
        all.iter().copied().find(below)
    }

    /// Refuses, before anything is done, what would reach outside of the folder or take the place of what is no file.
    fn check(&self, disk: &Disk, folder: &Path) -> Result<(), Error> {
        let within = Within::new(disk, folder);
        if let Some(name) = self.in_the_way() {
            return Err(Error::refusing(Operation::Rename, &folder.join(name), Refused::Twice));
        }
        for Append { file, at, bytes } in &self.appends {
            let length = within.alone(file)?.unwrap_or_default();
            // Some of it may be there already, and nothing else: whatever is behind it somebody else wrote.
            if length < *at || length.checked_sub(*at).is_none_or(|more| more > *bytes) {
                return Err(Error::refusing(Operation::Write, &folder.join(file), Refused::Length));
            }
        }
        self.puts.iter().try_for_each(|put| within.regular(&put.file).map(drop))?;
        for (index, name) in self.files.iter().enumerate() {
            let there = within.regular(name)?.is_some();
            // One that is not staged any more has its name.
            if disk.regular(&folder.join(STAGED).join(index.to_string()))?.is_none() && !there {
                return Err(Error::refusing(Operation::Rename, &folder.join(name), Refused::Gone));
            }
        }
        Ok(())
    }

    /// Does what it says, which it is held against first, and removes it. Can be done again from any point at which it
    /// was interrupted.
    pub(super) fn finish(&self, disk: &Disk, folder: &Path, bytes: impl BufRead) -> Result<(), Error> {
        self.check(disk, folder)?;
        self.act(disk, folder, bytes)
    }

    /// The same of what somebody else has written down, and done in part. His names are on the disk before anything
    /// goes on from them: that of the journal, which would be gone with half of it done, and those of what has its
    /// place already, which nothing here forces any more.
    fn take_over(&self, disk: &Disk, folder: &Path, bytes: impl BufRead) -> Result<(), Error> {
        self.check(disk, folder)?;
        let (within, mut there) = (Within::new(disk, folder), BTreeSet::new());
        let appends = self.appends.iter().map(|append| &append.file);
        let names = appends.chain(&self.files).chain(self.puts.iter().map(|put| &put.file));
        names.into_iter().try_for_each(|name| within.parents_there(name, &mut there))?;
        there.insert(folder.to_owned());
        disk.force_all(&mut [], &there)?;
        self.act(disk, folder, bytes)
    }

    fn act(&self, disk: &Disk, folder: &Path, bytes: impl BufRead) -> Result<(), Error> {
        self.apply(disk, folder, bytes)?;
        clear(disk, folder)?;
        disk.remove_file(&folder.join(JOURNAL))?;
        // Were it to come back, it would cut off what is appended from now on.
        disk.force_folder(folder)
    }

    /// In any order, and forced at the end: as long as the journal is there all of it can be done again.
    fn apply(&self, disk: &Disk, folder: &Path, mut bytes: impl BufRead) -> Result<(), Error> {
        let within = Within::new(disk, folder);
        let (mut changed, mut written) = (BTreeSet::new(), Vec::new());
        for append in &self.appends {
            let path = folder.join(&append.file);
            within.make_parents(&append.file, &mut changed)?;
            let mut file = match disk.reopen_alone(&path)? {
                Some(file) => file,
                None => disk.create(&path, Readers::All)?,
            };
            file.truncate(append.at)?;
            let copied = file.seek_end().and_then(|()| copy(&mut bytes.by_ref().take(append.bytes), &mut file));
            copied.map_err(|error| Error::new(Operation::Write, &path, error))?;
            force_later(disk, &mut written, file)?;
        }
        let staged = folder.join(STAGED);
        for (index, name) in self.files.iter().enumerate() {
            let from = staged.join(index.to_string());
            if disk.regular(&from)?.is_some() {
                within.make_parents(name, &mut changed)?;
                disk.rename(&from, &folder.join(name))?;
            }
        }
        let from = staged.join(PUT);
        for put in &self.puts {
            let path = folder.join(&put.file);
            within.make_parents(&put.file, &mut changed)?;
            if !disk.is_folder(&staged)? {
                disk.create_folder(&staged, Readers::Owner)?;
            }
            disk.remove_file(&from)?;
            let mut file = disk.create(&from, put.readers).map_err(|error| error.about(&path))?;
            let copied = copy(&mut bytes.by_ref().take(put.bytes), &mut file);
            copied.map_err(|error| Error::new(Operation::Write, &path, error))?;
            disk.rename(&from, &path)?;
            force_later(disk, &mut written, file)?;
        }
        disk.force_all(&mut written, &changed)
    }

    /// How many bytes follow its first line.
    fn bytes(&self) -> Option<u64> {
        let mut all = self.appends.iter().map(|append| append.bytes).chain(self.puts.iter().map(|put| put.bytes));
        all.try_fold(0_u64, u64::checked_add)
    }
}

/// Keeps a file that is written, to be forced with others.
fn force_later(disk: &Disk, written: &mut Vec<Writable>, file: Writable) -> Result<(), Error> {
    written.push(file);
    if written.len() >= MOST_OPEN {
        disk.force_all(written, &BTreeSet::new())?;
        written.clear();
    }
    Ok(())
}

/// Does what a journal says, or clears what was staged without one.
pub(super) fn recover(disk: &Disk, folder: &Path) -> Result<(), Error> {
    let journal = folder.join(JOURNAL);
    let is_staged = disk.is_folder(&folder.join(STAGED))?;
    let Some(file) = disk.open(&journal)? else {
        return if is_staged { clear(disk, folder) } else { Ok(()) };
    };
    let read = Journal::read(file).map_err(|error| Error::new(Operation::Read, &journal, error))?;
    let (read, bytes) = read.ok_or_else(|| Error::refusing(Operation::Read, folder, Refused::Journal))?;
    read.take_over(disk, folder, bytes)
}

/// Clears what was staged.
fn clear(disk: &Disk, folder: &Path) -> Result<(), Error> {
    disk.remove_folder(&folder.join(STAGED)).map(drop)
}

/// Through no other buffer than the reader's own.
fn copy(from: &mut impl BufRead, to: &mut impl Write) -> io::Result<()> {
    loop {
        let part = from.fill_buf()?;
        if part.is_empty() {
            return Ok(());
        }
        to.write_all(part)?;
        let written = part.len();
        from.consume(written);
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.map(|(name, value)| (name.to_owned(), value)).into_iter().collect())
}

fn names(value: Value) -> Option<Vec<String>> {
    let Value::Array(names) = value else { return None };
    let name = |name| if let Value::String(name) = name { Some(name) } else { None };
    names.into_iter().map(name).collect()
}

fn items<T>(value: Value, item: impl FnMut(Value) -> Option<T>) -> Option<Vec<T>> {
    let Value::Array(items) = value else { return None };
    items.into_iter().map(item).collect()
}

fn append(value: Value) -> Option<Append> {
    let Value::Object(mut members) = value else { return None };
    let (at, bytes) = (number(&mut members, "at")?, number(&mut members, "bytes")?);
    match members.remove("file") {
        Some(Value::String(file)) if members.is_empty() => Some(Append { file, at, bytes }),
        _ => None,
    }
}

fn put(value: Value) -> Option<Put> {
    let Value::Object(mut members) = value else { return None };
    let bytes = number(&mut members, "bytes")?;
    match (members.remove("file"), members.remove("readers")) {
        (Some(Value::String(file)), Some(Value::String(readers))) if members.is_empty() => {
            Some(Put { file, readers: Readers::named(&readers)?, bytes })
        }
        _ => None,
    }
}

fn number(members: &mut BTreeMap<String, Value>, name: &str) -> Option<u64> {
    match members.remove(name) {
        Some(Value::Integer(number)) => u64::try_from(number).ok(),
        _ => None,
    }
}
