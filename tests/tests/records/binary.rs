//! The binary forms of record, entry and seal: one form for each value, and every other sequence of bytes is refused by
//! a name.

use dualseal::encoding::is_binary;
use dualseal::error::{Error, Malformed, Problem};
use dualseal::mldsa::{PUBLIC_KEY_BYTES, SIGNATURE_BYTES};
use dualseal::seal::{Seal, SealKey, Sealer};
use dualseal::{Domain, Entry, Head, IdentityId, SignatureRecord, SystemRng};
use dualseal_tests::{identity, key, minute, record};
use proptest::collection::vec;
use proptest::prelude::*;

/// One kind of value: what it is read from, and written as again.
type Again = fn(&[u8]) -> Result<Vec<u8>, Error>;

fn record_again(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    SignatureRecord::from_bytes(bytes).map(|record| record.to_bytes())
}

fn short_record_again(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    SignatureRecord::from_bytes_with_key(bytes, key(7).public_key()).map(|record| record.to_bytes_without_key())
}

fn entry_again(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    Entry::from_bytes(bytes)?.to_bytes()
}

fn seal_again(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    Seal::from_bytes(bytes).map(|seal| seal.to_bytes())
}

fn example_record() -> SignatureRecord {
    record(&identity("ana"), &key(7), b"one contract")
}

fn example_entry(message: &str) -> Entry {
    Head::EMPTY.append(&Domain::default(), &identity("ana"), message, minute(3)).unwrap().entry
}

fn example_seals() -> [Seal; 2] {
    let (domain, ana, signing) = (Domain::default(), identity("ana"), key(7));
    let seal_key = SealKey::from_slice(&[9; 32]).unwrap();
    let sealer = Sealer::new(&domain, &ana, &seal_key, &signing);
    [sealer.seal(b"hi", &mut SystemRng).unwrap().into(), sealer.seal_legacy(b"hi").unwrap().into()]
}

