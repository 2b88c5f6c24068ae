//! The sponge over one state (FIPS 202, section 4), in parts, and two sponges over the same bytes.

use super::{Suffix, WORDS, blocks, f1600, f1600_x2, pairs_gain};
use crate::Level;
use core::fmt;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A sponge that absorbs `RATE` bytes a permutation. It is wiped when it is dropped.
///
/// ```
/// use dualseal_kernels::Level;
/// use dualseal_kernels::keccak::{SHA3_256_RATE, Sponge, Suffix};
///
/// let mut sha3_256 = Sponge::<SHA3_256_RATE>::new(Level::best());
/// sha3_256.absorb(b"ab");
/// sha3_256.absorb(b"c");
/// let mut digest = [0; 32];
/// sha3_256.finish(Suffix::Sha3, &mut digest);
/// assert_eq!(digest[..4], [0x3a, 0x98, 0x5d, 0xa7]);
/// ```
pub struct Sponge<const RATE: usize> {
    level: Level,
    pub(super) state: [u64; WORDS],
    /// The bytes of the block that were absorbed, or in a reader read.
    pub(super) used: usize,
}

impl<const RATE: usize> Sponge<RATE> {
    /// One that has absorbed nothing.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        const { blocks::check_rate(RATE) };
        Self { level, state: [0; WORDS], used: 0 }
    }

    /// Absorbs the next part of the message.
    pub fn absorb(&mut self, mut part: &[u8]) {
        while blocks::fill::<RATE>(&mut self.used, &mut part, |word, value| self.state[word] ^= value) {
            f1600(self.level, &mut self.state);
        }
    }

    /// Ends the message and gives the first bytes of its output, at most `RATE` of them. The state is reset.
    ///
    /// # Panics
    /// If `output` is longer than `RATE`.
    pub fn finish(&mut self, suffix: Suffix, output: &mut [u8]) {
        assert!(output.len() <= RATE, "more than a block is for a reader");
        self.squeeze(suffix).read(output);
    }

    /// Ends the message, for an output of any length. When the reader is dropped, the state is reset.
    pub fn squeeze(&mut self, suffix: Suffix) -> Reader<'_, RATE> {
        blocks::pad::<RATE>(self.used, suffix, |word, value| self.state[word] ^= value);
        f1600(self.level, &mut self.state);
        self.used = 0;
        Reader(self)
    }

    /// Forgets what was absorbed.
    pub fn reset(&mut self) {
        self.state.zeroize();
        self.used = 0;
    }
}

/// Absorbs the next part of a message into each of two sponges, which may be at different places of their blocks. Where
/// two states are permuted together as fast as one, they are for as long as both have full blocks: then the part that
/// has more blocks says how long it takes.
///
/// ```
/// use dualseal_kernels::Level;
/// use dualseal_kernels::keccak::{SHA3_512_RATE, SHAKE256_RATE, Sponge, Suffix, absorb_both};
///
/// let mut sha3_512 = Sponge::<SHA3_512_RATE>::new(Level::best());
/// let mut shake256 = Sponge::<SHAKE256_RATE>::new(Level::best());
/// absorb_both((&mut sha3_512, &[7; 1024]), (&mut shake256, &[7; 1024]));
///
/// let mut alone = Sponge::<SHA3_512_RATE>::new(Level::best());
/// alone.absorb(&[7; 1024]);
/// let mut digests = [[0; 64]; 2];
/// sha3_512.finish(Suffix::Sha3, &mut digests[0]);
/// alone.finish(Suffix::Sha3, &mut digests[1]);
/// assert_eq!(digests[0], digests[1]);
/// ```
pub fn absorb_both<const A: usize, const B: usize>(
    (first, mut of_first): (&mut Sponge<A>, &[u8]),
    (second, mut of_second): (&mut Sponge<B>, &[u8]),
) {
    let both_fill = of_first.len() >= A - first.used && of_second.len() >= B - second.used;
    if pairs_gain(first.level) && both_fill {
        let mut states = [[0; 2]; WORDS];
        for (words, (a, b)) in states.iter_mut().zip(first.state.iter().zip(&second.state)) {
            *words = [*a, *b];
        }
        let full = loop {
            let full = (
                blocks::fill::<A>(&mut first.used, &mut of_first, |word, value| states[word][0] ^= value),
                blocks::fill::<B>(&mut second.used, &mut of_second, |word, value| states[word][1] ^= value),
            );
            if full != (true, true) {
                break full;
            }
            f1600_x2(first.level, &mut states);
        };
        for (words, (a, b)) in states.iter().zip(first.state.iter_mut().zip(&mut second.state)) {
            [*a, *b] = *words;
        }
        states.zeroize();
        if full.0 {
            f1600(first.level, &mut first.state);
        }
        if full.1 {
            f1600(second.level, &mut second.state);
        }
    }
    first.absorb(of_first);
    second.absorb(of_second);
}

