//! `trustd chain verify`: reads everything that the database has of its logs.

use super::{Fault, Stored};
use platform::clock::Clock;
use platform::config::Config;
use platform::log::{VerifyFault, verify};
use std::io::Write;

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// All of it holds: the program ends with 0.
    Whole,
    /// Something does not: 1.
    Broken,
    /// It could not be read: 2.
    Unread,
}

impl Found {
    /// What the program ends with.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Whole => 0,
            Self::Broken => 1,
            Self::Unread => 2,
        }
    }
}

/// Reads the chain of every log, with its ring, state, mark, tree, checkpoints, records and secrets, and names the
/// first thing that does not hold.
///
/// # Errors
/// [`Fault`] where the storage does not open.
pub async fn verify_chain(config: &Config, clock: &Clock, out: &mut dyn Write) -> Result<Found, Fault> {
    let stored = Stored::open(config, clock).await?;
    match verify(&stored.db, &stored.secrets, &stored.mark()).await {
        Ok(verified) => {
            for log in &verified.logs {
                let (entries, records, checkpoints) = (log.entries, log.records, log.checkpoints);
                writeln!(out, "{}: {entries} entries, {records} records, {checkpoints} checkpoints", log.origin)?;
                writeln!(out, "  the last checkpoint covers {} entries", log.covered)?;
            }
            writeln!(out, "{} secrets", verified.secrets)?;
            writeln!(out, "all of it holds")?;
            Ok(Found::Whole)
        }
        Err(fault) => {
            writeln!(out, "{}: {fault}", fault.name())?;
            Ok(found(&fault))
        }
    }
}

fn found(fault: &VerifyFault) -> Found {
    if fault.is_unread() { Found::Unread } else { Found::Broken }
}
