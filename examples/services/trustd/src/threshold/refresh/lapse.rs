//! The end of what was prepared and never committed.

use super::{all_held, drop_prepared, forget_prepared, pending};
use crate::App;
use crate::threshold::rules::Event;
use crate::threshold::store::{self, Holding, RecordRow, SessionRow};
use dualseal::IdentityId;
use dualseal::id::SessionId;
use dualseal_operator::step::{Changes, State, Step};
use platform::db::Tx;
use platform::log::Work;
use platform::problem::Problem;
use platform::secrets::ErasureKeys;

/// Ends what was prepared of a session and never committed.
pub(in crate::threshold) async fn lapse(app: &App, session_id: SessionId) -> Result<(), Problem> {
    let (owners, now) = (app.owners.clone(), app.clock.millis());
    let keys = app.log.submit(LapseWork { session_id, owners, now }).await?;
    app.owners.end(&app.db, &app.log, &keys).await;
    Ok(())
}

struct LapseWork {
    session_id: SessionId,
    owners: ErasureKeys,
    now: i64,
}

impl Work for LapseWork {
    type Read = (SessionRow, Vec<(RecordRow, Vec<Holding>)>);
    type Made = Self::Read;
    /// Whose key is to be destroyed.
    type Answer = IdentityId;

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<Self::Read, Problem> {
        let session = store::hold_session(tx, &self.session_id).await?;
        let mut lapsed = pending(tx, &self.session_id).await?;
        lapsed.retain(|(row, _)| row.until.is_some_and(|until| until <= self.now));
        Ok((session, lapsed))
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        read.1.iter().try_for_each(|prepared| forget_prepared(step, prepared))?;
        Ok(read)
    }

    async fn rows(&self, tx: &mut Tx, (session, lapsed): Self::Made, _: &Changes) -> Result<IdentityId, Problem> {
        if lapsed.is_empty() {
            return Ok(session.keys);
        }
        for prepared in &lapsed {
            drop_prepared(tx, (&self.owners, &session), prepared).await?;
        }
        let all = all_held(&store::holdings(tx, &session.split_id).await?);
        if let Some(next) = session.state.after(Event::Lapsed { all }) {
            session.go(tx, next, &session.split_id).await?;
        }
        Ok(session.keys)
    }

    fn is_alone(&self) -> bool {
        true
    }
}
