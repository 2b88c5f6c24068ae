//! What is printed: one plain sentence, then the details; or one JSON object. Colours only on a terminal.

use crate::english::english;
use crate::failure::Failure;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use dualseal::encoding::json::Value;
use dualseal_operator::paths::Show;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// When colours are used. `auto` honours a terminal, `NO_COLOR` and `CLICOLOR`.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

/// What a command found or did.
#[derive(Debug)]
pub(crate) struct Report {
    status: u8,
    code: Option<u16>,
    sentence: String,
    details: Vec<(&'static str, String)>,
    notes: Vec<String>,
    members: BTreeMap<String, Value>,
    /// The same in English, of members in the words of the wire.
    english: BTreeMap<String, Value>,
    aside: bool,
    silent: bool,
}

impl Report {
    /// It was done, or it holds.
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self {
            status: 0,
            code: None,
            sentence: sentence.into(),
            details: Vec::new(),
            notes: Vec::new(),
            members: BTreeMap::new(),
            english: BTreeMap::new(),
            aside: false,
            silent: false,
        }
    }

    /// The data was the whole answer.
    pub(crate) fn silent() -> Self {
        Self { silent: true, ..Self::new("") }
    }

    /// Ends with the exit status of a number of the library.
    pub(crate) fn coded(mut self, code: u16) -> Self {
        self.status = crate::failure::status_of(code);
        self.code = Some(code);
        self
    }

    /// Ends with an exit status of this program's own.
    pub(crate) fn ended(mut self, status: u8) -> Self {
        self.status = status;
        self
    }

    /// With another sentence.
    pub(crate) fn saying(mut self, sentence: impl Into<String>) -> Self {
        self.sentence = sentence.into();
        self
    }

    /// The exit status.
    pub(crate) fn status(&self) -> u8 {
        self.status
    }

    /// The sentence.
    pub(crate) fn sentence(&self) -> &str {
        &self.sentence
    }

    /// A member of the JSON object, if it is there.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.members.get(name)
    }

    /// A line below the sentence, and a member of the JSON object.
    pub(crate) fn detail(self, member: &str, label: &'static str, text: impl Into<String>) -> Self {
        let text = text.into();
        self.line(label, text.as_str()).member(member, Value::String(text))
    }

    /// A line below the sentence, for people alone.
    pub(crate) fn line(mut self, label: &'static str, text: impl Into<String>) -> Self {
        self.details.push((label, text.into()));
        self
    }

    /// A member of the JSON object.
    pub(crate) fn member(mut self, name: &str, value: Value) -> Self {
        self.members.insert(name.to_owned(), value);
        self
    }

    /// A member in the words of the wire, which is told in English as well: in the member `english`, under its name.
    pub(crate) fn wire(mut self, name: &str, value: Value) -> Self {
        self.english.insert(name.to_owned(), english(name, &value));
        self.member(name, value)
    }

    /// A number, as a line and as a member.
    pub(crate) fn number(self, member: &str, label: &'static str, number: u64) -> Self {
        self.line(label, number.to_string()).member(member, integer(number))
    }

    /// The place in the chain that counted, if one did.
    pub(crate) fn placed(self, at: Option<&dualseal::Located>, until: Option<(u64, dualseal::Timestamp)>) -> Self {
        let Some(at) = at else { return self.member("seq", Value::Null).member("entered", Value::Null) };
        let seq = at.entry().seq();
        let report = self.member("seq", integer(seq)).line("proven place", format!("entry {seq} of {}", at.origin()));
        report.entered(seq, until, None)
    }

    /// Between what a record was entered in its log: it stands after the entry before it, and before the checkpoint
    /// that covers so many entries. Of the times a witness's alone is not the log signer's word.
    pub(crate) fn entered(
        self,
        seq: u64,
        until: Option<(u64, dualseal::Timestamp)>,
        seen: Option<dualseal::Timestamp>,
    ) -> Self {
        self.line("entered", entered(seq, until, seen)).member("entered", entered_value(seq, until, seen))
    }

    /// What to do next, or to beware of.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Prints to standard error, because data went to standard output.
    pub(crate) fn aside_if(mut self, data_on_stdout: bool) -> Self {
        self.aside |= data_on_stdout;
        self
    }

    fn to_json(&self, command: &str) -> String {
        clean_json(&canonical(&self.answer(command)))
    }

    /// The JSON object.
    pub(crate) fn answer(&self, command: &str) -> Value {
        let mut members = self.members.clone();
        if !self.english.is_empty() {
            members.insert("english".to_owned(), Value::Object(self.english.clone()));
        }
        members.insert("code".to_owned(), number_or_null(self.code));
        members.insert("command".to_owned(), Value::String(command.to_owned()));
        members.insert("notes".to_owned(), Value::Array(self.notes.iter().cloned().map(Value::String).collect()));
        members.insert("sentence".to_owned(), Value::String(self.sentence.clone()));
        members.insert("status".to_owned(), Value::Integer(self.status.into()));
        Value::Object(members)
    }
}

