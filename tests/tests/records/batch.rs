//! Batches: one result an item, in order, none stopping the rest, the same as one by one.

use dualseal::batch::{
    ContentItem, Progress, RecordItem, SealItem, SignatureItem, Threads, identify, seal_payloads, sign_contents,
    verify_records, verify_seals, verify_signatures,
};
use dualseal::error::Misuse;
use dualseal::key::{CheckedRing, RingKey, Unprepared};
use dualseal::seal::{Legacy, Policy, Seal, SealKey, SealOutcome, SealVerifier, Sealer};
use dualseal::secret::Secret;
use dualseal::vault::{Encryption, Standing, StoredHash, Tier};
use dualseal::{
    Domain, Error, Head, IdentityId, KeyRing, Krunica, SignatureRecord, Signer, SystemRng, Timestamp, Verdict,
    VerdictKind, Verifier,
};
use dualseal_tests::random::Given;
use dualseal_tests::vault::{Archive, bent, record as vault_record};
use dualseal_tests::{identity, key, raw_seal, record};
use std::collections::BTreeSet;

/// Counts what it is told, and that it only grows.
#[derive(Default)]
struct Told(Vec<Progress>);

impl Told {
    fn listen(&mut self) -> impl FnMut(Progress) {
        |progress| self.0.push(progress)
    }

    fn check(&self, all: usize) {
        assert!(self.0.iter().all(|told| told.all == all));
        assert!(self.0.windows(2).all(|pair| pair[0].done < pair[1].done));
        assert_eq!(self.0.last().map_or(0, |told| told.done), all);
    }
}

/// All of them conclude the same.
fn each_number() -> [Threads; 5] {
    let [one, two, three] = [1, 2, 3].map(|count| Threads::new(count).unwrap());
    [one, two, three, Threads::all(), Threads::current()]
}

#[test]
fn records_are_made_as_one_after_the_other() {
    let (domain, ana, key) = (Domain::default(), identity("ana"), key(1));
    let ring = KeyRing::pinned(&ana, key.public_key().clone());
    let (signer, time) = (Signer::new(&domain, &ana, &key), "2026-11-21T09:00:00.000Z".parse::<Timestamp>().unwrap());
    let contents: Vec<_> = (0..300).map(|number| signer.content_hash(format!("deed {number}").as_bytes())).collect();
    let begin = signer.sign(&contents[7], &Head::EMPTY, time, &mut SystemRng).unwrap().head;
    for threads in each_number() {
        let mut told = Told::default();
        let made =
            sign_contents(&signer, &contents, &begin, time, &mut SystemRng, threads, &mut told.listen()).unwrap();
        told.check(300);
        let mut head = begin.clone();
        for (content, signed) in contents.iter().zip(&made) {
            let alone = signer.sign_deterministic(content, &head, time).unwrap();
            assert_eq!((&signed.entry, &signed.head), (&alone.entry, &alone.head));
            assert!(signed.record.is_of(&domain, &signed.entry));
            assert_ne!(signed.record.signature(), alone.record.signature(), "it is hedged");
            let verdict = Verifier::new(&domain, &ring, &Unprepared).verify(content, signed.record.clone(), None);
            assert!(verdict.valid().is_some());
            head = alone.head;
        }
    }
    let mut others = contents.clone();
    others[250] = domain.content_hash(&identity("bob"), b"deed 250");
    let refused = sign_contents(&signer, &others, &begin, time, &mut SystemRng, Threads::all(), &mut |_| {});
    assert!(matches!(refused, Err(Error::Misuse(Misuse::OtherSigner))));
    let nothing = sign_contents(&signer, &contents, &begin, time, &mut Given(&[]), Threads::all(), &mut |_| {});
    assert!(matches!(nothing, Err(Error::Randomness)));
    let none = sign_contents(&signer, &[], &begin, time, &mut Given(&[]), Threads::all(), &mut |_| {});
    assert!(none.unwrap().is_empty());
}

