//! What happens on the day.

use super::{Desk, Fault};
use crate::messaging::{Messaging, replies};
use dualseal::IdentityId;
use http::Request;
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use platform::access::{Scope, Tier};
use ring::digest::{SHA256, digest};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// A time of the story: so many days before its day, at an hour and minute.
type When = (i64, i8, i8);

/// Plates, and the states that each entered, each when.
const VEHICLES: [(&str, &[(&str, When)]); 6] = [
    ("ZG 1001-AB", &[("SI", (20, 7, 25)), ("AT", (19, 11, 10)), ("HR", (3, 16, 40))]),
    ("ZG 2002-CD", &[("AT", (47, 5, 15)), ("HR", (33, 15, 25)), ("HU", (12, 6, 50)), ("AT", (11, 13, 5))]),
    ("RI 303-EF", &[("IT", (30, 5, 35))]),
    ("ST 404-GH", &[("SI", (44, 9, 15)), ("DE", (42, 4, 55))]),
    ("OS 505-IJ", &[("HU", (51, 14, 20)), ("PL", (48, 10, 45))]),
    ("PU 606-KL", &[("IT", (58, 6, 30)), ("FR", (55, 17, 55))]),
];

/// Whose they are, types, titles, and the days until their last one.
const DOCUMENTS: [(&str, &str, &str, i64); 5] = [
    ("ana", "DRIVING_LICENCE", "Vozačka dozvola, Ana", 25),
    ("bo", "MEDICAL", "Medical certificate, Bo", 6),
    ("ana", "TACHOGRAPH_CARD", "Kartica tahografa, Ana", 1),
    ("company", "INSURANCE", "Osiguranje ZG 1001-AB", -2),
    ("bo", "ADR_CERTIFICATE", "ADR certificate, Bo", 200),
];