/// Between what an entry was made, in words.
pub(crate) fn entered(
    seq: u64,
    until: Option<(u64, dualseal::Timestamp)>,
    seen: Option<dualseal::Timestamp>,
) -> String {
    let after = seq.checked_sub(1);
    let begin = after.map_or_else(|| "as its first entry".to_owned(), |entry| format!("after entry {entry}"));
    let signed = until.map_or_else(String::new, |(size, time)| {
        format!(", before the checkpoint of {size} entries, signed at {time} by the log's word")
    });
    let witnessed = seen.map_or_else(String::new, |time| format!(", seen by witnesses at {time}"));
    format!("{begin}{signed}{witnessed}")
}

/// The same for scripts.
pub(crate) fn entered_value(
    seq: u64,
    until: Option<(u64, dualseal::Timestamp)>,
    seen: Option<dualseal::Timestamp>,
) -> Value {
    let time = |time: Option<dualseal::Timestamp>| time.map_or(Value::Null, |time| text(time.to_string()));
    object([
        ("after_entry", seq.checked_sub(1).map_or(Value::Null, integer)),
        ("checkpoint_size", until.map_or(Value::Null, |(size, _)| integer(size))),
        ("checkpoint_time", time(until.map(|(_, time)| time))),
        ("witnessed", time(seen)),
    ])
}

/// Where answers go.
#[derive(Debug)]
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    colour: Colour,
}

impl Output {
    pub(crate) fn new(json: bool, quiet: bool, colour: Colour) -> Self {
        Self { json, quiet, colour }
    }

    /// Prints the answer and returns the exit status. Nobody who reads it is no reason for another status: a verdict
    /// stands whether it is read or not.
    /// Where standard output is data, the answer goes to standard error.
    pub(crate) fn print(&self, command: &str, answer: Result<Report, Failure>, data: bool) -> u8 {
        match answer {
            Ok(report) => {
                let report = report.aside_if(data);
                let printed = self.report(command, &report);
                self.unprinted(report.status, printed)
            }
            Err(failure) => {
                let printed = self.failure(command, &failure, data);
                self.unprinted(failure.status(), printed)
            }
        }
    }

    /// Something to beware of, on standard error, while the command goes on.
    pub(crate) fn warn(&self, text: &str) {
        let mut stream = AutoStream::new(io::stderr(), self.choice());
        let _ = writeln!(stream, "{}: {}", styled(AnsiColor::Yellow, "warning"), clean(text));
    }

    /// A result of a command that goes on, on standard error: a line, or a JSON object.
    pub(crate) fn live(&self, (told, value): &(String, Value)) {
        let line = if self.json { clean_json(&canonical(value)) } else { spaced(told) };
        let mut stream = AutoStream::new(io::stderr(), self.choice());
        let _ = writeln!(stream, "{line}");
    }

