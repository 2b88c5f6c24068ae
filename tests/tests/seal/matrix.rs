//! Seals: format x policy x legacy permission x role, state and proven place of the key x tampering. Each cell is
//! written down, and all are run.

use dualseal::key::{KeyState, Unprepared};
use dualseal::seal::{Conclusion, LayerOutcome, Legacy, Policy, Seal, SealKey, SealOutcome, SealReport, SealVerifier};
use dualseal::verdict::{InvalidReason, Verdict};
use dualseal::{IdentityId, PublicKey};
use dualseal_tests::log::{ORIGIN, locate};
use dualseal_tests::registry::Registry;
use dualseal_tests::ring_file::with_retirement;
use dualseal_tests::{identity, key, minute, next_digit, raw_seal};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

const PAYLOAD: &[u8] = b"content";
const RESERVED: &[u8] = b"DUALSEAL-VAULT::L5::{}";
const SEAL_KEY: [u8; 64] = [0x5a; 64];
const SHORT_KEY: [u8; 20] = [0x5b; 20];
const SIGNER: u8 = 1;

/// What the verifier is given is good but for this. `other id` is in the ring with a valid key of its own; `seal key`
/// is another one; `short key` is of a legacy length, and is what layer A was made with; `reserved` is a good seal
/// over a payload that only vault records have.
const TAMPERINGS: [&str; 9] =
    ["none", "payload", "hmac", "signature", "other id", "unknown id", "seal key", "short key", "reserved"];

/// V valid, D decoy, R revoked, S suspended; invalid: c content (layer A), s signature (layer B), t retired key, l
/// located, u unknown identity, p reserved payload. The rows: the signing key's role and state, and the place that is
/// given. The roles: `foreign` signs with a key that is not in the ring, beside a current key in the row's state;
/// `retired` stands beside a current key in state `istina`, and so does `decoy`.
const DUAL_UNDER_BOTH: [(&str, &str, &str, &str); 37] = [
    ("current", "istina", "no place", "V c c s s u c c p"),
    ("current", "istina", "before", "V c c s s u c c p"),
    ("current", "istina", "elsewhere", "l c c s s u c c p"),
    ("current", "laz", "no place", "R R R R s u R R R"),
    ("current", "laz", "before", "R R R R s u R R R"),
    ("current", "laz", "elsewhere", "R R R R s u R R R"),
    ("current", "oboje", "no place", "D c c s s u c c p"),
    ("current", "oboje", "before", "D c c s s u c c p"),
    ("current", "oboje", "elsewhere", "l c c s s u c c p"),
    ("current", "nijedno", "no place", "S S S S s u S S S"),
    ("current", "nijedno", "before", "S S S S s u S S S"),
    ("current", "nijedno", "elsewhere", "S S S S s u S S S"),
    ("retired", "istina", "no place", "t c c s s u c c p"),
    ("retired", "istina", "before", "V c c s s u c c p"),
    ("retired", "istina", "at", "t c c s s u c c p"),
    ("retired", "istina", "after", "t c c s s u c c p"),
    ("retired", "istina", "elsewhere", "t c c s s u c c p"),
    ("retired", "laz", "no place", "R c c s s u R R R"),
    ("retired", "laz", "before", "R c c s s u R R R"),
    ("retired", "laz", "at", "R c c s s u R R R"),
    ("retired", "laz", "after", "R c c s s u R R R"),
    ("retired", "laz", "elsewhere", "R c c s s u R R R"),
    ("retired", "oboje", "no place", "t c c s s u c c p"),
    ("retired", "oboje", "before", "D c c s s u c c p"),
    ("retired", "oboje", "at", "t c c s s u c c p"),
    ("retired", "oboje", "after", "t c c s s u c c p"),
    ("retired", "oboje", "elsewhere", "t c c s s u c c p"),
    ("retired", "nijedno", "no place", "S c c s s u S S S"),
    ("retired", "nijedno", "before", "S c c s s u S S S"),
    ("retired", "nijedno", "at", "S c c s s u S S S"),
    ("retired", "nijedno", "after", "S c c s s u S S S"),
    ("retired", "nijedno", "elsewhere", "S c c s s u S S S"),
    ("decoy", "oboje", "no place", "s c c s s u c c p"),
    ("foreign", "istina", "no place", "s c c s s u c c p"),
    ("foreign", "laz", "no place", "R R R R s u R R R"),
    ("foreign", "nijedno", "no place", "S S S S s u S S S"),
    ("unknown", "", "no place", "u u u u s u u u u"),
];

