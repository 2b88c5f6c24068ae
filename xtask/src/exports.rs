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

/// The items of the lists below the headings of the headers; the rules above them name functions as examples.
fn kept(list: &str) -> BTreeSet<&str> {
    let sections = list.split("\n## ").skip(1).flat_map(|section| section.split("\n\n"));
    let items = sections.filter(|paragraph| paragraph.trim_start().starts_with("- "));
    items.flat_map(|item| item.split('`').skip(1).step_by(2)).filter(|name| name.starts_with(PREFIX)).collect()
}

/// The last word of a line is the symbol. Those of Rust's own libraries are none of the ABI.
fn exported(symbols: &str) -> BTreeSet<&str> {
    symbols.lines().filter_map(|line| line.split_whitespace().last()).filter(|name| name.starts_with(PREFIX)).collect()
}

#[cfg(test)]
mod tests {
    use super::compare;

    const LIST: &str = "# Kept\n\n- Names, as `dualseal_rule`.\n\n## `dualseal.h` (2)\n\nNot `dualseal_prose`.\n\n\
                        - `dualseal_one`,\n  `dualseal_two`\n";

    #[test]
    fn the_list_is_what_is_exported() {
        let symbols = "0000000000001000 T dualseal_one\n0000000000002000 T dualseal_two\n0000000000003000 T rust_eh\n";
        assert_eq!(compare(LIST, symbols), Ok(()));
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
