//! What drivers file, over a real log: signed and sealed once, with its effects, and nobody else's.

mod erasing;
mod links;

use super::content::Filing;
use super::rules::{Nalaz, Odluka, Stavka, Tip};
use super::store::Document;
use super::types::{DocumentIn, ItemIn, VerdictOut};
use super::work::{file, founded};
use super::{kept, store};
use crate::App;
use crate::testing;
use crate::vault::Vault;
use dualseal::{IdentityId, SignatureRecord};
use platform::access::World;
use platform::clock::Clock;
use platform::config::Config;
use platform::db::statements;
use platform::idempotency::Idempotency;
use platform::problem::Problem;
use platform::values;
use platform::web::Name;
use std::sync::Arc;
use tempfile::TempDir;
use uuid::Uuid;

statements! {
    VEHICLE = "INSERT INTO vehicles (id, world, registracija, maticna, vlasnik_id, retired, version, left_at, told, \
               plan, krunica, created, changed) VALUES ($1, $2, 'ZG1', 'HR', $3, 0, 1, 9223372036854775807, 'ok', '6 \
               7 8', '', 0, 0)";
    DECOY = "SELECT id FROM vehicles WHERE world = 1";
    LEFT = "SELECT left_at FROM vehicles WHERE id = $1";
    OPEN = "SELECT id, stavka FROM driver_defects WHERE closed IS NULL ORDER BY stavka";
    ENTRIES = "SELECT json FROM entries";
    ALARMS = "SELECT id FROM alarms WHERE kind = 'inspection'";
    MEASURED = "SELECT kilometri FROM odometers WHERE vehicle = $1 ORDER BY time, kilometri";
}

struct House {
    app: App,
    vault: Arc<Vault>,
    vehicle: Uuid,
    ana: IdentityId,
    bo: IdentityId,
    folder: TempDir,
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
        let vault = testing::vault(&app).await;
        Self { app, vault, vehicle, ana, bo, folder }
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
        self.decided(vozac, asked, Odluka::Go).await
    }

    async fn decided(
        &self,
        vozac: IdentityId,
        asked: &DocumentIn,
        odluka: Odluka,
    ) -> Result<(Document, bool), Problem> {
        let odluka = asked.stavke.as_ref().map(|_| odluka);
        let filing = Filing { asked: asked.clone(), vozac, odluka };
        file(&self.app, &self.vault, filing, (World::Real, &Idempotency::default())).await
    }

    /// By the link that was given out for it.
    async fn verdict(&self, document: &Document) -> Result<VerdictOut, Problem> {
        let token = store::token(&self.app, &document.vozac, &document.dokument_id, document.world);
        super::routes::verdict(&self.app, &self.vault, &token).await
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
    assert_eq!((is_new, is_again_new, &again.link), (true, false, &document.link));
    assert_eq!(house.open().await.len(), 1);
    let other = DocumentIn { kilometri: Some(5), ..asked.clone() };
    assert_eq!(house.files(house.ana, &other).await.unwrap_err().kind().status, 409);
    let (his, is_his_new) = house.files(house.bo, &other).await.unwrap();
    assert!(is_his_new && his.identity_id != document.identity_id);
    assert_eq!(document.seal_seq, document.seq + 1);
    assert!(kept::text(&house.app, &document).await.unwrap().contains("\"salt\""));
}

/// What a thief files looks in the log as what is real, and is by keys that count for nothing.
#[tokio::test]
async fn a_thief_signs_what_counts_for_nothing() {
    let house = House::new().await;
    let (real, _) = house.files(house.bo, &house.inspection(&[])).await.unwrap();
    let vehicle = house.app.db.find(DECOY, values![]).await.unwrap().unwrap().text("id").unwrap();
    let asked = DocumentIn { vehicle_id: vehicle.parse().unwrap(), ..house.inspection(&[]) };
    let filing = Filing { asked, vozac: house.ana, odluka: Some(Odluka::Go) };
    let filed = file(&house.app, &house.vault, filing, (World::Decoy, &Idempotency::default())).await;
    let (decoy, is_new) = filed.unwrap();
    assert!(is_new && decoy.seal_seq == decoy.seq + 1);
    let mut forms = Vec::new();
    for document in [&real, &decoy] {
        for seq in [document.seq, document.seal_seq] {
            let [entry] = &house.app.log.reader().range(1, seq, seq + 1).await.unwrap()[..] else { panic!("{seq}") };
            let labels: Vec<_> = entry.message().split("::").take(2).map(str::to_owned).collect();
            forms.push((labels, *entry.identity_id(), entry.message().len()));
        }
    }
    assert_eq!(forms[..2], forms[2..]);
    let said = house.verdict(&decoy).await.unwrap();
    assert_eq!((said.validan, said.potpis, said.pecat), (Some(true), Some(true), Some(true)));
    let record = SignatureRecord::from_json(decoy.record.as_bytes()).unwrap();
    let content = house.app.log.domain().content_hash(record.identity_id(), b"anything");
    assert!(crate::dsa::told(&house.app, record, &content).await.unwrap().contains("\"validan\":false"));
}

