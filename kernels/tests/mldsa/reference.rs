//! FIPS 204 as its algorithms are written, for parameter set ML-DSA-65: what a verifier computes of a key whose t1 is
//! 0. Whoever likes can sign for such a key, with any z and any hints, so that signatures reach what no signer makes.

use super::random::Random;
use dualseal_kernels::mldsa::{PUBLIC_KEY_BYTES, SIGNATURE_BYTES};
use shake::{ExtendableOutput, Shake128, Shake256, Update, XofReader};

const Q: i64 = 8_380_417;
pub(crate) const GAMMA1: i64 = 1 << 19;
pub(crate) const BETA: i64 = 196;
pub(crate) const OMEGA: usize = 55;
const ALPHA: i64 = (Q - 1) / 16;

pub(crate) type PublicKey = [u8; PUBLIC_KEY_BYTES];
pub(crate) type Signature = [u8; SIGNATURE_BYTES];
pub(crate) type Mu = [u8; 64];
pub(crate) type Polynomial = [i64; 256];

pub(crate) fn shake256<const N: usize>(parts: &[&[u8]]) -> [u8; N] {
    let mut hash = Shake256::default();
    for part in parts {
        hash.update(part);
    }
    let mut output = [0; N];
    hash.finalize_xof().read(&mut output);
    output
}

/// The powers of zeta in the order of appendix B.
fn zetas() -> [i64; 256] {
    let mut powers = [1; 256];
    for i in 1..256 {
        powers[i] = powers[i - 1] * 1753 % Q;
    }
    std::array::from_fn(|k| powers[usize::from(u8::try_from(k).unwrap().reverse_bits())])
}

/// Algorithm 41.
fn ntt(mut w: Polynomial, zetas: &[i64; 256]) -> Polynomial {
    let (mut m, mut len) = (0, 128);
    while len >= 1 {
        let mut start = 0;
        while start < 256 {
            m += 1;
            for j in start..start + len {
                let t = zetas[m] * w[j + len] % Q;
                w[j + len] = (w[j] - t).rem_euclid(Q);
                w[j] = (w[j] + t).rem_euclid(Q);
            }
            start += 2 * len;
        }
        len /= 2;
    }
    w
}

/// Algorithm 42.
fn inverse_ntt(mut w: Polynomial, zetas: &[i64; 256]) -> Polynomial {
    let (mut m, mut len) = (256, 1);
    while len < 256 {
        let mut start = 0;
        while start < 256 {
            m -= 1;
            for j in start..start + len {
                let t = w[j];
                w[j] = (t + w[j + len]) % Q;
                w[j + len] = (-zetas[m] * (t - w[j + len])).rem_euclid(Q);
            }
            start += 2 * len;
        }
        len *= 2;
    }
    w.map(|coefficient| coefficient * 8_347_681 % Q)
}

/// Algorithm 30.
fn rej_ntt_poly(rho: &[u8; 32], s: u8, r: u8) -> Polynomial {
    let mut hash = Shake128::default();
    hash.update(rho);
    hash.update(&[s, r]);
    let mut reader = hash.finalize_xof();
    std::array::from_fn(|_| {
        loop {
            let mut bytes = [0; 4];
            reader.read(&mut bytes[..3]);
            let candidate = i64::from(u32::from_le_bytes(bytes) & 0x7f_ffff);
            if candidate < Q {
                return candidate;
            }
        }
    })
}

/// Algorithm 36.
pub(crate) fn decompose(r: i64) -> (i64, i64) {
    let mut r0 = r % ALPHA;
    if r0 > ALPHA / 2 {
        r0 -= ALPHA;
    }
    if r - r0 == Q - 1 { (0, r0 - 1) } else { ((r - r0) / ALPHA, r0) }
}

/// Algorithm 40.
fn use_hint(hint: bool, r: i64) -> i64 {
    match decompose(r) {
        (r1, r0) if hint && r0 > 0 => (r1 + 1) % 16,
        (r1, _) if hint => (r1 - 1).rem_euclid(16),
        (r1, _) => r1,
    }
}

/// The key of seed rho and t1 = 0.
pub(crate) struct Open {
    rho: [u8; 32],
    matrix: [[Polynomial; 5]; 6],
    zetas: [i64; 256],
}

impl Open {
    pub(crate) fn of(random: &mut Random) -> Self {
        let rho = random.bytes();
        let number = |i: usize| u8::try_from(i).unwrap();
        let matrix = std::array::from_fn(|r| std::array::from_fn(|s| rej_ntt_poly(&rho, number(s), number(r))));
        Self { rho, matrix, zetas: zetas() }
    }

    pub(crate) fn public_key(&self) -> PublicKey {
        let mut key = [0; PUBLIC_KEY_BYTES];
        key[..32].copy_from_slice(&self.rho);
        key
    }

    /// The signature over `mu` with this z and these hints, which are encoded as they come: positions, then ends. What
    /// is hashed takes each position for set that stands before the end of its polynomial.
    pub(crate) fn sign(&self, mu: &Mu, z: &[Polynomial; 5], hints: &[u8; OMEGA + 6]) -> Signature {
        let z_hat = z.map(|z| ntt(z.map(|coefficient| coefficient.rem_euclid(Q)), &self.zetas));
        let mut encoded = Vec::new();
        let mut start = 0;
        for (row, &end) in self.matrix.iter().zip(&hints[OMEGA..]) {
            let mut sum = [0; 256];
            for (a, z) in row.iter().zip(&z_hat) {
                sum = std::array::from_fn(|i| (sum[i] + a[i] * z[i]) % Q);
            }
            let w = inverse_ntt(sum, &self.zetas);
            let end = usize::from(end).min(OMEGA);
            let set = hints.get(start..end).unwrap_or_default();
            start = end;
            let w1 = |i: usize| use_hint(set.contains(&u8::try_from(i).unwrap()), w[i]);
            encoded.extend((0..128).map(|i| u8::try_from(w1(2 * i) | w1(2 * i + 1) << 4).unwrap()));
        }
        let mut signature = [0; SIGNATURE_BYTES];
        signature[..48].copy_from_slice(&shake256::<48>(&[mu, &encoded]));
        let coefficients = z.as_flattened().as_chunks::<2>().0;
        for (bytes, [even, odd]) in signature[48..3248].as_chunks_mut::<5>().0.iter_mut().zip(coefficients) {
            let bits = (GAMMA1 - even) | (GAMMA1 - odd) << 20;
            bytes.copy_from_slice(&bits.to_le_bytes()[..5]);
        }
        signature[3248..].copy_from_slice(hints);
        signature
    }
}

/// HintBitPack (algorithm 20).
pub(crate) fn pack_hints(polynomials: &[Vec<u8>; 6]) -> [u8; OMEGA + 6] {
    let (mut packed, mut index) = ([0; OMEGA + 6], 0);
    for (i, positions) in polynomials.iter().enumerate() {
        packed[index..index + positions.len()].copy_from_slice(positions);
        index += positions.len();
        packed[OMEGA + i] = u8::try_from(index).unwrap();
    }
    packed
}
