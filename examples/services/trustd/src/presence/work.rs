//! What the log's writer does for authenticators: each that is enrolled or removed leaves an entry.

use super::rules;
use super::store::{self, AuthenticatorRow, InvitationRow, Terms};
use super::told;
use super::verify::enrolled;
use crate::messaging::{Notice, Outbox};
use dualseal_operator::step::{Changes, State, Step};
use platform::access::World;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;
use uuid::Uuid;

/// How long it is worth to be told of an enrolment: a week.
const TOLD: i64 = 7 * 24 * 3_600_000;

/// An authenticator that answered is enrolled.
pub(crate) struct Enrol {
    pub(crate) row: AuthenticatorRow,
    pub(crate) enrolment: Uuid,
    pub(crate) invitation: String,
    pub(crate) now: i64,
    pub(crate) terms: Terms,
}

impl Work for Enrol {
    type Read = ();
    /// Where its entry stands.
    type Made = u64;
    type Answer = ();

    async fn read(&self, tx: &mut Tx, _: &State) -> Result<(), Problem> {
        let there = tx.find(store::FIND, values![&self.row.id, self.row.world.number()]).await?;
        if there.is_some() {
            return Err(Problem::new(&kinds::CONFLICT).detail("the authenticator is enrolled already"));
        }
        let others = tx.list(store::OF, values![self.row.identity_id.to_hex(), self.row.world.number()]).await?;
        let others = AuthenticatorRow::read_all(&self.terms, &others)?;
        if others.len() >= rules::MOST {
            return Err(Problem::new(&kinds::CONFLICT).detail("the identity has as many authenticators as it may"));
        }
        // Two natives bring the first one, and no more: a further one is vouched for by one that is present still.
        let invitation = InvitationRow::find(&self.terms, tx, &self.invitation).await?;
        // Whoever writes the database puts no other identity into what was begun.
        let invitation = invitation.filter(|found| found.identity_id == self.row.identity_id);
        let InvitationRow { agreed_by: by, by_host, .. } =
            invitation.ok_or_else(|| Problem::new(&kinds::REQUEST_CLOSED))?;
        let vouches =
            |row: &AuthenticatorRow| rules::counts(row.counts_from, None, self.now) && Some(&row.id) == by.as_ref();
        if others.iter().any(vouches) {
            return Ok(());
        }
        if others.is_empty() {
            let whose = values![self.row.identity_id.to_hex(), self.row.world.number()];
            if by_host || tx.find(store::REMOVED, whose).await?.is_none() {
                return Ok(());
            }
            // Or one native would remove all that there are, and bring the first one.
            let why = "its authenticators were removed: the command line of the host invites, or agrees";
            return Err(Problem::new(&kinds::CONFLICT).detail(why));
        }
        Err(Problem::new(&kinds::CONFLICT).detail("an authenticator that is present vouches for a further one"))
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<u64, Problem> {
        let AuthenticatorRow { identity_id, kind, material, .. } = &self.row;
        let said =
            enrolled(*kind, material).ok_or_else(|| Problem::internal("presence", &"an authenticator is none"))?;
        Ok(step.append(identity_id, &said)?.seq())
    }

    async fn rows(&self, tx: &mut Tx, seq: u64, _: &Changes) -> Result<(), Problem> {
        let Self { row, enrolment, invitation, now, terms } = self;
        let spent = store::spend(terms, tx, enrolment, *now).await?
            && InvitationRow::spend(terms, tx, invitation, *now).await?;
        // Whoever was a moment faster has it, and this is taken back.
        if !spent {
            return Err(Problem::new(&kinds::REQUEST_CLOSED));
        }
        let entry = Some(i64::try_from(seq).map_err(|error| Problem::internal("presence", &error))?);
        AuthenticatorRow { entry, ..row.clone() }.add(terms, tx).await?;
        if row.world == World::Real {
            // Whose it is to be hears of it while there is time to object.
            let notice = |language| Notice {
                once: format!("enrolled:{enrolment}"),
                subject: told::subject(language),
                text: told::enrolled(row.counts_from, language),
                is_alarm: true,
                expires: now.saturating_add(TOLD),
            };
            Outbox::tell(tx, &row.identity_id, *now, notice).await?;
        }
        Ok(())
    }
}

/// An authenticator is removed.
pub(crate) struct Remove {
    pub(crate) row: AuthenticatorRow,
    pub(crate) now: i64,
    pub(crate) terms: Terms,
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
        self.row.remove(&self.terms, tx, self.now).await
    }
}
