//! What the log's writer does for a document: it is signed by the service's identity of drivers, or, where somebody
//! signs for what he did, by his own, and sealed by the service's; its effects are written with it.

use super::content::Filing;
use super::kept;
use super::rules::{Nalaz, Odluka, Tip};
use super::store::{self, Document, moment, photos};
use crate::App;
use crate::dsa::{counterfeit, may_sign};
use crate::fleet::{Entered, Measured, Vehicles};
use crate::keyed::keyed;
use crate::sealed::{self, By};
use crate::vault::{TRIES, Vault, seal};
use dualseal::seal::DualSeal;
use dualseal::{Domain, Entry, IdentityId, PublicKey};
use dualseal_operator::step::{Changes, State, Step, Ticket};
use http::StatusCode;
use platform::access::World;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::Work;
use platform::problem::{Problem, kinds};
use platform::secrets::OwnerKey;
use platform::values;
use std::sync::Arc;
use uuid::Uuid;

/// The identity by which the service signs for drivers.
///
/// # Errors
/// None: its name has no separator.
pub(crate) fn signer(domain: &Domain) -> Result<IdentityId, Problem> {
    Ok(domain.identity_id(b"documents of drivers", "trustd", "driver")?)
}

/// Gives the identity of drivers its key, where it has none.
///
/// # Errors
/// The log.
pub(crate) async fn founded(app: &App) -> Result<(), Problem> {
    keyed(app, signer(app.log.domain())?).await
}

/// Files a document, once: the same of the same name is answered with what is there, and the answer is not new.
///
/// # Errors
/// [`kinds::CONFLICT`] where another document has its name; what is named and is not there; the log.
pub(crate) async fn file(
    app: &App,
    vault: &Arc<Vault>,
    filing: Filing,
    (world, idempotency): (World, &Idempotency),
) -> Result<(Document, bool), Problem> {
    let owner = kept::owner(app, &filing.vozac, world)?;
    let (vozac, is_signed_by_him) = (filing.vozac, filing.is_his() && world == World::Real);
    let mut tries = 0;
    loop {
        let named = filing.asked.dokument_id.to_string();
        if let Some(document) = store::find(&app.db, &filing.vozac, &named, world).await? {
            if !filing.is_of(&kept::text(app, &document).await?) {
                return Err(Problem::new(&kinds::CONFLICT).detail("another document has this name"));
            }
            let mut tx = app.db.begin().await?;
            idempotency.store(&mut tx, StatusCode::OK, &document.out(app)).await?;
            tx.commit().await?;
            return Ok((document, false));
        }
        let (key, now) = (app.owners.current(&owner).await?, app.clock.millis());
        let (vault, filing, idempotency) = (Arc::clone(vault), filing.clone(), idempotency.clone());
        let filed = Filed { app: App::clone(app), vault, filing, key, world, now, idempotency };
        tries += 1;
        match app.log.submit(filed).await {
            // Its other copy was first, or the driver's key is another one by now.
            Err(problem) if problem.kind() == &kinds::CONFLICT && tries < TRIES => {}
            // All else of it holds: whoever signs for what he did has a key from then on.
            Err(problem) if is_signed_by_him && problem.kind() == &kinds::UNKNOWN_ID && tries < TRIES => {
                keyed(app, vozac).await?;
            }
            done => return done.map(|document| (document, true)),
        }
    }
}

/// A document that is filed.
struct Filed {
    app: App,
    vault: Arc<Vault>,
    filing: Filing,
    /// What its text hangs on.
    key: OwnerKey,
    world: World,
    now: i64,
    idempotency: Idempotency,
}

/// What a document is made of.
struct Ready {
    registracija: String,
    identity_id: IdentityId,
    content: String,
    link: String,
    /// Who signs, by which key of nobody's in the decoy's world.
    signer: (IdentityId, Option<PublicKey>),
    /// Who seals.
    sealer: (IdentityId, By),
}

/// Its signature's place in the log, and its seal with its own.
struct Placed {
    ticket: Ticket,
    seal: DualSeal,
    sealed: Entry,
}

impl Work for Filed {
    type Read = Ready;
    type Made = (Ready, Placed);
    type Answer = Document;

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Ready, Problem> {
        let (asked, world) = (&self.filing.asked, self.world);
        let (vozac, id) = (&self.filing.vozac, asked.dokument_id.to_string());
        if store::is_there(tx, vozac, &id, world).await? {
            return Err(Problem::new(&kinds::CONFLICT).detail("another document has this name"));
        }
        let vehicle = Vehicles::find(tx, &asked.vehicle_id.to_string(), world).await?;
        let vehicle =
            vehicle.ok_or_else(|| Problem::invalid("/vehicle_id", "unknown-value", "is no vehicle that is used"))?;
        for defect in asked.popravljeno.iter().flatten() {
            let of = values![defect, &vehicle.id, world.number()];
            if tx.find(store::IS_OPEN, of).await?.is_none() {
                return Err(Problem::invalid("/popravljeno", "unknown-value", "one is no open defect of this vehicle"));
            }
        }
        let mut named = Vec::new();
        for photo in self.filing.photos() {
            let found = photos::find_in(tx, photo, world).await?;
            let found =
                found.filter(|found| found.vozac == *vozac && found.out.dokument_id == id).ok_or_else(|| {
                    Problem::invalid("/stavke", "unknown-value", "a photo was not sent for this document")
                })?;
            named.push((found.out.identity_id, found.out.sha256));
        }
        let link = store::link(&store::token(&self.app, vozac, &id, world));
        let content = self.filing.text(&vehicle.registracija, &named, (&link, &moment(self.now)))?;
        let service = signer(self.app.log.domain())?;
        let signs = if self.filing.is_his() { *vozac } else { service };
        let (key, by) = match world {
            World::Decoy => {
                let key = counterfeit(&self.app, tx, &signs).await?.public_key().clone();
                (Some(key), By::Nobody(Box::new(counterfeit(&self.app, tx, &service).await?)))
            }
            World::Real => {
                may_sign(&self.app, tx, state, &signs).await?;
                (None, By::Itself(seal::signer(&self.app, tx, state.ring(), &service).await?))
            }
        };
        let identity_id = self.app.log.domain().identity_id(content.as_bytes(), &vozac.to_hex(), &id)?;
        let (registracija, signer, sealer) = (vehicle.registracija, (signs, key), (service, by));
        Ok(Ready { registracija, identity_id, content, link, signer, sealer })
    }

