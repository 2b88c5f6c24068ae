//! How much is made for somebody in a day: what is kept of it is large, and each is entries of the log.

use crate::App;
use dualseal::IdentityId;
use platform::access::World;
use platform::db::{DbError, Statement, Tx, statements};
use platform::problem::{Problem, kinds};
use platform::values;

statements! {
    COUNT = "INSERT INTO made_daily (subject, world, what, day, many) VALUES ($1, $2, $3, $4, 1) \
             ON CONFLICT (subject, world, what, day) DO UPDATE SET many = made_daily.many + 1 \
             WHERE made_daily.many < $5";
    SWEEP = "DELETE FROM made_daily WHERE day < $1";
}

/// All statements.
pub(crate) const STATEMENTS: &[Statement] = ALL;

const DAY: i64 = 86_400_000;

/// What is made for somebody on a day of UTC.
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

    /// Counts one more, at the end of what a job reads: all jobs of a transaction read before any writes its rows, and
    /// each is to see those before it. One whose step is refused then counts as well.
    ///
    /// # Errors
    /// [`kinds::RATE`]; the database.
    pub(crate) async fn count(&self, tx: &mut Tx, now: i64) -> Result<(), Problem> {
        let (subject, day) = (self.subject.to_hex(), now.div_euclid(DAY));
        let row = values![subject, self.world.number(), self.what, day, i64::from(self.most)];
        if self.most > 0 && tx.execute(COUNT, row).await? > 0 {
            return Ok(());
        }
        let left = u64::try_from((DAY - now.rem_euclid(DAY)) / 1000).unwrap_or(1);
        let why = format!("{} {} a day are made for one", self.most, self.what);
        Err(Problem::new(&kinds::RATE).detail(why).retry_after(left))
    }
}

/// Forgets the days before.
///
/// # Errors
/// The database.
pub(crate) async fn sweep(app: &App) -> Result<u64, DbError> {
    app.db.execute(SWEEP, values![app.clock.millis().div_euclid(DAY)]).await
}
