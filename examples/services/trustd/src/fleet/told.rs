//! Whom something of a vehicle is told: the contact that is named, or those of its owner, or those on call, or natives.

use super::store::Vehicle;
use crate::App;
use crate::alarms::{self, Alarm};
use crate::messaging::{Language, Notice, Outbox};
use platform::db::Tx;
use platform::problem::Problem;

/// How the messages of a level are called, to begin with: a vehicle stands behind it.
pub(super) const LEVEL: &str = "vehicle:";
/// The same of an inspection that keeps a vehicle where it is.
pub(super) const INSPECTION: &str = "inspection:";

/// Tells it, in the transaction that causes it; where nobody is there, it is this alarm, with these words.
///
/// # Errors
/// The database.
pub(super) async fn tell(
    app: &App,
    tx: &mut Tx,
    vehicle: &Vehicle,
    now: i64,
    notice: impl Fn(Language) -> Notice + Copy + Send,
    (alarm, detail): (Alarm, &str),
) -> Result<(), Problem> {
    let of = (vehicle.contact.as_deref(), &vehicle.vlasnik_id);
    let is_heard = Outbox::tell_named(tx, of, now, notice).await? || Outbox::tell_on_call(tx, now, notice).await? > 0;
    if !is_heard {
        alarms::write_in(app, tx, alarm.as_str(), &vehicle.id, detail).await?;
    }
    Ok(())
}
