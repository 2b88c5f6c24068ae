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
                '-' if last.is_alphanumeric() && is_initials(&word) && (word.len() == 1 || is_last(&rest)) => {}
                // 10:30 is in one clause with what stands around it.
                ':' | '.' | ',' if last.is_ascii_digit() && rest.peek().is_some_and(char::is_ascii_digit) => {
                    end_of_word(&mut clause, &mut word);
                }
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
        Self(self.0.into_iter().map(|clause| together(clause).into_iter().flat_map(apart).collect()).collect())
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

/// A cry in two pieces is one: "he lp".
fn together(clause: Vec<String>) -> Vec<String> {
    let mut words: Vec<String> = Vec::with_capacity(clause.len());
    for word in clause {
        match words.last_mut() {
            Some(last) if CRIES.contains(&format!("{last}{word}").as_str()) => last.push_str(&word),
            _ => words.push(word),
        }
    }
    words
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

/// Whether one letter is left of a word: "s-o-s", and not "ZG-VIE".
fn is_last(rest: &std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    !rest.clone().nth(1).is_some_and(char::is_alphanumeric)
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

/// A Cyrillic letter as Serbian writes it in Latin, without diacritics; letters of other languages as they sound.
fn latin(one: char) -> &'static str {
    const LETTERS: &[(&str, &str)] = &[
        ("а", "a"),
        ("б", "b"),
        ("в", "v"),
        ("г", "g"),
        ("д", "d"),
        ("ђ", "d"),
        ("е", "e"),
        ("ж", "z"),
        ("з", "z"),
        ("и", "i"),
        ("й", "j"),
        ("ј", "j"),
        ("к", "k"),
        ("л", "l"),
        ("љ", "lj"),
        ("м", "m"),
        ("н", "n"),
        ("њ", "nj"),
        ("о", "o"),
        ("п", "p"),
        ("р", "r"),
        ("с", "s"),
        ("т", "t"),
        ("ћ", "c"),
        ("у", "u"),
        ("ф", "f"),
        ("х", "h"),
        ("ц", "c"),
        ("ч", "c"),
        ("џ", "dz"),
        ("ш", "s"),
        ("щ", "c"),
        ("ы", "i"),
        ("э", "e"),
        ("ю", "ju"),
        ("я", "ja"),
        ("і", "i"),
        ("є", "je"),
        ("ѓ", "g"),
        ("ќ", "k"),
        ("ѕ", "dz"),
        ("ъ", "a"),
    ];
    LETTERS.iter().find(|(letter, _)| letter.starts_with(one)).map_or("", |(_, latin)| latin)
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
                '🚨' => folded.push_str(" urgent "),
                '🚒' => folded.push_str(" firefighters "),
                '🚓' | '🚔' | '👮' => folded.push_str(" police "),
                '🔥' => folded.push_str(" fire "),
                '🚑' => folded.push_str(" ambulance "),
                '🔫' => folded.push_str(" gun "),
                '🔪' | '🗡' => folded.push_str(" knife "),
                '🩸' => folded.push_str(" blood "),
                '😁' | '😂' | '😄' | '😆' | '😜' | '🤣' | '🤪' => folded.push_str(" haha "),
                '\u{400}'..='\u{45f}' => folded.push_str(latin(one)),
                one => folded.push(one),
            }
        }
    }
    folded
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
            ("УПОМОЋ, гори", vec![vec!["upomoc"], vec!["gori"]]),
            ("🚨 🚓", vec![vec!["urgent", "police"]]),
            ("🔥🔥 🚑", vec![vec!["fire", "fire", "ambulance"]]),
            ("Straße überquert", vec![vec!["strasse", "uberquert"]]),
            ("p o m o ć! a i", vec![vec!["pomoc"], vec!["a", "i"]]),
            ("code 111222", vec![vec!["code", "111222"]]),
            ("s-o-s, ZG-VIE", vec![vec!["sos"], vec!["zg", "vie"]]),
            ("at 10:30, ok", vec![vec!["at", "10", "30"], vec!["ok"]]),
            (" ,, ", vec![]),
        ] {
            assert_eq!(Words::of(text).0, words, "{text}");
        }
    }

    #[test]
    fn a_cry_in_pieces_or_glued_is_one() {
        for (text, words) in [("he lp", vec!["help"]), ("helpme", vec!["help", "me"]), ("he said", vec!["he", "said"])]
        {
            assert_eq!(Words::of(text).unglued().0, [words], "{text}");
        }
    }
}
