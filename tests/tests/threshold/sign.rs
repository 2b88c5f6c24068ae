//! Signing with a quorum: what is signed, and for every set of shares that is not one, what the outcome is, as an error
//! and as the record on the wire. On failure nothing is appended: there is no entry to append.

use dualseal::error::{Error, Misuse, Rejected, SharingFault, SharingProblem, ThresholdFault};
use dualseal::id::MessageHash;
use dualseal::threshold::{QuorumRefusal, SessionInForce, SessionKind, SessionShare, ThresholdResult};
use dualseal::{Head, KeyRing, KeyState, SigningKey, SystemRng};
use dualseal_tests::log::any_head;
use dualseal_tests::quorum::{
    Board, HMAC, MLDSA, RawDealing, altered, copy, element, forged, message, owner, raw_statement, secretary, value,
};
use dualseal_tests::random::{Constant, FAILING};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, minute, raw_seal};
use hmac::{KeyInit, Mac, SimpleHmac};
use serde_json::{Value as Json, json};
use sha3::Sha3_512;

fn sharing(problem: SharingProblem, culprits: &[u8]) -> Error {
    SharingFault { problem, culprits: culprits.to_vec() }.into()
}

fn too_few(needed: u8, found: u8, culprits: &[u8]) -> Error {
    sharing(SharingProblem::TooFewShares { needed, found }, culprits)
}

/// The error of a refusal, after a look at its record.
fn refused(board: &Board, shares: &[SessionShare]) -> Error {
    let refusal: QuorumRefusal = *board.sign(shares).unwrap_err();
    let culprits = match &refusal.error {
        Error::Rejected(Rejected::Sharing(fault)) => fault.culprits.clone(),
        _ => vec![],
    };
    let expected = json!({
        "algoritam": board.session().algorithm().as_str(), "culprits": culprits, "krunica_hash": null, "ok": false,
        "potpis": null, "razlog": refusal.error.to_string(), "svjedok_hash": null, "ts": minute(2).to_string(),
        "weise3_hash": secretary().to_hex(),
    });
    let text = refusal.result.to_json();
    assert_eq!(serde_json::from_str::<Json>(&text).unwrap(), expected);
    assert_eq!(ThresholdResult::from_json(text.as_bytes()).as_ref(), Ok(&refusal.result));
    // What a refusal tells holds no share.
    let told = format!("{refusal} {refusal:?} {text}");
    assert!(
        shares.iter().all(|share| !told.contains(&share.value_hex()[..]) && !told.contains(&share.value_hex()[120..]))
    );
    refusal.error
}

#[test]
fn a_result_says_what_was_signed() {
    for (board, algorithm) in Board::of_each_kind(2, 3).into_iter().zip([HMAC, MLDSA]) {
        for (numbers, culprits) in [(vec![1, 2], vec![]), (vec![3, 1], vec![]), (vec![3, 2, 1], vec![])] {
            check_result(&board, algorithm, &board.pick(&numbers), &culprits);
        }
        let shares = [forged(&board.shares[0]), copy(&board.shares[1]), copy(&board.shares[2])];
        check_result(&board, algorithm, &shares, &[1]);
    }
}

fn check_result(board: &Board, algorithm: &str, shares: &[SessionShare], culprits: &[u8]) {
    let signed = board.sign(shares).unwrap();
    let (result, entry) = (&signed.result, &signed.entry);
    let statement = raw_statement(board.session(), b"resolution 7", result);
    let json: Json = serde_json::from_str(&result.to_json()).unwrap();
    let expected = json!({
        "algoritam": algorithm, "culprits": culprits, "krunica_hash": entry.krunica_hash().to_hex(), "ok": true,
        "potpis": result.signature_hex(), "razlog": null, "svjedok_hash": entry.hash().to_hex(),
        "ts": minute(2).to_string(), "weise3_hash": secretary().to_hex(),
    });
    assert_eq!(json, expected);
    assert_eq!(statement.contains("::::"), culprits.is_empty());
    let binding = statement.split("::").nth(4).unwrap();
    assert_eq!(entry.message(), format!("DUALSEAL-THRESHOLD::WITNESS::{binding}::DUALSEAL"));
    assert_eq!((entry.identity_id(), entry.time(), entry.seq()), (&secretary(), minute(2), board.chain.head().size()));
    let mut chain = board.chain.clone();
    chain.push(entry.clone()).unwrap();
    assert_eq!(*chain.head(), signed.head);

    let signature = hex::decode(result.signature_hex()).unwrap();
    if algorithm == HMAC {
        let mut mac = <SimpleHmac<Sha3_512> as KeyInit>::new_from_slice(&secret(board)).unwrap();
        mac.update(statement.as_bytes());
        assert_eq!(signature, mac.finalize().into_bytes().to_vec());
    } else {
        let key = SigningKey::from_seed(&secret(board)[34..]).unwrap();
        assert!(raw_seal::accepts(key.public_key().as_bytes(), &signature, statement.as_bytes()));
    }
}

