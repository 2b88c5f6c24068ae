//! The ready commitments: hashes of the secret and of every share, in one record that the dealer publishes.

use super::{Commitments, DrawnSecret, Index, Reconstructed, Share, Threshold, reconstruct};
use crate::domain::{Domain, Label, Row};
use crate::encoding::hex_newtype;
use crate::encoding::record::{self, record};
use crate::error::{Error, Problem};
use crate::field::Field;
use crate::hash::{HashFunction, Sha3_512};
use crate::secret::{Distinct, is_constant};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use rand_core::TryCryptoRng;
use subtle::{Choice, ConstantTimeEq};

hex_newtype! {
    /// A shared secret's identifier: 32 drawn bytes, 64 hexadecimal characters. It stays the same when the secret is
    /// dealt again.
    DealingId, 32, "dealing_id"
}

hex_newtype! {
    /// The identifier of one set of shares: 32 drawn bytes, 64 hexadecimal characters.
    SplitId, 32, "split_id"
}

impl SplitId {
    /// Draws an identifier.
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails, or gives nothing but zeros.
    pub fn draw<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        draw_id(rng).map(Self::from_bytes)
    }
}

/// What the dealer publishes about one set of shares:
/// `{algoritam, dealing_id, javni_sidro, k, n, split_id, udio_sidra}`.
///
/// ```text
/// javni_sidro     = SHA3-512(P::ANCHOR::<dealing_id>::S ‖ secret)
/// udio_sidra[i-1] = SHA3-512(P::VALUE::<split_id>::<i>::S ‖ share i)
/// ```
///
/// with the shard row's constants: the formulas of a vault's shards, with `dealing_id` in the place of the vault's. Who
/// rebuilds must have it from the dealer, unaltered; it need not be kept secret. See the [module](super) for what it
/// means for secrecy that it is public.
///
/// ```
/// use dualseal::field::Gf2_256;
/// use dualseal::shamir::{Dealing, DrawnSecret, Threshold, reconstruct};
/// use dualseal::{Domain, SystemRng};
///
/// let domain = Domain::default();
/// let secret = DrawnSecret::<Gf2_256>::draw(&mut SystemRng)?;
/// let dealt = Dealing::deal(&domain, &secret, Threshold::new(3, 5)?, &mut SystemRng)?;
///
/// let published = dealt.dealing.to_json();
/// let dealing = Dealing::<Gf2_256>::from_json(&domain, published.as_bytes())?;
/// assert_eq!(reconstruct(&dealing, &dealt.shares[2..])?.secret.to_bytes(), secret.to_bytes());
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct Dealing<F> {
    domain: Domain,
    threshold: Threshold,
    published: Published,
    field: PhantomData<fn() -> F>,
}

struct Published {
    algorithm: String,
    id: DealingId,
    anchor: [u8; 64],
    k: u64,
    n: u64,
    split_id: SplitId,
    shares: Vec<[u8; 64]>,
}

record! {
    |dealing: Published| "dealing" {
        "algoritam" algorithm: String,
        "dealing_id" id: DealingId,
        "javni_sidro" anchor: [u8; 64],
        "k" k: u64,
        "n" n: u64,
        "split_id" split_id: SplitId,
        "udio_sidra" shares: Vec<[u8; 64]>,
    }
}

/// A set of shares and the record to check them by. The shares go to their holders, one each, and nowhere else.
#[derive(Debug)]
pub struct Dealt<F: Field> {
    /// What is published.
    pub dealing: Dealing<F>,
    /// The shares, in the order of their indices.
    pub shares: Vec<Share<F>>,
    /// The indices of the shares that did not hold when an earlier set was rebuilt, ascending; empty for a first set.
    pub culprits: Vec<Index>,
    /// As [`Reconstructed::misdealt`], of the earlier set; empty for a first one.
    pub misdealt: Vec<Index>,
}

impl<F: Field> Dealing<F> {
    /// Deals n shares of a secret for the first time.
    ///
    /// # Errors
    /// [`Error::Randomness`] when the generator fails or repeats itself, or the secret.
    pub fn deal<R: TryCryptoRng + ?Sized>(
        domain: &Domain,
        secret: &DrawnSecret<F>,
        threshold: Threshold,
        rng: &mut R,
    ) -> Result<Dealt<F>, Error> {
        let rng = &mut Distinct::beside(rng, secret.to_bytes().as_ref());
        let id = DealingId::from_bytes(draw_id(rng)?);
        Self::deal_as(domain, id, secret, threshold, rng)
    }

    /// Deals the same secret on a new polynomial: shares of the old and of the new set do not go together, and the old
    /// ones can be destroyed. It protects only while fewer than k shares of every earlier set survive.
    ///
    /// # Errors
    /// As [`reconstruct`]; [`Error::Randomness`].
    pub fn refresh<R: TryCryptoRng + ?Sized>(&self, shares: &[Share<F>], rng: &mut R) -> Result<Dealt<F>, Error> {
        self.rethreshold(shares, self.threshold, rng)
    }

