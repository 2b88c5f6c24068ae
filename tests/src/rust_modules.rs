//! A crate's source as modules: what each defines, what it imports, and the tokens in which it uses names.

use crate::rust_tokens::{Token, closing, end_of_item, tokens, without_tests};
use std::collections::{BTreeMap, BTreeSet};

/// The sources of a crate, each under its path within the crate.
pub type Sources = BTreeMap<String, String>;

/// A module: a file, or inline in one.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The path of its file.
    pub file: String,
    pub parent: Option<usize>,
    pub children: BTreeMap<String, usize>,
    /// Types, traits, functions, constants and macros. Not what a macro makes.
    pub items: BTreeSet<String>,
    /// Those of `items` that are traits.
    pub traits: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Every token of its items.
    pub body: Vec<Token>,
}

/// One name that a `use` brings, or with `*` all names of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    pub name: String,
    pub path: Vec<String>,
    /// `pub` in any form: a door for others rather than a use of its own.
    pub is_door: bool,
}

/// Reads the module tree below the file `root`. Modules and items for tests are left out; the root is the first.
pub fn modules(sources: &Sources, root: &str) -> Vec<Module> {
    let mut tree = Vec::new();
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    add_file(&mut tree, sources, None, root, folder);
    tree
}

fn add_file(tree: &mut Vec<Module>, sources: &Sources, parent: Option<usize>, file: &str, folder: &str) -> usize {
    let source = sources.get(file).unwrap_or_else(|| panic!("{file} is declared and not there"));
    add_module(tree, sources, parent, file, folder, &without_tests(&tokens(source)))
}

/// `folder` is where the files of its modules stand.
fn add_module(
    tree: &mut Vec<Module>,
    sources: &Sources,
    parent: Option<usize>,
    file: &str,
    folder: &str,
    tokens: &[Token],
) -> usize {
    let own = tree.len();
    tree.push(Module { file: file.to_string(), parent, ..Module::default() });
    let mut public = false;
    let mut at = 0;
    while at < tokens.len() {
        let Token::Word(word) = &tokens[at] else {
            let end = if opens(&tokens[at]) { closing(tokens, at) + 1 } else { at + 1 };
            tree[own].body.extend_from_slice(&tokens[at..end]);
            at = end;
            continue;
        };
        let name = match tokens.get(at + 1) {
            Some(Token::Word(name)) => Some(name.clone()),
            Some(Token::Mark('!')) if word == "macro_rules" => tokens.get(at + 2).and_then(as_word),
            _ => None,
        };
        match (word.as_str(), name) {
            ("pub", _) => {
                public = true;
                let restricted = tokens.get(at + 1).is_some_and(|t| t.is_mark('('));
                at = if restricted { closing(tokens, at + 1) + 1 } else { at + 1 };
                continue;
            }
            ("use", _) => {
                let end = end_of_item(tokens, at);
                use_tree(&tokens[at + 1..end], &[], public, &mut tree[own].imports);
                at = end;
            }
            ("mod", Some(name)) => {
                let inside = join(folder, &name);
                let child = if tokens[at + 2].is_mark('{') {
                    let end = closing(tokens, at + 2);
                    let inner = &tokens[at + 3..end];
                    at = end + 1;
                    add_module(tree, sources, Some(own), file, &inside, inner)
                } else if is_elsewhere(&tokens[..at]) {
                    at += 3;
                    tree.push(Module { file: format!("{name}, of another crate"), ..Module::default() });
                    tree.len() - 1
                } else {
                    at += 3;
                    add_file(tree, sources, Some(own), &format!("{inside}.rs"), &inside)
                };
                tree[own].children.insert(name, child);
            }
            ("const", Some(name)) if name == "fn" || name == "unsafe" => at += 1,
            (
                "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" | "macro_rules",
                Some(name),
            ) => {
                if word == "trait" {
                    tree[own].traits.insert(name.clone());
                }
                tree[own].items.insert(name);
                at = add_body(&mut tree[own], tokens, at);
            }
            ("impl", _) => at = add_body(&mut tree[own], tokens, at),
            _ => {
                tree[own].body.push(tokens[at].clone());
                at += 1;
                continue;
            }
        }
        public = false;
    }
    own
}

