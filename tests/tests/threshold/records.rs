//! The records of threshold signing as JSON: session, share, pulled share and result. What is unknown, missing, out of
//! range or of the other kind is named.

use dualseal::error::{Error, Malformed, Problem};
use dualseal::field::Fp521;
use dualseal::shamir::{Index, Share};
use dualseal::threshold::{Acknowledgement, QuorumFailure, Session, SessionShare, ThresholdResult};
use dualseal_tests::contract::{check, check_hex, refusal};
use dualseal_tests::quorum::{Board, HMAC, MLDSA, forged, message};
use dualseal_tests::with_member;
use serde_json::{Value as Json, json};

fn session(text: &[u8]) -> Result<String, Error> {
    Session::from_json(text).map(|session| session.to_json())
}

fn share(text: &[u8]) -> Result<String, Error> {
    SessionShare::from_json(text).map(|share| share.to_json().to_string())
}

fn result(text: &[u8]) -> Result<String, Error> {
    ThresholdResult::from_json(text).map(|result| result.to_json())
}

#[test]
fn sessions() {
    let [hmac, mldsa] = Board::of_each_kind(2, 3).map(|board| board.session().to_json());
    for example in [&hmac, &mldsa] {
        check("session", example, &["ovlast", "prethodni"], &session);
        for (member, length) in [("session_id", 64), ("split_id", 64), ("javni_sidro", 128)] {
            check_hex(example, member, length, &session);
        }
        for (member, value, expected) in [
            ("k", json!(1), Problem::Range),
            ("k", json!(0), Problem::Range),
            ("k", json!(-1), Problem::Range),
            ("k", json!(4), Problem::Range),
            ("k", json!(258), Problem::Range),
            ("n", json!(0), Problem::Range),
            ("n", json!(1), Problem::Range),
            ("n", json!(256), Problem::Range),
            ("n", json!(-3), Problem::Range),
            ("n", json!(9_007_199_254_740_991_u64), Problem::Range),
            ("kreiran", json!("2026-11-21"), Problem::Timestamp),
        ] {
            assert_eq!(refusal(&session, &with_member(example, member, value.clone())), (member, expected), "{value}");
        }
        // As many commitments as shares, each of its form.
        for (n, found) in [(2, 3), (4, 3), (255, 3)] {
            let expected = ("udio_sidra", Problem::Length { expected: n, found });
            assert_eq!(refusal(&session, &with_member(example, "n", json!(n))), expected);
        }
        let commitments = |change: &dyn Fn(&mut Vec<Json>)| {
            let mut json: Json = serde_json::from_str(example).unwrap();
            change(json["udio_sidra"].as_array_mut().unwrap());
            refusal(&session, &json.to_string())
        };
        let three = |found| ("udio_sidra", Problem::Length { expected: 3, found });
        assert_eq!(commitments(&|list| drop(list.pop())), three(2));
        assert_eq!(commitments(&|list| list.push(list[0].clone())), three(4));
        assert_eq!(commitments(&|list| list[1] = json!(7)), ("udio_sidra", Problem::WrongType));
        assert_eq!(commitments(&|list| list[1] = json!("AB".repeat(64))), ("udio_sidra", Problem::Hex));
        assert_eq!(
            commitments(&|list| list[1] = json!("ab")),
            ("udio_sidra", Problem::Length { expected: 128, found: 2 })
        );
    }
    for (member, length) in [("identity_id", 64), ("javni_kljuc", 3904)] {
        check_hex(&mldsa, member, length, &session);
    }
}

/// A record that replaces another has both its predecessor and its authority, each of one form.
#[test]
fn later_sessions() {
    for mut board in Board::of_each_kind(2, 3) {
        board.deal_again(&[1, 2], 2, 3);
        let example = board.session().to_json();
        check("session", &example, &["ovlast", "prethodni"], &session);
        check_hex(&example, "prethodni", 64, &session);
        let digits = if board.session().algorithm().as_str() == HMAC { 128 } else { 6618 };
        check_hex(&example, "ovlast", digits, &session);
        // A preparation has no authority yet; a founder has neither.
        assert!(session(with_member(&example, "ovlast", Json::Null).as_bytes()).is_ok());
        let found = refusal(&session, &with_member(&example, "prethodni", Json::Null));
        assert_eq!(found, ("ovlast", Problem::WrongType));
    }
}

#[test]
fn acknowledgements() {
    let board = Board::hmac(2, 3);
    let said = board.shares[1].acknowledge(&board.domain, board.session()).unwrap();
    let read = |text: &[u8]| Acknowledgement::from_json(text).map(|said| said.to_json());
    check("acknowledgement", &said.to_json(), &[], &read);
    for (member, length) in [("split_id", 64), ("udio_sidra", 128)] {
        check_hex(&said.to_json(), member, length, &read);
    }
    let json: Json = serde_json::from_str(&said.to_json()).unwrap();
    let record: Json = serde_json::from_str(&board.session().to_json()).unwrap();
    assert_eq!((&json["split_id"], &json["udio_sidra"]), (&record["split_id"], &record["udio_sidra"][1]));
}

