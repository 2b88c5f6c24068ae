//! What a key that signs is: a sealed trait, and the one function that makes signatures.

use super::{Mu, PublicKey, Signature};
use crate::error::{Error, Misuse};
use ml_dsa::{EncodedSignature, MlDsa65};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// A key that can sign this library's statements: [`SigningKey`](crate::SigningKey) or
/// [`ExpandedSigningKey`](crate::ExpandedSigningKey).
///
/// It cannot be implemented outside this crate, and its signing function cannot be called from outside it.
pub trait StatementKey: sealed::Sign + Sync {
    /// The public half.
    fn public_key(&self) -> &PublicKey;
}

/// The 32 bytes of randomness that a signature mixes in.
pub(crate) struct Hedge(Zeroizing<[u8; 32]>);

impl Hedge {
    /// Hedged, the default of FIPS 204 (section 3.4): resists faults and side channels better.
    pub(crate) fn draw<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let mut fresh = Zeroizing::new([0; 32]);
        rng.try_fill_bytes(fresh.as_mut_slice()).map_err(|_| Error::Randomness)?;
        Ok(Self(fresh))
    }

    /// The optional deterministic variant: zeros.
    pub(crate) fn deterministic() -> Self {
        Self(Zeroizing::new([0; 32]))
    }
}

pub(crate) mod sealed {
    use super::{Error, Hedge, Mu, Signature};

    pub trait Sign {
        #[allow(private_interfaces, reason = "the trait is sealed: only this crate calls it")]
        fn sign_mu(&self, mu: Mu, hedge: &Hedge) -> Result<Signature, Error>;
    }
}

/// Gives 32 bytes that were drawn before, so that a failing generator and a failing key are told apart.
struct Drawn<'a>(&'a [u8; 32]);

impl rand_core::TryRng for Drawn<'_> {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(0)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for (to, from) in bytes.iter_mut().zip(self.0) {
            *to = *from;
        }
        Ok(())
    }
}

impl TryCryptoRng for Drawn<'_> {}

pub(super) fn sign(
    key: &ml_dsa::ExpandedSigningKey<MlDsa65>,
    mu: &[u8; 64],
    hedge: &Hedge,
) -> Result<Signature, Error> {
    let signature = key.sign_mu_randomized(&(*mu).into(), &mut Drawn(&hedge.0));
    let bytes: EncodedSignature<MlDsa65> = signature.map_err(|_| Error::Misuse(Misuse::UnfitKey))?.encode();
    Ok(Signature::from_array(&bytes.into()))
}
