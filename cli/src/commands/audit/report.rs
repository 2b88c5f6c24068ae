//! The report for others: one page of HTML without script, or the same as JSON.

use super::args::Args;
use super::files::{Listed, Sort};
use super::judgement::Line;
use super::signers::{STATE_NOT_ASKED, Signer};
use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::output::{Report, clean, object, path_text, quoted, quoted_path, text};
use crate::store::{Readers, Unpublished};
use dualseal::encoding::hex;
use dualseal::encoding::json::Value;
use dualseal_operator::paths::Show;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where a report goes, and in which form.
pub(super) struct Target {
    path: PathBuf,
    is_page: bool,
}

impl Target {
    pub(super) fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_page = match ending {
            "html" => true,
            "json" => false,
            _ => {
                let hint = "name a file that ends in .html or .json";
                return Err(Failure::new(USAGE, "the name does not say in which form the report is", hint));
            }
        };
        Ok(Self { path: path.to_owned(), is_page })
    }
}

/// A file of the folder with the hash of its bytes.
struct Hashed<'a> {
    line: &'a Line,
    sha3_256: Option<&'a str>,
}

/// SHA3-256 over the bytes of each file that was read: of the file that was found, and of no other one in its place.
/// What was changed since is said not to be checked, whatever it was before.
pub(super) fn hash(files: &[Listed], lines: &mut [Line]) -> Hashes {
    let mut hashes = BTreeMap::new();
    for found in files.iter().filter(|found| matches!(found.sort, Sort::File(_))) {
        if let Ok(hash) = found.sha3_256() {
            hashes.insert(found.shown.clone(), hex::encode(&hash));
            continue;
        }
        let is_told = |line: &&mut Line| line.is_inside && line.path == found.shown && line.mark.is_good();
        for line in lines.iter_mut().filter(is_told) {
            *line = Line { of: line.of.take(), ..Line::missing(line.path.clone(), &line.kind, CHANGED) };
        }
    }
    Hashes(hashes)
}

const CHANGED: &str = "it was changed while it was audited: run the audit again when nobody writes to the folder";

/// The hashes of the files that were read.
pub(super) struct Hashes(BTreeMap<PathBuf, String>);

impl Hashes {
    /// Of a file, if it was read and is still the one that was found.
    pub(super) fn of(&self, path: &Path) -> Option<&str> {
        self.0.get(path).map(String::as_str)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// Writes it, and says where.
pub(super) fn write(
    target: &Target,
    told: Report,
    (lines, hashes): (&[Line], &Hashes),
    signers: &[Signer],
    args: &Args,
    context: &Context,
) -> Result<Report, Failure> {
    let of = |line: &'_ Line| hashes.of(&line.path).filter(|_| line.is_inside);
    let of = |line| Hashed { line, sha3_256: of(line) };
    let hashed: Vec<_> = lines.iter().map(of).collect();
    let (time, command) = (context.now()?.to_string(), command());
    let content = if target.is_page {
        page(&Page { told: &told, hashed: &hashed, signers, folder: &args.folder, time: &time, command: &command })
    } else {
        let hashes = hashed.iter().filter_map(|file| {
            let hash = text(file.sha3_256?);
            Some(object([("path", text(path_text(&file.line.path))), ("sha3_256", hash)]))
        });
        let report = object([
            ("answer", told.answer("audit")),
            ("command", text(command)),
            ("hashes", Value::Array(hashes.collect())),
            ("kind", text("dualseal audit report")),
            ("time", text(time)),
            ("version", text("1")),
        ]);
        format!("{}\n", crate::output::canonical(&report))
    };
    Unpublished::write(&target.path, content.as_bytes(), Readers::All, false)?.publish()?;
    Ok(told.detail("report", "report", path_text(&target.path)))
}

/// The command that was run, as a shell takes it, without the report itself.
fn command() -> String {
    let mut words = std::env::args_os().skip(1).map(|word| Path::new(&word).shown().to_string());
    let mut command = "dualseal".to_owned();
    while let Some(word) = words.next() {
        if word == "--report" {
            words.next();
        } else if !word.starts_with("--report=") {
            command.push(' ');
            command.push_str(&in_shell(&word));
        }
    }
    command
}

fn in_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// What a page shows.
struct Page<'a> {
    told: &'a Report,
    hashed: &'a [Hashed<'a>],
    signers: &'a [Signer],
    folder: &'a Path,
    time: &'a str,
    command: &'a str,
}

