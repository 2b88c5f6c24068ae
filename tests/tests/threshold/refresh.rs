//! The same secret dealt anew, and a lost share made again: what stays, what changes, and who cannot do either.

use dualseal::error::{Error, Malformed, Misuse, Problem, Rejected, SharingFault, SharingProblem, ThresholdFault};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::shamir::Index;
use dualseal::threshold::{
    Acknowledgement, Prepared, Renewal, Session, SessionAtHead, SessionInForce, SessionKind, SessionShare,
};
use dualseal::{IdentityId, SystemRng};
use dualseal_tests::log::{ORIGIN, covering};
use dualseal_tests::quorum::{
    Board, HMAC, RawDealing, acknowledged, copy, element, forged, message, owner, owners, raw_anchor,
    raw_session_message, secretary, value,
};
use dualseal_tests::random::{FAILING, Given};
use dualseal_tests::reading;
use dualseal_tests::{identity, minute};
use serde_json::{Value as Json, json};

fn sharing(problem: SharingProblem, culprits: &[u8]) -> Error {
    SharingFault { problem, culprits: culprits.to_vec() }.into()
}

fn deal(board: &Board, shares: &[SessionShare], owners: &[IdentityId], k: u8) -> Result<Prepared, Error> {
    board.in_force().prepare_rethreshold(shares, &Renewal { owners, k, time: minute(7) }, &mut SystemRng)
}

fn said(board: &Board, prepared: &Prepared) -> Vec<(Index, Acknowledgement)> {
    acknowledged(&board.domain, prepared)
}

#[test]
fn what_stays_and_what_changes() {
    for board in Board::of_each_kind(2, 3) {
        let old = board.session();
        for (k, n) in [(2, 3), (3, 5), (2, 2), (4, 4)] {
            let dealt = deal(&board, &board.pick(&[3, 1]), &owners(n), k).unwrap();
            let committed =
                dealt.commit(&board.at_head(), &said(&board, &dealt), None, &identity("successor")).unwrap();
            let new = &committed.session;
            assert_eq!((new.previous(), dealt.session().authority_hex()), (Some(old.split_id()), None));
            let width = if *old.kind() == SessionKind::Hmac { 128 } else { 6618 };
            assert_eq!(new.authority_hex().unwrap().len(), width);
            assert_eq!((old.previous(), old.authority_hex()), (None, None));
            assert_eq!(
                (new.session_id(), new.anchor(), new.kind(), new.algorithm()),
                (old.session_id(), old.anchor(), old.kind(), old.algorithm())
            );
            assert_ne!(new.split_id(), old.split_id());
            assert_eq!((new.threshold().k(), new.threshold().n(), new.created_at()), (k, n, minute(7)));
            let entry = &committed.entry;
            assert_eq!(entry.message(), raw_session_message(new));
            assert_eq!((entry.identity_id(), entry.time()), (&identity("successor"), minute(7)));
            assert!(dealt.culprits().is_empty() && dealt.misdealt().is_empty());
            for share in dealt.shares() {
                assert_eq!((share.session_id(), share.split_id()), (new.session_id(), new.split_id()));
                assert!(board.shares.iter().all(|old| value(old) != value(share)), "a value was dealt twice");
            }
        }
    }
}

/// Results before and after are the same ones: only the witness differs.
#[test]
fn the_session_signs_on() {
    for (mut board, other) in Board::of_each_kind(2, 3).into_iter().zip([(3, 5), (2, 2)]) {
        let before = board.signed(&message());
        let old = board.deal_again(&[1, 2], other.0, other.1);
        let numbers: Vec<u8> = (1..=other.0).collect();
        let after = board.sign(&board.pick(&numbers)).unwrap();
        assert_eq!(before.requester(), after.result.requester());
        if *board.session().kind() == SessionKind::Hmac {
            for result in [before, after.result] {
                let shares = board.pick(&numbers);
                board.in_force().verify_with_shares(&message(), result, &shares).unwrap();
            }
        }
        // The old shares do not sign under the record in force, as many as there are; holding one is no cheat.
        let too_few = SharingProblem::TooFewShares { needed: other.0, found: 0 };
        assert_eq!(board.sign(&old).unwrap_err().error, sharing(too_few, &[]));
        // Nor with k-1 new ones.
        let mut mixed = board.pick(&numbers[1..]);
        mixed.push(copy(&old[0]));
        let too_few = SharingProblem::TooFewShares { needed: other.0, found: other.0 - 1 };
        assert_eq!(board.sign(&mixed).unwrap_err().error, sharing(too_few, &[]));
    }
}

