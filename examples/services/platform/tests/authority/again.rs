//! A node that was removed, and is added again under its label: what was of the one is none of the other's.

use crate::house::{House, identity};
use crate::login::Holder;
use dualseal::ed25519::Ed25519SigningKey;
use platform::access::Tier;
use platform::authority::{AddNode, RemoveNode, invitation_code};
use platform::db::statements;
use platform::problem::Problem;
use platform::values;

statements! {
    KEEP_LOGINS = "CREATE TABLE kept_logins AS SELECT * FROM logins";
    KEEP_INVITATIONS = "CREATE TABLE kept_invitations AS SELECT * FROM invitations";
    KEEP_TOKENS = "CREATE TABLE kept_tokens AS SELECT * FROM tokens";
    CLEAR_INVITATIONS = "DELETE FROM invitations";
    CLEAR_TOKENS = "DELETE FROM tokens";
    PUT_LOGINS = "INSERT INTO logins SELECT * FROM kept_logins";
    PUT_INVITATIONS = "INSERT INTO invitations SELECT * FROM kept_invitations";
    PUT_TOKENS = "INSERT INTO tokens SELECT * FROM kept_tokens";
    LOGINS_OF_NOW = "UPDATE logins SET node_since = (SELECT MAX(added) FROM custodians) WHERE kind = 'node'";
    INVITATIONS_OF_NOW = "UPDATE invitations SET node_since = (SELECT MAX(added) FROM custodians) \
                          WHERE node IS NOT NULL";
}

async fn enrols(house: &House, code: &str, seed: u8) -> Result<Holder, Problem> {
    let key = Ed25519SigningKey::from_seed(&[seed; 32]).unwrap();
    let enrolled = house.authority.enrol(invitation_code(code)?, *key.public_key(), "one".to_owned()).await?;
    Ok(Holder { key, key_id: enrolled.id, identity: enrolled.identity_id })
}

async fn token(house: &House, holder: &Holder) -> Option<String> {
    let challenge = house.authority.challenge(&holder.identity).await.unwrap();
    let issued = house.authority.log_in(&holder.login(house, challenge, Tier::Noble)).await;
    issued.ok().map(|issued| issued.text.to_string())
}

/// Whoever writes the database puts all of it back as it was, within the moment of the removal.
#[tokio::test]
async fn what_was_of_a_node_before_is_none_of_one_that_was_added_again() {
    let house = House::new().await;
    let add = || AddNode::new(&house.authority, "one", identity("node"), None).unwrap();
    let runs = async |statements: &[platform::db::Statement]| {
        for statement in statements {
            house.db.execute(*statement, values![]).await.unwrap();
        }
    };
    house.log.submit(add()).await.unwrap();
    let invited = async || house.authority.invite_node("one").await.unwrap().code.to_string();
    let before = enrols(&house, &invited().await, 7).await.unwrap();
    let waits = invited().await;
    let called = token(&house, &before).await.unwrap();
    assert_eq!(house.get("/node", &called).await.status, 200);
    runs(&[KEEP_LOGINS, KEEP_INVITATIONS, KEEP_TOKENS]).await;
    let (label, log, tags) = ("one".to_owned(), *house.log.identity(), house.authority.tags().clone());
    house.log.submit(RemoveNode { label, log, tags, lost: false, holds: &[], gone: &[] }).await.unwrap();
    house.log.submit(add()).await.unwrap();
    runs(&[CLEAR_INVITATIONS, CLEAR_TOKENS, PUT_LOGINS, PUT_INVITATIONS, PUT_TOKENS]).await;
    // Nor does it help to write into the rows that they are of the one that is there.
    for written in [&[][..], &[LOGINS_OF_NOW, INVITATIONS_OF_NOW]] {
        runs(written).await;
        assert!(token(&house, &before).await.is_none(), "it signs in as the other");
        assert!(enrols(&house, &waits, 8).await.is_err_and(|problem| problem.kind().code == "bad-invitation"));
    }
    assert!(house.get("/node", &called).await.is(401, "bad-token"));
    // Whoever is invited anew is the one that is there.
    let after = enrols(&house, &invited().await, 9).await.unwrap();
    let called = token(&house, &after).await.unwrap();
    assert_eq!(house.get("/node", &called).await.status, 200);
}
