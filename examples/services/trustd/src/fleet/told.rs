//! Whom something of a vehicle is told: the contact that is named, or those of its owner, or those on call, or natives.

use super::store::Vehicle;
use crate::alarms::{self, Alarm};
use crate::messaging::{Language, Notice, Outbox};
use platform::db::Tx;
use platform::problem::Problem;

/// Tells it, in the transaction that causes it; where nobody is there, it is an alarm, with these words.
///
/// # Errors
/// The database.
pub(super) async fn tell(
    tx: &mut Tx,
    vehicle: &Vehicle,
    now: i64,
    notice: impl Fn(Language) -> Notice + Copy + Send,
    detail: &str,
) -> Result<(), Problem> {
    let of = (vehicle.contact.as_deref(), &vehicle.vlasnik_id);
    let is_heard = Outbox::tell_named(tx, of, now, notice).await? || Outbox::tell_on_call(tx, now, notice).await? > 0;
    if !is_heard {
        alarms::write_in(tx, now, Alarm::Vehicle.as_str(), &vehicle.id, detail).await?;
    }
    Ok(())
}
