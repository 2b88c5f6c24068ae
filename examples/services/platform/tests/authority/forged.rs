//! Whoever writes the database alone: no row that he makes or changes counts.

use crate::house::{House, get_from, grant, identity};
use crate::login::{Holder, enrol, invitation};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::hash::Sha3_256;
use dualseal::presence::Nonce;
use platform::access::{Scope, Tier, World};
use platform::authority::{AddNode, Grant, Revocation};
use platform::db::statements;
use platform::values;
use uuid::Uuid;

statements! {
    LOGIN = "INSERT INTO logins (id, kind, identity_id, tier, scope, public_key, label, added, world, tag) \
             SELECT $1, kind, identity_id, 'native', 'trust ops', $2, label, added, world, tag FROM logins";
    RAISE = "UPDATE logins SET tier = 'native' WHERE id = $1";
    RAISE_TOKEN = "UPDATE tokens SET login = NULL WHERE login = $1";
    INVITE = "INSERT INTO invitations (code, identity_id, tier, scope, made, expires, world, tag) \
              SELECT $1, identity_id, 'native', scope, made, expires, world, tag FROM invitations";
    AGAIN = "UPDATE invitations SET used = NULL";
    UNREVOKE = "UPDATE tokens SET revoked = NULL WHERE jti = $1";
    GIVE = "UPDATE custodians SET identity_id = $1";
    FORGET = "DELETE FROM secrets WHERE tbl = 'tags'";
}

/// Somebody who is enrolled as a noble.
async fn holder(house: &House) -> Holder {
    let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
    let code = house.authority.invite(&invitation(Tier::Noble)).await.unwrap().code;
    let key_id = enrol(house, &code, key.public_key()).await.unwrap();
    Holder { key, key_id, identity: identity("ana") }
}

async fn logs_in(house: &House, holder: &Holder, tier: Tier) -> bool {
    let challenge = house.authority.challenge(&holder.identity).await.unwrap();
    house.authority.log_in(&holder.login(house, challenge, tier)).await.is_ok()
}

#[tokio::test]
async fn a_login_that_the_service_did_not_write_logs_nobody_in() {
    let house = House::new().await;
    let ana = holder(&house).await;
    assert!(logs_in(&house, &ana, Tier::Noble).await);
    let own = Ed25519SigningKey::from_seed(&[8; 32]).unwrap();
    let eve = Holder { key_id: Uuid::now_v7(), key: own, identity: ana.identity };
    let slipped = values![eve.key_id.to_string(), &eve.key.public_key().as_bytes()[..]];
    assert_eq!(house.db.execute(LOGIN, slipped).await.unwrap(), 1);
    assert!(!logs_in(&house, &eve, Tier::Native).await);
    let listed = house.authority.logins(None, None, None, 10).await.unwrap();
    let void: Vec<_> = listed.iter().filter(|row| row.is_void).map(|row| row.id).collect();
    assert_eq!(void, [eve.key_id], "whoever lists them sees that it does not count");
    house.db.execute(RAISE, values![ana.key_id.to_string()]).await.unwrap();
    for tier in [Tier::Native, Tier::Noble] {
        assert!(!logs_in(&house, &ana, tier).await, "{tier}");
    }
}

#[tokio::test]
async fn an_invitation_that_the_service_did_not_write_enrols_nobody() {
    let house = House::new().await;
    let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
    let code = house.authority.invite(&invitation(Tier::Noble)).await.unwrap().code;
    let own = Nonce::from_bytes([9; 32]);
    house.db.execute(INVITE, values![&Sha3_256::digest(own.as_bytes())[..]]).await.unwrap();
    let refused = |refused: Result<Uuid, platform::problem::Problem>| refused.unwrap_err().kind().code;
    assert_eq!(refused(enrol(&house, &own.to_hex(), key.public_key()).await), "bad-invitation");
    enrol(&house, &code, key.public_key()).await.unwrap();
    house.db.execute(AGAIN, values![]).await.unwrap();
    let other = Ed25519SigningKey::from_seed(&[8; 32]).unwrap();
    assert_eq!(refused(enrol(&house, &code, other.public_key()).await), "bad-invitation", "it was used");
}

#[tokio::test]
async fn a_revoked_token_stays_revoked() {
    let house = House::new().await;
    let token = house.issue(Tier::Native, &[Scope::Trust]).await;
    house.authority.revoke(&Revocation::Token(token.claims.jti), World::Real).await.unwrap();
    house.db.execute(UNREVOKE, values![token.claims.jti.to_string()]).await.unwrap();
    assert_eq!(house.get("/noble", &token.text).await.status, 401);
}

#[tokio::test]
async fn a_token_hangs_on_rows_as_the_service_wrote_them() {
    let house = House::new().await;
    let ana = holder(&house).await;
    let of_login = || Grant { login: Some(ana.key_id), ..grant(Tier::Noble, &[Scope::Trust]) };
    let [one, two] = [house.grant(&of_login()).await.text, house.grant(&of_login()).await.text];
    house.db.execute(RAISE, values![ana.key_id.to_string()]).await.unwrap();
    assert_eq!(house.get("/noble", &one).await.status, 401, "its login was changed");
    house.db.execute(RAISE_TOKEN, values![ana.key_id.to_string()]).await.unwrap();
    assert_eq!(house.get("/noble", &two).await.status, 401, "it was changed itself");
    house.log.submit(AddNode::new(&house.authority, "one", identity("node"), None).unwrap()).await.unwrap();
    house.db.execute(GIVE, values![identity("eva").to_hex()]).await.unwrap();
    assert!(house.authority.nodes().await.unwrap().is_empty(), "a node that became somebody else's is none");
    let of_node = Grant { subject: identity("eva"), node: Some("one".into()), ..grant(Tier::Noble, &[Scope::Node]) };
    let token = house.grant(&of_node).await.text;
    assert_eq!(house.get("/node", &token).await.status, 401);
}

#[tokio::test]
async fn every_process_has_the_same_key_and_another_key_makes_no_row() {
    let house = House::new().await;
    let token = house.issue(Tier::Noble, &[Scope::Trust]).await.text;
    let other = house.another().await;
    let sent = format!("Bearer {}", &*token);
    assert_eq!(get_from(&other, "/noble", &[&sent]).await.status, 200);
    house.db.execute(FORGET, values![]).await.unwrap();
    let after = house.another().await;
    assert_eq!(get_from(&after, "/noble", &[&sent]).await.status, 401, "whoever takes the key away gains nothing");
}

#[tokio::test]
async fn a_login_leaves_entries() {
    let house = House::new().await;
    let ana = holder(&house).await;
    house.authority.remove_login(&ana.key_id, None).await.unwrap();
    let size = house.log.state().await.unwrap().head().size();
    let mut said = Vec::new();
    for seq in [size - 2, size - 1] {
        let entry = house.log.reader().by_seq(1, seq).await.unwrap().unwrap().entry;
        said.push((*entry.identity_id(), entry.message().to_owned()));
    }
    let of = |what: &str| (ana.identity, format!("login {what} {}", ana.key_id));
    assert_eq!(said, [of("enrolled"), of("removed")]);
}
