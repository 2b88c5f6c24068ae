//! Verifying what a quorum signed: with k shares for the first kind, with the public key alone for the second. No
//! altered field of any record passes, and nothing of another session or message does.

use dualseal::error::{Error, Rejected, SharingFault, SharingProblem, ThresholdFault};
use dualseal::id::MessageHash;
use dualseal::key::{KeyRing, Unprepared};
use dualseal::threshold::{
    AuthenticResult, PinnedQuorum, QuorumResult, Session, SessionInForce, SessionKind, SessionShare, ThresholdResult,
    verify_pinned_quorum, verify_quorum,
};
use dualseal::verdict::InvalidReason;
use dualseal::{Domain, KeyState, Located, PublicKey, SigningKey, Verdict, VerdictKind};
use dualseal_tests::log::{ORIGIN, locate};
use dualseal_tests::quorum::{
    Board, HMAC, MLDSA, RawDealing, altered_result, board as board_identity, copy, element, forged, message, owner,
    raw_authority, raw_entry, raw_statement, secretary,
};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, minute, next_digit, raw_seal, with_member};
use hmac::{KeyInit, Mac, SimpleHmac};
use serde_json::{Value as Json, json};
use sha3::Sha3_512;

fn fault(error: Error) -> ThresholdFault {
    match error {
        Error::Rejected(Rejected::Threshold(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

fn public_key(session: &Session) -> PublicKey {
    match session.kind() {
        SessionKind::MlDsa65 { public_key, .. } => public_key.clone(),
        SessionKind::Hmac => panic!("of the second kind"),
    }
}

fn pinned(session: &Session) -> KeyRing {
    KeyRing::pinned(&board_identity(), public_key(session))
}

/// As somebody pins it who takes a record's word for it.
fn by_hand(session: &Session) -> PinnedQuorum {
    let SessionKind::MlDsa65 { identity_id, public_key } = session.kind().clone() else { panic!("of the second kind") };
    PinnedQuorum { session_id: *session.session_id(), identity_id, public_key }
}

fn with_shares(
    board: &Board,
    message: &MessageHash,
    result: QuorumResult,
    numbers: &[u8],
) -> Result<AuthenticResult, Error> {
    board.in_force().verify_with_shares(message, result, &board.pick(numbers))
}

fn in_public(session: &Session, message: &MessageHash, result: QuorumResult, ring: &KeyRing) -> Verdict<QuorumResult> {
    verify_pinned_quorum(&Domain::default(), &by_hand(session), message, result, ring, &Unprepared, None)
}

fn reason(verdict: &Verdict<QuorumResult>) -> InvalidReason {
    match verdict {
        Verdict::Invalid(rejection) => rejection.reason(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn any_quorum_verifies_what_another_signed() {
    let mut board = Board::hmac(2, 4);
    let result = board.signed(&message());
    for numbers in [&[3, 4][..], &[1, 2], &[4, 1, 2], &[1, 2, 3, 4]] {
        let verified = with_shares(&board, &message(), result.clone(), numbers).unwrap();
        assert_eq!((verified.result(), verified.culprits().len()), (&result, 0));
    }
    // A bad share among those that verify is named, and does no harm while k are good.
    let shares = [forged(&board.shares[1]), copy(&board.shares[0]), copy(&board.shares[3])];
    let verified = board.in_force().verify_with_shares(&message(), result.clone(), &shares).unwrap();
    assert_eq!(verified.culprits().iter().map(|index| index.get()).collect::<Vec<_>>(), [2]);
    let error = board.in_force().verify_with_shares(&message(), result.clone(), &shares[..2]).unwrap_err();
    let problem = SharingProblem::TooFewShares { needed: 2, found: 1 };
    assert_eq!(error, SharingFault { problem, culprits: vec![2] }.into());

    // The shares may have been dealt anew, to others, since.
    board.deal_again(&[1, 2], 3, 5);
    with_shares(&board, &message(), result, &[5, 3, 4]).unwrap();
}

/// A stranger needs no share to verify, so that nobody has to collect them: whoever sees a quorum of shares can sign.
#[test]
fn an_outsider_verifies_with_the_public_key_alone() {
    let mut board = Board::mldsa(2, 3);
    let result = board.signed(&message());
    let (session, ring) = (board.session().clone(), pinned(board.session()));
    drop(board);
    let verdict = in_public(&session, &message(), result.clone(), &ring);
    assert_eq!(verdict.subject().identity_id, board_identity());
    assert_eq!(verdict.subject().algorithm.as_str(), MLDSA);
    assert_eq!(verdict.subject().time, Some(result.time()));
    assert_eq!(verdict.valid().unwrap().record(), &result);
    // With nothing of this library: the key, the statement and the signature.
    let (statement, signature) = (raw_statement(&session, b"resolution 7", &result), result.signature_hex());
    let key = public_key(&session);
    assert!(raw_seal::accepts(key.as_bytes(), &hex::decode(signature).unwrap(), statement.as_bytes()));
}

/// Shares that a service was handed for verifying are shown nowhere: not in what it answers, nor in what it may log.
#[test]
fn shares_that_verify_are_not_shown() {
    let mut board = Board::hmac(2, 3);
    let result = board.signed(&message());
    let values: Vec<_> = board.shares.iter().map(SessionShare::value_hex).collect();
    let good = with_shares(&board, &message(), result.clone(), &[1, 2]).unwrap();
    let bad = with_shares(&board, &MessageHash::of(b"other"), result, &[1, 2]).unwrap_err();
    let told = format!("{good:?} {bad:?} {bad} {:?} {:#?}", board.shares, board.in_force());
    for value in values {
        for piece in value.as_bytes().chunks_exact(16) {
            assert!(!told.contains(std::str::from_utf8(piece).unwrap()), "{told}");
        }
    }
}

/// Every digit of every member of a result, and every other value that its reader lets through.
#[test]
fn no_member_of_a_result_can_be_altered() {
    let [mut hmac, mut mldsa] = Board::of_each_kind(2, 3);
    let results = [hmac.signed(&message()), mldsa.signed(&message())];
    let (session, ring) = (mldsa.session().clone(), pinned(mldsa.session()));
    let in_force = hmac.in_force();
    let shares = hmac.pick(&[1, 2]);
    let mut tried = 0;
    for (result, of_first_kind) in results.into_iter().zip([true, false]) {
        let mut refuse = |member: &str, value: Json| {
            let text = with_member(&result.to_json(), member, value);
            let Ok(ThresholdResult::Signed(altered)) = ThresholdResult::from_json(text.as_bytes()) else { return };
            assert_ne!(altered, result, "{member}");
            if of_first_kind {
                let error = in_force.verify_with_shares(&message(), altered, &shares).unwrap_err();
                assert_eq!(fault(error), ThresholdFault::Signature, "{member}");
            } else {
                assert_eq!(
                    reason(&in_public(&session, &message(), altered, &ring)),
                    InvalidReason::Signature,
                    "{member}"
                );
            }
            tried += 1;
        };
        let json: Json = serde_json::from_str(&result.to_json()).unwrap();
        for member in ["potpis", "svjedok_hash", "weise3_hash", "krunica_hash"] {
            let text = json[member].as_str().unwrap();
            for place in (0..text.len()).step_by(if text.len() > 200 { 41 } else { 1 }) {
                refuse(member, next_digit(text, place).into());
            }
        }
        for minutes in [1, 3, -100, 1_000_000] {
            refuse("ts", minute(minutes).to_string().into());
        }
        refuse("ts", "2026-11-21T09:02:00.001Z".into());
        for culprits in [json!([1]), json!([3]), json!([1, 2, 3]), json!([255])] {
            refuse("culprits", culprits);
        }
    }
    assert!(tried > 700, "{tried}");
}

/// A culprit who strikes himself off the list, or frames another, is found out.
#[test]
fn culprits_are_part_of_what_is_signed() {
    for board in Board::of_each_kind(2, 3) {
        let shares = [forged(&board.shares[1]), copy(&board.shares[0]), copy(&board.shares[2])];
        let result = board.sign(&shares).unwrap().result;
        for culprits in [json!([]), json!([1]), json!([3]), json!([1, 2]), json!([2, 3])] {
            let altered = altered_result(&result, "culprits", culprits);
            match board.session().kind() {
                SessionKind::Hmac => {
                    let error = with_shares(&board, &message(), altered, &[1, 3]).unwrap_err();
                    assert_eq!(fault(error), ThresholdFault::Signature);
                }
                SessionKind::MlDsa65 { .. } => {
                    let verdict = in_public(board.session(), &message(), altered, &pinned(board.session()));
                    assert_eq!(reason(&verdict), InvalidReason::Signature);
                }
            }
        }
    }
}

#[test]
fn results_for_another_message_session_or_domain() {
    let [mut hmac, mut mldsa] = Board::of_each_kind(2, 3);
    let [other_hmac, mut other_mldsa] = Board::of_each_kind(2, 3);
    let result = hmac.signed(&message());
    for other in [MessageHash::of(b""), MessageHash::of(b"resolution 8"), MessageHash::from_bytes([0; 64])] {
        let error = with_shares(&hmac, &other, result.clone(), &[1, 2]).unwrap_err();
        assert_eq!(fault(error), ThresholdFault::Signature);
    }
    let error = with_shares(&other_hmac, &message(), result.clone(), &[1, 2]).unwrap_err();
    assert_eq!(fault(error), ThresholdFault::Signature);

    let result = mldsa.signed(&message());
    let ring = pinned(mldsa.session());
    let check = |session: &Session, message: &MessageHash, ring: &KeyRing| {
        reason(&in_public(session, message, result.clone(), ring))
    };
    assert_eq!(check(mldsa.session(), &MessageHash::of(b"resolution 8"), &ring), InvalidReason::Signature);
    // Another session's key is not in the ring; with a ring that has it, its statement is another one.
    assert_eq!(check(other_mldsa.session(), &message(), &ring), InvalidReason::ForeignKey);
    assert_eq!(check(other_mldsa.session(), &message(), &pinned(other_mldsa.session())), InvalidReason::Signature);
    let nobody = KeyRing::pinned(&identity("nobody"), public_key(mldsa.session()));
    assert_eq!(check(mldsa.session(), &message(), &nobody), InvalidReason::UnknownIdentity);
    let acme = Domain::new("ACME").unwrap();
    let quorum = by_hand(mldsa.session());
    let verdict = verify_pinned_quorum(&acme, &quorum, &message(), result.clone(), &ring, &Unprepared, None);
    assert_eq!(reason(&verdict), InvalidReason::Signature);
    // The other session's own result under this one's key.
    let other = other_mldsa.signed(&message());
    assert_eq!(reason(&in_public(mldsa.session(), &message(), other, &ring)), InvalidReason::Signature);
}

/// The two kinds do not pass for one another.
#[test]
fn kinds_do_not_mix() {
    let [mut hmac, mut mldsa] = Board::of_each_kind(2, 3);
    let (of_hmac, of_mldsa) = (hmac.signed(&message()), mldsa.signed(&message()));
    for (board, result) in [(&hmac, &of_mldsa), (&mldsa, &of_hmac), (&mldsa, &of_mldsa)] {
        let error = with_shares(board, &message(), result.clone(), &[1, 2]).unwrap_err();
        assert_eq!(fault(error), ThresholdFault::OtherKind);
    }
    let ring = pinned(mldsa.session());
    for (board, result) in [(&hmac, &of_hmac), (&hmac, &of_mldsa), (&mldsa, &of_hmac)] {
        let verdict = verify_quorum(&board.in_force(), &message(), result.clone(), &ring, &Unprepared, None);
        assert_eq!(reason(&verdict), InvalidReason::Signature);
    }
    // The state of the session's key comes first, and the verdict is about the session's identity.
    let mut registry = Registry::new();
    registry.add(&board_identity(), &public_key(mldsa.session()));
    for (state, kind) in [(KeyState::Revoked, VerdictKind::Revoked), (KeyState::Suspended, VerdictKind::Suspended)] {
        registry.set_state(&board_identity(), None, state);
        let verdict = in_public(mldsa.session(), &message(), of_hmac.clone(), &registry.ring);
        assert_eq!((verdict.kind(), verdict.subject().identity_id), (kind, board_identity()));
    }
    let lent = hmac.in_force().with_quorum_key(&hmac.pick(&[1, 2]), |_| panic!("no key to lend"));
    assert_eq!(fault(lent.unwrap_err()), ThresholdFault::OtherKind);
    assert_eq!((of_hmac.algorithm().as_str(), of_mldsa.algorithm().as_str()), (HMAC, MLDSA));
}

/// A dishonest quorum names two entries: the long hash of one, the short one of another, where the result is found.
#[test]
fn a_result_names_one_entry() {
    let seed = [7; 32];
    let signing_key = SigningKey::from_seed(&seed).unwrap();
    let other = |result: &QuorumResult| altered_result(result, "svjedok_hash", "ab".repeat(64).into());

    let secret = element(&[9]);
    let mut board = RawDealing::honest(HMAC, &[secret, element(&[3; 65])], 3).board();
    let signed = |board: &Board, result: &QuorumResult| {
        let mut mac = SimpleHmac::<Sha3_512>::new_from_slice(&secret).unwrap();
        mac.update(raw_statement(board.session(), b"resolution 7", result).as_bytes());
        altered_result(result, "potpis", hex::encode(mac.finalize().into_bytes()).into())
    };
    let honest = board.signed(&message());
    assert_eq!(signed(&board, &honest), honest, "signed by hand as the library does");
    let result = signed(&board, &other(&honest));
    assert_eq!(fault(with_shares(&board, &message(), result, &[1, 2]).unwrap_err()), ThresholdFault::Signature);

    let dealing = RawDealing::honest(MLDSA, &[element(&seed), element(&[3; 65])], 3);
    let mut board = RawDealing { public_key: Some(signing_key.public_key()), ..dealing }.board();
    let ring = pinned(board.session());
    let signed = |board: &Board, result: &QuorumResult| {
        let statement = raw_statement(board.session(), b"resolution 7", result);
        altered_result(result, "potpis", raw_seal::sign(seed, statement.as_bytes()).into())
    };
    let honest = board.signed(&message());
    assert_eq!(in_public(board.session(), &message(), signed(&board, &honest), &ring).kind(), VerdictKind::Valid);
    let result = signed(&board, &other(&honest));
    assert_eq!(reason(&in_public(board.session(), &message(), result, &ring)), InvalidReason::Signature);
    // One that names another entry of its requester, of the same time, has no place there.
    board.chain.append(&board.domain, &secretary(), "another", minute(2)).unwrap();
    let entry = board.chain.entries().last().unwrap();
    let named = altered_result(&honest, "svjedok_hash", entry.hash().to_hex().into());
    let named = signed(&board, &altered_result(&named, "krunica_hash", entry.krunica_hash().to_hex().into()));
    assert_eq!(in_public(board.session(), &message(), named.clone(), &ring).kind(), VerdictKind::Valid);
    let located = locate(ORIGIN, &board.chain, entry.seq());
    let judged = verify_quorum(&board.in_force(), &message(), named, &ring, &Unprepared, Some(&located));
    assert_eq!(reason(&judged), InvalidReason::Located);
}

/// A session record that somebody made for the purpose: the key that it names must be its identity's in the ring, and
/// must have signed.
#[test]
fn a_session_record_made_for_the_purpose() {
    let mut board = Board::mldsa(2, 3);
    let result = board.signed(&message());
    let mut registry = Registry::new();
    registry.add(&board_identity(), &public_key(board.session()));
    registry.add(&identity("mallory"), key(66).public_key());
    let with = |changes: &[(&str, String)]| {
        let json = changes
            .iter()
            .fold(board.session().to_json(), |json, (member, value)| with_member(&json, member, value.as_str().into()));
        Session::from_json(json.as_bytes()).unwrap()
    };
    let mallory = ("identity_id", identity("mallory").to_hex());
    let her_key = ("javni_kljuc", key(66).public_key().to_hex());
    let unknown = ("identity_id", identity("nobody").to_hex());
    let other_session = ("session_id", "ab".repeat(32));
    for (changes, expected) in [
        (vec![her_key.clone()], InvalidReason::ForeignKey),
        (vec![mallory.clone()], InvalidReason::ForeignKey),
        (vec![mallory, her_key], InvalidReason::Signature),
        (vec![unknown], InvalidReason::UnknownIdentity),
        (vec![other_session], InvalidReason::Signature),
    ] {
        let verdict = in_public(&with(&changes), &message(), result.clone(), &registry.ring);
        assert_eq!(reason(&verdict), expected, "{changes:?}");
    }
}

/// The table of verdicts: the quorum's key is a key like any other. Columns: good, signature altered.
#[test]
fn the_state_of_the_quorums_key_decides() {
    let mut board = Board::mldsa(2, 3);
    let result = board.signed(&message());
    let mut registry = Registry::new();
    registry.add(&board_identity(), &public_key(board.session()));
    for (state, good, bad) in [
        (KeyState::Valid, VerdictKind::Valid, VerdictKind::Invalid),
        (KeyState::Revoked, VerdictKind::Revoked, VerdictKind::Revoked),
        (KeyState::Decoy, VerdictKind::Decoy, VerdictKind::Invalid),
        (KeyState::Suspended, VerdictKind::Suspended, VerdictKind::Suspended),
    ] {
        registry.set_state(&board_identity(), None, state);
        let verdict = in_public(board.session(), &message(), result.clone(), &registry.ring);
        assert_eq!(verdict.kind(), good);
        assert_eq!(verdict.subject().state, Some(state));
        let altered = altered_result(&result, "ts", minute(3).to_string().into());
        assert_eq!(in_public(board.session(), &message(), altered, &registry.ring).kind(), bad);
        let wire = verdict.public().to_json();
        assert!(!wire.contains("oboje") && wire.contains(MLDSA), "{wire}");
    }
}

/// A result of a retired quorum key is worth something only at a proven place before the retirement; a place that is
/// not the result's own counts for nothing, whatever the key.
#[test]
fn a_retired_quorum_key_needs_its_place_in_the_chain() {
    let mut board = Board::mldsa(2, 3);
    let mut registry = Registry { chain: board.chain.clone(), ..Registry::new() };
    registry.add(&board_identity(), &public_key(board.session()));
    board.chain = registry.chain.clone();
    let early = board.signed(&message());
    registry.chain = board.chain.clone();
    let early_seq = registry.chain.head().size() - 1;
    registry.rotate(&board_identity(), key(5).public_key());
    board.chain = registry.chain.clone();
    let late = board.signed(&message());
    let late_seq = board.chain.head().size() - 1;

    let at = |seq| locate(ORIGIN, &board.chain, seq);
    let session = board.in_force();
    let check = |result: &QuorumResult, at: Option<&Located>| {
        verify_quorum(&session, &message(), result.clone(), &registry.ring, &Unprepared, at)
    };
    assert_eq!(reason(&check(&early, None)), InvalidReason::RetiredKey);
    assert_eq!(check(&early, Some(&at(early_seq))).kind(), VerdictKind::Valid);
    assert_eq!(reason(&check(&late, Some(&at(late_seq)))), InvalidReason::RetiredKey, "after the retirement");
    for seq in (0..=late_seq).filter(|seq| *seq != early_seq) {
        assert_eq!(reason(&check(&early, Some(&at(seq)))), InvalidReason::RetiredKey, "at {seq}");
    }
    let elsewhere = locate("example.org/other", &board.chain, early_seq);
    assert_eq!(reason(&check(&early, Some(&elsewhere))), InvalidReason::RetiredKey);
    // The same under a ring where the key is not retired.
    let ring = pinned(board.session());
    let check = |at: &Located| verify_quorum(&session, &message(), early.clone(), &ring, &Unprepared, Some(at));
    assert_eq!(check(&at(early_seq)).kind(), VerdictKind::Valid);
    assert_eq!(reason(&check(&at(late_seq))), InvalidReason::Located);

    // An entry of the same binding by somebody else, or at another time, is not the result's.
    let mut other = board.chain.clone();
    let binding = board.chain.get(early_seq).unwrap().message().to_string();
    for (who, minutes) in [(owner(1), 2), (secretary(), 3)] {
        assert!(other.append(&board.domain, &who, &binding, minute(minutes)).is_err(), "a form that is reserved");
        other.push(raw_entry(&other, &who, &binding, minute(minutes))).unwrap();
        let located = locate(ORIGIN, &other, other.head().size() - 1);
        assert_eq!(reason(&check(&located)), InvalidReason::Located);
    }
}

/// Refreshing leaves the key and the anchor: old and new records verify the same results.
#[test]
fn results_outlive_a_refresh() {
    let mut board = Board::mldsa(2, 3);
    let before = board.signed(&message());
    let old = board.session().clone();
    board.deal_again(&[2, 3], 3, 4);
    let after = board.sign_message(&message(), &board.pick(&[1, 2, 4])).unwrap().result;
    let ring = pinned(&old);
    for result in [before, after] {
        for session in [&old, board.session()] {
            assert_eq!(in_public(session, &message(), result.clone(), &ring).kind(), VerdictKind::Valid);
        }
    }
}

/// A ring member makes up a copy of the board's record in which his own identity and key stand, and signs alone. What
/// is verified by the session in force never sees that copy, also where it stands in the chain and is at hand.
#[test]
fn a_made_up_record_signs_for_nobody() {
    let [ours, his] = [7, 8].map(|seed| SigningKey::from_seed(&[seed; 32]).unwrap());
    let dealing = |seed: u8, key| RawDealing {
        public_key: Some(key),
        ..RawDealing::honest(MLDSA, &[element(&[seed; 32]), element(&[3; 65])], 3)
    };
    let mut board = dealing(7, ours.public_key()).board();
    let alone = dealing(8, his.public_key()).board();
    assert_eq!(alone.session().session_id(), board.session().session_id());
    let made_up = with_member(&alone.session().to_json(), "identity_id", identity("mallory").to_hex().into());
    let alone = Board::dishonest(&serde_json::from_str(&made_up).unwrap(), alone.pick(&[1, 2, 3]));
    let result = alone.sign(&alone.pick(&[1, 2])).unwrap().result;

    let mut registry = Registry { chain: board.chain.clone(), ..Registry::new() };
    registry.add(&board_identity(), ours.public_key());
    registry.add(&identity("mallory"), his.public_key());
    board.chain = registry.chain.clone();
    // His copy stands in the chain, as another founding and as a successor that his own key authorises.
    let mut copy: Json = serde_json::from_str(&alone.session().to_json()).unwrap();
    board.announce(&copy);
    copy["prethodni"] = board.records[0].split_id().to_hex().into();
    copy["split_id"] = "ee".repeat(32).into();
    copy["ovlast"] = raw_authority(&copy, &element(&[8; 32])).into();
    board.announce(&copy);
    let judged = |session: &SessionInForce| {
        verify_quorum(session, &message(), result.clone(), &registry.ring, &Unprepared, None)
    };
    assert_eq!(reason(&judged(&board.in_force())), InvalidReason::Signature);
    // Whoever pins a quorum by hand takes the word of what he was given: that is what the function is named for.
    let taken = |quorum: &PinnedQuorum| {
        verify_pinned_quorum(&board.domain, quorum, &message(), result.clone(), &registry.ring, &Unprepared, None)
    };
    assert_eq!(taken(&by_hand(alone.session())).kind(), VerdictKind::Valid);
    assert_eq!(reason(&taken(&by_hand(&board.records[0]))), InvalidReason::Signature);
}

/// A dealer who commits to a share that is off the polynomial is seen wherever more shares are given than are needed.
#[test]
fn misdealt_shares_are_named() {
    let mut dealing = RawDealing::honest(HMAC, &[element(&[7; 32]), element(&[3; 65]), element(&[4; 65])], 5);
    (dealing.committed[0], dealing.handed_out[0]) = (element(&[9; 65]), element(&[9; 65]));
    let board = dealing.board();
    let signed = board.sign(&board.pick(&[1, 2, 3, 4, 5])).unwrap();
    let named = |indices: &[dualseal::shamir::Index]| indices.iter().map(|index| index.get()).collect::<Vec<_>>();
    assert_eq!((named(signed.result.culprits()), named(&signed.misdealt)), (vec![], vec![1]));
    let result = signed.result;
    let verified = with_shares(&board, &message(), result.clone(), &[1, 2, 3, 4, 5]).unwrap();
    assert_eq!((named(verified.culprits()), named(verified.misdealt())), (vec![], vec![1]));
    let verified = with_shares(&board, &message(), result, &[2, 3, 4]).unwrap();
    assert_eq!(named(verified.misdealt()), [0; 0]);
    let prepared = board.prepare(&[1, 2, 3, 4, 5], 3, 5);
    assert_eq!((named(prepared.culprits()), named(prepared.misdealt())), (vec![], vec![1]));
    assert_eq!(named(board.prepare(&[2, 3, 4], 3, 5).misdealt()), [0; 0]);
}

#[test]
fn a_refusal_says_what_its_error_says() {
    let board = Board::hmac(2, 3);
    let refused = board.sign(&board.pick(&[1])).unwrap_err();
    assert_eq!(refused.to_string(), refused.error.to_string());
    assert!(refused.to_string().contains("2 are needed"), "{refused}");
}
