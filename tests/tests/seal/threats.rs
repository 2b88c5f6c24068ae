//! Attacks on seals: a seal that chooses how it is checked, and a signature taken for one over something else.

use dualseal::checkpoint::{Checkpoint, CheckpointSigner, CheckpointVerifier, Pins};
use dualseal::key::{KeyRing, Unprepared};
use dualseal::seal::{
    Conclusion, LayerOutcome, Legacy, Policy, Seal, SealKey, SealOutcome, SealReport, SealVerifier, Sealer,
};
use dualseal::verdict::{InvalidReason, Verdict};
use dualseal::{Domain, Head, IdentityId, SignatureRecord, Signer, SigningKey, Verifier};
use dualseal_tests::log::{ORIGIN, mark_of};
use dualseal_tests::random::Constant;
use dualseal_tests::{identity, key, minute, raw_seal, with_member};

const CONTENT: &[u8] = b"content";
const SEAL_KEY: [u8; 32] = [9; 32];
/// Where layer B begins in a seal string.
const BEFORE_B: usize = "SEAL-DUAL::".len() + 128 + "::".len();

fn seal_key() -> SealKey {
    SealKey::from_slice(&SEAL_KEY).unwrap()
}

fn report(seal: &str, payload: &[u8], policy: Policy<'_>, legacy: Legacy) -> SealReport {
    let (domain, ana) = (Domain::default(), identity("ana"));
    let ring = KeyRing::pinned(&ana, key(1).public_key().clone());
    let seal: Seal = seal.parse().unwrap();
    SealVerifier::new(&domain, &ring, &Unprepared).verify(&seal, payload, &ana, policy, legacy, None)
}

fn reason<T>(verdict: &Verdict<T>) -> InvalidReason {
    match verdict {
        Verdict::Invalid(rejection) => rejection.reason(),
        other => panic!("{:?}", other.kind()),
    }
}

fn seal_reason(report: &SealReport) -> InvalidReason {
    let Conclusion::Verdict(verdict) = &report.conclusion else { panic!("a verdict") };
    reason(verdict)
}

/// Whoever has the seal key can make layer A for anything. Cutting layer B off, or spoiling it, must not turn a seal
/// into one that asks for less.
#[test]
fn a_seal_cannot_be_downgraded() {
    let good = raw_seal::dual(&SEAL_KEY, [1; 32], CONTENT, &identity("ana"));
    let stripped = format!("SEAL-L5::{}", &good["SEAL-DUAL::".len()..][..128]);
    let forged = raw_seal::legacy(&SEAL_KEY, b"another content");
    for (seal, payload) in [(&stripped, CONTENT), (&forged, b"another content")] {
        for legacy in [Legacy::Refused, Legacy::Permitted] {
            for policy in [Policy::Both(&seal_key()), Policy::LayerB] {
                let report = report(seal, payload, policy, legacy);
                assert_eq!(seal_reason(&report), InvalidReason::LegacySeal);
                assert_eq!((report.internal(), report.public()), (SealOutcome::Rejected, SealOutcome::Rejected));
            }
        }
        let refused = report(seal, payload, Policy::LayerA(&seal_key()), Legacy::Refused);
        assert!(matches!(refused.conclusion, Conclusion::NotAuthenticated));
        assert_eq!(refused.layer_a, LayerOutcome::Pass, "the layer holds, and is not enough");
    }
}

/// Layer A with a layer B of somebody else: enough for `LayerA`, whose result is no `Verified`, and for nothing else.
#[test]
fn layer_a_is_never_taken_for_both() {
    let by_another = raw_seal::dual(&SEAL_KEY, [2; 32], CONTENT, &identity("ana"));
    let under_a = report(&by_another, CONTENT, Policy::LayerA(&seal_key()), Legacy::Refused);
    assert!(matches!(under_a.conclusion, Conclusion::Authenticated(_)));
    assert_eq!(under_a.layer_b, LayerOutcome::NotChecked);
    for policy in [Policy::Both(&seal_key()), Policy::LayerB] {
        assert_eq!(seal_reason(&report(&by_another, CONTENT, policy, Legacy::Permitted)), InvalidReason::Signature);
    }
    // And layer B over another layer A: it covers the HMAC that stands in the seal.
    let good = raw_seal::dual(&SEAL_KEY, [1; 32], CONTENT, &identity("ana"));
    let other = raw_seal::dual(&[8; 32], [1; 32], CONTENT, &identity("ana"));
    let crossed = format!("{}{}", &good[..BEFORE_B], &other[BEFORE_B..]);
    assert_eq!(seal_reason(&report(&crossed, CONTENT, Policy::LayerB, Legacy::Refused)), InvalidReason::Signature);
    let crossed = format!("{}{}", &other[..BEFORE_B], &good[BEFORE_B..]);
    for policy in [Policy::Both(&seal_key()), Policy::LayerB] {
        let reason = seal_reason(&report(&crossed, CONTENT, policy, Legacy::Refused));
        assert!(matches!(reason, InvalidReason::Content | InvalidReason::Signature));
    }
}

