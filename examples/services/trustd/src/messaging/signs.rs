//! Signs of danger: words that are none alone, and weigh enough together.

use super::denial::is_denied;
use super::intents::Language;
use super::lexicon::{Letters, Lexicon};
use super::words::Words;
use std::sync::LazyLock;

/// What is a cry whatever else a message is for.
const ENOUGH: usize = 4;
/// What is one of a message that is for nothing else, and is not calm.
const ENOUGH_ALONE: usize = 3;
/// The weight under which what is calm stands in the list, and what it takes away.
const CALM: usize = 9;
const CALMS: usize = 2;

static SIGNS: LazyLock<[Lexicon; Language::ALL.len()]> = LazyLock::new(|| {
    let mut signs = Language::ALL.map(|_| Lexicon::default());
    for (title, list) in include_str!("signs.txt").lines().filter_map(|line| line.split_once(": ")) {
        let of =
            title.split_once(' ').and_then(|(weight, of)| Some((weight.parse().ok()?, of.parse::<Language>().ok()?)));
        if let Some((weight, language)) = of {
            signs[language as usize].add(weight, list);
        }
    }
    signs
});

/// The language in which two clauses next to each other have enough.
pub(super) fn are_in(words: &Words, letters: &[Vec<Letters>], is_for_something: bool) -> Option<Language> {
    Language::ALL.into_iter().find(|language| {
        let weights: Vec<Weighed> =
            words.0.iter().zip(letters).map(|(clause, letters)| Weighed::of(clause, letters, *language)).collect();
        let calm: usize = weights.iter().map(|one| one.calm).sum();
        let mut pairs = weights.iter().enumerate().map(|(at, one)| one.with(weights.get(at + 1)));
        pairs.any(|(weight, calm_beside, heaviest)| {
            heaviest >= ENOUGH
                || heaviest > 1 && weight >= ENOUGH + CALMS * calm_beside
                || heaviest > 1 && !is_for_something && weight >= ENOUGH_ALONE + CALMS * calm
        })
    })
}

/// Words of a clause that weigh something, each once, and how many are calm.
#[derive(Debug, Default)]
struct Weighed {
    weights: Vec<(String, usize)>,
    calm: usize,
}

impl Weighed {
    fn of(clause: &[String], letters: &[Letters], language: Language) -> Self {
        let mut hits = SIGNS[language as usize].hits(letters);
        // The longest and heaviest first; what it takes weighs once.
        hits.sort_by_key(|hit| std::cmp::Reverse((hit.class != CALM, hit.class, hit.end - hit.start)));
        let mut found = Self::default();
        let mut is_taken = vec![false; clause.len()];
        for hit in hits {
            if is_taken[hit.start..=hit.end].contains(&true) {
                continue;
            }
            is_taken[hit.start..=hit.end].fill(true);
            let text = clause[hit.start..=hit.end].join(" ");
            if hit.class == CALM {
                found.calm += 1;
            } else if !is_denied(clause, hit.start, hit.end) && found.weights.iter().all(|(other, _)| *other != text) {
                found.weights.push((text, hit.class));
            }
        }
        found
    }

    /// What it weighs with the clause behind it, how much is calm in both, and its heaviest word.
    fn with(&self, next: Option<&Self>) -> (usize, usize, usize) {
        let more = next.into_iter().flat_map(|next| &next.weights);
        let more = more.filter(|(text, _)| self.weights.iter().all(|(other, _)| other != text));
        let weight = self.weights.iter().chain(more).map(|(_, weight)| weight).sum();
        let heaviest = self.weights.iter().map(|(_, weight)| *weight).max().unwrap_or_default();
        (weight, self.calm + next.map_or(0, |next| next.calm), heaviest)
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::letters;
    use super::*;

    fn said(text: &str, is_for_something: bool) -> bool {
        let words = Words::of(text);
        let letters: Vec<_> = words.0.iter().map(|clause| letters(clause)).collect();
        are_in(&words, &letters, is_for_something).is_some()
    }

    #[test]
    fn signs_weigh_together_within_two_clauses() {
        assert!(said("river, drifting", true) && !said("river", true));
        assert!(!said("river, then we go on, drifting", true));
        assert!(!said("river river", true));
    }

    #[test]
    fn what_is_calm_or_denied_takes_away() {
        assert!(said("river here, drifting", true) && !said("river ok, drifting ok", true));
        assert!(!said("no river, no drifting", true));
    }

    #[test]
    fn less_is_enough_where_a_message_is_for_nothing_else() {
        assert!(said("river inside", false) && !said("river inside", true));
        assert!(!said("river inside ok", false));
    }
}
