//! Which generation of a session counts: from the pinned founder on, each that the one before authorised. What does not
//! continue is listed, stops nothing and blames nobody.

use dualseal::error::{CheckpointFault, Error, Rejected, ThresholdFault};
use dualseal::krunica::{IgnoredReason, KrunicaHash};
use dualseal::reader::{ChainReader, TrustedHead};
use dualseal::threshold::{LocatedSession, Session, SessionInForce, SessionKind, SessionShare};
use dualseal::{Domain, Entry, KeyRing, Krunica, SigningKey, SystemRng};
use dualseal_tests::log::{ORIGIN, covering, head_at};
use dualseal_tests::quorum::{
    Board, HMAC, MLDSA, RawDealing, copy, element, evaluate, message, newest, owner, raw_authority, raw_commitment,
    raw_entry, raw_session_message, secretary, session_entry,
};
use dualseal_tests::{identity, minute, next_digit, reading, with_member};
use serde_json::{Value as Json, json};

/// What the board's chain says of its session.
fn walked(board: &Board, reader: ChainReader<'_>) -> LocatedSession {
    let session = |reader: &mut ChainReader<'_>| reader.session(board.session().session_id(), &board.founder());
    reading::read(reader, board.chain.entries(), session).unwrap()
}

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

fn listed(session: &SessionInForce) -> Vec<(u64, IgnoredReason)> {
    session.ignored().entries().iter().map(|entry| (entry.seq, entry.reason)).collect()
}

/// What is listed once the secret of an HMAC session stood, with everything else.
fn listed_when_signing(board: &Board, shares: &[SessionShare]) -> Vec<(u64, IgnoredReason)> {
    let signed = board.sign(shares).unwrap();
    assert!(signed.result.culprits().is_empty(), "nobody is blamed");
    assert_eq!(signed.split_id, *board.shares[0].split_id());
    signed.ignored.entries().iter().map(|entry| (entry.seq, entry.reason)).collect()
}

#[test]
fn the_founded_record_is_in_force() {
    for board in Board::of_each_kind(2, 3) {
        let found = board.in_force();
        assert_eq!(newest(&found), (board.session(), 1));
        assert_eq!((found.founder(), found.session()), (board.session(), Some((board.session(), 1))));
        assert!(found.ignored().is_empty());
    }
}

#[test]
fn each_generation_continues_the_one_before() {
    for mut board in Board::of_each_kind(2, 3) {
        for (k, n) in [(2, 3), (3, 4), (2, 2)] {
            let numbers: Vec<u8> = (1..=board.session().threshold().k()).collect();
            board.deal_again(&numbers, k, n);
            let found = board.in_force();
            assert_eq!(newest(&found), (board.session(), board.chain.head().size() - 1));
            assert!(found.ignored().is_empty());
        }
        // What the checkpoint does not cover is not in force yet.
        for (size, record) in [(2, 0), (3, 1), (4, 2), (5, 3)] {
            let found = board.check_covered(size, &board.founder(), &board.records).unwrap();
            assert_eq!(newest(&found), (&board.records[record], size as u64 - 1));
        }
        // Their order at hand does not matter.
        board.records.reverse();
        let founder = board.chain.entries()[1].krunica_hash();
        let found = board.check_covered(5, &founder, &board.records).unwrap();
        assert_eq!(newest(&found), (&board.records[0], 4));
    }
}

