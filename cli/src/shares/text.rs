//! A share as one line that is read aloud, typed, printed or scanned:
//!
//! ```text
//! DUALSEAL-SHARE:1:P521:3/5:2:<dealing_id>:<split_id>:<value>:<check>
//! ```
//!
//! The field is `P521` or `GF256`, then come k/n and the number of the share; identifiers and the value are in
//! hexadecimal; the check is the first 4 bytes of SHA3-256 over all that stands before it. It tells a slip of the pen
//! from a fraud, and protects from neither. Capitals throughout, since QR codes hold them in less room; small letters
//! are read as capitals.

use dualseal::Error;
use dualseal::encoding::hex;
use dualseal::error::{Malformed, Problem};
use dualseal::field::{Field, Fp521, Gf2_256};
use dualseal::hash::Sha3_256;
use dualseal::shamir::{DealingId, Index, Share, SplitId, Threshold};
use zeroize::Zeroizing;

const MARK: &str = "DUALSEAL-SHARE";
const VERSION: &str = "1";
const CHECK_BYTES: usize = 4;

/// The fields, by their names in the text and in options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FieldName {
    /// Integers modulo 2^521-1
    P521,
    /// GF(2^256), the field of the program ssss
    Gf256,
}

impl FieldName {
    fn as_str(self) -> &'static str {
        match self {
            Self::P521 => "P521",
            Self::Gf256 => "GF256",
        }
    }
}

/// The texts that shares have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// This program's own
    #[default]
    Dualseal,
    /// That of the program ssss, run with -s 256 -x -D
    Ssss,
}

/// A field that has a name in the text.
pub(crate) trait Named: Field {
    const WORD: FieldName;
}

impl Named for Fp521 {
    const WORD: FieldName = FieldName::P521;
}

impl Named for Gf2_256 {
    const WORD: FieldName = FieldName::Gf256;
}

/// What a share says of the set that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    pub(crate) dealing_id: DealingId,
    pub(crate) split_id: SplitId,
    pub(crate) threshold: Threshold,
}

/// A share that was read, its value not yet taken for an element of a field.
#[derive(Debug)]
pub(crate) struct ShareText {
    pub(crate) field: FieldName,
    pub(crate) set: Set,
    index: Index,
    value: Zeroizing<String>,
}

/// Whether a text is meant to be a share, and so is a secret.
pub(crate) fn is_share(text: &str) -> bool {
    text.get(..MARK.len()).is_some_and(|mark| mark.eq_ignore_ascii_case(MARK))
}

/// Writes a share.
pub(crate) fn write<F: Named>(set: &Set, share: &Share<F>) -> Zeroizing<String> {
    let Set { dealing_id, split_id, threshold } = set;
    let (k, n, index, value) = (threshold.k(), threshold.n(), share.index(), share.to_hex());
    // Room for all of it, so that it does not move and leave a copy behind.
    let mut text = Zeroizing::new(String::with_capacity(400));
    let field = F::WORD.as_str();
    text.push_str(&[MARK, VERSION, field, &format!("{k}/{n}:{index}:{dealing_id}:{split_id}:")].join(":"));
    text.push_str(&value);
    text.make_ascii_uppercase();
    let check = check(&text);
    text.push(':');
    text.push_str(&check);
    text
}

/// Reads a share. Errors name the part, and the number of the share where it is known.
pub(crate) fn read(text: &str) -> Result<ShareText, Error> {
    let text = Zeroizing::new(text.trim().to_ascii_uppercase());
    let bad = |part, problem| Error::from(Malformed::new(part, None, problem));
    let parts: Vec<&str> = text.split(':').collect();
    let [mark, version, field, threshold, index, dealing_id, split_id, value, sum] = parts.as_slice() else {
        return Err(bad("share", Problem::Length { expected: 9, found: parts.len() }));
    };
    if *mark != MARK {
        return Err(bad("share", Problem::UnknownValue));
    }
    if *version != VERSION {
        return Err(bad("version", Problem::UnknownValue));
    }
    let before = text.len().saturating_sub(sum.len() + 1);
    // First, so that what follows is about what was dealt and not about how it was copied.
    if check(text.get(..before).unwrap_or_default()) != *sum {
        return Err(bad("check", Problem::UnknownValue));
    }
    let names = [FieldName::P521, FieldName::Gf256];
    let field = names.into_iter().find(|name| name.as_str() == *field);
    let field = field.ok_or_else(|| bad("field", Problem::UnknownValue))?;
    let number = |part, digits: &str| digits.parse::<u64>().map_err(|_| bad(part, Problem::Range));
    let (k, n) = threshold.split_once('/').ok_or_else(|| bad("k", Problem::Range))?;
    let threshold = Threshold::new(number("k", k)?, number("n", n)?)?;
    let index = Index::new(number("indeks", index)?)?;
    let dealing_id = dealing_id.to_ascii_lowercase().parse()?;
    let split_id = split_id.to_ascii_lowercase().parse()?;
    let value = Zeroizing::new(value.to_ascii_lowercase());
    Ok(ShareText { field, set: Set { dealing_id, split_id, threshold }, index, value })
}

impl ShareText {
    pub(crate) fn index(&self) -> Index {
        self.index
    }

    /// The share, over the field that it names.
    pub(crate) fn share<F: Named>(&self) -> Result<Share<F>, Error> {
        if self.field != F::WORD {
            return Err(Malformed::new("field", Some(self.index.get().into()), Problem::UnknownValue).into());
        }
        Share::from_hex(self.index, &self.value)
    }
}

fn check(text: &str) -> String {
    let digest = Sha3_256::digest(text.as_bytes());
    hex::encode(&digest[..CHECK_BYTES]).to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> Set {
        Set {
            dealing_id: DealingId::from_bytes([0xd1; 32]),
            split_id: SplitId::from_bytes([0x51; 32]),
            threshold: Threshold::new(3, 12).unwrap(),
        }
    }

    fn share() -> Share<Gf2_256> {
        Share::from_hex(Index::new(11).unwrap(), &"a5".repeat(32)).unwrap()
    }

    #[test]
    fn the_text_does_not_change() {
        let expected = format!(
            "DUALSEAL-SHARE:1:GF256:3/12:11:{}:{}:{}:E1580FB1",
            "D1".repeat(32),
            "51".repeat(32),
            "A5".repeat(32)
        );
        assert_eq!(*write(&set(), &share()), expected);
    }

    #[test]
    fn what_is_written_is_read_whatever_the_letters() {
        let text = write(&set(), &share());
        for text in [text.to_string(), text.to_ascii_lowercase(), format!("  {}\r\n", *text)] {
            let read = read(&text).unwrap();
            assert_eq!((read.field, read.set), (FieldName::Gf256, set()));
            assert_eq!(*read.share::<Gf2_256>().unwrap().to_hex(), *share().to_hex());
            assert_eq!(read.share::<Fp521>().unwrap_err().to_string(), "field (at 11): has none of the known values");
        }
    }

    #[test]
    fn a_slip_of_the_pen_is_told() {
        let text = write(&set(), &share());
        for place in 0..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[place] = if bytes[place] == b'7' { b'8' } else { b'7' };
            assert!(read(std::str::from_utf8(&bytes).unwrap()).is_err(), "at {place}");
        }
        for end in 0..text.len() {
            assert!(read(&text[..end]).is_err(), "cut at {end}");
        }
    }
}
