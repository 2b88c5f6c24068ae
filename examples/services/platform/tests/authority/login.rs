//! Logins: invitations, challenges, statements.

use crate::house::{House, get_from, identity};
use dualseal::ed25519::{Ed25519PublicKey, Ed25519Signature, Ed25519SigningKey};
use dualseal::presence::{Nonce, Statement};
use dualseal::{IdentityId, Timestamp};
use platform::access::{Scope, Tier, World};
use platform::authority::{Authority, Challenge, Invitation, Issued, Login, invitation_code, void_all};
use platform::problem::Problem;
use std::collections::BTreeSet;
use uuid::Uuid;

pub(crate) fn invitation(tier: Tier) -> Invitation {
    let (identity_id, scopes) = (identity("ana"), BTreeSet::from([Scope::Trust]));
    Invitation { identity_id, tier, scopes, world: World::Real, by: Vec::new(), node: None }
}

/// Enrols as the endpoint does.
pub(crate) async fn enrol(house: &House, code: &str, key: &Ed25519PublicKey) -> Result<Uuid, Problem> {
    let code = invitation_code(code)?;
    Ok(house.authority.enrol(code, *key, "laptop".to_owned()).await?.id)
}

pub(crate) struct Holder {
    pub(crate) key: Ed25519SigningKey,
    pub(crate) key_id: Uuid,
    pub(crate) identity: IdentityId,
}

impl Holder {
    async fn new(house: &House, tier: Tier) -> Self {
        let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
        let code = house.authority.invite(&invitation(tier)).await.unwrap().code;
        let key_id = enrol(house, &code, key.public_key()).await.unwrap();
        Self { key, key_id, identity: identity("ana") }
    }

    pub(crate) fn login(&self, house: &House, challenge: Challenge, tier: Tier) -> Login {
        let said = Statement::login(house.authority.audience(), &self.identity, tier.as_str()).unwrap();
        let signature = said.sign(house.log.domain(), &challenge.nonce, challenge.expiry, &self.key);
        let (identity_id, key_id, client) = (self.identity, self.key_id, "tests".to_owned());
        Login { identity_id, tier, key_id, challenge, signature, client }
    }
}

fn code(answer: Result<Issued, Problem>) -> &'static str {
    answer.map_or_else(|problem| problem.kind().code, |_| "issued")
}

async fn status(authority: &Authority, token: &str) -> u16 {
    get_from(authority, "/noble", &[&format!("Bearer {token}")]).await.status.as_u16()
}

#[tokio::test]
async fn a_login_gives_a_token_once() {
    let house = House::new().await;
    let other = house.another().await;
    let holder = Holder::new(&house, Tier::Native).await;
    let challenge = house.authority.challenge(&holder.identity).await.unwrap();
    let login = holder.login(&house, challenge, Tier::Noble);
    // A challenge of one process is answered in another.
    let issued = other.log_in(&login).await.unwrap();
    assert_eq!((issued.claims.tier, issued.claims.key), (Tier::Noble, Some(holder.key_id)));
    assert_eq!(status(&house.authority, &issued.text).await, 200);
    for authority in [&house.authority, &other] {
        assert_eq!(code(authority.log_in(&login).await), "bad-login", "it is answered once");
    }
    let challenge = house.authority.challenge(&holder.identity).await.unwrap();
    let native = house.authority.log_in(&holder.login(&house, challenge, Tier::Native)).await.unwrap();
    assert_eq!(native.claims.exp - native.claims.iat, 3600);
    house.authority.remove_login(&holder.key_id, None).await.unwrap();
    assert_eq!(status(&other, &native.text).await, 401);
    let challenge = house.authority.challenge(&holder.identity).await.unwrap();
    let login = holder.login(&house, challenge, Tier::Noble);
    assert_eq!(code(house.authority.log_in(&login).await), "bad-login");
}

