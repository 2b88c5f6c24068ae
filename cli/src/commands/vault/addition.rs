//! What belongs to every record that is added to a ledger.

use super::keys::Keys;
use super::ledger::{self, Ledger, head_json};
use crate::chain_file::{agreed, entries, under};
use crate::context::Context;
use crate::failure::Failure;
use crate::home::{Home, LEDGER, Step};
use crate::output::Report;
use crate::store::{CHAIN, Readers};
use dualseal::checkpoint::{CheckpointSigner, HighWaterMark};
use dualseal::encoding::json::Value;
use dualseal::krunica::Appended;
use dualseal::vault::{Sealed, Tier, VaultSealer};
use dualseal::{CheckedRing, Entry, IdentityId, KeyState, SigningKey, SystemRng, Timestamp};

/// Seals for the ledger's identity, at its tier.
pub(super) fn vault<'a>(identity_id: &IdentityId, tier: Tier, keys: &'a Keys, key: &'a SigningKey) -> VaultSealer<'a> {
    let vault = VaultSealer::new(&keys.master, identity_id, key);
    match (&keys.tier, tier) {
        (Some(tier), Tier::Noble) => vault.noble(tier),
        (Some(tier), _) => vault.native(tier),
        (None, _) => vault,
    }
}

/// Adds to a step what belongs to every record, with the entry that follows its own, if any. Says whether a checkpoint
/// covers it.
pub(super) fn keep(
    step: &mut Step<'_>,
    ledger: &Ledger<'_>,
    mut ring: CheckedRing,
    (sealed, end): (&Sealed, Option<&Appended>),
    key: &SigningKey,
    covered: bool,
    context: &Context,
) -> Result<bool, Failure> {
    let header = sealed.record.header();
    step.file(&ledger.file(&ledger::record(header.seq)), Readers::Owner, sealed.record.to_stored_json().as_bytes())?;
    let head = head_json(&ledger.identity_id, ledger.tier, &sealed.ledger);
    step.file(&ledger.file(LEDGER), Readers::All, head.as_bytes())?;
    ring.add_decoy(&sealed.decoy, &sealed.entry)?;
    step.append(&sealed.entry, sealed.head.clone());
    let mut added = vec![&sealed.entry];
    if let Some(Appended { entry, head }) = end {
        step.append(entry, head.clone());
        ring.follow(entry, |_| false)?;
        added.push(entry);
    }
    step.ring(&ring)?;
    if covered { cover(step, ledger, &ring, header.created_at, &added, key, context) } else { Ok(false) }
}

/// Signs a checkpoint over the chain with the new entries, by whoever signed the last one. Without that key here, and
/// valid, there is none: another signer's would be a checkpoint that nobody pinned.
fn cover(
    step: &mut Step<'_>,
    ledger: &Ledger<'_>,
    ring: &CheckedRing,
    time: Timestamp,
    added: &[&Entry],
    key: &SigningKey,
    context: &Context,
) -> Result<bool, Failure> {
    let (home, domain): (&Home, _) = (ledger.home, ledger.domain());
    let Some(last) = home.last_checkpoint(ring)? else { return Ok(false) };
    let log = *last.record().identity_id();
    let other = if log == ledger.identity_id {
        None
    } else if home.key_path(&log).exists() && ring.info(&log).is_some_and(|info| info.state == KeyState::Valid) {
        Some(home.signer(ring, &log, context.passphrase())?)
    } else {
        return Ok(false);
    };
    let signer = CheckpointSigner::new(domain, home.origin(), &log, other.as_ref().unwrap_or(key))?;
    let mut reader = under(domain, &last)?;
    entries(&home.path(CHAIN), |json| reader.push_json(json).map(drop))?;
    added.iter().try_for_each(|entry| reader.push(entry))?;
    let mark = HighWaterMark::of(&last).next(&agreed(&reader.finish()?)?.growth(), Some(ring))?;
    let checkpoint = signer.sign(&mark, time, &mut SystemRng)?;
    step.checkpoint(&checkpoint)?;
    Ok(true)
}

pub(super) fn tell_covered(report: Report, covered: bool) -> Report {
    let report = report.member("checkpoint", Value::Bool(covered));
    if covered {
        return report;
    }
    report.note("No checkpoint covers it yet: sign one by `dualseal checkpoint sign`, and give it to others.")
}
