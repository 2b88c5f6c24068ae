//! By requests and pairs, liars, forgeries.

use super::{Others, Service, caller, native};
use dualseal::id::{MessageHash, SessionId};
use platform::access::{Caller, Tier};
use platform::config::Config;
use serde_json::{Value, json};

const MESSAGE: &str = "cmVzb2x1dGlvbiA3";

pub(super) async fn service() -> (Service, Caller, SessionId) {
    let mut service = Service::new(3).await;
    let native = native();
    let founded = service.held(&native, json!({"n": 3, "k": 2})).await;
    let session_id = founded["session_id"].as_str().unwrap().parse().unwrap();
    (service, native, session_id)
}

pub(super) fn opening(session_id: &SessionId, caller: &Caller) -> Value {
    json!({
        "session_id": session_id.to_hex(), "identity_id": caller.subject.to_hex(), "namjena": "potpis",
        "poruka_b64": MESSAGE,
    })
}

pub(super) fn signing(session_id: &SessionId, caller: &Caller, request: &Value) -> Value {
    json!({
        "session_id": session_id.to_hex(), "identity_id": caller.subject.to_hex(),
        "request_id": request["request_id"],
    })
}

fn pairs(service: &Service, session_id: &SessionId, numbers: &[u8]) -> Vec<Value> {
    numbers.iter().map(|n| service.nodes[usize::from(*n) - 1].pair(session_id, *n, false).1).collect()
}

fn by_pairs(session_id: &SessionId, caller: &Caller, pairs: &[Value]) -> Value {
    json!({
        "session_id": session_id.to_hex(), "identity_id": caller.subject.to_hex(), "poruka_b64": MESSAGE,
        "udjeli": pairs,
    })
}

/// Another value than the share's, of the same form.
fn lie(mut pair: Value) -> Value {
    let digit = if pair[1].as_str().unwrap().ends_with('0') { "1" } else { "0" };
    let mut value = pair[1].as_str().unwrap().to_owned();
    value.replace_range(131.., digit);
    pair[1] = value.into();
    pair
}

#[tokio::test]
async fn nodes_see_what_they_sign_and_a_request_serves_once() {
    let (service, native, session_id) = service().await;
    let request = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    let hash = MessageHash::of(b"resolution 7");
    assert_eq!(request["poruka_hash"], hash.to_hex());
    let binding = service.app.log.domain().threshold_binding(&session_id, &hash);
    assert_eq!(request["binding"], binding.to_hex());
    let poll = service.get("requests", &service.nodes[0].caller()).await.ok(200);
    assert_eq!(poll["zahtjevi"][0]["poruka_b64"], MESSAGE);
    assert_eq!(poll["zahtjevi"][0]["indeksi"], json!([1]));
    assert_eq!(poll["zahtjevi"][0]["request_id"], request["request_id"]);

    service.nodes[0].give(&service, &session_id, 1, &request).await;
    assert_eq!(service.get("requests", &service.nodes[0].caller()).await.ok(200)["zahtjevi"], json!([]));
    let ask = signing(&session_id, &native, &request);
    let failed = service.post("potpisi", &native, ask.clone()).await.ok(200);
    assert_eq!((&failed["ok"], &failed["culprits"], &failed["potpis"]), (&json!(false), &json!([]), &Value::Null));
    assert!(failed["razlog"].as_str().unwrap().contains("2 are needed"), "{failed}");
    service.nodes[2].give(&service, &session_id, 3, &request).await;
    assert_eq!(service.secrets_of("given_shares").await, 2);

    let other = json!({"poruka_b64": "b3RoZXI="});
    let mut wrong = ask.clone();
    wrong["poruka_b64"] = other["poruka_b64"].clone();
    service.post("potpisi", &native, wrong).await.refused(422, "invalid-field");
    let another = caller("another", Tier::Native);
    service.post("potpisi", &another, signing(&session_id, &another, &request)).await.refused(404, "unknown-id");

    let answer = service.post("potpisi", &native, ask.clone()).await;
    let seq = service.messages().await.len() - 1;
    assert_eq!(answer.headers["link"], format!("</api/v1/log/proof/{seq}>; rel=\"place\""));
    let result = answer.ok(201);
    assert_eq!((&result["ok"], &result["weise3_hash"]), (&json!(true), &json!(native.subject.to_hex())));
    assert!(service.messages().await[seq].contains(&binding.to_hex()));
    assert_eq!(service.secrets_of("given_shares").await, 0, "what was given back is wiped");
    service.post("potpisi", &native, ask).await.refused(409, "request-closed");
    let giving = service.nodes[1].giving(&session_id, 2, &request);
    service.post("udio", &service.nodes[1].caller(), giving).await.refused(409, "request-closed");

    let verify = |message: &str, pairs: Vec<Value>| {
        let session_id = session_id.to_hex();
        json!({"session_id": session_id, "poruka_b64": message, "rezultat": result, "udjeli": pairs})
    };
    let good = pairs(&service, &session_id, &[1, 2]);
    for (body, expected) in [
        (verify(MESSAGE, good.clone()), json!(true)),
        (verify("b3RoZXI=", good.clone()), json!(false)),
        (verify(MESSAGE, good[..1].to_vec()), json!(false)),
    ] {
        let told = service.post("provjeri", &native, body).await.ok(200);
        assert_eq!((&told["validan"], told["razlog"].is_null()), (&expected, expected == json!(true)));
    }
    let none = json!({"session_id": session_id.to_hex(), "poruka_b64": MESSAGE, "rezultat": result});
    service.post("provjeri", &native, none).await.refused(422, "invalid-field");
    let no_record = json!({"session_id": session_id.to_hex(), "poruka_b64": MESSAGE, "rezultat": {}, "udjeli": good});
    service.post("provjeri", &native, no_record).await.refused(422, "invalid-field");
}

