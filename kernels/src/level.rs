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
cpufeatures::new!(avx512, "avx512f", "avx512bw", "avx512dq", "avx512vl");

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
