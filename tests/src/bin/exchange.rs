//! Answers for another implementation: reads one JSON request a line, writes one JSON answer a line.
//!
//! | `op` | members | answer |
//! |---|---|---|
//! | `derive` | `domain`, `master_hex`, `identity_id` | `seal_key_hex` |
//! | `seal` | `domain`, `seal_key_hex`, `seed_hex`, `identity_id`, `payload_hex` | `seal`, `legacy`, `info`, `poruka` |
//! | `verify_seal` | `domain`, `ring` or `pinned`, `seal`, `identity_id`, and how (below) | `layer_a`, …, `public` |
//! | `checkpoint` | `domain`, `origin`, `identity_id`, `seed_hex`, `time`, `chain` | `checkpoint` |
//! | `verify_checkpoint` | `domain`, `pins`, `checkpoint`, `ring` and `chain` if there is one | `outcome`, `agrees` |
//! | `verify_record` | `domain`, `ring`, `policy`, `record`, `stored_hex`, and more (below) | `layers`, `outcome` |
//! | `to_bytes` | `what` (`record`, `entry`, `seal`), `value` | `bytes_hex`, of a record also `short_hex` |
//! | `from_bytes` | `what`, `bytes_hex`, of a short record `key_hex` | `value` |
//! | `check_ledger` | `domain`, `ring`, `policy`, `ledger`, `records`, `place` if there is one | `fault` or `summary` |
//!
//! A seal is verified over `payload_hex`, under `policy`, with `seal_key_hex`, `legacy` (the permission) and, for a
//! proven place, `place`; the answer has `layer_a`, `layer_b`, `outcome`, `internal` and `public`.
//!
//! A vault record is verified under a `policy` `{master_hex, keys, least}`: null for the secret of everybody, and null
//! for no table, whose rows are `[identity_id, tier, public_key]`; with the `previous` record and a `place` where these
//! are given. `layers` is `{L0: {outcome, reason}, …}`. The `records` of a ledger are `[record, stored_hex]`; a `fault`
//! is `[seq, layer or kind]`, and a `summary` `[size, valid, revoked, suspended, decoys]`.
//!
//! A `place` is `{chain, checkpoint, pins, seq}`, for a ledger without `seq`. Whatever is refused is answered by
//! `{"error": …}`.

use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, Pins};
use dualseal::error::{Rejected, VaultFault};
use dualseal::key::{RingFile, Unprepared};
use dualseal::seal::{Conclusion, LayerOutcome, Legacy, Policy, Seal, SealKey, SealOutcome, SealVerifier, Sealer};
use dualseal::secret::Secret;
use dualseal::vault::{
    LedgerCheck, LedgerSummary, LocatedLedger, Operator, Public, Standing, StoredHash, Tier, TierKeys, TierPolicy,
    VaultMaster, VaultPolicy, VaultRecord, VaultReport, VaultVerifier,
};
use dualseal::verdict::Verdict;
use dualseal::{
    Domain, Entry, IdentityId, KeyRing, Krunica, Located, PublicKey, RingKey, SignatureRecord, SigningKey, SystemRng,
    Verified,
};
use dualseal_tests::log::{any_head, mark_of};
use dualseal_tests::reading;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = serde_json::from_str(&line?).map_err(Into::into).and_then(|request| answer(&request));
        writeln!(out, "{}", answer.unwrap_or_else(|error| json!({ "error": error.to_string() })))?;
        out.flush()?;
    }
    Ok(())
}

type Fallible<T> = Result<T, Box<dyn Error>>;
type Answer = Fallible<Value>;

/// What a request holds, by name.
struct Request<'a>(&'a Value);

