//! Putting rows under a new key, in one step or in batches that may be interrupted.

use super::fault::SecretFault;
use super::key::WrappingKey;
use super::place::Place;
use super::vaulted::Vaulted;
use dualseal::Error;
use dualseal::rand_core::TryCryptoRng;
use std::collections::BTreeSet;
use std::fmt;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// From an old key to a new one: two masters, or two erasure keys.
///
/// ```
/// use dualseal::{Domain, SystemRng};
/// use dualseal_operator::secrets::{Master, Place, Rewrapped, Rotation, Vaulted};
///
/// let [old, new] = [(); 2].map(|()| Master::draw(&Domain::default(), &mut SystemRng));
/// let (old, new) = (old?, new?);
/// let row = Vaulted::seal(&old, Place::new("identities", b"ana", "seed")?, &[7; 32], &mut SystemRng)?;
/// let rotation = Rotation::new(&old, &new)?;
/// let Rewrapped::Now(row) = rotation.rewrap(&row, &mut SystemRng)? else { unreachable!() };
/// assert_eq!(row.open(&new)?.as_slice(), [7; 32]);
/// assert!(matches!(rotation.rewrap(&row, &mut SystemRng)?, Rewrapped::Already));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Rotation<'a, K> {
    old: &'a K,
    new: &'a K,
    erased: BTreeSet<Place>,
}

/// What became of one row.
#[derive(Debug)]
pub enum Rewrapped<K> {
    /// The same secret, at the same place, under the new key.
    Now(Vaulted<K>),
    /// It opens under the new key: an earlier pass, or whoever writes under the new key, was there before.
    Already,
}

impl<'a, K: WrappingKey> Rotation<'a, K> {
    /// Between two keys.
    ///
    /// # Errors
    /// [`SecretFault::SameKey`]: whoever destroys the old key afterwards would destroy the new one.
    pub fn new(old: &'a K, new: &'a K) -> Result<Self, SecretFault> {
        if bool::from(old.secret().ct_eq(new.secret())) {
            return Err(SecretFault::SameKey);
        }
        Ok(Self { old, new, erased: BTreeSet::new() })
    }

    /// With the rows that are erased with the old key. They are deleted before anything is put under the new one: of
    /// those that are still there none is.
    #[must_use]
    pub fn erasing(mut self, erased: impl IntoIterator<Item = Place>) -> Self {
        self.erased.extend(erased);
        self
    }

    /// Puts one row under the new key. The row that was given stays as it is.
    ///
    /// # Errors
    /// [`SecretFault::Erased`] for one that is to be erased, under whichever key; [`SecretFault::OtherKey`] for a row
    /// that is under neither key or at another place; [`SecretFault::Damaged`]; a generator that failed.
    pub fn rewrap<R>(&self, row: &Vaulted<K>, rng: &mut R) -> Result<Rewrapped<K>, SecretFault>
    where
        R: TryCryptoRng + ?Sized,
    {
        if self.erased.contains(row.place()) {
            return Err(SecretFault::Erased);
        }
        match row.open(self.old) {
            Ok(secret) => Vaulted::seal(self.new, row.place().clone(), &secret, rng).map(Rewrapped::Now),
            Err(SecretFault::OtherKey) => row.open(self.new).map(|_| Rewrapped::Already),
            Err(fault) => Err(fault),
        }
    }

    /// Opens a row while a rotation is under way: under the new key, else under the old one.
    ///
    /// # Errors
    /// As [`Vaulted::open`], where neither key opens it.
    pub fn open(&self, row: &Vaulted<K>) -> Result<Zeroizing<Vec<u8>>, SecretFault> {
        match row.open(self.new) {
            Err(SecretFault::OtherKey) => row.open(self.old),
            opened => opened,
        }
    }
}

impl<K> fmt::Debug for Rotation<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rotation").finish_non_exhaustive()
    }
}

/// The rows of a store, as a rotation reads and replaces them. From before it begins, whoever writes a secret writes it
/// under the new key, and whoever reads one tries both.
pub trait Rows<K> {
    /// What the store says when it cannot.
    type Error;

    /// At most so many rows with their stored bytes, in ascending order of their places, from the first that comes
    /// after `after`; none when there are no more. What stands there is given as it is: whether it is a secret, the
    /// rotation tells.
    ///
    /// # Errors
    /// The store's own.
    fn page(&mut self, after: Option<&Place>, most: usize) -> Result<Vec<(Place, Vec<u8>)>, Self::Error>;

