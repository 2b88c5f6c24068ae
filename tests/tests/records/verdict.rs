//! The verdict of every role and state of a key against every kind of tampering, each cell written down, and what is
//! told of each: to the operator, and to everybody else.

use dualseal::batch::{SignatureItem, Threads, verify_signatures};
use dualseal::error::{Error, Misuse};
use dualseal::key::{KeyState, Unprepared};
use dualseal::verdict::{InvalidReason, Verdict, VerdictKind};
use dualseal::{HashedContent, Head, IdentityId, KeyRing, SignatureRecord, Signer, SigningKey, Verified, Verifier};
use dualseal_tests::registry::Registry;
use dualseal_tests::{identity, key, minute, next_digit, record};

const CONTENT: &[u8] = b"content";

const TAMPERINGS: [&str; 10] = [
    "none",
    "content",
    "potpis",
    "other id",
    "unknown id",
    "javni_kljuc",
    "sadrzaj_hash",
    "krunica_hash",
    "timestamp",
    "two",
];

/// V valid, D decoy, R revoked, S suspended; invalid: c content, s signature, f foreign key, u unknown identity, t
/// retired key. The columns are [`TAMPERINGS`].
const TABLE: [(&str, &str, &str); 16] = [
    ("current", "istina", "V c s f u f c s s c"),
    ("current", "laz", "R R R f u f R R R R"),
    ("current", "oboje", "D c s f u f c s s c"),
    ("current", "nijedno", "S S S f u f S S S S"),
    ("decoy", "oboje", "D c s f u f c s s c"),
    ("retired", "istina", "t c s f u f c s s c"),
    ("retired", "laz", "R R R f u f R R R R"),
    ("retired", "oboje", "t c s f u f c s s c"),
    ("retired", "nijedno", "S S S f u f S S S S"),
    ("foreign", "", "f f f f u f f f f f"),
    ("unknown", "", "u u u f u u u u u u"),
    // The signer's key is that of the other identity, so that naming this one leaves only the signature to be wrong.
    ("another's", "istina", "f f f s u f f f f f"),
    ("another's", "laz", "f f f R u f f f f f"),
    ("another's", "oboje", "f f f s u f f f f f"),
    ("another's", "nijedno", "f f f S u f f f f f"),
    ("another's decoy", "oboje", "f f f s u f f f f f"),
];

struct Case {
    registry: Registry,
    record: SignatureRecord,
    content: HashedContent,
}

/// A ring in which the signer of the record has this role and state.
fn case(role: &str, state: &str) -> Case {
    let (ana, ivan) = (identity("ana"), identity("ivan"));
    let (signer, other, next) = (key(1), key(2), key(3));
    let mut registry = Registry::new();
    let set = |registry: &mut Registry, id: &IdentityId, key: &SigningKey| {
        registry.set_state(id, Some(key.public_key().hash()), state.parse::<KeyState>().unwrap());
    };
    if role != "unknown" {
        registry.add(&ana, if matches!(role, "current" | "retired") { &signer } else { &next }.public_key());
    }
    registry.add(&ivan, if role == "another's" { &signer } else { &other }.public_key());
    match role {
        "current" => set(&mut registry, &ana, &signer),
        "decoy" => registry.add_decoy(&ana, signer.public_key()),
        "retired" => {
            registry.rotate(&ana, next.public_key());
            set(&mut registry, &ana, &signer);
        }
        "another's" => set(&mut registry, &ivan, &signer),
        "another's decoy" => registry.add_decoy(&ivan, signer.public_key()),
        "foreign" | "unknown" => {}
        other => panic!("{other}"),
    }
    let content = registry.domain.content_hash(&ana, CONTENT);
    Case { registry, record: record(&ana, &signer, CONTENT), content }
}

fn with_text(record: &SignatureRecord, name: &str, text: &str) -> SignatureRecord {
    let json = dualseal_tests::with_member(&record.to_json(), name, text.into());
    SignatureRecord::from_json(json.as_bytes()).unwrap()
}

/// The content hash and the record that a verifier is given.
fn tampered(case: &Case, tampering: &str) -> (HashedContent, SignatureRecord) {
    let Case { content, record, registry } = case;
    let other_content = registry.domain.content_hash(record.identity_id(), b"other");
    let altered = |name: &str| {
        let json: serde_json::Value = serde_json::from_str(&record.to_json()).unwrap();
        with_text(record, name, &next_digit(json[name].as_str().unwrap(), 40))
    };
    // Whoever the record names is expected, so that what is wrong with that is the reason.
    let named = |id: &IdentityId| {
        (HashedContent::from_parts(id, *content.hash()), with_text(record, "identity_id", &id.to_hex()))
    };
    match tampering {
        "none" => (*content, record.clone()),
        "content" => (other_content, record.clone()),
        "other id" => named(&identity("ivan")),
        "unknown id" => named(&identity("nobody")),
        "timestamp" => (*content, with_text(record, "timestamp", "2026-11-21T09:01:00.001Z")),
        "two" => (other_content, altered("potpis")),
        name => (*content, altered(name)),
    }
}

