//! What a file is by its first bytes, and where it ends by its format: nothing is decoded for that.

use image::ImageFormat;

/// A file that begins as an image does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) format: ImageFormat,
    /// Where it ends; nothing where it is over before.
    pub(super) end: Option<usize>,
    /// How many of its bytes are no part of the picture: what it says of itself, and what nobody reads.
    pub(super) words: usize,
    /// Whether its picture comes in several passes.
    pub(super) is_in_passes: bool,
}

/// What a file is; nothing where it is none that is taken.
pub(super) fn of(bytes: &[u8]) -> Option<Extent> {
    let mut extent = Extent { format: ImageFormat::Jpeg, end: None, words: 0, is_in_passes: false };
    if bytes.starts_with(b"\xff\xd8\xff") {
        extent.end = jpeg(bytes, &mut extent);
    } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        extent.format = ImageFormat::Png;
        extent.end = png(bytes, &mut extent.words);
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        extent.format = ImageFormat::WebP;
        extent.end = webp(bytes, &mut extent.words);
    } else {
        return None;
    }
    Some(extent)
}

/// Behind the marker of the end (ITU-T T.81, annex B): segments have lengths, and what is coded is followed to the next
/// marker.
fn jpeg(bytes: &[u8], extent: &mut Extent) -> Option<usize> {
    let (mut at, mut passes) = (2_usize, 0);
    loop {
        if *bytes.get(at)? != 0xff {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        at += 2;
        match marker {
            0xd9 => return Some(at),
            // A byte that fills; those that stand alone.
            0xff => at -= 1,
            0x01 | 0xd0..=0xd7 => {}
            0x00 | 0xd8 => return None,
            marker => {
                let length = usize::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
                at += length;
                match marker {
                    0xda => {
                        passes += 1;
                        extent.is_in_passes |= passes > 1;
                        at = behind_scan(bytes, at)?;
                    }
                    0xc2 => extent.is_in_passes = true,
                    0xe0..=0xef | 0xfe => extent.words += length,
                    _ => {}
                }
            }
        }
    }
}

/// The next marker behind what is coded: 0 behind a 0xff belongs to that, and restarts do.
fn behind_scan(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xff)?;
        match *bytes.get(at + 1)? {
            0x00 | 0xd0..=0xd7 => at += 2,
            0xff => at += 1,
            _ => return Some(at),
        }
    }
}

/// Behind the chunk of the end (PNG, 5.3).
fn png(bytes: &[u8], words: &mut usize) -> Option<usize> {
    let mut at = 8_usize;
    loop {
        let length = usize::try_from(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?)).ok()?;
        let name = bytes.get(at + 4..at + 8)?;
        at = at.checked_add(length)?.checked_add(12)?;
        if at > bytes.len() {
            return None;
        }
        match name {
            b"IEND" => return Some(at),
            b"IHDR" | b"PLTE" | b"tRNS" | b"IDAT" => {}
            _ => *words += length,
        }
    }
}

/// Behind the last chunk (RFC 9649, 2.3), where the file's own size says that it is the last.
fn webp(bytes: &[u8], words: &mut usize) -> Option<usize> {
    let number = |at: usize| usize::try_from(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)).ok();
    let end = number(4)?.checked_add(8).filter(|end| *end <= bytes.len())?;
    let mut at = 12_usize;
    while at < end {
        let (name, length) = (bytes.get(at..at + 4)?, number(at + 4)?);
        at = at.checked_add(8)?.checked_add(length)?.checked_add(length % 2)?;
        if !matches!(name, b"VP8 " | b"VP8L" | b"VP8X" | b"ALPH") {
            *words += length;
        }
    }
    (at == end).then_some(end)
}
