//! Photos: what is taken for one, and what is shown of it. Its content decides what it is. It ends where its format
//! says that it ends, so that nothing else hides behind it, and what is shown is drawn anew, without a word of where
//! and when and by what it was taken.

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// The most pixels of one.
const PIXELS: u64 = 40_000_000;
/// The most bytes that its decoder takes, beside what it was given.
const MEMORY: u64 = 256 << 20;
/// The longer side of what is shown.
const SIDE: u32 = 2048;
/// The most bytes of what is shown.
pub(crate) const SHOWN: usize = 500_000;

/// What is shown of a photo.
#[derive(Debug)]
pub(crate) struct Shown {
    /// A JPEG.
    pub(crate) jpeg: Vec<u8>,
    /// Its size.
    pub(crate) size: (u32, u32),
}

/// What is wrong with a photo.
pub(crate) type Fault = &'static str;

/// Draws a photo anew.
///
/// # Errors
/// What it is not.
pub(crate) fn shown(bytes: &[u8]) -> Result<Shown, Fault> {
    let (format, end) = kind(bytes).ok_or("is no JPEG, PNG or WebP")?;
    match end {
        Some(end) if end == bytes.len() => {}
        Some(_) => return Err("has something behind its end"),
        None => return Err("is cut off"),
    }
    let unreadable = |_| "does not decode";
    let mut decoder = ImageReader::with_format(Cursor::new(bytes), format).into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS {
        return Err("has more than 40 megapixels");
    }
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MEMORY);
    decoder.set_limits(limits).map_err(unreadable)?;
    let orientation = decoder.orientation().map_err(unreadable)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    image.apply_orientation(orientation);
    let mut image = DynamicImage::ImageRgb8(image.into_rgb8());
    let mut side = SIDE;
    loop {
        if image.width().max(image.height()) > side {
            image = image.thumbnail(side, side);
        }
        for quality in [85, 70, 55] {
            let mut jpeg = Vec::new();
            image.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, quality)).map_err(unreadable)?;
            if jpeg.len() <= SHOWN {
                return Ok(Shown { jpeg, size: (image.width(), image.height()) });
            }
        }
        // Noise alone gets here; half of its sides is a quarter of it.
        side = image.width().max(image.height()) / 2;
    }
}

/// What a file is by its first bytes, and where it ends by its format; nothing where it ends earlier.
fn kind(bytes: &[u8]) -> Option<(ImageFormat, Option<usize>)> {
    if bytes.starts_with(b"\xff\xd8\xff") {
        Some((ImageFormat::Jpeg, jpeg_end(bytes)))
    } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some((ImageFormat::Png, png_end(bytes)))
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        let size = bytes.get(4..8)?.try_into().map(u32::from_le_bytes).ok()?;
        let end = usize::try_from(size).ok()?.checked_add(8)?;
        Some((ImageFormat::WebP, Some(end).filter(|end| *end <= bytes.len())))
    } else {
        None
    }
}

/// Behind the marker of the end (ITU-T T.81, annex B): segments have lengths, and what is coded is followed to the next
/// marker.
fn jpeg_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 2_usize;
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
                let length = u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?);
                at += usize::from(length);
                if marker == 0xda {
                    at = behind_scan(bytes, at)?;
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
fn png_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 8_usize;
    loop {
        let length = u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?);
        let name = bytes.get(at + 4..at + 8)?;
        at = at.checked_add(usize::try_from(length).ok()?)?.checked_add(12)?;
        if at > bytes.len() {
            return None;
        }
        if name == b"IEND" {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage};

    fn made(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
        let image = RgbImage::from_fn(width, height, |x, y| {
            let byte = |one: u32| u8::try_from(one.wrapping_mul(2_654_435_761) >> 24).unwrap();
            Rgb([byte(x * 7 + y), byte(x + y * 13), byte(x * y)])
        });
        let mut out = Cursor::new(Vec::new());
        image.write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    #[test]
    fn what_is_shown_is_small_and_drawn_anew() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
            let bytes = made(format, 2600, 1200);
            let shown = shown(&bytes).unwrap();
            assert!(shown.jpeg.len() <= SHOWN && shown.jpeg.starts_with(b"\xff\xd8\xff"), "{format:?}");
            assert!(shown.size.0 <= SIDE && shown.size.0 > shown.size.1, "{:?}", shown.size);
        }
    }

    #[test]
    fn what_it_says_of_itself_is_not_shown() {
        let plain = made(ImageFormat::Jpeg, 40, 30);
        let mut with_text = plain[..2].to_vec();
        let text = b"Exif\0\0 N 45.8 E 15.9";
        with_text.extend([0xff, 0xe1, 0, u8::try_from(text.len() + 2).unwrap()]);
        with_text.extend(text);
        with_text.extend(&plain[2..]);
        let shown = shown(&with_text).unwrap();
        assert!(!shown.jpeg.windows(4).any(|four| four == b"45.8"));
    }

    /// Nothing hides behind an image, and nothing is shown of half of one.
    #[test]
    fn an_image_ends_where_it_ends() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
            let whole = made(format, 64, 48);
            assert!(shown(&whole).is_ok(), "{format:?}");
            let mut behind = whole.clone();
            behind.extend(b"PK\x03\x04<script>");
            assert_eq!(shown(&behind).unwrap_err(), "has something behind its end", "{format:?}");
            for end in [whole.len() - 1, whole.len() / 2, 30] {
                assert_eq!(shown(&whole[..end]).unwrap_err(), "is cut off", "{format:?} {end}");
            }
        }
        for other in [&b"<html>"[..], b"GIF89a", b"%PDF-1.7", b"", b"\xff\xd8", b"PK\x03\x04"] {
            assert!(shown(other).is_err(), "{other:?}");
        }
        // A beginning and an end make no image.
        assert_eq!(shown(b"\xff\xd8\xff\xd9").unwrap_err(), "does not decode");
    }

    /// Its size is known before any of it is decoded.
    #[test]
    fn a_bomb_is_not_opened() {
        let mut small = made(ImageFormat::Png, 16, 16);
        for (at, size) in [(16, 10_000_u32), (20, 10_000)] {
            small[at..at + 4].copy_from_slice(&size.to_be_bytes());
        }
        let head = crc(&small[12..29]);
        small[29..33].copy_from_slice(&head.to_be_bytes());
        assert_eq!(shown(&small).unwrap_err(), "has more than 40 megapixels");
    }

    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
        })
    }
}
