//! ExpandS: FIPS 204, section 7.3. What it draws is secret.
//!
//! Its time and its addresses tell which half bytes of a stream are refused, and nothing of those that are kept, which
//! are independent of that.

use super::encode::{ETA, SHORT_BYTES};
use crate::Level;
use crate::keccak::{Lanes, SHAKE256_RATE, Suffix};

const LANES: usize = 4;
/// What a block of SHAKE256 has of half bytes.
const CANDIDATES: usize = 2 * SHAKE256_RATE;
/// For 256 of them, and what the block that had the last of them had besides.
const ROOM: usize = 255 + CANDIDATES;

/// What is drawn, on its way. Its owner wipes it.
pub(super) struct Draws {
    block: [u8; SHAKE256_RATE],
    kept: [[u8; ROOM]; LANES],
}

impl Draws {
    pub(super) const ZERO: Self = Self { block: [0; SHAKE256_RATE], kept: [[0; ROOM]; LANES] };

    #[cfg(test)]
    pub(super) fn fill(&mut self, byte: u8) {
        self.block.fill(byte);
        self.kept.as_flattened_mut().fill(byte);
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.block.iter().chain(self.kept.as_flattened()).all(|byte| *byte == 0)
    }
}

/// ExpandS (algorithm 33), encoded as in a private key: what is kept of a stream is `eta` less the coefficient
/// (algorithm 15), which is what is written of it (algorithm 24).
#[inline(always)]
pub(super) fn expand_s(level: Level, seed: &[u8; 64], draws: &mut Draws, encoded: &mut [[u8; SHORT_BYTES]; 11]) {
    for (batch, first) in encoded.chunks_mut(LANES).zip((0_u8..).step_by(LANES)) {
        let mut streams = Lanes::<LANES, SHAKE256_RATE>::new(level);
        for (lane, number) in (0..LANES).zip(first..) {
            for mut part in [&seed[..], &[number, 0]] {
                streams.fill(lane, &mut part);
            }
            streams.pad(lane, Suffix::Shake);
        }
        let mut found = [0; LANES];
        while found[..batch.len()].iter().any(|found| *found < 256) {
            streams.permute();
            for (lane, (kept, found)) in draws.kept.iter_mut().zip(&mut found).enumerate() {
                streams.read(lane, &mut draws.block);
                *found = reject(&draws.block, kept, *found);
            }
        }
        for (encoded, kept) in batch.iter_mut().zip(&draws.kept) {
            for (byte, [low, high]) in encoded.iter_mut().zip(kept.as_chunks().0) {
                *byte = low | high << 4;
            }
        }
    }
}

/// RejBoundedPoly (algorithm 31) over one block, with `found` half bytes there already; how many there are after it.
#[inline(always)]
fn reject(block: &[u8; SHAKE256_RATE], kept: &mut [u8; ROOM], found: usize) -> usize {
    let Some(room) = kept[found.min(256)..].first_chunk_mut::<CANDIDATES>() else { return found };
    let mut count = 0;
    for byte in block {
        for half in [byte & 15, byte >> 4] {
            room[count] = half;
            count += usize::from(i32::from(half) <= 2 * ETA);
        }
    }
    found + count
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::level::for_each_watched_level;
    use shake::{ExtendableOutput, Shake256, Update, XofReader};
    use std::vec::Vec;

    for_each_watched_level! {
        fn expanded(seed: &[u8; 64], draws: &mut Draws, encoded: &mut [[u8; SHORT_BYTES]; 11]) = expand_s
    }

    fn stream(seed: &[u8; 64], number: u8) -> impl XofReader {
        let mut hash = Shake256::default();
        hash.update(seed);
        hash.update(&[number, 0]);
        hash.finalize_xof()
    }

    /// Whether two blocks have less than a polynomial takes.
    fn needs_a_third_block(seed: &[u8; 64], number: u8) -> bool {
        let mut blocks = [0; 2 * SHAKE256_RATE];
        stream(seed, number).read(&mut blocks);
        blocks.iter().flat_map(|byte| [byte % 16, byte / 16]).filter(|half| *half < 9).count() < 256
    }

    #[test]
    fn vectors_are_those_of_the_algorithm() {
        // These were looked for: some polynomial of each needs a third block.
        let long = [10_796, 13_683, 17_746, 24_290];
        for seed in (0..20_u32).chain(long) {
            let mut bytes = [[0; 4]; 16];
            bytes.fill(seed.to_le_bytes());
            let bytes = bytes.as_flattened().first_chunk().unwrap();
            assert_eq!((0..11).any(|number| needs_a_third_block(bytes, number)), long.contains(&seed), "{seed}");
            for level in Level::all() {
                // Whatever stood there before.
                let mut draws = Draws::ZERO;
                draws.fill(0x5a);
                let mut encoded = [[0xff; SHORT_BYTES]; 11];
                expanded(level, bytes, &mut draws, &mut encoded);
                for (encoded, number) in encoded.iter().zip(0_u8..) {
                    let mut reader = stream(bytes, number);
                    let halves = core::iter::repeat_with(|| {
                        let mut byte = [0];
                        reader.read(&mut byte);
                        [byte[0] % 16, byte[0] / 16]
                    });
                    let expected: Vec<_> = halves.flatten().filter(|half| *half < 9).take(256).collect();
                    let written: Vec<_> = encoded.iter().flat_map(|byte| [byte % 16, byte / 16]).collect();
                    assert_eq!(written, expected, "{level:?}: {seed}, {number}");
                }
            }
        }
    }

    #[test]
    fn half_bytes_above_eight_are_refused_in_any_number() {
        let mut kept = [0; ROOM];
        assert_eq!(reject(&[0xff; 136], &mut kept, 0), 0);
        assert_eq!(reject(&[0x98; 136], &mut kept, 0), 136);
        assert_eq!(kept[..136], [8; 136]);
        assert_eq!(reject(&[0x8a; 136], &mut kept, 136), 272);
        // One that is complete stays.
        let full = kept;
        assert_eq!(reject(&[0x11; 136], &mut kept, 272), 272);
        assert_eq!(kept, full);
        // What is last comes with as many more as a block has.
        assert_eq!(reject(&[0x21; 136], &mut kept, 255), 255 + CANDIDATES);
        assert_eq!((kept[254], &kept[255..258]), (8, &[1, 2, 1][..]));
        let mut found = 0;
        for round in 0..255_usize {
            let mut block = [0x9f; 136];
            let value = (round % 9).to_le_bytes()[0];
            block[round % 136] = 0xa0 | value;
            let next = reject(&block, &mut kept, found);
            assert_eq!((next, kept[found]), (found + 1, value));
            found = next;
        }
    }
}
