//! How much is made for somebody in a day: what is kept of it is large, and each is entries of the log.

use crate::App;
use dualseal::IdentityId;
use platform::access::World;
use platform::db::{DbError, Statement, Tx, statements};
use platform::problem::{Problem, kinds};
use platform::values;

statements! {
    FIND = "SELECT many FROM made_daily WHERE subject = $1 AND world = $2 AND what = $3 AND day = $4";
    COUNT = "INSERT INTO made_daily (subject, world, what, day, many) VALUES ($1, $2, $3, $4, 1) \
             ON CONFLICT (subject, world, what, day) DO UPDATE SET many = made_daily.many + 1";
    SWEEP = "DELETE FROM made_daily WHERE day < $1";
}

/// All statements.
pub(crate) const STATEMENTS: &[Statement] = ALL;

const DAY: i64 = 86_400_000;

/// What is made for somebody on a day of UTC: of those who share a transaction each sees what came before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Today<'a> {
    subject: &'a IdentityId,
    world: World,
    what: &'static str,
    most: u32,
}

impl<'a> Today<'a> {
    /// So many of this at most.
    pub(crate) fn new((subject, world): (&'a IdentityId, World), what: &'static str, most: u32) -> Self {
        Self { subject, world, what, most }
    }

    /// Before one more is made.
    ///
    /// # Errors
    /// [`kinds::RATE`]; the database.
    pub(crate) async fn ask(&self, tx: &mut Tx, now: i64) -> Result<(), Problem> {
        let (subject, day) = (self.subject.to_hex(), now.div_euclid(DAY));
        let row = tx.find(FIND, values![subject, self.world.number(), self.what, day]).await?;
        let many = row.map(|row| row.number("many")).transpose()?.unwrap_or_default();
        if many < i64::from(self.most) {
            return Ok(());
        }
        let left = u64::try_from((DAY - now.rem_euclid(DAY)) / 1000).unwrap_or(1);
        let why = format!("{} {} a day are made for an identity", self.most, self.what);
        Err(Problem::new(&kinds::RATE).detail(why).retry_after(left))
    }

    /// One was made.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn count(&self, tx: &mut Tx, now: i64) -> Result<(), DbError> {
        let (subject, day) = (self.subject.to_hex(), now.div_euclid(DAY));
        tx.execute(COUNT, values![subject, self.world.number(), self.what, day]).await.map(drop)
    }
}

/// Forgets the days before.
///
/// # Errors
/// The database.
pub(crate) async fn sweep(app: &App) -> Result<u64, DbError> {
    app.db.execute(SWEEP, values![app.clock.millis().div_euclid(DAY)]).await
}
