//! Circles between the files of a crate. A file leads to another when a path in a signature or a body of the first
//! names something that the second defines; a `mod` or a `pub use` leads nowhere, and a re-exported name leads to the
//! file that defines it. Calls of methods are not seen: whoever calls one has named the type somewhere.

use crate::rust_modules::{Import, Module, Sources, modules};
use crate::rust_tokens::Token;
use std::collections::{BTreeMap, BTreeSet};

/// From a file, to a file, by these names.
pub type Edges = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Where a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Module(usize),
    /// Something that this module defines.
    Item(usize),
}

/// A chain of imports longer than this leads nowhere, as one that leads to itself.
const LONGEST: usize = 16;

/// The edges between the files below these roots.
pub fn edges(sources: &Sources, roots: &[String]) -> Edges {
    let mut edges = Edges::new();
    for root in roots {
        let tree = modules(sources, root);
        for own in 0..tree.len() {
            let from = edges.entry(tree[own].file.clone()).or_default();
            for (path, end) in used(&tree, own) {
                let to = &tree[end].file;
                if *to != tree[own].file {
                    from.entry(to.clone()).or_default().insert(path);
                }
            }
        }
    }
    edges
}

/// Every circle, as the lines that describe its edges.
pub fn circles(edges: &Edges) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = edges.keys().map(|file| (file, reached(edges, file))).collect();
    let mut circles: BTreeMap<Vec<&String>, Vec<String>> = BTreeMap::new();
    for (file, from_here) in &reached {
        let members: Vec<&String> = from_here.iter().copied().filter(|other| reached[other].contains(file)).collect();
        if members.is_empty() {
            continue;
        }
        let within = edges[*file].iter().filter(|(to, _)| members.contains(to));
        let lines = within.map(|(to, names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            format!("{file} -> {to}: {}", names.join(", "))
        });
        let lines: Vec<String> = lines.collect();
        circles.entry(members).or_default().extend(lines);
    }
    circles.into_values().collect()
}

fn reached<'a>(edges: &'a Edges, from: &str) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = edges[from].keys().collect();
    while let Some(file) = open.pop() {
        if reached.insert(file) {
            open.extend(edges[file].keys());
        }
    }
    reached
}

/// What a module uses of the crate: each path, and the module that defines what it names.
fn used(tree: &[Module], own: usize) -> Vec<(String, usize)> {
    let mut used = Vec::new();
    for path in paths(&tree[own].body) {
        if let Some(End::Item(module)) = resolve(tree, own, &path, LONGEST) {
            used.push((path.join("::"), module));
        }
    }
    // A trait is used where its methods are called, without its name.
    for import in tree[own].imports.iter().filter(|import| !import.is_door) {
        if let Some(End::Item(module)) = resolve(tree, own, &import.path, LONGEST)
            && import.path.last().is_some_and(|name| tree[module].traits.contains(name))
        {
            used.push((import.path.join("::"), module));
        }
    }
    used
}

/// The paths in tokens, those of one word too. What follows a single dot is a field or a method.
fn paths(tokens: &[Token]) -> Vec<Vec<String>> {
    let mark = |at: Option<usize>, mark| at.and_then(|at| tokens.get(at)).is_some_and(|token| token.is_mark(mark));
    let mut paths = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1);
        let is_member = mark(before, '.') && !mark(at.checked_sub(2), '.');
        let continues = mark(before, ':') && mark(at.checked_sub(2), ':');
        let is_variable = mark(before, '$') && !token.is_word("crate");
        at += 1;
        let Token::Word(first) = token else { continue };
        if is_member || continues || is_variable {
            continue;
        }
        let mut path = vec![first.clone()];
        while mark(Some(at), ':')
            && mark(Some(at + 1), ':')
            && let Some(Token::Word(next)) = tokens.get(at + 2)
        {
            path.push(next.clone());
            at += 3;
        }
        paths.push(path);
    }
    paths
}

/// `None` is what is not of this crate: a local variable, a keyword, another crate.
fn resolve(tree: &[Module], own: usize, path: &[String], left: usize) -> Option<End> {
    let (first, mut rest) = path.split_first()?;
    let mut end = match first.as_str() {
        "crate" => End::Module(0),
        "self" => End::Module(own),
        "super" => End::Module(tree[own].parent?),
        name => find(tree, own, name, rest.is_empty(), left)?,
    };
    while let (End::Module(module), Some((name, after))) = (end, rest.split_first()) {
        rest = after;
        end = match name.as_str() {
            "super" => End::Module(tree[module].parent?),
            // A name that is nowhere else was made by a macro.
            name => find(tree, module, name, rest.is_empty(), left).unwrap_or(End::Item(module)),
        };
    }
    Some(end)
}

