//! Rows of what was spent. They hold callers to their budgets, and nobody who writes the database: the provider's own
//! limit of spending does that.

use super::rules::{units, year_before};
use crate::App;
use dualseal::IdentityId;
use platform::db::statements;
use platform::problem::Problem;
use platform::values;

statements! {
    OPEN = "INSERT INTO model_spend (subject, period, spent) VALUES ($1, $2, 0) \
            ON CONFLICT (subject, period) DO NOTHING";
    /// Takes from a budget what is left in it, and from one that has less, nothing.
    TAKE = "UPDATE model_spend SET spent = spent + $3 WHERE subject = $1 AND period = $2 AND spent + $3 <= $4";
    GIVE = "UPDATE model_spend SET spent = spent - $3 WHERE subject = $1 AND period = $2";
    SPENT = "SELECT spent FROM model_spend WHERE subject = $1 AND period = $2";
    HEALTH = "SELECT period FROM model_spend LIMIT 1";
    SWEEP = "DELETE FROM model_spend WHERE period < $1";
}

/// The row of all together.
const ALL_OF_THEM: &str = "";

/// What was taken from the budgets, for a call that is under way.
pub(super) struct Reserved {
    subject: String,
    period: String,
}

/// Takes an amount from the budget of a subject and from that of all; none where one of them has less. Whoever ends
/// before he gives anything back has spent it all.
pub(super) async fn reserve(
    app: &App,
    subject: &IdentityId,
    period: String,
    amount: u64,
) -> Result<Option<Reserved>, Problem> {
    let (subject, config) = (subject.to_hex(), &app.config.models);
    let mut tx = app.db.begin().await?;
    // In one order everywhere: nobody waits for who waits for him.
    for (row, budget) in [(subject.as_str(), config.budget), (ALL_OF_THEM, config.budget_of_all)] {
        tx.execute(OPEN, values![row, &period]).await?;
        if tx.execute(TAKE, values![row, &period, amount, units(budget)]).await? == 0 {
            tx.roll_back().await?;
            return Ok(None);
        }
    }
    tx.commit().await?;
    Ok(Some(Reserved { subject, period }))
}

/// Gives back what was not spent.
pub(super) async fn give_back(app: &App, reserved: &Reserved, amount: u64) -> Result<(), Problem> {
    if amount == 0 {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    for row in [reserved.subject.as_str(), ALL_OF_THEM] {
        tx.execute(GIVE, values![row, &reserved.period, amount]).await?;
    }
    Ok(tx.commit().await?)
}

/// What a subject spent in a month.
pub(super) async fn spent_by(app: &App, subject: &IdentityId, period: &str) -> Result<u64, Problem> {
    let row = app.db.find(SPENT, values![subject.to_hex(), period]).await?;
    Ok(row.map_or(Ok(0), |row| row.size("spent"))?)
}

/// Ends what is older than a year.
pub(super) async fn sweep(app: &App, now: i64) -> Result<(), Problem> {
    app.db.execute(SWEEP, values![year_before(now)]).await?;
    Ok(())
}