/// One key, one identity, one content: a record, a checkpoint and a seal.
struct Signed {
    domain: Domain,
    ana: IdentityId,
    key: SigningKey,
    record: SignatureRecord,
    checkpoint: Checkpoint,
    seal: String,
}

fn signed() -> Signed {
    let (domain, ana, key) = (Domain::default(), identity("ana"), key(1));
    let signer = Signer::new(&domain, &ana, &key);
    let made = signer.sign_deterministic(&signer.content_hash(CONTENT), &Head::EMPTY, minute(1)).unwrap();
    let log = CheckpointSigner::new(&domain, ORIGIN, &ana, &key).unwrap();
    let checkpoint = log.sign(&mark_of(ORIGIN, &made.head), minute(1), &mut Constant(0)).unwrap();
    let seal = Sealer::new(&domain, &ana, &seal_key(), &key).seal(CONTENT, &mut Constant(0)).unwrap().to_string();
    Signed { record: made.record, checkpoint, seal, domain, ana, key }
}

impl Signed {
    /// What each kind of record says with this signature in it.
    fn verdicts(&self, potpis: &str) -> [Option<InvalidReason>; 3] {
        let ring = KeyRing::pinned(&self.ana, self.key.public_key().clone());
        let record = with_member(&self.record.to_json(), "potpis", potpis.into());
        let record = SignatureRecord::from_json(record.as_bytes()).unwrap();
        let content = self.domain.content_hash(&self.ana, CONTENT);
        let record = Verifier::new(&self.domain, &ring, &Unprepared).verify(&content, record, None);

        let pins = Pins {
            origin: ORIGIN.into(),
            identity_id: self.ana,
            key_hash: *self.key.public_key().hash(),
            least_size: 0,
        };
        let checkpoint = with_member(&self.checkpoint.to_json(), "potpis", potpis.into());
        let checkpoint = Checkpoint::from_json(checkpoint.as_bytes()).unwrap();
        let checkpoint = CheckpointVerifier::new(&self.domain, &pins, None, &Unprepared).verify(checkpoint);

        let seal = format!("{}{potpis}", &self.seal[..BEFORE_B]);
        let Conclusion::Verdict(seal) = report(&seal, CONTENT, Policy::Both(&seal_key()), Legacy::Refused).conclusion
        else {
            panic!("a verdict")
        };
        let reason_of = |valid: bool, reason: &dyn Fn() -> InvalidReason| (!valid).then(reason);
        [
            reason_of(matches!(record, Verdict::Valid(_)), &|| reason(&record)),
            reason_of(matches!(checkpoint, Verdict::Valid(_)), &|| reason(&checkpoint)),
            reason_of(matches!(seal, Verdict::Valid(_)), &|| reason(&seal)),
        ]
    }
}

/// A signature counts for the record that it was made for, and for no other kind.
#[test]
fn a_signature_is_not_taken_for_one_of_another_kind() {
    let signed = signed();
    let no = Some(InvalidReason::Signature);
    let record = signed.record.signature().to_hex();
    assert_eq!(signed.verdicts(&record), [None, no, no]);
    let checkpoint = signed.checkpoint.signature().to_hex();
    assert_eq!(signed.verdicts(&checkpoint), [no, None, no]);
    assert_eq!(signed.verdicts(&signed.seal[BEFORE_B..]), [no, no, None]);
}

