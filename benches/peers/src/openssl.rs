//! SHA3 and HMAC by OpenSSL's own library, as its documentation says to use them often: everything is fetched once and
//! a context is used again.

use openssl_sys::{
    EVP_DigestFinal_ex, EVP_DigestInit_ex, EVP_DigestUpdate, EVP_MAC_CTX, EVP_MAC_CTX_new, EVP_MAC_fetch,
    EVP_MAC_final, EVP_MAC_init, EVP_MAC_update, EVP_MD, EVP_MD_CTX, EVP_MD_CTX_new, EVP_MD_fetch, OSSL_PARAM_BLD_new,
    OSSL_PARAM_BLD_push_utf8_string, OSSL_PARAM_BLD_to_param, OpenSSL_version,
};
use std::ffi::CStr;
use std::ptr::{null, null_mut};

/// The version of the library that is linked.
pub fn version() -> String {
    // SAFETY: the answer is a constant text of the library.
    unsafe { CStr::from_ptr(OpenSSL_version(0)) }.to_string_lossy().into_owned()
}

/// HMAC-SHA3-512. What it holds lives as long as the program.
pub struct HmacSha3_512(*mut EVP_MAC_CTX);

impl HmacSha3_512 {
    pub fn new(key: &[u8]) -> Self {
        // SAFETY: every pointer is what the call before gave, which is looked at; names and key outlive the calls.
        unsafe {
            let parameters = OSSL_PARAM_BLD_new();
            let name = c"SHA3-512";
            assert!(!parameters.is_null());
            assert_eq!(OSSL_PARAM_BLD_push_utf8_string(parameters, c"digest".as_ptr(), name.as_ptr(), 0), 1);
            let parameters = OSSL_PARAM_BLD_to_param(parameters);
            let mac = EVP_MAC_fetch(null_mut(), c"HMAC".as_ptr(), null());
            assert!(!parameters.is_null() && !mac.is_null());
            let context = EVP_MAC_CTX_new(mac);
            assert!(!context.is_null());
            assert_eq!(EVP_MAC_init(context, key.as_ptr(), key.len(), parameters), 1);
            Self(context)
        }
    }

    /// With the key that was set before.
    pub fn keyed(&mut self, message: &[u8]) -> [u8; 64] {
        self.tag(null(), 0, message)
    }

    /// With a key that is set for this message.
    pub fn unkeyed(&mut self, key: &[u8], message: &[u8]) -> [u8; 64] {
        self.tag(key.as_ptr(), key.len(), message)
    }

    fn tag(&mut self, key: *const u8, key_bytes: usize, message: &[u8]) -> [u8; 64] {
        let (mut tag, mut bytes) = ([0; 64], 0);
        // SAFETY: the context is a live one with its digest set; key (or none) and message are as long as is said, and
        // the tag has the room that is said.
        let done = unsafe {
            EVP_MAC_init(self.0, key, key_bytes, null()) == 1
                && EVP_MAC_update(self.0, message.as_ptr(), message.len()) == 1
                && EVP_MAC_final(self.0, tag.as_mut_ptr(), &raw mut bytes, tag.len()) == 1
        };
        assert!(done && bytes == 64);
        tag
    }
}

/// SHA3-256. What it holds lives as long as the program.
pub struct Sha3_256 {
    hash: *mut EVP_MD,
    context: *mut EVP_MD_CTX,
}

impl Sha3_256 {
    pub fn new() -> Self {
        // SAFETY: both only allocate; what they give is looked at.
        let (hash, context) = unsafe { (EVP_MD_fetch(null_mut(), c"SHA3-256".as_ptr(), null()), EVP_MD_CTX_new()) };
        assert!(!hash.is_null() && !context.is_null());
        Self { hash, context }
    }

    pub fn digest(&mut self, parts: &[&[u8]]) -> [u8; 32] {
        let mut digest = [0; 32];
        // SAFETY: hash and context are live, each part is as long as is said, and the digest has 32 bytes of room.
        let done = unsafe {
            EVP_DigestInit_ex(self.context, self.hash, null_mut()) == 1
                && parts.iter().all(|part| EVP_DigestUpdate(self.context, part.as_ptr().cast(), part.len()) == 1)
                && EVP_DigestFinal_ex(self.context, digest.as_mut_ptr(), null_mut()) == 1
        };
        assert!(done);
        digest
    }
}
