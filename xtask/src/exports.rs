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

/// `rows` is `tests/c/handle_rows.h`: a row for every argument of every function that is a handle. Whoever adds a
/// function says there how it is called, so that it is called with what is no handle.
pub(crate) fn rows(headers: &[String], rows: &str) -> Result<(), String> {
    let functions: Vec<_> = headers.iter().flat_map(|header| functions(header)).collect();
    let kinds: BTreeSet<_> = functions.iter().filter_map(|(name, _)| name.strip_suffix("_free")).collect();
    if kinds.is_empty() {
        return Err("no function of the headers frees a handle".to_owned());
    }
    // What only tells of an error takes any pointer.
    let others = functions.iter().filter(|(name, _)| !name.ends_with("_free") && !name.starts_with("dualseal_error_"));
    let arguments = others.flat_map(|(name, arguments)| arguments.iter().map(move |argument| (name, argument)));
    let wanted: BTreeSet<_> = arguments
        .filter_map(|(name, argument)| {
            let (kind, place) = argument.trim_start_matches("const ").split_once(" *")?;
            kinds.contains(kind).then_some((name.strip_prefix(PREFIX)?, place))
        })
        .filter(|(_, place)| !place.contains(['*', ' ']))
        .collect();
    let words = |row: &'_ str| row.split(", ").take(2).map(str::to_owned).collect::<Vec<_>>();
    let found =
        rows.lines().filter_map(|line| line.trim_start().split_once('(').filter(|(x, _)| matches!(*x, "X" | "O")));
    let found: Vec<_> = found.map(|(_, row)| words(row)).collect();
    let has = |name: &str, place: &str| found.iter().any(|row| row.iter().eq([name, place]));
    match wanted.iter().find(|(name, place)| !has(name, place)) {
        Some((name, place)) => Err(format!("tests/c/handle_rows.h has no row of {place} of {PREFIX}{name}")),
        None if wanted.len() == found.len() => Ok(()),
        None => {
            Err(format!("tests/c/handle_rows.h has {} rows, and the headers {} handles", found.len(), wanted.len()))
        }
    }
}

/// `rows` is `fuzz/abi/c/json_door_rows.h`: a row for every text of somebody else's that a function reads, which are
/// JSON, lines of a chain and seals. Whoever adds a function says there how it is called, so that it is fuzzed.
pub(crate) fn doors(headers: &[String], rows: &str) -> Result<(), String> {
    const FILE: &str = "fuzz/abi/c/json_door_rows.h";
    let is_read = |place: &str| place.ends_with("_json") || matches!(place, "line" | "seal");
    let functions: Vec<_> = headers.iter().flat_map(|header| functions(header)).collect();
    let wanted: BTreeSet<(&str, &str)> = functions
        .iter()
        .flat_map(|(name, arguments)| arguments.iter().map(move |argument| (name, argument)))
        .filter_map(|(name, argument)| Some((name.strip_prefix(PREFIX)?, argument.strip_prefix("const char *")?)))
        .filter(|(_, place)| is_read(place))
        .collect();
    let found: BTreeSet<(&str, &str)> = rows
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("D("))
        .filter_map(|row| {
            let mut words = row.split(',').map(str::trim);
            Some((words.next()?, words.next()?))
        })
        .collect();
    if wanted.is_empty() {
        return Err("no function of the headers reads a text of somebody else's".to_owned());
    }
    match wanted.symmetric_difference(&found).next() {
        None => Ok(()),
        Some(row @ (name, place)) if wanted.contains(row) => {
            Err(format!("{FILE} has no row of {place} of {PREFIX}{name}"))
        }
        Some((name, place)) => Err(format!("{FILE} has a row of {place} of {PREFIX}{name}, which no header has")),
    }
}

/// The functions that a header declares, each with its arguments.
fn functions(header: &str) -> Vec<(String, Vec<String>)> {
    let without_comments: String = header
        .split("/*")
        .enumerate()
        .map(|(at, part)| if at == 0 { part } else { part.split_once("*/").map_or("", |(_, code)| code) })
        .collect();
    let code = without_comments.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" ");
    let declared = code.split(';').filter(|statement| !statement.contains("typedef")).filter_map(|statement| {
        let (before, arguments) = statement.split_once('(')?;
        let name = before.split([' ', '*']).next_back()?;
        let arguments = arguments.trim_end().strip_suffix(')')?.split(',');
        let plain = |argument: &str| argument.split_whitespace().collect::<Vec<_>>().join(" ");
        Some((name.to_owned(), arguments.map(plain).collect()))
    });
    declared.filter(|(name, _)| name.starts_with(PREFIX)).collect()
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
    use super::{compare, doors, rows, tracked};

    const LIST: &str = "# Kept\n\n- Names, as `dualseal_rule`.\n\n## `dualseal.h` (2)\n\nNot `dualseal_prose`.\n\n\
                        - `dualseal_one`,\n  `dualseal_two`\n";

    const SYMBOLS: &str = "0000000000000000 A DUALSEAL_2\n0000000000001000 T dualseal_one@@DUALSEAL_2\n\
                           0000000000002000 T dualseal_two@@DUALSEAL_2\n";

    const HEADER: &str = "#define UNUSED(x) y\n/* dualseal_prose(dualseal_head *p); */\n\
        typedef int (*dualseal_told)(int a);\nUNUSED\ndualseal_status dualseal_one(const dualseal_head *head,\n  \
        dualseal_head **made,\n  const dualseal_head *const *all, char *text);\n\
        void dualseal_head_free(dualseal_head *head);\n\
        const char *dualseal_error_field(const dualseal_error *error);\n";

    #[test]
    fn each_handle_of_each_function_has_its_row() {
        let header = [HEADER.to_owned()];
        let row = "#define ROWS(X) \\\n    X(one, head, head, bad) \\\n";
        assert_eq!(rows(&header, row), Ok(()));
        assert_eq!(rows(&header, &row.replace("X(one", "O(one")), Ok(()));
        let missing = Err("tests/c/handle_rows.h has no row of head of dualseal_one".to_owned());
        assert_eq!(rows(&header, ""), missing);
        assert_eq!(rows(&header, &row.replace("one, head", "one, made")), missing);
        assert!(rows(&header, &format!("{row}    X(two, head, head, bad)\n")).is_err_and(|why| why.contains("2 rows")));
        assert!(rows(&[], row).is_err());
    }

    #[test]
    fn each_text_of_a_stranger_has_its_row() {
        let header = "dualseal_status dualseal_one(const dualseal_head *head, const char *mark_json,\n    \
            size_t mark_json_len, char **head_json);\nint dualseal_two(const char *seal, const char *name);\n";
        let (one, two) = ("    D(one, mark_json, text, x) \\\n", "    D(two, seal, text, x)\n");
        let headers = [header.to_owned()];
        assert_eq!(doors(&headers, &format!("{one}{two}")), Ok(()));
        assert!(doors(&headers, one).is_err_and(|why| why.ends_with("no row of seal of dualseal_two")));
        let more = format!("{one}{two}    D(two, name, text, x)\n");
        assert!(doors(&headers, &more).is_err_and(|why| why.contains("which no header has")));
        assert!(doors(&[], "").is_err());
    }

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
