//! The model chain: a question goes to the first provider of the settings that is there to be asked, and what it says
//! comes back in one form.
//!
//! | file | what it is |
//! |---|---|
//! | `types` | requests and answers |
//! | `rules` | what may be asked, what it costs at most, months |
//! | `shapes` | questions and answers in the form of each provider |
//! | `verdict` | what an answer means for the chain |
//! | `provider` | a provider: its key, whether it is left out, asking it |
//! | `chain` | one after the other |
//! | `store` | rows of what was spent |
//! | `routes` | the addresses |
//!
//! Nothing that was asked or answered is kept or logged. Each process finds out by itself which provider is left out.

mod chain;
mod provider;
mod routes;
mod rules;
mod shapes;
mod store;
#[cfg(test)]
mod tests;
mod types;
mod verdict;

pub use chain::Models;
pub(crate) use routes::addresses;
pub use routes::router;

use crate::App;
use platform::db::Statement;
use platform::problem::Problem;

/// All statements of this module.
pub const STATEMENTS: &[&[Statement]] = &[store::ALL];

/// Removes what was spent more than a year ago: a job.
///
/// # Errors
/// The database.
pub async fn sweep(app: &App) -> Result<(), Problem> {
    store::sweep(app, app.clock.millis()).await
}
