//! A credential of which there are two.

use super::presence::Device;
use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_credential_that_counts_back_approves_nothing() {
    let service = Service::new().await;
    let (vault_id, _) = service.split().await;
    let begin = json!({"invitation": service.invitation().await, "kind": "webauthn"});
    let begun = service.post("", "presence/enrol/begin", &begin).await.is(201).json();
    let mut device = Device::new(true);
    let made = service.post("", "presence/enrol/finish", &device.create(&begun)).await.is(201).json();
    service.later(61);
    let mut answered = Vec::new();
    for _ in 0..3 {
        let request = service.reconstruct(&vault_id).await;
        let proof = device.get(&request["challenge"], &made["credential_id"]);
        answered.push((format!("qt/requests/{}/proofs", id(&request)), proof));
    }
    let [(first, early), (second, late), (third, last)] = answered.try_into().unwrap();
    service.post("noble", &second, &late).await.is(200);
    // Sent again it is the same answer.
    service.post("noble", &second, &late).await.is(200);
    // As a copy answers, which has not counted on.
    let refused = service.post("noble", &first, &early).await.is(422);
    assert_eq!(refused.json()["errors"][0]["code"], "presence");
    let told = service.get("native", first.trim_end_matches("/proofs")).await.is(200).json();
    assert_eq!((&told["state"], &told["proofs"]), (&json!("open"), &json!(0)));
    service.post("noble", &third, &last).await.is(200);
    let copied = platform::db::Statement::new("SELECT COUNT(*) AS found FROM alarms WHERE kind = 'copied'");
    for _ in 0..100 {
        if service.count(copied).await == 1 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("nobody was told");
}