/// The share of a custodian who left is worth nothing, also where the new custodian has the same number.
#[test]
fn another_custodian_takes_a_seat() {
    let mut board = Board::hmac(2, 3);
    let mut seats = owners(3);
    seats[2] = identity("new custodian");
    let dealt = deal(&board, &board.pick(&[1, 2]), &seats, 2).unwrap();
    assert_eq!(dealt.shares()[2].owner(), &identity("new custodian"));
    let committed = board.commit(&dealt).unwrap();
    let old = board.bring(committed, dealt.shares());
    board.sign(&board.pick(&[2, 3])).unwrap();
    let found = board.sign(&[copy(&board.shares[1]), copy(&old[2])]).unwrap_err();
    assert_eq!(found.error, sharing(SharingProblem::TooFewShares { needed: 2, found: 1 }, &[]));
}

#[test]
fn dealing_anew_needs_a_quorum_good_numbers_and_randomness() {
    for board in Board::of_each_kind(2, 3) {
        let refused =
            |shares: &[SessionShare], n: usize, k: u8| deal(&board, shares, &vec![owner(1); n], k).unwrap_err();
        let too_few = |found, culprits: &[u8]| sharing(SharingProblem::TooFewShares { needed: 2, found }, culprits);
        assert_eq!(refused(&board.pick(&[2]), 3, 2), too_few(1, &[]));
        assert_eq!(refused(&[copy(&board.shares[0]), forged(&board.shares[1])], 3, 2), too_few(1, &[2]));
        assert_eq!(refused(&board.pick(&[3, 3]), 3, 2), too_few(1, &[]));
        for (n, k, field, number) in
            [(3, 1, "k", 1), (3, 4, "k", 4), (1, 2, "n", 1), (256, 2, "n", 256), (0, 2, "n", 0)]
        {
            let expected = Malformed::new(field, Some(number), Problem::Range);
            assert_eq!(refused(&board.pick(&[1, 2]), n, k), expected.into());
        }
        // Numbers that cannot be are refused before the shares are looked at, and before the secret exists.
        let expected = Malformed::new("k", Some(1), Problem::Range);
        assert_eq!(refused(&board.pick(&[2]), 3, 1), expected.into());
        let seats = owners(3);
        let (renewal, session) = (Renewal { owners: &seats, k: 2, time: minute(7) }, board.in_force());
        let shares = board.pick(&[1, 2]);
        let mut dealt = session.prepare_rethreshold(&shares, &renewal, &mut FAILING.clone());
        assert_eq!(dealt.unwrap_err(), Error::Randomness);
        // An ML-DSA session draws for the signature as well.
        let enough = if *board.session().kind() == SessionKind::Hmac { 98 } else { 130 };
        let drawn: Vec<u8> = (0..130_u32).map(|place| place.wrapping_mul(0x9e37_79b1).to_be_bytes()[0]).collect();
        for available in [31, 32, 97, enough - 1] {
            dealt = session.prepare_rethreshold(&shares, &renewal, &mut Given(&drawn[..available]));
            assert_eq!(dealt.unwrap_err(), Error::Randomness);
        }
        session.prepare_rethreshold(&shares, &renewal, &mut Given(&drawn[..enough])).unwrap();

        // Bad shares to spare are named.
        let spare = [forged(&board.shares[0]), copy(&board.shares[1]), copy(&board.shares[2])];
        let dealt = deal(&board, &spare, &seats, 2).unwrap();
        assert_eq!(dealt.culprits().iter().map(|index| index.get()).collect::<Vec<_>>(), [1]);
    }
}

