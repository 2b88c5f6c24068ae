//! What the log's writer does for documents: each that is registered, changed or erased leaves an entry, under a
//! pseudonym.

use super::fields::File;
use super::rules::{next_due, plan};
use super::store::{self, Document};
use super::types::DocumentOut;
use super::watch::about;
use crate::messaging::Outbox;
use crate::personal::{self, Personal};
use crate::vault::Vault;
use crate::vault::file::{file_decoy, file_with};
use crate::vault::seal::Seal;
use crate::{App, dsa};
use dualseal::{Entry, VaultId};
use dualseal_operator::step::{Changes, State, Step};
use http::StatusCode;
use platform::access::{Caller, World};
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::values;
use serde_json::json;
use std::sync::Arc;

/// Its rows in the log of persons.
pub(super) const TABLE: &str = "documents";

/// What an entry is to say of a document.
fn said(document: &Document, what: &str) -> String {
    let Document { identity_id, vlasnik_id, tip, naslov, vrijedi_do, zona, archived, vault_id, version, .. } = document;
    json!({"document": identity_id.to_hex(), "what": what, "owner": vlasnik_id.to_hex(), "tip": tip, "naslov": naslov,
        "vrijedi_do": vrijedi_do.to_string(), "zona": zona.0, "archived": archived, "vault_id": vault_id,
        "version": version})
    .to_string()
}

/// A document as it is from now on; its version is the next one, and 1 where it is new.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) app: App,
    pub(crate) document: Document,
    pub(crate) now: i64,
    pub(crate) idempotency: Idempotency,
}

impl Written {
    fn says(&self) -> Result<Personal, Problem> {
        Personal::draw(said(&self.document, if self.document.version == 1 { "registered" } else { "changed" }))
    }
}

impl Work for Written {
    type Read = Personal;
    type Made = (Personal, Entry);
    type Answer = DocumentOut;

    async fn read(&self, _: &mut Tx, _: &State) -> Result<Personal, Problem> {
        self.says()
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(Personal, Entry), Problem> {
        let entry = personal.append(step)?;
        Ok((personal, entry))
    }

    async fn rows(&self, tx: &mut Tx, (personal, entry): Self::Made, _: &Changes) -> Result<DocumentOut, Problem> {
        let mut document = self.document.clone();
        document.krunica = entry.krunica_hash().to_string();
        let (id, thresholds) = (document.identity_id.to_hex(), &self.app.config.lifecycle.thresholds);
        let due = next_due(document.vrijedi_do, &document.zona.1, thresholds, None);
        let (plan, is_new) = (plan(thresholds), document.version == 1);
        let Document { world, vlasnik_id, tip, naslov, vrijedi_do, zona, archived, kontekst, .. } = &document;
        let (world, archived, until) = (world.number(), i64::from(*archived), vrijedi_do.to_string());
        let (contact, vault_id) = (document.contact.clone(), document.vault_id.clone());
        let (version, date_version, krunica) = (document.version, document.date_version, &document.krunica);
        let (statement, values) = if is_new {
            let mut values = values![&id, world, vlasnik_id.to_hex(), tip, naslov, until, &zona.0, archived, kontekst];
            values.extend(values![contact, vault_id, version, date_version, due, plan, krunica, self.now]);
            (store::ADD, values)
        } else {
            let mut values = values![&id, world, naslov, until, archived, contact, vault_id, version];
            values.extend(values![date_version, due, plan, krunica, self.now]);
            (store::CHANGE, values)
        };
        if tx.execute(statement, values).await? != 1 {
            return Err(Problem::new(&kinds::CONFLICT).detail("the document was changed meanwhile"));
        }
        store::index(tx, &document).await?;
        personal.keep(tx, &entry, (TABLE, &id)).await?;
        let answer = document.out(self.now, thresholds);
        self.idempotency.store(tx, if is_new { StatusCode::CREATED } else { StatusCode::OK }, &answer).await?;
        Ok(answer)
    }
}

/// A document that is written with its file: in one transaction, so that no stop between them leaves a file that no
/// document names, and the same request, sent again, seals no second one.
pub(super) struct Filed {
    pub(super) seal: Seal,
    pub(super) written: Written,
}

impl Filed {
    fn named(&self, vault_id: &VaultId) -> Written {
        let mut written = self.written.clone();
        written.document.vault_id = Some(vault_id.to_hex());
        written
    }
}

impl Work for Filed {
    type Read = <Seal as Work>::Read;
    type Made = (<Seal as Work>::Made, <Written as Work>::Made);
    type Answer = DocumentOut;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Self::Read, Problem> {
        self.seal.read(tx, state).await
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        let sealed = self.seal.step(step, read)?;
        let written = self.named(&sealed.1);
        Ok((sealed, written.step(step, written.says()?)?))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, changes: &Changes) -> Result<DocumentOut, Problem> {
        let (sealed, entered) = made;
        self.seal.rows(tx, sealed, changes).await?;
        self.named(&sealed.1).rows(tx, entered, changes).await
    }
}

/// Writes a document with its file.
///
/// # Errors
/// [`kinds::CONFLICT`] where it was changed meanwhile; as [`file_with`] says.
pub(super) async fn written(
    vault: &Arc<Vault>,
    caller: &Caller,
    mut written: Written,
    file: File,
) -> Result<DocumentOut, Problem> {
    let (app, owner, tip) = (App::clone(&written.app), written.document.vlasnik_id, written.document.tip.clone());
    match file {
        File::Unchanged => {}
        File::Named(vault_id) => written.document.vault_id = Some(vault_id.to_hex()),
        File::New(bytes) if caller.world == World::Real => {
            let with = |seal| Filed { seal, written: written.clone() };
            let filed = file_with(&app, vault, (owner, &tip), bytes, with).await;
            return filed.map_err(|problem| dsa::masked(problem, caller, &owner));
        }
        File::New(bytes) => {
            let vault_id = file_decoy(&app, vault, caller, (owner, &tip), bytes).await?;
            written.document.vault_id = Some(vault_id.to_hex());
        }
    }
    app.log.submit(written).await
}

/// Takes all of a document away: what is left is an entry that says so of nothing.
pub(crate) struct Erased(pub(crate) Document);

impl Work for Erased {
    type Read = Personal;
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<Personal, Problem> {
        Personal::draw(said(&self.0, "erased"))
    }

    fn step(&self, step: &mut Step<'_>, personal: Personal) -> Result<(), Problem> {
        personal.append(step).map(drop)
    }

    async fn rows(&self, tx: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        let id = self.0.identity_id.to_hex();
        if store::erase(tx, &id, self.0.world).await? != 1 {
            return Err(Problem::new(&kinds::UNKNOWN_ID));
        }
        Outbox::forget(tx, &about(&id)).await?;
        Ok(personal::erase(tx, (TABLE, &id)).await?)
    }
}
