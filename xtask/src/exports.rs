//! What the shared library exports, compared with what `include/KEEP.md` lists.

use std::collections::BTreeSet;

const PREFIX: &str = "dualseal_";

/// `symbols` is what `nm -D --defined-only` prints of the library. Names on one side alone are an error.
pub(crate) fn compare(list: &str, symbols: &str) -> Result<(), String> {
    let (kept, exported) = (kept(list), exported(symbols));
    let only = |names: &BTreeSet<&str>, others: &BTreeSet<&str>| -> Vec<String> {
        names.difference(others).map(|name| (*name).to_owned()).collect()
    };
    let (missing, unlisted) = (only(&kept, &exported), only(&exported, &kept));
    if missing.is_empty() && unlisted.is_empty() {
        return Ok(());
    }
    let told = [("the library does not export", missing), ("include/KEEP.md does not list", unlisted)];
    let told = told.into_iter().filter(|(_, names)| !names.is_empty());
    Err(told.map(|(what, names)| format!("{what} {}", names.join(", "))).collect::<Vec<_>>().join("; "))
}

/// `tracked` is `include/symbols.txt`: every symbol of the library with its version, in order, one a line. A symbol
/// that goes breaks programs, so that a difference shows in what is committed.
pub(crate) fn tracked(tracked: &str, symbols: &str, version: &str) -> Result<(), String> {
    let found = symbols.lines().filter_map(|line| line.split_whitespace().last()).filter(|name| *name != version);
    let (found, tracked): (BTreeSet<_>, BTreeSet<_>) = (found.collect(), tracked.lines().collect());
    let Some(name) = found.symmetric_difference(&tracked).next() else {
        return Ok(());
    };
    let side = if found.contains(name) { "the library alone exports" } else { "include/symbols.txt alone has" };
    Err(format!("{side} {name}"))
}

/// The items of the lists below the headings of the headers; the rules above them name functions as examples.
fn kept(list: &str) -> BTreeSet<&str> {
    let sections = list.split("\n## ").skip(1).flat_map(|section| section.split("\n\n"));
    let items = sections.filter(|paragraph| paragraph.trim_start().starts_with("- "));
    items.flat_map(|item| item.split('`').skip(1).step_by(2)).filter(|name| name.starts_with(PREFIX)).collect()
}

/// The last word of a line is the symbol, with its version behind it.
fn exported(symbols: &str) -> BTreeSet<&str> {
    let words = symbols.lines().filter_map(|line| line.split_whitespace().last());
    words.filter_map(|word| word.split('@').next()).filter(|name| name.starts_with(PREFIX)).collect()
}

#[cfg(test)]
mod tests {
    use super::{compare, tracked};

    const LIST: &str = "# Kept\n\n- Names, as `dualseal_rule`.\n\n## `dualseal.h` (2)\n\nNot `dualseal_prose`.\n\n\
                        - `dualseal_one`,\n  `dualseal_two`\n";

    const SYMBOLS: &str = "0000000000000000 A DUALSEAL_2\n0000000000001000 T dualseal_one@@DUALSEAL_2\n\
                           0000000000002000 T dualseal_two@@DUALSEAL_2\n";

    #[test]
    fn each_symbol_is_tracked_with_its_version() {
        let (one, two) = ("dualseal_one@@DUALSEAL_2\n", "dualseal_two@@DUALSEAL_2\n");
        let both = one.to_owned() + two;
        assert_eq!(tracked(&both, SYMBOLS, "DUALSEAL_2"), Ok(()));
        assert!(tracked(one, SYMBOLS, "DUALSEAL_2").is_err_and(|why| why.contains("the library alone exports")));
        assert!(tracked(&format!("{both}x\n"), SYMBOLS, "DUALSEAL_2").is_err_and(|why| why.ends_with("alone has x")));
        // Another version is another symbol, and so is one of Rust's own libraries.
        assert!(tracked(&both, &SYMBOLS.replace("_2", "_3"), "DUALSEAL_3").is_err());
        assert!(tracked(&both, &format!("{SYMBOLS}3000 T rust_eh_personality\n"), "DUALSEAL_2").is_err());
    }

    #[test]
    fn the_list_is_what_is_exported() {
        assert_eq!(compare(LIST, SYMBOLS), Ok(()));
    }

    #[test]
    fn what_is_on_one_side_alone_is_named() {
        let found = compare(LIST, "1000 T dualseal_one\n2000 T dualseal_three\n3000 T dualseal_rule\n");
        let expected = "the library does not export dualseal_two; \
                        include/KEEP.md does not list dualseal_rule, dualseal_three";
        assert_eq!(found, Err(expected.to_owned()));
    }

    #[test]
    fn an_empty_library_lacks_everything() {
        assert_eq!(compare(LIST, ""), Err("the library does not export dualseal_one, dualseal_two".to_owned()));
    }
}
