//! What people say for each intent: the one table, in `patterns.txt`, which says how it is written.

use super::intents::{Intent, Language};
use std::collections::BTreeMap;

/// The table, as it is written.
const TABLE: &str = include_str!("patterns.txt");

/// A row: what it is for, in which language, and the text of the pattern.
pub(crate) type Row = (Intent, Language, String);

/// The rows of the table, in its order.
pub(crate) fn rows() -> Vec<Row> {
    sections(TABLE).into_iter().flat_map(|(intent, language, text)| patterns(intent, language, &text)).collect()
}

fn patterns(intent: Intent, language: Language, text: &str) -> Vec<Row> {
    let patterns = text.split(';').map(str::trim).filter(|pattern| !pattern.is_empty());
    patterns.map(|pattern| (intent, language, pattern.to_owned())).collect()
}

/// Each section with its lines in one, and what lists stand for in their place.
fn sections(table: &str) -> Vec<(Intent, Language, String)> {
    let mut found: Vec<(Intent, Language, String)> = Vec::new();
    let mut lists: BTreeMap<&str, String> = BTreeMap::new();
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some((name, words)) = line.strip_prefix('$').and_then(|line| line.split_once(" = ")) {
            let list = lists.entry(name).or_default();
            list.push_str(if list.is_empty() { "" } else { "|" });
            list.push_str(words);
        } else if let Some(title) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let of = title.split_once(' ').and_then(|(one, other)| Some((one.parse().ok()?, other.parse().ok()?)));
            found.extend(of.map(|(intent, language)| (intent, language, String::new())));
        } else if let Some((.., text)) = found.last_mut() {
            if !text.is_empty() && !text.ends_with('|') {
                text.push(' ');
            }
            text.push_str(line);
        }
    }
    for (.., text) in &mut found {
        // The longer name first: one may begin as another.
        for (name, list) in lists.iter().rev() {
            *text = text.replace(&format!("${name}"), list);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_read() {
        let titles = TABLE.lines().filter(|line| line.starts_with('[')).count();
        let found = sections(TABLE);
        assert_eq!((titles, found.len()), (Intent::ALL.len() * Language::ALL.len(), titles));
        assert!(found.is_sorted_by_key(|(intent, ..)| *intent), "the sections are in the order of the intents");
        for (.., pattern) in rows() {
            let is_read = pattern.chars().all(|one| one.is_ascii_alphanumeric() || " |*=!^~<".contains(one));
            assert!(is_read && !pattern.contains("||") && !pattern.ends_with('|'), "{pattern}");
        }
    }
}