fn add_body(module: &mut Module, tokens: &[Token], at: usize) -> usize {
    let end = end_of_item(tokens, at);
    let mut here = at;
    while here < end {
        if tokens[here].is_word("use") {
            let after = end_of_item(tokens, here);
            use_tree(&tokens[here + 1..after], &[], false, &mut module.imports);
            here = after;
        } else {
            module.body.push(tokens[here].clone());
            here += 1;
        }
    }
    end
}

/// The imports of a `use`, after that word.
fn use_tree(tokens: &[Token], prefix: &[String], is_door: bool, imports: &mut Vec<Import>) {
    let mut path = prefix.to_vec();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            Token::Mark('{') => {
                let end = closing(tokens, at);
                for branch in branches(&tokens[at + 1..end]) {
                    use_tree(branch, &path, is_door, imports);
                }
                return;
            }
            Token::Mark('*') => return imports.push(Import { name: "*".to_string(), path, is_door }),
            Token::Word(word) if word == "as" => {
                let name = tokens.get(at + 1).and_then(as_word).unwrap_or_default();
                return imports.push(Import { name, path, is_door });
            }
            Token::Word(word) if word == "self" && !path.is_empty() => {}
            Token::Word(word) => path.push(word.clone()),
            _ => {}
        }
        at += 1;
    }
    if let Some(name) = path.last().cloned() {
        imports.push(Import { name, path, is_door });
    }
}

/// Split at the commas outside of braces.
fn branches(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0;
    let split = tokens.split(move |token| {
        match token {
            Token::Mark('{') => depth += 1,
            Token::Mark('}') => depth -= 1,
            _ => {}
        }
        depth == 0 && token.is_mark(',')
    });
    split.filter(|branch| !branch.is_empty()).collect()
}

/// Whether the attribute before a `mod` is `#[path = …]`: a file that two crates share, and that uses neither.
fn is_elsewhere(before: &[Token]) -> bool {
    let attribute = before.iter().rposition(|token| token.is_mark('#')).map_or(&[][..], |at| &before[at..]);
    attribute.get(2).is_some_and(|token| token.is_word("path")) && attribute.last().is_some_and(|t| t.is_mark(']'))
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") }
}

fn opens(token: &Token) -> bool {
    matches!(token, Token::Mark('[' | '(' | '{'))
}

fn as_word(token: &Token) -> Option<String> {
    if let Token::Word(word) = token { Some(word.clone()) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_holds_items_imports_and_the_tokens_of_bodies() {
        let root = "#![no_std] pub mod a; pub(crate) mod b { pub fn f() {} }
            pub use a::{A, deep::{self, B as C}}; use b::*;
            pub const fn g() -> [u8; 2] { use a::H; H } impl A { fn method() {} }
            #[cfg(test)] mod tests { use a::T; }";
        let a = "pub struct A(u8); trait Y {} pub mod deep; #[path = \"../../b/c.rs\"] mod c;
            macro_rules! m { () => { x() } } const K: u8 = 1;";
        let sources = [("src/lib.rs", root), ("src/a.rs", a), ("src/a/deep.rs", "pub enum B {}")];
        let sources: Sources = sources.map(|(path, text)| (path.to_string(), text.to_string())).into();
        let tree = modules(&sources, "src/lib.rs");
        let files: Vec<&str> = tree.iter().map(|module| module.file.as_str()).collect();
        assert_eq!(files, ["src/lib.rs", "src/a.rs", "src/a/deep.rs", "c, of another crate", "src/lib.rs"]);
        assert_eq!(tree[0].items, ["g".to_string()].into());
        assert_eq!(tree[1].items, ["A", "K", "Y", "m"].map(String::from).into());
        assert_eq!((tree[1].traits.len(), tree[4].items.len()), (1, 1));
        let imports: Vec<(&str, String, bool)> =
            tree[0].imports.iter().map(|i| (i.name.as_str(), i.path.join("::"), i.is_door)).collect();
        let expected = [
            ("A", "a::A", true),
            ("deep", "a::deep", true),
            ("C", "a::deep::B", true),
            ("*", "b", false),
            ("H", "a::H", false),
        ];
        assert_eq!(imports, expected.map(|(name, path, door)| (name, path.to_string(), door)));
        assert!(tree[0].body.iter().any(|t| t.is_word("method")) && !tree[0].body.iter().any(|t| t.is_word("T")));
    }
}
