//! Paths in messages: what is no text in them is seen byte by byte, so that no two names look alike.
//!
//! ```
//! use dualseal_operator::paths::Show;
//! use std::path::Path;
//!
//! assert_eq!(Path::new("deeds/contract.pdf").shown().to_string(), "deeds/contract.pdf");
//! # #[cfg(unix)] {
//! use std::ffi::OsStr;
//! use std::os::unix::ffi::OsStrExt;
//! assert_eq!(Path::new(OsStr::from_bytes(b"a\xffb")).shown().to_string(), r"a\xffb");
//! # }
//! ```

use std::fmt;
use std::path::Path;

/// A path as it is shown.
#[derive(Clone, Copy, Debug)]
pub struct ShownPath<'a>(&'a Path);

/// Paths for messages, in place of [`Path::display`], which shows every byte that is no text as the same character.
pub trait Show {
    /// With bytes that are no text as `\xff`.
    fn shown(&self) -> ShownPath<'_>;
}

impl Show for Path {
    fn shown(&self) -> ShownPath<'_> {
        ShownPath(self)
    }
}

impl fmt::Display for ShownPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.as_os_str().as_encoded_bytes().utf8_chunks() {
            f.write_str(chunk.valid())?;
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}
