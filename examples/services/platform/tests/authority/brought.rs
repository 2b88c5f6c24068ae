//! Who brought whom, and what ends with him.

use crate::house::{House, identity};
use crate::login::{Holder, enrol, invitation};
use dualseal::IdentityId;
use dualseal::ed25519::Ed25519SigningKey;
use http::{HeaderMap, header};
use platform::access::{Caller, Tier, World};
use platform::authority::{Invitation, Revocation};

/// Who calls with a token.
async fn caller(house: &House, text: &str) -> Caller {
    let headers = HeaderMap::from_iter([(header::AUTHORIZATION, format!("Bearer {text}").parse().unwrap())]);
    house.authority.authenticate(&headers).await.unwrap()
}

/// A login of somebody whom these invite.
async fn brought(house: &House, name: &str, seed: u8, by: Vec<IdentityId>) -> (Holder, Caller) {
    let (key, identity) = (Ed25519SigningKey::from_seed(&[seed; 32]).unwrap(), identity(name));
    let asked = Invitation { identity_id: identity, by, ..invitation(Tier::Native) };
    let code = house.authority.invite(&asked).await.unwrap().code;
    let key_id = enrol(house, &code, key.public_key()).await.unwrap();
    let holder = Holder { key, key_id, identity };
    let challenge = house.authority.challenge(&identity).await.unwrap();
    let issued = house.authority.log_in(&holder.login(house, challenge, Tier::Native)).await.unwrap();
    let caller = caller(house, &issued.text).await;
    (holder, caller)
}

#[tokio::test]
async fn whoever_was_brought_by_somebody_carries_his_name() {
    let house = House::new().await;
    let (holder, ana) = brought(&house, "ana", 1, Vec::new()).await;
    assert_eq!(house.authority.lineage(&ana).await.unwrap(), [identity("ana")], "the host is nobody");
    let by = house.authority.lineage(&ana).await.unwrap();
    let (_, bo) = brought(&house, "bo", 2, by).await;
    let by = house.authority.lineage(&bo).await.unwrap();
    assert_eq!(by, [identity("bo"), identity("ana")]);
    let (_, cy) = brought(&house, "cy", 3, by).await;
    let found = [identity("cy"), identity("bo"), identity("ana")];
    assert_eq!(house.authority.lineage(&cy).await.unwrap(), found);
    // Whoever goes is known to have brought them still.
    house.authority.remove_login(&holder.key_id, None).await.unwrap();
    assert_eq!(house.authority.lineage(&cy).await.unwrap(), found);
    let listed = house.authority.logins(Some(&identity("cy")), None, None, 10).await.unwrap();
    assert_eq!(listed[0].by, found[1..]);
}

#[tokio::test]
async fn whoever_is_shut_out_leaves_no_invitation() {
    let house = House::new().await;
    let gives = |by: &[&str]| {
        let by = by.iter().map(|name| identity(name)).collect();
        let asked = Invitation { by, ..invitation(Tier::Native) };
        let authority = house.authority.clone();
        async move { authority.invite(&asked).await.unwrap().code }
    };
    let kept = gives(&["eva"]).await;
    let (holder, _) = brought(&house, "bo", 2, Vec::new()).await;
    let codes = [gives(&["bo"]).await, gives(&["cy", "bo"]).await];
    assert_eq!(house.authority.invitations().await.unwrap().len(), 3);
    house.authority.remove_login(&holder.key_id, None).await.unwrap();
    let key = Ed25519SigningKey::from_seed(&[9; 32]).unwrap();
    for code in codes {
        assert_eq!(enrol(&house, &code, key.public_key()).await.unwrap_err().kind().code, "bad-invitation");
    }
    let waiting = house.authority.invitations().await.unwrap();
    assert_eq!(waiting.iter().map(|one| one.invitation.by.clone()).collect::<Vec<_>>(), [[identity("eva")]]);
    let revoked = gives(&["cy"]).await;
    house.authority.revoke(&Revocation::Subject(identity("cy"), 0, house.clock.millis()), World::Real).await.unwrap();
    assert!(enrol(&house, &revoked, key.public_key()).await.is_err());
    assert_eq!(house.authority.withdraw("00").await.unwrap_err().kind().code, "unknown-id");
    house.authority.withdraw(&waiting[0].id).await.unwrap();
    assert!(enrol(&house, &kept, key.public_key()).await.is_err());
}
