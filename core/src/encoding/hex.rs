//! Lowercase hexadecimal of a fixed length, without table look-ups: the digits of a secret index nothing. Functions
//! with `public` in their names look up in tables, and are for what nobody hides.

use crate::error::{Error, Problem};
use crate::secret::Secret;
use alloc::string::String;
use zeroize::Zeroizing;

/// The lowercase hexadecimal of `bytes`, two characters a byte.
///
/// ```
/// assert_eq!(dualseal::encoding::hex::encode(&[0x00, 0xab]), "00ab");
/// ```
#[must_use]
pub fn encode(bytes: &[u8]) -> String {
    base16ct::lower::encode_string(bytes)
}

/// As [`encode`], for what is public: it may look up in a table, and is six times as fast.
pub(crate) fn encode_public(bytes: &[u8]) -> String {
    const_hex::encode(bytes)
}

/// Hands the lowercase hexadecimal of `bytes` on in pieces, without an allocation.
pub(crate) fn encode_in_pieces(bytes: &[u8], mut each: impl FnMut(&[u8])) {
    let mut text = [0; 64];
    for piece in bytes.chunks(32) {
        // A piece has at most half the length of `text`.
        if let Ok(digits) = base16ct::lower::encode(piece, &mut text) {
            each(digits);
        }
    }
}

/// Hands the digits of what is public on, without an allocation.
pub(crate) fn encode_public_to<const N: usize>(bytes: &[u8; N], each: impl FnOnce(&[u8])) {
    each(const_hex::Buffer::<N>::new().format(bytes).as_bytes());
}

/// As [`encode`], for secrets: the text is wiped when it is dropped.
#[must_use]
pub fn encode_secret<const N: usize>(secret: &Secret<N>) -> Zeroizing<String> {
    Zeroizing::new(encode(secret.expose()))
}

/// Reads exactly `2 * N` lowercase hexadecimal characters, in constant time where all of them are: what callers read
/// may be secret. The result is not wiped, and an error says where; [`decode_secret`] is for what is known to be.
///
/// # Errors
/// [`Problem::Length`] or [`Problem::Hex`] (with the position of the first bad character) for `field`.
pub fn decode<const N: usize>(field: &'static str, text: &str) -> Result<[u8; N], Error> {
    check_length(field, text, N)?;
    let mut bytes = [0; N];
    if base16ct::lower::decode(text, &mut bytes).is_err() {
        check_digits(field, text)?;
        return Err(Error::malformed(field, Problem::Hex));
    }
    Ok(bytes)
}

/// As [`decode`], for what is public: it takes as long as the digits make it.
pub(crate) fn decode_public<const N: usize>(field: &'static str, text: &str) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    decode_public_into(field, text, &mut bytes)?;
    Ok(bytes)
}

/// As [`decode`], for secrets: constant time in the digits, and an error does not say where.
///
/// # Errors
/// [`Problem::Length`] or [`Problem::Hex`] for `field`.
pub fn decode_secret<const N: usize>(field: &'static str, text: &str) -> Result<Secret<N>, Error> {
    check_length(field, text, N)?;
    let mut secret = Secret::zeroed();
    base16ct::lower::decode(text, secret.expose_mut()).map_err(|_| Error::malformed(field, Problem::Hex))?;
    Ok(secret)
}

/// Whether a text is the hexadecimal of so many bytes, without decoding it.
pub(crate) fn check(field: &'static str, text: &str, bytes: usize) -> Result<(), Error> {
    check_length(field, text, bytes)?;
    check_digits(field, text)
}

/// As [`decode_public`], to where the bytes stay.
pub(crate) fn decode_public_into(field: &'static str, text: &str, bytes: &mut [u8]) -> Result<(), Error> {
    check_length(field, text, bytes.len())?;
    // The decoder takes capitals too, which these two bits tell from digits and lowercase letters. All are looked at,
    // many at a time.
    let capitals = text.bytes().fold(0, |seen, byte| seen | u8::from(byte & 0x60 == 0x40));
    if capitals != 0 || const_hex::decode_to_slice(text, bytes).is_err() {
        check_digits(field, text)?;
        return Err(Error::malformed(field, Problem::Hex));
    }
    Ok(())
}

