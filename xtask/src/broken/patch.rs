//! A broken check as text: what is replaced in which file, and the test that must notice.

use std::path::Path;

use crate::context::{files_in, read};

/// Where the patches are.
pub(crate) const FOLDER: &str = "tests/broken";
/// In that folder: the rows of the threat list that no patch breaks yet, one a line, as a patch names its row.
const PENDING: &str = "PENDING";

/// A row of the threat list, by its identifier and one of its tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) id: String,
    /// `path::function`.
    pub(crate) test: String,
}

impl Row {
    fn read(line: &str) -> Option<Self> {
        let (id, test) = line.split_once(' ')?;
        let whole = id.starts_with('T') && test.contains("::") && !test.contains(' ');
        whole.then(|| Self { id: id.to_owned(), test: test.to_owned() })
    }
}

/// The rows of the threat list, each with its first test.
pub(crate) fn rows(threats: &str) -> Vec<Row> {
    let row = |line: &str| {
        let id = line.strip_prefix("| ")?.split([' ', '|']).next()?;
        let cell = line.trim_end().trim_end_matches('|').rsplit(" | ").next()?;
        let test = cell.split('`').nth(1)?;
        id.strip_prefix('T')?.starts_with(|first: char| first.is_ascii_digit()).then_some(())?;
        Some(Row { id: id.to_owned(), test: test.to_owned() })
    };
    threats.lines().filter_map(row).collect()
}

/// One text of a file that gives way to another.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) file: String,
    old: String,
    new: String,
}

impl Change {
    /// The file's text with the change. The old text stands there exactly once, wherever that is.
    pub(crate) fn apply(&self, text: &str) -> Result<String, String> {
        match text.matches(&self.old).count() {
            1 => Ok(text.replacen(&self.old, &self.new, 1)),
            found => Err(format!("the old text stands {found} times in {}, not once:\n{}", self.file, self.old)),
        }
    }
}

/// A check that is broken, and the rows whose tests must then fail.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
    /// What no longer holds, in words.
    pub(crate) breaks: String,
    pub(crate) changes: Vec<Change>,
}

impl Patch {
    /// Reads `row: ID path::function` (once or more), `breaks: words`, and for each change `file: path`, the line
    /// `--- old`, the old text, the line `--- new`, the new text, and the line `--- end`.
    fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut patch = Self { name: name.to_owned(), rows: Vec::new(), breaks: String::new(), changes: Vec::new() };
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(row) = line.strip_prefix("row: ") {
                patch.rows.push(Row::read(row).ok_or_else(|| format!("{name}: no row: {line}"))?);
            } else if let Some(words) = line.strip_prefix("breaks: ") {
                words.clone_into(&mut patch.breaks);
            } else if let Some(file) = line.strip_prefix("file: ") {
                let begins = lines.next() == Some("--- old");
                let old = until(&mut lines, "--- new");
                let new = until(&mut lines, "--- end");
                let (true, Some(old), Some(new)) = (begins, old, new) else {
                    return Err(format!("{name}: the change of {file} has not its three lines of dashes"));
                };
                patch.changes.push(Change { file: file.to_owned(), old, new });
            } else if !line.is_empty() {
                return Err(format!("{name}: what is this line: {line}"));
            }
        }
        let whole = !patch.rows.is_empty() && !patch.breaks.is_empty() && !patch.changes.is_empty();
        let empty = patch.changes.iter().any(|change| change.old.trim().is_empty() || change.old == change.new);
        if whole && !empty { Ok(patch) } else { Err(format!("{name}: it lacks a row, words or a change")) }
    }
}