    fn report(&self, command: &str, report: &Report) -> io::Result<()> {
        if report.silent || self.quiet && report.status == 0 {
            return Ok(());
        }
        let text = if self.json { format!("{}\n", report.to_json(command)) } else { people(report) };
        if report.aside { self.write(io::stderr(), &text) } else { self.write(io::stdout(), &text) }
    }

    fn failure(&self, command: &str, failure: &Failure, data: bool) -> io::Result<()> {
        if self.json {
            let members = [
                ("code", number_or_null(failure.code())),
                ("command", Value::String(command.to_owned())),
                ("error", Value::String(failure.message().to_owned())),
                ("next", Value::String(failure.next().to_owned())),
                ("refused", failure.refused().map_or(Value::Null, text)),
                ("status", Value::Integer(failure.status().into())),
            ];
            let members = members.map(|(name, value)| (name.to_owned(), value));
            let json = clean_json(&canonical(&Value::Object(members.into())));
            let text = format!("{json}\n");
            return if data { self.write(io::stderr(), &text) } else { self.write(io::stdout(), &text) };
        }
        let (error, next) = (styled(AnsiColor::Red, "error"), styled(AnsiColor::Cyan, "next"));
        let text = format!("{error}: {}\n {next}: {}\n", spaced(failure.message()), clean(failure.next()));
        self.write(io::stderr(), &text)
    }

    fn write<S: anstream::stream::RawStream + anstream::stream::AsLockedWrite>(
        &self,
        stream: S,
        text: &str,
    ) -> io::Result<()> {
        let mut stream = AutoStream::new(stream, self.choice());
        stream.write_all(text.as_bytes())?;
        stream.flush()
    }

    fn choice(&self) -> ColorChoice {
        match self.colour {
            Colour::Auto => ColorChoice::Auto,
            Colour::Always => ColorChoice::Always,
            Colour::Never => ColorChoice::Never,
        }
    }

    fn unprinted(&self, status: u8, printed: io::Result<()>) -> u8 {
        match printed {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.warn(&format!("the answer could not be printed: {error}"));
                // A pass that nobody can have read is no pass.
                if status == 0 { crate::failure::WRITE } else { status }
            }
            _ => status,
        }
    }
}

/// Data, as it is, to standard output. A reader that went away is no failure.
pub(crate) fn data(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::writing(Path::new("standard output"), &error))
        }
        _ => Ok(()),
    }
}

/// Text from elsewhere, so that it cannot drive the terminal, hide a line or turn one around.
pub(crate) fn clean(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) || c.is_whitespace() && c != ' ' { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    shown
}

/// The same of a sentence, in which no two spaces follow one another: a name that is made of them would fill a line,
/// and write the next one.
fn spaced(text: &str) -> String {
    clean(text).replace("  ", " \\u{20}").replace("  ", " \\u{20}")
}

