//! Outside issuers: their tokens are exchanged for the service's own, which are noble.

use crate::house::{House, get_from, identity};
use axum::{Router, routing::get};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use platform::access::{Scope, World};
use platform::authority::{Authority, AuthorityFault, NewOutside};
use platform::config::{Config, IssuerConfig};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RSA_PKCS1_SHA512,
    RsaKeyPair,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) const ISSUER: &str = "https://login.example";
/// A key that was made for these tests, and serves nothing else.
const RSA: &str = include_str!("issuer-rsa.pk8.b64");

pub(crate) struct Keys {
    rsa: RsaKeyPair,
    ec: EcdsaKeyPair,
    ed: Ed25519KeyPair,
}

fn part(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Keys {
    pub(crate) fn new() -> Self {
        let random = SystemRandom::new();
        let ec = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        Self {
            rsa: RsaKeyPair::from_pkcs8(&STANDARD.decode(RSA.split_whitespace().collect::<String>()).unwrap()).unwrap(),
            ec: EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, ec.as_ref(), &random).unwrap(),
            ed: Ed25519KeyPair::from_seed_unchecked(&[4; 32]).unwrap(),
        }
    }

    pub(crate) fn set(&self) -> Value {
        let rsa = ring::rsa::PublicKeyComponents::<Vec<u8>>::from(self.rsa.public_key());
        let point = self.ec.public_key().as_ref();
        json!({ "keys": [
            { "kty": "RSA", "kid": "rsa", "use": "sig", "alg": "RS256", "n": part(rsa.n), "e": part(rsa.e) },
            { "kty": "EC", "kid": "ec", "crv": "P-256", "x": part(&point[1..33]), "y": part(&point[33..]) },
            { "kty": "OKP", "kid": "ed", "crv": "Ed25519", "x": part(self.ed.public_key().as_ref()) },
            { "kty": "oct", "kid": "oct", "k": part([5; 32]) },
            { "kty": "RSA", "kid": "enc", "use": "enc", "n": part([1; 256]), "e": "AQAB" },
        ] })
    }

    pub(crate) fn sign(&self, algorithm: &str, kid: Option<&str>, claims: &Value) -> String {
        let mut header = json!({ "alg": algorithm, "typ": "JWT" });
        if let Some(kid) = kid {
            header["kid"] = json!(kid);
        }
        self.signed(algorithm, &header, claims)
    }

    pub(crate) fn signed(&self, algorithm: &str, header: &Value, claims: &Value) -> String {
        let body = format!("{}.{}", part(header.to_string()), part(claims.to_string()));
        let random = SystemRandom::new();
        let mut rsa = vec![0; self.rsa.public().modulus_len()];
        let signature = match algorithm {
            "RS256" => {
                self.rsa.sign(&RSA_PKCS1_SHA256, &random, body.as_bytes(), &mut rsa).unwrap();
                rsa
            }
            "RS512" => {
                self.rsa.sign(&RSA_PKCS1_SHA512, &random, body.as_bytes(), &mut rsa).unwrap();
                rsa
            }
            "ES256" => self.ec.sign(&random, body.as_bytes()).unwrap().as_ref().to_vec(),
            "EdDSA" => self.ed.sign(body.as_bytes()).as_ref().to_vec(),
            // The public key as a secret, and the secret that the set carries.
            "HS256" => {
                let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &[5; 32]);
                ring::hmac::sign(&key, body.as_bytes()).as_ref().to_vec()
            }
            _ => Vec::new(),
        };
        format!("{body}.{}", part(signature))
    }
}

pub(crate) fn config(file: Option<&Path>, url: Option<&str>) -> Config {
    let issuer = IssuerConfig {
        issuer: ISSUER.to_owned(),
        audience: "trustd".to_owned(),
        jwks_file: file.map(Path::to_owned),
        jwks_url: url.map(|url| url.parse().unwrap()),
    };
    let mut config = Config::default();
    config.tokens.issuers = vec![issuer];
    config
}

pub(crate) async fn map(authority: &Authority, subject: &str) -> uuid::Uuid {
    let new = NewOutside {
        issuer: ISSUER.to_owned(),
        outside: subject.to_owned(),
        identity_id: identity("ana"),
        scopes: BTreeSet::from([Scope::Trust]),
        world: World::Real,
        by: Vec::new(),
    };
    authority.add_outside(&new).await.unwrap()
}

