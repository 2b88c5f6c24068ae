//! Types whose `Debug` is written by hand, so that it shows no secret, say what they are, and show none.

use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier};
use dualseal::field::Fp521;
use dualseal::key::{PreparedKeyCache, RingFile, Unprepared};
use dualseal::seal::{Legacy, Policy, Seal, SealKey, SealVerifier, Sealer};
use dualseal::secret::Secret;
use dualseal::shamir::{DrawnSecret, reconstruct_unanchored};
use dualseal::signature::Unsigned;
use dualseal::stream::{Decryptor, Encryptor, Purpose};
use dualseal::threshold::Founding;
use dualseal::vault::{Encryption, LedgerCheck, Provisional, Tier, Unsealer, unseal};
use dualseal::{Domain, Head, KeyRing, Signer, SystemRng, Verifier};
use dualseal_tests::log::{ORIGIN, log_identity, log_key, pins};
use dualseal_tests::quorum::{Board, owners};
use dualseal_tests::registry::{Registry, authority};
use dualseal_tests::shards::{Store, urls};
use dualseal_tests::sharing::deal;
use dualseal_tests::vault::{Archive, master};
use dualseal_tests::{identity, key, minute};
use std::fmt::Debug;

fn named(name: &str, value: &dyn Debug) -> String {
    let text = format!("{value:?}");
    assert!(text.starts_with(name), "{name}: {text}");
    text
}

#[test]
fn streams_seals_and_signatures() {
    let (domain, ana, signing) = (Domain::default(), identity("ana"), key(1));
    let secret = Secret::<32>::from_slice("secret", &[0xb7; 32]).unwrap();
    let purpose = Purpose::new(&domain, ana.as_bytes(), "CONTRACT").unwrap();
    named("Purpose(", &purpose);
    named("Encryptor", &Encryptor::new(&secret, &purpose, &mut SystemRng, &mut Vec::new()).unwrap());
    named("Decryptor", &Decryptor::new(&secret, &purpose));

    let (seal_key, ring) = (SealKey::from_slice(&[9; 32]).unwrap(), KeyRing::nobody());
    let sealer = Sealer::new(&domain, &ana, &seal_key, &signing);
    named("Sealer", &sealer);
    named("SealStream", &sealer.begin().unwrap());
    let (dual, legacy) = (sealer.seal(b"a", &mut SystemRng).unwrap(), sealer.seal_legacy(b"a").unwrap());
    named("SealId(SEAL-DUAL::", &dual.seal_id());
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    named("SealVerifier", &verifier);
    let (dual_text, legacy_text) = (named("DualSeal(SEAL-DUAL::", &dual), named("LegacySeal(", &legacy));
    let [dual, legacy] = [Seal::from(dual), Seal::from(legacy)];
    assert_eq!((format!("{dual:?}"), format!("{legacy:?}")), (dual_text, legacy_text));
    named("SealCheck", &verifier.begin(&dual, &ana, Policy::Both(&seal_key), Legacy::Refused, None));

    named("Signer", &Signer::new(&domain, &ana, &signing));
    named("Verifier", &Verifier::new(&domain, &ring, &Unprepared));
    let content = domain.content_hash(&ana, b"a");
    let placed = Unsigned::place(&domain, &ana, signing.public_key(), &content, &Head::EMPTY, minute(1)).unwrap();
    named("Unsigned", &placed.0);
    named("CheckpointSigner", &CheckpointSigner::new(&domain, ORIGIN, &log_identity(), log_key()).unwrap());
    named("CheckpointVerifier", &CheckpointVerifier::new(&domain, &pins(ORIGIN), None, &Unprepared));
}

#[test]
fn rings_and_their_keys() {
    let mut registry = Registry::new();
    registry.add(&identity("ana"), key(1).public_key());
    named("CheckedRing(KeyRing", &registry.ring);
    named("KeyRing", &KeyRing::nobody());
    named("RingFile", &RingFile::from_json(registry.file().as_bytes()).unwrap());
    named("RingKey", &authority(&registry.domain));
    named("PreparedKeyCache", &PreparedKeyCache::default());
}

#[test]
fn shares_and_shards() {
    let secret = DrawnSecret::<Fp521>::draw(&mut SystemRng).unwrap();
    let dealt = deal(&secret, 2, 3);
    named("Dealing", &dealt.dealing);
    named("Unattested", &reconstruct_unanchored(2, &dealt.shares).unwrap());
    let store = Store::new(2, 3);
    named("CoveredSplits", &store.covered_splits(2).unwrap());
    named("OwnSplits", &store.own_splits());
    named("Rebuilding", &store.rebuilding());
    named("Shard", &store.shards[0]);
    named("Dealer", &store.dealer(2, &urls(3)));
    let (domain, founder, owners) = (Domain::default(), identity("ana"), owners(3));
    let founding =
        Founding { domain: &domain, founder: &founder, owners: &owners, k: 2, head: &Head::EMPTY, time: minute(1) };
    named("Founding", &founding);
    named("Prepared", &Board::hmac(2, 3).prepare(&[1, 2], 2, 3));
}

#[test]
fn vaults() {
    let archive = Archive::of_three(1);
    named("VaultMaster", master());
    let (vault, kept, verified) = (archive.vault(Tier::Public), &archive.kept[0], archive.verified(0));
    named("VaultSealer", &vault);
    named("VaultRecord", &kept.record());
    assert_eq!(format!("{:?}", kept.record().fragment().unwrap()), "Fragment([redacted])");
    let mut stored = Vec::new();
    let sealing = vault.begin("DEED", Encryption::Stream, &mut SystemRng, &mut stored).unwrap();
    named("Sealing", &sealing);
    let enclosed = sealing.enclose(&mut stored).unwrap();
    named("Enclosed", &enclosed);
    let unplaced = vault.seal_enclosed(&enclosed, &archive.ledger, "", minute(9), &mut SystemRng).unwrap();
    named("Unplaced", &unplaced);
    let secret = kept.secret.as_ref().map(|secret| secret as _);
    named("Unsealer", &Unsealer::new(&verified, secret).unwrap());
    named("Provisional", &Provisional::new());
    named("Document", &unseal(&verified, secret, &kept.stored).unwrap());
    let (verifier, policy) = (archive.verifier(), archive.operator());
    named("VaultVerifier", &verifier);
    named("LedgerCheck", &LedgerCheck::new(&verifier, archive.ledger.ledger(), &policy, None));
}
