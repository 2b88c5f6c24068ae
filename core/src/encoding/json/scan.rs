//! Looking for the few bytes that mean something among the many that stand for themselves.

/// Bytes that are looked at at once: in a block of fixed length all are, which the compiler does in vectors.
const BLOCK: usize = 32;

/// The number of bytes before the first that is one of these, or is less than `least`; all of them where none is. No
/// comparison branches, which would be a look at one byte after the other.
pub(super) fn before<const N: usize>(bytes: &[u8], these: [u8; N], least: u8) -> usize {
    let special = |byte: u8| these.iter().fold(u8::from(byte < least), |seen, this| seen | u8::from(byte == *this));
    let blocks = bytes.as_chunks::<BLOCK>().0;
    let has = |block: &[u8; BLOCK]| block.iter().fold(0, |seen, byte| seen | special(*byte)) != 0;
    let skipped = blocks.iter().position(has).unwrap_or(blocks.len()).saturating_mul(BLOCK);
    let rest = bytes.get(skipped..).unwrap_or_default();
    skipped.saturating_add(rest.iter().position(|byte| special(*byte) != 0).unwrap_or(rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_found_wherever_it_stands() {
        for length in 0..100 {
            let mut bytes = alloc::vec![b'a'; length];
            assert_eq!(before(&bytes, *b"\"\\", 0x20), length);
            for place in (0..length).rev() {
                for special in [b'"', b'\\', 0, 0x1f] {
                    bytes[place] = special;
                    assert_eq!(before(&bytes, *b"\"\\", 0x20), place);
                }
                for plain in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xff] {
                    bytes[place] = plain;
                    assert!(before(&bytes, *b"\"\\", 0x20) > place);
                }
                bytes[place] = b'"';
            }
        }
    }
}
