//! What is asked again with the same `Idempotency-Key`.

use super::*;
use platform::config::RateConfig;
use platform::web::{Web, compose};

/// The entry is written, and no checkpoint is signed over it: no stranger sees the revocation, and its caller is not
/// told that it stands, however often that is asked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_revocation_is_told_under_a_checkpoint_alone() {
    let service = Service::new().await;
    let (app, ana) = (&service.app, service.keypair(World::Real, "ana").await);
    let config = Config { rate: RateConfig { enabled: false, ..RateConfig::default() }, ..Config::default() };
    let web = (&app.db, Some(&app.log));
    let web = Web::open(web, &app.secrets, &app.clock, &config, crate::table::TABLE).await.unwrap();
    let (router, _) = router().split_for_parts();
    let router = compose(router.with_state(Arc::clone(app)), &web, |router| router);
    let body = json!({"identity_id": ana.to_hex(), "stanje": "laz"}).to_string();
    let ask = async || {
        let request = Request::post("/api/v1/dsa/bela").header(header::CONTENT_TYPE, "application/json");
        let request = request.header("idempotency-key", "one").extension(service.native(World::Real));
        Answer::read(router.clone().oneshot(request.body(Body::from(body.clone())).unwrap()).await.unwrap()).await
    };
    let covered = async || app.log.reader().checkpoint(1).await.unwrap().map_or(0, |(last, _)| last.tree_head().size);

    let (mark, (before, _)) = (app.config.data.join("mark"), service.seen().await);
    let kept = std::fs::read(&mark).unwrap();
    std::fs::remove_file(&mark).unwrap();
    for _ in 0..2 {
        assert_eq!(ask().await.is(500).code(), "internal");
    }
    assert_eq!((service.seen().await.0, covered().await), (before + 1, 0));
    std::fs::write(&mark, kept).unwrap();
    for _ in 0..2 {
        let told = ask().await.is(200);
        assert_eq!(
            (&told.json()["bela_stanje"], &told.headers["idempotency-replayed"]),
            (&json!("laz"), &"true".parse().unwrap())
        );
        assert_eq!((service.seen().await.0, covered().await), (before + 1, before + 1));
    }
}
