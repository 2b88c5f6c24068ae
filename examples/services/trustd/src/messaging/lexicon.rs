//! Classes of words, and what of them stands in a clause. Words are compared in one spelling of several: ekavian for
//! ijekavian, `a` for `ae`, `d` for `dj`, double letters once; one slip of typing is overlooked from six letters on.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A slip is overlooked from so many letters on: of a word, and of the beginning of one.
const SLIPS_FROM: [usize; 2] = [6, 7];

/// So many of these may stand between words in a row.
const MOST_FILLERS: usize = 2;
const FILLERS: [&str; 52] = [
    "a", "an", "the", "my", "his", "her", "our", "is", "are", "was", "so", "really", "just", "now", "sam", "se", "mi",
    "je", "smo", "su", "ga", "mu", "nam", "nas", "me", "mene", "i", "bi", "cu", "ce", "to", "vec", "bas", "mich",
    "mir", "uns", "noch", "ja", "mal", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "ist", "hat", "mein",
    "gerade", "meine",
];

/// Words of a class that stand in a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) class: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Hit {
    /// Whether it and another reach over more than so many words.
    pub(super) fn is_far(&self, other: &Self, most: usize) -> bool {
        self.end.max(other.end) - self.start.min(other.start) >= most
    }
}

/// A word that is looked for.
#[derive(Debug)]
struct Sought {
    letters: Vec<char>,
    is_stem: bool,
    /// It ends so: most German nouns are made of two.
    is_end: bool,
    has_slips: bool,
}

/// Words in a row that are of a class.
#[derive(Debug)]
struct Entry {
    class: usize,
    words: Vec<Sought>,
}

/// A word of a message in the one spelling; one that is known is no slip of another.
#[derive(Debug)]
pub(super) struct Letters {
    letters: Vec<char>,
    is_known: bool,
    is_filler: bool,
}

/// Words of a clause in the one spelling.
pub(super) fn letters(clause: &[String]) -> Vec<Letters> {
    let of = |word: &String| {
        let letters = canonical(word);
        Letters { is_known: KNOWN.contains(&letters), is_filler: FILLERS.contains(&word.as_str()), letters }
    };
    clause.iter().map(of).collect()
}

/// Words that the lists have as they are, and others that are like one of them.
static KNOWN: LazyLock<HashSet<Vec<char>>> = LazyLock::new(|| {
    let lists = [include_str!("dangers.txt"), include_str!("signs.txt")];
    let lines = lists.iter().flat_map(|list| list.lines()).filter_map(|line| line.split_once(": "));
    let words = lines.flat_map(|(_, list)| list.split_whitespace());
    let whole = words.map(|word| word.trim_start_matches('=')).filter(|word| !word.contains(['*', '_']));
    whole.map(canonical).collect()
});

/// Under this letter stand words of which only the end is given.
const ENDS: char = '~';

/// Words of one language in classes, by the first letter, and the second of those that are without slips.
#[derive(Debug, Default)]
pub(super) struct Lexicon(HashMap<(char, Option<char>), Vec<Entry>>);

impl Lexicon {
    /// Adds words to a class.
    pub(super) fn add(&mut self, class: usize, list: &str) {
        for text in list.split_whitespace() {
            let (text, is_exact) = text.strip_prefix('=').map_or((text, false), |text| (text, true));
            let words: Vec<Sought> = text.split('_').map(|word| Sought::of(word, is_exact)).collect();
            let begin = words.first().map_or((ENDS, None), Sought::begin);
            self.0.entry(begin).or_default().push(Entry { class, words });
        }
    }

    /// What of it stands in a clause.
    pub(super) fn hits(&self, clause: &[Letters]) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (start, word) in clause.iter().enumerate() {
            let (first, second) = (word.letters.first().copied().unwrap_or_default(), word.letters.get(1).copied());
            let begins = [(first, None), (ENDS, None), (first, second)];
            let begins = begins.iter().take(if second.is_some() { 3 } else { 2 });
            let entries = begins.filter_map(|begin| self.0.get(begin)).flatten();
            for Entry { class, words } in entries {
                if let Some(end) = row(words, clause, start) {
                    hits.push(Hit { class: *class, start, end });
                }
            }
        }
        hits
    }
}

/// Where words in a row end that begin here; fillers may stand between them.
fn row(words: &[Sought], clause: &[Letters], start: usize) -> Option<usize> {
    let (first, rest) = words.split_first()?;
    if !first.is(clause.get(start)?) {
        return None;
    }
    rest.iter().try_fold(start, |at, sought| {
        let behind = clause.iter().enumerate().skip(at + 1).take(MOST_FILLERS + 1);
        let mut may_go_on = true;
        behind
            .take_while(|(_, word)| std::mem::replace(&mut may_go_on, word.is_filler))
            .find(|(_, word)| sought.is(word))
            .map(|(at, _)| at)
    })
}