/// Every kind of document may say what the odometer did; the same reading counts once.
#[tokio::test]
async fn kilometres_are_the_vehicles() {
    let house = House::new().await;
    let read = |kilometri: u32| DocumentIn { kilometri: Some(kilometri), ..house.asked(Tip::Odometer) };
    for kilometri in [412_873, 412_874, 412_873] {
        house.files(house.ana, &read(kilometri)).await.unwrap();
    }
    house.files(house.bo, &DocumentIn { kilometri: Some(412_900), ..house.inspection(&[]) }).await.unwrap();
    let rows = house.app.db.list(MEASURED, values![house.vehicle.to_string()]).await.unwrap();
    let all: Vec<_> = rows.iter().map(|row| row.number("kilometri").unwrap()).collect();
    assert_eq!(all, [412_873, 412_874, 412_900]);
}

/// Nobody who guesses what was filed finds its hash in the log: it has a salt.
#[tokio::test]
async fn a_tile_confirms_no_guess_of_a_document() {
    let house = House::new().await;
    let asked = house.asked(Tip::Odometer);
    let texts = [DocumentIn { kilometri: Some(7), ..asked.clone() }, DocumentIn { kilometri: Some(7), ..asked }];
    let filing = texts.map(|asked| Filing { asked, vozac: house.ana, odluka: None });
    let [one, other] = filing.map(|filing| filing.text("ZG1", &[], ("link", "now")).unwrap());
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
    let problem = house.files(house.bo, &repair(&house.vehicle.to_string())).await.unwrap_err();
    assert_eq!(problem.fields()[0].pointer, "/popravljeno");
    assert!(house.app.log.state().await.unwrap().ring().info(&house.bo).is_none(), "what is refused makes no key");
    let (document, _) = house.files(house.bo, &repair(&oil.0)).await.unwrap();
    assert!(document.record.contains(&house.bo.to_hex()));
    assert_eq!(house.open().await, [belts]);
    let problem = house.files(house.bo, &repair(&oil.0)).await.unwrap_err();
    assert_eq!(problem.fields()[0].pointer, "/popravljeno");
}

/// A defect is open once, and as bad as it was ever found.
#[tokio::test]
async fn a_defect_is_open_once() {
    let house = House::new().await;
    let mut asked = house.inspection(&[Stavka::Oil]);
    house.files(house.ana, &asked).await.unwrap();
    for nalaz in [Nalaz::Critical, Nalaz::Defect] {
        asked = DocumentIn { dokument_id: Uuid::now_v7(), ..asked };
        asked.stavke.as_mut().unwrap().get_mut(&Stavka::Oil).unwrap().nalaz = nalaz;
        house.files(house.bo, &asked).await.unwrap();
    }
    let found = store::open(&house.app.db, (&house.vehicle.to_string(), World::Real), None, 9).await.unwrap();
    assert_eq!(found.iter().map(|(_, defect)| defect.nalaz).collect::<Vec<_>>(), [Nalaz::Critical]);
}

/// Whoever hears of a vehicle is told once that it stays; of one that leaves nobody is.
#[tokio::test]
async fn whoever_hears_of_a_vehicle_is_told_that_it_stays() {
    let house = House::new().await;
    let told = async || house.app.db.list(ALARMS, values![]).await.unwrap().len();
    house.files(house.ana, &house.inspection(&[])).await.unwrap();
    assert_eq!(told().await, 0);
    let asked = house.inspection(&[Stavka::Tyres]);
    for _ in 0..2 {
        house.decided(house.ana, &asked, Odluka::NoGo).await.unwrap();
        // Nobody is there to be told: natives are.
        assert_eq!(told().await, 1);
    }
}
