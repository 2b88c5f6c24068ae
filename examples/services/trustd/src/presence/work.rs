//! What the log's writer does for authenticators: each that is enrolled or removed leaves an entry.

use super::rules;
use super::store::{self, AuthenticatorRow};
use dualseal_operator::step::{Changes, State, Step};
use platform::db::{Row, Tx};
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;
use uuid::Uuid;

/// An authenticator that answered is enrolled.
pub(crate) struct Enrol {
    pub(crate) row: AuthenticatorRow,
    pub(crate) enrolment: Uuid,
    pub(crate) invitation: String,
    pub(crate) now: i64,
}

impl Work for Enrol {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<(), Problem> {
        let there = tx.find(store::FIND, values![&self.row.id, self.row.world.number()]).await?;
        if there.is_some() {
            return Err(Problem::new(&kinds::CONFLICT).detail("the authenticator is enrolled already"));
        }
        let others = tx.list(store::OF, values![self.row.identity_id.to_hex(), self.row.world.number()]).await?;
        if others.len() >= rules::MOST {
            return Err(Problem::new(&kinds::CONFLICT).detail("the identity has as many authenticators as it may"));
        }
        // Two natives bring the first one, and no more: a further one is vouched for by one that is present still.
        let invitation = tx.find(store::INVITATION, values![&self.invitation]).await?;
        let by = invitation.map(|row| row.maybe_text("agreed_by")).transpose()?.flatten();
        let vouches = |row: &Row| {
            let counts = row.number("counts_from").is_ok_and(|from| rules::counts(from, None, self.now));
            counts && row.text("id").ok() == by
        };
        if others.is_empty() || others.iter().any(vouches) {
            return Ok(());
        }
        Err(Problem::new(&kinds::CONFLICT).detail("an authenticator that is present vouches for a further one"))
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        let AuthenticatorRow { identity_id, kind, id, .. } = &self.row;
        step.append(identity_id, &format!("presence enrolled {} {id}", kind.as_str()))?;
        Ok(())
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        let Self { row, enrolment, invitation, now } = self;
        let spent = [
            tx.execute(store::USE_ENROLMENT, values![enrolment.to_string(), *now]).await?,
            tx.execute(store::USE_INVITATION, values![invitation, *now]).await?,
        ];
        // Whoever was a moment faster has it, and this is taken back.
        if spent != [1, 1] {
            return Err(Problem::new(&kinds::REQUEST_CLOSED));
        }
        let AuthenticatorRow { id, identity_id, kind, label, material, enrolled, counts_from, world } = row;
        let (identity_id, kind, world) = (identity_id.to_hex(), kind.as_str(), world.number());
        let values = values![id, identity_id, kind, label, material, *enrolled, *counts_from, world];
        tx.execute(store::ADD, values).await?;
        Ok(())
    }
}

/// An authenticator is removed.
pub(crate) struct Remove {
    pub(crate) row: AuthenticatorRow,
    pub(crate) now: i64,
}

impl Work for Remove {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<(), Problem> {
        let there = tx.find(store::FIND, values![&self.row.id, self.row.world.number()]).await?;
        there.map(drop).ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        let AuthenticatorRow { identity_id, kind, id, .. } = &self.row;
        step.append(identity_id, &format!("presence removed {} {id}", kind.as_str()))?;
        Ok(())
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        let removed = tx.execute(store::REMOVE, values![&self.row.id, self.now, self.row.world.number()]).await?;
        if removed == 1 { Ok(()) } else { Err(Problem::new(&kinds::UNKNOWN_ID)) }
    }
}
