//! All changes of one file woven into it, each behind its switch. Only one is on at a time: what a change leaves as it
//! was is there a second time without other changes, so that the text grows no faster than it is deep.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr};

use crate::change::Change;
use crate::pieces::{Pieces, Place};

/// How the copy asks whether a change is on.
const ON: &str = "crate::switch::on";

/// A woven file.
pub(crate) struct Woven {
    pub(crate) text: String,
    pub(crate) places: Vec<Place>,
}

/// Weaves the changes of one file into it. What is in `needed` stays constant, so that nothing in it can be switched.
pub(crate) fn weave(text: &str, changes: &[&Change], needed: &BTreeSet<String>) -> Result<Woven, String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut at: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for change in changes {
        at.entry((change.genre.as_str(), change.line, change.column)).or_default().push(*change);
    }
    let mut weaver = Weaver { text, at, needed, pieces: Pieces::default() };
    weaver.visit_file(&file);
    let (text, places) = weaver.pieces.into_text(text);
    Ok(Woven { text, places })
}

struct Weaver<'a> {
    text: &'a str,
    at: BTreeMap<(&'a str, usize, usize), Vec<&'a Change>>,
    needed: &'a BTreeSet<String>,
    pieces: Pieces,
}

/// Alternatives, and the ranges in their text that are one change's alone.
#[derive(Default)]
struct Text {
    text: String,
    changes: Vec<(u32, Range<usize>)>,
}

impl Text {
    /// Begins what is under a change alone.
    fn when(&mut self, number: u32) {
        self.text.extend(["if ", ON, "(", &number.to_string(), ") { "]);
    }

    fn change(&mut self, number: u32, text: &str) {
        let start = self.text.len();
        self.text.push_str(text);
        self.changes.push((number, start..self.text.len()));
    }

    fn alternatives(changes: &[&Change], text: impl Fn(&Change) -> String) -> Self {
        let mut alternatives = Self { text: "(".to_owned(), changes: Vec::new() };
        for change in changes {
            alternatives.when(change.number);
            alternatives.change(change.number, &text(change));
            alternatives.text.push_str(" } else ");
        }
        alternatives.text.push_str("{ (");
        alternatives
    }
}

/// In front of a guard, which ends with two parentheses: it holds always under one change and never under another.
fn guard(changes: &[&Change]) -> Text {
    let mut text = Text { text: "(".to_owned(), changes: Vec::new() };
    let mut changes = changes.to_vec();
    changes.sort_by_key(|change| change.replacement != "true");
    for change in changes {
        let (not, joined) = if change.replacement == "true" { ("", "||") } else { ("!", "&&") };
        text.change(change.number, &format!("{not}{ON}({}) {joined} ", change.number));
    }
    text.text.push('(');
    text
}

fn range(node: &impl Spanned) -> Range<usize> {
    node.span().byte_range()
}

/// Whether a condition binds a name for what follows it: such a chain stands in no parentheses.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

impl<'a> Weaver<'a> {
    fn changes(&self, genre: &str, node: &impl Spanned) -> Vec<&'a Change> {
        let start = node.span().start();
        self.at.get(&(genre, start.line, start.column + 1)).cloned().unwrap_or_default()
    }

    fn of(&self, node: &impl Spanned) -> &'a str {
        &self.text[range(node)]
    }

    /// Puts alternatives in front of an expression and ends them behind it, around what is woven into it.
    fn around(&mut self, node: &impl Spanned, alternatives: Text, end: &str, inside: impl FnOnce(&mut Self)) {
        let range = range(node);
        let place = self.pieces.begin(range.start, alternatives.text, alternatives.changes);
        inside(self);
        self.pieces.end(range.end, end, place);
    }

    /// A body can be left before it begins.
    fn body(&mut self, signature: &'a syn::Signature, body: &'a syn::Block) {
        let Some(first) = body.stmts.first() else { return };
        if signature.constness.is_some() && self.needed.contains(&signature.ident.to_string()) {
            return;
        }
        if let Some(constant) = &signature.constness {
            self.pieces.remove(range(constant));
        }
        let changes = self.changes("FnValue", first);
        // Two types cannot be one that is not told.
        let is_hidden = self.of(&signature.output).contains("impl ");
        if !changes.is_empty() && !is_hidden {
            let mut text = Text::default();
            for change in changes {
                text.text.push(' ');
                text.when(change.number);
                text.text.push_str("return ");
                text.change(change.number, &change.replacement);
                text.text.push_str("; }");
            }
            self.pieces.begin(body.brace_token.span.open().byte_range().end, text.text, text.changes);
        }
        visit::visit_block(self, body);
    }

    fn arm(&mut self, arm: &'a syn::Arm, has_rest: bool) {
        if let Some((_, guard)) = &arm.guard {
            let changes = self.changes("MatchArmGuard", guard.as_ref());
            let text = self::guard(&changes);
            self.around(guard.as_ref(), text, "))", |weaver| weaver.visit_expr(guard));
        } else if let ([change], true) = (&self.changes("MatchArm", arm)[..], has_rest) {
            let mut text = Text { text: " if ".to_owned(), changes: Vec::new() };
            text.change(change.number, &format!("!{ON}({})", change.number));
            self.pieces.begin(range(&arm.pat).end, text.text, text.changes);
        }
        self.visit_expr(&arm.body);
    }
}

