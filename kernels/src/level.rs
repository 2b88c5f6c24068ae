//! The instruction sets that the kernels are compiled for.

use core::fmt;

/// A set of instructions that this processor has, as was found by asking it: there is no other way to have the value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub(crate) Kind);

/// In ascending order: whoever has one has all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// What every processor of the target has.
    Portable,
    /// AVX2 with BMI1 and BMI2.
    Avx2,
    /// AVX-512F, BW, DQ and VL, with what `Avx2` has.
    Avx512,
}

#[cfg(target_arch = "x86_64")]
cpufeatures::new!(avx2, "avx2", "bmi1", "bmi2");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(avx512, "avx512f", "avx512bw", "avx512dq", "avx512vl", "fma");

impl Level {
    /// The code that every processor of the target runs.
    pub const PORTABLE: Self = Self(Kind::Portable);

    /// The best that this processor has. The processor is asked once.
    ///
    /// ```
    /// use dualseal_kernels::Level;
    ///
    /// assert_eq!(Level::all().last(), Some(Level::best()));
    /// ```
    #[must_use]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if avx2::get() {
            return Self(if avx512::get() { Kind::Avx512 } else { Kind::Avx2 });
        }
        Self::PORTABLE
    }

    /// Everything that this processor has, [`Self::PORTABLE`] first.
    pub fn all() -> impl Iterator<Item = Self> {
        let best = Self::best();
        [Kind::Portable, Kind::Avx2, Kind::Avx512].into_iter().map(Self).filter(move |level| *level <= best)
    }

    /// Its name: `portable`, `avx2` or `avx512`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            Kind::Avx2 => "avx2",
            Kind::Avx512 => "avx512",
        }
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `fn $name(level, …)`, which runs `$body(level, …)` as it is compiled for the level's instructions. `$body` and what
/// it calls has to be `#[inline(always)]`: a function that is called, or a closure that the standard library calls, is
/// compiled for none of them. Each is a function by itself: its code stands once in a library, whoever calls it, and
/// its frame does not lie above those of the others.
macro_rules! for_each_level {
    (
        $(#[$said:meta])*
        $visible:vis fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? = $body:path
    ) => {
        $(#[$said])*
        #[allow(unsafe_code, reason = "what a level was made to prove")]
        $visible fn $name(level: $crate::Level, $($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2")]
            #[inline(never)]
            fn avx2($($argument: $type),*) $(-> $result)? {
                $body($crate::Level($crate::level::Kind::Avx2), $($argument),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,avx512f,avx512bw,avx512dq,avx512vl")]
            #[inline(never)]
            fn avx512($($argument: $type),*) $(-> $result)? {
                $body($crate::Level($crate::level::Kind::Avx512), $($argument),*)
            }
            #[inline(never)]
            fn portable($($argument: $type),*) $(-> $result)? {
                $body($crate::Level::PORTABLE, $($argument),*)
            }
            match level.0 {
                // SAFETY: the level says that this processor has these instructions.
                #[cfg(target_arch = "x86_64")]
                $crate::level::Kind::Avx2 => unsafe { avx2($($argument),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::level::Kind::Avx512 => unsafe { avx512($($argument),*) },
                _ => portable($($argument),*),
            }
        }
    };
}

/// The same without AVX-512, which valgrind does not know: what handles secrets can be watched. The body is given the
/// level that it is compiled for.
macro_rules! for_each_watched_level {
    (fn $name:ident($($argument:ident: $type:ty),*) = $body:path) => {
        #[allow(unsafe_code, reason = "what a level was made to prove")]
        fn $name(level: $crate::Level, $($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2")]
            #[inline(never)]
            fn avx2($($argument: $type),*) {
                $body($crate::Level($crate::level::Kind::Avx2), $($argument),*);
            }
            #[inline(never)]
            fn portable($($argument: $type),*) {
                $body($crate::Level::PORTABLE, $($argument),*);
            }
            match level.0 {
                $crate::level::Kind::Portable => portable($($argument),*),
                // SAFETY: the level says that this processor has these instructions.
                #[cfg(target_arch = "x86_64")]
                _ => unsafe { avx2($($argument),*) },
                #[cfg(not(target_arch = "x86_64"))]
                _ => portable($($argument),*),
            }
        }
    };
}

pub(crate) use for_each_level;
pub(crate) use for_each_watched_level;