#[test]
fn a_session_without_its_founding_is_not_found() {
    let mut board = Board::hmac(2, 3);
    board.deal_again(&[1, 2], 2, 3);
    let refused = |size, founder: &KrunicaHash, records: &[Session]| {
        fault(board.check_covered(size, founder, records).unwrap_err())
    };
    assert_eq!(refused(1, &board.founder(), &board.records), ThresholdFault::NoSession);
    assert_eq!(refused(3, &KrunicaHash::from_bytes([1; 32]), &board.records), ThresholdFault::NoSession);
    // The founder's record is needed, and a later generation is none.
    assert_eq!(refused(3, &board.founder(), &board.records[1..]), ThresholdFault::MissingRecord { seq: 1 });
    let later = board.chain.entries()[2].krunica_hash();
    assert_eq!(refused(3, &later, &board.records), ThresholdFault::MissingRecord { seq: 2 });
    let other = Board::hmac(2, 3);
    assert_eq!(refused(3, &board.founder(), &other.records), ThresholdFault::MissingRecord { seq: 1 });
    // Under another domain's constants the entries are other texts.
    let (domain, checkpoint) = (Domain::new("ACME").unwrap(), covering(ORIGIN, &board.chain, 2));
    let located = walked(&board, reading::under_in(&domain, &checkpoint));
    assert_eq!(fault(located.in_force(&board.records, &board.ring()).unwrap_err()), ThresholdFault::NoSession);
}

/// Whoever can write to the log appends the entry of the first generation again, or of one that was refreshed away: it
/// came back, and the present custodians were named as culprits.
#[test]
fn an_old_generation_appended_again_does_not_come_back() {
    for mut board in Board::of_each_kind(2, 3) {
        let first = board.deal_again(&[1, 2], 2, 3);
        let second = board.deal_again(&[1, 2], 2, 3);
        for record in [0, 1, 0, 2] {
            board.chain.push(session_entry(&board.chain, &board.records[record])).unwrap();
        }
        let found = board.in_force();
        assert_eq!(newest(&found), (&board.records[2], 3));
        let again = (4..8).map(|seq| (seq, IgnoredReason::Repeated)).collect::<Vec<_>>();
        assert_eq!(listed(&found), again);
        assert_eq!(listed_when_signing(&board, &board.pick(&[1, 2])), again);
        for old in [first, second] {
            let refused = board.sign(&old).unwrap_err();
            assert_eq!(refused.error.to_string(), "0 usable shares, 2 are needed");
            // Beside a quorum an old share is dropped, and its holder is no cheat.
            let shares = [copy(&old[2]), copy(&board.shares[0]), copy(&board.shares[1])];
            assert_eq!(board.sign(&shares).unwrap().result.culprits(), []);
        }
    }
}

/// A good message, authority and all, set into the log again by somebody else: before its predecessor, after its
/// successor, under another name, with another time. Each counts once, where it continues what was in force.
#[test]
fn a_good_message_repeated_elsewhere_counts_once() {
    for mut board in Board::of_each_kind(2, 3) {
        board.deal_again(&[1, 2], 2, 3);
        board.deal_again(&[1, 2], 2, 3);
        let [founding, second, third] = [1, 2, 3].map(|seq| board.chain.entries()[seq].clone());
        let again = |chain: &mut Krunica, entry: &Entry, at| {
            chain.push(raw_entry(chain, &identity("mallory"), entry.message(), at)).unwrap();
        };
        let mut chain = Krunica::new();
        again(&mut chain, &third, third.time());
        again(&mut chain, &founding, founding.time());
        chain.push(session_entry(&chain, &board.records[0])).unwrap();
        again(&mut chain, &third, third.time());
        again(&mut chain, &second, minute(99));
        again(&mut chain, &second, second.time());
        again(&mut chain, &second, second.time());
        again(&mut chain, &third, third.time());
        for entry in [&third, &second, &founding] {
            again(&mut chain, entry, entry.time());
        }
        let founder = chain.entries()[2].krunica_hash();
        board.chain = chain;
        let found = board.check_covered(board.chain.entries().len(), &founder, &board.records).unwrap();
        assert_eq!(newest(&found), (&board.records[2], 7));
        let (at, requester) = (board.chain.head(), secretary());
        let signed = found.sign(&message(), &requester, &board.pick(&[1, 3]), at, minute(9), &mut SystemRng).unwrap();
        assert_eq!((signed.result.culprits(), signed.split_id), (&[][..], *board.records[2].split_id()));
        let ignored: Vec<_> = signed.ignored.entries().iter().map(|entry| (entry.seq, entry.reason)).collect();
        let (early, time) = (IgnoredReason::BeforeFounder, IgnoredReason::NoRecord);
        let (order, again) = (IgnoredReason::Predecessor, IgnoredReason::Repeated);
        let expected = [(0, early), (1, early), (3, order), (4, time), (6, again), (8, again), (9, again), (10, again)];
        assert_eq!(ignored, expected);
    }
}

