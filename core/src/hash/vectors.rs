//! The states of the kernels, which run whatever this processor is best at.

use dualseal_kernels::Level;
use dualseal_kernels::keccak::{self, SHA3_256_RATE, SHA3_512_RATE, SHAKE256_RATE, Sponge, Suffix};

pub(super) type Sha3_256 = State<SHA3_256_RATE>;
pub(super) type Sha3_512 = State<SHA3_512_RATE>;
pub(super) type Shake256 = State<SHAKE256_RATE>;

pub(super) struct State<const RATE: usize>(Sponge<RATE>);

impl<const RATE: usize> Clone for State<RATE> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<const RATE: usize> Default for State<RATE> {
    fn default() -> Self {
        Self(Sponge::new(Level::best()))
    }
}

pub(super) fn absorb<const RATE: usize>(state: &mut State<RATE>, part: &[u8]) {
    state.0.absorb(part);
}

/// Two states in the time of one, where the processor can.
pub(super) fn absorb_both<const A: usize, const B: usize>(
    (first, of_first): (&mut State<A>, &[u8]),
    (second, of_second): (&mut State<B>, &[u8]),
) {
    keccak::absorb_both((&mut first.0, of_first), (&mut second.0, of_second));
}

/// The digest. The state is reset.
pub(super) fn finish_sha3<const RATE: usize, const N: usize>(state: &mut State<RATE>) -> [u8; N] {
    let mut digest = [0; N];
    state.0.finish(Suffix::Sha3, &mut digest);
    digest
}

/// The first bytes of the output. The state is reset.
pub(super) fn finish_shake<const N: usize>(state: &mut Shake256) -> [u8; N] {
    let mut output = [0; N];
    state.0.finish(Suffix::Shake, &mut output);
    output
}

/// Several messages in the time of one, where the processor can.
pub(super) fn digest_many<'a, const RATE: usize, const N: usize, M: Iterator<Item = &'a [u8]>>(
    _: fn() -> State<RATE>,
    messages: impl IntoIterator<Item = M>,
    each: impl FnMut(usize, [u8; N]),
) {
    keccak::digest_many::<RATE, N, M>(Level::best(), Suffix::Sha3, messages, each);
}