fn answer(request: &Value) -> Answer {
    let request = Request(request);
    match request.text("op")? {
        "derive" => derive(&request),
        "seal" => seal(&request),
        "verify_seal" => verify_seal(&request),
        "checkpoint" => checkpoint(&request),
        "verify_checkpoint" => verify_checkpoint(&request),
        "verify_record" => verify_record(&request),
        "check_ledger" => check_ledger(&request),
        "to_bytes" => to_bytes(&request),
        "from_bytes" => from_bytes(&request),
        other => Err(format!("no op {other:?}").into()),
    }
}

fn derive(request: &Request<'_>) -> Answer {
    let master = Secret::from_slice("master", &request.bytes("master_hex")?)?;
    let key = SealKey::derive(&request.domain()?, &master, &request.identity()?);
    Ok(json!({ "seal_key_hex": hex::encode(key.expose()) }))
}

fn to_bytes(request: &Request<'_>) -> Answer {
    let value = &request.0["value"];
    let (bytes, short) = match request.text("what")? {
        "record" => {
            let record = SignatureRecord::from_json(value.to_string().as_bytes())?;
            (record.to_bytes(), Some(hex::encode(record.to_bytes_without_key())))
        }
        "entry" => (Entry::from_json(value.to_string().as_bytes())?.to_bytes()?, None),
        "seal" => (request.text("value")?.parse::<Seal>()?.to_bytes(), None),
        other => return Err(format!("no kind {other:?}").into()),
    };
    Ok(json!({ "bytes_hex": hex::encode(bytes), "short_hex": short }))
}

fn from_bytes(request: &Request<'_>) -> Answer {
    let bytes = request.bytes("bytes_hex")?;
    let value = match request.text("what")? {
        "record" if request.0.get("key_hex").is_some() => {
            let key = PublicKey::from_hex(request.text("key_hex")?)?;
            serde_json::to_value(SignatureRecord::from_bytes_with_key(&bytes, &key)?)?
        }
        "record" => serde_json::to_value(SignatureRecord::from_bytes(&bytes)?)?,
        "entry" => serde_json::from_str(&Entry::from_bytes(&bytes)?.to_json())?,
        "seal" => json!(Seal::from_bytes(&bytes)?.to_string()),
        other => return Err(format!("no kind {other:?}").into()),
    };
    Ok(json!({ "value": value }))
}

fn seal(request: &Request<'_>) -> Answer {
    let (domain, seal_key, signing) = (request.domain()?, request.seal_key()?, request.signing_key()?);
    let (id, payload) = (request.identity()?, request.bytes("payload_hex")?);
    let sealer = Sealer::new(&domain, &id, &seal_key, &signing);
    let dual = sealer.seal(&payload, &mut SystemRng)?;
    let legacy = sealer.seal_legacy(&payload)?;
    let poruka = dual.chain_message(&domain);
    let (seal, info) = (dual.to_string(), Seal::from(dual).info().to_json());
    let info: Value = serde_json::from_str(&info)?;
    Ok(json!({ "seal": seal, "legacy": legacy.to_string(), "info": info, "poruka": poruka }))
}

fn verify_seal(request: &Request<'_>) -> Answer {
    let (domain, id, ring) = (request.domain()?, request.identity()?, request.ring()?);
    let ring = ring.ok_or("no ring")?;
    let seal: Seal = request.text("seal")?.parse()?;
    let payload = request.bytes("payload_hex")?;
    let seal_key = request.seal_key()?;
    let policy = match request.text("policy")? {
        "Both" => Policy::Both(&seal_key),
        "LayerA" => Policy::LayerA(&seal_key),
        "LayerB" => Policy::LayerB,
        other => return Err(format!("no policy {other:?}").into()),
    };
    let legacy = if request.0["legacy"] == true { Legacy::Permitted } else { Legacy::Refused };
    let place = request.0.get("place").map(|place| located(&domain, &Request(place))).transpose()?;
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    let report = verifier.verify(&seal, &payload, &id, policy, legacy, place.as_ref());
    let outcome = match &report.conclusion {
        Conclusion::Authenticated(_) => json!(["authenticated", null]),
        Conclusion::NotAuthenticated => json!(["not authenticated", null]),
        Conclusion::Verdict(verdict) => outcome(verdict),
    };
    let pair = |outcome: SealOutcome| serde_json::from_str::<Value>(&outcome.to_json());
    let layer = |layer| match layer {
        LayerOutcome::Pass => "pass",
        LayerOutcome::Fail => "fail",
        LayerOutcome::NotChecked => "not checked",
        LayerOutcome::Absent => "absent",
    };
    Ok(json!({
        "layer_a": layer(report.layer_a), "layer_b": layer(report.layer_b), "outcome": outcome,
        "internal": pair(report.internal())?, "public": pair(report.public())?,
    }))
}

