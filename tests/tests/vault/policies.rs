//! What a stranger and the operator may conclude, with more or less at hand, in every state of the key.

use dualseal::batch::{RecordItem, Threads, verify_records};
use dualseal::error::Layer::{L0, L2, L3, L4, L5, L6, L7, L8};
use dualseal::error::Misuse;
use dualseal::key::{KeyRing, KeyState, Unprepared};
use dualseal::vault::{
    Encryption, LayerFailure, Operator, Public, Standing, StoredHash, Tier, TierKeys, TierPolicy, Unchecked,
    VaultOutcome, VaultSealer, VaultVerifier,
};
use dualseal::verdict::InvalidReason;
use dualseal::{Domain, Error, IdentityId, SystemRng, Verdict, VerdictKind};
use dualseal_tests::vault::{Archive, bent, faults, kind, master, reason, record, tier_signer};
use dualseal_tests::{identity, key, log};

const NOT_LOCATED: VaultOutcome = VaultOutcome::NotChecked(Unchecked::NotLocated);
const NO_MASTER: VaultOutcome = VaultOutcome::NotChecked(Unchecked::NoMaster);

#[test]
fn the_public_policy_needs_no_secret_and_no_chain() {
    let archive = Archive::of_three(1);
    // What a stranger has: the signer's key from the signer, the redacted record and the stored bytes.
    let (domain, ring) = (Domain::default(), KeyRing::pinned(&archive.ana, archive.key.public_key().clone()));
    let verifier = VaultVerifier::new(&domain, &ring, &Unprepared);
    for kept in &archive.kept {
        let policy = Public { tiers: TierPolicy::any() };
        let report =
            verifier.verify(kept.record().redacted(), &kept.hash(), &archive.ana, &policy, Standing::default());
        assert_eq!(kind(&report), VerdictKind::Valid, "{report}");
        for layer in [L0, L3, L5] {
            assert_eq!(report.outcome(layer), VaultOutcome::Pass);
        }
        assert_eq!((report.outcome(L2), report.outcome(L7)), (NO_MASTER, NO_MASTER));
        assert_eq!((report.outcome(L6), report.outcome(L8)), (NOT_LOCATED, NOT_LOCATED));
    }
}

#[test]
fn the_operator_asks_for_every_layer() {
    let archive = Archive::of_three(1);
    let report = archive.judge_by(&archive.operator(), 0, archive.kept[0].record(), false);
    assert_eq!(faults(&report), [(L6, "not_checked"), (L8, "not_checked")]);
    assert_eq!(reason(&report), Some(InvalidReason::Layer(L6)));
    // Without a table of keys L4 cannot pass, and for a public record it need not.
    let policy = Operator { master: master(), tiers: TierPolicy::any() };
    let report = archive.judge_by(&policy, 0, archive.kept[0].record(), true);
    assert_eq!(report.outcome(L4), VaultOutcome::NotChecked(Unchecked::NoKeys));
    assert_eq!(reason(&report), Some(InvalidReason::Layer(L4)));
    assert_eq!(report.failed(), None);
    let report = archive.judge_by(&policy, 1, archive.kept[1].record(), true);
    assert_eq!(kind(&report), VerdictKind::Valid, "{report}");
}

/// Whoever reads the reason looks at that layer. One that fails was tampered with; one that was not checked lacks only
/// what the verifier did not give.
#[test]
fn the_reason_names_what_fails_before_what_was_not_checked() {
    let archive = Archive::of_three(1);
    let bare = Operator { master: master(), tiers: TierPolicy::any() };
    for (path, layer) in [(["L8", "w3"], L8), (["L7", "fragment"], L7), (["L8", "prev"], L8)] {
        let changed = bent(&archive.kept[0].json, &path);
        let report = archive.judge_by(&archive.operator(), 0, record(&changed), false);
        assert_eq!(report.outcome(L6), NOT_LOCATED);
        assert_eq!((reason(&report), report.failed()), (Some(InvalidReason::Layer(layer)), Some(layer)), "{report}");
        // Nor does a table of keys that is missing hide it, before L6.
        let report = archive.judge_by(&bare, 0, record(&changed), false);
        assert_eq!(report.outcome(L4), VaultOutcome::NotChecked(Unchecked::NoKeys));
        assert_eq!((reason(&report), report.failed()), (Some(InvalidReason::Layer(layer)), Some(layer)), "{report}");
    }
    // Of several that fail it is the first.
    let both = bent(&bent(&archive.kept[0].json, &["L8", "w3"]), &["L7", "fragment"]);
    let report = archive.judge_by(&bare, 0, record(&both), false);
    assert_eq!(reason(&report), Some(InvalidReason::Layer(L7)), "{report}");
    // Where none fails, it is the first that was to be checked.
    let report = archive.judge_by(&bare, 0, archive.kept[0].record(), false);
    assert_eq!((reason(&report), report.failed()), (Some(InvalidReason::Layer(L4)), None), "{report}");
}

