//! The story: sealing, checking, unsealing, rebuilding and erasing, one line for each thing that is tried.

use crate::archive::{Archive, in_a_minute, title};
use crate::tamper;
use dualseal::field::Gf2_256;
use dualseal::key::Unprepared;
use dualseal::presence::{Nonce, Presence, PresenceProof};
use dualseal::shamir::DrawnSecret;
use dualseal::shard::{Arguments, Operation, Rebuilding, Recipient, ShardKey};
use dualseal::stream::KeyMaterial;
use dualseal::vault::{self, Public, Standing, TierPolicy, VaultRecord, VaultVerifier, trace_decoy};
use dualseal::{KeyRing, Signer, SigningKey, SystemRng, Verdict, VerdictKind, Verifier};
use dualseal_examples::files::{self, Readers};
use dualseal_examples::report::Report;
use dualseal_examples::words::{duration, short, size};
use dualseal_examples::{Fallible, now, timed};
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// What was sealed in this run.
pub(crate) struct Sealed {
    file: PathBuf,
    seq: u64,
    secret: Option<DrawnSecret<Gf2_256>>,
}

/// Tells all of it.
pub(crate) fn tell(archive: &Archive, documents: &[PathBuf]) -> Fallible<usize> {
    let mut report = Report::default();
    let mut sealed = seal(archive, documents)?;
    check(archive, &mut report)?;
    let first = sealed.first().ok_or("at least one file")?.seq;
    as_a_stranger(archive, first, &mut report)?;
    println!("\nNow one layer at a time is tampered with:");
    tamper::tell(archive, first, &mut report)?;
    println!("\nDocuments are taken out:");
    for one in &mut sealed {
        let secret = one.secret.take().ok_or("sealed in this run")?;
        unseal(archive, one, &secret, "with the secret of its sealing", &mut report)?;
    }
    println!("\nThe secrets are gone from memory; two of three nodes and two people bring one back:");
    let last = sealed.last().ok_or("at least one file")?;
    rebuild(archive, last, &mut report)?;
    trap(archive, first, &mut report)?;
    erase(archive, first, &mut report)?;
    Ok(report.surprises())
}

fn seal(archive: &Archive, documents: &[PathBuf]) -> Fallible<Vec<Sealed>> {
    let known = archive.view()?.records.len();
    println!("Ledger      {}  {known} records so far", short(archive.keys.ledger));
    let mut sealed = Vec::new();
    for file in documents {
        let bytes = std::fs::metadata(file)?.len();
        let (made, took) = timed(|| archive.seal(file, "DOCUMENT"));
        let (seq, secret) = made?;
        let record = archive.view()?.record(seq)?;
        println!(
            "Sealed      {}  {}, {} in {}",
            short(record.header().vault_id),
            file.display(),
            size(bytes),
            duration(took)
        );
        sealed.push(Sealed { file: file.clone(), seq, secret });
    }
    Ok(sealed)
}

fn check(archive: &Archive, report: &mut Report) -> Fallible<()> {
    println!("\nThe whole ledger, as the operator checks it under the last checkpoint:");
    let view = archive.view()?;
    let (checked, took) = timed(|| view.check());
    let (summary, all) = (checked?, view.records.len() as u64);
    let seen = format!("{} of {all} valid, in {}", summary.valid, duration(took));
    report.line("every layer of every record", &seen, summary.valid == all);
    Ok(())
}

/// Somebody who has the signer's public key, a copy of the record without its fragment, and the stored bytes.
fn as_a_stranger(archive: &Archive, seq: u64, report: &mut Report) -> Fallible<()> {
    let ring = KeyRing::pinned(&archive.keys.identity_id, archive.keys.signing.public_key().clone());
    let verifier = VaultVerifier::new(&archive.domain, &ring, &Unprepared);
    let view = archive.view()?;
    let (stored, record) = (view.stored_hash(seq)?, view.record(seq)?.redacted());
    let policy = Public { tiers: TierPolicy::any() };
    let seen = verifier.verify(record, &stored, &archive.keys.identity_id, &policy, Standing::default());
    println!("\nThe first of them, as a stranger sees it:\n{seen}");
    report.line("by the key that the stranger pinned", seen.verdict().kind().as_str(), seen.record().is_some());
    Ok(())
}

fn unseal(
    archive: &Archive,
    sealed: &Sealed,
    secret: &dyn KeyMaterial,
    how: &str,
    report: &mut Report,
) -> Fallible<()> {
    let path = archive.unsealed(sealed.seq)?;
    let (length, took) = timed(|| take_out(archive, sealed.seq, secret, &path));
    let seen = format!("{} unsealed {how}, in {}", size(length?), duration(took));
    let same = same_content(&path, &sealed.file)?;
    report.line(&title(&archive.view()?.record(sealed.seq)?), &seen, same);
    archive.disk.remove(&path)?;
    Ok(())
}

/// First pass: every layer. Second pass: the document, into a file that gets its name when all of it was right. Returns
/// its length, which is less than that of the stored bytes.
fn take_out(archive: &Archive, seq: u64, secret: &dyn KeyMaterial, path: &Path) -> Fallible<u64> {
    let view = archive.view()?;
    let verified = view.verified(seq, &view.located()?)?;
    let _: vault::Unsealed = files::whole(archive.disk.replace(path, Readers::Owner, |file| {
        let mut stored = view.stored(seq)?;
        Ok(vault::unseal_to(&verified, Some(secret), &mut stored, file)?)
    }))?;
    Ok(std::fs::metadata(path)?.len())
}

