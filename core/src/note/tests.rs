use super::*;
use crate::encoding::time::Timestamp;
use crate::error::{Malformed, Rejected};
use std::vec;

fn key(seed: u8) -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&[seed; 32]).unwrap()
}

fn name(text: &str) -> NoteName {
    NoteName::new(text).unwrap()
}

fn body() -> NoteBody {
    NoteBody { origin: name("example.org/log"), size: 20_852_163, root: TreeHash::of_leaf(b"root") }
}

fn log_key() -> NoteKey {
    NoteKey::new(name("example.org/log"), NoteKind::Log, key(1).public_key())
}

fn witness(seed: u8, text: &str) -> NoteKey {
    NoteKey::new(name(text), NoteKind::Witness, key(seed).public_key())
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis((1_700_000_000 + seconds) * 1000).unwrap()
}

fn cosigned(by: &[(u8, &str, i64)]) -> Note {
    let mut note = Note::sign(body(), &key(1));
    for (seed, text, seconds) in by {
        let cosignature = NoteSignature::cosign(&body(), &name(text), &key(*seed), at(*seconds)).unwrap();
        note.add(cosignature).unwrap();
    }
    note
}

fn refused<T: fmt::Debug>(result: Result<T, Error>) -> NoteFault {
    match result.unwrap_err() {
        Error::Rejected(Rejected::Note(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

fn malformed<T: fmt::Debug>(result: Result<T, Error>) -> (&'static str, Option<u64>, Problem) {
    match result.unwrap_err() {
        Error::Malformed(Malformed { field, index, problem }) => (field, index, problem),
        other => panic!("{other:?}"),
    }
}

/// The key of the example in the documentation of Go's `golang.org/x/mod/sumdb/note`.
#[test]
fn a_known_key_is_read_and_written() {
    let text = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    let key = NoteKey::from_text(text).unwrap();
    assert_eq!((key.name().as_str(), key.kind(), key.id()), ("PeterNeumann", NoteKind::Log, [0xc7, 0x4f, 0x20, 0xa3]));
    assert_eq!(key.to_text(), text);
    let own = witness(2, "w.example").to_text();
    assert_eq!(NoteKey::from_text(&own).unwrap(), witness(2, "w.example"));
    for bad in [
        text.replace("c74f", "c74e"),
        text.replace("c74f", "C74F"),
        text.replace("+ARpc", "+ARpd"),
        text.replace("+ARpc", "+AhpC"),
        text.replace("Peter", "Peter "),
        text.replace("10TW", "10T"),
        text.replace("10TW", "10TX"),
        format!("{text}="),
        text.replace('+', "-"),
        text.split('+').take(2).collect::<Vec<_>>().join("+"),
        String::new(),
    ] {
        assert_eq!(malformed(NoteKey::from_text(&bad)), ("note_key", None, Problem::UnknownValue), "{bad}");
    }
    // A point of small order would accept anything.
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let weak = NoteKey::new(name("a"), NoteKind::Log, &crate::ed25519::Ed25519PublicKey::from_bytes(neutral));
    assert!(NoteKey::from_text(&weak.to_text()).is_err());
}

#[test]
fn a_note_is_read_as_it_was_written() {
    let note = cosigned(&[(2, "w.example", 100)]);
    let text = note.to_text();
    assert!(text.starts_with("example.org/log\n20852163\n"), "{text}");
    assert_eq!(Note::from_text(&text), Ok(note.clone()));
    assert_eq!(format!("{note}"), text);
    assert_eq!(note.verify(&log_key()), Ok(()));
    let names: Vec<&str> = note.signatures().iter().map(NoteSignature::name).collect();
    assert_eq!(names, ["example.org/log", "w.example"]);
    assert_eq!(note.signatures()[0].key_id(), &log_key().id());
}

#[test]
fn every_altered_byte_is_noticed() {
    let text = Note::sign(body(), &key(1)).to_text();
    for place in 0..text.len() {
        for with in [b'A', b'1', b'\n', b' ', b'+', b'\r'] {
            let mut bytes = text.clone().into_bytes();
            if bytes[place] == with {
                continue;
            }
            bytes[place] = with;
            let Ok(altered) = String::from_utf8(bytes) else { continue };
            let read = Note::from_text(&altered);
            assert!(read.is_err() || read.unwrap().verify(&log_key()).is_err(), "{altered}");
        }
        let Some((front, back)) = text.split_at_checked(place) else { continue };
        let longer = ["\n", "0", " ", "\u{a0}"].map(|with| [front, with, back].concat());
        for altered in longer.iter().map(String::as_str).chain([front]) {
            let read = Note::from_text(altered);
            assert!(read.is_err() || read.unwrap().verify(&log_key()).is_err(), "{altered}");
        }
    }
}

#[test]
fn bodies_have_one_spelling() {
    let good = Note::sign(body(), &key(1)).to_text();
    for (from, to, line, problem) in [
        ("20852163", "020852163", 1, Problem::Range),
        ("20852163", "+20852163", 1, Problem::Range),
        ("20852163", "18446744073709551616", 1, Problem::Range),
        ("20852163", "", 0, Problem::UnknownValue),
        ("20852163\n", "20852163\r\n", 1, Problem::Range),
        ("20852163\n", "", 0, Problem::UnknownValue),
        ("=\n\n", "=\nan extension\n\n", 0, Problem::UnknownValue),
        ("=\n\n", "\n\n", 2, Problem::UnknownValue),
        ("=\n\n", "==\n\n", 2, Problem::UnknownValue),
        ("example.org/log\n", "example.org+log\n", 0, Problem::UnknownValue),
        ("example.org/log\n", "\n", 0, Problem::UnknownValue),
        ("=\n\n", "=\n", 3, Problem::MissingMember),
        ("\u{2014} ", "- ", 4, Problem::UnknownValue),
        ("\u{2014} ", "\u{2014} \u{2014} ", 4, Problem::UnknownValue),
        ("\n\n\u{2014} ", "\n\n\n\u{2014} ", 4, Problem::UnknownValue),
    ] {
        let bad = good.replacen(from, to, 1);
        assert_eq!(malformed(Note::from_text(&bad)), ("note", Some(line), problem), "{bad}");
    }
    let unsigned = good.split_once("\n\n").unwrap().0;
    assert_eq!(malformed(Note::from_text(&format!("{unsigned}\n\n"))), ("note", Some(4), Problem::MissingMember));
    // A signature of four bytes would be a key id alone.
    let bare = format!("{unsigned}\n\n{DASH}example.org/log AAAAAA==\n");
    assert_eq!(malformed(Note::from_text(&bare)), ("note", Some(4), Problem::UnknownValue));
    let long = format!("{unsigned}\n\n{DASH}example.org/log {}\n", "AAAA".repeat(40_000));
    assert_eq!(malformed(Note::from_text(&long)), ("note", Some(4), Problem::UnknownValue));
}

/// Anybody may sign, under names and in schemes that are not known here.
#[test]
fn a_strangers_line_makes_no_note_unreadable() {
    let good = Note::sign(body(), &key(1));
    let slh_dsa = "A".repeat(66_480);
    let with = format!("{}{DASH}a::b {slh_dsa}\n", good.to_text());
    let read = Note::from_text(&with).unwrap();
    assert_eq!((read.verify(&log_key()), read.signatures()[1].name()), (Ok(()), "a::b"));
    assert_eq!(read.to_text(), with);
}

#[test]
fn names_that_no_note_can_hold() {
    for (bad, problem) in [
        ("", Problem::Range),
        ("a b", Problem::UnknownValue),
        ("a\u{a0}b", Problem::UnknownValue),
        ("a+b", Problem::UnknownValue),
        ("a\nb", Problem::UnknownValue),
        ("a\u{7}b", Problem::Control),
        ("a::b", Problem::Ambiguous),
    ] {
        assert_eq!(malformed(NoteName::new(bad)), ("origin", None, problem), "{bad:?}");
    }
    assert!(NoteName::new(&"a".repeat(255)).is_ok() && NoteName::new(&"a".repeat(256)).is_err());
}

#[test]
fn another_key_or_another_log_is_told() {
    let note = Note::sign(body(), &key(1));
    let with = |text: &str, kind, seed| NoteKey::new(name(text), kind, key(seed).public_key());
    for other in [
        with("example.org/log", NoteKind::Log, 2),
        with("example.org/other", NoteKind::Log, 1),
        with("example.org/log", NoteKind::Witness, 1),
    ] {
        assert_eq!(refused(note.verify(&other)), NoteFault::Unsigned, "{other:?}");
    }
    // Somebody else's signature under the log's own name and key id.
    let stranger = Note::sign(body(), &key(2));
    let mut forged = stranger.signatures()[0].clone();
    forged.key_id = log_key().id();
    let alone = Note { body: body(), signatures: vec![forged.clone()] };
    assert_eq!(refused(alone.verify(&log_key())), NoteFault::Signature);
    let mut beside = note;
    beside.add(forged).unwrap();
    assert_eq!(refused(beside.verify(&log_key())), NoteFault::Signature);
}

#[test]
fn witnesses_are_counted_by_their_keys() {
    let keys = [witness(2, "a.example"), witness(3, "b.example"), witness(4, "c.example")];
    let all = cosigned(&[(2, "a.example", 300), (3, "b.example", 100), (4, "c.example", 200)]);
    for (needed, time) in [(1, 100), (2, 200), (3, 300)] {
        let witnessed = Witnesses::new(&keys, needed).unwrap().judge(&all).unwrap();
        assert_eq!((witnessed.count(), witnessed.time()), (3, Some(at(time))));
        assert_eq!(witnessed.seen_by(key(3).public_key()), Some(at(100)));
        assert_eq!(witnessed.seen_by(key(5).public_key()), None);
    }
    assert_eq!(malformed(Witnesses::new(&keys, 4)), ("witnesses", None, Problem::Range));
    // Whoever names witnesses and asks for none of them is asked what he means.
    assert_eq!(malformed(Witnesses::new(&keys, 0)), ("witnesses", None, Problem::Range));
    let nobody = Witnesses::new(&[], 0).unwrap().judge(&all).unwrap();
    assert_eq!((nobody.count(), nobody.time()), (0, None));
    assert_eq!(malformed(Witnesses::new(&[log_key()], 0)), ("witnesses", None, Problem::UnknownValue));

    // One witness under two names is one, in the list and on the note.
    let twice = [witness(2, "a.example"), witness(2, "z.example")];
    assert_eq!(malformed(Witnesses::new(&twice, 2)), ("witnesses", None, Problem::Range));
    let named = [&keys[..1], &twice[1..], &keys[1..2]].concat();
    let both = cosigned(&[(2, "a.example", 300), (2, "z.example", 250)]);
    let fault = refused(Witnesses::new(&named, 2).unwrap().judge(&both));
    assert_eq!(fault, NoteFault::TooFewWitnesses { needed: 2, found: 1 });
    // Of one key the earliest time counts.
    assert_eq!(Witnesses::new(&named, 1).unwrap().judge(&both).unwrap().time(), Some(at(250)));
}

#[test]
fn strangers_are_passed_over_and_forgers_are_not() {
    let witnesses = Witnesses::new(&[witness(2, "a.example")], 1).unwrap();
    let strangers = cosigned(&[(9, "a.example", 1), (2, "other.example", 1), (2, "a.example", 50)]);
    assert_eq!(witnesses.judge(&strangers).unwrap().time(), Some(at(50)));
    let forged = |alter: &dyn Fn(&mut NoteSignature)| {
        let mut note = cosigned(&[(2, "a.example", 50)]);
        let mut line = note.signatures()[1].clone();
        alter(&mut line);
        note.add(line).unwrap();
        refused(witnesses.judge(&note))
    };
    let fault = NoteFault::Witness { name: "a.example".into() };
    assert_eq!(forged(&|line| line.bytes[7] ^= 1), fault, "an earlier time");
    assert_eq!(forged(&|line| line.bytes[20] ^= 1), fault);
    assert_eq!(forged(&|line| line.bytes.truncate(71)), fault);
    assert_eq!(forged(&|line| line.bytes.truncate(3)), fault);
    assert_eq!(forged(&|line| line.bytes.push(0)), fault);
    assert_eq!(std::format!("{fault}"), "the cosignature of the witness \"a.example\" does not hold");
    // Time 0, signed by the witness itself, is no time.
    let zero = key(2).sign(std::format!("cosignature/v1\ntime 0\n{}", body().to_text()).as_bytes());
    assert_eq!(forged(&|line| line.bytes = [&[0; 8][..], zero.as_bytes()].concat()), fault);
    let seconds = u64::MAX;
    let late = key(2).sign(std::format!("cosignature/v1\ntime {seconds}\n{}", body().to_text()).as_bytes());
    assert_eq!(forged(&|line| line.bytes = [&seconds.to_be_bytes()[..], late.as_bytes()].concat()), fault);
    let early = NoteSignature::cosign(&body(), &name("a"), &key(2), Timestamp::MIN);
    assert_eq!(malformed(early), ("time", None, Problem::Range));
}

/// What a witness saw of one log vouches for no other log, size or root.
#[test]
fn a_cosignature_is_of_one_note() {
    let witnesses = Witnesses::new(&[witness(2, "a.example")], 1).unwrap();
    let line = cosigned(&[(2, "a.example", 50)]).signatures()[1].clone();
    for other in [
        NoteBody { origin: name("example.org/other"), ..body() },
        NoteBody { size: 20_852_164, ..body() },
        NoteBody { root: TreeHash::empty(), ..body() },
    ] {
        let mut note = Note::sign(other, &key(1));
        note.add(line.clone()).unwrap();
        assert_eq!(refused(witnesses.judge(&note)), NoteFault::Witness { name: "a.example".into() });
    }
}

/// What is read may be of any year that a timestamp has, however odd for a clock.
#[test]
fn every_second_after_1970_is_a_time() {
    for text in ["1970-01-01T00:00:01.000Z", "1973-03-03T09:46:39.000Z", "9999-12-31T23:59:59.000Z"] {
        let (mut note, time) = (Note::sign(body(), &key(1)), text.parse().unwrap());
        note.add(NoteSignature::cosign(&body(), &name("w.example"), &key(2), time).unwrap()).unwrap();
        let witnesses = Witnesses::new(&[witness(2, "w.example")], 1).unwrap();
        assert_eq!(witnesses.judge(&note).unwrap().time(), Some(time), "{text}");
    }
}

#[test]
fn sixty_four_lines_are_read() {
    let mut note = Note::sign(body(), &key(1));
    let line = NoteSignature::cosign(&body(), &name("a.example"), &key(2), at(1)).unwrap();
    for _ in 1..64 {
        note.add(line.clone()).unwrap();
    }
    assert_eq!(malformed(note.add(line.clone())), ("note", None, Problem::Range));
    assert_eq!(Note::from_text(&note.to_text()), Ok(note.clone()));
    let mut longer = note.to_text();
    line.write(&mut longer);
    assert_eq!(malformed(Note::from_text(&longer)), ("note", Some(4), Problem::Range));
}
