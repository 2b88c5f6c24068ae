//! A pattern: words in order within a clause, and where it stands.

use super::denial::{denied_before, denies, is_denied};
use super::slips::{SLIPS_AT_FIRST, begins_like, is_typed_for, letters, slips, without_umlauts};
use super::words::Words;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Between two words of a pattern.
pub(super) const MOST_GAP: usize = 3;

/// How a pattern stands in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Yes,
    /// It stands there, and is denied wherever it does.
    Denied,
}

/// One word of a pattern.
#[derive(Debug)]
pub(super) struct Item {
    any: Vec<Alternative>,
    /// How many words may stand before it.
    most_before: usize,
}

#[derive(Debug)]
struct Alternative {
    text: String,
    is_stem: bool,
    is_exact: bool,
    /// Its letters, as bits: most words are told by them.
    letters: u32,
}

/// A row of the table.
#[derive(Debug)]
pub(super) struct Pattern {
    /// A clause of its own.
    is_clause: bool,
    /// All of the message.
    is_whole: bool,
    /// The first word of a clause is its first.
    is_begin: bool,
    items: Vec<Item>,
    not_before: Vec<Alternative>,
}

impl Alternative {
    fn list(text: &str) -> Vec<Self> {
        let of = |text: &str| {
            let (text, is_exact) = text.strip_prefix('=').map_or((text, false), |text| (text, true));
            let (text, is_stem) = text.strip_suffix('*').map_or((text, false), |text| (text, true));
            Self { text: text.to_owned(), is_stem, is_exact, letters: letters(text.trim_start_matches('~')) }
        };
        text.split('|').map(of).collect()
    }

    fn fits(&self, word: &str) -> bool {
        self.may_fit(letters(word)) && (self.is(word) || without_umlauts(word).is_some_and(|word| self.is(&word)))
    }

    /// Whether a word of these letters may be it.
    fn may_fit(&self, letters: u32) -> bool {
        let most = if self.is_exact { 0 } else { slips(self.text.len()) };
        (self.letters & !letters).count_ones() as usize <= most
    }

    fn is(&self, word: &str) -> bool {
        if let Some(end) = self.text.strip_prefix('~') {
            return word.ends_with(end);
        }
        match (self.is_stem, self.is_exact) {
            (true, true) => word.starts_with(&self.text),
            (true, false) => begins_like(word, &self.text),
            (false, true) => word == self.text,
            (false, false) => is_typed_for(word, &self.text),
        }
    }
}

impl Item {
    /// As it is written, without slips of typing.
    pub(super) fn exactly(mut self) -> Self {
        self.any.iter_mut().for_each(|one| one.is_exact = true);
        self
    }

    /// `a|b`, or `+a|b` with nothing before it.
    pub(super) fn of(text: &str, most_before: usize) -> Self {
        let (text, most_before) = text.strip_prefix('+').map_or((text, most_before), |text| (text, 0));
        Self { any: Alternative::list(text), most_before }
    }

    /// Whether a word is one of it.
    pub(super) fn fits(&self, word: &str) -> bool {
        self.any.iter().any(|one| one.fits(word))
    }
}

impl Pattern {
    /// A pattern as it is written, with at most so many words between two of it.
    pub(super) fn of(text: &str, most_between: usize) -> Self {
        let (text, is_clause) = text.strip_prefix('^').map_or((text, false), |text| (text, true));
        let (text, is_whole) = text.strip_prefix('^').map_or((text, false), |text| (text, true));
        let (text, is_begin) = text.strip_prefix('<').map_or((text, false), |text| (text, true));
        let (mut items, mut not_before) = (Vec::new(), Vec::new());
        for part in text.split(' ') {
            match part.strip_prefix('!') {
                Some(after) => not_before = Alternative::list(after),
                None => items.push(Item::of(part, most_between)),
            }
        }
        Self { is_clause, is_whole, is_begin, items, not_before }
    }

    /// The same without slips of typing.
    pub(super) fn exactly(mut self) -> Self {
        self.items = self.items.into_iter().map(Item::exactly).collect();
        self
    }

