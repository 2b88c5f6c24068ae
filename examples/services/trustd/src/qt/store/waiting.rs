//! Requests that wait for people.

use super::requests::RequestRow;
use dualseal::IdentityId;
use platform::access::World;
use platform::db::{Db, statements};
use platform::problem::Problem;
use platform::values;

statements! {
    PAGE = "SELECT r.*, p.world AS world FROM qt_requests r JOIN qt_splits p ON p.split_id = r.split_id \
            WHERE r.state = 'open' AND r.expiry > $1 AND (r.identity_id = $2 OR $3) AND (r.created < $4 \
            OR (r.created = $4 AND r.id < $5)) AND p.world = $7 ORDER BY r.created DESC, r.id DESC LIMIT $6";
}

/// Those that count at a time, of one identity or of all, newest first, that come behind one of them.
pub(crate) async fn page(
    db: &Db,
    (now, world): (i64, World),
    owner: Option<&IdentityId>,
    after: (i64, &str),
    limit: u32,
) -> Result<Vec<RequestRow>, Problem> {
    let whose = owner.map(IdentityId::to_hex).unwrap_or_default();
    let values = values![now, whose, owner.is_none(), after.0, after.1, limit, world.number()];
    db.list(PAGE, values).await?.iter().map(RequestRow::read).collect()
}