fn letter(verdict: &Verdict<SignatureRecord>) -> &'static str {
    match verdict {
        Verdict::Valid(_) => "V",
        Verdict::Decoy(_) => "D",
        Verdict::Revoked(_) => "R",
        Verdict::Suspended(_) => "S",
        Verdict::Invalid(rejection) => match rejection.reason() {
            InvalidReason::Content => "c",
            InvalidReason::Signature => "s",
            InvalidReason::ForeignKey => "f",
            InvalidReason::UnknownIdentity => "u",
            InvalidReason::RetiredKey => "t",
            other => panic!("{other:?}"),
        },
    }
}

/// `validan`, `razlog` of the internal result and of the public one.
fn told(letter: &str) -> (Option<bool>, Option<&str>, Option<bool>, Option<&str>) {
    match letter {
        "V" => (Some(true), None, Some(true), None),
        "D" => (Some(false), Some("decoy"), Some(true), None),
        "R" => (Some(false), Some("revoked"), Some(false), Some("rejected")),
        "S" => (None, Some("suspended"), None, Some("suspended")),
        "c" => (Some(false), Some("content"), Some(false), Some("rejected")),
        "s" => (Some(false), Some("signature"), Some(false), Some("rejected")),
        "f" => (Some(false), Some("foreign key"), Some(false), Some("rejected")),
        "u" => (Some(false), Some("unknown identity"), Some(false), Some("rejected")),
        "t" => (Some(false), Some("retired key"), Some(false), Some("rejected")),
        other => panic!("{other}"),
    }
}

fn kind(letter: &str) -> VerdictKind {
    match letter {
        "V" => VerdictKind::Valid,
        "D" => VerdictKind::Decoy,
        "R" => VerdictKind::Revoked,
        "S" => VerdictKind::Suspended,
        _ => VerdictKind::Invalid,
    }
}

#[test]
fn every_cell() {
    for (role, state, row) in TABLE {
        let case = case(role, state);
        let expected: Vec<&str> = row.split(' ').collect();
        assert_eq!(expected.len(), TAMPERINGS.len());
        for (tampering, expected) in TAMPERINGS.into_iter().zip(expected) {
            let cell = format!("{role} {state}, {tampering}");
            let (content, record) = tampered(&case, tampering);
            let verifier = Verifier::new(&case.registry.domain, &case.registry.ring, &Unprepared);
            let verdict = verifier.verify(&content, record.clone(), None);
            assert_eq!(letter(&verdict), expected, "{cell}");
            assert_eq!(verdict.kind(), kind(expected), "{cell}");

            // The state is the key's, and there is none where the key is not the identity's.
            let state = (!matches!(expected, "f" | "u")).then_some(state);
            assert_eq!(verdict.subject().state.map(KeyState::as_str), state, "{cell}");
            let (valid, reason, public_valid, public_reason) = told(expected);
            let (internal, told_to_all) = (verdict.internal(), verdict.public());
            let public = told_to_all.as_ref();
            assert_eq!((internal.valid, internal.reason.as_deref()), (valid, reason), "{cell}");
            assert_eq!((public.valid, public.reason.as_deref()), (public_valid, public_reason), "{cell}");
            assert_eq!(internal.state.map(KeyState::as_str), state, "{cell}");
            let shown = state.map(|state| if state == "oboje" { "istina" } else { state });
            assert_eq!(public.state.map(KeyState::as_str), shown, "{cell}");
            for told in [&internal, public] {
                assert_eq!(&told.identity_id, record.identity_id(), "{cell}");
                assert_eq!((told.time, told.algorithm.as_str()), (Some(record.time()), "ML-DSA-65"), "{cell}");
            }
            match verdict {
                Verdict::Decoy(ticket) => assert_eq!(ticket.key_hash(), record.public_key().hash(), "{cell}"),
                verdict => assert_eq!(verdict.valid().map(Verified::into_record), (expected == "V").then_some(record)),
            }
        }
    }
}

