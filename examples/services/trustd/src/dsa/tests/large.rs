//! A large document: in a form, and never in a body of JSON.

use super::*;
use std::fmt::Write as _;

impl Service {
    /// Sends a form, with a document of so many zeros as its last part.
    async fn form(&self, path: &str, parts: &[(&str, &str)], document: usize) -> Answer {
        let mut body = String::new();
        let zeros = "\0".repeat(document);
        for (name, value) in parts.iter().copied().chain([("document", &*zeros)]) {
            write!(body, "--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").unwrap();
        }
        let request = Request::post(format!("/api/v1/dsa/{path}"));
        let request = request.header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
        let request = request.extension(self.native(World::Real)).body(Body::from(body + "--x--\r\n")).unwrap();
        Answer::read(self.router.clone().oneshot(request).await.unwrap()).await
    }
}

#[tokio::test]
async fn a_large_document_comes_in_a_form_alone() {
    let service = Service::new().await;
    let ana = service.keypair(World::Real, "ana").await.to_hex();
    let signed = service.form("potpisi", &[("identity_id", &ana)], 1 << 20).await.is(201).json();
    let (record, content) = (signed.to_string(), "AAAA".repeat(1 << 18));
    let parts = [("identity_id", &*ana), ("record", &*record)];
    assert_eq!(service.form("provjeri", &parts, 1 << 20).await.is(200).json()["validan"], true);
    assert_eq!(service.form("provjeri", &parts, 1 << 19).await.is(200).json()["validan"], false);
    // Nobody's body of JSON is as large as a document may be, at the public address least of all.
    let mut asked = json!({"identity_id": ana, "content_b64": content});
    assert_eq!(service.post(World::Real, "potpisi", &asked).await.is(413).code(), "too-large");
    asked["record"] = signed;
    assert_eq!(service.post(World::Real, "provjeri", &asked).await.is(413).code(), "too-large");
}

#[tokio::test]
async fn the_parts_of_a_form_come_in_their_order() {
    let service = Service::new().await;
    let ana = service.keypair(World::Real, "ana").await.to_hex();
    for parts in [&[][..], &[("record", "{}")], &[("identity_id", &*ana), ("document", "x")]] {
        let refused = service.form("potpisi", parts, 1).await.is(422).json();
        assert_eq!(refused["errors"][0]["code"], "order", "{refused}");
    }
}
