//! The strict JSON reader and the canonical writer against `serde_json` and `serde_json_canonicalizer` (RFC 8785).

use dualseal::Error;
use dualseal::encoding::json::{MAX_DEPTH, MAX_INTEGER, Value};
use dualseal::error::{Malformed, Problem};
use dualseal_tests::broken_json::{nested_arrays, nested_objects, refusals};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

/// Bytes that mean something in JSON.
const JSON_BYTES: &[u8] = b"{}[]:,\"\\u0123456789abcdef-+.eE \n";

fn values() -> impl Strategy<Value = Value> {
    let text = prop_oneof![any::<String>(), "[\\x00-\\x7f]{0,8}", "[\u{e000}-\u{10ffff}]{0,3}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-MAX_INTEGER..=MAX_INTEGER).prop_map(Value::Integer),
        (-9i64..=9).prop_map(Value::Integer),
        text.clone().prop_map(Value::String),
    ];
    leaf.prop_recursive(6, 60, 8, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Value::Array),
            btree_map(text.clone(), inner, 0..8).prop_map(Value::Object),
        ]
    })
}

fn to_oracle(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Integer(number) => (*number).into(),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => items.iter().map(to_oracle).collect(),
        Value::Object(members) => members.iter().map(|(name, item)| (name.clone(), to_oracle(item))).collect(),
    }
}

fn problem(text: &[u8]) -> (Option<u64>, Problem) {
    match Value::parse(text).unwrap_err() {
        Error::Malformed(Malformed { field: "json", index, problem, .. }) => (index, problem),
        error => panic!("{error:?}"),
    }
}

/// Where a character stands in a long text does not matter.
#[test]
fn an_escaped_character_at_every_place_of_a_long_text() {
    for length in 0..200 {
        for special in ["\"", "\\", "\0", "\x1f", "\n", "č", "\x7f"] {
            let (mut texts, plain) = (Vec::new(), "a".repeat(length));
            texts.push(format!("{plain}{special}"));
            texts.push(format!("{special}{plain}"));
            texts.push(format!("{plain}{special}{plain}{special}{special}"));
            for text in texts {
                let value = Value::String(text);
                let expected = serde_json_canonicalizer::to_string(&to_oracle(&value)).unwrap();
                assert_eq!(value.to_canonical().unwrap(), expected);
            }
        }
    }
}

proptest! {
    #[test]
    fn canonical_as_the_oracle_writes_it(value in values()) {
        let text = value.to_canonical().unwrap();
        prop_assert_eq!(&text, &serde_json_canonicalizer::to_string(&to_oracle(&value)).unwrap());
        prop_assert_eq!(&Value::parse(text.as_bytes()).unwrap(), &value);
    }

    /// Other spellings of the same value: spaces, member order, escapes.
    #[test]
    fn any_spelling_is_read(value in values()) {
        let oracle = to_oracle(&value);
        prop_assert_eq!(&Value::parse(serde_json::to_string_pretty(&oracle).unwrap().as_bytes()).unwrap(), &value);
        prop_assert_eq!(&Value::parse(&escaped(&value)).unwrap(), &value);
    }

    #[test]
    fn nothing_panics(bytes in vec(any::<u8>(), 0..200)) {
        let _ = Value::parse(&bytes);
    }

    /// Whatever is accepted, the oracle accepts too and reads the same.
    #[test]
    fn accepts_only_what_the_oracle_accepts(
        value in values(),
        edits in vec((any::<prop::sample::Index>(), prop_oneof![any::<u8>(), prop::sample::select(JSON_BYTES)]), 1..4),
    ) {
        let mut text = value.to_canonical().unwrap().into_bytes();
        for (place, byte) in edits {
            let place = place.index(text.len());
            text[place] = byte;
        }
        if let Ok(read) = Value::parse(&text) {
            let oracle: serde_json::Value = serde_json::from_slice(&text).unwrap();
            prop_assert_eq!(to_oracle(&read), oracle);
        }
    }
}

/// Every character of every string as a `\u` escape, the members in reverse order.
fn escaped(value: &Value) -> Vec<u8> {
    fn text(text: &str) -> String {
        let units: Vec<String> = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
        format!("\"{}\"", units.concat())
    }
    fn write(value: &Value) -> String {
        match value {
            Value::String(s) => text(s),
            Value::Array(items) => format!("[ {} ]", items.iter().map(write).collect::<Vec<_>>().join("\t,")),
            Value::Object(members) => {
                let members = members.iter().rev().map(|(name, item)| format!("{} :\r\n{}", text(name), write(item)));
                format!("{{{}}}", members.collect::<Vec<_>>().join(" , "))
            }
            other => other.to_canonical().unwrap(),
        }
    }
    format!(" {}\n", write(value)).into_bytes()
}