/// The same without the seal key: what layer A would have shown, layer B shows, but for another seal key.
const DUAL_UNDER_LAYER_B: [(&str, &str, &str, &str); 21] = [
    ("current", "istina", "no place", "V s s s s u V V p"),
    ("current", "istina", "before", "V s s s s u V V p"),
    ("current", "istina", "elsewhere", "l s s s s u l l p"),
    ("current", "laz", "no place", "R R R R s u R R R"),
    ("current", "oboje", "no place", "D s s s s u D D p"),
    ("current", "oboje", "elsewhere", "l s s s s u l l p"),
    ("current", "nijedno", "no place", "S S S S s u S S S"),
    ("retired", "istina", "no place", "t s s s s u t t p"),
    ("retired", "istina", "before", "V s s s s u V V p"),
    ("retired", "istina", "at", "t s s s s u t t p"),
    ("retired", "istina", "after", "t s s s s u t t p"),
    ("retired", "istina", "elsewhere", "t s s s s u t t p"),
    ("retired", "laz", "before", "R s s s s u R R R"),
    ("retired", "oboje", "before", "D s s s s u D D p"),
    ("retired", "oboje", "after", "t s s s s u t t p"),
    ("retired", "nijedno", "before", "S s s s s u S S S"),
    ("decoy", "oboje", "no place", "s s s s s u s s p"),
    ("foreign", "istina", "no place", "s s s s s u s s p"),
    ("foreign", "laz", "no place", "R R R R s u R R R"),
    ("foreign", "oboje", "no place", "s s s s s u s s p"),
    ("unknown", "", "no place", "u u u u s u u u u"),
];

/// A legacy seal satisfies neither `Both` nor `LayerB`: g is Invalid(legacy seal), and over a reserved payload p. It
/// has no signature to alter, so that column is layer A's again. The current key's state decides.
const LEGACY: [(&str, &str, &str); 8] = [
    ("current", "istina", "g g g g g u g g p"),
    ("current", "laz", "R R R R g u R R R"),
    ("current", "oboje", "g g g g g u g g p"),
    ("current", "nijedno", "S S S S g u S S S"),
    ("retired", "laz", "g g g g g u g g p"),
    ("decoy", "oboje", "g g g g g u g g p"),
    ("foreign", "laz", "R R R R g u R R R"),
    ("unknown", "", "u u u u g u u u u"),
];

/// Under `LayerA` no key state is consulted: A authenticated, N not.
const UNDER_LAYER_A: [(&str, Legacy, &str); 4] = [
    ("dual", Legacy::Refused, "A N N A A A N N N"),
    ("dual", Legacy::Permitted, "A N N A A A N N N"),
    ("legacy", Legacy::Refused, "N N N N N N N N N"),
    ("legacy", Legacy::Permitted, "A N N N A A N A N"),
];

/// What the layers by themselves give, where they are asked for: P pass, F fail. Under a legacy length, a dual seal's
/// layer A fails although its HMAC is right.
const LAYER_A: [(&str, &str); 2] = [("dual", "P F F P P P F F F"), ("legacy", "P F F F P P F P F")];
const LAYER_B: &str = "P F F F F F P P P";

struct Case {
    registry: Registry,
    seal: Seal,
    payload: &'static [u8],
    identity_id: IdentityId,
    seal_key: SealKey,
}