/// Junk by anybody: it has the beginning of a session's message, and ended a session for good.
#[test]
fn junk_of_anybody_stops_nothing() {
    for mut board in Board::of_each_kind(2, 3) {
        let beginning = format!("DUALSEAL-THRESHOLD::SESSION::{}::", board.session().session_id());
        let mut early = Krunica::new();
        for text in [format!("{beginning}0::DUALSEAL"), beginning.clone()] {
            early.push(raw_entry(&early, &identity("mallory"), &text, minute(0))).unwrap();
        }
        let founded = session_entry(&early, board.session());
        early.push(founded).unwrap();
        board.chain = early;
        for text in [beginning.clone(), format!("{beginning}{}::DUALSEAL", "0".repeat(64)), format!("{beginning}::")] {
            let junk = raw_entry(&board.chain, &identity("mallory"), &text, minute(3));
            board.chain.push(junk).unwrap();
        }
        board.deal_again(&[1, 2], 2, 3);
        let found = board.in_force();
        assert_eq!(newest(&found), (&board.records[1], 6));
        let (before, unknown, form) = (IgnoredReason::BeforeFounder, IgnoredReason::NoRecord, IgnoredReason::Form);
        let expected = vec![(0, before), (1, before), (3, form), (4, unknown), (5, form)];
        assert_eq!(listed(&found), expected);
        assert_eq!(listed_when_signing(&board, &board.pick(&[2, 3])), expected);
        // A share of a split that an unknown record may have dealt is not held against who sends it.
        let share = with_member(&board.shares[0].to_json(), "split_id", "ab".repeat(32).into());
        let unknown = SessionShare::from_json(share.as_bytes()).unwrap();
        let shares = [unknown, copy(&board.shares[1]), copy(&board.shares[2])];
        assert_eq!(board.sign(&shares).unwrap().result.culprits(), []);
    }
}

/// The record of another session, stated under this one's beginning, is none of it, though it is at hand.
#[test]
fn another_sessions_record_is_not_this_ones() {
    for (mut board, other) in Board::of_each_kind(2, 3).into_iter().zip(Board::of_each_kind(2, 3)) {
        assert_ne!(board.session().session_id(), other.session().session_id());
        let hash = other.chain.entries()[1].message().split("::").nth(3).unwrap().to_string();
        let text = format!("DUALSEAL-THRESHOLD::SESSION::{}::{hash}::DUALSEAL", board.session().session_id());
        let entry = raw_entry(&board.chain, &identity("mallory"), &text, other.chain.entries()[1].time());
        board.chain.push(entry).unwrap();
        let records = [board.session().clone(), other.session().clone()];
        let found = board.check_covered(board.chain.entries().len(), &board.founder(), &records).unwrap();
        assert_eq!(listed(&found), vec![(2, IgnoredReason::NoRecord)]);
        let founder = board.chain.entries()[2].krunica_hash();
        let refused = board.check_covered(board.chain.entries().len(), &founder, &records).unwrap_err();
        assert_eq!(fault(refused), ThresholdFault::MissingRecord { seq: 2 });
    }
}

#[test]
fn ignored_entries_are_listed_to_a_thousand_and_counted() {
    let mut board = Board::hmac(2, 3);
    let text = format!("DUALSEAL-THRESHOLD::SESSION::{}::", board.session().session_id());
    for _ in 0..1_010 {
        board.chain.push(raw_entry(&board.chain, &identity("mallory"), &text, minute(3))).unwrap();
    }
    let found = board.in_force();
    assert_eq!((found.ignored().entries().len(), found.ignored().more()), (1_000, 10));
    assert_eq!(found.session(), Some((board.session(), 1)));
}