/// A refresh keeps the numbers: a slip of the hand does not lower k or drop a custodian.
#[test]
fn a_refresh_changes_no_number() {
    for board in Board::of_each_kind(2, 3) {
        let refresh = |seats: &[IdentityId], k: u8| {
            let renewal = Renewal { owners: seats, k, time: minute(7) };
            board.in_force().prepare_refresh(&board.pick(&[1, 3]), &renewal, &mut SystemRng)
        };
        let prepared = refresh(&owners(3), 2).unwrap();
        assert_eq!(prepared.session().threshold(), board.session().threshold());
        assert_eq!(prepared.session().anchor(), board.session().anchor());
        for (seats, k, field) in [(3, 3, "k"), (4, 2, "n"), (2, 2, "n")] {
            let refused = refresh(&owners(seats), k).unwrap_err();
            assert_eq!(refused, Malformed::new(field, None, Problem::Range).into());
        }
    }
}

/// A dealer at fault is not carried on: what is dealt anew is the anchored secret or nothing.
#[test]
fn a_bad_dealing_is_not_dealt_anew() {
    let mut dealing = RawDealing::honest(HMAC, &[element(&[9]), element(&[4])], 3);
    dealing.committed[1] = element(&[77]);
    dealing.handed_out[1] = element(&[77]);
    let board = dealing.board();
    assert_eq!(
        deal(&board, &board.pick(&[1, 2]), &owners(3), 2).unwrap_err(),
        sharing(SharingProblem::DealerFault, &[])
    );
    let dealt = deal(&board, &board.pick(&[1, 3]), &owners(3), 2).unwrap();
    let expected = raw_anchor(dealt.session().session_id(), HMAC, &element(&[9]));
    assert_eq!(dealt.session().anchor().to_hex(), expected);
}

#[test]
fn a_lost_share_is_made_again() {
    for board in Board::of_each_kind(3, 5) {
        for lost in 1..=5 {
            let others: Vec<u8> = (1..=5).filter(|number| *number != lost).take(3).collect();
            let index = Index::new(lost.into()).unwrap();
            let repaired = board.in_force().repair(&board.pick(&others), index, &owner(lost)).unwrap();
            let share = &board.shares[usize::from(lost) - 1];
            assert_eq!(*repaired.share.to_json(), *share.to_json());
            assert!(repaired.culprits.is_empty());
        }
    }
}