    /// Replaces rows in one step, and says how many. Each comes with the bytes that were read: a row that has others by
    /// now was written under the new key meanwhile, or deleted, and stays so.
    ///
    /// # Errors
    /// The store's own: nothing was replaced then.
    fn replace(&mut self, rows: &[(Vec<u8>, Vaulted<K>)]) -> Result<u64, Self::Error>;
}

/// What a rotation did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rotated {
    /// How many rows are now under the new key that were under the old one.
    pub rewrapped: u64,
    /// How many others are under the new key, from before or written meanwhile.
    pub already: u64,
    /// How many the last pass still found under the old key, replaced or not: somebody writes under it, or the store
    /// replaces nothing.
    pub late: u64,
    /// The rows that open under neither key, are damaged, or are to be erased. They were left as they are.
    pub refused: Vec<Refused>,
}

/// A row that a rotation left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where it stands.
    pub place: Place,
    /// Why.
    pub fault: SecretFault,
}

impl Rotated {
    /// Whether nothing needs the old key any more: the last pass found every row under the new one. A row that was
    /// refused may need it: keep the key until each of them was restored, deleted or given up. Where some were late,
    /// rotate again.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.late == 0 && self.refused.is_empty()
    }
}

/// Why a rotation stopped. What it replaced before stays replaced, and the next one goes on from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RotationFault<E> {
    /// The store could not.
    Store(E),
    /// The random number generator failed.
    Randomness,
    /// The store gave rows that do not ascend: some might never be read.
    Order {
        /// The row that came too late.
        place: Box<Place>,
    },
}

impl<E: fmt::Display> fmt::Display for RotationFault<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Randomness => Error::Randomness.fmt(f),
            Self::Order { place } => write!(f, "the store gave the row {place} out of order"),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for RotationFault<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Store(error) => Some(error),
            _ => None,
        }
    }
}

/// Puts every row of a store under the new key, so many in one replacement (at least one; `usize::MAX` for all in one
/// step). Where it found any under the old key it reads all of them a second time, and is complete only if none is
/// there then. An interrupted rotation is begun again: what it did is recognised.
///
/// Every row is put there, so one that is erased with the old key is deleted before, and named ([`Rotation::erasing`]).
///
/// # Errors
/// As [`RotationFault`] says. A row that does not open is no error: it is named in [`Rotated::refused`].
pub fn rotate<K, S, R>(
    rotation: &Rotation<'_, K>,
    rows: &mut S,
    batch: usize,
    rng: &mut R,
) -> Result<Rotated, RotationFault<S::Error>>
where
    K: WrappingKey,
    S: Rows<K> + ?Sized,
    R: TryCryptoRng + ?Sized,
{
    let first = pass(rotation, rows, batch, rng)?;
    if first.late == 0 {
        return Ok(first);
    }
    let last = pass(rotation, rows, batch, rng)?;
    let already = last.already.saturating_sub(first.rewrapped);
    Ok(Rotated { rewrapped: first.rewrapped.saturating_add(last.rewrapped), already, ..last })
}

/// Reads every row once; those that it finds under the old key are late.
fn pass<K, S, R>(
    rotation: &Rotation<'_, K>,
    rows: &mut S,
    batch: usize,
    rng: &mut R,
) -> Result<Rotated, RotationFault<S::Error>>
where
    K: WrappingKey,
    S: Rows<K> + ?Sized,
    R: TryCryptoRng + ?Sized,
{
    let mut done = Rotated::default();
    let mut after: Option<Place> = None;
    loop {
        let page = rows.page(after.as_ref(), batch.max(1)).map_err(RotationFault::Store)?;
        if page.is_empty() {
            return Ok(done);
        }
        let mut changes = Vec::new();
        for (place, stored) in page {
            if after.as_ref().is_some_and(|after| *after >= place) {
                return Err(RotationFault::Order { place: Box::new(place) });
            }
            let row = Vaulted::read(place.clone(), stored.clone());
            match row.and_then(|row| rotation.rewrap(&row, rng)) {
                Ok(Rewrapped::Now(row)) => changes.push((stored, row)),
                Ok(Rewrapped::Already) => done.already = done.already.saturating_add(1),
                Err(SecretFault::Library(Error::Randomness)) => return Err(RotationFault::Randomness),
                Err(fault) => done.refused.push(Refused { place: place.clone(), fault }),
            }
            after = Some(place);
        }
        if !changes.is_empty() {
            let replaced = rows.replace(&changes).map_err(RotationFault::Store)?;
            done.rewrapped = done.rewrapped.saturating_add(replaced);
            done.late = done.late.saturating_add(changes.len() as u64);
        }
    }
}
