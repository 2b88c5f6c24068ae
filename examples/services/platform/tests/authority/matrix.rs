//! What counts as a token, and what does not.

use crate::house::{Answer, House, ask, get_from, grant, identity};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dualseal_operator::secrets::Place;
use ed25519_dalek::{Signer as _, SigningKey};
use platform::access::{Scope, Tier};
use platform::authority::{AddNode, Grant};
use serde_json::{Value, json};

/// Whoever has the service's own key: so it is each rule that refuses, and not the signature.
struct Forger {
    kid: String,
    key: SigningKey,
    header: Value,
    claims: Value,
}

impl Forger {
    /// Begins with a token that counts.
    async fn new(house: &House) -> Self {
        let issued = house.issue(Tier::Native, &[Scope::Trust]).await;
        let (kid, _) = house.authority.public_keys().await.unwrap().remove(0);
        let place = Place::new("token_keys", kid.as_bytes(), "seed").unwrap();
        let seed = house.secrets.find_in(&house.db, &place).await.unwrap().unwrap();
        let key = SigningKey::from_bytes(seed.as_slice().try_into().unwrap());
        let header = json!({ "typ": "at+jwt", "alg": "EdDSA", "kid": kid });
        Self { kid, key, header, claims: serde_json::to_value(&issued.claims).unwrap() }
    }

    fn text(&self, header: &Value, claims: &str) -> String {
        let part = |text: &str| URL_SAFE_NO_PAD.encode(text);
        let body = format!("{}.{}", part(&header.to_string()), part(claims));
        format!("{body}.{}", URL_SAFE_NO_PAD.encode(self.key.sign(body.as_bytes()).to_bytes()))
    }

    fn with_header(&self, change: impl FnOnce(&mut Value)) -> String {
        let mut header = self.header.clone();
        change(&mut header);
        self.text(&header, &self.claims.to_string())
    }

    fn with_claim(&self, name: &str, value: &Value) -> String {
        let mut claims = self.claims.clone();
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(name);
        } else {
            claims[name] = value.clone();
        }
        self.text(&self.header, &claims.to_string())
    }
}

/// Whatever is wrong, the same is told.
fn is_refused(answer: &Answer) -> bool {
    let challenge = answer.challenge.as_deref() == Some("Bearer realm=\"trustd\", error=\"invalid_token\"");
    answer.is(401, "bad-token") && answer.body.get("detail").is_none() && challenge
}

#[tokio::test]
async fn a_token_says_who_calls() {
    let house = House::new().await;
    let issued = house.issue(Tier::Noble, &[Scope::Trust, Scope::Proof]).await;
    let answer = house.get("/noble", &issued.text).await;
    assert_eq!(answer.status, 200);
    let expected = json!({
        "subject": identity("ana").to_hex(), "tier": "noble", "scopes": ["trust", "proof"], "node": null,
        "client": "tests", "world": 0,
    });
    assert_eq!(answer.body, expected);
    assert_eq!(house.get("/things/7", &issued.text).await.status, 200);
    assert_eq!(get_from(&house.authority, "/noble", &[&format!("bEARER {}", &*issued.text)]).await.status, 200);
    assert_eq!(ask(&house.authority, "HEAD", "/noble", &[&format!("Bearer {}", &*issued.text)]).await.status, 200);
}

