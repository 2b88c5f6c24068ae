//! Sealing and unsealing: documents of every size around a chunk come back as they were, and the one-shot functions,
//! the chunks and the readers give the same bytes.

use dualseal::error::{Misuse, Problem};
use dualseal::stream::{CHUNK_BYTES, HEADER_BYTES, TAG_BYTES};
use dualseal::vault::{
    Encryption, OperatorRecord, Provisional, StoredHash, StoredHasher, Tier, Unsealer, VaultSealer, unseal, unseal_to,
};
use dualseal::verdict::Verified;
use dualseal::{Domain, Error, SystemRng, VerdictKind};
use dualseal_tests::log::chain_of;
use dualseal_tests::random::{Constant, FAILING, Given};
use dualseal_tests::vault::{Archive, kind, master, master_of};
use dualseal_tests::{identity, minute};
use proptest::prelude::*;

fn document(length: usize) -> Vec<u8> {
    (0..length).map(|place| (place * 31 + place / 251).to_le_bytes()[0]).collect()
}

/// What comes out of the stored bytes of a verified record, in parts.
fn unsealed(
    archive: &Archive,
    index: usize,
    verified: &Verified<OperatorRecord>,
    parts: usize,
) -> Result<Vec<u8>, Error> {
    let kept = &archive.kept[index];
    let secret = kept.secret.as_ref().map(|secret| secret as _);
    let (mut unsealer, mut out, mut document) = (Unsealer::new(verified, secret)?, Provisional::new(), Vec::new());
    for part in kept.stored.chunks(parts) {
        unsealer.update(part, &mut out)?;
        document.extend_from_slice(out.provisional_bytes());
        out.clear();
    }
    let proof = unsealer.finish(&mut out)?;
    document.extend_from_slice(out.provisional_bytes());
    assert_eq!(proof.length(), kept.stored.len() as u64);
    Ok(document)
}

#[test]
fn every_size_around_a_chunk_comes_back() {
    let mut archive = Archive::new(1);
    let chunk = CHUNK_BYTES;
    for length in [0, 1, 31, chunk - 1, chunk, chunk + 1, 2 * chunk - 1, 2 * chunk, 2 * chunk + 1, (3 << 20) + 17] {
        let payload = document(length);
        for encryption in [Encryption::None, Encryption::Stream] {
            let index = archive.seal(&payload, "DEED", encryption, Tier::Public);
            let kept = &archive.kept[index];
            let chunks = length.div_ceil(chunk).max(1);
            let expected = match encryption {
                Encryption::None => length,
                Encryption::Stream => length + HEADER_BYTES + chunks * TAG_BYTES,
            };
            assert_eq!(kept.stored.len(), expected, "{length} {encryption:?}");
            assert_eq!(kept.record().header().length, expected as u64);
            assert_eq!(kept.stored == payload, encryption == Encryption::None);
            let verified = archive.verified(index);
            let secret = kept.secret.as_ref().map(|secret| secret as _);
            assert!(*unseal(&verified, secret, &kept.stored).unwrap() == payload, "{length} {encryption:?}");
            for parts in [1_000, chunk, chunk + TAG_BYTES, 1 << 22] {
                assert!(unsealed(&archive, index, &verified, parts).unwrap() == payload, "{length} in {parts}");
            }
            let mut written = Vec::new();
            let proof = unseal_to(&verified, secret, &mut kept.stored.as_slice(), &mut written).unwrap();
            assert!(written == payload && proof.length() == expected as u64);
        }
    }
}

/// Up to two bytes from the end of a chunk, up to 4 MiB.
fn near_a_chunk((chunks, off): (usize, usize)) -> usize {
    (chunks * CHUNK_BYTES + off).saturating_sub(2)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_sealed_in_any_parts_comes_back(
        length in prop_oneof![0..3 * CHUNK_BYTES, (0..64usize, 0..5usize).prop_map(near_a_chunk)],
        cuts in proptest::collection::vec(1..2 * CHUNK_BYTES, 1..8),
        encrypted: bool,
        parts in 1..2 * CHUNK_BYTES,
    ) {
        let payload = document(length);
        let encryption = if encrypted { Encryption::Stream } else { Encryption::None };
        let mut archive = Archive::new(1);
        let (mut stored, mut rest) = (Vec::new(), payload.as_slice());
        let mut sealing = archive.vault(Tier::Noble).begin("DEED", encryption, &mut SystemRng, &mut stored).unwrap();
        for cut in cuts {
            let (now, later) = rest.split_at(cut.min(rest.len()));
            sealing.update(now, &mut stored).unwrap();
            rest = later;
        }
        sealing.update(rest, &mut stored).unwrap();
        let sealed = sealing.finish(&archive.place(), &mut SystemRng, &mut stored).unwrap();
        let index = archive.keep(sealed, stored);
        let verified = archive.verified(index);
        prop_assert!(unsealed(&archive, index, &verified, parts).unwrap() == payload);
    }
}

