//! Where shares are read from: files and standard input, one share a line. Never from arguments, which every process of
//! the machine may read.

use super::dealt::{Card, Exchange};
use super::text::{self, FieldName, Format, ShareText};
use crate::failure::{Failure, READ, USAGE};
use crate::input;
use crate::output::{Output, path_text};
use crate::secrets;
use dualseal::shamir::Index;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The shares that a command is given.
#[derive(clap::Args, Debug)]
pub(crate) struct Given {
    /// Files with shares, one a line or one a file; `-` is standard input
    #[arg(value_name = "SHARES")]
    files: Vec<PathBuf>,

    /// How the shares are written
    #[arg(long, default_value = "dualseal")]
    pub(crate) format: Format,
}

/// A line that holds a share.
pub(crate) struct Line {
    text: Zeroizing<String>,
    place: String,
}

impl Given {
    /// Whether no file was named.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Where they are.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// All lines that hold shares.
    pub(crate) fn lines(&self, output: &Output) -> Result<Vec<Line>, Failure> {
        lines(&self.files, output)
    }
}

impl Line {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn place(&self) -> &str {
        &self.place
    }
}

/// All lines of files that hold shares. Blank lines and those that begin with `#` are for people.
pub(crate) fn lines(paths: &[PathBuf], output: &Output) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    for (file, text) in files(paths, output)? {
        let meant: Vec<_> = (1..).zip(text.lines()).filter(|(_, line)| is_meant(line)).collect();
        for (number, line) in &meant {
            let place = if meant.len() > 1 { format!("{file}, line {number}") } else { file.clone() };
            lines.push(Line { text: Zeroizing::new(line.trim().to_owned()), place });
        }
    }
    Ok(lines)
}

/// The texts of secret files, each with what to call it.
fn files(paths: &[PathBuf], output: &Output) -> Result<Vec<(String, Zeroizing<String>)>, Failure> {
    input::one_stream(paths)?;
    paths.iter().map(|path| file(path, output)).collect()
}

fn file(path: &Path, output: &Output) -> Result<(String, Zeroizing<String>), Failure> {
    // The text is not repeated: this message may end in a log.
    if path.to_str().is_some_and(text::is_share) {
        let hint = "write it to a file of mode 0600 or to standard input (`-`), and beware of your shell's history";
        return Err(Failure::new(USAGE, "a share stands among the arguments, where others can read it", hint));
    }
    let place = if input::is_standard(path) { "standard input".to_owned() } else { path_text(path) };
    if !input::is_standard(path) {
        secrets::warn_if_others_may_read(path, output);
    }
    let bytes = Zeroizing::new(input::small(path)?);
    let text = std::str::from_utf8(&bytes).map_err(|_| {
        let hint = "give the share as text; a picture of it is scanned first, with any QR code reader";
        Failure::new(READ, format!("{place} is not text"), hint)
    })?;
    Ok((place, Zeroizing::new(text.to_owned())))
}

fn is_meant(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

/// Shares whose text says what they are of.
pub(crate) struct Parsed(Vec<(ShareText, String)>);

impl Parsed {
    pub(crate) fn of(lines: &[Line]) -> Result<Self, Failure> {
        let hint = "compare it with what was dealt, letter by letter: one share is one line, as it was written";
        let read = |line: &Line| match text::read(&line.text) {
            Ok(text) => Ok((text, line.place.clone())),
            Err(error) => Err(Failure::from(error).about(&line.place).hint(hint)),
        };
        lines.iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// The field that the first share names.
    pub(crate) fn field(&self) -> Option<FieldName> {
        self.0.first().map(|(text, _)| text.field)
    }

    /// The threshold that all of them name, if they agree.
    pub(crate) fn k(&self) -> Option<u8> {
        let mut all = self.0.iter().map(|(text, _)| text.set.threshold.k());
        let first = all.next()?;
        all.all(|k| k == first).then_some(first)
    }

    /// Their numbers.
    pub(crate) fn indices(&self) -> Vec<Index> {
        self.0.iter().map(|(text, _)| text.index()).collect()
    }

    /// Whether all of them say that they are of one set.
    pub(crate) fn agree(&self) -> bool {
        self.0.windows(2).all(|pair| matches!(pair, [(a, _), (b, _)] if a.set == b.set && a.field == b.field))
    }

    /// As shares over one field.
    pub(crate) fn cards<F: Exchange>(&self) -> Result<Vec<Card<F>>, Failure> {
        self.0.iter().map(|(text, place)| Card::of_text(text, place.clone())).collect()
    }
}

/// Lines of the program ssss, as shares.
pub(crate) fn ssss_cards<F: Exchange>(lines: &[Line], k: u64) -> Result<Vec<Card<F>>, Failure> {
    let read = |line: &Line| match F::from_ssss(&line.text, k) {
        Ok(share) => Ok(Card::bare(share, line.place.clone())),
        Err(failure) => Err(failure.about(&line.place)),
    };
    lines.iter().map(read).collect()
}

/// Lines in either format, as shares over a field for a threshold that the caller knows.
pub(crate) fn cards<F: Exchange>(given: &Given, k: u8, output: &Output) -> Result<Vec<Card<F>>, Failure> {
    let lines = given.lines(output)?;
    match given.format {
        Format::Dualseal => Parsed::of(&lines)?.cards(),
        Format::Ssss => ssss_cards(&lines, k.into()),
    }
}
