//! Rows of documents, photos and defects.

use super::rules::{KEPT, Odluka, Tip};
use super::types::{DefectOut, DocumentOut, Lanac, PhotoOut};
use crate::App;
use dualseal::{IdentityId, Timestamp};
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::objects::Objects;
use platform::problem::Problem;
use platform::values;

statements! {
    TOUCH = "SELECT COUNT(*) AS found FROM driver_documents WHERE dokument_id = ''";
    FIND = "SELECT vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, vrijeme, created, \
            asked, content, record, krunica, seq, token FROM driver_documents \
            WHERE vozac = $1 AND dokument_id = $2 AND world = $3";
    BY_TOKEN = "SELECT vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, vrijeme, created, \
                asked, content, record, krunica, seq, token FROM driver_documents WHERE token = $1";
    RECENT = "SELECT vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, vrijeme, created, \
              asked, content, record, krunica, seq, token FROM driver_documents \
              WHERE vozac = $1 AND world = $2 AND (created < $3 OR (created = $3 AND dokument_id < $4)) \
              ORDER BY created DESC, dokument_id DESC LIMIT $5";
    ADD = "INSERT INTO driver_documents (vozac, dokument_id, world, identity_id, tip, vehicle, registracija, odluka, \
           vrijeme, created, asked, content, record, krunica, seq, token) \
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)";
    PHOTO = "SELECT identity_id, dokument_id, sha256, shown, shown_bytes, sirina, visina FROM driver_photos \
             WHERE identity_id = $1 AND vozac = $2 AND world = $3";
    ADD_PHOTO = "INSERT INTO driver_photos (identity_id, world, vozac, dokument_id, sha256, original, shown, \
                 shown_bytes, sirina, visina, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    PHOTOS_OF = "SELECT COUNT(*) AS found FROM driver_photos WHERE vozac = $1 AND dokument_id = $2 AND world = $3";
    /// Those whose document has not come.
    WAITING = "SELECT COUNT(*) AS found FROM driver_photos p WHERE p.vozac = $1 AND p.world = $2 \
               AND NOT EXISTS (SELECT 1 FROM driver_documents d WHERE d.vozac = p.vozac \
               AND d.dokument_id = p.dokument_id AND d.world = p.world)";
    OVER = "SELECT p.identity_id, p.world, p.original, p.shown FROM driver_photos p WHERE p.created < $1 \
            AND NOT EXISTS (SELECT 1 FROM driver_documents d WHERE d.vozac = p.vozac \
            AND d.dokument_id = p.dokument_id AND d.world = p.world) ORDER BY p.created LIMIT 100";
    DROP_PHOTO = "DELETE FROM driver_photos WHERE identity_id = $1 AND world = $2";
    DEFECT = "INSERT INTO driver_defects (id, world, vehicle, vozac, dokument_id, stavka, razina, created) \
              VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    OPEN = "SELECT id, stavka, razina, created FROM driver_defects WHERE vehicle = $1 AND world = $2 \
            AND closed IS NULL AND (created < $3 OR (created = $3 AND id < $4)) ORDER BY created DESC, id DESC LIMIT \
            $5";
    IS_OPEN = "SELECT 1 AS one FROM driver_defects WHERE id = $1 AND vehicle = $2 AND world = $3 AND closed IS NULL";
    CLOSE = "UPDATE driver_defects SET closed = $4, closed_at = $5 \
             WHERE id = $1 AND vehicle = $2 AND world = $3 AND closed IS NULL";
}

