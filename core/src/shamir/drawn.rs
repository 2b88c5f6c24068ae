//! The only kind of secret that is ever shared: one that this library drew.

use super::{Share, Threshold, boxed, polynomial};
use crate::error::Error;
use crate::field::{self, Field};
use crate::secret::{Distinct, apart};
use crate::stream::{self, KeyMaterial};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

/// A secret that this library drew: the only kind that is shared. It encrypts a [`stream`](mod@crate::stream) of
/// anything else.
///
/// ```
/// use dualseal::SystemRng;
/// use dualseal::field::Fp521;
/// use dualseal::shamir::{DrawnSecret, Threshold};
///
/// let secret = DrawnSecret::<Fp521>::draw(&mut SystemRng)?;
/// let shares = secret.split(Threshold::new(3, 5)?, &mut SystemRng)?;
/// assert_eq!(shares.len(), 5);
/// # Ok::<(), dualseal::Error>(())
/// ```
///
/// A value of one's own does not become one, since it could be guessed from its anchor:
///
/// ```compile_fail,E0599
/// # use dualseal::{field::Gf2_256, shamir::{DrawnSecret, Index, Share}};
/// let pin = [0; 32];
/// let secret = DrawnSecret::<Gf2_256>::from_bytes(Index::new(1)?, &pin)?;
/// # Ok::<(), dualseal::Error>(())
/// ```
///
/// ```
/// # use dualseal::{field::Gf2_256, shamir::{DrawnSecret, Index, Share}};
/// let pin = [0; 32];
/// let share = Share::<Gf2_256>::from_bytes(Index::new(1)?, &pin)?;
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct DrawnSecret<F: Field>(Box<F>);

impl<F: Field> DrawnSecret<F> {
    /// Draws a secret, uniformly over the field.
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails, or gives nothing but zeros.
    pub fn draw<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        apart::<8192, _>(|| {
            // Copied, so that the list wipes its own: a value that is taken out of a list stays in the list's memory.
            let drawn: Vec<F> = field::draw(rng, 1, Vec::new())?;
            drawn.last().map(|drawn| Self::from_element(drawn)).ok_or(Error::Randomness)
        })
    }

    /// A secret that was drawn earlier, and is known to be that one.
    pub(crate) fn from_element(element: &F) -> Self {
        Self(boxed(element))
    }

    /// Deals n shares, of which any k give the secret. Nothing is kept to tell a bad share by later: shares for other
    /// programs are dealt like this, and [`Dealing::deal`](super::Dealing::deal) makes those that
    /// [`reconstruct`](super::reconstruct) can check.
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails or repeats itself, or the secret.
    pub fn split<R: TryCryptoRng + ?Sized>(&self, threshold: Threshold, rng: &mut R) -> Result<Vec<Share<F>>, Error> {
        apart::<4096, _>(|| {
            polynomial::split(self.element(), threshold, &mut Distinct::beside(rng, self.to_bytes().as_ref()))
        })
    }

    /// The secret's bytes, big-endian: 66 (F_p) or 32 (GF(2^256)).
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<F::Bytes> {
        self.0.to_bytes()
    }

    pub(crate) fn element(&self) -> &F {
        &self.0
    }
}

impl<F: Field> fmt::Debug for DrawnSecret<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DrawnSecret([redacted])")
    }
}

impl<F: Field> stream::sealed::Sealed for DrawnSecret<F> {
    fn with_key(&self, lend: &mut dyn FnMut(&[u8])) {
        lend(self.to_bytes().as_ref());
    }
}

impl<F: Field> KeyMaterial for DrawnSecret<F> {}