#[tokio::test]
async fn claims_that_do_not_hold_are_refused() {
    let house = House::new().await;
    let forger = Forger::new(&house).await;
    let now = house.clock.millis() / 1000;
    let control = forger.text(&forger.header, &forger.claims.to_string());
    assert_eq!(house.get("/native", &control).await.status, 200, "what is changed below counts unchanged");
    let cases = [
        ("exp", json!(now - 5)),
        ("exp", Value::Null),
        ("exp", json!(now + 3601)),
        ("exp", json!("9999999999")),
        ("exp", json!(1e300)),
        ("exp", json!(-1)),
        ("exp", json!(i64::MAX)),
        // Of another token than its row.
        ("exp", json!(now + 3599)),
        ("tier", json!("noble")),
        ("scope", json!("trust ops")),
        ("nbf", json!(now + 6)),
        ("nbf", Value::Null),
        ("iat", json!(now + 6)),
        ("iat", json!(i64::MIN)),
        ("iat", Value::Null),
        ("iss", json!("https://other.example/")),
        ("iss", Value::Null),
        ("iss", json!([house.config.base_url.as_str()])),
        ("aud", json!("https://other.example/")),
        ("aud", json!([house.config.base_url.as_str(), "other"])),
        ("aud", Value::Null),
        ("sub", json!(identity("eva").to_hex())),
        ("sub", json!("ana")),
        ("sub", Value::Null),
        ("tier", json!("public")),
        ("tier", Value::Null),
        ("scope", json!("trust everything")),
        ("scope", Value::Null),
        ("jti", json!("0192f0c1-2345-7abc-8def-0123456789ab")),
        ("jti", Value::Null),
        ("node", json!("berlin-1")),
    ];
    for (name, value) in cases {
        let answer = house.get("/native", &forger.with_claim(name, &value)).await;
        assert!(is_refused(&answer), "{name} {value}: {}", answer.body);
    }
    for (name, value) in [("nbf", json!(now + 5)), ("more", json!(1))] {
        let answer = house.get("/native", &forger.with_claim(name, &value)).await;
        assert_eq!(answer.status, 200, "{name} {value}: clocks differ by five seconds, and claims are added");
    }
    let twice = forger.claims.to_string().replacen('{', &format!("{{\"exp\":{},", now + 9), 1);
    assert!(is_refused(&house.get("/native", &forger.text(&forger.header, &twice)).await));
    house.later(3_604_999);
    assert_eq!(house.get("/native", &control).await.status, 200, "it ends five seconds behind its end");
    house.later(1);
    assert!(is_refused(&house.get("/native", &control).await));
}

#[tokio::test]
async fn headers_that_do_not_hold_are_refused() {
    let house = House::new().await;
    let forger = Forger::new(&house).await;
    let set = |name: &'static str, value: Value| move |header: &mut Value| header[name] = value;
    let cases = [
        forger.with_header(set("alg", json!("HS256"))),
        forger.with_header(set("alg", json!("ES256"))),
        forger.with_header(set("alg", json!("none"))),
        forger.with_header(set("alg", json!("eddsa"))),
        forger.with_header(set("typ", json!("JWT"))),
        forger.with_header(|header| drop(header.as_object_mut().unwrap().remove("typ"))),
        forger.with_header(set("kid", json!("0192f0c1-2345-7abc-8def-0123456789ab"))),
        forger.with_header(set("kid", json!(7))),
        forger.with_header(|header| drop(header.as_object_mut().unwrap().remove("kid"))),
        forger.with_header(|header| {
            header["crit"] = json!(["b64"]);
            header["b64"] = json!(false);
        }),
        forger.with_header(set("crit", json!([]))),
        forger.with_header(set("crit", json!("exp"))),
    ];
    for text in cases {
        let answer = house.get("/native", &text).await;
        assert!(is_refused(&answer), "{text}: {}", answer.body);
    }
    // A key in the header, or the address of one, is nobody's: the service's own are tried.
    let other = SigningKey::from_bytes(&[9; 32]);
    let jwk = json!({ "kty": "OKP", "crv": "Ed25519", "x": URL_SAFE_NO_PAD.encode(other.verifying_key().to_bytes()) });
    let mut carried = Forger { key: other, kid: forger.kid.clone(), ..Forger::new(&house).await };
    carried.header["jwk"] = jwk;
    let text = carried.text(&carried.header, &carried.claims.to_string());
    assert!(is_refused(&house.get("/native", &text).await));
}

#[tokio::test]
async fn signatures_that_do_not_hold_are_refused() {
    let house = House::new().await;
    let forger = Forger::new(&house).await;
    let good = forger.text(&forger.header, &forger.claims.to_string());
    let (body, signature) = good.rsplit_once('.').unwrap();
    // The public key as the secret of an HMAC.
    let hs256 = forger.with_header(|header| header["alg"] = json!("HS256"));
    let hs256 = hs256.rsplit_once('.').unwrap().0;
    let public = forger.key.verifying_key().to_bytes();
    let tag = ring::hmac::sign(&ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &public), hs256.as_bytes());
    let none = forger.with_header(|header| header["alg"] = json!("none"));
    let mut flipped = URL_SAFE_NO_PAD.decode(signature).unwrap();
    flipped[0] ^= 1;
    let (head, rest) = good.split_once('.').unwrap();
    let cases = [
        format!("{hs256}.{}", URL_SAFE_NO_PAD.encode(tag.as_ref())),
        format!("{}.", none.rsplit_once('.').unwrap().0),
        none.rsplit_once('.').unwrap().0.to_owned(),
        format!("{body}.{}", URL_SAFE_NO_PAD.encode(&flipped)),
        format!("{body}.{}", &signature[..80]),
        format!("{body}.{signature}AA"),
        format!("{body}.{signature}=="),
        format!("{body}."),
        body.to_owned(),
        format!("{good}.{signature}"),
        format!(" {good}"),
        format!("{good} {good}"),
        format!("{head}.{}", rest.to_uppercase()),
        "a.b.c".to_owned(),
        "..".to_owned(),
        String::new(),
        "x".repeat(5000),
        format!("{}.{rest}", URL_SAFE_NO_PAD.encode("{}")),
        format!("{}.{rest}", URL_SAFE_NO_PAD.encode([0xff, 0xfe])),
    ];
    for text in cases {
        let answer = house.get("/native", &text).await;
        assert!(is_refused(&answer), "{text}: {}", answer.body);
    }
    assert_eq!(house.get("/native", &good).await.status, 200);
}

