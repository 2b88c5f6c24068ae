//! A service that writes nothing: what is over waits for one that does.

use super::*;
use crate::qt::sweep;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_only_service_sweeps_nothing() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    drop(service.nodes(["a", "b", "c"]).await);
    service.reconstruct(&vault_id).await;
    service.later(301);
    let mut other = (*service.app).clone();
    other.config = Arc::new(Config { read_only: true, ..(*service.app.config).clone() });
    let (other, vault) = (Arc::new(other), testing::vault(&service.app).await);
    assert_eq!(sweep(&other, &vault).await.unwrap(), 0);
    assert_eq!(service.count(KEYS).await, 1, "it is there still");
    assert!(sweep(&service.app, &vault).await.unwrap() > 0);
    assert_eq!(service.count(KEYS).await, 0);
}
