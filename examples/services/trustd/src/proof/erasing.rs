//! Taking proofs away, with the keys that open them in backups.

use super::kept::ProofKey;
use super::store::{self, ProofRow};
use crate::App;
use crate::personal::Personal;
use dualseal::IdentityId;
use dualseal_operator::secrets::Place;
use dualseal_operator::step::{Changes, State, Step};
use platform::access::World;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use proof_pdf::text::Kind;
use serde_json::json;
use uuid::Uuid;

/// The proofs of journeys that hold what a driver filed, for whoever erases that: they go with it.
pub(crate) struct Journeys(Vec<Uuid>);

impl Journeys {
    /// Some of a driver's, at most so many. Of a thief there are none.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn of(tx: &mut Tx, driver: &IdentityId, world: World, most: u32) -> Result<Self, Problem> {
        Ok(Self(store::of_kind(tx, (driver, world), Kind::Put, most).await?))
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where their keys stand.
    ///
    /// # Errors
    /// None.
    pub(crate) fn places(&self) -> Result<Vec<Place>, Problem> {
        Ok(self.0.iter().map(ProofKey::place).collect::<Result<_, _>>()?)
    }

    /// Takes the rows away.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn drop_in(&self, tx: &mut Tx) -> Result<(), Problem> {
        for dokaz_id in &self.0 {
            store::drop_one(tx, dokaz_id).await?;
        }
        Ok(())
    }
}

/// Erases a proof.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`] where it went meanwhile; the log.
pub(super) async fn erase(app: &App, row: &ProofRow) -> Result<(), Problem> {
    let owner = row.identity_id;
    app.log.submit(Erasing { app: App::clone(app), dokaz_id: row.dokaz_id, owner }).await?;
    // Where that fails a job goes on with it.
    app.owners.end(&app.db, &app.log, &owner).await;
    Ok(())
}

struct Erasing {
    app: App,
    dokaz_id: Uuid,
    owner: IdentityId,
}

impl Work for Erasing {
    type Read = Personal;
    type Made = ();
    type Answer = ();

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Personal, Problem> {
        if !store::is_there(tx, &self.dokaz_id).await? {
            return Err(Problem::new(&kinds::UNKNOWN_ID));
        }
        Personal::draw(json!({"proof": self.dokaz_id, "what": "erased"}).to_string())
    }

    fn step(&self, step: &mut Step<'_>, said: Personal) -> Result<(), Problem> {
        said.append(step)?;
        step.forget(ProofKey::place(&self.dokaz_id)?);
        Ok(())
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        self.app.owners.erase(tx, &self.owner, &[ProofKey::place(&self.dokaz_id)?]).await?;
        Ok(store::drop_one(tx, &self.dokaz_id).await?)
    }
}
