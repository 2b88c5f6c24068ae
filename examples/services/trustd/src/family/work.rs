//! What the log's writer does for a child and a memory: each is sealed or signed by the service's identity of children,
//! over a text with a drawn salt, so that the log confirms no guess. The text names no guardian.

use super::profile::identified;
use super::rules::Since;
use super::store::{Child, Guardian, Memory};
use super::texts::{enclose, key, key_place, moment, owner_of, shut};
use super::types::{KeptOut, RegisteredOut};
use crate::App;
use crate::daily::Today;
use crate::dsa::may_sign;
use crate::keyed::keyed;
use crate::messaging::Language;
use crate::vault::Vault;
use crate::vault::enclose::Signer;
use crate::vault::seal::signer as signing_key;
use dualseal::encoding::hex;
use dualseal::rand_core::TryRng as _;
use dualseal::seal::{SealKey, Sealer};
use dualseal::{Domain, Entry, IdentityId, SystemRng};
use dualseal_operator::secrets::ErasureKey;
use dualseal_operator::step::{Changes, State, Step, Ticket};
use http::StatusCode;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::OwnerKey;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// The identity by which the service seals and signs for children.
///
/// # Errors
/// None: its name has no separator.
pub(crate) fn signer(domain: &Domain) -> Result<IdentityId, Problem> {
    Ok(domain.identity_id(b"profiles and memories of children", "trustd", "family")?)
}

fn salt() -> Result<String, Problem> {
    let mut salt = [0; 32];
    SystemRng.try_fill_bytes(&mut salt).map_err(|_| dualseal::Error::Randomness)?;
    Ok(hex::encode(&salt))
}

/// What is kept for a guardian in a day.
fn today<'a>(app: &App, guardian: &'a Guardian) -> Today<'a> {
    Today::new((&guardian.id, guardian.world), "children and memories", app.config.limits.memories_daily)
}

/// Who is registered.
#[derive(Clone, Debug)]
pub(crate) struct Newborn {
    pub(crate) name: String,
    pub(crate) born: Date,
    pub(crate) language: Language,
    pub(crate) zone: (String, TimeZone),
    /// Which day it is there.
    pub(crate) today: i64,
}

struct Registered {
    app: App,
    vault: Arc<Vault>,
    guardian: Guardian,
    newborn: Newborn,
    id: IdentityId,
    text: String,
    now: i64,
    /// What its texts hang on.
    owner: OwnerKey,
    idempotency: Idempotency,
}

/// Registers a child: its profile is sealed.
///
/// # Errors
/// The log, the place apart.
pub(crate) async fn register(
    app: &App,
    vault: &Arc<Vault>,
    guardian: Guardian,
    newborn: Newborn,
    idempotency: Idempotency,
) -> Result<RegisteredOut, Problem> {
    let (domain, now, salt) = (app.log.domain(), app.clock.millis(), salt()?);
    keyed(app, signer(domain)?).await?;
    let text = json!({"vrsta": "profil", "ime": newborn.name, "rodjen": newborn.born.to_string(),
        "jezik": newborn.language, "zona": newborn.zone.0, "salt": salt, "vrijeme": moment(now)})
    .to_string();
    let id = identified(domain, &guardian, &text)?;
    let owner = app.owners.current(&id).await?;
    let (app_, vault) = (App::clone(app), Arc::clone(vault));
    let work = Registered { app: app_, vault, guardian, newborn, id, text, now, owner, idempotency };
    app.log.submit(work).await
}

impl Work for Registered {
    type Read = Signer;
    type Made = (dualseal::seal::DualSeal, dualseal::PublicKey, Entry);
    type Answer = RegisteredOut;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Signer, Problem> {
        let key = signing_key(&self.app, tx, state.ring(), &signer(self.app.log.domain())?).await?;
        today(&self.app, &self.guardian).count(tx, self.now).await?;
        Ok(key)
    }

    fn step(&self, step: &mut Step<'_>, signing: Signer) -> Result<Self::Made, Problem> {
        let (domain, by) = (self.app.log.domain(), signer(self.app.log.domain())?);
        let key = SealKey::derive(domain, self.vault.keys.master.secret(), &by);
        let sealer = Sealer::current(domain, step.ring(), &by, &key, &*signing)?;
        let unplaced = sealer.seal_unplaced(self.text.as_bytes(), &mut SystemRng)?;
        let entry = step.seal(&unplaced)?;
        Ok((unplaced.seal().clone(), unplaced.public_key().clone(), entry))
    }