/// The same for JSON, whose value stays what it was: only its strings have other characters than ASCII, and there each
/// may be written as its UTF-16 units.
fn clean_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        if is_unseen(c) {
            shown.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Those that drive a terminal, those that turn text around, and those that nobody sees (Unicode's default ignorable).
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A name from elsewhere, so that it is seen where it begins and ends: in quotation marks, with what is not seen, what
/// looks like a space and is none, and marks within it escaped.
pub(crate) fn quoted(name: &str) -> String {
    let mut shown = String::with_capacity(name.len() + 2);
    shown.push('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => shown.extend(['\\', c]),
            // Of spaces that follow one another nobody sees how many there are.
            ' ' if shown.ends_with(' ') => shown.push_str("\\u{20}"),
            c if is_unseen(c) || c.is_whitespace() && c != ' ' => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown.push('"');
    shown
}

/// A path as the JSON answer has it: bytes that are no text are escaped, as `\\xff`, and so that no two paths look
/// alike a stroke in a name is two, where no folders are parted by it.
pub(crate) fn path_text(path: &Path) -> String {
    let shown = path.shown().to_string();
    if cfg!(windows) || !path.as_os_str().as_encoded_bytes().contains(&b'\\') {
        return shown;
    }
    let mut escaped = String::with_capacity(shown.len());
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        escaped.push_str(&chunk.valid().replace('\\', "\\\\"));
        escaped.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    escaped
}

/// A path in quotation marks, so that it is seen where it begins and ends; bytes that are no text are escaped.
pub(crate) fn quoted_path(path: &Path) -> String {
    let mut shown = String::from("\"");
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        let quoted = quoted(chunk.valid());
        shown.push_str(quoted.strip_prefix('"').and_then(|quoted| quoted.strip_suffix('"')).unwrap_or_default());
        shown.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    shown.push('"');
    shown
}

/// The first characters of a long hexadecimal value.
pub(crate) fn short(value: impl std::fmt::Display) -> String {
    value.to_string().chars().take(16).chain(['…']).collect()
}

/// A counter; those of the library never pass 2^53-1.
pub(crate) fn integer(number: u64) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A JSON object.
pub(crate) fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A JSON string.
pub(crate) fn text(text: impl Into<String>) -> Value {
    Value::String(text.into())
}

/// Canonical JSON of an answer, which never nests deep nor counts beyond 2^53-1.
pub(crate) fn canonical(value: &Value) -> String {
    value.to_canonical().unwrap_or_default()
}

fn number_or_null(code: Option<u16>) -> Value {
    code.map_or(Value::Null, |code| Value::Integer(code.into()))
}

fn people(report: &Report) -> String {
    let colour = match report.status {
        0 => AnsiColor::Green,
        3 => AnsiColor::Yellow,
        _ => AnsiColor::Red,
    };
    let mut shown = format!("{}\n", styled(colour, &spaced(&report.sentence)));
    let width = report.details.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
    // A table has spaces of its own.
    let shown_text = |label: &str, text: &str| if label.is_empty() { clean(text) } else { spaced(text) };
    let details =
        report.details.iter().map(|(label, text)| format!("  {label:<width$}  {}\n", shown_text(label, text)));
    let notes = report.notes.iter().map(|note| format!("{}\n", spaced(note)));
    shown.extend(details.chain(notes));
    shown
}

fn styled(colour: AnsiColor, text: &str) -> String {
    let style = Style::new().bold().fg_color(Some(colour.into()));
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_elsewhere_cannot_drive_the_terminal() {
        assert_eq!(clean("a\u{1b}[2Jb\nc\u{202e}d\u{85}"), "a\\u{1b}[2Jb\\u{a}c\\u{202e}d\\u{85}");
        assert_eq!(clean("Žarko, 東京"), "Žarko, 東京");
        for unseen in ['\u{ad}', '\u{61c}', '\u{200b}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{e0041}'] {
            assert!(clean(&unseen.to_string()).starts_with("\\u{"), "{unseen:?}");
        }
    }

    /// A name shows where it ends, and how many spaces are in it.
    #[test]
    fn names_are_quoted() {
        assert_eq!(quoted("a \"b\" \\"), r#""a \"b\" \\""#);
        assert_eq!(quoted("a\u{a0}b\u{3000}c   d\n"), r#""a\u{a0}b\u{3000}c \u{20} d\u{a}""#);
        assert_eq!(clean("a\u{2003}b"), "a\\u{2003}b");
        assert_eq!(spaced("a    b c"), "a \\u{20} \\u{20}b c");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_no_text_are_escaped() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"a\xff\xc3 \"b"));
        assert_eq!(
            (path_text(path), quoted_path(path)),
            (r#"a\xff\xc3 "b"#.to_owned(), r#""a\xff\xc3 \"b""#.to_owned())
        );
    }

    #[test]
    fn json_from_elsewhere_cannot_either_and_is_the_same_value() {
        let value = text("a\u{202e}\u{1b}\"\\\u{85}\u{e0041}\u{2028}Ž東");
        let shown = clean_json(&canonical(&value));
        assert_eq!(shown, "\"a\\u202e\\u001b\\\"\\\\\\u0085\\udb40\\udc41\\u2028Ž東\"");
        assert_eq!(Value::parse(shown.as_bytes()), Ok(value));
    }
}
