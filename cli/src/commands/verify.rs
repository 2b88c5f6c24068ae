//! `dualseal verify`: a signature record, a seal or a file of evidence, for whoever received one.

mod asked;
mod bench;
mod bundle;
mod dated;
mod record;
mod seal;
pub(crate) mod verdict;

pub(crate) use bench::{Args, Layers, Signer};
pub(crate) use bundle::{MOST as MOST_EVIDENCE, believed};
pub(crate) use dated::{
    Dates, compromise_of_only, dates, has_dates, of_records, tell as tell_dates, tell_unplaced, unplaced,
};
pub(crate) use seal::no_seal;

use crate::context::Context;
use crate::failure::{Failure, READ};
use crate::input;
use crate::output::Report;
use bench::{Bench, record_first};
use dualseal::SignatureRecord;
use dualseal::inspect::{Kind, inspect};

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    if let Some(path) = &args.bundle.evidence {
        return bundle::verify(args, path, context);
    }
    let bytes = input::small(&args.record)?;
    let bench = Bench::new(args, context)?;
    let about = |failure: Failure| failure.about(args.record.display());
    // The line end of its file is no part of a seal.
    if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| text.starts_with("SEAL-")) {
        let seal = text.strip_suffix('\n').unwrap_or(text).parse().map_err(|error| about(Failure::from(error)))?;
        return seal::verify(&bench, &seal);
    }
    match inspect(&bytes).kind {
        Kind::SignatureRecord => {
            let record = SignatureRecord::from_json(&bytes).map_err(|error| about(error.into()))?;
            record::verify(&bench, &record)
        }
        Kind::Unknown if args.record.as_os_str().as_encoded_bytes().ends_with(b".seal") => {
            Err(about(no_seal(&bytes).into()))
        }
        Kind::Unknown => {
            let message = format!("{} is neither a signature record nor a seal", args.record.display());
            Err(Failure::new(READ, message, record_first(&args.record)))
        }
        kind => {
            let message = format!("{} is a {kind}, not a signature record or a seal", args.record.display());
            Err(Failure::new(READ, message, "see `dualseal --help` for the command that checks it"))
        }
    }
}
