//! A proof read, and held against itself.

use crate::evidence::{Checkpoint, Entry, Evidence, moment};
use crate::faulty::Faulty;
use crate::moment::Moment;
use crate::text::{Istina, Kind, MOST, Put, Svjedok, Text, VERSION, Vidio, Zapis, Zivot};
use crate::witnessed;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;

/// A proof whose parts agree with each other. Whether its signatures hold, the library says.
#[derive(Clone, Debug)]
pub struct Proof {
    pub(crate) text: Text,
    pub(crate) made: Moment,
    pub(crate) claim: Claim,
    pub(crate) evidence: Evidence,
    /// The two files, as they are attached.
    pub(crate) files: [String; 2],
}

/// What is shown, read.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "there is one, in its proof")]
pub(crate) enum Claim {
    Put { between: [Moment; 2], records: Vec<(Filed, Evidence, Zapis)> },
    Istina { evidence: Evidence, checked: Moment },
    Zivot { drawn: Moment, came: Moment, verifies_user: bool, seq: u64 },
    Svjedok { size: u64, root: String, seen: Vec<(Vidio, Moment)> },
}

/// What a page tells of a driver's document.
#[derive(Clone, Debug)]
pub(crate) struct Filed {
    pub(crate) registracija: String,
    /// The state that was entered; none of an inspection.
    pub(crate) entered: Option<String>,
    pub(crate) odluka: Option<String>,
    pub(crate) time: Moment,
    pub(crate) came: Moment,
}

impl Proof {
    /// Reads the text that is signed and its evidence.
    ///
    /// # Errors
    /// [`Faulty`]: what is not of its form, or contradicts itself.
    pub fn read(text: &str, evidence: &str) -> Result<Self, Faulty> {
        let (read, made, claim) = agreeing(text)?;
        let evidence_of = Evidence::read(evidence, &read.log.origin)?;
        Ok(Self { text: read, made, claim, evidence: evidence_of, files: [text.to_owned(), evidence.to_owned()] })
    }

    /// Whether a text agrees with itself, before it is signed and has evidence; [`Faulty`] says where it does not.
    pub fn agrees(text: &str) -> Result<(), Faulty> {
        agreeing(text).map(drop)
    }

    /// What is shown.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.text.vrsta
    }
}

fn agreeing(text: &str) -> Result<(Text, Moment, Claim), Faulty> {
    let read: Text = serde_json::from_str(text).map_err(|_| Faulty::NoText)?;
    if read.verzija != VERSION {
        return Err(Faulty::Member("verzija"));
    }
    for (member, value) in [("identity_id", &read.identity_id), ("otisak", &read.log.otisak), ("salt", &read.salt)] {
        if value.len() != 64 || !value.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(Faulty::Member(member));
        }
    }
    let made = moment("vrijeme", &read.vrijeme)?;
    let claim = claim(&read, made)?;
    Ok((read, made, claim))
}

fn claim(text: &Text, made: Moment) -> Result<Claim, Faulty> {
    fn part<'a, T: Deserialize<'a>>(json: &'a RawValue) -> Result<T, Faulty> {
        serde_json::from_str(json.get()).map_err(|_| Faulty::Member("tvrdnja"))
    }
    let origin = &text.log.origin;
    Ok(match text.vrsta {
        Kind::Put => {
            let Put { od, until, zapisi } = part(&text.tvrdnja)?;
            let between = [moment("od", &od)?, moment("do", &until)?];
            // Of what was to come nobody knows that it is all.
            if between[1] > made {
                return Err(Faulty::Member("do"));
            }
            Claim::Put { between, records: journey(zapisi, between, text)? }
        }
        Kind::Istina => {
            let Istina { dokaz, provjereno } = part(&text.tvrdnja)?;
            let evidence = Evidence::read(dokaz.get(), origin)?;
            if evidence.record.identity_id != text.identity_id {
                return Err(Faulty::OtherEvidence);
            }
            let checked = moment("provjereno", &provjereno)?;
            if checked > made || checked < evidence.covered()? {
                return Err(Faulty::Member("provjereno"));
            }
            Claim::Istina { evidence, checked }
        }
        Kind::Zivot => {
            #[derive(Deserialize)]
            struct Answer {
                kind: String,
            }
            #[derive(Deserialize)]
            struct Place {
                entry: Entry,
            }
            let Zivot { izazov, odgovor, zaprimljeno, upis } = part(&text.tvrdnja)?;
            let verifies_user = match part::<Answer>(&odgovor)?.kind.as_str() {
                "ed25519" => false,
                "webauthn" => true,
                _ => return Err(Faulty::Member("odgovor")),
            };
            let (drawn, came) = (moment("izdano", &izazov.izdano)?, moment("zaprimljeno", &zaprimljeno)?);
            if came < drawn || came > made || came > moment("istjece", &izazov.istjece)? {
                return Err(Faulty::Member("zaprimljeno"));
            }
            Claim::Zivot { drawn, came, verifies_user, seq: part::<Place>(&upis)?.entry.seq }
        }
        Kind::Svjedok => {
            let Svjedok { kontrolna_tocka, nota, svjedoci } = part(&text.tvrdnja)?;
            let checkpoint: Checkpoint = part(&kontrolna_tocka)?;
            let seen = witnessed::seen(svjedoci, &checkpoint, &nota, origin)?;
            Claim::Svjedok { size: checkpoint.size, root: checkpoint.root, seen }
        }
    })
}

