//! Keccak-f\[1600\] (FIPS 202, section 3) on one state and on several in lanes, and the sponge (section 4) over it.
//!
//! Keccak has no branch and no index that depends on data, and neither has this code: its time is a matter of lengths.
//! Keys run through the states, so [`Sponge`] and [`Lanes`] wipe theirs, and every copy that is made of one in this
//! source; a bare array is its owner's to wipe. That is memory with a name. While a permutation runs, its state is also
//! in registers, and on the stack as the compiler has it: what it spills, and up to the whole state of 200 bytes a lane
//! that it copies in and out. That is overwritten by what runs next, and by nobody on purpose; who must not leave it
//! there clears the stack below.

mod blocks;
mod lanes;
mod rounds;
mod sponge;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use lanes::{Interleaved, Lanes, digest_many};
pub use sponge::{Reader, Sponge, absorb_both};

use crate::Level;
use crate::level::Kind;
use zeroize::Zeroize;

/// The 64-bit words of a state.
pub const WORDS: usize = 25;

/// The rate of SHAKE128 in bytes.
pub const SHAKE128_RATE: usize = 168;
/// The rate of SHAKE256 in bytes.
pub const SHAKE256_RATE: usize = 136;
/// The rate of SHA3-256 in bytes.
pub const SHA3_256_RATE: usize = 136;
/// The rate of SHA3-512 in bytes.
pub const SHA3_512_RATE: usize = 72;

/// What is appended to a message before its padding (FIPS 202, sections 6.1 and 6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix {
    /// 01: the hash functions SHA3.
    Sha3,
    /// 1111: the extendable-output functions SHAKE.
    Shake,
}

impl Suffix {
    /// The suffix with the first bit of the padding.
    const fn byte(self) -> u8 {
        match self {
            Self::Sha3 => 0x06,
            Self::Shake => 0x1f,
        }
    }
}

/// Keccak-f\[1600\] of one state, whose word `5y + x` is the lane (x, y) of FIPS 202.
pub fn f1600(level: Level, state: &mut [u64; WORDS]) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code, reason = "the level is the proof that this processor has the instructions")]
    if level.0 >= Kind::Avx2 {
        // SAFETY: a `Level` is made only of what the processor was asked, and these have BMI1 and BMI2.
        unsafe { x86_64::f1600(state) };
        return;
    }
    let _ = level;
    *state = rounds::portable(*state);
}

/// Whether two states are permuted together in about the time of one.
fn pairs_gain(level: Level) -> bool {
    level.0 == Kind::Avx512
}

macro_rules! lanes {
    ($name:ident, $lanes:literal, $doc:literal, $($at_least:ident => $vectors:path),+) => {
        #[doc = $doc]
        pub fn $name(level: Level, states: &mut [[u64; $lanes]; WORDS]) {
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code, reason = "the level is the proof that this processor has the instructions")]
            {
                $(if level.0 >= Kind::$at_least {
                    // SAFETY: a `Level` is made only of what the processor was asked, and this one has what this was
                    // compiled for.
                    unsafe { $vectors(states) };
                    return;
                })+
            }
            one_by_one(level, states);
        }
    };
}

lanes!(
    f1600_x2, 2,
    "Keccak-f\\[1600\\] of two states in lanes: in one go with AVX-512VL, one by one below, where a pair would lose.",
    Avx512 => x86_64::f1600_x2
);
lanes!(
    f1600_x4, 4,
    "Keccak-f\\[1600\\] of four states in lanes, in one go from AVX2 on.",
    Avx512 => x86_64::f1600_x4_vl, Avx2 => x86_64::f1600_x4
);
lanes!(
    f1600_x8, 8,
    "Keccak-f\\[1600\\] of eight states in lanes: in one go with AVX-512, in two with AVX2.",
    Avx512 => x86_64::f1600_x8, Avx2 => x86_64::f1600_x8_halves
);

fn one_by_one<const N: usize>(level: Level, states: &mut [[u64; N]; WORDS]) {
    let mut state = [0; WORDS];
    for lane in 0..N {
        for (word, words) in state.iter_mut().zip(&*states) {
            *word = words[lane];
        }
        f1600(level, &mut state);
        for (word, words) in state.iter().zip(&mut *states) {
            words[lane] = *word;
        }
    }
    state.zeroize();
}