fn secret(board: &Board) -> [u8; 66] {
    let shares: Vec<_> = board.shares[..usize::from(board.session().threshold().k())]
        .iter()
        .map(|share| dualseal::shamir::Share::from_bytes(share.index(), &value(share)).unwrap())
        .collect();
    *dualseal::shamir::reconstruct_unanchored::<dualseal::field::Fp521>(shares.len() as u64, &shares)
        .unwrap()
        .to_bytes()
}

/// The table of outcomes for a session of 3 of 5: which shares come, and what becomes of it.
#[test]
fn every_outcome_is_written_down() {
    for board in Board::of_each_kind(3, 5) {
        let good = |numbers: &[u8]| board.pick(numbers);
        let bad = |number: u8| forged(&board.shares[usize::from(number) - 1]);
        let with = |numbers: &[u8], more: Vec<SessionShare>| good(numbers).into_iter().chain(more).collect::<Vec<_>>();

        assert_eq!(refused(&board, &[]), too_few(3, 0, &[]), "no share");
        assert_eq!(refused(&board, &good(&[1])), too_few(3, 1, &[]), "one share");
        assert_eq!(refused(&board, &good(&[2, 5])), too_few(3, 2, &[]), "k-1 shares");
        assert_eq!(refused(&board, &with(&[1, 4], vec![bad(2)])), too_few(3, 2, &[2]), "k shares, one of them bad");
        let outcome = refused(&board, &with(&[4], vec![bad(5), bad(2)]));
        assert_eq!(outcome, too_few(3, 1, &[2, 5]), "culprits ascend, however they come");

        let spare = with(&[5, 1, 4], vec![bad(2)]);
        assert_eq!(culprits(&board, &spare), [2], "k good shares, a bad one to spare");
        assert_eq!(culprits(&board, &with(&[5, 1, 4], vec![bad(2), bad(3)])), [2, 3], "all n, two of them bad");
        assert_eq!(culprits(&board, &good(&[5, 4, 3, 2, 1])), [] as [u8; 0], "all n");

        assert_eq!(refused(&board, &good(&[1, 2, 1])), too_few(3, 2, &[]), "a number twice counts once");
        let spoilt = with(&[1, 2, 3], vec![bad(3), bad(5), bad(5)]);
        assert_eq!(culprits(&board, &spoilt), [5], "junk in the name of who sent a good share accuses nobody");
        assert_eq!(refused(&board, &with(&[1, 2], vec![bad(2), bad(2)])), too_few(3, 2, &[]), "and adds nothing");
    }
}

/// A custodian who answers with another's number, or with anything at all, is named himself; the others sign.
#[test]
fn whoever_answers_with_junk_is_named_and_blocks_nobody() {
    for board in Board::of_each_kind(2, 3) {
        let answered = |asked: u8, text: &str| {
            let of = &board.shares[usize::from(asked) - 1];
            SessionShare::pulled(*of.session_id(), *of.split_id(), *of.owner(), of.index(), text.as_bytes())
        };
        let pair = |number: u8| board.shares[usize::from(number) - 1].to_pair_json();
        let [second, third] = [2, 3].map(|number| answered(number, &pair(number)));
        let junk = format!("[2,\"{}\"]", "0".repeat(132));
        let shares = [answered(1, &junk), copy(&second), copy(&third)];
        assert_eq!(culprits(&board, &shares), [1], "custodian 1 answers in the name of custodian 2");
        for answer in ["", "{}", "[2]", "[0,\"\"]", &junk, &pair(2), "\u{0}", &"[".repeat(1000)] {
            assert_eq!(culprits(&board, &[copy(&third), answered(1, answer), copy(&second)]), [1], "{answer}");
            let alone = refused(&board, &[answered(1, answer), copy(&third)]);
            assert_eq!(alone, too_few(2, 1, &[1]), "{answer}");
        }
        // Any number of junk shares, under every number, beside two good ones.
        let junk = (1..=3).flat_map(|number| [forged(&board.shares[number - 1]), answered(1, "junk")]);
        let shares: Vec<SessionShare> = junk.chain([second, third]).collect();
        assert_eq!(culprits(&board, &shares), [1]);
    }
}

