//! Documents that are streamed, in bounded memory.

use super::super::types::SealRequest;
use super::*;
use crate::forms::Body as FormBody;
use axum::extract::FromRequest;
use futures::{StreamExt, stream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

const BOUNDARY: &str = "trust-boundary";

fn part(name: &str) -> Vec<u8> {
    format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n").into_bytes()
}

fn text(name: &str, value: &str) -> Vec<u8> {
    [part(name), value.as_bytes().to_vec(), b"\r\n".to_vec()].concat()
}

fn end() -> Vec<u8> {
    format!("\r\n--{BOUNDARY}--\r\n").into_bytes()
}

/// A request whose body comes in these pieces.
fn form(path: &str, pieces: impl Iterator<Item = std::io::Result<Vec<u8>>> + Send + 'static) -> Request<Body> {
    let body = Body::from_stream(stream::iter(pieces.map(|piece| piece.map(Bytes::from))));
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    Request::post(format!("/api/v1/vault/{path}")).header(header::CONTENT_TYPE, kind).body(body).unwrap()
}

/// A document of so many pieces of 64 KiB, each of another byte.
fn document(count: usize) -> impl Iterator<Item = Vec<u8>> + Clone {
    (0..count).map(|number| vec![u8::try_from(number % 251).unwrap(); 64 << 10])
}

fn sealing_form(service: &Service, payload: impl Iterator<Item = Vec<u8>> + Send + 'static) -> Request<Body> {
    let first = [text("identity_id", &service.ana.to_hex()), text("type", "SCAN"), part("payload")].concat();
    form("seal", [first].into_iter().chain(payload).chain([end()]).map(Ok))
}

fn objects(service: &Service) -> Vec<PathBuf> {
    let within = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect()
    };
    within(&service.folder.path().join("objects"))
        .iter()
        .filter(|path| path.is_dir())
        .flat_map(|path| within(path))
        .collect()
}

#[tokio::test]
async fn twenty_megabytes_come_and_go() {
    let service = Service::new().await;
    let native = service.native();
    let sealed = service.send(Some(&native), sealing_form(&service, document(320))).await.is(201).json();
    let whole: Vec<u8> = document(320).flatten().collect();
    assert_eq!(whole.len(), 20 << 20);
    let [object] = objects(&service).try_into().unwrap();
    let row = service.app.db.find(OBJECT, values![id(&sealed)]).await.unwrap().unwrap();
    assert_eq!(object.file_name().unwrap().to_str().unwrap(), row.text("object").unwrap());
    let stored = std::fs::read(&object).unwrap();
    assert_eq!(stored.len(), dualseal::stream::stored_length(whole.len()));
    assert!(service.unseal(&native, &sealed).await.is(200).body == whole);
    assert_eq!(service.verify(None, &sealed).await["validan"], true);

    // The same to whoever has the record and what is stored of it.
    let first =
        [text("identity_id", &service.ana.to_hex()), text("record", &sealed["record"].to_string()), part("stored")];
    let pieces: Vec<_> = stored.chunks(100_000).map(<[u8]>::to_vec).collect();
    let sent = form("verify", [first.concat()].into_iter().chain(pieces).chain([end()]).map(Ok));
    assert_eq!(service.send(None, sent).await.is(200).json(), json!({"validan": true, "razlog": null}));

    // It has a name, so that nobody collects it.
    service.app.clock.set(dualseal::Timestamp::from_millis(service.app.clock.millis() + 30 * 86_400_000).unwrap());
    service.vault.objects.collect(service.app.clock.millis()).await.unwrap();
    assert_eq!(objects(&service), std::slice::from_ref(&object));

    // Of a file that was changed nothing leaves.
    let mut changed = stored;
    changed[10 << 20] ^= 1;
    std::fs::write(&object, changed).unwrap();
    let refused = service.unseal(&native, &sealed).await.is(409);
    assert_eq!((refused.code().as_str(), refused.body.len() < 1000), ("not-intact", true));
    assert_eq!(service.verify(None, &sealed).await, json!({"validan": false, "razlog": "rejected"}));
    assert_eq!(service.verify(Some(&native), &sealed).await["razlog"], "L3");
    std::fs::remove_file(&object).unwrap();
    assert_eq!(service.unseal(&native, &sealed).await.is(409).code(), "not-intact");
}

/// With some bytes anybody has a large document read: no more than two at once for all who are no natives, and none
/// again that lies there as it did.
#[tokio::test]
async fn strangers_have_little_read_at_once() {
    let service = Service::new().await;
    let native = service.native();
    let sealed = service.send(Some(&native), sealing_form(&service, document(4))).await.is(201).json();
    let body = json!({"vault_id": id(&sealed)});
    let turns = service.vault.strangers.two().await;
    assert_eq!(service.post(None, "verify", &body).await.is(503).code(), "busy");
    assert_eq!(service.verify(Some(&native), &sealed).await["validan"], true, "natives wait for nobody");
    drop(turns);
    assert_eq!(service.verify(None, &sealed).await["validan"], true);
    let turns = service.vault.strangers.two().await;
    assert_eq!(service.verify(None, &sealed).await["validan"], true, "it is known");
    // As it was changed it is not, whatever time whoever changed it gave it back.
    let [object] = objects(&service).try_into().unwrap();
    let (mut stored, written) =
        (std::fs::read(&object).unwrap(), std::fs::metadata(&object).unwrap().modified().unwrap());
    stored[100] ^= 1;
    std::fs::write(&object, stored).unwrap();
    std::fs::File::options().write(true).open(&object).unwrap().set_modified(written).unwrap();
    assert_eq!(service.post(None, "verify", &body).await.is(503).code(), "busy");
    drop(turns);
    assert_eq!(service.verify(None, &sealed).await["validan"], false);
}

