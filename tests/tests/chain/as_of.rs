//! Verdicts with their dates: whatever became of a key, the verdict follows its present state, and what else is told
//! follows its history. A model that replays the changes position by position agrees on random histories.

use dualseal::key::{SetState, Unprepared};
use dualseal::seal::{Legacy, Policy, Seal, SealKey, SealVerifier, Sealer};
use dualseal::threshold::{verify_quorum, verify_quorum_as_of};
use dualseal::verdict::{AsOf, InvalidReason};
use dualseal::{KeyRing, KeyState, Located, SignatureRecord, Signer, Verdict, VerdictKind, Verifier};
use dualseal_tests::log::{ORIGIN, check, covering, locate};
use dualseal_tests::quorum::{Board, message};
use dualseal_tests::random::Constant;
use dualseal_tests::registry::Registry;
use dualseal_tests::vault::Archive;
use dualseal_tests::{identity, key, minute, next_digit, with_member};
use proptest::collection::vec;
use proptest::prelude::*;

const CONTENT: &[u8] = b"one contract";
const STATES: [KeyState; 4] = [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended];

/// What a model knows of one key: its state after every entry, and since when it was said to be stolen.
#[derive(Clone, Default)]
struct Replayed {
    states: Vec<Option<KeyState>>,
    compromised: Option<u64>,
}

impl Replayed {
    fn note(&mut self, change: Option<KeyState>) {
        let before = self.states.last().copied().flatten();
        self.states.push(change.or(before));
    }

    /// Walks there entry by entry.
    fn revoked_since(&self, place: u64) -> Option<u64> {
        let mut since = None;
        for (seq, state) in (0..).zip(&self.states).take_while(|(seq, _)| *seq <= place) {
            since = since.or(Some(seq)).filter(|_| *state == Some(KeyState::Revoked));
        }
        since
    }
}

/// A history of Ana's keys, one after the other, with a record by the current one wherever a step says so.
struct Told {
    registry: Registry,
    model: Vec<Replayed>,
    records: Vec<(SignatureRecord, u64, usize)>,
    /// The entries up to the last change of the ring.
    known_to: u64,
}

/// Step 0 signs, 1 appends, 2 rotates, and more set a state of the key that `which` chooses.
fn tell(steps: &[(u8, u8, u8)]) -> Told {
    let (registry, ana) = (Registry::new(), identity("ana"));
    let mut told = Told { registry, model: Vec::new(), records: Vec::new(), known_to: 1 };
    let mut rotations = 0_u8;
    told.registry.add(&ana, key(1).public_key());
    told.model.push(Replayed { states: vec![Some(KeyState::Valid)], compromised: None });
    for &(step, which, asked) in steps {
        let (seq, current) = (told.registry.chain.head().size(), usize::from(rotations));
        let mut change = None;
        match step {
            0 => {
                let (signing, chain) = (key(rotations + 1), &mut told.registry.chain);
                let signer = Signer::new(&told.registry.domain, &ana, &signing);
                let content = signer.content_hash(CONTENT);
                let t = minute(seq.try_into().unwrap());
                let signed = signer.sign_deterministic(&content, chain.head(), t).unwrap();
                chain.push(signed.entry).unwrap();
                told.records.push((signed.record, seq, current));
            }
            1 => drop(told.registry.chain.append(&told.registry.domain, &ana, "filler", minute(0)).unwrap()),
            2 => {
                let before = told.model[current].states.last().copied().flatten();
                let state = if before == Some(KeyState::Revoked) { Some(KeyState::Valid) } else { before };
                let states = vec![None; told.registry.chain.entries().len()];
                told.model.push(Replayed { states, compromised: None });
                rotations += 1;
                told.registry.rotate(&ana, key(rotations + 1).public_key());
                change = Some((current + 1, state));
            }
            step => {
                let (state, which) = (STATES[usize::from(step) % 4], which % (rotations + 1));
                let held = *key(which + 1).public_key().hash();
                let asked = (asked % 3 > 0).then(|| u64::from(asked) % (seq + 3));
                if state == KeyState::Revoked {
                    let set = asked.map_or(SetState::from(state), SetState::compromised_from);
                    told.registry.set_state(&ana, Some(&held), set);
                    let model = &mut told.model[usize::from(which)];
                    let at = asked.map_or(seq, |asked| asked.min(seq));
                    model.compromised = Some(model.compromised.map_or(at, |known| known.min(at)));
                } else {
                    told.registry.set_state(&ana, Some(&held), state);
                }
                change = Some((usize::from(which), Some(state)));
            }
        }
        if change.is_some() {
            told.known_to = seq + 1;
        }
        for (index, model) in told.model.iter_mut().enumerate() {
            model.note(change.filter(|(changed, _)| *changed == index).and_then(|(_, state)| state));
        }
    }
    told
}

