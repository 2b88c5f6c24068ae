//! Makes and verifies evidence for another implementation: reads one JSON request a line, writes one JSON answer a
//! line.
//!
//! | `op` | members | answer |
//! |---|---|---|
//! | `files` | `state`, `since`, `cosigned` | `files`, the log's `fingerprint`, `witnesses` |
//! | `verify` | `evidence`, `document_hex`, `policy` | `report` |
//! | `compare` | `evidence` and `document_hex` of two, `policy` | `stands` |
//! | `place` | `checkpoint`, `proof` | `seq` |
//! | `key` | `checkpoint`, `proof`, `javni_kljuc` | `known_to` |
//! | `attest` | `checkpoint`, `ring` | `known_to` |
//! | `as_of` | `checkpoint`, `ring`, `proof`, `record`, `content_hex`, `signer` | `internal`, `public` |
//! | `fingerprint` | `domain`, `checkpoint` | `fingerprint` |
//!
//! `files` shows a record of each kind, of a key that came to be in this state, seen by the witnesses and at the
//! minutes that `cosigned` pairs. A `policy` is `{fingerprint, domain, signer, least_size, witnesses, needed, after}`:
//! `signer` a pair of `identity` or `key` and which, or null; `witnesses` the texts of their keys. A `domain` is the
//! name that `Domain::new` takes, or `{name, krunica}`, the second the prefix of the krunica row. A refusal is
//! `{refused, reason}`: the name in the catalogue, or `malformed`, and of a record the check that failed.

use dualseal::checkpoint::{AttestedKey, AttestedRing, Checkpoint, CheckpointVerifier, Pins, PlaceProof};
use dualseal::domain::Row;
use dualseal::error::{Error, EvidenceFault, Rejected};
use dualseal::evidence::{EvidenceFile, EvidencePolicy, ExpectedSigner, OpenEvidence};
use dualseal::key::{KeyProof, KeyState, PublicRing, SetState, Unprepared};
use dualseal::note::{NoteKey, Witnesses};
use dualseal::{Domain, PublicKey, SignatureRecord, Verified, Verifier};
use dualseal_tests::bundle::{Kept, fingerprint, note, parts, witness_key};
use serde_json::{Value, json};
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?).expect("a request");
        let answer = answer(&request).unwrap_or_else(|error| refusal(&error));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

type Answer = Result<Value, Error>;

fn refusal(error: &Error) -> Value {
    let reason = match error {
        Error::Rejected(Rejected::NotShown(EvidenceFault::Record { reason })) => Some(*reason),
        _ => None,
    };
    let name = if matches!(error, Error::Malformed(_)) { "malformed" } else { error.row().name };
    json!({ "refused": name, "reason": reason })
}

fn answer(request: &Value) -> Answer {
    match text(request, "op") {
        "files" => files(request),
        "verify" => {
            let domain = request["policy"].get("domain").map(domain).transpose()?;
            let opened = open(&request["evidence"], &policy(&request["policy"], domain.as_ref())?)?;
            let report = opened.verify(&bytes(&request["document_hex"]))?.to_json();
            Ok(json!({ "report": serde_json::from_str::<Value>(&report).expect("JSON") }))
        }
        "compare" => {
            let policy = policy(&request["policy"], None)?;
            let [one, other] = [0, 1].map(|of| (&request["evidence"][of], bytes(&request["document_hex"][of])));
            let opened = (open(one.0, &policy)?, open(other.0, &policy)?);
            opened.0.verify(&one.1)?.compare(&opened.1.verify(&other.1)?)?;
            Ok(json!({ "stands": true }))
        }
        "place" => Ok(json!({ "seq": proof(request)?.verify(&checkpoint(request)?)?.entry().seq() })),
        "key" => {
            let proof = KeyProof::from_json(request["proof"].to_string().as_bytes())?;
            let key = PublicKey::from_hex(text(request, "javni_kljuc"))?;
            Ok(json!({ "known_to": AttestedKey::new(&proof, key, &checkpoint(request)?)?.known_to() }))
        }
        "attest" => Ok(json!({ "known_to": attested(request)?.known_to() })),
        "as_of" => as_of(request),
        "fingerprint" => {
            let checkpoint = Checkpoint::from_json(request["checkpoint"].to_string().as_bytes())?;
            Ok(json!({ "fingerprint": checkpoint.fingerprint(&domain(&request["domain"])?).to_hex() }))
        }
        other => panic!("no op {other}"),
    }
}

