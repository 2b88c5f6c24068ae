//! Input that does not have the documented form.

use super::catalogue::{Family, Row, catalogued};
use alloc::string::String;
use core::fmt;

/// Input that does not have the documented form: which field, where in it or in which item, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Malformed {
    /// The field, by its name on the wire, or the argument.
    pub field: &'static str,
    /// The position: of a byte in a text, of an item in a list; of a share's value, the share's index. `None` where
    /// there is only one.
    pub index: Option<u64>,
    /// What is wrong with it.
    pub problem: Problem,
}

impl Malformed {
    /// For bindings, whose input can be wrong in ways that Rust's types exclude.
    #[must_use]
    pub fn new(field: &'static str, index: Option<u64>, problem: Problem) -> Self {
        Self { field, index, problem }
    }
}

catalogued! {
    Malformed, "the input ":
    /// What is wrong with a malformed field.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Problem {
        /// Not as long as it must be, in bytes or characters of the input.
        Length {
            /// The length it must have.
            expected: usize,
            /// The length it has.
            found: usize,
        } = 100, "length", "does not have the length that it must have";
        /// Not lowercase hexadecimal.
        Hex = 101, "hex", "is not lowercase hexadecimal";
        /// Not UTF-8.
        Utf8 = 102, "utf8", "is not UTF-8";
        /// Contains `::` or begins with `:`, so that two different inputs could share one identifier.
        Ambiguous = 103, "ambiguous", "contains `::` or begins with `:`";
        /// Contains a control character (C0, DEL or C1).
        Control = 104, "control", "contains a control character";
        /// Not of the form `2026-11-21T09:00:00.000Z`, or not a moment that exists.
        Timestamp = 105, "timestamp", "is not a time of the form 2026-11-21T09:00:00.000Z";
        /// Outside the documented range.
        Range = 106, "range", "is out of range";
        /// None of the values that are known here.
        UnknownValue = 107, "unknown-value", "has none of the known values";
        /// A member that must be there is not.
        MissingMember = 108, "missing-member", "is missing";
        /// A member that is not part of this record. Holds the first 64 characters of its name.
        UnknownMember(String) = 109, "unknown-member", "has an unknown member";
        /// Two members of one object have the same name.
        DuplicateMember = 110, "duplicate-member", "appears twice in one object";
        /// Another JSON type than the one documented.
        WrongType = 111, "wrong-type", "has the wrong JSON type";
        /// Not JSON (RFC 8259).
        JsonSyntax = 112, "json-syntax", "is not JSON";
        /// JSON nested deeper than 32 arrays and objects.
        JsonDepth = 113, "json-depth", "is nested deeper than 32";
        /// A JSON number that is not an integer within ±(2^53-1), or is `-0`.
        JsonNumber = 114, "json-number", "has a number that is not an integer within 2^53-1";
        /// A lone UTF-16 surrogate in a JSON string.
        JsonSurrogate = 115, "json-surrogate", "has a lone surrogate";
        /// A byte order mark before the JSON.
        JsonByteOrderMark = 116, "json-byte-order-mark", "begins with a byte order mark";
        /// Not the DER of an ML-DSA-65 key (RFC 9881).
        Der = 117, "der", "is not the DER of an ML-DSA-65 key";
        /// Not PEM with the right label.
        Pem = 118, "pem", "is not PEM with the right label";
        /// All bytes are zero, which no honest generator produces.
        AllZero = 119, "all-zero", "is all zeros";
        /// Coefficients of an expanded key outside -4 to 4 (FIPS 204, section 4).
        KeyCoefficients = 120, "key-coefficients", "has coefficients out of range";
        /// The expanded key's `tr` is not the hash of its public key (FIPS 204, algorithm 6).
        KeyHash = 121, "key-hash", "does not match its own public key";
        /// A domain constant outside the rules: 1 or more characters 0x21 to 0x7E without `:`, one of them not
        /// `0-9a-f`.
        Constant = 122, "constant", "is not a valid domain constant";
        /// Items are not in the documented order.
        Order = 123, "order", "is not in order";
        /// The same item twice.
        Repeated = 124, "repeated", "is there twice";
        /// Not below the field's modulus, so that two encodings would mean one element.
        NotCanonical = 130, "not-canonical", "is not below the field's modulus";
        /// Does not begin as an encrypted stream does.
        StreamHeader = 131, "stream-header", "does not begin as an encrypted stream does";
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.field)?;
        if let Some(index) = self.index {
            write!(f, " (at {index})")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { expected, found } => write!(f, "must have length {expected}, has {found}"),
            // The name comes from the input: escaped, so that it cannot write lines of its own into a log.
            Self::UnknownMember(name) => write!(f, "has the unknown member {name:?}"),
            _ => f.write_str(self.row().predicate()),
        }
    }
}
