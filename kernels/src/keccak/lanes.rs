//! Sponges side by side, and the digests of many messages through them.

use super::{Sponge, Suffix, WORDS, blocks, f1600_x2, f1600_x4, f1600_x8};
use crate::Level;
use crate::level::Kind;
use core::fmt;
use zeroize::{ZeroizeOnDrop, optimization_barrier};

/// One word of each of two, four or eight states. It cannot be implemented outside this crate.
pub trait Interleaved: sealed::Sealed + Sized {
    /// Keccak-f\[1600\] of all.
    fn f1600(level: Level, states: &mut [Self; WORDS]);
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! interleaved {
    ($($lanes:literal $f1600:ident),+) => {
        $(
            impl sealed::Sealed for [u64; $lanes] {}

            impl Interleaved for [u64; $lanes] {
                fn f1600(level: Level, states: &mut [Self; WORDS]) {
                    $f1600(level, states);
                }
            }
        )+
    };
}

interleaved!(2 f1600_x2, 4 f1600_x4, 8 f1600_x8);

/// `N` sponges, each at its own place of its own message, that are permuted together. They are wiped when dropped.
pub struct Lanes<const N: usize, const RATE: usize> {
    level: Level,
    states: [[u64; N]; WORDS],
    used: [usize; N],
}

impl<const N: usize, const RATE: usize> Lanes<N, RATE>
where
    [u64; N]: Interleaved,
{
    /// Lanes that have absorbed nothing.
    #[must_use]
    pub const fn new(level: Level) -> Self {
        const { blocks::check_rate(RATE) };
        Self { level, states: [[0; N]; WORDS], used: [0; N] }
    }

    /// Absorbs as much of `part` as the lane's block has room for and takes it off. Whether the block is full now, so
    /// that the next for this lane is [`permute`](Self::permute).
    ///
    /// # Panics
    /// If there is no such lane, here and below.
    pub fn fill(&mut self, lane: usize, part: &mut &[u8]) -> bool {
        let Self { states, used, .. } = self;
        blocks::fill::<RATE>(&mut used[lane], part, |word, value| states[word][lane] ^= value)
    }

    /// Ends the lane's message. After the next permutation its output is there.
    pub fn pad(&mut self, lane: usize, suffix: Suffix) {
        let Self { states, used, .. } = self;
        blocks::pad::<RATE>(core::mem::take(&mut used[lane]), suffix, |word, value| states[word][lane] ^= value);
    }

    /// Permutes all lanes.
    pub fn permute(&mut self) {
        Interleaved::f1600(self.level, &mut self.states);
    }

    /// The first bytes of the lane's block of output, at most `RATE` of them.
    ///
    /// # Panics
    /// If `output` is longer than `RATE`.
    pub fn read(&self, lane: usize, output: &mut [u8]) {
        assert!(output.len() <= RATE, "the next block is after the next permutation");
        blocks::read(0, output, |word| self.states[word][lane]);
    }

    /// Makes the lane ready for another message.
    pub fn reset(&mut self, lane: usize) {
        for words in &mut self.states {
            words[lane] = 0;
        }
        self.used[lane] = 0;
    }

    /// Absorbs a block of each lane, which stands between two of them. Of a lane that begins another message nothing is
    /// kept.
    fn absorb(&mut self, blocks: &[[u8; RATE]; N], begins: &[bool; N]) {
        let kept = begins.map(|begins| if begins { 0 } else { u64::MAX });
        let words = blocks.each_ref().map(|block| block.as_chunks().0);
        for (place, states) in self.states.iter_mut().enumerate() {
            for (state, (kept, words)) in states.iter_mut().zip(kept.iter().zip(words)) {
                let word = if place < RATE / 8 { u64::from_le_bytes(words[place]) } else { 0 };
                *state = *state & kept ^ word;
            }
        }
    }

    /// Moves a lane that stands between two blocks to a new sponge of its own.
    fn take(&mut self, lane: usize, sponge: &mut Sponge<RATE>) {
        for (word, words) in sponge.state.iter_mut().zip(&self.states) {
            *word = words[lane];
        }
        self.reset(lane);
    }
}

impl<const N: usize, const RATE: usize> Drop for Lanes<N, RATE> {
    fn drop(&mut self) {
        // Many words at a time, where `zeroize` would write each.
        self.states = [[0; N]; WORDS];
        optimization_barrier(&self.states);
    }
}

impl<const N: usize, const RATE: usize> ZeroizeOnDrop for Lanes<N, RATE> {}

impl<const N: usize, const RATE: usize> fmt::Debug for Lanes<N, RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lanes([redacted])")
    }
}