/// The algorithm says which members there are.
#[test]
fn kinds_of_sessions_do_not_mix() {
    let [hmac, mldsa] = Board::of_each_kind(2, 3).map(|board| board.session().to_json());
    for unknown in
        ["", "ML-DSA-65", "SHAMIR-2^521-1", "SHAMIR-2^521-1-ML-DSA-44", "SHAMIR-2^521-1-hmac-sha3-512", "HMAC"]
    {
        for example in [&hmac, &with_member(&hmac, "algoritam", MLDSA.into())] {
            let text = with_member(example, "algoritam", unknown.into());
            assert_eq!(refusal(&session, &text), ("algoritam", Problem::UnknownValue), "{unknown}");
        }
    }
    assert_eq!(
        refusal(&session, &with_member(&hmac, "algoritam", MLDSA.into())),
        ("identity_id", Problem::MissingMember)
    );
    let found = refusal(&session, &with_member(&mldsa, "algoritam", HMAC.into()));
    assert_eq!(found, ("session", Problem::UnknownMember("identity_id".into())));
    let found = refusal(&session, &with_member(&hmac, "javni_kljuc", "00".into()));
    assert_eq!(found, ("session", Problem::UnknownMember("javni_kljuc".into())));
}

#[test]
fn shares() {
    let board = Board::hmac(2, 3);
    let example = board.shares[2].to_json().to_string();
    check("share", &example, &[], &share);
    for (member, length) in [("session_id", 64), ("split_id", 64), ("vlasnik", 64)] {
        check_hex(&example, member, length, &share);
    }
    check_hex(&example, "vrijednost_hex", 132, &share);
    let refused = |member: &str, value: Json| SessionShare::from_json(with_member(&example, member, value).as_bytes());
    for index in [0, 256, 1 << 40] {
        let expected = Malformed::new("indeks", Some(index), Problem::Range);
        assert_eq!(refused("indeks", index.into()).unwrap_err(), expected.into());
    }
    assert_eq!(refused("indeks", json!(-1)).unwrap_err(), Malformed::new("indeks", None, Problem::Range).into());
    for index in [1, 255] {
        assert_eq!(refused("indeks", index.into()).unwrap().index().get(), index);
    }
    // p and above, up to all ones: two encodings would mean one element. The share is named.
    let p = format!("01{}", "ff".repeat(65));
    for value in [p.clone(), format!("02{}", "00".repeat(65)), "ff".repeat(66), format!("80{}", "00".repeat(65))] {
        let expected = Malformed::new("vrijednost_hex", Some(3), Problem::NotCanonical);
        assert_eq!(refused("vrijednost_hex", value.into()).unwrap_err(), expected.into());
    }
    for value in [format!("{}e", &p[..131]), "00".repeat(66)] {
        assert_eq!(*refused("vrijednost_hex", value.as_str().into()).unwrap().value_hex(), value);
    }
    // What an error tells does not hold the value.
    let error = refused("vrijednost_hex", format!("{}G", "7b".repeat(65)).into()).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("7b7b"));
}

/// A pulled share is the pair of its number and value.
#[test]
fn pulled_shares() {
    let board = Board::mldsa(2, 3);
    for (number, share) in (1_u64..).zip(&board.shares) {
        let expected = json!([number, *share.value_hex()]);
        assert_eq!(serde_json::from_str::<Json>(&share.to_pair_json()).unwrap(), expected);
        assert_eq!(*share.to_pair_json(), format!("[{number},\"{}\"]", *share.value_hex()));
        let pulled = |asked: Index, text: &str| {
            let (session, split, owner) = (*share.session_id(), *share.split_id(), *share.owner());
            SessionShare::pulled(session, split, owner, asked, text.as_bytes())
        };
        assert_eq!(*pulled(share.index(), &share.to_pair_json()).to_json(), *share.to_json());
        let read = |text: &str| Share::<Fp521>::from_pair_json(text.as_bytes()).map(drop);
        let value = share.value_hex();
        for (text, field, index, problem) in [
            ("{}".to_owned(), "share", None, Problem::WrongType),
            ("[]".to_owned(), "share", None, Problem::Length { expected: 2, found: 0 }),
            (format!("[1,\"{}\",2]", *value), "share", None, Problem::Length { expected: 2, found: 3 }),
            (format!("[0,\"{}\"]", *value), "indeks", Some(0), Problem::Range),
            (format!("[256,\"{}\"]", *value), "indeks", Some(256), Problem::Range),
            (format!("[\"1\",\"{}\"]", *value), "indeks", None, Problem::WrongType),
            ("[1,2]".to_owned(), "vrijednost_hex", None, Problem::WrongType),
            (format!("[2,\"{}\"]", "f".repeat(132)), "vrijednost_hex", Some(2), Problem::NotCanonical),
        ] {
            assert_eq!(read(&text).unwrap_err(), Malformed::new(field, index, problem).into(), "{text}");
            // It becomes a share of the one who sent it, and does not hold.
            let junk = pulled(share.index(), &text);
            assert_eq!((junk.index(), &*junk.value_hex()), (share.index(), &"0".repeat(132)), "{text}");
        }
        // Another number than the one that was asked for is not taken over.
        let other = Index::new(number % 3 + 1).unwrap();
        let junk = pulled(other, &share.to_pair_json());
        assert_eq!((junk.index(), &*junk.value_hex()), (other, &"0".repeat(132)));
    }
}

