//! What a quorum signs reads as nothing else. A message enters a result's statement as a hash only, so that whoever
//! chooses the message chooses no byte of what is signed; and every statement of the library begins differently.

use dualseal::domain::Row;
use dualseal::id::MessageHash;
use dualseal::{Domain, SigningKey};
use dualseal_tests::log::mark_of;
use dualseal_tests::quorum::{Board, board, message, raw_statement, secretary};
use dualseal_tests::{minute, raw_seal};
use proptest::prelude::*;

/// How each text that a key of this library signs, or that a MAC is made over, begins: prefix, label and separators.
/// The statement of a seal's layer B has no prefix of its own: it begins with hexadecimal, or with `::` for an empty
/// payload.
fn beginnings(domain: &[(Row, &str)], label: impl Fn(&str) -> String) -> Vec<String> {
    let prefix = |row: Row| domain.iter().find(|(of, _)| *of == row).expect("every row").1;
    let joined = |row, text: &str| format!("{}::{}::", prefix(row), label(text));
    vec![
        joined(Row::Threshold, "RESULT"),
        joined(Row::Signature, "STATEMENT"),
        joined(Row::Signature, "RING"),
        joined(Row::Krunica, "CHECKPOINT"),
        joined(Row::Vault, "L4"),
        joined(Row::Vault, "L5"),
        joined(Row::Vault, "L7"),
        joined(Row::Shard, "SEAL"),
        joined(Row::Presence, "ED25519"),
    ]
}