#[test]
fn repairing_has_its_refusals() {
    let board = Board::hmac(2, 3);
    let repair = |shares: &[SessionShare], lost: u64, owner: &IdentityId| {
        board.in_force().repair(shares, Index::new(lost).unwrap(), owner)
    };
    let dealer = |culprits: &[u8]| sharing(SharingProblem::DealerFault, culprits);
    // Nobody gets another custodian's share under his own name, and the dealer is not accused for it.
    let not_his = |index| Error::Rejected(Rejected::Threshold(ThresholdFault::NotCommitted { index }));
    for thief in [owner(1), owner(2), secretary(), identity("mallory")] {
        assert_eq!(repair(&board.pick(&[1, 2]), 3, &thief).unwrap_err(), not_his(3), "{thief}");
    }
    for above in [4, 255] {
        let expected = Malformed::new("indeks", Some(above), Problem::Range);
        assert_eq!(repair(&board.pick(&[1, 2]), above, &owner(3)).unwrap_err(), expected.into());
    }
    let too_few = sharing(SharingProblem::TooFewShares { needed: 2, found: 1 }, &[]);
    assert_eq!(repair(&board.pick(&[1]), 3, &owner(3)).unwrap_err(), too_few);
    let too_few = sharing(SharingProblem::TooFewShares { needed: 2, found: 1 }, &[]);
    assert_eq!(repair(&board.pick(&[1, 1]), 3, &owner(3)).unwrap_err(), too_few);
    let shares = [forged(&board.shares[0]), copy(&board.shares[1])];
    let too_few = sharing(SharingProblem::TooFewShares { needed: 2, found: 1 }, &[1]);
    assert_eq!(repair(&shares, 3, &owner(3)).unwrap_err(), too_few);
    // The bad share of the very custodian who says that it is lost is named, and made again.
    let shares = [forged(&board.shares[2]), copy(&board.shares[1]), copy(&board.shares[0])];
    let repaired = repair(&shares, 3, &owner(3)).unwrap();
    assert_eq!(*repaired.share.to_json(), *board.shares[2].to_json());
    assert_eq!(repaired.culprits.iter().map(|index| index.get()).collect::<Vec<_>>(), [3]);
    // A share that is there is given again as it is.
    let repaired = repair(&board.pick(&[1, 2]), 1, &owner(1)).unwrap();
    assert_eq!(*repaired.share.to_json(), *board.shares[0].to_json());

    // What the dealer committed to falsely cannot be made again.
    let mut dealing = RawDealing::honest(HMAC, &[element(&[9]), element(&[4])], 3);
    dealing.committed[2] = element(&[77]);
    let board = dealing.board();
    let repaired = board.in_force().repair(&board.pick(&[1, 2]), Index::new(3).unwrap(), &owner(3)).unwrap_err();
    assert_eq!(repaired, not_his(3));
    // Shares that hold and do not give the secret are the dealer's fault, whoever asks.
    dealing.committed = vec![element(&[13]), element(&[77]), element(&[99])];
    dealing.handed_out.clone_from(&dealing.committed);
    let board = dealing.board();
    for who in [owner(3), secretary()] {
        let repaired = board.in_force().repair(&board.pick(&[1, 2]), Index::new(3).unwrap(), &who).unwrap_err();
        assert_eq!(repaired, dealer(&[]));
    }
}

/// Killed at each step: before the entry the old shares sign, after it the new ones, and a preparation that was lost is
/// prepared again.
#[test]
fn a_crash_at_any_step_loses_nothing() {
    for mut board in Board::of_each_kind(2, 3) {
        board.sign(&board.pick(&[1, 2])).unwrap();
        // After preparing, with the new shares at some nodes or at all: nothing was appended.
        let lost = board.prepare(&[1, 2], 3, 4);
        let left: Vec<SessionShare> = lost.shares().iter().map(copy).collect();
        drop(lost);
        board.sign(&board.pick(&[1, 3])).unwrap();
        assert!(board.sign(&left).is_err(), "what was prepared and is lost never counts");
        // After acknowledging.
        let lost = board.prepare(&[1, 2], 3, 4);
        let acknowledged = said(&board, &lost);
        drop((lost, acknowledged));
        board.sign(&board.pick(&[2, 3])).unwrap();
        // The entry was made and not stored, as when the transaction is rolled back.
        let prepared = board.prepare(&[1, 2], 3, 4);
        drop(board.commit(&prepared).unwrap());
        board.sign(&board.pick(&[1, 2])).unwrap();
        // Stored: the new set signs, the old one does not.
        let committed = board.commit(&prepared).unwrap();
        let old = board.bring(committed, prepared.shares());
        board.sign(&board.pick(&[1, 2, 4])).unwrap();
        assert!(board.sign(&old).is_err());
        // A checkpoint that does not cover the entry yet leaves the old set in force, for those who go by it.
        let size = board.chain.entries().len() - 1;
        let before = board.check_covered(size, &board.founder(), &board.records).unwrap();
        assert_eq!(before.session().map(|(session, _)| session), Some(&board.records[0]));
        let (requester, at) = (secretary(), board.chain.head());
        before.sign(&message(), &requester, &old, at, minute(2), &mut SystemRng).unwrap();
    }
}

