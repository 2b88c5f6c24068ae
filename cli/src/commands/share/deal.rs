//! What a dealing is asked for, and what it leaves behind: its record, and the shares in the forms that were asked for.

use crate::failure::Failure;
use crate::output::{Report, integer, path_text};
use crate::shares::dealt::Exchange;
use crate::shares::form::{Form, Forms, Outgoing, padded};
use crate::shares::text::Format;
use crate::shares::text::Set;
use crate::store::NewFolder;
use crate::store::Readers;
use dualseal::encoding::json::Value;
use dualseal::shamir::{Commitments, Dealing, Dealt, Share, Threshold};
use std::path::Path;

/// The record's file.
pub(crate) const DEALING: &str = "dealing.json";

/// How many of how many shares are asked for.
pub(crate) fn threshold(k: u64, n: u64) -> Result<Threshold, Failure> {
    let hint = "ask for 2 to 255 --shares, and a --threshold from 2 to as many";
    Threshold::new(k, n).map_err(|error| Failure::from(error).hint(hint))
}

/// The set that a dealing's shares belong to.
pub(crate) fn set_of<F: Exchange>(dealing: &Dealing<F>) -> Set {
    Set { dealing_id: *dealing.dealing_id(), split_id: *dealing.split_id(), threshold: dealing.threshold() }
}

/// The shares of a dealing, ready to be given out.
pub(crate) fn outgoing<F: Exchange>(dealt: &Dealt<F>, format: Format, of: &str) -> Result<Vec<Outgoing>, Failure> {
    dealt.shares.iter().map(|share| one(&dealt.dealing, share, format, of)).collect()
}

/// One share, ready to be given out.
pub(crate) fn one<F: Exchange>(
    dealing: &Dealing<F>,
    share: &Share<F>,
    format: Format,
    of: &str,
) -> Result<Outgoing, Failure> {
    let set = set_of(dealing);
    let (k, n, index) = (set.threshold.k(), set.threshold.n(), share.index().get());
    let heading = match format {
        Format::Dualseal => {
            let of = crate::output::clean(of);
            format!(
                "# Share {index} of {n} of {of}: any {k} give it back. Keep it secret, and away from the others.\n\
                 # dualseal combine SHARES… --dealing dealing.json --wrapped FILE.wrapped -o FILE\n"
            )
        }
        Format::Ssss => String::new(),
    };
    let text = F::to_text(format, &set, share)?;
    Ok(Outgoing { number: padded(index, n), heading, text, ending: "txt" })
}

/// Writes the record, and the shares that get files.
pub(crate) fn write<F: Exchange>(
    folder: &mut NewFolder,
    dealt: &Dealt<F>,
    forms: &Forms,
    outgoing: &[Outgoing],
) -> Result<(), Failure> {
    let record = format!("{}\n", dealt.dealing.to_json());
    folder.write(DEALING, Readers::All, record.as_bytes())?;
    forms.write(folder, outgoing)
}

/// Tells what was dealt, and where it is.
pub(crate) fn tell<F: Exchange>(
    report: Report,
    folder: &Path,
    dealt: &Dealt<F>,
    forms: &Forms,
    outgoing: &[Outgoing],
) -> Report {
    let set = set_of(&dealt.dealing);
    let report = report
        .detail("dealing", "dealing", path_text(&folder.join(DEALING)))
        .detail("dealing_id", "dealing id", set.dealing_id.to_hex())
        .detail("split_id", "split id", set.split_id.to_hex())
        .member("k", integer(set.threshold.k().into()))
        .member("n", integer(set.threshold.n().into()));
    tell_shares(report, folder, forms, outgoing)
}

/// Tells where shares are.
pub(crate) fn tell_shares(report: Report, folder: &Path, forms: &Forms, outgoing: &[Outgoing]) -> Report {
    let mut files = Vec::new();
    for (form, ending) in [(Form::File, None), (Form::Png, Some("png"))] {
        if forms.has(form) {
            let name = |one: &Outgoing| format!("share-{}.{}", one.number, ending.unwrap_or(one.ending));
            files.extend(outgoing.iter().map(|one| path_text(&folder.join(name(one)))));
        }
    }
    let report = files.iter().fold(report, |report, file| report.line("share", file.as_str()));
    let report = report.member("shares", Value::Array(files.into_iter().map(Value::String).collect()));
    report.aside_if(forms.shown())
}
