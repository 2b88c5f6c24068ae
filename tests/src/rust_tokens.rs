//! Rust source as a list of words, punctuation and string literals: enough to find paths and attributes in it.
//! Comments, numbers, characters and lifetimes are left out.

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(String),
    Text(String),
    Mark(char),
}

impl Token {
    /// Whether it is this word.
    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Self::Word(w) if w == word)
    }

    /// Whether it is this character.
    pub fn is_mark(&self, mark: char) -> bool {
        *self == Self::Mark(mark)
    }
}

/// Splits source text.
pub fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        rest = if rest.starts_with("//") {
            rest.split_once('\n').map_or("", |(_, after)| after)
        } else if rest.starts_with("/*") {
            after_block_comment(rest)
        } else if let Some((text, after)) = string_literal(rest) {
            tokens.push(Token::Text(text.to_string()));
            after
        } else if c == '\'' {
            after_character_or_lifetime(rest)
        } else if c.is_alphanumeric() || c == '_' {
            let (word, after) = split_while(rest, |c| c.is_alphanumeric() || c == '_');
            if !c.is_ascii_digit() {
                tokens.push(Token::Word(word.to_string()));
            }
            after
        } else {
            if !c.is_whitespace() {
                tokens.push(Token::Mark(c));
            }
            &rest[c.len_utf8()..]
        };
    }
    tokens
}

/// Leaves out what is compiled for tests only.
pub fn without_tests(all: &[Token]) -> Vec<Token> {
    let test_only = tokens("cfg(test)");
    without_attributed(all, |attribute| attribute == test_only)
}

/// Leaves out every item with such an attribute.
pub fn without_attributed(tokens: &[Token], is_such: impl Fn(&[Token]) -> bool) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is_mark('#') && tokens.get(at + 1).is_some_and(|t| t.is_mark('[')) {
            let end = closing(tokens, at + 1);
            if is_such(&tokens[at + 2..end]) {
                at = end_of_item(tokens, end + 1);
                continue;
            }
        }
        kept.push(tokens[at].clone());
        at += 1;
    }
    kept
}

/// The index of the bracket that closes the one at `open`.
pub fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Mark('[' | '(' | '{') => depth += 1,
            Token::Mark(']' | ')' | '}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

/// After the semicolon or the closing brace of the item that begins at `at`. A `use` has braces before its semicolon.
pub fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    let mut is_use = false;
    while at < tokens.len() {
        match &tokens[at] {
            Token::Word(word) if word == "use" => is_use = true,
            Token::Mark(';') => return at + 1,
            Token::Mark('{') if !is_use => return closing(tokens, at) + 1,
            Token::Mark('[' | '(' | '{') => at = closing(tokens, at),
            _ => {}
        }
        at += 1;
    }
    at
}

fn split_while(text: &str, keep: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !keep(c)).unwrap_or(text.len()))
}

/// Block comments nest.
fn after_block_comment(text: &str) -> &str {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        let here = &text[at..];
        if here.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with("*/") {
            depth -= 1;
            at += 2;
        } else {
            at += here.chars().next().map_or(1, char::len_utf8);
        }
        if depth == 0 {
            return &text[at..];
        }
    }
    ""
}

/// `"…"`, `b"…"`, `r"…"`, `r#"…"#`, `br#"…"#`.
fn string_literal(text: &str) -> Option<(&str, &str)> {
    let body = text.strip_prefix('b').unwrap_or(text);
    if let Some(raw) = body.strip_prefix('r') {
        let (hashes, quoted) = split_while(raw, |c| c == '#');
        let quoted = quoted.strip_prefix('"')?;
        let end = format!("\"{hashes}");
        return Some(quoted.split_once(end.as_str()).unwrap_or((quoted, "")));
    }
    let quoted = body.strip_prefix('"')?;
    let mut escaped = false;
    for (at, c) in quoted.char_indices() {
        match c {
            '"' if !escaped => return Some((&quoted[..at], &quoted[at + 1..])),
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    Some((quoted, ""))
}

fn after_character_or_lifetime(text: &str) -> &str {
    let inner = &text[1..];
    if let Some(escape) = inner.strip_prefix('\\') {
        let first = escape.chars().next().map_or(0, char::len_utf8);
        return escape[first..].split_once('\'').map_or("", |(_, after)| after);
    }
    let first = inner.chars().next().map_or(0, char::len_utf8);
    match inner[first..].strip_prefix('\'') {
        Some(after) => after,
        None => split_while(inner, |c| c.is_alphanumeric() || c == '_').1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<String> {
        let words = tokens(source).into_iter().filter_map(|t| if let Token::Word(w) = t { Some(w) } else { None });
        words.collect()
    }

    #[test]
    fn comments_and_literals_are_not_words() {
        let source =
            "a // b\n /* c /* d */ e */ f '\\'' 'g' 'h: \"i \\\" j\" k br#\"l \"m\"# n 0x6f b\"p\" b'q' '\\u{72}' s";
        assert_eq!(words(source), ["a", "f", "k", "n", "b", "s"]);
    }

    #[test]
    fn strings_keep_their_text() {
        let texts: Vec<Token> = tokens("#[cfg(feature = \"std\")]").into_iter().collect();
        assert!(texts.contains(&Token::Text("std".to_string())));
        assert!(texts[0].is_mark('#') && texts[2].is_word("cfg"));
    }
}