/// The same draws give the same record and the same stored bytes, whichever way the document came.
#[test]
fn all_ways_of_sealing_give_the_same_bytes() {
    let archive = Archive::new(1);
    let payload = document(2 * CHUNK_BYTES + 3);
    // Secret and salt, then L2's tag and the hedge of L5.
    let draws: Vec<u8> = (1..=112).collect();
    for encryption in [Encryption::None, Encryption::Stream] {
        let draws = if encryption == Encryption::Stream { &draws[..] } else { &draws[64..] };
        let (vault, place) = (archive.vault(Tier::Native), archive.place());
        let (sealed, stored) = vault.seal(&payload, "DEED", encryption, &place, &mut Given(draws)).unwrap();

        let (mut chunked, mut rng) = (Vec::new(), Given(draws));
        let mut sealing = vault.begin("DEED", encryption, &mut rng, &mut chunked).unwrap();
        payload.chunks(777).for_each(|part| sealing.update(part, &mut chunked).unwrap());
        let in_chunks = sealing.finish(&place, &mut rng, &mut chunked).unwrap();

        let mut written = Vec::new();
        let from = &mut payload.as_slice();
        let read = vault.seal_from("DEED", encryption, &place, &mut Given(draws), from, &mut written).unwrap();
        assert!(stored == chunked && stored == written);
        for other in [&in_chunks, &read] {
            assert_eq!(*other.record.to_stored_json(), *sealed.record.to_stored_json());
            assert_eq!((&other.entry, &other.head, other.ledger), (&sealed.entry, &sealed.head, sealed.ledger));
            assert_eq!(other.decoy, sealed.decoy);
            let bytes = |sealed: &dualseal::vault::Sealed| sealed.secret.as_ref().map(|secret| *secret.to_bytes());
            assert_eq!(bytes(other), bytes(&sealed));
        }
    }
}

#[test]
fn stored_bytes_hash_alike_in_parts_and_from_a_reader() {
    let (domain, bytes) = (Domain::default(), document(100_001));
    let whole = StoredHash::of(&domain, &bytes);
    let mut hasher = StoredHasher::new(&domain);
    bytes.chunks(997).for_each(|part| hasher.update(part));
    let parts = hasher.finish();
    let mut copied = StoredHasher::new(&domain);
    std::io::copy(&mut bytes.as_slice(), &mut copied).unwrap();
    let read = StoredHash::read(&domain, &mut bytes.as_slice()).unwrap();
    let mut archive = Archive::new(1);
    let index = archive.seal(&bytes, "DEED", Encryption::None, Tier::Public);
    for hash in [&whole, &parts, &copied.finish(), &read] {
        assert_eq!((hash.baseline(), hash.length()), (whole.baseline(), 100_001));
        let report = archive.verifier().verify(
            archive.kept[index].record(),
            hash,
            &archive.ana,
            &archive.public(),
            dualseal::vault::Standing::default(),
        );
        assert_eq!(kind(&report), VerdictKind::Valid, "{report}");
    }
}

#[test]
fn what_cannot_be_sealed_is_refused() {
    let archive = Archive::new(1);
    let (vault, place) = (archive.vault(Tier::Public), archive.place());
    let seal = |kind: &str| vault.seal(b"x", kind, Encryption::None, &place, &mut SystemRng).map(drop).unwrap_err();
    assert_eq!(seal("ERASURE"), Misuse::ReservedType.into());
    for (kind, problem) in [("", Problem::Range), ("a::b", Problem::Ambiguous), ("a\tb", Problem::Control)] {
        assert!(matches!(seal(kind), Error::Malformed(m) if m.field == "type" && m.problem == problem), "{kind:?}");
    }
    seal(&"x".repeat(256));
    // A type that only looks like the reserved one is anybody's.
    vault.seal(b"x", "erasure", Encryption::None, &place, &mut SystemRng).unwrap();
    for encryption in [Encryption::None, Encryption::Stream] {
        let mut broken = FAILING.clone();
        assert_eq!(vault.seal(b"x", "DEED", encryption, &place, &mut broken).map(drop), Err(Error::Randomness));
    }
    // Zeros are no secret.
    let zeros = vault.seal(b"x", "DEED", Encryption::Stream, &place, &mut Constant(0));
    assert_eq!(zeros.map(drop), Err(Error::Randomness));
    let last = dualseal::vault::LedgerHead::from_parts(archive.ledger.ledger(), (1 << 53) - 1, *archive.ledger.top());
    let place = dualseal::vault::Destination { ledger: &last, ..archive.place() };
    let error = vault.seal(b"x", "DEED", Encryption::None, &place, &mut SystemRng).map(drop).unwrap_err();
    assert_eq!(error, Misuse::CounterExhausted.into());
}