fn files(request: &Value) -> Answer {
    let cosigned: Vec<(u8, i64)> = serde_json::from_value(request["cosigned"].clone()).expect("pairs");
    let state: KeyState = text(request, "state").parse()?;
    let set = request["since"].as_u64().map_or_else(|| SetState::from(state), SetState::compromised_from);
    let mut files = Vec::new();
    for mut kept in Kept::of_every_kind() {
        kept.registry.set_state(&kept.record.identity_id().clone(), None, set);
        let mut parts = parts(&kept.registry, kept.record, &kept.public_key, kept.seq);
        parts.note = Some(note(parts.place.checkpoint(), &cosigned));
        let file = EvidenceFile::new(parts)?.to_json();
        files.push(json!({ "document_hex": hex::encode(&kept.document), "evidence": file }));
    }
    let keys = [1, 2, 3].map(|number| witness_key(number).to_text());
    Ok(json!({ "files": files, "fingerprint": fingerprint().to_hex(), "witnesses": keys }))
}

fn as_of(request: &Value) -> Answer {
    let (domain, ring) = (Domain::default(), attested(request)?);
    let place = proof(request)?.verify(&checkpoint(request)?)?;
    let record = SignatureRecord::from_json(request["record"].to_string().as_bytes())?;
    let content = domain.content_hash(&text(request, "signer").parse()?, &bytes(&request["content_hex"]));
    let told = Verifier::new(&domain, &ring, &Unprepared).verify_as_of(&content, record, &place);
    let read = |text: String| serde_json::from_str::<Value>(&text).expect("JSON");
    Ok(json!({ "internal": read(told.to_json()), "public": read(told.to_public_json()) }))
}

fn open(evidence: &Value, policy: &EvidencePolicy<'_>) -> Result<OpenEvidence, Error> {
    // The text, since not every alteration of it is JSON.
    EvidenceFile::from_json(evidence.as_str().expect("text").as_bytes())?.open(policy)
}

fn policy<'a>(policy: &Value, domain: Option<&'a Domain>) -> Result<EvidencePolicy<'a>, Error> {
    let keys = policy["witnesses"].as_array().expect("witnesses").iter();
    let keys = keys.map(|key| NoteKey::from_text(key.as_str().expect("text"))).collect::<Result<Vec<_>, _>>()?;
    let signer = match policy["signer"][0].as_str() {
        Some("identity") => ExpectedSigner::Identity(text(&policy["signer"], 1).parse()?),
        Some("key") => ExpectedSigner::Key(text(&policy["signer"], 1).parse()?),
        _ => ExpectedSigner::Anybody,
    };
    let needed = usize::try_from(policy["needed"].as_u64().expect("a number")).expect("a few");
    Ok(EvidencePolicy {
        domain,
        signer,
        least_size: policy["least_size"].as_u64().expect("a number"),
        log_until: policy["log_until"].as_u64(),
        witnesses: Witnesses::new(&keys, needed)?,
        witnessed_after: policy["after"].as_str().map(str::parse).transpose()?,
        ..EvidencePolicy::of_log(text(policy, "fingerprint").parse()?)
    })
}

fn domain(value: &Value) -> Result<Domain, Error> {
    match value.as_str() {
        Some(name) => Domain::new(name),
        None => Domain::builder(text(value, "name")).prefix(Row::Krunica, text(value, "krunica")).build(),
    }
}

fn checkpoint(request: &Value) -> Result<Verified<Checkpoint>, Error> {
    let checkpoint = Checkpoint::from_json(request["checkpoint"].to_string().as_bytes())?;
    let pins = Pins {
        origin: checkpoint.origin().to_string(),
        identity_id: *checkpoint.identity_id(),
        key_hash: *checkpoint.public_key().hash(),
        least_size: 0,
    };
    let verdict = CheckpointVerifier::new(&Domain::default(), &pins, None, &Unprepared).verify(checkpoint);
    verdict.valid().ok_or_else(|| EvidenceFault::Checkpoint.into())
}

fn proof(request: &Value) -> Result<PlaceProof, Error> {
    PlaceProof::from_json(request["proof"].to_string().as_bytes())
}

fn attested(request: &Value) -> Result<AttestedRing, Error> {
    AttestedRing::new(PublicRing::from_json(request["ring"].to_string().as_bytes())?, &checkpoint(request)?)
}

fn text(value: &Value, index: impl serde_json::value::Index + std::fmt::Display) -> &str {
    value[&index].as_str().unwrap_or_else(|| panic!("no text {index}"))
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("text")).expect("hexadecimal")
}
