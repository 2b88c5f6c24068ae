//! What somebody is answered who asks by message how things stand.

use super::store;
use super::texts;
use crate::App;
use crate::messaging::{Facts, Language};
use dualseal::IdentityId;
use futures::future::BoxFuture;
use platform::problem::Problem;

/// The clocks of an identity's vehicles.
#[derive(Clone, Copy, Debug)]
pub struct Clocks;

impl Facts for Clocks {
    fn of<'a>(
        &'a self,
        app: &'a App,
        identity_id: &'a IdentityId,
        language: Language,
    ) -> BoxFuture<'a, Result<Vec<String>, Problem>> {
        Box::pin(async move {
            let (now, weeks) = (app.clock.millis(), app.config.fleet.weeks);
            let vehicles = store::of_identity(&app.db, identity_id).await?;
            let clocks = vehicles.iter().map(|vehicle| vehicle.status(now, weeks));
            Ok(clocks.map(|one| texts::line(&one.registracija, one.status, one.tjedni_odsutni, language)).collect())
        })
    }
}
