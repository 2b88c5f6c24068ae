//! Erasure: an entry of the ledger that says of an encrypted record that its secret is gone, while every record still
//! verifies.

use dualseal::error::{Layer, Misuse, Problem, StreamFault, VaultFault};
use dualseal::key::{KeyState, Unprepared};
use dualseal::shamir::{SplitId, Threshold};
use dualseal::vault::{
    Destination, Encryption, Erasure, LedgerHead, LedgerId, Operator, OperatorRecord, Standing, Tier, TierPolicy,
    VaultReport, VaultSealer, VaultVerifier, unseal,
};
use dualseal::{Domain, Error, SystemRng, VerdictKind};
use dualseal_tests::registry::Registry;
use dualseal_tests::vault::{Archive, bent, failures, get, kind, master, master_of, record, with};
use dualseal_tests::{identity, key};

fn split(byte: u8) -> SplitId {
    SplitId::from_bytes([byte; 32])
}

/// Erases a kept record and destroys its secret.
fn erase(archive: &mut Archive, index: usize, splits: &[SplitId]) -> usize {
    let (sealed, stored) = archive
        .vault(Tier::Native)
        .erase(&archive.erasable(index), splits, &archive.place(), &mut SystemRng)
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
    let erase = |index: usize, place: &Destination<'_>| {
        vault.erase(&archive.erasable(index), &[], place, &mut SystemRng).map(drop).unwrap_err()
    };
    assert_eq!(erase(1, &archive.place()), Misuse::NotEncrypted.into());
    let elsewhere = LedgerHead::new(&LedgerId::from_bytes([9; 32]));
    let place = Destination { ledger: &elsewhere, ..archive.place() };
    assert_eq!(erase(0, &place), Misuse::ForeignLedger.into());
    // The ledger as it was before the record: it cannot say of what comes later that it was erased.
    let early = archive.kept[1].record().ledger_head();
    assert_eq!(early.size(), 2);
    assert_eq!(erase(2, &Destination { ledger: &early, ..archive.place() }), Misuse::ForeignLedger.into());
    let later = archive.kept[0].record().ledger_head();
    let place = Destination { ledger: &later, ..archive.place() };
    assert!(vault.erase(&archive.erasable(0), &[], &place, &mut SystemRng).is_ok());
}

/// What another vault says would not verify beside the record: the whole ledger would be refused from there on.
#[test]
fn another_vault_erases_nothing() {
    let archive = Archive::of_three(1);
    let (eva, eva_key) = (identity("eva"), key(9));
    let acme = Domain::new("ACME").unwrap();
    let (other, renamed) = (master_of(&Domain::default(), 0x4e), master_of(&acme, 0x4d));
    for (whose, vault) in [
        ("somebody else's", VaultSealer::new(master(), &eva, &eva_key)),
        ("of another master", VaultSealer::new(&other, &archive.ana, &archive.key)),
        ("of another domain", VaultSealer::new(&renamed, &archive.ana, &archive.key)),
    ] {
        let refused = vault.erase(&archive.erasable(0), &[], &archive.place(), &mut SystemRng);
        assert_eq!(refused.map(drop).unwrap_err(), Misuse::ForeignLedger.into(), "{whose}");
    }
}

fn erasable(report: &VaultReport<OperatorRecord>) -> bool {
    report.erasable().is_some()
}

