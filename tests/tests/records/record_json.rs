//! The JSON of records: one contract that every kind keeps. Exactly its members, each of its type and form, and every
//! refusal names the member.

use dualseal::error::{Error, Malformed, Problem};
use dualseal::key::KeyPairInfo;
use dualseal::{Entry, KeyRing, SignatureRecord, VerificationResult};
use dualseal_tests::{identity, key, minute, record, signed, with_member};
use serde_json::{Value as Json, json};
use std::fmt::Debug;

/// A kind of record: its name in errors, how it is read and written, and what each member may not be.
struct Kind<T> {
    name: &'static str,
    read: fn(&[u8]) -> Result<T, Error>,
    write: fn(&T) -> String,
    examples: Vec<T>,
    /// Bad values with the problem that each is, by member.
    bad: Vec<(&'static str, Json, Problem)>,
    /// Members that may be null.
    nullable: &'static [&'static str],
}

fn refusal<T: Debug>(result: Result<T, Error>) -> (&'static str, Problem) {
    match result {
        Err(Error::Malformed(Malformed { field, problem, .. })) => (field, problem),
        other => panic!("{other:?}"),
    }
}

impl<T: Debug + PartialEq> Kind<T> {
    fn check(&self) {
        for example in &self.examples {
            let text = (self.write)(example);
            let json: Json = serde_json::from_str(&text).unwrap();
            self.check_round_trip(example, &text, &json);
            self.check_members(&text, &json);
            self.check_types(&text, &json);
        }
        for (member, value, problem) in &self.bad {
            let text = with_member(&(self.write)(&self.examples[0]), member, value.clone());
            assert_eq!(refusal((self.read)(text.as_bytes())), (*member, problem.clone()), "{} {value}", self.name);
        }
    }

    fn check_round_trip(&self, example: &T, text: &str, json: &Json) {
        assert_eq!(&(self.read)(text.as_bytes()).unwrap(), example);
        assert_eq!(text, serde_json_canonicalizer::to_string(json).unwrap(), "not canonical");
        let pretty = serde_json::to_string_pretty(json).unwrap();
        assert_eq!(&(self.read)(pretty.as_bytes()).unwrap(), example);
        // In any member order.
        let members = json.as_object().unwrap().iter().rev().map(|(name, value)| format!("\"{name}\":{value}"));
        let reversed = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
        assert_eq!(&(self.read)(reversed.as_bytes()).unwrap(), example);
    }

    fn check_members(&self, text: &str, json: &Json) {
        let long = "n".repeat(100);
        for unknown in ["unknown", "", "Timestamp", "__proto__", "a\nb", &long] {
            let shown = unknown.chars().take(64).collect();
            let found = refusal((self.read)(with_member(text, unknown, json!(1)).as_bytes()));
            assert_eq!(found, (self.name, Problem::UnknownMember(shown)));
        }
        for (name, value) in json.as_object().unwrap() {
            let mut without = json.clone();
            without.as_object_mut().unwrap().remove(name);
            let (field, problem) = refusal((self.read)(without.to_string().as_bytes()));
            assert_eq!((field, problem), (name.as_str(), Problem::MissingMember));
            for doubled in [format!("{{\"{name}\":{value},{}", &text[1..]), format!("{{\"{name}\":null,{}", &text[1..])]
            {
                let found = refusal((self.read)(doubled.as_bytes()));
                assert_eq!(found, ("json", Problem::DuplicateMember), "{} {name}", self.name);
            }
        }
        for other in ["null", "[]", "\"\"", "1", "true"] {
            assert_eq!(refusal((self.read)(other.as_bytes())), (self.name, Problem::WrongType));
        }
        assert_eq!(refusal((self.read)(b"{}")).1, Problem::MissingMember);
        assert_eq!(refusal((self.read)(&text.as_bytes()[1..])), ("json", Problem::JsonSyntax));
        assert_eq!(refusal((self.read)(format!("{text}{text}").as_bytes())), ("json", Problem::JsonSyntax));
    }

    fn check_types(&self, text: &str, json: &Json) {
        for (name, value) in json.as_object().unwrap() {
            for other in [json!(null), json!(true), json!(7), json!("?"), json!([]), json!({})] {
                let same_type = std::mem::discriminant(&other) == std::mem::discriminant(value);
                // A nullable member may be of the type that the example does not show.
                if same_type || self.nullable.contains(&name.as_str()) {
                    continue;
                }
                let (field, problem) = refusal((self.read)(with_member(text, name, other.clone()).as_bytes()));
                // `quantum_ready` has one value, so that any other is unknown.
                let expected = if name == "quantum_ready" { Problem::UnknownValue } else { Problem::WrongType };
                assert_eq!((field, problem), (name.as_str(), expected), "{} {other}", self.name);
            }
        }
    }
}