impl<'a> Visit<'a> for Weaver<'a> {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.body(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.body(&item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.body(&item.sig, body);
        }
    }

    // What is computed while compiling asks no switch.
    fn visit_item_const(&mut self, _: &'a syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'a syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}
    fn visit_type(&mut self, _: &'a syn::Type) {}
    fn visit_pat(&mut self, _: &'a syn::Pat) {}
    fn visit_generic_argument(&mut self, _: &'a syn::GenericArgument) {}
    fn visit_variant(&mut self, _: &'a syn::Variant) {}

    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_binary(&mut self, binary: &'a syn::ExprBinary) {
        let changes = self.changes("BinaryOperator", &binary.op);
        if changes.is_empty() || has_let(&binary.left) || has_let(&binary.right) {
            return visit::visit_expr_binary(self, binary);
        }
        let (left, right) = (self.of(&binary.left), self.of(&binary.right));
        let text = Text::alternatives(&changes, |change| format!("({left}) {} ({right})", change.replacement));
        self.around(binary, text, ") })", |weaver| visit::visit_expr_binary(weaver, binary));
    }

    fn visit_expr_unary(&mut self, unary: &'a syn::ExprUnary) {
        let changes = self.changes("UnaryOperator", &unary.op);
        if changes.is_empty() {
            return visit::visit_expr_unary(self, unary);
        }
        let operand = self.of(&unary.expr);
        let text = Text::alternatives(&changes, |_| operand.to_owned());
        self.around(unary, text, ") })", |weaver| visit::visit_expr_unary(weaver, unary));
    }

    fn visit_expr_match(&mut self, matched: &'a syn::ExprMatch) {
        self.visit_expr(&matched.expr);
        // A deleted arm's values are those of an arm for all others.
        let has_rest = matched.arms.iter().any(|arm| matches!(arm.pat, syn::Pat::Wild(_)) && arm.guard.is_none());
        for arm in &matched.arms {
            self.arm(arm, has_rest);
        }
    }

    fn visit_expr_struct(&mut self, made: &'a syn::ExprStruct) {
        for field in &made.fields {
            let changes = self.changes("StructField", field);
            let ([change], Some(rest), syn::Member::Named(name)) = (&changes[..], &made.rest, &field.member) else {
                self.visit_expr(&field.expr);
                continue;
            };
            let mut text = Text::default();
            if field.colon_token.is_none() {
                text.text.push_str(": ");
            }
            text.when(change.number);
            text.change(change.number, &format!("({}).{name}", self.of(rest.as_ref())));
            text.text.push_str(" } else { ");
            if field.colon_token.is_none() {
                text.text.extend([&name.to_string(), " }"]);
                self.pieces.begin(range(field).end, text.text, text.changes);
            } else {
                self.around(&field.expr, text, " }", |weaver| weaver.visit_expr(&field.expr));
            }
        }
        if let Some(rest) = &made.rest {
            self.visit_expr(rest);
        }
    }
}

#[cfg(test)]
mod tests;