    fn step(&self, step: &mut Step<'_>, ready: Ready) -> Result<Self::Made, Problem> {
        let content = step.domain().content_hash(&ready.signer.0, ready.content.as_bytes());
        let ticket = match &ready.signer {
            (signer, Some(key)) => step.sign_as_decoy(signer, key, &content)?,
            (signer, None) => step.sign(signer, &content)?,
        };
        let (sealer, by) = &ready.sealer;
        let (seal, sealed) = sealed::seal(step, &self.vault, (sealer, by), &ready.content)?;
        step.keep(self.key.wrap(kept::text_place(&ready.identity_id)?, ready.content.as_bytes())?);
        Ok((ready, Placed { ticket, seal, sealed }))
    }

    async fn rows(&self, tx: &mut Tx, (ready, placed): Self::Made, changes: &Changes) -> Result<Document, Problem> {
        let Placed { ticket, seal, sealed } = placed;
        let record = changes.records.get(ticket.index()).ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
        let krunica = *record.krunica_hash();
        let entry = changes.entries.iter().find(|entry| entry.krunica_hash() == krunica);
        let seq = entry.ok_or_else(|| Problem::new(&kinds::INTERNAL))?.seq();
        let asked = &self.filing.asked;
        let document = Document {
            vozac: self.filing.vozac,
            identity_id: ready.identity_id,
            dokument_id: asked.dokument_id.to_string(),
            world: self.world,
            tip: asked.tip,
            vehicle: asked.vehicle_id.to_string(),
            registracija: ready.registracija,
            odluka: self.filing.odluka,
            vrijeme: asked.vrijeme.0.as_millis(),
            created: self.now,
            record: record.to_json(),
            krunica: krunica.to_string(),
            seq,
            seal: seal.to_string(),
            seal_krunica: sealed.krunica_hash().to_string(),
            seal_seq: sealed.seq(),
            link: ready.link,
        };
        document.add(tx).await?;
        self.app.owners.own(tx, &self.key, &kept::text_place(&document.identity_id)?).await?;
        self.effects(tx, &document).await?;
        self.idempotency.store(tx, StatusCode::CREATED, &document.out(&self.app)).await?;
        Ok(document)
    }
}

impl Filed {
    /// Defects that were found, those that are closed, whoever hears that a vehicle stays, a border that was crossed,
    /// kilometres that were read.
    async fn effects(&self, tx: &mut Tx, document: &Document) -> Result<(), Problem> {
        let (asked, world) = (&self.filing.asked, self.world.number());
        for (item, found) in asked.stavke.iter().flatten().filter(|(_, found)| found.nalaz != Nalaz::Ok) {
            let mut values = values![Uuid::now_v7().to_string(), world, &document.vehicle, document.vozac.to_hex()];
            values.extend(values![document.identity_id.to_hex(), item.as_str(), found.nalaz.as_str(), self.now]);
            tx.execute(store::DEFECT, values).await?;
        }
        for photo in self.filing.photos() {
            tx.execute(photos::NAMED, values![photo, world]).await?;
        }
        if document.odluka == Some(Odluka::NoGo) {
            let of = document.identity_id.to_hex();
            Vehicles::stays(&self.app, tx, &document.vehicle, self.world, (&of, self.now)).await?;
        }
        for defect in asked.popravljeno.iter().flatten() {
            let values = values![defect, &document.vehicle, world, document.identity_id.to_hex(), self.now];
            if tx.execute(store::CLOSE, values).await? != 1 {
                return Err(Problem::new(&kinds::CONFLICT).detail("a defect was closed meanwhile"));
            }
        }
        if let (Tip::BorderCrossing, Some(drzava)) = (asked.tip, &asked.drzava) {
            let (time, krunica) = (document.vrijeme, &document.krunica);
            let entered =
                Entered { vehicle: &document.vehicle, world: self.world, time, drzava, krunica, now: self.now };
            Vehicles::entered(tx, entered).await?;
        }
        if let Some(kilometri) = asked.kilometri {
            let (vehicle, time, krunica) = (&document.vehicle, document.vrijeme, &document.krunica);
            Vehicles::measured(tx, Measured { vehicle, time, kilometri, krunica, now: self.now }).await?;
        }
        Ok(())
    }
}