#[tokio::test]
async fn a_signing_key_alone_makes_no_token() {
    let house = House::new().await;
    let mut forger = Forger::new(&house).await;
    forger.claims["jti"] = json!(uuid::Uuid::now_v7());
    let text = forger.text(&forger.header, &forger.claims.to_string());
    assert!(is_refused(&house.get("/native", &text).await), "nobody issued it");
}

#[tokio::test]
async fn the_table_names_tier_and_scope() {
    let house = House::new().await;
    let add = AddNode::new(&house.authority, "berlin-1", identity("ana"), None).unwrap();
    house.log.submit(add).await.unwrap();
    let native = house.issue(Tier::Native, &[Scope::Trust]).await.text;
    let noble = house.issue(Tier::Noble, &[Scope::Trust]).await.text;
    let ops = house.issue(Tier::Native, &[Scope::Ops]).await.text;
    let node = Grant { node: Some("berlin-1".to_owned()), ..grant(Tier::Noble, &[Scope::Node]) };
    let node = house.grant(&node).await.text;
    let cases: &[(&str, &str, u16, &str)] = &[
        ("/noble", &native, 200, ""),
        ("/noble", &noble, 200, ""),
        ("/noble", &ops, 403, "scope-missing"),
        ("/noble", &node, 403, "scope-missing"),
        ("/native", &native, 200, ""),
        ("/native", &noble, 403, "tier-too-low"),
        ("/native", &ops, 403, "scope-missing"),
        ("/native", &node, 403, "tier-too-low"),
        ("/ops", &ops, 200, ""),
        ("/ops", &native, 403, "scope-missing"),
        ("/ops", &noble, 403, "scope-missing"),
        ("/node", &node, 200, ""),
        ("/node", &native, 403, "not-this-node"),
        ("/node", &noble, 403, "not-this-node"),
        ("/things/1", &noble, 200, ""),
        ("/things/1", &node, 403, "scope-missing"),
        ("/forgotten", &native, 404, "unknown-path"),
        ("/nothing", &native, 404, "unknown-path"),
        ("/public", "nonsense", 200, ""),
        ("/public", &native, 200, ""),
    ];
    for (path, token, status, code) in cases {
        let answer = house.get(path, token).await;
        assert_eq!(answer.status.as_u16(), *status, "{path} {}", answer.body);
        assert!(code.is_empty() || answer.is(*status, code), "{path} {}", answer.body);
        if *path == "/public" {
            assert_eq!(answer.body["called"], **token == *native, "who counts is known, and nobody is refused");
        }
    }
    assert!(
        ask(&house.authority, "POST", "/noble", &[&format!("Bearer {}", &*native)]).await.is(405, "method-not-allowed")
    );
    assert_eq!(house.get("/node", &node).await.body["node"], "berlin-1");
}

#[tokio::test]
async fn without_a_token_one_is_asked_for() {
    let house = House::new().await;
    let token = house.issue(Tier::Noble, &[Scope::Trust]).await.text;
    let (bearer, basic) = (format!("Bearer {}", &*token), "Basic YW5hOmFuYQ==");
    for sent in [&[][..], &[basic][..], &[&*token][..]] {
        let answer = get_from(&house.authority, "/noble", sent).await;
        assert!(answer.is(401, "no-token"), "{sent:?}: {}", answer.body);
        assert_eq!(answer.challenge.as_deref(), Some("Bearer realm=\"trustd\""));
    }
    for sent in [[bearer.as_str(), bearer.as_str()], [bearer.as_str(), basic], [basic, bearer.as_str()]] {
        assert!(is_refused(&get_from(&house.authority, "/noble", &sent).await), "of two none counts");
    }
    assert!(is_refused(&get_from(&house.authority, "/noble", &["Bearer"]).await), "a scheme alone is a bad token");
}