const ROWS: [Row; 8] =
    [Row::Identifier, Row::Vault, Row::Signature, Row::Threshold, Row::Seal, Row::Shard, Row::Presence, Row::Krunica];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever constants a domain has: no statement begins as another does, so none can be read as another.
    #[test]
    fn no_statement_begins_as_another_does(prefixes in proptest::collection::vec("[!-9;-~]{1,6}", 8)) {
        let named: Vec<(Row, &str)> = ROWS.into_iter().zip(prefixes.iter().map(String::as_str)).collect();
        let builder = named.iter().fold(Domain::builder("ACME"), |builder, (row, text)| builder.prefix(*row, text));
        prop_assume!(builder.build().is_ok());
        let all = beginnings(&named, str::to_string);
        for (place, one) in all.iter().enumerate() {
            for other in &all[place + 1..] {
                prop_assert!(!one.starts_with(other.as_str()) && !other.starts_with(one.as_str()), "{} {}", one, other);
            }
            // Layer B: hexadecimal up to its first `:`. A constant has a character that is no such digit, and no `:`.
            let first = one.split("::").next().unwrap();
            prop_assert!(!first.is_empty() && !first.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Random messages, and messages that are statements of other kinds, word for word: what is signed is the result's
    /// statement, and the signature holds for nothing else.
    #[test]
    fn a_message_that_reads_as_a_statement(noise: Vec<u8>, hash: [u8; 32], kind in 0usize..9, minutes in 0i64..1000) {
        let made = board_once();
        let named: Vec<(Row, String)> = ROWS.into_iter().zip(
            ["ID", "VAULT", "SIGN", "THRESHOLD", "SEAL", "SHARD", "PRESENCE", "KRUNICA"]
                .map(|end| format!("DUALSEAL-{end}")),
        ).collect();
        let named: Vec<(Row, &str)> = named.iter().map(|(row, text)| (*row, text.as_str())).collect();
        let hash = hex::encode(hash);
        let tail = format!("ML-DSA-65::1::{}::{hash}::{hash}::{}::DUALSEAL", board(), minute(minutes));
        let wanted = format!("{}{tail}", beginnings(&named, str::to_string)[kind]).into_bytes();
        for chosen in [wanted.clone(), [wanted.as_slice(), &noise].concat(), noise.clone()] {
            let message = MessageHash::of(&chosen);
            let result = made.sign_message(&message, &made.pick(&[1, 2])).unwrap().result;
            let signature = hex::decode(result.signature_hex()).unwrap();
            let statement = raw_statement(made.session(), &chosen, &result);
            prop_assert!(statement.starts_with("DUALSEAL-THRESHOLD::RESULT::SHAMIR-2^521-1-ML-DSA-65::"));
            let accepts = |text: &[u8]| raw_seal::accepts(public_key(made), &signature, text);
            prop_assert!(accepts(statement.as_bytes()));
            prop_assert!(!accepts(&chosen) && !accepts(&wanted) && !accepts(message.as_bytes()));
            prop_assert!(!accepts(message.to_hex().as_bytes()));
        }
    }
}

fn board_once() -> &'static Board {
    static BOARD: std::sync::OnceLock<Board> = std::sync::OnceLock::new();
    BOARD.get_or_init(|| Board::mldsa(2, 3))
}

fn public_key(made: &Board) -> &[u8] {
    match made.session().kind() {
        dualseal::threshold::SessionKind::MlDsa65 { public_key, .. } => public_key.as_bytes(),
        dualseal::threshold::SessionKind::Hmac => panic!("of the second kind"),
    }
}

/// A quorum's result passed off as a signature record, a checkpoint or a seal, and the other way round: the same key,
/// and never the same statement.
#[test]
fn a_result_is_no_other_record() {
    use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, Pins};
    use dualseal::key::{KeyRing, Unprepared};
    use dualseal::threshold::verify_quorum;
    use dualseal::{SignatureRecord, Signer, SystemRng, VerdictKind, Verifier};
    use dualseal_tests::quorum::altered_result;
    use dualseal_tests::with_member;

    let made = board_once();
    let key = dualseal::PublicKey::from_slice(public_key(made)).unwrap();
    let (domain, ring) = (&made.domain, KeyRing::pinned(&board(), key.clone()));
    let result = made.sign(&made.pick(&[1, 2])).unwrap().result;
    let content = domain.content_hash(&board(), b"resolution 7");
    let at = made.chain.head();
    let (record, checkpoint) = made
        .in_force()
        .with_quorum_key(&made.pick(&[1, 2]), |key: &SigningKey| {
            let record =
                Signer::new(domain, &board(), key).sign(&content, at, minute(2), &mut SystemRng).unwrap().record;
            let log = CheckpointSigner::new(domain, "example.org/log", &board(), key).unwrap();
            (record, log.sign(&mark_of("example.org/log", at), minute(2), &mut SystemRng).unwrap())
        })
        .unwrap()
        .given;

    let taken = with_member(&record.to_json(), "potpis", result.signature_hex().into());
    let forged = SignatureRecord::from_json(taken.as_bytes()).unwrap();
    let verifier = Verifier::new(domain, &ring, &Unprepared);
    assert_eq!(verifier.verify(&content, forged, None).kind(), VerdictKind::Invalid);
    assert_eq!(verifier.verify(&content, record.clone(), None).kind(), VerdictKind::Valid);

    let pins = Pins { origin: "example.org/log".into(), identity_id: board(), key_hash: *key.hash(), least_size: 0 };
    let taken = with_member(&checkpoint.to_json(), "potpis", result.signature_hex().into());
    let verifier = CheckpointVerifier::new(domain, &pins, None, &Unprepared);
    assert_eq!(verifier.verify(Checkpoint::from_json(taken.as_bytes()).unwrap()).kind(), VerdictKind::Invalid);
    assert_eq!(verifier.verify(checkpoint.clone()).kind(), VerdictKind::Valid);

    for signature in [record.signature(), checkpoint.signature()] {
        let forged = altered_result(&result, "potpis", signature.to_hex().into());
        let verdict = verify_quorum(&made.in_force(), &message(), forged, &ring, &Unprepared, None);
        assert_eq!(verdict.kind(), VerdictKind::Invalid);
    }
    assert_eq!(*result.requester(), secretary());
}
