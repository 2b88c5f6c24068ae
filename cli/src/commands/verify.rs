//! `dualseal verify`: a signature record, a seal or a file of evidence, for whoever received one.

mod args;
mod asked;
mod beside;
mod bundle;
mod dated;
mod folder;
mod means;
mod names;
mod one;
mod record;
mod seal;
pub(crate) mod verdict;
mod who;

pub(crate) use args::{Args, Layers, Signer};
pub(crate) use bundle::{MOST as MOST_EVIDENCE, believed, noun};
pub(crate) use dated::{
    Dates, compromise_of_only, dates, has_dates, of_records, tell as tell_dates, tell_unplaced, unplaced,
};
pub(crate) use means::{known_here, ring_here};
pub(crate) use record::KNOWN_HERE;
pub(crate) use seal::no_seal;
pub(crate) use who::{ShownBy, Who};

use crate::context::Context;
use crate::failure::{Failure, USAGE};
use crate::input;
use crate::output::Report;
use means::{Keys, Named};
use one::one;

pub(crate) fn run(args: &Args, context: &Context) -> Result<Report, Failure> {
    if let Some(path) = &args.bundle.evidence {
        return bundle::verify(args, path, context);
    }
    args.evidence.is_of_something()?;
    if !input::is_standard(&args.record) {
        std::fs::metadata(&args.record).map_err(|error| Failure::reading(&args.record, &error))?;
    }
    let given = Keys::read(args)?;
    if args.document.is_none()
        && let Some(records) = beside::records(&args.record)?
    {
        return beside::verify(args, &given, &records, context);
    }
    let document = names::document(args)?;
    if args.key.len() > 1 {
        let hint = "give the key that it must be by; of several signers, name the document alone";
        return Err(Failure::new(USAGE, "a record is by one key, and several are given", hint));
    }
    let (key, ring) = (given.keys.first(), given.ring.as_ref());
    one(args, &Named { record: &args.record, document, key, ring }, context)
}