    /// Whether it stands where it may begin, and is not denied in at least one place.
    fn said(&self, words: &Words, begins: &[Begin]) -> Option<Said> {
        if self.is_whole && words.count() != self.items.len() {
            return None;
        }
        let mut said = None;
        for Begin { clause, start } in begins {
            let clause = words.0.get(*clause)?;
            let Some((end, denied_within)) = self.end(clause, *start) else { continue };
            if !denied_within && !is_denied(clause, *start, end) {
                return Some(Said::Yes);
            }
            said = Some(Said::Denied);
        }
        said
    }

    /// Where it ends that begins here, and whether a denial stands between its words.
    fn end(&self, clause: &[String], start: usize) -> Option<(usize, bool)> {
        if self.is_clause && clause.len() != self.items.len() || self.is_begin && start > 0 {
            return None;
        }
        let (mut at, mut denied) = (start, false);
        for item in self.items.iter().skip(1) {
            let behind = clause.iter().enumerate().skip(at + 1).take(item.most_before + 1);
            let next = behind.into_iter().find(|(_, word)| item.fits(word))?.0;
            denied |= clause.get(at + 1..next).is_some_and(|between| between.iter().any(|word| denies(word)));
            at = next;
        }
        let after = clause.get(at + 1);
        let is_barred = after.is_some_and(|word| self.not_before.iter().any(|one| one.fits(word)));
        (!is_barred).then_some((at, denied))
    }
}

/// Where a pattern may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Begin {
    clause: usize,
    start: usize,
}

/// Patterns in an order, found by the letter that their first word begins with: there are more of them than a word may
/// be compared with.
#[derive(Debug, Default)]
pub(super) struct Patterns {
    all: Vec<Pattern>,
    by_letter: HashMap<char, Vec<(usize, usize)>>,
    /// Which may begin with another letter.
    others: Vec<(usize, usize)>,
}

impl Patterns {
    pub(super) fn of(all: Vec<Pattern>) -> Self {
        let mut found = Self::default();
        for (at, pattern) in all.iter().enumerate() {
            for (which, one) in pattern.items.first().into_iter().flat_map(|item| item.any.iter().enumerate()) {
                let first = one.text.chars().next().unwrap_or_default();
                found.by_letter.entry(first).or_default().push((at, which));
                if first == '~' || !one.is_exact && one.text.len() >= SLIPS_AT_FIRST {
                    found.others.push((at, which));
                }
            }
        }
        Self { all, ..found }
    }

    /// Which stand in a message, each with how, in their order.
    pub(super) fn said(&self, words: &Words) -> impl Iterator<Item = (usize, Said)> {
        let mut begins: BTreeMap<usize, Vec<Begin>> = BTreeMap::new();
        // The same word comes again and again.
        let mut known: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (clause, text) in words.0.iter().enumerate() {
            for (start, word) in text.iter().enumerate() {
                for pattern in known.entry(word).or_insert_with(|| self.beginning(word)).iter() {
                    begins.entry(*pattern).or_default().push(Begin { clause, start });
                }
            }
        }
        begins.into_iter().filter_map(|(at, begins)| Some((at, self.all.get(at)?.said(words, &begins)?)))
    }

    /// Whether one of them stands in a clause and is not denied before it: a drill that is over was one.
    pub(super) fn stand_undenied(&self, clause: &[String]) -> bool {
        self.spans(clause).any(|(start, _)| !denied_before(clause, start))
    }

    /// Where those stand that stand in a clause, denied or not.
    pub(super) fn spans(&self, clause: &[String]) -> impl Iterator<Item = (usize, usize)> {
        let mut known: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        clause.iter().enumerate().flat_map(move |(start, word)| {
            let found = known.entry(word).or_insert_with(|| self.beginning(word)).iter();
            let ends = found.filter_map(|at| self.all.get(*at)?.end(clause, start));
            ends.map(|(end, _)| (start, end)).collect::<Vec<_>>()
        })
    }

    /// Which begin with a word, each once.
    fn beginning(&self, word: &str) -> BTreeSet<usize> {
        let (letters, mut chars) = (letters(word), word.chars());
        let (first, second) = (chars.next(), chars.next().filter(|second| !word.starts_with(*second)));
        let near = [first, second].into_iter().flatten().filter_map(|letter| self.by_letter.get(&letter)).flatten();
        let fits = |(at, which): &(usize, usize)| {
            let one = self.all.get(*at)?.items.first()?.any.get(*which)?;
            (one.may_fit(letters) && one.fits(word)).then_some(*at)
        };
        near.chain(&self.others).filter_map(fits).collect()
    }
}
