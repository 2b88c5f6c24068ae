//! What a driver filed of a vehicle in a time, for whoever proves it.

use super::kept;
use super::rules::Tip;
use super::store;
use crate::App;
use dualseal::{IdentityId, SignatureRecord};
use platform::access::World;
use platform::db::Tx;
use platform::problem::{Problem, kinds};
use platform::values;

/// An inspection or a border crossing: the text that is signed, and its record.
pub(crate) struct Step {
    /// The document.
    pub(crate) identity_id: IdentityId,
    pub(crate) text: String,
    pub(crate) record: SignatureRecord,
    pub(crate) is_border: bool,
}

/// A driver's inspections and border crossings of a vehicle between two times, in the order of their own times: so many
/// at most.
///
/// # Errors
/// The database; a row that does not open. One that came back with a backup is not there.
pub(crate) async fn journey(
    app: &App,
    of: (&IdentityId, &str, World),
    between: (i64, i64),
    most: u32,
) -> Result<Vec<Step>, Problem> {
    let mut all = Vec::new();
    for document in store::between(&app.db, of, between, most).await? {
        let text = match kept::text(app, &document).await {
            Err(problem) if problem.kind() == &kinds::ERASED => continue,
            text => text?,
        };
        let record = SignatureRecord::from_json(document.record.as_bytes())?;
        let (identity_id, is_border) = (document.identity_id, document.tip == Tip::BorderCrossing);
        all.push(Step { identity_id, text, record, is_border });
    }
    Ok(all)
}

/// Whether all of these are there still, until the transaction ends.
///
/// # Errors
/// The database.
pub(crate) async fn are_there(tx: &mut Tx, documents: &[IdentityId], world: World) -> Result<bool, Problem> {
    for document in documents {
        if tx.find(store::IS_THERE, values![document.to_hex(), world.number()]).await?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}
