//! A key whose seed the service has not: a quorum's.

use super::*;
use dualseal::PublicKey;
use dualseal_operator::step::{Changes, State, Step};
use platform::db::Tx;
use platform::log::Work;
use platform::problem::Problem;

struct Quorum(IdentityId, PublicKey);

impl Work for Quorum {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        step.add_key(&self.0, &self.1)?;
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_puts_a_key_of_the_service_in_the_place_of_a_quorums() {
    let service = Service::new().await;
    let (quorum, ana) = (service.identity("quorum"), service.keypair(World::Real, "ana").await);
    let key = SigningKey::generate(&mut SystemRng).unwrap();
    service.app.log.submit(Quorum(quorum, key.public_key().clone())).await.unwrap();
    let before = service.seen().await;
    let rotate = |who: &IdentityId| json!({"identity_id": who.to_hex()});
    let refused = service.post(World::Real, "rotiraj", &rotate(&quorum)).await;
    assert_eq!(refused.is(409).code(), "key-elsewhere");
    assert_eq!(service.seen().await, before);
    service.post(World::Real, "rotiraj", &rotate(&ana)).await.is(200);
}
