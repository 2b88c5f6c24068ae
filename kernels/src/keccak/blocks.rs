//! Bytes into the words of a block and out of them, wherever those stand.

#![allow(
    clippy::inline_always,
    reason = "a call for each block, and its words through memory, take a tenth of its time"
)]

use super::{Suffix, WORDS};

pub(super) const fn check_rate(rate: usize) {
    assert!(rate > 0 && rate < 8 * WORDS && rate.is_multiple_of(8), "a rate is some of the words of a state, not all");
}

/// Takes off `part` what the block has room for and XORs it in. Whether that filled the block: then `used` is 0 again,
/// and the permutation is due.
#[inline(always)]
pub(super) fn fill<const RATE: usize>(used: &mut usize, part: &mut &[u8], mut xor: impl FnMut(usize, u64)) -> bool {
    if *used == 0
        && let Some((block, rest)) = part.split_first_chunk::<RATE>()
    {
        for (word, bytes) in block.as_chunks().0.iter().enumerate() {
            xor(word, u64::from_le_bytes(*bytes));
        }
        *part = rest;
        return true;
    }
    let (now, rest) = part.split_at(part.len().min(RATE - *used));
    *part = rest;
    xor_part(*used, now, xor);
    *used += now.len();
    let full = *used == RATE;
    if full {
        *used = 0;
    }
    full
}

/// Ends a message of which `used` bytes stand in the block (FIPS 202, section 5.1).
#[inline(always)]
pub(super) fn pad<const RATE: usize>(used: usize, suffix: Suffix, mut xor: impl FnMut(usize, u64)) {
    xor(used / 8, u64::from(suffix.byte()) << (8 * (used % 8)));
    xor(RATE / 8 - 1, 0x80 << 56);
}

/// The bytes of a block from `used` on.
#[inline(always)]
pub(super) fn read(used: usize, output: &mut [u8], word: impl Fn(usize) -> u64) {
    let (head, output) = output.split_at_mut(output.len().min(used.wrapping_neg() % 8));
    for (place, byte) in (used..).zip(&mut *head) {
        *byte = word(place / 8).to_le_bytes()[place % 8];
    }
    let first = (used + head.len()) / 8;
    for (place, bytes) in (first..).zip(output.chunks_mut(8)) {
        bytes.copy_from_slice(&word(place).to_le_bytes()[..bytes.len()]);
    }
}

fn xor_part(used: usize, part: &[u8], mut xor: impl FnMut(usize, u64)) {
    let (head, part) = part.split_at(part.len().min(used.wrapping_neg() % 8));
    if !head.is_empty() {
        xor(used / 8, word_of(head) << (8 * (used % 8)));
    }
    let first = (used + head.len()) / 8;
    let (words, tail) = part.as_chunks();
    for (place, bytes) in (first..).zip(words) {
        xor(place, u64::from_le_bytes(*bytes));
    }
    if !tail.is_empty() {
        xor(first + words.len(), word_of(tail));
    }
}

/// Less than eight bytes, little-endian. Where the first and the last of them overlap they are the same.
#[inline(always)]
fn word_of(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk()) {
        u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<2>(), bytes.last_chunk()) {
        u64::from(u16::from_le_bytes(*first)) | u64::from(u16::from_le_bytes(*last)) << (8 * (bytes.len() - 2))
    } else {
        bytes.first().map_or(0, |byte| u64::from(*byte))
    }
}