/// Every custodian has the record with the commitments to all shares, and can say what each of the others would. It
/// counts once, for the one whom the channel authenticated, and only where it is his.
#[test]
fn nobody_acknowledges_for_another() {
    for board in Board::of_each_kind(2, 3) {
        let prepared = board.prepare(&[1, 2], 2, 3);
        // By the record alone, without a share.
        let record: Json = serde_json::from_str(&prepared.session().to_json()).unwrap();
        let made_up = |commitment: &Json| {
            let said = json!({"split_id": record["split_id"], "udio_sidra": commitment});
            Acknowledgement::from_json(said.to_string().as_bytes()).unwrap()
        };
        let all: Vec<_> = record["udio_sidra"].as_array().unwrap().iter().map(made_up).collect();
        let at = board.at_head();
        let found = |said: &[(u8, usize)]| {
            let said: Vec<_> =
                said.iter().map(|(by, of)| (Index::new((*by).into()).unwrap(), all[*of - 1].clone())).collect();
            match prepared.commit(&at, &said, None, &secretary()) {
                Ok(_) => 3,
                Err(Error::Rejected(Rejected::Threshold(ThresholdFault::TooFewAcknowledgements { found, .. }))) => {
                    found
                }
                other => panic!("{other:?}"),
            }
        };
        for one in 1..=3 {
            assert_eq!(found(&[(one, 1), (one, 2), (one, 3)]), 1, "{one} for all");
            assert_eq!(found(&[(one, usize::from(one)), (one, usize::from(one)), (one, usize::from(one))]), 1);
        }
        assert_eq!(found(&[(1, 2), (2, 3), (3, 1)]), 0, "each for another");
        assert_eq!(found(&[(4, 1), (255, 2), (4, 3)]), 0, "who has no share");
        assert_eq!(found(&[(3, 3), (1, 1), (2, 2), (1, 3)]), 3, "and each for himself");
    }
}

/// A custodian answers with his new share before the signer's checkpoint covers its entry, or before there is one, with
/// the new record at hand or not: he is ahead, and was named as a culprit in what was signed.
#[test]
fn whoever_is_ahead_of_the_checkpoint_is_no_culprit() {
    for mut board in Board::of_each_kind(2, 3) {
        let prepared = board.prepare(&[1, 2], 2, 3);
        let named = |board: &Board, session: &SessionInForce| {
            let old = board.pick(&[1, 2]);
            let ahead = copy(&prepared.shares()[2]);
            let (requester, at) = (secretary(), board.chain.head());
            let quorum = session.quorum(&[copy(&ahead)]);
            assert_eq!((quorum.health.invalid.len(), quorum.health.foreign), (0, vec![ahead.index()]));
            let shares = [ahead, copy(&old[0]), copy(&old[1])];
            let signed = session.sign(&message(), &requester, &shares, at, minute(9), &mut SystemRng).unwrap();
            signed.result.culprits().to_vec()
        };
        assert_eq!(named(&board, &board.in_force()), [], "prepared");
        let committed = board.commit(&prepared).unwrap();
        let size = board.chain.entries().len();
        board.chain.push(committed.entry).unwrap();
        let before = |records: &[Session]| board.check_covered(size, &board.founder(), records).unwrap();
        assert_eq!(named(&board, &before(&board.records)), [], "committed");
        let records = [board.records[0].clone(), committed.session];
        assert_eq!(named(&board, &before(&records)), [], "and its record is at hand");
    }
}

/// Where the quorum's key was revoked the entry would count for nothing, and the old shares would be deleted for it.
#[test]
fn a_revoked_key_commits_nothing() {
    let board = Board::mldsa(2, 3);
    let (prepared, size) = (board.prepare(&[1, 2], 2, 3), board.chain.entries().len());
    let covered = covering(ORIGIN, &board.chain, size);
    let (id, founder, next) = (board.session().session_id(), board.founder(), u64::try_from(size).unwrap());
    for (revoked, commits) in [(next + 1, true), (next, false), (0, false)] {
        let reader = reading::under(&covered).up_to(board.chain.head());
        let located = reading::read(reader, board.chain.entries(), |reader| reader.session(id, &founder)).unwrap();
        let at = located.at_head(&board.records, &board.ring_revoked_from(revoked)).unwrap();
        let committed = prepared.commit(&at, &said(&board, &prepared), None, &secretary());
        let refused = Error::Rejected(Rejected::Threshold(ThresholdFault::RevokedKey));
        assert_eq!(committed.map(drop), if commits { Ok(()) } else { Err(refused) }, "{revoked}");
    }
}

