//! What a set of shares amounts to, without rebuilding anything; and a quorum that signs ordinary records with its key.

use dualseal::checkpoint::{CheckpointSigner, CheckpointVerifier, Pins};
use dualseal::error::{Error, Rejected, SharingFault, SharingProblem};
use dualseal::key::Unprepared;
use dualseal::krunica::IgnoredReason;
use dualseal::seal::{Conclusion, Legacy, Policy, Seal, SealKey, SealVerifier, Sealer};
use dualseal::shamir::Index;
use dualseal::threshold::{Lent, Quorum, SessionKind, SessionShare};
use dualseal::{KeyRing, Signer, SystemRng, Verdict, VerdictKind, Verifier};
use dualseal_tests::log::mark_of;
use dualseal_tests::minute;
use dualseal_tests::quorum::{Board, HMAC, RawDealing, altered, copy, element, forged, owner};
use serde_json::Value as Json;

fn numbers(indices: &[Index]) -> Vec<u8> {
    indices.iter().map(|index| index.get()).collect()
}

/// Present, missing, invalid, foreign, and whether there are enough.
type Seen = (Vec<u8>, Vec<u8>, Vec<u8>, Vec<u8>, bool);

fn seen(board: &Board, shares: &[SessionShare]) -> Seen {
    let Quorum { health, needed, reached, .. } = board.in_force().quorum(shares);
    assert_eq!(needed, board.session().threshold().k());
    (numbers(&health.present), numbers(&health.missing), numbers(&health.invalid), numbers(&health.foreign), reached)
}

fn expect(present: &[u8], missing: &[u8], invalid: &[u8], foreign: &[u8], reached: bool) -> Seen {
    (present.to_vec(), missing.to_vec(), invalid.to_vec(), foreign.to_vec(), reached)
}

#[test]
fn the_state_of_a_quorum() {
    for (mut board, other) in Board::of_each_kind(3, 5).into_iter().zip(Board::of_each_kind(3, 5)) {
        let all = [1, 2, 3, 4, 5];
        assert_eq!(seen(&board, &[]), expect(&[], &all, &[], &[], false));
        assert_eq!(seen(&board, &board.pick(&[4, 2])), expect(&[2, 4], &[1, 3, 5], &[], &[], false), "k-1");
        assert_eq!(seen(&board, &board.pick(&[5, 4, 2])), expect(&[2, 4, 5], &[1, 3], &[], &[], true), "k");
        assert_eq!(seen(&board, &board.pick(&all)), expect(&all, &[], &[], &[], true), "n");

        let bad = |number: usize| forged(&board.shares[number - 1]);
        let mut shares = board.pick(&[1, 2]);
        shares.push(bad(3));
        assert_eq!(seen(&board, &shares), expect(&[1, 2], &[3, 4, 5], &[3], &[], false), "k, of which one is bad");
        shares.push(copy(&board.shares[4]));
        assert_eq!(seen(&board, &shares), expect(&[1, 2, 5], &[3, 4], &[3], &[], true), "and one to spare");

        // Of another session, relabelled from it, with a number above n, of another custodian.
        let foreign = copy(&other.shares[0]);
        let relabelled = altered(&foreign, "session_id", board.session().session_id().to_hex().into());
        let relabelled = altered(&relabelled, "split_id", board.session().split_id().to_hex().into());
        let above = altered(&board.shares[0], "indeks", 6.into());
        let framed = altered(&board.shares[1], "vlasnik", owner(3).to_hex().into());
        let shares = [foreign, copy(&board.shares[3]), above, framed];
        assert_eq!(seen(&board, &shares), expect(&[4], &[1, 2, 3, 5], &[2], &[1, 6], false));
        assert_eq!(seen(&board, &[relabelled]), expect(&[], &all, &[1], &[], false));

        // A number that is there twice shows in two lists, and counts once.
        let twice = [copy(&board.shares[0]), copy(&board.shares[0]), bad(1), copy(&other.shares[0])];
        assert_eq!(seen(&board, &twice), expect(&[1], &[2, 3, 4, 5], &[1], &[1], false));

        let old = board.deal_again(&[1, 2, 3], 2, 4);
        assert_eq!(seen(&board, &old), expect(&[], &[1, 2, 3, 4], &[], &all, false), "superseded");
    }
}

