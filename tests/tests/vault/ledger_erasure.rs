//! Erasure: an entry of the ledger that says of an encrypted record that its secret is gone, while every record still
//! verifies.

use dualseal::error::{Misuse, Problem, StreamFault, VaultFault};
use dualseal::key::{KeyState, Unprepared};
use dualseal::shamir::{SplitId, Threshold};
use dualseal::vault::{
    Encryption, Erasure, Evidence, LedgerHead, LedgerId, OperatorRecord, Place, Tier, Vault, VaultReport,
    VaultVerifier, unseal,
};
use dualseal::{Domain, Error, SystemRng, VerdictKind};
use dualseal_tests::vault::{Archive, bent, kind, master, record, with};
use dualseal_tests::{identity, key};

fn split(byte: u8) -> SplitId {
    SplitId::from_bytes([byte; 32])
}

/// Erases a kept record and destroys its secret.
fn erase(archive: &mut Archive, index: usize, splits: &[SplitId]) -> usize {
    let (sealed, stored) = archive
        .vault(Tier::Native)
        .erase(&archive.verified(index), splits, &archive.place(), &mut SystemRng)
        .expect("erased");
    archive.kept[index].secret = None;
    archive.keep(sealed, stored)
}

#[test]
fn an_erased_ledger_still_holds() {
    let mut archive = Archive::of_three(1);
    let before = archive.verified(0);
    let erasing = erase(&mut archive, 0, &[split(2), split(1), split(2)]);
    assert_eq!(archive.check().unwrap().valid, 4);
    let record = archive.kept[erasing].record();
    assert_eq!((record.header().kind.as_str(), record.header().encryption), ("ERASURE", Encryption::None));
    let erased = archive.kept[0].record();
    let payload = format!(
        r#"{{"splits":["{}","{}"],"vault_id":"{}"}}"#,
        "01".repeat(32),
        "02".repeat(32),
        erased.header().vault_id
    );
    assert_eq!(archive.kept[erasing].stored, payload.as_bytes());

    let read = Erasure::read(&archive.verified(erasing), &archive.kept[erasing].stored).unwrap();
    assert_eq!((read.vault_id(), read.splits()), (&erased.header().vault_id, &[split(1), split(2)][..]));
    assert!(read.covers(&erased) && !read.covers(&archive.kept[2].record()));
    // The bytes are still there and still what they were; nobody can open them.
    assert_eq!(unseal(&before, None, &archive.kept[0].stored).unwrap_err(), Misuse::NoVaultSecret.into());
    let other = dualseal::secret::Secret::<32>::random(&mut SystemRng).unwrap();
    let opened = unseal(&before, Some(&other), &archive.kept[0].stored);
    assert_eq!(opened.unwrap_err(), StreamFault::OtherKey.into());
}

/// Shards of the erased record that are left below the threshold give nothing.
#[test]
fn too_few_shares_that_survive_are_worth_nothing() {
    let mut archive = Archive::of_three(1);
    let secret = archive.kept[0].secret.take().unwrap();
    let shares = secret.split(Threshold::new(3, 5).unwrap(), &mut SystemRng).unwrap();
    drop(secret);
    erase(&mut archive, 0, &[]);
    let verified = archive.verified(0);
    let guess = dualseal::shamir::reconstruct_unanchored(2, &shares[..2]).unwrap();
    let guess = dualseal::secret::Secret::<32>::from_slice("secret", guess.to_bytes().as_slice()).unwrap();
    let opened = unseal(&verified, Some(&guess), &archive.kept[0].stored);
    assert_eq!(opened.unwrap_err(), StreamFault::OtherKey.into());
}

#[test]
fn what_cannot_be_erased() {
    let archive = Archive::of_three(1);
    let vault = archive.vault(Tier::Public);
    let erase = |index: usize, place: &Place<'_>| {
        vault.erase(&archive.verified(index), &[], place, &mut SystemRng).map(drop).unwrap_err()
    };
    assert_eq!(erase(1, &archive.place()), Misuse::NotEncrypted.into());
    let elsewhere = LedgerHead::new(&LedgerId::from_bytes([9; 32]));
    let place = Place { ledger: &elsewhere, ..archive.place() };
    assert_eq!(erase(0, &place), Misuse::ForeignLedger.into());
    // Somebody else's record, by somebody else's vault.
    let (eva, eva_key) = (identity("eva"), key(9));
    let vault = Vault::new(master(), &eva, &eva_key);
    let refused = vault.erase(&archive.verified(0), &[], &archive.place(), &mut SystemRng);
    assert_eq!(refused.map(drop).unwrap_err(), Misuse::ForeignLedger.into());
}