/// A seal whose signer has this role and state, with one thing wrong.
fn case(format: &'static str, role: &str, state: &str, tampering: &'static str) -> Case {
    let ana = identity("ana");
    let good = SealKey::from_slice(&SEAL_KEY).unwrap();
    let (made_with, seal_key): (&[u8], SealKey) = match tampering {
        "seal key" => (&SEAL_KEY, SealKey::from_slice(&[0x5c; 64]).unwrap()),
        "short key" => (&SHORT_KEY, SealKey::legacy(&SHORT_KEY).unwrap()),
        _ => (&SEAL_KEY, good),
    };
    let sealed = if tampering == "reserved" { RESERVED } else { PAYLOAD };
    let seal = seal(format, tampering, made_with, sealed);
    Case {
        registry: registry(role, state, &seal),
        seal,
        payload: if tampering == "payload" { b"Content" } else { sealed },
        identity_id: match tampering {
            "other id" => identity("ivan"),
            "unknown id" => identity("nobody"),
            _ => ana,
        },
        seal_key,
    }
}

/// Depends on format and tampering alone, and is made once for each.
fn seal(format: &'static str, tampering: &'static str, made_with: &[u8], payload: &[u8]) -> Seal {
    static MADE: Mutex<BTreeMap<(&str, &str), Seal>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap();
    let make = || {
        let text = match format {
            "dual" => raw_seal::dual(made_with, [SIGNER; 32], payload, &identity("ana")),
            _ => raw_seal::legacy(made_with, payload),
        };
        let altered = match tampering {
            "hmac" => next_digit(&text, text.find("::").unwrap() + 2 + 77),
            "signature" => next_digit(&text, text.len() - 1000.min(text.len() / 2)),
            _ => text,
        };
        altered.parse().unwrap()
    };
    made.entry((format, tampering)).or_insert_with(make).clone()
}

fn public(number: u8) -> PublicKey {
    static KEYS: [OnceLock<PublicKey>; 5] = [const { OnceLock::new() }; 5];
    KEYS[usize::from(number)].get_or_init(|| key(number).public_key().clone()).clone()
}

/// The chain: ring entries, the seal's entry at 3, another at 4, for retired keys the rotation at 5 (as the ring is
/// then told, also at 3 and 2), and `bela`.
fn registry(role: &str, state: &str, seal: &Seal) -> Registry {
    let (ana, ivan) = (identity("ana"), identity("ivan"));
    let (signer, other, next) = (public(SIGNER), public(2), public(3));
    let mut registry = Registry::new();
    registry.add(&identity("someone"), &public(4));
    registry.add(&ivan, &other);
    match role {
        "current" | "retired" => registry.add(&ana, &signer),
        "unknown" => registry.add(&identity("filler"), &next),
        _ => registry.add(&ana, &next),
    }
    let message = match seal {
        Seal::Dual(dual) => dual.chain_message(&dualseal::Domain::default()),
        Seal::Legacy(_) => "none".to_string(),
    };
    // As if somebody else's program had written them: a plain append refuses the seal's own message.
    let elsewhere = dualseal::Domain::new("ELSEWHERE").unwrap();
    for message in ["filler", message.as_str(), "another"] {
        registry.chain.append(&elsewhere, &ana, message, minute(9)).unwrap();
    }
    match role {
        "retired" => registry.rotate(&ana, &next),
        "decoy" => registry.add_decoy(&ana, &signer),
        _ => {}
    }
    match role {
        "current" | "retired" => registry.set_state(&ana, Some(signer.hash()), state.parse::<KeyState>().unwrap()),
        "foreign" => registry.set_state(&ana, None, state.parse::<KeyState>().unwrap()),
        _ => {}
    }
    registry
}

impl Case {
    fn report(&self, policy: Policy<'_>, legacy: Legacy, place: &str) -> SealReport {
        let Self { registry, seal, payload, identity_id, .. } = self;
        // At and after R: the same place, in a ring in which the key was retired earlier.
        let (seq, ring) = match place {
            "no place" => (None, registry.ring.clone()),
            "before" => (Some(4), registry.ring.clone()),
            "elsewhere" => (Some(5), registry.ring.clone()),
            "at" => (Some(4), with_retirement(&registry.file(), &identity("ana").to_hex(), 4)),
            "after" => (Some(4), with_retirement(&registry.file(), &identity("ana").to_hex(), 3)),
            other => panic!("{other}"),
        };
        let at = seq.map(|seq| locate(ORIGIN, &registry.chain, seq));
        let verifier = SealVerifier::new(&registry.domain, &ring, &Unprepared);
        verifier.verify(seal, payload, identity_id, policy, legacy, at.as_ref())
    }
}

