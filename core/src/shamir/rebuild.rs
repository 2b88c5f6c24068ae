//! Rebuilding what a dealer committed to: the secret, or one lost share. Nothing else ever comes back.

use super::decode::find_errors;
use super::weights::interpolate;
use super::{Commitments, DrawnSecret, Index, Share};
use crate::error::{Error, Problem, SharingFault, SharingProblem};
use crate::field::Field;
use crate::secret::apart;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// The dealer's secret, and who sent something else than the dealer's share.
#[derive(Debug)]
pub struct Reconstructed<F: Field> {
    /// The secret that was dealt.
    pub secret: DrawnSecret<F>,
    /// The indices of the shares that do not hold, ascending. They took no part.
    pub culprits: Vec<Index>,
    /// The indices of the shares that hold and are not on the others' polynomial, ascending: the dealer committed to
    /// a wrong value, and whoever holds it did nothing wrong. They are looked for where the first shares do not give
    /// the secret, so that the list may be empty although one of the others is such a share.
    pub misdealt: Vec<Index>,
}

/// Rebuilds the secret that was committed to.
///
/// Checked in this order, over all shares: the commitments, which name the culprits; that the shares that hold are of
/// this set; that k of them are left, each index counted once; and that they give the secret that was committed to.
/// More than k shares are welcome: as many bad ones are tolerated. The outcome does not depend on their order.
///
/// A share that does not hold accuses nobody when one that holds is there under the same index: it was sent in the name
/// of somebody who sent a good one.
///
/// Where the k shares of the lowest indices that hold do not give that secret, the dealer committed to a share that is
/// not on the polynomial. All t that hold are then decoded: up to floor((t-k)/2) such shares are found and left out.
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
/// [`SharingProblem::Mixed`], [`SharingProblem::TooFewShares`] and [`SharingProblem::DealerFault`], each with the
/// culprits.
pub fn reconstruct<F, S, C>(commitments: &C, shares: &[S]) -> Result<Reconstructed<F>, Error>
where
    F: Field,
    S: AsRef<Share<F>>,
    C: Commitments<F, S> + ?Sized,
{
    let (good, culprits) = judge(commitments, shares)?;
    apart::<8192, _>(|| {
        let Agreed { secret, misdealt, .. } = agree(commitments, good, &culprits)?;
        Ok(Reconstructed { secret: DrawnSecret::<F>::from_element(&secret), culprits, misdealt })
    })
}

/// A share that was lost, made again, and who sent something else than the dealer's share.
#[derive(Debug)]
pub struct Repaired<S> {
    /// The share, equal to the one that was dealt.
    pub share: S,
    /// The indices of the shares that do not hold, ascending. They took no part.
    pub culprits: Vec<Index>,
    /// As [`Reconstructed::misdealt`].
    pub misdealt: Vec<Index>,
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
    let (share, misdealt) = apart::<8192, _>(|| {
        let Agreed { used, misdealt, .. } = agree(commitments, good, &culprits)?;
        let value = Zeroizing::new(at(&used, lost.get()));
        Ok::<_, Error>((Share::<F>::new(lost, &value), misdealt))
    })?;
    let share = wrap(share);
    if commitments.belongs(&share) && bool::from(commitments.share_holds(&share)) {
        Ok(Repaired { share, culprits, misdealt })
    } else {
        Err(fault(SharingProblem::DealerFault, &culprits))
    }
}

/// What the shares that hold agree on.
struct Agreed<'a, F: Field> {
    /// The secret that was committed to.
    secret: Zeroizing<F>,
    /// k shares on one polynomial with it.
    used: Vec<&'a Share<F>>,
    misdealt: Vec<Index>,
}

/// The secret that was committed to, from k or more shares that hold, in the order of their indices.
fn agree<'a, F, S, C>(commitments: &C, mut good: Vec<&'a Share<F>>, culprits: &[Index]) -> Result<Agreed<'a, F>, Error>
where
    F: Field,
    S: AsRef<Share<F>>,
    C: Commitments<F, S> + ?Sized,
{
    let k = usize::from(commitments.threshold().k());
    let first = |shares: &[&Share<F>]| {
        let secret = Zeroizing::new(at(shares.get(..k).unwrap_or(shares), 0));
        bool::from(commitments.secret_holds(&secret)).then_some(secret)
    };
    let mut misdealt = Vec::new();
    let mut secret = first(&good);
    if secret.is_none() {
        let indices: Vec<u8> = good.iter().map(|share| share.index().get()).collect();
        let values: Vec<&F> = good.iter().map(|share| share.value()).collect();
        let wrong = find_errors(&indices, &values, k).unwrap_or_default();
        misdealt = wrong.iter().filter_map(|place| good.get(*place)).map(|share| share.index()).collect();
        good.retain(|share| !misdealt.contains(&share.index()));
        // With no share left out it is the same polynomial as before.
        secret = if misdealt.is_empty() { None } else { first(&good) };
    }
    good.truncate(k);
    let secret = secret.ok_or_else(|| fault(SharingProblem::DealerFault, culprits))?;
    Ok(Agreed { secret, used: good, misdealt })
}

fn at<F: Field>(shares: &[&Share<F>], index: u8) -> F {
    interpolate(shares.iter().map(|share| (share.index().get(), share.value())), index)
}

/// The shares that hold, at least k and in the order of their indices, and the indices of which none holds that was
/// given.
fn judge<'a, F, S, C>(commitments: &C, shares: &'a [S]) -> Result<(Vec<&'a Share<F>>, Vec<Index>), Error>
where
    F: Field,
    S: AsRef<Share<F>>,
    C: Commitments<F, S> + ?Sized,
{
    let threshold = commitments.threshold();
    let (mut good, mut bad, mut mixed) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
    for share in shares {
        let index = share.as_ref().index();
        // The comparison is in constant time; its outcome is told to everybody.
        if index.get() > threshold.n() || !bool::from(commitments.share_holds(share)) {
            bad.insert(index);
        } else if commitments.belongs(share) {
            good.insert(index, share.as_ref());
        } else {
            mixed.insert(index.get());
        }
    }
    let culprits: Vec<Index> = bad.into_iter().filter(|index| !good.contains_key(index)).collect();
    if !mixed.is_empty() {
        return Err(fault(SharingProblem::Mixed { foreign: mixed.into_iter().collect() }, &culprits));
    }
    check_enough(threshold.k(), good.len(), &culprits)?;
    Ok((good.into_values().collect(), culprits))
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
