//! The 24 rounds of Keccak-f\[1600\] (FIPS 202, section 3.3), one source for words and for vectors of words.

#![allow(clippy::inline_always, reason = "what is compiled apart from its caller lacks its instructions")]

/// The round constants of iota (FIPS 202, section 3.2.5).
pub(super) const ROUND_CONSTANTS: [u64; 24] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
];

/// One round. Where it stands, `xor(a, b)`, `and_not(a, b)` for `!a & b`, `rol::<R>(a)` and `splat(u64)` are functions
/// on what `$a` is an array of. Row by row, since so the fewest of its 25 words are held twice.
macro_rules! round {
    ($a:ident, $constant:expr) => {{
        // theta: `d[x]` is what each word of column x takes up.
        macro_rules! column {
            ($x:literal) => {
                xor(xor(xor($a[$x], $a[$x + 5]), xor($a[$x + 10], $a[$x + 15])), $a[$x + 20])
            };
        }
        let c = [column!(0), column!(1), column!(2), column!(3), column!(4)];
        let d = [
            xor(c[4], rol::<1>(c[1])),
            xor(c[0], rol::<1>(c[2])),
            xor(c[1], rol::<1>(c[3])),
            xor(c[2], rol::<1>(c[4])),
            xor(c[3], rol::<1>(c[0])),
        ];
        // rho and pi bring a word and its rotation to a place of the row; chi is over the row.
        macro_rules! row {
            ($i0:literal $r0:literal, $i1:literal $r1:literal, $i2:literal $r2:literal,
             $i3:literal $r3:literal, $i4:literal $r4:literal) => {{
                let b0 = rol::<$r0>(xor($a[$i0], d[$i0 % 5]));
                let b1 = rol::<$r1>(xor($a[$i1], d[$i1 % 5]));
                let b2 = rol::<$r2>(xor($a[$i2], d[$i2 % 5]));
                let b3 = rol::<$r3>(xor($a[$i3], d[$i3 % 5]));
                let b4 = rol::<$r4>(xor($a[$i4], d[$i4 % 5]));
                [
                    xor(b0, and_not(b1, b2)),
                    xor(b1, and_not(b2, b3)),
                    xor(b2, and_not(b3, b4)),
                    xor(b3, and_not(b4, b0)),
                    xor(b4, and_not(b0, b1)),
                ]
            }};
        }
        let [e0, e1, e2, e3, e4] = row!(0 0, 6 44, 12 43, 18 21, 24 14);
        // iota.
        let e0 = xor(e0, splat($constant));
        let [e5, e6, e7, e8, e9] = row!(3 28, 9 20, 10 3, 16 45, 22 61);
        let [e10, e11, e12, e13, e14] = row!(1 1, 7 6, 13 25, 19 8, 20 18);
        let [e15, e16, e17, e18, e19] = row!(4 27, 5 36, 11 10, 17 15, 23 56);
        let [e20, e21, e22, e23, e24] = row!(2 62, 8 55, 14 39, 15 41, 21 2);
        $a = [
            e0, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, e11, e12, e13, e14, e15, e16, e17, e18, e19, e20, e21, e22,
            e23, e24,
        ];
    }};
}
#[cfg(target_arch = "x86_64")]
pub(super) use round;

/// With whatever its caller is compiled for. Two rounds at a time: the moves between two of them are saved.
#[inline(always)]
pub(super) fn portable(mut a: [u64; 25]) -> [u64; 25] {
    for [even, odd] in ROUND_CONSTANTS.as_chunks().0 {
        round!(a, *even);
        round!(a, *odd);
    }
    a
}

#[inline(always)]
fn xor(a: u64, b: u64) -> u64 {
    a ^ b
}

#[inline(always)]
fn and_not(a: u64, b: u64) -> u64 {
    !a & b
}

#[inline(always)]
fn rol<const R: u32>(a: u64) -> u64 {
    a.rotate_left(R)
}

#[inline(always)]
fn splat(constant: u64) -> u64 {
    constant
}
