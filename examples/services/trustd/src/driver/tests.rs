//! What drivers file, over a real log: signed once, with its effects, and nobody else's.

use super::content::Filing;
use super::rules::{Nalaz, Odluka, Stavka, Tip};
use super::store::Document;
use super::types::{DocumentIn, ItemIn};
use super::work::{Filed, founded, keyed};
use crate::App;
use crate::testing;
use dualseal::IdentityId;
use platform::access::World;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::statements;
use platform::idempotency::Idempotency;
use platform::problem::Problem;
use platform::values;
use platform::web::Name;
use tempfile::TempDir;
use uuid::Uuid;

statements! {
    VEHICLE = "INSERT INTO vehicles (id, world, registracija, maticna, vlasnik_id, retired, version, left_at, told, \
               plan, krunica, created, changed) VALUES ($1, $2, 'ZG1', 'HR', $3, 0, 1, 9223372036854775807, 'ok', '6 \
               7 8', '', 0, 0)";
    LEFT = "SELECT left_at FROM vehicles WHERE id = $1";
    OPEN = "SELECT id, stavka FROM driver_defects WHERE closed IS NULL ORDER BY stavka";
    ENTRIES = "SELECT json FROM entries";
    EDIT = "UPDATE driver_documents SET content = $2 WHERE dokument_id = $1";
}

struct House {
    app: App,
    vehicle: Uuid,
    ana: IdentityId,
    bo: IdentityId,
    _folder: TempDir,
}

impl House {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { data: folder.path().to_owned(), ..Config::default() };
        let clock = Clock::still("2026-11-21T09:00:00.000Z".parse().unwrap());
        let app = testing::founded(folder.path(), config, clock).await;
        let name = |text: &str| app.log.domain().identity_id(b"", text, "").unwrap();
        let (ana, bo, vehicle) = (name("ana"), name("bo"), Uuid::now_v7());
        for world in [World::Real, World::Decoy] {
            // One name in two worlds is two vehicles elsewhere; here the decoy's has another.
            let id = if world == World::Real { vehicle.to_string() } else { Uuid::now_v7().to_string() };
            app.db.execute(VEHICLE, values![id, world.number(), ana.to_hex()]).await.unwrap();
        }
        founded(&app).await.unwrap();
        founded(&app).await.unwrap();
        Self { app, vehicle, ana, bo, _folder: folder }
    }

    fn asked(&self, tip: Tip) -> DocumentIn {
        let vrijeme = Name("2026-11-21T08:00:00.000Z".parse().unwrap());
        let (stavke, drzava, kilometri, popravljeno, napomena) = (None, None, None, None, None);
        let (dokument_id, vehicle_id) = (Uuid::now_v7(), self.vehicle);
        DocumentIn { dokument_id, tip, vehicle_id, vrijeme, stavke, drzava, kilometri, popravljeno, napomena }
    }

    fn inspection(&self, defects: &[Stavka]) -> DocumentIn {
        let found = |item: &Stavka| {
            let nalaz = if defects.contains(item) { Nalaz::Defect } else { Nalaz::Ok };
            (*item, ItemIn { nalaz, napomena: None, fotografije: Vec::new() })
        };
        DocumentIn { stavke: Some(Stavka::ALL.iter().map(found).collect()), ..self.asked(Tip::PreTripCheck) }
    }

    async fn files(&self, vozac: IdentityId, asked: &DocumentIn) -> Result<(Document, bool), Problem> {
        let odluka = asked.stavke.as_ref().map(|_| Odluka::Go);
        let filing = Filing { asked: asked.clone(), vozac, odluka };
        let (app, now, idempotency) = (App::clone(&self.app), self.app.clock.millis(), Idempotency::default());
        self.app.log.submit(Filed { app, filing, world: World::Real, now, idempotency }).await
    }

    async fn open(&self) -> Vec<(String, String)> {
        let rows = self.app.db.list(OPEN, values![]).await.unwrap();
        rows.iter().map(|row| (row.text("id").unwrap(), row.text("stavka").unwrap())).collect()
    }
}

