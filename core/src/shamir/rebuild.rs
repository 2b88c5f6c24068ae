//! Rebuilding what a dealer committed to: the secret, or one lost share. Nothing else ever comes back.

use super::weights::interpolate;
use super::{Commitments, DrawnSecret, Index, Share};
use crate::error::{Error, Problem, SharingFault, SharingProblem};
use crate::field::Field;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The dealer's secret, and who sent something else than the dealer's share.
#[derive(Debug)]
pub struct Reconstructed<F: Field> {
    /// The secret that was dealt.
    pub secret: DrawnSecret<F>,
    /// The indices of the shares that do not hold, ascending. They took no part.
    pub culprits: Vec<Index>,
}

/// Rebuilds the secret that was committed to.
///
/// Checked in this order, over all shares: that no index is there twice; the commitments, which name the culprits; that
/// the shares that hold are of this set; that k of them are left; and that they give the secret that was committed to.
/// More than k shares are welcome: as many bad ones are tolerated.
///
/// ```
/// use dualseal::field::Fp521;
/// use dualseal::shamir::{Dealing, DrawnSecret, Index, Share, Threshold, reconstruct};
/// use dualseal::{Domain, SystemRng};
///
/// let secret = DrawnSecret::<Fp521>::draw(&mut SystemRng)?;
/// let dealt = Dealing::deal(&Domain::default(), &secret, Threshold::new(2, 3)?, &mut SystemRng)?;
/// let mut shares = dealt.shares;
/// shares[0] = Share::from_bytes(Index::new(1)?, &[0; 66])?;
///
/// let rebuilt = reconstruct(&dealt.dealing, &shares)?;
/// assert_eq!(rebuilt.secret.to_bytes(), secret.to_bytes());
/// assert_eq!(rebuilt.culprits, [Index::new(1)?]);
/// # Ok::<(), dualseal::Error>(())
/// ```
///
/// # Errors
/// [`Problem::Repeated`] for `indeks`, naming it. [`SharingProblem::Mixed`], [`SharingProblem::TooFewShares`] and
/// [`SharingProblem::DealerFault`], each with the culprits.
pub fn reconstruct<F, S, C>(commitments: &C, shares: &[S]) -> Result<Reconstructed<F>, Error>
where
    F: Field,
    S: AsRef<Share<F>>,
    C: Commitments<F, S> + ?Sized,
{
    let (good, culprits) = judge(commitments, shares)?;
    let secret = Zeroizing::new(interpolate(good.iter().map(|share| (share.index().get(), share.value())), 0));
    if bool::from(commitments.secret_holds(&secret)) {
        Ok(Reconstructed { secret: DrawnSecret::from_element(&secret), culprits })
    } else {
        Err(fault(SharingProblem::DealerFault, &culprits))
    }
}

/// A share that was lost, made again, and who sent something else than the dealer's share.
#[derive(Debug)]
pub struct Repaired<S> {
    /// The share, equal to the one that was dealt.
    pub share: S,
    /// The indices of the shares that do not hold, ascending. They took no part.
    pub culprits: Vec<Index>,
}

/// Makes a lost share again from k others. It belongs to the same set, and is what the dealer committed to.
///
/// `wrap` gives the share the record that it travels in; for bare shares that is the identity. Whoever does this could
/// rebuild the secret as well.
///
/// # Errors
/// As [`reconstruct`]; [`Problem::Range`] for `indeks` when the lost index is above n. [`SharingProblem::DealerFault`]
/// when the share that comes out is not the one that was committed to.
pub fn repair<F, S, C>(
    commitments: &C,
    shares: &[S],
    lost: Index,
    wrap: impl FnOnce(Share<F>) -> S,
) -> Result<Repaired<S>, Error>
where
    F: Field,
    S: AsRef<Share<F>>,
    C: Commitments<F, S> + ?Sized,
{
    if lost.get() > commitments.threshold().n() {
        return Err(Error::malformed_at("indeks", lost.get().into(), Problem::Range));
    }
    let (good, culprits) = judge(commitments, shares)?;
    let value = Zeroizing::new(interpolate(good.iter().map(|share| (share.index().get(), share.value())), lost.get()));
    let share = wrap(Share::new(lost, &value));
    if commitments.belongs(&share) && bool::from(commitments.share_holds(&share)) {
        Ok(Repaired { share, culprits })
    } else {
        Err(fault(SharingProblem::DealerFault, &culprits))
    }
}

/// k shares that hold, and the indices of all that do not.
fn judge<'a, F, S, C>(commitments: &C, shares: &'a [S]) -> Result<(Vec<&'a Share<F>>, Vec<Index>), Error>
where
    F: Field,
    S: AsRef<Share<F>>,
    C: Commitments<F, S> + ?Sized,
{
    check_distinct(shares)?;
    let threshold = commitments.threshold();
    let (mut good, mut culprits, mut mixed) = (Vec::new(), Vec::new(), Vec::new());
    for share in shares {
        let index = share.as_ref().index();
        // The comparison is in constant time; its outcome is told to everybody.
        if index.get() > threshold.n() || !bool::from(commitments.share_holds(share)) {
            culprits.push(index);
        } else if commitments.belongs(share) {
            good.push(share.as_ref());
        } else {
            mixed.push(index.get());
        }
    }
    culprits.sort_unstable();
    if !mixed.is_empty() {
        mixed.sort_unstable();
        return Err(fault(SharingProblem::Mixed { foreign: mixed }, &culprits));
    }
    check_enough(threshold.k(), good.len(), &culprits)?;
    good.truncate(threshold.k().into());
    Ok((good, culprits))
}

/// Two shares with one index: at least one of them is forged, and which one must not depend on their order.
pub(super) fn check_distinct<F: Field, S: AsRef<Share<F>>>(shares: &[S]) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for share in shares {
        let index = share.as_ref().index();
        if !seen.insert(index) {
            return Err(Error::malformed_at("indeks", index.get().into(), Problem::Repeated));
        }
    }
    Ok(())
}

pub(super) fn check_enough(needed: u8, found: usize, culprits: &[Index]) -> Result<(), Error> {
    // There are at most 255 shares with different indices.
    match u8::try_from(found) {
        Ok(found) if found < needed => Err(fault(SharingProblem::TooFewShares { needed, found }, culprits)),
        _ => Ok(()),
    }
}

pub(super) fn fault(problem: SharingProblem, culprits: &[Index]) -> Error {
    SharingFault { problem, culprits: culprits.iter().map(|index| index.get()).collect() }.into()
}
