//! Words of cries and denials that were typed wrongly, as they were meant: whoever is in need has no time for letters.

use super::words::Words;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A word of fewer letters is no slip.
const LEAST: usize = 3;

/// The lists of `meant.txt`.
struct Lists {
    /// The likelier first.
    meant: Vec<Vec<char>>,
    as_they_are: HashSet<&'static str>,
    /// Which of them are left where a letter of them is left out, or none.
    short_of: HashMap<Vec<char>, Vec<usize>>,
    /// Other words, which are no slips though one letter makes them one of those.
    others: HashSet<&'static str>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let (mut list, mut others, mut is_meant) = (Vec::new(), HashSet::new(), false);
    for line in include_str!("meant.txt").lines().filter(|line| !line.starts_with('#')) {
        match line {
            "[meant]" | "[others]" => is_meant = line == "[meant]",
            line if is_meant => list.extend(line.split_whitespace()),
            line => others.extend(line.split_whitespace()),
        }
    }
    let meant: Vec<Vec<char>> = list.iter().map(|word| word.chars().collect()).collect();
    let as_they_are: HashSet<&str> = list.into_iter().collect();
    let mut short_of: HashMap<Vec<char>, Vec<usize>> = HashMap::new();
    for (at, word) in meant.iter().enumerate() {
        for short in shortened(word) {
            short_of.entry(short).or_default().push(at);
        }
    }
    Lists { meant, as_they_are, short_of, others }
});

/// Words of a message, with those in place of which one of the list was meant as it is written there.
pub(super) fn as_meant(words: Words) -> Words {
    let mend = |word: String| meant(&word).unwrap_or(word);
    Words(words.0.into_iter().map(|clause| clause.into_iter().map(mend).collect()).collect())
}

/// What was meant by a word that is none: one letter left out, put in, another one, or two that changed places.
fn meant(word: &str) -> Option<String> {
    let is_one = LISTS.as_they_are.contains(word) || LISTS.others.contains(word);
    if is_one || word.len() < LEAST || !word.bytes().all(|one| one.is_ascii_lowercase()) {
        return None;
    }
    let typed: Vec<char> = word.chars().collect();
    let near = shortened(&typed).filter_map(|short| LISTS.short_of.get(&short)).flatten();
    let slips = near.filter_map(|at| Some((slip(&typed, LISTS.meant.get(*at)?)?, at)));
    let (_, at) = slips.min()?;
    Some(LISTS.meant.get(*at)?.iter().collect())
}

/// A word as it is, and with each of its letters left out.
fn shortened(word: &[char]) -> impl Iterator<Item = Vec<char>> {
    let without = |at| word.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, one)| *one).collect();
    (0..=word.len()).map(without)
}

/// How far a word is from what it may be a slip of, where it is one; words begin as they are meant.
fn slip(typed: &[char], meant: &[char]) -> Option<u8> {
    let same = typed.iter().zip(meant).take_while(|(one, other)| one == other).count();
    let (rest, other) = (&typed[same..], &meant[same..]);
    let is_swap = rest.len() > 1 && other.len() > 1 && rest[0] == other[1] && rest[1] == other[0];
    if is_swap && rest[2..] == other[2..] {
        return Some(1);
    }
    if same == 0 {
        return None;
    }
    let is = |of: usize, from: usize| rest.get(of..).is_some_and(|rest| other.get(from..) == Some(rest));
    if is(1, 0) || is(0, 1) {
        return Some(2);
    }
    is(1, 1).then_some(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_what_was_meant() {
        for (typed, as_it_was_meant) in [
            ("hrlp", "help"),
            ("ehlp", "help"),
            ("fier", "fire"),
            ("trck", "truck"),
            ("nesrceca", "nesreca"),
            ("nma", "nema"),
        ] {
            assert_eq!(meant(typed).as_deref(), Some(as_it_was_meant), "{typed}");
        }
    }

    #[test]
    fn another_word_is_none_and_neither_is_what_begins_otherwise() {
        for word in ["five", "fine", "hire", "xruck", "he", "h3lp"] {
            assert_eq!(meant(word), None, "{word}");
        }
    }

    #[test]
    fn no_word_is_in_both_lists() {
        let both: Vec<_> = LISTS.others.intersection(&LISTS.as_they_are).collect();
        assert!(both.is_empty() && !LISTS.others.is_empty(), "{both:?}");
    }
}