/// What is sent again is there once; another one of its name is refused; and names are each driver's own.
#[tokio::test]
async fn what_is_filed_is_filed_once() {
    let house = House::new().await;
    let asked = house.inspection(&[Stavka::Oil]);
    let (document, is_new) = house.files(house.ana, &asked).await.unwrap();
    let (again, is_again_new) = house.files(house.ana, &asked).await.unwrap();
    assert_eq!((is_new, is_again_new, &again.token), (true, false, &document.token));
    assert_eq!(house.open().await.len(), 1);
    let other = DocumentIn { kilometri: Some(5), ..asked.clone() };
    assert_eq!(house.files(house.ana, &other).await.unwrap_err().kind().status, 409);
    let (his, is_his_new) = house.files(house.bo, &other).await.unwrap();
    assert!(is_his_new && his.identity_id != document.identity_id);
    assert!(document.record.is_some() && document.content.contains("\"salt\""));
}

/// Nobody who guesses what was filed finds its hash in the log: it has a salt.
#[tokio::test]
async fn a_tile_confirms_no_guess_of_a_document() {
    let house = House::new().await;
    let asked = house.asked(Tip::Odometer);
    let texts = [DocumentIn { kilometri: Some(7), ..asked.clone() }, DocumentIn { kilometri: Some(7), ..asked }];
    let filing = texts.map(|asked| Filing { asked, vozac: house.ana, odluka: None });
    let [one, other] = filing.map(|filing| filing.text("ZG1", &[], "now").unwrap());
    assert_ne!(one, other);
    house.files(house.ana, &house.inspection(&[])).await.unwrap();
    for row in &house.app.db.list(ENTRIES, values![]).await.unwrap() {
        let entry = row.text("json").unwrap();
        assert!(!entry.contains(&house.ana.to_hex()) && !entry.contains("ZG1"), "{entry}");
    }
}

/// A crossing moves the vehicle's clock, in the same transaction.
#[tokio::test]
async fn a_crossing_moves_the_clock() {
    let house = House::new().await;
    let asked = DocumentIn { drzava: Some("AT".into()), ..house.asked(Tip::BorderCrossing) };
    house.files(house.ana, &asked).await.unwrap();
    let row = house.app.db.find(LEFT, values![house.vehicle.to_string()]).await.unwrap().unwrap();
    assert_eq!(row.number("left_at").unwrap(), asked.vrijeme.0.as_millis());
    let unknown = DocumentIn { vehicle_id: Uuid::now_v7(), ..house.asked(Tip::BorderCrossing) };
    assert_eq!(house.files(house.ana, &unknown).await.unwrap_err().fields()[0].pointer, "/vehicle_id");
}

/// A repair is signed by whoever repaired, with his own key, and closes each defect once.
#[tokio::test]
async fn a_repair_is_signed_by_whoever_repaired() {
    let house = House::new().await;
    house.files(house.ana, &house.inspection(&[Stavka::Oil, Stavka::Belts])).await.unwrap();
    let [belts, oil] = house.open().await.try_into().unwrap();
    let repair = |id: &str| DocumentIn { popravljeno: Some(vec![id.to_owned()]), ..house.asked(Tip::Repair) };
    let problem = house.files(house.bo, &repair(&oil.0)).await.unwrap_err();
    assert_eq!(problem.kind().code, "unknown-id", "he has no key");
    keyed(&house.app, house.bo).await.unwrap();
    let (document, _) = house.files(house.bo, &repair(&oil.0)).await.unwrap();
    assert!(document.record.unwrap().contains(&house.bo.to_hex()));
    assert_eq!(house.open().await, [belts]);
    let problem = house.files(house.bo, &repair(&oil.0)).await.unwrap_err();
    assert_eq!(problem.fields()[0].pointer, "/popravljeno");
}

/// Of a row that somebody changed in the database the link says that it does not hold.
#[tokio::test]
async fn a_link_says_what_the_record_says() {
    let house = House::new().await;
    let (document, _) = house.files(house.ana, &house.inspection(&[])).await.unwrap();
    let verdict = async || super::routes::verdict(&house.app, &document.token).await.unwrap().validan;
    assert_eq!(verdict().await, Some(true));
    let edited = document.content.replace("\"ok\"", "\"defect\"");
    house.app.db.execute(EDIT, values![&document.dokument_id, edited]).await.unwrap();
    assert_eq!(verdict().await, Some(false));
}
