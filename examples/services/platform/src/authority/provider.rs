//! What verifies and signs the signatures of tokens: Ed25519, strictly, and for outside issuers RSA and P-256. Nothing
//! else: an algorithm that is not in here cannot be switched on by a header.

use dualseal::ed25519::Ed25519PublicKey;
use ed25519_dalek::Signer as _;
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind, Result};
use jsonwebtoken::signature::{Error as Bad, Signer, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::signature::{ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    // Keys are read from their rows and from JWKs, and never from PEM or DER.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes it the process's. Where another part of the process did so before, it is the same one.
pub(super) fn install() {
    let _ = PROVIDER.install_default();
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form is the crate's")]
fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    if (*algorithm, key.family()) != (Algorithm::EdDSA, AlgorithmFamily::Ed) {
        return Err(Error::from(ErrorKind::UnsupportedAlgorithm));
    }
    let seed = key.as_bytes().try_into().map_err(|_| Error::from(ErrorKind::InvalidEddsaKey))?;
    Ok(Box::new(Ours(ed25519_dalek::SigningKey::from_bytes(seed))))
}

/// The key decides, and not the header: the family of the algorithm is that of the key that the caller pinned.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form is the crate's")]
fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    if algorithm.family() != key.family() {
        return Err(Error::from(ErrorKind::InvalidAlgorithm));
    }
    Ok(match (algorithm, key.kind()) {
        (Algorithm::EdDSA, DecodingKeyKind::SecretOrDer(bytes)) => {
            let bytes = <[u8; 32]>::try_from(bytes.as_slice()).map_err(|_| ErrorKind::InvalidEddsaKey)?;
            if !Ed25519PublicKey::from_bytes(bytes).is_strict() {
                return Err(Error::from(ErrorKind::InvalidEddsaKey));
            }
            let key = ed25519_dalek::VerifyingKey::from_bytes(&bytes).map_err(|_| ErrorKind::InvalidEddsaKey)?;
            Box::new(Strict(key))
        }
        (Algorithm::ES256, DecodingKeyKind::SecretOrDer(point)) => Box::new(P256(point.clone())),
        (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
            Box::new(Rsa(RsaPublicKeyComponents { n: n.clone(), e: e.clone() }))
        }
        _ => return Err(Error::from(ErrorKind::UnsupportedAlgorithm)),
    })
}

struct Ours(ed25519_dalek::SigningKey);
struct Strict(ed25519_dalek::VerifyingKey);
struct P256(Vec<u8>);
struct Rsa(RsaPublicKeyComponents<Vec<u8>>);

impl Signer<Vec<u8>> for Ours {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, Bad> {
        Ok(self.0.sign(message).to_bytes().to_vec())
    }
}

impl JwtSigner for Ours {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

macro_rules! verifiers {
    ($($kind:ident = $algorithm:ident: |$this:ident, $message:ident, $signature:ident| $accepts:expr;)+) => {
        $(
            impl Verifier<Vec<u8>> for $kind {
                fn verify(&self, $message: &[u8], $signature: &Vec<u8>) -> std::result::Result<(), Bad> {
                    let $this = self;
                    if $accepts { Ok(()) } else { Err(Bad::new()) }
                }
            }

            impl JwtVerifier for $kind {
                fn algorithm(&self) -> Algorithm {
                    Algorithm::$algorithm
                }
            }
        )+
    };
}

verifiers! {
    Strict = EdDSA: |key, message, signature| ed25519_dalek::Signature::from_slice(signature)
        .is_ok_and(|signature| key.0.verify_strict(message, &signature).is_ok());
    P256 = ES256: |key, message, signature| UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &key.0)
        .verify(message, signature).is_ok();
    Rsa = RS256: |key, message, signature| key.0.verify(&RSA_PKCS1_2048_8192_SHA256, message, signature).is_ok();
}
