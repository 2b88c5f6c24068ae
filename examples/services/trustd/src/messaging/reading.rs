//! How the table of patterns is read.

use super::danger;
use super::forms::in_one_form;
use super::frames;
use super::intents::{Found, Intent, Language};
use super::lexicon::letters;
use super::meant::as_meant;
use super::pattern::{MOST_GAP, Pattern, Patterns, Said};
use super::patterns::rows;
use super::signs;
use super::words::{CRIES, Words};
use std::sync::LazyLock;

/// What a text is for; `None` where it says nothing of any intent.
#[must_use]
pub fn intent_of(text: &str) -> Option<Found> {
    let words = in_one_form(as_meant(Words::of(&cries(text)).unglued()));
    let told = Words(words.0.iter().filter(|clause| !asks(clause)).cloned().collect());
    let takes_back = frames::takes_back(&words);
    // "This is no false alarm" is an alarm.
    if takes_back == Some(Said::Denied) {
        return Some(Found { intent: Intent::Panic, language: Language::En });
    }
    let skips_panic = takes_back == Some(Said::Yes);
    let alarming = if skips_panic { Words::default() } else { frames::without_framed(&words) };
    let found = Intent::ALL.into_iter().zip(TABLE.iter()).find_map(|(intent, (languages, patterns))| {
        let of = match intent {
            Intent::Panic => &alarming,
            // A question reports nothing: "when do I have to be back home".
            Intent::ReportTrip => &told,
            _ => &words,
        };
        let (at, _) = patterns.said(of).find(|(_, said)| *said == Said::Yes)?;
        Some(Found { intent, language: *languages.get(at)? })
    });
    if found.is_some_and(|found| found.intent == Intent::Panic) {
        return found;
    }
    let spelt: Vec<_> = alarming.0.iter().map(|clause| letters(clause)).collect();
    let danger = danger::is_in(&spelt, &alarming.0).or_else(|| signs::are_in(&alarming, &spelt, found.is_some()));
    danger.map(|language| Found { intent: Intent::Panic, language }).or(found)
}

/// The patterns of each intent, with the language of each.
static TABLE: LazyLock<[(Vec<Language>, Patterns); Intent::ALL.len()]> = LazyLock::new(|| {
    let rows = rows();
    Intent::ALL.map(|intent| {
        let of = rows.iter().filter(|(of, ..)| *of == intent);
        let (languages, all) = of.map(|(_, language, text)| (*language, Pattern::of(text, MOST_GAP))).unzip();
        (languages, Patterns::of(all))
    })
});

/// A text with each cry as it is said whose letters were written by digits: "H3LP", "p@nic".
fn cries(text: &str) -> String {
    let plain = |word: &str| {
        let core = word.trim_matches(|one: char| one.is_ascii_punctuation() && one != '@' && one != '$');
        let said: String = core.chars().map(letter).collect();
        if CRIES.contains(&said.as_str()) { word.replace(core, &said) } else { word.to_owned() }
    };
    let spaced = |word: &str| match word.strip_suffix(char::is_whitespace) {
        Some(said) => format!("{}{}", plain(said), word.get(said.len()..).unwrap_or_default()),
        None => plain(word),
    };
    text.split_inclusive(char::is_whitespace).map(spaced).collect()
}

fn letter(one: char) -> char {
    match one {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        one => one.to_ascii_lowercase(),
    }
}

/// What a question begins with, if need be behind one word of the second list.
const QUESTIONS: &[&str] = &[
    "when", "how", "where", "which", "what", "whats", "why", "should", "must", "does", "wann", "wie", "wieviel",
    "wieviele", "wo", "welche", "welches", "warum", "muss", "soll", "darf", "kad", "kada", "koliko", "kolko", "gdje",
    "kako", "koji", "koje", "koja", "moram", "trebam", "smijem", "zasto",
];
const BEFORE_QUESTIONS: &[&str] =
    &["do", "bis", "od", "until", "by", "till", "a", "i", "und", "and", "ab", "hej", "hey"];

/// Whether a clause begins as a question does.
fn asks(clause: &[String]) -> bool {
    let mut words = clause.iter().map(String::as_str);
    let Some(first) = words.next() else { return false };
    let second = words.next().unwrap_or_default();
    QUESTIONS.contains(&first)
        || BEFORE_QUESTIONS.contains(&first) && QUESTIONS.contains(&second)
        || first == "do" && ["i", "we"].contains(&second)
}
