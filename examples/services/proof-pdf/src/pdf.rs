//! The page as PDF/A-3b: the same bytes for the same page, whenever and wherever it is printed.

mod world;

use crate::page::Page;
use qrcode::{EcLevel, QrCode};
use std::fmt;
use std::fmt::Write as _;
use typst::foundations::{Datetime, Smart};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards, Timestamp};
use world::World;

/// Modules of white around a code (ISO/IEC 18004, 9.1).
const QUIET: usize = 4;

/// Why a page was not printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unprinted {
    /// It has a letter that no font has.
    Letter(String),
    /// Anything else.
    Fault(String),
}

impl fmt::Display for Unprinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Letter(why) | Self::Fault(why)) = self;
        write!(f, "the page cannot be printed: {why}")
    }
}

impl std::error::Error for Unprinted {}

/// Prints a page, with its attachments inside.
///
/// # Errors
/// [`Unprinted`]: a letter that no font has, an address that no code holds, a fault of the template.
pub fn pdf(page: &Page) -> Result<Vec<u8>, Unprinted> {
    let fault = |error: &dyn fmt::Display| Unprinted::Fault(error.to_string());
    let [address, _] = &page.code;
    let code = code(address).map_err(|error| fault(&error))?;
    let data = serde_json::to_vec(page).map_err(|error| fault(&error))?;
    let files = page.attachments.iter().map(|attachment| (attachment.name.clone(), attachment.bytes.clone()));
    let own = [("page.json".to_owned(), data), ("code.svg".to_owned(), code.into_bytes())];
    let world = World::new(own.into_iter().chain(files)).map_err(|error| fault(&format_args!("{error:?}")))?;
    let told = |errors: &[typst::diag::SourceDiagnostic]| {
        errors.iter().map(|error| error.message.as_str()).collect::<Vec<_>>().join("; ")
    };
    let compiled = typst::compile::<PagedDocument>(&world);
    let options = options(page).map_err(|errors| Unprinted::Fault(told(&errors)))?;
    // What is exported follows from the document: that a letter has no glyph is found here, if not before.
    let printed = compiled
        .output
        .map_err(|errors| Unprinted::Fault(told(&errors)))
        .and_then(|document| typst_pdf::pdf(&document, &options).map_err(|errors| Unprinted::Letter(told(&errors))));
    // What it keeps between pages is of use to an editor, and grows in a service.
    typst::comemo::evict(0);
    // A font that is missing, or a letter: it is said as a warning alone.
    if !compiled.warnings.is_empty() {
        return Err(Unprinted::Letter(told(&compiled.warnings)));
    }
    printed
}

fn options(page: &Page) -> typst::diag::SourceResult<PdfOptions> {
    let [year, month, day, hour, minute, second] = page.made;
    let small = |number: u16| u8::try_from(number).unwrap_or_default();
    let made =
        Datetime::from_ymd_hms(i32::from(year), small(month), small(day), small(hour), small(minute), small(second));
    let standards = PdfStandards::new(&[PdfStandard::A_3b]);
    let fault = |message: typst::diag::HintedString| {
        typst::ecow::eco_vec![typst::diag::SourceDiagnostic::error(typst::syntax::Span::detached(), message.message())]
    };
    Ok(PdfOptions {
        ident: Smart::Custom(format!("{} {}", page.name, page.language.as_str())),
        creator: Smart::Custom(Some("dualseal".to_owned())),
        timestamp: made.map(Timestamp::new_utc),
        standards: standards.map_err(fault)?,
        ..PdfOptions::default()
    })
}

/// A code of an address, as one path of squares.
fn code(address: &str) -> Result<String, qrcode::types::QrError> {
    let code = QrCode::with_error_correction_level(address, EcLevel::M)?;
    let width = code.width();
    let mut path = String::new();
    for (place, color) in code.to_colors().into_iter().enumerate() {
        if color == qrcode::Color::Dark {
            let (x, y) = (place % width + QUIET, place / width + QUIET);
            // Writing into a string does not fail.
            let _ = write!(path, "M{x} {y}h1v1h-1z");
        }
    }
    let side = width + 2 * QUIET;
    Ok(format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\"><path d=\"{path}\"/></svg>"))
}