/// Whether the quorum is reached says exactly whether it signs, but for a number that is there twice.
#[test]
fn a_quorum_that_is_reached_signs() {
    let board = Board::hmac(3, 5);
    for present in 0..32_u8 {
        for bad in 0..32_u8 {
            let shares: Vec<SessionShare> = (0..5)
                .filter(|place| (present | bad) >> place & 1 == 1)
                .map(
                    |place| {
                        if bad >> place & 1 == 1 { forged(&board.shares[place]) } else { copy(&board.shares[place]) }
                    },
                )
                .collect();
            let quorum = board.in_force().quorum(&shares);
            match board.sign(&shares) {
                Ok(signed) => {
                    assert!(quorum.reached);
                    assert_eq!(signed.result.culprits(), quorum.health.invalid);
                }
                Err(refusal) => {
                    assert!(!quorum.reached);
                    let Error::Rejected(Rejected::Sharing(SharingFault { problem, culprits })) = refusal.error else {
                        panic!("{refusal}");
                    };
                    let found = u8::try_from(quorum.health.present.len()).unwrap();
                    assert_eq!(problem, SharingProblem::TooFewShares { needed: 3, found });
                    assert_eq!(culprits, numbers(&quorum.health.invalid));
                }
            }
        }
    }
}

/// A quorum check rebuilds nothing, so it cannot see a dealer at fault, and says nothing of one.
#[test]
fn a_quorum_check_rebuilds_nothing() {
    let dealing =
        RawDealing { secret: element(&[8]), ..RawDealing::honest(HMAC, &[element(&[9]), element(&[3; 65])], 3) };
    let board = dealing.board();
    assert_eq!(seen(&board, &board.shares), expect(&[1, 2, 3], &[], &[], &[], true));
    assert!(board.sign(&board.shares).is_err());
}

/// Every custodian has the record of what was prepared. One of them appends copies of it with commitments to junk, and
/// an authority of his own making, before it is committed and after: the honest ones' shares were invalid by them.
#[test]
fn a_forged_candidate_makes_nobodys_share_invalid() {
    let mut board = Board::hmac(2, 3);
    let prepared = board.prepare(&[1, 2], 2, 3);
    let mut forged_record: Json = serde_json::from_str(&prepared.session().to_json()).unwrap();
    forged_record["ovlast"] = "0".repeat(128).into();
    let mut announce = |board: &mut Board, seed: u8| {
        forged_record["udio_sidra"] = (1..=3_u8).map(|i| format!("{:02x}", seed ^ i).repeat(64)).collect();
        board.announce(&forged_record);
    };
    announce(&mut board, 0x70);
    let committed = board.commit(&prepared).unwrap();
    let old = board.bring(committed.clone(), prepared.shares());
    announce(&mut board, 0x90);
    let found = board.in_force();
    assert_eq!((found.session(), found.founder()), (None, &board.records[0]));
    let seqs: Vec<u64> = found.candidates().map(|(_, seq)| seq).collect();
    assert_eq!(seqs, [1, 2, 3, 4]);

    let quorum = found.quorum(&board.shares);
    let Quorum { health, split_id, seq, in_force, needed, reached, ignored } = &quorum;
    assert_eq!((numbers(&health.present), numbers(&health.missing)), (vec![1, 2, 3], vec![]));
    assert_eq!((numbers(&health.invalid), numbers(&health.foreign)), (vec![], vec![]));
    assert_eq!((split_id, *seq, *in_force, *needed, *reached), (committed.session.split_id(), 3, true, 2, true));
    let listed: Vec<_> = ignored.entries().iter().map(|entry| (entry.seq, entry.reason)).collect();
    assert_eq!(listed, [(2, IgnoredReason::ForgedGeneration), (4, IgnoredReason::ForgedGeneration)]);

    // With fewer than k nothing tells which record is in force; nobody's good share is invalid all the same.
    for (shares, present, foreign) in
        [(board.pick(&[2]), vec![2], vec![]), (vec![copy(&old[0]), copy(&board.shares[1])], vec![2], vec![1])]
    {
        let quorum = found.quorum(&shares);
        assert_eq!((numbers(&quorum.health.present), numbers(&quorum.health.foreign)), (present, foreign));
        assert_eq!((quorum.health.invalid.len(), quorum.in_force, quorum.reached), (0, false, false));
    }
    // k of the founder's shares tell that they are of a split that was replaced.
    let quorum = found.quorum(&old);
    assert_eq!((numbers(&quorum.health.foreign), quorum.health.invalid.len()), (vec![1, 2, 3], 0));
    assert_eq!((quorum.seq, quorum.in_force, quorum.reached), (3, true, false));
    // A liar is told of as ever.
    let shares = [forged(&board.shares[0]), copy(&board.shares[1]), copy(&board.shares[2])];
    let quorum = found.quorum(&shares);
    assert_eq!((numbers(&quorum.health.present), numbers(&quorum.health.invalid)), (vec![2, 3], vec![1]));
    assert!(quorum.reached);
}

