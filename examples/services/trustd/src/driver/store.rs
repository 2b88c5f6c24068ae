//! Rows of documents and defects, and, in `photos`, those of photos.

pub(crate) mod photos;

use super::rules::{Odluka, Tip};
use super::types::{DefectOut, DocumentOut, Lanac};
use crate::App;
use dualseal::encoding::hex;
use dualseal::hash::Sha3_256;
use dualseal::{IdentityId, Timestamp};
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::secrets::Tagged;
use platform::values;

statements! {
    TOUCH = "SELECT COUNT(*) AS found FROM driver_documents WHERE dokument_id = ''";
    FIND = "SELECT vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, vrijeme, created, \
            record, krunica, seq, seal, seal_krunica, seal_seq, link FROM driver_documents \
            WHERE vozac = $1 AND dokument_id = $2 AND world = $3";
    BY_LINK = "SELECT vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, vrijeme, created, \
                record, krunica, seq, seal, seal_krunica, seal_seq, link FROM driver_documents WHERE link = $1";
    RECENT = "SELECT vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, vrijeme, created, \
              record, krunica, seq, seal, seal_krunica, seal_seq, link FROM driver_documents \
              WHERE vozac = $1 AND world = $2 AND (created < $3 OR (created = $3 AND dokument_id < $4)) \
              ORDER BY created DESC, dokument_id DESC LIMIT $5";
    BY_IDENTITY = "SELECT vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, vrijeme, \
                   created, record, krunica, seq, seal, seal_krunica, seal_seq, link FROM driver_documents \
                   WHERE identity_id = $1 AND world = $2";
    OF_VEHICLE = "SELECT vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, vrijeme, created, \
                  record, krunica, seq, seal, seal_krunica, seal_seq, link FROM driver_documents \
                  WHERE vehicle = $1 AND world = $2 AND (created < $3 OR (created = $3 AND identity_id < $4)) \
                  ORDER BY created DESC, identity_id DESC LIMIT $5";
    BETWEEN = "SELECT vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, vrijeme, created, \
               record, krunica, seq, seal, seal_krunica, seal_seq, link FROM driver_documents \
               WHERE vozac = $1 AND vehicle = $2 AND world = $3 AND tip IN ('PRE_TRIP_CHECK', 'BORDER_CROSSING') \
               AND vrijeme BETWEEN $4 AND $5 ORDER BY vrijeme, created, dokument_id LIMIT $6";
    ADD = "INSERT INTO driver_documents (vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, \
           vrijeme, created, record, krunica, seq, seal, seal_krunica, seal_seq, link) \
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    IS_THERE = locking "SELECT identity_id FROM driver_documents WHERE identity_id = $1 AND world = $2";
    OF_DRIVER = "SELECT identity_id FROM driver_documents WHERE vozac = $1 AND world = $2 LIMIT $3";
    DROP = "DELETE FROM driver_documents WHERE identity_id = $1 AND world = $2";
    /// A defect is the vehicle's; who found it goes.
    FORGET = "UPDATE driver_defects SET vozac = '', dokument = NULL WHERE vozac = $1 AND world = $2";
    /// One of an item of a vehicle is open: found again, it is the worse of both.
    DEFECT = "INSERT INTO driver_defects (id, world, vehicle, vozac, dokument, stavka, razina, created) \
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (vehicle, world, stavka) WHERE closed IS NULL \
              DO UPDATE SET razina = CASE WHEN excluded.razina = 'critical' THEN excluded.razina \
              ELSE driver_defects.razina END";
    OPEN = "SELECT id, stavka, razina, created, dokument FROM driver_defects WHERE vehicle = $1 AND world = $2 \
            AND closed IS NULL AND (created < $3 OR (created = $3 AND id < $4)) ORDER BY created DESC, id DESC LIMIT \
            $5";
    IS_OPEN = "SELECT 1 AS one FROM driver_defects WHERE id = $1 AND vehicle = $2 AND world = $3 AND closed IS NULL";
    CLOSE = "UPDATE driver_defects SET closed = $4, closed_at = $5 \
             WHERE id = $1 AND vehicle = $2 AND world = $3 AND closed IS NULL";
}