fn checkpoint(request: &Request<'_>) -> Answer {
    let (domain, signing, chain) = (request.domain()?, request.signing_key()?, request.chain()?);
    let signer = CheckpointSigner::new(&domain, request.text("origin")?, &request.identity()?, &signing)?;
    let time = request.text("time")?.parse()?;
    let made = signer.sign(&mark_of(request.text("origin")?, chain.head()), time, &mut SystemRng)?;
    Ok(json!({ "checkpoint": serde_json::to_value(made)? }))
}

fn verify_checkpoint(request: &Request<'_>) -> Answer {
    let (ring, domain, pins) = (request.ring()?, request.domain()?, request.pins()?);
    let checkpoint = Checkpoint::from_json(request.0["checkpoint"].to_string().as_bytes())?;
    let verdict = CheckpointVerifier::new(&domain, &pins, ring.as_ref(), &Unprepared).verify(checkpoint);
    let outcome = outcome(&verdict);
    let agrees = match (request.0.get("chain"), verdict.valid()) {
        (Some(_), Some(verified)) => match locate(&verified, &request.chain()?, u64::MAX) {
            Ok(_) => json!(true),
            Err(error) => json!(error.to_string()),
        },
        _ => Value::Null,
    };
    Ok(json!({ "outcome": outcome, "agrees": agrees }))
}

fn verify_record(request: &Request<'_>) -> Answer {
    let (domain, ring) = (request.domain()?, request.ring()?.ok_or("no ring")?);
    let verifier = VaultVerifier::new(&domain, &ring, &Unprepared);
    let (record, stored) = stored_record(&domain, &request.0["record"], &request.0["stored_hex"])?;
    let at = request.0.get("place").map(|place| located(&domain, &Request(place))).transpose()?;
    let previous = request.0.get("previous").map(|previous| VaultRecord::from_json(previous.to_string().as_bytes()));
    let after = previous.transpose()?.map(|previous| previous.ledger_head());
    let standing = Standing { place: at.as_ref(), after: after.as_ref() };
    let (master, keys) = (request.master(&domain)?, request.tier_keys()?);
    let tiers = TierPolicy::new(keys.as_ref(), request.least()?)?;
    match &master {
        Some(master) => layers(&verifier.verify_any_signer(record, &stored, &Operator { master, tiers }, standing).1),
        None => layers(&verifier.verify_any_signer(record, &stored, &Public { tiers }, standing).1),
    }
}

fn layers<T>(report: &VaultReport<T>) -> Answer {
    let shown: Value = serde_json::from_str(&report.to_json())?;
    Ok(json!({ "layers": shown["layers"], "outcome": outcome(report.verdict()) }))
}

