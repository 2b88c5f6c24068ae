//! The items: thirty for each age group, in Croatian, German and English.

use super::rules::{ITEMS, Skupina};
use crate::messaging::Language;
use serde::Deserialize;
use std::sync::LazyLock;

static GROUPS: LazyLock<[Vec<Item>; 4]> = LazyLock::new(|| {
    [
        include_str!("../../world/3-5.toml"),
        include_str!("../../world/6-8.toml"),
        include_str!("../../world/9-11.toml"),
        include_str!("../../world/12-14.toml"),
    ]
    .map(|text| toml::from_str::<Group>(text).map(|group| group.stavke).unwrap_or_default())
});

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    stavke: Vec<Item>,
}

/// One item, which says the same in each language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    hr: String,
    de: String,
    en: String,
}

/// The text of an item of a group; empty where there is none of this place.
pub(crate) fn text(group: Skupina, item: usize, language: Language) -> &'static str {
    let items = Skupina::ALL.iter().zip(GROUPS.iter()).find(|(one, _)| **one == group).map(|(_, items)| items);
    let item = items.and_then(|items| items.get(item % ITEMS));
    item.map_or("", |item| match language {
        Language::Hr => &item.hr,
        Language::De => &item.de,
        Language::En => &item.en,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const LANGUAGES: [Language; 3] = [Language::Hr, Language::De, Language::En];
    /// The least and the most characters of an item, by group: the youngest are read to.
    const LENGTHS: [(usize, usize); 4] = [(80, 180), (100, 220), (130, 230), (150, 290)];

    /// All items of a language, with the group of each.
    fn all(language: Language) -> Vec<(usize, &'static str)> {
        let of = |group: usize| (0..ITEMS).map(move |item| (group, text(Skupina::ALL[group], item, language)));
        (0..4).flat_map(of).collect()
    }

    #[test]
    fn every_group_has_thirty_in_each_language() {
        assert!(GROUPS.iter().all(|items| items.len() == ITEMS), "{:?}", GROUPS.each_ref().map(Vec::len));
        for language in LANGUAGES {
            let texts: BTreeSet<_> = all(language).into_iter().map(|(_, text)| text.to_lowercase()).collect();
            assert_eq!(texts.len(), 4 * ITEMS, "{language:?}: one stands there twice");
            // Nor does one begin like another.
            let begins: BTreeSet<_> = texts.iter().map(|text| text.chars().take(20).collect::<String>()).collect();
            assert_eq!(begins.len(), 4 * ITEMS, "{language:?}");
        }
    }

    #[test]
    fn an_item_is_plain_text_of_some_sentences() {
        for language in LANGUAGES {
            for (group, text) in all(language) {
                let (least, most) = LENGTHS[group];
                let length = text.chars().count();
                assert!((least..=most).contains(&length), "{length}: {text}");
                let marks = ['<', '>', '*', '_', '`', '#', '[', ']', '{', '}', '\\', '|', '"', '\''];
                assert!(!text.chars().any(|one| one.is_control() || marks.contains(&one)), "{text}");
                assert!(!text.contains("http") && !text.contains("  ") && text.trim() == text, "{text}");
                assert!(text.ends_with(['.', '!', '?', '“', '”']), "{text}");
                assert!(text.chars().next().is_some_and(|one| !one.is_lowercase()), "{text}");
            }
        }
    }

    /// Letters and words that another language has not: a text that stands under the wrong one is found.
    #[test]
    fn an_item_is_in_its_language() {
        let words = |text: &str, of: &[&str]| {
            let text = text.to_lowercase();
            text.split(|one: char| !one.is_alphabetic()).filter(|word| of.contains(word)).count()
        };
        let of = |language| match language {
            Language::Hr => &[
                "je", "i", "se", "u", "na", "za", "što", "kad", "da", "od", "ali", "su", "ti", "ili", "pa", "koji",
                "prije", "svoj",
            ][..],
            Language::De => &["der", "die", "das", "und", "ist", "du", "ein", "eine", "es", "den", "mit", "nicht"][..],
            Language::En => &["the", "and", "is", "you", "of", "it", "your", "when", "that", "are"][..],
        };
        for language in LANGUAGES {
            for (_, text) in all(language) {
                let own = words(text, of(language));
                let others = LANGUAGES.into_iter().filter(|other| *other != language);
                assert!(others.into_iter().all(|other| words(text, of(other)) < own), "{language:?}: {text}");
            }
        }
    }
}