    async fn rows(
        &self,
        tx: &mut Tx,
        (seal, sealed_by, entry): Self::Made,
        _: &Changes,
    ) -> Result<RegisteredOut, Problem> {
        let name = self.id.to_hex();
        let (key, profile) = enclose(self.app.log.domain(), &self.owner, &name, &self.text)?;
        self.app.secrets.put(tx, &key).await?;
        self.app.owners.own(tx, &self.owner, &key_place(&name)?).await?;
        let child = Child {
            id: self.id,
            guardian: self.guardian,
            profile,
            seal,
            sealed_by,
            krunica: entry.krunica_hash().to_string(),
            language: self.newborn.language,
            zone: self.newborn.zone.clone(),
            since: Since::begin(self.newborn.today),
            created: self.now,
        };
        child.add(tx).await?;
        // What is kept to be answered again opens by the master alone: nothing of the profile is in it.
        let answer = RegisteredOut {
            identity_id: name,
            seal_id: child.seal.seal_id().to_string(),
            created_at: moment(self.now),
            krunica_hash: child.krunica,
        };
        self.idempotency.store(tx, StatusCode::CREATED, &answer).await?;
        Ok(answer)
    }
}

/// What is to be remembered.
#[derive(Clone, Debug)]
pub(crate) enum Kept {
    /// In words.
    Text(String),
    /// An object.
    Object(Map<String, Value>),
}

/// A memory that is about to be kept.
pub(super) struct Remembered {
    app: App,
    guardian: Guardian,
    child: IdentityId,
    id: String,
    text: String,
    now: i64,
    /// What its key hangs on.
    owner: OwnerKey,
    /// The child's key.
    under: ErasureKey,
    idempotency: Idempotency,
}

/// Keeps a memory of a child: it is signed.
///
/// # Errors
/// [`kinds::NOT_GUARDIAN`]; [`kinds::ERASED`] of a child that came back with a backup; the log, the place apart.
pub(crate) async fn remember(
    app: &App,
    guardian: Guardian,
    child: IdentityId,
    kept: &Kept,
    idempotency: Idempotency,
) -> Result<KeptOut, Problem> {
    let work = prepare(app, guardian, child, kept, idempotency).await?;
    let made_for = *work.owner.owner();
    let done = app.log.submit(work).await;
    // Where it is unknown whether it was kept, the key stays.
    if done.as_ref().is_err_and(|problem| problem.status().is_client_error()) {
        app.owners.leave(&made_for).await;
    }
    done
}

/// Makes the text that is signed, and the key that it hangs on.
///
/// # Errors
/// As [`remember`].
pub(super) async fn prepare(
    app: &App,
    guardian: Guardian,
    child: IdentityId,
    kept: &Kept,
    idempotency: Idempotency,
) -> Result<Remembered, Problem> {
    if guardian.child(&app.db, app.authority.tags(), &child).await?.is_none() {
        return Err(Problem::new(&kinds::NOT_GUARDIAN));
    }
    let under = key(app, &child, &child.to_hex()).await?.ok_or_else(|| Problem::new(&kinds::ERASED))?;
    let (now, id) = (app.clock.millis(), Uuid::now_v7().to_string());
    let (member, said) = match kept {
        Kept::Text(text) => ("tekst", json!(text)),
        Kept::Object(object) => ("objekt", json!(object)),
    };
    let text = json!({"vrsta": "memorija", "dijete": child.to_hex(), member: said, "salt": salt()?,
        "vrijeme": moment(now)})
    .to_string();
    let owner = app.owners.begin(&owner_of(app.log.domain(), &id)?).await?;
    Ok(Remembered { app: App::clone(app), guardian, child, id, text, now, owner, under, idempotency })
}

impl Work for Remembered {
    type Read = ();
    type Made = Ticket;
    type Answer = KeptOut;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<(), Problem> {
        if self.guardian.hold(tx, self.app.authority.tags(), &self.child).await?.is_none() {
            return Err(Problem::new(&kinds::NOT_GUARDIAN));
        }
        may_sign(&self.app, tx, state, &signer(self.app.log.domain())?).await?;
        today(&self.app, &self.guardian).count(tx, self.now).await
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<Ticket, Problem> {
        let by = signer(self.app.log.domain())?;
        let content = step.domain().content_hash(&by, self.text.as_bytes());
        Ok(step.sign(&by, &content)?)
    }

    async fn rows(&self, tx: &mut Tx, ticket: Ticket, changes: &Changes) -> Result<KeptOut, Problem> {
        let record = changes.records.get(ticket.index()).ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
        let id = self.id.clone();
        let (key, content) = enclose(self.app.log.domain(), &self.owner, &id, &self.text)?;
        let content = shut(&self.under, &id, &content)?;
        self.app.secrets.put(tx, &key).await?;
        self.app.owners.own(tx, &self.owner, &key_place(&id)?).await?;
        let krunica = record.krunica_hash().to_string();
        let memory = Memory { id, content, record: record.to_json(), krunica, created: self.now };
        memory.add(tx, &self.child, &self.guardian).await?;
        let Memory { id: memorija_id, krunica: krunica_hash, .. } = memory;
        let answer = KeptOut { memorija_id, krunica_hash, created_at: moment(self.now) };
        self.idempotency.store(tx, StatusCode::CREATED, &answer).await?;
        Ok(answer)
    }
}
