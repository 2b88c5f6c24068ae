//! Who registers. Anybody may, and a name that waits is held: so many of one client in a day, so many of all at once,
//! and natives are told before these are full.

use super::rules::{DAILY, MANY_PENDING, MOST_PENDING};
use super::store::{self, Peer};
use crate::App;
use crate::alarms::{self, Alarm};
use crate::daily::Today;
use platform::access::World;
use platform::db::Tx;
use platform::problem::Problem;
use platform::rate::Client;

/// What these alarms are of.
const SUBJECT: &str = "peers";

/// Takes one whose proof holds.
///
/// # Errors
/// [`platform::problem::kinds::RATE`] for who registered too many today, and as [`store::register`].
pub(super) async fn enter(app: &App, tx: &mut Tx, client: Client, peer: &Peer) -> Result<Peer, Problem> {
    // By a name that is none of an identity's, and does not show an address.
    let client = app.log.domain().identity_id(client.to_string().as_bytes(), "peer", "client")?;
    Today::new((&client, World::Real), "registrations", DAILY).count(tx, app.clock.millis()).await?;
    let entered = store::register(tx, app.authority.tags(), peer).await?;
    let waiting = store::waiting(tx, None).await?;
    if waiting >= MANY_PENDING {
        let detail = format!("{waiting} services wait for a native, of {MOST_PENDING} that may");
        alarms::write_in(app, tx, Alarm::Registrations.as_str(), SUBJECT, &detail).await?;
    }
    Ok(entered)
}
