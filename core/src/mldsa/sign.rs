//! What a key that signs is: a sealed trait, and the randomness that a signature mixes in.

use super::PublicKey;
use crate::error::Error;
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

    #[cfg(feature = "hazmat-vectors")]
    pub(super) fn given(bytes: &[u8; 32]) -> Self {
        Self(Zeroizing::new(*bytes))
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

pub(crate) mod sealed {
    use super::{Error, Hedge};
    use crate::mldsa::{Signature, Statement};

    pub trait Sign {
        #[allow(private_interfaces, reason = "the trait is sealed: only this crate calls it")]
        fn sign_statement(&self, statement: &Statement<'_>, hedge: &Hedge) -> Result<Signature, Error>;
    }
}
