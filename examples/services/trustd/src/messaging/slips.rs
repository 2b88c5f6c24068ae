//! Words that were typed wrongly: whether one is a slip of another.

/// A word as it would be if its `ae`, `oe` and `ue` were written for umlauts.
pub(crate) fn without_umlauts(word: &str) -> Option<String> {
    if !word.as_bytes().windows(2).any(|two| matches!(two, b"ae" | b"oe" | b"ue")) {
        return None;
    }
    let found = word.replace("ae", "a").replace("oe", "o").replace("ue", "u");
    (found.len() < word.len()).then_some(found)
}

/// From so many letters on the first one may be a slip.
pub(super) const SLIPS_AT_FIRST: usize = 7;

/// The letters of a word, as bits.
pub(super) fn letters(word: &str) -> u32 {
    word.bytes().fold(0, |letters, one| letters | 1 << (one & 31))
}

/// How many slips are overlooked in so many letters.
pub(super) fn slips(letters: usize) -> usize {
    match letters {
        0..=3 => 0,
        4..=8 => 1,
        _ => 2,
    }
}

/// Whether somebody may have meant `meant` when he typed `typed`: one slip from four letters on, two from nine; the
/// first letter of a short word is as it is meant.
pub(crate) fn is_typed_for(typed: &str, meant: &str) -> bool {
    if typed == meant {
        return true;
    }
    let (typed, meant): (Vec<char>, Vec<char>) = (typed.chars().collect(), meant.chars().collect());
    let slips = slips(meant.len());
    if slips == 0 || typed.len().abs_diff(meant.len()) > slips || typed.iter().any(char::is_ascii_digit) {
        return false;
    }
    let swapped =
        typed.get(..2).zip(meant.get(..2)).is_some_and(|(typed, meant)| typed[0] == meant[1] && typed[1] == meant[0]);
    if meant.len() < SLIPS_AT_FIRST && typed.first() != meant.first() && !swapped {
        return false;
    }
    // Of four letters one more, or two that changed places: another letter is another word, such as fire and five.
    if meant.len() == 4 && (typed.len() < 4 || typed.len() == 4 && !is_swap(&typed, &meant)) {
        return false;
    }
    distance(&typed, &meant) <= slips
}

/// The same of the beginning of a word, from six letters on.
pub(crate) fn begins_like(typed: &str, stem: &str) -> bool {
    if typed.starts_with(stem) {
        return true;
    }
    let length = stem.chars().count();
    let letters: Vec<char> = typed.chars().collect();
    if length < 6 || letters.len() + 1 < length {
        return false;
    }
    [length - 1, length, length + 1]
        .into_iter()
        .filter_map(|end| letters.get(..end))
        .any(|begin| is_typed_for(&begin.iter().collect::<String>(), stem))
}

fn is_swap(one: &[char], other: &[char]) -> bool {
    let differing: Vec<usize> = (0..one.len()).filter(|at| one[*at] != other[*at]).collect();
    let [first, second] = differing[..] else { return false };
    first + 1 == second && one[first] == other[second] && one[second] == other[first]
}

/// Slips between two words: a letter too much, too little, another one, or two that changed places (optimal string
/// alignment).
fn distance(one: &[char], other: &[char]) -> usize {
    let width = other.len() + 1;
    let mut rows = vec![(0..width).collect::<Vec<_>>()];
    for at in 1..=one.len() {
        let mut row = vec![at; width];
        for by in 1..width {
            let differs = usize::from(one[at - 1] != other[by - 1]);
            row[by] = (rows[at - 1][by] + 1).min(row[by - 1] + 1).min(rows[at - 1][by - 1] + differs);
            if at > 1 && by > 1 && one[at - 1] == other[by - 2] && one[at - 2] == other[by - 1] {
                row[by] = row[by].min(rows[at - 2][by - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[one.len()][width - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_seen_and_other_words_are_not() {
        for (typed, meant) in
            [("pannic", "panic"), ("painc", "panic"), ("hlep", "help"), ("emrgancy", "emergency"), ("apnic", "panic")]
        {
            assert!(is_typed_for(typed, meant), "{typed}");
        }
        for (typed, meant) in
            [("fine", "fire"), ("manic", "panic"), ("picnic", "panic"), ("sos1", "soss"), ("sis", "sos")]
        {
            assert!(!is_typed_for(typed, meant), "{typed}");
        }
        assert!(begins_like("prometnu", "promet") && begins_like("prometni", "prmoet"));
        assert!(!begins_like("pozdrav", "pozar"));
    }
}
