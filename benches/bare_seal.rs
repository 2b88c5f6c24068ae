//! Dual seals by the bare crates: the formulas and nothing else.

use dualseal::SystemRng;
use hmac::{KeyInit, Mac, SimpleHmac};
use ml_dsa::{EncodedSignature, Keypair, MlDsa65, VerifyingKey};
use sha3::Sha3_512;
use shake::{ExtendableOutput, Shake256, Update, XofReader};

/// The formulas over the bare crates.
pub(crate) struct Bare {
    signing: ml_dsa::SigningKey<MlDsa65>,
    verifying: VerifyingKey<MlDsa65>,
    /// Fixed for each key, and kept by `ml-dsa` with it.
    tr: [u8; 64],
    seal_key: [u8; 64],
    identity_hex: String,
}

impl Bare {
    pub(crate) fn new(seed: &[u8; 32], seal_key: &[u8; 64], identity_hex: &str) -> Self {
        let signing = ml_dsa::SigningKey::<MlDsa65>::from_seed(&ml_dsa::Seed::from(*seed));
        let verifying = signing.verifying_key().clone();
        let mut tr = [0; 64];
        Shake256::default().chain(verifying.encode()).finalize_xof().read(&mut tr);
        Self { signing, verifying, tr, seal_key: *seal_key, identity_hex: identity_hex.to_string() }
    }

    /// The payload's hexadecimal, once, into layer A and layer B.
    fn absorb(&self, payload: &[u8], a: bool, b: bool) -> (Option<SimpleHmac<Sha3_512>>, Option<Shake256>) {
        let mut mac = a.then(|| <SimpleHmac<Sha3_512> as KeyInit>::new_from_slice(&self.seal_key).expect("any length"));
        let mut mu = b.then(|| Shake256::default().chain(self.tr).chain([0, 0]));
        let mut digits = [0; 2048];
        for chunk in payload.chunks(1024) {
            let digits = base16ct::lower::encode(chunk, &mut digits).expect("room for two digits a byte");
            if let Some(mac) = &mut mac {
                Mac::update(mac, digits);
            }
            if let Some(mu) = &mut mu {
                mu.update(digits);
            }
        }
        (mac, mu)
    }

    fn finish(&self, mu: Shake256, hmac: &[u8]) -> [u8; 64] {
        let hmac_hex = base16ct::lower::encode_string(hmac);
        let mut mu = mu;
        for part in ["::", &hmac_hex, "::", &self.identity_hex, "::", "DUALSEAL"] {
            mu.update(part.as_bytes());
        }
        let mut out = [0; 64];
        mu.finalize_xof().read(&mut out);
        out
    }

    pub(crate) fn seal(&self, payload: &[u8]) -> ([u8; 64], EncodedSignature<MlDsa65>) {
        let (mac, mu) = self.absorb(payload, true, true);
        let hmac: [u8; 64] = mac.expect("asked for").finalize().into_bytes().into();
        let mu = self.finish(mu.expect("asked for"), &hmac);
        let signature = self.signing.expanded_key().sign_mu_randomized(&mu.into(), &mut SystemRng);
        (hmac, signature.expect("a fit key").encode())
    }

    pub(crate) fn verify(
        &self,
        payload: &[u8],
        seal: &([u8; 64], EncodedSignature<MlDsa65>),
        a: bool,
        b: bool,
    ) -> bool {
        let (mac, mu) = self.absorb(payload, a, b);
        let layer_a = mac.is_none_or(|mac| mac.verify(&seal.0.into()).is_ok());
        let layer_b = mu.is_none_or(|mu| {
            let signature = ml_dsa::Signature::decode(&seal.1).expect("well-formed");
            self.verifying.verify_mu(&self.finish(mu, &seal.0).into(), &signature)
        });
        layer_a && layer_b
    }
}
