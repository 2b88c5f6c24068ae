//! What an operator keeps beside ring and chain: nothing of it can be edited, moved to another log, or be an old one.

use dualseal::checkpoint::HighWaterMark;
use dualseal::error::{Error, Malformed, Misuse, Problem};
use dualseal::key::{CheckedRing, RingFile};
use dualseal::secret::Secret;
use dualseal::store::{LastCheckpoint, SecretsEnd, StoredState, mark_from_json, mark_to_json};
use dualseal::vault::{LayerHash, LedgerHead, LedgerId};
use dualseal::{Domain, Head, IdentityId, RingKey, SigningKey, Timestamp};

const ORIGIN: &str = "example.org/log";

struct Kept {
    authority: RingKey,
    ring: CheckedRing,
    people: Vec<IdentityId>,
    head: Head,
    state: StoredState,
}

fn kept() -> Kept {
    let domain = Domain::default();
    let authority = RingKey::new(&domain, Secret::from_slice("ring key", &[9; 32]).unwrap());
    let mut ring = CheckedRing::new(ORIGIN, &authority).unwrap();
    let (mut head, mut people) = (Head::EMPTY, Vec::new());
    for (name, seed) in [("ana", 7), ("bo", 8), ("cy", 9)] {
        let id = domain.identity_id(b"", name, "").unwrap();
        let key = SigningKey::from_seed(&[seed; 32]).unwrap();
        head = ring.add(&id, key.public_key().clone(), &head, Timestamp::MIN).unwrap().head;
        people.push(id);
    }
    let ledger = |byte, size, top| {
        LedgerHead::from_parts(&LedgerId::from_bytes([byte; 32]), size, LayerHash::from_bytes([top; 32]))
    };
    let last = LastCheckpoint { size: 2, hash: [5; 32] };
    let state = StoredState::new(head.clone()).with_ledger(ledger(2, 7, 1)).with_ledger(ledger(1, 0, 0));
    let secrets = SecretsEnd::default().after(&[1; 32], &[2; 32]);
    let state = state.with_checkpoint(last).with_secrets(secrets);
    Kept { authority, ring, people, head, state }
}

#[test]
fn no_byte_of_the_state_can_be_altered() {
    let Kept { authority, ring, state, .. } = kept();
    let text = state.to_json(&ring).unwrap();
    assert_eq!(StoredState::from_json(text.as_bytes(), ORIGIN, &authority).unwrap(), Some(state));
    let mut unheld = 0;
    for (index, byte) in text.bytes().enumerate() {
        for other in [byte ^ 1, byte ^ 2, b'0', b'f'] {
            if other == byte {
                continue;
            }
            let mut altered = text.clone().into_bytes();
            altered[index] = other;
            match StoredState::from_json(&altered, ORIGIN, &authority) {
                Ok(Some(_)) => panic!("{index}"),
                Ok(None) => unheld += 1,
                Err(error) => assert!(matches!(error, Error::Malformed(_)), "{index}: {error:?}"),
            }
        }
    }
    assert!(unheld > 1000, "{unheld}");
}

#[test]
fn no_byte_of_the_mark_can_be_altered() {
    let Kept { authority, ring, head, .. } = kept();
    let mark = HighWaterMark::first(ORIGIN, &head, Some(&ring)).unwrap();
    let text = mark_to_json(&mark, &ring, &head).unwrap();
    assert_eq!(mark_from_json(text.as_bytes(), ORIGIN, &authority).unwrap(), Some(mark));
    for (index, byte) in text.bytes().enumerate() {
        let mut altered = text.clone().into_bytes();
        altered[index] = if byte == b'1' { b'2' } else { b'1' };
        assert!(!matches!(mark_from_json(&altered, ORIGIN, &authority), Ok(Some(_))), "{index}");
    }
}