/// Bad forms of a member that is so many characters of hexadecimal.
fn bad_hex(member: &'static str, length: usize) -> Vec<(&'static str, Json, Problem)> {
    let digits = "0123456789abcdef".repeat(length / 16 + 1);
    let wrong = |text: String| {
        let problem =
            if text.len() == length { Problem::Hex } else { Problem::Length { expected: length, found: text.len() } };
        (member, Json::from(text), problem)
    };
    [
        digits[..length].to_uppercase(),
        format!("0x{}", &digits[..length - 2]),
        format!("{} ", &digits[..length - 1]),
        format!("{}g", &digits[..length - 1]),
        format!("{}é", &digits[..length - 2]),
        digits[..length - 1].to_string(),
        digits[..length - 2].to_string(),
        format!("{}00", &digits[..length]),
        String::new(),
    ]
    .map(wrong)
    .to_vec()
}

fn bad_times(member: &'static str) -> Vec<(&'static str, Json, Problem)> {
    let times = [
        "",
        "2026-11-21T09:00:00Z",
        "2026-11-21t09:00:00.000z",
        "2026-02-30T09:00:00.000Z",
        "2026-11-21T09:00:60.000Z",
    ];
    times.map(|t| (member, Json::from(t), Problem::Timestamp)).to_vec()
}

fn unknown(member: &'static str, values: &[&str]) -> Vec<(&'static str, Json, Problem)> {
    values.iter().map(|value| (member, Json::from(*value), Problem::UnknownValue)).collect()
}

#[test]
fn signature_records() {
    Kind {
        name: "signature record",
        read: SignatureRecord::from_json,
        write: SignatureRecord::to_json,
        examples: vec![record(&identity("ana"), &key(1), b"one"), record(&identity("ivan"), &key(2), b"")],
        bad: [
            bad_hex("identity_id", 64),
            bad_hex("javni_kljuc", 3904),
            bad_hex("krunica_hash", 64),
            bad_hex("potpis", 6618),
            bad_hex("sadrzaj_hash", 64),
            bad_times("timestamp"),
            unknown("algoritam", &["", "ml-dsa-65", "ML-DSA-44", "ML-DSA-65 ", "Ed25519"]),
            unknown("verzija", &["", "0", "2", "1.0", "01"]),
            vec![("quantum_ready", json!(false), Problem::UnknownValue)],
        ]
        .concat(),
        nullable: &[],
    }
    .check();
}

#[test]
fn lone_entries() {
    let entry = signed(&identity("ana"), &key(1), b"one").entry;
    let second = {
        let mut chain = dualseal::Krunica::new();
        chain.push(entry.clone()).unwrap();
        chain.append(&dualseal::Domain::default(), &identity("ana"), "čćž \" \\ \u{1}|", minute(3)).unwrap()
    };
    Kind {
        name: "entry",
        read: Entry::from_json,
        write: Entry::to_json,
        examples: vec![entry, second],
        bad: [
            bad_hex("h", 128),
            bad_hex("prev", 128),
            bad_hex("w3", 64),
            bad_times("t"),
            vec![("seq", json!(-1), Problem::Range)],
        ]
        .concat(),
        nullable: &[],
    }
    .check();
}

#[test]
fn key_pair_info() {
    let mut registry = dualseal_tests::registry::Registry::new();
    registry.add(&identity("ana"), key(1).public_key());
    let pinned = KeyRing::pinned(&identity("ivan"), key(2).public_key().clone());
    Kind {
        name: "key pair info",
        read: KeyPairInfo::from_json,
        write: KeyPairInfo::to_json,
        examples: vec![registry.ring.info(&identity("ana")).unwrap(), pinned.info(&identity("ivan")).unwrap()],
        bad: [
            bad_hex("identity_id", 64),
            bad_hex("javni_kljuc", 3904),
            bad_times("generirano"),
            unknown("algoritam", &["", "ML-DSA-87"]),
            unknown("bela_stanje", &["", "ISTINA", "valid"]),
            vec![("generirano", json!(1), Problem::WrongType)],
        ]
        .concat(),
        nullable: &["generirano"],
    }
    .check();
}

#[test]
fn verification_results() {
    use dualseal::KeyState::{Decoy, Revoked, Suspended, Valid};
    let result = |valid, state, reason: Option<&str>| VerificationResult {
        valid,
        identity_id: identity("ana"),
        algorithm: dualseal::key::Algorithm::MlDsa65,
        time: Some(minute(1)),
        state,
        reason: reason.map(ToString::to_string),
    };
    Kind {
        name: "verification result",
        read: VerificationResult::from_json,
        write: VerificationResult::to_json,
        examples: vec![
            result(Some(true), Some(Valid), None),
            result(Some(false), Some(Revoked), Some("rejected")),
            result(None, Some(Suspended), Some("suspended")),
            result(Some(false), Some(Decoy), Some("decoy")),
            result(Some(false), None, Some("unknown identity")),
        ],
        bad: [
            bad_hex("identity_id", 64),
            bad_times("timestamp"),
            unknown("algoritam", &["", "ML-DSA-87"]),
            unknown("bela_stanje", &["", "valid"]),
            vec![
                ("validan", json!("true"), Problem::WrongType),
                ("validan", json!(1), Problem::WrongType),
                ("razlog", json!(1), Problem::WrongType),
                ("timestamp", json!(1), Problem::WrongType),
                ("razlog", json!([]), Problem::WrongType),
                ("bela_stanje", json!(false), Problem::WrongType),
            ],
        ]
        .concat(),
        nullable: &["bela_stanje", "razlog", "timestamp", "validan"],
    }
    .check();
}
