//! Photos: what is taken for one, and what is shown of it. Its content decides what it is. It ends where its format
//! says that it ends, and what is shown is drawn anew, without a word of where and when and by what it was taken.
//! Within its format a file may still hold what no decoder looks at, or an end that was put behind half of it: what was
//! sent is therefore never served as anything but bytes.

mod extent;

use extent::Extent;
use image::codecs::jpeg::JpegEncoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// The most pixels of one.
const PIXELS: u64 = 40_000_000;
/// The most bytes that it takes to decode one, beside what was sent: what has more colours, or keeps all of them to the
/// end, may have fewer pixels.
const MEMORY: u64 = 160 << 20;
/// The most bytes of what a photo says of itself.
const WORDS: usize = 256 << 10;
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
const UNREADABLE: Fault = "does not decode";

/// Draws a photo anew.
///
/// # Errors
/// What it is not.
pub(crate) fn shown(bytes: &[u8]) -> Result<Shown, Fault> {
    let extent = extent::of(bytes).ok_or("is no JPEG, PNG or WebP")?;
    match extent.end {
        Some(end) if end == bytes.len() => {}
        Some(_) => return Err("has something behind its end"),
        None => return Err("is cut off"),
    }
    if extent.words > WORDS {
        return Err("says too much of itself");
    }
    let (mut image, orientation) = decoded(bytes, extent)?;
    // Made small before it is turned, which takes as much again.
    if image.width().max(image.height()) > SIDE {
        image = image.thumbnail(SIDE, SIDE);
    }
    image.apply_orientation(orientation);
    let mut image = DynamicImage::ImageRgb8(image.into_rgb8());
    let mut side = SIDE;
    loop {
        if image.width().max(image.height()) > side {
            image = image.thumbnail(side, side);
        }
        for quality in [85, 70, 55] {
            let mut jpeg = Vec::new();
            image.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, quality)).map_err(|_| UNREADABLE)?;
            if jpeg.len() <= SHOWN {
                return Ok(Shown { jpeg, size: (image.width(), image.height()) });
            }
        }
        // Noise alone gets here; half of its sides is a quarter of it.
        side = image.width().max(image.height()) / 2;
    }
}

/// Its picture as it was sent, and how it is turned.
fn decoded(bytes: &[u8], extent: Extent) -> Result<(DynamicImage, Orientation), Fault> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), extent.format);
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| UNREADABLE)?;
    // `image` holds its own buffer to no limit.
    let each = u64::from(decoder.color_type().bytes_per_pixel());
    let each = match extent.format {
        // Where it comes in several passes, two bytes of each sample are kept until the last one.
        ImageFormat::Jpeg if extent.is_in_passes => 3 * each,
        ImageFormat::WebP => 2 * each,
        _ => each,
    };
    fits(decoder.dimensions(), each)?;
    let orientation = decoder.orientation().map_err(|_| UNREADABLE)?;
    Ok((DynamicImage::from_decoder(decoder).map_err(|_| UNREADABLE)?, orientation))
}

/// Whether what takes so many bytes for each pixel may be decoded.
fn fits((width, height): (u32, u32), each: u64) -> Result<(), Fault> {
    let pixels = u64::from(width) * u64::from(height);
    if pixels > PIXELS {
        return Err("has more than 40 megapixels");
    }
    if pixels * each > MEMORY { Err("takes too much memory") } else { Ok(()) }
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

    /// What has sixteen bits of each colour, or comes in passes, takes more for each pixel.
    #[test]
    fn what_takes_too_much_memory_is_not_decoded() {
        let mut out = Cursor::new(Vec::new());
        DynamicImage::new_rgba16(5000, 5000).write_to(&mut out, ImageFormat::Png).unwrap();
        let deep = out.into_inner();
        assert!(deep.len() < 2 << 20);
        assert_eq!(shown(&deep).unwrap_err(), "takes too much memory");
        // The largest that a camera makes.
        fits((7300, 5470), 3).unwrap();
        assert_eq!(fits((7300, 5470), 9).unwrap_err(), "takes too much memory");
        let mut passes = made(ImageFormat::Jpeg, 64, 48);
        assert!(!extent::of(&passes).unwrap().is_in_passes);
        let frame = passes.windows(2).position(|two| two == [0xff, 0xc0]).unwrap();
        passes[frame + 1] = 0xc2;
        assert!(extent::of(&passes).unwrap().is_in_passes);
    }

    #[test]
    fn what_is_no_part_of_the_picture_is_short() {
        let jpeg = made(ImageFormat::Jpeg, 64, 48);
        let mut archive = jpeg[..2].to_vec();
        for _ in 0..5 {
            archive.extend([0xff, 0xfe, 0xff, 0xff]);
            archive.resize(archive.len() + 0xfffd, b'P');
        }
        archive.extend(&jpeg[2..]);
        let png = made(ImageFormat::Png, 64, 48);
        let mut told = png[..33].to_vec();
        let text = [&b"teXt"[..], &vec![b'P'; WORDS + 1]].concat();
        told.extend(u32::try_from(WORDS + 1).unwrap().to_be_bytes());
        told.extend(&text);
        told.extend(crc(&text).to_be_bytes());
        told.extend(&png[33..]);
        let webp = made(ImageFormat::WebP, 64, 48);
        let mut other = webp.clone();
        other.extend(b"ABCD");
        other.extend(u32::try_from(WORDS + 2).unwrap().to_le_bytes());
        other.resize(other.len() + WORDS + 2, b'P');
        let size = u32::try_from(other.len() - 8).unwrap();
        other[4..8].copy_from_slice(&size.to_le_bytes());
        for (name, file) in [("JPEG", archive), ("PNG", told), ("WebP", other)] {
            assert_eq!(shown(&file).err(), Some("says too much of itself"), "{name}");
        }
    }

    #[test]
    fn a_turned_photo_is_shown_upright() {
        let plain = made(ImageFormat::Jpeg, 40, 30);
        // One entry: orientation, 6.
        let exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let head = [0xff, 0xe1, 0, u8::try_from(exif.len() + 2).unwrap()];
        let turned = [&plain[..2], &head, exif, &plain[2..]].concat();
        assert_eq!((shown(&plain).unwrap().size, shown(&turned).unwrap().size), ((40, 30), (30, 40)));
    }

    fn crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
        })
    }
}
