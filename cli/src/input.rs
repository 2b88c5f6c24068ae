//! Reading: small files whole, documents of any size in parts with a progress bar, `-` for standard input.

use crate::failure::{Failure, READ, USAGE};
use dualseal_operator::paths::Show;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// A record, a key or a ring has some kilobytes, a ring with a million decoys some hundred megabytes.
pub(crate) const SMALL: u64 = 1 << 30;
/// From this size on a bar tells how far it is.
const LONG: u64 = 32 << 20;

/// The whole of a file that is no document.
pub(crate) fn small(path: &Path) -> Result<Vec<u8>, Failure> {
    up_to(path, SMALL)
}

/// The same, if it has at most so many bytes.
pub(crate) fn up_to(path: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let length = std::fs::metadata(path).map_or(0, |found| if found.is_file() { found.len() } else { 0 });
    let bytes = whole(open(path)?, length, most).map_err(|error| Failure::reading(path, &error))?;
    if bytes.len() as u64 > most {
        let message = format!("cannot read {}: it has more than {most} bytes", path.shown());
        return Err(Failure::new(READ, message, "give a record, a key or a ring, not a document"));
    }
    Ok(bytes)
}

/// Reads at most one byte more than `most`. Of a secret no copy is left behind: the buffer has the length that is
/// expected from the beginning, and one that it outgrows is wiped.
fn whole(mut reader: impl Read, length: u64, most: u64) -> io::Result<Vec<u8>> {
    let least = usize::try_from(length.min(most) + 1).unwrap_or(usize::MAX);
    let (mut buffer, mut read) = (Zeroizing::new(vec![0; least]), 0);
    while read as u64 <= most {
        if read == buffer.len() {
            let mut grown = Zeroizing::new(vec![0; (2 * read).max(FIRST)]);
            grown[..read].copy_from_slice(&buffer);
            buffer = grown;
        }
        match reader.read(&mut buffer[read..]) {
            Ok(0) => break,
            Ok(count) => read += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    buffer.truncate(read);
    Ok(std::mem::take(&mut *buffer))
}

/// What is read first of what has no length.
const FIRST: usize = 8 << 10;

/// As [`small`], for text. A line end that an editor added is no part of a record that has no lines.
pub(crate) fn small_text(path: &Path) -> Result<String, Failure> {
    text_up_to(path, SMALL)
}

/// As [`up_to`], for text.
pub(crate) fn text_up_to(path: &Path, most: u64) -> Result<String, Failure> {
    String::from_utf8(up_to(path, most)?).map_err(|_| {
        let message = format!("{} is not text", path.shown());
        Failure::new(READ, message, "see what it is by `dualseal inspect`")
    })
}

/// Hands a document to `each` in parts.
pub(crate) fn document(path: &Path, mut each: impl FnMut(&[u8]) -> Result<(), Failure>) -> Result<u64, Failure> {
    let mut reader = open(path)?;
    let bar = progress(path);
    let mut buffer = vec![0; 256 << 10];
    let mut size = 0;
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                each(&buffer[..count])?;
                size += count as u64;
                bar.set_position(size);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::reading(path, &error)),
        }
    }
    bar.finish_and_clear();
    Ok(size)
}

/// As [`document`], where nothing can go wrong with a part.
pub(crate) fn parts(path: &Path, mut each: impl FnMut(&[u8])) -> Result<u64, Failure> {
    document(path, |part| {
        each(part);
        Ok(())
    })
}

/// A document as a reader, with the bar of [`document`].
pub(crate) fn reader(path: &Path) -> Result<Box<dyn Read>, Failure> {
    let bar = progress(path);
    Ok(Box::new(bar.wrap_read(open(path)?)))
}

/// A progress bar on standard error, for a terminal and a long file only.
fn progress(path: &Path) -> ProgressBar {
    bar(std::fs::metadata(path).map_or(0, |metadata| metadata.len()))
}

/// The same for work over so many bytes.
pub(crate) fn bar(length: u64) -> ProgressBar {
    if length < LONG || !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}") {
        bar.set_style(style);
    }
    bar
}

fn open(path: &Path) -> Result<Box<dyn Read>, Failure> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let open = || {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
    };
    open().map(|file| Box::new(file) as Box<dyn Read>).map_err(|error: io::Error| Failure::reading(path, &error))
}

/// Whether a document may come slowly and cannot be read again: from standard input, a pipe or a device.
pub(crate) fn is_stream(path: &Path) -> bool {
    is_standard(path) || std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Refuses paths of which more than one is standard input.
pub(crate) fn one_stream(paths: impl IntoIterator<Item = impl AsRef<Path>>) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| is_standard(path.as_ref())).count() < 2 {
        return Ok(());
    }
    Err(Failure::new(USAGE, "standard input is named twice", "name `-` once: it is read to its end"))
}

/// Whether a path is standard input.
pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// A path without so many bytes of ASCII at its end.
#[cfg(unix)]
pub(crate) fn stripped(path: &Path, bytes: usize) -> Option<PathBuf> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let name = path.as_os_str().as_bytes();
    let stem = name.get(..name.len().checked_sub(bytes)?)?;
    (!stem.is_empty()).then(|| std::ffi::OsString::from_vec(stem.to_vec()).into())
}

#[cfg(not(unix))]
pub(crate) fn stripped(path: &Path, bytes: usize) -> Option<PathBuf> {
    let name = path.to_str()?;
    name.get(..name.len().checked_sub(bytes)?).filter(|stem| !stem.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few bytes at a time, with interruptions.
    struct Slow<'a>(&'a [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let count = buffer.len().min(7);
            self.0.read(&mut buffer[..count])
        }
    }

    #[test]
    fn what_is_read_whole_lies_in_one_place() {
        let long: Vec<u8> = (0..40_000_u32).map(|byte| byte.to_le_bytes()[0]).collect();
        for length in [0, 1, 39_999, 40_000, 40_001, u64::MAX] {
            assert_eq!(whole(Slow(&long, false), length, 1 << 20).unwrap(), long, "{length}");
        }
        assert_eq!(whole(Slow(&long, false), 40_000, 1 << 20).unwrap().capacity(), 40_001);
        // One byte more than is allowed tells that there are more.
        assert!(whole(Slow(&long, false), 40_000, 39_999).unwrap().len() > 39_999);
        assert_eq!(whole(Slow(&long, false), 40_000, 40_000).unwrap().len(), 40_000);
    }
}
