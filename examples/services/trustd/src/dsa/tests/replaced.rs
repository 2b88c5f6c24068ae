//! A key that is replaced while others sign with it.

use super::*;
use futures::future::join_all;
use platform::config::RateConfig;
use platform::web::{Web, compose};

/// Of each so many at once, and so often.
const AT_ONCE: usize = 4;
const ROUNDS: usize = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_signs_while_the_key_is_replaced_signs_with_either() {
    let service = Service::new().await;
    let (app, ana) = (&service.app, service.keypair(World::Real, "ana").await);
    let config = Config { rate: RateConfig { enabled: false, ..RateConfig::default() }, ..Config::default() };
    let web = (&app.db, Some(&app.log));
    let web = Web::open(web, &app.secrets, &app.clock, &config, crate::table::TABLE).await.unwrap();
    let (vault, _) = crate::vault::router(testing::vault(app).await).split_for_parts();
    let (router, _) = router().split_for_parts();
    let router = compose(router.merge(vault).with_state(Arc::clone(app)), &web, |router| router);
    let asked = [
        ("dsa/rotiraj", json!({"identity_id": ana.to_hex()})),
        ("dsa/potpisi", json!({"identity_id": ana.to_hex(), "content_b64": CONTENT})),
        ("vault/seal", json!({"identity_id": ana.to_hex(), "payload_b64": CONTENT, "type": "CONTRACT"})),
    ];
    let ask = async |(path, body): &(&str, Value)| {
        let request = Request::post(format!("/api/v1/{path}")).header(header::CONTENT_TYPE, "application/json");
        let request = request.extension(service.native(World::Real)).body(Body::from(body.to_string())).unwrap();
        (path.to_string(), Answer::read(router.clone().oneshot(request).await.unwrap()).await)
    };
    for _ in 0..ROUNDS {
        for (path, told) in join_all((0..AT_ONCE).flat_map(|_| &asked).map(&ask)).await {
            assert!(told.status.is_success(), "{path}: {told:?}");
        }
    }
}
