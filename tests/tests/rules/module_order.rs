//! The architecture of the core, of the operator and of the command line, read from their sources: a module uses only
//! what stands above it in the table of `lib.rs` or `main.rs`. In the core `std` appears only behind its feature, and
//! `unsafe` and files nowhere.

use dualseal_tests::rust_tokens::{Token, closing, tokens, without_attributed, without_tests};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const CORE: &str = "core/src/lib.rs";
const OPERATOR: &str = "operator/src/lib.rs";
const CLI: &str = "cli/src/main.rs";

/// The table says the order to a reader: every module is in it, below whatever it uses.
#[test]
fn every_module_uses_only_what_stands_above_it_in_the_table() {
    let core = [("secret", "error"), ("encoding", "secret"), ("key", "krunica"), ("signature", "key")].as_slice();
    let cli = [("output", "failure"), ("home", "store"), ("commands", "home"), ("words", "cli")].as_slice();
    for (file, known, least) in [(CORE, core, 10), (OPERATOR, [("vault_file", "disk")].as_slice(), 4), (CLI, cli, 10)] {
        let order = order(file);
        let mut seen = BTreeSet::new();
        for (path, module, depth, tokens) in sources(file) {
            for used in used_modules(&tokens, depth) {
                let fault = fault(&order, &module, &used);
                assert!(fault.is_none(), "{}: {}", path.display(), fault.unwrap_or_default());
                seen.insert((module.clone(), used));
            }
        }
        // That the reader of paths reads them.
        for known in known {
            assert!(seen.contains(&(known.0.to_string(), known.1.to_string())), "{known:?} was not found");
        }
        assert_eq!(order.iter().cloned().collect::<BTreeSet<_>>(), declared(file));
        assert!(declared(file).len() == order.len() && order.len() >= least, "{order:?}");
    }
}

#[test]
fn std_is_behind_its_feature_and_unsafe_is_nowhere() {
    for (path, _, _, tokens) in sources(CORE) {
        assert!(!tokens.iter().any(|t| t.is_word("unsafe")), "{}", path.display());
        let bare = !is_behind_std(&tokens) && uses_std(&without_attributed(&tokens, is_std_attribute));
        assert!(!bare, "{}", path.display());
    }
    let root = root(CORE);
    assert!(root.contains("#![no_std]") && root.contains("#![forbid(unsafe_code)]"));
    assert!(!uses_std(&without_attributed(&tokens(&root), is_std_attribute)), "lib.rs");
}

/// What opens a file stands in `operator/`.
#[test]
fn core_opens_no_file() {
    let words = ["fs", "net", "File", "OpenOptions", "PathBuf"];
    let mut files = 0;
    for (path, _, _, tokens) in sources(CORE) {
        files += 1;
        let found = words.iter().find(|word| tokens.iter().any(|token| token.is_word(word)));
        assert!(found.is_none(), "{}: {found:?}", path.display());
    }
    let opens = sources(OPERATOR).iter().any(|(_, _, _, tokens)| tokens.iter().any(|token| token.is_word("fs")));
    assert!(files > 100 && opens);
}

#[test]
fn the_reader_finds_what_it_is_there_to_find() {
    let used = |source: &str, depth| used_modules(&without_tests(&tokens(source)), depth);
    assert_eq!(used("use crate::key::{KeyRing, crate_a};", 1), ["key"]);
    assert_eq!(used("use crate::{error::Error, key::{a, b}, id};", 1), ["error", "key", "id"]);
    assert_eq!(used("fn f() -> crate::seal::Seal { crate::hex!() }", 1), ["seal", "hex"]);
    assert_eq!(used("macro_rules! m { () => { $crate::vault::x() } }", 1), ["vault"]);
    assert_eq!(used("use super::key::A;", 1), ["key"]);
    assert_eq!(used("use super::super::key::A;", 2), ["key"]);
    assert_eq!(used("use super::inner::A;", 2), [""; 0]);
    assert_eq!(used("mod m { use super::inner::A; use super::super::id; }", 1), ["id"]);
    assert_eq!(used("// crate::key\n/// crate::key\nfn f() { \"crate::key\"; }", 1), [""; 0]);
    assert_eq!(used("#[cfg(test)] mod tests { use crate::vault::V; } use crate::id::I;", 1), ["id"]);
    let order = ["hash", "key"].map(String::from);
    let fault = |module, used| fault(&order, module, used);
    assert!(fault("hash", "key").is_some() && fault("key", "hash").is_none() && fault("key", "key").is_none());
    assert!(fault("hash", "Domain").is_some(), "a re-export hides which module is used");
    assert!(fault("Domain", "hash").is_some(), "a module that the table does not have");

    let bare = |source: &str| uses_std(&without_attributed(&without_tests(&tokens(source)), is_std_attribute));
    assert!(bare("use std::io;") && bare("extern crate std;") && bare("fn f() { ::std::io::empty(); }"));
    assert!(!bare("#[cfg(feature = \"std\")] mod m { use std::io; } #[cfg(feature = \"std\")] use std::io::Write;"));
    assert!(bare("#[cfg(feature = \"std\")] use std::io; use std::fmt;"));
    assert!(bare("#[cfg(not(feature = \"std\"))] use std::io;"));
    let whole = |source: &str| is_behind_std(&tokens(source));
    assert!(whole("//! A file.\n#![cfg(feature = \"std\")]\nuse std::io;"));
    assert!(!whole("#[cfg(feature = \"std\")] use std::io;") && !whole("#![cfg(not(feature = \"std\"))]"));
}

