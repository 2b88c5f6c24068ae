//! Shamir's secret sharing over the two fields of [`field`](mod@crate::field), with one difference from every tool that
//! gives back some secret whatever it is given: a bad share is found, and whoever sent it is named.
//!
//! Share i of a secret s is f(i) for f(x) = s + c_1 x + … + c_{k-1} x^{k-1} with uniform coefficients. Any k shares
//! give s; k-1 say nothing about it. 2 <= k <= n <= 255.
//!
//! | | result | what it rests on |
//! |---|---|---|
//! | [`reconstruct`] | the secret, and who sent a bad share | the dealer's commitments, such as a [`Dealing`] |
//! | [`reconstruct_unanchored`] | [`Unattested`]: a value, and the shares that do not fit it | a majority of shares |
//! | [`repair`] | one lost share | the dealer's commitments |
//! | [`Dealing::refresh`], [`Dealing::rethreshold`] | new shares of the same secret | the dealer's commitments |
//! | [`health`] | which shares are present, missing, bad or foreign | the dealer's commitments; nothing is rebuilt |
//!
//! # What it promises
//!
//! k-1 shares alone keep the secret from everybody, however much they compute. Beside a commitment the promise is
//! computational: a commitment is a hash of the secret, which could be searched for. So only a [`DrawnSecret`] is ever
//! shared, whose values are too many to search; anything else, such as a password or a file, is encrypted under a drawn
//! secret in the format of [`stream`](mod@crate::stream), and that secret is shared.
//!
//! Elements are wiped where they are dropped, and shares and secrets stand in boxes, which do not move. What cannot be
//! helped: arithmetic passes elements by value, so that dealing and rebuilding leave limbs of intermediate products,
//! and of the secret itself, in registers that nothing overwrites until they are used again, and in stack frames, which
//! are cleared as deep as they were seen to go. Whoever fears a dump of that memory works in a process that ends
//! afterwards.
//!
//! The secret exists in the memory of whoever rebuilds it. That holds for repairing, refreshing and changing the
//! threshold as well: each of them needs k shares in one place. Refreshing protects only while fewer than k shares of
//! *every* earlier set survive: k shares of an old set still give the same secret.

mod commitments;
mod dealing;
mod decode;
mod drawn;
#[cfg(test)]
mod exhaustive;
mod polynomial;
mod rebuild;
pub mod ssss;
mod unattested;
mod weights;

pub use commitments::{Commitments, Health, health};
pub(crate) use dealing::commit;
pub use dealing::{Dealing, DealingId, Dealt, SplitId};
pub use drawn::DrawnSecret;
pub use rebuild::{Reconstructed, Repaired, reconstruct, repair};
pub use unattested::{Unattested, reconstruct_unanchored};

use crate::encoding::hex;
use crate::encoding::json::{Raw, Writer, written};
use crate::encoding::record::{self, Form};
use crate::error::{Error, Problem};
use crate::field::Field;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::num::NonZeroU8;
use zeroize::Zeroizing;

/// The index of a share: 1 to 255. 0 is where the secret stands.
///
/// ```
/// use dualseal::shamir::Index;
///
/// assert_eq!(Index::new(255)?.get(), 255);
/// assert!(Index::new(0).is_err() && Index::new(256).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Index(NonZeroU8);

impl Index {
    /// Checks an index.
    ///
    /// # Errors
    /// [`Problem::Range`] for `indeks`, naming it, when it is 0 or above 255.
    pub fn new(index: u64) -> Result<Self, Error> {
        u8::try_from(index)
            .ok()
            .and_then(NonZeroU8::new)
            .map(Self)
            .ok_or_else(|| Error::malformed_at("indeks", index, Problem::Range))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u8 {
        self.0.get()
    }

    /// 1 to `last`, in order.
    fn up_to(last: u8) -> impl Iterator<Item = Self> {
        (1..=last).filter_map(NonZeroU8::new).map(Self)
    }
}

impl Form for Index {
    type Value = Self;

