//! L7 as a trap: a leaked fragment signs, and every signature that it makes is a decoy's.

use dualseal::error::RingFault;
use dualseal::key::{KeyRing, RingFile, Unprepared};
use dualseal::seal::{Conclusion, Legacy, Policy, Seal, SealKey, SealVerifier, Sealer};
use dualseal::vault::{Encryption, Fragment, Tier, VaultSealer, trace, trace_decoy};
use dualseal::verdict::Verdict;
use dualseal::{Domain, Entry, Head, Signer, SigningKey, SystemRng, VerdictKind, Verifier};
use dualseal_tests::identity;
use dualseal_tests::minute;
use dualseal_tests::reading::resumed;
use dualseal_tests::vault::{Archive, kind, master};

/// Somebody read the store and took what looks like a key.
fn stolen(archive: &Archive, index: usize) -> SigningKey {
    let record = archive.kept[index].record();
    SigningKey::from_seed(record.fragment().unwrap().secret().expose()).unwrap()
}

#[test]
fn a_signature_with_the_fragment_is_a_decoys() {
    let (domain, archive) = (Domain::default(), Archive::of_three(1));
    for index in 0..3 {
        let thief = stolen(&archive, index);
        let signer = Signer::new(&domain, &archive.ana, &thief);
        let content = signer.content_hash(b"pay me");
        let signed = signer.sign(&content, &Head::EMPTY, minute(9), &mut SystemRng).unwrap();
        let verifier = Verifier::new(&domain, &archive.registry.ring, &Unprepared);
        let verdict = verifier.verify(&content, signed.record.clone(), None);
        let Verdict::Decoy(ticket) = &verdict else { panic!("{verdict:?}") };
        assert_eq!(ticket.key_hash(), thief.public_key().hash());
        // It is nobody's key, and the operator's ring alone knows it.
        let ring: &KeyRing = &archive.registry.ring;
        assert!(ring.is_trap(thief.public_key()) && !ring.has_key(&archive.ana, thief.public_key()));
        assert!(!ring.is_trap(archive.key.public_key()));
        // The public answer gives nothing away, and the operator knows whose store was read.
        assert_eq!(verdict.public().as_ref().valid, Some(true));
        let records: Vec<_> = archive.kept.iter().map(|kept| kept.record().redacted()).collect();
        let traced = trace_decoy(master(), ticket, &records);
        assert_eq!(traced, Some(records[index].header().vault_id));
        // Whoever pinned the signer's key is not fooled by the answer.
        let pinned = KeyRing::pinned(&archive.ana, archive.key.public_key().clone());
        let verdict = Verifier::new(&domain, &pinned, &Unprepared).verify(&content, signed.record, None);
        assert_eq!(verdict.kind(), VerdictKind::Invalid);
    }
}

/// Whatever else the thief makes with it is no pass either.
#[test]
fn seals_and_records_with_the_fragment_do_not_pass() {
    let (domain, mut archive) = (Domain::default(), Archive::of_three(1));
    let thief = stolen(&archive, 0);
    let seal_key = SealKey::from_slice(&[8; 32]).unwrap();
    let seal = Sealer::new(&domain, &archive.ana, &seal_key, &thief).seal(b"pay me", &mut SystemRng).unwrap();
    let verifier = SealVerifier::new(&domain, &archive.registry.ring, &Unprepared);
    let report =
        verifier.verify(&Seal::from(seal), b"pay me", &archive.ana, Policy::Both(&seal_key), Legacy::Refused, None);
    assert!(matches!(report.conclusion, Conclusion::Verdict(Verdict::Invalid(_))));

    let vault = VaultSealer::new(master(), &archive.ana, &thief);
    let (sealed, stored) = vault.seal(b"x", "DEED", Encryption::None, &archive.place(), &mut SystemRng).unwrap();
    let index = archive.keep(sealed, stored);
    let report = archive.judge(index, archive.kept[index].record());
    assert_eq!(kind(&report), VerdictKind::Invalid, "{report}");
}

