//! A proof that is read is written again as the same proof, and so is the request in it, its shards in order, and
//! nobody's key is enrolled.
#![no_main]

use dualseal::Domain;
use dualseal::presence::{Challenge, EnrolledKeys, PresenceProof, PresenceVerifier};
use dualseal::shard::Request;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(proof) = PresenceProof::from_json(text) {
        assert_eq!(PresenceProof::from_json(proof.to_json().as_bytes()).as_ref(), Ok(&proof));
        let request = proof.request();
        assert_eq!(Request::from_json(request.to_json().as_bytes()).as_ref(), Ok(request));
        assert!(proof.request().shard_ids.is_sorted_by(|one, next| one < next));
        let (domain, who) = (Domain::default(), proof.request().identity_id);
        let challenge = Challenge::new(&domain, proof.request(), proof.nonce(), proof.expiry());
        assert_eq!(EnrolledKeys::new().verify(&domain, &who, &challenge, &proof), None);
        let mut enrolled = EnrolledKeys::new();
        // Enrolled or not, as the key is strict or not: what counts then is that very key.
        if enrolled.enrol(&who, proof.public_key()).is_ok() {
            let counted = enrolled.verify(&domain, &who, &challenge, &proof);
            assert!(counted.is_none_or(|key| key == *proof.public_key().as_bytes()));
        }
    }
    if let Ok(request) = Request::from_json(text) {
        assert_eq!(Request::from_json(request.to_json().as_bytes()), Ok(request));
    }
});