#[test]
fn seals_are_made_together() {
    let (domain, ana, key) = (Domain::default(), identity("ana"), key(1));
    let seal_key = SealKey::from_slice(&[9; 32]).unwrap();
    let sealer = Sealer::new(&domain, &ana, &seal_key, &key);
    let ring = KeyRing::pinned(&ana, key.public_key().clone());
    let texts: Vec<_> = (0..70).map(|number| format!("payload {number}")).collect();
    let mut payloads: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
    for threads in each_number() {
        let mut told = Told::default();
        let made = seal_payloads(&sealer, &payloads, &mut SystemRng, threads, &mut told.listen()).unwrap();
        told.check(70);
        for (seal, payload) in made.into_iter().zip(&payloads) {
            let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
            let report = verifier.verify(&seal.into(), payload, &ana, Policy::Both(&seal_key), Legacy::Refused, None);
            assert_eq!(report.internal(), SealOutcome::Ok);
        }
    }
    let reserved = sealer.seal(b"DUALSEAL-VAULT::x", &mut SystemRng).map(drop);
    payloads[60] = b"DUALSEAL-VAULT::x";
    let refused = seal_payloads(&sealer, &payloads, &mut SystemRng, Threads::all(), &mut |_| {}).map(drop);
    assert_eq!(refused, reserved);
    let nothing = seal_payloads(&sealer, &payloads[..1], &mut Given(&[]), Threads::all(), &mut |_| {}).map(drop);
    assert_eq!(nothing, Err(Error::Randomness));
}

#[test]
fn contents() {
    let domain = Domain::default();
    // Of every length up to some blocks, and a few long ones.
    let length = |number: usize| if number.is_multiple_of(97) { 20 * number } else { number };
    let contents: Vec<String> = (0..1_000).map(|number| "deed ".repeat(length(number) / 5 + 1)).collect();
    let mut items: Vec<ContentItem<'_>> = contents
        .iter()
        .map(|content| ContentItem { content: content.as_bytes(), creator: "registry", context: "" })
        .collect();
    items[500].creator = "a::b";
    for threads in each_number() {
        let mut told = Told::default();
        let ids = identify(&domain, items.clone(), threads, &mut told.listen());
        told.check(1_000);
        assert!(told.0.len() > 1, "a long batch tells more than its end");
        for (number, id) in ids.iter().enumerate() {
            let expected = domain.identity_id(contents[number].as_bytes(), "registry", "");
            if number == 500 { assert!(id.is_err()) } else { assert_eq!(*id, expected) }
        }
    }
    let mut told = Told::default();
    assert!(identify(&domain, Vec::new(), Threads::current(), &mut told.listen()).is_empty());
    told.check(0);
}

#[test]
fn signatures() {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let ring = KeyRing::pinned(&ana, key(1).public_key().clone());
    let verifier = Verifier::new(&domain, &ring, &Unprepared);
    let contents: Vec<String> = (0..40).map(|number| format!("content {number}")).collect();
    let mut signed: Vec<_> = contents.iter().map(|content| record(&ana, &key(1), content.as_bytes())).collect();
    // Every fifth has the signature of another, which nothing but verifying it tells.
    for number in (0..40).step_by(5) {
        let [own, others] = [number, number + 1].map(|number| signed[number].signature().to_hex());
        let json = signed[number].to_json().replace(&own, &others);
        signed[number] = SignatureRecord::from_json(json.as_bytes()).unwrap();
    }
    // Every third is given with the content of another.
    let item = |number: usize| SignatureItem {
        content: domain
            .content_hash(&ana, contents[if number.is_multiple_of(3) { number + 1 } else { number }].as_bytes()),
        record: signed[number].clone(),
        place: None,
    };
    // Of 700 a thread takes more at a time than are verified together.
    for (threads, all) in each_number().into_iter().flat_map(|threads| [(threads, 39), (threads, 700)]) {
        let mut told = Told::default();
        let items = (0..all).map(|number| item(number % 39)).collect();
        let verdicts = verify_signatures(&verifier, items, threads, &mut told.listen());
        told.check(all);
        assert_eq!(verdicts.len(), all);
        for (number, verdict) in verdicts.iter().enumerate().map(|(number, verdict)| (number % 39, verdict)) {
            let expected = if number % 3 == 0 || number % 5 == 0 { VerdictKind::Invalid } else { VerdictKind::Valid };
            assert_eq!(verdict.kind(), expected, "{number}");
            if let Verdict::Valid(verified) = verdict {
                assert_eq!(verified.record(), &signed[number]);
            }
        }
    }
}

#[test]
fn seals() {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let ring = KeyRing::pinned(&ana, key(1).public_key().clone());
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    let seal_key = SealKey::from_slice(&[9; 32]).unwrap();
    let seals: Vec<Seal> = (0..20u8)
        .map(|number| match number % 4 {
            0 => raw_seal::legacy(&[9; 32], &[number]),
            _ => raw_seal::dual(&[9; 32], [1; 32], &[number], &ana),
        })
        .map(|text| text.parse().unwrap())
        .collect();
    let payloads: Vec<[u8; 1]> = (0..20u8).map(|number| [if number % 4 == 1 { 99 } else { number }]).collect();
    let items = seals.iter().zip(&payloads).map(|(seal, payload)| SealItem {
        seal,
        payload,
        identity_id: &ana,
        policy: Policy::Both(&seal_key),
        legacy: Legacy::Refused,
        place: None,
    });
    for threads in each_number() {
        let mut told = Told::default();
        let reports = verify_seals(&verifier, items.clone().collect(), threads, &mut told.listen());
        told.check(20);
        for (number, report) in reports.iter().enumerate() {
            assert_eq!(report.internal() == SealOutcome::Ok, number % 4 > 1, "{number}");
        }
    }
}