#[test]
fn the_least_tier_is_the_verifiers() {
    let archive = Archive::of_three(1);
    // Records 0, 1 and 2 are native, public and noble.
    let expected = [
        (Tier::Public, [VaultOutcome::Pass, VaultOutcome::NotRequired, VaultOutcome::Pass]),
        (Tier::Noble, [VaultOutcome::Pass, VaultOutcome::Fail(LayerFailure::TierTooLow), VaultOutcome::Pass]),
        (
            Tier::Native,
            [
                VaultOutcome::Pass,
                VaultOutcome::Fail(LayerFailure::TierTooLow),
                VaultOutcome::Fail(LayerFailure::TierTooLow),
            ],
        ),
    ];
    for (least, outcomes) in expected {
        let tiers = TierPolicy::new(Some(&archive.tiers), least).unwrap();
        for (index, outcome) in outcomes.into_iter().enumerate() {
            let good = !matches!(outcome, VaultOutcome::Fail(_));
            let report = archive.judge_by(&Public { tiers }, index, archive.kept[index].record(), false);
            assert_eq!((report.outcome(L4), kind(&report) == VerdictKind::Valid), (outcome, good), "{report}");
            let operator = Operator { master: master(), tiers };
            let report = archive.judge_by(&operator, index, archive.kept[index].record(), true);
            assert_eq!((report.outcome(L4), kind(&report) == VerdictKind::Valid), (outcome, good), "{report}");
        }
    }
    for least in [Tier::Noble, Tier::Native] {
        assert_eq!(TierPolicy::new(None, least).unwrap_err(), Error::from(Misuse::NoTierKeys));
    }
    TierPolicy::new(None, Tier::Public).unwrap();
}

/// A key counts for the identity and the tier that it was enrolled for.
#[test]
fn a_tier_key_is_held_for_one_identity_and_tier() {
    let archive = Archive::of_three(1);
    let native = tier_signer(Tier::Native).public_key();
    let outcome = |tiers: &TierKeys| {
        let tiers = TierPolicy::new(Some(tiers), Tier::Public).unwrap();
        archive.judge_by(&Public { tiers }, 0, archive.kept[0].record(), false).outcome(L4)
    };
    let held = |identity_id: &IdentityId, tier, key| {
        let mut tiers = TierKeys::new();
        tiers.enrol(identity_id, tier, key).unwrap();
        outcome(&tiers)
    };
    assert_eq!(held(&archive.ana, Tier::Native, native), VaultOutcome::Pass);
    assert_eq!(held(&archive.ana, Tier::Noble, native), VaultOutcome::Fail(LayerFailure::KeyNotHeld));
    assert_eq!(held(&identity("eva"), Tier::Native, native), VaultOutcome::Fail(LayerFailure::KeyNotHeld));
    let other = tier_signer(Tier::Noble).public_key();
    assert_eq!(held(&archive.ana, Tier::Native, other), VaultOutcome::Fail(LayerFailure::KeyNotHeld));
    assert_eq!(outcome(&TierKeys::new()), VaultOutcome::Fail(LayerFailure::KeyNotHeld));
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let neutral = dualseal::ed25519::Ed25519PublicKey::from_bytes(neutral);
    TierKeys::new().enrol(&archive.ana, Tier::Native, &neutral).unwrap_err();
    TierKeys::new().enrol(&archive.ana, Tier::Public, native).unwrap_err();
}

