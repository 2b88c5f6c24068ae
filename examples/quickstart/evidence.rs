//! The second part: seals, checkpoints, and evidence that outlives the key.

use crate::report::Report;
use crate::story::{CREATOR, Made, ORIGIN, Operator, sign};
use dualseal::checkpoint::{AgreedChain, Checkpoint};
use dualseal::key::RingFile;
use dualseal::key::Unprepared;
use dualseal::krunica::{KrunicaHash, Located};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::seal::{Conclusion, Legacy, Policy, Seal, SealVerifier};
use dualseal::verdict::InvalidReason;
use dualseal::{Domain, Entry, Error, KeyState, Krunica, SigningKey, SystemRng, Timestamp, VerdictKind, Verified};
use dualseal_examples::log::Log;
use dualseal_examples::words::short;
use dualseal_examples::{Fallible, files, now};
use std::path::Path;

/// Tells the second part and returns the last checkpoint.
pub(crate) fn tell(path: &Path, operator: &mut Operator, made: &Made, report: &mut Report) -> Fallible<Checkpoint> {
    let log = Log::new(&operator.domain, ORIGIN, CREATOR, &operator.context)?;
    seals(path, operator, made, report)?;

    println!("\nA checkpoint signs the whole chain, and the key is rotated:");
    let first = log.sign_first(operator.chain.head(), Some(&operator.ring))?;
    let head = first.record().tree_head();
    println!("  checkpoint over {} entries, root {}", head.size, short(head.root));
    let (honest_revision, honest_ring) = (operator.ring.revision(), operator.ring_file()?);
    let old_key = std::mem::replace(&mut operator.key, SigningKey::generate(&mut SystemRng)?);
    let (id, new_key) = (operator.identity_id, operator.key.public_key().clone());
    operator.change(|ring, head| Ok(ring.rotate(&id, new_key, head, now()?)?.entry))?;

    // The thief of the old key signs today and writes an old time into the record; the chain cannot be fooled.
    let content = made.content;
    let (back_dated, entry) = sign(operator, &old_key, &content, made.record.time())?;
    operator.append(entry)?;
    let agreed = check(&first, operator.chain.entries())?;
    let second = log.sign_next(&first, &agreed, Some(&operator.ring))?;

    let (domain, ring, retired) = (&operator.domain, &operator.ring, Some(InvalidReason::RetiredKey));
    let entries = operator.chain.entries();
    let (valid, invalid) = (VerdictKind::Valid, VerdictKind::Invalid);
    report.verify("the record, its place in the chain unknown", domain, ring, &content, &made.record, invalid, retired);
    let at = locate(&second, entries, *made.record.krunica_hash())?;
    report.verify_at(
        "the record, located before the rotation",
        domain,
        ring,
        &content,
        &made.record,
        at.as_ref(),
        valid,
        None,
    );
    let at = locate(&second, entries, *back_dated.krunica_hash())?;
    let name = "a back-dated record by the retired key";
    report.verify_at(name, domain, ring, &content, &back_dated, at.as_ref(), invalid, retired);

    println!("\nOther chains, held against the checkpoint:");
    let size = entries.len();
    let expected = format!("the chain was cut off: the checkpoint covers {size} entries, {} are there", size - 2);
    report.told.refused("a truncated chain", check(&second, &entries[..size - 2]), &expected);
    let expected = format!("the chain is not the one whose {size} entries were signed");
    report.told.refused("a rewritten chain", check(&second, rewritten(operator)?.entries()), &expected);
    let expected =
        format!("the tree over the {size} entries that were signed is another: their times are altered, or worse");
    report.told.refused("changed entry times", check(&second, retimed(&operator.chain)?.entries()), &expected);

    println!("\nThe ring, held against the chain:");
    let hash = *old_key.public_key().hash();
    operator.change(|ring, head| Ok(ring.set_state(&id, Some(&hash), KeyState::Revoked, head, now()?)?.entry))?;
    report.told.accepted("the ring as it is", &check_ring(operator, &second, &operator.ring_file()?));
    let (old, new) = (honest_revision, operator.ring.revision());
    let expected = format!("the ring is an old one: it has revision {old}, its chain {new}");
    report.told.refused("a restored old ring", check_ring(operator, &second, &honest_ring), &expected);

    let agreed = check(&second, operator.chain.entries())?;
    Ok(log.sign_next(&second, &agreed, Some(&operator.ring))?.into_record())
}

