//! The states of the crates `sha3` and `shake`, for who leaves the kernels out.

use sha3::Digest;
use sha3::digest::{FixedOutputReset, Output};
use shake::digest::ExtendableOutputReset;
use shake::{Update, XofReader};

pub(super) use sha3::{Sha3_256, Sha3_512};
pub(super) use shake::Shake256;

pub(super) fn absorb(state: &mut impl Update, part: &[u8]) {
    state.update(part);
}

pub(super) fn absorb_both(
    (first, of_first): (&mut impl Update, &[u8]),
    (second, of_second): (&mut impl Update, &[u8]),
) {
    first.update(of_first);
    second.update(of_second);
}

/// The digest. The state is reset.
pub(super) fn finish_sha3<D: Digest + FixedOutputReset, const N: usize>(state: &mut D) -> [u8; N]
where
    Output<D>: Into<[u8; N]>,
{
    Digest::finalize_reset(state).into()
}

/// The first bytes of the output. The state is reset.
pub(super) fn finish_shake<const N: usize>(state: &mut Shake256) -> [u8; N] {
    let mut output = [0; N];
    state.finalize_xof_reset().read(&mut output);
    output
}

pub(super) fn digest_many<'a, D: Digest + FixedOutputReset, const N: usize, M: Iterator<Item = &'a [u8]>>(
    begin: fn() -> D,
    messages: impl IntoIterator<Item = M>,
    mut each: impl FnMut(usize, [u8; N]),
) where
    Output<D>: Into<[u8; N]>,
{
    let mut state = begin();
    for (index, parts) in messages.into_iter().enumerate() {
        for part in parts {
            Digest::update(&mut state, part);
        }
        each(index, finish_sha3(&mut state));
    }
}