fn culprits(board: &Board, shares: &[SessionShare]) -> Vec<u8> {
    let signed = board.sign(shares).unwrap();
    signed.result.culprits().iter().map(|index| index.get()).collect()
}

/// Shares of another session, of another custodian, or of nobody are those of culprits; those of another splitting are
/// dropped.
#[test]
fn shares_from_elsewhere_are_culprits() {
    for (mut board, other) in Board::of_each_kind(2, 3).into_iter().zip(Board::of_each_kind(2, 5)) {
        // As they are, and relabelled to pass for this session's.
        let relabelled = |share: &SessionShare| {
            let session = altered(share, "session_id", board.session().session_id().to_hex().into());
            altered(&session, "split_id", board.session().split_id().to_hex().into())
        };
        let [foreign, mine] = [&other.shares[0], &board.shares[0]];
        let half = altered(foreign, "session_id", board.session().session_id().to_hex().into());
        let above = altered(mine, "indeks", 4.into());
        let framed = altered(mine, "vlasnik", owner(2).to_hex().into());
        let moved = altered(mine, "indeks", 3.into());
        for (share, number) in [
            (copy(foreign), 1),
            (relabelled(foreign), 1),
            (copy(&other.shares[4]), 5),
            (above, 4),
            (framed, 1),
            (moved, 3),
        ] {
            let second = copy(&board.shares[1]);
            assert_eq!(refused(&board, &[second, copy(&share)]), too_few(2, 1, &[number]), "{share:?}");
            if number != 3 {
                let shares = [copy(&share), copy(&board.shares[1]), copy(&board.shares[2])];
                assert_eq!(culprits(&board, &shares), [number], "{share:?}");
            }
        }
        assert_eq!(refused(&board, &[copy(foreign), copy(&other.shares[1])]), too_few(2, 0, &[1, 2]));
        // Of this session and of a split that nobody knows: it may be one that was prepared.
        assert_eq!(refused(&board, &[copy(&board.shares[1]), copy(&half)]), too_few(2, 1, &[]));
        assert_eq!(culprits(&board, &[half, copy(&board.shares[1]), copy(&board.shares[2])]), [0_u8; 0]);

        // Old shares do not fit the splitting in force, one at a time or all together.
        let old = board.deal_again(&[1, 3], 2, 3);
        assert_eq!(refused(&board, &[copy(&old[0]), copy(&board.shares[1])]), too_few(2, 1, &[]));
        assert_eq!(refused(&board, &old), too_few(2, 0, &[]));
        let renamed = altered(&old[0], "split_id", board.session().split_id().to_hex().into());
        assert_eq!(refused(&board, &[renamed, copy(&board.shares[1])]), too_few(2, 1, &[1]));
    }
}

/// Every digit of every member of a share: one that was altered counts for nothing.
#[test]
fn no_digit_of_a_share_can_be_altered() {
    let board = Board::hmac(2, 3);
    let share: Json = serde_json::from_str(&board.shares[0].to_json()).unwrap();
    let mut tried = 0;
    for name in ["session_id", "split_id", "vlasnik", "vrijednost_hex"] {
        let text = share[name].as_str().unwrap();
        for place in 0..text.len() {
            let digit = dualseal_tests::next_digit(text, place);
            let json = dualseal_tests::with_member(&board.shares[0].to_json(), name, digit.into());
            // The upper seven bits of a value must be clear; all else is a well-formed share.
            let Ok(altered) = SessionShare::from_json(json.as_bytes()) else {
                assert!(name == "vrijednost_hex" && place < 2, "{name} {place}");
                continue;
            };
            let error = board.sign(&[altered, copy(&board.shares[1])]).unwrap_err().error;
            // Of another split it is dropped, and its custodian is not named: he may have one that was prepared.
            let named: &[u8] = if name == "split_id" { &[] } else { &[1] };
            assert_eq!(error, too_few(2, 1, named), "{name} {place}");
            tried += 1;
        }
    }
    assert!(tried >= 64 * 3 + 130, "{tried}");
}