/// An outsider cannot tell a decoy from a valid key, whatever is done to the record.
#[test]
fn valid_and_decoy_are_told_in_equal_bytes() {
    let told = |role: &str, state: &str| {
        let case = case(role, state);
        TAMPERINGS.map(|tampering| {
            let (content, record) = tampered(&case, tampering);
            Verifier::new(&case.registry.domain, &case.registry.ring, &Unprepared)
                .verify(&content, record, None)
                .public()
                .to_json()
        })
    };
    let valid = told("current", "istina");
    assert_eq!(told("current", "oboje"), valid);
    assert_eq!(told("decoy", "oboje"), valid);
    assert_eq!(told("retired", "oboje"), told("retired", "istina"));
    assert!(valid[0].contains(r#""validan":true"#));
    assert_ne!(valid[0], told("current", "laz")[0]);
}

/// A ring that left its operator tells the same to its reader as the operator's public answer.
#[test]
fn the_public_ring_gives_the_public_answers() {
    for (role, state, _) in TABLE.into_iter().filter(|(role, _, _)| !role.contains("decoy")) {
        let case = case(role, state);
        let public_ring = case.registry.ring.public();
        for tampering in TAMPERINGS {
            let (content, record) = tampered(&case, tampering);
            let verify = |ring: &KeyRing| {
                Verifier::new(&case.registry.domain, ring, &Unprepared).verify(&content, record.clone(), None).public()
            };
            assert_eq!(verify(&public_ring), verify(&case.registry.ring), "{role} {state}, {tampering}");
        }
    }
}

#[test]
fn a_pinned_key_is_all_that_a_stranger_trusts() {
    let case = case("current", "laz");
    let ana = identity("ana");
    let pinned = KeyRing::pinned(&ana, key(1).public_key().clone());
    let verifier = Verifier::new(&case.registry.domain, &pinned, &Unprepared);
    assert_eq!(letter(&verifier.verify(&case.content, case.record.clone(), None)), "V");
    let other = KeyRing::pinned(&ana, key(2).public_key().clone());
    let verifier = Verifier::new(&case.registry.domain, &other, &Unprepared);
    assert_eq!(letter(&verifier.verify(&case.content, case.record.clone(), None)), "f");
    let nobody = Registry::new().ring;
    let verifier = Verifier::new(&case.registry.domain, &nobody, &Unprepared);
    assert_eq!(letter(&verifier.verify(&case.content, case.record, None)), "u");
}

/// Anybody who has a key in the ring can sign any content, also content that was hashed for another: whose signature is
/// expected comes with the content, and the state of the other's key is not told.
#[test]
fn another_signers_record_is_invalid_whoever_that_is() {
    let (ana, mallory) = (identity("ana"), identity("mallory"));
    for state in ["istina", "laz", "oboje", "nijedno"] {
        let mut registry = Registry::new();
        registry.add(&ana, key(1).public_key());
        registry.add(&mallory, key(2).public_key());
        registry.set_state(&mallory, None, state.parse::<KeyState>().unwrap());
        let (domain, ring) = (&registry.domain, &registry.ring);
        let verifier = Verifier::new(domain, ring, &Unprepared);
        let expected = domain.content_hash(&ana, CONTENT);
        let own = record(&mallory, &key(2), CONTENT);
        let copied = HashedContent::from_parts(&mallory, *expected.hash());
        let signer_key = key(2);
        let signer = Signer::new(domain, &mallory, &signer_key);
        let over_anas = signer.sign_deterministic(&copied, &Head::EMPTY, minute(1)).unwrap().record;
        assert_eq!(over_anas.content_hash(), expected.hash());
        for forged in [own.clone(), over_anas] {
            let verdict = verifier.verify(&expected, forged.clone(), None);
            let Verdict::Invalid(rejection) = &verdict else { panic!("{state}: {:?}", verdict.kind()) };
            assert_eq!((rejection.reason(), rejection.subject().state), (InvalidReason::OtherSigner, None), "{state}");
            let item = SignatureItem { content: expected, record: forged, place: None };
            let of_batch = verify_signatures(&verifier, vec![item], Threads::current(), &mut |_| {});
            assert_eq!(of_batch[0].kind(), VerdictKind::Invalid, "{state}");
        }
        // Who asks for anybody is told who it was.
        let (who, verdict) = verifier.verify_any_signer(CONTENT, own, None);
        assert_eq!((who, verdict.kind() == VerdictKind::Valid), (mallory, state == "istina"), "{state}");
        let (who, verdict) = verifier.verify_any_signer(CONTENT, record(&ana, &key(1), CONTENT), None);
        assert_eq!((who, verdict.kind()), (ana, VerdictKind::Valid));
    }
}

/// What was hashed for one identity is not signed by another by mistake.
#[test]
fn content_that_was_hashed_for_another_is_not_signed() {
    let (domain, signing) = (dualseal::Domain::default(), key(1));
    let signer = Signer::new(&domain, &identity("ana"), &signing);
    let content = domain.content_hash(&identity("ivan"), CONTENT);
    let refused = signer.sign_deterministic(&content, &Head::EMPTY, minute(1)).unwrap_err();
    assert_eq!(refused, Error::Misuse(Misuse::OtherSigner));
}

/// One signing key serves one domain: another domain's verifier does not take the statement for its own.
#[test]
fn another_domain_refuses() {
    let case = case("current", "istina");
    let acme = dualseal::Domain::new("ACME").unwrap();
    let verifier = Verifier::new(&acme, &case.registry.ring, &Unprepared);
    assert_eq!(letter(&verifier.verify(&case.content, case.record.clone(), None)), "s");
    let content = acme.content_hash(&identity("ana"), CONTENT);
    assert_eq!(letter(&verifier.verify(&content, case.record, None)), "c");
}
