//! JSON of what has a secret in it: written once, into memory that does not grow, and wiped. What grows leaves copies
//! behind that nobody wipes.

use serde::Serialize;
use std::io::{self, Write};
use zeroize::Zeroizing;

/// The JSON of a value.
pub(super) fn json<T: Serialize>(value: &T) -> serde_json::Result<Zeroizing<Vec<u8>>> {
    let mut length = Length(0);
    serde_json::to_writer(&mut length, value)?;
    let mut text = Zeroizing::new(Vec::with_capacity(length.0));
    serde_json::to_writer(&mut *text, value)?;
    Ok(text)
}

/// Keeps nothing of what is written but how much it is.
struct Length(usize);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::json;
    use serde_json::json;

    #[test]
    fn it_never_grows() {
        for value in [json!(null), json!({"vrijednost_hex": "0f".repeat(66)}), json!(["a\n\u{1}č".repeat(9000)])] {
            let text = json(&value).unwrap();
            assert_eq!(*text, serde_json::to_vec(&value).unwrap());
            assert_eq!(text.capacity(), text.len());
        }
    }
}