/// A successor by somebody without the secret: with commitments to junk of his own, whose shares he can hand out.
fn forged(board: &Board, authority: usize) -> (Json, Vec<SessionShare>) {
    forged_of(board, authority, dualseal::shamir::SplitId::from_bytes([0xee; 32]))
}

/// The same, of any split.
fn forged_of(board: &Board, authority: usize, split: dualseal::shamir::SplitId) -> (Json, Vec<SessionShare>) {
    let values: Vec<[u8; 66]> = (1..=3).map(|index| evaluate(&[element(&[66]), element(&[5])], index)).collect();
    let id = board.session().session_id();
    let mut record: Json = serde_json::from_str(&board.records[0].to_json()).unwrap();
    record["prethodni"] = board.records[0].split_id().to_hex().into();
    record["split_id"] = split.to_hex().into();
    record["ovlast"] = "0".repeat(authority).into();
    record["udio_sidra"] =
        (1..=3).map(|index| raw_commitment(id, &split, (2, 3), index, &values[usize::from(index) - 1])).collect();
    let share = |(index, value): (u8, &[u8; 66])| {
        let number = dualseal::shamir::Index::new(index.into()).unwrap();
        let share = dualseal::shamir::Share::from_bytes(number, value).unwrap();
        SessionShare::new(*id, split, owner(index), share)
    };
    (record, (1..=3).zip(&values).map(share).collect())
}

/// A successor with false authority and junk commitments, before or after the true one: it is listed, and the honest
/// custodians, whose shares it does not commit to, are not blamed.
#[test]
fn a_forged_successor_blames_no_honest_custodian() {
    for (before, mut board) in
        [true, false].into_iter().flat_map(|before| Board::of_each_kind(2, 3).map(|b| (before, b)))
    {
        let is_hmac = *board.session().kind() == SessionKind::Hmac;
        let (record, junk) = forged(&board, if is_hmac { 128 } else { 6618 });
        if before {
            board.announce(&record);
        }
        let prepared = board.prepare(&[1, 2], 2, 3);
        let committed = board.commit(&prepared).unwrap();
        let old = board.bring(committed, prepared.shares());
        if !before {
            board.announce(&record);
        }
        let seq = if before { 2 } else { 3 };
        let listed = listed_when_signing(&board, &board.pick(&[1, 3]));
        let reason = if before || is_hmac { IgnoredReason::ForgedGeneration } else { IgnoredReason::Predecessor };
        assert_eq!(listed, [(seq, reason)], "before: {before}");
        // With his shares among them, in any number: they are dropped, and sign nothing.
        for given in [vec![0], vec![0, 1], vec![0, 1, 2]] {
            let mut shares: Vec<SessionShare> = given.iter().map(|place| copy(&junk[*place])).collect();
            shares.extend(board.pick(&[2, 3]));
            shares.push(copy(&old[0]));
            assert_eq!(board.sign(&shares).unwrap().result.culprits(), []);
        }
        let refused = board.sign(&junk).unwrap_err();
        assert!(refused.error.to_string().contains("2 are needed"), "{}", refused.error);
        assert!(!refused.error.to_string().contains("bad shares"), "{}", refused.error);
        // Whoever lies about the generation in force is named as ever.
        let liar = dualseal_tests::quorum::forged(&board.shares[0]);
        let shares = [liar, copy(&board.shares[1]), copy(&board.shares[2]), copy(&junk[1])];
        let named: Vec<u8> = board.sign(&shares).unwrap().result.culprits().iter().map(|index| index.get()).collect();
        assert_eq!(named, [1]);
    }
}

