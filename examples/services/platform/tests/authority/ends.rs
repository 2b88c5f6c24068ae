//! How tokens end: in every process, at its next request.

use crate::house::{House, get_from, grant, identity};
use crate::login::{enrol, invitation};
use dualseal::ed25519::Ed25519SigningKey;
use platform::access::{Scope, Tier, World};
use platform::authority::{Authority, Grant, Revocation, void_all};

async fn status(authority: &Authority, token: &str) -> u16 {
    get_from(authority, "/noble", &[&format!("Bearer {token}")]).await.status.as_u16()
}

#[tokio::test]
async fn a_revoked_token_ends_in_every_process() {
    let house = House::new().await;
    let other = house.another().await;
    let [one, kept] =
        [house.issue(Tier::Noble, &[Scope::Trust]).await, house.issue(Tier::Noble, &[Scope::Trust]).await];
    for authority in [&house.authority, &other] {
        assert_eq!(status(authority, &one.text).await, 200);
    }
    let which = Revocation::Token(one.claims.jti);
    assert_eq!(other.revoke(&which, World::Real).await.unwrap(), 1);
    assert_eq!(other.revoke(&which, World::Real).await.unwrap(), 0);
    for authority in [&house.authority, &other] {
        assert_eq!(status(authority, &one.text).await, 401);
        assert_eq!(status(authority, &kept.text).await, 200);
    }
    let listed = house.authority.tokens(Some(&identity("ana")), 10).await.unwrap();
    let revoked: Vec<_> = listed.iter().filter(|one| one.revoked).map(|one| one.jti.clone()).collect();
    assert_eq!((listed.len(), revoked), (2, vec![one.claims.jti.to_string()]));
}

#[tokio::test]
async fn the_tokens_of_a_subject_end_by_when_they_were_issued() {
    let house = House::new().await;
    let begin = house.clock.millis();
    let mut tokens = Vec::new();
    for _ in 0..4 {
        tokens.push(house.issue(Tier::Noble, &[Scope::Trust]).await.text);
        house.later(1000);
    }
    let eva = house.grant(&Grant { subject: identity("eva"), ..grant(Tier::Noble, &[Scope::Trust]) }).await.text;
    let which = Revocation::Subject(identity("ana"), begin + 1000, begin + 2000);
    assert_eq!(house.authority.revoke(&which, World::Real).await.unwrap(), 2);
    let mut found = Vec::new();
    for token in &tokens {
        found.push(status(&house.authority, token).await);
    }
    assert_eq!(found, [200, 401, 401, 200]);
    assert_eq!(status(&house.authority, &eva).await, 200);
}

#[tokio::test]
async fn a_token_ends_with_the_login_that_it_was_got_by() {
    let house = House::new().await;
    let (other, ana) = (house.another().await, identity("ana"));
    let key = Ed25519SigningKey::from_seed(&[7; 32]).unwrap();
    let code = house.authority.invite(&invitation(Tier::Noble)).await.unwrap().code;
    let id = enrol(&house, &code, key.public_key()).await.unwrap();
    let of = |subject| Grant { subject, login: Some(id), ..grant(Tier::Noble, &[Scope::Trust]) };
    let token = house.grant(&of(ana)).await;
    assert_eq!(token.claims.key, Some(id), "it names its key");
    assert_eq!(status(&other, &token.text).await, 200);
    let foreign = house.grant(&of(identity("eva"))).await.text;
    assert_eq!(status(&other, &foreign).await, 401, "another's key is no key of one's own");
    house.authority.remove_login(&id, None).await.unwrap();
    assert_eq!(status(&other, &token.text).await, 401);
    assert_eq!(house.authority.remove_login(&id, None).await.unwrap_err().kind().code, "unknown-id");
}

#[tokio::test]
async fn after_a_restore_nothing_from_before_counts() {
    let house = House::new().await;
    let other = house.another().await;
    let before = house.issue(Tier::Noble, &[Scope::Trust]).await.text;
    house.later(1);
    let mut tx = house.db.begin().await.unwrap();
    void_all(&mut tx, house.clock.millis() - 1).await.unwrap();
    tx.commit().await.unwrap();
    let after = house.issue(Tier::Noble, &[Scope::Trust]).await.text;
    for authority in [&house.authority, &other] {
        assert_eq!((status(authority, &before).await, status(authority, &after).await), (401, 200));
    }
    let mut tx = house.db.begin().await.unwrap();
    void_all(&mut tx, 0).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(status(&other, &before).await, 401, "nothing voided counts again");
}

#[tokio::test]
async fn keys_rotate_and_old_tokens_live_on() {
    let house = House::new().await;
    let other = house.another().await;
    let old = house.issue(Tier::Noble, &[Scope::Trust]).await.text;
    assert_eq!(status(&other, &old).await, 200);
    let kid = house.authority.rotate_token_key().await.unwrap();
    let new = house.issue(Tier::Noble, &[Scope::Trust]).await.text;
    let published = other.public_keys().await.unwrap();
    assert_eq!((published.len(), published[0].0.as_str()), (2, kid.as_str()), "the one that signs is first");
    for authority in [&house.authority, &other] {
        assert_eq!((status(authority, &old).await, status(authority, &new).await), (200, 200));
    }
    let mut tx = house.db.begin().await.unwrap();
    let by_other = other.issue(&mut tx, &grant(Tier::Noble, &[Scope::Trust])).await.unwrap().text;
    tx.commit().await.unwrap();
    assert_eq!(
        jsonwebtoken::decode_header(&*by_other).unwrap().kid,
        Some(kid.clone()),
        "another process signs by it too"
    );
    // Its last token has expired: it verifies nothing, and is swept away.
    house.later(86_400_000 + 120_000);
    assert_eq!(status(&other, &old).await, 401);
    assert_eq!(other.public_keys().await.unwrap().len(), 1);
    house.authority.sweep().await.unwrap();
    assert_eq!(house.authority.public_keys().await.unwrap()[0].0, kid);
    assert!(house.authority.tokens(None, 10).await.unwrap().is_empty());
    assert!(house.authority.check_itself().await.unwrap());
}

/// A clock that is wrong when somebody is sent away brings nobody back once it is right.
#[tokio::test]
async fn whatever_the_clock_says_a_revoked_token_ends() {
    let house = House::new().await;
    // As long as a token lives at most: by the clock that is ahead both have ended.
    let day = 86_400_000;
    for wrong in [-day, day] {
        let [one, more] =
            [house.issue(Tier::Noble, &[Scope::Trust]).await, house.issue(Tier::Noble, &[Scope::Trust]).await];
        house.later(wrong);
        house.authority.revoke(&Revocation::Token(one.claims.jti), World::Real).await.unwrap();
        let all = Revocation::Subject(identity("ana"), 0, Revocation::ALL);
        house.authority.revoke(&all, World::Real).await.unwrap();
        house.later(-wrong);
        for token in [&one, &more] {
            assert_eq!(status(&house.authority, &token.text).await, 401, "{wrong}");
        }
    }
}
