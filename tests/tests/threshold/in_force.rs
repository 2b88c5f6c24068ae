//! Which record of a session counts: the last one in the chain, under a checkpoint, with the anchor that was pinned,
//! and with everything that never changes.

use dualseal::error::{CheckpointFault, Error, Rejected, ThresholdFault};
use dualseal::threshold::{Session, SessionAnchor, SessionCheck};
use dualseal::{Domain, Krunica, SigningKey};
use dualseal_tests::log::{ORIGIN, covering, head_at};
use dualseal_tests::quorum::{
    Board, HMAC, MLDSA, RawDealing, element, raw_entry, raw_session_message, secretary, session_entry,
};
use dualseal_tests::{identity, key, minute, next_digit, with_member};
use serde_json::{Value as Json, json};

fn fault(error: Error) -> ThresholdFault {
    match error {
        Error::Rejected(Rejected::Threshold(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

/// A record with one member changed; `None` where the reader refuses it.
fn with(session: &Session, member: &str, value: Json) -> Option<Session> {
    Session::from_json(with_member(&session.to_json(), member, value).as_bytes()).ok()
}

#[test]
fn the_founded_record_is_in_force() {
    for board in Board::of_each_kind(2, 3) {
        let found = board.in_force();
        assert_eq!((found.session(), found.seq()), (board.session(), 1));
    }
}

#[test]
fn the_last_located_record_is_in_force() {
    let mut board = Board::hmac(2, 3);
    for (k, n) in [(2, 3), (3, 4), (2, 2)] {
        let numbers: Vec<u8> = (1..=board.session().threshold().k()).collect();
        board.deal_again(&numbers, k, n);
        let found = board.in_force();
        assert_eq!(found.session(), board.session());
        assert_eq!(found.seq(), board.chain.head().size() - 1);
    }
    // What the checkpoint does not cover is not in force yet.
    for (size, record) in [(2, 0), (3, 1), (4, 2), (5, 3)] {
        let found = board.check_covered(size, &board.anchor(), &board.records).unwrap();
        assert_eq!((found.session(), found.seq()), (&board.records[record], size as u64 - 1));
    }
    // The first and the last record are enough, in any order.
    let ends = [board.records[3].clone(), board.records[0].clone()];
    assert_eq!(board.check(&board.anchor(), &ends).unwrap(), board.in_force());
}

#[test]
fn a_session_without_entry_is_not_found() {
    let board = Board::hmac(2, 3);
    let error = board.check_covered(1, &board.anchor(), &board.records).unwrap_err();
    assert_eq!(fault(error), ThresholdFault::NoSession);
    // Under another domain's constants the entries are other texts.
    let (other, checkpoint) = (Domain::new("ACME").unwrap(), covering(ORIGIN, &board.chain, 2));
    let mut check = SessionCheck::new(&other, board.session().session_id(), &board.anchor(), &checkpoint);
    board.chain.entries().iter().for_each(|entry| check.push(entry).unwrap());
    assert_eq!(fault(check.finish(&board.records).unwrap_err()), ThresholdFault::NoSession);
}

#[test]
fn every_located_record_that_counts_must_be_there() {
    let mut board = Board::hmac(2, 3);
    board.deal_again(&[1, 2], 3, 4);
    for (records, seq) in [(vec![], 1), (vec![board.records[0].clone()], 2), (vec![board.records[1].clone()], 1)] {
        let error = board.check(&board.anchor(), &records).unwrap_err();
        assert_eq!(fault(error), ThresholdFault::MissingRecord { seq });
    }
    // Another session's record does not stand in for it.
    let error = board.check(&board.anchor(), Board::hmac(2, 3).records.as_slice()).unwrap_err();
    assert_eq!(fault(error), ThresholdFault::MissingRecord { seq: 1 });
}

/// Every digit of every member: a record that was edited in a store is not the one in the chain, above all one with a
/// lower k.
#[test]
fn an_edited_record_is_not_the_one_in_the_chain() {
    for board in Board::of_each_kind(3, 5) {
        let session = board.session();
        let record: Json = serde_json::from_str(&session.to_json()).unwrap();
        let mut edited: Vec<Session> = Vec::new();
        for (name, value) in record.as_object().unwrap() {
            let Some(text) = value.as_str().filter(|text| text.len() >= 64) else { continue };
            for place in (0..text.len()).step_by(if name == "javni_kljuc" { 97 } else { 1 }) {
                edited.extend(with(session, name, next_digit(text, place).into()));
            }
        }
        for (member, value) in [("k", json!(2)), ("k", json!(5)), ("kreiran", json!(minute(2).to_string()))] {
            edited.push(with(session, member, value).unwrap());
        }
        for place in 0..5 {
            let mut commitments = record["udio_sidra"].clone();
            commitments[place] = next_digit(commitments[place].as_str().unwrap(), 127).into();
            edited.push(with(session, "udio_sidra", commitments).unwrap());
            let mut swapped = record["udio_sidra"].as_array().unwrap().clone();
            swapped.swap(place, (place + 1) % 5);
            edited.push(with(session, "udio_sidra", swapped.into()).unwrap());
        }
        let mut fewer = record.clone();
        fewer["n"] = 4.into();
        fewer["udio_sidra"].as_array_mut().unwrap().pop();
        edited.push(Session::from_json(fewer.to_string().as_bytes()).unwrap());
        assert!(edited.len() > 260, "{}", edited.len());
        for session in edited {
            let error = board.check(&board.anchor(), std::slice::from_ref(&session)).unwrap_err();
            assert_eq!(fault(error), ThresholdFault::MissingRecord { seq: 1 }, "{session:?}");
        }
    }
}

#[test]
fn the_pinned_anchor_decides() {
    let board = Board::hmac(2, 3);
    for place in 0..128 {
        let other: SessionAnchor = next_digit(&board.anchor().to_hex(), place).parse().unwrap();
        assert_eq!(fault(board.check(&other, &board.records).unwrap_err()), ThresholdFault::OtherAnchor);
    }
}

/// A second session under one session_id: whoever can write into the log announces a record with another secret, key or
/// kind. What never changes gives it away.
#[test]
fn a_second_session_under_one_id_is_named() {
    let seed = [7; 32];
    let mine = RawDealing::honest(HMAC, &[element(&[9]), element(&[3; 65])], 3);
    let public = |dealing: RawDealing<'static>, key: &'static SigningKey| RawDealing {
        public_key: Some(key.public_key()),
        algorithm: MLDSA,
        ..dealing
    };
    let [key_one, key_two]: [&'static SigningKey; 2] =
        [SigningKey::from_seed(&seed).unwrap(), key(8)].map(|key| &*Box::leak(Box::new(key)));
    let of_key = || public(RawDealing::honest(MLDSA, &[element(&seed), element(&[3; 65])], 3), key_one);
    let identity_changed =
        |board: &Board| with(board.session(), "identity_id", identity("mallory").to_hex().into()).expect("well-formed");
    // All of these have one session_id and one split_id, those of every dealing by hand.
    for (first, second, member) in [
        (mine.board(), RawDealing::honest(HMAC, &[element(&[8]), element(&[3; 65])], 3).board(), "javni_sidro"),
        (mine.board(), of_key().board(), "algoritam"),
        (of_key().board(), mine.board(), "algoritam"),
        (of_key().board(), public(of_key(), key_two).board(), "javni_kljuc"),
    ] {
        refuses(&first, second.session().clone(), member);
    }
    let board = of_key().board();
    let other = identity_changed(&board);
    refuses(&board, other, "identity_id");

    // The same anchor with a lower k is a later record of the session as far as its entry goes; shares do not follow.
    let lower = with(
        RawDealing::honest(HMAC, &[element(&[9]), element(&[3; 65]), element(&[4; 65])], 3).board().session(),
        "k",
        json!(2),
    );
    let mut board = RawDealing::honest(HMAC, &[element(&[9]), element(&[3; 65]), element(&[4; 65])], 3).board();
    let lower = lower.unwrap();
    board.chain.push(session_entry(&board.chain, &lower)).unwrap();
    board.records.push(lower);
    assert_eq!(board.in_force().session().threshold().k(), 2);
    let refusal = board.sign(&board.pick(&[1, 2])).unwrap_err();
    assert_eq!(refusal.error.to_string(), "0 usable shares, 2 are needed; bad shares: 1, 2");
}

fn refuses(first: &Board, second: Session, member: &'static str) {
    let mut board =
        Board { domain: Domain::default(), chain: first.chain.clone(), records: first.records.clone(), shares: vec![] };
    board.chain.push(session_entry(&board.chain, &second)).unwrap();
    board.records.push(second);
    assert_eq!(fault(board.check(&board.anchor(), &board.records).unwrap_err()), ThresholdFault::Changed { member });
    // Whoever pinned the second one is told the same.
    let other = *board.records[1].anchor();
    assert_eq!(fault(board.check(&other, &board.records).unwrap_err()), ThresholdFault::Changed { member });
    // So is everybody when a good record follows it; without the false one at hand, the good one is in force.
    board.chain.push(session_entry(&board.chain, &board.records[0])).unwrap();
    assert_eq!(fault(board.check(&board.anchor(), &board.records).unwrap_err()), ThresholdFault::Changed { member });
    assert_eq!(board.check(&board.anchor(), &board.records[..1]).unwrap().session(), &board.records[0]);
}

/// An entry whose time is not the record's is not that record's.
#[test]
fn the_entrys_time_is_the_records() {
    let mut board = Board::hmac(2, 3);
    let session = board.records.pop().unwrap();
    let mut chain = Krunica::new();
    chain.push(raw_entry(&chain, &secretary(), &raw_session_message(&session), minute(99))).unwrap();
    let board = Board { chain, records: vec![session], ..board };
    let error = board.check(&board.anchor(), &board.records).unwrap_err();
    assert_eq!(fault(error), ThresholdFault::MissingRecord { seq: 0 });
}

#[test]
fn a_chain_that_is_not_the_checkpoints_proves_nothing() {
    let board = Board::hmac(2, 3);
    let checkpoint = covering(ORIGIN, &board.chain, 2);
    let check = || SessionCheck::new(&board.domain, board.session().session_id(), &board.anchor(), &checkpoint);
    let mut cut = check();
    cut.push(&board.chain.entries()[0]).unwrap();
    let expected = Error::from(CheckpointFault::Truncated { size: 2, found: 1 });
    assert_eq!(cut.finish(&board.records).unwrap_err(), expected);

    let other = Board::hmac(2, 3);
    let mut rewritten = check();
    rewritten.push(&other.chain.entries()[0]).unwrap();
    let error = rewritten.push(&other.chain.entries()[1]).unwrap_err();
    assert_eq!(error, CheckpointFault::Rewritten { size: 2 }.into());
    assert_eq!(head_at(&other.chain, 1), head_at(&board.chain, 1));

    // As JSON text, and without `seq`, as a list has it.
    let mut lines = check();
    for entry in board.chain.entries() {
        assert_eq!(&lines.push_json(entry.to_json_line().as_bytes()).unwrap(), entry);
    }
    assert_eq!(lines.finish(&board.records).unwrap(), board.in_force());
    assert!(check().push_json(b"{}").is_err());
    assert!(format!("{:?}", check()).starts_with("SessionCheck"));
}
