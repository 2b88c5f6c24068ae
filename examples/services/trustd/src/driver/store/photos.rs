//! Rows of photos.

use crate::App;
use crate::driver::kept::PhotoKey;
use crate::driver::rules::KEPT;
use crate::driver::types::PhotoOut;
use dualseal::IdentityId;
use platform::access::World;
use platform::db::{Db, DbError, Row, Tx, statements};
use platform::objects::{Object, Objects};
use platform::problem::Problem;
use platform::secrets::ErasureKeys;
use platform::values;

statements! {
    FIND = "SELECT identity_id, world, vozac, dokument_id, sha256, original, shown, shown_bytes, sirina, visina FROM \
            driver_photos WHERE identity_id = $1 AND world = $2";
    ADD = "INSERT INTO driver_photos (identity_id, world, vozac, dokument_id, sha256, original, shown, shown_bytes, \
           sirina, visina, named, created) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11)";
    COUNT = "SELECT COUNT(*) AS found FROM driver_photos WHERE vozac = $1 AND world = $2 AND dokument_id = $3";
    /// Those that no document names.
    WAITING = "SELECT COUNT(*) AS found FROM driver_photos WHERE vozac = $1 AND world = $2 AND named = 0";
    NAMED = "UPDATE driver_photos SET named = 1 WHERE identity_id = $1 AND world = $2";
    OF_DOCUMENT = "SELECT identity_id, world, vozac, dokument_id, sha256, original, shown, shown_bytes, sirina, visina \
                   FROM driver_photos WHERE vozac = $1 AND world = $2 AND dokument_id = $3 AND named = 1 \
                   ORDER BY created, identity_id";
    OF_DRIVER = "SELECT identity_id, world, vozac, dokument_id, sha256, original, shown, shown_bytes, sirina, visina \
                 FROM driver_photos WHERE vozac = $1 AND world = $2 LIMIT $3";
    OVER = "SELECT identity_id, world, vozac, dokument_id, sha256, original, shown, shown_bytes, sirina, visina, \
            created FROM driver_photos WHERE named = 0 AND created < $1 AND (created > $2 OR (created = $2 AND \
            identity_id > $3)) ORDER BY created, identity_id LIMIT 100";
    /// Its document may have come meanwhile.
    DROP_WAITING = "DELETE FROM driver_photos WHERE identity_id = $1 AND world = $2 AND named = 0";
    DROP = "DELETE FROM driver_photos WHERE identity_id = $1 AND world = $2";
}

/// The table, as objects name it.
const TABLE: &str = "driver_photos";

/// A photo.
#[derive(Clone, Debug)]
pub(crate) struct Photo {
    pub(crate) identity_id: IdentityId,
    pub(crate) world: World,
    pub(crate) vozac: IdentityId,
    pub(crate) out: PhotoOut,
    /// The objects that have it, encrypted: as it was sent, and as it is shown.
    pub(crate) original: [u8; 32],
    pub(crate) shown: [u8; 32],
}

impl Photo {
    pub(super) fn of(row: &Row) -> Result<Self, DbError> {
        let size = |column: &'static str| u32::try_from(row.number(column)?).map_err(|_| DbError::Column(column));
        let hash = |column: &'static str| row.bytes(column)?.try_into().map_err(|_| DbError::Column(column));
        let name = |column: &'static str| row.text(column)?.parse().map_err(|_| DbError::Column(column));
        let identity_id: IdentityId = name("identity_id")?;
        let out = PhotoOut {
            identity_id: identity_id.to_hex(),
            sha256: row.text("sha256")?,
            dokument_id: row.text("dokument_id")?,
            bajtova: row.size("shown_bytes")?,
            sirina: size("sirina")?,
            visina: size("visina")?,
        };
        let (world, vozac) = (World::of_number(row.number("world")?), name("vozac")?);
        Ok(Self { identity_id, world, vozac, out, original: hash("original")?, shown: hash("shown")? })
    }

    /// Writes it, with the names of its objects.
    ///
    /// # Errors
    /// The database; one of its name that was written meanwhile.
    pub(crate) async fn add(&self, tx: &mut Tx, objects: &Objects, all: [&Object; 2], now: i64) -> Result<(), DbError> {
        let PhotoOut { identity_id, sha256, dokument_id, bajtova, sirina, visina } = &self.out;
        let mut values = values![identity_id, self.world.number(), self.vozac.to_hex(), dokument_id, sha256];
        values.extend(values![self.original.to_vec(), self.shown.to_vec(), *bajtova, *sirina, *visina, now]);
        tx.execute(ADD, values).await?;
        for object in all {
            objects.name(tx, object, TABLE, self.line().as_bytes()).await?;
        }
        Ok(())
    }

