//! Which functions are computed while compiling. There no switch can be asked; what is `const` and not needed so loses
//! that word in the copy.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};

/// Words of constant expressions, and of the bodies of constant functions.
#[derive(Default)]
pub(crate) struct Constants {
    words: BTreeSet<String>,
    functions: Vec<(String, BTreeSet<String>)>,
}

impl Constants {
    /// Looks through one file.
    pub(crate) fn look(&mut self, text: &str) -> Result<(), String> {
        let file = syn::parse_file(text).map_err(|error| error.to_string())?;
        Reader { text, found: self }.visit_file(&file);
        Ok(())
    }

    /// The names of what has to stay constant: what a constant expression may call, at whatever remove.
    pub(crate) fn needed(&self) -> BTreeSet<String> {
        let mut needed = self.words.clone();
        loop {
            let called = self.functions.iter().filter(|(name, _)| needed.contains(name)).flat_map(|(_, words)| words);
            let more: Vec<_> = called.filter(|word| !needed.contains(*word)).cloned().collect();
            if more.is_empty() {
                return needed;
            }
            needed.extend(more);
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    found: &'a mut Constants,
}

impl Reader<'_> {
    fn words(&self, node: &impl syn::spanned::Spanned) -> BTreeSet<String> {
        let text = &self.text[node.span().byte_range()];
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').map(str::to_owned).collect()
    }

    fn constant(&mut self, node: &impl syn::spanned::Spanned) {
        let words = self.words(node);
        self.found.words.extend(words);
    }

    fn function(&mut self, signature: &syn::Signature, body: &syn::Block) {
        if signature.constness.is_some() {
            self.found.functions.push((signature.ident.to_string(), self.words(body)));
        }
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_item_const(&mut self, item: &'a syn::ItemConst) {
        self.constant(item);
    }

    fn visit_item_static(&mut self, item: &'a syn::ItemStatic) {
        self.constant(item);
    }

    fn visit_impl_item_const(&mut self, item: &'a syn::ImplItemConst) {
        self.constant(item);
    }

    fn visit_trait_item_const(&mut self, item: &'a syn::TraitItemConst) {
        self.constant(item);
    }

    fn visit_expr_const(&mut self, expression: &'a syn::ExprConst) {
        self.constant(expression);
    }

    fn visit_type_array(&mut self, array: &'a syn::TypeArray) {
        self.constant(&array.len);
    }

    fn visit_expr_repeat(&mut self, repeat: &'a syn::ExprRepeat) {
        self.constant(&repeat.len);
        visit::visit_expr(self, &repeat.expr);
    }

    fn visit_generic_argument(&mut self, argument: &'a syn::GenericArgument) {
        if matches!(argument, syn::GenericArgument::Const(_)) {
            self.constant(argument);
        }
        visit::visit_generic_argument(self, argument);
    }

    fn visit_variant(&mut self, variant: &'a syn::Variant) {
        if let Some((_, value)) = &variant.discriminant {
            self.constant(value);
        }
        visit::visit_variant(self, variant);
    }

    /// Its words are not read as a program.
    fn visit_macro(&mut self, called: &'a syn::Macro) {
        let words = self.words(called);
        if words.contains("const") || words.contains("static") {
            self.found.words.extend(words);
        }
    }

    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::Constants;

    #[test]
    fn what_a_constant_calls_stays_constant() {
        let mut constants = Constants::default();
        constants
            .look(
                "const A: u32 = first(); const fn first() -> u32 { second() } const fn second() -> u32 { 1 }
                 const fn third() -> u32 { second() } fn f() -> [u8; length()] { [0; length()] } const fn length() {}
                 macro_rules! m { () => { const B: u32 = fourth(); } }",
            )
            .expect("a file");
        let needed = constants.needed();
        assert!(["first", "second", "length", "fourth"].iter().all(|name| needed.contains(*name)));
        assert!(!needed.contains("third"));
    }
}