/// The table of photos, as objects name it.
const PHOTOS: &str = "driver_photos";

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
    pub(crate) asked: Vec<u8>,
    pub(crate) content: String,
    pub(crate) record: Option<String>,
    pub(crate) krunica: String,
    pub(crate) seq: u64,
    pub(crate) token: String,
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
            asked: row.bytes("asked")?,
            content: row.text("content")?,
            record: row.maybe_text("record")?,
            krunica: row.text("krunica")?,
            seq: row.size("seq")?,
            token: row.text("token")?,
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
            lanac: Lanac {
                krunica_hash: self.krunica.clone(),
                seq: self.seq,
                dokaz: format!("{base}/api/v1/log/proof/{}", self.seq),
            },
            provjera: format!("{base}/driver/v/{}", self.token),
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// The database; one of its name that was written meanwhile.
    pub(crate) async fn add(&self, tx: &mut Tx) -> Result<(), DbError> {
        let mut values = values![self.vozac.to_hex(), &self.dokument_id, self.world.number()];
        values.extend(values![self.identity_id.to_hex(), self.tip.as_str(), &self.vehicle, &self.registracija]);
        values.extend(values![self.odluka.map(Odluka::as_str), self.vrijeme, self.created, self.asked.clone()]);
        values.extend(values![&self.content, self.record.clone(), &self.krunica, self.seq, &self.token]);
        tx.execute(ADD, values).await.map(drop)
    }
}

/// A moment, as answers have it.
pub(crate) fn moment(millis: i64) -> String {
    Timestamp::from_millis(millis).unwrap_or(Timestamp::MIN).to_string()
}

/// A driver's document of a name.
pub(crate) async fn find(
    tx: &mut Tx,
    vozac: &IdentityId,
    dokument_id: &str,
    world: World,
) -> Result<Option<Document>, DbError> {
    let found = tx.find(FIND, values![vozac.to_hex(), dokument_id, world.number()]).await?;
    found.as_ref().map(Document::of).transpose()
}

/// The document of a link.
pub(crate) async fn by_token(db: &Db, token: &str) -> Result<Option<Document>, DbError> {
    db.find(BY_TOKEN, values![token]).await?.as_ref().map(Document::of).transpose()
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

/// A photo, with the object that is shown of it.
pub(crate) fn photo(row: &Row) -> Result<(PhotoOut, [u8; 32]), DbError> {
    let size = |column: &'static str| u32::try_from(row.number(column)?).map_err(|_| DbError::Column(column));
    let shown = row.bytes("shown")?.try_into().map_err(|_| DbError::Column("shown"))?;
    let out = PhotoOut {
        identity_id: row.text("identity_id")?,
        sha256: row.text("sha256")?,
        dokument_id: row.text("dokument_id")?,
        bajtova: row.size("shown_bytes")?,
        sirina: size("sirina")?,
        visina: size("visina")?,
    };
    Ok((out, shown))
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
        };
        Ok((created, out))
    };
    db.list(OPEN, values![vehicle, world.number(), created, id, most]).await?.iter().map(read).collect()
}

/// Names what a photo has among the objects.
pub(crate) async fn name(
    objects: &Objects,
    tx: &mut Tx,
    all: [&platform::objects::Object; 2],
    line: &str,
) -> Result<(), DbError> {
    for object in all {
        objects.name(tx, object, PHOTOS, line.as_bytes()).await?;
    }
    Ok(())
}

/// Takes photos away whose document never came: a job of every day.
///
/// # Errors
/// The database.
pub async fn sweep(app: &App, objects: &Objects) -> Result<(), Problem> {
    let before = app.clock.millis().saturating_sub(KEPT);
    loop {
        let rows = app.db.list(OVER, values![before]).await?;
        for row in &rows {
            let (id, world) = (row.text("identity_id")?, row.number("world")?);
            let mut tx = app.db.begin().await?;
            for column in ["original", "shown"] {
                let hash = row.bytes(column)?.try_into().map_err(|_| DbError::Column("original"))?;
                objects.leave(&mut tx, &hash, PHOTOS, format!("{world}/{id}").as_bytes()).await?;
            }
            tx.execute(DROP_PHOTO, values![id, world]).await?;
            tx.commit().await?;
        }
        if rows.is_empty() {
            return Ok(());
        }
    }
}