/// The reader of forms keeps in memory all that is ready: of a body of which everything always is, hardly more than is
/// taken.
#[tokio::test]
async fn no_more_is_received_than_is_taken() {
    let service = Service::new().await;
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = document(1000).inspect({
        let sent = Arc::clone(&sent);
        move |_| {
            sent.fetch_add(1, Ordering::SeqCst);
        }
    });
    let request = sealing_form(&service, counted);
    let Ok(FormBody::Form(mut form)) = FormBody::<SealRequest>::from_request(request, &()).await else {
        panic!("a form")
    };
    form.name::<IdentityId>("identity_id").await.unwrap();
    form.text("type", 255).await.unwrap();
    let mut pieces = form.pieces("payload").await.unwrap();
    for taken in 1..=20 {
        assert!(!pieces.next().await.unwrap().unwrap().is_empty());
        let sent = sent.load(Ordering::SeqCst);
        assert!(sent <= taken + 12, "{sent} pieces for {taken}");
    }
}

/// What is changed between both passes breaks the answer off: all that came until then is the document's.
#[tokio::test]
async fn an_answer_breaks_off_where_the_document_ends() {
    let service = Service::new().await;
    let native = service.native();
    let sealed = service.send(Some(&native), sealing_form(&service, document(64))).await.is(201).json();
    let kept = store::find(&service.app.db, &vault_id(&sealed)).await.unwrap().unwrap();
    let mut plain = unseal::unseal(&service.app, &service.vault, kept).await.unwrap();
    let [object] = objects(&service).try_into().unwrap();
    std::fs::File::options().write(true).open(object).unwrap().set_len(3 << 20).unwrap();
    let whole: Vec<u8> = document(64).flatten().collect();
    let (mut seen, mut broken) = (Vec::new(), false);
    while let Some(piece) = plain.next().await {
        match piece {
            Ok(piece) => seen.extend_from_slice(&piece),
            Err(_) => broken = true,
        }
    }
    assert!(broken && seen.len() < whole.len() && whole.starts_with(&seen), "{}", seen.len());
}

#[tokio::test]
async fn small_ones_stand_in_their_row() {
    let service = Service::new().await;
    let native = service.native();
    let most = rules::INLINE_BYTES - 68 - 16;
    for (length, count) in [(0, 0), (most, 0), (most + 1, 1)] {
        let document = vec![7; length];
        let request = sealing_form(&service, [document.clone()].into_iter());
        let sealed = service.send(Some(&native), request).await.is(201).json();
        assert_eq!(objects(&service).len(), count, "{length}");
        assert!(service.unseal(&native, &sealed).await.is(200).body == document);
    }
}

#[tokio::test]
async fn what_does_not_come_whole_leaves_no_record() {
    let service = Service::new().await;
    let native = service.native();
    let size = service.size().await;
    let limit = rules::PAYLOAD_BYTES / (64 << 10);
    let large = service.send(Some(&native), sealing_form(&service, document(limit).chain([vec![1]]))).await.is(413);
    assert_eq!(large.code(), "too-large");

    let first = [text("identity_id", &service.ana.to_hex()), text("type", "SCAN"), part("payload")].concat();
    let head = [first.clone()].into_iter().chain(document(5)).map(Ok);
    let cut = form("seal", head.clone().chain([Err(std::io::Error::other("gone"))]));
    assert_eq!(service.send(Some(&native), cut).await.is(400).code(), "bad-request");
    let endless = form("seal", head);
    assert_eq!(service.send(Some(&native), endless).await.is(400).code(), "bad-request");
    assert_eq!((service.count().await, service.size().await, objects(&service).len()), (0, size, 0));

    let (id, kind) = (text("identity_id", &service.ana.to_hex()), text("type", "SCAN"));
    let payload = [part("payload"), b"x".to_vec()].concat();
    for (parts, pointer) in [
        (vec![kind.clone(), id.clone(), payload.clone()], "/type"),
        (vec![id.clone(), payload.clone()], "/payload"),
        (vec![text("identity_id", "00"), kind.clone(), payload.clone()], "/identity_id"),
        (vec![id.clone(), text("type", &"x".repeat(256)), payload.clone()], "/type"),
        (vec![id.clone(), text("type", "ERASURE"), payload.clone()], "/type"),
        (vec![id.clone(), kind.clone(), payload.clone(), b"\r\n".to_vec(), part("more"), b"x".to_vec()], "/more"),
        (vec![id, text("type", "SCAN"), text("note", "x")], "/note"),
    ] {
        let request = form("seal", parts.into_iter().chain([end()]).map(Ok));
        let answer = service.send(Some(&native), request).await.is(422).json();
        assert_eq!(answer["errors"][0]["pointer"], pointer, "{answer}");
    }
    assert_eq!((service.count().await, service.size().await), (0, size));
}
