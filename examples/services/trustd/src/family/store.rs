//! Rows of children and memories. On a server they are shown to the guardian that the transaction names, so each
//! question is asked in one.

use super::rules::{Since, today};
use crate::lifecycle::zone;
use crate::messaging::Language;
use dualseal::seal::{DualSeal, Seal};
use dualseal::{IdentityId, PublicKey};
use jiff::tz::TimeZone;
use platform::access::{Caller, World};
use platform::db::{Db, DbError, Row, Statement, Tx, Value, statements};
use platform::values;

statements! {
    TOUCH = "SELECT (SELECT COUNT(*) FROM family_children WHERE id = '') \
             + (SELECT COUNT(*) FROM family_memories WHERE id = '') AS found";
    CHILD = locking "SELECT id, world, guardian, profile, seal, sealed_by, krunica, language, zone, day, ordinal, \
             age_day, created FROM family_children WHERE id = $1 AND guardian = $2 AND world = $3";
    READ_CHILD = "SELECT id, world, guardian, profile, seal, sealed_by, krunica, language, zone, day, ordinal, \
                  age_day, created FROM family_children WHERE id = $1 AND guardian = $2 AND world = $3";
    CHILDREN = "SELECT id, world, guardian, profile, seal, sealed_by, krunica, language, zone, day, ordinal, age_day, \
                created FROM family_children WHERE guardian = $1 AND world = $2 \
                AND (created < $3 OR (created = $3 AND id < $4)) ORDER BY created DESC, id DESC LIMIT $5";
    ADD_CHILD = "INSERT INTO family_children (id, world, guardian, profile, seal, sealed_by, krunica, language, zone, \
                 day, ordinal, age_day, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    CHANGE_CHILD = "UPDATE family_children SET language = $4, zone = $5, day = $6, ordinal = $7, age_day = $8 \
                    WHERE id = $1 AND guardian = $2 AND world = $3";
    IS_CHILD = locking "SELECT id FROM family_children WHERE id = $1 AND guardian = $2 AND world = $3";
    REMOVE_CHILD = "DELETE FROM family_children WHERE id = $1 AND guardian = $2 AND world = $3";
    SOME_OF = "SELECT id FROM family_memories WHERE child = $1 AND guardian = $2 AND world = $3 LIMIT $4";
    ADD_MEMORY = "INSERT INTO family_memories (id, world, guardian, child, content, record, krunica, created) \
                  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    NEWEST = "SELECT id, content, record, krunica, created FROM family_memories \
              WHERE child = $1 AND guardian = $2 AND world = $3 AND (created < $4 OR (created = $4 AND id < $5)) \
              ORDER BY created DESC, id DESC LIMIT $6";
    OLDEST = "SELECT id, content, record, krunica, created FROM family_memories \
              WHERE child = $1 AND guardian = $2 AND world = $3 AND (created > $4 OR (created = $4 AND id > $5)) \
              ORDER BY created, id LIMIT $6";
    IS_MEMORY = "SELECT 1 AS one FROM family_memories WHERE id = $1 AND child = $2 AND guardian = $3 AND world = $4";
    REMOVE_MEMORY = "DELETE FROM family_memories WHERE id = $1 AND child = $2 AND guardian = $3 AND world = $4";
}

/// Whose children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guardian {
    pub(crate) id: IdentityId,
    pub(crate) world: World,
}

impl From<&Caller> for Guardian {
    fn from(caller: &Caller) -> Self {
        Self { id: caller.subject, world: caller.world }
    }
}

/// A child.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub(crate) id: IdentityId,
    pub(crate) guardian: Guardian,
    /// Under a key of its own.
    pub(crate) profile: Vec<u8>,
    pub(crate) seal: DualSeal,
    pub(crate) sealed_by: PublicKey,
    pub(crate) krunica: String,
    pub(crate) language: Language,
    pub(crate) zone: (String, TimeZone),
    pub(crate) since: Since,
    pub(crate) created: i64,
}

/// A memory.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) id: String,
    /// Under a key of its own.
    pub(crate) content: Vec<u8>,
    pub(crate) record: String,
    pub(crate) krunica: String,
    pub(crate) created: i64,
}

/// A zone as it was kept. Names of zones go: whoever has such a child still reads and erases it, and its days are those
/// of UTC until he names another.
fn kept(name: String) -> (String, TimeZone) {
    zone(&name).unwrap_or((name, TimeZone::UTC))
}

impl Child {
    pub(super) fn of(row: &Row) -> Result<Self, DbError> {
        let name = |column: &'static str| row.text(column)?.parse().map_err(|_| DbError::Column(column));
        let Ok(Seal::Dual(seal)) = row.text("seal")?.parse() else { return Err(DbError::Column("seal")) };
        let found = |what| DbError::Column(what);
        Ok(Self {
            id: name("id")?,
            guardian: Guardian { id: name("guardian")?, world: World::of_number(row.number("world")?) },
            profile: row.bytes("profile")?,
            seal,
            sealed_by: PublicKey::from_slice(&row.bytes("sealed_by")?).map_err(|_| found("sealed_by"))?,
            krunica: row.text("krunica")?,
            language: row.text("language")?.parse().map_err(|_| found("language"))?,
            zone: kept(row.text("zone")?),
            since: Since { day: row.number("day")?, ordinal: row.number("ordinal")?, age_day: row.number("age_day")? },
            created: row.number("created")?,
        })
    }

    /// Which day it is for it.
    pub(crate) fn today(&self, now: i64) -> i64 {
        today(&self.zone.1, now)
    }