/// Whoever can write to the operator's disk puts another record in the place of the one that is to be erased, or one
/// that names another document: no verification of it gives the proof that erasing takes, also not with a key that is
/// no longer trusted. Neither does a place in the chain that nobody showed.
#[test]
fn what_was_planted_is_not_erased() {
    for state in [KeyState::Valid, KeyState::Revoked, KeyState::Suspended] {
        let mut archive = Archive::of_three(1);
        if state != KeyState::Valid {
            archive.set_state(state);
        }
        let report = archive.judge(0, archive.kept[0].record());
        assert!(erasable(&report), "{state}");
        let vault_id = archive.kept[2].record().header().vault_id.to_hex();
        let renamed = with(&archive.kept[0].json, &["sealed", "header", "vault_id"], vault_id);
        assert!(!erasable(&archive.judge(0, record(&renamed))), "{state}");
        assert!(!erasable(&archive.judge(0, archive.kept[2].record())), "{state}");
        assert!(!erasable(&archive.judge_by(&archive.operator(), 0, archive.kept[0].record(), false)), "{state}");
        for path in [&["sealed", "layers", "L2", "hmac"][..], &["krunica_hash"], &["L6"]] {
            assert!(!erasable(&archive.judge(0, record(&bent(&archive.kept[0].json, path)))), "{state} {path:?}");
        }
        // The signature itself.
        let seal = get(&archive.kept[0].json, &["L5"]).as_str().unwrap().to_string();
        let other = dualseal_tests::next_digit(&seal, seal.len() - 1);
        let forged = record(&with(&archive.kept[0].json, &["L5"], other));
        let report = archive.judge(0, forged);
        assert!(failures(&report).contains(&Layer::L5) && !erasable(&report), "{state}");
        // Of tier native, which no table of keys shows.
        let no_keys = Operator { tiers: TierPolicy::any(), ..archive.operator() };
        assert!(!erasable(&archive.judge_by(&no_keys, 0, archive.kept[0].record(), true)), "{state}");
    }
}

/// After a key was stolen, the documents that it sealed are what most needs erasing: their other layers say as before
/// whose they are.
#[test]
fn a_record_whose_key_was_revoked_can_be_erased() {
    for state in [KeyState::Revoked, KeyState::Suspended] {
        let mut archive = Archive::of_three(1);
        archive.set_state(state);
        let report = archive.judge(0, archive.kept[0].record());
        assert!(kind(&report) != VerdictKind::Valid && failures(&report).is_empty());
        // Written down with a new key, where the identity has one.
        let fresh = key(8);
        if state == KeyState::Revoked {
            archive.registry.rotate(&archive.ana.clone(), fresh.public_key());
        }
        let report = archive.judge(0, archive.kept[0].record());
        let proof = report.erasable().expect("every layer passes");
        let sealing = if state == KeyState::Revoked { &fresh } else { &archive.key };
        let vault = VaultSealer::new(master(), &archive.ana, sealing);
        let (sealed, stored) = vault.erase(proof, &[split(1)], &archive.place(), &mut SystemRng).unwrap();
        let erasing = archive.keep(sealed, stored);
        let erased = archive.kept[0].record().header().vault_id;
        assert!(std::str::from_utf8(&archive.kept[erasing].stored).unwrap().contains(&erased.to_hex()), "{state}");
    }
}

/// A retired key's record is located before its retirement, or it is nobody's.
#[test]
fn a_record_of_a_retired_key_can_be_erased() {
    let mut archive = Archive::of_three(1);
    archive.registry.rotate(&archive.ana.clone(), key(8).public_key());
    assert!(erasable(&archive.judge(0, archive.kept[0].record())));
    assert!(!erasable(&archive.judge_by(&archive.operator(), 0, archive.kept[0].record(), false)));
}

/// A decoy's key gives no proof, whichever layers hold: a leaked fragment signs with it.
#[test]
fn what_a_decoy_signed_is_not_erased() {
    let mut archive = Archive::of_three(1);
    archive.set_state(KeyState::Decoy);
    let report = archive.judge(0, archive.kept[0].record());
    assert_eq!((kind(&report), failures(&report)), (VerdictKind::Decoy, vec![]));
    assert!(!erasable(&report));
    // An identity that the ring does not know.
    let mut archive = Archive::of_three(1);
    archive.registry.ring = Registry::new().ring;
    assert!(!erasable(&archive.judge(0, archive.kept[0].record())));
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
    let public =
        verifier.verify(kept.record().redacted(), &kept.hash(), &archive.ana, &archive.public(), Standing::default());
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
