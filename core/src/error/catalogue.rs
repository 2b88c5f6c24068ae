//! The rows of the catalogue, and how a type of errors is declared together with its rows.

use core::fmt;
use core::ops::RangeInclusive;

/// What every error of one kind has in common, in every language and version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Row {
    /// The number. It never changes its meaning.
    pub code: u16,
    /// What kind of act the error calls for.
    pub family: Family,
    /// The name: words of `a-z` and `0-9` joined by hyphens, such as `ring-rollback`. It never changes its meaning.
    ///
    /// C's `DUALSEAL_STATUS_RING_ROLLBACK` is made of it, and a service makes the type of a problem of it (RFC 9457).
    pub name: &'static str,
    /// What is wrong, in one clause without values. The words may become better.
    pub text: &'static str,
    /// What the text begins with, where a message says it more exactly.
    pub(super) subject: &'static str,
}

impl Row {
    /// The text after its subject.
    pub(super) fn predicate(&self) -> &'static str {
        self.text.strip_prefix(self.subject).unwrap_or(self.text)
    }
}

/// The family and the text: `misuse: a counter would pass 2^53-1`.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.family, self.text)
    }
}

/// The families of errors, which call for different acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Family {
    /// Input that does not have the documented form: it goes back to whoever wrote it.
    Malformed,
    /// Well-formed evidence that does not hold: it is kept and looked into.
    Rejected,
    /// A call that cannot be served as it was made: a defect of the calling program.
    Misuse,
    /// The random number generator failed: a defect of the machine.
    Randomness,
}

impl Family {
    /// All families, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Malformed, Self::Rejected, Self::Misuse, Self::Randomness];

    /// The name: `malformed`, `rejected`, `misuse` or `randomness`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Rejected => "rejected",
            Self::Misuse => "misuse",
            Self::Randomness => "randomness",
        }
    }

    /// The numbers that its errors have, or may come to have.
    #[must_use]
    pub fn codes(self) -> RangeInclusive<u16> {
        match self {
            Self::Malformed => 100..=199,
            Self::Rejected => 200..=299,
            Self::Misuse => 300..=399,
            Self::Randomness => 400..=499,
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Declares a type of errors: before the braces the family and what each text begins with; in them, after a variant and
/// its members, the number, the name and the rest of the text.
macro_rules! catalogued {
    (
        $family:ident, $subject:literal:
        $(#[$attribute:meta])*
        pub enum $fault:ident {
            $(
                $(#[$variant_attribute:meta])*
                $variant:ident $(($($value:tt)*))? $({ $($members:tt)* })?
                    = $code:literal, $name:literal, $text:literal;
            )+
        }
    ) => {
        $(#[$attribute])*
        pub enum $fault {
            $($(#[$variant_attribute])* $variant $(($($value)*))? $({ $($members)* })?,)+
        }

        impl $fault {
            /// The rows of the catalogue, one for each variant.
            pub(super) const ROWS: &'static [Row] = &[$(Row {
                code: $code,
                family: Family::$family,
                name: $name,
                text: concat!($subject, $text),
                subject: $subject,
            }),+];

            /// The row of this variant.
            pub(super) fn row(&self) -> &'static Row {
                match self {
                    $(Self::$variant { .. } => &Row {
                        code: $code,
                        family: Family::$family,
                        name: $name,
                        text: concat!($subject, $text),
                        subject: $subject,
                    },)+
                }
            }
        }
    };
}
pub(super) use catalogued;

/// How many rows there are in all.
pub(super) const fn count(mut types: &[&[Row]]) -> usize {
    let mut count: usize = 0;
    while let Some((rows, others)) = types.split_first() {
        count = count.saturating_add(rows.len());
        types = others;
    }
    count
}

/// All rows in one list, of as many as [`count`] says.
pub(super) const fn join<const COUNT: usize>(mut types: &[&[Row]], filler: Row) -> [Row; COUNT] {
    let mut joined = [filler; COUNT];
    let mut free: &mut [Row] = &mut joined;
    while let Some((rows, others)) = types.split_first() {
        let mut rows = *rows;
        while let Some((row, more)) = rows.split_first() {
            let Some((place, left)) = free.split_first_mut() else {
                return joined;
            };
            *place = *row;
            (rows, free) = (more, left);
        }
        types = others;
    }
    joined
}