/// A head that no ledger can have would give a record that never verifies, and whose entry is in the chain for good.
#[test]
fn an_impossible_head_is_refused() {
    use dualseal::vault::{Destination, LayerHash, LedgerHead};
    let mut archive = Archive::new(1);
    archive.seal(b"x", "DEED", Encryption::None, Tier::Public);
    let (ledger, top) = (archive.ledger.ledger(), *archive.ledger.top());
    for head in [LedgerHead::from_parts(ledger, 0, top), LedgerHead::from_parts(ledger, 1, LayerHash::ZERO)] {
        let place = Destination { ledger: &head, ..archive.place() };
        let vault = archive.vault(Tier::Public);
        let error = vault.seal(b"x", "DEED", Encryption::None, &place, &mut SystemRng).map(drop).unwrap_err();
        assert!(matches!(&error, Error::Malformed(m) if m.field == "prev" && m.problem == Problem::Range), "{error}");
    }
}

/// Every record has a secret, a salt and a tag of its own.
#[test]
fn nothing_drawn_is_used_twice() {
    let mut archive = Archive::new(1);
    for _ in 0..3 {
        archive.seal(b"the same", "DEED", Encryption::Stream, Tier::Public);
    }
    for pair in archive.kept.windows(2) {
        let [one, two] = pair else { unreachable!() };
        assert!(one.stored[4..36] != two.stored[4..36] && one.stored[68..] != two.stored[68..]);
        let secret = |kept: &dualseal_tests::vault::Kept| *kept.secret.as_ref().unwrap().to_bytes();
        assert!(secret(one) != secret(two));
        assert!(one.record().session_tag() != two.record().session_tag());
    }
    // What is stored shows nothing of the document.
    assert!(!archive.kept[0].stored.windows(8).any(|bytes| bytes == b"the same"));
}

/// The layers alone hide nothing: a record that is not encrypted has the document for its stored bytes.
#[test]
fn without_encryption_the_store_is_the_document() {
    let mut archive = Archive::new(1);
    let index = archive.seal(b"anybody may read this", "DEED", Encryption::None, Tier::Native);
    assert_eq!(archive.kept[index].stored, b"anybody may read this");
    assert!(archive.kept[index].secret.is_none());
}

/// A chain message in the form of a record's entry is the library's alone.
#[test]
fn nobody_else_appends_a_records_entry() {
    let mut archive = Archive::of_three(1);
    let message = archive.kept[0].record().entry().message().to_string();
    let (domain, ana) = (Domain::default(), archive.ana);
    let appended = archive.registry.chain.append(&domain, &ana, &message, minute(50));
    assert_eq!(appended.unwrap_err(), Misuse::ReservedMessage.into());
    assert_eq!(chain_of(&ana, &[&message]).entries().len(), 1, "elsewhere it is text");
    assert_eq!(master().key_id().to_hex().len(), 32);
}

/// A document that was read before its place is known is sealed there for its own identity and domain alone.
#[test]
fn an_enclosed_document_is_sealed_for_its_own_identity() {
    let archive = Archive::new(1);
    let vault = archive.vault(Tier::Public);
    for encryption in [Encryption::None, Encryption::Stream] {
        let mut stored = Vec::new();
        let mut sealing = vault.begin("DEED", encryption, &mut SystemRng, &mut stored).unwrap();
        sealing.update(b"deed", &mut stored).unwrap();
        let enclosed = sealing.enclose(&mut stored).unwrap();
        let seal = |vault: &VaultSealer<'_>| {
            vault.seal_enclosed(&enclosed, &archive.ledger, "", minute(9), &mut SystemRng).map(drop)
        };
        assert_eq!(seal(&vault), Ok(()));
        let foreign = Err(Error::Misuse(Misuse::ForeignLedger));
        assert_eq!(seal(&VaultSealer::new(master(), &identity("eve"), &archive.key)), foreign);
        let other = master_of(&Domain::new("ACME").unwrap(), 1);
        assert_eq!(seal(&VaultSealer::new(&other, &archive.ana, &archive.key)), foreign);
    }
}
