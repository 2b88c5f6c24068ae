//! A record by a key that was retired since, with a place that its sender brings.

use super::*;

impl Service {
    /// The place of a record under the last checkpoint.
    async fn place(&self, record: &Value) -> Value {
        let record = SignatureRecord::from_json(record.to_string().as_bytes()).unwrap();
        let reader = self.app.log.reader();
        let (checkpoint, _) = reader.checkpoint(reader.current().await.unwrap()).await.unwrap().unwrap();
        let found = reader.by_handle(record.krunica_hash()).await.unwrap().unwrap();
        let place = reader.place(&checkpoint, found).await.unwrap().unwrap();
        serde_json::from_str(&place.to_json()).unwrap()
    }
}

/// That of another log, which a restore ended, does not hold in the one that is written to: the service's own rows have
/// it, as they have it for who brings none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_brings_a_place_is_no_worse_off_than_who_brings_none() {
    let service = Service::new().await;
    let (ana, bo) = (service.keypair(World::Real, "ana").await, service.keypair(World::Real, "bo").await);
    let [record, other] = [service.sign(World::Real, &ana).await, service.sign(World::Real, &bo).await];
    let [record, other] = [record.is(201).json(), other.is(201).json()];
    service.post(World::Real, "rotiraj", &json!({"identity_id": ana.to_hex()})).await.is(200);
    assert_eq!(service.verified(&ana, &record).await["validan"], true);
    let (own, others) = (service.place(&record).await, service.place(&other).await);
    let mut elsewhere = own.clone();
    elsewhere["checkpoint"]["origin"] = json!("localhost/another");
    for place in [own, others, elsewhere] {
        let mut body = json!({"record": record, "identity_id": ana.to_hex(), "content_b64": CONTENT});
        body["place"] = place;
        let told = service.post(World::Real, "provjeri", &body).await.is(200).json();
        assert_eq!(told["validan"], true, "{}", body["place"]);
    }
}