impl<const RATE: usize> Clone for Sponge<RATE> {
    fn clone(&self) -> Self {
        let mut sponge = Self::new(self.level);
        sponge.clone_from(self);
        sponge
    }

    /// In its place: what [`clone`](Self::clone) gives may be moved, which leaves a copy behind that nobody wipes.
    fn clone_from(&mut self, source: &Self) {
        self.level = source.level;
        self.state.copy_from_slice(&source.state);
        self.used = source.used;
    }
}

impl<const RATE: usize> Drop for Sponge<RATE> {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

impl<const RATE: usize> ZeroizeOnDrop for Sponge<RATE> {}

impl<const RATE: usize> fmt::Debug for Sponge<RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sponge([redacted])")
    }
}

/// The output of a [`Sponge`], whose state is reset when this is dropped.
pub struct Reader<'a, const RATE: usize>(&'a mut Sponge<RATE>);

impl<const RATE: usize> Reader<'_, RATE> {
    /// The next bytes.
    pub fn read(&mut self, mut output: &mut [u8]) {
        let Self(sponge) = self;
        while !output.is_empty() {
            if sponge.used == RATE {
                f1600(sponge.level, &mut sponge.state);
                sponge.used = 0;
            }
            let (now, later) = output.split_at_mut(output.len().min(RATE - sponge.used));
            blocks::read(sponge.used, now, |word| sponge.state[word]);
            sponge.used += now.len();
            output = later;
        }
    }
}

impl<const RATE: usize> Drop for Reader<'_, RATE> {
    fn drop(&mut self) {
        self.0.reset();
    }
}

impl<const RATE: usize> fmt::Debug for Reader<'_, RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reader([redacted])")
    }
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code, reason = "memory is looked at after its owner is gone")]

    use super::Sponge;
    use crate::Level;
    use crate::keccak::Suffix;
    use core::mem::MaybeUninit;

    #[test]
    fn dropping_wipes() {
        let mut sponge = Sponge::<72>::new(Level::best());
        sponge.absorb(&[9; 71]);
        assert_eq!(sponge.state[..8], [0x0909_0909_0909_0909; 8]);
        let mut place = MaybeUninit::new(sponge);
        // SAFETY: it is dropped once, and its words stay words.
        let state = unsafe {
            place.assume_init_drop();
            (&raw const (*place.as_ptr()).state).read_volatile()
        };
        assert_eq!(state, [0; 25]);
    }

    #[test]
    fn output_leaves_nothing_behind() {
        let mut sponge = Sponge::<72>::new(Level::best());
        sponge.absorb(&[9; 200]);
        sponge.finish(Suffix::Sha3, &mut [0; 64]);
        assert_eq!((sponge.state, sponge.used), ([0; 25], 0));
        sponge.absorb(&[9; 200]);
        sponge.squeeze(Suffix::Shake).read(&mut [0; 100]);
        assert_eq!((sponge.state, sponge.used), ([0; 25], 0));
    }
}
