//! What belongs to every record that is added to a ledger.

use super::keys::Keys;
use super::ledger::{self, Ledger};
use crate::context::Context;
use crate::failure::Failure;
use crate::home::{Home, Ready};
use crate::output::Report;
use crate::store::Readers;
use dualseal::encoding::json::Value;
use dualseal::vault::{Tier, VaultSealer};
use dualseal::{CheckedRing, IdentityId, KeyState, SigningKey, Timestamp};

/// Seals for the ledger's identity, at its tier.
pub(super) fn vault<'a>(identity_id: &IdentityId, tier: Tier, keys: &'a Keys, key: &'a SigningKey) -> VaultSealer<'a> {
    let vault = VaultSealer::new(&keys.master, identity_id, key);
    match (&keys.tier, tier) {
        (Some(tier), Tier::Noble) => vault.noble(tier),
        (Some(tier), _) => vault.native(tier),
        (None, _) => vault,
    }
}

/// Whether a checkpoint covers what was written.
pub(super) enum Covered {
    Yes,
    No,
    /// None could be signed. What was written stays.
    Failed(Failure),
}

/// Adds the record of a step that was placed to the ledger's files, and writes all of it. Gives the ring after it.
pub(super) fn keep(mut ready: Ready<'_>, ledger: &Ledger<'_>) -> Result<CheckedRing, Failure> {
    let records = &ready.changes().vault_records;
    let kept = records.iter().map(|record| (record.header().seq, record.to_stored_json())).collect::<Vec<_>>();
    for (seq, json) in kept {
        ready.file(&ledger.file(&ledger::record(seq)), Readers::Owner, json.as_bytes());
    }
    Ok(ready.commit()?.ring().clone())
}

/// Signs a checkpoint over what was written, by whoever signed the last one. Without that key here, and valid, there is
/// none: another signer's would be one that nobody pinned.
pub(super) fn cover(
    ledger: &Ledger<'_>,
    ring: &CheckedRing,
    time: Timestamp,
    key: &SigningKey,
    context: &Context,
) -> Covered {
    match covered(ledger, ring, time, key, context) {
        Ok(true) => Covered::Yes,
        Ok(false) => Covered::No,
        Err(failure) => Covered::Failed(failure),
    }
}

fn covered(
    ledger: &Ledger<'_>,
    ring: &CheckedRing,
    time: Timestamp,
    key: &SigningKey,
    context: &Context,
) -> Result<bool, Failure> {
    let home: &Home = ledger.home;
    let Some(last) = home.last_checkpoint(ring)? else { return Ok(false) };
    let log = *last.record().identity_id();
    let other = if log == ledger.identity_id {
        None
    } else if home.key_path(&log).exists() && ring.info(&log).is_some_and(|info| info.state == KeyState::Valid) {
        Some(home.signer(ring, &log, context.passphrase())?)
    } else {
        return Ok(false);
    };
    home.sign_checkpoint(&log, other.as_ref().unwrap_or(key), time, context.passphrase())?;
    Ok(true)
}

pub(super) fn tell_covered(report: Report, covered: &Covered) -> Report {
    let report = report.member("checkpoint", Value::Bool(matches!(covered, Covered::Yes)));
    let next = "sign one by `dualseal checkpoint sign`, and give it to others.";
    match covered {
        Covered::Yes => report,
        Covered::No => report.note(format!("No checkpoint covers it yet: {next}")),
        Covered::Failed(failure) => {
            let why = failure.message();
            report.note(format!("IT IS WRITTEN, and no checkpoint could be signed over it ({why}): {next}"))
        }
    }
}
