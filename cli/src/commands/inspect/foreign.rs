//! Files of other programs, by the bytes that they begin with.

/// What each begins with, and what to call it.
const BEGINNINGS: [(&[u8], &str); 12] = [
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"II*\0", "a TIFF picture"),
    (b"MM\0*", "a TIFF picture"),
    (b"PK\x03\x04", "a ZIP archive, or an office document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"(\xb5/\xfd", "a zstd archive"),
    (b"\x7fELF", "a program"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an older office document"),
];

/// What other programs call a file that begins so.
pub(super) fn what(begins: &[u8]) -> Option<&'static str> {
    BEGINNINGS.into_iter().find(|(bytes, _)| begins.starts_with(bytes)).map(|(_, what)| what)
}
