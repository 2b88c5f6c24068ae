//! The wire formats, frozen: fixed inputs must always give these bytes. A snapshot that changes is a changed format.

use dualseal::key::{KeyRing, KeyState, Unprepared};
use dualseal::seal::{Seal, SealKey, Sealer};
use dualseal::secret::Secret;
use dualseal::{Domain, HashedContent, Krunica, Signer, Verifier};
use dualseal_tests::random::Constant;
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, log, minute, signed};

#[test]
fn signature_record() {
    insta::assert_snapshot!(signed(&identity("ana"), &key(1), b"content").record.to_json());
}

#[test]
fn entry() {
    insta::assert_snapshot!(signed(&identity("ana"), &key(1), b"content").entry.to_json());
}

#[test]
fn krunica() {
    let (domain, mut chain) = (Domain::default(), Krunica::new());
    for (number, message) in (0..).zip(["", "primljeno", "a|b|c \" \\ \n \u{1}", "čćžšđ 漢字 😀"]) {
        chain.append(&domain, &identity("ana"), message, minute(number)).unwrap();
    }
    let head = chain.head();
    insta::assert_snapshot!(format!("{}\n{}\n{}\n{}", chain.to_json(), head.size(), head.top(), head.root()));
}

fn registry() -> Registry {
    let (ana, ivan, mut registry) = (identity("ana"), identity("ivan"), Registry::new());
    registry.add(&ana, key(1).public_key());
    registry.add(&ivan, key(2).public_key());
    registry.set_state(&ana, None, KeyState::Suspended);
    registry.rotate(&ana, key(3).public_key());
    registry.set_state(&ana, None, KeyState::Decoy);
    registry.add_decoy(&ivan, key(4).public_key());
    registry.add_decoy(&ana, key(5).public_key());
    registry
}

#[test]
fn ring() {
    insta::assert_snapshot!(registry().file());
}

#[test]
fn public_ring() {
    insta::assert_snapshot!(registry().ring.public().to_json());
}

#[test]
fn ring_entries() {
    insta::assert_snapshot!(registry().chain.to_json());
}

#[test]
fn key_pair_info() {
    let ring = registry().ring;
    let info = ring.info(&identity("ana")).unwrap();
    insta::assert_snapshot!(format!("{}\n{}", info.to_json(), info.public().to_json()));
}

#[test]
fn verification_results() {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let content = domain.content_hash(&ana, b"content");
    let record = signed(&ana, &key(1), b"content").record;
    let mut lines = Vec::new();
    let mut tell = |ring: &KeyRing, content: &HashedContent| {
        let verdict = Verifier::new(&domain, ring, &Unprepared).verify(content, record.clone(), None);
        lines.push(format!("{}\n{}", verdict.internal().to_json(), verdict.public().to_json()));
    };
    for state in [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended] {
        let mut registry = Registry::new();
        registry.add(&ana, key(1).public_key());
        registry.set_state(&ana, None, state);
        tell(&registry.ring, &content);
        tell(&registry.ring, &domain.content_hash(&ana, b"other"));
    }
    tell(&Registry::new().ring, &content);
    tell(&KeyRing::pinned(&ana, key(2).public_key().clone()), &content);
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn checkpoint() {
    let chain = log::chain_of(&identity("ana"), &["a", "b"]);
    insta::assert_snapshot!(log::sign(&log::mark_of("example.org/log čćž", chain.head())).to_json());
}

#[test]
fn seals() {
    let (domain, ana, signing) = (Domain::default(), identity("ana"), key(1));
    let seal_key = SealKey::derive(&domain, &Secret::from_slice("master", &[9; 32]).unwrap(), &ana);
    let sealer = Sealer::new(&domain, &ana, &seal_key, &signing);
    // A generator of zeros makes the hedged signature the deterministic one.
    let dual = sealer.seal(b"payload", &mut Constant(0)).unwrap();
    let legacy = Seal::from(sealer.seal_legacy(b"payload").unwrap());
    let lines = [dual.seal_id().to_string(), dual.chain_message(&domain), legacy.to_string(), legacy.info().to_json()];
    insta::assert_snapshot!(format!("{}\n{dual}\n{}", lines.join("\n"), Seal::from(dual.clone()).info().to_json()));
}

#[test]
fn keys_in_pem() {
    let (private, public) = (key(1).to_pkcs8_pem().unwrap(), key(1).public_key().to_spki_pem().unwrap());
    insta::assert_snapshot!(format!("{}{public}", *private));
}

#[test]
fn identifiers() {
    let domain = Domain::new("ACME").unwrap();
    let ana = identity("ana");
    let lines = [
        domain.identity_id(b"deed", "ana", "2026").unwrap().to_hex(),
        domain.vault_id(b"deed", "ana", "2026", 7).unwrap().to_hex(),
        domain.content_hash(&ana, b"deed").to_hex(),
        Signer::new(&domain, &ana, &key(1)).content_hash(b"deed").to_hex(),
        ana.to_hex(),
    ];
    insta::assert_snapshot!(lines.join("\n"));
}
