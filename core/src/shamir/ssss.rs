//! Shares of the program `ssss`, run with `-s 256 -x -D` (256 bits, hexadecimal, without diffusion).
//!
//! It shares over the same field with a polynomial that has one more coefficient, which is always 1: its share is
//! y + i^k, where ours is y. The text is `<index>-<64 hexadecimal characters>` and does not say k.
//!
//! Without commitments nobody can tell a bad share among k, so what comes from there is rebuilt with
//! [`reconstruct_unanchored`](super::reconstruct_unanchored).

use super::{Index, Share, Threshold};
use crate::error::{Error, Problem};
use crate::field::{Field, Gf2_256};
use alloc::string::String;
use zeroize::Zeroizing;

/// Writes a share as `ssss-split -x -D` does: the index padded with zeros to the digits of n.
///
/// ```
/// use dualseal::SystemRng;
/// use dualseal::shamir::{DrawnSecret, Threshold, reconstruct_unanchored, ssss};
///
/// let (secret, threshold) = (DrawnSecret::draw(&mut SystemRng)?, Threshold::new(2, 10)?);
/// let shares = secret.split(threshold, &mut SystemRng)?;
/// let texts: Vec<_> = shares.iter().map(|share| ssss::to_text(share, threshold)).collect();
/// assert!(texts[0].starts_with("01-"));
///
/// let shares = [ssss::from_text(&texts[3], 2)?, ssss::from_text(&texts[8], 2)?];
/// assert_eq!(reconstruct_unanchored(2, &shares)?.to_bytes(), secret.to_bytes());
/// # Ok::<(), dualseal::Error>(())
/// ```
#[must_use]
pub fn to_text(share: &Share<Gf2_256>, threshold: Threshold) -> Zeroizing<String> {
    let value =
        Share::new(share.index(), &*Zeroizing::new(with_leading_term(share.value(), share.index(), threshold.k())))
            .to_hex();
    let digits = match threshold.n() {
        0..=9 => 1,
        10..=99 => 2,
        _ => 3,
    };
    Zeroizing::new(alloc::format!("{:0digits$}-{}", share.index().get(), *value))
}

/// Reads a share that `ssss` wrote for the threshold `k`.
///
/// The index may be padded with zeros to three digits. With another k than the share was made for, what is rebuilt
/// later is not the secret.
///
/// # Errors
/// [`Problem::Range`] for `k` outside 2 to 255, and for `indeks` when it is not one to three digits for 1 to 255 before
/// a `-`; as [`Share::from_hex`] for what stands behind it.
pub fn from_text(text: &str, k: u64) -> Result<Share<Gf2_256>, Error> {
    let k = u8::try_from(k).ok().filter(|k| *k >= 2).ok_or_else(|| Error::malformed_at("k", k, Problem::Range))?;
    let no_index = || Error::malformed("indeks", Problem::Range);
    let (index, value) = text.split_once('-').ok_or_else(no_index)?;
    if !(1..=3).contains(&index.len()) || !index.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(no_index());
    }
    let index = Index::new(index.parse().map_err(|_| no_index())?)?;
    let share = Share::from_hex(index, value)?;
    Ok(Share::new(index, &*Zeroizing::new(with_leading_term(share.value(), index, k))))
}

/// y + i^k, which is its own inverse in this field.
fn with_leading_term(value: &Gf2_256, index: Index, k: u8) -> Gf2_256 {
    let mut sum = Gf2_256::from_index(1);
    for _ in 0..k {
        crate::field::sealed::Arithmetic::mul_small(&mut sum, index.get().into());
    }
    sum.add_assign(value);
    sum
}
