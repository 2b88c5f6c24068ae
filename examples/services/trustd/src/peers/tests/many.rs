//! Several services are asked.

use super::super::pull::turn;
use super::super::sources::Sources;
use super::{AUDIENCE, answers, enrol, peer, pulling, states};
use dualseal::encoding::hex;
use platform::access::World;
use serde_json::json;
use std::sync::{Arc, Barrier};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

/// Each answers when the other is asked, too.
#[tokio::test]
async fn nobody_waits_for_another() {
    let servers = [("one", MockServer::start().await), ("other", MockServer::start().await)];
    let (house, folder) = pulling(&[&servers[0].1, &servers[1].1]).await;
    let both = Arc::new(Barrier::new(servers.len()));
    for (name, server) in &servers {
        answers(server, AUDIENCE).await;
        enrol(server, folder.path()).await;
        let listed = json!({"agent_id": name, "url": format!("https://{name}.example/"), "state": "listed",
            "public_key": hex::encode(&peer(name, 1, None).public_key), "registered": "2026-11-27T09:00:00.000Z",
            "source": null, "krunica_hash": null});
        let (both, said) = (Arc::clone(&both), json!({"items": [listed], "next": null}));
        let waits = move |_: &Request| {
            both.wait();
            ResponseTemplate::new(200).set_body_json(&said)
        };
        Mock::given(method("GET")).and(path("/api/v1/peers")).respond_with(waits).mount(server).await;
    }
    turn(&house.app, &Sources::default()).await.unwrap();
    assert_eq!(states(&house.app, World::Real).await, ["one Heard", "other Heard"]);
}