/// Why `module` may not use `used`.
fn fault(order: &[String], module: &str, used: &str) -> Option<String> {
    let place = |module: &str| order.iter().position(|row| row == module);
    match (place(used), place(module)) {
        (Some(other), Some(own)) if other <= own => None,
        (Some(_), Some(_)) => Some(format!("`{module}` uses `{used}`, which stands below it")),
        (None, _) => Some(format!("`{module}` uses `crate::{used}`, which is no module of the table")),
        (_, None) => Some(format!("`{module}` is not in the table")),
    }
}

/// The modules in the table of a crate's first file, from the top.
fn order(file: &str) -> Vec<String> {
    let root = root(file);
    let rows = root.lines().filter_map(|line| line.strip_prefix("//! | [`")?.split_once("`]"));
    rows.map(|(name, _)| name.to_string()).collect()
}

fn root(file: &str) -> String {
    std::fs::read_to_string(path(file)).unwrap()
}

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)
}

/// The modules of a crate: the public ones of a library, all of a program. Those for tests are none.
fn declared(file: &str) -> BTreeSet<String> {
    let tokens = without_tests(&tokens(&root(file)));
    let library = file.ends_with("lib.rs");
    let is_public = |at: usize| at.checked_sub(1).is_some_and(|before| tokens[before].is_word("pub"));
    let modules = tokens.windows(3).enumerate().filter(|(at, _)| !library || is_public(*at));
    modules.filter_map(|(_, window)| declared_module(window)).map(str::to_string).collect()
}

fn declared_module(window: &[Token]) -> Option<&str> {
    match window {
        [declaration, Token::Word(name), end] if declaration.is_word("mod") && end.is_mark(';') => Some(name),
        _ => None,
    }
}

/// Every file but the first: its path, its top-level module, its depth below the crate, and its tokens without tests.
fn sources(file: &str) -> Vec<(PathBuf, String, usize, Vec<Token>)> {
    let (first, declared) = (path(file), declared(file));
    let root = first.parent().unwrap().to_path_buf();
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name == "tests.rs") {
                let module = std::fs::read_to_string(path.parent().unwrap().with_extension("rs")).unwrap();
                assert!(module.contains("#[cfg(test)]\nmod tests;"), "{}: is more than tests", path.display());
            } else if path.extension().is_some_and(|e| e == "rs") && path != first {
                let inside: Vec<String> =
                    path.strip_prefix(&root).unwrap().iter().map(|p| p.to_str().unwrap().to_string()).collect();
                let module = inside[0].trim_end_matches(".rs").to_string();
                let tokens = without_tests(&tokens(&std::fs::read_to_string(&path).unwrap()));
                if declared.contains(&module) {
                    files.push((path, module, inside.len(), tokens));
                }
            }
        }
    }
    assert!(files.len() >= 15, "only {} files", files.len());
    files
}

/// The top-level modules that paths name, through `crate` or through as many `super` as lead out of the file and its
/// inline modules.
fn used_modules(tokens: &[Token], depth: usize) -> Vec<String> {
    let mut used = Vec::new();
    // For every open brace, whether it is an inline module's.
    let mut braces: Vec<bool> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        if rest[0].is_mark('{') {
            braces.push(at >= 2 && tokens[at - 2].is_word("mod"));
        } else if rest[0].is_mark('}') {
            braces.pop();
        } else if rest[0].is_word("crate") && starts_path(&rest[1..]) {
            collect(&rest[3..], &mut used);
        } else if rest[0].is_word("super") {
            let supers = rest.chunks(3).take_while(|c| c[0].is_word("super") && starts_path(&c[1..])).count();
            let below_root = depth + braces.iter().filter(|is_module| **is_module).count();
            if supers >= below_root {
                collect(&rest[3 * supers..], &mut used);
            }
            at += (3 * supers).saturating_sub(1);
        }
        at += 1;
    }
    used
}

fn starts_path(tokens: &[Token]) -> bool {
    tokens.len() >= 2 && tokens[0].is_mark(':') && tokens[1].is_mark(':')
}

/// The first words of a path or of a group of paths.
fn collect(tokens: &[Token], used: &mut Vec<String>) {
    let mut depth = 0;
    let mut wanted = true;
    for token in tokens {
        match token {
            Token::Mark('{') => depth += 1,
            Token::Mark('}') => depth -= 1,
            Token::Mark(',') if depth == 1 => wanted = true,
            Token::Word(word) if wanted && depth <= 1 => {
                used.push(word.clone());
                wanted = false;
            }
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

/// `cfg(feature = "std")`, alone or as one of `any`.
fn is_std_attribute(attribute: &[Token]) -> bool {
    attribute.first().is_some_and(|t| t.is_word("cfg"))
        && attribute.contains(&Token::Text("std".to_string()))
        && !attribute.iter().any(|t| t.is_word("not"))
}

/// Whether the whole file is, by an inner attribute before anything else.
fn is_behind_std(tokens: &[Token]) -> bool {
    let inner = ['#', '!', '['].iter().enumerate().all(|(at, mark)| tokens.get(at).is_some_and(|t| t.is_mark(*mark)));
    inner && is_std_attribute(&tokens[3..closing(tokens, 2)])
}

fn uses_std(tokens: &[Token]) -> bool {
    let path = tokens.windows(3).any(|w| w[0].is_word("std") && starts_path(&w[1..]));
    let linked = tokens.windows(3).any(|w| w[0].is_word("extern") && w[1].is_word("crate") && w[2].is_word("std"));
    path || linked
}
