//! A caller whose own key is a honeypot: served alike, in a world of its own.

use crate::house::{House, grant, identity};
use crate::login::{Holder, enrol};
use dualseal::ed25519::Ed25519SigningKey;
use dualseal::{KeyState, SigningKey, SystemRng};
use dualseal_operator::step::{Changes, State, Step};
use platform::access::{Scope, Tier, World};
use platform::authority::{Grant, Invitation, Revocation};
use platform::db::Tx;
use platform::log::Work;
use platform::problem::Problem;
use std::collections::BTreeSet;

/// Gives an identity a key in a state.
pub(crate) struct Key(pub(crate) dualseal::IdentityId, pub(crate) dualseal::PublicKey, pub(crate) Option<KeyState>);

impl Work for Key {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        match self.2 {
            None => step.add_key(&self.0, &self.1)?,
            Some(state) => step.set_state(&self.0, None, state)?,
        };
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

async fn world(house: &House, token: &str) -> i64 {
    house.get("/noble", token).await.body["world"].as_i64().unwrap()
}

/// Enrols a login key of somebody's own.
async fn holder(house: &House, name: &str) -> Holder {
    let (identity_id, scopes) = (identity(name), BTreeSet::from([Scope::Ops, Scope::Trust]));
    let (tier, world) = (Tier::Native, World::Real);
    let code = house
        .authority
        .invite(&Invitation { identity_id, tier, scopes, world, by: Vec::new(), node: None })
        .await
        .unwrap()
        .code;
    let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
    let key_id = enrol(house, &code, key.public_key()).await.unwrap();
    Holder { key, key_id, identity: identity_id }
}

async fn logs_in(house: &House, holder: &Holder) -> bool {
    let challenge = house.authority.challenge(&holder.identity).await.unwrap();
    house.authority.log_in(&holder.login(house, challenge, Tier::Native)).await.is_ok()
}

/// A house in which eva's key is a honeypot, with a token of hers and one of ana's.
async fn with_decoy() -> (House, String, String) {
    let house = House::new().await;
    let key = SigningKey::generate(&mut SystemRng).unwrap().public_key().clone();
    house.log.submit(Key(identity("eva"), key.clone(), None)).await.unwrap();
    let eva = house.grant(&Grant { subject: identity("eva"), ..grant(Tier::Native, &[Scope::Trust]) }).await.text;
    let ana = house.issue(Tier::Native, &[Scope::Trust]).await.text;
    assert_eq!((world(&house, &eva).await, world(&house, &ana).await), (0, 0));
    house.log.submit(Key(identity("eva"), key, Some(KeyState::Decoy))).await.unwrap();
    (house, eva.to_string(), ana.to_string())
}

#[tokio::test]
async fn a_honeypot_is_in_the_decoy_world_at_its_next_request() {
    let (house, eva, ana) = with_decoy().await;
    assert_eq!((world(&house, &eva).await, world(&house, &ana).await), (1, 0));
    let other = house.another().await;
    let answer = crate::house::get_from(&other, "/native", &[&format!("Bearer {eva}")]).await;
    assert_eq!((answer.status.as_u16(), answer.body["world"].as_i64()), (200, Some(1)), "the tier is what it was");
}

#[tokio::test]
async fn what_a_decoy_invites_stays_in_its_world() {
    let (house, _, _) = with_decoy().await;
    let invitation = Invitation {
        identity_id: identity("ana"),
        tier: Tier::Native,
        scopes: BTreeSet::from([Scope::Trust]),
        world: World::Decoy,
        by: Vec::new(),
        node: None,
    };
    let code = house.authority.invite(&invitation).await.unwrap().code;
    let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
    let key_id = enrol(&house, &code, key.public_key()).await.unwrap();
    let holder = Holder { key, key_id, identity: identity("ana") };
    let challenge = house.authority.challenge(&holder.identity).await.unwrap();
    let issued = house.authority.log_in(&holder.login(&house, challenge, Tier::Native)).await.unwrap();
    assert_eq!(world(&house, &issued.text).await, 1, "a token for ana that ana never gave");
    let (eva, ana) = (identity("eva"), identity("ana"));
    let ids = |rows: Vec<platform::authority::LoginRow>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    let seen = house.authority.logins(Some(&ana), None, None, 10).await.unwrap();
    assert!(seen.is_empty(), "natives see none of it");
    assert_eq!(ids(house.authority.logins(None, Some(&eva), None, 10).await.unwrap()), [key_id]);
    assert_eq!(house.authority.remove_login(&key_id, None).await.unwrap_err().kind().code, "unknown-id");
    house.authority.remove_login(&key_id, Some(&eva)).await.unwrap();
    assert_eq!(house.get("/noble", &issued.text).await.status, 401);
}

#[tokio::test]
async fn a_decoy_revokes_nothing_real() {
    let (house, eva, ana) = with_decoy().await;
    let now = house.clock.millis();
    let of = |name| Revocation::Subject(identity(name), 0, now);
    assert_eq!(house.authority.revoke(&of("ana"), World::Decoy).await.unwrap(), 1, "it is answered alike");
    assert_eq!(house.get("/noble", &ana).await.status, 200);
    assert_eq!(house.authority.revoke(&of("eva"), World::Decoy).await.unwrap(), 1);
    assert_eq!(house.get("/noble", &eva).await.status, 401, "its own end as it expects");
}

#[tokio::test]
async fn a_decoy_removes_no_real_login() {
    let (house, _, _) = with_decoy().await;
    let ids = [holder(&house, "ana").await.key_id, holder(&house, "eva").await.key_id];
    let eva = identity("eva");
    let refused = house.authority.remove_login(&ids[0], Some(&eva)).await.unwrap_err();
    assert_eq!(refused.kind().code, "unknown-id", "it sees its own alone");
    house.authority.remove_login(&ids[1], Some(&eva)).await.unwrap();
    assert!(house.authority.logins(None, Some(&eva), None, 10).await.unwrap().is_empty());
    assert_eq!(house.authority.logins(None, None, None, 10).await.unwrap().len(), 2, "natives see what there is");
}

/// A honeypot gets tokens of any subject in its world: they name her, and are not hers.
#[tokio::test]
async fn nothing_of_whom_a_decoy_names_is_its_own() {
    let (house, _, _) = with_decoy().await;
    let (ana, eva) = (holder(&house, "ana").await, holder(&house, "eva").await);
    let seen = house.authority.logins(None, Some(&ana.identity), None, 10).await.unwrap();
    assert!(seen.is_empty(), "{seen:?}");
    for key_id in [&ana.key_id, &eva.key_id] {
        let refused = house.authority.remove_login(key_id, Some(&ana.identity)).await.unwrap_err();
        assert_eq!(refused.kind().code, "unknown-id");
    }
    assert!(logs_in(&house, &ana).await);
}

#[tokio::test]
async fn what_a_honeypot_hid_is_there_for_who_is_none() {
    let (house, _, _) = with_decoy().await;
    let eva = holder(&house, "eva").await;
    assert!(logs_in(&house, &eva).await);
    house.authority.remove_login(&eva.key_id, Some(&eva.identity)).await.unwrap();
    assert!(!logs_in(&house, &eva).await);
    let key = house.log.state().await.unwrap().ring().info(&eva.identity).unwrap().public_key;
    house.log.submit(Key(eva.identity, key, Some(KeyState::Valid))).await.unwrap();
    assert!(logs_in(&house, &eva).await, "the thief locks nobody out");
}
