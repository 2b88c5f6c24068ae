//! Verification results and key pair info.
#![no_main]

use dualseal::{KeyPairInfo, VerificationResult};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    if let Ok(result) = VerificationResult::from_json(text) {
        assert_eq!(VerificationResult::from_json(result.to_json().as_bytes()), Ok(result));
    }
    if let Ok(info) = KeyPairInfo::from_json(text) {
        assert_eq!(KeyPairInfo::from_json(info.to_json().as_bytes()), Ok(info));
    }
});
