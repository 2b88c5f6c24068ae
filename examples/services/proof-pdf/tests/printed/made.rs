//! Proofs over a log that the command line keeps.

use crate::log::{Log, ORIGIN};
use proof_pdf::text::{EVIDENCE, Istina, Izazov, Kind, Put, Svjedok, TEXT, Text, Zapis, Zivot};
use proof_pdf::{Proof, text};
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::fs;
use std::path::{Path, PathBuf};

/// What each kind of proof is made of.
pub(crate) struct Kinds<'a> {
    log: &'a Log,
    /// A document that somebody signed.
    pub(crate) contract: PathBuf,
}

/// A proof with its two files.
pub(crate) struct Case {
    pub(crate) folder: PathBuf,
    pub(crate) proof: Proof,
    pub(crate) text: String,
}

fn raw(value: &impl Serialize) -> Box<RawValue> {
    // As the library writes it: by name, without spaces.
    let value = serde_json::to_value(value).expect("JSON");
    RawValue::from_string(value.to_string()).expect("JSON")
}

fn read(path: &Path) -> Box<RawValue> {
    RawValue::from_string(fs::read_to_string(path).expect("a file")).expect("JSON")
}

impl<'a> Kinds<'a> {
    pub(crate) fn new(log: &'a Log) -> Self {
        let contract = log.file("contract.txt", b"We agree.\n");
        log.sign(&contract, "ana");
        Self { log, contract }
    }

    /// What a proof of this kind holds.
    pub(crate) fn claim(&self, kind: Kind) -> Box<RawValue> {
        match kind {
            Kind::Put => self.journey("ZG1234ŽĐ"),
            Kind::Istina => {
                let dokaz = read(&self.log.evidence(&self.contract));
                raw(&Istina { dokaz, provjereno: "2099-11-21T08:59:00.000Z".to_owned() })
            }
            Kind::Zivot => self.presence(),
            Kind::Svjedok => self.witnesses(),
        }
    }

    /// A journey of the vehicle with this plate.
    pub(crate) fn journey(&self, plate: &str) -> Box<RawValue> {
        let filed = [(None, "06:02"), (Some("SI"), "08:40"), (Some("AT"), "11:15"), (Some("DE"), "14:51")];
        let mut signed = Vec::new();
        for (number, (entered, time)) in filed.into_iter().enumerate() {
            let mut document = json!({
                "dokument_id": format!("019a9f3c-5a7e-7d1b-8a5e-00000000000{number}"),
                "tip": if entered.is_some() { "BORDER_CROSSING" } else { "PRE_TRIP_CHECK" },
                "vehicle_id": "019a9f3c-5a7e-7d1b-8a5e-1c2d3e4f5a6b",
                "vrijeme": format!("2026-11-20T{time}:00.000Z"),
            });
            if let Some(entered) = entered {
                document["drzava"] = entered.into();
            }
            let decision = if entered.is_some() { None } else { Some("GO_WITH_WARNINGS") };
            let text = raw(&json!({"dokument": document, "vozac": self.log.identity("ana"), "registracija": plate,
                "odluka": decision, "fotografije": {}, "zaprimljeno": format!("2026-11-20T{time}:07.000Z"),
                "salt": "5a".repeat(32)}));
            let file = self.log.file(&format!("{number}.json"), text.get().as_bytes());
            self.log.sign(&file, "drivers");
            signed.push((text, file));
        }
        let records =
            signed.into_iter().map(|(dokument, file)| Zapis { dokument, dokaz: read(&self.log.evidence(&file)) });
        raw(&Put {
            od: "2026-11-20T00:00:00.000Z".to_owned(),
            until: "2026-11-20T23:59:59.999Z".to_owned(),
            zapisi: records.collect(),
        })
    }

    fn presence(&self) -> Box<RawValue> {
        let time = |second: u32| format!("2026-11-21T08:58:{second:02}.000Z");
        let evidence: serde_json::Value =
            serde_json::from_str(read(&self.log.evidence(&self.contract)).get()).expect("evidence");
        let place = json!({"checkpoint": evidence["checkpoint"], "entry": evidence["entry"], "path": evidence["path"]});
        raw(&Zivot {
            izazov: Izazov {
                aud: "https://trust.example".to_owned(),
                izjava: "proof of presence".to_owned(),
                nonce: "17".repeat(32),
                izdano: time(10),
                istjece: time(59),
            },
            odgovor: raw(&json!({"kind": "webauthn", "credential": {}})),
            zaprimljeno: time(31),
            upis: raw(&place),
        })
    }

    fn witnesses(&self) -> Box<RawValue> {
        let (checkpoint, nota, svjedoci) = self.log.witnessed();
        raw(&Svjedok { kontrolna_tocka: read(&checkpoint), nota, svjedoci })
    }
}

impl Case {
    /// Signs what a proof of this kind holds, and reads it as whoever prints it does.
    pub(crate) fn new(log: &Log, kind: Kind, tvrdnja: Box<RawValue>) -> Self {
        let text = raw(&Text {
            verzija: text::VERSION.to_owned(),
            vrsta: kind,
            dokaz_id: "019a9f3c-5a7e-7d1b-8a5e-0d0e0f101112".to_owned(),
            identity_id: log.identity("ana"),
            // After all that it shows, which the command line dates by the clock.
            vrijeme: "2099-11-21T09:00:00.000Z".to_owned(),
            log: text::Log {
                adresa: "https://trust.example/".to_owned(),
                origin: ORIGIN.to_owned(),
                otisak: log.fingerprint().to_owned(),
            },
            salt: "c3".repeat(32),
            tvrdnja,
        });
        let folder = log.folder(kind.as_str());
        let file = folder.join(TEXT);
        fs::write(&file, text.get()).expect("written");
        log.sign(&file, "service");
        let evidence = fs::read_to_string(log.evidence(&file)).expect("evidence");
        assert!(folder.join(EVIDENCE).exists());
        let proof = Proof::read(text.get(), &evidence).expect("a proof");
        Self { folder, proof, text: text.get().to_owned() }
    }

    /// What is attached to a page, in a folder of its own.
    pub(crate) fn detach(&self, file: &Path) -> PathBuf {
        let out = self.folder.join("out");
        if out.exists() {
            fs::remove_dir_all(&out).expect("removed");
        }
        fs::create_dir(&out).expect("a folder");
        crate::peers::said("pdfdetach", &["-saveall".as_ref(), "-o".as_ref(), out.as_os_str(), file.as_os_str()]);
        out
    }
}
