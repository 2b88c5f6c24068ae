//! What a custodian's node keeps of a session: a crash, a log that anybody writes and an operator in a hurry cost
//! nobody's share.

use dualseal::ed25519::{Ed25519Signature, Ed25519SigningKey};
use dualseal::error::{Error, Misuse, PresenceFault, Rejected, ShardFault, ThresholdFault};
use dualseal::presence::{DropOrder, NodeShares, Nonce, Statement};
use dualseal::shamir::SplitId;
use dualseal::shard::KnownSplit;
use dualseal::threshold::{Prepared, Session, SessionKind, SessionShare};
use dualseal::{Domain, SystemRng};
use dualseal_tests::minute;
use dualseal_tests::quorum::{Board, copy, forged};

fn operator() -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&[9; 32]).unwrap()
}

fn refused(fault: ThresholdFault) -> Error {
    Error::Rejected(Rejected::Threshold(fault))
}

fn bad_signature() -> Error {
    Error::Rejected(Rejected::Presence(PresenceFault::Signature))
}

/// The node of the first custodian, with the share of the founding.
fn node(board: &Board) -> NodeShares {
    NodeShares::new(&board.domain, Some((copy(&board.shares[0]), board.records[0].clone()))).unwrap()
}

/// A node that was sent its share of a preparation.
fn prepared_at(board: &Board, prepared: &Prepared) -> NodeShares {
    let mut node = node(board);
    node.prepare(&board.domain, copy(&prepared.shares()[0]), prepared.session().clone(), minute(60)).unwrap();
    node
}

fn splits(node: &NodeShares) -> (Option<SplitId>, Option<SplitId>) {
    (node.current().map(|(share, _)| *share.split_id()), node.prepared().map(|(share, ..)| *share.split_id()))
}

/// An order to a node, signed by whoever; what the node answers, and how many nonces that cost.
fn told(
    node: &mut NodeShares,
    split_id: &SplitId,
    record: &Session,
    signature: &Signing<'_>,
) -> (Result<(), Error>, u8) {
    let (domain, expiry, nonce) = (Domain::default(), minute(4), Nonce::draw(&mut SystemRng).unwrap());
    let mut spent = 0;
    let signature = signature(&domain, &nonce);
    let order = DropOrder { split_id, nonce: &nonce, expiry, signature: &signature };
    let consume = &mut |_: &Nonce| {
        spent += 1;
        true
    };
    let said = node.obey(&domain, "node", order, record, operator().public_key(), minute(0), consume);
    (said, spent)
}

type Signing<'a> = dyn Fn(&Domain, &Nonce) -> Ed25519Signature + 'a;

