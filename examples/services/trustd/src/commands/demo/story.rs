//! What happens on the day.

use super::{DAY, Desk, Fault};
use crate::messaging::{Messaging, replies};
use dualseal::IdentityId;
use http::Request;
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan as _};
use platform::access::{Scope, Tier};
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// Plates, and the states that each entered, with the days since then.
const VEHICLES: [(&str, &[(&str, i64)]); 6] = [
    ("ZG 1001-AB", &[("SI", 20), ("AT", 19), ("HR", 3)]),
    ("ZG 2002-CD", &[("HU", 12), ("AT", 11)]),
    ("RI 303-EF", &[("IT", 30)]),
    ("ST 404-GH", &[("SI", 44), ("DE", 42)]),
    ("OS 505-IJ", &[("HU", 51), ("PL", 48)]),
    ("PU 606-KL", &[("IT", 58), ("FR", 55)]),
];

/// Whose they are, types, titles, and the days until their last one.
const DOCUMENTS: [(&str, &str, &str, i64); 5] = [
    ("ana", "DRIVING_LICENCE", "Vozačka dozvola, Ana", 25),
    ("bo", "MEDICAL", "Medical certificate, Bo", 6),
    ("ana", "TACHOGRAPH_CARD", "Kartica tahografa, Ana", 1),
    ("company", "INSURANCE", "Osiguranje ZG 1001-AB", -2),
    ("bo", "ADR_CERTIFICATE", "ADR certificate, Bo", 200),
];

const PEOPLE: [(&str, &str, &str, bool); 4] = [
    ("company", "Acme d.o.o.", "hr", true),
    ("ana", "Ana", "hr", false),
    ("bo", "Bo", "en", false),
    ("cy", "Cy", "de", false),
];

const ITEMS: [&str; 13] = [
    "lights",
    "tyres",
    "mirrors_glass",
    "body_load",
    "leaks",
    "oil",
    "coolant",
    "belts",
    "battery",
    "licence",
    "registration",
    "insurance",
    "tachograph",
];

/// What is to be named afterwards.
pub(super) struct Told {
    pub(super) vehicles: usize,
    pub(super) ana: IdentityId,
    pub(super) link: String,
}

pub(super) async fn tell(desk: &Desk, messaging: &Arc<Messaging>) -> Result<Told, Fault> {
    people(desk).await?;
    let vehicles = vehicles(desk).await?;
    documents(desk).await?;
    let link = inspections(desk, &vehicles).await?;
    messages(desk, messaging).await?;
    Ok(Told { vehicles: vehicles.len(), ana: desk.named("ana")?, link })
}

/// Each has an identity, an address, and, whoever signs, a key.
async fn people(desk: &Desk) -> Result<(), Fault> {
    for (who, name, language, on_call) in PEOPLE {
        let identity_id = desk.named(who)?.to_hex();
        desk.post("/api/v1/dsa/keypair", &json!({"identity_id": identity_id})).await?;
        let contact = json!({"name": name, "language": language, "on_call": on_call,
            "email": format!("{who}@demo.example"), "identity_id": identity_id});
        desk.post("/api/v1/messaging/contacts", &contact).await?;
    }
    Ok(())
}

async fn vehicles(desk: &Desk) -> Result<Vec<String>, Fault> {
    let (owner, mut all) = (desk.named("company")?.to_hex(), Vec::new());
    for (plate, crossings) in VEHICLES {
        let body = json!({"registracija": plate, "maticna_drzava": "HR", "vlasnik_id": owner});
        let id = text(&desk.post("/api/v1/fleet/vehicles", &body).await?, "vehicle_id")?;
        for (drzava, days) in crossings {
            let body = json!({"vehicle_id": id, "drzava": drzava, "vrijeme": desk.ago(days * DAY)});
            desk.post("/api/v1/fleet/border-crossing", &body).await?;
        }
        all.push(id);
    }
    Ok(all)
}

async fn documents(desk: &Desk) -> Result<(), Fault> {
    let today: Date = Timestamp::from_millisecond(desk.app.clock.millis())?.to_zoned(jiff::tz::TimeZone::UTC).date();
    for (who, tip, naslov, days) in DOCUMENTS {
        let until = today.checked_add(days.days())?;
        let body = json!({"vlasnik_id": desk.named(who)?.to_hex(), "tip": tip, "naslov": naslov,
            "vrijedi_do": until.to_string()});
        desk.post("/api/v1/lifecycle/dokument", &body).await?;
    }
    Ok(())
}