#[test]
fn every_refusal_names_the_problem_and_the_byte() {
    for (text, expected, byte) in refusals() {
        let shown = String::from_utf8_lossy(&text[..text.len().min(60)]).into_owned();
        assert_eq!(problem(&text), (Some(byte), expected), "{shown:?}");
    }
}

#[test]
fn the_limits_themselves_are_accepted() {
    for text in [
        nested_arrays(MAX_DEPTH),
        nested_objects(MAX_DEPTH),
        "9007199254740991".to_string(),
        "-9007199254740991".to_string(),
        "0".to_string(),
        "\"\\ud83d\\ude00 \\/ \u{7f} \u{ffff} \\u0000\"".to_string(),
        "{\"\":{}}".to_string(),
    ] {
        let value = Value::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(Value::parse(value.to_canonical().unwrap().as_bytes()).unwrap(), value);
    }
    // Depth is counted by nesting, not by the number of brackets.
    let wide = format!("[{}]", ["[]"; 100].join(","));
    assert!(Value::parse(wide.as_bytes()).is_ok());
}

/// A reader that follows every level would need the more stack the deeper somebody nests: on the small one of a
/// service's thread it would not end with an error.
#[test]
fn deep_nesting_is_refused_on_a_small_stack() {
    const DEEP: usize = 1_000_000;
    let texts = [nested_arrays(DEEP), nested_objects(DEEP), "[".repeat(DEEP), "{\"\":".repeat(DEEP)];
    let small = std::thread::Builder::new().stack_size(64 << 10);
    let refused = small.spawn(move || texts.iter().all(|text| problem(text.as_bytes()).1 == Problem::JsonDepth));
    assert!(refused.unwrap().join().unwrap());
}

#[test]
fn the_writer_refuses_what_the_reader_refuses() {
    let nest = |depth: usize, object: bool| {
        (0..depth).fold(Value::Null, |inner, _| {
            if object { Value::Object([("a".to_string(), inner)].into()) } else { Value::Array(vec![inner]) }
        })
    };
    let refused = |value: &Value| match value.to_canonical() {
        Err(Error::Malformed(Malformed { field: "json", index: None, problem, .. })) => problem,
        other => panic!("{other:?}"),
    };
    for object in [false, true] {
        assert!(nest(MAX_DEPTH, object).to_canonical().is_ok());
        assert_eq!(refused(&nest(MAX_DEPTH + 1, object)), Problem::JsonDepth);
        assert_eq!(refused(&nest(2_000, object)), Problem::JsonDepth);
    }
    for number in [MAX_INTEGER + 1, -MAX_INTEGER - 1, i64::MAX, i64::MIN] {
        assert_eq!(refused(&Value::Array(vec![Value::Null, Value::Integer(number)])), Problem::JsonNumber);
        assert_eq!(refused(&Value::Object([("n".to_string(), Value::Integer(number))].into())), Problem::JsonNumber);
    }
    assert!(Value::Integer(MAX_INTEGER).to_canonical().is_ok());
}

/// The names of RFC 8785, section 3.2.3: by code units an emoji (U+1F600) stands before U+FB33, by code points after.
#[test]
fn members_are_ordered_by_utf16_code_units() {
    let text = r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}"#;
    let canonical = Value::parse(text.as_bytes()).unwrap().to_canonical().unwrap();
    assert_eq!(
        canonical,
        "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}"
    );
}

/// RFC 8785, section 3.2.2.2: two-letter escapes where there is one, `\u00xx` in lowercase for other controls, and all
/// else as it is.
#[test]
fn strings_are_escaped_in_one_way() {
    let text: String = (0..0x80u8).map(char::from).chain("é€😀\u{2028}".chars()).collect();
    let canonical = Value::String(text).to_canonical().unwrap();
    let controls = "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f\
        \\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\
        \\u001f \
        !\\\"#";
    assert!(canonical.starts_with(controls), "{canonical}");
    assert!(canonical.contains("Z[\\\\]^") && canonical.contains("./0"), "{canonical}");
    assert!(canonical.ends_with("}~\u{7f}é€😀\u{2028}\""), "{canonical}");
}
