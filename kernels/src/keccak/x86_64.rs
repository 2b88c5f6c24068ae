//! The rounds for what x86-64 processors have beyond the least of them.

#![allow(unsafe_code, reason = "an array of words is taken for one of vectors")]

use super::rounds::{ROUND_CONSTANTS, round};

/// One state, with ANDN and RORX.
#[target_feature(enable = "bmi1,bmi2")]
pub(super) fn f1600(state: &mut [u64; 25]) {
    *state = super::rounds::portable(*state);
}

macro_rules! lanes {
    ($module:ident, $name:ident, $features:literal, $lanes:literal, $Vector:ident, $xor:ident, $and_not:ident,
     $splat:ident, |$a:ident| $rol:expr) => {
        mod $module {
            use super::{ROUND_CONSTANTS, round};
            use core::arch::x86_64::*;

            #[target_feature(enable = $features)]
            pub(in super::super) fn $name(states: &mut [[u64; $lanes]; 25]) {
                // SAFETY: both are 25 times as many bytes as a vector has, and any bytes are words and are vectors.
                let mut a: [$Vector; 25] = unsafe { core::mem::transmute(*states) };
                for constant in ROUND_CONSTANTS {
                    round!(a, constant);
                }
                // SAFETY: as above.
                *states = unsafe { core::mem::transmute::<[$Vector; 25], [[u64; $lanes]; 25]>(a) };
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn xor(a: $Vector, b: $Vector) -> $Vector {
                $xor(a, b)
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn and_not(a: $Vector, b: $Vector) -> $Vector {
                $and_not(a, b)
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn rol<const R: i32>($a: $Vector) -> $Vector {
                $rol
            }

            #[inline]
            #[target_feature(enable = $features)]
            fn splat(constant: u64) -> $Vector {
                $splat(constant.cast_signed())
            }
        }
        pub(super) use $module::$name;
    };
}

lanes!(avx2_x4, f1600_x4, "avx2", 4, __m256i, _mm256_xor_si256, _mm256_andnot_si256, _mm256_set1_epi64x, |a| {
    _mm256_or_si256(_mm256_slli_epi64::<R>(a), _mm256_srl_epi64(a, _mm_cvtsi32_si128(64 - R)))
});
lanes!(avx512_x2, f1600_x2, "avx512f,avx512vl", 2, __m128i, _mm_xor_si128, _mm_andnot_si128, _mm_set1_epi64x, |a| {
    _mm_rol_epi64::<R>(a)
});
lanes!(
    avx512_x4,
    f1600_x4_vl,
    "avx512f,avx512vl",
    4,
    __m256i,
    _mm256_xor_si256,
    _mm256_andnot_si256,
    _mm256_set1_epi64x,
    |a| _mm256_rol_epi64::<R>(a)
);
lanes!(avx512_x8, f1600_x8, "avx512f", 8, __m512i, _mm512_xor_si512, _mm512_andnot_si512, _mm512_set1_epi64, |a| {
    _mm512_rol_epi64::<R>(a)
});

/// Eight lanes as twice four.
#[target_feature(enable = "avx2")]
pub(super) fn f1600_x8_halves(states: &mut [[u64; 8]; 25]) {
    let mut half = [[0; 4]; 25];
    for first in [0, 4] {
        for (four, eight) in half.iter_mut().zip(&*states) {
            four.copy_from_slice(&eight[first..first + 4]);
        }
        f1600_x4(&mut half);
        for (four, eight) in half.iter().zip(&mut *states) {
            eight[first..first + 4].copy_from_slice(four);
        }
    }
    zeroize::Zeroize::zeroize(&mut half);
}
