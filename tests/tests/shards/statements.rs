//! Statements beside proofs of presence: their bytes by formulas written out, and that each part of them is bound.

use dualseal::ed25519::{Ed25519PublicKey, Ed25519Signature, Ed25519SigningKey};
use dualseal::error::{Error, PresenceFault, Problem, Rejected};
use dualseal::presence::{Nonce, Statement};
use dualseal::{Domain, Timestamp};
use dualseal_tests::shards::Store;
use dualseal_tests::{identity, minute, vectors};

const NONCE: Nonce = Nonce::from_bytes([7; 32]);

fn key(number: u8) -> Ed25519SigningKey {
    Ed25519SigningKey::from_seed(&[number; 32]).unwrap()
}

/// The outcome, and how often the nonce was asked for.
fn verified(
    statement: &Statement,
    nonce: &Nonce,
    expiry: Timestamp,
    public_key: &Ed25519PublicKey,
    signature: &Ed25519Signature,
    now: Timestamp,
) -> (Result<(), Error>, u8) {
    let mut asked = 0;
    let consume = &mut |_: &Nonce| {
        asked += 1;
        true
    };
    (statement.verify(&Domain::default(), nonce, expiry, public_key, signature, now, consume), asked)
}

fn refused(fault: PresenceFault) -> (Result<(), Error>, u8) {
    (Err(Error::Rejected(Rejected::Presence(fault))), 0)
}

/// Statements of every kind.
fn all() -> Vec<Statement> {
    let ana = identity("ana");
    vec![
        Statement::login("vault.example", &ana, "noble").unwrap(),
        Statement::peer("vault.example", "agent-7", "https://agent.example/č").unwrap(),
        Statement::alive("vault.example", &ana, "I am here.").unwrap(),
        Statement::drop_older("vault.example", &Store::new(2, 3).covered_splits(2).unwrap()).unwrap(),
    ]
}

#[test]
fn a_statement_fits_itself_only() {
    let statements = all();
    for (place, statement) in statements.iter().enumerate() {
        let signature = statement.sign(&Domain::default(), &NONCE, minute(1), &key(1));
        let at = |nonce: &Nonce, expiry| verified(statement, nonce, expiry, key(1).public_key(), &signature, minute(0));
        assert_eq!(at(&NONCE, minute(1)), (Ok(()), 1));
        // No other nonce, expiry, key, domain or statement.
        assert_eq!(at(&Nonce::from_bytes([8; 32]), minute(1)), refused(PresenceFault::Signature));
        assert_eq!(at(&NONCE, minute(2)), refused(PresenceFault::Signature));
        let other = verified(statement, &NONCE, minute(1), key(2).public_key(), &signature, minute(0));
        assert_eq!(other, refused(PresenceFault::Signature));
        let acme = statement.sign(&Domain::new("ACME").unwrap(), &NONCE, minute(1), &key(1));
        let other = verified(statement, &NONCE, minute(1), key(1).public_key(), &acme, minute(0));
        assert_eq!(other, refused(PresenceFault::Signature));
        for another in statements.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, other)| other) {
            let other = verified(another, &NONCE, minute(1), key(1).public_key(), &signature, minute(0));
            assert_eq!(other, refused(PresenceFault::Signature));
        }
        for (now, fault) in [
            (minute(1), PresenceFault::Expired),
            (minute(2), PresenceFault::Expired),
            (Timestamp::from_millis(minute(1).as_millis() - 300_001).unwrap(), PresenceFault::ExpiryTooFar),
        ] {
            let found = verified(statement, &NONCE, minute(1), key(1).public_key(), &signature, now);
            assert_eq!(found, refused(fault));
        }
        let used = statement.verify(
            &Domain::default(),
            &NONCE,
            minute(1),
            key(1).public_key(),
            &signature,
            minute(0),
            &mut |_| false,
        );
        assert_eq!(used, Err(Error::Rejected(Rejected::Presence(PresenceFault::NonceUsed))));
    }
}

/// Every part is bound.
#[test]
fn each_part_counts() {
    let (ana, ivo) = (identity("ana"), identity("ivo"));
    let signed = |statement: &Statement| statement.sign(&Domain::default(), &NONCE, minute(1), &key(1));
    for (one, others) in [
        (
            Statement::login("a", &ana, "noble"),
            vec![
                Statement::login("b", &ana, "noble"),
                Statement::login("a", &ivo, "noble"),
                Statement::login("a", &ana, "native"),
            ],
        ),
        (
            Statement::peer("a", "b", "c"),
            vec![Statement::peer("b", "b", "c"), Statement::peer("a", "c", "c"), Statement::peer("a", "b", "b")],
        ),
        (
            Statement::alive("a", &ana, "here"),
            vec![
                Statement::alive("b", &ana, "here"),
                Statement::alive("a", &ivo, "here"),
                Statement::alive("a", &ana, "there"),
            ],
        ),
    ] {
        let signature = signed(&one.unwrap());
        for other in others {
            let found = verified(&other.unwrap(), &NONCE, minute(1), key(1).public_key(), &signature, minute(0));
            assert_eq!(found, refused(PresenceFault::Signature));
        }
    }
    let malformed = |made: Result<Statement, Error>| match made.unwrap_err() {
        Error::Malformed(malformed) => (malformed.field, malformed.problem),
        other => panic!("{other:?}"),
    };
    for (text, problem) in
        [("", Problem::Range), ("a::b", Problem::Ambiguous), (":a", Problem::Ambiguous), ("a\n", Problem::Control)]
    {
        assert_eq!(malformed(Statement::login(text, &ana, "noble")), ("aud", problem.clone()));
        assert_eq!(malformed(Statement::login("a", &ana, text)), ("tier", problem.clone()));
        assert_eq!(malformed(Statement::peer("a", text, "url")), ("agent_id", problem.clone()));
        assert_eq!(malformed(Statement::alive(text, &ana, "")), ("aud", problem));
    }
}

/// A key under which a signature over anything could pass is refused, whoever pinned it.
#[test]
fn verification_is_strict() {
    let statement = Statement::login("a", &identity("ana"), "noble").unwrap();
    let mut tried = 0;
    for vector in vectors::json("ed25519/cctv.json").as_array().unwrap() {
        let (public_key, signature) = (vectors::string(vector, "key"), vectors::string(vector, "sig"));
        let (public_key, signature) = (public_key.parse().unwrap(), signature.parse().unwrap());
        let found = verified(&statement, &NONCE, minute(1), &public_key, &signature, minute(0));
        assert_eq!(found, refused(PresenceFault::Signature));
        tried += 1;
    }
    assert!(tried > 50);
}
