//! Chains, ledgers and an operator's records as JSON lines, of any size, in memory for one line.

use super::finding::Inspected;
use super::kept::RECORDS;
use super::opened::Opened;
use crate::failure::Failure;
use dualseal::inspect::{Kind, inspect};
use dualseal::krunica::{Checker, JsonLines};
use dualseal::vault::VaultRecord;
use dualseal::{Error, SignatureRecord};

/// What holds one vault record a line.
const LEDGER: &str = "vault ledger (JSON lines)";

/// A file whose first line is an entry of a chain, or a record of a ledger.
pub(super) fn look(file: &mut Opened) -> Result<Option<Inspected>, Failure> {
    let begins = file.begins();
    let Some(end) = begins.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
    match inspect(begins.get(..end).unwrap_or_default()).kind {
        Kind::ChainLines => {
            let mut checker = Checker::new();
            let fault = run(file, |line| Ok(checker.push_json(line).map(drop)?))?;
            Ok(Some(found(Kind::ChainLines.as_str(), checker.head().size(), fault)))
        }
        // A record that has its line end is one record.
        Kind::VaultRecord | Kind::SignatureRecord if end + 1 < begins.len() => {
            let (mut count, mut kind) = (0, LEDGER);
            let fault = run(file, |line| {
                // An operator keeps both in one file.
                if inspect(line).kind == Kind::SignatureRecord {
                    kind = RECORDS;
                    SignatureRecord::from_json(line)?;
                } else {
                    VaultRecord::from_json(line)?;
                }
                count += 1;
                Ok(())
            })?;
            Ok(Some(found(kind, count, fault)))
        }
        _ => Ok(None),
    }
}

/// The first fault, where there is one.
fn run(file: &mut Opened, mut each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<Option<Error>, Failure> {
    let (mut lines, mut fault) = (JsonLines::new(), None);
    file.parts(|part| {
        fault = lines.push(part, &mut each).err();
        fault.is_none()
    })?;
    Ok(fault.or_else(|| lines.finish().err()))
}

fn found(kind: &str, count: u64, fault: Option<Error>) -> Inspected {
    let found = Inspected { count: Some(count), ..Inspected::new(kind) };
    match fault {
        Some(fault) => found.with(&fault),
        None => found,
    }
}