#[tokio::test]
async fn two_callers_of_one_request_get_one_signature() {
    let (service, native, session_id) = service().await;
    let request = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    service.nodes[0].give(&service, &session_id, 1, &request).await;
    service.nodes[1].give(&service, &session_id, 2, &request).await;
    let before = service.messages().await.len();
    let ask = signing(&session_id, &native, &request);
    let both = futures::future::join_all((0..4).map(|_| service.post("potpisi", &native, ask.clone()))).await;
    let mut statuses = both.iter().map(|answer| answer.status.as_u16()).collect::<Vec<_>>();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409]);
    assert_eq!(service.messages().await.len(), before + 1);
}

#[tokio::test]
async fn a_lying_node_is_named() {
    let (service, native, session_id) = service().await;
    let request = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    service.nodes[0].give(&service, &session_id, 1, &request).await;
    let mut giving = service.nodes[1].giving(&session_id, 2, &request);
    giving["vrijednost_hex"] = lie(json!([2, giving["vrijednost_hex"]]))[1].clone();
    service.post("udio", &service.nodes[1].caller(), giving).await.ok(200);
    let ask = signing(&session_id, &native, &request);
    let failed = service.post("potpisi", &native, ask.clone()).await.ok(200);
    assert_eq!((&failed["ok"], &failed["culprits"]), (&json!(false), &json!([2])));
    let told = service.get(&format!("borg/kvorum?session_id={session_id}"), &native).await.ok(200);
    assert_eq!((&told["invalid"], &told["present"]), (&json!([2]), &json!([1, 3])));
    // The third makes a quorum, and the result names the liar.
    service.nodes[2].give(&service, &session_id, 3, &request).await;
    let result = service.post("potpisi", &native, ask).await.ok(201);
    assert_eq!((&result["ok"], &result["culprits"]), (&json!(true), &json!([2])));
    let body = json!({"session_id": session_id.to_hex(), "poruka_b64": MESSAGE, "rezultat": result,
        "udjeli": pairs(&service, &session_id, &[1, 2, 3])});
    assert_eq!(service.post("provjeri", &native, body).await.ok(200)["validan"], true);
}

#[tokio::test]
async fn pairs_sign_for_who_sends_them() {
    let (service, native, session_id) = service().await;
    let before = service.messages().await.len();
    let good = pairs(&service, &session_id, &[1, 3]);
    let noble = caller("clerk", Tier::Noble);
    service.post("potpisi", &noble, by_pairs(&session_id, &native, &good)).await.refused(404, "unknown-id");
    let result = service.post("potpisi", &noble, by_pairs(&session_id, &noble, &good)).await.ok(201);
    assert_eq!(result["weise3_hash"], noble.subject.to_hex());
    let lying = [good[0].clone(), lie(good[1].clone())];
    let failed = service.post("potpisi", &noble, by_pairs(&session_id, &noble, &lying)).await.ok(200);
    assert_eq!((&failed["ok"], &failed["culprits"]), (&json!(false), &json!([3])));
    // Nobody's number, another splitting, no hexadecimal: no signature, and no fault of the service.
    let with = |pair: Value| by_pairs(&session_id, &noble, &[good[0].clone(), pair]);
    let value = good[1][1].clone();
    let mut other_split = by_pairs(&session_id, &noble, &good);
    other_split["split_id"] = "0".repeat(64).into();
    for body in [with(json!([9, value])), with(json!([3, "\",3"])), with(json!([3, ""])), other_split] {
        assert_eq!(service.post("potpisi", &noble, body).await.ok(200)["ok"], false);
    }
    service.post("potpisi", &noble, with(json!([0, value]))).await.refused(422, "invalid-field");
    let neither =
        json!({"session_id": session_id.to_hex(), "identity_id": noble.subject.to_hex(), "poruka_b64": MESSAGE});
    service.post("potpisi", &noble, neither).await.refused(422, "invalid-field");
    assert_eq!(service.messages().await.len(), before + 1, "what failed is no entry");
}

