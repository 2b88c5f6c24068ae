//! Sealed, found, verified, given back.

use super::*;
use dualseal::vault::VaultRecord;

#[tokio::test]
async fn a_document_comes_and_goes() {
    let service = Service::new().await;
    let native = service.native();
    let document = b"one contract, and nobody else's business";
    let sealed = service.seal(&native, service.ana, document).await;
    assert_eq!((&sealed["type"], &sealed["state"], &sealed["seq"]), (&json!("CONTRACT"), &json!("sealed"), &json!(0)));
    let record = VaultRecord::from_json(sealed["record"].to_string().as_bytes()).unwrap();
    assert!(record.fragment().is_none());
    assert_eq!((record.header().vault_id, record.tier()), (vault_id(&sealed), dualseal::vault::Tier::Native));
    // No byte of it stands in the store.
    let stored = service.stored(&sealed).await;
    assert!(!stored.windows(8).any(|part| part == &document[..8]));

    assert_eq!(service.get(Some(&native), id(&sealed)).await.is(200).json(), sealed);
    let holds = json!({"validan": true, "razlog": null});
    assert_eq!(service.verify(None, &sealed).await, holds);
    let sent = json!({"identity_id": service.ana.to_hex(), "record": sealed["record"], "stored_b64": base64(&stored)});
    assert_eq!(service.post(None, "verify", &sent).await.is(200).json(), holds);

    let given = service.unseal(&native, &sealed).await.is(200);
    assert_eq!(given.body, document);
    assert_eq!(given.headers[header::CONTENT_TYPE], "application/octet-stream");
    // Under the checkpoint that unsealing signed, every layer passes.
    let layers = service.verify(Some(&native), &sealed).await["layers"].clone();
    for layer in ["L0", "L2", "L3", "L4", "L5", "L6", "L7", "L8"] {
        assert_eq!(layers[layer], json!({"outcome": "pass", "reason": null}), "{layer}");
    }
    assert_eq!(layers["L1"]["outcome"], "recorded");
}

#[tokio::test]
async fn the_answer_leads_to_the_place_of_its_entry() {
    let service = Service::new().await;
    let size = service.size().await;
    let answer = service.post(Some(&service.native()), "seal", &sealing(service.ana, b"x")).await.is(201);
    assert_eq!(answer.headers[header::LINK], format!("<http://localhost:8470/api/v1/log/proof/{size}>; rel=\"place\""));
}

#[tokio::test]
async fn the_same_request_is_served_once() {
    let service = Service::new().await;
    let send = async |document: &[u8]| {
        let request = Request::post("/api/v1/vault/seal")
            .header(header::CONTENT_TYPE, "application/json")
            .header("Idempotency-Key", "one");
        let body = Body::from(sealing(service.ana, document).to_string());
        service.send(Some(&service.native()), request.body(body).unwrap()).await
    };
    let (first, again) = (send(b"x").await.is(201), send(b"x").await.is(201));
    assert_eq!((first.json(), &first.headers[header::LINK]), (again.json(), &again.headers[header::LINK]));
    assert_eq!(send(b"y").await.is(422).code(), "idempotency-other-body");
    assert_eq!(service.count().await, 1);
}

#[tokio::test]
async fn what_is_not_ones_own_is_not_there() {
    let service = Service::new().await;
    let sealed = service.seal(&service.native(), service.ana, b"hers").await;
    let (ana, bo) =
        (Service::caller(service.ana, Tier::Noble, World::Real), Service::caller(service.bo, Tier::Noble, World::Real));
    service.get(Some(&ana), id(&sealed)).await.is(200);
    assert_eq!(service.get(Some(&bo), id(&sealed)).await.is(404).code(), "unknown-id");
    for unknown in ["0".repeat(64), "x".into(), "0".repeat(63)] {
        assert_eq!(service.get(Some(&ana), &unknown).await.is(404).code(), "unknown-id");
    }
    // A native says whose it is, and is not told of another's.
    let body = json!({"identity_id": service.bo.to_hex()});
    for what in ["unseal", "erase"] {
        let answer = service.post(Some(&service.native()), &format!("{}/{what}", id(&sealed)), &body).await.is(404);
        assert_eq!(answer.code(), "unknown-id");
    }
    assert_eq!(service.unseal(&service.native(), &sealed).await.body, b"hers");
}