/// The entry is the commit point: it is appended when as many confirmed as were asked for, and once.
#[test]
fn a_commitment_needs_its_acknowledgements_and_its_predecessor() {
    for mut board in Board::of_each_kind(2, 3) {
        let fault = |error: Error| match error {
            Error::Rejected(Rejected::Threshold(fault)) => fault,
            other => panic!("{other:?}"),
        };
        let [prepared, rival] = [(); 2].map(|()| board.prepare(&[1, 2], 2, 4));
        let (at, all) = (board.at_head(), said(&board, &prepared));
        let commit = |said: &[(Index, Acknowledgement)], needed| prepared.commit(&at, said, needed, &secretary());
        let too_few = |needed, found| ThresholdFault::TooFewAcknowledgements { needed, found };
        assert_eq!(fault(commit(&all[..3], None).unwrap_err()), too_few(4, 3));
        assert_eq!(fault(commit(&all[..1], Some(2)).unwrap_err()), too_few(2, 1));
        // Each counts once, and those for another preparation not at all.
        let twice = [all[0].clone(), all[0].clone()];
        assert_eq!(fault(commit(&twice, Some(2)).unwrap_err()), too_few(2, 1));
        assert_eq!(fault(commit(&said(&board, &rival), None).unwrap_err()), too_few(4, 0));
        for needed in [1, 5] {
            let refused = Malformed::new("needed", Some(needed.into()), Problem::Range);
            assert_eq!(commit(&all, Some(needed)).unwrap_err(), refused.into());
        }
        assert!(commit(&all[1..3], Some(2)).is_ok());
        let read = Acknowledgement::from_json(all[0].1.to_json().as_bytes()).unwrap();
        assert_eq!((&read, read.split_id()), (&all[0].1, prepared.session().split_id()));
        // A share that is not what the record commits to is not acknowledged.
        let refused = rival.shares()[0].acknowledge(&board.domain, prepared.session()).unwrap_err();
        assert_eq!(refused, Error::Rejected(Rejected::Threshold(ThresholdFault::NotCommitted { index: 1 })));
        assert!(refused.evidence().culprits.is_empty(), "whoever received it sent nothing");

        let committed = board.commit(&prepared).unwrap();
        board.bring(committed, prepared.shares());
        // Another refresh of the same predecessor, and the same one again, come too late.
        for late in [&rival, &prepared] {
            assert_eq!(fault(board.commit(late).unwrap_err()), ThresholdFault::StaleGeneration);
        }
        // So it is when the checkpoint does not cover the generation yet: the own head decides.
        let size = board.chain.entries().len() - 1;
        let before = board.check_covered(size, &board.founder(), &board.records).unwrap();
        let since = || {
            let begun = TrustedHead::stored(before.covered());
            ChainReader::new(&board.domain, &begun).up_to(board.chain.head())
        };
        let entries = &board.chain.entries()[size..];
        let located = reading::read(since(), entries, |reader| reader.session_since(&before)).unwrap();
        let at = located.at_head(&board.records, &board.ring()).unwrap();
        assert_eq!(at.head(), board.chain.head());
        let late = rival.commit(&at, &said(&board, &rival), None, &secretary()).unwrap_err();
        assert_eq!(fault(late), ThresholdFault::StaleGeneration);
        assert!(since().push(&board.chain.entries()[0]).is_err());
        let elsewhere = reading::up_to(&board.domain, board.chain.head()).session_since(&before).unwrap_err();
        assert_eq!(elsewhere, Misuse::LateStart.into());
    }
}

