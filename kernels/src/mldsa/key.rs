//! Public keys, expanded.

use super::decode::{self, PUBLIC_KEY_BYTES};
use super::ntt::{Poly, ntt};
use super::sample;
use crate::Level;
use crate::level::for_each_level;
use core::fmt;

/// A public key as verification uses it, of 36 KiB: the matrix A and t1 2^13, both in the domain of the NTT. Its hash,
/// of which message representatives are made, is their maker's.
///
/// It is plain data, without a pointer. Where a stack is small, keep one in its place with [`Self::expand_into`].
#[derive(Clone)]
pub struct ExpandedKey {
    /// In row `i` the polynomials `A[i, 0]` to `A[i, 4]` and `-t1[i] 2^13`.
    rows: [[Poly; 6]; 6],
    /// Anybody could sign for a key of which all polynomials are 0.
    is_expanded: bool,
}

impl ExpandedKey {
    /// A place for [`Self::expand_into`]. Nothing verifies under it.
    #[allow(clippy::large_stack_arrays, reason = "where it stands is said by who asks for it")]
    pub const EMPTY: Self = Self { rows: [[Poly::ZERO; 6]; 6], is_expanded: false };

    /// pkDecode (algorithm 23) and ExpandA (algorithm 32). Every string of the right length is a key.
    #[must_use]
    pub fn expand(level: Level, key: &[u8; PUBLIC_KEY_BYTES]) -> Self {
        let mut expanded = Self::EMPTY;
        expanded.expand_into(level, key);
        expanded
    }

    /// The same, over the key that stands here.
    pub fn expand_into(&mut self, level: Level, key: &[u8; PUBLIC_KEY_BYTES]) {
        expand(level, self, key);
    }

    /// `None` for a key that was not expanded.
    pub(super) fn rows(&self) -> Option<&[[Poly; 6]; 6]> {
        self.is_expanded.then_some(&self.rows)
    }
}

impl fmt::Debug for ExpandedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExpandedKey").finish_non_exhaustive()
    }
}

for_each_level! { fn expand(expanded: &mut ExpandedKey, key: &[u8; PUBLIC_KEY_BYTES]) = expand_body }

#[inline(always)]
fn expand_body(level: Level, expanded: &mut ExpandedKey, key: &[u8; PUBLIC_KEY_BYTES]) {
    expanded.is_expanded = false;
    let Some((rho, t1)) = key.split_first_chunk() else { return };
    sample::expand_a(level, rho, 0, &mut expanded.rows.iter_mut().flat_map(|row| &mut row[..5]));
    let mut half = Poly::ZERO;
    for (row, t1) in expanded.rows.iter_mut().zip(t1.as_chunks().0) {
        decode::unpack_minus_t1(t1, &mut row[5]);
        ntt(level, &mut row[5], &mut half);
    }
    expanded.is_expanded = true;
}
