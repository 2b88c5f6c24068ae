//! Requests that wait for people.

use super::requests::RequestRow;
use dualseal::IdentityId;
use platform::db::{Db, statements};
use platform::problem::Problem;
use platform::values;

statements! {
    PAGE = "SELECT * FROM qt_requests WHERE state = 'open' AND expiry > $1 AND (identity_id = $2 OR $3) \
            AND (created < $4 OR (created = $4 AND id < $5)) ORDER BY created DESC, id DESC LIMIT $6";
}

/// Those that count at a time, of one identity or of all, newest first, that come behind one of them.
pub(crate) async fn page(
    db: &Db,
    now: i64,
    owner: Option<&IdentityId>,
    after: (i64, &str),
    limit: u32,
) -> Result<Vec<RequestRow>, Problem> {
    let whose = owner.map(IdentityId::to_hex).unwrap_or_default();
    let values = values![now, whose, owner.is_none(), after.0, after.1, limit];
    db.list(PAGE, values).await?.iter().map(RequestRow::read).collect()
}