fn letter(report: &SealReport) -> &'static str {
    match &report.conclusion {
        Conclusion::Authenticated(_) => "A",
        Conclusion::NotAuthenticated => "N",
        Conclusion::Verdict(verdict) => match verdict {
            Verdict::Valid(_) => "V",
            Verdict::Decoy(_) => "D",
            Verdict::Revoked(_) => "R",
            Verdict::Suspended(_) => "S",
            Verdict::Invalid(rejection) => match rejection.reason() {
                InvalidReason::Content => "c",
                InvalidReason::Signature => "s",
                InvalidReason::RetiredKey => "t",
                InvalidReason::Located => "l",
                InvalidReason::UnknownIdentity => "u",
                InvalidReason::ReservedPayload => "p",
                InvalidReason::LegacySeal => "g",
                other => panic!("{other:?}"),
            },
        },
    }
}

/// What is told: the operator's, and everybody else's.
fn pairs(letter: &str) -> [SealOutcome; 2] {
    match letter {
        "V" | "A" => [SealOutcome::Ok; 2],
        "D" => [SealOutcome::Decoy, SealOutcome::Ok],
        "S" => [SealOutcome::Suspended; 2],
        _ => [SealOutcome::Rejected; 2],
    }
}

fn layer(letter: &str) -> LayerOutcome {
    if letter == "P" { LayerOutcome::Pass } else { LayerOutcome::Fail }
}

fn column(row: &str, tampering: &str) -> String {
    let cells: Vec<&str> = row.split(' ').collect();
    assert_eq!(cells.len(), TAMPERINGS.len());
    cells[TAMPERINGS.iter().position(|name| *name == tampering).unwrap()].to_string()
}

fn layer_a(format: &str, tampering: &str) -> LayerOutcome {
    let (_, row) = LAYER_A.into_iter().find(|(name, _)| *name == format).unwrap();
    layer(&column(row, tampering))
}

fn layer_b(role: &str, tampering: &str) -> LayerOutcome {
    if matches!(role, "current" | "retired") { layer(&column(LAYER_B, tampering)) } else { LayerOutcome::Fail }
}

fn assert_cell(report: &SealReport, expected: &str, layers: (LayerOutcome, LayerOutcome), cell: &str) {
    assert_eq!(letter(report), expected, "{cell}");
    assert_eq!((report.layer_a, report.layer_b), layers, "{cell}");
    assert_eq!([report.internal(), report.public()], pairs(expected), "{cell}");
}

#[test]
fn every_cell_of_a_dual_seal_under_both() {
    for (role, state, place, row) in DUAL_UNDER_BOTH {
        for tampering in TAMPERINGS {
            let case = case("dual", role, state, tampering);
            // The permission for legacy seals is no matter to a dual seal.
            for legacy in [Legacy::Refused, Legacy::Permitted] {
                let cell = format!("{role} {state}, {place}, {tampering}, both, {legacy:?}");
                let report = case.report(Policy::Both(&case.seal_key), legacy, place);
                let layers = (layer_a("dual", tampering), layer_b(role, tampering));
                assert_cell(&report, &column(row, tampering), layers, &cell);
            }
        }
    }
}

#[test]
fn every_cell_of_a_dual_seal_under_layer_b() {
    for (role, state, place, row) in DUAL_UNDER_LAYER_B {
        for tampering in TAMPERINGS {
            let case = case("dual", role, state, tampering);
            for legacy in [Legacy::Refused, Legacy::Permitted] {
                let cell = format!("{role} {state}, {place}, {tampering}, layer B, {legacy:?}");
                let report = case.report(Policy::LayerB, legacy, place);
                let layers = (LayerOutcome::NotChecked, layer_b(role, tampering));
                assert_cell(&report, &column(row, tampering), layers, &cell);
            }
        }
    }
}

