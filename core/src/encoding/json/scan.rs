//! Looking for the few bytes that mean something among the many that stand for themselves.

/// Bytes that are looked at at once: in a block of fixed length all are, which the compiler does in vectors.
const BLOCK: usize = 32;

/// The half of a block that holds nothing is skipped too.
const HALF: usize = BLOCK / 2;

/// Bytes of a word, in which the first is found that means something.
const WORD: usize = 8;

/// The number of bytes before the first that is a quotation mark, a backslash or less than `LEAST`; all of them where
/// none is. No comparison branches, which would be a look at one byte after the other.
pub(super) fn before<const LEAST: u8>(bytes: &[u8]) -> usize {
    let blocks = bytes.as_chunks::<BLOCK>().0;
    let blocks = blocks.iter().position(has_special::<LEAST, BLOCK>).unwrap_or(blocks.len());
    let mut skipped = blocks.saturating_mul(BLOCK);
    let mut rest = bytes.get(skipped..).unwrap_or_default();
    if let Some((half, other)) = rest.split_first_chunk::<HALF>()
        && !has_special::<LEAST, HALF>(half)
    {
        rest = other;
        skipped = skipped.saturating_add(HALF);
    }
    let (words, last) = rest.as_chunks();
    for word in words {
        if let Some(before) = before_in::<LEAST>(*word) {
            return skipped.saturating_add(before);
        }
        skipped = skipped.saturating_add(WORD);
    }
    skipped.saturating_add(one_by_one::<LEAST>(last))
}

/// The same, if it is among the first few bytes.
#[inline]
pub(super) fn short<const LEAST: u8>(bytes: &[u8]) -> Option<usize> {
    before_in::<LEAST>(*bytes.first_chunk()?)
}

fn one_by_one<const LEAST: u8>(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| is_special::<LEAST>(*byte)).unwrap_or(bytes.len())
}

fn has_special<const LEAST: u8, const N: usize>(block: &[u8; N]) -> bool {
    block.iter().fold(false, |seen, byte| seen | is_special::<LEAST>(*byte))
}

/// One comparison for all three, since vectors have a least of two but no comparison that is not with sign.
fn is_special<const LEAST: u8>(byte: u8) -> bool {
    let no_less = if LEAST == 0 { u8::MAX } else { byte.saturating_sub(LEAST.saturating_sub(1)) };
    (byte ^ b'"').min(byte ^ b'\\').min(no_less) == 0
}

/// The same within a word. Where a byte is subtracted that is greater, the highest bit comes out set, and the borrow
/// spoils only what stands after that byte.
fn before_in<const LEAST: u8>(word: [u8; WORD]) -> Option<usize> {
    let word = u64::from_le_bytes(word);
    let all = |byte: u8| u64::from_le_bytes([byte; WORD]);
    let less = |word: u64, than: u8| word.wrapping_sub(all(than)) & !word;
    let found = (less(word, LEAST) | less(word ^ all(b'"'), 1) | less(word ^ all(b'\\'), 1)) & all(0x80);
    (found != 0).then(|| usize::try_from(found.trailing_zeros() / 8).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_found_wherever_it_stands() {
        for length in 0..100 {
            let mut bytes = alloc::vec![b'a'; length];
            assert_eq!(before::<0x20>(&bytes), length);
            for place in (0..length).rev() {
                for special in [b'"', b'\\', 0, 0x1f] {
                    bytes[place] = special;
                    assert_eq!(before::<0x20>(&bytes), place);
                    assert_eq!(short::<0x20>(&bytes), (place < WORD && WORD <= length).then_some(place));
                    assert_eq!(before::<0>(&bytes) == place, matches!(special, b'"' | b'\\'));
                }
                for plain in [b' ', b'!', b'#', b'[', b']', 0x7f, 0x80, 0xff] {
                    bytes[place] = plain;
                    assert!(before::<0x20>(&bytes) > place);
                }
                bytes[place] = b'"';
            }
        }
    }
}
