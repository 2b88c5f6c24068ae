//! The known answers of seals that the second implementation made (`tests/second/make_seal_answers.py`), made again and
//! verified.

use dualseal::checkpoint::{Checkpoint, CheckpointVerifier, Pins};
use dualseal::error::{Error, Misuse};
use dualseal::key::Unprepared;
use dualseal::seal::{
    Conclusion, LayerOutcome, Legacy, Policy, Seal, SealKey, SealOutcome, SealReport, SealVerifier, Sealer,
};
use dualseal::secret::Secret;
use dualseal::verdict::{InvalidReason, Verdict};
use dualseal::{CheckedRing, Domain, IdentityId, KeyRing, Krunica, Located, PublicRing, SigningKey};
use dualseal_tests::prelude::*;
use dualseal_tests::random::Constant;
use dualseal_tests::reading;
use dualseal_tests::registry::authority;
use dualseal_tests::vectors::{bytes, items, json, string};
use serde_json::Value;
use sha3::{Digest, Sha3_256};

fn answers() -> Value {
    json("known_answers_seal.json")
}

fn domain(case: &Value) -> Domain {
    Domain::new(string(case, "domain")).unwrap()
}

fn identity_id(case: &Value) -> IdentityId {
    string(case, "identity_id").parse().unwrap()
}

fn invalid(report: &SealReport) -> Option<InvalidReason> {
    match &report.conclusion {
        Conclusion::Verdict(Verdict::Invalid(rejection)) => Some(rejection.reason()),
        _ => None,
    }
}

/// What a case is made of, and the seal of its string where it has one.
struct Case<'a> {
    case: &'a Value,
    domain: Domain,
    id: IdentityId,
    seal_key: SealKey,
    signing: SigningKey,
    payload: Vec<u8>,
}

impl<'a> Case<'a> {
    fn new(case: &'a Value) -> Self {
        Self {
            domain: domain(case),
            id: identity_id(case),
            seal_key: SealKey::from_slice(&bytes(case, "seal_key_hex")).unwrap(),
            signing: SigningKey::from_seed(&bytes(case, "seed_hex")).unwrap(),
            payload: bytes(case, "payload_hex"),
            case,
        }
    }

    fn sealer(&self) -> Sealer<'_> {
        Sealer::new(&self.domain, &self.id, &self.seal_key, &self.signing)
    }

    fn report(&self, seal: &str, policy: Policy<'_>) -> SealReport {
        let ring = KeyRing::pinned(&self.id, self.signing.public_key().clone());
        let seal: Seal = seal.parse().unwrap();
        let verifier = SealVerifier::new(&self.domain, &ring, &Unprepared);
        verifier.verify(&seal, &self.payload, &self.id, policy, Legacy::Permitted, None)
    }
}

#[cfg_attr(test, test)]
pub(crate) fn keys_are_derived_alike() {
    for case in items(&answers(), "derived_keys") {
        let master = Secret::from_slice("master", &bytes(case, "master_hex")).unwrap();
        let key = SealKey::derive(&domain(case), &master, &identity_id(case));
        assert_eq!(hex::encode(key.expose()), string(case, "seal_key_hex"));
    }
}

/// With randomness of zeros, which is the deterministic variant, the whole seal is the same to the byte.
#[cfg_attr(test, test)]
pub(crate) fn seals_are_made_alike() {
    let answers = answers();
    for case in items(&answers, "seals").iter().chain(items(&answers, "near_reserved")) {
        let made = Case::new(case);
        let seal = made.sealer().seal(&made.payload, &mut Constant(0)).unwrap();
        assert_eq!(seal.seal_id().to_string(), string(case, "seal_id"));
        assert_eq!(seal.chain_message(&made.domain), string(case, "poruka"));
        let legacy = made.sealer().seal_legacy(&made.payload).unwrap();
        assert_eq!(legacy.to_string(), string(case, "legacy"));
        if let Some(text) = case["seal"].as_str() {
            assert_eq!(seal.to_string(), text);
        }
        let text = seal.to_string();
        assert_eq!(made.report(&text, Policy::Both(&made.seal_key)).internal(), SealOutcome::Ok);
        let statement =
            format!("{}::{}::{}::{}", string(case, "payload_hex"), &text[11..139], made.id, string(case, "domain"));
        assert_eq!(hex::encode(Sha3_256::digest(statement)), string(case, "statement_sha3_256"));
    }
}