/// Each kind with an example and how it is read.
fn examples() -> Vec<(Vec<u8>, Again)> {
    let record = example_record();
    let [dual, legacy] = example_seals();
    vec![
        (record.to_bytes(), record_again),
        (record.to_bytes_without_key(), short_record_again),
        (example_entry("").to_bytes().unwrap(), entry_again),
        (example_entry("primljeno: šest ♥").to_bytes().unwrap(), entry_again),
        (dual.to_bytes(), seal_again),
        (legacy.to_bytes(), seal_again),
    ]
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Error>) -> (&'static str, Problem) {
    match result {
        Err(Error::Malformed(Malformed { field, problem, .. })) => (field, problem),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_field_stands_where_the_page_says() {
    let record = example_record();
    let head = [&b"DSB1\x01\x01"[..], record.identity_id().as_bytes(), record.content_hash().as_bytes()].concat();
    let millis = u64::try_from(record.time().as_millis()).unwrap().to_be_bytes();
    let (key, signature) = (record.public_key().as_bytes(), record.signature().as_bytes());
    let whole = [&head[..], record.krunica_hash().as_bytes(), &millis, key, signature].concat();
    assert_eq!(record.to_bytes(), whole);
    assert_eq!(whole.len(), 5371);
    let mut short = whole;
    short.drain(110..110 + PUBLIC_KEY_BYTES);
    short[5] = 0;
    assert_eq!(record.to_bytes_without_key(), short);
    assert_eq!(short.len(), 3419);

    let entry = example_entry("hello");
    let parts = [b"DSB1\x02\0", &0_u64.to_be_bytes()[..], entry.identity_id().as_bytes(), entry.prev().as_bytes()];
    let millis = u64::try_from(entry.time().as_millis()).unwrap().to_be_bytes();
    let rest = [&millis[..], entry.hash().as_bytes(), &5_u32.to_be_bytes(), b"hello"];
    assert_eq!(entry.to_bytes().unwrap(), [parts.concat(), rest.concat()].concat());

    let [dual, legacy] = example_seals();
    for (seal, kind, length) in [(dual, 3, 6 + 64 + SIGNATURE_BYTES), (legacy, 4, 70)] {
        let info = seal.info();
        let hex = info.hmac_hex + info.signature_hex.as_deref().unwrap_or_default();
        let expected = [&b"DSB1"[..], &[kind, 0], &hex::decode(hex).unwrap()].concat();
        assert_eq!((seal.to_bytes(), expected.len()), (expected, length));
    }
}

#[test]
fn what_is_read_is_what_was_written() {
    for (bytes, again) in examples() {
        assert_eq!(again(&bytes).unwrap(), bytes);
    }
    let record = example_record();
    assert_eq!(SignatureRecord::from_bytes(&record.to_bytes()), Ok(record.clone()));
    for bytes in [record.to_bytes(), record.to_bytes_without_key()] {
        assert_eq!(SignatureRecord::from_bytes_with_key(&bytes, record.public_key()), Ok(record.clone()));
    }
    let entry = example_entry("hello");
    assert_eq!(Entry::from_bytes(&entry.to_bytes().unwrap()), Ok(entry));
    for seal in example_seals() {
        assert_eq!(Seal::from_bytes(&seal.to_bytes()), Ok(seal));
    }
}

#[test]
fn a_record_is_read_with_its_key_alone() {
    let record = example_record();
    let short = refusal(SignatureRecord::from_bytes(&record.to_bytes_without_key()));
    assert_eq!(short, ("javni_kljuc", Problem::MissingMember));
    let other = key(8);
    let refused = refusal(SignatureRecord::from_bytes_with_key(&record.to_bytes(), other.public_key()));
    assert_eq!(refused, ("javni_kljuc", Problem::UnknownValue));
}

#[test]
fn the_key_of_a_record_without_one_is_asked_for_by_its_identity() {
    let record = example_record();
    let of_ana = |signer: &IdentityId| (*signer == identity("ana")).then(|| key(7).public_key().clone());
    assert_eq!(SignatureRecord::from_bytes_by(&record.to_bytes_without_key(), of_ana), Ok(record.clone()));
    let nobody = refusal(SignatureRecord::from_bytes_by(&record.to_bytes_without_key(), |_| None));
    assert_eq!(nobody, ("javni_kljuc", Problem::MissingMember));
    // One that has its key needs none, and is asked for none.
    assert_eq!(SignatureRecord::from_bytes_by(&record.to_bytes(), |_| unreachable!("it has one")), Ok(record));
}

#[test]
fn binary_forms_are_told_by_how_they_begin() {
    for (bytes, _) in examples() {
        assert!(is_binary(&bytes) && !is_binary(&bytes[1..]));
    }
    let record = example_record().to_json();
    for text in ["", "DSB", record.as_str(), "SEAL-DUAL::00"] {
        assert!(!is_binary(text.as_bytes()), "{text}");
    }
}

#[test]
fn no_other_length_is_read() {
    for (bytes, again) in examples() {
        for length in 0..bytes.len() {
            let (field, problem) = refusal(again(&bytes[..length]));
            assert!(
                field == "bytes" && matches!(problem, Problem::Length { found, .. } if found == length),
                "{length}"
            );
        }
        let longer = [&bytes[..], &[0]].concat();
        let expected = Problem::Length { expected: bytes.len(), found: longer.len() };
        assert_eq!(refusal(again(&longer)), ("bytes", expected));
    }
}

#[test]
fn no_other_header_is_read() {
    for (bytes, again) in examples() {
        for (place, field) in [(0, "magic"), (1, "magic"), (2, "magic"), (3, "magic"), (4, "kind")] {
            for value in (0..=255).filter(|value| *value != bytes[place]) {
                let mut altered = bytes.clone();
                altered[place] = value;
                // One kind of seal is as long as it is.
                let expected = if place == 4 && bytes[4] > 2 && (3..=4).contains(&value) { "bytes" } else { field };
                assert_eq!(refusal(again(&altered)).0, expected, "{value} at {place}");
            }
        }
        for flags in 2..=255 {
            let mut altered = bytes.clone();
            altered[5] = flags;
            assert_eq!(refusal(again(&altered)), ("flags", Problem::UnknownValue));
        }
        if bytes[4] != 1 {
            let mut altered = bytes;
            altered[5] = 1;
            assert_eq!(refusal(again(&altered)), ("flags", Problem::UnknownValue));
        }
    }
}

/// The last moment and the greatest `seq` that JSON has, and the first that it has not.
#[test]
fn numbers_are_those_of_json() {
    let put = |bytes: &[u8], at: usize, number: u64| {
        let mut altered = bytes.to_vec();
        altered[at..at + 8].copy_from_slice(&number.to_be_bytes());
        altered
    };
    let (record, entry) = (example_record().to_bytes(), example_entry("x").to_bytes().unwrap());
    let last = 253_402_300_799_999;
    for (bytes, again, at, field, greatest) in [
        (&record, record_again as Again, 102, "timestamp", last),
        (&entry, entry_again, 110, "t", last),
        (&entry, entry_again, 6, "seq", (1 << 53) - 1),
    ] {
        for number in [0, greatest] {
            let altered = put(bytes, at, number);
            assert_eq!(again(&altered), Ok(altered));
        }
        for number in [greatest + 1, 1 << 63, u64::MAX] {
            assert_eq!(refusal(again(&put(bytes, at, number))), (field, Problem::Range), "{number}");
        }
    }
}

#[test]
fn a_message_is_text_of_the_length_that_stands_before_it() {
    let bytes = example_entry("ab").to_bytes().unwrap();
    let mut torn = bytes.clone();
    torn[187] = 0xff;
    let found = Entry::from_bytes(&torn);
    let expected = Malformed::new("poruka", Some(1), Problem::Utf8);
    assert_eq!(found, Err(Error::Malformed(expected)));
    for length in [0_u32, 1, 3, u32::MAX] {
        let mut altered = bytes.clone();
        altered[182..186].copy_from_slice(&length.to_be_bytes());
        let expected = 186 + usize::try_from(length).unwrap();
        let problem = Problem::Length { expected, found: 188 };
        assert_eq!(refusal(Entry::from_bytes(&altered)), ("bytes", problem));
    }
}

/// What reads them, each with the name of its kind.
const KINDS: [Again; 4] = [record_again, short_record_again, entry_again, seal_again];

proptest! {
    #[test]
    fn an_entry_survives(message in ".{0,200}", minutes in 0_i64..1_000_000) {
        let appended = Head::EMPTY.append(&Domain::default(), &identity("ana"), &message, minute(minutes));
        let entry = appended.unwrap().entry;
        prop_assert_eq!(Entry::from_bytes(&entry.to_bytes().unwrap()), Ok(entry));
    }

    #[test]
    fn whatever_is_read_is_written_as_it_was(
        kind in 0_u8..6, flags in 0_u8..3, mut rest in vec(any::<u8>(), 0..400), again in 0..KINDS.len(),
    ) {
        let mut bytes = vec![b'D', b'S', b'B', b'1', kind, flags];
        bytes.append(&mut rest);
        if let Ok(written) = KINDS[again](&bytes) {
            prop_assert_eq!(written, bytes);
        }
    }
}
