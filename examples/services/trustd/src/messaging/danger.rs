//! Dangers that no pattern names: words of classes that are a cry together, wherever each stands in a clause.

use super::denial::{denies, is_denied};
use super::intents::Language;
use super::lexicon::{Hit, Letters, Lexicon};
use std::sync::LazyLock;

/// The words of a rule stand within so many.
const MOST_APART: usize = 9;

/// The rules: each is classes, in any order.
struct Dangers {
    classes: usize,
    rules: Vec<Vec<usize>>,
    words: [Lexicon; Language::ALL.len()],
}

static DANGERS: LazyLock<Dangers> = LazyLock::new(|| {
    let text = include_str!("dangers.txt");
    let mut names: Vec<&str> = Vec::new();
    let mut words = Language::ALL.map(|_| Lexicon::default());
    let mut rules = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        if let Some(rule) = line.strip_prefix("> ") {
            rules.push(rule.split(' ').filter_map(|name| names.iter().position(|one| *one == name)).collect());
        } else if let Some((title, list)) = line.split_once(": ") {
            let Some((name, language)) = title.split_once(' ') else { continue };
            let class = names.iter().position(|one| *one == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            let Ok(language) = language.parse::<Language>() else { continue };
            words[language as usize].add(class, list);
        }
    }
    Dangers { classes: names.len(), rules, words }
});

/// The language in which a clause, or two next to each other, say that somebody is in danger.
pub(super) fn is_in(letters: &[Vec<Letters>], words: &[Vec<String>]) -> Option<Language> {
    Language::ALL.into_iter().find(|language| {
        let hits = letters.iter().map(|clause| DANGERS.words[*language as usize].hits(clause));
        let clauses: Vec<(Vec<Hit>, &[String])> = hits.zip(words.iter().map(Vec::as_slice)).collect();
        clauses.chunks(1).chain(clauses.windows(2)).any(says)
    })
}

/// Whether clauses say so together, each with what stands in it.
fn says(clauses: &[(Vec<Hit>, &[String])]) -> bool {
    if clauses.iter().any(|(hits, _)| hits.is_empty()) {
        return false;
    }
    let mut hits = vec![Vec::new(); DANGERS.classes];
    let mut behind = 0;
    for (of_clause, words) in clauses {
        for hit in of_clause {
            hits[hit.class].push(Hit { start: hit.start + behind, end: hit.end + behind, ..*hit });
        }
        behind += words.len();
    }
    let words: Vec<&[String]> = clauses.iter().map(|(_, words)| *words).collect();
    let mut rules = DANGERS.rules.iter().filter(|rule| rule.iter().all(|class| !hits[*class].is_empty()));
    rules.any(|rule| stands(rule, &hits, &mut Vec::new(), &words))
}

/// Whether a word of each class stands there, near the others and in words of its own, and is not denied.
fn stands(rule: &[usize], hits: &[Vec<Hit>], taken: &mut Vec<Hit>, words: &[&[String]]) -> bool {
    let Some((class, rest)) = rule.split_first() else { return says_it(taken, words) };
    let hits_of = &hits[*class];
    // They are in the order of their beginnings.
    let first = taken.first().copied();
    let from = first.map_or(0, |first| hits_of.partition_point(|hit| hit.start + MOST_APART < first.start));
    let near = hits_of[from..].iter().take_while(|hit| first.is_none_or(|first| hit.start < first.start + MOST_APART));
    for hit in near {
        if taken.iter().any(|other| hit.start <= other.end && other.start <= hit.end || hit.is_far(other, MOST_APART)) {
            continue;
        }
        taken.push(*hit);
        let found = stands(rest, hits, taken, words);
        taken.pop();
        if found {
            return true;
        }
    }
    false
}

/// Whether no clause denies what it has of it.
fn says_it(taken: &[Hit], clauses: &[&[String]]) -> bool {
    let mut before = 0;
    clauses.iter().all(|words| {
        let (begin, end) = (before, before + words.len());
        before = end;
        let here = taken.iter().filter(|hit| (begin..end).contains(&hit.start));
        let here: Vec<Hit> = here.map(|hit| Hit { start: hit.start - begin, end: hit.end - begin, ..*hit }).collect();
        here.is_empty() || !denied(&here, words)
    })
}

/// Whether a denial stands before them, behind them, or among them as no part of them.
fn denied(taken: &[Hit], words: &[String]) -> bool {
    let start = taken.iter().map(|hit| hit.start).min().unwrap_or_default();
    let end = taken.iter().map(|hit| hit.end).max().unwrap_or_default();
    let is_taken = |at: usize| taken.iter().any(|hit| hit.start <= at && at <= hit.end);
    is_denied(words, start, end)
        || words.iter().enumerate().take(end + 1).skip(start).any(|(at, word)| denies(word) && !is_taken(at))
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::letters;
    use super::*;

    fn said(text: &str) -> Option<Language> {
        let clauses: Vec<Vec<String>> =
            text.split(", ").map(|clause| clause.split(' ').map(str::to_owned).collect()).collect();
        is_in(&clauses.iter().map(|clause| letters(clause)).collect::<Vec<_>>(), &clauses)
    }

    #[test]
    fn words_of_a_rule_stand_in_any_order_and_near_each_other() {
        assert_eq!(said("gas is leaking"), Some(Language::En));
        assert_eq!(said("it leaks some kind of gas"), Some(Language::En));
        assert_eq!(said("curi nam nekakav plin"), Some(Language::Hr));
        assert_eq!(said("it leaks since we left for the shop on the corner there is gas"), None);
        assert_eq!(said("gas"), None);
    }

    #[test]
    fn what_is_denied_before_behind_or_among_them_is_none() {
        for text in ["no gas leak", "gas is not leaking", "plin ne curi", "es leckt kein gas"] {
            assert_eq!(said(text), None, "{text}");
        }
        assert_eq!(said("no signal here the gas is leaking"), Some(Language::En));
    }

    #[test]
    fn a_rule_reaches_over_two_clauses_and_each_may_deny_its_part() {
        assert_eq!(said("there is gas, something leaks"), Some(Language::En));
        assert_eq!(said("there is gas, all is well, something leaks"), None);
        for text in ["no gas, something leaks", "there is gas, it is not leaking"] {
            assert_eq!(said(text), None, "{text}");
        }
    }

    #[test]
    fn every_rule_has_its_classes() {
        let names = include_str!("dangers.txt").lines().filter_map(|line| line.strip_prefix("> "));
        let counts: Vec<usize> = names.map(|rule| rule.split(' ').count()).collect();
        assert_eq!(DANGERS.rules.iter().map(Vec::len).collect::<Vec<_>>(), counts);
    }
}