#[test]
fn a_quorum_makes_ordinary_records() {
    let made = Board::mldsa(2, 3);
    let SessionKind::MlDsa65 { identity_id, public_key } = made.session().kind() else { panic!("of the second kind") };
    let (domain, ring) = (&made.domain, KeyRing::pinned(identity_id, public_key.clone()));
    let seal_key = SealKey::from_slice(&[9; 32]).unwrap();
    let content = domain.content_hash(identity_id, b"the articles");
    let (at, time) = (made.chain.head(), minute(9));

    let shares = [forged(&made.shares[0]), copy(&made.shares[1]), copy(&made.shares[2])];
    let Lent { given: (signed, seal, checkpoint), culprits, misdealt } = made
        .in_force()
        .with_quorum_key(&shares, |key| {
            assert_eq!(key.public_key(), public_key);
            let signed = Signer::new(domain, identity_id, key).sign(&content, at, time, &mut SystemRng).unwrap();
            let seal = Sealer::new(domain, identity_id, &seal_key, key).seal(b"payload", &mut SystemRng).unwrap();
            let log = CheckpointSigner::new(domain, "example.org/log", identity_id, key).unwrap();
            (signed, seal, log.sign(&mark_of("example.org/log", at), time, &mut SystemRng).unwrap())
        })
        .unwrap();
    assert_eq!((numbers(&culprits), misdealt.len()), (vec![1], 0));

    let verdict = Verifier::new(domain, &ring, &Unprepared).verify(&content, signed.record, None);
    assert_eq!(verdict.kind(), VerdictKind::Valid);
    let verifier = SealVerifier::new(domain, &ring, &Unprepared);
    let report =
        verifier.verify(&Seal::from(seal), b"payload", identity_id, Policy::Both(&seal_key), Legacy::Refused, None);
    assert!(matches!(report.conclusion, Conclusion::Verdict(Verdict::Valid(_))));
    let pins = Pins {
        origin: "example.org/log".into(),
        identity_id: *identity_id,
        key_hash: *public_key.hash(),
        least_size: 2,
    };
    let verdict = CheckpointVerifier::new(domain, &pins, Some(&ring), &Unprepared).verify(checkpoint);
    assert_eq!(verdict.kind(), VerdictKind::Valid);
}

/// Without a quorum the closure is not called.
#[test]
fn the_key_is_not_lent_without_a_quorum() {
    let made = Board::mldsa(3, 5);
    let refused = |shares: &[SessionShare]| {
        made.in_force().with_quorum_key(shares, |_| panic!("lent")).map(|lent| lent.culprits).unwrap_err()
    };
    let too_few = |found, culprits: &[u8]| {
        Error::from(SharingFault {
            problem: SharingProblem::TooFewShares { needed: 3, found },
            culprits: culprits.to_vec(),
        })
    };
    assert_eq!(refused(&[]), too_few(0, &[]));
    assert_eq!(refused(&made.pick(&[5, 1])), too_few(2, &[]));
    let shares = [forged(&made.shares[3]), copy(&made.shares[0]), copy(&made.shares[1])];
    assert_eq!(refused(&shares), too_few(2, &[4]));
    let other = Board::mldsa(3, 5);
    assert_eq!(refused(&other.shares), too_few(0, &[1, 2, 3, 4, 5]));
}