#[test]
fn results() {
    for board in Board::of_each_kind(2, 3) {
        let shares = [forged(&board.shares[0]), board.pick(&[2]).remove(0), board.pick(&[3]).remove(0)];
        let signed = board.sign(&shares).unwrap().result.to_json();
        let failed = board.sign_message(&message(), &shares[..2]).unwrap_err().result.to_json();
        check("threshold result", &signed, &[], &result);
        check("threshold result", &failed, &[], &result);
        for example in [&signed, &failed] {
            check_hex(example, "weise3_hash", 64, &result);
            let with = |member: &str, value: Json| refusal(&result, &with_member(example, member, value));
            assert_eq!(with("ts", "now".into()), ("ts", Problem::Timestamp));
            for unknown in ["ML-DSA-65", "", "SHAMIR-2^521-1"] {
                assert_eq!(with("algoritam", unknown.into()), ("algoritam", Problem::UnknownValue));
            }
            for (culprits, problem) in [
                (json!([2, 1]), Problem::Order),
                (json!([1, 1]), Problem::Order),
                (json!([1, 3, 2]), Problem::Order),
                (json!([0]), Problem::Range),
                (json!([256]), Problem::Range),
                (json!([-1]), Problem::Range),
                (json!(["1"]), Problem::WrongType),
                (json!([null]), Problem::WrongType),
            ] {
                assert_eq!(with("culprits", culprits), ("culprits", problem));
            }
        }
        for (member, length) in [("svjedok_hash", 128), ("krunica_hash", 64)] {
            check_hex(&signed, member, length, &result);
        }
        let length = if board.session().algorithm().as_str() == HMAC { 128 } else { 6618 };
        check_hex(&signed, "potpis", length, &result);
        // Each kind has its own length of signature.
        let other = if length == 128 { MLDSA } else { HMAC };
        assert_eq!(refusal(&result, &with_member(&signed, "algoritam", other.into())).0, "potpis");
        // What does not go with `ok`.
        assert_eq!(refusal(&result, &with_member(&signed, "ok", false.into())).1, Problem::WrongType);
        assert_eq!(refusal(&result, &with_member(&failed, "ok", true.into())).1, Problem::WrongType);
        for (member, value) in [("potpis", "00"), ("svjedok_hash", "00"), ("krunica_hash", "00")] {
            assert_eq!(refusal(&result, &with_member(&failed, member, value.into())), (member, Problem::WrongType));
        }
        assert_eq!(refusal(&result, &with_member(&signed, "razlog", "ok".into())), ("razlog", Problem::WrongType));
    }
}

/// The reason of a failure is free text, and comes back as it was.
#[test]
fn reasons_are_text() {
    let board = Board::hmac(2, 3);
    let ThresholdResult::Failed(failure) = board.sign(&[]).unwrap_err().result else { panic!("a failure") };
    for reason in ["", "\"\\\n\u{0}", "премало 😀"] {
        let failed = ThresholdResult::Failed(QuorumFailure { reason: reason.into(), ..failure.clone() });
        assert_eq!(ThresholdResult::from_json(failed.to_json().as_bytes()), Ok(failed));
    }
}

/// With the feature `serde`, records are written as their own JSON writes them, and read by the same reader.
#[test]
fn serde_goes_through_the_same_reader() {
    for board in Board::of_each_kind(2, 3) {
        let session = board.session();
        assert_eq!(serde_json::to_string(session).unwrap(), session.to_json());
        assert_eq!(&serde_json::from_str::<Session>(&session.to_json()).unwrap(), session);
        assert!(serde_json::from_str::<Session>(&with_member(&session.to_json(), "k", json!(1))).is_err());
        let result = ThresholdResult::Signed(board.sign(&board.pick(&[1, 2])).unwrap().result);
        assert_eq!(serde_json::to_string(&result).unwrap(), result.to_json());
        assert_eq!(serde_json::from_str::<ThresholdResult>(&result.to_json()).unwrap(), result);
        let unordered = with_member(&result.to_json(), "culprits", json!([2, 1]));
        assert!(serde_json::from_str::<ThresholdResult>(&unordered).is_err());
    }
}