#[cfg_attr(test, test)]
pub(crate) fn reserved_payloads_are_refused_alike() {
    for case in items(&answers(), "reserved") {
        let made = Case::new(case);
        let refused = Error::Misuse(Misuse::ReservedPayload);
        assert_eq!(made.sealer().seal(&made.payload, &mut Constant(0)).unwrap_err(), refused);
        let legacy = made.report(string(case, "legacy"), Policy::LayerA(&made.seal_key));
        assert!(matches!(legacy.conclusion, Conclusion::NotAuthenticated));
        if let Some(seal) = made.case["seal"].as_str() {
            let report = made.report(seal, Policy::Both(&made.seal_key));
            assert_eq!(invalid(&report), Some(InvalidReason::ReservedPayload));
            assert_eq!((report.layer_a, report.layer_b), (LayerOutcome::Fail, LayerOutcome::Pass));
        }
    }
}

#[cfg_attr(test, test)]
pub(crate) fn legacy_keys_verify_alike() {
    let (domain, id) = (Domain::default(), IdentityId::from_bytes([1; 32]));
    let ring = CheckedRing::new("log", &authority(&domain)).unwrap();
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    for case in items(&answers(), "legacy_keys") {
        let key = SealKey::legacy(&bytes(case, "seal_key_hex")).unwrap();
        let seal: Seal = string(case, "legacy").parse().unwrap();
        for (payload, expected) in [(bytes(case, "payload_hex"), true), (b"other".to_vec(), false)] {
            let report = verifier.verify(&seal, &payload, &id, Policy::LayerA(&key), Legacy::Permitted, None);
            assert_eq!(matches!(report.conclusion, Conclusion::Authenticated(_)), expected);
        }
    }
}

/// A seal by a retired key with its chain and the log's checkpoint: everything that a stranger gets.
#[cfg_attr(test, test)]
pub(crate) fn a_seal_outlives_its_key_alike() {
    let answers = answers();
    let case = &answers["outlived"];
    let (domain, id) = (domain(case), identity_id(case));
    let ring = PublicRing::from_json(case["ring"].to_string().as_bytes()).unwrap();
    let chain = Krunica::from_json(case["chain"].to_string().as_bytes()).unwrap();
    let checkpoint = Checkpoint::from_json(case["checkpoint"].to_string().as_bytes()).unwrap();
    let pins = Pins {
        origin: ring.origin().unwrap().to_string(),
        identity_id: *checkpoint.identity_id(),
        key_hash: *checkpoint.public_key().hash(),
        least_size: 3,
    };
    let verdict = CheckpointVerifier::new(&domain, &pins, None, &Unprepared).verify(checkpoint);
    let checkpoint = verdict.valid().unwrap();
    let places = reading::read(reading::under(&checkpoint), chain.entries(), |reader| reader.places(|_| true)).unwrap();

    let seal_key = SealKey::from_slice(&bytes(case, "seal_key_hex")).unwrap();
    let seal: Seal = string(case, "seal").parse().unwrap();
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    let reason = |at: Option<&Located>| {
        let payload = bytes(case, "payload_hex");
        let report = verifier.verify(&seal, &payload, &id, Policy::Both(&seal_key), Legacy::Refused, at);
        invalid(&report).map(InvalidReason::as_str)
    };
    assert_eq!(reason(None), case["expected"]["no place"].as_str());
    for located in &places {
        let expected = &case["expected"][located.entry().seq().to_string()];
        assert!(!expected.is_null() || located.entry().seq() == 1);
        assert_eq!(reason(Some(located)), expected.as_str());
    }
    assert_eq!((places.len(), items(case, "chain").len()), (3, 3));
}
