//! `ml-dsa` as core drives it, with a message representative that is computed outside, by core with its own SHAKE256,
//! here from FIPS 204 alone; and `libcrux-ml-dsa`, which takes the message. For vectors, whose messages the library
//! itself would neither sign nor verify.

use crate::random::Given;
use dualseal::{ExpandedSigningKey, PublicKey, Signature};
use libcrux_ml_dsa::ml_dsa_65::{self, MLDSA65SigningKey};
use ml_dsa::{EncodedSignature, EncodedVerifyingKey, MlDsa65, VerifyingKey};
use shake::{ExtendableOutput, Shake256, Update, XofReader};

/// `mu = SHAKE256(SHAKE256(key, 64) ‖ 0 ‖ context length ‖ context ‖ message, 64)`; `None` for a context that is longer
/// than 255 bytes.
pub fn mu(key: &PublicKey, context: &[u8], message: &[u8]) -> Option<[u8; 64]> {
    let length = u8::try_from(context.len()).ok()?;
    let tr = shake256(&[key.as_bytes()]);
    Some(shake256(&[&tr, &[0, length], context, message]))
}

/// Whether a signature holds. Both ways into the crate must agree.
pub fn accepts(key: &PublicKey, context: &[u8], message: &[u8], signature: &Signature) -> bool {
    let encoded = EncodedSignature::<MlDsa65>::from(*signature.as_bytes());
    let Some(decoded) = ml_dsa::Signature::decode(&encoded) else { return false };
    let verifying = VerifyingKey::<MlDsa65>::decode(&EncodedVerifyingKey::<MlDsa65>::from(*key.as_bytes()));
    let accepted = mu(key, context, message).is_some_and(|mu| verifying.verify_mu(&mu.into(), &decoded));
    assert_eq!(accepted, verifying.verify_with_context(message, context, &decoded));
    accepted
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
