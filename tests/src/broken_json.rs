//! Texts that the strict JSON reader refuses: what is wrong with each, and at which byte.

use dualseal::error::Problem::{
    self, DuplicateMember, JsonByteOrderMark, JsonDepth, JsonNumber, JsonSurrogate, JsonSyntax, Utf8,
};

/// A refused text, the problem, and the byte at which reading stops.
pub type Refusal = (Vec<u8>, Problem, u64);

/// Arrays nested so deep, with nothing in the innermost.
pub fn nested_arrays(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

/// Objects nested so deep, with `1` in the innermost.
pub fn nested_objects(depth: usize) -> String {
    r#"{"a":"#.repeat(depth) + "1" + &"}".repeat(depth)
}

/// Every kind of refusal.
pub fn refusals() -> Vec<Refusal> {
    let mut all: Vec<Refusal> = syntax().iter().map(|(text, at)| (text.as_bytes().to_vec(), JsonSyntax, *at)).collect();
    all.extend(others().into_iter().map(|(text, problem, at)| (text.to_vec(), problem, at)));
    all.push((nested_arrays(33).into_bytes(), JsonDepth, 32));
    all.push((nested_arrays(100_000).into_bytes(), JsonDepth, 32));
    all.push((nested_objects(33).into_bytes(), JsonDepth, 32 * 5));
    // Every control character must be escaped in a string.
    all.extend((0..0x20u8).map(|control| (vec![b'"', b'a', control, b'"'], JsonSyntax, 2)));
    all
}

fn syntax() -> [(&'static str, u64); 53] {
    [
        ("", 0),
        (" \t\r\n", 4),
        ("nul", 0),
        ("True", 0),
        ("NaN", 0),
        ("Infinity", 0),
        ("-", 0),
        ("-a", 0),
        ("+1", 0),
        (".5", 0),
        ("01", 0),
        ("-01", 0),
        ("00", 0),
        ("0x10", 1),
        ("1 2", 2),
        ("1,", 1),
        ("nullnull", 4),
        ("\u{a0}1", 0),
        ("\u{b}1", 0),
        ("'a'", 0),
        ("\"", 1),
        ("\"a", 2),
        ("\"a\\", 3),
        ("\"\\a\"", 2),
        ("\"\\'\"", 2),
        ("\"\\U0041\"", 2),
        ("\"\\x41\"", 2),
        ("\"\\u\"", 3),
        ("\"\\u004\"", 3),
        ("\"\\u004g\"", 3),
        ("\"\\u+041\"", 3),
        ("\"\\u00\u{e9}0\"", 3),
        ("\"\\ud83d\\u12\"", 9),
        ("[", 1),
        ("]", 0),
        ("[1", 2),
        ("[1 2]", 3),
        ("[,1]", 1),
        ("[1,]", 3),
        ("[1,,2]", 3),
        ("[1}", 2),
        ("[1]]", 3),
        ("{", 1),
        ("}", 0),
        ("{a:1}", 1),
        ("{1:1}", 1),
        ("{\"a\"}", 4),
        ("{\"a\" 1}", 5),
        ("{\"a\":}", 5),
        ("{\"a\":1,}", 7),
        ("{\"a\":1 \"b\":2}", 7),
        ("{\"a\":1}}", 7),
        ("[1] // no comments", 4),
    ]
}

fn others() -> [(&'static [u8], Problem, u64); 30] {
    [
        (b"\xef\xbb\xbf1", JsonByteOrderMark, 0),
        (b"\xef\xbb\xbf", JsonByteOrderMark, 0),
        (b"\xef\xbb", Utf8, 0),
        (b"\xff\xfe1\0", Utf8, 0),
        (b"\"ab\xff\"", Utf8, 3),
        (b"\"\xc0\x80\"", Utf8, 1),
        (b"\"\xed\xa0\x80\"", Utf8, 1),
        (b"\"\xf4\x90\x80\x80\"", Utf8, 1),
        (b"1.0", JsonNumber, 0),
        (b"[0, 1.5]", JsonNumber, 4),
        (b"1.", JsonNumber, 0),
        (b"1e2", JsonNumber, 0),
        (b"1E2", JsonNumber, 0),
        (b" -0", JsonNumber, 1),
        (b"-0.0", JsonNumber, 0),
        (b"0e0", JsonNumber, 0),
        (b"9007199254740992", JsonNumber, 0),
        (b"-9007199254740992", JsonNumber, 0),
        (b"18446744073709551616", JsonNumber, 0),
        (b"100000000000000000000000000000000", JsonNumber, 0),
        (b"\"\\ud800\"", JsonSurrogate, 2),
        (b"\"\\udc00\"", JsonSurrogate, 2),
        (b"\"\\udc00\\ud800\"", JsonSurrogate, 2),
        (b"\"\\ud800\\u0041\"", JsonSurrogate, 2),
        (b"\"ab\\ud800cd\"", JsonSurrogate, 4),
        (b"\"\\ud83d\\ude00\\ud83d\"", JsonSurrogate, 14),
        (br#"{"a":1,"a":2}"#, DuplicateMember, 7),
        (br#"{"a":1, "\u0061":1}"#, DuplicateMember, 8),
        (br#"[{"x":{"":0,"b":1,"":0}}]"#, DuplicateMember, 18),
        (br#"{"a":1,"b":[],"a":null}"#, DuplicateMember, 14),
    ]
}
