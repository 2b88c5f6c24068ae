//! What is read of the chain, and who waits for it.

use super::*;
use crate::qt::covered::Covered;
use crate::qt::vaults;
use std::time::Duration;
use tokio::time::timeout;

/// The chain is long, and is read whole for a vault that is new here.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_vaults_wait_for_nobody_who_reads_the_chain() {
    let service = Service::new().await;
    let ((known, _), (other, _)) = (service.split().await, service.split().await);
    let vault = testing::vault(&service.app).await;
    let (covered, key) = (Covered::default(), vaults::key(&vault.keys.master, World::Real, &service.ana));
    let of = async |vault_id: &str, millis| {
        let line = (vault_id.parse().unwrap(), World::Real);
        timeout(Duration::from_millis(millis), covered.of(&service.app, &line, &key)).await
    };
    let at = of(&known, 9000).await.unwrap().unwrap().at;
    let reading = covered.reading().await;
    assert_eq!(of(&known, 9000).await.expect("it waited").unwrap().at, at);
    // Nor do they where the log went on.
    service.later(1);
    service.seal().await;
    service.app.log.checkpoint().await.unwrap();
    let later = of(&known, 9000).await.expect("it waited").unwrap();
    assert!(later.at > at && later.splits.in_force().is_ok());
    assert!(of(&other, 100).await.is_err());
    drop(reading);
    let read = of(&other, 9000).await.unwrap().unwrap();
    assert!(read.at == later.at && read.splits.in_force().is_ok());
}

/// A node has more vaults than are remembered: the others are not silent because a new one had to be read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn vaults_beyond_what_is_remembered_are_read_together() {
    let service = Service::new().await;
    let vault = testing::vault(&service.app).await;
    let (covered, key) = (Covered::remembering(2), vaults::key(&vault.keys.master, World::Real, &service.ana));
    let mut wanted = Vec::new();
    for known in 1..=4 {
        let (vault_id, _) = service.split().await;
        wanted.push(((vault_id.parse().unwrap(), World::Real), key.clone()));
        service.app.log.checkpoint().await.unwrap();
        for _ in 0..2 {
            let told = covered.of_all(&service.app, &wanted).await.unwrap();
            assert!(told.len() == known && told.values().all(|told| told.splits.in_force().is_ok()), "{known}");
        }
    }
    assert!(covered.of(&service.app, &wanted[0].0, &key).await.unwrap().splits.in_force().is_ok());
}
