//! What a thief called back, he sees called back.

use super::*;

/// What the public is told, without whom it is about and when he signed.
async fn told(service: &Service, identity_id: &IdentityId, record: &Value) -> Value {
    let mut told = service.verified(identity_id, record).await;
    for drawn in ["identity_id", "timestamp"] {
        let value = &mut told[drawn];
        *value = value.as_str().map_or(Value::Null, |text| text.len().into());
    }
    told
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_record_of_the_decoy_world_holds_no_longer_than_its_key_there() {
    let service = Service::new().await;
    let ana = service.keypair(World::Real, "ana").await;
    let (bo, eva) = (service.keypair(World::Decoy, "bo").await, service.keypair(World::Real, "eva").await);
    service.bela(World::Real, &eva, "oboje").await.is(200);
    let mut signed = Vec::new();
    for (world, identity_id) in [(World::Real, ana), (World::Decoy, bo), (World::Decoy, eva)] {
        let record = service.sign(world, &identity_id).await.is(201).json();
        signed.push((world, identity_id, record));
    }
    for stanje in ["laz", "nijedno", "istina"] {
        let mut answers = Vec::new();
        for (world, identity_id, record) in &signed {
            service.bela(*world, identity_id, stanje).await.is(200);
            answers.push(told(&service, identity_id, record).await);
        }
        assert_eq!(answers[0]["bela_stanje"], stanje);
        assert!(answers[1] == answers[0] && answers[2] == answers[0], "{stanje}: {answers:#?}");
    }
}
