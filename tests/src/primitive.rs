//! The primitive under vectors, whose messages the library itself would neither sign nor verify: core's own, through a
//! door for tests; `ml-dsa` as core drives it, with a message representative that is computed here from FIPS 204 alone;
//! and `libcrux-ml-dsa`, which takes the message. Each call asks all that can answer it, and they must agree.

use crate::random::Given;
use dualseal::mldsa::{StatementKey, vectors};
use dualseal::{ExpandedSigningKey, PublicKey, Signature};
use libcrux_ml_dsa::ml_dsa_65::{self, MLDSA65Signature, MLDSA65SigningKey, MLDSA65VerificationKey};
use ml_dsa::{EncodedSignature, EncodedVerifyingKey, MlDsa65, VerifyingKey};
use shake::{ExtendableOutput, Shake256, Update, XofReader};

/// `mu = SHAKE256(SHAKE256(key, 64) ‖ 0 ‖ context length ‖ context ‖ message, 64)`; `None` for a context that is longer
/// than 255 bytes.
pub fn mu(key: &PublicKey, context: &[u8], message: &[u8]) -> Option<[u8; 64]> {
    let length = u8::try_from(context.len()).ok()?;
    let tr = shake256(&[key.as_bytes()]);
    Some(shake256(&[&tr, &[0, length], context, message]))
}

/// Whether a signature holds.
pub fn accepts(key: &PublicKey, context: &[u8], message: &[u8], signature: &Signature) -> bool {
    let mu = mu(key, context, message);
    let accepted = mu.is_some_and(|mu| by_core(key, &mu, signature));
    let encoded = EncodedSignature::<MlDsa65>::from(*signature.as_bytes());
    let decoded = ml_dsa::Signature::decode(&encoded);
    let verifying = VerifyingKey::<MlDsa65>::decode(&EncodedVerifyingKey::<MlDsa65>::from(*key.as_bytes()));
    let by_mu = mu.zip(decoded.as_ref()).is_some_and(|(mu, decoded)| verifying.verify_mu(&mu.into(), decoded));
    let by_message = decoded.is_some_and(|decoded| verifying.verify_with_context(message, context, &decoded));
    let libcrux = ml_dsa_65::verify(
        &MLDSA65VerificationKey::new(*key.as_bytes()),
        message,
        context,
        &MLDSA65Signature::new(*signature.as_bytes()),
    );
    assert_eq!([accepted; 3], [by_mu, by_message, libcrux.is_ok()]);
    accepted
}

/// Core's own answer, alone and among others.
pub fn by_core(key: &PublicKey, mu: &[u8; 64], signature: &Signature) -> bool {
    let (alone, together) = vectors::accept(key, &[(); 5].map(|()| (*mu, signature.clone())));
    assert!(alone.iter().chain(&together).all(|one| *one == alone[0]));
    alone[0]
}

/// Core's own signature over a message with the empty context.
pub fn sign_by_core<K: StatementKey>(key: &K, message: &[u8], rnd: Option<&[u8]>) -> Signature {
    let rnd = rnd.map(|rnd| rnd.try_into().expect("32 bytes"));
    vectors::sign(key, message, rnd).expect("a fit key")
}

/// A signature over a message representative; without `rnd`, the deterministic one.
pub fn sign(key: &ExpandedSigningKey, mu: [u8; 64], rnd: Option<&[u8]>) -> Vec<u8> {
    #[allow(deprecated, reason = "core reads expanded keys through the same function")]
    let key = ml_dsa::ExpandedSigningKey::<MlDsa65>::from_expanded(&(*key.to_bytes().expose()).into());
    let signature = key.sign_mu_randomized(&mu.into(), &mut Given(rnd.unwrap_or(&[0; 32])));
    signature.expect("a fit key and 32 bytes").encode().to_vec()
}

/// The same by `libcrux-ml-dsa`, of a message.
pub fn sign_message(key: &ExpandedSigningKey, context: &[u8], message: &[u8], rnd: Option<&[u8]>) -> Vec<u8> {
    let key = MLDSA65SigningKey::new(*key.to_bytes().expose());
    let rnd = rnd.unwrap_or(&[0; 32]).try_into().expect("32 bytes");
    ml_dsa_65::sign(&key, message, context, rnd).expect("a fit key").as_slice().to_vec()
}

/// 64 bytes of SHAKE256.
pub fn shake256(parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = Shake256::default();
    for part in parts {
        hash.update(part);
    }
    let mut output = [0; 64];
    hash.finalize_xof().read(&mut output);
    output
}