    fn read(raw: Raw<'_>, field: &'static str) -> Result<Self, Error> {
        Self::new(u64::read(raw, field)?)
    }

    fn write(value: &Self, out: &mut Writer) {
        out.integer(value);
    }
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How many shares there are, n, and how many of them give the secret, k. 2 <= k <= n <= 255.
///
/// ```
/// use dualseal::shamir::Threshold;
///
/// let threshold = Threshold::new(3, 5)?;
/// assert_eq!((threshold.k(), threshold.n()), (3, 5));
/// assert!(Threshold::new(1, 5).is_err() && Threshold::new(6, 5).is_err() && Threshold::new(2, 256).is_err());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    k: u8,
    n: u8,
}

impl Threshold {
    /// The one to which every number belongs.
    pub(crate) const WIDEST: Self = Self { k: 2, n: 255 };

    /// Any `k` of `n` shares.
    ///
    /// # Errors
    /// [`Problem::Range`] for `n` when it is below 2 or above 255, and for `k` when it is below 2 or above `n`.
    pub fn new(k: u64, n: u64) -> Result<Self, Error> {
        let out_of_range = |field, value| Error::malformed_at(field, value, Problem::Range);
        let shares = u8::try_from(n).ok().filter(|n| *n >= 2).ok_or_else(|| out_of_range("n", n))?;
        let needed = u8::try_from(k).ok().filter(|k| (2..=shares).contains(k)).ok_or_else(|| out_of_range("k", k))?;
        Ok(Self { k: needed, n: shares })
    }

    /// How many shares give the secret.
    #[must_use]
    pub fn k(self) -> u8 {
        self.k
    }

    /// How many shares there are.
    #[must_use]
    pub fn n(self) -> u8 {
        self.n
    }
}

/// One share: an index and a secret value. It is wiped when dropped, and its `Debug` shows the index alone.
///
/// ```
/// use dualseal::field::Gf2_256;
/// use dualseal::shamir::{Index, Share};
///
/// let share = Share::<Gf2_256>::from_hex(Index::new(3)?, &"0f".repeat(32))?;
/// assert_eq!(format!("{share:?}"), "Share { index: 3, value: [redacted] }");
/// assert_eq!(*share.to_hex(), "0f".repeat(32));
/// # Ok::<(), dualseal::Error>(())
/// ```
pub struct Share<F: Field> {
    index: Index,
    value: Box<F>,
}

impl<F: Field> Share<F> {
    pub(crate) fn new(index: Index, value: &F) -> Self {
        Self { index, value: boxed(value) }
    }

    /// On the polynomial of these coefficients. Its value is computed where it stays.
    fn on(coefficients: &[F], index: Index) -> Self {
        let mut value = Box::new(F::zero());
        value.evaluate(coefficients, index.get());
        Self { index, value }
    }

    /// From an element's bytes, big-endian. The caller wipes its own copy.
    ///
    /// # Errors
    /// [`Problem::Length`] or [`Problem::NotCanonical`] for `vrijednost_hex`, naming the share's index.
    pub fn from_bytes(index: Index, value: &[u8]) -> Result<Self, Error> {
        let bad = |problem| Error::malformed_at("vrijednost_hex", index.get().into(), problem);
        let length = || bad(Problem::Length { expected: F::BYTES, found: value.len() });
        let bytes = Zeroizing::new(F::Bytes::try_from(value).map_err(|_| length())?);
        F::from_bytes(&bytes)
            .into_option()
            .map(|value| Self::new(index, &Zeroizing::new(value)))
            .ok_or_else(|| bad(Problem::NotCanonical))
    }