/// A second pass over the file, past all checks at once.
fn seals(path: &Path, operator: &mut Operator, made: &Made, report: &mut Report) -> Fallible<()> {
    println!("\nThe seal over the file, both layers asked for:");
    let other = operator.domain.identity_id(b"somebody else", CREATOR, &operator.context)?;
    let other_key = SigningKey::generate(&mut SystemRng)?.public_key().clone();
    operator.change(|ring, head| Ok(ring.add(&other, other_key, head, now()?)?.entry))?;
    let Operator { domain, identity_id, ring, .. } = &*operator;
    let (ours, theirs) = (operator.seal_key(identity_id), operator.seal_key(&other));

    let seal = Seal::from(made.seal.clone());
    let hmac = seal.info().hmac_hex;
    let legacy: Seal = format!("SEAL-L5::{hmac}").parse()?;
    let verifier = SealVerifier::new(domain, ring, &Unprepared);
    let mut checks = [
        verifier.begin(&seal, identity_id, Policy::Both(&ours), Legacy::Refused, None),
        verifier.begin(&legacy, identity_id, Policy::Both(&ours), Legacy::Permitted, None),
        verifier.begin(&seal, &other, Policy::Both(&theirs), Legacy::Refused, None),
    ];
    files::stream(path, |part| checks.iter_mut().for_each(|check| check.update(part)))?;
    let [valid, invalid] = [VerdictKind::Valid, VerdictKind::Invalid];
    let expected = [
        ("the dual seal as made", valid, None),
        ("downgraded to a legacy seal", invalid, Some(InvalidReason::LegacySeal)),
        ("passed off as another identity's", invalid, Some(InvalidReason::Content)),
    ];
    for (check, (name, kind, reason)) in checks.into_iter().zip(expected) {
        let Conclusion::Verdict(verdict) = check.finish().conclusion else {
            return Err("the policy `Both` gave no verdict".into());
        };
        report.told.verdict(name, &verdict, kind, reason);
    }
    // Appended, so that the seal outlives the key.
    let appended = made.seal.append_to(operator.chain.head(), &operator.domain, &operator.identity_id, now()?)?;
    operator.append(appended.entry)?;
    Ok(())
}

fn under<'a>(checkpoint: &Verified<Checkpoint>) -> Result<ChainReader<'a>, Error> {
    ChainReader::new(&Domain::default(), &TrustedHead::beginning()).under(checkpoint)
}

fn check(checkpoint: &Verified<Checkpoint>, entries: &[Entry]) -> Fallible<AgreedChain> {
    let mut reader = under(checkpoint)?;
    entries.iter().try_for_each(|entry| reader.push(entry))?;
    Ok(reader.finish()?.agreed().cloned().ok_or("no checkpoint")?)
}

fn locate(checkpoint: &Verified<Checkpoint>, entries: &[Entry], wanted: KrunicaHash) -> Fallible<Option<Located>> {
    let mut reader = under(checkpoint)?;
    let watched = reader.place(wanted)?;
    entries.iter().try_for_each(|entry| reader.push(entry))?;
    Ok(reader.finish()?.take(watched)?)
}

fn check_ring(operator: &Operator, checkpoint: &Verified<Checkpoint>, ring: &str) -> Result<(), Error> {
    let file = RingFile::from_json(ring.as_bytes())?;
    // Whoever has a vault asks its masters here; this log has none.
    let mut reader = under(checkpoint)?;
    let watched = reader.ring(file, &operator.ring_key, |_| false)?;
    operator.chain.entries().iter().try_for_each(|entry| reader.push(entry))?;
    reader.finish()?.take(watched).map(drop)
}

/// As many entries, all hashes right, and none of the old ones.
fn rewritten(operator: &Operator) -> Fallible<Krunica> {
    let mut chain = Krunica::new();
    for entry in operator.chain.entries() {
        chain.append(&operator.domain, entry.identity_id(), "nothing happened", entry.time())?;
    }
    Ok(chain)
}

/// The same entries, the first one an hour earlier: no entry's hash covers its time.
fn retimed(chain: &Krunica) -> Fallible<Krunica> {
    let first = chain.entries().first().ok_or("an empty chain")?.time();
    let earlier = Timestamp::from_millis(first.as_millis() - 3_600_000)?;
    let altered = chain.to_json().replacen(&first.to_string(), &earlier.to_string(), 1);
    Ok(Krunica::from_json(altered.as_bytes())?)
}
