//! Where shares are read from: files and standard input, one share a line. Never from arguments, which every process of
//! the machine may read.

use super::dealt::{Card, Exchange};
use super::picture;
use super::text::{self, FieldName, Format, ShareText};
use crate::failure::{Failure, READ, USAGE};
use crate::input;
use crate::output::{Output, path_text};
use crate::secrets;
use dualseal::shamir::Index;
use dualseal_operator::paths::Show;
use std::path::{Path, PathBuf};
use zeroize::Zeroizing;

/// The shares that a command is given.
#[derive(clap::Args, Debug)]
pub(crate) struct Given {
    /// Files with shares, one a line or one a file, as text or as QR codes in PNG, or a folder of them; `-` is standard
    /// input
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
    let mut lines: Vec<Line> = Vec::new();
    for (file, text, is_found) in files(paths, output)? {
        let meant: Vec<_> = (1..).zip(text.lines()).filter(|(_, line)| is_meant(line)).collect();
        for (number, line) in &meant {
            // In a folder a share lies as text and as a picture.
            if is_found && lines.iter().any(|known| known.text.trim() == line.trim()) {
                continue;
            }
            let place = if meant.len() > 1 { format!("{file}, line {number}") } else { file.clone() };
            lines.push(Line { text: Zeroizing::new(line.trim().to_owned()), place });
        }
    }
    Ok(lines)
}

/// The texts of secret files, each with what to call it, and whether it was found in a folder that was named.
fn files(paths: &[PathBuf], output: &Output) -> Result<Vec<(String, Zeroizing<String>, bool)>, Failure> {
    input::one_stream(paths)?;
    let mut texts = Vec::new();
    for path in paths {
        if path.is_dir() {
            texts.extend(of_folder(path, output)?.into_iter().map(|(place, text)| (place, text, true)));
        } else {
            let (place, text) = file(path, output)?;
            texts.push((place, text, false));
        }
    }
    Ok(texts)
}

/// The texts of a folder. A picture in it that cannot be read stops no share, and is warned of: whoever hands the
/// folder over, or whose photograph lies there, has nothing to say about the others.
fn of_folder(folder: &Path, output: &Output) -> Result<Vec<(String, Zeroizing<String>)>, Failure> {
    let (mut texts, mut slips) = (Vec::new(), Vec::new());
    for (path, is_picture) in in_folder(folder)? {
        match file(&path, output) {
            Ok(text) => texts.push(text),
            Err(failure) if is_picture => slips.push(failure),
            Err(failure) => return Err(failure),
        }
    }
    if texts.is_empty() && !slips.is_empty() {
        return Err(slips.swap_remove(0));
    }
    for slip in slips {
        output.warn(&format!("{}; it is left out: {}", slip.message(), slip.next()));
    }
    Ok(texts)
}

/// The files of a folder that hold shares, by what is in them, each with whether it is a picture; not those in folders
/// below.
fn in_folder(folder: &Path) -> Result<Vec<(PathBuf, bool)>, Failure> {
    let failed = |error| Failure::reading(folder, &error);
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_short = std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= MOST);
        if !is_short {
            continue;
        }
        let bytes = Zeroizing::new(input::small(&path)?);
        let holds = |text: &str| text.lines().any(|line| text::is_share(line.trim()));
        let is_picture = picture::is_png(&bytes);
        if is_picture || std::str::from_utf8(&bytes).is_ok_and(holds) {
            found.push((path, is_picture));
        }
    }
    found.sort();
    if found.is_empty() {
        let message = format!("no share is in {}", folder.shown());
        return Err(Failure::new(
            READ,
            message,
            "name the folder that `dualseal split` made, or the files with shares",
        ));
    }
    Ok(found)
}

/// A file of a folder that may hold a share, a picture at most.
const MOST: u64 = 64 << 20;

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
    if picture::is_png(&bytes) {
        let texts = picture::texts(&bytes, &place)?;
        return Ok((place, texts));
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| {
        let hint = "give the share as text, or as a QR code in PNG";
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
    /// All that can be read, as long as they are enough: a slip of the pen in one stops no others, and is warned of.
    pub(crate) fn of(lines: &[Line], output: &Output) -> Result<Self, Failure> {
        let hint = "compare it with what was dealt, letter by letter: one share is one line, as it was written";
        let (mut good, mut slips) = (Vec::new(), Vec::new());
        for line in lines {
            match text::read(&line.text) {
                Ok(text) => good.push((text, line.place.clone())),
                Err(error) => slips.push(Failure::from(error).about(&line.place).hint(hint)),
            }
        }
        let parsed = Self(good);
        let needed = parsed.k().map_or(usize::MAX, usize::from);
        if parsed.0.len() < needed && !slips.is_empty() {
            return Err(slips.swap_remove(0));
        }
        for slip in slips {
            output.warn(&format!("{}; it is left out: {hint}", slip.message()));
        }
        Ok(parsed)
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
        Format::Dualseal => Parsed::of(&lines, output)?.cards(),
        Format::Ssss => ssss_cards(&lines, k.into()),
    }
}
