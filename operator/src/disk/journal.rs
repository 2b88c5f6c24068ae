//! What a journal says, and doing it.
//!
//! A journal is a line of JSON, `{"appends":[{"at","bytes","file"}],"files":[names]}`, and the bytes that are appended,
//! in that order. File number n of `files` lies in `staged/n` and gets that name; each file of `appends` has `at` bytes
//! and gets the next `bytes`. Journals of earlier versions have no second line: `{"append","at","files"}`, where the
//! text `append` is for `chain.jsonl`, and null where there is none.

use super::error::{Error, Operation, Refused};
use super::machine::{Disk, Readable};
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

/// The bytes of every append, one after the other.
type Appended = Box<dyn BufRead>;

/// What a change does.
#[derive(Debug, Default)]
pub(super) struct Journal {
    pub(super) appends: Vec<Append>,
    pub(super) files: Vec<String>,
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
        let line = object([("appends", appends), ("files", files)]).to_canonical().map_err(io::Error::other)?;
        Ok(line + "\n")
    }

    /// Reads it, with what is appended. `None` where it is not as this program writes it.
    fn read(file: Readable) -> io::Result<Option<(Self, Appended)>> {
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
            let appends = members.remove("appends").and_then(appends);
            let whole = |appends: &Vec<Append>| sum(appends) == Some(rest) && members.is_empty();
            appends.filter(whole).map(|appends| (Self { appends, files }, Box::new(file) as Appended))
        } else {
            let appended = (members.remove("at"), members.remove("append"));
            match (appended, members.is_empty()) {
                ((Some(Value::Integer(at)), Some(Value::String(text))), true) => u64::try_from(at).ok().map(|at| {
                    let append = Append { file: CHAIN.to_owned(), at, bytes: text.len() as u64 };
                    (Self { appends: vec![append], files }, Box::new(Cursor::new(text)) as Appended)
                }),
                ((Some(Value::Null), Some(Value::Null)), true) => {
                    Some((Self { appends: Vec::new(), files }, Box::new(io::empty()) as Appended))
                }
                _ => None,
            }
        };
        Ok(read)
    }

    /// A name that another one of the change is in the way of: half of it would be done, and the rest never.
    pub(super) fn in_the_way(&self) -> Option<&str> {
        let files: BTreeSet<&str> = self.files.iter().map(String::as_str).collect();
        let appends: BTreeSet<&str> = self.appends.iter().map(|append| append.file.as_str()).collect();
        let taken = |name: &str| files.contains(name) || appends.contains(name);
        let below = |name: &&&str| name.match_indices('/').any(|(end, _)| name.get(..end).is_some_and(taken));
        let both = files.intersection(&appends).next();
        both.or_else(|| files.iter().chain(&appends).find(below)).copied()
    }

    /// Refuses, before anything is done, what would reach outside of the folder or take the place of what is no file.
    fn check(&self, disk: &Disk, folder: &Path) -> Result<(), Error> {
        let within = Within::new(disk, folder);
        if let Some(name) = self.in_the_way() {
            return Err(Error::refusing(Operation::Rename, &folder.join(name), Refused::Twice));
        }
        for Append { file, at, bytes } in &self.appends {
            let length = within.regular(file)?.unwrap_or_default();
            // Some of it may be there already, and nothing else: whatever is behind it somebody else wrote.
            if length < *at || length.checked_sub(*at).is_none_or(|more| more > *bytes) {
                return Err(Error::refusing(Operation::Write, &folder.join(file), Refused::Length));
            }
        }
        for (index, name) in self.files.iter().enumerate() {
            let there = within.regular(name)?.is_some();
            // One that is not staged any more has its name.
            if disk.regular(&folder.join(STAGED).join(index.to_string()))?.is_none() && !there {
                return Err(Error::refusing(Operation::Rename, &folder.join(name), Refused::Gone));
            }
        }
        Ok(())
    }

    /// Can be done again from any point at which it was interrupted.
    fn apply(&self, disk: &Disk, folder: &Path, mut bytes: Appended) -> Result<(), Error> {
        let within = Within::new(disk, folder);
        let mut changed = BTreeSet::new();
        for append in &self.appends {
            let path = folder.join(&append.file);
            within.make_parents(&append.file, &mut changed)?;
            let mut file = match disk.reopen(&path)? {
                Some(file) => file,
                None => disk.create(&path, Readers::All)?,
            };
            file.truncate(append.at)?;
            let copied = file.seek_end().and_then(|()| copy(&mut bytes.by_ref().take(append.bytes), &mut file));
            copied.map_err(|error| Error::new(Operation::Write, &path, error))?;
            file.force()?;
        }
        for (index, name) in self.files.iter().enumerate() {
            let from = folder.join(STAGED).join(index.to_string());
            if disk.regular(&from)?.is_some() {
                within.make_parents(name, &mut changed)?;
                disk.rename(&from, &folder.join(name))?;
            }
        }
        changed.iter().try_for_each(|folder| disk.force_folder(folder))
    }
}

/// Does what a journal says, or clears what was staged without one.
pub(super) fn recover(disk: &Disk, folder: &Path) -> Result<(), Error> {
    let (journal, staged) = (folder.join(JOURNAL), folder.join(STAGED));
    let is_staged = disk.is_folder(&staged)?;
    let written = disk.open(&journal)?;
    let is_written = written.is_some();
    if let Some(file) = written {
        let read = Journal::read(file).map_err(|error| Error::new(Operation::Read, &journal, error))?;
        let (read, bytes) = read.ok_or_else(|| Error::refusing(Operation::Read, folder, Refused::Journal))?;
        read.check(disk, folder)?;
        read.apply(disk, folder, bytes)?;
    }
    if is_staged {
        disk.remove_folder(&staged)?;
    }
    if is_written {
        disk.remove_file(&journal)?;
        // Were it to come back, it would cut off what is appended from now on.
        disk.force_folder(folder)?;
    }
    Ok(())
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

fn appends(value: Value) -> Option<Vec<Append>> {
    let Value::Array(appends) = value else { return None };
    appends.into_iter().map(append).collect()
}

fn append(value: Value) -> Option<Append> {
    let Value::Object(mut members) = value else { return None };
    let number = |members: &mut BTreeMap<_, _>, name: &str| match members.remove(name) {
        Some(Value::Integer(number)) => u64::try_from(number).ok(),
        _ => None,
    };
    let (at, bytes) = (number(&mut members, "at")?, number(&mut members, "bytes")?);
    match members.remove("file") {
        Some(Value::String(file)) if members.is_empty() => Some(Append { file, at, bytes }),
        _ => None,
    }
}

fn sum(appends: &[Append]) -> Option<u64> {
    appends.iter().try_fold(0_u64, |sum, append| sum.checked_add(append.bytes))
}
