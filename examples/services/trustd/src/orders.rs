//! The key of the operator's orders to nodes, by which they delete what was dealt anew or erased: nodes pin it, one for
//! shares and shards.

use crate::App;
use dualseal::SystemRng;
use dualseal::ed25519::Ed25519SigningKey;
use dualseal_operator::secrets::{Place, Vaulted};
use dualseal_operator::step::{Changes, State, Step};
use platform::db::Tx;
use platform::log::Work;
use platform::problem::Problem;
use platform::secrets::Secrets;
use zeroize::Zeroizing;

fn place() -> Result<Place, dualseal::Error> {
    Place::new("qt", b"operator", "orders")
}

/// The key of orders: made when it is first needed, under the log's lock, so that there is one.
pub(crate) async fn operator_key(app: &App) -> Result<Ed25519SigningKey, Problem> {
    let seed = match app.secrets.find_in(&app.db, &place()?).await? {
        Some(seed) => seed,
        None => app.log.submit(Make(app.secrets.clone())).await?,
    };
    Ok(Ed25519SigningKey::from_seed(&seed)?)
}

struct Make(Secrets);

type Seed = Zeroizing<Vec<u8>>;

impl Work for Make {
    type Read = Option<Seed>;
    type Made = Seed;
    type Answer = Seed;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Option<Seed>, Problem> {
        self.0.find(tx, &place()?).await
    }

    fn step(&self, step: &mut Step<'_>, found: Option<Seed>) -> Result<Seed, Problem> {
        if let Some(found) = found {
            return Ok(found);
        }
        let key = Ed25519SigningKey::generate(&mut SystemRng)?;
        let row: Vaulted = self.0.seal(place()?, key.seed().expose())?;
        step.keep(row);
        Ok(Zeroizing::new(key.seed().expose().to_vec()))
    }

    async fn rows(&self, _: &mut Tx, made: Seed, _: &Changes) -> Result<Seed, Problem> {
        Ok(made)
    }

    /// Two at once would keep two.
    fn is_alone(&self) -> bool {
        true
    }
}