/// The dates alone.
fn dates<T>(as_of: &AsOf<T>) -> (Option<u64>, Option<u64>, Option<u64>, Option<u64>, bool) {
    (as_of.place, as_of.revoked_then, as_of.revoked_now, as_of.compromised_from, as_of.claimed)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_dates_are_those_of_a_model_on_random_histories(
        steps in vec((0_u8..15, any::<u8>(), any::<u8>()), 1..24),
    ) {
        let Told { registry, model, records, known_to: size } = tell(&steps);
        let chain = &registry.chain;
        let checkpoint = covering(ORIGIN, chain, chain.entries().len());
        let content = registry.domain.content_hash(&identity("ana"), CONTENT);
        let public = registry.ring.public();
        let verify = |ring: &KeyRing, record: &SignatureRecord, place: &Located| {
            Verifier::new(&registry.domain, ring, &Unprepared).verify_as_of(&content, record.clone(), place)
        };
        for (record, seq, by) in records {
            let place = check(&checkpoint, chain.entries(), seq).unwrap().remove(0);
            let (as_of, key) = (verify(&registry.ring, &record, &place), &model[by]);
            let state = key.states.last().copied().flatten().unwrap();
            prop_assert_eq!(as_of.verdict.kind(), match state {
                KeyState::Valid => VerdictKind::Valid,
                KeyState::Revoked => VerdictKind::Revoked,
                KeyState::Decoy => VerdictKind::Decoy,
                KeyState::Suspended => VerdictKind::Suspended,
            });
            let claimed = key.compromised.is_some_and(|from| seq >= from);
            let expected =
                (Some(seq), key.revoked_since(seq), key.revoked_since(size), key.compromised, claimed);
            prop_assert_eq!((dates(&as_of), as_of.size), (expected, Some(size)));
            // An outsider is told the same, but for the size, which nothing attests.
            let outside = verify(&public, &record, &place);
            prop_assert_eq!((dates(&outside), outside.size), (expected, None));
            let sized = outside.to_public_json().replace("\"size\":null", &format!("\"size\":{size}"));
            prop_assert_eq!(sized, as_of.to_public_json());
        }
    }
}

/// Signed at 1, revoked at 2 as of a position, and then in any state.
fn revoked(from: u64, then: Option<KeyState>) -> (Registry, SignatureRecord) {
    let Told { mut registry, mut records, .. } = tell(&[(0, 0, 0)]);
    registry.set_state(&identity("ana"), None, SetState::compromised_from(from));
    if let Some(state) = then {
        registry.set_state(&identity("ana"), None, state);
    }
    (registry, records.remove(0).0)
}

fn as_of(registry: &Registry, record: &SignatureRecord, seq: u64) -> AsOf<SignatureRecord> {
    let content = registry.domain.content_hash(&identity("ana"), CONTENT);
    let verifier = Verifier::new(&registry.domain, &registry.ring, &Unprepared);
    verifier.verify_as_of(&content, record.clone(), &locate(ORIGIN, &registry.chain, seq))
}

/// Whoever signed and then revoked cannot take it back unseen: the record stood before, and nobody said it was stolen
/// by then.
#[test]
fn a_revocation_does_not_hide_that_the_record_came_before_it() {
    let (registry, record) = revoked(2, None);
    let told = as_of(&registry, &record, 1);
    assert_eq!(told.verdict.kind(), VerdictKind::Revoked);
    assert_eq!((dates(&told), told.size), ((Some(1), None, Some(2), Some(2), false), Some(3)));
}

