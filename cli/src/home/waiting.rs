//! What a command writes outside of the home folder for an entry of its own. It stands in the folder, in the same
//! change as the entry, until it is there: whoever is killed in between has it written by the next command that may
//! write.

use super::{Home, read_object};
use crate::failure::Failure;
use crate::output::{canonical, object, text};
use crate::secrets::Passphrase;
use crate::store::{Readers, Unpublished};
use dualseal::RingKey;
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal_operator::names::{is_sealed, seal};
use dualseal_operator::paths::Show;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The file that lists them.
pub(super) const WAITING: &str = "waiting.json";

/// A file that is to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// Where, from the root on.
    pub(crate) path: PathBuf,
    pub(crate) content: String,
}

impl Home {
    /// Writes what a killed command did not come to, and says so in words. Only what the ring key sealed is written,
    /// and nothing in the place of another file.
    pub(crate) fn finish(&self, passphrase: &Passphrase) -> Result<Vec<String>, Failure> {
        if !self.path(WAITING).exists() {
            return Ok(Vec::new());
        }
        let authority = self.authority(passphrase)?;
        let Some(waiting) = self.waiting(authority)? else {
            let words = format!(
                "{} is not this folder's own: nothing of it was written, and you may remove it",
                self.path(WAITING).shown()
            );
            return Ok(vec![words]);
        };
        let (mut told, mut left) = (Vec::new(), Vec::new());
        let mut first = None;
        for file in waiting {
            let path = &file.path;
            let why = match is_there(&file) {
                Ok(true) => continue,
                Ok(false) => {
                    told.push(format!(
                        "a command was ended before it wrote {}, where another file is now: see records/ for its own",
                        path.shown()
                    ));
                    continue;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => match write(&file) {
                    Ok(()) => {
                        told.push(format!("wrote {}, which a command was ended before", path.shown()));
                        continue;
                    }
                    Err(failure) => failure.message().to_owned(),
                },
                Err(error) => error.to_string(),
            };
            first.get_or_insert_with(|| format!("{}: {why}", path.shown()));
            left.push(file);
        }
        // However many they are: every command says it until they are there, or nobody wants them any more.
        told.extend(first.map(|first| {
            format!(
                "a command was ended before it wrote {}; {} of its files cannot be written where they belong: put the \
                 folder back, or remove {} if nobody wants them there (records/ has each)",
                first,
                left.len(),
                self.path(WAITING).shown()
            )
        }));
        self.still_waiting(&left, authority)?;
        Ok(told)
    }

    /// They are there: they wait no longer.
    pub(crate) fn written(&self, passphrase: &Passphrase, written: &[Waiting]) -> Result<(), Failure> {
        if !self.path(WAITING).exists() {
            return Ok(());
        }
        let authority = self.authority(passphrase)?;
        let mut left = self.waiting(authority)?.unwrap_or_default();
        left.retain(|file| !written.contains(file));
        self.still_waiting(&left, authority)
    }

    /// The content of the file, with what waits already.
    pub(super) fn waiting_with(&self, more: &[Waiting], authority: &RingKey) -> Result<String, Failure> {
        let mut waiting = self.waiting(authority)?.unwrap_or_default();
        waiting.extend_from_slice(more);
        self.listed(&waiting, authority)
    }

    /// What waits; `None` where the ring key did not seal the list.
    fn waiting(&self, authority: &RingKey) -> Result<Option<Vec<Waiting>>, Failure> {
        let path = self.path(WAITING);
        if !path.exists() {
            return Ok(Some(Vec::new()));
        }
        let Ok(mut members) = read_object(&path) else { return Ok(None) };
        let (Some(files), Some(Value::String(mac))) = (members.remove(FILES), members.remove(MAC)) else {
            return Ok(None);
        };
        if !is_sealed(authority, &self.value(files.clone()), &mac)? {
            return Ok(None);
        }
        let Value::Array(files) = files else { return Ok(None) };
        Ok(files.into_iter().map(waiting).collect())
    }

    fn still_waiting(&self, left: &[Waiting], authority: &RingKey) -> Result<(), Failure> {
        let path = self.path(WAITING);
        if left.is_empty() {
            return fs::remove_file(&path).map_err(|error| Failure::writing(&path, &error));
        }
        let json = self.listed(left, authority)?;
        Unpublished::write(&path, json.as_bytes(), Readers::Owner, true)?.publish()
    }

    fn listed(&self, waiting: &[Waiting], authority: &RingKey) -> Result<String, Failure> {
        let file = |file: &Waiting| {
            let path = hex::encode(file.path.as_os_str().as_encoded_bytes());
            object([("content", text(file.content.as_str())), ("path", text(path))])
        };
        let files = Value::Array(waiting.iter().map(file).collect());
        let mac = seal(authority, &self.value(files.clone()))?;
        Ok(canonical(&object([(FILES, files), (MAC, text(mac))])))
    }

    /// What is sealed: no table of names has this form.
    fn value(&self, files: Value) -> Value {
        object([("origin", text(self.origin())), (WAITING, files)])
    }
}

const FILES: &str = "files";
const MAC: &str = "mac";

/// Whether the file is there, and none in its place. Nothing but a file is opened: a pipe would block.
fn is_there(file: &Waiting) -> io::Result<bool> {
    let found = fs::metadata(&file.path)?;
    let is_alike = found.is_file() && found.len() == file.content.len() as u64;
    Ok(is_alike && fs::read(&file.path)? == file.content.as_bytes())
}

fn write(file: &Waiting) -> Result<(), Failure> {
    Unpublished::write(&file.path, file.content.as_bytes(), Readers::All, false)?.publish()
}

fn waiting(file: Value) -> Option<Waiting> {
    let Value::Object(mut members) = file else { return None };
    let (Some(Value::String(content)), Some(Value::String(path))) = (members.remove("content"), members.remove("path"))
    else {
        return None;
    };
    Some(Waiting { path: path_of(&path)?, content })
}

/// The path whose bytes stand in hexadecimal.
fn path_of(hex: &str) -> Option<PathBuf> {
    let byte = |place| u8::from_str_radix(hex.get(place..place + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
    of_bytes(bytes?)
}

/// A path from the root on.
fn of_bytes(bytes: Vec<u8>) -> Option<PathBuf> {
    #[cfg(unix)]
    let path = Some(std::os::unix::ffi::OsStringExt::from_vec(bytes)).map(|name: std::ffi::OsString| name.into());
    #[cfg(not(unix))]
    let path = String::from_utf8(bytes).ok().map(PathBuf::from);
    path.filter(|path: &PathBuf| path.is_absolute())
}

/// A file that waits, where its name is one.
pub(crate) fn of(path: &Path, content: &str) -> Result<Waiting, Failure> {
    let path = std::path::absolute(path).map_err(|error| Failure::writing(path, &error))?;
    Ok(Waiting { path, content: content.to_owned() })
}
