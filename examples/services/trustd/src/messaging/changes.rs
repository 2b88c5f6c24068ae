//! What the log's writer does for contacts: each that is made, changed or erased leaves an entry.

use super::contacts::{
    Change, Contact, ERASE, ERASE_ATTACHED, ERASE_IN, ERASE_OUT, ERASE_REPORTS, by_address, find_in,
};
use super::people::ContactOut;
use super::rules::Channel;
use crate::personal::{self, Personal};
use dualseal::Entry;
use dualseal_operator::step::{Changes, State as LogState, Step};
use http::StatusCode;
use platform::access::World;
use platform::db::Tx;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;

/// A native's change: row and entry at once.
pub(crate) struct Changing(pub(crate) Change);

impl Work for Changing {
    type Read = Personal;
    type Made = (Personal, Entry);
    type Answer = ContactOut;

    async fn read(&self, tx: &mut Tx, _: &LogState) -> Result<Personal, Problem> {
        let Contact { id, phone, email, .. } = &self.0.contact;
        for (channel, address) in [(Channel::Sms, phone), (Channel::Email, email)] {
            let Some(address) = address.as_ref().filter(|_| self.0.world == World::Real) else { continue };
            if by_address(tx, channel, address).await?.is_some_and(|other| other.id != *id) {
                return Err(Problem::new(&kinds::CONFLICT).detail("another contact has this address"));
            }
        }
        self.0.personal()
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(Personal, Entry), Problem> {
        let entry = personal.append(step)?;
        Ok((personal, entry))
    }

    async fn rows(&self, tx: &mut Tx, (personal, entry): Self::Made, _: &Changes) -> Result<Self::Answer, Problem> {
        self.0.row(tx).await?;
        personal.keep(tx, &entry, ("contacts", &self.0.contact.id)).await?;
        let status = if self.0.contact.version == 1 { StatusCode::CREATED } else { StatusCode::OK };
        let answer = ContactOut::from(self.0.contact.clone());
        self.0.idempotency.store(tx, status, &answer).await?;
        Ok(answer)
    }
}

/// Takes all of a person away: what is left is an entry that says so of nobody.
pub(crate) struct Erasing(pub(crate) String, pub(crate) World);

impl Work for Erasing {
    type Read = Personal;
    type Made = ();
    type Answer = ();

    async fn read(&self, tx: &mut Tx, _: &LogState) -> Result<Personal, Problem> {
        let contact = find_in(tx, &self.0, self.1).await?.ok_or_else(|| Problem::new(&kinds::UNKNOWN_ID))?;
        Personal::draw(contact.said("erased"))
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(), Problem> {
        personal.append(step).map(drop)
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        for statement in [ERASE_ATTACHED, ERASE_IN, ERASE_OUT, ERASE_REPORTS] {
            tx.execute(statement, values![&self.0]).await?;
        }
        personal::erase(tx, ("contacts", &self.0)).await?;
        tx.execute(ERASE, values![&self.0, self.1.number()]).await?;
        Ok(())
    }
}