/// What was claimed of a key stays claimed when the key is made valid again.
#[test]
fn a_claim_survives_the_keys_return() {
    for (from, claimed) in [(0, true), (1, true), (2, false)] {
        for state in [KeyState::Valid, KeyState::Decoy, KeyState::Suspended] {
            let (registry, record) = revoked(from, Some(state));
            let told = as_of(&registry, &record, 1);
            assert_eq!(dates(&told), (Some(1), None, None, Some(from), claimed), "{from} {state}");
        }
    }
}

/// Anybody can place an entry for a record that its signer never made, and the state of a revoked key decides before
/// its signature.
#[test]
fn a_forgery_by_a_revoked_key_is_not_dated() {
    let (registry, record) = revoked(2, None);
    let potpis = record.signature().to_hex();
    let forged = with_member(&record.to_json(), "potpis", next_digit(&potpis, 9).into());
    let forged = SignatureRecord::from_json(forged.as_bytes()).unwrap();
    let told = as_of(&registry, &forged, 1);
    assert_eq!((told.verdict.kind(), told.failed), (VerdictKind::Revoked, Some(InvalidReason::Signature)));
    assert_eq!(dates(&told), (None, None, Some(2), Some(2), false));
    assert!(told.to_json().contains("\"failed\":\"signature\""));
    assert!(told.to_public_json().contains("\"failed\":\"rejected\""));
    // Nor is a good record of another content.
    let other = registry.domain.content_hash(&identity("ana"), b"another contract");
    let verifier = Verifier::new(&registry.domain, &registry.ring, &Unprepared);
    let told = verifier.verify_as_of(&other, record, &locate(ORIGIN, &registry.chain, 1));
    assert_eq!((told.verdict.kind(), told.failed), (VerdictKind::Revoked, Some(InvalidReason::Content)));
    assert_eq!(told.place, None);
}

#[test]
fn at_another_entrys_place_nothing_is_dated() {
    let (registry, record) = revoked(0, Some(KeyState::Valid));
    let told = as_of(&registry, &record, 0);
    assert!(matches!(&told.verdict, Verdict::Invalid(rejection) if rejection.reason() == InvalidReason::Located));
    assert_eq!(dates(&told), (None, None, None, Some(0), false));
}

/// Whoever asks about one signer is told nothing of another's key.
#[test]
fn of_another_signers_key_nothing_is_told() {
    let (registry, record) = revoked(0, None);
    let place = locate(ORIGIN, &registry.chain, 1);
    let content = registry.domain.content_hash(&identity("ivan"), CONTENT);
    let verifier = Verifier::new(&registry.domain, &registry.ring, &Unprepared);
    let told = verifier.verify_as_of(&content, record, &place);
    assert!(matches!(&told.verdict, Verdict::Invalid(rejection) if rejection.reason() == InvalidReason::OtherSigner));
    assert_eq!(dates(&told), (None, None, None, None, false));
}

#[test]
fn a_pinned_key_has_no_history() {
    let (registry, record) = revoked(0, None);
    let (ring, place) =
        (KeyRing::pinned(&identity("ana"), key(1).public_key().clone()), locate(ORIGIN, &registry.chain, 1));
    let content = registry.domain.content_hash(&identity("ana"), CONTENT);
    let told = Verifier::new(&registry.domain, &ring, &Unprepared).verify_as_of(&content, record, &place);
    assert_eq!(told.verdict.kind(), VerdictKind::Valid);
    assert_eq!((dates(&told), told.size), ((Some(1), None, None, None, false), None));
}

