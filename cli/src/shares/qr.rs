//! QR codes of texts, as PNG and for a terminal. The encoder's own buffers are not wiped: whoever asks for a picture of
//! a secret has it in memory and wherever the picture goes.

use crate::failure::{Failure, USAGE};
use qrcode::render::unicode::Dense1x2;
use qrcode::{Color, EcLevel, QrCode};
use zeroize::Zeroizing;

/// The light border that readers need, in modules (ISO/IEC 18004).
const QUIET: usize = 4;
/// Pixels of a module: a share is then some five centimetres wide at 300 dots an inch.
const PIXELS: usize = 8;

/// A text as a picture.
pub(crate) struct Qr(QrCode);

impl Qr {
    pub(crate) fn new(text: &str) -> Result<Self, Failure> {
        let hint = "leave out `png` and `qr`, and keep the share as a file";
        let long = |_| Failure::new(USAGE, "the share is too long for a QR code", hint);
        QrCode::with_error_correction_level(text, EcLevel::M).map(Self).map_err(long)
    }

    /// For a terminal, dark on light whatever its own colours are.
    pub(crate) fn to_terminal(&self) -> Zeroizing<String> {
        let picture = Zeroizing::new(self.0.render::<Dense1x2>().quiet_zone(true).build());
        let mut shown = Zeroizing::new(String::new());
        for line in picture.lines() {
            shown.push_str("\x1b[30;107m");
            shown.push_str(line);
            shown.push_str("\x1b[0m\n");
        }
        shown
    }

    /// A PNG with one bit for each pixel.
    pub(crate) fn to_png(&self) -> Result<Zeroizing<Vec<u8>>, png::EncodingError> {
        let (width, modules) = (self.0.width(), self.0.to_colors());
        let side = (width + 2 * QUIET) * PIXELS;
        let dark = |x: usize, y: usize| {
            let module = |pixel: usize| (pixel / PIXELS).checked_sub(QUIET).filter(|module| *module < width);
            let place = module(x).zip(module(y)).map(|(x, y)| y * width + x);
            place.and_then(|place| modules.get(place)) == Some(&Color::Dark)
        };
        let mut rows = Zeroizing::new(Vec::with_capacity(side * side / 8));
        for y in 0..side {
            // The side is a multiple of 8.
            for first in (0..side).step_by(8) {
                rows.push((0..8).fold(0_u8, |byte, bit| byte << 1 | u8::from(!dark(first + bit, y))));
            }
        }
        let mut file = Zeroizing::new(Vec::new());
        let side = u32::try_from(side).unwrap_or(u32::MAX);
        let mut encoder = png::Encoder::new(&mut *file, side, side);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::One);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&rows)?;
        writer.finish()?;
        Ok(file)
    }
}