/// A share that another record at hand commits to is no lie of the custodian whose number it has, although it names the
/// split in force.
#[test]
fn a_share_of_another_record_of_the_split_blames_nobody() {
    for mut board in Board::of_each_kind(2, 3) {
        let authority = if *board.session().kind() == SessionKind::Hmac { 128 } else { 6618 };
        let (record, junk) = forged_of(&board, authority, *board.session().split_id());
        board.announce(&record);
        let (founder, mut shares) = (board.in_force(), board.pick(&[2, 3]));
        shares.push(copy(&junk[0]));
        let signed = founder.sign(&message(), &secretary(), &shares, board.chain.head(), minute(2), &mut SystemRng);
        assert_eq!(signed.unwrap().result.culprits(), []);
        // What no record commits to is one.
        shares[2] = dualseal_tests::quorum::forged(&board.shares[0]);
        let signed = founder.sign(&message(), &secretary(), &shares, board.chain.head(), minute(2), &mut SystemRng);
        assert_eq!(signed.unwrap().result.culprits().len(), 1);
    }
}

/// A node that was handed a prepared record appends it before the coordinator does, with an authority of its own making
/// or none: the split is not burnt.
#[test]
fn a_prepared_split_that_a_node_appends_is_not_burnt() {
    for mut board in Board::of_each_kind(2, 3) {
        let is_hmac = *board.session().kind() == SessionKind::Hmac;
        let prepared = board.prepare(&[1, 2], 2, 3);
        let record: Json = serde_json::from_str(&prepared.session().to_json()).unwrap();
        board.announce(&record);
        let mut false_authority = record.clone();
        false_authority["ovlast"] = "0".repeat(if is_hmac { 128 } else { 6618 }).into();
        board.announce(&false_authority);
        let committed = board.commit(&prepared).unwrap();
        board.bring(committed, prepared.shares());
        let found = board.in_force();
        assert_eq!(newest(&found), (board.session(), 4));
        let forged = IgnoredReason::ForgedGeneration;
        assert_eq!(listed_when_signing(&board, &board.pick(&[1, 2])), [(2, forged), (3, forged)]);
    }
}

/// A board of each kind, whose secret is known: 32 times 7.
fn of_known_secret() -> [Board; 2] {
    let key = SigningKey::from_seed(&[7; 32]).unwrap();
    let dealing =
        |algorithm| RawDealing::honest(algorithm, &[element(&[7; 32]), element(&[3; 65]), element(&[4; 65])], 5);
    [dealing(HMAC).board(), RawDealing { public_key: Some(key.public_key()), ..dealing(MLDSA) }.board()]
}

/// A later record with some members changed, and the authority that the secret of this byte gives it.
fn successor(founder: &Session, changes: &[(&str, Json)], secret: u8) -> Json {
    let mut record: Json = serde_json::from_str(&founder.to_json()).unwrap();
    record["prethodni"] = founder.split_id().to_hex().into();
    record["split_id"] = "cd".repeat(32).into();
    for (member, value) in changes {
        if value.is_null() {
            record.as_object_mut().unwrap().remove(*member);
        } else {
            record[*member] = value.clone();
        }
    }
    record["ovlast"] = raw_authority(&record, &element(&[secret; 32])).into();
    record
}