/// The digests of many messages, each in parts: of what `RATE` and `suffix` say the first `OUTPUT` bytes, whole words
/// and at most `RATE`. `each` is told a message's place and its digest, in whatever order they are done.
///
/// ```
/// use dualseal_kernels::Level;
/// use dualseal_kernels::keccak::{SHA3_256_RATE, Suffix, digest_many};
///
/// let messages: [&[&[u8]]; 2] = [&[b"ab", b"c"], &[]];
/// let mut digests = [[0; 32]; 2];
/// let messages = messages.iter().map(|parts| parts.iter().copied());
/// digest_many::<SHA3_256_RATE, 32, _>(Level::best(), Suffix::Sha3, messages, |index, digest| digests[index] = digest);
/// assert_eq!(digests[0][..4], [0x3a, 0x98, 0x5d, 0xa7]);
/// assert_eq!(digests[1][..4], [0xa7, 0xff, 0xc6, 0xf8]);
/// ```
pub fn digest_many<'a, const RATE: usize, const OUTPUT: usize, M: Iterator<Item = &'a [u8]>>(
    level: Level,
    suffix: Suffix,
    messages: impl IntoIterator<Item = M>,
    mut each: impl FnMut(usize, [u8; OUTPUT]),
) {
    const { assert!(OUTPUT <= RATE && OUTPUT.is_multiple_of(8), "more than a block is for a reader") };
    let mut messages =
        messages.into_iter().enumerate().map(|(index, parts)| Message { index, part: &[], parts, ended: false });
    match level.0 {
        Kind::Avx512 => in_lanes::<8, RATE, OUTPUT, _>(level, suffix, &mut messages, &mut each),
        Kind::Avx2 => in_lanes::<4, RATE, OUTPUT, _>(level, suffix, &mut messages, &mut each),
        Kind::Portable => {
            let mut sponge = Sponge::<RATE>::new(level);
            for message in messages {
                message.finish(&mut sponge, suffix, &mut each);
            }
        }
    }
}

/// A block of each lane, in one piece: words of single lanes are far from one another. They are wiped when dropped.
struct Blocks<const N: usize, const RATE: usize>([[u8; RATE]; N]);

impl<const N: usize, const RATE: usize> Drop for Blocks<N, RATE> {
    fn drop(&mut self) {
        self.0 = [[0; RATE]; N];
        optimization_barrier(&self.0);
    }
}

/// A message on its way through a lane.
struct Message<'a, M> {
    index: usize,
    part: &'a [u8],
    parts: M,
    ended: bool,
}

impl<'a, M: Iterator<Item = &'a [u8]>> Message<'a, M> {
    /// The next block, which is the last with the padding (FIPS 202, section 5.1).
    fn write_block<const RATE: usize>(&mut self, block: &mut [u8; RATE], suffix: Suffix) {
        let mut rest = block.as_mut_slice();
        loop {
            let (now, later) = self.part.split_at(self.part.len().min(rest.len()));
            let (filled, left) = rest.split_at_mut(now.len());
            filled.copy_from_slice(now);
            (self.part, rest) = (later, left);
            if rest.is_empty() {
                return;
            }
            if let Some(part) = self.parts.next() {
                self.part = part;
                continue;
            }
            match rest {
                [only] => *only = suffix.byte() | 0x80,
                [first, zeros @ .., last] => {
                    *first = suffix.byte();
                    zeros.fill(0);
                    *last = 0x80;
                }
                [] => {}
            }
            self.ended = true;
            return;
        }
    }

    /// Absorbs the rest without the other lanes.
    fn finish<const RATE: usize, const OUTPUT: usize>(
        self,
        sponge: &mut Sponge<RATE>,
        suffix: Suffix,
        each: &mut impl FnMut(usize, [u8; OUTPUT]),
    ) {
        sponge.absorb(self.part);
        for part in self.parts {
            sponge.absorb(part);
        }
        let mut digest = [0; OUTPUT];
        sponge.finish(suffix, &mut digest);
        each(self.index, digest);
    }
}