/// Whoever can write to the operator's disk puts another record in the place of the one that is to be erased, or one
/// that names another document: no verification of it gives the proof that erasing takes. Neither does a key that is
/// not valid, nor a place in the chain that nobody showed.
#[test]
fn what_was_planted_is_not_erased() {
    let mut archive = Archive::of_three(1);
    let proven = |report: VaultReport<OperatorRecord>| report.into_verdict().valid().is_some();
    assert!(proven(archive.judge(0, archive.kept[0].record())));
    let vault_id = archive.kept[2].record().header().vault_id.to_hex();
    let renamed = with(&archive.kept[0].json, &["sealed", "header", "vault_id"], vault_id);
    assert!(!proven(archive.judge(0, record(&renamed))));
    assert!(!proven(archive.judge(0, archive.kept[2].record())));
    assert!(!proven(archive.judge_by(&archive.operator(), 0, archive.kept[0].record(), false)));
    for state in [KeyState::Revoked, KeyState::Decoy, KeyState::Suspended] {
        archive.set_state(state);
        assert!(!proven(archive.judge(0, archive.kept[0].record())), "{state}");
    }
}

/// An erasure that names somebody's record counts only with the same ledger and identity: anybody could write the text.
#[test]
fn an_erasure_counts_for_its_own_ledger_and_identity() {
    let (mut ours, mut theirs) = (Archive::of_three(1), Archive::of_three(2));
    let ours_erased = erase(&mut ours, 0, &[]);
    let theirs_erased = erase(&mut theirs, 0, &[]);
    let read =
        |archive: &Archive, index: usize| Erasure::read(&archive.verified(index), &archive.kept[index].stored).unwrap();
    assert!(read(&ours, ours_erased).covers(&ours.kept[0].record()));
    assert!(!read(&ours, ours_erased).covers(&theirs.kept[0].record()));
    assert!(!read(&theirs, theirs_erased).covers(&ours.kept[0].record()));
    // A record that is made to look encrypted, or of the other ledger, is not the one that was erased.
    let plain = ours.kept[1].record();
    assert!(!read(&ours, ours_erased).covers(&plain));
    let moved = with(&ours.kept[0].json, &["sealed", "header", "ledger"], theirs.ledger.ledger().to_hex());
    assert!(!read(&ours, ours_erased).covers(&record(&moved)));
    let renamed = with(&ours.kept[0].json, &["sealed", "header", "identity_id"], identity("eva").to_hex());
    assert!(!read(&ours, ours_erased).covers(&record(&renamed)));
}

/// Reading takes a proof: an erasure that does not verify counts for nothing, and neither do other bytes.
#[test]
fn an_erasure_is_read_from_a_verified_record_only() {
    let mut archive = Archive::of_three(1);
    let erasing = erase(&mut archive, 0, &[split(1)]);
    let verified = archive.verified(erasing);
    let stored = archive.kept[erasing].stored.clone();
    let mut other = stored.clone();
    other[20] ^= 1;
    assert_eq!(Erasure::read(&verified, &other).unwrap_err(), VaultFault::StoredChanged.into());
    let deed = archive.verified(1);
    assert_eq!(Erasure::read(&deed, &archive.kept[1].stored).unwrap_err(), Misuse::NotErasure.into());
    let report = archive.judge(erasing, record(&bent(&archive.kept[erasing].json, &["L6"])));
    assert_eq!(kind(&report), VerdictKind::Invalid);
    assert!(report.into_verdict().valid().is_none());
    // A stranger who verified it by the public policy reads it too.
    let (domain, ring) = (Domain::default(), &archive.registry.ring);
    let verifier = VaultVerifier::new(&domain, ring, &Unprepared);
    let kept = &archive.kept[erasing];
    let public = verifier.verify(kept.record().redacted(), &kept.hash(), &archive.public(), Evidence::default());
    let public = public.into_verdict().valid().unwrap();
    assert_eq!(Erasure::read(&public, &stored).unwrap().splits(), [split(1)]);
}

/// What another program of the operator sealed under this type is read by the same rules.
#[test]
fn the_payload_of_an_erasure_has_one_form() {
    let domain = Domain::builder("DUALSEAL").build().unwrap();
    let mut archive = Archive::of_three(1);
    let vault_id = archive.kept[0].record().header().vault_id;
    let (a, b) = ("1".repeat(64), "2".repeat(64));
    for (payload, problem) in [
        (format!(r#"{{"splits":["{a}","{a}"],"vault_id":"{vault_id}"}}"#), Problem::Order),
        (format!(r#"{{"splits":["{b}","{a}"],"vault_id":"{vault_id}"}}"#), Problem::Order),
        (format!(r#"{{"splits":"{a}","vault_id":"{vault_id}"}}"#), Problem::WrongType),
        (format!(r#"{{"vault_id":"{vault_id}"}}"#), Problem::MissingMember),
        ("{".to_string(), Problem::JsonSyntax),
    ] {
        // Sealed as a deed, and then called an erasure by whoever holds every key: the operator's own program at fault.
        let index = archive.seal(payload.as_bytes(), "DEED", Encryption::None, Tier::Public);
        let json = dualseal_tests::vault::resealed(&archive, index, "ERASURE", &payload);
        archive.kept[index].json = json;
        let report = archive.judge_by(&archive.public(), index, archive.kept[index].record(), false);
        let verified = report.into_verdict().valid().expect("sealed with the operator's keys");
        let error = Erasure::read(&verified, payload.as_bytes()).unwrap_err();
        assert!(matches!(&error, Error::Malformed(malformed) if malformed.problem == problem), "{payload}: {error}");
    }
    assert_eq!(domain, Domain::default());
}