/// Each identity of the ring, whatever its key's state, can seal any document: her record is not Ana's, and her key's
/// state is no matter of whoever asks about Ana.
#[test]
fn another_identitys_record_is_invalid_whoever_that_is() {
    let (eve, eves) = (identity("eve"), key(7));
    for state in [KeyState::Valid, KeyState::Revoked, KeyState::Decoy, KeyState::Suspended] {
        let mut archive = Archive::of_three(1);
        archive.registry.add(&eve, eves.public_key());
        archive.registry.set_state(&eve, None, state);
        let vault = VaultSealer::new(master(), &eve, &eves);
        let sealed = vault.seal(b"deed", "DEED", Encryption::None, &archive.place(), &mut SystemRng).unwrap();
        let index = archive.keep(sealed.0, sealed.1);
        let (verifier, operator) = (archive.verifier(), archive.operator());
        let (hash, at) = (archive.kept[index].hash(), archive.at(index));
        let standing = Standing { place: Some(&at), after: None };
        let record = || archive.kept[index].record();
        let report = verifier.verify(record(), &hash, &archive.ana, &operator, standing);
        let Verdict::Invalid(rejection) = report.verdict() else { panic!("{state}: {report}") };
        assert_eq!((rejection.reason(), rejection.subject().state), (InvalidReason::OtherSigner, None), "{state}");
        assert!(report.erasable().is_none() && report.record().is_none(), "{state}");
        let as_of = verifier.verify_as_of(record(), &hash, &archive.ana, &operator, &at);
        assert_eq!((as_of.failed, as_of.place), (Some(InvalidReason::OtherSigner), None), "{state}");
        let item = RecordItem { record: record(), stored: &hash, identity_id: archive.ana, standing };
        let of_batch = verify_records(&verifier, &operator, vec![item], Threads::current(), &mut |_| {});
        assert_eq!(kind(&of_batch[0]), VerdictKind::Invalid);
        // Who asks for her, or for anybody, is told.
        let hers = verifier.verify(record(), &hash, &eve, &operator, standing);
        assert_eq!(hers.verdict().subject().state, Some(state), "{hers}");
        let (who, anybodys) = verifier.verify_any_signer(record(), &hash, &operator, standing);
        assert_eq!((who, kind(&anybodys)), (eve, kind(&hers)));
        assert_eq!(kind(&hers) == VerdictKind::Valid, state == KeyState::Valid);
    }
}

/// The state of L5's key decides first, whatever the layers say.
#[test]
fn the_key_state_decides_first() {
    let mut archive = Archive::of_three(1);
    for (state, good, bad) in [
        (KeyState::Valid, VerdictKind::Valid, VerdictKind::Invalid),
        (KeyState::Revoked, VerdictKind::Revoked, VerdictKind::Revoked),
        (KeyState::Decoy, VerdictKind::Decoy, VerdictKind::Invalid),
        (KeyState::Suspended, VerdictKind::Suspended, VerdictKind::Suspended),
    ] {
        archive.set_state(state);
        let json = &archive.kept[0].json;
        let broken = bent(json, &["sealed", "layers", "L3", "baseline"]);
        let foreign = bent(json, &["L6"]);
        for (json, expected) in [(json, good), (&broken, bad), (&foreign, bad)] {
            let report = archive.judge(0, record(json));
            assert_eq!(kind(&report), expected, "{state}: {report}");
            assert_eq!(report.verdict().subject().state, Some(state));
            let report = archive.judge_by(&archive.public(), 0, record(json), false);
            assert_eq!(kind(&report), expected, "{state}: {report}");
        }
        // Every layer is judged in every state.
        assert_eq!(archive.judge(0, record(&broken)).failed(), Some(L3));
    }
}

/// After a rotation, a record stands as long as its place before the rotation is shown.
#[test]
fn a_retired_key_needs_its_place_in_the_chain() {
    let mut archive = Archive::of_three(1);
    let (ana, old) = (archive.ana, key(1));
    archive.registry.rotate(&ana, key(2).public_key());
    let located = archive.judge(0, archive.kept[0].record());
    assert_eq!(kind(&located), VerdictKind::Valid, "{located}");
    let bare = archive.judge_by(&archive.public(), 0, archive.kept[0].record(), false);
    assert_eq!((kind(&bare), bare.outcome(L5)), (VerdictKind::Invalid, VaultOutcome::Fail(LayerFailure::RetiredKey)));
    assert_eq!(reason(&bare), Some(InvalidReason::Layer(L5)));
    // The thief of the old key seals today: his entry stands after the rotation.
    let vault = VaultSealer::new(master(), &ana, &old);
    let place = archive.place();
    let (sealed, stored) = vault.seal(b"forged", "DEED", Encryption::None, &place, &mut SystemRng).unwrap();
    let index = archive.keep(sealed, stored);
    let report = archive.judge(index, archive.kept[index].record());
    assert_eq!(
        (report.outcome(L5), report.outcome(L8)),
        (VaultOutcome::Fail(LayerFailure::RetiredKey), VaultOutcome::Pass)
    );
    // The new key's own records need no place for L5.
    archive.key = key(2);
    let index = archive.seal(b"new", "DEED", Encryption::None, Tier::Public);
    let report = archive.judge_by(&archive.public(), index, archive.kept[index].record(), false);
    assert_eq!(kind(&report), VerdictKind::Valid, "{report}");
}

