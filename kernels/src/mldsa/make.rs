//! Key generation, a row of the matrix after the other.
//!
//! All that is done with secrets here is arithmetic without a branch, hashing, and what [`short`](super::short) says.
//! What has a name and holds a secret is wiped; what the compiler spills lies below the caller's frame, as with
//! [`keccak`](crate::keccak).

use super::decode::PUBLIC_KEY_BYTES;
use super::encode::{self, PRIVATE_KEY_BYTES, Private};
use super::ntt::{Poly, Sum, inverse_ntt, ntt};
use super::sample;
use super::short::{self, Draws};
use crate::Level;
use crate::keccak::{SHAKE256_RATE, Sponge, Suffix};
use crate::level::for_each_watched_level;
use zeroize::optimization_barrier;

/// ML-DSA.KeyGen_internal (algorithm 6): the pair of a seed.
///
/// ```
/// use dualseal_kernels::Level;
/// use dualseal_kernels::mldsa::make_key;
///
/// let (mut private, mut public) = ([0; 4032], [0; 1952]);
/// make_key(Level::best(), &[7; 32], &mut private, &mut public);
/// assert_eq!(private[..32], public[..32]);
/// ```
pub fn make_key(
    level: Level,
    seed: &[u8; 32],
    private: &mut [u8; PRIVATE_KEY_BYTES],
    public: &mut [u8; PUBLIC_KEY_BYTES],
) {
    // The matrix is public, and is made on whatever there is.
    make(level, level, seed, private, public);
}

for_each_watched_level! {
    fn make(
        best: Level,
        seed: &[u8; 32],
        private: &mut [u8; PRIVATE_KEY_BYTES],
        public: &mut [u8; PUBLIC_KEY_BYTES]
    ) = make_body
}

/// The lines are those of algorithm 6.
#[inline(always)]
fn make_body(
    level: Level,
    best: Level,
    seed: &[u8; 32],
    private: &mut [u8; PRIVATE_KEY_BYTES],
    public: &mut [u8; PUBLIC_KEY_BYTES],
) {
    let Some(Private { rho, k, tr, short, t0 }) = Private::of(private) else { return };
    let Some((public_rho, t1)) = encode::public(public) else { return };
    let mut work = Work::ZERO;
    // Line 1.
    let mut sponge = Sponge::<SHAKE256_RATE>::new(level);
    sponge.absorb(seed);
    sponge.absorb(&[6, 5]);
    let mut stream = sponge.squeeze(Suffix::Shake);
    stream.read(rho);
    stream.read(&mut work.of_s);
    stream.read(k);
    // Line 4.
    short::expand_s(level, &work.of_s, &mut work.draws, short);
    // Lines 3 and 5 to 8.
    let (s1, s2) = short.split_at(5);
    for (polynomial, encoded) in work.s1.iter_mut().zip(s1) {
        encode::unpack_short(encoded, polynomial);
        ntt(level, polynomial, &mut work.half);
    }
    *public_rho = *rho;
    let mut matrix = Matrix { level: best, rho, some: [Poly::ZERO; SOME], next: 0 };
    for (s2, (t1, t0)) in s2.iter().zip(t1.iter_mut().zip(t0)) {
        for s1 in &work.s1 {
            work.sum.add(matrix.next(), s1);
        }
        work.sum.take(&mut work.t);
        inverse_ntt(level, &mut work.t, &mut work.half);
        encode::add_short(&mut work.t, s2);
        encode::encode_t(&work.t, t1, t0);
    }
    // Line 9.
    let mut sponge = Sponge::<SHAKE256_RATE>::new(level);
    sponge.absorb(public);
    sponge.finish(Suffix::Shake, tr);
    work.wipe();
}

/// As many polynomials as are made together at most.
const SOME: usize = 8;

/// The matrix, one polynomial after the other.
struct Matrix<'a> {
    level: Level,
    rho: &'a [u8; 32],
    some: [Poly; SOME],
    next: u8,
}

impl Matrix<'_> {
    #[inline(always)]
    fn next(&mut self) -> &Poly {
        let place = usize::from(self.next) % SOME;
        if place == 0 {
            let left = usize::from(30 - self.next);
            sample::expand_a(self.level, self.rho, self.next, &mut self.some.iter_mut().take(left));
        }
        self.next += 1;
        &self.some[place]
    }
}

/// What is secret and has a name.
struct Work {
    of_s: [u8; 64],
    draws: Draws,
    s1: [Poly; 5],
    half: Poly,
    sum: Sum,
    t: Poly,
}

impl Work {
    const ZERO: Self = Self {
        of_s: [0; 64],
        draws: Draws::ZERO,
        s1: [Poly::ZERO; 5],
        half: Poly::ZERO,
        sum: Sum::ZERO,
        t: Poly::ZERO,
    };

    /// Many bytes at a time, where `zeroize` would write each.
    #[inline(always)]
    fn wipe(&mut self) {
        *self = Self::ZERO;
        optimization_barrier(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_name_is_wiped() {
        let mut work = Work::ZERO;
        work.of_s = [9; 64];
        work.s1[4].0[15] = [9; 16];
        (work.half.0[15], work.t.0[15]) = ([9; 16], [9; 16]);
        work.sum.add(&Poly([[3; 16]; 16]), &Poly([[3; 16]; 16]));
        work.draws.fill(9);
        work.wipe();
        let mut left = Poly::ZERO;
        work.sum.take(&mut left);
        assert!(work.of_s == [0; 64] && work.s1 == [Poly::ZERO; 5]);
        assert_eq!([work.half, work.t, left], [Poly::ZERO; 3]);
        assert!(work.draws.is_empty());
    }
}
