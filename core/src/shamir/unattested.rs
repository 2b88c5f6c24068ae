//! Rebuilding from shares that nobody committed to: those of other programs.

use super::decode::find_errors;
use super::rebuild::{check_distinct, check_enough, fault};
use super::weights::interpolate;
use super::{Index, Share, boxed};
use crate::error::{Error, Problem, SharingProblem};
use crate::field::Field;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use zeroize::Zeroizing;

/// What shares without commitments give. Nobody vouches for it: it is a type of its own, and nothing in this library
/// takes it for a [`DrawnSecret`](super::DrawnSecret).
pub struct Unattested<F: Field> {
    secret: Box<F>,
    outliers: Vec<Index>,
    unchecked: bool,
}

impl<F: Field> Unattested<F> {
    /// The value's bytes, big-endian: 66 (F_p) or 32 (GF(2^256)).
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<F::Bytes> {
        self.secret.to_bytes()
    }

    /// The shares that do not fit the others, ascending. Not culprits: see [`reconstruct_unanchored`].
    #[must_use]
    pub fn outliers(&self) -> &[Index] {
        &self.outliers
    }

    /// There were exactly k shares. Any k values give some secret: nothing was checked.
    #[must_use]
    pub fn unchecked(&self) -> bool {
        self.unchecked
    }
}

impl<F: Field> fmt::Debug for Unattested<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unattested")
            .field("secret", &format_args!("[redacted]"))
            .field("outliers", &self.outliers)
            .field("unchecked", &self.unchecked)
            .finish()
    }
}

/// Rebuilds a secret from t shares that come without commitments, of which any k should give it.
///
/// With t > k, up to floor((t-k)/2) wrong shares are corrected and named as outliers, and with more of them that do not
/// work together the call fails. **More of them that do work together can choose the result, and frame others.**
/// Already ceil((t-k)/2) + 1 holders, who need not know any other share, can move it by an amount of their choice (and
/// choose it, when they are k or more): their shares then lie on one polynomial with those of k-1 honest holders, and
/// the remaining honest shares come out as the outliers. So outliers are not culprits. With t = k nothing is checked,
/// as [`Unattested::unchecked`] says.
///
/// Whoever has the dealer's commitments uses [`reconstruct`](super::reconstruct), where none of this is possible.
///
/// ```
/// use dualseal::SystemRng;
/// use dualseal::field::Gf2_256;
/// use dualseal::shamir::{DrawnSecret, Index, Share, Threshold, reconstruct_unanchored};
///
/// let secret = DrawnSecret::<Gf2_256>::draw(&mut SystemRng)?;
/// let mut shares = secret.split(Threshold::new(2, 4)?, &mut SystemRng)?;
/// shares[2] = Share::from_bytes(Index::new(3)?, &[0; 32])?;
///
/// let found = reconstruct_unanchored(2, &shares)?;
/// assert_eq!(found.to_bytes(), secret.to_bytes());
/// assert_eq!(found.outliers(), [Index::new(3)?]);
/// assert!(reconstruct_unanchored(2, &shares[..2])?.unchecked());
/// # Ok::<(), dualseal::Error>(())
/// ```
///
/// # Errors
/// [`Problem::Range`] for `k` outside 2 to 255; [`Problem::Repeated`] for `indeks`, naming it;
/// [`SharingProblem::TooFewShares`]; [`SharingProblem::TooManyErrors`].
pub fn reconstruct_unanchored<F: Field>(k: u64, shares: &[Share<F>]) -> Result<Unattested<F>, Error> {
    let out_of_range = || Error::malformed_at("k", k, Problem::Range);
    let needed = u8::try_from(k).ok().filter(|k| *k >= 2).ok_or_else(out_of_range)?;
    check_distinct(shares)?;
    check_enough(needed, shares.len(), &[])?;

    let indices: Vec<u8> = shares.iter().map(|share| share.index().get()).collect();
    let values: Vec<&F> = shares.iter().map(Share::value).collect();
    let surplus = shares.len().saturating_sub(needed.into());
    let wrong = find_errors(&indices, &values, needed.into()).ok_or_else(|| {
        let correctable = u8::try_from(surplus.div_euclid(2)).unwrap_or(u8::MAX);
        fault(SharingProblem::TooManyErrors { correctable }, &[])
    })?;

    let is_right = |(place, share)| if wrong.contains(&place) { None } else { Some(share) };
    let right = shares.iter().enumerate().filter_map(is_right).take(needed.into());
    let secret = Zeroizing::new(interpolate(right.map(|share| (share.index().get(), share.value())), 0));
    let mut outliers: Vec<Index> = wrong.iter().filter_map(|place| shares.get(*place)).map(Share::index).collect();
    outliers.sort_unstable();
    Ok(Unattested { secret: boxed(&secret), outliers, unchecked: surplus == 0 })
}