/// One that leaves, one with a warning that is repaired, and one that stays; the link of the first.
async fn inspections(desk: &Desk, vehicles: &[String]) -> Result<String, Fault> {
    let token = async |who| desk.token(desk.named(who)?, Tier::Noble, &[Scope::Driver]).await;
    let (ana, bo, cy) = (token("ana").await?, token("bo").await?, token("cy").await?);
    let [first, second, third, ..] = vehicles else { return Err("the fleet is too small".into()) };
    let named = Uuid::now_v7().to_string();
    let photo = photo(desk, &ana, &named).await?;
    let mut body = inspection(desk, &named, first, &[]);
    body["stavke"]["lights"]["fotografije"] = json!([photo]);
    let filed = desk.post_as(&ana, "/api/v1/dok/create", &body).await?;
    let found = [("oil", "defect", "a drop below the engine"), ("mirrors_glass", "defect", "chipped glass")];
    let body = inspection(desk, &Uuid::now_v7().to_string(), second, &found);
    desk.post_as(&bo, "/api/v1/dok/create", &body).await?;
    let found = [("tyres", "critical", "worn to the cord")];
    let body = inspection(desk, &Uuid::now_v7().to_string(), third, &found);
    desk.post_as(&bo, "/api/v1/dok/create", &body).await?;
    let other = |tip: &str, vehicle: &str, more: Value| {
        let mut body = json!({"dokument_id": Uuid::now_v7().to_string(), "tip": tip, "vehicle_id": vehicle,
            "vrijeme": desk.ago(0)});
        body.as_object_mut().into_iter().zip(more.as_object()).for_each(|(body, more)| body.extend(more.clone()));
        body
    };
    let crossing = other("BORDER_CROSSING", third, json!({"drzava": "FR", "kilometri": 412_873}));
    desk.post_as(&bo, "/api/v1/dok/create", &crossing).await?;
    let open = desk.get(&format!("/api/v1/dok/nedostaci/{second}")).await?;
    let oil = open["items"].as_array().into_iter().flatten().find(|one| one["stavka"] == "oil");
    let oil = text(oil.ok_or("no defect is open")?, "nedostatak_id")?;
    let repair = other("REPAIR", second, json!({"popravljeno": [oil], "napomena": "new gasket"}));
    desk.post_as(&cy, "/api/v1/dok/create", &repair).await?;
    text(&filed, "provjera")
}

fn inspection(desk: &Desk, named: &str, vehicle: &str, found: &[(&str, &str, &str)]) -> Value {
    let mut stavke: serde_json::Map<String, Value> =
        ITEMS.iter().map(|item| ((*item).to_owned(), json!({"nalaz": "ok"}))).collect();
    for (item, nalaz, napomena) in found {
        stavke.insert((*item).to_owned(), json!({"nalaz": nalaz, "napomena": napomena}));
    }
    json!({"dokument_id": named, "tip": "PRE_TRIP_CHECK", "vehicle_id": vehicle, "vrijeme": desk.ago(3_600_000),
        "stavke": stavke})
}

/// A photo of nothing in particular.
async fn photo(desk: &Desk, token: &str, document: &str) -> Result<String, Fault> {
    let shade = |x: u32, y: u32| u8::try_from((x / 4 + y / 3) % 256).unwrap_or(u8::MAX);
    let image = RgbImage::from_fn(640, 480, |x, y| Rgb([shade(x, y), shade(y, x), 120]));
    let mut bytes = Vec::new();
    image.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, 85))?;
    let sha256 = dualseal::encoding::hex::encode(digest(&SHA256, &bytes).as_ref());
    let path = format!("/api/v1/photos/upload?dokument_id={document}&sha256={sha256}");
    let made = desk.ask(Request::post(path), token, ("application/octet-stream", bytes)).await?;
    text(&made, "identity_id")
}

/// Ana asks how things stand; Bo reports a crossing, which waits for the office.
async fn messages(desk: &Desk, messaging: &Arc<Messaging>) -> Result<(), Fault> {
    desk.mail(messaging, "ana", "status", 1).await?;
    desk.mail(messaging, "bo", "crossed the border into Austria", 2).await?;
    let said = replies(&desk.app.db).await?.join("\n");
    let digits = |from: usize| said.get(from..from + 6).filter(|six| six.bytes().all(|one| one.is_ascii_digit()));
    let code = said.match_indices("send back ").find_map(|(at, words)| digits(at + words.len()));
    desk.mail(messaging, "bo", code.ok_or("no code was sent back")?, 3).await
}

fn text(answer: &Value, name: &str) -> Result<String, Fault> {
    Ok(answer[name].as_str().ok_or_else(|| format!("no {name} was answered"))?.to_owned())
}