/// The statement of a seal begins with hexadecimal, that of everything else with a prefix that is none: whatever the
/// payload, one cannot equal the other. Sealing a statement seals its hexadecimal.
#[test]
fn sealing_a_statement_does_not_sign_it() {
    let signed = signed();
    let (id, record) = (signed.ana, &signed.record);
    let statement = format!(
        "DUALSEAL-SIGN::STATEMENT::ML-DSA-65::1::{id}::{}::{}::{}::DUALSEAL",
        record.content_hash(),
        record.krunica_hash(),
        record.time()
    );
    let accepts = |potpis: &str| {
        raw_seal::accepts(signed.key.public_key().as_bytes(), &hex::decode(potpis).unwrap(), statement.as_bytes())
    };
    assert!(accepts(&record.signature().to_hex()), "this is the statement");
    let seal_key = seal_key();
    let oracle = Sealer::new(&signed.domain, &id, &seal_key, &signed.key);
    for payload in [statement.as_bytes(), &statement.as_bytes()[.."DUALSEAL-SIGN".len()], b""] {
        let seal = oracle.seal(payload, &mut Constant(0)).unwrap().to_string();
        assert!(!accepts(&seal[BEFORE_B..]));
        assert_eq!(signed.verdicts(&seal[BEFORE_B..])[0], Some(InvalidReason::Signature));
    }
    // The domain's rule that keeps it so: a prefix that reads as hexadecimal is refused.
    for row in [dualseal::domain::Row::Signature, dualseal::domain::Row::Krunica, dualseal::domain::Row::Threshold] {
        assert!(Domain::builder("DUALSEAL").prefix(row, "abc0").build().is_err());
    }
}

/// Vault blocks and shards are sealed by operations of their own; a caller's payload cannot pass for one.
#[test]
fn reserved_payloads_are_neither_made_nor_taken() {
    let signed = signed();
    for payload in [&b"DUALSEAL-VAULT::L5::{}"[..], b"DUALSEAL-SHARD::SEAL::0::0::0::DUALSEAL"] {
        let seal_key = seal_key();
        let oracle = Sealer::new(&signed.domain, &signed.ana, &seal_key, &signed.key);
        assert!(oracle.seal(payload, &mut Constant(0)).is_err());
        assert!(oracle.seal_legacy(payload).is_err());
        let forged = raw_seal::dual(&SEAL_KEY, [1; 32], payload, &signed.ana);
        for policy in [Policy::Both(&seal_key), Policy::LayerB] {
            let reason = seal_reason(&report(&forged, payload, policy, Legacy::Permitted));
            assert_eq!(reason, InvalidReason::ReservedPayload);
        }
        for seal in [forged, raw_seal::legacy(&SEAL_KEY, payload)] {
            let report = report(&seal, payload, Policy::LayerA(&seal_key), Legacy::Permitted);
            assert!(matches!(report.conclusion, Conclusion::NotAuthenticated));
        }
    }
}

/// A seal is bound to its identity: layer B says whose it is, and so does the key of layer A.
#[test]
fn a_seal_of_one_identity_is_none_of_another() {
    let (domain, ana, ivan) = (Domain::default(), identity("ana"), identity("ivan"));
    let seal: Seal = raw_seal::dual(&SEAL_KEY, [1; 32], CONTENT, &ana).parse().unwrap();
    // The same key pinned for another identity, and the same seal key used for both, as it should not be.
    let ring = KeyRing::pinned(&ivan, key(1).public_key().clone());
    let verifier = SealVerifier::new(&domain, &ring, &Unprepared);
    for policy in [Policy::Both(&seal_key()), Policy::LayerB] {
        let report = verifier.verify(&seal, CONTENT, &ivan, policy, Legacy::Refused, None);
        assert_eq!(seal_reason(&report), InvalidReason::Signature);
    }
    let acme = Domain::builder("DUALSEAL").suffix(dualseal::domain::Row::Seal, "OTHER").build().unwrap();
    let ring = KeyRing::pinned(&ana, key(1).public_key().clone());
    let verifier = SealVerifier::new(&acme, &ring, &Unprepared);
    let report = verifier.verify(&seal, CONTENT, &ana, Policy::LayerB, Legacy::Refused, None);
    assert_eq!(seal_reason(&report), InvalidReason::Signature);
}