/// The lines before this one, which is the next with dashes.
fn until<'a>(lines: &mut impl Iterator<Item = &'a str>, end: &str) -> Option<String> {
    let mut text = String::new();
    loop {
        match lines.next()? {
            line if line == end => return Some(text),
            line if line.starts_with("--- ") => return None,
            line => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
}

/// All patches, by their file names.
pub(crate) fn all(root: &Path) -> Result<Vec<Patch>, String> {
    let read_one =
        |file: std::path::PathBuf| Patch::parse(&file.file_stem().unwrap_or_default().to_string_lossy(), &read(&file)?);
    files_in(&root.join(FOLDER), "patch")?.into_iter().map(read_one).collect()
}

/// Findings for the threat list: each of its rows is broken by a patch or waits for one, no patch is of no row, none
/// waits that is broken, and each patch still fits its files.
pub(crate) fn findings(root: &Path, threats: &str) -> Vec<String> {
    let read_both = || Ok::<_, String>((all(root)?, read(&root.join(FOLDER).join(PENDING))?));
    match read_both() {
        Ok((patches, pending)) => {
            let mut found = compare(&rows(threats), &patches, &pending);
            found.extend(patches.iter().flat_map(|patch| misfits(patch, |file| read(&root.join(file)))));
            found
        }
        Err(error) => vec![error],
    }
}

/// The changes of a patch that its files do not admit.
fn misfits(patch: &Patch, read: impl Fn(&str) -> Result<String, String>) -> Vec<String> {
    let fits = |change: &Change| read(&change.file).and_then(|text| change.apply(&text));
    patch.changes.iter().filter_map(|change| fits(change).err()).map(|why| format!("{}: {why}", patch.name)).collect()
}

fn compare(rows: &[Row], patches: &[Patch], pending: &str) -> Vec<String> {
    let broken: Vec<&Row> = patches.iter().flat_map(|patch| &patch.rows).collect();
    let pending: Vec<Row> = pending.lines().filter_map(Row::read).collect();
    let known = |row: &Row, says: &str| format!("{FOLDER}: {says}: {} {}", row.id, row.test);
    let without = rows.iter().filter(|row| !broken.contains(row) && !pending.contains(row));
    let without = without.map(|row| known(row, "no patch breaks what this row of docs/THREATS.md promises"));
    let gone = broken.iter().copied().filter(|row| !rows.contains(row)).map(|row| known(row, "no such row"));
    let gone_pending = pending.iter().filter(|row| !rows.contains(row)).map(|row| known(row, "no such row waits"));
    let done = pending.iter().filter(|row| broken.contains(row)).map(|row| known(row, "waits, and has a patch"));
    without.chain(gone).chain(gone_pending).chain(done).collect()
}

#[cfg(test)]
mod tests {
    use super::{Change, Patch, Row, compare, misfits, rows};

    const TEXT: &str = "row: T1 tests/a.rs::one\nbreaks: nothing is looked up\nfile: core/src/a.rs\n--- old\n  old\n\
                        --- new\n--- end\n\nfile: b.rs\n--- old\nx\n--- new\ny\n--- end\n";

    fn row(id: &str, test: &str) -> Row {
        Row { id: id.to_owned(), test: test.to_owned() }
    }

    #[test]
    fn a_patch_is_read() {
        let patch = Patch::parse("T1-a", TEXT).unwrap();
        assert_eq!(patch.rows, [row("T1", "tests/a.rs::one")]);
        assert_eq!(patch.changes.len(), 2);
        assert_eq!(
            patch.changes[0],
            Change { file: "core/src/a.rs".into(), old: "  old\n".into(), new: String::new() }
        );
        for (from, to) in
            [("row: T1 ", "row: "), ("breaks: ", ""), ("--- end\n\n", "\n"), ("y\n", "x\n"), ("  old", "")]
        {
            assert!(Patch::parse("x", &TEXT.replacen(from, to, 1)).is_err(), "{from}");
        }
    }

    #[test]
    fn the_old_text_stands_once() {
        let patch = Patch::parse("T1-a", TEXT).unwrap();
        assert_eq!(patch.changes[0].apply("a\n  old\nb\n").as_deref(), Ok("a\nb\n"));
        assert!(patch.changes[0].apply("a\nb\n").is_err());
        assert!(patch.changes[0].apply("  old\n  old\n").is_err());
    }

    #[test]
    fn a_patch_fits_its_files() {
        let patch = Patch::parse("T1-a", TEXT).unwrap();
        let found = |a: &str, b: &str| misfits(&patch, |file| Ok(if file == "b.rs" { b } else { a }.to_owned())).len();
        assert_eq!([found("  old\n", "x\n"), found("  older\n", "x\n"), found("old\n", "x\nx\n")], [0, 1, 2]);
        assert_eq!(misfits(&patch, |file| Err(file.to_owned())), ["T1-a: core/src/a.rs", "T1-a: b.rs"]);
    }

    #[test]
    fn every_row_is_broken_or_waits() {
        let threats =
            "| id | threat |\n|---|---|\n| T1 C | x | y | `tests/a.rs::one` |\n| T2 H | x | `z` | `b.rs::two` |\n";
        let (first, second) = (row("T1", "tests/a.rs::one"), row("T2", "b.rs::two"));
        assert_eq!(rows(threats), [first.clone(), second.clone()]);
        let patches = [Patch::parse("T1-a", TEXT).unwrap()];
        let found = |rows: &[Row], pending: &str| compare(rows, &patches, pending).len();
        assert_eq!(found(&[first.clone(), second.clone()], "T2 b.rs::two\n"), 0);
        assert_eq!(found(&[first.clone(), second.clone()], ""), 1);
        assert_eq!(found(&[first.clone(), second], "T2 b.rs::two\nT1 tests/a.rs::one\n"), 1);
        assert_eq!(found(&[first], "T2 b.rs::two\n"), 1);
        assert_eq!(found(&[], ""), 1);
    }
}