#[tokio::test]
async fn a_share_is_given_by_its_node_for_its_request_alone() {
    let (mut service, native, session_id) = service().await;
    let founded = service.held(&native, json!({"n": 3, "k": 2})).await;
    let second: SessionId = founded["session_id"].as_str().unwrap().parse().unwrap();
    let request = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    let other = service.post("requests", &native, opening(&second, &native)).await.ok(201);
    let giving = service.nodes[0].giving(&session_id, 1, &request);
    // Another node's token, another custodian, another session's request, a forwarded share under one's own number.
    service.post("udio", &service.nodes[1].caller(), giving.clone()).await.refused(403, "not-this-node");
    service.post("udio", &native, giving.clone()).await.refused(403, "not-this-node");
    let mut changed = giving.clone();
    changed["identity_id"] = service.nodes[1].identity_id.to_hex().into();
    service.post("udio", &service.nodes[0].caller(), changed).await.refused(422, "invalid-field");
    let mut changed = giving.clone();
    changed["request_id"] = other["request_id"].clone();
    service.post("udio", &service.nodes[0].caller(), changed).await.refused(404, "unknown-id");
    let mut forwarded = service.nodes[1].giving(&session_id, 2, &request);
    forwarded["vrijednost_hex"] = giving["vrijednost_hex"].clone();
    service.post("udio", &service.nodes[1].caller(), forwarded).await.ok(200);
    service.post("udio", &service.nodes[0].caller(), giving).await.ok(200);
    let failed = service.post("potpisi", &native, signing(&session_id, &native, &request)).await.ok(200);
    assert_eq!((&failed["ok"], &failed["culprits"]), (&json!(false), &json!([2])));
    // What was given for one request serves no other.
    let again = service.post("requests", &native, opening(&session_id, &native)).await.ok(201);
    let failed = service.post("potpisi", &native, signing(&session_id, &native, &again)).await.ok(200);
    assert_eq!((&failed["ok"], &failed["culprits"]), (&json!(false), &json!([])));
}

/// Whoever writes into the log writes no generation: what he writes stops nothing and blames nobody.
#[tokio::test]
async fn a_forged_generation_is_ignored() {
    let (mut service, native, session_id) = service().await;
    let good = pairs(&service, &session_id, &[1, 2]);
    let founding = service.messages().await.into_iter().find(|message| message.contains(&session_id.to_hex())).unwrap();
    let parts = founding.split("::").collect::<Vec<_>>();
    let other = "7".repeat(64);
    let forged = [parts[0], parts[1], parts[2], &other, parts[4]].join("::");
    service.app.log.submit(Others(vec![forged, founding.clone()])).await.unwrap();
    service.app.log.checkpoint().await.unwrap();
    for _ in 0..2 {
        let result = service.post("potpisi", &native, by_pairs(&session_id, &native, &good)).await.ok(201);
        assert_eq!(result["culprits"], json!([]));
        service.restarted();
    }
}

/// A process that was started anew reads what others appended, in portions, and signs on.
#[tokio::test]
async fn a_walk_goes_past_what_others_append() {
    let (mut service, native, session_id) = service().await;
    let good = pairs(&service, &session_id, &[2, 3]);
    service.others_append(1200).await;
    service.app.log.checkpoint().await.unwrap();
    service.post("potpisi", &native, by_pairs(&session_id, &native, &good)).await.ok(201);
    service.restarted();
    service.others_append(7).await;
    service.post("potpisi", &native, by_pairs(&session_id, &native, &good)).await.ok(201);
    service.app.log.checkpoint().await.unwrap();
    service.post("potpisi", &native, by_pairs(&session_id, &native, &good)).await.ok(201);
}

#[tokio::test]
async fn verification_with_shares_can_be_switched_off() {
    let mut config = Config::default();
    config.trust.hmac_verification = false;
    let mut service = Service::with(3, config).await;
    let native = native();
    let founded = service.held(&native, json!({"n": 3, "k": 2})).await;
    let session_id: SessionId = founded["session_id"].as_str().unwrap().parse().unwrap();
    let good = pairs(&service, &session_id, &[1, 2]);
    let result = service.post("potpisi", &native, by_pairs(&session_id, &native, &good)).await.ok(201);
    let body = json!({"session_id": session_id.to_hex(), "poruka_b64": MESSAGE, "rezultat": result, "udjeli": good});
    service.post("provjeri", &native, body).await.refused(403, "hmac-verification-off");
}