/// Another process, or this one after it was started again, commits by the record that was kept: it has no secret.
#[test]
fn what_was_prepared_is_committed_by_its_record() {
    for mut board in Board::of_each_kind(2, 3) {
        for _ in 0..2 {
            let prepared = board.prepare(&[1, 2], 2, 3);
            let kept = Session::from_json(prepared.authorised().to_json().as_bytes()).unwrap();
            let (at, all) = (at_head_of(&board), said(&board, &prepared));
            let by_record = at.commit(&kept, &all, None, &secretary()).unwrap();
            assert_eq!(by_record, prepared.commit(&board.at_head(), &all, None, &secretary()).unwrap());
            let few = at.commit(&kept, &all[..2], None, &secretary()).unwrap_err();
            let too_few = ThresholdFault::TooFewAcknowledgements { needed: 3, found: 2 };
            assert_eq!(few, Error::Rejected(Rejected::Threshold(too_few)));
            for wrong in [prepared.session(), &board.records[0]] {
                let refused = at.commit(wrong, &all, None, &secretary()).unwrap_err();
                assert_eq!(refused, Error::Rejected(Rejected::Threshold(ThresholdFault::Authority)));
            }
            board.bring(by_record, prepared.shares());
            let stale = at_head_of(&board).commit(&kept, &all, None, &secretary()).unwrap_err();
            assert_eq!(stale, Error::Rejected(Rejected::Threshold(ThresholdFault::StaleGeneration)));
        }
        board.sign(&board.pick(&[1, 3])).unwrap();
    }
}

/// What is in force at the head, as whoever committed all of it knows.
fn at_head_of(board: &Board) -> SessionAtHead {
    board.at_head().settled(board.session()).unwrap()
}

/// Of an HMAC session nothing is committed by a record alone where somebody's record could be in force, and what was
/// committed is pinned: what came before it is asked about no more, and what comes after it is.
#[test]
fn only_what_was_committed_is_in_force_without_shares() {
    let mut board = Board::hmac(2, 3);
    board.deal_again(&[1, 2], 2, 3);
    let own = board.session().clone();
    assert_eq!(board.in_force().session(), None);
    let settled = |board: &Board, record: &Session| board.in_force().settled(record);
    assert_eq!(settled(&board, &own).unwrap().session().map(|(record, _)| record), Some(&own));
    let founder = board.records[0].clone();
    assert_eq!(settled(&board, &founder).unwrap().session(), None, "something continues it");
    assert_eq!(settled(&board, &own).unwrap().settled(&founder).unwrap(), settled(&board, &own).unwrap());
    let prepared = board.prepare(&[1, 2], 2, 3);
    let (kept, all) = (prepared.authorised(), said(&board, &prepared));
    let refused = Error::Rejected(Rejected::Threshold(ThresholdFault::StaleGeneration));
    assert_eq!(settled(&board, &kept).unwrap_err(), refused, "it does not stand in the chain");
    assert_eq!(board.at_head().commit(&kept, &all, None, &secretary()).unwrap_err(), refused, "nothing is pinned");
    assert!(at_head_of(&board).commit(&kept, &all, None, &secretary()).is_ok());

    // Somebody's record that would continue it: it holds for nobody who has the secret, which is not here.
    let mut made_up: Json = serde_json::from_str(&kept.to_json()).unwrap();
    made_up["ovlast"] = "ab".repeat(64).into();
    made_up["prethodni"] = own.split_id().to_hex().into();
    board.announce(&made_up);
    assert_eq!(settled(&board, &own).unwrap().session(), None);
    let undecided = board.at_head().settled(&own).unwrap().commit(&kept, &all, None, &secretary());
    assert_eq!(undecided.unwrap_err(), refused);
    assert!(prepared.commit(&board.at_head(), &all, None, &secretary()).is_ok(), "who has the secret goes on");
    // Where its record is not at hand it stops nobody.
    board.records.pop();
    assert!(at_head_of(&board).commit(&kept, &all, None, &secretary()).is_ok());
    board.sign(&board.pick(&[1, 2])).unwrap();
}