#[test]
fn a_leaked_fragment_names_its_vault() {
    let archive = Archive::of_three(1);
    let records: Vec<_> = archive.kept.iter().map(|kept| kept.record().redacted()).collect();
    for (index, kept) in archive.kept.iter().enumerate() {
        let found = Fragment::from_hex(&hex::encode(kept.record().fragment().unwrap().secret().expose())).unwrap();
        assert_eq!(trace(&found, &records), Some(records[index].header().vault_id));
    }
    let unknown = Fragment::from_hex(&"0f".repeat(32)).unwrap();
    assert_eq!(trace(&unknown, &records), None);
    assert_eq!(trace(&unknown, []), None);
    Fragment::from_hex(&"0F".repeat(32)).unwrap_err();
    Fragment::from_hex("0f").unwrap_err();
    Fragment::from_hex(&"00".repeat(32)).unwrap().decoy_key().unwrap_err();
}

/// Each record of each ledger and identity has a fragment of its own, and it says nothing of any key.
#[test]
fn fragments_differ() {
    let (mut one, mut two) = (Archive::new(1), Archive::new(2));
    for archive in [&mut one, &mut two] {
        for _ in 0..2 {
            archive.seal(b"the same", "DEED", Encryption::None, Tier::Public);
        }
    }
    let mut all: Vec<[u8; 32]> = [&one, &two]
        .iter()
        .flat_map(|archive| &archive.kept)
        .map(|kept| *kept.record().fragment().unwrap().secret().expose())
        .collect();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), 4);
    assert!(!all.contains(master().secret().expose()) && !all.contains(one.key.seed().expose()));
}

/// The trap of one identity catches nobody in another's name.
#[test]
fn a_decoy_is_of_one_identity() {
    let (domain, mut archive) = (Domain::default(), Archive::of_three(1));
    let eva = identity("eva");
    archive.registry.add(&eva, dualseal_tests::key(5).public_key());
    let thief = stolen(&archive, 0);
    let signer = Signer::new(&domain, &eva, &thief);
    let content = signer.content_hash(b"pay me");
    let signed = signer.sign(&content, &Head::EMPTY, minute(9), &mut SystemRng).unwrap();
    let verdict = Verifier::new(&domain, &archive.registry.ring, &Unprepared).verify(&content, signed.record, None);
    assert_eq!(verdict.kind(), VerdictKind::Invalid);
}

#[test]
fn a_ring_that_leaves_the_operator_has_no_trap() {
    let archive = Archive::of_three(1);
    assert_eq!(archive.registry.ring.decoy_count(), 3);
    let public = archive.registry.ring.public().to_json();
    assert!(!public.contains("decoy") && !public.contains("oboje"), "{public}");
}

/// A ring file restored from before a document was sealed, with its own good MAC: its decoys are not all.
#[test]
fn a_ring_file_from_before_a_document_is_an_old_one() {
    let mut archive = Archive::of_three(1);
    let before = archive.registry.file();
    archive.seal(b"deed 18", "DEED", Encryption::Stream, Tier::Public);
    let resume = |file: &str| {
        let file = RingFile::from_json(file.as_bytes()).unwrap();
        let (from, chain) = (usize::try_from(file.size()).unwrap(), &archive.registry.chain);
        let is_record = |entry: &Entry| master().vouches_for(entry);
        resumed(file, &archive.registry.authority, chain.head(), &chain.entries()[from..], is_record)
    };
    let rollback = RingFault::Rollback { ring: 1, chain: 1 };
    assert_eq!(resume(&before).unwrap_err(), rollback.into());
    assert_eq!(resume(&archive.registry.file()).unwrap(), archive.registry.ring);
    // What anybody writes in the form of such an entry makes no file old.
    let (file, elsewhere) = (archive.registry.file(), Domain::new("ELSEWHERE").unwrap());
    let last = archive.registry.chain.entries().last().unwrap().message().to_string();
    for message in [last.as_str(), "DUALSEAL-VAULT::L8::", "DUALSEAL-VAULT::L8::0::0::0::0::DUALSEAL"] {
        archive.registry.chain.append(&elsewhere, &archive.ana, message, minute(9)).unwrap();
    }
    let file = RingFile::from_json(file.as_bytes()).unwrap();
    let (from, chain) = (usize::try_from(file.size()).unwrap(), &archive.registry.chain);
    let is_record = |entry: &Entry| master().vouches_for(entry);
    let later = &chain.entries()[from..];
    assert!(resumed(file, &archive.registry.authority, chain.head(), later, is_record).is_ok());
}
