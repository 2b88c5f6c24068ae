//! How tokens end before their time: revoked, hidden from a thief, voided by a restore. A row that ends gets another
//! tag, so that whoever takes the mark from it has a row that does not count.

use super::{Authority, invitations};
use crate::access::World;
use crate::db::{Row, Tx, statements};
use crate::problem::Problem;
use crate::secrets::{Kind, RowTags, Tagged};
use crate::values;
use dualseal::IdentityId;
use uuid::Uuid;

statements! {
    /// Also one that has ended by a clock that may be wrong.
    LIVING = locking "SELECT * FROM tokens WHERE jti = $1 AND revoked IS NULL";
    LIVING_OF = locking "SELECT * FROM tokens WHERE subject = $1 AND issued >= $2 AND issued <= $3 \
                         AND revoked IS NULL";
    LIVING_OF_NODE = locking "SELECT * FROM tokens WHERE node = $1 AND revoked IS NULL";
    SEEN = locking "SELECT * FROM tokens WHERE jti = $1 AND revoked_decoy IS NULL AND revoked IS NULL";
    SEEN_OF = locking "SELECT * FROM tokens WHERE subject = $1 AND issued >= $2 AND issued <= $3 \
                       AND revoked_decoy IS NULL AND revoked IS NULL";
    REVOKE = "UPDATE tokens SET revoked = $2, tag = $3 WHERE jti = $1";
    HIDE = "UPDATE tokens SET revoked_decoy = $2, tag = $3 WHERE jti = $1";
    VOID = "INSERT INTO voided (kind, before) VALUES ('authority', $1) \
            ON CONFLICT (kind) DO UPDATE SET before = excluded.before WHERE excluded.before > voided.before";
}

/// The rows of tokens.
pub(super) const TABLE: Tagged = Tagged {
    table: "tokens",
    columns: &[
        ("jti", Kind::Text),
        ("subject", Kind::Text),
        ("client", Kind::Text),
        ("tier", Kind::Text),
        ("scope", Kind::Text),
        ("node", Kind::Text),
        ("login", Kind::Text),
        ("issued", Kind::Number),
        ("expires", Kind::Number),
        ("world", Kind::Number),
        ("revoked", Kind::Number),
        ("revoked_decoy", Kind::Number),
    ],
    tag: "tag",
};

const REVOKED: &str = "revoked";
const HIDDEN: &str = "revoked_decoy";

/// Which tokens are revoked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revocation {
    /// One.
    Token(Uuid),
    /// All of a subject that were issued from one time to another, both in milliseconds and both included. Where none
    /// is to be left out, to [`Self::ALL`]: another machine's clock may be ahead, as this one's was if it was set back.
    Subject(IdentityId, i64, i64),
}

impl Revocation {
    /// Later than every token.
    pub const ALL: i64 = i64::MAX;
}

impl Authority {
    /// Revokes tokens, and says how many that lived; with those of a subject go the invitations that it gave out. In
    /// the decoy world only its own callers are refused by it.
    ///
    /// # Errors
    /// The database.
    pub async fn revoke(&self, which: &Revocation, world: World) -> Result<u64, Problem> {
        let now = self.clock.millis();
        let (one, many, column) =
            if world == World::Real { (LIVING, LIVING_OF, REVOKED) } else { (SEEN, SEEN_OF, HIDDEN) };
        let mut tx = self.db.begin().await?;
        let rows = match which {
            Revocation::Token(jti) => tx.list(one, values![jti.to_string()]).await?,
            Revocation::Subject(subject, from, to) => {
                invitations::withdraw_of(&mut tx, subject, world).await?;
                tx.list(many, values![subject.to_hex(), *from, *to]).await?
            }
        };
        let revoked = end(&mut tx, &self.tags, &rows, column, now).await?;
        tx.commit().await?;
        Ok(revoked)
    }
}

/// Ends the tokens of a node that is removed.
pub(super) async fn end_of_node(tx: &mut Tx, tags: &RowTags, label: &str, now: i64) -> Result<(), Problem> {
    let rows = tx.list(LIVING_OF_NODE, values![label]).await?;
    end(tx, tags, &rows, REVOKED, now).await.map(drop)
}

async fn end(tx: &mut Tx, tags: &RowTags, rows: &[Row], column: &'static str, now: i64) -> Result<u64, Problem> {
    let statement = if column == REVOKED { REVOKE } else { HIDE };
    let mut ended = 0;
    for row in rows {
        let tag = tags.again(&TABLE, row, &[(column, now.into())])?;
        let changed = tx.execute(statement, values![row.text("jti")?, now, tag]).await?;
        ended += if row.number("expires")? > now { changed } else { 0 };
    }
    Ok(ended)
}

/// Voids every token, challenge, invitation and login from up to a time, in milliseconds: after a restore nobody knows
/// which of them were revoked, used or removed since.
///
/// # Errors
/// The database.
pub async fn void_all(tx: &mut Tx, before: i64) -> Result<(), Problem> {
    tx.execute(VOID, values![before]).await?;
    Ok(())
}
