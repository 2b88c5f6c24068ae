//! Outside tokens that were exchanged: none gives anything again.

use crate::house::House;
use crate::outside::{ISSUER, Keys, code, config, map};
use platform::authority::void_all;
use serde_json::{Value, json};

#[tokio::test]
async fn after_a_restore_subjects_are_taken_anew() {
    let (keys, folder) = (Keys::new(), tempfile::tempdir().unwrap());
    let file = folder.path().join("jwks.json");
    std::fs::write(&file, keys.set().to_string()).unwrap();
    let house = House::with(config(Some(&file), None)).await;
    let now = house.clock.millis() / 1000;
    let token = |jti: &str| {
        let claims = json!({ "iss": ISSUER, "sub": "1", "aud": "trustd", "exp": now + 600, "jti": jti });
        keys.sign("EdDSA", Some("ed"), &claims)
    };
    map(&house.authority, "1").await;
    assert_eq!(code(&house.authority, &token("a")).await, "issued");
    let mut tx = house.db.begin().await.unwrap();
    void_all(&mut tx, house.clock.millis()).await.unwrap();
    tx.commit().await.unwrap();
    house.later(1);
    assert_eq!(code(&house.authority, &token("b")).await, "bad-login");
    map(&house.authority, "1").await;
    assert_eq!(code(&house.authority, &token("b")).await, "issued");
}

/// Whoever hears a token gets nothing for it, nor for what its issuer signs to say something else.
#[tokio::test]
async fn a_token_is_exchanged_once_and_a_logout_is_no_login() {
    let (keys, folder) = (Keys::new(), tempfile::tempdir().unwrap());
    let file = folder.path().join("jwks.json");
    std::fs::write(&file, keys.set().to_string()).unwrap();
    let house = House::with(config(Some(&file), None)).await;
    map(&house.authority, "1").await;
    let now = house.clock.millis() / 1000;
    let claims = json!({ "iss": ISSUER, "sub": "1", "aud": "trustd", "exp": now + 600 });
    let of = |typ: Option<&str>, claims: &Value| {
        let mut header = json!({ "alg": "ES256", "kid": "ec" });
        if let Some(typ) = typ {
            header["typ"] = json!(typ);
        }
        keys.signed("ES256", &header, claims)
    };
    let mut logout = claims.clone();
    logout["events"] = json!({ "http://schemas.openid.net/event/backchannel-logout": {} });
    for text in [of(Some("logout+jwt"), &claims), of(Some("JWT"), &logout), of(None, &logout)] {
        assert_eq!(code(&house.authority, &text).await, "bad-login", "{text}");
    }
    for typ in [None, Some("JWT"), Some("application/at+jwt")] {
        let token = of(typ, &claims);
        let all = futures::future::join_all((0..5).map(|_| code(&house.authority, &token))).await;
        assert_eq!(all.iter().filter(|code| **code == "issued").count(), 1, "{all:?}");
        // The same with its signature made anew.
        assert_eq!(code(&house.authority, &of(typ, &claims)).await, "bad-login");
    }
    // Swept when it has ended by itself.
    house.later(599_000);
    house.authority.sweep().await.unwrap();
    assert_eq!(code(&house.authority, &of(None, &claims)).await, "bad-login");
}
