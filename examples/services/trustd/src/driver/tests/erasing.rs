//! Erasing all of a driver's: nothing opens it again, and what is the vehicle's or somebody else's stays.

use super::super::erasing::{PIECE, erase};
use super::super::kept::{Part, PhotoKey};
use super::super::routes::whole_documents;
use super::super::store::photos::{self, Photo};
use super::super::types::PhotoOut;
use super::*;
use crate::testing::Backup;
use platform::log::{MarkPlace, verify};

statements! {
    OPEN_OF = "SELECT COUNT(*) AS found FROM driver_defects WHERE vozac = $1";
    PHOTOS = "SELECT identity_id FROM driver_photos";
    /// As many as $2 with the one that is there.
    MORE = "WITH RECURSIVE n(i) AS (SELECT 10000001 UNION ALL SELECT i + 1 FROM n WHERE i < 9999999 + $2) \
            INSERT INTO driver_photos (identity_id, world, vozac, dokument_id, sha256, original, shown, shown_bytes, \
            sirina, visina, named, created) SELECT substr(identity_id, 1, 56) || CAST(i AS TEXT), world, vozac, \
            dokument_id, sha256, original, shown, shown_bytes, sirina, visina, named, created FROM driver_photos, n \
            WHERE identity_id = $1";
    ROW = "SELECT dokument_id FROM driver_documents WHERE vozac = $1";
}

async fn photo(house: &House, vozac: IdentityId, dokument_id: &str) -> Photo {
    let (app, objects) = (&house.app, &house.vault.objects);
    let identity_id = app.log.domain().identity_id(b"a photo", &vozac.to_hex(), dokument_id).unwrap();
    let key = PhotoKey::draw(app.log.domain(), &identity_id).unwrap();
    let put = async |part| objects.put_bytes(key.encrypt(part, b"a photo").unwrap()).await.unwrap();
    let (original, shown) = (put(Part::Original).await, put(Part::Shown).await);
    let (id, dokument_id, sha256) = (identity_id.to_hex(), dokument_id.to_owned(), "00".repeat(32));
    let out = PhotoOut { identity_id: id, sha256, dokument_id, bajtova: 7, sirina: 1, visina: 1 };
    let (world, original_hash, shown_hash) = (World::Real, original.hash, shown.hash);
    let photo = Photo { identity_id, world, vozac, out, original: original_hash, shown: shown_hash };
    let (mut tx, owned) = (app.db.begin().await.unwrap(), app.owners.current(&vozac).await.unwrap());
    let place = PhotoKey::place(&identity_id, world).unwrap();
    photo.add(&mut tx, objects, [&original, &shown], 0).await.unwrap();
    app.secrets.put(&mut tx, &owned.wrap(place.clone(), key.expose()).unwrap().into()).await.unwrap();
    app.owners.own(&mut tx, &owned, &place).await.unwrap();
    tx.commit().await.unwrap();
    photo
}

async fn shows(house: &House, photo: &Photo) -> bool {
    let found = photos::find(&house.app.db, &photo.identity_id, photo.world).await.unwrap();
    let Ok(key) = PhotoKey::open(&house.app, (&photo.vozac, photo.world), &photo.identity_id).await else {
        return false;
    };
    let stored = house.vault.objects.read(&photo.original, 1 << 20).await.unwrap();
    found.is_some() && key.decrypt(Part::Original, &stored).unwrap() == b"a photo"
}