const STYLE: &str = "body{font:16px/1.5 serif;max-width:60em;margin:2em auto;padding:0 1em}table{\
border-collapse:collapse;width:100%}td,th{border:1px solid #999;padding:.3em;text-align:left;vertical-align:top}code{\
font-size:.85em;overflow-wrap:anywhere}.good{color:#050}.bad{color:#900;font-weight:bold}@media print{body{margin:0}}";

fn page(page: &Page<'_>) -> String {
    let Page { told, hashed, signers, folder, time, command } = page;
    let mut html = String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    let _ = write!(html, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">");
    let _ = writeln!(html, "<title>Audit of {}</title><style>{STYLE}</style></head><body>", shown_path(folder));
    let _ = writeln!(html, "<h1>Audit of {}</h1>", shown_path(folder));
    let class = if told.status() == 0 { "good" } else { "bad" };
    let _ = writeln!(html, "<p class=\"{class}\">{}</p>", escaped(told.sentence()));
    let _ = writeln!(html, "<p>Made at {time}, by this machine's clock. Exit status {}.</p>", told.status());
    html.push_str(
        "<h2>Who signed</h2>\n<table><tr><th>signer<th>keys (SHA3-256)<th>documents that hold<th>records</tr>\n",
    );
    for signer in *signers {
        let creator = signer.creator.as_deref().map(|creator| escaped(&quoted(creator)) + "<br>").unwrap_or_default();
        let mut keys = signer.keys.iter().map(|key| grouped(key)).collect::<Vec<_>>();
        keys.extend(signer.is_without_state().then(|| "state not asked".to_owned()));
        let keys = keys.join("<br>");
        let documents = signer.documents.iter().map(|path| shown_path(path)).collect::<Vec<_>>().join("<br>");
        let says = if signer.is_shown { "" } else { "says to be " };
        let id = says.to_owned() + &grouped(&signer.identity_id);
        let _ = writeln!(html, "<tr><td>{creator}{id}<td>{keys}<td>{documents}<td>{}</tr>", escaped(&signer.counted()));
    }
    html.push_str("</table>\n");
    if signers.iter().any(Signer::is_without_state) {
        let _ = writeln!(html, "<p>{}</p>", escaped(STATE_NOT_ASKED));
    }
    html.push_str("<h2>Every file, and what is missing</h2>\n");
    html.push_str("<table><tr><th>file<th>what it is<th>result<th>SHA3-256</tr>\n");
    for Hashed { line, sha3_256 } in *hashed {
        let class = if line.mark.is_good() { "good" } else { "bad" };
        let of = line.of.as_ref().map(|of| format!(" of {}", shown_path(of))).unwrap_or_default();
        let (mark, words) = (line.mark.label(), escaped(&line.text));
        let hash = sha3_256.map(grouped).unwrap_or_default();
        let _ = writeln!(
            html,
            "<tr><td>{}<td>{}{of}<td><span class=\"{class}\">{mark}</span>: {words}<td>{hash}</tr>",
            shown_path(&line.path),
            escaped(&line.kind)
        );
    }
    html.push_str("</table>\n<h2>How to repeat it</h2>\n<p>With the folder, the keys and the program:</p>\n");
    let _ = writeln!(html, "<p><code>{}</code></p>", escaped(command));
    html.push_str("<p>A hash of a file: <code>openssl dgst -sha3-256 FILE</code>.</p>\n");
    html.push_str(
        "<p>Keys count because they were given, never because they lie in the folder. What is not checked is \
                   neither confirmed nor refused. A time that no witness saw is its signer's word.</p>\n",
    );
    html.push_str("</body></html>\n");
    html
}

fn shown_path(path: &Path) -> String {
    escaped(&quoted_path(path))
}

/// Text from elsewhere as text of a page.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            c => shown.push(c),
        }
    }
    shown
}

/// Hexadecimal in groups of eight, as people compare it.
fn grouped(hash: &str) -> String {
    let mut shown = String::from("<code>");
    for (place, c) in hash.chars().enumerate() {
        if place > 0 && place % 8 == 0 {
            shown.push(' ');
        }
        shown.push(c);
    }
    shown + "</code>"
}