#[test]
fn a_node_goes_on_by_the_operators_word_alone() {
    for mut board in Board::of_each_kind(2, 3) {
        let prepared = board.prepare(&[1, 2], 2, 3);
        let mut node = prepared_at(&board, &prepared);
        let (old, new) = (*board.session().split_id(), *prepared.session().split_id());
        let key = operator();
        let by = |key: &Ed25519SigningKey, audience: &str, board: &Board, shares: &[SessionShare]| {
            Statement::drop_older_shares(audience, &board.in_force(), shares)
                .map(|statement| (statement, Ed25519SigningKey::from_seed(key.seed().expose()).unwrap()))
        };
        let signed = |(statement, key): (Statement, Ed25519SigningKey)| {
            move |domain: &Domain, nonce: &Nonce| statement.sign(domain, nonce, minute(4), &key)
        };
        let word = signed(by(&key, "node", &board, &[]).unwrap());
        let other = Error::Rejected(Rejected::Shard(ShardFault::OtherRequest { member: "split_id" }));
        assert_eq!(told(&mut node, &old, &board.records[0], &word), (Err(other.clone()), 0));

        let committed = board.commit(&prepared).unwrap();
        let record = committed.session.clone();
        board.bring(committed, prepared.shares());
        // Whoever saw the record appends one of his own with the same split: of an HMAC session only shares tell.
        let word = by(&key, "node", &board, &[]).map(drop);
        let is_hmac = *record.kind() == SessionKind::Hmac;
        assert_eq!(word, if is_hmac { Err(refused(ThresholdFault::StaleGeneration)) } else { Ok(()) });
        let own = board.in_force().settled(&record).unwrap();
        let told_so = Statement::drop_older_shares("node", &own, &[]).unwrap();
        assert_eq!(told_so, Statement::drop_older_shares("node", &board.in_force(), &board.pick(&[1, 2])).unwrap());
        let shares = board.pick(&[2, 3]);
        let mallory = Ed25519SigningKey::from_seed(&[8; 32]).unwrap();
        for (key, audience) in [(&mallory, "node"), (&key, "another node")] {
            let word = signed(by(key, audience, &board, &shares).unwrap());
            assert_eq!(told(&mut node, &new, &record, &word), (Err(bad_signature()), 0));
        }
        // The word with another record beside it: without authority, of the founding, or with somebody else's.
        let word = signed(by(&key, "node", &board, &shares).unwrap());
        for wrong in [prepared.session(), &board.records[0]] {
            assert_eq!(told(&mut node, &new, wrong, &word), (Err(refused(ThresholdFault::Authority)), 0));
        }
        assert_eq!(splits(&node), (Some(old), Some(new)));
        assert_eq!(told(&mut node, &new, &record, &word), (Ok(()), 1));
        assert_eq!((splits(&node), node.current().unwrap().1), ((Some(new), None), &record));
        assert_eq!(told(&mut node, &new, &record, &word), (Err(other), 0));
    }
}

/// Of an ML-DSA session the node verifies the authority itself: the operator's key alone ends no share.
#[test]
fn a_made_up_authority_ends_no_share() {
    let mut board = Board::mldsa(2, 3);
    let prepared = board.prepare(&[1, 2], 2, 3);
    let mut node = prepared_at(&board, &prepared);
    let new = *prepared.session().split_id();
    let committed = board.commit(&prepared).unwrap();
    let good = committed.session.clone();
    board.bring(committed, prepared.shares());
    let authority = good.authority_hex().unwrap();
    let digit = if authority.starts_with('0') { "1" } else { "0" };
    let text = good.to_json().replace(&authority, &[digit, &authority[1..]].concat());
    let made_up = Session::from_json(text.as_bytes()).unwrap();
    let statement = Statement::drop_older_shares("node", &board.in_force(), &[]).unwrap();
    let word = move |domain: &Domain, nonce: &Nonce| statement.sign(domain, nonce, minute(4), &operator());
    assert_eq!(told(&mut node, &new, &made_up, &word), (Err(refused(ThresholdFault::Authority)), 0));
    assert_eq!(told(&mut node, &new, &good, &word), (Ok(()), 1));
}

/// One that was acknowledged may have been committed: no later one takes its place, and it outlives its time while its
/// generation may be in force.
#[test]
fn a_prepared_share_is_kept_until_it_cannot_count() {
    for board in Board::of_each_kind(2, 3) {
        let (one, two) = (board.prepare(&[1, 2], 2, 3), board.prepare(&[1, 2], 2, 3));
        let mut node = node(&board);
        let take = |node: &mut NodeShares, from: &Prepared, until| {
            node.prepare(&board.domain, copy(&from.shares()[0]), from.session().clone(), until)
        };
        let said = take(&mut node, &one, minute(10)).unwrap();
        assert_eq!(said.split_id(), one.session().split_id());
        let already = Error::Rejected(Rejected::Shard(ShardFault::AlreadyPrepared));
        assert_eq!(take(&mut node, &two, minute(30)), Err(already.clone()));
        let anothers = node.prepare(&board.domain, copy(&one.shares()[1]), one.session().clone(), minute(30));
        assert_eq!(anothers, Err(already));
        // The same again, as after a lost answer.
        assert_eq!(take(&mut node, &one, minute(5)), Ok(said));
        assert_eq!(node.prepared().unwrap().2, minute(10));
        let (old, new) = (*board.session().split_id(), *one.session().split_id());
        for (split, at, kept) in [
            (KnownSplit::InForce(old), 9, true),
            (KnownSplit::InForce(new), 99, true),
            (KnownSplit::NoChain, 9, true),
            (KnownSplit::InForce(old), 10, false),
        ] {
            node.expire(split, minute(at));
            assert_eq!(node.prepared().is_some(), kept, "{split:?} {at}");
        }
        assert_eq!(take(&mut node, &two, minute(30)).map(drop), Ok(()));
    }
}