#[tokio::test]
async fn of_logins_at_once_one_gets_a_token() {
    let house = House::new().await;
    let other = house.another().await;
    let holder = Holder::new(&house, Tier::Noble).await;
    let challenge = house.authority.challenge(&holder.identity).await.unwrap();
    let login = holder.login(&house, challenge, Tier::Noble);
    let all = [&house.authority, &other, &house.authority, &other].map(|authority| authority.log_in(&login));
    let answers = futures::future::join_all(all).await;
    assert_eq!(answers.into_iter().flatten().count(), 1);
}

#[tokio::test]
async fn a_statement_that_does_not_hold_gives_nothing() {
    let house = House::new().await;
    let holder = Holder::new(&house, Tier::Noble).await;
    let drawn = house.authority.challenge(&holder.identity).await.unwrap();
    let of_another = house.authority.challenge(&identity("eva")).await.unwrap();
    let good = holder.login(&house, drawn, Tier::Noble);
    let mut nonce = *drawn.nonce.as_bytes();
    nonce[31] ^= 1;
    let own = Challenge { nonce: Nonce::from_bytes([3; 32]), expiry: drawn.expiry };
    let moved = Timestamp::from_millis(drawn.expiry.as_millis() + 1000).unwrap();
    let cases = [
        ("another key signs", stranger_login(&house, &holder, drawn)),
        ("a challenge of one's own", holder.login(&house, own, Tier::Noble)),
        ("another's challenge", holder.login(&house, of_another, Tier::Noble)),
        (
            "a nonce that was changed",
            holder.login(&house, Challenge { nonce: Nonce::from_bytes(nonce), ..drawn }, Tier::Noble),
        ),
        ("an expiry that was moved", holder.login(&house, Challenge { expiry: moved, ..drawn }, Tier::Noble)),
        ("a higher tier than the key's", holder.login(&house, drawn, Tier::Native)),
        ("another tier than was signed", Login { tier: Tier::Native, ..good.clone() }),
        ("another subject", Login { identity_id: identity("eva"), ..good.clone() }),
        ("an unknown key", Login { key_id: Uuid::now_v7(), ..good.clone() }),
        ("no signature", Login { signature: Ed25519Signature::from_bytes([0; 64]), ..good.clone() }),
    ];
    for (name, login) in cases {
        assert_eq!(code(house.authority.log_in(&login).await), "bad-login", "{name}");
    }
    house.later(60_000);
    assert_eq!(code(house.authority.log_in(&good).await), "bad-login", "a minute is over");
    house.later(-1);
    assert_eq!(code(house.authority.log_in(&good).await), "issued", "nothing above used it up");
}

fn stranger_login(house: &House, holder: &Holder, challenge: Challenge) -> Login {
    let key = Ed25519SigningKey::from_seed(&[8; 32]).unwrap();
    Holder { key, key_id: holder.key_id, identity: holder.identity }.login(house, challenge, Tier::Noble)
}

#[tokio::test]
async fn challenges_of_unknown_subjects_look_alike_and_cost_no_row() {
    let house = House::new().await;
    let holder = Holder::new(&house, Tier::Noble).await;
    let known = house.authority.challenge(&holder.identity).await.unwrap();
    let unknown = house.authority.challenge(&identity("nobody")).await.unwrap();
    assert_eq!(known.expiry, unknown.expiry);
    assert_ne!(known.nonce, unknown.nonce);
    assert_ne!(known.nonce, house.authority.challenge(&holder.identity).await.unwrap().nonce);
    for _ in 0..100 {
        house.authority.challenge(&identity("nobody")).await.unwrap();
    }
    // A key that rotates does not end what it drew.
    house.authority.rotate_token_key().await.unwrap();
    assert_eq!(code(house.authority.log_in(&holder.login(&house, known, Tier::Noble)).await), "issued");
}