    /// Takes it away, with its key.
    ///
    /// # Errors
    /// The database.
    pub(crate) async fn drop(&self, tx: &mut Tx, objects: &Objects) -> Result<(), Problem> {
        tx.execute(DROP, values![self.identity_id.to_hex(), self.world.number()]).await?;
        self.leave(tx, objects).await
    }

    /// The same as long as no document names it.
    async fn drop_waiting(&self, tx: &mut Tx, objects: &Objects) -> Result<(), Problem> {
        match tx.execute(DROP_WAITING, values![self.identity_id.to_hex(), self.world.number()]).await? {
            0 => Ok(()),
            _ => self.leave(tx, objects).await,
        }
    }

    async fn leave(&self, tx: &mut Tx, objects: &Objects) -> Result<(), Problem> {
        for hash in [&self.original, &self.shown] {
            objects.leave(tx, hash, TABLE, self.line().as_bytes()).await?;
        }
        Ok(ErasureKeys::remove(tx, &PhotoKey::place(&self.identity_id, self.world)?).await?)
    }

    /// Its name among its world's, as objects have it.
    fn line(&self) -> String {
        format!("{}/{}", self.world.number(), self.identity_id.to_hex())
    }
}

/// A photo of a name.
pub(crate) async fn find(db: &Db, identity_id: &IdentityId, world: World) -> Result<Option<Photo>, DbError> {
    db.find(FIND, values![identity_id.to_hex(), world.number()]).await?.as_ref().map(Photo::of).transpose()
}

/// The same within a transaction.
pub(crate) async fn find_in(tx: &mut Tx, identity_id: &str, world: World) -> Result<Option<Photo>, DbError> {
    tx.find(FIND, values![identity_id, world.number()]).await?.as_ref().map(Photo::of).transpose()
}

/// How many photos a document has, and how many of its driver's no document names.
pub(crate) async fn counts(tx: &mut Tx, photo: &Photo) -> Result<(u64, u64), DbError> {
    let (vozac, world) = (photo.vozac.to_hex(), photo.world.number());
    let of = tx.find(COUNT, values![&vozac, world, &photo.out.dokument_id]).await?;
    let waiting = tx.find(WAITING, values![&vozac, world]).await?;
    let number = |row: Option<Row>| row.map_or(Ok(0), |row| row.size("found"));
    Ok((number(of)?, number(waiting)?))
}

/// The photos of a document.
pub(crate) async fn of_document(
    db: &Db,
    vozac: &IdentityId,
    dokument_id: &str,
    world: World,
) -> Result<Vec<Photo>, DbError> {
    let of = values![vozac.to_hex(), world.number(), dokument_id];
    db.list(OF_DOCUMENT, of).await?.iter().map(Photo::of).collect()
}

/// Some of a driver's.
pub(crate) async fn of_driver(
    tx: &mut Tx,
    vozac: &IdentityId,
    world: World,
    limit: u32,
) -> Result<Vec<Photo>, DbError> {
    tx.list(OF_DRIVER, values![vozac.to_hex(), world.number(), limit]).await?.iter().map(Photo::of).collect()
}

/// Takes photos away that no document names: a job of every day.
///
/// # Errors
/// The database.
pub async fn sweep(app: &App, objects: &Objects) -> Result<(), Problem> {
    let before = app.clock.millis().saturating_sub(KEPT);
    let (mut created, mut id) = (i64::MIN, String::new());
    loop {
        let over = app.db.list(OVER, values![before, created, &id]).await?;
        for row in &over {
            (created, id) = (row.number("created")?, row.text("identity_id")?);
            let mut tx = app.db.begin().await?;
            match async { Photo::of(row)?.drop_waiting(&mut tx, objects).await }.await {
                Ok(()) => tx.commit().await?,
                // One that cannot be taken away keeps no other.
                Err(problem) => {
                    tracing::warn!(%problem, photo = id, "a photo was not taken away");
                    tx.roll_back().await?;
                }
            }
        }
        if over.is_empty() {
            return Ok(());
        }
    }
}