/// A lane whose message ends takes up the next one. The last message that is left goes on alone, since then one state
/// is as fast as all lanes.
fn in_lanes<'a, const N: usize, const RATE: usize, const OUTPUT: usize, M: Iterator<Item = &'a [u8]>>(
    level: Level,
    suffix: Suffix,
    messages: &mut impl Iterator<Item = Message<'a, M>>,
    each: &mut impl FnMut(usize, [u8; OUTPUT]),
) where
    [u64; N]: Interleaved,
{
    let mut lanes = Lanes::<N, RATE>::new(level);
    let mut blocks = Blocks([[0; RATE]; N]);
    let mut under_way: [Option<Message<'a, M>>; N] = core::array::from_fn(|_| messages.next());
    let mut begins = [true; N];
    loop {
        let mut busy = under_way.iter().enumerate().filter(|(_, message)| message.is_some()).map(|(lane, _)| lane);
        let Some(first) = busy.next() else { return };
        if busy.next().is_none()
            && let Some(message) = under_way[first].take()
        {
            let mut sponge = Sponge::new(level);
            if !begins[first] {
                lanes.take(first, &mut sponge);
            }
            return message.finish(&mut sponge, suffix, each);
        }
        for (message, block) in under_way.iter_mut().zip(&mut blocks.0) {
            if let Some(message) = message {
                message.write_block(block, suffix);
            }
        }
        lanes.absorb(&blocks.0, &begins);
        lanes.permute();
        for (lane, slot) in under_way.iter_mut().enumerate() {
            begins[lane] = false;
            if let Some(message) = slot
                && message.ended
            {
                let mut digest = [0; OUTPUT];
                for (bytes, words) in digest.as_chunks_mut().0.iter_mut().zip(&lanes.states) {
                    *bytes = words[lane].to_le_bytes();
                }
                each(message.index, digest);
                *slot = messages.next();
                begins[lane] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code, reason = "memory is looked at after its owner is gone")]

    use super::{Blocks, Interleaved, Lanes};
    use crate::Level;
    use core::mem::MaybeUninit;

    fn wiped<const N: usize>()
    where
        [u64; N]: Interleaved,
    {
        let mut lanes = Lanes::<N, 72>::new(Level::best());
        for lane in 0..N {
            assert!(!lanes.fill(lane, &mut &[9; 71][..]));
        }
        assert!(lanes.states[..8].iter().flatten().all(|word| *word == 0x0909_0909_0909_0909));
        let mut place = MaybeUninit::new(lanes);
        // SAFETY: it is dropped once, and its words stay words.
        let states = unsafe {
            place.assume_init_drop();
            (&raw const (*place.as_ptr()).states).read_volatile()
        };
        assert!(states.iter().flatten().all(|word| *word == 0));
    }

    #[test]
    fn dropping_wipes() {
        wiped::<2>();
        wiped::<4>();
        wiped::<8>();
    }

    #[test]
    fn blocks_are_wiped() {
        let mut place = MaybeUninit::new(Blocks([[9; 72]; 4]));
        // SAFETY: it is dropped once, and its bytes stay bytes.
        let bytes = unsafe {
            place.assume_init_drop();
            (&raw const (*place.as_ptr()).0).read_volatile()
        };
        assert_eq!(bytes, [[0; 72]; 4]);
    }
}