    /// As [`refresh`](Self::refresh), with another k and n. Old shares keep the old threshold for as long as they
    /// exist.
    ///
    /// # Errors
    /// As [`reconstruct`]; [`Error::Randomness`].
    pub fn rethreshold<R: TryCryptoRng + ?Sized>(
        &self,
        shares: &[Share<F>],
        threshold: Threshold,
        rng: &mut R,
    ) -> Result<Dealt<F>, Error> {
        let Reconstructed { secret, culprits, misdealt } = reconstruct(self, shares)?;
        let rng = &mut Distinct::beside(rng, secret.to_bytes().as_ref());
        let dealt = Self::deal_as(&self.domain, self.published.id, &secret, threshold, rng)?;
        Ok(Dealt { culprits, misdealt, ..dealt })
    }

    /// The secret's identifier.
    #[must_use]
    pub fn dealing_id(&self) -> &DealingId {
        &self.published.id
    }

    /// The identifier of this set of shares.
    #[must_use]
    pub fn split_id(&self) -> &SplitId {
        &self.published.split_id
    }

    /// The record as canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        record::to_json::<Published>(&self.published)
    }

    /// Reads a record. The domain is the one that it was made under.
    ///
    /// # Errors
    /// Names the member that is missing, unknown or of the wrong form; [`Problem::UnknownValue`] for `algoritam` when
    /// it is of the other field, [`Problem::Length`] for `udio_sidra` when there are not n of them.
    pub fn from_json(domain: &Domain, text: &[u8]) -> Result<Self, Error> {
        let published = record::from_json::<Published>(text)?;
        if published.algorithm != F::ALGORITHM {
            return Err(Error::malformed("algoritam", Problem::UnknownValue));
        }
        let threshold = Threshold::new(published.k, published.n)?;
        let (expected, found) = (threshold.n().into(), published.shares.len());
        if found != expected {
            return Err(Error::malformed("udio_sidra", Problem::Length { expected, found }));
        }
        Ok(Self { domain: domain.clone(), threshold, published, field: PhantomData })
    }

    fn deal_as<R: TryCryptoRng + ?Sized>(
        domain: &Domain,
        id: DealingId,
        secret: &DrawnSecret<F>,
        threshold: Threshold,
        rng: &mut R,
    ) -> Result<Dealt<F>, Error> {
        let split_id = SplitId::draw(rng)?;
        let shares = secret.split(threshold, rng)?;
        let published = Published {
            algorithm: F::ALGORITHM.to_string(),
            id,
            anchor: anchor(domain, &id, secret.element()),
            k: threshold.k().into(),
            n: threshold.n().into(),
            split_id,
            shares: shares.iter().map(|share| commitment(domain, &split_id, share)).collect(),
        };
        let dealing = Self { domain: domain.clone(), threshold, published, field: PhantomData };
        Ok(Dealt { dealing, shares, culprits: Vec::new(), misdealt: Vec::new() })
    }
}

impl<F: Field> Commitments<F> for Dealing<F> {
    fn threshold(&self) -> Threshold {
        self.threshold
    }

    /// A bare share says nothing of itself.
    fn belongs(&self, _: &Share<F>) -> bool {
        true
    }

    fn share_holds(&self, share: &Share<F>) -> Choice {
        let place = usize::from(share.index().get()).checked_sub(1);
        let Some(committed) = place.and_then(|place| self.published.shares.get(place)) else {
            return Choice::from(0);
        };
        commitment(&self.domain, &self.published.split_id, share).ct_eq(committed)
    }

    fn secret_holds(&self, secret: &F) -> Choice {
        anchor(&self.domain, &self.published.id, secret).ct_eq(&self.published.anchor)
    }
}

impl<F: Field> fmt::Debug for Dealing<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dealing")
            .field("dealing_id", &self.published.id)
            .field("split_id", &self.published.split_id)
            .field("threshold", &self.threshold)
            .finish_non_exhaustive()
    }
}

fn draw_id<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<[u8; 32], Error> {
    let mut id = [0; 32];
    rng.try_fill_bytes(&mut id).map_err(|_| Error::Randomness)?;
    if bool::from(is_constant(&id)) { Err(Error::Randomness) } else { Ok(id) }
}

/// `SHA3-512(P::ANCHOR::<dealing_id>::S ‖ secret)`.
fn anchor<F: Field>(domain: &Domain, dealing_id: &DealingId, secret: &F) -> [u8; 64] {
    let parts = [domain.label(Label::ShardAnchor), &dealing_id.to_hex()];
    commit(&domain.join(Row::Shard, &parts), secret)
}

/// `SHA3-512(P::VALUE::<split_id>::<index>::S ‖ value)`.
fn commitment<F: Field>(domain: &Domain, split_id: &SplitId, share: &Share<F>) -> [u8; 64] {
    let parts = [domain.label(Label::ShardValue), &split_id.to_hex(), &share.index().get().to_string()];
    commit(&domain.join(Row::Shard, &parts), share.value())
}

/// Hashes a text and an element: what every commitment to a secret or a share is.
pub(crate) fn commit<F: Field>(text: &str, element: &F) -> [u8; 64] {
    let mut hash = Sha3_512::default();
    hash.update(text.as_bytes());
    hash.update(element.to_bytes().as_ref());
    hash.finish()
}