/// A name in the scope of a module. A function and a module may have the same: the last word of a path is the function.
fn find(tree: &[Module], module: usize, name: &str, is_last: bool, left: usize) -> Option<End> {
    let left = left.checked_sub(1)?;
    let item = tree[module].items.contains(name).then_some(End::Item(module));
    let child = tree[module].children.get(name).map(|child| End::Module(*child));
    let own = if is_last { item.or(child) } else { child.or(item) };
    let follow = |import: &Import| resolve(tree, module, &import.path, left);
    let imports = &tree[module].imports;
    own.or_else(|| imports.iter().filter(|import| import.name == name && import.path != [name]).find_map(follow))
        .or_else(|| {
            let all = imports.iter().filter(|import| import.name == "*").filter_map(follow);
            all.filter_map(|end| if let End::Module(module) = end { Some(module) } else { None })
                .find_map(|module| find(tree, module, name, is_last, left))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let sources: Sources = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        circles(&edges(&sources, &["src/lib.rs".to_string()]))
    }

    const ROOT: (&str, &str) = ("src/lib.rs", "pub mod a; pub mod b; pub use a::A;");

    #[test]
    fn a_planted_circle_is_found_by_every_kind_of_path() {
        let straight = ("src/b.rs", "pub struct B; pub trait Act {} pub fn act() {} macro_rules! made { () => {} }");
        let into_b = [
            "use crate::b::B; pub struct A(B);",
            "use super::b; pub struct A; fn f() { b::act() }",
            "pub struct A; fn f(_: crate::b::B) {}",
            "pub struct A; fn f() { use crate::b::{self as other}; other::act(); }",
            "use crate::b::*; pub struct A; impl Act for A {}",
            "use crate::b::Act as _; pub struct A;",
            "pub struct A; mod inner { use super::super::b::act; fn f() { act() } }",
            "pub struct A; fn f() { crate::b::made!() }",
            "pub struct A; #[command(parser = crate::b::act)] struct C;",
            "pub struct A; macro_rules! m { () => { $crate::b::act() } }",
            "pub struct A; fn f() { for _ in 0..crate::b::LIMIT {} }",
        ];
        for source in into_b {
            assert!(found(&[ROOT, ("src/a.rs", source), straight]).is_empty(), "{source}");
            // Through the door at the root, which is not where it is defined.
            let back = format!("use crate::A; fn g(a: &A) {{}} {}", straight.1);
            let circles = found(&[ROOT, ("src/a.rs", source), ("src/b.rs", &back)]);
            assert_eq!(circles.len(), 1, "{source}");
            assert!(circles[0].len() == 2 && circles[0][1] == "src/b.rs -> src/a.rs: A", "{circles:?}");
        }
    }

    #[test]
    fn circles_of_three_are_one_and_two_are_two() {
        let root = ("src/lib.rs", "mod a; mod b; mod c; mod d; mod e;");
        let uses = |name: &str| format!("pub struct S; fn f(s: crate::{name}::S) {{}}");
        let paths = ["src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs", "src/e.rs"];
        let texts = ["b", "c", "a", "e", "d"].map(uses);
        let others = paths.into_iter().zip(texts.iter().map(String::as_str));
        let files: Vec<(&str, &str)> = [root].into_iter().chain(others).collect();
        let lines: Vec<usize> = found(&files).iter().map(Vec::len).collect();
        assert_eq!(lines, [3, 2]);
    }

    #[test]
    fn doors_tests_comments_methods_and_names_alone_are_no_edges() {
        let back = ("src/b.rs", "use crate::a::A; pub struct B(A); pub fn act() {}");
        let apart = [
            "pub struct A; pub use crate::b::B;",
            "pub struct A; use crate::b::B;",
            "pub struct A; #[cfg(test)] mod tests { use crate::b::B; fn f(b: B) {} }",
            "// crate::b::B\npub struct A; fn f(a: A) { a.act(); \"crate::b::B\"; }",
            "pub struct A; use crate::b; fn f(b: u8) -> u8 { b }",
            "pub struct A; fn f() { other::b::act(); std::b::B; }",
        ];
        for source in apart {
            assert_eq!(found(&[ROOT, ("src/a.rs", source), back]), [[""; 0]; 0], "{source}");
        }
    }

    #[test]
    fn a_parent_and_its_child_are_a_circle_only_when_both_use_names() {
        let root = ("src/lib.rs", "mod a;");
        let child = ("src/a/c.rs", "pub fn act(a: super::A) {}");
        let door = ("src/a.rs", "mod c; pub use c::act; pub struct A;");
        assert_eq!(found(&[root, door, child]), [[""; 0]; 0]);
        let user = ("src/a.rs", "mod c; pub struct A; fn f() { c::act(A) }");
        assert_eq!(found(&[root, user, child]).len(), 1);
    }
}