    /// Writes a new one.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn add(&self, tx: &mut Tx) -> Result<(), DbError> {
        let mut values = values![self.id.to_hex(), self.guardian.world.number(), self.guardian.id.to_hex()];
        values.extend(values![self.profile.clone(), self.seal.to_string(), self.sealed_by.as_bytes().to_vec()]);
        values.extend(values![&self.krunica, self.language.as_str(), &self.zone.0, self.since.day]);
        values.extend(values![self.since.ordinal, self.since.age_day, self.created]);
        tx.for_guardian(&self.guardian.id.to_hex()).await?;
        tx.execute(ADD_CHILD, values).await.map(drop)
    }

    /// Writes its language, its zone, and from where its days are counted.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn change(&self, tx: &mut Tx) -> Result<(), DbError> {
        let mut values = self.guardian.named(&self.id);
        values.extend(values![self.language.as_str(), &self.zone.0, self.since.day]);
        values.extend(values![self.since.ordinal, self.since.age_day]);
        tx.for_guardian(&self.guardian.id.to_hex()).await?;
        tx.execute(CHANGE_CHILD, values).await.map(drop)
    }
}

impl Memory {
    fn of(row: &Row) -> Result<Self, DbError> {
        Ok(Self {
            id: row.text("id")?,
            content: row.bytes("content")?,
            record: row.text("record")?,
            krunica: row.text("krunica")?,
            created: row.number("created")?,
        })
    }

    /// Writes a new one, of a child.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn add(&self, tx: &mut Tx, child: &IdentityId, guardian: &Guardian) -> Result<(), DbError> {
        let mut values = values![&self.id, guardian.world.number(), guardian.id.to_hex(), child.to_hex()];
        values.extend(values![self.content.clone(), &self.record, &self.krunica, self.created]);
        tx.for_guardian(&guardian.id.to_hex()).await?;
        tx.execute(ADD_MEMORY, values).await.map(drop)
    }
}

/// Where a page of memories begins, and in which order they come.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// The newest first, before this one.
    Newest(Option<(i64, String)>),
    /// The oldest first, behind this one.
    Oldest(Option<(i64, String)>),
}

impl Guardian {
    fn named(&self, child: &IdentityId) -> Vec<Value> {
        values![child.to_hex(), self.id.to_hex(), self.world.number()]
    }

    /// A child of his, also one that is being erased, by one of the two statements that read one.
    ///
    /// # Errors
    /// The database.
    pub(super) async fn find(
        &self,
        tx: &mut Tx,
        statement: Statement,
        child: &IdentityId,
    ) -> Result<Option<Child>, DbError> {
        tx.for_guardian(&self.id.to_hex()).await?;
        tx.find(statement, self.named(child)).await?.as_ref().map(Child::of).transpose()
    }

    /// A page of the memories of a child of his.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn memories(
        &self,
        db: &Db,
        child: &IdentityId,
        order: Order,
        most: u32,
    ) -> Result<Vec<Memory>, DbError> {
        let (statement, (created, id)) = match order {
            Order::Newest(before) => (NEWEST, before.unwrap_or((i64::MAX, String::new()))),
            Order::Oldest(behind) => (OLDEST, behind.unwrap_or((i64::MIN, String::new()))),
        };
        let mut values = self.named(child);
        values.extend(values![created, id, most]);
        self.list(db, statement, values).await?.iter().map(Memory::of).collect()
    }

    pub(super) async fn list(&self, db: &Db, statement: Statement, values: Vec<Value>) -> Result<Vec<Row>, DbError> {
        let mut tx = db.snapshot().await?;
        tx.for_guardian(&self.id.to_hex()).await?;
        let rows = tx.list(statement, values).await?;
        tx.roll_back().await?;
        Ok(rows)
    }

    /// Whether a memory is there.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn has_memory(&self, tx: &mut Tx, child: &IdentityId, id: &str) -> Result<bool, DbError> {
        tx.for_guardian(&self.id.to_hex()).await?;
        let values = values![id, child.to_hex(), self.id.to_hex(), self.world.number()];
        Ok(tx.find(IS_MEMORY, values).await?.is_some())
    }

    /// Takes a memory away, and says whether it was there.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn remove_memory(&self, tx: &mut Tx, child: &IdentityId, id: &str) -> Result<bool, DbError> {
        tx.for_guardian(&self.id.to_hex()).await?;
        let values = values![id, child.to_hex(), self.id.to_hex(), self.world.number()];
        Ok(tx.execute(REMOVE_MEMORY, values).await? == 1)
    }

    /// Some memories of a child, as many as there are and at most so many.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn some_memories(
        &self,
        tx: &mut Tx,
        child: &IdentityId,
        most: u32,
    ) -> Result<Vec<String>, DbError> {
        tx.for_guardian(&self.id.to_hex()).await?;
        let mut values = self.named(child);
        values.extend(values![most]);
        tx.list(SOME_OF, values).await?.iter().map(|row| row.text("id")).collect()
    }

    /// Whether a child of his is there, also one that is being erased; nobody else changes it
    /// until the transaction ends.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn hold_any(&self, tx: &mut Tx, child: &IdentityId) -> Result<bool, DbError> {
        tx.for_guardian(&self.id.to_hex()).await?;
        Ok(tx.find(IS_CHILD, self.named(child)).await?.is_some())
    }

    /// Takes a child away, whose memories are gone.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn remove_child(&self, tx: &mut Tx, child: &IdentityId) -> Result<(), DbError> {
        tx.for_guardian(&self.id.to_hex()).await?;
        tx.execute(REMOVE_CHILD, self.named(child)).await.map(drop)
    }
}