/// Each seal has as many signatures to verify as its identity has keys, or none: no neighbour's counts for it.
#[test]
fn seals_under_every_policy() {
    let (domain, ana, eve) = (Domain::default(), identity("ana"), identity("eve"));
    let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32]).unwrap());
    let (mut chain, time) = (Krunica::new(), Timestamp::MIN);
    let mut ring = CheckedRing::new("example.org/log", &authority).unwrap();
    chain.push(ring.add(&ana, key(1).public_key().clone(), chain.head(), time).unwrap().entry).unwrap();
    chain.push(ring.rotate(&ana, key(2).public_key().clone(), chain.head(), time).unwrap().entry).unwrap();
    chain.push(ring.add(&eve, key(3).public_key().clone(), chain.head(), time).unwrap().entry).unwrap();
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    let seal_key = SealKey::from_slice(&[9; 32]).unwrap();
    let seals: Vec<(Seal, IdentityId, u8)> = (0..60u8)
        .map(|number| {
            let (signer, identity_id) =
                [(1, ana), (2, ana), (3, eve), (2, eve), (4, identity("nobody"))][usize::from(number % 5)];
            let text = match number % 7 {
                0 => raw_seal::legacy(&[9; 32], &[number]),
                _ => raw_seal::dual(&[9; 32], [signer; 32], &[number], &identity_id),
            };
            (text.parse().unwrap(), identity_id, number)
        })
        .collect();
    let items = seals.iter().map(|(seal, identity_id, number)| SealItem {
        seal,
        payload: std::slice::from_ref(number),
        identity_id,
        policy: [Policy::Both(&seal_key), Policy::LayerB, Policy::LayerA(&seal_key)][usize::from(number / 5 % 3)],
        legacy: Legacy::Permitted,
        place: None,
    });
    let alone = |item: SealItem<'_>| {
        let report = verifier.verify(item.seal, item.payload, item.identity_id, item.policy, item.legacy, item.place);
        (report.layer_a, report.layer_b, report.internal())
    };
    let expected: Vec<_> = items.clone().map(alone).collect();
    let outcomes: BTreeSet<_> = expected.iter().map(|outcome| format!("{outcome:?}")).collect();
    assert!(outcomes.len() > 6, "{outcomes:?}");
    for threads in each_number() {
        let reports = verify_seals(&verifier, items.clone().collect(), threads, &mut |_| {});
        let reports: Vec<_> =
            reports.iter().map(|report| (report.layer_a, report.layer_b, report.internal())).collect();
        assert_eq!(reports, expected);
    }
}

#[test]
fn vault_records() {
    let mut archive = Archive::new(1);
    for number in 0..6u8 {
        archive.seal(&[number], "DEED", Encryption::None, Tier::Native);
    }
    let (located, verifier, policy) = (archive.located(), archive.verifier(), archive.operator());
    let hashes: Vec<StoredHash> = archive.kept.iter().map(dualseal_tests::vault::Kept::hash).collect();
    let places: Vec<_> = archive.kept.iter().map(|kept| located.locate(&kept.record())).collect();
    let items = (0..6).map(|number| {
        let json = &archive.kept[number].json;
        let json = if number == 2 { bent(json, &["L6"]) } else { json.clone() };
        RecordItem {
            record: vault_record(&json),
            stored: &hashes[if number == 4 { 0 } else { number }],
            identity_id: if number == 5 { identity("eve") } else { archive.ana },
            standing: Standing { place: places[number].as_ref(), after: None },
        }
    });
    for threads in each_number() {
        let mut told = Told::default();
        let reports = verify_records(&verifier, &policy, items.clone().collect(), threads, &mut told.listen());
        told.check(6);
        for (number, report) in reports.iter().enumerate() {
            let good = ![2, 4, 5].contains(&number);
            assert_eq!(report.verdict().kind() == VerdictKind::Valid, good, "{number}: {report}");
            let vault_id = archive.kept[number].record().header().vault_id;
            assert_eq!(*report.vault_id(), vault_id, "in order");
        }
    }
}