/// A login that was removed since the backup is in it: all are enrolled anew.
#[tokio::test]
async fn after_a_restore_nothing_from_before_logs_in() {
    let house = House::new().await;
    let holder = Holder::new(&house, Tier::Noble).await;
    let invited = house.authority.invite(&invitation(Tier::Noble)).await.unwrap().code;
    let drawn = house.authority.challenge(&holder.identity).await.unwrap();
    let mut tx = house.db.begin().await.unwrap();
    void_all(&mut tx, house.clock.millis()).await.unwrap();
    tx.commit().await.unwrap();
    let key = Ed25519SigningKey::from_seed(&[5; 32]).unwrap();
    assert_eq!(enrol(&house, &invited, key.public_key()).await.unwrap_err().kind().code, "bad-invitation");
    house.later(1);
    let fresh = house.authority.challenge(&holder.identity).await.unwrap();
    assert_eq!(code(house.authority.log_in(&holder.login(&house, fresh, Tier::Noble)).await), "bad-login");
    let listed = house.authority.logins(None, None, None, 10).await.unwrap();
    assert_eq!(listed.iter().map(|row| (row.id, row.is_void)).collect::<Vec<_>>(), [(holder.key_id, true)]);
    // The same key may be enrolled, in the place of the one that does not count.
    let anew = Holder::new(&house, Tier::Noble).await;
    assert_eq!(code(house.authority.log_in(&anew.login(&house, drawn, Tier::Noble)).await), "bad-login");
    assert_eq!(code(house.authority.log_in(&holder.login(&house, fresh, Tier::Noble)).await), "bad-login");
    assert_eq!(code(house.authority.log_in(&anew.login(&house, fresh, Tier::Noble)).await), "issued");
    let rows = house.authority.logins(None, None, None, 10).await.unwrap();
    assert_eq!(rows.iter().map(|row| (row.id, row.is_void)).collect::<Vec<_>>(), [(anew.key_id, false)]);
}

#[tokio::test]
async fn an_invitation_enrols_once_within_a_day() {
    let house = House::new().await;
    let keys: Vec<_> = (1..=6).map(|seed| Ed25519SigningKey::from_seed(&[seed; 32]).unwrap()).collect();
    let why = |answer: Result<Uuid, Problem>| answer.map_or_else(|problem| problem.kind().code, |_| "enrolled");
    let first = house.authority.invite(&invitation(Tier::Noble)).await.unwrap().code;
    // What fails uses nothing up.
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let weak = Ed25519PublicKey::from_bytes(neutral);
    assert_eq!(why(enrol(&house, &first, &weak).await), "invalid-field");
    let enrolled = enrol(&house, &first, keys[0].public_key()).await.unwrap();
    assert_eq!(why(enrol(&house, &first, keys[1].public_key()).await), "bad-invitation");
    // Whose answer was lost asks once more.
    assert_eq!(enrol(&house, &first, keys[0].public_key()).await.unwrap(), enrolled);
    let second = house.authority.invite(&invitation(Tier::Noble)).await.unwrap().code;
    assert_eq!(why(enrol(&house, &second, keys[0].public_key()).await), "conflict", "the identity has this key");
    assert_eq!(why(enrol(&house, &second, keys[1].public_key()).await), "enrolled");
    for wrong in [String::new(), "x".repeat(64), "0".repeat(64), second.to_uppercase(), format!("{}0", &*second)] {
        assert_eq!(why(enrol(&house, &wrong, keys[2].public_key()).await), "bad-invitation", "{wrong}");
    }
    let third = house.authority.invite(&invitation(Tier::Noble)).await.unwrap().code;
    house.later(86_400_000);
    assert_eq!(why(enrol(&house, &third, keys[3].public_key()).await), "bad-invitation", "a day is over");
    let none = Invitation { scopes: BTreeSet::new(), ..invitation(Tier::Noble) };
    let node = Invitation { scopes: BTreeSet::from([Scope::Node]), ..invitation(Tier::Noble) };
    for wrong in [none, node] {
        assert_eq!(house.authority.invite(&wrong).await.unwrap_err().kind().code, "invalid-field");
    }
    let rows = house.authority.logins(Some(&identity("ana")), None, None, 10).await.unwrap();
    assert_eq!(rows.len(), 2);
    let rest = house.authority.logins(None, None, Some(&rows[0].id), 10).await.unwrap();
    assert_eq!((rest.len(), rest[0].id), (1, rows[1].id), "newest first, and on from there");
}