/// Records in the order of their own times, of one driver and one vehicle, one of a border among them.
fn journey(records: Vec<Zapis>, [from, to]: [Moment; 2], text: &Text) -> Result<Vec<(Filed, Evidence, Zapis)>, Faulty> {
    #[derive(Deserialize)]
    struct Signed {
        dokument: Document,
        vozac: String,
        registracija: String,
        odluka: Option<String>,
        zaprimljeno: String,
    }
    #[derive(Deserialize)]
    struct Document {
        dokument_id: String,
        tip: String,
        vehicle_id: String,
        vrijeme: String,
        drzava: Option<String>,
    }
    let (mut all, mut vehicles, mut names) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for record in records {
        let signed: Signed = serde_json::from_str(record.dokument.get()).map_err(|_| Faulty::Member("dokument"))?;
        let Signed { dokument, vozac, registracija, odluka, zaprimljeno } = signed;
        let is_border = match (dokument.tip.as_str(), &dokument.drzava, &odluka) {
            ("BORDER_CROSSING", Some(_), _) => true,
            ("PRE_TRIP_CHECK", None, Some(_)) => false,
            _ => return Err(Faulty::Journey),
        };
        if vozac != text.identity_id || !names.insert(dokument.dokument_id) {
            return Err(Faulty::Journey);
        }
        vehicles.insert((dokument.vehicle_id, registracija.clone()));
        let (time, came) = (moment("vrijeme", &dokument.vrijeme)?, moment("zaprimljeno", &zaprimljeno)?);
        let entered = dokument.drzava.filter(|_| is_border);
        let evidence = Evidence::read(record.dokaz.get(), &text.log.origin)?;
        all.push((Filed { registracija, entered, odluka, time, came }, evidence, record));
    }
    let in_order = all.is_sorted_by(|(one, ..), (next, ..)| one.time <= next.time)
        && all.iter().all(|(filed, ..)| (from..=to).contains(&filed.time));
    let has_border = all.iter().any(|(filed, ..)| filed.entered.is_some());
    if vehicles.len() == 1 && in_order && has_border && all.len() <= MOST { Ok(all) } else { Err(Faulty::Journey) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn evidence(origin: &str) -> Value {
        let (who, time) = ("d1".repeat(32), "2026-11-20T07:00:00.000Z");
        json!({"vrsta": "potpis", "checkpoint": {"origin": origin, "root": "00", "size": 9, "time": time},
            "entry": {"seq": 4}, "key": {"leaf": {"identity_id": who, "javni_kljuc": "k"}},
            "record": {"algoritam": "ML-DSA-65", "identity_id": who, "krunica_hash": "h", "sadrzaj_hash": "c",
                "timestamp": time}})
    }

    fn text(kind: &str, claim: &Value) -> Value {
        json!({"verzija": "1", "vrsta": kind, "dokaz_id": "id", "identity_id": "a1".repeat(32),
            "vrijeme": "2026-11-21T09:00:00.000Z", "salt": "5a".repeat(32), "tvrdnja": claim,
            "log": {"adresa": "https://trust.example", "origin": "a/log", "otisak": "0f".repeat(32)}})
    }

    fn filed(number: u8, state: Option<&str>) -> Value {
        let tip = if state.is_some() { "BORDER_CROSSING" } else { "PRE_TRIP_CHECK" };
        let mut document = json!({"dokument_id": number.to_string(), "tip": tip, "vehicle_id": "v",
            "vrijeme": format!("2026-11-20T1{number}:00:00.000Z")});
        if let Some(state) = state {
            document["drzava"] = state.into();
        }
        let odluka = if state.is_some() { Value::Null } else { "GO".into() };
        json!({"dokument": {"dokument": document, "vozac": "a1".repeat(32), "registracija": "ZG1", "odluka": odluka,
            "zaprimljeno": "2026-11-20T20:00:00.000Z"}, "dokaz": evidence("a/log")})
    }

    fn read(text: &Value) -> Option<Faulty> {
        Proof::read(&text.to_string(), &evidence("a/log").to_string()).err()
    }

    #[test]
    fn a_journey_is_of_one_driver_and_one_vehicle_in_order() {
        let of = |records: Vec<Value>| {
            let (od, until) = ("2026-11-20T11:00:00.000Z", "2026-11-20T12:00:00.000Z");
            text("PUT", &json!({"od": od, "do": until, "zapisi": records}))
        };
        let with = |pointer: &str, value: &str| {
            let mut records = vec![filed(1, None), filed(2, Some("SI"))];
            *records[1].pointer_mut(pointer).unwrap() = value.into();
            read(&of(records))
        };
        assert_eq!(read(&of(vec![filed(1, None), filed(2, Some("SI"))])), None);
        assert_eq!(with("/dokument/vozac", &"b2".repeat(32)), Some(Faulty::Journey), "another driver's");
        assert_eq!(with("/dokument/dokument/vehicle_id", "w"), Some(Faulty::Journey), "two vehicles");
        assert_eq!(with("/dokument/registracija", "ZG2"), Some(Faulty::Journey), "two plates");
        assert_eq!(with("/dokument/dokument/dokument_id", "1"), Some(Faulty::Journey), "one twice");
        assert_eq!(with("/dokument/dokument/tip", "ODOMETER"), Some(Faulty::Journey));
        assert_eq!(with("/dokaz/checkpoint/origin", "b/log"), Some(Faulty::OtherEvidence));
        assert_eq!(with("/dokument/dokument/vrijeme", "2026-11-20T12:00:00.001Z"), Some(Faulty::Journey), "later");
        assert_eq!(with("/dokaz/vrsta", "pecat"), Some(Faulty::OtherEvidence));
        assert_eq!(read(&of(vec![filed(2, Some("SI")), filed(1, None)])), Some(Faulty::Journey), "out of order");
        assert_eq!(read(&of(vec![filed(1, None)])), Some(Faulty::Journey), "no border");
        assert_eq!(read(&of(Vec::new())), Some(Faulty::Journey));
        let mut early = of(vec![filed(2, Some("SI"))]);
        early["vrijeme"] = "2026-11-20T11:59:59.999Z".into();
        assert_eq!(read(&early), Some(Faulty::Member("do")), "it goes on");
        let many = (0..=MOST).map(|_| filed(2, Some("SI"))).collect();
        assert_eq!(read(&of(many)), Some(Faulty::Journey));
    }

    #[test]
    fn a_signature_is_of_whom_the_proof_is() {
        let claim = json!({"dokaz": evidence("a/log"), "provjereno": "2026-11-21T08:00:00.000Z"});
        let mut of = text("ISTINA", &claim);
        assert_eq!(read(&of), Some(Faulty::OtherEvidence));
        of["identity_id"] = "d1".repeat(32).into();
        assert_eq!(read(&of), None);
        // It was verified after what is shown was covered, and before that was shown.
        for (checked, faulty) in [
            ("2026-11-20T07:00:00.000Z", None),
            ("2026-11-20T06:59:59.999Z", Some(Faulty::Member("provjereno"))),
            ("2026-11-21T09:00:00.000Z", None),
            ("2026-11-21T09:00:00.001Z", Some(Faulty::Member("provjereno"))),
        ] {
            of["tvrdnja"]["provjereno"] = checked.into();
            assert_eq!(read(&of), faulty, "{checked}");
        }
        of["vrsta"] = "ZIVOT".into();
        assert_eq!(read(&of), Some(Faulty::Member("tvrdnja")), "a claim of another kind");
        of["vrsta"] = "ISTINA".into();
        of["naslov"] = "Proof of ownership".into();
        assert_eq!(read(&of), Some(Faulty::NoText), "a member that nobody reads");
    }

    #[test]
    fn an_answer_comes_while_its_challenge_lives() {
        let claim = |came: &str| {
            let izazov = json!({"aud": "a", "izjava": "s", "nonce": "n", "izdano": "2026-11-21T08:00:00.000Z",
                "istjece": "2026-11-21T08:05:00.000Z"});
            let upis = json!({"entry": {"seq": 1}});
            json!({"izazov": izazov, "odgovor": {"kind": "ed25519"}, "zaprimljeno": came, "upis": upis})
        };
        assert_eq!(read(&text("ZIVOT", &claim("2026-11-21T08:05:00.000Z"))), None);
        for came in ["2026-11-21T08:05:00.001Z", "2026-11-21T07:59:59.999Z"] {
            assert_eq!(read(&text("ZIVOT", &claim(came))), Some(Faulty::Member("zaprimljeno")), "{came}");
        }
        let mut early = text("ZIVOT", &claim("2026-11-21T08:01:00.000Z"));
        early["vrijeme"] = "2026-11-21T08:00:59.999Z".into();
        assert_eq!(read(&early), Some(Faulty::Member("zaprimljeno")), "shown before it came");
        let mut other = claim("2026-11-21T08:01:00.000Z");
        other["odgovor"]["kind"] = "password".into();
        assert_eq!(read(&text("ZIVOT", &other)), Some(Faulty::Member("odgovor")));
    }

    #[test]
    fn what_is_of_another_form_is_no_proof() {
        let whole = text("ISTINA", &json!({}));
        for (member, value) in [("verzija", "2"), ("identity_id", "A1"), ("salt", ""), ("vrijeme", "today")] {
            let mut of = whole.clone();
            of[member] = value.into();
            assert_eq!(read(&of), Some(Faulty::Member(member)), "{member}");
        }
        assert_eq!(Proof::read("{}", "{}").err(), Some(Faulty::NoText));
    }
}