/// The secret, kind, key and identity never change: a successor by the session's own authority that changes one is
/// none. A lower k, or another founding, is nothing without that authority.
#[test]
fn what_never_changes_is_the_founders() {
    for mut board in of_known_secret() {
        let is_hmac = *board.session().kind() == SessionKind::Hmac;
        let (chain, records, founder) = (board.chain.clone(), board.records.clone(), board.session().clone());
        let mut found = |record: &Json| {
            (board.chain, board.records) = (chain.clone(), records.clone());
            board.announce(record);
            let error = board.sign(&board.pick(&[1, 2])).unwrap_err().error;
            assert_eq!(error.to_string(), "2 usable shares, 3 are needed");
            listed_when_signing(&board, &board.pick(&[1, 2, 3]))
        };
        let at = |reason| vec![(1, reason)];
        let key = |seed| json!(SigningKey::from_seed(&[seed; 32]).unwrap().public_key().to_hex());
        let (his, mallory) = (key(8), json!(identity("mallory").to_hex()));
        let mut changed = vec![vec![("javni_sidro", json!("0".repeat(128)))]];
        if is_hmac {
            let keyed = [("algoritam", json!(MLDSA)), ("identity_id", mallory), ("javni_kljuc", his)];
            changed.push(keyed.to_vec());
        } else {
            let keyless = [("algoritam", json!(HMAC)), ("identity_id", Json::Null), ("javni_kljuc", Json::Null)];
            changed.extend([vec![("identity_id", mallory)], vec![("javni_kljuc", his)], keyless.to_vec()]);
        }
        for changes in &changed {
            for secret in [7, 8] {
                let record = successor(&founder, changes, secret);
                assert_eq!(found(&record), at(IgnoredReason::Changed), "{changes:?}");
            }
        }
        let mut record = successor(&founder, &[("k", json!(2))], 8);
        assert_eq!(found(&record), at(IgnoredReason::ForgedGeneration));
        (record["prethodni"], record["ovlast"]) = (Json::Null, Json::Null);
        assert_eq!(found(&record), at(IgnoredReason::Predecessor));

        // With the authority, and what may change changed, it counts.
        let record = successor(&founder, &[("k", json!(2)), ("kreiran", json!(minute(3).to_string()))], 7);
        (board.chain, board.records) = (chain, records);
        let later = board.announce(&record);
        let found = board.in_force();
        assert_eq!((newest(&found), found.ignored().is_empty()), ((&later, 1), true));
        if is_hmac {
            let refused = board.sign(&board.pick(&[1, 2, 3])).unwrap_err();
            assert_eq!(refused.error.to_string(), "0 usable shares, 2 are needed", "the secret says that it counts");
        }
    }
}

/// A revoked quorum key authorises nothing that stands after its revocation.
#[test]
fn a_revoked_key_authorises_nothing_later() {
    let mut board = Board::mldsa(2, 3);
    board.deal_again(&[1, 2], 2, 3);
    board.deal_again(&[1, 2], 2, 3);
    let checkpoint = covering(ORIGIN, &board.chain, 4);
    for (revoked, seq) in [(4, 3), (3, 2), (2, 1), (0, 1)] {
        let located = walked(&board, reading::under(&checkpoint));
        let found = located.in_force(&board.records, &board.ring_revoked_from(revoked)).unwrap();
        assert_eq!(newest(&found).1, seq);
        let ignored: Vec<_> = (seq + 1..4).map(|seq| (seq, IgnoredReason::Revoked)).collect();
        assert_eq!(listed(&found)[..1.min(ignored.len())], ignored[..1.min(ignored.len())]);
    }
}

/// What was found before the revocation goes on with what the ring says now.
#[test]
fn a_revocation_counts_for_what_was_found_before() {
    let mut board = Board::mldsa(2, 3);
    let before = board.in_force();
    board.deal_again(&[1, 2], 2, 3);
    let begun = TrustedHead::stored(before.covered());
    let reader = ChainReader::new(&board.domain, &begun).under(&covering(ORIGIN, &board.chain, 3)).unwrap();
    let later = &board.chain.entries()[2..];
    let located = reading::read(reader, later, |reader| reader.session_since(&before)).unwrap();
    let ended = |ring: &KeyRing| newest(&located.in_force(&board.records, ring).unwrap()).1;
    assert_eq!((ended(&board.ring()), ended(&board.ring_revoked_from(1))), (2, 1));
}

