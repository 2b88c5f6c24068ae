//! Shares in pictures: every QR code in a PNG, as text. What the readers of PNG and of QR codes keep to themselves
//! while they work (rows that are unpacked, the bits of a code) is not wiped.

use crate::failure::{Failure, READ};
use quircs::Quirc;
use std::io::Cursor;
use zeroize::{Zeroize, Zeroizing};

const MAGIC: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// So many pixels at most: a page that was scanned finely has 35 million.
const PIXELS: u64 = 64 << 20;

/// Whether a file is a PNG.
pub(crate) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// What the QR codes in a PNG say, one a line.
pub(crate) fn texts(bytes: &[u8], place: &str) -> Result<Zeroizing<String>, Failure> {
    let hint = "take a straight, sharp picture of the whole code, or type the share from its text";
    let refused = |what: &str| Failure::new(READ, format!("{place}: {what}"), hint);
    let (width, height, grey) = grey(bytes).ok_or_else(|| refused("it is no PNG that can be read"))?;
    let mut quirc = Quirc::default();
    let mut payloads = Vec::new();
    for code in quirc.identify(width, height, &grey) {
        let Ok(mut code) = code else { continue };
        let read = code.decode().map(|read| Zeroizing::new(read.payload));
        code.cell_bitmap.zeroize();
        payloads.extend(read);
    }
    // It is a field of the reader's that nothing wipes.
    quirc.pixels.zeroize();
    let found: Vec<&str> = payloads.iter().filter_map(|read| std::str::from_utf8(read).ok()).collect();
    if found.is_empty() {
        return Err(refused("no QR code in it can be read"));
    }
    // All at once: a text that grows leaves copies of itself behind.
    let mut texts = Zeroizing::new(String::with_capacity(found.iter().map(|text| text.len() + 1).sum()));
    for text in found {
        texts.push_str(text);
        texts.push('\n');
    }
    Ok(texts)
}

/// Width, height and a byte of brightness for each pixel; what is seen through is white.
fn grey(bytes: &[u8]) -> Option<(usize, usize, Zeroizing<Vec<u8>>)> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    if u64::from(width) * u64::from(height) > PIXELS {
        return None;
    }
    let mut pixels = Zeroizing::new(vec![0; reader.output_buffer_size()?]);
    let info = reader.next_frame(&mut pixels).ok()?;
    let pixels = pixels.get(..info.buffer_size())?;
    let of = |colour: &[u8]| match colour {
        [grey] => *grey,
        [grey, alpha] => over_white(*grey, *alpha),
        [red, green, blue] => brightness([*red, *green, *blue]),
        [red, green, blue, alpha] => over_white(brightness([*red, *green, *blue]), *alpha),
        _ => u8::MAX,
    };
    let grey: Vec<u8> = pixels.chunks_exact(info.color_type.samples()).map(of).collect();
    Some((usize::try_from(width).ok()?, usize::try_from(height).ok()?, Zeroizing::new(grey)))
}

fn brightness(colours: [u8; 3]) -> u8 {
    let sum: u16 = colours.into_iter().map(u16::from).sum();
    u8::try_from(sum / 3).unwrap_or(u8::MAX)
}

fn over_white(grey: u8, alpha: u8) -> u8 {
    let (grey, alpha, white) = (u32::from(grey), u32::from(alpha), u32::from(u8::MAX));
    u8::try_from((grey * alpha + white * (white - alpha)) / white).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shares::qr::Qr;

    #[test]
    fn a_picture_is_read_into_one_place() {
        let png = Qr::new("DUALSEAL-SHARE").unwrap().to_png().unwrap();
        let texts = texts(&png, "share.png").unwrap();
        assert_eq!((texts.as_str(), texts.capacity()), ("DUALSEAL-SHARE\n", 15));
    }
}