/// A dealer who hands out another share than the one committed to: the custodian is told, and nobody else is.
#[test]
fn a_dealer_who_hands_out_another_share() {
    let mut dealing = RawDealing::honest(HMAC, &[element(&[9]), element(&[4])], 3);
    dealing.handed_out[1] = element(&[77]);
    let board = dealing.board();
    let health = board.session().health(&board.domain, &board.shares);
    assert_eq!(health.invalid.iter().map(|index| index.get()).collect::<Vec<_>>(), [2]);
    assert_eq!(culprits(&board, &board.pick(&[1, 2, 3])), [2]);
    assert_eq!(refused(&board, &board.pick(&[1, 2])), too_few(2, 1, &[2]));
}

/// A dealer whose commitments are good and whose shares are on no polynomial through the anchored secret: whoever takes
/// part is innocent, and no signature comes of it.
#[test]
fn a_dealer_whose_shares_do_not_give_the_secret() {
    let mut dealing = RawDealing::honest(HMAC, &[element(&[9]), element(&[4])], 3);
    dealing.committed[1] = element(&[77]);
    dealing.handed_out[1] = element(&[77]);
    let board = dealing.board();
    assert!(board.in_force().quorum(&board.shares).reached);
    let fault = sharing(SharingProblem::DealerFault, &[]);
    assert_eq!(refused(&board, &board.pick(&[1, 2])), fault);
    assert_eq!(refused(&board, &board.pick(&[2, 3])), fault);
    assert!(board.sign(&board.pick(&[1, 3])).is_ok());
    // The bad share of a custodian is still named beside the dealer's fault.
    let shares = [copy(&board.shares[1]), copy(&board.shares[2]), forged(&board.shares[0])];
    assert_eq!(refused(&board, &shares), sharing(SharingProblem::DealerFault, &[1]));
    // An anchor of another secret.
    let dealing =
        RawDealing { secret: element(&[8]), ..RawDealing::honest(HMAC, &[element(&[9]), element(&[3; 65])], 3) };
    let board = dealing.board();
    assert_eq!(refused(&board, &board.pick(&[1, 2, 3])), fault);
}

/// A dealer of the second kind whose secret is not the seed of the key: another seed, one above 2^256, or zero.
#[test]
fn a_dealer_whose_secret_is_not_the_keys_seed() {
    let key = SigningKey::from_seed(&[7; 32]).unwrap();
    let mut above = element(&[7; 32]);
    above[33] = 1;
    let mut top = element(&[7; 32]);
    top[0] = 1;
    for (secret, good) in
        [(element(&[7; 32]), true), (element(&[8; 32]), false), (above, false), (top, false), (element(&[0]), false)]
    {
        let dealing = RawDealing {
            public_key: Some(key.public_key()),
            ..RawDealing::honest(MLDSA, &[secret, element(&[3; 65])], 3)
        };
        let board = dealing.board();
        let shares = board.pick(&[1, 3]);
        if good {
            board.sign(&shares).unwrap();
            continue;
        }
        let expected = Error::Rejected(Rejected::Threshold(ThresholdFault::OtherKey));
        assert_eq!(refused(&board, &shares), expected);
        let lent = board.in_force().with_quorum_key(&shares, |_| panic!("no key to lend"));
        assert_eq!(lent.unwrap_err(), expected);
    }
}

/// Whoever sent a bad share is named whatever it is that fails.
#[test]
fn culprits_are_named_on_every_failure() {
    let key = SigningKey::from_seed(&[7; 32]).unwrap();
    let dealing = RawDealing {
        public_key: Some(key.public_key()),
        ..RawDealing::honest(MLDSA, &[element(&[8; 32]), element(&[3; 65])], 3)
    };
    let board = dealing.board();
    let shares = || [forged(&board.shares[1]), copy(&board.shares[0]), copy(&board.shares[2])];
    let culprits = |refusal: Box<QuorumRefusal>| match refusal.result {
        ThresholdResult::Failed(failure) => failure.culprits.iter().map(|index| index.get()).collect::<Vec<_>>(),
        ThresholdResult::Signed(_) => panic!("a refusal"),
    };
    assert_eq!(culprits(board.sign(&shares()).unwrap_err()), [2], "another key");

    let board = Board::mldsa(2, 3);
    let shares = [forged(&board.shares[1]), copy(&board.shares[0]), copy(&board.shares[2])];
    let at = board.chain.head();
    let sign = |at: &Head, rng: &mut dualseal_tests::random::Failing| {
        board.in_force().sign(&message(), &secretary(), &shares, at, minute(2), rng).unwrap_err()
    };
    let failed = sign(at, &mut FAILING.clone());
    assert_eq!((failed.error.clone(), culprits(failed)), (Error::Randomness, vec![2]));
    let full = any_head((1 << 53) - 1, *at.top());
    let failed = sign(&full, &mut FAILING.clone());
    assert_eq!((failed.error.clone(), culprits(failed)), (Misuse::CounterExhausted.into(), vec![2]));
}

