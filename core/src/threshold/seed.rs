//! The seed of a quorum's ML-DSA key as a secret that is shared: a big-endian integer, far below p.

use crate::error::Error;
use crate::field::{Field, Fp521};
use crate::secret::{Secret, apart};
use crate::shamir::DrawnSecret;
use zeroize::Zeroizing;

/// A seed as an element.
pub(super) fn from_seed(seed: &Secret<32>) -> Result<DrawnSecret<Fp521>, Error> {
    apart::<8192, _>(|| {
        let mut bytes = Zeroizing::new([0; 66]);
        for (to, from) in bytes.iter_mut().rev().zip(seed.expose().iter().rev()) {
            *to = *from;
        }
        let element = Zeroizing::new(Fp521::from_bytes(&bytes).into_option().ok_or(Error::Randomness)?);
        Ok(DrawnSecret::<Fp521>::from_element(&element))
    })
}

/// The seed in the bytes of its element.
pub(super) fn seed_in(bytes: &[u8; 66]) -> &[u8] {
    bytes.split_at(34).1
}

/// A rebuilt element as a seed; `None` when its upper 34 bytes are not zero.
pub(super) fn to_seed(secret: &DrawnSecret<Fp521>) -> Option<Secret<32>> {
    let bytes = secret.to_bytes();
    let (upper, lower) = bytes.split_at(34);
    // All of them are looked at, whichever is not zero.
    let clear = upper.iter().fold(0, |seen, byte| seen | byte) == 0;
    Secret::from_slice("seed", lower).ok().filter(|_| clear)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each by itself, and two that are the same.
    #[test]
    fn a_seed_has_nothing_above_it() {
        let seed_of = |places: &[usize]| {
            let mut bytes = [0; 66];
            bytes[65] = 7;
            for place in places {
                bytes[*place] = 1;
            }
            to_seed(&DrawnSecret::from_element(&Fp521::from_bytes(&bytes).unwrap()))
        };
        assert_eq!(seed_of(&[]).unwrap().expose()[31], 7);
        assert!((0..34).all(|place| seed_of(&[place]).is_none()));
        assert!((1..34).all(|place| seed_of(&[0, place]).is_none()));
    }
}