/// A place counts when the log is the ring's and the whole entry, its time included, is the record's.
#[test]
fn a_place_of_another_log_or_time_does_not_count() {
    let archive = Archive::of_three(1);
    let seq = archive.kept[0].record().entry().seq();
    let chain = &archive.registry.chain;
    let judge = |at: &dualseal::Located| {
        let standing = Standing { place: Some(at), after: None };
        archive.verifier().verify(
            archive.kept[0].record(),
            &archive.kept[0].hash(),
            &archive.ana,
            &archive.public(),
            standing,
        )
    };
    let report = judge(&log::locate(log::ORIGIN, chain, seq));
    assert_eq!((kind(&report), report.outcome(L8)), (VerdictKind::Valid, VaultOutcome::Pass));
    let elsewhere = VaultOutcome::Fail(LayerFailure::Located);
    for at in [log::locate("example.org/other", chain, seq), log::locate(log::ORIGIN, chain, seq + 1)] {
        let report = judge(&at);
        assert_eq!((report.outcome(L6), report.outcome(L8)), (elsewhere, elsewhere));
        assert_eq!(reason(&report), Some(InvalidReason::Layer(L6)));
    }
    // The hash is the same; the time, which it does not cover, is L8's.
    let report = judge(&log::locate(log::ORIGIN, &log::retimed(chain, 1, dualseal_tests::minute(99)), seq));
    assert_eq!((report.outcome(L6), report.outcome(L8)), (VaultOutcome::Pass, elsewhere));
    assert_eq!(reason(&report), Some(InvalidReason::Layer(L8)));
}

/// Anybody can make L8, L6 and `krunica_hash` anew, and only the chain or the master tells: the public policy says so
/// in its first line.
#[test]
fn a_remade_entry_is_found_with_the_chain_only() {
    let mut archive = Archive::of_three(1);
    let original = archive.kept[0].record();
    // The same message at the head of a chain that nobody keeps.
    let message = original.entry().message().to_string();
    let elsewhere = log::chain_of(&archive.ana, &[&message]);
    let entry = serde_json::to_value(&elsewhere.entries()[0]).unwrap();
    let handle = elsewhere.entries()[0].krunica_hash().to_hex();
    let mut json: serde_json::Value = serde_json::from_str(&archive.kept[0].json).unwrap();
    json["L8"] = entry;
    // The chain of strangers begins at the start; the record's time is a minute later.
    json["L8"]["t"] = original.header().created_at.to_string().into();
    (json["L6"], json["krunica_hash"]) = (handle.clone().into(), handle.into());
    let text = json.to_string();
    let report = archive.judge_by(&archive.public(), 0, record(&text), false);
    assert_eq!((kind(&report), report.outcome(L8)), (VerdictKind::Valid, NOT_LOCATED), "{report}");
    let report = archive.judge(0, record(&text));
    assert_eq!(
        (report.outcome(L6), report.outcome(L8)),
        (VaultOutcome::Fail(LayerFailure::Located), VaultOutcome::Fail(LayerFailure::Entry))
    );
    // The tag is for another place of the chain: the operator needs no chain to see that.
    let report = archive.judge_by(&archive.operator(), 0, record(&text), false);
    assert_eq!((report.failed(), report.outcome(L8)), (Some(L8), VaultOutcome::Fail(LayerFailure::Entry)), "{report}");
    // Nor does the ledger check take it, as the chain vouches for another entry there.
    archive.kept[0].json = text;
    assert!(archive.check().is_err());
}

/// A fragment that is there must be the one of the digest, also for those who cannot compute it.
#[test]
fn a_present_fragment_must_match_for_everybody() {
    let archive = Archive::of_three(1);
    let wrong = bent(&archive.kept[0].json, &["L7", "fragment"]);
    let report = archive.judge_by(&archive.public(), 0, record(&wrong), false);
    assert_eq!((report.outcome(L7), kind(&report)), (VaultOutcome::Fail(LayerFailure::Fragment), VerdictKind::Invalid));
    let report = archive.judge_by(&archive.public(), 0, archive.kept[0].record(), false);
    assert_eq!((report.outcome(L7), kind(&report)), (NO_MASTER, VerdictKind::Valid));
}

/// The stored bytes are hashed under the verifier's domain: another deployment's are another record.
#[test]
fn another_domain() {
    let archive = Archive::of_three(1);
    let other = Domain::new("ELSEWHERE").unwrap();
    let hash = StoredHash::of(&other, &archive.kept[0].stored);
    let report = archive.verifier().verify(
        archive.kept[0].record(),
        &hash,
        &archive.ana,
        &archive.public(),
        Standing::default(),
    );
    assert_eq!(report.outcome(L3), VaultOutcome::Fail(LayerFailure::VaultId));
    let verifier = VaultVerifier::new(&other, &archive.registry.ring, &Unprepared);
    let report = verifier.verify(
        archive.kept[0].record(),
        &archive.kept[0].hash(),
        &archive.ana,
        &archive.public(),
        Standing::default(),
    );
    assert_eq!(report.outcome(L5), VaultOutcome::Fail(LayerFailure::LayerB));
}
