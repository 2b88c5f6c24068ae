//! Text as words: what people type, without case, diacritics and noise, in clauses; and words that were typed wrongly.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// What is read of a message: whoever is in need says so at once.
const MOST_CHARS: usize = 2000;

/// Cries, and below what people write them together with.
pub(super) const CRIES: [&str; 10] =
    ["help", "panic", "panik", "panika", "sos", "hilfe", "pomoc", "upomoc", "pomozite", "mayday"];
const BESIDE: [&str; 12] = ["me", "us", "please", "pls", "plz", "now", "mir", "uns", "bitte", "mi", "nam", "molim"];

/// The words of a message, clause by clause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Words(pub(crate) Vec<Vec<String>>);

impl Words {
    /// Of a text: NFKC, case and diacritics folded, apostrophes dropped, letters that are held down counted once.
    pub(crate) fn of(text: &str) -> Self {
        let (mut clauses, mut clause, mut word) = (Vec::new(), Vec::new(), String::new());
        let folded = fold(text);
        let mut rest = folded.chars().peekable();
        let mut last = ' ';
        while let Some(one) = rest.next() {
            match one {
                '\'' | '’' | '`' | '´' | '*' | '_' => {}
                one if one.is_alphanumeric() => word.push(one),
                // Letters with points between them are one word: S.O.S.
                '.' if last.is_alphabetic()
                    && is_initials(&word)
                    && rest.peek().is_some_and(|next| next.is_alphabetic()) => {}
                '-' if last.is_alphanumeric() && is_initials(&word) => {}
                one => {
                    end_of_word(&mut clause, &mut word);
                    let joins = one.is_whitespace() && one != '\n'
                        || matches!(one, '-' | '/' | '+' | '&' | '@' | '"' | '„' | '“');
                    if !joins && !clause.is_empty() {
                        clauses.push(std::mem::take(&mut clause));
                    }
                }
            }
            last = one;
        }
        end_of_word(&mut clause, &mut word);
        if !clause.is_empty() {
            clauses.push(clause);
        }
        Self(clauses.into_iter().map(joined).collect())
    }

    /// With those apart that are cries and nothing else, written together: "HILFEHILFE", "pleasehelpme".
    pub(super) fn unglued(self) -> Self {
        let apart = |word: String| match parts(&word) {
            Some(parts) if parts.iter().any(|part| CRIES.contains(part)) => {
                parts.into_iter().map(str::to_owned).collect()
            }
            _ => vec![word],
        };
        Self(self.0.into_iter().map(|clause| clause.into_iter().flat_map(apart).collect()).collect())
    }

    /// All of them in a row.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(String::as_str)
    }

    /// How many.
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

/// The words that one is made of, where it is made of nothing else.
fn parts(word: &str) -> Option<Vec<&str>> {
    if word.is_empty() {
        return Some(Vec::new());
    }
    CRIES.iter().chain(&BESIDE).find_map(|known| {
        let (part, rest) = (word.get(..known.len())?, word.strip_prefix(known)?);
        Some([vec![part], parts(rest)?].concat())
    })
}

/// Letters with spaces between them are one word, from three on: "H E L P".
fn joined(clause: Vec<String>) -> Vec<String> {
    let (mut words, mut letters): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for word in clause.into_iter().chain([String::new()]) {
        if word.chars().count() == 1 && word.chars().all(char::is_alphabetic) {
            letters.push(word);
            continue;
        }
        if letters.len() > 2 {
            words.push(std::mem::take(&mut letters).concat());
        } else {
            words.append(&mut letters);
        }
        words.extend(Some(word).filter(|word| !word.is_empty()));
    }
    words
}

/// A word as it would be if its `ae`, `oe` and `ue` were written for umlauts.
pub(crate) fn without_umlauts(word: &str) -> Option<String> {
    let found = word.replace("ae", "a").replace("oe", "o").replace("ue", "u");
    (found.len() < word.len()).then_some(found)
}

fn is_initials(word: &str) -> bool {
    word.len() == 1 || word.len() == 2
}

fn end_of_word(clause: &mut Vec<String>, word: &mut String) {
    if word.is_empty() {
        return;
    }
    let (mut held, mut last, mut run) = (String::new(), '\0', 0);
    for one in std::mem::take(word).chars() {
        run = if one == last { run + 1 } else { 1 };
        last = one;
        // A letter held down: "heeelp"; digits are numbers.
        if run == 3 && !one.is_ascii_digit() {
            held.pop();
        }
        if run < 3 || one.is_ascii_digit() {
            held.push(one);
        }
    }
    clause.push(held);
}

fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for one in text.chars().take(MOST_CHARS).nfkc().nfkd().filter(|one| !is_combining_mark(*one)) {
        for one in one.to_lowercase() {
            match one {
                'đ' | 'ð' => folded.push('d'),
                'ß' => folded.push_str("ss"),
                'æ' => folded.push_str("ae"),
                'ø' => folded.push('o'),
                'ł' => folded.push('l'),
                '🆘' => folded.push_str(" sos "),
                one => folded.push(one),
            }
        }
    }
    folded
}

/// Whether somebody may have meant `meant` when he typed `typed`: one slip from four letters on, two from nine; the
/// first letter of a short word is as it is meant.
pub(crate) fn is_typed_for(typed: &str, meant: &str) -> bool {
    if typed == meant {
        return true;
    }
    let (typed, meant): (Vec<char>, Vec<char>) = (typed.chars().collect(), meant.chars().collect());
    let slips = match meant.len() {
        0..=3 => 0,
        4..=8 => 1,
        _ => 2,
    };
    if slips == 0 || typed.len().abs_diff(meant.len()) > slips || typed.iter().any(char::is_ascii_digit) {
        return false;
    }
    let swapped =
        typed.get(..2).zip(meant.get(..2)).is_some_and(|(typed, meant)| typed[0] == meant[1] && typed[1] == meant[0]);
    if meant.len() < 7 && typed.first() != meant.first() && !swapped {
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
    fn words_are_folded_and_clauses_kept_apart() {
        for (text, words) in [
            ("UPOMOĆ!!! Ne mogu…", vec![vec!["upomoc"], vec!["ne", "mogu"]]),
            ("I don't, no", vec![vec!["i", "dont"], vec!["no"]]),
            ("S.O.S. now", vec![vec!["sos"], vec!["now"]]),
            ("heeeelp mee", vec![vec!["help", "mee"]]),
            ("ＰＡＮＩＣ 🆘", vec![vec!["panic", "sos"]]),
            ("Straße überquert", vec![vec!["strasse", "uberquert"]]),
            ("p o m o ć! a i", vec![vec!["pomoc"], vec!["a", "i"]]),
            ("code 111222", vec![vec!["code", "111222"]]),
            (" ,, ", vec![]),
        ] {
            assert_eq!(Words::of(text).0, words, "{text}");
        }
    }

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