/// A document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) vozac: IdentityId,
    pub(crate) dokument_id: String,
    pub(crate) world: World,
    pub(crate) identity_id: IdentityId,
    pub(crate) tip: Tip,
    pub(crate) vehicle: String,
    pub(crate) registracija: String,
    pub(crate) odluka: Option<Odluka>,
    pub(crate) vrijeme: i64,
    pub(crate) created: i64,
    /// In the decoy's world by a key that counts for nothing, as the seal.
    pub(crate) record: String,
    pub(crate) krunica: String,
    pub(crate) seq: u64,
    /// The dual seal, and its own entry.
    pub(crate) seal: String,
    pub(crate) seal_krunica: String,
    pub(crate) seal_seq: u64,
    /// SHA3-256 of the token of its link.
    pub(crate) link: String,
}

impl Document {
    fn of(row: &Row) -> Result<Self, DbError> {
        let name = |column: &'static str| row.text(column)?.parse().map_err(|_| DbError::Column(column));
        let odluka = row.maybe_text("odluka")?.map(|text| text.parse()).transpose();
        Ok(Self {
            vozac: name("vozac")?,
            dokument_id: row.text("dokument_id")?,
            world: World::of_number(row.number("world")?),
            identity_id: name("identity_id")?,
            tip: row.text("tip")?.parse().map_err(|_| DbError::Column("tip"))?,
            vehicle: row.text("vehicle")?,
            registracija: row.text("registracija")?,
            odluka: odluka.map_err(|_| DbError::Column("odluka"))?,
            vrijeme: row.number("vrijeme")?,
            created: row.number("created")?,
            record: row.text("record")?,
            krunica: row.text("krunica")?,
            seq: row.size("seq")?,
            seal: row.text("seal")?,
            seal_krunica: row.text("seal_krunica")?,
            seal_seq: row.size("seal_seq")?,
            link: row.text("link")?,
        })
    }