fn check_ledger(request: &Request<'_>) -> Answer {
    let (domain, ring) = (request.domain()?, request.ring()?.ok_or("no ring")?);
    let verifier = VaultVerifier::new(&domain, &ring, &Unprepared);
    let rows = request.0["records"].as_array().ok_or("no records")?;
    let records = rows.iter().map(|row| stored_record(&domain, &row[0], &row[1])).collect::<Fallible<Vec<_>>>()?;
    let (master, keys) = (request.master(&domain)?, request.tier_keys()?);
    let tiers = TierPolicy::new(keys.as_ref(), request.least()?)?;
    let checked = places(request, &domain, master.as_ref()).and_then(|places| match &master {
        Some(master) => check_records(request, &verifier, &Operator { master, tiers }, places.as_ref(), records),
        None => check_records(request, &verifier, &Public { tiers }, places.as_ref(), records),
    });
    let fault = match checked {
        Ok(LedgerSummary { head, valid, revoked, suspended, decoys, unverified }) => {
            let unverified: Vec<_> = unverified.entries().iter().map(|entry| entry.seq).collect();
            return Ok(
                json!({ "summary": [head.size(), valid, revoked, suspended, decoys], "unverified": unverified }),
            );
        }
        Err(error) => match error.downcast_ref() {
            Some(dualseal::Error::Rejected(Rejected::Vault(fault))) => *fault,
            _ => return Err(error),
        },
    };
    let (seq, kind) = match fault {
        VaultFault::LedgerTruncated { seq } => (seq, "truncated"),
        VaultFault::LedgerFork { seq } => (seq, "fork"),
        VaultFault::LedgerRecord { seq, layer } => (seq, layer.as_str()),
        VaultFault::OtherLedger { seq } => (seq, "another ledger"),
        VaultFault::MissingDecoy { seq } => (seq, "no decoy"),
        other => return Err(other.to_string().into()),
    };
    Ok(json!({ "fault": [seq, kind] }))
}

fn check_records<P: VaultPolicy>(
    request: &Request<'_>,
    verifier: &VaultVerifier<'_>,
    policy: &P,
    places: Option<&LocatedLedger>,
    records: Vec<(VaultRecord, StoredHash)>,
) -> Fallible<LedgerSummary> {
    let ledger = request.text("ledger")?.parse()?;
    let mut check = LedgerCheck::new(verifier, &ledger, policy, places);
    for (record, stored) in records {
        let _ = check.push(record, &stored)?;
    }
    Ok(check.finish()?)
}

/// Where the chain of the request's place has the records of its ledger.
fn places(request: &Request<'_>, domain: &Domain, master: Option<&VaultMaster>) -> Fallible<Option<LocatedLedger>> {
    let Some(place) = request.0.get("place") else { return Ok(None) };
    let place = Request(place);
    let (checkpoint, ledger) = (verified(domain, &place)?, request.text("ledger")?.parse()?);
    let (reader, chain) = (reading::under_in(domain, &checkpoint), place.chain()?);
    Ok(Some(reading::read(reader, chain.entries(), |reader| reader.ledger(&ledger, master))?))
}

fn stored_record(domain: &Domain, record: &Value, stored_hex: &Value) -> Fallible<(VaultRecord, StoredHash)> {
    let stored = hex::decode(stored_hex.as_str().ok_or("no stored bytes")?)?;
    Ok((VaultRecord::from_json(record.to_string().as_bytes())?, StoredHash::of(domain, &stored)))
}

/// The kind of a verdict, and the reason where it has one.
fn outcome<T>(verdict: &Verdict<T>) -> Value {
    let reason = if let Verdict::Invalid(rejection) = verdict { Some(rejection.reason().as_str()) } else { None };
    json!([verdict.kind().as_str(), reason])
}

fn verified(domain: &Domain, place: &Request<'_>) -> Fallible<Verified<Checkpoint>> {
    let pins = place.pins()?;
    let checkpoint = Checkpoint::from_json(place.0["checkpoint"].to_string().as_bytes())?;
    let verdict = CheckpointVerifier::new(domain, &pins, None, &Unprepared).verify(checkpoint);
    verdict.valid().ok_or_else(|| "the place's checkpoint is not valid".into())
}

