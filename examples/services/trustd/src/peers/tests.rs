//! Who registers, who is heard of, and what a native's word does.

mod door;
mod many;

use super::asking::name as source;
use super::login::enrolled;
use super::pull::turn;
use super::rules::PeerState;
use super::sources::Sources;
use super::store::{self, Peer};
use super::work::Decide;
use crate::App;
use crate::signing_in::Drawn;
use crate::testing::House;
use dualseal::ed25519::Ed25519PublicKey;
use dualseal::presence::Nonce;
use platform::access::World;
use platform::config::PeersConfig;
use platform::db::Statement;
use platform::values;
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::{Arc, Mutex};
use wiremock::matchers::{header, method, path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

fn peer(name: &str, key: u8, source: Option<&str>) -> Peer {
    let key = dualseal::ed25519::Ed25519SigningKey::from_seed(&[key; 32]).unwrap();
    let state = if source.is_some() { PeerState::Heard } else { PeerState::Pending };
    Peer {
        agent_id: name.to_owned(),
        url: format!("https://{name}.example/"),
        public_key: key.public_key().as_bytes().to_vec(),
        state: Some(state),
        registered: 1,
        decided: None,
        source: source.map(str::to_owned),
        krunica: None,
    }
}

async fn register(app: &App, peer: &Peer) -> Result<Peer, String> {
    let mut tx = app.db.begin().await.unwrap();
    let done = store::register(&mut tx, app.authority.tags(), peer).await;
    tx.commit().await.unwrap();
    done.map_err(|problem| problem.kind().code.to_owned())
}

async fn decide(app: &App, name: &str, approves: bool) -> Result<(), String> {
    let decide = Decide { app: App::clone(app), agent_id: name.to_owned(), approves };
    app.log.submit(decide).await.map(drop).map_err(|problem| problem.kind().code.to_owned())
}

async fn states(app: &App, world: World) -> Vec<String> {
    let all = store::list(&app.db, app.authority.tags(), world).await.unwrap();
    let mut all: Vec<_> =
        all.iter().filter_map(Peer::out).map(|one| format!("{} {:?}", one.agent_id, one.state)).collect();
    all.sort();
    all
}

#[tokio::test]
async fn a_name_has_one_key_until_a_native_says_otherwise() {
    let house = House::new().await;
    let app = &house.app;
    let size = app.log.reader().range(1, 0, 1000).await.unwrap().len();
    let first = peer("split", 1, None);
    register(app, &first).await.unwrap();
    assert_eq!(register(app, &first).await.unwrap(), first, "the same once more is the same");
    assert_eq!(register(app, &peer("split", 2, None)).await.unwrap_err(), "conflict");
    assert_eq!(decide(app, "nobody", true).await.unwrap_err(), "unknown-id");
    decide(app, "split", true).await.unwrap();
    assert_eq!(decide(app, "split", true).await.unwrap_err(), "conflict");
    let moved = Peer { url: "https://elsewhere.example/".into(), ..first.clone() };
    assert_eq!(register(app, &moved).await.unwrap_err(), "conflict");
    assert_eq!(register(app, &peer("split", 2, None)).await.unwrap_err(), "conflict");
    decide(app, "split", false).await.unwrap();
    assert_eq!(states(app, World::Real).await, Vec::<String>::new());
    register(app, &peer("split", 2, None)).await.unwrap();
    assert_eq!(states(app, World::Real).await, ["split Pending"]);
    // Each word of a native is an entry, and nothing that anybody registers.
    let entries = app.log.reader().range(1, 0, 1000).await.unwrap();
    let said: Vec<_> = entries[size..].iter().map(|entry| entry.message().to_owned()).collect();
    assert!(said.len() == 2 && said[0].contains("peer-added") && said[1].contains("peer-removed"), "{said:?}");
}

#[tokio::test]
async fn a_proof_stands_before_what_others_say_and_a_native_before_both() {
    let house = House::new().await;
    let app = &house.app;
    register(app, &peer("split", 1, Some("a.example"))).await.unwrap();
    let proven = peer("split", 2, None);
    assert_eq!(register(app, &proven).await.unwrap(), proven);
    assert_eq!(register(app, &peer("split", 1, Some("a.example"))).await.unwrap_err(), "conflict");
    assert_eq!(states(app, World::Real).await, ["split Pending"]);
    register(app, &peer("other", 3, Some("a.example"))).await.unwrap();
    decide(app, "other", false).await.unwrap();
    register(app, &peer("other", 3, Some("a.example"))).await.unwrap();
    assert_eq!(states(app, World::Real).await, ["split Pending"], "what was removed is not heard of again");
    register(app, &peer("other", 3, None)).await.unwrap();
    assert_eq!(states(app, World::Real).await, ["other Pending", "split Pending"]);
}

#[tokio::test]
async fn what_was_removed_stays_so_while_somebody_says_it() {
    const ROWS: Statement = Statement::new("SELECT COUNT(*) AS many FROM peers");
    let house = House::new().await;
    let app = &house.app;
    let heard = || Peer { registered: app.clock.millis(), ..peer("split", 1, Some("a.example")) };
    register(app, &heard()).await.unwrap();
    decide(app, "split", false).await.unwrap();
    for _ in 0..3 {
        house.after(20 * 24 * 3_600_000);
        turn(app, &Sources::default()).await.unwrap();
        register(app, &heard()).await.unwrap();
        assert_eq!(states(app, World::Real).await, Vec::<String>::new());
    }
    // Neither by another key, nor once a stranger who took its name has gone.
    register(app, &Peer { registered: app.clock.millis(), ..peer("split", 2, Some("a.example")) }).await.unwrap();
    assert_eq!(states(app, World::Real).await, Vec::<String>::new());
    register(app, &Peer { registered: app.clock.millis(), ..peer("split", 3, None) }).await.unwrap();
    assert_eq!(states(app, World::Real).await, ["split Pending"]);
    house.after(8 * 24 * 3_600_000);
    turn(app, &Sources::default()).await.unwrap();
    for key in 1..4 {
        let again = Peer { registered: app.clock.millis(), ..peer("split", key, Some("b.example")) };
        register(app, &again).await.unwrap();
        assert_eq!(states(app, World::Real).await, Vec::<String>::new());
    }
    house.after(31 * 24 * 3_600_000);
    turn(app, &Sources::default()).await.unwrap();
    assert_eq!(app.db.find(ROWS, values![]).await.unwrap().unwrap().number("many").unwrap(), 0, "it is kept for ever");
}

#[tokio::test]
async fn a_row_that_somebody_else_wrote_is_no_peer() {
    const FORGED: Statement = Statement::new("UPDATE peers SET state = 'listed' WHERE agent_id = 'split'");
    let house = House::new().await;
    register(&house.app, &peer("split", 1, None)).await.unwrap();
    house.app.db.execute(FORGED, values![]).await.unwrap();
    assert_eq!(states(&house.app, World::Real).await, Vec::<String>::new());
}

#[tokio::test]
async fn what_a_thief_decides_he_alone_sees() {
    let house = House::new().await;
    let app = &house.app;
    register(app, &peer("split", 1, None)).await.unwrap();
    let thief = |approves| Decide { app: App::clone(app), agent_id: "split".into(), approves };
    let shown = thief(true).as_decoy().await.unwrap().unwrap();
    assert!(shown.state == PeerState::Listed && shown.krunica_hash.is_some());
    assert_eq!(states(app, World::Decoy).await, ["split Listed"]);
    assert_eq!(states(app, World::Real).await, ["split Pending"]);
    assert!(thief(false).as_decoy().await.unwrap().is_none());
    assert_eq!(states(app, World::Decoy).await, Vec::<String>::new());
    assert_eq!(states(app, World::Real).await, ["split Pending"]);
}

const AUDIENCE: &str = "https://other.example/";

/// A service that pulls from this address.
async fn pulling(servers: &[&MockServer]) -> (House, tempfile::TempDir) {
    let (mut house, folder) = (House::new().await, tempfile::tempdir().unwrap());
    let mut platform = (*house.app).clone();
    let mut config = (*platform.config).clone();
    let from = servers.iter().map(|server| server.uri().parse().unwrap()).collect();
    config.peers = Box::new(PeersConfig { from, logins: Some(folder.path().to_owned()), ..PeersConfig::default() });
    platform.config = Arc::new(config);
    house.app = Arc::new(platform);
    (house, folder)
}

async fn enrol(server: &MockServer, folder: &Path) {
    let service = server.uri().parse().unwrap();
    let (text, audience) =
        enrolled(&service, &Drawn::new().unwrap(), &"a-code".to_owned().into(), "peers").await.unwrap();
    assert_eq!(audience, AUDIENCE);
    let file = folder.join(source(&service));
    std::fs::write(&file, &*text).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
}

/// What a service answers who enrols there, and begins to sign in; a token is given for a statement that holds, once.
async fn answers(server: &MockServer, audience: &str) {
    let domain = dualseal::Domain::new("TRUST").unwrap();
    let identity_id = domain.identity_id(b"", "other", "").unwrap();
    let (nonce, expiry) = ("9a".repeat(32), "2026-11-21T09:01:00.000Z");
    let begun = json!({"nonce": nonce, "expiry": expiry, "audience": audience, "domain": "TRUST"});
    let at = |name: &str| Mock::given(method("POST")).and(path(format!("/api/v1/auth/{name}")));
    at("challenge").respond_with(ResponseTemplate::new(200).set_body_json(begun)).mount(server).await;
    let (id, keys) = (identity_id.to_hex(), Arc::new(Mutex::new(None)));
    let kept = Arc::clone(&keys);
    let enrols = move |request: &Request| {
        let asked: serde_json::Value = request.body_json().unwrap();
        *kept.lock().unwrap() = asked["public_key"].as_str().map(str::to_owned);
        let made = json!({"identity_id": id, "key_id": "0192f0c1-2345-7abc-8def-0123456789ab", "tier": "noble"});
        ResponseTemplate::new(201).set_body_json(made)
    };
    at("enrol").respond_with(enrols).mount(server).await;
    let holds = move |request: &Request| {
        let asked: serde_json::Value = request.body_json().unwrap();
        let key: Ed25519PublicKey = keys.lock().unwrap().as_deref().unwrap_or_default().parse().unwrap();
        let stated = dualseal::presence::Statement::login(AUDIENCE, &identity_id, "noble").unwrap();
        let (nonce, expiry) = (nonce.parse().unwrap(), expiry.parse().unwrap());
        let signature = asked["signature"].as_str().unwrap().parse().unwrap();
        let now = "2026-11-21T09:00:00.000Z".parse().unwrap();
        stated.verify(&domain, &nonce, expiry, &key, &signature, now, &mut |_: &Nonce| true).is_ok()
    };
    let given = ResponseTemplate::new(200)
        .set_body_json(json!({"access_token": "a-token", "token_type": "Bearer", "expires_in": 86_400}));
    at("token").and(holds).respond_with(given).mount(server).await;
}

/// Two services that pull from a third one, of which one is a liar's.
#[tokio::test]
async fn others_hear_of_a_peer_and_call_nobody_for_it() {
    let listed = |name: &str, key: &str, state: &str| {
        json!({"agent_id": name, "url": format!("https://{name}.example/"), "public_key": key, "state": state,
            "registered": "2026-11-27T09:00:00.000Z", "source": null, "krunica_hash": null, "more": 1})
    };
    let key = dualseal::encoding::hex::encode(&peer("split", 1, None).public_key);
    let server = MockServer::start().await;
    answers(&server, AUDIENCE).await;
    let items = [
        listed("waits", &key, "pending"),
        listed("weak", &"00".repeat(32), "listed"),
        listed("no name", &key, "listed"),
    ];
    let said = |items: &[serde_json::Value], next: Option<&str>| {
        ResponseTemplate::new(200).set_body_json(json!({"items": items, "next": next}))
    };
    let asks = || Mock::given(method("GET")).and(path("/api/v1/peers")).and(header("authorization", "Bearer a-token"));
    asks().and(query_param_is_missing("after")).respond_with(said(&items, Some("on"))).expect(2).mount(&server).await;
    let last = said(&[listed("split", &key, "listed")], None);
    asks().and(query_param("after", "on")).respond_with(last).expect(2).mount(&server).await;
    for _ in 0..2 {
        let (house, folder) = pulling(&[&server]).await;
        enrol(&server, folder.path()).await;
        turn(&house.app, &Sources::default()).await.unwrap();
        assert_eq!(states(&house.app, World::Real).await, ["split Heard"]);
        let found = store::list(&house.app.db, house.app.authority.tags(), World::Real).await.unwrap();
        assert_eq!(found[0].source.as_deref(), Some(server.address().to_string().as_str()));
        // It registers here itself, and waits as anybody who does.
        register(&house.app, &peer("split", 1, None)).await.unwrap();
        assert_eq!(states(&house.app, World::Real).await, ["split Pending"]);
    }
}

#[tokio::test]
async fn no_statement_is_signed_for_another_service() {
    let server = MockServer::start().await;
    answers(&server, AUDIENCE).await;
    let (house, folder) = pulling(&[&server]).await;
    enrol(&server, folder.path()).await;
    server.reset().await;
    answers(&server, "https://a-third.example/").await;
    turn(&house.app, &Sources::default()).await.unwrap();
    let asked = server.received_requests().await.unwrap();
    let paths: Vec<_> = asked.iter().map(|request| request.url.path().to_owned()).collect();
    assert_eq!(paths, ["/api/v1/auth/challenge"]);
}

#[tokio::test]
async fn a_service_that_is_not_read_is_an_alarm_once() {
    const ALARMS: Statement = Statement::new("SELECT subject, detail FROM alarms WHERE kind = 'peers'");
    let server = MockServer::start().await;
    let (house, folder) = pulling(&[&server]).await;
    let alarms = async || house.app.db.list(ALARMS, values![]).await.unwrap();
    let sources = Sources::default();
    let fails = async |turns: u32| {
        for _ in 0..turns {
            house.after(600_000);
            turn(&house.app, &sources).await.unwrap();
        }
    };
    fails(2).await;
    assert_eq!(alarms().await.len(), 0);
    fails(3).await;
    let told = alarms().await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].text("subject").unwrap(), server.address().to_string());
    assert!(told[0].text("detail").unwrap().contains("No such file"), "{told:?}");
    answers(&server, AUDIENCE).await;
    let said = ResponseTemplate::new(200).set_body_json(json!({"items": [], "next": null}));
    Mock::given(method("GET")).and(path("/api/v1/peers")).respond_with(said).mount(&server).await;
    enrol(&server, folder.path()).await;
    fails(1).await;
    server.reset().await;
    fails(2).await;
    assert_eq!(alarms().await.len(), 1);
    fails(1).await;
    assert_eq!(alarms().await.len(), 2);
}