    /// As answers have it.
    pub(crate) fn out(&self, app: &App) -> DocumentOut {
        let base = app.config.base_url.as_str().trim_end_matches('/');
        DocumentOut {
            dokument_id: self.dokument_id.clone(),
            identity_id: self.identity_id.to_hex(),
            tip: self.tip,
            odluka: self.odluka,
            vehicle_id: self.vehicle.clone(),
            registracija: self.registracija.clone(),
            vrijeme: moment(self.vrijeme),
            zaprimljeno: moment(self.created),
            lanac: Lanac::at(base, &self.krunica, self.seq),
            pecat: Lanac::at(base, &self.seal_krunica, self.seal_seq),
            provjera: format!("{base}/driver/v/{}", token(app, &self.vozac, &self.dokument_id, self.world)),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// The database; one of its name that was written meanwhile.
    pub(crate) async fn add(&self, tx: &mut Tx) -> Result<(), DbError> {
        let mut values = values![self.vozac.to_hex(), &self.dokument_id, self.world.number()];
        values.extend(values![self.identity_id.to_hex(), self.tip.as_str(), &self.vehicle, &self.registracija]);
        values.extend(values![self.odluka.map(Odluka::as_str), self.vrijeme, self.created]);
        values.extend(values![&self.record, &self.krunica, self.seq, &self.seal, &self.seal_krunica]);
        values.extend(values![self.seal_seq, &self.link]);
        tx.execute(ADD, values).await.map(drop)
    }
}

/// The token of a document's link, which stands nowhere: it is made of the document's name by a key under the master.
pub(crate) fn token(app: &App, vozac: &IdentityId, dokument_id: &str, world: World) -> String {
    let table = Tagged { table: "driver_links", columns: &[], tag: "token" };
    let named = values![vozac.to_hex(), dokument_id, world.number()];
    hex::encode(&Sha3_256::digest(&app.authority.tags().tag(&table, &named)))
}

/// What of a token stands in the row and in the signed text.
pub(crate) fn link(token: &str) -> String {
    hex::encode(&Sha3_256::digest(token.as_bytes()))
}

/// A moment, as answers have it.
pub(crate) fn moment(millis: i64) -> String {
    Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN).to_string()
}

/// A driver's document of a name.
pub(crate) async fn find(
    db: &Db,
    vozac: &IdentityId,
    dokument_id: &str,
    world: World,
) -> Result<Option<Document>, DbError> {
    let found = db.find(FIND, values![vozac.to_hex(), dokument_id, world.number()]).await?;
    found.as_ref().map(Document::of).transpose()
}

/// Whether there is one.
pub(crate) async fn is_there(
    tx: &mut Tx,
    vozac: &IdentityId,
    dokument_id: &str,
    world: World,
) -> Result<bool, DbError> {
    Ok(tx.find(FIND, values![vozac.to_hex(), dokument_id, world.number()]).await?.is_some())
}

/// The identities of some of a driver's.
pub(crate) async fn of_driver(
    tx: &mut Tx,
    vozac: &IdentityId,
    world: World,
    limit: u32,
) -> Result<Vec<IdentityId>, DbError> {
    let rows = tx.list(OF_DRIVER, values![vozac.to_hex(), world.number(), limit]).await?;
    let read = |row: &Row| row.text("identity_id")?.parse().map_err(|_| DbError::Column("identity_id"));
    rows.iter().map(read).collect()
}

/// The document of a link.
pub(crate) async fn by_token(db: &Db, token: &str) -> Result<Option<Document>, DbError> {
    db.find(BY_LINK, values![link(token)]).await?.as_ref().map(Document::of).transpose()
}

/// The document of an identity.
pub(crate) async fn by_identity(db: &Db, identity_id: &IdentityId, world: World) -> Result<Option<Document>, DbError> {
    db.find(BY_IDENTITY, values![identity_id.to_hex(), world.number()]).await?.as_ref().map(Document::of).transpose()
}

/// A vehicle's documents, the newest first.
pub(crate) async fn of_vehicle(
    db: &Db,
    (vehicle, world): (&str, World),
    after: Option<(i64, String)>,
    most: u32,
) -> Result<Vec<Document>, DbError> {
    let (created, id) = after.unwrap_or((i64::MAX, String::new()));
    db.list(OF_VEHICLE, values![vehicle, world.number(), created, id, most]).await?.iter().map(Document::of).collect()
}

/// A driver's inspections and crossings of a vehicle between two times, in the order of their own times.
pub(crate) async fn between(
    db: &Db,
    (vozac, vehicle, world): (&IdentityId, &str, World),
    (from, to): (i64, i64),
    most: u32,
) -> Result<Vec<Document>, DbError> {
    let values = values![vozac.to_hex(), vehicle, world.number(), from, to, most];
    db.list(BETWEEN, values).await?.iter().map(Document::of).collect()
}

/// A driver's documents, the newest first.
pub(crate) async fn recent(
    db: &Db,
    vozac: &IdentityId,
    world: World,
    after: Option<(i64, String)>,
    most: u32,
) -> Result<Vec<Document>, DbError> {
    let (created, id) = after.unwrap_or((i64::MAX, String::new()));
    let values = values![vozac.to_hex(), world.number(), created, id, most];
    db.list(RECENT, values).await?.iter().map(Document::of).collect()
}

/// A page of the open defects of a vehicle, the newest first, each with its time in milliseconds.
pub(crate) async fn open(
    db: &Db,
    (vehicle, world): (&str, World),
    after: Option<(i64, String)>,
    most: u32,
) -> Result<Vec<(i64, DefectOut)>, DbError> {
    let (created, id) = after.unwrap_or((i64::MAX, String::new()));
    let read = |row: &Row| {
        let created = row.number("created")?;
        let out = DefectOut {
            nedostatak_id: row.text("id")?,
            stavka: row.text("stavka")?.parse().map_err(|_| DbError::Column("stavka"))?,
            nalaz: row.text("razina")?.parse().map_err(|_| DbError::Column("razina"))?,
            vrijeme: moment(created),
            dokument: row.maybe_text("dokument")?,
        };
        Ok((created, out))
    };
    db.list(OPEN, values![vehicle, world.number(), created, id, most]).await?.iter().map(read).collect()
}
