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

/// Adds the record of a step that was placed to the ledger's files, writes all of it, and then signs a checkpoint over
/// it, by whoever signed the last one. Without that key here, and valid, there is none: another signer's would be one
/// that nobody pinned. Says whether there is one.
pub(super) fn keep(
    mut ready: Ready<'_>,
    ledger: &Ledger<'_>,
    time: Timestamp,
    key: &SigningKey,
    covered: bool,
    context: &Context,
) -> Result<bool, Failure> {
    let records = &ready.changes().vault_records;
    let kept = records.iter().map(|record| (record.header().seq, record.to_stored_json())).collect::<Vec<_>>();
    for (seq, json) in kept {
        ready.file(&ledger.file(&ledger::record(seq)), Readers::Owner, json.as_bytes());
    }
    let ring = ready.commit()?.ring().clone();
    if covered { cover(ledger, &ring, time, key, context) } else { Ok(false) }
}

fn cover(
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

pub(super) fn tell_covered(report: Report, covered: bool) -> Report {
    let report = report.member("checkpoint", Value::Bool(covered));
    if covered {
        return report;
    }
    report.note("No checkpoint covers it yet: sign one by `dualseal checkpoint sign`, and give it to others.")
}