fn same_content(one: &Path, other: &Path) -> Fallible<bool> {
    let (mut one, mut other) = (files::open(one)?, files::open(other)?);
    let (mut a, mut b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let count = one.read(&mut a)?;
        if count == 0 {
            return Ok(other.read(&mut b)? == 0);
        }
        if other.read_exact(&mut b[..count]).is_err() || a[..count] != b[..count] {
            return Ok(false);
        }
    }
}

fn rebuild(archive: &Archive, sealed: &Sealed, report: &mut Report) -> Fallible<()> {
    let view = archive.view()?;
    let (vault_id, shards) = (view.record(sealed.seq)?.header().vault_id, view.shards(sealed.seq)?);
    let shard_key = ShardKey::derive(&archive.domain, archive.keys.master.secret(), &archive.keys.identity_id);
    let in_force = view.walk(|reader| reader.splits(Some(&shard_key), &vault_id))?.in_force()?;
    drop(view);
    let recipient = Recipient::of_key(archive.keys.signing.public_key().as_bytes());
    let rebuilding = Rebuilding {
        domain: &archive.domain,
        key: &shard_key,
        vault_id: &vault_id,
        identity_id: &archive.keys.identity_id,
        in_force: Some(&in_force),
        recipient: &recipient,
    };
    let wanted = [*shards[0].shard_id(), *shards[1].shard_id()];
    let request = rebuilding.request(Operation::Rebuild, &Arguments::default(), shards[0].split_id(), &wanted)?;
    let (now, nonce) = (now()?, Nonce::draw(&mut SystemRng)?);
    let expiry = in_a_minute(now)?;
    let proofs = archive
        .keys
        .guardians
        .each_ref()
        .map(|guardian| PresenceProof::sign(&archive.domain, &request, &nonce, expiry, guardian));
    let mut used = BTreeSet::new();
    let mut attempt = |proofs: &[PresenceProof]| {
        let mut consume = |nonce: &Nonce| used.insert(nonce.to_hex());
        let verifier = &archive.enrolled;
        let mut gate = Presence { verifier, proofs, nonce, expiry, required: 2, consume: &mut consume };
        rebuilding.rebuild(&request, &shards[..2], &mut gate, now)
    };
    let alone = attempt(&proofs[..1]).map(drop);
    report.refused("one person alone", alone, "1 of 2 proofs of presence are good");
    let rebuilt = attempt(&proofs)?;
    let again = attempt(&proofs).map(drop);
    report.refused("the same proofs a second time", again, "the nonce of the challenge was used before");
    unseal(archive, sealed, &rebuilt.secret, "with the rebuilt secret", report)
}

/// Somebody read the store, took the fragment for a key and signs with it.
fn trap(archive: &Archive, seq: u64, report: &mut Report) -> Fallible<()> {
    println!("\nA thief reads the store and signs with what he found there:");
    let view = archive.view()?;
    let record = view.record(seq)?;
    let fragment = record.fragment().ok_or("the stored record holds its fragment")?;
    let thief = SigningKey::from_seed(fragment.secret().expose())?;
    let signer = Signer::new(&archive.domain, &archive.keys.identity_id, &thief);
    let content = signer.content_hash(b"pay the bearer");
    let signed = signer.sign(&content, view.state().head(), now()?, &mut SystemRng)?;
    let verdict = Verifier::new(&archive.domain, view.ring(), &Unprepared).verify(&content, signed.record, None);
    report.verdict("his signature", &verdict, VerdictKind::Decoy, None);
    let Verdict::Decoy(ticket) = verdict else { return Ok(()) };
    let records = view.records.values().map(VaultRecord::duplicate).collect::<Vec<_>>();
    let traced = trace_decoy(&archive.keys.master, &ticket, &records);
    let seen = traced.map_or_else(|| "nowhere".to_owned(), short);
    report.line("traced to the vault", &seen, traced == Some(record.header().vault_id));
    Ok(())
}

fn erase(archive: &Archive, seq: u64, report: &mut Report) -> Fallible<()> {
    let record = archive.view()?.record(seq)?;
    println!("\nThe first document is erased: its secret and its shards are destroyed, and the ledger says so:");
    archive.erase(seq)?;
    let view = archive.view()?;
    let left = view.shards(seq)?.len();
    report.line(&title(&record), &format!("{left} shards left"), left == 0);
    let covered = view.erasures()?.iter().filter(|erasure| erasure.covers(&record)).count();
    report.line("entries of the ledger that say so", &covered.to_string(), covered == 1);
    drop(view);
    check(archive, report)?;
    std::io::stdout().flush()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dualseal_operator::disk::Disk;

    #[test]
    fn what_is_taken_out_has_the_length_of_the_document() {
        let folder = std::env::temp_dir().join(format!("dualseal-vault-story-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        let archive = Archive::open(&folder, Disk::new()).unwrap();
        let document = folder.join("document");
        std::fs::write(&document, "a will").unwrap();
        let (seq, secret) = archive.seal(&document, "DOCUMENT").unwrap();
        let path = archive.unsealed(seq).unwrap();
        assert_eq!(take_out(&archive, seq, &secret.unwrap(), &path).unwrap(), 6);
        assert_eq!(std::fs::read(&path).unwrap(), b"a will");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
