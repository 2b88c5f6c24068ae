//! Founding, pulls, acknowledgements, presence.

use super::{Service, caller, native, person};
use dualseal::id::SessionId;
use dualseal::threshold::Session;
use platform::access::{Caller, Tier, World};
use platform::db::Statement;
use platform::values;
use serde_json::{Value, json};

fn named(founded: &Value) -> SessionId {
    founded["session_id"].as_str().unwrap().parse().unwrap()
}

fn count(messages: &[String], what: &str) -> usize {
    messages.iter().filter(|message| message.starts_with(&format!("trustd/threshold/{what}/"))).count()
}

#[tokio::test]
async fn shares_go_to_their_nodes_and_then_the_service_has_none() {
    let mut service = Service::new(4).await;
    let native = native();
    let founded = service.post("sesija", &native, json!({"n": 3, "k": 2})).await.ok(201);
    let session_id = named(&founded);
    assert_eq!(
        (founded["n"].as_u64(), founded["k"].as_u64(), founded["stanje"].as_str()),
        (Some(3), Some(2), Some("founded"))
    );
    assert_eq!(founded["algoritam"], "SHAMIR-2^521-1-HMAC-SHA3-512");
    assert_eq!(founded["vlasnici"][2]["node"], "node-2", "the first nodes, in their order");
    let record = Session::from_json(founded["zapis"].to_string().as_bytes()).unwrap();
    assert_eq!(founded["javni_sidro"], record.anchor().to_hex());
    assert!(!founded.to_string().contains("vrijednost_hex"));
    assert_eq!(service.secrets_of("holdings").await, 3);
    // The founding is covered before it is answered.
    let state = service.app.log.state().await.unwrap();
    assert_eq!(state.last().unwrap().size, state.head().size());

    let path = format!("udio/{session_id}/1");
    for wrong in [&service.nodes[1], &service.nodes[3]] {
        service.get(&path, &wrong.caller()).await.refused(403, "not-this-node");
    }
    service.get(&format!("udio/{session_id}/4"), &service.nodes[3].caller()).await.refused(404, "unknown-id");
    for number in ["0", "256", "+1", "01", "x"] {
        let path = format!("udio/{session_id}/{number}");
        service.get(&path, &service.nodes[0].caller()).await.refused(404, "unknown-id");
    }
    let early = json!({"indeks": 1, "split_id": record.split_id().to_hex(), "udio_sidra": "0".repeat(128)});
    let ack = format!("udio/{session_id}/ack");
    service.post(&ack, &service.nodes[0].caller(), early.clone()).await.refused(409, "conflict");
    assert_eq!(count(&service.messages().await, ""), 0, "nothing of that is an entry");

    let first = service.nodes[0].pull(&service, &session_id, 1).await.unwrap();
    assert_eq!(service.nodes[0].pull(&service, &session_id, 1).await.unwrap(), first, "it is handed out again");
    assert_eq!(count(&service.messages().await, "share-pulled"), 1, "the first pull is an entry");
    assert_eq!(service.get(&format!("sesija/{session_id}"), &native).await.ok(200)["stanje"], "distributing");
    service.post(&ack, &service.nodes[0].caller(), early).await.refused(422, "invalid-field");
    // Nor does another node say of it that it is there.
    let share = service.nodes[0].share(session_id, first.0, 1, &first.1);
    let mut said: Value =
        serde_json::from_str(&share.acknowledge(service.app.log.domain(), &record).unwrap().to_json()).unwrap();
    said["indeks"] = 1.into();
    service.post(&ack, &service.nodes[1].caller(), said).await.refused(403, "not-this-node");

    service.distribute(World::Real).await;
    let messages = service.messages().await;
    let counts = ["share-pulled", "share-acknowledged", "shares-destroyed"].map(|what| count(&messages, what));
    assert_eq!(counts, [3, 3, 1]);
    assert_eq!(service.secrets_of("holdings").await, 0, "the service has no copy");
    assert_eq!(service.get(&format!("sesija/{session_id}"), &native).await.ok(200)["stanje"], "active");
    assert!(service.nodes[0].pull(&service, &session_id, 1).await.is_none());
    assert_eq!(service.messages().await.len(), messages.len(), "a null writes nothing");

    // The shares are what the record commits to, and any two of them are a quorum.
    assert_eq!(
        record
            .health(service.app.log.domain(), &[service.nodes[0].share(session_id, first.0, 1, &first.1,)])
            .present
            .len(),
        1
    );
}

/// A share that waits by its row, and is not here (it is from before shares hung on a key of their session): its node
/// is told, and does not take it for one that it has.
#[tokio::test]
async fn a_share_that_is_not_here_is_told() {
    const DISOWN: Statement = Statement::new("DELETE FROM owned_secrets WHERE tbl = 'holdings'");
    let service = Service::new(2).await;
    let founded = service.post("sesija", &native(), json!({"n": 2, "k": 2})).await.ok(201);
    service.app.db.execute(DISOWN, values![]).await.unwrap();
    let path = format!("udio/{}/1", founded["session_id"].as_str().unwrap());
    for _ in 0..2 {
        service.get(&path, &service.nodes[0].caller()).await.refused(409, "erased");
    }
}

