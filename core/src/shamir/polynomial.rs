//! Dealing: a random polynomial through the secret, evaluated at every index.

use super::{Index, Share, Threshold};
use crate::error::Error;
use crate::field::{self, Field};
use crate::secret;
use alloc::vec::Vec;
use rand_core::TryCryptoRng;

/// n shares of `secret`.
///
/// The k-1 coefficients are uniform over the whole field, the leading one too: a leading coefficient that is never zero
/// would let k-1 shares rule out one secret each (RUSTSEC-2024-0398).
pub(super) fn split<F: Field, R: TryCryptoRng + ?Sized>(
    secret: &F,
    threshold: Threshold,
    rng: &mut R,
) -> Result<Vec<Share<F>>, Error> {
    let drawn = usize::from(threshold.k()).saturating_sub(1);
    let mut coefficients = Vec::with_capacity(usize::from(threshold.k()));
    coefficients.push(secret.duplicate());
    let coefficients = field::draw(rng, drawn, coefficients)?;
    // With coefficients that everybody knows, each share gives the secret.
    if coefficients.iter().skip(1).all(is_constant) {
        return Err(Error::Randomness);
    }
    let mut shares = Vec::with_capacity(threshold.n().into());
    shares.extend(Index::up_to(threshold.n()).map(|index| Share::on(&coefficients, index)));
    Ok(shares)
}

/// Whether a generator that gives one byte again and again made it. The first byte is left out: an element of a field
/// may have lost some of its bits. In a small field such an element is as likely as any other, and shows nothing.
fn is_constant<F: Field>(element: &F) -> bool {
    let bytes = element.to_bytes();
    let rest = bytes.as_ref().get(1..).unwrap_or_default();
    F::BYTES > 8 && bool::from(secret::is_constant(rest))
}