/// The first kind draws nothing; the second hedges, and a generator of zeros gives the deterministic signature.
#[test]
fn randomness() {
    let [hmac, mldsa] = Board::of_each_kind(2, 3);
    let sign = |board: &Board, byte: u8| {
        let shares = board.pick(&[1, 2]);
        let (at, rng) = (board.chain.head(), &mut Constant(byte));
        board.in_force().sign(&message(), &secretary(), &shares, at, minute(2), rng).unwrap().result
    };
    let shares = hmac.pick(&[1, 2]);
    let made =
        hmac.in_force().sign(&message(), &secretary(), &shares, hmac.chain.head(), minute(2), &mut FAILING.clone());
    assert_eq!(made.unwrap().result, sign(&hmac, 9));
    assert_ne!(sign(&mldsa, 1).signature_hex(), sign(&mldsa, 2).signature_hex());
    let deterministic = sign(&mldsa, 0);
    let statement = raw_statement(mldsa.session(), b"resolution 7", &deterministic);
    let seed = secret(&mldsa)[34..].try_into().unwrap();
    assert_eq!(deterministic.signature_hex(), raw_seal::sign(seed, statement.as_bytes()));
}

/// A result depends on the message, on whoever asks, on the place in the chain and on the time.
#[test]
fn everything_counts() {
    let board = Board::hmac(2, 3);
    let shares = board.pick(&[1, 2]);
    let session = board.in_force();
    let sign = |message: &[u8], who: &str, at: &Head, minutes: i64| {
        let message = MessageHash::of(message);
        let signed = session.sign(&message, &identity(who), &shares, at, minute(minutes), &mut SystemRng);
        signed.unwrap().result
    };
    let at = board.chain.head();
    let base = sign(b"a", "secretary", at, 2);
    assert_eq!(base, sign(b"a", "secretary", at, 2));
    for other in [
        sign(b"b", "secretary", at, 2),
        sign(b"a", "chairman", at, 2),
        sign(b"a", "secretary", &Head::EMPTY, 2),
        sign(b"a", "secretary", at, 3),
    ] {
        assert_ne!(base.signature_hex(), other.signature_hex());
    }
}

/// A quorum is a signer too: what its key signs once it was rotated or called back is invalid for good.
#[test]
fn a_quorum_whose_key_is_not_current_is_none() {
    let (hmac, board) = (Board::hmac(2, 3).in_force(), Board::mldsa(2, 3).in_force());
    let SessionKind::MlDsa65 { identity_id, public_key } = board.founder().kind().clone() else { panic!("its key") };
    let said = |session: &SessionInForce, ring: &KeyRing| session.current(ring).map(|same| assert_eq!(same, session));
    let mut registry = Registry::new();
    assert_eq!(said(&board, &registry.ring), Err(Misuse::UnknownIdentity.into()));
    registry.add(&identity_id, &public_key);
    assert_eq!(said(&board, &registry.ring), Ok(()));
    for bad in [KeyState::Revoked, KeyState::Suspended, KeyState::Decoy] {
        registry.set_state(&identity_id, None, bad);
        assert_eq!(said(&board, &registry.ring), Err(Misuse::NotCurrent.into()), "{bad:?}");
    }
    registry.set_state(&identity_id, None, KeyState::Valid);
    registry.rotate(&identity_id, key(1).public_key());
    assert_eq!(said(&board, &registry.ring), Err(Misuse::NotCurrent.into()));
    assert_eq!(said(&board, &Board::mldsa(2, 3).ring()), Err(Misuse::NotCurrent.into()));
    // One that signs with HMAC has no key in any ring.
    for ring in [&*registry.ring, &KeyRing::nobody()] {
        assert_eq!(said(&hmac, ring), Ok(()));
    }
}
