//! Where a command writes what it made.

use crate::failure::{Failure, USAGE};
use crate::output;
use crate::store::{Readers, Unpublished};
use dualseal_operator::paths::Show;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The options that say where.
#[derive(clap::Args, Debug)]
pub(crate) struct Target {
    /// Where to write it; `-` is standard output, and a pipe or a device is written into
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replaces a file that exists
    #[arg(long)]
    force: bool,
}

impl Target {
    /// The path that was given, else the document's with `suffix`.
    pub(crate) fn beside(&self, document: &Path, suffix: &str) -> Result<PathBuf, Failure> {
        if self.out.is_some() {
            return Ok(self.or_stdout());
        }
        if crate::input::is_standard(document) {
            let message = "a document from standard input has no name to derive another from";
            return Err(Failure::new(USAGE, message, "say where to write with --out FILE, or --out -"));
        }
        let mut path = OsString::from(document);
        path.push(suffix);
        Ok(path.into())
    }

    /// The same for one of several signers: where somebody else's record is there already, the signer's name comes
    /// before the suffix.
    pub(crate) fn beside_others(
        &self,
        document: &Path,
        suffix: &str,
        name: &str,
        is_own: impl Fn(&[u8]) -> bool,
    ) -> Result<PathBuf, Failure> {
        let path = self.beside(document, suffix)?;
        if self.out.is_some() || self.force {
            return Ok(path);
        }
        let is_others = std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file())
            && std::fs::read(&path).is_ok_and(|bytes| !is_own(&bytes));
        if is_others { self.beside(document, &format!(".{name}{suffix}")) } else { Ok(path) }
    }

    /// The path that was given, else standard output.
    pub(crate) fn or_stdout(&self) -> PathBuf {
        // The name that many programs give to standard output means it here too: no file is put in its place.
        let named = self.out.as_ref().filter(|out| *out != Path::new("/dev/stdout"));
        named.cloned().unwrap_or_else(|| PathBuf::from("-"))
    }

    /// Whether a path was given.
    pub(crate) fn is_named(&self) -> bool {
        self.out.is_some()
    }

    /// Whether a file that exists is replaced.
    pub(crate) fn force(&self) -> bool {
        self.force
    }

    /// Prepares to write: what can go wrong with the file goes wrong here.
    pub(crate) fn prepare(&self, path: PathBuf, text: &str, readers: Readers) -> Result<Prepared, Failure> {
        let unpublished = if crate::input::is_standard(&path) {
            None
        } else {
            Some(Unpublished::write(&path, text.as_bytes(), readers, self.force)?)
        };
        Ok(Prepared { path, text: zeroize::Zeroizing::new(text.to_owned()), unpublished })
    }
}

/// What a command made, before anybody can see it.
#[derive(Debug)]
pub(crate) struct Prepared {
    path: PathBuf,
    text: zeroize::Zeroizing<String>,
    unpublished: Option<Unpublished>,
}

impl Prepared {
    /// Gives the file its name, or prints the text. Says whether it went to standard output.
    pub(crate) fn publish(self) -> Result<bool, Failure> {
        match self.unpublished {
            Some(unpublished) => unpublished.publish().map(|()| false),
            None => output::data(self.text.as_bytes()).map(|()| true),
        }
    }

    /// As [`publish`](Self::publish), for what has a copy in the home folder.
    pub(crate) fn publish_copied(self, what: &str, copy: &Path) -> Result<bool, Failure> {
        self.publish().map_err(|failure| failure.hint(format!("{what} was made: take its copy, {}", copy.shown())))
    }

    /// Where it goes and what is written there, for a file on a disk.
    pub(crate) fn on_disk(&self) -> Option<(&Path, &str)> {
        let unpublished = self.unpublished.as_ref().filter(|unpublished| unpublished.is_file())?;
        Some((unpublished.path(), &self.text))
    }

    /// Where it goes, for people.
    pub(crate) fn shown(&self) -> String {
        output::path_text(&self.path)
    }
}
