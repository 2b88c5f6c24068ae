//! Children that are being erased in pieces. Whoever writes the database alone has none erased: rows have tags.

use super::store::Guardian;
use crate::App;
use dualseal::IdentityId;
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::secrets::{Kind, RowTags, Tagged};
use platform::values;

statements! {
    IS_LEAVING = "SELECT 1 AS one FROM family_erasing WHERE child = $1";
    BEGIN = "INSERT INTO family_erasing (child, guardian, world, asked, tag) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (child) DO NOTHING";
    END = "DELETE FROM family_erasing WHERE child = $1";
    LEAVING = "SELECT child, guardian, world, asked, tag FROM family_erasing ORDER BY asked, child";
}

const TABLE: Tagged = Tagged {
    table: "family_erasing",
    columns: &[("child", Kind::Text), ("guardian", Kind::Text), ("world", Kind::Number), ("asked", Kind::Number)],
    tag: "tag",
};

/// A child that is being erased, and whose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving {
    pub(super) child: IdentityId,
    pub(super) guardian: Guardian,
}

impl Leaving {
    /// Whether it is written down.
    pub(super) async fn is_begun(&self, tx: &mut Tx) -> Result<bool, DbError> {
        Ok(tx.find(IS_LEAVING, values![self.child.to_hex()]).await?.is_some())
    }

    /// Writes it down: from now on the child is told as gone.
    pub(super) async fn begin(&self, tx: &mut Tx, app: &App) -> Result<(), DbError> {
        let Guardian { id, world } = self.guardian;
        let mut values = values![self.child.to_hex(), id.to_hex(), world.number(), app.clock.millis()];
        values.push(app.authority.tags().tag(&TABLE, &values).into());
        tx.execute(BEGIN, values).await.map(drop)
    }

    /// Writes that it is gone.
    pub(super) async fn end(&self, tx: &mut Tx) -> Result<(), DbError> {
        tx.execute(END, values![self.child.to_hex()]).await.map(drop)
    }

    /// All of them. A row that does not hold is passed over; the log of the service says so.
    pub(super) async fn all(db: &Db, tags: &RowTags) -> Result<Vec<Self>, DbError> {
        let read = |row: &Row| {
            if !tags.hold(&TABLE, row).ok()? {
                return None;
            }
            let world = World::of_number(row.number("world").ok()?);
            let name = |column| row.text(column).ok()?.parse().ok();
            Some(Self { child: name("child")?, guardian: Guardian { id: name("guardian")?, world } })
        };
        Ok(db.list(LEAVING, values![]).await?.iter().filter_map(read).collect())
    }
}