/// Names the first character that is no digit. Not for secrets.
fn check_digits(field: &'static str, text: &str) -> Result<(), Error> {
    match (0..).zip(text.bytes()).find(|(_, byte)| !matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        Some((index, _)) => Err(Error::malformed_at(field, index, Problem::Hex)),
        None => Ok(()),
    }
}

fn check_length(field: &'static str, text: &str, bytes: usize) -> Result<(), Error> {
    let expected = bytes.saturating_mul(2);
    if text.len() == expected {
        Ok(())
    } else {
        Err(Error::malformed(field, Problem::Length { expected, found: text.len() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_the_hex_crate(bytes: [u8; 40]) {
            let text = encode(&bytes);
            prop_assert_eq!(&text, &::hex::encode(bytes));
            prop_assert_eq!(&text, &encode_public(&bytes));
            let mut pieces = alloc::vec::Vec::new();
            encode_in_pieces(&bytes, |piece| pieces.extend_from_slice(piece));
            prop_assert_eq!(pieces, text.as_bytes());
            encode_public_to(&bytes, |digits| assert_eq!(digits, text.as_bytes()));
            prop_assert_eq!(decode::<40>("x", &text).unwrap(), bytes);
            prop_assert_eq!(decode_public::<40>("x", &text).unwrap(), bytes);
            let secret = decode_secret::<40>("x", &text).unwrap();
            prop_assert_eq!(secret.expose(), &bytes);
        }
    }

    #[test]
    fn every_character_but_lowercase_digits_is_refused() {
        for byte in 0u8..=127 {
            let text = alloc::format!("0{}", char::from(byte));
            let good = matches!(byte, b'0'..=b'9' | b'a'..=b'f');
            assert_eq!(decode::<1>("x", &text).is_ok(), good, "{text:?}");
            assert_eq!(decode_public::<1>("x", &text).is_ok(), good, "{text:?}");
            assert_eq!(decode_secret::<1>("x", &text).is_ok(), good, "{text:?}");
        }
    }

    /// A long text is read many characters at a time, and what is left one by one.
    #[test]
    fn wherever_it_stands() {
        let good = encode(&[0x5f; 150]);
        assert_eq!(decode_public::<150>("x", &good).unwrap(), [0x5f; 150]);
        for place in 0..good.len() {
            for bad in ["A", "F", "G", "g", "/", ":", "`", "@", " ", "\0", "\x7f"] {
                let text = [&good[..place], bad, &good[place + 1..]].concat();
                let named = Error::malformed_at("x", place as u64, Problem::Hex);
                assert_eq!(decode::<150>("x", &text).unwrap_err(), named, "{bad:?}");
                assert_eq!(decode_public::<150>("x", &text).unwrap_err(), named, "{bad:?}");
            }
        }
    }

    /// The decoder of what is public would take one off, and characters of several bytes count as their bytes.
    #[test]
    fn no_prefix_is_taken_off() {
        for text in ["0x", "0X", "\u{e9}"] {
            let place = u64::from(text.starts_with('0'));
            let named = Error::malformed_at("x", place, Problem::Hex);
            assert_eq!(decode_public::<1>("x", text).unwrap_err(), named, "{text:?}");
            assert_eq!(decode::<1>("x", text).unwrap_err(), named, "{text:?}");
        }
        let (named, longer) = (Error::malformed_at("x", 1, Problem::Hex), Problem::Length { expected: 4, found: 6 });
        assert_eq!(decode_public::<3>("x", "0x5f5f").unwrap_err(), named);
        assert_eq!(decode_public::<2>("x", "0x5f5f").unwrap_err(), Error::malformed("x", longer));
    }

    #[test]
    fn errors_name_the_field_and_the_place() {
        assert_eq!(decode::<2>("potpis", "00A0").unwrap_err(), Error::malformed_at("potpis", 2, Problem::Hex));
        let length = Problem::Length { expected: 4, found: 3 };
        assert_eq!(decode::<2>("potpis", "000").unwrap_err(), Error::malformed("potpis", length));
        assert_eq!(decode_secret::<1>("key", "0x").unwrap_err().to_string(), "key: is not lowercase hexadecimal");
    }
}