#[test]
fn it_is_of_one_log_one_key_and_one_end() {
    let Kept { authority, ring, head, state, people } = kept();
    let (text, mark) = (state.to_json(&ring).unwrap(), HighWaterMark::first(ORIGIN, &head, Some(&ring)).unwrap());
    let mark = mark_to_json(&mark, &ring, &head).unwrap();
    let other = RingKey::new(&Domain::default(), Secret::from_slice("ring key", &[8; 32]).unwrap());
    let acme = RingKey::new(&Domain::new("ACME").unwrap(), Secret::from_slice("ring key", &[9; 32]).unwrap());
    for (origin, authority) in [("example.org/other", &authority), (ORIGIN, &other), (ORIGIN, &acme)] {
        assert_eq!(StoredState::from_json(text.as_bytes(), origin, authority).unwrap(), None);
        assert_eq!(mark_from_json(mark.as_bytes(), origin, authority).unwrap(), None);
    }
    // One is not the other, whatever their MACs.
    assert!(StoredState::from_json(mark.as_bytes(), ORIGIN, &authority).is_err());
    // Nobody seals what the ring was not followed to, or is past.
    let next = head.append(&Domain::default(), &people[0], "more", Timestamp::MIN).unwrap();
    assert_eq!(state.clone().at(next.head.clone()).to_json(&ring), Err(Misuse::StaleRing.into()));
    let mut followed = ring.clone();
    followed.follow(&next.entry, |_| false).unwrap();
    assert_eq!(state.to_json(&followed), Err(Misuse::StaleHead.into()));
    assert_eq!(ring.seal_rows(&next.head), Err(Misuse::StaleRing.into()));
}

#[test]
fn what_a_state_cannot_be_is_malformed() {
    let Kept { authority, ring, state, .. } = kept();
    let text = state.to_json(&ring).unwrap();
    let (one, two) = ("{\"ledger\":\"0101", "{\"ledger\":\"0202");
    assert!(text.contains(one) && text.contains(two));
    let swapped = text.replace(one, "{\"ledger\":\"0303");
    let cases = [
        (swapped, "ledgers", Problem::Order),
        (text.replace("\"size\":7", "\"size\":0"), "top", Problem::Range),
        (text.replace("\"size\":2", "\"size\":4"), "size", Problem::Range),
        (text.replace("\"secrets\":{\"size\":1", "\"secrets\":{\"size\":0"), "top", Problem::Range),
        (text.replace("\"verzija\":\"1\"", "\"verzija\":\"2\""), "verzija", Problem::UnknownValue),
    ];
    for (text, field, problem) in cases {
        match StoredState::from_json(text.as_bytes(), ORIGIN, &authority) {
            Err(Error::Malformed(Malformed { field: found, problem: because, .. })) => {
                assert_eq!((found, because), (field, problem));
            }
            other => panic!("{field}: {other:?}"),
        }
    }
}

#[test]
fn rows_in_any_order_are_the_file() {
    let Kept { ring, head, people, .. } = kept();
    let seal = ring.seal_rows(&head).unwrap();
    let rows: Vec<String> = people.iter().map(|id| ring.identity_row(id).unwrap()).collect();
    let whole = RingFile::from_json(ring.to_stored_json(&head).unwrap().as_bytes()).unwrap();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let file = RingFile::from_rows(seal.as_bytes(), order.map(|row| &rows[row])).unwrap();
        assert_eq!(file.unchecked(), whole.unchecked());
        assert_eq!((file.size(), file.revision(), file.origin()), (3, 3, ORIGIN));
    }
    let twice = RingFile::from_rows(seal.as_bytes(), [&rows[0], &rows[1], &rows[1]]);
    assert!(matches!(twice, Err(Error::Malformed(Malformed { problem: Problem::Repeated, .. }))));
    // One identity has one current key.
    let moved = rows[0].replace(&people[0].to_hex(), &people[1].to_hex());
    let two = RingFile::from_rows(seal.as_bytes(), [&moved, &rows[1], &rows[2]]);
    assert!(matches!(two, Err(Error::Malformed(Malformed { problem: Problem::Repeated, .. }))));
    let missing = RingFile::from_rows(seal.as_bytes(), [&rows[0], &rows[1]]);
    assert!(matches!(missing, Err(Error::Malformed(Malformed { field: "revision", .. }))));
    assert_eq!(ring.identity_row(&Domain::default().identity_id(b"", "eve", "").unwrap()), None);
}
