//! Removing what nobody names.

use super::{ObjectFault, Objects, location};
use crate::db::{Row, statements};
use crate::values;
use object_store::{Error, ObjectStoreExt};

statements! {
    /// What was put, and left, before a time, and that no backup which is kept may have: one that began while it had a
    /// name, or before it was put again.
    BARE = "SELECT o.hash FROM objects o WHERE o.made < $1 AND COALESCE(o.bare, 0) < $1 \
            AND NOT EXISTS (SELECT 1 FROM object_names n WHERE n.hash = o.hash) \
            AND NOT EXISTS (SELECT 1 FROM backups b WHERE b.made <= o.bare) \
            ORDER BY o.made LIMIT $2";
    HOLD = locking "SELECT o.hash FROM objects o WHERE o.hash = $1 AND o.made < $2 AND COALESCE(o.bare, 0) < $2";
    NAMED = "SELECT 1 AS one FROM object_names WHERE hash = $1 LIMIT 1";
    REMOVE = "DELETE FROM objects WHERE hash = $1";
}

/// How long an object waits for its row, and for somebody who reads it still.
const SPARED: i64 = 24 * 3600 * 1000;
const AT_ONCE: usize = 256;

/// What was collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// How many objects were removed.
    pub removed: u64,
}

impl Objects {
    /// Removes the objects that no row names since a day, but those that a kept backup may name.
    ///
    /// # Errors
    /// The database, the store; what was removed before is removed.
    pub async fn collect(&self, now: i64) -> Result<Collected, ObjectFault> {
        let before = now.saturating_sub(SPARED);
        let mut collected = Collected::default();
        loop {
            let rows = self.db.list(BARE, values![before, AT_ONCE]).await?;
            for row in &rows {
                collected.removed += u64::from(self.remove(row, before).await?);
            }
            if rows.len() < AT_ONCE {
                return Ok(collected);
            }
        }
    }

    /// One after the other, each under the lock on its row: whoever puts it again meanwhile waits, and stores it anew.
    async fn remove(&self, row: &Row, before: i64) -> Result<bool, ObjectFault> {
        let hash: [u8; 32] = row.bytes("hash")?.try_into().map_err(|_| crate::db::DbError::Column("hash"))?;
        let mut tx = self.db.begin().await?;
        let is_held = tx.find(HOLD, values![&hash[..], before]).await?.is_some();
        // Asked again, in a statement of its own: it sees who named it while the lock was waited for.
        if !is_held || tx.find(NAMED, values![&hash[..]]).await?.is_some() {
            tx.roll_back().await?;
            return Ok(false);
        }
        match self.store.delete(&location(&hash)).await {
            Ok(()) | Err(Error::NotFound { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        tx.execute(REMOVE, values![&hash[..]]).await?;
        tx.commit().await?;
        Ok(true)
    }
}
