//! A ring that is read is written again as the same ring, and its public form can be read too.
#![no_main]

use dualseal::KeyRing;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(ring) = KeyRing::from_json(text) {
        let written = ring.to_json().expect("a ring that was read has an origin");
        assert_eq!(KeyRing::from_json(written.as_bytes()).as_ref(), Ok(&ring));
        let public = ring.public().to_json().expect("a public ring has an origin");
        assert!(KeyRing::from_json(public.as_bytes()).is_ok());
        assert!(!public.contains("oboje") && !public.contains("decoy"));
    }
});