/// A backup of all rows and objects from before, restored beside the master: what was erased does not open.
#[tokio::test]
async fn what_was_erased_does_not_open_again() {
    let house = House::new().await;
    let inspection = house.inspection(&[Stavka::Oil]);
    let photo = photo(&house, house.ana, &inspection.dokument_id.to_string()).await;
    let (document, _) = house.files(house.ana, &inspection).await.unwrap();
    let (his, _) = house.files(house.bo, &house.inspection(&[])).await.unwrap();
    assert!(shows(&house, &photo).await);
    let backup = Backup::make(&house.app, &["driver_documents", "driver_photos"]).await;
    assert_eq!((backup.of("driver_documents"), backup.of("driver_photos")), (2, 1));

    erase(&house.app, &house.vault.objects, house.ana, World::Real).await.unwrap();
    assert!(house.app.db.list(ROW, values![house.ana.to_hex()]).await.unwrap().is_empty());
    assert_eq!(house.verdict(&document).await.unwrap_err().kind().code, "unknown-id");
    assert!(!shows(&house, &photo).await);
    // Bo's alone.
    assert_eq!(backup.opens(&house.app).await, ["driver_documents"]);
    assert_eq!(house.verdict(&his).await.unwrap().validan, Some(true));
    // The defect is the vehicle's, and of nobody now.
    let of = house.app.db.find(OPEN_OF, values![house.ana.to_hex()]).await.unwrap().unwrap();
    assert_eq!((of.number("found").unwrap(), house.open().await.len()), (0, 1));
    // The chain is whole, and the row that came back with a backup is not there for the link.
    let mut tx = house.app.db.begin().await.unwrap();
    document.add(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(house.verdict(&document).await.unwrap_err().kind().code, "unknown-id");
    // Nor does it keep the vehicle's other documents from being read.
    let listed = store::of_vehicle(&house.app.db, (&house.vehicle.to_string(), World::Real), None, 9).await.unwrap();
    let read = whole_documents(&house.app, listed).await.unwrap();
    assert_eq!(read.iter().map(|(_, whole)| whole.vozac.clone()).collect::<Vec<_>>(), [house.bo.to_hex()]);
    let mark = MarkPlace::File(house.folder.path().join("mark"));
    house.app.log.checkpoint().await.unwrap();
    verify(&house.app.db, house.app.log.secrets(), &mark).await.unwrap();
    let problem = erase(&house.app, &house.vault.objects, IdentityId::from_bytes([7; 32]), World::Real).await;
    assert_eq!(problem.unwrap_err().kind().code, "unknown-id");
}

/// However much there is, it goes in pieces: whoever appends meanwhile waits for one of them.
#[tokio::test]
async fn much_is_erased_in_pieces() {
    let house = House::new().await;
    let (row, own) = (photo(&house, house.ana, "a document").await, PIECE + 1);
    house.app.db.execute(MORE, values![row.identity_id.to_hex(), own]).await.unwrap();
    let entries = async || house.app.db.list(ENTRIES, values![]).await.unwrap().len();
    let before = entries().await;
    erase(&house.app, &house.vault.objects, house.ana, World::Real).await.unwrap();
    assert_eq!(entries().await - before, 2);
    assert!(house.app.db.list(PHOTOS, values![]).await.unwrap().is_empty());
}

/// A photo that no document names goes after its time, and no other; that it is named is seen as it goes.
#[tokio::test]
async fn a_photo_goes_that_nothing_names() {
    let house = House::new().await;
    let mut inspection = house.inspection(&[]);
    let name = inspection.dokument_id.to_string();
    let (named, other) = (photo(&house, house.ana, &name).await, photo(&house, house.ana, "elsewhere").await);
    inspection.stavke.as_mut().unwrap().get_mut(&Stavka::Oil).unwrap().fotografije =
        vec![named.out.identity_id.clone()];
    house.files(house.ana, &inspection).await.unwrap();
    photos::sweep(&house.app, &house.vault.objects).await.unwrap();
    assert!(shows(&house, &named).await);
    assert!(!shows(&house, &other).await);
}

/// What a thief erases touches no key of the driver's.
#[tokio::test]
async fn a_thief_erases_nothing() {
    let house = House::new().await;
    let (document, _) = house.files(house.ana, &house.inspection(&[])).await.unwrap();
    let problem = erase(&house.app, &house.vault.objects, house.ana, World::Decoy).await.unwrap_err();
    assert_eq!(problem.kind().code, "unknown-id");
    let vehicle = house.app.db.find(DECOY, values![]).await.unwrap().unwrap().text("id").unwrap();
    let asked = DocumentIn { vehicle_id: vehicle.parse().unwrap(), ..house.inspection(&[]) };
    let filing = Filing { asked, vozac: house.ana, odluka: Some(Odluka::Go) };
    let (decoy, _) = file(&house.app, &house.vault, filing, (World::Decoy, &Idempotency::default())).await.unwrap();
    let generation = async |owner| house.app.owners.current(&owner).await.unwrap();
    let before = format!("{:?}", generation(house.ana).await);
    erase(&house.app, &house.vault.objects, house.ana, World::Decoy).await.unwrap();
    assert_eq!(format!("{:?}", generation(house.ana).await), before);
    assert_eq!(house.verdict(&decoy).await.unwrap_err().kind().code, "unknown-id");
    assert_eq!(house.verdict(&document).await.unwrap().validan, Some(true));
    assert!(store::by_identity(&house.app.db, &document.identity_id, World::Real).await.unwrap().is_some());
}
