//! What the log's writer does for a document: it is signed by the service's identity of drivers, or, where somebody
//! signs for what he did, by his own; its effects are written with it.

use super::content::Filing;
use super::rules::{Nalaz, Tip};
use super::store::{self, Document, moment};
use crate::App;
use crate::dsa::may_sign;
use crate::fleet::{Entered, Vehicles};
use crate::personal::Personal;
use dualseal::encoding::hex;
use dualseal::rand_core::TryRng as _;
use dualseal::{Domain, Entry, IdentityId, SigningKey, SystemRng};
use dualseal_operator::step::{Changes, State, Step, Ticket};
use http::StatusCode;
use platform::access::World;
use platform::db::Tx;
use platform::idempotency::Idempotency;
use platform::log::{Work, seed_place};
use platform::problem::{Problem, kinds};
use platform::values;
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

/// Gives an identity a key, where it has none.
///
/// # Errors
/// The log.
pub(super) async fn keyed(app: &App, identity_id: IdentityId) -> Result<(), Problem> {
    if app.log.state().await?.ring().info(&identity_id).is_some() {
        return Ok(());
    }
    app.log.submit(Keyed { app: App::clone(app), identity_id }).await
}

struct Keyed {
    app: App,
    identity_id: IdentityId,
}

impl Work for Keyed {
    type Read = ();
    type Made = ();
    type Answer = ();

    async fn read(&self, _: &mut Tx, _: &State) -> Result<(), Problem> {
        Ok(())
    }

    fn step(&self, step: &mut Step<'_>, (): ()) -> Result<(), Problem> {
        if step.ring().info(&self.identity_id).is_none() {
            let key = SigningKey::generate(&mut SystemRng)?;
            step.add_key(&self.identity_id, key.public_key())?;
            step.keep(self.app.secrets.seal(seed_place(key.public_key())?, key.seed().expose())?);
        }
        Ok(())
    }

    async fn rows(&self, _: &mut Tx, (): (), _: &Changes) -> Result<(), Problem> {
        Ok(())
    }
}

/// A document that is filed.
pub(crate) struct Filed {
    pub(crate) app: App,
    pub(crate) filing: Filing,
    pub(crate) world: World,
    pub(crate) now: i64,
    pub(crate) idempotency: Idempotency,
}

/// What a document is made of.
pub(crate) struct Ready {
    registracija: String,
    content: String,
    token: String,
    signer: IdentityId,
    /// In the decoy's world nothing is signed.
    decoy: Option<Personal>,
}

/// Its place in the log.
pub(crate) enum Placed {
    Signed(Ticket),
    Entry(Entry),
}

impl Work for Filed {
    type Read = Result<Ready, Box<Document>>;
    type Made = Result<(Ready, Placed), Box<Document>>;
    /// The document, and whether it is new.
    type Answer = (Document, bool);

    async fn read(&self, tx: &mut Tx, state: &State) -> Result<Self::Read, Problem> {
        let (asked, world) = (&self.filing.asked, self.world);
        let (vozac, id) = (&self.filing.vozac, asked.dokument_id.to_string());
        if let Some(document) = store::find(tx, vozac, &id, world).await? {
            // Whoever sends it again has it.
            if document.asked == self.filing.fingerprint()? {
                return Ok(Err(Box::new(document)));
            }
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
        let mut photos = Vec::new();
        for photo in self.filing.photos() {
            let row = tx.find(store::PHOTO, values![photo, vozac.to_hex(), world.number()]).await?;
            let found = row.as_ref().map(store::photo).transpose()?.filter(|(found, _)| found.dokument_id == id);
            let (found, _) = found.ok_or_else(|| {
                Problem::invalid("/stavke", "unknown-value", "a photo was not sent for this document")
            })?;
            photos.push((found.identity_id, found.sha256));
        }
        let content = self.filing.text(&vehicle.registracija, &photos, &moment(self.now))?;
        let mut token = [0; 32];
        SystemRng.try_fill_bytes(&mut token).map_err(|_| dualseal::Error::Randomness)?;
        let signer = if self.filing.is_his() { *vozac } else { signer(self.app.log.domain())? };
        let decoy = match world {
            World::Decoy => Some(Personal::draw(content.clone())?),
            World::Real => {
                may_sign(&self.app, tx, state, &signer).await?;
                None
            }
        };
        let (registracija, token) = (vehicle.registracija, hex::encode(&token));
        Ok(Ok(Ready { registracija, content, token, signer, decoy }))
    }

    fn step(&self, step: &mut Step<'_>, read: Self::Read) -> Result<Self::Made, Problem> {
        let ready = match read {
            Ok(ready) => ready,
            Err(document) => return Ok(Err(document)),
        };
        let placed = if let Some(personal) = &ready.decoy {
            Placed::Entry(personal.append(step)?)
        } else {
            let content = step.domain().content_hash(&ready.signer, ready.content.as_bytes());
            Placed::Signed(step.sign(&ready.signer, &content)?)
        };
        Ok(Ok((ready, placed)))
    }

    async fn rows(&self, tx: &mut Tx, made: Self::Made, changes: &Changes) -> Result<Self::Answer, Problem> {
        let (ready, placed) = match made {
            Ok(made) => made,
            Err(document) => {
                self.idempotency.store(tx, StatusCode::OK, &document.out(&self.app)).await?;
                return Ok((*document, false));
            }
        };
        let (record, krunica) = match placed {
            Placed::Signed(ticket) => {
                let record = changes.records.get(ticket.index()).ok_or_else(|| Problem::new(&kinds::INTERNAL))?;
                (Some(record.to_json()), *record.krunica_hash())
            }
            Placed::Entry(entry) => (None, entry.krunica_hash()),
        };
        let entry = changes.entries.iter().find(|entry| entry.krunica_hash() == krunica);
        let seq = entry.ok_or_else(|| Problem::new(&kinds::INTERNAL))?.seq();
        let (asked, vozac) = (&self.filing.asked, self.filing.vozac);
        let dokument_id = asked.dokument_id.to_string();
        let domain = self.app.log.domain();
        let document = Document {
            vozac,
            identity_id: domain.identity_id(ready.content.as_bytes(), &vozac.to_hex(), &dokument_id)?,
            dokument_id,
            world: self.world,
            tip: asked.tip,
            vehicle: asked.vehicle_id.to_string(),
            registracija: ready.registracija,
            odluka: self.filing.odluka,
            vrijeme: asked.vrijeme.0.as_millis(),
            created: self.now,
            asked: self.filing.fingerprint()?,
            content: ready.content,
            record,
            krunica: krunica.to_string(),
            seq,
            token: ready.token,
        };
        document.add(tx).await?;
        self.effects(tx, &document).await?;
        self.idempotency.store(tx, StatusCode::CREATED, &document.out(&self.app)).await?;
        Ok((document, true))
    }
}

impl Filed {
    /// Defects that were found, those that are closed, a border that was crossed.
    async fn effects(&self, tx: &mut Tx, document: &Document) -> Result<(), Problem> {
        let (asked, world) = (&self.filing.asked, self.world.number());
        for (item, found) in asked.stavke.iter().flatten().filter(|(_, found)| found.nalaz != Nalaz::Ok) {
            let mut values = values![Uuid::now_v7().to_string(), world, &document.vehicle, document.vozac.to_hex()];
            values.extend(values![&document.dokument_id, item.as_str(), found.nalaz.as_str(), self.now]);
            tx.execute(store::DEFECT, values).await?;
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
        Ok(())
    }
}