fn located(domain: &Domain, place: &Request<'_>) -> Fallible<Located> {
    let seq = place.0["seq"].as_u64().ok_or("no seq")?;
    locate(&verified(domain, place)?, &place.chain()?, seq)?
        .ok_or_else(|| "the checkpoint does not cover the place".into())
}

fn locate(checkpoint: &Verified<Checkpoint>, chain: &Krunica, seq: u64) -> Fallible<Option<Located>> {
    Ok(dualseal_tests::log::check(checkpoint, chain.entries(), seq)?.pop())
}

impl Request<'_> {
    fn text(&self, name: &str) -> Fallible<&str> {
        self.0[name].as_str().ok_or_else(|| format!("no text {name}").into())
    }

    fn bytes(&self, name: &str) -> Fallible<Vec<u8>> {
        hex::decode(self.text(name)?).map_err(|error| format!("{name}: {error}").into())
    }

    fn domain(&self) -> Fallible<Domain> {
        Ok(Domain::new(self.text("domain")?)?)
    }

    fn identity(&self) -> Fallible<IdentityId> {
        Ok(self.text("identity_id")?.parse()?)
    }

    fn signing_key(&self) -> Fallible<SigningKey> {
        Ok(SigningKey::from_seed(&self.bytes("seed_hex")?)?)
    }

    fn seal_key(&self) -> Fallible<SealKey> {
        Ok(SealKey::legacy(&self.bytes("seal_key_hex")?)?)
    }

    /// The operator's secret; none for everybody else.
    fn master(&self, domain: &Domain) -> Fallible<Option<VaultMaster>> {
        let policy = Request(&self.0["policy"]);
        if policy.0["master_hex"].is_null() {
            return Ok(None);
        }
        Ok(Some(VaultMaster::new(domain, Secret::from_slice("master", &policy.bytes("master_hex")?)?)?))
    }

    fn tier_keys(&self) -> Fallible<Option<TierKeys>> {
        let rows = match &self.0["policy"]["keys"] {
            Value::Null => return Ok(None),
            keys => keys.as_array().ok_or("keys")?,
        };
        let mut keys = TierKeys::new();
        for row in rows {
            let cell = |column: usize| row[column].as_str().ok_or("keys");
            keys.enrol(&cell(0)?.parse()?, cell(1)?.parse()?, &cell(2)?.parse()?)?;
        }
        Ok(Some(keys))
    }

    fn least(&self) -> Fallible<Tier> {
        Ok(Request(&self.0["policy"]).text("least")?.parse()?)
    }

    fn chain(&self) -> Fallible<Krunica> {
        Ok(Krunica::from_json(self.0["chain"].to_string().as_bytes())?)
    }

    /// A ring file, sealed by a ring key of 32 bytes 09 and taken at its own word for where the chain ends.
    fn ring(&self) -> Fallible<Option<KeyRing>> {
        if let Some(ring) = self.0.get("ring") {
            let file = RingFile::from_json(ring.to_string().as_bytes())?;
            let top = ring["ovjera"]["top"].as_str().ok_or("no top")?.parse()?;
            let head = any_head(file.size(), top);
            let authority = RingKey::new(&self.domain()?, Secret::from_slice("ring key", &[9; 32])?);
            let checked = reading::resumed(file, &authority, &head, &[], |_| false)?;
            return Ok(Some(KeyRing::clone(&checked)));
        }
        let Some(pinned) = self.0.get("pinned").and_then(Value::as_str) else { return Ok(None) };
        let key = PublicKey::from_hex(pinned)?;
        Ok(Some(KeyRing::pinned(&self.identity()?, key)))
    }

    fn pins(&self) -> Fallible<Pins> {
        let pins = Request(&self.0["pins"]);
        Ok(Pins {
            origin: pins.text("origin")?.to_string(),
            identity_id: pins.identity()?,
            key_hash: pins.text("key_hash")?.parse()?,
            least_size: pins.0["least_size"].as_u64().ok_or("no least_size")?,
        })
    }
}