#[tokio::test]
async fn what_is_malformed_is_named() {
    let service = Service::new().await;
    let (native, good) = (service.native(), sealing(service.ana, b"x"));
    let with = |name: &str, value: Value| {
        let mut body = good.clone();
        body[name] = value;
        body
    };
    for (body, pointer) in [
        (with("type", json!("")), "/type"),
        (with("type", json!("a::b")), "/type"),
        (with("type", json!("x".repeat(256))), "/type"),
        (with("type", json!("ERASURE")), "/type"),
        (with("payload_b64", json!("x")), "/payload_b64"),
        (with("identity_id", json!("00")), "/identity_id"),
        (with("more", json!(1)), "/more"),
    ] {
        let answer = service.post(Some(&native), "seal", &body).await.is(422).json();
        assert_eq!(answer["errors"][0]["pointer"], pointer, "{answer}");
    }
    let nobody = service.app.log.domain().identity_id(b"", "nobody", "").unwrap();
    assert_eq!(service.post(Some(&native), "seal", &sealing(nobody, b"x")).await.is(404).code(), "unknown-id");
    let request = Request::post("/api/v1/vault/seal").header(header::CONTENT_TYPE, "text/plain");
    let answer = service.send(Some(&native), request.body(Body::from("x")).unwrap()).await.is(415);
    assert_eq!(answer.code(), "media-type");
    let large = with("payload_b64", json!("A".repeat(1 << 20)));
    assert_eq!(service.post(Some(&native), "seal", &large).await.is(413).code(), "too-large");
    assert_eq!((service.count().await, service.size().await), (0, 3));
}

#[tokio::test]
async fn a_key_that_counts_for_nothing_seals_nothing() {
    let service = Service::new().await;
    for (state, code) in [(KeyState::Revoked, "key-revoked"), (KeyState::Suspended, "key-suspended")] {
        service.key(service.bo, Some(state)).await;
        let size = service.size().await;
        let answer = service.post(Some(&service.native()), "seal", &sealing(service.bo, b"x")).await.is(409);
        assert_eq!((answer.code().as_str(), service.size().await, service.count().await), (code, size, 0));
    }
    service.seal(&service.native(), service.ana, b"x").await;
}

#[tokio::test]
async fn the_note_of_a_trusted_proxy_is_recorded() {
    let service = Service::new().await;
    let native = service.native();
    for (peer, expected) in [("127.0.0.1:9", "passed"), ("192.0.2.1:9", "")] {
        let mut request = Request::post("/api/v1/vault/seal")
            .header(header::CONTENT_TYPE, "application/json")
            .header("X-Perimeter-Note", "made up by the client")
            .header("X-Perimeter-Note", "passed")
            .body(Body::from(sealing(service.ana, b"x").to_string()))
            .unwrap();
        request.extensions_mut().insert(Peer(peer.parse().unwrap()));
        let sealed = service.send(Some(&native), request).await.is(201).json();
        assert_eq!(sealed["record"]["sealed"]["layers"]["L1"]["text"], expected);
    }
}

#[tokio::test]
async fn many_at_once_stand_in_one_ledger() {
    let service = Service::new().await;
    let native = service.native();
    let documents: Vec<_> = (0..24_u8).map(|number| vec![number; 3]).collect();
    let sealed = futures::future::join_all(documents.iter().map(|document| async {
        let of = if document[0].is_multiple_of(2) { service.ana } else { service.bo };
        service.seal(&native, of, document).await
    }));
    let sealed = sealed.await;
    let mut places: Vec<_> = sealed.iter().map(|one| one["seq"].as_u64().unwrap()).collect();
    places.sort_unstable();
    assert_eq!(places, (0..24).collect::<Vec<_>>());
    for (sealed, document) in sealed.iter().zip(&documents) {
        assert_eq!(service.unseal(&native, sealed).await.is(200).body, *document);
    }
    assert_eq!(erasing::ledger(&service).await, 24);
}

#[tokio::test]
async fn it_says_whether_it_works() {
    let service = Service::new().await;
    assert_eq!(service.get(None, "health").await.is(200).json(), json!({"status": "ok"}));
    service.app.db.close().await;
    assert_eq!(service.get(None, "health").await.is(503).code(), "unhealthy");
}