impl Sought {
    fn of(word: &str, is_exact: bool) -> Self {
        let (word, is_stem) = word.strip_suffix('*').map_or((word, false), |word| (word, true));
        let (word, is_end) = word.strip_prefix(ENDS).map_or((word, false), |word| (word, true));
        let mut letters = canonical(word);
        // What begins so goes on with `e`, which takes the `j` with it.
        while is_stem && letters.len() > 4 && letters.last() == Some(&'j') {
            letters.pop();
            letters.pop_if(|last| *last == 'i');
        }
        let has_slips = !is_exact && !is_end && letters.len() >= SLIPS_FROM[usize::from(is_stem)];
        Self { letters, is_stem, is_end, has_slips }
    }

    /// What a word begins with that may be it.
    fn begin(&self) -> (char, Option<char>) {
        match self.letters[..] {
            _ if self.is_end => (ENDS, None),
            [first, second, ..] if !self.has_slips => (first, Some(second)),
            [first, ..] => (first, None),
            [] => (ENDS, None),
        }
    }

    fn is(&self, word: &Letters) -> bool {
        if self.is_end {
            return word.letters.ends_with(&self.letters);
        }
        let (length, most) = (self.letters.len(), word.letters.len());
        if most + 1 < length || !self.is_stem && length + 1 < most {
            return false;
        }
        let (sought, has_slips, word) = (&self.letters[..], self.has_slips && !word.is_known, &word.letters[..]);
        let ends = |word: &[char], sought: &[char]| {
            if self.is_stem { word.starts_with(sought) } else { word == sought }
        };
        let same = word.iter().zip(sought).take_while(|(one, other)| one == other).count();
        // "Cranes", and "the crane's".
        let is_more = same > 3 && word.len() == same + 1 && word[same] == 's';
        if same == sought.len() && (self.is_stem || word.len() == same || is_more) {
            return true;
        }
        if !has_slips || same == 0 {
            return false;
        }
        let (word, sought) = (&word[same..], &sought[same..]);
        // Another letter, one too few, one too many, two that changed places.
        let is = |from: usize, of: usize| {
            word.get(from..).zip(sought.get(of..)).is_some_and(|(word, sought)| ends(word, sought))
        };
        is(1, 1)
            || is(0, 1)
            || is(1, 0)
            || word.len() > 1 && sought.len() > 1 && word[0] == sought[1] && word[1] == sought[0] && is(2, 2)
    }
}

/// A word in the one spelling.
fn canonical(word: &str) -> Vec<char> {
    let mut word = word.to_owned();
    for (from, to) in [("ae", "a"), ("oe", "o"), ("ue", "u"), ("ije", "e"), ("je", "e"), ("dj", "d")] {
        if word.contains(from) {
            word = word.replace(from, to);
        }
    }
    let is_long = word.len() >= 5;
    let mut letters: Vec<char> = Vec::with_capacity(word.len());
    for one in word.chars() {
        if !(is_long && letters.last() == Some(&one)) {
            letters.push(one);
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands(list: &str, text: &str) -> bool {
        let mut lexicon = Lexicon::default();
        lexicon.add(0, list);
        let clause: Vec<String> = text.split(' ').map(str::to_owned).collect();
        !lexicon.hits(&letters(&clause)).is_empty()
    }

    #[test]
    fn spellings_and_slips_of_typing_are_one_word() {
        for (list, text) in [
            ("snijeg", "sneg"),
            ("povrijed*", "povredjen"),
            ("kemikalij*", "kemikalije"),
            ("uberfall*", "ueberfallen"),
            ("accident", "acident"),
            ("ambulance", "ambulence"),
            ("ambulance", "ambluance"),
            ("=crane", "cranes"),
        ] {
            assert!(stands(list, text), "{list} {text}");
        }
        assert!(stands("~messer", "kuchenmesser") && !stands("~messer", "messerblock"));
        for (list, text) in [
            ("=ambulance", "ambulence"),
            ("fire", "five"),
            ("bitten", "bitte"),
            ("pozar", "pozdrav"),
            ("zmij*", "zmigavac"),
            ("=gas", "gass"),
        ] {
            assert!(!stands(list, text), "{list} {text}");
        }
    }

    #[test]
    fn words_in_a_row_have_fillers_between_them_and_no_others() {
        assert!(stands("zabio_u", "zabio sam se u drvo"));
        assert!(stands("fell_off", "fell off"));
        assert!(!stands("fell_off", "fell asleep off"));
    }
}
