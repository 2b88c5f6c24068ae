//! The glossary names what there is: every API name that it gives is a public name of core or of the operator.

use dualseal_tests::rust_tokens::{Token, closing, tokens, without_tests};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_api_name_of_the_glossary_is_public() {
    let glossary = std::fs::read_to_string(project().join("docs/GLOSSARY.md")).unwrap();
    let names = api_names(&glossary);
    assert!(names.len() >= 40, "{names:?}");
    let public = public_names();
    let missing: Vec<&String> = names.iter().filter(|name| !public.contains(*name)).collect();
    assert!(missing.is_empty(), "not public: {missing:?}");
}

#[test]
fn the_readers_find_names_and_nothing_else() {
    let table =
        "| wire | API name | term |\n|---|---|---|\n| a | `Entry`, `State::Valid` | `no` |\n| b | fixed: `1` |  |\n\n
        | wire | English |\n|---|---|\n| c | `no` |\n";
    assert_eq!(api_names(table), ["Entry", "State::Valid"].map(String::from).into());
    let source = "pub mod a; pub(crate) mod b; mod c; pub struct D { pub e: u8, f: u8, pub(super) g: u8 } pub enum H {
        #[doc = \"\"] I(pub J), K { l: u8 }, M = 1 } pub fn n() { let o = 1; } pub const fn p() {} enum Q { R }
        hex_newtype! { S, 1, \"s\" } pub trait T { fn u(); }";
    let expected = ["D", "H", "H::I", "H::K", "H::M", "S", "T", "a", "e", "n", "p"];
    assert_eq!(public(&tokens(source)), expected.map(String::from).into());
}

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The names in backticks of every column that is headed `API` or `API name`, where a cell begins with one.
fn api_names(glossary: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut column = None;
    for line in glossary.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let headed = cells.iter().position(|cell| ["API", "API name"].contains(cell));
        if headed.is_some() || !line.trim().starts_with('|') {
            column = headed;
        } else if let Some(cell) = column.and_then(|column| cells.get(column)).filter(|cell| cell.starts_with('`')) {
            names.extend(cell.split('`').skip(1).step_by(2).map(String::from));
        }
    }
    names
}

fn public_names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut folders = vec![project().join("core/src"), project().join("operator/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                names.extend(public(&without_tests(&tokens(&std::fs::read_to_string(&path).unwrap()))));
            }
        }
    }
    names
}

/// Modules, types, functions and fields that are `pub` without restriction, variants with their type, and the types
/// that `hex_newtype` makes.
fn public(tokens: &[Token]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = |skip: usize| match tokens.get(at + skip) {
            Some(Token::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        let mark = |skip: usize, mark| tokens.get(at + skip).is_some_and(|token| token.is_mark(mark));
        if token.is_word("hex_newtype") && mark(1, '!') && mark(2, '{') {
            let end = closing(tokens, at + 2);
            names.extend(tokens[at..end].iter().rev().find_map(|token| match token {
                Token::Word(name) if name.starts_with(char::is_uppercase) => Some(name.clone()),
                _ => None,
            }));
        }
        if !token.is_word("pub") {
            continue;
        }
        match (word(1), word(2)) {
            (Some("const"), Some("fn")) => names.extend(word(3).map(String::from)),
            (Some("enum"), Some(name)) => {
                let open = at + 3 + tokens[at + 3..].iter().position(|token| token.is_mark('{')).unwrap_or(0);
                names.extend(variants(&tokens[open + 1..closing(tokens, open)]).map(|of| format!("{name}::{of}")));
                names.insert(name.to_string());
            }
            (Some("mod" | "struct" | "union" | "trait" | "type" | "fn" | "const" | "static"), Some(name)) => {
                names.insert(name.to_string());
            }
            (Some(field), None) if mark(2, ':') => {
                names.insert(field.to_string());
            }
            _ => {}
        }
    }
    names
}

/// The first word of each variant, after its attributes.
fn variants(body: &[Token]) -> impl Iterator<Item = String> {
    let (mut found, mut wanted, mut at) = (Vec::new(), true, 0);
    while at < body.len() {
        match &body[at] {
            Token::Mark('[' | '(' | '{') => at = closing(body, at),
            Token::Mark(',') => wanted = true,
            Token::Word(name) if wanted => {
                found.push(name.clone());
                wanted = false;
            }
            _ => {}
        }
        at += 1;
    }
    found.into_iter()
}
