//! A public ring that is read is written again as the same ring and has one root; of a ring file, nothing is taken that
//! its MAC does not bind.
#![no_main]

use dualseal::key::{PublicRing, RingFile, RingKey};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::secret::Secret;
use dualseal::{Domain, Head};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(ring) = PublicRing::from_json(text) {
        let written = ring.to_json();
        let again = PublicRing::from_json(written.as_bytes()).expect("a ring that was read");
        assert_eq!((&again, again.root()), (&ring, ring.root()));
        assert!(!written.contains("oboje") && !written.contains("decoy"));
    }
    if let Ok(file) = RingFile::from_json(text) {
        let secret = Secret::from_slice("ring key", &[9; 32]).expect("32 bytes");
        let authority = RingKey::new(&Domain::default(), secret);
        // Nobody has found the MAC of a file by chance.
        let mut reader = ChainReader::new(&Domain::default(), &TrustedHead::ring_file(&file)).up_to(&Head::EMPTY);
        assert!(reader.ring(file, &authority, |_| false).is_err());
    }
});
