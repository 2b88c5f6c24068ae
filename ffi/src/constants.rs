//! Versions and sizes.

use dualseal_core::mldsa;
use std::ffi::c_char;

/// Raised whenever a program that was compiled against an older header would no longer work.
pub const DUALSEAL_ABI_VERSION: u32 = 2;

/// Bytes of a signing key's seed.
pub const DUALSEAL_SEED_BYTES: usize = 32;
/// Bytes of an expanded signing key.
pub const DUALSEAL_EXPANDED_KEY_BYTES: usize = 4032;
/// Bytes of a public key.
pub const DUALSEAL_PUBLIC_KEY_BYTES: usize = 1952;
/// Bytes of a signature, which records carry as twice as many hexadecimal characters.
pub const DUALSEAL_SIGNATURE_BYTES: usize = 3309;
/// Bytes of a secret from which keys are derived: a ring key, a master.
pub const DUALSEAL_RING_KEY_BYTES: usize = 32;
/// Bytes of a seal key that is drawn here.
pub const DUALSEAL_SEAL_KEY_BYTES: usize = 64;
/// Bytes of an identifier, content hash, key hash or tree's root as text: 64 hexadecimal characters and NUL.
pub const DUALSEAL_ID_TEXT_BYTES: usize = 65;
/// Bytes of a chain hash as text: 128 hexadecimal characters and NUL.
pub const DUALSEAL_CHAIN_HASH_TEXT_BYTES: usize = 129;
/// Bytes of the name of a vault's master as text: 32 hexadecimal characters and NUL.
pub const DUALSEAL_KEY_ID_TEXT_BYTES: usize = 33;
/// Bytes of memory that one prepared key takes in a key cache.
pub const DUALSEAL_PREPARED_KEY_BYTES: usize = 36_928;

// The header needs literals; they must be the library's own numbers.
const _: () = {
    assert!(DUALSEAL_SEED_BYTES == mldsa::SEED_BYTES);
    assert!(DUALSEAL_EXPANDED_KEY_BYTES == mldsa::EXPANDED_KEY_BYTES);
    assert!(DUALSEAL_PUBLIC_KEY_BYTES == mldsa::PUBLIC_KEY_BYTES);
    assert!(DUALSEAL_SIGNATURE_BYTES == mldsa::SIGNATURE_BYTES);
    assert!(DUALSEAL_PREPARED_KEY_BYTES == mldsa::PreparedKey::BYTES);
};

/// The ABI version of the library at hand, to be compared with `DUALSEAL_ABI_VERSION`.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_abi_version() -> u32 {
    DUALSEAL_ABI_VERSION
}

/// The version of the library at hand, such as `0.1.0`. The text lives for ever.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
