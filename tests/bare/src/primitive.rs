//! The primitive under a message of the vectors': `ml-dsa` and core's own verification, which are in such a program.

use crate::prelude::*;
use crate::random::Given;
use dualseal::mldsa::vectors;
use dualseal::{ExpandedSigningKey, PublicKey, Signature};
use ml_dsa::MlDsa65;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

pub(crate) fn mu(key: &PublicKey, context: &[u8], message: &[u8]) -> Option<[u8; 64]> {
    let length = u8::try_from(context.len()).ok()?;
    let tr = shake256(&[key.as_bytes()]);
    Some(shake256(&[&tr, &[0, length], context, message]))
}

pub(crate) fn accepts(key: &PublicKey, context: &[u8], message: &[u8], signature: &Signature) -> bool {
    let mu = mu(key, context, message).expect("a short context");
    let (alone, together) = vectors::accept(key, &[(mu, signature.clone())]);
    alone[0] && together[0]
}

pub(crate) fn sign(key: &ExpandedSigningKey, mu: [u8; 64], rnd: Option<&[u8]>) -> Vec<u8> {
    #[allow(deprecated, reason = "core reads expanded keys through the same function")]
    let key = ml_dsa::ExpandedSigningKey::<MlDsa65>::from_expanded(&(*key.to_bytes().expose()).into());
    let signature = key.sign_mu_randomized(&mu.into(), &mut Given(rnd.unwrap_or(&[0; 32])));
    signature.expect("a fit key and 32 bytes").encode().to_vec()
}

fn shake256(parts: &[&[u8]]) -> [u8; 64] {
    let mut hash = Shake256::default();
    for part in parts {
        hash.update(part);
    }
    let mut output = [0; 64];
    hash.finalize_xof().read(&mut output);
    output
}