    /// From 132 (F_p) or 64 (GF(2^256)) characters of lowercase hexadecimal, decoded in constant time.
    ///
    /// # Errors
    /// [`Problem::Length`], [`Problem::Hex`] or [`Problem::NotCanonical`] for `vrijednost_hex`, naming the share's
    /// index.
    pub fn from_hex(index: Index, value: &str) -> Result<Self, Error> {
        let bad = |problem| Error::malformed_at("vrijednost_hex", index.get().into(), problem);
        let expected = F::BYTES.saturating_mul(2);
        if value.len() != expected {
            return Err(bad(Problem::Length { expected, found: value.len() }));
        }
        let mut bytes = Zeroizing::new(alloc::vec![0; F::BYTES]);
        base16ct::lower::decode(value, &mut bytes).map_err(|_| bad(Problem::Hex))?;
        Self::from_bytes(index, &bytes)
    }

    /// Reads the pair `[indeks, vrijednost_hex]`. The caller wipes its own copy of the text.
    ///
    /// # Errors
    /// [`Problem::Length`] for `share` when there are not two items; [`Problem::Range`] for `indeks` outside 1 to 255;
    /// as [`from_hex`](Self::from_hex) for the value.
    pub fn from_pair_json(text: &[u8]) -> Result<Self, Error> {
        let mut items = Raw::parse(text)?.items().ok_or_else(|| Error::malformed("share", Problem::WrongType))?;
        let found = items.clone().count();
        let (2, Some(index), Some(value)) = (found, items.next(), items.next()) else {
            return Err(Error::malformed("share", Problem::Length { expected: 2, found }));
        };
        let value = record::text(value, "vrijednost_hex")?;
        Self::from_hex(Index::read(index, "indeks")?, &value)
    }

    /// Reads the pair `[indeks, vrijednost_hex]` that somebody answered who was asked for share `index`. An answer that
    /// is no such pair, or names another number, becomes the value 0 under the number that was asked for: a share that
    /// does not hold, and so names who sent it, where another number would name somebody else. The caller wipes its own
    /// copy of the text.
    ///
    /// ```
    /// use dualseal::field::Gf2_256;
    /// use dualseal::shamir::{Index, Share};
    ///
    /// let answer = format!("[2,\"{}\"]", "0f".repeat(32));
    /// let pulled = |asked| Share::<Gf2_256>::pulled(Index::new(asked).unwrap(), answer.as_bytes());
    /// let [second, first] = [2, 1].map(pulled);
    /// assert_eq!((second.index().get(), &second.to_hex()[..4]), (2, "0f0f"));
    /// assert_eq!((first.index().get(), &first.to_hex()[..4]), (1, "0000"));
    /// ```
    #[must_use]
    pub fn pulled(index: Index, answer: &[u8]) -> Self {
        let read = Self::from_pair_json(answer).ok().filter(|share| share.index == index);
        read.unwrap_or_else(|| Self::new(index, &F::zero()))
    }

    /// The pair `[indeks, vrijednost_hex]` as canonical JSON, wiped when dropped.
    #[must_use]
    pub fn to_pair_json(&self) -> Zeroizing<String> {
        Zeroizing::new(written(|out| {
            out.open("[");
            out.item();
            out.integer(self.index);
            out.item();
            out.text(&self.to_hex());
            out.close("]");
        }))
    }

    /// Which share this is.
    #[must_use]
    pub fn index(&self) -> Index {
        self.index
    }

    /// The value's bytes, big-endian: 66 (F_p) or 32 (GF(2^256)).
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<F::Bytes> {
        self.value.to_bytes()
    }

    /// The value in lowercase hexadecimal (`vrijednost_hex`).
    #[must_use]
    pub fn to_hex(&self) -> Zeroizing<String> {
        Zeroizing::new(hex::encode(self.to_bytes().as_ref()))
    }

    pub(crate) fn value(&self) -> &F {
        &self.value
    }
}

impl<F: Field> AsRef<Self> for Share<F> {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl<F: Field> fmt::Debug for Share<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Share").field("index", &self.index.get()).field("value", &format_args!("[redacted]")).finish()
    }
}

/// A copy that is made where it stays: moving an element into a box would leave its bytes on the stack, where no drop
/// wipes them.
fn boxed<F: Field>(element: &F) -> Box<F> {
    let mut copy = Box::new(F::zero());
    copy.add_assign(element);
    copy
}