pub(crate) async fn code(authority: &Authority, token: &str) -> &'static str {
    authority.exchange(token, "tests").await.map_or_else(|problem| problem.kind().code, |_| "issued")
}

#[tokio::test]
async fn a_token_of_an_outside_issuer_is_exchanged() {
    let (keys, folder) = (Keys::new(), tempfile::tempdir().unwrap());
    let file = folder.path().join("jwks.json");
    std::fs::write(&file, keys.set().to_string()).unwrap();
    let house = House::with(config(Some(&file), None)).await;
    let now = house.clock.millis() / 1000;
    let claims = json!({
        "iss": ISSUER, "sub": "248289761001", "aud": "trustd", "exp": now + 600, "iat": now, "tier": "native",
        "scope": "ops", "role": "admin",
    });
    for (algorithm, kid) in [("RS256", "rsa"), ("ES256", "ec"), ("EdDSA", "ed")] {
        assert_eq!(code(&house.authority, &keys.sign(algorithm, Some(kid), &claims)).await, "bad-login", "nobody's");
    }
    let id = map(&house.authority, "248289761001").await;
    for (algorithm, kid) in [("RS256", "rsa"), ("ES256", "ec"), ("EdDSA", "ed")] {
        for kid in [Some(kid), None] {
            let issued = house.authority.exchange(&keys.sign(algorithm, kid, &claims), "tests").await.unwrap();
            let answer = house.get("/noble", &issued.text).await;
            assert_eq!(answer.body["subject"], identity("ana").to_hex());
            assert_eq!((&answer.body["tier"], &answer.body["scopes"]), (&json!("noble"), &json!(["trust"])));
            assert_eq!(issued.claims.exp, now + 600, "it lives no longer than the other");
        }
    }
    let another = |jti: &str| {
        let mut claims = claims.clone();
        claims["jti"] = json!(jti);
        keys.sign("ES256", Some("ec"), &claims)
    };
    let issued = house.authority.exchange(&another("a"), "tests").await.unwrap();
    house.authority.remove_login(&id, None).await.unwrap();
    assert!(house.get("/noble", &issued.text).await.is(401, "bad-token"));
    assert_eq!(code(&house.authority, &another("b")).await, "bad-login");
}

#[tokio::test]
async fn outside_tokens_that_do_not_hold_give_nothing() {
    let (keys, folder) = (Keys::new(), tempfile::tempdir().unwrap());
    let file = folder.path().join("jwks.json");
    std::fs::write(&file, keys.set().to_string()).unwrap();
    let house = House::with(config(Some(&file), None)).await;
    map(&house.authority, "7").await;
    let now = house.clock.millis() / 1000;
    let claims = json!({ "iss": ISSUER, "sub": "7", "aud": "trustd", "exp": now + 600 });
    assert_eq!(code(&house.authority, &keys.sign("RS256", Some("rsa"), &claims)).await, "issued");
    let changed = |name: &str, value: Value| {
        let mut claims = claims.clone();
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(name);
        } else {
            claims[name] = value;
        }
        keys.sign("RS256", Some("rsa"), &claims)
    };
    let mut cases = vec![
        changed("iss", json!("https://other.example")),
        changed("iss", Value::Null),
        changed("sub", json!("8")),
        changed("sub", Value::Null),
        changed("aud", json!("other")),
        changed("aud", json!([])),
        changed("aud", json!(["trustd", "other"])),
        changed("aud", Value::Null),
        changed("azp", json!("other")),
        changed("exp", json!(now - 5)),
        changed("exp", Value::Null),
        changed("exp", json!("soon")),
        changed("nbf", json!(now + 6)),
        changed("iat", json!(now + 6)),
        keys.sign("HS256", Some("oct"), &claims),
        keys.sign("HS256", Some("rsa"), &claims),
        keys.sign("none", Some("rsa"), &claims),
        keys.sign("RS512", Some("rsa"), &claims),
        keys.sign("RS256", Some("ec"), &claims),
        keys.sign("RS256", Some("enc"), &claims),
        keys.sign("RS256", Some("unknown"), &claims),
        keys.sign("EdDSA", Some("rsa"), &claims),
        keys.signed("RS256", &json!({ "alg": "RS256", "kid": "rsa", "crit": ["b64"], "b64": false }), &claims),
        keys.signed("RS256", &json!({ "alg": "ES256", "kid": "ec" }), &claims),
        String::new(),
        "a.b.c".to_owned(),
        "x".repeat(20_000),
    ];
    let good = keys.sign("ES256", Some("ec"), &claims);
    cases.push(good.rsplit_once('.').unwrap().0.to_owned() + "." + &part([1; 64]));
    cases.push(house.issue(platform::access::Tier::Noble, &[Scope::Trust]).await.text.to_string());
    for text in cases {
        assert_eq!(code(&house.authority, &text).await, "bad-login", "{text}");
    }
    assert_eq!(code(&house.authority, &changed("aud", json!(["trustd"]))).await, "issued");
    assert_eq!(
        code(&house.authority, &changed("exp", serde_json::from_str(&format!("{}.5", now + 600)).unwrap())).await,
        "issued"
    );
    // The issuer's own token is none of the service's.
    assert!(get_from(&house.authority, "/noble", &[&format!("Bearer {good}")]).await.is(401, "bad-token"));
}

