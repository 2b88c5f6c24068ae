//! Statements of the second implementation (`tests/second/make_quorum_answers.py`), made again to the byte.

use dualseal::Domain;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::error::{Error, PresenceFault, Rejected};
use dualseal::presence::Statement;
use dualseal_tests::prelude::*;
use dualseal_tests::{minute, vectors};

/// Against signatures that another implementation made over the bytes of the documentation: Ed25519 has one for each.
#[cfg_attr(test, test)]
pub(crate) fn statements_to_the_byte() {
    let answers = vectors::json("known_answers_quorum.json");
    let mut kinds = Vec::new();
    for answer in vectors::items(&answers, "statements") {
        let text = |name: &str| vectors::string(answer, name);
        let (domain, audience) = (Domain::new(text("domain")).unwrap(), text("audience"));
        let statement = match text("kind") {
            "LOGIN" => Statement::login(audience, &text("identity_id").parse().unwrap(), text("tier")),
            "PEER" => Statement::peer(audience, text("agent_id"), text("url")),
            _ => Statement::alive(audience, &text("identity_id").parse().unwrap(), text("stated")),
        };
        let (nonce, expiry) = (text("nonce").parse().unwrap(), text("expiry").parse().unwrap());
        let signer = Ed25519SigningKey::from_seed(&vectors::bytes(answer, "seed_hex")).unwrap();
        let statement = statement.unwrap();
        let signature = statement.sign(&domain, &nonce, expiry, &signer);
        assert_eq!(signature.to_hex(), text("signature"), "{}", text("statement"));
        // What is signed is never the nonce alone.
        let (bare, now) = (text("signature_over_bare_nonce").parse().unwrap(), minute(44));
        let refused = statement.verify(&domain, &nonce, expiry, signer.public_key(), &bare, now, &mut |_| true);
        assert_eq!(refused, Err(Error::Rejected(Rejected::Presence(PresenceFault::Signature))));
        kinds.push(text("kind").to_string());
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds, ["ALIVE", "LOGIN", "PEER"]);
}
