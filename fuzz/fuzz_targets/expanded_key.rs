//! No 4032 bytes make the expanded form panic, when it is read or when it signs.
//!
//! Random bytes almost never pass the check of `tr`, so the input alters a good key: pairs of position and value,
//! applied anywhere. Those that touch `t0` alone are read, and then must sign well or not at all.
#![no_main]

use dualseal::{Domain, ExpandedSigningKey, Head, KeyRing, Signer, SigningKey, Timestamp, VerdictKind, Verifier};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let good = SigningKey::from_seed(&[7; 32]).expect("a seed").expand();
    let mut bytes = *good.to_bytes().expose();
    for change in input.chunks_exact(3).take(16) {
        let position = usize::from(u16::from_be_bytes([change[0], change[1]])) % bytes.len();
        bytes[position] = change[2];
    }
    let Ok(key) = ExpandedSigningKey::from_slice(&bytes) else { return };
    assert_eq!(*key.to_bytes().expose(), bytes);
    let domain = Domain::default();
    let id = domain.identity_id(b"", "fuzz", "").expect("an identity");
    let signer = Signer::new(&domain, &id, &key);
    let content = signer.content_hash(input);
    // A key that signs at all signs what its public key accepts.
    if let Ok(signed) = signer.sign_deterministic(&content, &Head::EMPTY, Timestamp::MIN) {
        let ring = KeyRing::pinned(&id, key.public_key().clone());
        let verdict = Verifier::new(&domain, &ring, &dualseal::key::Unprepared).verify(&content, signed.record, None);
        assert_eq!(verdict.kind(), VerdictKind::Valid);
    }
});
