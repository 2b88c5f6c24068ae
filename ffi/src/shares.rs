//! Lists of shares.

use crate::args::{Out, required, text};
use crate::failure::{Failure, guard, release};
use crate::public_key::hand_over;
use crate::secret::{ByField, Field, FieldValue, field, on_field};
use crate::status::StatusValue;
use dualseal_core::field::{Fp521, Gf2_256};
use dualseal_core::shamir::{Health, Index, Share, Threshold, reconstruct_unanchored, ssss};
use std::ffi::c_char;

/// A list of shares of one field: what a dealer hands out, or what its holders bring. It is overwritten when it is
/// freed. For one thread at a time while it grows.
#[derive(Debug)]
pub struct Shares(pub(crate) ByField<Vec<Share<Fp521>>, Vec<Share<Gf2_256>>>);

impl Shares {
    /// Those of the field that `ssss` works in.
    fn of_ssss(&self) -> Result<&[Share<Gf2_256>], Failure> {
        match &self.0 {
            ByField::Gf2_256(shares) => Ok(shares),
            ByField::Fp521(_) => Err(Failure::unknown_value("shares")),
        }
    }
}

/// The item at `position`.
fn at<T>(items: &[T], position: usize) -> Result<&T, Failure> {
    items.get(position).ok_or_else(|| Failure::out_of_range("position"))
}

/// An empty list of shares of a field.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shares_new(
    field: FieldValue,
    shares: *mut *mut Shares,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let out = Out::new("shares", shares)?;
        out.handle(Shares(match self::field(field)? {
            Field::Fp521 => ByField::Fp521(Vec::new()),
            Field::Gf2_256 => ByField::Gf2_256(Vec::new()),
        }));
        Ok(())
    })
}

/// Adds a share: its index, 1 to 255, and its value in lowercase hexadecimal, which the caller overwrites.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shares_push(
    shares: Option<&mut Shares>,
    index: u64,
    value_hex: *const c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (shares, value) = (required("shares", shares)?, text("value_hex", value_hex)?);
        let index = Index::new(index)?;
        on_field!(&mut shares.0, shares => shares.push(Share::from_hex(index, value)?));
        Ok(())
    })
}

/// Adds a share that `ssss` wrote for the threshold `k`, to a list of GF(2^256). With another k than it was made for,
/// what is rebuilt later is not the secret.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shares_push_ssss(
    shares: Option<&mut Shares>,
    share: *const c_char,
    k: u64,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (shares, share) = (required("shares", shares)?, text("share", share)?);
        let ByField::Gf2_256(shares) = &mut shares.0 else {
            return Err(Failure::unknown_value("shares"));
        };
        shares.push(ssss::from_text(share, k)?);
        Ok(())
    })
}

/// The number of shares in the list.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shares_count(
    shares: Option<&Shares>,
    count: *mut usize,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let shares = required("shares", shares)?;
        Out::new("count", count)?.set(on_field!(&shares.0, shares => shares.len()));
        Ok(())
    })
}

/// The share at a position of the list, from 0: its index, and its value in hexadecimal, a secret.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shares_get(
    shares: Option<&Shares>,
    position: usize,
    index: *mut u8,
    value_hex: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let shares = required("shares", shares)?;
        let (index, value) = (Out::new("index", index)?, Out::new("value_hex", value_hex)?);
        on_field!(&shares.0, shares => {
            let share = at(shares, position)?;
            index.set(share.index().get());
            value.text(&share.to_hex());
        });
        Ok(())
    })
}

/// The share at a position of a list of GF(2^256), as `ssss-split -x -D` writes it for any `k` of `n`: a secret.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shares_ssss(
    shares: Option<&Shares>,
    position: usize,
    k: u64,
    n: u64,
    share: *mut *mut c_char,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let (shares, out) = (required("shares", shares)?, Out::new("share", share)?);
        let threshold = Threshold::new(k, n)?;
        out.text(&ssss::to_text(at(shares.of_ssss()?, position)?, threshold));
        Ok(())
    })
}

/// Rebuilds a value from shares that come without a dealing, of which any `k` should give it. **Nobody vouches for
/// it.** With t shares, floor((t-k)/2) wrong ones are corrected and their indices given as `outliers`, which are not
/// culprits: more wrong ones that work together choose the value, and the honest shares are then the outliers.
/// `unchecked` is 1 when there are exactly k shares, with which nothing was checked. The bytes are freed with
/// `dualseal_bytes_free`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shares_reconstruct_unanchored(
    shares: Option<&Shares>,
    k: u64,
    bytes: *mut *mut u8,
    bytes_len: *mut usize,
    outliers: *mut *mut u8,
    outliers_len: *mut usize,
    unchecked: *mut i32,
    error: *mut *mut Failure,
) -> StatusValue {
    guard(error, || {
        let shares = required("shares", shares)?;
        let (place, length) = (Out::new("bytes", bytes)?, Out::new("bytes_len", bytes_len)?);
        let outliers = Indices::new(("outliers", outliers), ("outliers_len", outliers_len))?;
        let unchecked = Out::new("unchecked", unchecked)?;
        on_field!(&shares.0, shares => {
            let found = reconstruct_unanchored(k, shares)?;
            hand_over(place, length, found.to_bytes().as_ref());
            outliers.set(found.outliers());
            unchecked.set(found.unchecked().into());
        });
        Ok(())
    })
}

/// Overwrites and frees a list of shares. NULL is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shares_free(shares: Option<Box<Shares>>) {
    release(|| drop(shares));
}

/// A place for indices of shares, one byte each.
pub(crate) struct Indices(Out<*mut u8>, Out<usize>);

impl Indices {
    pub(crate) fn new(
        (name, place): (&'static str, *mut *mut u8),
        (length_name, length): (&'static str, *mut usize),
    ) -> Result<Self, Failure> {
        Ok(Self(Out::new(name, place)?, Out::new(length_name, length)?))
    }

    /// For an argument `culprits` with its length.
    pub(crate) fn culprits(place: *mut *mut u8, length: *mut usize) -> Result<Self, Failure> {
        Self::new(("culprits", place), ("culprits_len", length))
    }

    pub(crate) fn set(self, indices: &[Index]) {
        let indices: Vec<u8> = indices.iter().map(|index| index.get()).collect();
        hand_over(self.0, self.1, &indices);
    }
}

/// Places for what a set of shares amounts to: the arguments `present`, `missing`, `invalid` and `foreign`.
pub(crate) struct HealthOut {
    present: Indices,
    missing: Indices,
    invalid: Indices,
    foreign: Indices,
}

/// An argument that indices go to, and its length.
type Place = (*mut *mut u8, *mut usize);

impl HealthOut {
    pub(crate) fn new(present: Place, missing: Place, invalid: Place, foreign: Place) -> Result<Self, Failure> {
        Ok(Self {
            present: Indices::new(("present", present.0), ("present_len", present.1))?,
            missing: Indices::new(("missing", missing.0), ("missing_len", missing.1))?,
            invalid: Indices::new(("invalid", invalid.0), ("invalid_len", invalid.1))?,
            foreign: Indices::new(("foreign", foreign.0), ("foreign_len", foreign.1))?,
        })
    }

    pub(crate) fn set(self, health: &Health) {
        self.present.set(&health.present);
        self.missing.set(&health.missing);
        self.invalid.set(&health.invalid);
        self.foreign.set(&health.foreign);
    }
}
