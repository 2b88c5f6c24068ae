//! The contract that every record's reader keeps: exactly its members, in any order and spacing, each of its type; and
//! every refusal names the member.

use crate::with_member;
use dualseal::error::{Error, Malformed, Problem};
use serde_json::{Value as Json, json};

/// Reads a record, and writes it again.
pub type Read<'a> = &'a dyn Fn(&[u8]) -> Result<String, Error>;

/// What a reader names when it refuses a text.
pub fn refusal(read: Read<'_>, text: &str) -> (&'static str, Problem) {
    match read(text.as_bytes()) {
        Err(Error::Malformed(Malformed { field, problem, .. })) => (field, problem),
        other => panic!("{text}: {other:?}"),
    }
}

/// Checks the contract with one example. `nullable` are members that may be null, or of another type than they have
/// here.
pub fn check(record: &'static str, example: &str, nullable: &[&str], read: Read<'_>) {
    let json: Json = serde_json::from_str(example).expect("JSON");
    let members = json.as_object().expect("an object");
    for text in [example.to_string(), serde_json::to_string_pretty(&json).expect("JSON"), reversed(&json)] {
        assert_eq!(read(text.as_bytes()).as_deref(), Ok(example), "{record}");
    }
    for unknown in ["unknown", "", "Timestamp", "a\nb"] {
        let found = refusal(read, &with_member(example, unknown, json!(1)));
        assert_eq!(found, (record, Problem::UnknownMember(unknown.to_string())));
    }
    for (name, value) in members {
        let mut without = json.clone();
        without.as_object_mut().expect("an object").remove(name);
        let (field, problem) = refusal(read, &without.to_string());
        assert_eq!((field, problem), (name.as_str(), Problem::MissingMember), "{record}");
        let twice = format!("{{\"{name}\":{value},{}", &example[1..]);
        assert_eq!(refusal(read, &twice), ("json", Problem::DuplicateMember), "{record} {name}");
        for other in [json!(null), json!(true), json!(7), json!("?"), json!([]), json!({})] {
            if std::mem::discriminant(&other) != std::mem::discriminant(value) && !nullable.contains(&name.as_str()) {
                let found = refusal(read, &with_member(example, name, other.clone()));
                assert_eq!(found, (name.as_str(), Problem::WrongType), "{record} {other}");
            }
        }
    }
    for other in ["null", "[]", "\"\"", "1", "true"] {
        assert_eq!(refusal(read, other), (record, Problem::WrongType));
    }
    for broken in ["", "{", &example[1..], &format!("{example}{example}")] {
        assert_eq!(refusal(read, broken), ("json", Problem::JsonSyntax));
    }
}

/// Checks that a member of so many hexadecimal characters is refused in every other form.
pub fn check_hex(example: &str, member: &'static str, length: usize, read: Read<'_>) {
    let good = serde_json::from_str::<Json>(example).expect("JSON")[member].as_str().expect("text").to_string();
    assert_eq!(good.len(), length, "{member}");
    let with_end = |end: &str| format!("{}{end}", &good[..length - end.len()]);
    for (text, problem) in [
        (with_end("A"), Problem::Hex),
        (with_end("g"), Problem::Hex),
        (with_end(" "), Problem::Hex),
        (with_end("é"), Problem::Hex),
        (format!("0x{}", &good[2..]), Problem::Hex),
        (good[1..].to_string(), Problem::Length { expected: length, found: length - 1 }),
        (good[2..].to_string(), Problem::Length { expected: length, found: length - 2 }),
        (format!("{good}00"), Problem::Length { expected: length, found: length + 2 }),
        (String::new(), Problem::Length { expected: length, found: 0 }),
    ] {
        let found = refusal(read, &with_member(example, member, text.as_str().into()));
        assert_eq!(found.1, problem, "{member} {text}");
        assert_eq!(found.0, member);
    }
}

fn reversed(json: &Json) -> String {
    let members = json.as_object().expect("an object").iter().rev();
    let members: Vec<String> = members.map(|(name, value)| format!(" \"{name}\" : {value} ")).collect();
    format!("{{{}}}", members.join(","))
}