/// A ring that does not hold the session's key says nothing of it: it is refused, also where nothing continues the
/// session, since the older shares would sign for want of an answer.
#[test]
fn a_ring_without_the_key_is_no_answer() {
    let mut board = Board::mldsa(2, 3);
    for _ in 0..2 {
        let SessionKind::MlDsa65 { identity_id, public_key } = board.session().kind() else { panic!("it has a key") };
        let other = SigningKey::generate(&mut SystemRng).unwrap();
        let checkpoint = covering(ORIGIN, &board.chain, board.chain.entries().len());
        for ring in [
            KeyRing::nobody(),
            KeyRing::pinned(identity_id, other.public_key().clone()),
            KeyRing::pinned(&identity("mallory"), public_key.clone()),
        ] {
            let located = walked(&board, reading::under(&checkpoint).up_to(board.chain.head()));
            assert_eq!(fault(located.in_force(&board.records, &ring).unwrap_err()), ThresholdFault::UnknownKey);
            assert_eq!(fault(located.at_head(&board.records, &ring).unwrap_err()), ThresholdFault::UnknownKey);
            let found = board.in_force();
            let begun = TrustedHead::stored(found.covered());
            let reader = ChainReader::new(&board.domain, &begun).up_to(board.chain.head());
            let from = reading::read(reader, &[], |reader| reader.session_since(&found)).unwrap();
            assert_eq!(fault(from.at_head(&board.records, &ring).unwrap_err()), ThresholdFault::UnknownKey);
        }
        board.deal_again(&[1, 2], 2, 3);
    }
}

/// Members of generations that do not go together are refused when they are read.
#[test]
fn a_founder_has_no_authority() {
    for mut board in Board::of_each_kind(2, 3) {
        let founder = board.session().clone();
        let digits = if *founder.kind() == SessionKind::Hmac { 128 } else { 6618 };
        assert!(with(&founder, "ovlast", "0".repeat(digits).into()).is_none());
        board.deal_again(&[1, 2], 2, 3);
        let (later, read) = (board.session().clone(), |session: Option<Session>| session.is_some());
        assert!(!read(with(&later, "prethodni", Json::Null)));
        assert!(!read(with(&later, "ovlast", "0".repeat(6746 - digits).into())));
        assert!(!read(with(&later, "prethodni", "".into())));
        assert!(read(with(&later, "ovlast", Json::Null)), "a preparation");
    }
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
            let error = board.check(std::slice::from_ref(&session)).unwrap_err();
            assert_eq!(fault(error), ThresholdFault::MissingRecord { seq: 1 }, "{session:?}");
        }
    }
}

/// An entry whose time is not the record's is not that record's.
#[test]
fn the_entrys_time_is_the_records() {
    let board = Board::hmac(2, 3);
    let session = board.session().clone();
    let mut chain = Krunica::new();
    chain.push(raw_entry(&chain, &secretary(), &raw_session_message(&session), minute(99))).unwrap();
    let board = Board { chain, records: vec![session], ..board };
    let error = board.check(&board.records).unwrap_err();
    assert_eq!(fault(error), ThresholdFault::MissingRecord { seq: 0 });
}

#[test]
fn a_chain_that_is_not_the_checkpoints_proves_nothing() {
    let board = Board::hmac(2, 3);
    let (checkpoint, founder) = (covering(ORIGIN, &board.chain, 2), board.founder());
    let check = || {
        let mut reader = reading::under(&checkpoint);
        let watched = reader.session(board.session().session_id(), &founder).unwrap();
        (reader, watched)
    };
    let (mut cut, _) = check();
    cut.push(&board.chain.entries()[0]).unwrap();
    let expected = Error::from(CheckpointFault::Truncated { size: 2, found: 1 });
    assert_eq!(cut.finish().unwrap_err(), expected);

    let other = Board::hmac(2, 3);
    let (mut rewritten, _) = check();
    rewritten.push(&other.chain.entries()[0]).unwrap();
    let error = rewritten.push(&other.chain.entries()[1]).unwrap_err();
    assert_eq!(error, CheckpointFault::Rewritten { size: 2 }.into());
    assert_eq!(head_at(&other.chain, 1), head_at(&board.chain, 1));

    // As JSON text, and without `seq`, as a list has it.
    let (mut lines, watched) = check();
    for entry in board.chain.entries() {
        assert_eq!(&lines.push_json(entry.to_json_line().as_bytes()).unwrap(), entry);
    }
    let located = lines.finish().unwrap().take(watched).unwrap();
    assert_eq!(located.in_force(&board.records, &board.ring()).unwrap(), board.in_force());
    assert!(check().0.push_json(b"{}").is_err());
}
