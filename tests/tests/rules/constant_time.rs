//! Core compares MACs, tags and commitments through `ct_eq` and in no other way, and reads and writes by tables nothing
//! but what is public: its source is read for others.

use dualseal_tests::rust_tokens::{Token, tokens};
use std::fs;
use std::path::{Path, PathBuf};

/// Words that name what nobody may compare with an early exit.
const SECRET: [&str; 10] =
    ["mac", "macs", "hmac", "hmacs", "tag", "tags", "commit", "commitment", "commitments", "fragment"];

/// Lengths are no secret.
const PUBLIC: [&str; 2] = ["len", "is_empty"];

/// Files that compare such values, each with `ct_eq`.
const COMPARING: [&str; 5] = ["reader/ring.rs", "hash/hmac.rs", "seal/text.rs", "seal/verifier.rs", "secret.rs"];

fn core_source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src")
}

fn sources(directory: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
}

/// The source without its unit tests, which may compare as they like.
fn without_tests(source: &str) -> &str {
    source.split("#[cfg(test)]").next().unwrap()
}

/// Comparisons, by `==`, `!=`, `.eq(` or `.ne(`, of an operand that is named as a secret.
fn comparisons(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        let operator = (pair[0].is_mark('=') || pair[0].is_mark('!')) && pair[1].is_mark('=');
        let arrow = tokens.get(at + 2).is_some_and(|token| token.is_mark('>'));
        let method = pair[0].is_mark('.') && (pair[1].is_word("eq") || pair[1].is_word("ne"));
        if (!operator || arrow) && !method {
            continue;
        }
        let before = (0..at).rev().take_while(|at| !ends_operand(&tokens, *at));
        let after = (at + 2..tokens.len()).take_while(|at| !ends_operand(&tokens, *at));
        let operands: Vec<&Token> = before.chain(after).map(|at| &tokens[at]).collect();
        let named = |names: &[&str]| operands.iter().any(|token| names.iter().any(|name| token.is_word(name)));
        if named(&SECRET) && !named(&PUBLIC) {
            found.push(format!("{operands:?}"));
        }
    }
    found
}

fn ends_operand(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    // A single `&` only borrows.
    let is_and = |at: usize| tokens.get(at).is_some_and(|token| token.is_mark('&'));
    let and = is_and(at) && (is_and(at + 1) || at.checked_sub(1).is_some_and(is_and));
    and || matches!(token, Token::Mark(';' | '{' | '}' | ',' | '=' | '|'))
        || ["if", "let", "match", "return", "assert"].iter().any(|word| token.is_word(word))
}

/// Structs that derive `PartialEq` over a MAC: their `==` would be one of those comparisons.
fn derived(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.is_word("PartialEq")) {
        let in_derive = tokens[..at].iter().rev().take_while(|token| !token.is_mark('[')).any(|t| t.is_word("derive"));
        // Up to the struct's name, past further attributes; then its fields.
        let declaration = tokens[at..].iter().position(|token| token.is_word("struct") || token.is_word("enum"));
        let (true, Some(declaration)) = (in_derive, declaration) else { continue };
        let body = tokens[at + declaration..].iter().skip_while(|t| !t.is_mark('{') && !t.is_mark(';'));
        let fields: Vec<&Token> = body.take_while(|token| !token.is_mark('}')).collect();
        let is_field = |name: &str| fields.windows(2).any(|pair| pair[0].is_word(name) && pair[1].is_mark(':'));
        if ["mac", "hmac"].into_iter().any(is_field) {
            found.push(format!("{token:?} of {:?}", tokens[at + declaration + 1]));
        }
    }
    found
}

#[test]
fn every_mac_is_compared_in_constant_time() {
    let mut found = Vec::new();
    sources(&core_source(), &mut found);
    assert!(found.len() > 40, "{} files", found.len());
    for (path, text) in &found {
        let (compared, derived) = (comparisons(without_tests(text)), derived(without_tests(text)));
        assert!(compared.is_empty() && derived.is_empty(), "{}: {compared:?} {derived:?}", path.display());
    }
    for file in COMPARING {
        let text = fs::read_to_string(core_source().join(file)).unwrap();
        assert!(tokens(without_tests(&text)).iter().any(|token| token.is_word("ct_eq")), "{file}");
    }
}

/// The functions that call on `const_hex`, which looks up digits in tables, and are not named for what is public.
fn look_ups(source: &str) -> Vec<String> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    for at in (0..tokens.len()).filter(|at| tokens[*at].is_word("const_hex")) {
        let function = tokens[..at].iter().rposition(|token| token.is_word("fn"));
        let name = function.map_or_else(String::new, |function| format!("{:?}", tokens[function + 1]));
        if !name.contains("public") {
            found.push(name);
        }
    }
    found
}

#[test]
fn digits_are_looked_up_of_what_is_public_alone() {
    let mut found = Vec::new();
    sources(&core_source(), &mut found);
    for (path, text) in &found {
        assert_eq!(look_ups(without_tests(text)), [""; 0], "{}", path.display());
    }
    let own = fs::read_to_string(core_source().join("encoding/hex.rs")).unwrap();
    assert!(tokens(without_tests(&own)).iter().any(|token| token.is_word("const_hex")));
    // A caller decodes what may be secret.
    let callers = "pub fn decode<const N: usize>() { decode_public_into() }";
    assert!(!calls_public(&own, "decode") && !calls_public(&own, "decode_secret"));
    assert!(calls_public(callers, "decode"));
}

/// Whether the body of this function names one that is for what is public.
fn calls_public(source: &str, function: &str) -> bool {
    let tokens = tokens(source);
    let begins = |pair: &[Token]| pair[0].is_word("fn") && pair[1].is_word(function);
    let at = tokens.windows(2).position(begins).expect("the function");
    let body = tokens[at + 1..].iter().take_while(|token| !token.is_word("fn"));
    body.skip(1).any(|token| format!("{token:?}").contains("_public"))
}

/// What the reader of the source is there to find, it finds.
#[test]
fn the_reader_finds_other_comparisons() {
    for source in [
        "if mac == self.seal.hmac() { a }",
        "let same = hmac.as_slice() != &other;",
        "a && self.tag == tag",
        "assert!(expected.eq(&commitment))",
        "match x { _ if computed == layers.finish_mac().mac => 1 }",
        "x.mac.ne(&y)",
    ] {
        assert_eq!(comparisons(source).len(), 1, "{source}");
    }
    for source in [
        "if tag.len() != 16 { a }",
        "mac.ct_eq(&other)",
        "let mac = finish(); if a == b { }",
        "match mac { Some(mac) if x => y, _ => z }",
        "hash == other",
        "// mac == mac",
        "let tag = 1; other == 2",
    ] {
        assert_eq!(comparisons(source), [""; 0], "{source}");
    }
    assert_eq!(derived("#[derive(Clone, PartialEq)] pub struct A { pub(super) hmac: [u8; 64] }").len(), 1);
    assert_eq!(derived("#[derive(Clone)] pub struct A { hmac: [u8; 64] } #[derive(PartialEq)] struct B;"), [""; 0]);
    assert_eq!(look_ups("fn a() {} fn decode() { const_hex::decode_to_slice() }").len(), 1);
    assert_eq!(look_ups("use const_hex::decode;").len(), 1);
    assert_eq!(look_ups("fn decode_public_into() { const_hex::decode_to_slice() }"), [""; 0]);
    assert_eq!(without_tests("a #[cfg(test)] mac == mac"), "a ");
}
