//! One record over its document, by what is in its file.

use super::args::Args;
use super::means::{Means, Named};
use super::names::record_first;
use super::seal::no_seal;
use super::{folder, record, seal};
use crate::context::Context;
use crate::failure::{Failure, READ};
use crate::input;
use crate::output::Report;
use dualseal::SignatureRecord;
use dualseal::inspect::{Kind, inspect};
use dualseal_operator::paths::Show;

/// Verifies it.
pub(super) fn one(args: &Args, named: &Named<'_>, context: &Context) -> Result<Report, Failure> {
    let bytes = input::small(named.record)?;
    let means = Means::new(args, named, context)?;
    let about = |failure: Failure| failure.about(named.record.shown());
    // The line end of its file is no part of a seal.
    if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| text.starts_with("SEAL-")) {
        let seal = text.strip_suffix('\n').unwrap_or(text).parse().map_err(|error| about(Failure::from(error)))?;
        return folder::tell(seal::verify(&means, &seal)?, &means);
    }
    match inspect(&bytes).kind {
        Kind::SignatureRecord => {
            let record = SignatureRecord::from_json(&bytes).map_err(|error| about(error.into()))?;
            let means = means.carried(record.public_key())?;
            let report = record::verify(&means, &record)?;
            folder::tell(report, &means)
        }
        Kind::Unknown if named.record.as_os_str().as_encoded_bytes().ends_with(b".seal") => {
            Err(about(no_seal(&bytes).into()))
        }
        Kind::Unknown => {
            let message = format!("{} is neither a signature record nor a seal", named.record.shown());
            Err(Failure::new(READ, message, record_first(named.record)))
        }
        kind => {
            let message = format!("{} is a {kind}, not a signature record or a seal", named.record.shown());
            Err(Failure::new(READ, message, "see `dualseal --help` for the command that checks it"))
        }
    }
}