#[test]
fn every_cell_of_a_legacy_seal() {
    for (role, state, row) in LEGACY {
        for tampering in TAMPERINGS {
            let case = case("legacy", role, state, tampering);
            for legacy in [Legacy::Refused, Legacy::Permitted] {
                let cell = format!("{role} {state}, {tampering}, legacy seal, {legacy:?}");
                let expected = column(row, tampering);
                let report = case.report(Policy::Both(&case.seal_key), legacy, "no place");
                assert_cell(&report, &expected, (layer_a("legacy", tampering), LayerOutcome::Absent), &cell);
                let report = case.report(Policy::LayerB, legacy, "no place");
                assert_cell(&report, &expected, (LayerOutcome::NotChecked, LayerOutcome::Absent), &cell);
            }
        }
    }
}

#[test]
fn every_cell_under_layer_a() {
    for (format, legacy, row) in UNDER_LAYER_A {
        for tampering in TAMPERINGS {
            // Whatever the key is: neither role nor state counts.
            for (role, state) in [("current", "istina"), ("current", "laz"), ("retired", "nijedno"), ("unknown", "")] {
                let case = case(format, role, state, tampering);
                let cell = format!("{role} {state}, {tampering}, {format}, layer A, {legacy:?}");
                let report = case.report(Policy::LayerA(&case.seal_key), legacy, "no place");
                let b = if format == "dual" { LayerOutcome::NotChecked } else { LayerOutcome::Absent };
                assert_cell(&report, &column(row, tampering), (layer_a(format, tampering), b), &cell);
                if let Conclusion::Authenticated(authenticated) = report.conclusion {
                    assert_eq!(authenticated.identity_id(), &case.identity_id, "{cell}");
                    assert_eq!(authenticated.format(), case.seal.format(), "{cell}");
                }
            }
        }
    }
}

/// The state that a verdict names is that of the key that verified, or else that of the current key.
#[test]
fn the_subject_has_the_state_that_decided() {
    for (role, state, tampering, named) in [
        ("current", "oboje", "none", Some("oboje")),
        ("current", "oboje", "payload", Some("oboje")),
        ("retired", "oboje", "none", Some("oboje")),
        ("retired", "laz", "none", Some("laz")),
        ("retired", "laz", "payload", Some("istina")),
        ("retired", "laz", "seal key", Some("laz")),
        ("foreign", "nijedno", "none", Some("nijedno")),
        ("decoy", "oboje", "none", Some("istina")),
        ("unknown", "", "none", None),
    ] {
        let case = case("dual", role, state, tampering);
        let report = case.report(Policy::Both(&case.seal_key), Legacy::Refused, "no place");
        let Conclusion::Verdict(verdict) = report.conclusion else { panic!("{role} {state} {tampering}") };
        let subject = *verdict.subject();
        assert_eq!(subject.state.map(KeyState::as_str), named, "{role} {state} {tampering}");
        assert_eq!((subject.identity_id, subject.time), (identity("ana"), None));
        if let Verdict::Decoy(ticket) = verdict {
            assert_eq!(ticket.key_hash(), public(SIGNER).hash());
        }
    }
}

/// A vault's fragment leaked: whoever seals with it makes no good layer B, so nothing tells it from a wrong signature.
#[test]
fn a_decoy_key_never_makes_a_good_layer_b() {
    let with_decoy = case("dual", "decoy", "oboje", "none");
    let without = case("dual", "foreign", "istina", "none");
    for policy in [Policy::Both(&with_decoy.seal_key), Policy::LayerB] {
        let (one, two) = (
            with_decoy.report(policy, Legacy::Refused, "no place"),
            without.report(policy, Legacy::Refused, "no place"),
        );
        assert_eq!((letter(&one), one.layer_b), ("s", LayerOutcome::Fail));
        assert_eq!((letter(&two), two.layer_b), ("s", LayerOutcome::Fail));
        assert_eq!(one.internal(), SealOutcome::Rejected);
    }
}