const PEOPLE: [(&str, &str, &str, bool); 5] = [
    ("company", "Acme d.o.o.", "hr", true),
    ("ana", "Ana", "hr", false),
    ("bo", "Bo", "en", false),
    ("cy", "Cy", "de", false),
    ("eva", "Eva, garage", "de", false),
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

/// From then on a day is over.
const EVENING: i8 = 18;

/// What is to be named afterwards.
pub(super) struct Told {
    pub(super) vehicles: usize,
    pub(super) ana: IdentityId,
    pub(super) link: String,
}

pub(super) async fn tell(desk: &Desk, messaging: &Arc<Messaging>) -> Result<Told, Fault> {
    people(desk).await?;
    let calendar = Calendar::of(desk)?;
    let vehicles = vehicles(desk, &calendar).await?;
    documents(desk, &calendar).await?;
    let link = filed(desk, &calendar, &vehicles).await?;
    messages(desk, messaging).await?;
    Ok(Told { vehicles: vehicles.len(), ana: desk.named("ana")?, link })
}

/// When it is.
struct Calendar {
    zone: TimeZone,
    today: Date,
    /// The day that is told: the last one that is over where the fleet is.
    day: Date,
}

impl Calendar {
    fn of(desk: &Desk) -> Result<Self, Fault> {
        let zone = TimeZone::get(&desk.app.config.lifecycle.zone)?;
        let now = zone.to_datetime(Timestamp::from_millisecond(desk.app.clock.millis())?);
        let day = if now.hour() < EVENING { now.date().yesterday()? } else { now.date() };
        Ok(Self { zone, today: now.date(), day })
    }

    fn at(&self, (days, hour, minute): When) -> Result<String, Fault> {
        let at = self.day.checked_sub(days.days())?.at(hour, minute, 0, 0).to_zoned(self.zone.clone())?;
        Ok(dualseal::Timestamp::from_millis(at.timestamp().as_millisecond())?.to_string())
    }
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

async fn vehicles(desk: &Desk, calendar: &Calendar) -> Result<Vec<String>, Fault> {
    let (owner, mut all) = (desk.named("company")?.to_hex(), Vec::new());
    for (plate, crossings) in VEHICLES {
        let body = json!({"registracija": plate, "maticna_drzava": "HR", "vlasnik_id": owner});
        let id = text(&desk.post("/api/v1/fleet/vehicles", &body).await?, "vehicle_id")?;
        for (drzava, when) in crossings {
            let body = json!({"vehicle_id": id, "drzava": drzava, "vrijeme": calendar.at(*when)?});
            desk.post("/api/v1/fleet/border-crossing", &body).await?;
        }
        all.push(id);
    }
    Ok(all)
}

async fn documents(desk: &Desk, calendar: &Calendar) -> Result<(), Fault> {
    for (who, tip, naslov, days) in DOCUMENTS {
        let until = calendar.today.checked_add(days.days())?;
        let body = json!({"vlasnik_id": desk.named(who)?.to_hex(), "tip": tip, "naslov": naslov,
            "vrijedi_do": until.to_string()});
        desk.post("/api/v1/lifecycle/dokument", &body).await?;
    }
    Ok(())
}

/// What drivers and a garage filed, as it came: Ana went to Slovenia and back, and found a crack the day after; Bo
/// found two defects, of which one is repaired; Cy stays where he is. The link of Ana's first inspection.
async fn filed(desk: &Desk, calendar: &Calendar, vehicles: &[String]) -> Result<String, Fault> {
    let token = async |who| desk.token(desk.named(who)?, Tier::Noble, &[Scope::Driver]).await;
    let (ana, bo, cy, eva) = (token("ana").await?, token("bo").await?, token("cy").await?, token("eva").await?);
    let [first, second, third, ..] = vehicles else { return Err("the fleet is too small".into()) };
    let filed = async |token: &str, tip: &str, vehicle: &str, when: When, more: Value| {
        let named = more.get("dokument_id").cloned().unwrap_or_else(|| json!(Uuid::now_v7().to_string()));
        let mut body = json!({"dokument_id": named, "tip": tip, "vehicle_id": vehicle, "vrijeme": calendar.at(when)?});
        body.as_object_mut().into_iter().zip(more.as_object()).for_each(|(body, more)| body.extend(more.clone()));
        desk.post_as(token, "/api/v1/dok/create", &body).await
    };
    let named = Uuid::now_v7().to_string();
    let mut seen = found(&[]);
    seen["lights"]["fotografije"] = json!([photo(desk, &ana, &named).await?]);
    let more = json!({"dokument_id": named, "stavke": seen, "kilometri": 183_912});
    let inspected = filed(&ana, "PRE_TRIP_CHECK", first, (1, 5, 48), more).await?;
    filed(&ana, "BORDER_CROSSING", first, (1, 8, 12), json!({"drzava": "SI"})).await?;
    filed(&ana, "BORDER_CROSSING", first, (1, 17, 36), json!({"drzava": "HR", "kilometri": 184_407})).await?;
    let seen = found(&[("tyres", "critical", "worn to the cord")]);
    filed(&cy, "PRE_TRIP_CHECK", third, (0, 5, 30), json!({"stavke": seen})).await?;
    let seen = found(&[("oil", "defect", "a drop below the engine"), ("mirrors_glass", "defect", "chipped glass")]);
    let more = json!({"stavke": seen, "kilometri": 412_873});
    filed(&bo, "PRE_TRIP_CHECK", second, (0, 5, 55), more).await?;
    let seen = found(&[("mirrors_glass", "defect", "a crack in the left mirror")]);
    filed(&ana, "PRE_TRIP_CHECK", first, (0, 6, 4), json!({"stavke": seen})).await?;
    let open = desk.get(&format!("/api/v1/dok/nedostaci/{second}")).await?;
    let oil = open["items"].as_array().into_iter().flatten().find(|one| one["stavka"] == "oil");
    let oil = text(oil.ok_or("no defect is open")?, "nedostatak_id")?;
    let more = json!({"popravljeno": [oil], "napomena": "new gasket"});
    filed(&eva, "REPAIR", second, (0, 14, 20), more).await?;
    filed(&ana, "ODOMETER", first, (0, 16, 52), json!({"kilometri": 184_655})).await?;
    text(&inspected, "provjera")
}

/// All items in order, but these.
fn found(these: &[(&str, &str, &str)]) -> Value {
    let mut items: Map<String, Value> = ITEMS.iter().map(|item| ((*item).to_owned(), json!({"nalaz": "ok"}))).collect();
    for (item, nalaz, napomena) in these {
        items.insert((*item).to_owned(), json!({"nalaz": nalaz, "napomena": napomena}));
    }
    items.into()
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
