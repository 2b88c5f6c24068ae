//! Labelled phrases, and how well they are told: precision and recall of each intent in each language.

use super::intents::{Intent, Language};
use super::reading::intent_of;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Phrases that the table of patterns was written with.
pub const SEEN: [&str; 3] =
    [include_str!("../../corpus/hr.tsv"), include_str!("../../corpus/en.tsv"), include_str!("../../corpus/de.tsv")];
/// Phrases that were written after it, and that it was mended by until it told them.
pub const MENDED: &str = include_str!("../../corpus/mended.tsv");
/// Cries, and what has their words and is none: the same, but that only cries are looked at.
pub const CRIES: &str = include_str!("../../corpus/cries.tsv");
/// Phrases that nothing is mended by, of who wrote the rules: what they give is no less than what strangers' words get.
pub const APART: &str = include_str!("../../corpus/apart.tsv");
/// The same of somebody who saw neither the rules nor another list: what they give is the measure, and below 1.
pub const STRANGERS: &str = include_str!("../../corpus/strangers.tsv");

/// A phrase, with what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrase<'a> {
    /// What it is for; none where it is `-`.
    pub intent: Option<Intent>,
    /// The language.
    pub language: Language,
    /// The text.
    pub text: &'a str,
}

/// Reads phrases: intent or `-`, language, text, with tabs between them. Lines that begin with `#` say what they are.
///
/// # Errors
/// The line that is none.
pub fn phrases(text: &str) -> Result<Vec<Phrase<'_>>, String> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(phrase).collect()
}

fn phrase(line: &str) -> Result<Phrase<'_>, String> {
    let wrong = || format!("no phrase: {line:?}");
    let mut parts = line.splitn(3, '\t');
    let (Some(intent), Some(language), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(wrong());
    };
    let intent = if intent == "-" { None } else { Some(intent.parse().map_err(|_| wrong())?) };
    Ok(Phrase { intent, language: language.parse().map_err(|_| wrong())?, text })
}

/// How well phrases are told.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By language and intent: told rightly, taken for it wrongly, missed.
    pub counts: BTreeMap<(Language, Intent), [usize; 3]>,
    /// Each that is told wrongly, in words.
    pub wrong: Vec<String>,
}

/// Tells phrases, and counts.
#[must_use]
pub fn report(phrases: &[Phrase<'_>]) -> Report {
    let mut report = Report::default();
    for phrase in phrases {
        let told = intent_of(phrase.text).map(|found| found.intent);
        let mut count = |intent: Option<Intent>, which: usize| {
            if let Some(intent) = intent {
                report.counts.entry((phrase.language, intent)).or_default()[which] += 1;
            }
        };
        if told == phrase.intent {
            count(told, 0);
            continue;
        }
        count(told, 1);
        count(phrase.intent, 2);
        let name = |intent: Option<Intent>| intent.map_or("-", Intent::as_str);
        report.wrong.push(format!(
            "{} is {}, not {}: {}",
            phrase.language.as_str(),
            name(phrase.intent),
            name(told),
            phrase.text
        ));
    }
    report
}

impl Report {
    /// As a table.
    #[must_use]
    pub fn table(&self) -> String {
        let mut table = format!("{:3} {:13} {:>9} {:>7} {:>7}\n", "", "intent", "precision", "recall", "phrases");
        for ((language, intent), [right, taken, missed]) in &self.counts {
            let (precision, recall) = (share(*right, *taken), share(*right, *missed));
            let phrases = right + missed;
            let (language, intent) = (language.as_str(), intent.as_str());
            // Text is written to a string without fail.
            writeln!(table, "{language:3} {intent:13} {precision:>9} {recall:>7} {phrases:>7}").unwrap_or_default();
        }
        table
    }
}

fn share(right: usize, wrong: usize) -> String {
    #[allow(clippy::cast_precision_loss, reason = "some hundreds")]
    let share = right as f64 / (right + wrong).max(1) as f64;
    format!("{share:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every phrase as labelled; run with `--nocapture` it prints the table.
    #[test]
    fn every_phrase_is_told_as_labelled() {
        let texts = SEEN.join("\n");
        let seen = phrases(&texts).unwrap();
        assert!(seen.len() >= 300, "{}", seen.len());
        let found = report(&seen);
        println!("{}", found.table());
        assert!(found.wrong.is_empty(), "{}", found.wrong.join("\n"));
        for language in Language::ALL {
            for intent in Intent::ALL {
                assert!(found.counts.contains_key(&(language, intent)), "{language:?} {intent}");
            }
            let denied = seen.iter().filter(|phrase| phrase.language == language && phrase.intent.is_none()).count();
            assert!(denied >= 20, "{language:?}: {denied}");
        }
    }

    /// No cry is missed of those that it was mended by, and nothing that denies one is taken for it.
    #[test]
    fn phrases_that_it_was_mended_by_are_told() {
        let found = report(&phrases(MENDED).unwrap());
        println!("{}", found.table());
        assert!(found.wrong.is_empty(), "{}", found.wrong.join("\n"));
    }

    /// No cry is missed; of what is none a few are known to be taken for one, and no more.
    #[test]
    fn every_cry_is_heard() {
        let found = report(&phrases(CRIES).unwrap());
        println!("{}", found.table());
        let of = |which: usize| Language::ALL.map(|language| found.counts[&(language, Intent::Panic)][which]);
        let ([taken, missed], all) = ([of(1), of(2)].map(|of| of.iter().sum::<usize>()), of(0));
        assert!(
            missed == 0 && taken <= 13 && all.iter().all(|all| *all >= 400),
            "{missed} missed, {taken} taken, {all:?}\n{}",
            found.wrong.join("\n")
        );
    }

    /// Each word of a cry is one in whatever is said with it, and none where that denies it.
    #[test]
    fn words_of_cries_are_told_in_each_frame() {
        let lines = include_str!("../../corpus/crossed.txt").lines().filter(|line| !line.starts_with('#'));
        let lines: Vec<(&str, Vec<&str>)> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(title, list)| (title, list.split("; ").collect()))
            .collect();
        let all =
            |title: String| lines.iter().filter(move |(of, _)| *of == title).flat_map(|(_, list)| list.iter().copied());
        let mut wrong = Vec::new();
        for language in Language::ALL.map(Language::as_str) {
            for (frames, cries) in [("cried", true), ("denied", false)] {
                for frame in all(format!("{frames} {language}")) {
                    for word in all(format!("word {language}")) {
                        let (word, second) = word.split_once('/').unwrap_or((word, word));
                        let text = frame.replace("{}", word).replace("{2}", second);
                        if intent_of(&text).is_some_and(|found| found.intent == Intent::Panic) != cries {
                            wrong.push(text);
                        }
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// What strangers' words get is what it was, or better. A phrase of these lists is no reason to change a pattern.
    #[test]
    fn the_lists_apart_are_told_as_well_as_they_were() {
        for (phrases_of, bounds) in [(STRANGERS, [[49, 7], [45, 4], [47, 3]]), (APART, [[43, 1], [42, 3], [35, 2]])] {
            let found = report(&phrases(phrases_of).unwrap());
            println!("{}", found.table());
            let of_cries = Language::ALL.map(|language| found.counts[&(language, Intent::Panic)]);
            for (language, ([right, taken, missed], [least, most])) in
                Language::ALL.into_iter().zip(of_cries.into_iter().zip(bounds))
            {
                assert!(right >= least && taken <= most, "{language:?}: {right} told, {missed} missed, {taken} none");
            }
        }
    }
}
