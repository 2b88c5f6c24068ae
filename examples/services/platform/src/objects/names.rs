//! Which rows name an object.

use super::{Object, Objects};
use crate::db::{DbError, Tx, statements};
use crate::values;

statements! {
    NAME = "INSERT INTO object_names (hash, tbl, line) VALUES ($1, $2, $3) ON CONFLICT (hash, tbl, line) DO NOTHING";
    CLOTHE = "UPDATE objects SET bare = NULL WHERE hash = $1";
    LEAVE = "DELETE FROM object_names WHERE hash = $1 AND tbl = $2 AND line = $3";
    BARE = "UPDATE objects SET bare = $2 WHERE hash = $1 \
            AND NOT EXISTS (SELECT 1 FROM object_names n WHERE n.hash = $1)";
}

impl Objects {
    /// Names an object that was stored, in the transaction that writes the row which has it: a table, and the row in it.
    ///
    /// # Errors
    /// The database: an object that is not there is not named.
    pub async fn name(&self, tx: &mut Tx, object: &Object, table: &str, line: &[u8]) -> Result<(), DbError> {
        // First, so that whoever collects waits for this transaction, or this one for him.
        tx.execute(CLOTHE, values![&object.hash[..]]).await?;
        tx.execute(NAME, values![&object.hash[..], table, line]).await.map(drop)
    }

    /// Takes the name of a row from it.
    ///
    /// # Errors
    /// The database.
    pub async fn leave(&self, tx: &mut Tx, hash: &[u8; 32], table: &str, line: &[u8]) -> Result<(), DbError> {
        tx.execute(LEAVE, values![&hash[..], table, line]).await?;
        tx.execute(BARE, values![&hash[..], self.clock.millis()]).await.map(drop)
    }
}