/// Seals, results of quorums and vault records are dated as signatures are.
#[test]
fn every_kind_of_record_is_dated() {
    // A seal at 1.
    let (mut registry, ana, signing) = (Registry::new(), identity("ana"), key(1));
    let seal_key = SealKey::from_slice(&[9; 32]).unwrap();
    registry.add(&ana, signing.public_key());
    let dual = Sealer::new(&registry.domain, &ana, &seal_key, &signing).seal(CONTENT, &mut Constant(2)).unwrap();
    let appended = dual.append_to(registry.chain.head(), &registry.domain, &ana, minute(1)).unwrap();
    registry.chain.push(appended.entry).unwrap();
    registry.set_state(&ana, None, SetState::compromised_from(1));
    let (place, seal) = (locate(ORIGIN, &registry.chain, 1), Seal::from(dual));
    let seals = SealVerifier::new(&registry.domain, &registry.ring, &Unprepared);
    for key in [None, Some(&seal_key)] {
        let told = seals.verify_as_of(&seal, CONTENT, &ana, key, &place);
        let policy = key.map_or(Policy::LayerB, Policy::Both);
        let mut check = seals.begin(&seal, &ana, policy, Legacy::Refused, Some(&place));
        check.update(CONTENT);
        let (report, dated) = check.finish_with_dates();
        let whole = seals.verify(&seal, CONTENT, &ana, policy, Legacy::Refused, Some(&place));
        assert_eq!((format!("{report:?}"), dated.to_json()), (format!("{whole:?}"), told.to_json()));
        assert_eq!(told.verdict.kind(), VerdictKind::Revoked);
        assert_eq!((dates(&told), told.size), ((Some(1), None, Some(2), Some(1), true), Some(3)));
    }
    let legacy: Seal = format!("SEAL-L5::{}", "00".repeat(64)).parse().unwrap();
    let told = seals.verify_as_of(&legacy, CONTENT, &ana, Some(&seal_key), &place);
    assert_eq!(dates(&told), (None, None, Some(2), Some(1), false));

    // A result of a quorum at 2, whose key the ring took and revoked after it.
    let mut board = Board::mldsa(2, 3);
    let result = board.signed(&message());
    let place = locate(ORIGIN, &board.chain, 2);
    let (ring, session) = (board.ring_revoked_from(2), board.in_force());
    let told = verify_quorum_as_of(&session, &message(), result.clone(), &ring, &Unprepared, &place);
    let verdict = verify_quorum(&session, &message(), result.clone(), &ring, &Unprepared, Some(&place));
    assert_eq!(told.verdict.internal(), verdict.internal());
    assert_eq!((dates(&told), told.size), ((Some(2), None, Some(4), Some(2), true), Some(5)));
    let elsewhere = locate(ORIGIN, &board.chain, 1);
    let told = verify_quorum_as_of(&session, &message(), result, &ring, &Unprepared, &elsewhere);
    assert_eq!(dates(&told), (None, None, Some(4), Some(2), false));

    // Of a session of the first kind nobody can be convinced.
    let mut board = Board::hmac(2, 3);
    let result = board.signed(&message());
    let place = locate(ORIGIN, &board.chain, 2);
    let told = verify_quorum_as_of(&board.in_force(), &message(), result, &KeyRing::nobody(), &Unprepared, &place);
    assert_eq!((told.verdict.kind(), dates(&told)), (VerdictKind::Invalid, (None, None, None, None, false)));

    // A vault record.
    let mut archive = Archive::of_three(1);
    let place = archive.at(1);
    archive.registry.set_state(&archive.ana.clone(), None, SetState::compromised_from(0));
    let (kept, size) = (&archive.kept[1], archive.registry.chain.head().size());
    let told = archive.verifier().verify_as_of(kept.record(), &kept.hash(), &archive.ana, &archive.public(), &place);
    let seq = kept.record().entry().seq();
    assert_eq!(told.verdict.kind(), VerdictKind::Revoked);
    assert_eq!((dates(&told), told.size), ((Some(seq), None, Some(size - 1), Some(0), true), Some(size)));
    let other = archive.at(0);
    let told = archive.verifier().verify_as_of(kept.record(), &kept.hash(), &archive.ana, &archive.public(), &other);
    assert_eq!(dates(&told), (None, None, Some(size - 1), Some(0), false));
}
