//! Filing what came with a message, once its sender confirmed it: each attachment a document of his in the vault.

use super::contacts;
use super::handle::place;
use super::intents::Language;
use super::outbox::{Notice, put_to};
use super::replies::Reply;
use super::rules::Channel;
use super::service::Messaging;
use super::store;
use crate::App;
use crate::vault::file::file_with;
use crate::vault::seal::{Seal, Sealed};
use dualseal::IdentityId;
use dualseal_operator::step::{Changes, State, Step};
use platform::access::World;
use platform::db::{Row, Tx};
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The type of their records.
const TYPE: &str = "message-attachment";

/// Files what waits for it; one that cannot be filed keeps no other from it, and is sealed anew each time that it is
/// tried: each time later. What a crash interrupts is gone on with: an attachment goes when it was sealed.
pub(super) async fn turn(app: &App, messaging: &Arc<Messaging>) -> Result<(), Problem> {
    let (mut after, mut unfiled) = (String::new(), BTreeSet::new());
    loop {
        let rows = app.db.list(store::FILING, values![&after]).await?;
        let Some(last) = rows.iter().rev().find_map(|row| row.text("id").ok()) else {
            messaging.unfiled.keep(&unfiled);
            return Ok(());
        };
        after = last;
        for row in &rows {
            let (id, now) = (row.text("id").unwrap_or_default(), app.clock.millis());
            let waits = messaging.unfiled.waits(&id, now);
            if !waits && let Err(problem) = one(app, messaging, row).await {
                tracing::error!(%problem, "what came with a message is not filed yet");
                messaging.unfiled.failed(&id, now);
            } else if !waits {
                continue;
            }
            unfiled.insert(id);
        }
    }
}

async fn one(app: &App, messaging: &Arc<Messaging>, row: &Row) -> Result<(), Problem> {
    let (id, message, address) = (row.text("id")?, row.text("message")?, row.text("address")?);
    let language: Language = row.text("language")?.parse().map_err(|error| Problem::internal("messaging", &error))?;
    let found = app.db.find(store::FIND, values![&message]).await?;
    let contact = found.map(|row| row.maybe_text("contact")).transpose()?.flatten();
    let contact = match &contact {
        Some(contact) => contacts::find(&app.db, contact, World::Real).await?,
        None => None,
    };
    let Some(contact) = contact else {
        app.db.execute(store::FILED, values![id]).await?;
        return Ok(());
    };
    let reply = match contact.identity_id {
        None => Reply::NotFiled,
        Some(identity_id) => match attachments(app, messaging, &message, identity_id).await {
            Ok(count) => Reply::Filed(count),
            Err(problem) if is_of_identity(&problem) => Reply::NotFiled,
            Err(problem) => return Err(problem),
        },
    };
    let mut tx = app.db.begin().await?;
    let now = app.clock.millis();
    if tx.execute(store::FILED, values![id]).await? == 1 {
        let notice = Notice::reply(format!("filed:{message}"), &reply.text(language), now);
        let channel = if address.contains('@') { Channel::Email } else { Channel::Sms };
        put_to(&mut tx, (&contact.id, Some(&contact.id)), &[(channel, address)], &notice, now, World::Real).await?;
    }
    Ok(tx.commit().await?)
}

fn is_of_identity(problem: &Problem) -> bool {
    let of_identity =
        [&kinds::UNKNOWN_ID, &kinds::KEY_REVOKED, &kinds::KEY_SUSPENDED, &kinds::KEY_DECOY, &kinds::KEY_ELSEWHERE];
    of_identity.contains(&problem.kind())
}

async fn attachments(app: &App, messaging: &Arc<Messaging>, message: &str, of: IdentityId) -> Result<usize, Problem> {
    let rows = app.db.list(store::ATTACHED, values![message]).await?;
    for row in &rows {
        let number = usize::try_from(row.number("number")?).unwrap_or_default();
        let bytes = app.secrets.open(&place(message, number)?, row.bytes("stored")?)?;
        let with = |seal| Filed { seal, message: message.to_owned(), number };
        file_with(app, &messaging.vault, (of, TYPE), bytes.to_vec(), with).await?;
    }
    Ok(rows.len())
}

/// An attachment that goes where it is sealed: in one transaction, so that no stop has it sealed twice.
struct Filed {
    seal: Seal,
    message: String,
    number: usize,
}

impl Work for Filed {
    type Read = <Seal as Work>::Read;
    type Made = <Seal as Work>::Made;
    type Answer = Sealed;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Self::Read, Problem> {
        self.seal.read(tx, state).await
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        self.seal.step(step, read)
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, changes: &Changes) -> Result<Sealed, Problem> {
        let sealed = self.seal.rows(tx, made, changes).await?;
        // Another process has sealed it meanwhile: what is left is looked for again.
        if tx.execute(store::DETACH, values![&self.message, self.number]).await? != 1 {
            return Err(Problem::new(&kinds::CONFLICT));
        }
        Ok(sealed)
    }
}
