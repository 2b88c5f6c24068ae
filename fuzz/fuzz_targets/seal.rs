//! Seal strings, and a check of whatever is read: nothing panics, and nobody's seal is valid.
#![no_main]

use dualseal::key::Unprepared;
use dualseal::seal::{Conclusion, Legacy, Policy, Seal, SealId, SealKey, SealVerifier};
use dualseal::{Domain, KeyRing, PublicKey, Verdict};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(id) = text.parse::<SealId>() {
        assert_eq!(id.to_string(), text);
    }
    // What follows the first line is the payload.
    let (seal, payload) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(seal) = seal.parse::<Seal>() else { return };
    assert_eq!(text.split('\n').next(), Some(seal.to_string().as_str()));
    let info = seal.info();
    assert_eq!(info.seal_id.is_some(), info.signature_hex.is_some());

    let domain = Domain::default();
    let id = domain.identity_id(b"", "fuzz", "").expect("an identity");
    let key = SealKey::from_slice(&[7; 32]).expect("32 bytes");
    let ring = KeyRing::pinned(&id, PublicKey::from_slice(&[7; 1952]).expect("1952 bytes"));
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    for policy in [Policy::Both(&key), Policy::LayerB] {
        let whole = verifier.verify(&seal, payload.as_bytes(), &id, policy, Legacy::Permitted, None);
        let mut check = verifier.begin(&seal, &id, policy, Legacy::Permitted, None);
        payload.as_bytes().chunks(3).for_each(|part| check.update(part));
        let parts = check.finish();
        assert_eq!((whole.layer_a, whole.layer_b), (parts.layer_a, parts.layer_b));
        assert!(matches!(whole.conclusion, Conclusion::Verdict(Verdict::Invalid(_))));
    }
});
