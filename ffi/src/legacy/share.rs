//! Shares without commitments, such as those of the program `ssss`.

use crate::args::{Out, Text, sized_text};
use crate::call_error::CallError;
use crate::guard::guard;
use crate::list::{list, numbers};
use crate::sharing::secret::{Field, FieldValue, field};
use crate::status::StatusValue;
use dualseal_core::field::{self as fields, Fp521, Gf2_256};
use dualseal_core::shamir::{Share, Unattested, reconstruct_unanchored, ssss};
use std::ffi::c_char;

/// Rebuilds a value from a list of shares that come without a dealing, of which any `k` should give it. **Nobody
/// vouches for it.** With t shares, floor((t-k)/2) wrong ones are corrected and their indices given as the list
/// `outliers_json`, which are not culprits: more wrong ones that work together choose the value, and the honest shares
/// are then the outliers. `unchecked` is 1 when there are exactly k shares, with which nothing was checked. The bytes
/// are freed with `dualseal_bytes_free`.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_shares_reconstruct(
    field: FieldValue,
    shares_json: *const c_char,
    shares_json_len: usize,
    k: u32,
    bytes: *mut *mut u8,
    bytes_len: *mut usize,
    outliers_json: *mut *mut c_char,
    unchecked: *mut i32,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (bytes, length) = (Out::new("bytes", bytes)?, Out::new("bytes_len", bytes_len)?);
        let places = Places {
            bytes,
            length,
            outliers: Out::new("outliers_json", outliers_json)?,
            unchecked: Out::new("unchecked", unchecked)?,
        };
        match self::field(field)? {
            Field::Fp521 => places.set(&rebuilt::<Fp521>(k, (shares_json, shares_json_len))?),
            Field::Gf2_256 => places.set(&rebuilt::<Gf2_256>(k, (shares_json, shares_json_len))?),
        }
        Ok(())
    })
}

fn rebuilt<F: fields::Field>(k: u32, (shares_json, shares_json_len): Text) -> Result<Unattested<F>, CallError> {
    let shares = list(("shares_json", shares_json, shares_json_len), Share::from_pair_json)?;
    Ok(reconstruct_unanchored(k.into(), &shares)?)
}

struct Places {
    bytes: Out<*mut u8>,
    length: Out<usize>,
    outliers: Out<*mut c_char>,
    unchecked: Out<i32>,
}

impl Places {
    fn set<F: fields::Field>(self, found: &Unattested<F>) {
        self.bytes.bytes(self.length, found.to_bytes().as_ref());
        self.outliers.text(&numbers(found.outliers()));
        self.unchecked.set(found.unchecked().into());
    }
}

/// Reads a share that `ssss` wrote for the threshold `k`, as a pair `[index, value in hexadecimal]` of GF(2^256). With
/// another k than it was made for, what is rebuilt later is not the secret.
#[must_use]
#[unsafe(no_mangle)]
pub extern "C" fn dualseal_share_from_ssss(
    ssss: *const c_char,
    ssss_len: usize,
    k: u32,
    share_json: *mut *mut c_char,
    error: *mut *mut CallError,
) -> StatusValue {
    guard(error, || {
        let (share, out) = (sized_text("ssss", ssss, ssss_len)?, Out::new("share_json", share_json)?);
        out.text(&ssss::from_text(share, k.into())?.to_pair_json());
        Ok(())
    })
}
