//! The canonical writer of RFC 8785.

use crate::encoding::hex;
use alloc::string::String;
use core::fmt::{self, Write};

/// Bytes that are looked through at once.
const BLOCK: usize = 64;

/// Writes one canonical text, or measures it.
pub(crate) struct Writer {
    /// `None` while it measures.
    text: Option<String>,
    length: usize,
    /// Whether an array or object was opened and nothing stands in it yet.
    first: bool,
}

/// What `write` writes, in a buffer of just its size: one that moved as it grew would leave a copy of a secret behind.
pub(crate) fn written(write: impl Fn(&mut Writer)) -> String {
    let mut measure = Writer { text: None, length: 0, first: true };
    write(&mut measure);
    let text = Some(String::with_capacity(measure.length));
    let mut writer = Writer { text, length: 0, first: true };
    write(&mut writer);
    writer.text.unwrap_or_default()
}

impl Writer {
    pub(crate) fn open(&mut self, bracket: &str) {
        self.push(bracket);
        self.first = true;
    }

    pub(crate) fn close(&mut self, bracket: &str) {
        self.push(bracket);
        self.first = false;
    }

    /// Before each item of an array.
    pub(crate) fn item(&mut self) {
        if !self.first {
            self.push(",");
        }
        self.first = false;
    }

    /// Before the value of each member, which come in UTF-16 order.
    pub(crate) fn name(&mut self, name: &str) {
        self.item();
        self.text(name);
        self.push(":");
    }

    pub(crate) fn null(&mut self) {
        self.push("null");
    }

    pub(crate) fn bool(&mut self, value: bool) {
        self.push(if value { "true" } else { "false" });
    }

    pub(crate) fn integer(&mut self, number: impl fmt::Display) {
        // Writing to a text does not fail.
        let _ = write!(self, "{number}");
    }

    /// A string of the digits of these bytes.
    pub(crate) fn hex(&mut self, bytes: &[u8]) {
        if self.text.is_none() {
            self.length = self.length.saturating_add(bytes.len().saturating_mul(2)).saturating_add(2);
            return;
        }
        self.push("\"");
        hex::encode_in_pieces(bytes, |digits| self.push(core::str::from_utf8(digits).unwrap_or_default()));
        self.push("\"");
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.push("\"");
        let mut rest = text;
        while let Some((plain, escaped)) = special(rest).and_then(|at| rest.split_at_checked(at)) {
            self.push(plain);
            let mut characters = escaped.chars();
            self.escape(characters.next().unwrap_or_default());
            rest = characters.as_str();
        }
        self.push(rest);
        self.push("\"");
    }

    fn escape(&mut self, character: char) {
        match character {
            '"' => self.push("\\\""),
            '\\' => self.push("\\\\"),
            '\x08' => self.push("\\b"),
            '\t' => self.push("\\t"),
            '\n' => self.push("\\n"),
            '\x0c' => self.push("\\f"),
            '\r' => self.push("\\r"),
            control => {
                let _ = write!(self, "\\u{:04x}", u32::from(control));
            }
        }
    }

    fn push(&mut self, part: &str) {
        match &mut self.text {
            None => self.length = self.length.saturating_add(part.len()),
            Some(text) => text.push_str(part),
        }
    }
}

/// Where the first character stands that is escaped. All of them are ASCII, and no byte of another character is.
fn special(text: &str) -> Option<usize> {
    let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f);
    // A record is ten thousand digits without one: a block is looked at as a whole, which compiles to vectors.
    let is_plain = |block: &&[u8]| !block.iter().fold(false, |found, byte| found | is_special(byte));
    let plain = BLOCK.saturating_mul(text.as_bytes().chunks(BLOCK).take_while(is_plain).count());
    let rest = text.as_bytes().get(plain..)?;
    rest.iter().position(is_special).map(|at| plain.saturating_add(at))
}

impl Write for Writer {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.push(part);
        Ok(())
    }
}