/// A founding that stands there is told by a later checkpoint: what hangs on its key is not lost with the first answer.
#[tokio::test]
async fn a_founding_that_no_checkpoint_covers_yet_keeps_its_shares() {
    let mut service = Service::new(3).await;
    let ask = json!({"n": 3, "k": 2, "algoritam": "SHAMIR-2^521-1-ML-DSA-65", "identity_id": person("board").to_hex()});
    let apart = service.app.config.data.join("apart/erasure-keys");
    let mark = service.app.config.data.join("mark");
    let kept = std::fs::read(&mark).unwrap();
    std::fs::remove_file(&mark).unwrap();
    service.post("sesija", &native(), ask.clone()).await.refused(500, "internal");
    std::fs::write(&mark, kept).unwrap();
    service.app.log.checkpoint().await.unwrap();

    service.distribute(World::Real).await;
    let messages = service.messages().await;
    let counts = ["share-pulled", "share-acknowledged", "shares-destroyed"].map(|what| count(&messages, what));
    assert_eq!(counts, [3, 3, 1]);
    let keys = || {
        let owners = std::fs::read_dir(&apart).unwrap();
        owners.map(|owner| std::fs::read_dir(owner.unwrap().path()).unwrap().count()).sum::<usize>()
    };
    let before = keys();
    service.post("sesija", &native(), ask).await.refused(409, "conflict");
    assert_eq!(keys(), before, "what was refused leaves no key");
}

#[tokio::test]
async fn a_last_acknowledgement_is_found_among_many_at_once() {
    let service = Service::new(5).await;
    let founded = service.post("sesija", &native(), json!({"n": 5, "k": 3})).await.ok(201);
    let (session_id, record) = (named(&founded), Session::from_json(founded["zapis"].to_string().as_bytes()).unwrap());
    let all = service.nodes.iter().zip(1_u8..).map(|(node, n)| {
        let (service, record) = (&service, &record);
        async move {
            let pulls = futures::future::join_all((0..3).map(|_| node.pull(service, &session_id, n))).await;
            let (split_id, pair) = pulls[0].clone().unwrap();
            assert!(pulls.iter().all(|pull| pull.as_ref() == pulls[0].as_ref()));
            let said =
                node.share(session_id, split_id, n, &pair).acknowledge(service.app.log.domain(), record).unwrap();
            let twice = [0, 1].map(|_| node.acknowledge(service, &session_id, n, &said));
            futures::future::join_all(twice).await;
        }
    });
    futures::future::join_all(all).await;
    let messages = service.messages().await;
    let counts = ["share-pulled", "share-acknowledged", "shares-destroyed"].map(|what| count(&messages, what));
    assert_eq!(counts, [5, 5, 1]);
    assert_eq!(service.secrets_of("holdings").await, 0);
}

#[tokio::test]
async fn presence_is_what_nodes_said_within_ten_minutes() {
    let mut service = Service::new(3).await;
    let native = native();
    let session_id = named(&service.held(&native, json!({"n": 3, "k": 2})).await);
    let path = format!("borg/kvorum?session_id={session_id}");
    let told = service.get(&path, &native).await.ok(200);
    assert_eq!((&told["present"], &told["kvorum"]), (&json!([1, 2, 3]), &json!(true)));
    service.pass(601);
    assert_eq!(service.get(&path, &native).await.ok(200)["missing"], json!([1, 2, 3]));
    let entries = service.messages().await.len();
    let said = service.nodes[1].report(&service, &session_id, 2).await;
    assert_eq!((&said["stanje"], &said["u_skrbi"]), (&json!("acknowledged"), &json!(true)));
    let told = service.get(&path, &native).await.ok(200);
    assert_eq!((&told["present"], &told["missing"], &told["kvorum"]), (&json!([2]), &json!([1, 3]), &json!(false)));
    assert_eq!(service.messages().await.len(), entries, "a word that it is there is no entry");
}

#[tokio::test]
async fn a_session_is_shown_to_its_own() {
    let mut service = Service::new(3).await;
    let founder = native();
    let session_id = named(&service.held(&founder, json!({"n": 2, "k": 2})).await);
    let custodian = Caller { subject: service.nodes[0].identity_id, ..caller("", Tier::Noble) };
    let noble_founder = Caller { tier: Tier::Noble, ..founder.clone() };
    let other_node = Caller { subject: service.nodes[2].identity_id, ..caller("", Tier::Noble) };
    for path in [format!("sesija/{session_id}"), format!("borg/kvorum?session_id={session_id}")] {
        for own in [&founder, &noble_founder, &custodian, &caller("another", Tier::Native)] {
            service.get(&path, own).await.ok(200);
        }
        for stranger in [&caller("stranger", Tier::Noble), &other_node] {
            service.get(&path, stranger).await.refused(404, "unknown-id");
        }
    }
}

