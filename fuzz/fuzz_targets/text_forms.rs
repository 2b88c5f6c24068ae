//! The short text forms: identifiers, hashes, timestamps, states and domain names.
#![no_main]

use dualseal::encoding::hex;
use dualseal::krunica::{ChainHash, KrunicaHash};
use dualseal::{Domain, IdentityId, KeyState, Timestamp};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(time) = text.parse::<Timestamp>() {
        assert_eq!(time.to_string(), text);
    }
    if let Ok(id) = text.parse::<IdentityId>() {
        assert_eq!(id.to_hex(), text);
    }
    if let Ok(hash) = text.parse::<ChainHash>() {
        assert_eq!(hash.to_hex(), text);
    }
    if let Ok(hash) = text.parse::<KrunicaHash>() {
        assert_eq!(hash.to_hex(), text);
    }
    if let Ok(state) = text.parse::<KeyState>() {
        assert_eq!(state.as_str(), text);
    }
    if let Ok(secret) = hex::decode_secret::<8>("secret", text) {
        assert_eq!(*hex::encode_secret(&secret), text);
    }
    if let Ok(domain) = Domain::new(text) {
        assert!(domain.identity_id(b"", "", "").is_ok());
    }
});
