//! What is read beside authority's own rows, which are the platform's.

use crate::App;
use crate::alarms;
use platform::access::Caller;
use platform::db::{Db, statements};
use platform::problem::{Problem, kinds};
use platform::values;

statements! {
    TOUCH = "SELECT COUNT(*) AS tokens FROM tokens WHERE jti = ''";
}

/// Whether the tables answer.
pub(crate) async fn touch(db: &Db) -> Result<(), Problem> {
    let touched = db.find(TOUCH, values![]).await.and_then(|row| row.map(|row| row.number("tokens")).transpose());
    touched.map(drop).map_err(|error| {
        tracing::error!(%error, "authority's tables do not answer");
        Problem::new(&kinds::UNHEALTHY)
    })
}

/// A caller of the decoy world asked to change authority: it was answered, and changed nothing real.
pub(crate) fn alarm(app: &App, caller: &Caller, asked: &'static str) {
    alarms::watch(app, caller, &format!("asks to {asked}"));
}
