//! Children that are being erased in pieces. Whoever writes the database alone has none erased, and hides none: rows
//! have tags, and what has none that holds is taken away.

use super::store::{CHILD, Child, Guardian, READ_CHILD};
use crate::App;
use crate::alarms::{self, Alarm};
use dualseal::IdentityId;
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::problem::Problem;
use platform::secrets::{Kind, RowTags, Tagged};
use platform::values;
use std::collections::BTreeSet;

statements! {
    OF_CHILD = "SELECT child, guardian, world, asked, tag FROM family_erasing WHERE child = $1";
    OF_GUARDIAN = "SELECT child, guardian, world, asked, tag FROM family_erasing WHERE child IN \
                   (SELECT id FROM family_children WHERE guardian = $1 AND world = $2)";
    /// In the place of what somebody else wrote there.
    BEGIN = "INSERT INTO family_erasing (child, guardian, world, asked, tag) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (child) DO UPDATE SET guardian = excluded.guardian, world = excluded.world, \
             asked = excluded.asked, tag = excluded.tag";
    END = "DELETE FROM family_erasing WHERE child = $1";
    LEAVING = "SELECT child, guardian, world, asked, tag FROM family_erasing ORDER BY asked, child";
}

const TABLE: Tagged = Tagged {
    table: "family_erasing",
    columns: &[("child", Kind::Text), ("guardian", Kind::Text), ("world", Kind::Number), ("asked", Kind::Number)],
    tag: "tag",
};

/// A row whose very name does not read, as alarms have it.
const NAMELESS: &str = "nameless";

/// A child that is being erased, and whose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaving {
    pub(super) child: IdentityId,
    pub(super) guardian: Guardian,
}

impl Leaving {
    /// Whether it is written down.
    pub(super) async fn is_begun(&self, tx: &mut Tx, tags: &RowTags) -> Result<bool, DbError> {
        is_leaving(tx, tags, &self.child).await
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

    /// All of them. What somebody else wrote is taken away, and natives are told.
    pub(super) async fn all(app: &App) -> Result<Vec<Self>, Problem> {
        let (tags, mut all, mut forged) = (app.authority.tags(), Vec::new(), Vec::new());
        for row in &app.db.list(LEAVING, values![]).await? {
            match Self::of(row, tags) {
                Some(leaving) => all.push(leaving),
                None => forged.extend(row.text("child").ok()),
            }
        }
        if !forged.is_empty() {
            take_away(app, forged).await?;
        }
        Ok(all)
    }

    fn of(row: &Row, tags: &RowTags) -> Option<Self> {
        if !tags.hold(&TABLE, row).ok()? {
            return None;
        }
        let world = World::of_number(row.number("world").ok()?);
        let name = |column| row.text(column).ok()?.parse().ok();
        Some(Self { child: name("child")?, guardian: Guardian { id: name("guardian")?, world } })
    }
}

async fn is_leaving(tx: &mut Tx, tags: &RowTags, child: &IdentityId) -> Result<bool, DbError> {
    let row = tx.find(OF_CHILD, values![child.to_hex()]).await?;
    Ok(row.is_some_and(|row| Leaving::of(&row, tags).is_some()))
}

/// Rows that somebody else wrote: one alarm has all of them.
async fn take_away(app: &App, forged: Vec<String>) -> Result<(), Problem> {
    let (tags, mut tx, mut taken) = (app.authority.tags(), app.db.begin().await?, Vec::new());
    for child in forged {
        // The guardian may have asked since.
        let row = tx.find(OF_CHILD, values![&child]).await?;
        if row.is_some_and(|row| Leaving::of(&row, tags).is_none()) {
            tx.execute(END, values![&child]).await?;
            taken.push(child);
        }
    }
    if let Some(first) = taken.first() {
        let subject = first.parse::<IdentityId>().map_or_else(|_| NAMELESS.to_owned(), |child| child.to_hex());
        let detail =
            format!("somebody wrote into the database that it is being erased, and so of {} more", taken.len() - 1);
        alarms::write_in(app, &mut tx, Alarm::ChildRow.as_str(), &subject, &detail).await?;
    }
    Ok(tx.commit().await?)
}

impl Guardian {
    /// A child of his that is not being erased, until the transaction ends: nobody else changes it.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn hold(&self, tx: &mut Tx, tags: &RowTags, child: &IdentityId) -> Result<Option<Child>, DbError> {
        let found = self.find(tx, CHILD, child).await?;
        Ok(if is_leaving(tx, tags, child).await? { None } else { found })
    }

    /// A child of his that is not being erased.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn child(&self, db: &Db, tags: &RowTags, child: &IdentityId) -> Result<Option<Child>, DbError> {
        let mut tx = db.snapshot().await?;
        let found = self.find(&mut tx, READ_CHILD, child).await?;
        let is_gone = is_leaving(&mut tx, tags, child).await?;
        tx.roll_back().await?;
        Ok(found.filter(|_| !is_gone))
    }

    /// Those of his children that are being erased.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn leaving(&self, db: &Db, tags: &RowTags) -> Result<BTreeSet<String>, DbError> {
        let rows = self.list(db, OF_GUARDIAN, values![self.id.to_hex(), self.world.number()]).await?;
        Ok(rows.iter().filter_map(|row| Leaving::of(row, tags)).map(|leaving| leaving.child.to_hex()).collect())
    }
}