/// A honeypot's caller founds, distributes and sees sessions of its own world, and none of the other.
#[tokio::test]
async fn worlds_do_not_meet() {
    let mut service = Service::new(3).await;
    let real = native();
    let decoy = Caller { world: World::Decoy, ..native() };
    let identity_id = person("board").to_hex();
    let session_id = named(&service.held(&real, json!({"n": 3, "k": 2})).await);
    let ask = json!({"n": 3, "k": 2, "algoritam": "SHAMIR-2^521-1-ML-DSA-65", "identity_id": identity_id});
    let founded = service.held(&decoy, ask).await;
    let decoys = named(&founded);
    service.get(&format!("sesija/{session_id}"), &decoy).await.refused(404, "unknown-id");
    service.get(&format!("sesija/{decoys}"), &real).await.refused(404, "unknown-id");
    assert_eq!(service.get(&format!("sesija/{decoys}"), &decoy).await.ok(200)["stanje"], "active");
    assert!(service.app.log.state().await.unwrap().ring().info(&person("board")).is_none(), "no real ring change");
    let opened = json!({"session_id": session_id.to_hex(), "identity_id": decoy.subject.to_hex(), "namjena": "obnova"});
    service.post("requests", &decoy, opened).await.refused(404, "unknown-id");
    let node = Caller { world: World::Decoy, ..service.nodes[0].caller() };
    let path = format!("udio/{session_id}/1");
    service.get(&path, &node).await.refused(404, "unknown-id");
    // It signs there as elsewhere, by the key that no ring has.
    let pairs = service.nodes[..2].iter().zip(1..).map(|(node, n)| node.pair(&decoys, n, false).1).collect::<Vec<_>>();
    let ask = json!({"session_id": decoys.to_hex(), "identity_id": decoy.subject.to_hex(), "poruka_b64": "bQ==",
        "udjeli": pairs});
    let result = service.post("potpisi", &decoy, ask).await.ok(201);
    let ask = json!({"session_id": decoys.to_hex(), "poruka_b64": "bQ==", "rezultat": result});
    assert_eq!(service.post("provjeri", &decoy, ask).await.ok(200)["validan"], true);
}

/// Whoever takes a node out of service deals its shares to others first, or says that they are lost.
#[tokio::test]
async fn a_node_that_holds_what_counts_is_not_removed_unless_it_is_lost() {
    use crate::commands::node::{list, remove};
    let mut service = Service::new(4).await;
    let founded = service.held(&native(), json!({"n": 3, "k": 2})).await;
    let (session_id, quorum) = (named(&founded), format!("borg/kvorum?session_id={}", named(&founded)));
    let app = std::sync::Arc::clone(&service.app);
    let removing = async |label: &str, lost| {
        let mut out = Vec::new();
        let removed = remove(&app, label, lost, &mut out).await;
        removed.map(|()| String::from_utf8(out).unwrap()).map_err(|failed| failed.to_string())
    };
    assert!(removing("node-1", false).await.unwrap_err().contains("it holds 1 "));
    let told = service.get(&quorum, &native()).await.ok(200);
    assert_eq!(told["present"], json!([1, 2, 3]), "what was refused changed nothing");
    assert!(removing("node-1", true).await.unwrap().starts_with("removed node-1, entry "));
    let told = service.get(&quorum, &native()).await.ok(200);
    assert_eq!((&told["present"], &told["missing"], &told["kvorum"]), (&json!([1, 3]), &json!([2]), &json!(true)));
    // Nobody is given a share in its place unless he is named.
    let ask = json!({"session_id": session_id.to_hex(), "identity_id": native().subject.to_hex(), "namjena": "obnova"});
    let request = service.post("requests", &native(), ask).await.ok(201);
    for (node, n) in [(0, 1), (2, 3)] {
        service.nodes[node].give(&service, &session_id, n, &request).await;
    }
    let mut ask = json!({"session_id": session_id.to_hex(), "identity_id": native().subject.to_hex(),
        "request_id": request["request_id"]});
    let refused = service.post("refresh/prepare", &native(), ask.clone()).await.refused(422, "invalid-field");
    assert_eq!(refused["errors"][0]["pointer"], "/vlasnici/1");
    ask["vlasnici"] = json!(["node-0", "node-3", "node-2"]);
    let prepared = service.post("refresh/prepare", &native(), ask).await.ok(201);
    // What is to count holds a node as well.
    assert!(removing("node-3", false).await.is_err());
    let mut nodes = std::mem::take(&mut service.nodes);
    for place in [0, 2, 3] {
        nodes[place].take_all(&service).await;
    }
    service.nodes = nodes;
    let commit = json!({"session_id": session_id.to_hex(), "split_id": prepared["split_id"]});
    service.post("refresh/commit", &native(), commit).await.ok(200);
    let told = service.get(&quorum, &native()).await.ok(200);
    assert_eq!((&told["present"], &told["missing"]), (&json!([1, 2, 3]), &json!([])));
    let mut out = Vec::new();
    list(&app, &mut out).await.unwrap();
    let listed = String::from_utf8(out).unwrap();
    assert_eq!(listed.lines().map(|line| &line[..6]).collect::<Vec<_>>(), ["node-0", "node-2", "node-3"]);
}
