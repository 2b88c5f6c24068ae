//! By which names the service is asked for.

use crate::service::{Answer, Service};
use axum::body::Body;
use axum::extract::Request;
use platform::config::Config;

async fn asked(service: &Service, method: &str, uri: &str, host: &str) -> Answer {
    let request = Request::builder().method(method).uri(uri).header("host", host).header("x-caller", "ana/native");
    service.send(request.body(Body::empty()).unwrap()).await
}

/// To a browser a page of that name and the service are of one origin, so that it sends none, or the page's own.
#[tokio::test]
async fn nothing_is_answered_by_anothers_name() {
    let config = Config { hosts: vec!["inner.example".to_owned()], ..Config::default() };
    let service = Service::new(config).await;
    for (method, path) in [("GET", "/public"), ("POST", "/once"), ("OPTIONS", "/once"), ("GET", "/no")] {
        let told = asked(&service, method, path, "evil.example:8470").await;
        assert_eq!(told.problem(), (421, "foreign-host".to_owned()), "{method} {path}");
    }
    assert_eq!(asked(&service, "HEAD", "/public", "evil.example").await.status, 421);
    let absolute = asked(&service, "GET", "http://evil.example/public", "localhost:8470").await;
    assert_eq!(absolute.problem(), (421, "foreign-host".to_owned()));
    assert_eq!(service.done(), 0);
    for host in ["localhost:8470", "127.0.0.1:8470", "[::1]:8470", "INNER.example."] {
        assert_eq!(asked(&service, "GET", "/public", host).await.status, 200, "{host}");
    }
    assert_eq!(asked(&service, "GET", "http://inner.example/public", "evil.example").await.status, 200);
}