#[tokio::test]
async fn keys_from_an_address_are_kept_and_bounded() {
    let (keys, asked) = (Keys::new(), Arc::new(AtomicUsize::new(0)));
    let (set, counted) = (keys.set().to_string(), Arc::clone(&asked));
    // It would be read, were it not so long.
    let large = format!("{set}{}", " ".repeat(300_000));
    let router = Router::new()
        .route(
            "/jwks",
            get(move || {
                counted.fetch_add(1, Ordering::SeqCst);
                let set = set.clone();
                async move { set }
            }),
        )
        .route("/large", get(move || async move { large }))
        .route("/moved", get(|| async { axum::response::Redirect::temporary("/jwks") }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let house = House::with(config(None, Some(&format!("{base}/jwks")))).await;
    map(&house.authority, "7").await;
    let now = house.clock.millis() / 1000;
    let claims = json!({ "iss": ISSUER, "sub": "7", "aud": "trustd", "exp": now + 600 });
    let token = keys.sign("ES256", Some("ec"), &claims);
    let tokens: Vec<_> = (0..20)
        .map(|kid| {
            let mut claims = claims.clone();
            claims["jti"] = json!(kid);
            keys.sign("ES256", Some("ec"), &claims)
        })
        .collect();
    let all: Vec<_> = tokens.iter().map(|token| code(&house.authority, token)).collect();
    assert!(futures::future::join_all(all).await.iter().all(|code| *code == "issued"));
    for kid in 0..20 {
        let unknown = keys.sign("ES256", Some(&format!("unknown-{kid}")), &claims);
        assert_eq!(code(&house.authority, &unknown).await, "bad-login");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 1, "who sends unknown names does not have the issuer asked each time");
    for path in ["large", "moved", "nothing"] {
        let house = House::with(config(None, Some(&format!("{base}/{path}")))).await;
        map(&house.authority, "7").await;
        assert_eq!(code(&house.authority, &token).await, "bad-login", "{path}");
    }
}

#[tokio::test]
async fn settings_that_nobody_should_have_are_refused() {
    let house = House::new().await;
    let open = async |config: Config| {
        let (clock, secrets, log) = (house.clock.clone(), house.secrets.clone(), house.log.clone());
        Authority::open(house.db.clone(), clock, secrets, log, &config).await.map(drop)
    };
    let both = config(Some(Path::new("jwks.json")), Some("https://login.example/jwks"));
    let mut twice = config(Some(Path::new("jwks.json")), None);
    twice.tokens.issuers.push(twice.tokens.issuers[0].clone());
    for wrong in [config(None, Some("http://login.example/jwks")), config(None, None), both, twice] {
        assert!(matches!(open(wrong).await, Err(AuthorityFault::Issuer(_))));
    }
    let mut audience = Config::default();
    audience.tokens.audience = Some("a::b".to_owned());
    assert!(matches!(open(audience).await, Err(AuthorityFault::Audience(_))));
    let unknown = NewOutside {
        issuer: ISSUER.to_owned(),
        outside: "7".to_owned(),
        identity_id: identity("ana"),
        scopes: BTreeSet::from([Scope::Trust]),
        world: World::Real,
        by: Vec::new(),
    };
    assert_eq!(house.authority.add_outside(&unknown).await.unwrap_err().kind().code, "invalid-field");
}