#[test]
fn what_a_node_does_not_take() {
    let (board, other) = (Board::mldsa(2, 3), Board::mldsa(2, 3));
    let prepared = board.prepare(&[1, 2], 2, 3);
    let (mut node, mut empty) = (node(&board), NodeShares::default());
    let elses = other.prepare(&[1, 2], 2, 3);
    let (share, record) = (copy(&elses.shares()[0]), elses.session().clone());
    assert_eq!(node.prepare(&board.domain, share, record, minute(9)), Err(Misuse::OtherVault.into()));
    let bad = node.prepare(&board.domain, forged(&prepared.shares()[0]), prepared.session().clone(), minute(9));
    assert!(bad.is_err() && node.prepared().is_none(), "a share that the record does not commit to");
    assert!(NodeShares::new(&board.domain, Some((forged(&board.shares[0]), board.records[0].clone()))).is_err());
    let split_id = *board.session().split_id();
    let word = |_: &Domain, _: &Nonce| Ed25519Signature::from_bytes([0; 64]);
    assert_eq!(told(&mut empty, &split_id, &board.records[0], &word), (Err(Misuse::NoShards.into()), 0));

    // A founder's record replaces nothing, and one that counts here already is no preparation.
    let founder = board.records[0].clone();
    let founded = empty.prepare(&board.domain, copy(&board.shares[0]), founder, minute(9));
    assert_eq!(founded, Err(refused(ThresholdFault::StaleGeneration)));
    assert!(!format!("{node:?}").contains(&*board.shares[0].value_hex()));
}

/// A refresh may go on without a custodian: his share of it is made again, and comes to his node as a prepared one.
#[test]
fn whoever_missed_a_generation_comes_back() {
    for mut board in Board::of_each_kind(2, 3) {
        let mut behind = node(&board);
        for _ in 0..2 {
            board.deal_again(&[1, 2], 2, 3);
        }
        let (record, share) = (board.session().clone(), copy(&board.shares[0]));
        if *record.kind() != SessionKind::Hmac {
            let authority = record.authority_hex().unwrap();
            let digit = if authority.starts_with('0') { "1" } else { "0" };
            let text = record.to_json().replace(&authority, &[digit, &authority[1..]].concat());
            let made_up = Session::from_json(text.as_bytes()).unwrap();
            let refusal = behind.prepare(&board.domain, copy(&share), made_up, minute(9));
            assert_eq!(refusal, Err(refused(ThresholdFault::Authority)));
        }
        behind.prepare(&board.domain, share, record.clone(), minute(9)).unwrap();
        let statement = Statement::drop_older_shares("node", &board.in_force(), &board.pick(&[2, 3])).unwrap();
        let word = move |domain: &Domain, nonce: &Nonce| statement.sign(domain, nonce, minute(4), &operator());
        assert_eq!(told(&mut behind, record.split_id(), &record, &word), (Ok(()), 1));
        assert_eq!(splits(&behind), (Some(*record.split_id()), None));
        let again = behind.prepare(&board.domain, copy(&board.shares[0]), record, minute(9));
        assert_eq!(again, Err(refused(ThresholdFault::StaleGeneration)));
    }
}
