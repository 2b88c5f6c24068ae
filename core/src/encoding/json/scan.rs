//! Looking for the few bytes that mean something among the many that stand for themselves.

/// Bytes that are looked at at once: in a block of fixed length all are, which the compiler does in vectors.
const BLOCK: usize = 32;

/// The number of bytes before the first that is special; all of them where none is.
pub(super) fn before(bytes: &[u8], is_special: impl Fn(u8) -> bool) -> usize {
    let blocks = bytes.as_chunks::<BLOCK>().0;
    let has = |block: &[u8; BLOCK]| block.iter().fold(0, |seen, byte| seen | u8::from(is_special(*byte))) != 0;
    let skipped = blocks.iter().position(has).unwrap_or(blocks.len()).saturating_mul(BLOCK);
    let rest = bytes.get(skipped..).unwrap_or_default();
    skipped.saturating_add(rest.iter().position(|byte| is_special(*byte)).unwrap_or(rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_found_wherever_it_stands() {
        for length in 0..100 {
            let mut bytes = alloc::vec![b'a'; length];
            assert_eq!(before(&bytes, |byte| byte == b'"'), length);
            for place in (0..length).rev() {
                bytes[place] = b'"';
                assert_eq!(before(&bytes, |byte| byte == b'"'), place);
            }
        }
    }
}
