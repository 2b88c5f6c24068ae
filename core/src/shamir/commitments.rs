//! What shares are checked against.

use super::{Index, Share, Threshold};
use crate::field::Field;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use subtle::Choice;

/// What a dealer published about one set of shares: enough to tell a good share and the right secret, not enough to
/// learn either.
///
/// [`Dealing`](super::Dealing) is the ready implementation. A record that carries a share around with other members
/// implements it for itself: `S` is then that record.
///
/// An implementation compares in constant time, and binds all that makes a share this one: a share whose record says
/// something else than the dealer did must not hold.
pub trait Commitments<F: Field, S: AsRef<Share<F>> = Share<F>> {
    /// How many shares there are, and how many give the secret.
    fn threshold(&self) -> Threshold;

    /// Whether the share says that it is of this set. Its commitment may tell otherwise.
    fn belongs(&self, share: &S) -> bool;

    /// Whether the share is the one that was committed to. Its index is at most n.
    fn share_holds(&self, share: &S) -> Choice;

    /// Whether this is the secret that was committed to.
    fn secret_holds(&self, secret: &F) -> Choice;
}

/// The state of a set of shares, each list ascending and without repetition. An index is in more than one of the last
/// three lists when several shares say that they have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// Shares that hold.
    pub present: Vec<Index>,
    /// Indices of the set of which no share that holds was given.
    pub missing: Vec<Index>,
    /// Shares of the set that are not what was committed to.
    pub invalid: Vec<Index>,
    /// Shares of another session, vault or set, or with an index above n.
    pub foreign: Vec<Index>,
}

/// Tells which shares of a set are present, missing, invalid and foreign, without rebuilding anything.
///
/// ```
/// use dualseal::field::Gf2_256;
/// use dualseal::shamir::{Dealing, DrawnSecret, Threshold, health};
/// use dualseal::{Domain, SystemRng};
///
/// let secret = DrawnSecret::<Gf2_256>::draw(&mut SystemRng)?;
/// let dealt = Dealing::deal(&Domain::default(), &secret, Threshold::new(2, 3)?, &mut SystemRng)?;
/// let health = health(&dealt.dealing, &dealt.shares[1..]);
/// assert_eq!(health.missing.len(), 1);
/// assert!(health.invalid.is_empty() && health.foreign.is_empty());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[must_use]
pub fn health<F, S, C>(commitments: &C, shares: &[S]) -> Health
where
    F: Field,
    S: AsRef<Share<F>>,
    C: Commitments<F, S> + ?Sized,
{
    let threshold = commitments.threshold();
    let (mut present, mut invalid, mut foreign) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for share in shares {
        let index = share.as_ref().index();
        let list = if index.get() > threshold.n() || !commitments.belongs(share) {
            &mut foreign
        } else if bool::from(commitments.share_holds(share)) {
            &mut present
        } else {
            &mut invalid
        };
        list.insert(index);
    }
    let missing = Index::up_to(threshold.n()).filter(|index| !present.contains(index)).collect();
    let list = |indices: BTreeSet<_>| indices.into_iter().collect();
    Health { present: list(present), missing, invalid: list(invalid), foreign: list(foreign) }
}
