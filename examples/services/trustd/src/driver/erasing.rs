//! Erasing all that a driver filed: the texts, photos and proofs of journeys, and the key that opens them in every
//! backup. What stays: entries of the log, of which a repair's alone has the driver's identity, and of the vehicle its
//! crossings, kilometres and defects, and who recorded a crossing for the office.

use super::store::photos::{self, Photo};
use super::{kept, store};
use crate::App;
use crate::personal::Personal;
use crate::proof::Journeys;
use dualseal::IdentityId;
use dualseal_operator::step::{Changes, State, Step};
use platform::access::World;
use platform::db::Tx;
use platform::log::Work;
use platform::objects::Objects;
use platform::problem::{Problem, kinds};
use platform::values;
use serde_json::json;

/// How many documents and how many photos go in one transaction: whoever appends meanwhile waits for one such piece.
pub(super) const PIECE: u32 = 64;

/// Erases it. Where that fails midway a part is erased, and the next time the rest.
///
/// # Errors
/// [`kinds::UNKNOWN_ID`] where there is nothing; the log.
pub(crate) async fn erase(app: &App, objects: &Objects, vozac: IdentityId, world: World) -> Result<(), Problem> {
    let owner = kept::owner(app, &vozac, world)?;
    let mut erased = 0;
    let ended = loop {
        let piece = Erasing { app: App::clone(app), objects: objects.clone(), vozac, owner, world };
        match app.log.submit(piece).await {
            Ok(()) => erased += 1,
            Err(problem) if erased > 0 && problem.kind() == &kinds::UNKNOWN_ID => break Ok(()),
            Err(problem) => break Err(problem),
        }
    };
    if erased > 0 {
        // Where that fails a job goes on with it.
        app.owners.end(&app.db, &app.log, &owner).await;
    }
    ended
}

/// A piece of it.
struct Erasing {
    app: App,
    objects: Objects,
    vozac: IdentityId,
    /// Whose key it hangs on.
    owner: IdentityId,
    world: World,
}

/// What there is of a driver still.
struct Found {
    said: Personal,
    documents: Vec<IdentityId>,
    photos: Vec<Photo>,
    /// What was proven of them.
    proven: Journeys,
}

impl Work for Erasing {
    type Read = Found;
    type Made = Found;
    type Answer = ();

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Found, Problem> {
        let documents = store::of_driver(tx, &self.vozac, self.world, PIECE).await?;
        let photos = photos::of_driver(tx, &self.vozac, self.world, PIECE).await?;
        let proven = Journeys::of(tx, &self.vozac, self.world, PIECE).await?;
        if documents.is_empty() && photos.is_empty() && proven.is_empty() {
            return Err(Problem::new(&kinds::UNKNOWN_ID));
        }
        let what = json!({"driver": self.vozac.to_hex(), "what": "erased", "documents": documents.len()});
        Ok(Found { said: Personal::draw(what.to_string())?, documents, photos, proven })
    }

    fn step(&self, step: &mut Step<'_>, found: Found) -> Result<Found, Problem> {
        found.said.append(step)?;
        for document in &found.documents {
            step.forget(kept::text_place(document)?);
        }
        for place in found.proven.places()? {
            step.forget(place);
        }
        Ok(found)
    }

    async fn rows(&self, tx: &mut Tx, found: Found, _: &Changes) -> Result<(), Problem> {
        for photo in &found.photos {
            photo.drop(tx, &self.objects).await?;
        }
        let mut places = found.documents.iter().map(kept::text_place).collect::<Result<Vec<_>, _>>()?;
        places.extend(found.proven.places()?);
        found.proven.drop_in(tx).await?;
        self.app.owners.erase(tx, &self.owner, &places).await?;
        for document in &found.documents {
            tx.execute(store::DROP, values![document.to_hex(), self.world.number()]).await?;
        }
        tx.execute(store::FORGET, values![self.vozac.to_hex(), self.world.number()]).await?;
        Ok(())
    }
}
